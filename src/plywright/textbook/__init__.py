"""Each algorithm as the textbook (AIMA) writes it, traced step by step; the oracle for the compiled searches.

result = run("alphabeta", game)
result.value, result.trace.cuts
"""

from __future__ import annotations

import difflib
from typing import Any, Unpack

from ..errors import BadInput
from ..game import Game
from ..games import as_game
from ..result import SearchResult
from .algorithms import (
    alphabeta,
    alphabeta_hard,
    best_reply,
    expectimax,
    expectiminimax,
    h_alphabeta,
    h_expectiminimax,
    h_minimax,
    iterative_deepening,
    maxn,
    minimax,
    ordered_alphabeta,
    paranoid,
    star1,
    star2,
)
from .algorithms.algorithm import ALONE, ANY, SIDES, Algorithm, TextbookOptions
from .algorithms.pseudocode import Pseudocode
from .trace.trace import Trace

__all__ = ["ALGORITHMS", "Algorithm", "Pseudocode", "Trace", "algorithm", "run", "usual"]

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
        Algorithm(
            "expectimax",
            "Expectimax",
            "one player and chance: the best on average",
            Pseudocode.parse(expectimax.PSEUDOCODE),
            expectimax.expectimax_search,
            limited=False,
            may_be_limited=True,
            takes=ALONE,
            chance=True,
        ),
        Algorithm(
            "expectiminimax",
            "Expectiminimax",
            "minimax with dice: chance nodes are averaged",
            Pseudocode.parse(expectiminimax.PSEUDOCODE),
            expectiminimax.expectiminimax_search,
            limited=False,
            takes=SIDES,
            chance=True,
        ),
        Algorithm(
            "h-expectiminimax",
            "H-expectiminimax",
            "expectiminimax to a limited depth, with an evaluation",
            Pseudocode.parse(h_expectiminimax.PSEUDOCODE),
            h_expectiminimax.h_expectiminimax_search,
            limited=True,
            takes=SIDES,
            chance=True,
        ),
        Algorithm(
            "star1",
            "Star1",
            "alpha-beta with dice: bounds on the leaves cut chance nodes",
            Pseudocode.parse(star1.PSEUDOCODE),
            star1.star1_search,
            limited=False,
            may_be_limited=True,
            takes=SIDES,
            chance=True,
            bounded=True,
        ),
        Algorithm(
            "star2",
            "Star2",
            "Star1 after a quick look at the first move of each outcome",
            Pseudocode.parse(star2.PSEUDOCODE),
            star2.star2_search,
            limited=False,
            may_be_limited=True,
            takes=SIDES,
            chance=True,
            bounded=True,
        ),
        Algorithm(
            "maxn",
            "Max^n",
            "any number of players, each for itself",
            Pseudocode.parse(maxn.PSEUDOCODE),
            maxn.maxn_search,
            limited=False,
            may_be_limited=True,
            takes=ANY,
            chance=True,
            from_root=True,
            selfish=True,
        ),
        Algorithm(
            "paranoid",
            "Paranoid search",
            "one player against all the others together",
            Pseudocode.parse(paranoid.PSEUDOCODE),
            paranoid.paranoid_search,
            limited=False,
            may_be_limited=True,
            takes=ANY,
            chance=True,
            from_root=True,
        ),
        Algorithm(
            "best-reply",
            "Best-reply search",
            "of all the others only one replies freely",
            Pseudocode.parse(best_reply.PSEUDOCODE),
            best_reply.best_reply_search,
            limited=False,
            may_be_limited=True,
            takes=ANY,
            chance=True,
            from_root=True,
        ),
    )
}


def usual(game: Game, limited: bool = False) -> str:
    """The name of the algorithm that the textbook would use for this kind of game; `limited` where a depth is given."""
    if game.players == 1:
        return "expectimax"
    if not game.opposed:
        return "maxn"
    name = "expectiminimax" if game.has_chance else "alphabeta"
    return f"h-{name}" if limited else name


def algorithm(name: str) -> Algorithm:
    """The algorithm of this name; raises BadInput with the nearest names when there is none."""
    if name in ALGORITHMS:
        return ALGORITHMS[name]
    close = difflib.get_close_matches(str(name), ALGORITHMS, n=2)
    hint = f"did you mean {' or '.join(close)}?" if close else f"there are {', '.join(ALGORITHMS)}"
    raise BadInput(f"there is no textbook algorithm {name!r}; {hint}")


def run(name: str, game: Game | str, state: Any = None, **options: Unpack[TextbookOptions]) -> SearchResult:
    """Run a textbook algorithm; the options are those of `Algorithm.run`."""
    return algorithm(name).run(as_game(game), state, **options)
