"""TD-leaf and regression learn; regression fits what it is given and says how well."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

from plywright import BadInput, learn, load_game
from plywright.bits import write_state
from plywright.compiled import Workspace
from plywright.learning.regression import fit_to, gather, positions_of
from plywright.learning.self_play import LAMBDA, LEAVES, learn_leaves
from plywright.learning.strength import measure
from plywright.models.cells import sample_states
from plywright.models.loading import make_model
from plywright.state import leaves

SMALL = "breakthrough:columns=4,rows=5"


@pytest.mark.parametrize(
    "how", [{"method": "leaf", "depth": 2}, {"method": "regression", "depth": 2}, {"loss": "squares", "noise": 0.05}]
)
def test_every_method_learns(how: Any) -> None:
    game = load_game(SMALL)
    model = learn(game, games=1_500, pairs=0, **how)
    found = measure(game, model, make_model(game), pairs=8, mode="depth:2")
    assert found.wins > found.losses + 4
    again = learn(game, games=300, pairs=0, seed=3, **how)
    assert np.array_equal(again.arrays["weights"], learn(game, games=300, pairs=0, seed=3, **how).arrays["weights"])


def test_a_leaf_learns_nothing_from_what_came_after_another_move() -> None:
    """Four leaves; after the second one play went another way: it is left out, and its value begins a new target."""
    game = load_game("tic-tac-toe")
    start = game.start_state
    size = len(leaves(start))
    words = np.zeros(4 * size, np.int64)
    for n in range(4):
        write_state(words, n * size, start)
    info, settings = np.zeros(32, np.int64), np.zeros(32)
    info[LEAVES], settings[LAMBDA] = size, 0.5
    work = Workspace(
        outcome=np.array([1.0]),
        values=np.array([0.1, 0.2, 0.3, 0.4]),
        broken=np.array([0, 1, 0, 0]),
        states=words,
        info=info,
        settings=settings,
    )
    told = []

    class Told:
        def adjust(self, state: Any, target: float, work: Any) -> float:
            told.append(round(target, 6))
            return 0.0

    learn_leaves(game, Told(), start, 4, work)
    assert told == [1.0, 0.7, 0.2]  # the last two leaves, and the first from the value of the second


def test_regression_recovers_the_weights_that_made_the_scores() -> None:
    """A linear model is fitted to scores of another one: the features come out in its proportions."""
    game = load_game(SMALL)
    truth: Any = make_model(game, "linear", pawns=0.4, advance_squared=0.02)
    states = sample_states(game, 1200)
    scores = [truth.evaluate(state, 0) for state in states]
    model: Any = make_model(game, "linear")
    fits = list(fit_to(model, positions_of(model, states, [0.0] * len(states), scores), share=1.0, passes=30))
    assert fits[-1].held_out < 1e-4
    assert model.weights == pytest.approx(truth.weights, rel=0.15)


def test_what_is_learned_by_heart_shows_on_what_was_held_out() -> None:
    """Results drawn by lot can only be learned by heart."""
    game = load_game(SMALL)
    model = make_model(game)
    found = gather(model, games=20)
    assert len(found) == len(found.states) > 100
    found.results[:] = np.random.default_rng(1).choice([-1.0, 1.0], len(found))
    *_, last = fit_to(model, found, passes=60)
    assert last.learned < 0.5 < last.held_out


def test_nonsense_is_refused() -> None:
    game = load_game(SMALL)
    model = make_model(game)
    with pytest.raises(BadInput, match="method is td, leaf or regression, not 'sarsa'"):
        learn(game, games=1, method="sarsa")
    with pytest.raises(BadInput, match="loss is logistic or squares"):
        learn(game, games=1, loss="absolute")
    with pytest.raises(BadInput, match="there are 2 positions"):
        positions_of(model, sample_states(game, 2), [1.0])
    with pytest.raises(BadInput, match="finite"):
        positions_of(model, sample_states(game, 1), [float("nan")])
    with pytest.raises(BadInput, match="share goes from 0 to 1"):
        next(fit_to(model, positions_of(model, sample_states(game, 2), [1.0, 0.0]), share=2))
    with pytest.raises(BadInput, match="no positions"):
        next(fit_to(model, positions_of(model, [], [])))
    with pytest.raises(BadInput, match="several outputs learns by td"):
        learn("backgammon", games=1, model="network", method="leaf", pairs=0, options={"hidden": 8})
    with pytest.raises(BadInput, match="several outputs makes the logistic loss least, not squares: leave loss out"):
        learn("backgammon", games=1, model="network", loss="squares", pairs=0, options={"hidden": 8})
