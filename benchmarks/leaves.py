"""Leaves that alpha-beta examines on uniform trees: perfect, random and worst order, as a table and a plot."""

from __future__ import annotations

from pathlib import Path
from typing import Any

from plywright.draw.curve import Series, curve_svg
from plywright.engine.alphabeta.leaf_counts import fewest_leaves, growth, leaves_examined, ordering_curves
from plywright.files import write_whole
from plywright.games.trees.random_tree import RandomTree

PLOT = Path(__file__).parent / "results" / "leaves.svg"
BRANCHING, DEPTHS, SEEDS = 8, range(1, 9), range(1, 6)
SHAPES = ((2, 18), (4, 10), (8, 8), (16, 6))  # branching, deepest; growth is measured over the last four plies


def table() -> list[dict[str, Any]]:
    """For each branching the exponent e of leaves ~ b^(e d) in random order, and the exact counts of the other two."""
    found = []
    for branching, deepest in SHAPES:
        measured = ordering_curves(branching, range(deepest - 4, deepest + 1, 2), SEEDS)
        found.append(
            {
                "branching": branching,
                "depth": deepest,
                "perfect": measured["perfect"][deepest],
                "perfect_by_formula": fewest_leaves(branching, deepest),
                "random": measured["random"][deepest],
                "random_exponent": round(growth(measured["random"], branching), 3),
                "worst": measured["worst"][deepest],
                "worst_by_formula": branching**deepest,
            }
        )
    wide = RandomTree(branching=35, depth=8, seed=1, ordering="perfect")
    found.append(
        {"branching": 35, "depth": 8, "perfect": leaves_examined(wide, 8), "perfect_by_formula": fewest_leaves(35, 8)}
    )
    return found


def plot() -> None:
    measured = ordering_curves(BRANCHING, DEPTHS, SEEDS)
    series = [Series(f"{order} order", list(measured[order].items())) for order in ("worst", "random", "perfect")]
    title = f"Leaves that alpha-beta examines, branching {BRANCHING}"
    write_whole(PLOT, curve_svg(series, title=title, x_label="depth", y_label="leaves", log_y=True).encode())
