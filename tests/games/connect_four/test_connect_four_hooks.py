"""What Connect Four tells the engine: it may save work, never change a value."""

from __future__ import annotations

import functools
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from plywright import BadInput, load_game, search
from plywright.engine.alphabeta.solve import Solver
from plywright.games.connect_four.knowledge import MIRRORED
from plywright.games.connect_four.rules import ConnectFour, Stones
from plywright.knowledge import knowledge_of
from plywright.rng import below, seeded

SIZES = ((4, 4), (5, 4), (4, 5), (7, 3), (6, 4), (1, 6), (8, 7), (3, 4))
EMPTY_CELLS = 9
TINY = 64 * 16 / 1e6  # megabytes: a table of 64 entries


@functools.cache
def connect_four(columns: int, rows: int, score: str) -> ConnectFour:
    return ConnectFour(columns, rows, score)


def random_state(game: ConnectFour, seed: int, empty: int) -> Any:
    """An unfinished position with so many empty cells, or as near to it as a random game comes."""
    rng, state, last = seeded(seed), game.start_state, game.start_state
    for _ in range(game.columns * game.rows - empty):
        legal = list(game.actions(state))
        state = game.result(state, legal[below(rng, len(legal))])
        if game.is_terminal(state):
            break
        last = state
    return game.coerce_state(last)


def near_the_end(game: ConnectFour, seed: int) -> Any | None:
    state = random_state(game, seed, EMPTY_CELLS)
    full = game.columns * game.rows
    return state if full - (state.mine | state.theirs).bit_count() <= EMPTY_CELLS else None


@functools.cache
def true_value(game: ConnectFour, state: Stones) -> int:
    """Minimax as the rules have it, for the player to move."""
    if game.is_terminal(state):
        return int(game.utility(state, game.to_move(state)))
    return max(-true_value(game, game.result(state, action)) for action in game.actions(state))


@given(st.sampled_from(SIZES), st.sampled_from(["plain", "speed"]), st.integers(0, 1 << 20))
def test_bounds_hold_and_candidates_keep_the_value(size: tuple[int, int], score: str, seed: int) -> None:
    game = connect_four(*size, score)
    state = near_the_end(game, seed)
    if state is None:
        return
    value = true_value(game, state)
    low, high = knowledge_of(game).bounds(state)
    assert low <= value <= high
    legal, kept = list(game.actions(state)), list(knowledge_of(game).candidates(state))
    assert kept and set(kept) <= set(legal) and len(set(kept)) == len(kept)
    assert max(-true_value(game, game.result(state, action)) for action in kept) == value


def test_hooks_prune_at_all() -> None:
    """The test above could not fail for hooks that know nothing."""
    game = connect_four(7, 6, "speed")
    assert knowledge_of(game).bounds(game.parse_state("112233")) == (18, 18)  # X wins with its fourth stone
    assert knowledge_of(game).bounds(game.parse_state("112233" + "7")) != (
        -18,
        -18,
    )  # O wins itself, with a four of its own
    assert list(knowledge_of(game).candidates(game.parse_state("112233"))) == [3]
    threatened = game.parse_state("1727361")  # O to move: X has three at the foot and one above
    assert list(knowledge_of(game).candidates(threatened)) == [3]
    both_ends = game.parse_state("42537")  # X on 4, 5 and 7: the gap is 6
    assert list(knowledge_of(game).candidates(both_ends)) == [5]
    lost = game.parse_state("44553")  # three X at the foot, both ends open: whatever O does loses
    assert knowledge_of(game).bounds(lost) == (-18, -18)
    assert sorted(knowledge_of(game).candidates(lost)) == list(range(7))
    assert knowledge_of(game).priority(game.parse_state("4455"), 2, 9) == 2


@pytest.mark.parametrize(("size", "score"), [((5, 4), "speed"), ((4, 4), "plain")])
def test_the_engine_finds_what_plain_search_finds(size: tuple[int, int], score: str) -> None:
    game = connect_four(*size, score)
    wide, tiny = Solver(game, table_megabytes=1), Solver(game, table_megabytes=TINY)
    assert len(tiny.table) == 2 * 64
    seen = set()
    for seed in range(120):
        state = random_state(game, seed, 8 + seed % 6)
        plain = search(game, state, depth=40, algorithm="alphabeta")
        assert plain.proved
        assert wide.value(state) == tiny.value(state) == plain.value
        seen.add(plain.value)
    assert len(seen) >= 3


def test_hooks_run_interpreted_node_for_node_as_compiled() -> None:
    game = connect_four(4, 4, "plain")
    for seed in range(3):
        state = random_state(game, seed, 9)
        native = Solver(game, table_megabytes=TINY).solve(state)
        plain = Solver(game, table_megabytes=TINY, compiled=False).solve(state)
        assert native.compiled and not plain.compiled
        assert (native.value, native.line, native.nodes) == (plain.value, plain.line, plain.nodes)


# -- keys -------------------------------------------------------------------------------------------------


def mirrored(game: ConnectFour, stones: int) -> int:
    found = 0
    for column in range(game.columns):
        part = stones >> column * game.height & (1 << game.height) - 1
        found |= part << (game.columns - 1 - column) * game.height
    return found


@given(st.sampled_from(SIZES), st.integers(0, 1 << 20), st.integers(0, 56))
def test_mirror_images_share_a_key_early_in_the_game(size: tuple[int, int], seed: int, empty: int) -> None:
    game = connect_four(*size, "plain")
    state = random_state(game, seed, empty)
    twin = Stones(mirrored(game, state.mine), mirrored(game, state.theirs))
    early = (state.mine | state.theirs).bit_count() <= MIRRORED
    assert (knowledge_of(game).key(state) == knowledge_of(game).key(twin)) == (early or state == twin)


def test_no_two_positions_share_a_key_but_mirror_images() -> None:
    game = connect_four(4, 4, "plain")
    seen: dict[int, Stones] = {}
    frontier = [game.start_state]
    for _ in range(7):
        after = {game.result(state, action) for state in frontier for action in game.actions(state)}
        frontier = [state for state in after if not game.is_terminal(state)]
        for state in frontier:
            twin = Stones(mirrored(game, state.mine), mirrored(game, state.theirs))
            assert seen.setdefault(knowledge_of(game).key(state), state) in (state, twin)
    assert len(seen) > 2000


# -- the score --------------------------------------------------------------------------------------------


def test_speed_counts_22_less_the_stones_of_the_winner() -> None:
    game = load_game("connect-four:score=speed")
    assert game.utility_range == (-18, 18) and game.step == 1
    assert game.utility(game.parse_state("1122334"), 0) == 18
    second = game.parse_state("71726364")  # O has four at the foot with its fourth stone
    assert (game.utility(second, 1), game.utility(second, 0)) == (18, -18)
    later = game.parse_state("112233774")
    assert game.utility(later, 0) == 17


def test_an_odd_board_counts_the_stones_that_the_winner_has_left() -> None:
    game = connect_four(5, 5, "speed")
    assert game.utility(game.parse_state("1122334"), 0) == 10  # 13 stones, 4 used, and one more
    assert game.utility(game.parse_state("51525314"), 1) == 9  # 12 stones


def test_an_unknown_score_is_refused() -> None:
    with pytest.raises(BadInput, match="score must be plain or speed, not 'fast'"):
        load_game("connect-four:score=fast")
