"""Limits and the time manager: a clock is never overrun, by arithmetic."""

from __future__ import annotations

from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from plywright import BadInput, Limit, load_game, search
from plywright.knowledge import knowledge_of
from plywright.players import Clock, Mode
from plywright.rng import below, seeded

seconds = st.floats(0.001, 10_000)


@given(seconds, st.floats(0, 60), st.one_of(st.none(), st.integers(1, 100)))
def test_a_move_never_takes_what_is_left(left: float, increment: float, moves: int | None) -> None:
    limit = Limit.for_clock(left, increment, moves)
    assert limit.time is not None and limit.soft is not None
    assert 0 < limit.soft <= limit.time < left


@given(st.floats(1, 1000), st.floats(0, 2), st.one_of(st.none(), st.integers(1, 60)))
def test_a_whole_game_at_the_hard_limit_keeps_time(left: float, increment: float, moves: int | None) -> None:
    for move in range(200):
        limit = Limit.for_clock(left, increment, None if moves is None else max(moves - move, 1))
        left -= limit.time or 0.0
        assert left > 0
        left += increment
        if moves is not None and move + 1 >= moves:
            break


def test_more_time_and_fewer_moves_give_more() -> None:
    usual, longer, fewer = Limit.for_clock(60), Limit.for_clock(120), Limit.for_clock(60, 0, 5)
    assert (longer.time or 0) > (usual.time or 0) and (fewer.time or 0) > (usual.time or 0)
    assert (Limit.for_clock(60, 5).soft or 0) > (usual.soft or 0)


@pytest.mark.parametrize("clock", [(0,), (-1,), (float("nan"),), (float("inf"),), (5, -1), (5, 0, 0), (5, 0, 1.5)])
def test_nonsense_clocks_are_refused(clock: tuple[float, ...]) -> None:
    with pytest.raises(BadInput):
        Limit.for_clock(*clock)  # type: ignore[arg-type]


def test_the_soft_limit_begins_no_further_depth() -> None:
    game = load_game("connect-four")
    search(game, depth=1, algorithm="pvs")
    result = search(game, limit=Limit(time=20, soft=0.01), algorithm="pvs")
    assert result.depth >= 1 and result.seconds < 15


@pytest.mark.parametrize("limits", [{"nodes": 2**62 + 1}, {"soft": "late"}, {"soft": -1}, {"soft": float("nan")}])
def test_limits_that_cannot_be_kept_are_refused(limits: dict[str, Any]) -> None:
    with pytest.raises(BadInput, match=f"{next(iter(limits))} must be"):
        Limit(**limits)


def test_the_largest_limit_of_nodes_is_kept() -> None:
    assert search(load_game("tic-tac-toe"), nodes=2**62, algorithm="pvs", compiled=False).proved


def test_a_clock_is_planned_for_the_moves_that_are_left() -> None:
    usual, few = Limit.for_clock(60), Limit.for_clock(60, moves_left=5)
    assert few.time is not None and usual.time is not None and few.time > 4 * usual.time
    assert Limit.for_clock(60, moves_to_go=10, moves_left=2) == Limit.for_clock(60, moves_to_go=10)


def test_othello_keeps_time_for_its_exact_endgame() -> None:
    """From the first move to the last no plan takes more than a part of what is left, and the proof gets the most."""
    game = load_game("othello")
    known, left = knowledge_of(game), 10.0
    state, spent, shares, rng = game.start_state, 0.0, {}, seeded(1)
    while not game.is_terminal(state):
        empties = 64 - (int(state.mine) | int(state.theirs)).bit_count()
        limit = Limit.for_clock(left - spent, moves_left=known.moves_left(state))
        assert limit.time is not None and limit.time < left - spent
        if int(game.to_move(state)) == 0:
            shares[empties] = limit.time
            spent += limit.time / 4  # what a move takes that is not hard
        actions = list(game.actions(state))
        state = game.coerce_state(game.result(state, actions[below(rng, len(actions))]))
    assert spent < left
    assert shares[20] > 0.12 * left  # four shares of what the middle game has left


def test_seconds_for_one_move_are_used_whole() -> None:
    """What is left of a move's own seconds helps no other move: no depth is left out for having half of them."""
    one, whole_game = Clock(Mode("move", 0.2), 0.2).limit(), Clock(Mode("budget", 60), 60).limit()
    assert one.soft is None and one.time is not None and 0.1 < one.time < 0.2
    assert whole_game.soft is not None
