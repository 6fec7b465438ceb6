"""Backward induction: what every node of an explicit tree is worth, and which way on is chosen there.

    worth, choice = solved(tree)       # [nodes, players], and the child at each node (-1 at leaves and chance nodes)

Each player takes the first of the ways that are best for itself, which for two players whose utilities cancel is
minimax, and chance nodes are worth their average.
"""

from __future__ import annotations

from typing import Any

import numpy as np

from ...game import CHANCE
from .explicit_tree import ExplicitTree

ROUNDING = 1e-12


def solved(tree: ExplicitTree) -> tuple[Any, Any]:
    """The value of every node by player, and the number of the child that is chosen."""
    worth = tree.payoff.copy()
    choice = np.full(len(worth), -1)
    for place in reversed(range(len(worth))):  # children have higher numbers
        count, first = int(tree.count[place]), int(tree.first[place])
        if not count:
            continue
        below = worth[first : first + count]
        if (mover := int(tree.mover[place])) == CHANCE:
            worth[place] = tree.likely[first : first + count] @ below
        else:
            mine = below[:, mover]
            choice[place] = first + int(np.argmax(mine >= mine.max() - ROUNDING))
            worth[place] = worth[choice[place]]
    return worth, choice
