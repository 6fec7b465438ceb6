"""Pieces whose cell is a number of the state, and numbers in cells that are kinds of things."""

from __future__ import annotations

from typing import Any, NamedTuple

import numpy as np
import pytest

from plywright import CHANCE, Game
from plywright.compiled import Workspace, kernel
from plywright.models.cells import find_cells, sample_states
from plywright.models.inside import look_inside
from plywright.models.loading import make_model
from plywright.models.model import RATE, TALLY
from plywright.models.symmetries import Examiner


class Places(NamedTuple):
    gone: int
    white: int
    black: int
    turn: int
    ply: int


class Isolation(Game):
    """Step as a king does; the cell that was left is gone. The count of plies has numbers like those of cells."""

    rows, columns = 4, 3
    max_actions = 8

    def initial(self) -> Any:
        return Places(0, 1, 10, 0, 0)

    def to_move(self, state: Any) -> int:
        return state.turn  # type: ignore[no-any-return]

    def target(self, at: int, action: int) -> int:
        step = action + (action >= 4)
        row, column = at // 3 + step // 3 - 1, at % 3 + step % 3 - 1
        return row * 3 + column if 0 <= row < 4 and 0 <= column < 3 else -1

    def actions(self, state: Any) -> Any:
        at = state.white if state.turn == 0 else state.black
        for action in range(8):
            to = self.target(at, action)
            if to >= 0 and not state.gone >> to & 1 and to != state.white and to != state.black:
                yield action

    def result(self, state: Any, action: int) -> Any:
        if state.turn == 0:
            to = self.target(state.white, action)
            return Places(state.gone | 1 << state.white, to, state.black, 1, state.ply + 1)
        to = self.target(state.black, action)
        return Places(state.gone | 1 << state.black, state.white, to, 0, state.ply + 1)

    def utility(self, state: Any, player: int) -> float:
        return -1 if player == state.turn else 1


@pytest.fixture(scope="module")
def game() -> Game:
    return Isolation()


@kernel
def value_of(game: Any, knowledge: Any, state: Any, player: int) -> float:
    return 1.0 * knowledge.evaluate(state, player)  # type: ignore[no-any-return]


def test_a_number_that_a_turn_of_the_board_maps_is_a_piece_and_a_count_of_plies_is_none(game: Game) -> None:
    cells = find_cells(game)
    (board,) = cells.boards
    assert (board.words, board.pieces, [leaf for leaf, _, _ in cells.counts], cells.mover) == ((0,), (1, 2), [4], 3)
    assert len(cells.symmetries) == 4 and cells.swap is not None and cells.swap.pieces == ((1, 2),)


def test_pieces_are_read_where_they_stand_and_symmetric_states_are_worth_the_same(game: Game) -> None:
    model = make_model(game)
    tally = np.zeros(TALLY)
    tally[RATE] = 1.0
    work, random = Workspace(tally=tally, **model.workspace()), np.random.default_rng(1)
    states = sample_states(game, 200, 5)
    for state in states:
        model.adjust(state, float(random.normal(0, 0.3)), work)
    cells = find_cells(game)
    check = Examiner(game, cells, [])
    values = {round(model.evaluate(state, 0), 9) for state in states}
    assert len(values) > 50  # where the pieces stand makes a difference
    for state in states[:40]:
        value = model.evaluate(state, 0)
        for symmetry in cells.symmetries:
            assert model.evaluate(check.image(symmetry, state), 0) == pytest.approx(value, abs=1e-6)
        assert cells.swap is not None
        assert model.evaluate(check.image(cells.swap, state), 1) == pytest.approx(value, abs=1e-6)
        assert value_of(game, model, state, 0) == pytest.approx(value, abs=1e-9)
    assert {"white", "black"} <= {panel.title for panel in look_inside(model).panels}


class Chase(Game):
    """Kinds 1 and 2 are of one player, 3 and 4 of the other; a thing steps forward, and who is across first has won."""

    max_actions = 8

    def initial(self) -> Any:
        return ((1, 2, 1, 2, 0, 0, 0, 0, 0, 0, 0, 0, 3, 4, 3, 4), 0)

    def to_move(self, state: Any) -> int:
        return state[1]  # type: ignore[no-any-return]

    def winner(self, state: Any) -> int:
        if any(0 < state[0][cell] < 3 for cell in range(12, 16)):
            return 0
        return 1 if any(state[0][cell] > 2 for cell in range(4)) else -1

    def is_terminal(self, state: Any) -> bool:
        return self.winner(state) >= 0 or not any(True for _ in self.actions(state))

    def actions(self, state: Any) -> Any:
        for cell in range(16):
            mine = 0 < state[0][cell] < 3 if state[1] == 0 else state[0][cell] > 2
            to = cell + 4 if state[1] == 0 else cell - 4
            if mine and 0 <= to < 16 and state[0][to] == 0:
                yield cell

    def result(self, state: Any, action: int) -> Any:
        cells = list(state[0])
        cells[action + 4 if state[1] == 0 else action - 4], cells[action] = cells[action], 0
        return tuple(cells), 1 - state[1]

    def utility(self, state: Any, player: int) -> float:
        won = self.winner(state)
        return 0 if won < 0 else 1 if won == player else -1


def test_kinds_of_the_two_players_stand_for_each_other() -> None:
    swap = find_cells(Chase()).swap
    assert swap is not None and swap.values == ((1, 3), (2, 4))


class Wind(Game):
    """A token is blown to the right more often than to the left; whoever bets that it comes to an end in time wins."""

    def initial(self) -> Any:
        return ((0, 0, 0, 1, 0, 0, 0), 0)

    def to_move(self, state: Any) -> int:
        return CHANCE

    def is_terminal(self, state: Any) -> bool:
        return bool(state[0][0] or state[0][6] or state[1] >= 6)

    def actions(self, state: Any) -> Any:
        yield from range(0)

    def chance(self, state: Any) -> Any:
        yield 0, 0.3
        yield 1, 0.7

    def result(self, state: Any, action: int) -> Any:
        at = state[0].index(1) + (1 if action else -1)
        return tuple(int(place == at) for place in range(7)), state[1] + 1

    def utility(self, state: Any, player: int) -> float:
        return 1 if (state[0][0] or state[0][6]) == (player == 0) else -1


class Corner(Game):
    """Ten stones on an empty board, and then only the first corner counts: the same number of plies in each game."""

    size = 6

    def initial(self) -> Any:
        return ((0,) * 36, 0, 0)

    def to_move(self, state: Any) -> int:
        return state[1]  # type: ignore[no-any-return]

    def is_terminal(self, state: Any) -> bool:
        return bool(state[2] == 10)

    def actions(self, state: Any) -> Any:
        yield from (place for place in range(36) if state[0][place] == 0)

    def result(self, state: Any, action: int) -> Any:
        return (*state[0][:action], 1 + state[1], *state[0][action + 1 :]), 1 - state[1], state[2] + 1

    def utility(self, state: Any, player: int) -> float:
        return 0 if state[0][0] == 0 else 1 if state[0][0] == player + 1 else -1


def test_a_mirror_that_changes_the_odds_of_chance_is_no_symmetry() -> None:
    assert len(find_cells(Wind()).symmetries) == 1


def test_symmetries_are_tried_where_games_end_however_long_they_are() -> None:
    cells = find_cells(Corner())
    assert len(cells.symmetries) == 2, "the identity, and the mirror that keeps the corner"
    assert cells.swap is not None and cells.swap.values == ((1, 2),)


class Trail(Game):
    """A slug that leaves slime behind: the lower left corner is the one player's goal, the upper right the other's."""

    max_actions = 16

    def initial(self) -> Any:
        return 1 << 5, 5, 0  # the slime, the slug, who is to move

    def to_move(self, state: Any) -> int:
        return state[2]  # type: ignore[no-any-return]

    def actions(self, state: Any) -> Any:
        row, column = divmod(state[1], 4)
        for to in range(16):
            near = abs(to // 4 - row) <= 1 and abs(to % 4 - column) <= 1
            if near and not state[0] >> to & 1:
                yield to

    def result(self, state: Any, action: int) -> Any:
        return state[0] | 1 << action, action, 1 - state[2]

    def is_terminal(self, state: Any) -> bool:
        return state[1] in (3, 12) or not any(True for _ in self.actions(state))

    def utility(self, state: Any, player: int) -> float:
        winner = {3: 1, 12: 0}.get(state[1], 1 - state[2])
        return 1 if winner == player else -1


class Placed(Trail):
    """The same, with where its cells are."""

    cell_places = (tuple(divmod(cell, 4) for cell in range(16)),)


@pytest.mark.parametrize("rules", [Trail, Placed])
def test_cells_that_only_the_last_move_enters_belong_to_the_board(rules: type[Game]) -> None:
    cells = find_cells(rules())
    (board,) = cells.boards
    assert board.cells == tuple(range(16)) and board.pieces == (1,) and not cells.counts
    assert len(cells.symmetries) == 2 and cells.swap is not None
