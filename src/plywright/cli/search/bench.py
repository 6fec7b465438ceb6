"""`plywright bench`: nodes per second here, and a node-count signature of the searches.

The signature is the sum of the nodes of fixed searches. It is the same on every machine; a change to
a search or to a game's rules or evaluation that moves it is meant to say so.
"""

from __future__ import annotations

from typing import Any

from rich.table import Table

from ...engine import search
from ...engine.interrupts import interruptible
from ...games import load_game
from ..console import busy, count_text, out, print_json

POSITIONS: tuple[tuple[str, str, int], ...] = (
    ("tic-tac-toe", "", 9),
    ("mnk:m=4,n=4,k=4", "", 6),
    ("connect-four", "", 10),
    ("connect-four", "4453", 10),
    ("othello", "", 8),
    ("othello", "f5d6c3d3c4", 7),
    ("othello:size=6", "", 8),
    ("breakthrough", "", 5),
    ("dots-and-boxes", "", 6),
    ("nim:heaps=3-4-5", "", 12),
    ("random-tree:branching=8,depth=6,seed=1", "", 6),
)
"""Game, moves played first, depth of a plain alpha-beta search."""


@interruptible()
def show_bench(name: str | None, depth: int | None, json: bool) -> None:
    rows = [measure(*place) for place in (POSITIONS if name is None else ((name, "", depth or 8),))]
    signature = sum(row["nodes"] for row in rows)
    if json:
        print_json({"signature": signature if name is None else None, "rows": rows})
        return
    table = Table("game", "moves", "depth", "nodes", "compiled", "interpreted", "times", box=None, header_style="bold")
    for row in rows:
        table.add_row(
            row["game"],
            row["moves"],
            str(row["depth"]),
            f"{row['nodes']:,}",
            f"{count_text(row['nodes_per_second'])}/s" if row["compiled"] else "-",
            f"{count_text(row['interpreted_nodes_per_second'])}/s",
            f"{row['nodes_per_second'] / row['interpreted_nodes_per_second']:.0f}" if row["compiled"] else "-",
        )
    out.print(table)
    if name is None:
        out.print(f"signature {signature:,} nodes")


def measure(name: str, moves: str, depth: int) -> dict[str, Any]:
    """Nodes per second of plain alpha-beta, compiled and interpreted, from one position."""
    with busy(f"measuring {name}"):
        game = load_game(name)
        state = game.play_moves(game.start_state, moves) if moves else game.start_state
        search(game, state, depth=1, algorithm="alphabeta")
        result = search(game, state, depth=depth, algorithm="alphabeta")
        plain = search(game, state, nodes=20_000, algorithm="alphabeta", compiled=False)
    return {
        "game": name,
        "moves": moves,
        "depth": depth,
        "nodes": result.nodes,
        "value": result.value,
        "compiled": result.compiled,
        "nodes_per_second": round(result.nodes_per_second),
        "interpreted_nodes_per_second": max(round(plain.nodes_per_second), 1),
    }


def signature() -> int:
    """The sum of the nodes of the fixed searches."""
    total = 0
    for name, moves, depth in POSITIONS:
        game = load_game(name)
        total += search(game, game.play_moves(game.start_state, moves), depth=depth, algorithm="alphabeta").nodes
    return total
