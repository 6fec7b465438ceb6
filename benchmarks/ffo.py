"""The FFO set of Othello endgames, solved exactly one by one: `python benchmarks/ffo.py 1-39`.

The positions are facts in `ffo.txt`. Each is solved from an empty table by one thread; its time is that of a short
search that guesses the value, the proof, and the line of best play. A value that is not the published one ends the run
with status 1. `--knowledge` names another knowledge, `--seconds` ends the run before a position that would begin later.
"""

from __future__ import annotations

import argparse
import sys
import time
from pathlib import Path
from typing import Any, NamedTuple

from plywright import load_game, search
from plywright.engine.alphabeta.solve import solve

FILE = Path(__file__).with_name("ffo.txt")
MEGABYTES = 256.0
GUESS_DEPTH = 12


class Endgame(NamedTuple):
    """One position of the set."""

    number: int
    position: str
    value: int
    best: tuple[str, ...]
    """All best moves; empty where they are not listed."""


def endgames() -> dict[int, Endgame]:
    """The set by number."""
    found = {}
    for line in FILE.read_text().splitlines():
        if not line.startswith("#"):
            number, position, value, *best = (part.strip() for part in line.split(";"))
            found[int(number)] = Endgame(int(number), position, int(value), tuple(" ".join(best).split()))
    return found


def solved(game: Any, state: Any, megabytes: float, knowledge: str | None, threads: int = 1) -> Any:
    """The proof, begun where a short search guesses the value."""
    depth = min(GUESS_DEPTH, max(64 - (int(state.mine) | int(state.theirs)).bit_count() - 8, 1))
    guess = search(game, state, depth=depth, exact=False, table=4.0, knowledge=knowledge).value
    return solve(
        *(game, state), table_megabytes=megabytes, guess=2 * round(guess / 2), knowledge=knowledge, threads=threads
    )


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("numbers", help="such as 40-49 or 40,42")
    parser.add_argument("--knowledge")
    parser.add_argument("--megabytes", type=float, default=MEGABYTES)
    parser.add_argument("--threads", type=int, default=1)
    parser.add_argument("--seconds", type=float, default=1e9)
    args = parser.parse_args()
    game = load_game("othello")
    solved(
        game, game.parse_state("X" * 52 + "OOXXXXO----- X"), 16.0, args.knowledge
    )  # compiled before the clock starts
    wrong, total, began = 0, 0.0, time.monotonic()
    for number in numbers_of(args.numbers):
        one = endgames()[number]
        if time.monotonic() - began > args.seconds:
            print(f"#{number}: not begun, {args.seconds:g} s are over")
            continue
        state = game.parse_state(one.position)
        start = time.monotonic()
        found = solved(game, state, args.megabytes, args.knowledge, args.threads)
        taken = time.monotonic() - start
        total += taken
        move = game.format_action(state, found.action)
        right = found.proved and found.value == one.value and (not one.best or move in one.best)
        wrong += not right
        verdict = "" if right else f"   WRONG: published {one.value:+d} {' '.join(one.best)}"
        print(f"#{number}: {move} {found.value:+g}, {taken:.2f} s, {found.nodes:,} nodes{verdict}", flush=True)
    print(f"{total:.2f} s together, {wrong} wrong")
    sys.exit(1 if wrong else 0)


def numbers_of(text: str) -> list[int]:
    found: list[int] = []
    for part in text.split(","):
        first, _, last = part.partition("-")
        found += range(int(first), int(last or first) + 1)
    return found


if __name__ == "__main__":
    main()
