"""Each algorithm as the lecture writes it, traced step by step; the oracle for the compiled searches.

result = run("alphabeta", game)
result.value, result.trace.cuts
"""

from __future__ import annotations

import difflib
from typing import Any

from ..errors import BadInput
from ..game import Game
from ..result import SearchResult
from . import alphabeta, alphabeta_hard, h_alphabeta, h_minimax, iterative_deepening, minimax, ordered_alphabeta
from .algorithm import Algorithm
from .pseudocode import Pseudocode
from .trace import Trace

__all__ = ["ALGORITHMS", "Algorithm", "Pseudocode", "Trace", "algorithm", "run"]

ALGORITHMS: dict[str, Algorithm] = {
    entry.name: entry
    for entry in (
        Algorithm(
            "minimax",
            "Minimax",
            "looks at the whole game",
            Pseudocode.parse(minimax.PSEUDOCODE),
            minimax.minimax_search,
            limited=False,
        ),
        Algorithm(
            "alphabeta",
            "Alpha-beta (fail-soft)",
            "minimax without what cannot matter",
            Pseudocode.parse(alphabeta.PSEUDOCODE),
            alphabeta.alphabeta_search,
            limited=False,
        ),
        Algorithm(
            "alphabeta-hard",
            "Alpha-beta (fail-hard)",
            "the same cuts; values stay inside the window",
            Pseudocode.parse(alphabeta_hard.PSEUDOCODE),
            alphabeta_hard.alphabeta_hard_search,
            limited=False,
        ),
        Algorithm(
            "h-minimax",
            "H-minimax",
            "minimax to a limited depth, with an evaluation",
            Pseudocode.parse(h_minimax.PSEUDOCODE),
            h_minimax.h_minimax_search,
            limited=True,
        ),
        Algorithm(
            "h-alphabeta",
            "Alpha-beta to a limited depth",
            "alpha-beta to a limited depth, with an evaluation",
            Pseudocode.parse(h_alphabeta.PSEUDOCODE),
            h_alphabeta.h_alphabeta_search,
            limited=True,
        ),
        Algorithm(
            "ordered-alphabeta",
            "Alpha-beta, moves ordered by evaluation",
            "the likely best move first, to cut more",
            Pseudocode.parse(ordered_alphabeta.PSEUDOCODE),
            ordered_alphabeta.ordered_alphabeta_search,
            limited=True,
        ),
        Algorithm(
            "iterative-deepening",
            "Iterative deepening",
            "depth 1, 2, 3, ...: an answer at any time",
            Pseudocode.parse(iterative_deepening.PSEUDOCODE),
            iterative_deepening.iterative_deepening_search,
            limited=True,
            budgeted=True,
        ),
    )
}


def algorithm(name: str) -> Algorithm:
    """The algorithm of this name; raises BadInput with the nearest names when there is none."""
    if name in ALGORITHMS:
        return ALGORITHMS[name]
    close = difflib.get_close_matches(str(name), ALGORITHMS, n=2)
    hint = f"did you mean {' or '.join(close)}?" if close else f"there are {', '.join(ALGORITHMS)}"
    raise BadInput(f"there is no textbook algorithm {name!r}; {hint}")


def run(name: str, game: Game, state: Any = None, **options: Any) -> SearchResult:
    """Run a textbook algorithm; the options are those of `Algorithm.run`."""
    return algorithm(name).run(game, state, **options)
