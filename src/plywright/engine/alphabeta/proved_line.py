"""A whole line of best play for a proved value: every move keeps it, and the line ends with the game.

A proof cuts wherever a bound is enough, so its own line may stop early. What it proved is in the
table, though, and there the rest is found by asking of each action whether it keeps the value.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from typing import Any

from ...game import Game

FIRST_BUDGET = 256  # nodes for each action at first

Ask = Callable[[Any, int, int, int], int | None]
"""(state, player, value, nodes): a proved bound on the state's value for the player, or None if the nodes ran out."""


class Halted(Exception):
    """No more questions: the search was stopped, or enough has been spent on the line."""


def keeping_line(game: Game, state: Any, player: int, value: int, ask: Ask) -> Iterator[int]:
    """The actions from a state that is worth `value` to the player to the end of the game; `ask` may raise Halted.

    Not for rules of repetition: a move that keeps the value need not bring the end nearer, and may lead back.
    """
    team = game.team_of[player]
    while not game.is_terminal(state):
        mover = int(game.to_move(state))
        action = value_keeping_action(game, state, mover, value if game.team_of[mover] == team else -value, ask)
        yield action
        state = game.state_after(state, action)


def value_keeping_action(game: Game, state: Any, mover: int, wanted: int, ask: Ask) -> int:
    """An action worth `wanted` to the mover, whom the state is worth that much.

    Every action is tried with a few nodes, then with more: a good one that is known already is found
    before much is spent on another that nobody had to look at.
    """
    actions = [int(action) for action in game.actions(state)]
    children = [game.state_after(state, action) for action in actions]
    budget = FIRST_BUDGET
    while len(actions) > 1:
        for place, child in enumerate(children):
            value = ask(child, mover, wanted, budget)
            if value is not None:
                if value >= wanted:
                    return actions[place]
                del actions[place], children[place]
                break
        else:
            budget *= 4
    return actions[0]
