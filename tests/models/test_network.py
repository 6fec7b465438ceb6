"""Networks: gradients as finite differences say, views that agree, several outputs."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

from plywright import load_game
from plywright.bits import float_scratch, scratch
from plywright.compiled import Workspace, interpreted, kernel
from plywright.errors import BadInput
from plywright.models.cells import sample_states
from plywright.models.loading import make_model
from plywright.models.model import RATE, TALLY
from plywright.models.network import STEP


@kernel
def value_of(game: Any, knowledge: Any, state: Any, player: int) -> float:
    return 1.0 * knowledge.evaluate(state, player)  # type: ignore[no-any-return]


@kernel
def step(game: Any, knowledge: Any, state: Any, target: float, work: Any) -> float:
    return knowledge.adjust(state, target, work)  # type: ignore[no-any-return]


@kernel
def chances(game: Any, knowledge: Any, state: Any, player: int, work: Any) -> int:
    knowledge.chances(state, player, work.vectors, 0)
    return 0


def workspace(model: Any) -> Any:
    tally = np.zeros(TALLY)
    tally[RATE] = 1e-3
    return Workspace(tally=tally, target=np.zeros(5), vectors=np.zeros(5), **model.workspace())


@pytest.mark.parametrize(
    ("name", "second"), [("breakthrough:columns=4,rows=4", 0), ("breakthrough:columns=4,rows=4", 8), ("backgammon", 0)]
)
def test_a_step_follows_the_gradient(name: str, second: int) -> None:
    """The loss is the cross-entropy of logistic outputs, for one output in (-1, 1) its twin."""
    game = load_game(name)
    model: Any = make_model(game, "network", hidden=8, second=second)
    work = workspace(model)
    state = sample_states(game, 30)[21]
    aim = np.array([0.8, 0.3, 0.05, 0.1, 0.01])
    work.target[:] = aim

    def loss() -> float:
        if model.several:
            chances(game, model, state, 0, work)
            out = work.vectors
            return float(-np.sum(aim * np.log(out) + (1 - aim) * np.log(1 - out)))
        inside = value_of(game, model, state, 0) / (1 - 2.0**-12)
        chance, wanted = (1 + inside) / 2, (1 + 0.4) / 2
        return float(-2 * (wanted * np.log(chance) + (1 - wanted) * np.log(1 - chance)) / 2)

    before = {name: array.copy() for name, array in model.workspace().items()}
    random = np.random.default_rng(1)
    slopes = {}
    for part, array in model.workspace().items():
        moved = np.flatnonzero(array) if part == "rows" else np.arange(len(array))
        for place in random.choice(moved, min(len(moved), 400), replace=False):
            height = []
            for sign in (1, -1):
                array[place] = before[part][place] + sign * np.float32(0.01)
                height.append(loss())
            array[place] = before[part][place]
            slopes[part, place] = (height[0] - height[1]) / 0.02
    step(game, model, state, 0.4, work)
    for (part, place), slope in slopes.items():
        change = float(model.workspace()[part][place]) - float(before[part][place])
        assert change == pytest.approx(-STEP * 1e-3 * slope, abs=3e-7), (part, place)
    assert any(abs(slope) > 0.01 for (part, _), slope in slopes.items() if part == "rows")


@pytest.mark.parametrize("name", ["breakthrough:columns=4,rows=4", "backgammon"])
def test_both_sides_see_the_same_and_compiled_agrees(name: str) -> None:
    game = load_game(name)
    model = make_model(game, "network", hidden=8)
    for state in sample_states(game, 60)[::9]:
        native = value_of(game, model, state, 0)
        assert value_of(game, model, state, 1) == -native
        assert abs(native) < max(game.utility_range)
        with interpreted():
            assert value_of(game, model, state, 0) == pytest.approx(native, abs=1e-5)


def test_backgammons_inputs_are_the_published_ones() -> None:
    game = load_game("backgammon")
    model: Any = make_model(game, "network", on="published", hidden=8)
    places, values = np.zeros(512, np.int64), np.zeros(512, np.float32)
    count = model.inputs(game.start_state, places, values)
    found = dict(zip(places[:count].tolist(), values[:count].tolist(), strict=True))
    assert len(model.rows) == 198 * 8 * 2
    assert [found.get(20 + level) for level in range(4)] == [1, 1, 1, 1]  # five on point 6: three and (5 - 3) / 2
    assert [found.get(28 + level) for level in range(4)] == [1, 1, 1, None]  # three on point 8
    assert [found.get(92 + level) for level in range(4)] == [1, 1, None, None]  # two on point 24
    assert found.keys() & set(range(192, 196)) == set() and found[196] == 1


def test_a_bad_number_of_units_is_refused() -> None:
    with pytest.raises(BadInput, match="a multiple of 8, not 12"):
        make_model(load_game("tic-tac-toe"), "network", hidden=12)


@kernel
def both_ways(game: Any, knowledge: Any, state: Any, player: int, work: Any) -> int:
    """The values of all successors, one by one and each beside the first."""
    near, inputs, sums = scratch(), float_scratch(), float_scratch()
    near[0] = 0
    count = 0
    for action in game.actions(state):
        child = game.result(state, action)
        if not game.is_terminal(child) and count < 64:
            work.alone[count] = knowledge.evaluate(child, player)
            work.beside[count] = knowledge.evaluate_beside(child, player, near, inputs, sums)
            count += 1
    return count


@pytest.mark.parametrize(
    ("name", "second"), [("breakthrough:columns=4,rows=4", 0), ("backgammon", 8), ("backgammon", 0)]
)
def test_states_side_by_side_have_the_values_that_they_have_alone(name: str, second: int) -> None:
    """Backgammon's parts (contact, crashed, race) and inputs that come, go and stay are all among them."""
    game = load_game(name)
    model: Any = make_model(game, "network", hidden=40, second=second)
    model.rows[:] = np.random.default_rng(3).normal(size=len(model.rows)) / 4  # another for each part
    assert model.has_siblings == (name == "backgammon")  # Breakthrough's cells share inputs
    work: Any = Workspace(alone=np.zeros(64), beside=np.zeros(64))
    compared, parts = 0, set()
    for state in sample_states(game, 300):
        if game.is_terminal(state) or game.at_chance(state):
            continue
        count = both_ways(game, model, state, 0, work)
        assert work.beside[:count] == pytest.approx(work.alone[:count], abs=2e-5)
        compared += count > 1 and len(set(work.alone[:count])) > 1
        parts.add(int(model.part(game.result(state, next(iter(game.actions(state)))))))
        if compared == 3:
            with interpreted():
                plain: Any = Workspace(alone=np.zeros(64), beside=np.zeros(64))
                both_ways(game, model, state, 0, plain)
                assert plain.beside[:count] == pytest.approx(work.beside[:count], abs=1e-6)
    assert compared > 20 and (name != "backgammon" or len(parts) > 1)


def test_a_class_that_changes_the_evaluation_alone_shares_nothing() -> None:
    game = load_game("backgammon")
    model = make_model(game, "network", hidden=8)

    class Doubled(type(model)):  # type: ignore[misc]
        def evaluate(self, state: Any, player: int) -> float:
            return 0.5

    assert model.has_siblings and not Doubled(game, hidden=8).has_siblings
