"""Who is MAX: the team of player 0. All values in `textbook` are in its view."""

from __future__ import annotations

from typing import Any

from ..game import Game

MAX_PLAYER = 0


def is_max(game: Game, state: Any) -> bool:
    """Whether MAX is to move."""
    return bool(game.team(game.to_move(state)) == game.team(MAX_PLAYER))


def max_utility(game: Game, state: Any) -> float:
    """The utility of a finished game for MAX."""
    return float(game.utility(state, MAX_PLAYER))


def evaluation(game: Game, state: Any) -> float:
    """What a state looks worth to MAX: the utility where the game is over, else the evaluation."""
    if game.is_terminal(state):
        return max_utility(game, state)
    return float(game.evaluate(state, MAX_PLAYER))
