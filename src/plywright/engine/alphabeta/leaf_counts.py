"""How many leaves plain alpha-beta examines: what the order of moves is worth.

On a uniform tree of branching b and depth d perfect order needs b^ceil(d/2) + b^floor(d/2) - 1 leaves
(Knuth & Moore 1975), the worst order all b^d, and random order about b^(0.7 d) (Pearl 1984).
"""

from __future__ import annotations

import math
from collections.abc import Iterable
from typing import Any

from ...errors import BadInput
from ...game import Game
from ...games.trees.random_tree import ORDERINGS, RandomTree
from ...knowledge import knowledge_of
from ..kernel_runner import run
from ..limits import MAX_DEPTH
from ..registry import check_suitable
from .alphabeta import CUTOFFS, TERMINALS, alphabeta
from .alphabeta_search import workspace


def leaves_examined(game: Game, depth: int, state: Any = None) -> int:
    """The leaves that alpha-beta looks at in a search of `depth` plies: finished games and evaluated states."""
    check_suitable(game, "alphabeta")
    if not isinstance(depth, int) or not 1 <= depth <= MAX_DEPTH:
        raise BadInput(f"depth must be a whole number from 1 to {MAX_DEPTH}, not {depth!r}")
    state = game.start_state if state is None else game.vouched(state)
    work = workspace(depth)
    run(
        alphabeta,
        game,
        (knowledge_of(game), state, int(game.to_move(state)), depth, 0, -math.inf, math.inf, work),
        work,
    )
    return int(work.info[TERMINALS] + work.info[CUTOFFS])


def fewest_leaves(branching: int, depth: int) -> int:
    """What perfect order needs: Knuth & Moore's bound."""
    return int(branching ** ((depth + 1) // 2) + branching ** (depth // 2) - 1)


def ordering_curves(branching: int, depths: Iterable[int], seeds: Iterable[int] = (1,)) -> dict[str, dict[int, float]]:
    """Measured leaves for each ordering and depth; the mean over the seeds where they matter."""
    found: dict[str, dict[int, float]] = {ordering: {} for ordering in ORDERINGS}
    seeds = list(seeds)
    for depth in depths:
        for ordering in ORDERINGS:
            chosen = seeds if ordering == "random" else seeds[:1]
            trees = [RandomTree(branching, depth, seed, ordering) for seed in chosen]
            found[ordering][depth] = sum(leaves_examined(tree, depth) for tree in trees) / len(trees)
    return found


def growth(leaves: dict[int, float], branching: int, plies: int = 4) -> float:
    """e in leaves ~ branching^(e depth): the slope over the deepest `plies`, an even number of them.

    The slope, since a constant factor is no growth; an even number, since odd and even depths differ.
    """
    deepest = max(leaves)
    return math.log(leaves[deepest] / leaves[deepest - plies]) / (plies * math.log(branching))
