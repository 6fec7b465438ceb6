"""Refreshes the pages beside this file: `python docs/algorithms/pages.py`.

Pseudocode and code in the pages are those of `plywright.textbook`, between two comments; pictures
are drawn by the library. A test compares both with what is on disk, so neither grows old.
"""

from __future__ import annotations

import importlib
import inspect
import re
from pathlib import Path

from plywright.draw.curve import Series, curve_svg
from plywright.engine.alphabeta.leaf_counts import ordering_curves
from plywright.games.trees.explicit_tree import ExplicitTree
from plywright.textbook import ALGORITHMS, run

HERE = Path(__file__).parent
IMAGES = HERE.parent / "images"
BETWEEN = re.compile(r"<!-- side by side: ([\w-]+) -->\n.*?<!-- end -->", re.DOTALL)
ESTIMATED = "max(a1: min~4(b1: 9, b2: 8, b3: 7), a2: min~1(c1: 2, c2: 4, c3: 6), a3: min~6(d1: 10, d2: 5, d3: 3))"
ESTIMATED_COINS = "max(chance~4(1/2: min(2, 4), 1/2: min(7, 4)), chance~5(1/2: min(6, 0), 1/2: min(5, -2)))"
GAMBLE = "max(a1: 5, a2: (1/2: min(6, 9, 8), 1/4: min(2, 9), 1/4: min(3, 9)))"
REPLIES = "players(A, B, C) A(B(C(<5,0,0>, <4,0,0>), C(<3,0,0>, <0,9,9>)), <2,0,0>)"
BRANCHING, DEPTHS, SEEDS = 5, range(1, 10), range(1, 21)  # of the plot


def refreshed(text: str) -> str:
    """A page with its pseudocode and code as they are now."""
    return BETWEEN.sub(lambda found: f"<!-- side by side: {found[1]} -->\n{side_by_side(found[1])}\n<!-- end -->", text)


def side_by_side(name: str) -> str:
    """A table of two cells: the pseudocode and the functions of the algorithm's file."""
    module = importlib.import_module(f"plywright.textbook.algorithms.{name.replace('-', '_')}")
    functions = [value for value in vars(module).values() if inspect.isfunction(value)]
    code = "\n\n".join(inspect.getsource(f).strip() for f in functions if f.__module__ == module.__name__)
    file = f"textbook/algorithms/{name.replace('-', '_')}.py"
    return (
        f"<table><tr><th>Pseudocode</th><th>Our code: <code>{file}</code></th></tr>\n"
        f"<tr><td>\n\n```text\n{ALGORITHMS[name].pseudocode}\n```\n\n</td><td>\n\n```python\n{code}\n```\n\n</td></tr></table>"
    )


def pictures() -> dict[str, str]:
    """The name and the SVG of every picture in the pages."""
    drawn = {
        "minimax.svg": svg("minimax", "figure-6.2"),
        "alphabeta.svg": svg("alphabeta", "figure-6.2"),
        "alphabeta-step-13.svg": svg("alphabeta", "figure-6.2", step=13),
        "alphabeta-deep.svg": svg("alphabeta", "deep-cutoff"),
        "alphabeta-hard.svg": svg("alphabeta-hard", "two-cutoffs"),
        "h-minimax.svg": svg("h-minimax", ESTIMATED, depth=1),
        "h-alphabeta.svg": svg("h-alphabeta", ESTIMATED, depth=2),
        "ordered-alphabeta.svg": svg("ordered-alphabeta", ESTIMATED, depth=2),
        "iterative-deepening.svg": svg("iterative-deepening", ESTIMATED, depth=2, step=8),
        "expectimax.svg": svg("expectimax", "order-preserving"),
        "expectiminimax.svg": svg("expectiminimax", "coins"),
        "h-expectiminimax.svg": svg("h-expectiminimax", ESTIMATED_COINS, depth=1),
        "star1.svg": svg("star1", "coins"),
        "star2.svg": svg("star2", GAMBLE),
        "maxn.svg": svg("maxn", "three-players"),
        "paranoid.svg": svg("paranoid", "three-players"),
        "best-reply.svg": svg("best-reply", REPLIES),
    }
    return {**drawn, "leaves.svg": leaves_plot()}


def svg(algorithm: str, tree: str, step: int | None = None, depth: int | None = None) -> str:
    game = ExplicitTree(tree) if "(" in tree else ExplicitTree.figure(tree)
    trace = run(algorithm, game, depth=depth).trace
    assert trace is not None
    return trace.svg(step)


def leaves_plot() -> str:
    """Measured: the leaves that alpha-beta examines with the worst, a random and a perfect order of moves."""
    found = ordering_curves(BRANCHING, DEPTHS, SEEDS)
    series = [Series(f"{name} order", sorted(found[name].items())) for name in ("worst", "random", "perfect")]
    title = f"Leaves that alpha-beta examines (branching {BRANCHING})"
    return curve_svg(series, title=title, x_label="depth", y_label="leaves", log_y=True)


def main() -> None:
    IMAGES.mkdir(exist_ok=True)
    for name, picture in pictures().items():
        (IMAGES / name).write_text(picture, encoding="utf-8")
    for page in sorted(HERE.glob("*.md")):
        page.write_text(refreshed(page.read_text(encoding="utf-8")), encoding="utf-8")


if __name__ == "__main__":
    main()
