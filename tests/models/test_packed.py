"""Packed tables: boards that are words, games that pay along the way, and games that chance ends."""

from __future__ import annotations

import math
from collections.abc import Iterator
from pathlib import Path
from typing import Any, NamedTuple

import numpy as np
import pytest

from plywright import Game, Knowledge, learn, load_game
from plywright.compiled import Workspace, interpreted, kernel
from plywright.errors import BadInput, GameError
from plywright.game import CHANCE
from plywright.games.twenty_forty_eight.knowledge import TilesKnowledge
from plywright.learning.self_play import LENGTHS, PLIES, self_play
from plywright.learning.trainer import Schedule, Trainer
from plywright.models.inside import look_inside
from plywright.models.loading import keep_model, make_model, open_model
from plywright.models.model import RATE, TALLY, joined
from plywright.models.model_file import save_model
from plywright.models.packed import Packed


class Step(NamedTuple):
    step: int
    points: int
    rolling: int


class StepKnowledge(Knowledge):
    packed_tuples = ((0, 1, 2),)

    def boards(self, state: Any) -> tuple[int, ...]:
        return (state.step,)

    def banked(self, state: Any) -> int:
        return state.points  # type: ignore[no-any-return]  # in steps, which are of 2


class Stairs(Game):
    """One way up: step n pays n % 5 twice; before each step, and at the end, there is a die that changes nothing."""

    players = 1
    utility_range = (0, 100_000)
    step = 2
    knowledge = StepKnowledge

    def __init__(self, steps: int = 3) -> None:
        self.steps = steps

    def initial(self) -> Step:
        return Step(0, 0, 1)

    def to_move(self, state: Step) -> int:
        return CHANCE if state.rolling == 1 else 0

    def chance(self, state: Step) -> Iterator[tuple[int, float]]:
        yield 0, 1.0

    def actions(self, state: Step) -> Iterator[int]:
        yield 0

    def result(self, state: Step, action: int) -> Step:
        if state.rolling == 1:
            return Step(state.step, state.points, 0)
        return Step(state.step + 1, state.points + (state.step + 1) % 5, 1)

    def is_terminal(self, state: Step) -> bool:
        return state.step == self.steps and state.rolling == 0

    def utility(self, state: Step, player: int) -> float:
        return 2.0 * state.points


def pays(steps: range) -> list[int]:
    return [2 * (n % 5) for n in steps]


def to_come(model: Any, steps: int) -> list[float]:
    return model.weights[: steps + 1].tolist()  # type: ignore[no-any-return]


def trained(games: int, *, steps: int = 3, decay: float = 0.0, **options: Any) -> Any:
    """A model after so many games, all in this thread: compiled, or interpreted where that is asked for."""
    model: Any = make_model(Stairs(steps), **options)
    trainer = Trainer(model, Schedule(opening=0, decay=decay))
    assert self_play(model.game, model, model.game.start_state, games, trainer.crew[0]) == games
    counts = trainer.counts()
    assert counts[1] == games * steps and counts[-1] == games * sum(pays(range(steps + 1)))
    assert trainer.crew[0].info[LENGTHS] == games * (steps + 1)
    return model


def test_what_is_paid_along_the_way_is_learned_once_and_travels_back_a_step_a_game() -> None:
    with interpreted():
        assert to_come(trained(1), 3) == [2, 4, 6, 0]
        assert to_come(trained(2), 3) == [6, 10, 6, 0]
        assert to_come(trained(3), 3) == [12, 10, 6, 0]
        assert to_come(trained(1, decay=1.0), 3) == [12, 10, 6, 0]


def test_the_record_says_that_packed_tables_make_squares_least() -> None:
    assert learn(Stairs(), games=2, pairs=0, model="packed").training["made_least"] == "squares"


def test_a_game_that_chance_ends_teaches_the_state_before_the_last_roll() -> None:
    with interpreted():
        assert to_come(trained(1, optimism=8.0), 3) == [10, 12, 14, 0]


def test_compiled_and_interpreted_learn_the_same_and_a_long_game_is_learned_in_parts() -> None:
    steps = 2 * PLIES + 100
    found = trained(3, steps=steps, decay=0.5)
    assert found.weights.any() and np.array_equal(found.weights, trained(3, steps=steps, decay=0.5).weights)
    with interpreted():
        assert np.array_equal(found.weights, trained(3, steps=steps, decay=0.5).weights)
    whole = to_come(trained(1, steps=steps, decay=1.0), steps)
    assert whole[-2] == 2 * (steps % 5) and whole[-5] == sum(pays(range(steps - 3, steps + 1)))
    assert whole[0] == sum(pays(range(PLIES + 1)))  # the first part ends with its estimate


# -- symmetric boards ------------------------------------------------------------------------------------------


class FewTiles(TilesKnowledge):
    packed_tuples = ((0, 1, 4), (1, 2, 5, 6))


def few(seed: int = 1) -> tuple[Any, Any]:
    game = load_game("2048")
    model: Any = joined(Packed, FewTiles)(game)
    model.weights[:] = np.random.default_rng(seed).normal(0, 100, len(model.weights))
    return game, model


@kernel
def value_of(game: Any, knowledge: Any, state: Any, player: int) -> float:
    return 1.0 * knowledge.evaluate(state, player)  # type: ignore[no-any-return]


@kernel
def step(game: Any, knowledge: Any, state: Any, target: float, work: Any) -> float:
    return knowledge.adjust(state, target, work)  # type: ignore[no-any-return]


def random_states(game: Any, count: int = 12) -> list[Any]:
    random = np.random.default_rng(5)
    tiles = [random.integers(0, 16, 4) << 4 * np.arange(4) for _ in range(4 * count)]
    rows = [int(row.sum()) for row in tiles]
    return [game.coerce_state(type(game.start_state)(*rows[4 * n : 4 * n + 4], 1)) for n in range(count)]


def oracle(model: Any, game: Any, state: Any) -> tuple[float, list[int]]:
    """The value, and the places of its weights, from a grid that is turned and mirrored cell by cell."""
    grid = np.array([[row >> 4 * column & 15 for column in range(4)] for row in state[:4]])
    places = []
    for turns in range(4):
        for board in (np.rot90(grid, turns), np.rot90(grid, turns)[:, ::-1]):
            first = 0
            for cells in FewTiles.packed_tuples:
                places.append(first + sum(int(board.flat[cell]) << 4 * n for n, cell in enumerate(cells)))
                first += 16 ** len(cells)
    return game.utility(state, 0) + float(model.weights[places].sum(dtype=np.float64)), places


def test_symmetric_look_ups_are_those_of_a_grid_turned_cell_by_cell() -> None:
    game, model = few()
    for state in random_states(game):
        value = max(oracle(model, game, state)[0], 0.0)
        assert value_of(game, model, state, 0) == pytest.approx(value, abs=0.01)
        with interpreted():
            assert value_of(game, model, state, 0) == pytest.approx(value, abs=0.01)


def test_a_step_of_learning_moves_every_reading_of_the_board_and_nothing_else() -> None:
    game, model = few()
    state = random_states(game)[0]
    before, (value, places) = model.weights.copy(), oracle(model, game, state)
    tally = np.zeros(TALLY)
    tally[RATE] = 1.0
    work = Workspace(tally=tally, **model.workspace())
    error = step(game, model, state, value + 320.0, work)
    assert error * model.top == pytest.approx(320.0, abs=0.01)
    moved = np.flatnonzero(model.weights != before)
    assert set(moved.tolist()) == set(places)
    for place in set(places):
        assert model.weights[place] - before[place] == pytest.approx(20.0 * places.count(place), abs=0.001)


# -- files and faults ------------------------------------------------------------------------------------------


def test_a_file_comes_back_whole_and_a_damaged_or_forged_one_is_refused(tmp_path: Path) -> None:
    with interpreted():
        model = trained(2)
    path = tmp_path / "stairs.knowledge"
    keep_model(model, path)
    assert np.array_equal(open_model(path, Stairs()).weights, model.weights)  # type: ignore[attr-defined]
    file = model.as_file()
    save_model(path, type(file)(**vars(file) | {"arrays": file.arrays | {"masks": np.array([7 << 40], np.uint64)}}))
    with pytest.raises(BadInput, match="'masks' is not what the game's states make"):
        open_model(path, Stairs())
    keep_model(model, path)
    data = bytearray(path.read_bytes())
    data[len(data) // 2] ^= 0xFF
    path.write_bytes(bytes(data))
    with pytest.raises(BadInput, match="damaged"):
        open_model(path, Stairs())


def test_rounded_weights_are_near_and_are_not_learned_on_from(tmp_path: Path) -> None:
    game, model = few()
    small = model.rounded(2.0)
    assert small.weights.dtype == np.int16
    for state in random_states(game):
        with interpreted():
            assert value_of(game, small, state, 0) == pytest.approx(value_of(game, model, state, 0), abs=16.0)
    with pytest.raises(BadInput, match="rounded, for use alone"):
        Trainer(small)
    with interpreted():
        halved = trained(2).rounded(0.5)
    keep_model(halved, tmp_path / "small.knowledge")
    found: Any = open_model(tmp_path / "small.knowledge", Stairs())
    assert to_come(found, 3) == [12, 20, 12, 0] and found.evaluate(Step(1, 1, 1), 0) == 12.0
    with pytest.raises(BadInput, match="above 0"):
        model.rounded(0)


def test_inside_are_the_tiles_and_where_they_weigh_most() -> None:
    _, model = few()
    model.weights[:] = 0
    model.weights[3] = 100.0  # an 8 on the first cell of the first tuple, the others empty
    inside = look_inside(model, 1)
    assert inside.largest[0].words == "a4 8, b4 empty, a3 empty" and inside.largest[0].weight == 100.0
    assert [panel.title for panel in inside.panels] == ["empty", "8"]


@pytest.mark.parametrize(
    ("tuples", "boards", "complaint"),
    [
        (((0, 0),), lambda self, state: (1,), "rows of different cells below 16"),
        (((0, 16),), lambda self, state: (1,), "rows of different cells below 16"),
        (((0, 1, 2, 3, 4, 5, 6),), lambda self, state: (1,), "at most 24 bits"),
        ((("a",),), lambda self, state: (1,), "rows of different cells"),
        (((0, 1),), lambda self, state: 7, r"boards\(\) gives 7; it gives a tuple of whole numbers"),
        (
            ((0, 1),),
            lambda self, state: (2**70,),
            r"boards\(\) gives 1180591620717411303424; a board is a word of 64 bits",
        ),
        (((0, math.inf),), lambda self, state: (1,), "rows of different cells"),
        (7, lambda self, state: (1,), "packed_tuples is a tuple of rows of cells, not 7"),
        ((), lambda self, state: (1,), "need boards"),
        (tuple((n % 16,) for n in range(600)), lambda self, state: (1,), "are more than 512"),
    ],
)
def test_boards_that_make_no_sense_are_named(tuples: Any, boards: Any, complaint: str) -> None:
    class Other(StepKnowledge):
        packed_tuples = tuples

    Other.boards = boards  # type: ignore[method-assign]
    with pytest.raises((BadInput, GameError), match=complaint):
        joined(Packed, Other)(Stairs())
    with pytest.raises(BadInput, match="has no boards for packed tables"):
        make_model(load_game("tic-tac-toe"), "packed")
    with pytest.raises(BadInput, match="packed tables take no 'hidden'"):
        make_model(Stairs(), hidden=3)


@pytest.mark.parametrize("bits", [0, -4, 25, "x", 1.5, True])
def test_bits_of_a_cell_that_make_no_sense_are_named(bits: Any) -> None:
    class Other(StepKnowledge):
        cell_bits = bits

    with pytest.raises(GameError, match=f"cell_bits is how many bits a cell of a board has, 1 to 24, not {bits!r}"):
        joined(Packed, Other)(Stairs())


@pytest.mark.parametrize(
    ("hook", "answer", "words"),
    [
        ("boards", (1, 2), r"boards\(\) gives 2 words, and 1 at the start: there must always be as many \(after "),
        ("boards", (2**70,), r"boards\(\) gives 1180591620717411303424; a board is a word of 64 bits \(after "),
        ("boards", None, r"boards\(\) gives None; it gives a tuple of whole numbers \(after "),
        ("banked", math.nan, r"banked\(\) is nan; it is a number within plus or minus 1e\+15 \(after "),
        ("banked", 1e300, r"banked\(\) is 1e\+300; it is a number"),
        ("banked", "x", r"banked\(\) is 'x'; it is a number"),
    ],
)
def test_what_goes_wrong_later_is_found_before_training_and_named(hook: str, answer: Any, words: str) -> None:
    class Other(StepKnowledge):
        def boards(self, state: Any) -> Any:
            return answer if hook == "boards" and state.step == 2 else (state.step,)

        def banked(self, state: Any) -> Any:
            return answer if hook == "banked" and state.step == 2 else state.points

    class OtherStairs(Stairs):
        knowledge = Other

    with pytest.raises(GameError, match=words):
        Trainer(make_model(OtherStairs(), "packed"))


def test_boards_that_change_in_number_are_no_step_of_learning() -> None:
    class Other(StepKnowledge):
        def boards(self, state: Any) -> tuple[int, ...]:
            return (1,) * (1 + state.step)

    model: Any = joined(Packed, Other)(Stairs())
    tally = np.zeros(TALLY)
    tally[RATE] = 1.0
    work = Workspace(tally=tally, **model.workspace())
    with interpreted(), pytest.raises(Exception, match="more or fewer words than at the start"):
        step(model.game, model, Step(1, 0, 0), 1.0, work)
    assert not model.weights.any()


@pytest.mark.parametrize(
    ("places", "words"),
    [
        (((0, 0), (0, 1)), "has 2 places, and packed_tuples name cell 2"),
        (((0, 0), (0, 1), (0, 10**9)), "from 0 to 399"),
    ],
)
def test_places_that_the_cells_are_not_drawn_at_are_refused(places: Any, words: str) -> None:
    known = type("Placed", (StepKnowledge,), {"__module__": __name__, "cell_places": places})
    with pytest.raises(BadInput, match=f"cell_places .*{words}"):
        make_model(type("PlacedStairs", (Stairs,), {"__module__": __name__, "knowledge": known})())
