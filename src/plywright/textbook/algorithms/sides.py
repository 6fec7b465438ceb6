"""Who is MAX, and what a state is worth to whom. MAX is the team of player 0 unless a search says otherwise."""

from __future__ import annotations

from typing import Any

from ...errors import GameError
from ...game import Game
from ...knowledge import knowledge_of
from ...rule_guard import odds_fault

MAX_PLAYER = 0

Vector = tuple[float, ...]
"""A value for each player."""


def is_max(game: Game, state: Any, player: int = MAX_PLAYER) -> bool:
    """Whether MAX is to move: the team of `player`."""
    return bool(game.team(game.to_move(state)) == game.team(player))


def max_utility(game: Game, state: Any) -> float:
    """The utility of a finished game for MAX."""
    return float(game.utility(state, MAX_PLAYER))


def evaluation(game: Game, state: Any) -> float:
    """What a state looks worth to MAX: the utility where the game is over, else the evaluation."""
    if game.is_terminal(state):
        return max_utility(game, state)
    return float(knowledge_of(game).evaluate(state, MAX_PLAYER))


def evaluations(game: Game, state: Any) -> Vector:
    """What a state looks worth to each player: the utilities where the game is over, else the evaluations."""
    rule = game.utility if game.is_terminal(state) else knowledge_of(game).evaluate
    return tuple(float(rule(state, player)) for player in range(game.players))


def outcomes(game: Game, state: Any) -> list[tuple[int, float]]:
    """The outcomes of a chance state with their probabilities, which are checked."""
    pairs = list(game.chance(state))
    if wrong := odds_fault(pairs):
        raise GameError(f"chance() {wrong}")
    return [(int(outcome), float(probability)) for outcome, probability in pairs]
