"""Graded opponents: `level:1` to `level:10`, in any game.

A level limits the nodes per move, and the lowest ones play a random move now and then. Nodes, not seconds: a level
is as strong on a slow machine as on a fast one. docs/matches.md has how far apart they are. Where a game has a player
of its own, that one says what a level is (`Player.graded`).
"""

from __future__ import annotations

import re

from ..errors import BadInput, shown
from .mixture import MixturePlayer
from .player import Player
from .searching import SearchPlayer
from .simple import RandomPlayer

LEVELS = (
    (0.80, 50),
    (0.45, 50),
    (0.25, 50),
    (0.12, 100),
    (0.04, 250),
    (0.00, 800),
    (0.00, 4_000),
    (0.00, 20_000),
    (0.00, 120_000),
    (0.00, 800_000),
)
"""For each level how likely a move is random, and otherwise the nodes that it searches."""


def level_player(text: str, number: str, own: Player | None = None) -> Player:
    """The player of `level:3`, made of the game's own where there is one; raises BadInput for a level that is none."""
    if not re.fullmatch("[0-9]{1,4}", number) or not 1 <= int(number) <= len(LEVELS):
        raise BadInput(f"{shown(text)}: levels go from level:1 to level:{len(LEVELS)}")
    chance, nodes = LEVELS[int(number) - 1]
    if own is not None and (graded := own.graded(text, chance, nodes)) is not None:
        return graded
    searching = SearchPlayer("search", text, nodes=nodes, book="no")
    return MixturePlayer([(chance, RandomPlayer()), (1 - chance, searching)], text) if chance else searching
