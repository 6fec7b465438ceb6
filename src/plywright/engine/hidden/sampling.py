"""Deals drawn in proportion to what the others would have done: importance sampling over a seat's past.

A deal is drawn by what the seat sees now (`deal`), as chance alone would have it. Its weight is how likely the model
of the others makes their part of the past: the states that were behind the earlier views follow from the deal
(`Game.earlier`), and so does what the others did there. A game without `earlier` is played forward from its start
instead, each step drawn from those that agree with the next moment of the past and weighed by how likely they are.

Weights are logarithms; `Tally` adds up values by weight. The effective sample size, (sum w)^2 / sum w^2, says how many
deals of equal weight would tell as much.
"""

from __future__ import annotations

import bisect
import math
from collections.abc import Callable, Mapping
from typing import Any

import numpy as np
from numpy.typing import NDArray

from ...dice import draw, roll
from ...errors import BadInput
from ...game import CHANCE
from ...rng import uniform
from .beliefs import View, possible_steps
from .past import Moment, PastRecorder, checked_past

IMPOSSIBLE = -math.inf
MOST_VAIN = 2_000
"""Deals that are drawn one after the other without one that the past allows, before the past is called impossible."""
LONGEST_GAME = 20_000
FIRST_POOL = 32
PER_NEW = 8
"""How often deals are drawn again from the pool for each new one."""


class DealSampler:
    """Deals of one view with the weights that a past and a model of the others give them."""

    def __init__(self, view: View, past: Any, model: Mapping[int, Any]) -> None:
        self.view, self.game, self.seat, self.model = view, view.game, view.seat, model
        self.past = checked_past(view.game, past, view.seat)
        self.backward = self.game.recalls and (self.game.draws_deals or self.game.lists_deals)
        self.acts: dict[int, list[int]] = {}  # by moment: the step that led on from it in the previous deal
        self.total = self.squares = 0.0  # of the weights so far, in units of exp(top)
        self.top = IMPOSSIBLE
        self.pool: list[Any] = []
        self.weights: list[float] = []  # logarithms, of the pool
        self.sums: list[float] = []  # running sums of the pool's weights
        self.asked = 0

    # -- one deal ----------------------------------------------------------------------------------------------

    def draw(self, rng: Any, enough: Callable[[], bool] = lambda: False) -> tuple[Any, float] | None:
        """A deal that the past allows and the logarithm of its weight; None where `enough` says so first."""
        for _ in range(MOST_VAIN):
            if self.backward:
                state = self.view.deal(rng)
                weight = self.weigh(state)
            else:
                state, weight = self.play_forward(rng)
            if weight > IMPOSSIBLE:
                self.note(weight)
                return state, weight
            if enough():
                return None
        raise self.impossible(f"{MOST_VAIN:,}")

    def note(self, weight: float) -> None:
        if weight > self.top:
            shrink = math.exp(self.top - weight) if self.top > IMPOSSIBLE else 0.0
            self.total, self.squares, self.top = self.total * shrink, self.squares * shrink * shrink, weight
        share = math.exp(weight - self.top)
        self.total += share
        self.squares += share * share

    @property
    def effective(self) -> float:
        """The effective sample size of the deals so far."""
        return self.total * self.total / self.squares if self.squares > 0.0 else 0.0

    def weigh_all(self) -> list[tuple[Any, float]]:
        """Every deal with its probability, where deals can be listed and followed back."""
        if not self.backward:
            return self.view.weighed(self.model)
        found = [(state, math.log(chance) + self.weigh(state)) for state, chance in self.view.listed() if chance > 0.0]
        top = max(weight for _, weight in found)
        if top == IMPOSSIBLE:
            raise self.impossible(f"{len(found):,}")
        total = math.fsum(math.exp(weight - top) for _, weight in found)
        return [(state, math.exp(weight - top) / total) for state, weight in found if weight > IMPOSSIBLE]

    def impossible(self, count: str) -> BadInput:
        return BadInput(
            f"under this model of the others {self.game.player_name(self.seat)} cannot come to see this in "
            f"{self.game.name}: none of {count} deals fits its past"
        )

    # -- backward: the states behind the earlier views ---------------------------------------------------------------

    def weigh(self, state: Any) -> float:
        """The logarithm of how likely the model makes what the others did on the way to this deal."""
        game, weight = self.game, 0.0
        after = state
        for place in reversed(range(len(self.past))):
            moment = self.past[place]
            before = game.coerce_state(game.earlier(state, moment.view, self.seat))
            if not bool(game.observation(before, self.seat) == moment.view) or game.is_terminal(before):
                return IMPOSSIBLE
            mover = int(game.to_move(before))
            if mover != CHANCE:
                chance = self.chance_of(place, before, after, mover, moment)
                if not chance > 0.0:
                    return IMPOSSIBLE
                weight += math.log(chance)
            after = before
        return weight

    def chance_of(self, place: int, before: Any, after: Any, mover: int, moment: Moment) -> float:
        """How likely the mover does what leads from one state to the next; for the seat itself 1 or 0."""
        game = self.game
        if mover == self.seat:
            legal = moment.action is not None and moment.action in game.actions(before)
            return 1.0 if legal and game.state_after(before, moment.action) == after else 0.0  # type: ignore[arg-type]
        if moment.action is not None:
            return 0.0
        acts = [action for action in self.acts.get(place, ()) if self.leads(before, action, after)]
        if not acts:
            acts = [int(action) for action in game.actions(before) if game.state_after(before, int(action)) == after]
            self.acts[place] = acts
        if mover not in self.model:
            return float(len(acts))
        odds = dict(possible_steps(game, before, mover, self.model)) if acts else {}
        return math.fsum(odds.get(action, 0.0) for action in acts)

    def leads(self, before: Any, action: int, after: Any) -> bool:
        return action in self.game.actions(before) and bool(self.game.state_after(before, action) == after)

    # -- forward: from the start, along the past ---------------------------------------------------------------------

    def play_forward(self, rng: Any) -> tuple[Any, float]:
        """A game from its start whose past is this one, and the logarithm of its weight."""
        game, seen = self.game, self.view.seen
        state, weight = game.start_state, 0.0
        recorder = PastRecorder(game, self.seat)
        for _ in range(LONGEST_GAME):
            if game.is_terminal(state):
                return state, IMPOSSIBLE
            mover = CHANCE if game.at_chance(state) else int(game.to_move(state))
            if mover == self.seat and len(recorder.past(seen)) == len(self.past):
                return state, weight if bool(game.observation(state, self.seat) == seen) else IMPOSSIBLE
            steps = self.fitting(state, mover, recorder, rng)
            if not steps:
                return state, IMPOSSIBLE
            total = math.fsum(chance for _, chance in steps)
            weight += math.log(total)
            action = draw(rng, [(step, chance / total) for step, chance in steps])
            recorder.see(state, mover, action)
            state = game.state_after(state, action)
        return state, IMPOSSIBLE

    def fitting(self, state: Any, mover: int, recorder: PastRecorder, rng: Any) -> list[tuple[int, float]]:
        """The steps from here that agree with the past, each with its chance."""
        game, past, met = self.game, self.past, len(recorder.moments)
        if mover == self.seat:
            view, action = past[met] if met < len(past) else Moment(None, None)
            fits = action is not None and bool(game.observation(state, mover) == view)
            return [(action, 1.0)] if action is not None and fits and action in game.actions(state) else []
        now = Moment(game.observation(state, self.seat), None)
        shown = mover != CHANCE or recorder.by_player
        fresh = shown and not (recorder.moments and recorder.moments[-1] == now)
        if fresh and met < len(past) and past[met] != now:
            return []
        if fresh and met == len(past) and not self.may_be_last(now):
            return []
        if mover == CHANCE and not game.lists_chance:
            return [(roll(game, state, rng), 1.0)]
        after = met + fresh
        return [
            (action, chance)
            for action, chance in possible_steps(game, state, mover, self.model)
            if self.goes_on(game.state_after(state, action), after, now if shown else None)
        ]

    def may_be_last(self, now: Moment) -> bool:
        """Whether the moment after the past may be the present one, seen before it is the seat's turn."""
        return bool(now.view == self.view.seen)

    def goes_on(self, state: Any, met: int, now: Moment | None) -> bool:
        """Whether what the seat sees next is what its past has next; chance may come in between."""
        game = self.game
        if game.at_chance(state):
            return True
        looks = game.observation(state, self.seat)
        if now is not None and bool(looks == now.view):
            return True
        return bool(looks == (self.past[met].view if met < len(self.past) else self.view.seen))

    # -- a pool to draw from again ---------------------------------------------------------------------------------

    def redraw(self, rng: Any, enough: Callable[[], bool] = lambda: False) -> Any:
        """A deal from the pool of those so far, by weight; the pool grows with the number of draws.

        None where nothing was found in time.
        """
        self.asked += 1
        while len(self.pool) < FIRST_POOL + self.asked // PER_NEW:
            found = self.draw(rng, enough)
            if found is None:
                break
            self._keep(*found)
            if enough():
                break
        if not self.pool:
            return None
        return self.pool[min(bisect.bisect_right(self.sums, uniform(rng) * self.sums[-1]), len(self.pool) - 1)]

    def _keep(self, state: Any, weight: float) -> None:
        self.pool.append(state)
        self.weights.append(weight)
        if weight == self.top:  # the unit exp(top) may have changed: add everything up again
            self.sums = list(np.cumsum(np.exp(np.array(self.weights) - self.top)))
        else:
            self.sums.append(self.sums[-1] + math.exp(weight - self.top))


class Tally:
    """Values of actions over weighted deals: their means, and what those leave in doubt."""

    def __init__(self, actions: int) -> None:
        self.n = actions
        self.top = IMPOSSIBLE
        self.weight = self.weight_squares = 0.0
        self.sums = np.zeros(actions)
        self.products = np.zeros((actions, actions))
        self.square_sums = np.zeros(actions)  # the same by squares of weights
        self.square_products = np.zeros((actions, actions))

    def add(self, values: NDArray[np.float64], log_weight: float) -> None:
        if log_weight > self.top:
            shrink = math.exp(self.top - log_weight) if self.top > IMPOSSIBLE else 0.0
            self.top = log_weight
            self.weight *= shrink
            self.sums *= shrink
            self.products *= shrink
            self.weight_squares *= shrink * shrink
            self.square_sums *= shrink * shrink
            self.square_products *= shrink * shrink
        share = math.exp(log_weight - self.top)
        outer = np.outer(values, values)
        self.weight += share
        self.sums += share * values
        self.products += share * outer
        self.weight_squares += share * share
        self.square_sums += share * share * values
        self.square_products += share * share * outer

    @property
    def effective(self) -> float:
        return self.weight**2 / self.weight_squares if self.weight_squares > 0.0 else 0.0

    def means(self) -> NDArray[np.float64]:
        return self.sums / self.weight if self.weight > 0.0 else np.zeros(self.n)

    def errors(self) -> NDArray[np.float64]:
        """The standard error of each difference of two means, by the delta method for ratios of sums."""
        means = self.means()
        apart = means[:, None] - means[None, :]
        diagonal = np.diagonal(self.square_products)
        spread = diagonal[:, None] - 2 * self.square_products + diagonal[None, :]
        spread -= 2 * apart * (self.square_sums[:, None] - self.square_sums[None, :])
        spread += apart**2 * self.weight_squares
        spread[np.abs(spread) < 1e-12 * (1 + np.abs(self.square_products).max())] = 0.0
        return np.sqrt(np.maximum(spread, 0.0)) / max(self.weight, 1e-300) * self._correction()

    def error(self, place: int) -> float:
        """The standard error of one mean."""
        mean = float(self.means()[place])
        spread = self.square_products[place, place] - 2 * mean * self.square_sums[place] + mean**2 * self.weight_squares
        return math.sqrt(max(float(spread), 0.0)) / max(self.weight, 1e-300) * self._correction()

    def _correction(self) -> float:
        """For a mean that was taken from the same deals."""
        return math.sqrt(self.effective / (self.effective - 1.0)) if self.effective > 1.0 + 1e-9 else 1.0
