"""Every play of thousands of positions and rolls against an independent program (OpenSpiel's backgammon)."""

from __future__ import annotations

import random
from typing import Any

import pytest

from plywright.games.backgammon.checkers import BAR, counted, packed
from plywright.games.backgammon.rules import Backgammon, Turn

pyspiel = pytest.importorskip("pyspiel", reason="OpenSpiel is an optional oracle: pip install open_spiel")

Board = tuple[tuple[int, ...], tuple[int, ...]]
GAME = Backgammon()
THEIR_BAR = 100


def their_board(state: Any) -> Board:
    """X's and O's checkers, each in its own numbering: index 1 to 24, the bar at 25."""
    sides = []
    for player in (0, 1):
        own = [state.board(player, 24 - point if player == 0 else point - 1) for point in range(1, BAR)]
        sides.append((0, *own, state.board(player, THEIR_BAR)))
    return sides[0], sides[1]


def their_results(state: Any) -> set[Board]:
    """The boards after each whole turn; doubles are two turns of two moves there."""
    found = set()
    for action in state.legal_actions():
        after = state.child(action)
        if not after.is_terminal() and not after.is_chance_node() and after.current_player() == state.current_player():
            found |= their_results(after)
        else:
            found.add(their_board(after))
    return found


def our_state(state: Any, roll: int) -> Turn:
    sides, mover = their_board(state), state.current_player()
    return Turn(*packed(list(sides[mover])), *packed(list(sides[1 - mover])), mover, roll)


def our_results(state: Turn) -> list[Board]:
    found = []
    for action in GAME.actions(state):
        after = GAME.result(state, action)
        sides = {
            after.mover: tuple(counted(after.mine, after.mine_more)),
            1 - after.mover: tuple(counted(after.theirs, after.theirs_more)),
        }
        found.append((sides[0], sides[1]))
    return found


def compare(positions: int, seed: int) -> None:
    theirs, rng, compared = pyspiel.load_game("backgammon(scoring_type=full_scoring)"), random.Random(seed), 0
    while compared < positions:
        state, turn = theirs.new_initial_state(), None
        while not state.is_terminal():
            if state.is_chance_node():
                outcomes, weights = zip(*state.chance_outcomes(), strict=True)
                state.apply_action(rng.choices(outcomes, weights)[0])
                dice = sorted((int(d) for d in str(state).split("Dice: ")[1].split("\n")[0]), reverse=True)
                turn = our_state(state, 10 * dice[0] + dice[1])
                ours = our_results(turn)
                assert len(set(ours)) == len(ours), f"a board twice: {turn}"
                assert set(ours) == their_results(state), f"after {state}"
                compared += 1
            else:
                state.apply_action(rng.choice(state.legal_actions()))
        assert turn is not None
        last = Turn(*our_state_of_the_end(state, turn))
        assert GAME.is_terminal(last)
        assert [GAME.utility(last, player) for player in (0, 1)] == list(state.returns())


def our_state_of_the_end(state: Any, turn: Turn) -> tuple[int, ...]:
    sides = their_board(state)
    other = 1 - turn.mover
    return (*packed(list(sides[other])), *packed(list(sides[turn.mover])), other, 0)


def test_plays_agree_with_open_spiel() -> None:
    compare(400, seed=1)


@pytest.mark.slow
def test_ten_thousand_positions_agree_with_open_spiel() -> None:
    compare(10_000, seed=2)
