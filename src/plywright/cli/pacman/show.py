"""What `plywright pacman` prints."""

from __future__ import annotations

import contextlib
import time as clock
from collections.abc import Callable, Iterator, Sequence
from pathlib import Path
from typing import Any

from rich.live import Live
from rich.progress import BarColumn, MofNCompleteColumn, Progress, TextColumn, TimeRemainingColumn
from rich.table import Table
from rich.text import Text

from ...engine.interrupts import interruptible
from ...errors import BadInput
from ...files import write_whole
from ...games.pacman.maze import STOP, layout_names, load_maze
from ...games.pacman.picture import scene_picture
from ...games.pacman.rules import Pacman
from ...pacman.agents import ALGORITHMS, MysteryAgent, keys_at_once, make_agent, make_ghost
from ...pacman.assumptions import PUBLISHED, assumptions, assumptions_picture, shortcomings
from ...pacman.demonstrations import DEMONSTRATIONS
from ...pacman.episode import Moment, begun, moments
from ...pacman.file_agent import Fault
from ...pacman.replay import replay_page
from ...players import Player
from ..console import busy, choose, notes, out, print_json

COLOURS = {"%": "blue", ".": "white", "o": "bold white", "m": "bright_blue"}
GHOST_COLOURS = ("red", "cyan", "magenta", "green")


# -- layouts ---------------------------------------------------------------------------------------------


def show_layouts(file: str | None, json: bool) -> None:
    """Every layout, or one, with its text as thumbnail."""
    mazes = [load_maze(name) for name in ([file] if file is not None else layout_names())]
    if json:
        rows = [
            {"name": m.name, "ghosts": len(m.ghosts), "pellets": m.pellets, "power_pellets": m.capsules, "rows": m.rows}
            for m in mazes
        ]
        print_json({"layouts": rows})
        return
    for maze in mazes:
        ghosts = f"{len(maze.ghosts)} ghost{'' if len(maze.ghosts) == 1 else 's'}"
        power = f", {maze.capsules} power pellets" if maze.capsules else ""
        out.print(
            f"{maze.name}: {len(maze.rows)} x {maze.columns}, {ghosts}, {maze.pellets} pellets{power}", style="bold"
        )
        game = Pacman(maze)
        out.print(coloured(game.picture(game.start_state).text.rpartition("\n")[0]))
        out.print()


def coloured(picture: str) -> Text:
    """A picture in letters, for a terminal with colours."""
    text, ghost = Text(), 0
    for sign in picture:
        if sign == "M":
            text.append(sign, f"bold {GHOST_COLOURS[ghost % len(GHOST_COLOURS)]}")
            ghost += 1
        elif sign in "<>^v":
            text.append(sign, "bold yellow")
        elif sign == "%":
            text.append("█" if out.is_terminal else "%", "blue")
        else:
            text.append("·" if sign == "." and out.is_terminal else sign, COLOURS.get(sign, ""))
    return text


# -- one game --------------------------------------------------------------------------------------------


@interruptible()
def show_play(
    layout: str,
    agent: str,
    ghosts: str,
    depth: int | None,
    evaluation: str | None,
    *,
    seed: int,
    scatter: bool,
    rounds: int,
    speed: float,
    svg: Path | None,
    html: Path | None,
    json: bool,
) -> int:
    """Play, animate where there is a terminal, and write what was asked for; 2 where an agent's own file fails."""
    text = agent_text(agent, depth, evaluation)
    if not 0 <= speed < float("inf"):
        raise BadInput("--speed is a number of rounds a second, 0 for no animation")
    game, start = begun(load_maze(layout), seed, scatter=scatter, rounds=rounds)
    players = [make_agent(text), *(make_ghost(ghosts) for _ in range(game.ghosts))]
    for path in filter(None, (svg, html)):
        if not path.parent.is_dir():
            raise BadInput(f"there is no folder {str(path.parent)!r} to write {path.name} in")
    by_hand = players[0].name == "keyboard"
    pause = 0.0 if json or by_hand or not out.is_terminal or speed == 0 else 1 / speed
    watched = ((out.is_terminal and speed > 0) or by_hand) and not json
    try:
        seen = _watch(game, players, seed, start, pause) if watched else _play(game, players, seed, start)
    except Fault as fault:
        notes.print(f"{players[0].name} has failed: {fault}", markup=False)
        return 2
    finally:
        players[0].close()
    end = seen[-1].state
    outcome = "won" if end.left == 0 else "caught" if end.caught else "out of time"
    if svg is not None:
        last = next((moment.action for moment in reversed(seen) if moment.mover == 0), None)
        write_whole(svg, game.picture(end, last).svg.encode())
    if html is not None:
        title = f"Pac-Man, {game.maze.name}: {players[0].name} against {ghosts} ghosts"
        write_whole(html, replay_page(game, seen, title).encode())
    secret = players[0].secret if isinstance(players[0], MysteryAgent) else None
    if json:
        found: dict[str, Any] = {"layout": game.maze.name, "agent": players[0].name, "ghosts": ghosts, "seed": seed}
        found |= {"outcome": outcome, "score": int(end.score), "rounds": int(end.rounds), "secret": secret}
        print_json(found | {"moves": [game.format_action(m.state, m.action) for m in seen if m.mover == 0]})
        return 0
    if not watched:
        out.print(coloured(game.picture(end).text.rpartition("\n")[0]))
    out.print(f"{outcome}: score {int(end.score)} after {int(end.rounds)} rounds ({players[0].name} v {ghosts})")
    if secret is not None:
        out.print(f"the mystery agent was {secret}", markup=False)
    for written in filter(None, (svg, html)):
        out.print(f"wrote {written}", markup=False)
    return 0


def agent_text(agent: str, depth: int | None, evaluation: str | None) -> str:
    """The agent with --depth and --evaluation as its own text has them."""
    more = [f"depth={depth}"] if depth is not None else []
    more += [f"evaluation={evaluation}"] if evaluation is not None else []
    kind = agent.partition(":")[0]
    if more and kind not in ALGORITHMS and (kind != "reflex" or depth is not None):
        raise BadInput(f"--depth and --evaluation are for agents that search, which {kind} does not")
    return agent + (("," if ":" in agent else ":") + ",".join(more) if more else "")


def _play(game: Pacman, players: Sequence[Player], seed: int, start: Any) -> list[Moment]:
    with busy("playing") as tell:
        seen = []
        for moment in moments(game, players, seed, start):
            seen.append(moment)
            tell(f"playing, round {int(moment.state.rounds)}, score {int(moment.state.score)}")
        return seen


def _watch(game: Pacman, players: Sequence[Player], seed: int, start: Any, pause: float) -> list[Moment]:
    """The same with a picture of every state."""
    seen: list[Moment] = []
    last = 1
    by_hand = players[0].name == "keyboard"
    with keys_at_once() if by_hand else contextlib.nullcontext(), _live() as live:
        if by_hand:
            live.update(_shown(game, Moment(start, -1, -1), last, True), refresh=True)
        for moment in moments(game, players, seed, start):
            seen.append(moment)
            last = moment.action if moment.mover == 0 and moment.action != STOP else last
            after = game.state_after(moment.state, moment.action) if moment.mover >= 0 else moment.state
            live.update(_shown(game, Moment(after, moment.mover, -1, moment.info), last, by_hand), refresh=True)
            if moment.mover == game.players - 1:
                clock.sleep(pause)
    return seen


def _live() -> Live:
    return Live(Text("getting ready"), console=out, auto_refresh=False)


def _shown(game: Pacman, moment: Moment, heading: int, by_hand: bool) -> Text:
    text = coloured(scene_picture(game, moment.state, None, heading).text)
    if "value" in moment.info:
        text.append(f"\nexpects {float(moment.info['value']):g}")
    if by_hand:
        text.append("\narrow keys or w a s d, blank to wait, q to leave")
    text.no_wrap, text.overflow = True, "crop"  # a narrow terminal shows less, not a torn maze
    return text


# -- many games ------------------------------------------------------------------------------------------


@contextlib.contextmanager
def progress(words: str, total: int) -> Iterator[Callable[[int], None]]:
    """A bar on a terminal, nothing elsewhere."""
    columns = (TextColumn("{task.description}"), BarColumn(), MofNCompleteColumn(), TimeRemainingColumn())
    with Progress(*columns, console=notes, transient=True, disable=not notes.is_terminal) as bar:
        task = bar.add_task(words, total=total)
        yield lambda count: bar.advance(task, count)


@interruptible()
def show_demonstration(name: str, games: int | None, seed: int, jobs: int, json: bool) -> int:
    demonstrate, usual = choose(name, DEMONSTRATIONS, "demonstration")
    count = usual if games is None else games
    if not 1 <= count <= 100_000:
        raise BadInput(f"--games is a number from 1 to 100000, not {count}")
    with progress(name, 2 * count if name in ("trapped", "depth", "ghosts") else 2) as heard:
        found = demonstrate(count, seed, jobs, heard)
    if json:
        print_json({"demonstration": name, "holds": found.holds, **found.figures})
    else:
        for line in found.lines:
            out.print(line, markup=False)
        out.print("as expected" if found.holds else "NOT as expected")
    return 0 if found.holds else 1


@interruptible()
def show_assumptions(layout: str, games: int, seed: int, jobs: int, svg: Path | None, json: bool) -> None:
    maze = load_maze(layout)
    if svg is not None and not svg.parent.is_dir():
        raise BadInput(f"there is no folder {str(svg.parent)!r} to write {svg.name} in")
    with progress(f"assumptions on {maze.name}", 4 * games) as heard:
        rows = assumptions(maze, games, seed, jobs=jobs, heard=heard)
    if svg is not None:
        write_whole(svg, assumptions_picture(rows).svg.encode())
    missing = shortcomings(rows)
    if json:
        found = {"layout": maze.name, "games": games, "seed": seed, "holds": not missing, "missing": missing}
        print_json({**found, "rows": [row.as_dict() for row in rows]})
        return
    table = Table("Pac-Man", "ghost", "won", "mean score", "published", box=None, header_style="bold")
    for row in rows:
        wins, score = PUBLISHED[row.pacman, row.ghosts]
        low, high = row.tally.win_interval
        table.add_row(
            row.pacman,
            row.ghosts,
            f"{row.tally.wins}/{row.tally.games} ({100 * low:.0f}-{high:.0%})",
            f"{row.tally.mean_score:.1f} ({row.tally.interval[0]:.1f} to {row.tally.interval[1]:.1f})",
            f"{wins}/5, {score}",
        )
    out.print(table)
    out.print("in brackets 95 % intervals; published are five games each")
    words = "; ".join(missing)
    out.print(f"the published pattern does not hold here: {words}" if missing else "the published pattern holds")
    if svg is not None:
        out.print(f"wrote {svg}", markup=False)
