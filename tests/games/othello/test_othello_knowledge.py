"""Othello's knowledge never changes an exact value: compared with plain search and with slow programs."""

from __future__ import annotations

import functools
import itertools
from collections.abc import Iterator
from typing import Any

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from plywright import search
from plywright.compiled import Workspace, interpreted
from plywright.counters import NODE_LIMIT
from plywright.engine.alphabeta.solve import solve
from plywright.games.othello import endgame as endgame
from plywright.games.othello import knowledge, stability
from plywright.games.othello.rules import Othello
from plywright.knowledge import knowledge_of
from plywright.rng import below, seeded

FFO = {  # the well-known endgames: position, value, a best move
    40: ("O--OOOOX-OOOOOOXOOXXOOOXOOXOOOXXOOOOOOXX---OOOOX----O--X-------- X", 38, "a2"),
    41: ("-OOOOO----OOOOX--OOOOOO-XXXXXOO--XXOOX--OOXOXX----OXXO---OOO--O- X", 0, "h4"),
    42: ("--OOO-------XX-OOOOOOXOO-OOOOXOOX-OOOXXO---OOXOO---OOOXO--OOOO-- X", 6, "g2"),
    43: ("--XXXXX---XXXX---OOOXX---OOXXXX--OOXXXO-OOOOXOO----XOX----XXXXX- O", -12, "g3"),
    44: ("--O-X-O---O-XO-O-OOXXXOOOOOOXXXOOOOOXX--XXOOXO----XXXX-----XXX-- O", -14, "d2"),
}
KINDS = [(8, "winner"), (6, "none"), (4, "winner"), (4, "none")]
every_kind = pytest.mark.parametrize(("size", "empties"), KINDS)


@functools.cache
def othello(size: int = 8, empties: str = "winner") -> Othello:
    return Othello(size, empties)


def left(game: Othello, state: Any) -> int:
    return game.squares - int(state.mine | state.theirs).bit_count()


def random_game(game: Othello, seed: int) -> Iterator[Any]:
    """The states of a random game, the last one finished."""
    rng, state = seeded(seed), game.start_state
    while True:
        yield state
        if game.is_terminal(state):
            return
        choices = list(game.actions(state))
        state = game.coerce_state(game.result(state, int(choices[below(rng, len(choices))])))


def late_positions(game: Othello, most: int, count: int) -> list[Any]:
    """Unfinished positions of random games, one a game, with six to `most` squares left."""
    found = []
    for seed in itertools.count():
        wanted = 6 + seed % (most - 5)
        late = [state for state in random_game(game, seed) if left(game, state) == wanted]
        found += [state for state in late[:1] if not game.is_terminal(state)]
        if len(found) == count:
            return found
    raise AssertionError


def position(game: Othello, mine: int, theirs: int) -> Any:
    return game.coerce_state(game.position(np.uint64(mine), np.uint64(theirs), 0))


@st.composite
def almost_full(draw: st.DrawFn) -> tuple[Othello, Any]:
    """Any discs at all on a board with at most eight empty squares: wipe-outs and passes are common."""
    game = othello(*draw(st.sampled_from(KINDS)))
    outside = [square for square in range(game.squares) if not int(game.centre) >> square & 1]
    empties = draw(st.sets(st.sampled_from(outside), max_size=endgame.LATE))
    mine = draw(st.integers(0, (1 << game.squares) - 1))
    for square in empties:
        mine &= ~(1 << square)
    theirs = (1 << game.squares) - 1 & ~mine & ~sum(1 << square for square in empties)
    return game, position(game, mine, theirs)


def counters() -> Any:
    info = np.zeros(16, np.int64)
    info[NODE_LIMIT] = 1 << 60
    return Workspace(info=info, stop=np.zeros(1, np.int64))


# -- exact values ---------------------------------------------------------------------------------------


@pytest.mark.parametrize(("size", "empties", "most", "count"), [(8, "winner", 10, 60), (6, "none", 10, 60)])
def test_late_positions_are_worth_what_plain_search_says(size: int, empties: str, most: int, count: int) -> None:
    game = othello(size, empties)
    for state in late_positions(game, most, count):
        plain = search(game, state, depth=30, algorithm="alphabeta")
        engine = search(game, state, depth=30, algorithm="pvs", table=1)
        assert plain.proved and engine.proved
        assert engine.value == plain.value, game.format_state(state)
        assert solve(game, state, table_megabytes=1).value == plain.value


@pytest.mark.parametrize("empties", ["winner", "none"])
def test_whole_games_on_four_by_four_are_worth_what_plain_search_says(empties: str) -> None:
    game = othello(4, empties)
    for seed in range(20):
        for state in random_game(game, seed):
            if not game.is_terminal(state) and left(game, state) < 12:
                plain = search(game, state, depth=30, algorithm="alphabeta")
                engine = search(game, state, depth=30, algorithm="pvs", table=1)
                assert engine.proved and engine.value == plain.value
    assert solve(game, table_megabytes=1).value == search(game, depth=30, algorithm="alphabeta").value


def test_the_line_goes_to_the_end_of_the_game_and_ends_with_the_value() -> None:
    game = othello()
    for state in late_positions(game, 9, 8):
        for found in (search(game, state, depth=30, algorithm="pvs", table=1), solve(game, state, table_megabytes=1)):
            end = state
            for action in found.line:
                assert action in list(game.actions(end))
                end = game.coerce_state(game.result(end, action))
            assert game.is_terminal(end) and game.utility(end, int(state.mover)) == found.value


@settings(max_examples=300)
@given(almost_full(), st.integers(-66, 64), st.integers(1, 3))
def test_finish_is_exact_inside_its_window_and_a_bound_outside(case: tuple[Othello, Any], low: int, width: int) -> None:
    game, state = case
    if game.is_terminal(state):
        return
    exact = search(game, state, depth=30, algorithm="alphabeta").value
    high = low + width
    work = counters()
    value = endgame.finish(game, state.mine, state.theirs, low, high, work)
    if value <= low:
        assert exact <= value
    elif value >= high:
        assert exact >= value
    else:
        assert exact == value
    assert work.info[endgame.NODES] > 0


# -- stable discs -------------------------------------------------------------------------------------------


@settings(max_examples=40)
@given(st.sampled_from(KINDS), st.integers(0, 10_000))
def test_a_stable_disc_is_never_turned_in_random_play(kind: tuple[int, str], seed: int) -> None:
    game = othello(*kind)
    kept = [0, 0]  # stable discs of each player so far
    for state in random_game(game, seed):
        owners = (state.mine, state.theirs) if state.mover == 0 else (state.theirs, state.mine)
        for player, discs in enumerate(owners):
            assert kept[player] & ~int(discs) == 0
            kept[player] |= int(stability.stable(game, discs, owners[1 - player]))
    # In the end every line that could turn a disc is full, or nobody can move.
    if left(game, state) == 0:
        assert kept == [int(discs) for discs in owners]


@settings(max_examples=100)
@given(almost_full())
def test_bounds_hold_the_exact_value(case: tuple[Othello, Any]) -> None:
    game, state = case
    if game.is_terminal(state):
        return
    least, most = knowledge_of(game).bounds(state)
    assert least <= search(game, state, depth=30, algorithm="alphabeta").value <= most


def test_a_full_edge_with_its_corners_is_stable_and_an_open_one_is_not() -> None:
    game = othello()
    state = game.parse_state("XXXXXXXX" + "-" * 19 + "OX------XO" + "-" * 27 + " X")
    assert int(stability.stable(game, state.mine, state.theirs)) == 0xFF
    assert knowledge_of(game).bounds(state) == (2 * 8 - 64, 64)
    state = game.parse_state("-XXXXXX-" + "-" * 19 + "OX------XO" + "-" * 27 + " X")
    assert int(stability.stable(game, state.mine, state.theirs)) == 0
    assert knowledge_of(game).bounds(state) == (-64, 64)


# -- the tools -------------------------------------------------------------------------------------------------


@every_kind
def test_tables_of_squares(size: int, empties: str) -> None:
    game = othello(size, empties)
    for square in range(game.squares):
        row, column = divmod(square, size)
        near = {
            r * size + c
            for r in range(size)
            for c in range(size)
            if (r, c) != (row, column) and abs(r - row) <= 1 and abs(c - column) <= 1
        }
        assert {other for other in range(game.squares) if int(game.around[square]) >> other & 1} == near
        assert int(knowledge.beside(game, np.uint64(1 << square))) == int(game.around[square]) | 1 << square
        assert int(game.quadrant[square]).bit_count() == game.squares // 4
        assert int(game.quadrant[square]) >> square & 1
    assert int(sum({int(board) for board in game.quadrant})) == int(game.board)


def test_the_order_is_fewest_replies_first_and_squares_near_the_depth_limit() -> None:
    game = othello()
    corner = game.parse_state("-OX-----" + "-" * 19 + "OX------XO" + "-" * 27 + " X")
    promise = {action: knowledge_of(game).priority(corner, action, 1) for action in game.actions(corner)}
    assert max(promise, key=lambda action: promise[action]) == 0
    state = next(state for state in random_game(game, 5) if left(game, state) == 10)
    replies = {action: int(game.result(state, action).moves).bit_count() for action in game.actions(state)}
    order = sorted(replies, key=lambda action: -knowledge_of(game).priority(state, action, 50))
    assert replies[order[0]] < replies[order[-1]]
    passing = next(state for state in random_game(othello(6), 3) if not int(state.moves))
    assert knowledge_of(othello(6)).priority(passing, othello(6).pass_action, 9) == 0


def test_keys_tell_positions_apart_and_not_colours() -> None:
    game = othello()
    states = [state for seed in range(30) for state in random_game(game, seed)]
    boards = {(int(state.mine), int(state.theirs)) for state in states}
    assert len({int(knowledge_of(game).key(state)) for state in states}) == len(boards)
    swapped = states[7]._replace(mover=1 - states[7].mover)
    assert knowledge_of(game).key(swapped) == knowledge_of(game).key(states[7])


def test_interpreted_and_compiled_engines_agree() -> None:
    game = othello(6, "none")
    for state in late_positions(game, 9, 3):
        compiled = search(game, state, depth=4, algorithm="pvs", table=1)
        with interpreted():
            plain = search(game, state, depth=4, algorithm="pvs", table=1)
        assert (plain.value, plain.line, plain.nodes) == (compiled.value, compiled.line, compiled.nodes)


# -- published endgames --------------------------------------------------------------------------------------------


def solves(number: int) -> None:
    game = othello()
    text, value, best = FFO[number]
    state = game.parse_state(text)
    found = solve(game, state, table_megabytes=64)
    assert found.proved and found.value == value
    # The published move is as good as ours (in number 43 another one is, too).
    if game.format_action(state, found.action) != best:
        child = game.coerce_state(game.result(state, game.parse_action(state, best)))
        assert solve(game, child, table_megabytes=64).value == -value


def test_the_first_published_endgame_is_solved() -> None:
    solves(40)


@pytest.mark.slow
@pytest.mark.parametrize("number", [41, 42, 43, 44])
def test_the_other_published_endgames_are_solved(number: int) -> None:
    solves(number)
