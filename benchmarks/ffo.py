"""The FFO set of Othello endgames, solved exactly one by one: `python benchmarks/ffo.py 1-39`.

The positions are facts in `ffo.txt`. Each is solved from an empty table by one thread; its time is that of a short
search that guesses the value, the proof, and the line of best play. A value that is not the published one ends the run
with status 1. `--knowledge` names another knowledge, `--seconds` ends the run before a position that would begin later.
`--each` gives a position up after so many seconds, and `--record` keeps a line of JSON for every position: one that has
a line there already is not solved again, so that a long list can be gone on with, or be shared between machines.
"""

from __future__ import annotations

import argparse
import json
import sys
import time
from pathlib import Path
from typing import Any, NamedTuple

from plywright import load_game, search
from plywright.engine.alphabeta.solve import solve
from plywright.games import as_knowledge

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


def solved(
    game: Any, state: Any, megabytes: float, knowledge: str | None, threads: int = 1, limit: float | None = None
) -> Any:
    """The proof, begun where a short search guesses the value: its own, or where the knowledge has none, this one."""
    if as_knowledge(game, knowledge).has_probcut:
        return solve(game, state, table_megabytes=megabytes, knowledge=knowledge, threads=threads, time=limit)
    depth = min(GUESS_DEPTH, max(64 - (int(state.mine) | int(state.theirs)).bit_count() - 8, 1))
    guess = search(game, state, depth=depth, exact=False, table=4.0, knowledge=knowledge).value
    start = 2 * round(guess / 2)
    return solve(game, state, table_megabytes=megabytes, guess=start, knowledge=knowledge, threads=threads, time=limit)


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("numbers", help="such as 40-49 or 40,42")
    parser.add_argument("--knowledge")
    parser.add_argument("--megabytes", type=float, default=MEGABYTES)
    parser.add_argument("--threads", type=int, default=1)
    parser.add_argument("--seconds", type=float, default=1e9)
    parser.add_argument("--each", type=float)
    parser.add_argument("--record", type=Path)
    args = parser.parse_args()
    game = load_game("othello")
    solved(
        game, game.parse_state("X" * 52 + "OOXXXXO----- X"), 16.0, args.knowledge
    )  # compiled before the clock starts
    wrong, total, began = 0, 0.0, time.monotonic()
    for number in numbers_of(args.numbers):
        if args.record and number in recorded(args.record):
            continue
        if time.monotonic() - began > args.seconds:
            print(f"#{number}: not begun, {args.seconds:g} s are over")
            continue
        line = measured(game, number, args)
        total += line["seconds"]
        wrong += line["proved"] and not line["right"]
        print(told(line), flush=True)
        if args.record:
            with args.record.open("a") as file:
                file.write(json.dumps(line) + "\n")
    print(f"{total:.2f} s together, {wrong} wrong")
    sys.exit(1 if wrong else 0)


def measured(game: Any, number: int, args: Any) -> dict[str, Any]:
    """One position: what was found, and what that took."""
    one = endgames()[number]
    state = game.parse_state(one.position)
    start, processor = time.monotonic(), time.process_time()
    found = solved(game, state, args.megabytes, args.knowledge, args.threads, args.each)
    taken, processor = time.monotonic() - start, time.process_time() - processor
    move = game.format_action(state, found.action)
    right = found.proved and found.value == one.value and (not one.best or move in one.best)
    result = {"number": number, "proved": found.proved, "value": found.value, "move": move, "nodes": found.nodes}
    return result | {"right": right, "seconds": round(taken, 2), "processor": round(processor, 2)}


def told(line: dict[str, Any]) -> str:
    """A line of the table."""
    cost = f"{line['seconds']:.2f} s ({line['processor']:.2f} s of processor time), {line['nodes']:,} nodes"
    if not line["proved"]:
        return f"#{line['number']}: not within {cost}"
    one = endgames()[line["number"]]
    verdict = "" if line["right"] else f"   WRONG: published {one.value:+d} {' '.join(one.best)}"
    return f"#{line['number']}: {line['move']} {line['value']:+g}, {cost}{verdict}"


def recorded(path: Path) -> set[int]:
    """The numbers that a record has."""
    return {json.loads(line)["number"] for line in path.read_text().splitlines()} if path.exists() else set()


def numbers_of(text: str) -> list[int]:
    found: list[int] = []
    for part in text.split(","):
        first, _, last = part.partition("-")
        found += range(int(first), int(last or first) + 1)
    return found


if __name__ == "__main__":
    main()
