"""How strong chess is, by matches with fixed openings and colours swapped; the games are kept in benchmarks/matches/.

    python benchmarks/chess_strength.py play 2400 --time 1 --games 100     # against Stockfish with UCI_Elo 2400
    python benchmarks/chess_strength.py nodes 1700 --nodes 1000            # so many nodes a move against UCI_Elo 1700
    python benchmarks/chess_strength.py step extend --games 100            # without one of the hooks, at fixed nodes
    python benchmarks/chess_strength.py step null_move --nodes 50000       # the same with more of them
    python benchmarks/chess_strength.py weights --games 100                # network and fitted weights against neither
    python benchmarks/chess_strength.py network --time 0.1 --games 100     # without the network, at the same time
    python benchmarks/chess_strength.py                                    # the tables of docs/chess.md, from the games

A match goes on behind the last opening that the kept games have with both colours, on any machine; one that was killed
goes on where it was (`*.run` beside the games). What is claimed is what the games say: score and Elo difference with an
interval of 95 %. Games that the rival lost by its clock tell of the machine only: they are left out, and with each the
other of its pair. Games of an engine that plays differently by now are no part of its match: delete them first.
"""

from __future__ import annotations

import argparse
import gzip
import re
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path

from plywright.arena.records.export import last_attempts
from plywright.arena.records.run_file import Records
from plywright.arena.statistics.elo_sprt import estimate
from plywright.files import write_whole
from plywright.games.chess.exchange import PAWN_VALUE, value_on
from plywright.games.chess.knowledge import LOSING, WINNING, ChessKnowledge
from plywright.games.chess.position import Position
from plywright.games.chess.rules import Chess
from plywright.games.chess.weights import fitted_weights
from plywright.knowledge import Knowledge

HERE = Path(__file__).parent
OPENINGS = HERE / "chess_openings.txt"
RECORDS = HERE / "matches"
PAGE = HERE.parent / "docs" / "chess.md"
STOCKFISH = "/usr/games/stockfish"
STEP_NODES, RIVAL_NODES = 5000, 15_000
ADJUDICATE = "win:4:4,draw:1:8:40"
"""When both players agree; 38 games against UCI_Elo 2200 that were played out would have ended no other way."""
GAME = re.compile(r'\[White "([^"]*)"\].*?\]\n\n(.*?)\s(1-0|0-1|1/2-1/2|\*)(?=\s*(?:\[Event|\Z))', re.DOTALL)
HEAD = "| match | games | score | Elo difference |\n|---|---|---|---|\n"


class NoExtend(ChessKnowledge):
    extend = Knowledge.extend


class NoMargin(ChessKnowledge):
    margin = Knowledge.margin


class NoTactical(ChessKnowledge):
    tactical, slot = Knowledge.tactical, Knowledge.slot


class NoSlot(ChessKnowledge):
    slot = Knowledge.slot


class NoNullMove(ChessKnowledge):
    null_move = Knowledge.null_move


class NoExchange(ChessKnowledge):
    """Captures by what is taken, then by what takes, whatever they lose; all of them beyond the depth."""

    def priority(self, state: Position, action: int, depth: int) -> int:
        if not self.tactical(state, action):
            return 0 if action >> 12 == 0 else LOSING
        taken, mover = value_on(state, action & 63), value_on(state, action >> 6 & 63)
        return WINNING + 16 * max(taken, PAWN_VALUE) - (mover >> 4)

    def noisy(self, state: Position) -> Iterator[int]:
        for action in self.game.actions(state):
            if self.tactical(state, action):
                yield action


class NoNetwork(ChessKnowledge):
    def __init__(self, game: Chess) -> None:
        super().__init__(game, fitted_weights())
        self.__dict__["_checked"] = False  # compiled as what is shipped is: with checks it would have less of its time


STEPS = {
    "extend": ("extensions of checks", NoExtend),
    "margin": ("margins: futility, razoring, null moves by the lead", NoMargin),
    "tactical": ("reductions that spare tactical moves, late moves left out, history", NoTactical),
    "slot": ("counter moves and continuation history", NoSlot),
    "null_move": ("null moves", NoNullMove),
    "exchange": ("exchanges counted out, for the order of captures and what is left out beyond the depth", NoExchange),
}


def match(name: str, players: tuple[str, str], mode: str, games: int, jobs: int = 1) -> None:
    """Play a match, or go on with it, and keep its games."""
    begun = kept(name)
    if len(begun) >= games:
        print(f"{name}: {len(begun)} games are kept already")
        return
    lines = [line for line in OPENINGS.read_text(encoding="utf-8").splitlines() if line.strip()]
    first = len(begun) // 2 % len(lines)
    rest = RECORDS / f"{name}.openings"
    rest.write_text("\n".join([*lines[first:], *lines[:first]]) + "\n", encoding="utf-8")
    command = [sys.executable, "-m", "plywright", "match", *players, "--game", "chess", "--mode", mode]
    command += ["--games", str(games - len(begun)), "--openings", str(rest), "--record", str(RECORDS / f"{name}.run")]
    command += ["--jobs", str(jobs), "--adjudicate", ADJUDICATE]
    try:
        subprocess.run(command, check=True)
    finally:
        keep(name, begun)


def kept(name: str) -> list[str]:
    """The games of a match so far, as PGN, in pairs: an opening that was played with one colour only is left out."""
    path = RECORDS / f"{name}.pgn.gz"
    text = gzip.decompress(path.read_bytes()).decode() if path.exists() else ""
    games = ["[Event " + game for game in text.split("[Event ")[1:]]
    return games[: len(games) // 2 * 2]


def keep(name: str, begun: list[str]) -> None:
    """Write the games from before and those of the run as compressed PGN; the run has then served its turn."""
    run = RECORDS / f"{name}.run"
    if not run.exists():
        return
    export = [sys.executable, "-m", "plywright", "export", str(run), "--format", "pgn"]
    text = subprocess.run(export, check=True, capture_output=True, text=True).stdout
    played = ["[Event " + game for game in text.split("[Event ")[1:]]
    faults = rivals_faults(run)
    fair = [game for place, game in enumerate(played) if place // 2 not in faults]
    if faults:
        print(f"{len(played) - len(fair)} of {len(played)} games are left out: the rival offended in one of each pair")
    games = "".join(game.rstrip() + "\n\n" for game in [*begun, *fair])
    write_whole(RECORDS / f"{name}.pgn.gz", gzip.compress(games.encode(), mtime=0))
    for path in RECORDS.glob(f"{name}.run*"):
        path.unlink()
    (RECORDS / f"{name}.openings").unlink(missing_ok=True)


def rivals_faults(run: Path) -> set[int]:
    """The pairs of games, counted from 0, in which the second player was late, crashed or broke the rules."""
    with Records.open(run) as records:
        last = last_attempts(records)
        return {
            place // 2
            for place, outcome in enumerate(last)
            if 1 in (outcome.seats[seat] for seat, _ in outcome.offences)
        }


def stockfish(elo: int) -> str:
    return f"uci:{STOCKFISH}?UCI_Elo={elo}&name=stockfish-{elo}"


def known(cls: type[ChessKnowledge]) -> str:
    return f"pvs:knowledge={HERE / 'chess_strength.py'}:{cls.__name__}"


def counts(path: Path) -> tuple[int, int, int]:
    """Different games that the first player (ours, with everything) has lost, drawn and won.

    With fixed nodes a game from the same opening is the same game: it counts once.
    """
    text = gzip.decompress(path.read_bytes()).decode()
    found = [0, 0, 0]
    games = {(white, played(moves), result) for white, moves, result in GAME.findall(text)}
    for white, moves, result in games:
        if moves and result == "1/2-1/2":
            found[1] += 1
        elif moves and result != "*":
            found[2 if (result == "1-0") == is_ours(white) else 0] += 1
    return found[0], found[1], found[2]


def played(text: str) -> str:
    """The moves of a game, without what its players noted."""
    return " ".join(re.sub(r"\{[^}]*\}|\d+\.+", " ", text).split())


def is_ours(name: str) -> bool:
    return not name.startswith("stockfish") and ":knowledge=" not in name


def row(label: str, path: Path) -> str:
    lost, drawn, won = counts(path)
    total = lost + drawn + won
    found = estimate((lost, drawn, won))
    score = f"{won + drawn / 2:g} ({100 * (won + drawn / 2) / total:.0f} %)"
    return f"| {label} | {total} | {score} | {found.elo:+.0f} ({found.low:+.0f} to {found.high:+.0f}) |"


def tables() -> dict[str, str]:
    """Each table of the page by its name."""
    strength, levels, steps = [], [], []
    for path in sorted(RECORDS.glob("chess-*.pgn.gz")):
        name = path.name.removesuffix(".pgn.gz")
        if found := re.fullmatch(r"chess-stockfish-(\d+)-([\d.]+)s", name):
            strength.append(row(f"Stockfish, UCI_Elo {found[1]}, {found[2]} s a move", path))
        elif found := re.fullmatch(r"chess-nodes-(\d+)-(\d+)", name):
            levels.append(row(f"{int(found[1]):,} nodes a move against UCI_Elo {found[2]}", path))
        elif found := re.fullmatch(r"chess-step-([a-z_]+)(?:-(\d+))?", name):
            nodes = int(found[2] or STEP_NODES)
            steps.append(row(f"{STEPS[found[1]][0]}, {nodes:,} nodes a move", path))
        elif found := re.fullmatch(r"chess-network-([\d.]+)s", name):
            steps.append(row(f"the network beside the features, {found[1]} s a move", path))
        elif name == "chess-weights":
            label = "network and fitted weights against neither (`knowledge=hand`)"
            steps.insert(0, row(f"{label}, {STEP_NODES:,} nodes a move", path))
    return {
        "strength": HEAD + "\n".join(strength),
        "levels": HEAD + "\n".join(levels),
        "steps": HEAD + "\n".join(steps),
    }


def write_tables(found: dict[str, str]) -> None:
    """Put tables between their marks in docs/chess.md."""
    text = PAGE.read_text(encoding="utf-8")
    for name, table in found.items():
        marks = rf"(<!-- {name} -->\n).*?(<!-- /{name} -->)"
        text = re.sub(marks, lambda found, table=table: f"{found[1]}\n{table}\n\n{found[2]}", text, flags=re.DOTALL)
    write_whole(PAGE, text.encode())


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    acts = parser.add_subparsers(dest="act")
    for act in ("play", "nodes"):
        one = acts.add_parser(act)
        one.add_argument("elo", type=int)
        one.add_argument("--games", type=int, default=40)
        one.add_argument("--time", type=float, default=1.0, help="seconds a move (play)")
        one.add_argument("--nodes", type=int, default=1000, help="ours, a move (nodes)")
    step = acts.add_parser("step")
    step.add_argument("hook", choices=STEPS)
    step.add_argument("--games", type=int, default=100)
    step.add_argument("--nodes", type=int, default=STEP_NODES, help="a move")
    acts.add_parser("weights").add_argument("--games", type=int, default=100)
    network = acts.add_parser("network")
    network.add_argument("--games", type=int, default=100)
    network.add_argument("--time", type=float, default=0.1, help="seconds a move")
    for act in acts.choices.values():
        act.add_argument("--jobs", type=int, default=1, help="games at a time, each on a processor of its own")
    given = parser.parse_args()
    if given.act == "play":
        name = f"chess-stockfish-{given.elo}-{given.time:g}s"
        match(name, ("pvs", stockfish(given.elo)), f"move:{given.time:g}s", given.games, given.jobs)
    elif given.act == "nodes":
        players = f"pvs:nodes={given.nodes}", stockfish(given.elo)
        match(f"chess-nodes-{given.nodes}-{given.elo}", players, f"nodes:{RIVAL_NODES}", given.games, given.jobs)
    elif given.act == "step":
        more = "" if given.nodes == STEP_NODES else f"-{given.nodes}"
        rival = known(STEPS[given.hook][1])
        match(f"chess-step-{given.hook}{more}", ("pvs", rival), f"nodes:{given.nodes}", given.games, given.jobs)
    elif given.act == "network":
        name = f"chess-network-{given.time:g}s"
        match(name, ("pvs", known(NoNetwork)), f"move:{given.time:g}s", given.games, given.jobs)
    elif given.act == "weights":
        match("chess-weights", ("pvs", "pvs:knowledge=hand"), f"nodes:{STEP_NODES}", given.games, given.jobs)
    write_tables(tables())
    print(*tables().values(), sep="\n\n")


if __name__ == "__main__":
    main()
