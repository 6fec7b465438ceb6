"""Exact Othello endgames: numbers 40 to 44 of the FFO set, one thread, each from an empty table.

`python benchmarks/endgames.py` prints the table. The time of a position is that of everything done
for it: a short search that guesses the value, the proof, and the line of best play.
"""

from __future__ import annotations

from typing import Any

from measure import Row, rate, seconds, short
from plywright import load_game, search
from plywright.engine.alphabeta.solve import solve

POSITIONS = {  # number: (position, exact value, a best move)
    40: ("O--OOOOX-OOOOOOXOOXXOOOXOOXOOOXXOOOOOOXX---OOOOX----O--X-------- X", 38, "a2"),
    41: ("-OOOOO----OOOOX--OOOOOO-XXXXXOO--XXOOX--OOXOXX----OXXO---OOO--O- X", 0, "h4"),
    42: ("--OOO-------XX-OOOOOOXOO-OOOOXOOX-OOOXXO---OOXOO---OOOXO--OOOO-- X", 6, "g2"),
    43: ("--XXXXX---XXXX---OOOXX---OOXXXX--OOXXXO-OOOOXOO----XOX----XXXXX- O", -12, "g3"),
    44: ("--O-X-O---O-XO-O-OOXXXOOOOOOXXXOOOOOXX--XXOOXO----XXXX-----XXX-- O", -14, "d2"),
}
EQUALLY_GOOD = {43: ("c7",)}  # proved by solving the position after it
TABLE_MEGABYTES = 64.0
GUESS_DEPTH = 12
TARGET_FIRST, TARGET_ALL = 1.0, 16.0  # seconds


def solved(game: Any, state: Any) -> Any:
    guess = search(game, state, depth=GUESS_DEPTH, exact=False, table=4.0).value
    return solve(game, state, table_megabytes=TABLE_MEGABYTES, guess=2 * round(guess / 2))


def measured(number: int) -> dict[str, Any]:
    """Seconds and nodes of one position, whose value and move must be the published ones."""
    game = load_game("othello")
    text, value, best = POSITIONS[number]
    state = game.parse_state(text)
    taken, found = seconds(lambda: solved(game, state))
    move = game.format_action(state, found.action)
    if not found.proved or found.value != value or move not in (best, *EQUALLY_GOOD.get(number, ())):
        raise SystemExit(f"endgame {number}: found {move} {found.value:+g}, published {best} {value:+g}")
    return {"number": number, "seconds": taken, "nodes": found.nodes, "value": found.value, "move": move}


def rows() -> list[Row]:
    game = load_game("othello")
    solved(game, game.parse_state("X" * 52 + "OOXXXXO----- X"))  # compiled before anything is timed
    found = [measured(number) for number in POSITIONS]
    first, total = found[0]["seconds"], sum(one["seconds"] for one in found)
    speed = rate(sum(one["nodes"] for one in found) / total)
    name, target = "Othello endgame FFO #40, exact, one thread", f"< {TARGET_FIRST:g} s"
    everything, all_target = "Othello endgames FFO #40-44, exact, one thread", f"< {TARGET_ALL:g} s"
    return [
        Row(name, short(first), "-", None, target, first < TARGET_FIRST, found[0]),
        Row(everything, f"{short(total)}, {speed}", "-", None, all_target, total < TARGET_ALL, {"positions": found}),
    ]


if __name__ == "__main__":
    for row in rows():
        print(f"{row.name}: {row.ours} (target {row.target}{' met' if row.met else ' NOT met'})")
        for one in row.detail.get("positions", []):
            print(
                f"  #{one['number']} {one['move']} {one['value']:+g}: {short(one['seconds'])}, {one['nodes']:,} nodes"
            )
