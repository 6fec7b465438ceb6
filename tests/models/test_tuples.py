"""Tables over cells: found by themselves, the same for symmetric states, the same compiled and interpreted."""

from __future__ import annotations

import itertools
from dataclasses import replace
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from numpy.typing import NDArray

from plywright import Game, load_game, search
from plywright.compiled import Workspace, interpreted, kernel
from plywright.errors import BadInput, Unsuitable
from plywright.models.cells import find_cells, sample_states
from plywright.models.inside import _slots
from plywright.models.loading import keep_model, make_model, open_model
from plywright.models.model import RATE, TALLY
from plywright.models.model_file import save_model
from plywright.models.symmetries import Examiner
from plywright.models.tuples import Tuples
from plywright.state import leaves

BREAKTHROUGH = "breakthrough:columns=5,rows=5"


def filled(game: Game, seed: int = 3) -> Tuples:
    """A model that has learned some nonsense: readings of one tuple that a symmetry makes alike weigh the same."""
    model = make_model(game, "tuples")
    assert isinstance(model, Tuples)
    tally = np.zeros(TALLY)
    tally[RATE] = 1.0
    work, random = Workspace(tally=tally, **model.workspace()), np.random.default_rng(seed)
    for state in sample_states(game, 300, seed):
        step(game, model, state, float(random.normal(0, 0.3)), work)
    return model


@kernel
def value_of(game: Any, knowledge: Any, state: Any, player: int) -> float:
    return 1.0 * knowledge.evaluate(state, player)  # type: ignore[no-any-return]


@kernel
def step(game: Any, knowledge: Any, state: Any, target: float, work: Any) -> float:
    return knowledge.adjust(state, target, work)  # type: ignore[no-any-return]


def test_breakthroughs_board_its_mirror_and_the_change_of_sides_are_found() -> None:
    cells = find_cells(load_game(BREAKTHROUGH))
    (board,) = cells.boards
    assert board.words == (0, 1) and len(board.cells) == 25 and board.places[7] == (1, 2)
    assert cells.mover == 2
    assert [symmetry.cells[0][:5] for symmetry in cells.symmetries] == [(0, 1, 2, 3, 4), (4, 3, 2, 1, 0)]
    assert cells.swap is not None and cells.swap.cells[0][:5] == (20, 21, 22, 23, 24)


@pytest.mark.parametrize(
    ("name", "cells", "symmetries"),
    [("connect-four", [42], 2), ("othello:size=4", [16], 8), ("mnk:m=4,n=3,k=3", [12], 4), ("tic-tac-toe", [9], 8)],
)
def test_boards_of_other_games(name: str, cells: list[int], symmetries: int) -> None:
    found = find_cells(load_game(name))
    assert [len(board.cells) for board in found.boards] == cells
    assert len(found.symmetries) == symmetries


class Rows(Game):
    """Two players write 1 and 2 into a nested tuple; a count goes up."""

    def initial(self) -> Any:
        return (((0, 0, 0), (0, 0, 0)), 0, 0)

    def to_move(self, state: Any) -> int:
        return int(state[1])

    def actions(self, state: Any) -> Any:
        for cell in range(6):
            if state[0][cell // 3][cell % 3] == 0:
                yield cell

    def result(self, state: Any, action: int) -> Any:
        top = [state[0][0][0], state[0][0][1], state[0][0][2]]
        low = [state[0][1][0], state[0][1][1], state[0][1][2]]
        if action < 3:
            top[action] = state[1] + 1
        else:
            low[action - 3] = state[1] + 1
        return (((top[0], top[1], top[2]), (low[0], low[1], low[2])), 1 - state[1], state[2] + 1)

    def utility(self, state: Any, player: int) -> float:
        won = state[0][0][0] == 1
        return 1 if won == (player == 0) else -1


def test_a_tuple_of_tuples_is_a_board_with_rows() -> None:
    cells = find_cells(Rows())
    (board,) = cells.boards
    assert not board.is_bits and board.places == ((0, 0), (0, 1), (0, 2), (1, 0), (1, 1), (1, 2))
    assert (board.low, board.high) == (0, 2)
    assert cells.counts == [(7, 0, 5)] and cells.mover == 6


@pytest.mark.parametrize("name", [BREAKTHROUGH, "connect-four:columns=5,rows=4", "othello:size=4"])
def test_symmetric_states_have_the_same_value(name: str) -> None:
    game = load_game(name)
    model, cells = filled(game), find_cells(game)
    states = sample_states(game, 60)[::6]
    images = Examiner(game, cells, states)
    for state, symmetry in itertools.product(states, cells.symmetries):
        assert value_of(game, model, images.image(symmetry, state), 0) == pytest.approx(
            value_of(game, model, state, 0), abs=1e-9
        )
    if cells.swap is not None:
        for state in states:
            assert value_of(game, model, images.image(cells.swap, state), 1) == pytest.approx(
                value_of(game, model, state, 0), abs=1e-9
            )


@pytest.mark.parametrize("name", [BREAKTHROUGH, "dots-and-boxes:columns=2,rows=2"])
def test_compiled_and_interpreted_agree_and_stay_inside_the_range(name: str) -> None:
    game = load_game(name)
    model = filled(game)
    model.weights[:] *= 20
    for state in sample_states(game, 40)[::7]:
        native = value_of(game, model, state, 0)
        with interpreted():
            assert value_of(game, model, state, 0) == pytest.approx(native, abs=1e-12)
        assert value_of(game, model, state, 1) == -native
        assert abs(native) < max(game.utility_range)


@pytest.mark.parametrize("name", [BREAKTHROUGH, "dots-and-boxes:columns=2,rows=2"])
def test_a_step_follows_the_gradient(name: str) -> None:
    """The change of each weight is as the finite difference of the unsquashed value says."""
    game = load_game(name)
    model = filled(game)
    arrays = model.workspace()
    tally = np.zeros(TALLY)
    tally[RATE] = 1e-3
    state = sample_states(game, 10)[7]
    top, before = model.top * (1 - 2.0**-12), arrays["weights"].copy()

    def total(weights: Any) -> float:
        model.weights[:] = weights
        return float(np.arctanh(value_of(game, model, state, 0) / top))

    start = total(before)
    found = np.zeros(512, np.int64)
    model.indices(state, found)
    readings: dict[tuple[int, int], list[int]] = {}  # the same cells, and the same table
    for n in range(model.plane_tuples):
        readings.setdefault((int(model.masks[n]), int(model.tuple_table[n])), []).append(int(found[n]))
    groups = [*readings.values(), *([int(place)] for place in found[model.plane_tuples : model.used])]
    assert max(map(len, groups)) > 1 or name != BREAKTHROUGH  # a symmetry maps one onto itself
    slopes, sign = [], 1 if game.to_move(state) == 0 else -1
    for places in groups:
        bumped = before.copy()
        bumped[places] += 2.0**-6
        slopes.append(sign * (total(bumped) - start) * 2.0**6)
    model.weights[:] = before
    error = step(game, model, state, 0.5, Workspace(tally=tally, **arrays))
    change = (arrays["weights"] - before).astype(float)
    size = 1e-3 * error / model.used
    expected = np.zeros(len(before))
    for places in groups:
        np.add.at(expected, places, size)
    assert np.allclose(change, expected, atol=1e-7) and abs(size) > 1e-6
    alone = [n for n, places in enumerate(groups) if all(sum(p in other for other in groups) == 1 for p in places)]
    assert len(alone) > 2 and [slopes[n] for n in alone] == pytest.approx([len(groups[n]) for n in alone], rel=1e-3)


@pytest.mark.parametrize("name", ["kalah", "clobber"])
def test_boards_of_numbers_are_read_as_planes_cell_by_cell_the_same(name: str) -> None:
    """Kalah's pits hold eight kinds of numbers, three planes; every place is that of the cells' digits."""
    game = load_game(str(Path(__file__).parents[2] / "examples" / f"{name}.py"))
    model = make_model(game, "tuples")
    assert isinstance(model, Tuples) and model.plane_count == (3 if name == "kalah" else 2)
    cells, found, looked = model.all_cells(), np.zeros(512, np.int64), 0
    (board,) = cells.boards
    for state in sample_states(game, 60):
        if game.to_move(state) != 0:
            continue
        model.indices(state, found)
        numbers = [int(leaf) for leaf in leaves(state)]
        for place, (table, slots) in zip(found, _slots(model, cells), strict=False):
            contents = [slot.adds[numbers[board.cells[slot.cell]] - board.low] for slot in slots]
            assert place == table + sum(contents)
            looked += 1
    assert looked > 500


def test_where_two_play_for_amounts_tables_are_added_to_the_score() -> None:
    game = load_game("dots-and-boxes:columns=2,rows=2")
    model, bare = make_model(game, "tuples"), make_model(game, "tuples", base=False)
    states = sample_states(game, 40)
    assert any(game.evaluate(state, 0) for state in states)
    for state in states:
        assert model.evaluate(state, 0) == pytest.approx(game.evaluate(state, 0), abs=0.01)
        assert bare.evaluate(state, 0) == 0
    assert not make_model(load_game(BREAKTHROUGH)).options["base"]  # which is won or lost
    with pytest.raises(BadInput, match="no evaluate"):
        make_model(Rows(), "tuples", base=True)


@pytest.mark.parametrize(
    ("name", "most"),
    [
        ("othello", 80),
        ("breakthrough", 80),
        pytest.param("dots-and-boxes:columns=4,rows=4", 50, marks=pytest.mark.slow),
    ],
)
def test_tuples_are_few_and_cover_the_board(name: str, most: int) -> None:
    model = make_model(load_game(name), "tuples")
    assert isinstance(model, Tuples)
    assert np.count_nonzero(model.times) <= most
    seen = 0
    for mask in model.masks[: model.board_tuples[1]]:
        seen |= int(mask)
    assert seen.bit_count() == len(model.all_cells().boards[0].cells)


def test_a_file_gives_the_same_values_back_and_any_search_takes_it(tmp_path: Path) -> None:
    game = load_game(BREAKTHROUGH)
    model = filled(game)
    keep_model(model, tmp_path / "b.knowledge", {"games": 5})
    again = open_model(tmp_path / "b.knowledge", game)
    state = sample_states(game, 30)[-1]
    assert again.evaluate(state, 0) == model.evaluate(state, 0)
    assert again.training == {"games": 5}
    by_text = search(game, depth=3, knowledge=str(tmp_path / "b.knowledge"))
    assert by_text.value == search(game, depth=3, knowledge=model).value != search(game, depth=3).value


def test_the_games_other_hooks_stay() -> None:
    model = make_model(load_game("connect-four:columns=4,rows=4"))
    assert model.has_bounds and model.has_priority and not model.use_history


def test_weights_that_are_not_finite_are_refused() -> None:
    game = load_game(BREAKTHROUGH)
    arrays = filled(game).arrays
    arrays["weights"] = arrays["weights"].copy()
    arrays["weights"][7] = np.nan
    with pytest.raises(BadInput, match="weights that are not finite"):
        Tuples(game, arrays)


def test_hidden_games_and_those_for_three_are_refused_in_a_sentence() -> None:
    with pytest.raises(Unsuitable, match="players do not see the whole state"):
        make_model(load_game("kuhn"))
    with pytest.raises(Unsuitable, match="for one player or for two"):
        make_model(load_game("jewels"))


def test_an_unknown_model_and_option_are_named() -> None:
    with pytest.raises(BadInput, match="there is no model 'deep'; there are "):
        make_model(load_game("tic-tac-toe"), "deep")
    with pytest.raises(BadInput, match="tuples take no 'hidden'"):
        make_model(load_game("tic-tac-toe"), "tuples", hidden=3)


@pytest.mark.parametrize(
    ("name", "array", "why"),
    [
        ("weights", np.zeros(3, np.float32), "'weights' is missing, or of another size or type"),
        ("masks", None, "its 'masks' is not what the game's states make"),
        ("tuple_table", None, "its 'tuple_table' is not what the game's states make"),
        ("game", np.zeros(1), "it has 'game', which nothing asks for"),
    ],
)
def test_arrays_that_compiled_code_cannot_trust_are_refused(
    tmp_path: Path, name: str, array: NDArray[Any] | None, why: str
) -> None:
    """With a checksum that is right: somebody wrote the file so."""
    game = load_game(BREAKTHROUGH)
    file = make_model(game).as_file()
    changed = file.arrays[name] + file.arrays[name].dtype.type(1 << 40) if array is None else array
    path = tmp_path / "odd.knowledge"
    save_model(path, replace(file, arrays={**file.arrays, name: changed}))
    with pytest.raises(BadInput) as caught:
        open_model(path, game)
    assert why in str(caught.value)
