"""Exact Othello endgames: numbers 40 to 44 of the FFO set, one thread, each from an empty table.

`python benchmarks/endgames.py` prints the table. The time of a position is that of everything done
for it: a short search that guesses the value, the proof, and the line of best play. The same positions are solved with
the hand-made knowledge in the same run, one by one in turn and compared by processor time, so that other work on the
machine counts little, and by two threads, whose nodes say how much of the work is done twice.
"""

from __future__ import annotations

from typing import Any

from ffo import endgames, solved
from measure import Row, processor_seconds, rate, seconds, short
from plywright import load_game

NUMBERS = range(40, 45)
TABLE_MEGABYTES = 64.0
TARGET_FIRST, TARGET_ALL = 1.0, 16.0  # seconds
TARGET_SHARE, TARGET_THREADS = 0.6, 1.7


def measured(number: int, knowledge: str | None = None, threads: int = 1) -> dict[str, Any]:
    """Seconds and nodes of one position, whose value and move must be the published ones."""
    game = load_game("othello")
    one = endgames()[number]
    state = game.parse_state(one.position)
    taken, (processor, found) = seconds(
        lambda: processor_seconds(lambda: solved(game, state, TABLE_MEGABYTES, knowledge, threads))
    )
    move = game.format_action(state, found.action)
    if not found.proved or found.value != one.value or move not in one.best:
        raise SystemExit(f"endgame {number}: found {move} {found.value:+g}, published {one.best} {one.value:+g}")
    result = {"number": number, "seconds": taken, "processor": processor, "nodes": found.nodes}
    return result | {"value": found.value, "move": move}


def rows() -> list[Row]:
    game = load_game("othello")
    for knowledge in (None, "hand"):  # compiled before anything is timed
        solved(game, game.parse_state("X" * 52 + "OOXXXXO----- X"), TABLE_MEGABYTES, knowledge)
    found, by_hand = zip(*((measured(number), measured(number, "hand")) for number in NUMBERS), strict=True)
    together = [measured(number, threads=2) for number in NUMBERS]
    first, total = found[0]["seconds"], sum(one["seconds"] for one in found)
    speed = rate(sum(one["nodes"] for one in found) / total)
    share = sum(one["processor"] for one in found) / sum(one["processor"] for one in by_hand)
    gain = total / sum(one["seconds"] for one in together)
    again = sum(one["nodes"] for one in together) / sum(one["nodes"] for one in found)
    name, target = "Othello endgame FFO #40, exact, one thread", f"< {TARGET_FIRST:g} s"
    everything, all_target = "Othello endgames FFO #40-44, exact, one thread", f"< {TARGET_ALL:g} s"
    shared, threads = "... as a share of the time with knowledge=hand", "... two threads against one"
    return [
        Row(name, short(first), "-", None, target, first < TARGET_FIRST, found[0]),
        Row(everything, f"{short(total)}, {speed}", "-", None, all_target, total < TARGET_ALL, {"positions": found}),
        Row(shared, f"{share:.2f}", "-", None, f"<= {TARGET_SHARE:g}", share <= TARGET_SHARE, {"positions": by_hand}),
        Row(
            threads,
            f"{gain:.2f}, {again:.2f} times the nodes",
            "-",
            None,
            f">= {TARGET_THREADS:g}",
            gain >= TARGET_THREADS,
            {"positions": together},
        ),
    ]


if __name__ == "__main__":
    for row in rows():
        print(f"{row.name}: {row.ours} (target {row.target}{' met' if row.met else ' NOT met'})")
        for one in row.detail.get("positions", []):
            print(
                f"  #{one['number']} {one['move']} {one['value']:+g}: {short(one['seconds'])}"
                f" ({short(one['processor'])} of processor time), {one['nodes']:,} nodes"
            )
