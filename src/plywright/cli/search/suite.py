"""`plywright suite`: positions with known best moves, searched one after the other."""

from __future__ import annotations

from importlib.resources import files
from pathlib import Path
from typing import Any

from ...engine import Limit, analyse
from ...engine.interrupts import interruptible
from ...errors import BadInput, printable
from ...files import decoded, read_bounded
from ...game import Game, Problem
from ...games import know, load_game
from ..console import count_text, out, print_json

LARGEST = 64_000_000
"""Bytes of a file of positions."""
NAME_WIDTH, WIDEST_NAME = 16, 40
"""Columns that what a file calls its positions takes at least, and at most: a longer one moves its own line only."""


@interruptible()
def show_suite(
    file: str,
    name: str,
    *,
    time: float | None,
    depth: int | None,
    nodes: int | None,
    knowledge: str | None,
    threads: int,
    json: bool,
) -> None:
    if threads < 1:
        raise BadInput(f"threads must be a whole number of at least 1, not {threads}")
    game = know(load_game(name), knowledge)
    text = read_text(game, file)
    try:
        problems = game.parse_suite(text)
    except BadInput as error:
        raise BadInput(f"{file}: {error}") from None
    problems = [problem for problem in problems if problem.best or problem.avoid]
    if not problems:
        raise BadInput(f"{file} has no position with a best move (bm) or a move to avoid (am)")
    limit = Limit(depth, time, nodes) if (depth, time, nodes) != (None, None, None) else Limit(time=1.0)
    found = []
    names = [printable(problem.name) or str(number) for number, problem in enumerate(problems, 1)]
    width = min(max(NAME_WIDTH, *map(len, names)), WIDEST_NAME)
    for problem, shown in zip(problems, names, strict=True):
        found.append(tried(game, problem, limit, threads))
        if not json:
            _tell(f"{shown:<{width}}", found[-1])
    solved = [each for each in found if each["solved"]]
    if json:
        print_json({"game": game.name, "file": file, "solved": len(solved), "total": len(found), "positions": found})
        return
    nodes_all, seconds = sum(each["nodes"] for each in found), sum(each["took"] for each in found)
    out.print(
        f"solved {len(solved)} of {len(found)}   {count_text(nodes_all / max(seconds, 1e-9))} nodes/s   "
        f"found after {_time_text(sum(each['seconds'] for each in solved) / max(len(solved), 1))} on average",
        markup=False,
    )


def read_text(game: Game, file: str) -> str:
    """The text of a file, or of a suite that comes with the game under that name."""
    if file in game.suites:
        package = type(game).__module__.rpartition(".")[0]
        return files(package).joinpath(game.suites[file]).read_text(encoding="utf-8")
    known = ", ".join(game.suites) or "no suites"
    if not file:
        raise BadInput(f"the name of the suite is empty: give that of a file; with {game.name} comes {known}")
    try:
        text = decoded(read_bounded(Path(file), LARGEST))
    except OSError as error:
        raise BadInput(f"{file} cannot be read: {error.strerror or error}; with {game.name} comes {known}") from None
    if text is None:
        raise BadInput(f"{file} is not a file of text: save the positions as text in UTF-8")
    return text


def tried(game: Game, problem: Problem, limit: Limit, threads: int) -> dict[str, Any]:
    """What a search played, whether that is right, and since when it was its choice, on the search's own clock: that
    begins when everything is compiled."""
    action, result, since = None, None, 0.0
    options: dict[str, Any] = {"threads": threads} if threads > 1 else {}
    for result in analyse(game, problem.state, limit=limit, exact=False, **options):
        if result.action != action:
            action, since = result.action, result.seconds
    assert result is not None and action is not None
    right = (action in problem.best or not problem.best) and action not in problem.avoid
    return {
        "name": problem.name,
        "state": game.format_state(problem.state),
        "move": game.format_action(problem.state, action),
        "best": [game.format_action(problem.state, each) for each in problem.best],
        "avoid": [game.format_action(problem.state, each) for each in problem.avoid],
        "solved": right,
        "seconds": round(since, 3),
        "depth": result.depth,
        "nodes": result.nodes,
        "took": round(result.seconds, 3),
    }


def _tell(name: str, found: dict[str, Any]) -> None:
    wanted = " or ".join(found["best"]) or f"not {' or '.join(found['avoid'])}"
    verdict = f"after {_time_text(found['seconds'])}" if found["solved"] else f"wanted: {wanted}"
    sign = "+" if found["solved"] else "-"
    out.print(f"{sign} {name} {found['move']:<8} depth {found['depth']:<3} {verdict}", markup=False)


def _time_text(seconds: float) -> str:
    """Seconds; below a tenth of one, milliseconds."""
    return f"{seconds:.2f} s" if seconds >= 0.1 else f"{1000 * seconds:.0f} ms"
