"""What all models have in common: an evaluation whose weights were learned, on top of what the game knows by itself.

A model is a `Knowledge`. Where the game has knowledge of its own, the model's class is made a subclass of both, so that
the order of moves, bounds and all other hooks stay, and only `evaluate` is the model's.

Compiled code calls three of its methods:

    evaluate(state, player)             # as any knowledge
    adjust(state, target, work)         # one step of learning: bring the first player's value nearer to the target
    gradient...                         # is the model's own affair, inside adjust
"""

from __future__ import annotations

import math
from collections.abc import Mapping
from functools import cache
from typing import Any, ClassVar

import numpy as np
from numpy.typing import NDArray

from ..errors import BadInput, Unsuitable
from ..game import CHANCE, Game
from ..knowledge import Knowledge
from ..rule_guard import Guard, watched
from .model_file import ModelFile

RATE, ERROR, SQUARES, STEPS, LOSS = range(5)
"""Places in `work.tally`: the step size asked for, the last error, squared errors so far and how many; LOSS is 0 where
the logistic loss is made least, whose slope is the error itself, and 1 for least squares."""
TALLY = 8
TEMPERATURE = 0.2
"""A value that is greater by this share of the largest utility makes an action e times as promising."""
LARGEST = 1e20
"""Weights lie within plus or minus this, far beyond what any training brings: sums of them, times features and inputs
of up to 1e15, are still numbers."""
INSIDE = 1 - 2.0**-12
"""Estimates stay this far inside the range of utilities, for which certainty is kept."""


class Model(Knowledge):
    """The base of learned evaluations."""

    _protocol = True
    model: ClassVar[str] = ""
    """Its name in files and on the command line."""
    cutoff = 0  # Monte Carlo trees take its value at their leaves, and play nothing at random
    learned: ClassVar[tuple[str, ...]] = ("weights",)
    """Its arrays that may hold any number, also where their numbers are whole: nothing is looked up by those."""
    least_squares: ClassVar[bool] = False
    """Whether it makes squared errors least, whichever loss is asked for."""
    several: bool = False
    """Whether it has several outputs (see `network`), which learn each from its own target."""

    def __init__(self, game: Game, arrays: Mapping[str, NDArray[Any]] | None = None, **options: Any) -> None:
        super().__init__(game)
        check_learnable(game)
        low, high = game.utility_range
        self.top = float(max(abs(low), abs(high)))
        self.options = options
        self.chancy, self.rolls = game.has_chance, self.overrides("roller")
        self._training: dict[str, Any] = {}
        self._on = self._algorithm = ""
        made = self.prepare(**options) if arrays is None else arrays
        self._made = tuple(made)
        for name, array in made.items():
            if array.dtype.kind == "f" and array.size and not -LARGEST <= array.min() <= array.max() <= LARGEST:
                what = f"beyond {LARGEST:g}" if np.all(np.isfinite(array)) else "that are not finite"
                raise BadInput(f"the {self.model} model of {game.name} has weights {what}, in {name!r}")
            setattr(self, name, np.ascontiguousarray(array))

    def prepare(self, **options: Any) -> dict[str, NDArray[Any]]:
        """The arrays of a model that has learned nothing yet."""
        raise NotImplementedError

    def adjust(self, state: Any, target: float, work: Any) -> float:
        """Bring the first player's value of a state nearer to the target; returns the error there was."""
        raise NotImplementedError

    def examine(self, guard: Guard, state: Any) -> None:
        """Ask, as Python, the author's hooks that it learns from about a state; raises Fault where one is wrong."""

    def check(self) -> None:
        """Ask them at the start of the game, once all that it knows of them is there."""
        guard = Guard(self.game, knowledge=self)
        watched(guard, lambda: self.examine(guard, self.game.start_state))

    def viewer(self, state: Any) -> Any:
        """Who is to move, or to roll: the game's knowledge says the latter in `roller(state)`."""
        turn = self.game.to_move(state)
        if self.chancy and turn == CHANCE:
            turn = self.roller(state) if self.rolls else 0  # type: ignore[attr-defined]
        return turn

    def prior(self, state: Any, action: int) -> float:
        """How promising an action looks to a Monte Carlo tree: by the value of what it leads to."""
        mover = self.game.to_move(state)
        after = self.game.result(state, action)
        if self.game.is_terminal(after):
            value = 1.0 * self.game.utility(after, mover)
        else:
            value = 1.0 * self.evaluate(after, mover)
        return math.exp(min(max(value / self.top, -1.0), 1.0) / TEMPERATURE)

    def workspace(self) -> dict[str, NDArray[Any]]:
        """The arrays that `adjust` changes: the weights themselves, and what its step sizes are made of."""
        raise NotImplementedError

    @property
    def algorithm(self) -> str:  # type: ignore[override]
        """The search that played best with it, where that was tried."""
        return self._algorithm

    @property
    def evaluates(self) -> bool:
        return True

    @property
    def has_prior(self) -> bool:
        return True

    def _facts(self) -> tuple[str, ...]:
        return *super()._facts(), "several", "chancy"

    def _roots(self) -> tuple[str, ...]:
        return *super()._roots(), "adjust"

    @property
    def arrays(self) -> dict[str, NDArray[Any]]:
        """All its arrays by name: what a file keeps. Those of the game's own knowledge are not its own."""
        return {name: getattr(self, name) for name in self._made}

    @property
    def training(self) -> dict[str, Any]:
        """How it was trained: what the file says."""
        return self._training

    @property
    def terms_unit(self) -> str:
        return "part of the sum"

    @property
    def terms_note(self) -> str:
        of = f" for {self.game.player_name(0)}" if self.game.players > 1 else ""
        return (
            f"the evaluation{of} is the sum, brought between {-self.top:g} and {self.top:g} by {self.top:g} * tanh(sum)"
        )

    def copy(self) -> Model:
        """The same with weights of its own."""
        arrays = {name: array.copy() for name, array in self.arrays.items()}
        other = type(self)(self.game, arrays, **self.options)
        other._on, other._algorithm = self._on, self._algorithm
        return other

    def as_file(self, training: Mapping[str, Any] | None = None) -> ModelFile:
        record = self.training if training is None else training
        options = self.options | ({"on": self._on} if self._on else {})
        return ModelFile.of(self.game, self.model, self.arrays, options=options, training=record)


def check_learnable(game: Game) -> None:
    """Refuse, in one sentence, games whose positions have no one value."""
    if game.hidden:
        raise Unsuitable(f"nothing can be learned about {game.name} yet: players do not see the whole state")
    if game.players > 1 and not (game.opposed and game.players == 2):
        raise Unsuitable(f"models are of games for one player or for two that oppose each other, not of {game.name}")


@cache
def joined(model: type[Model], own: type[Knowledge] | None) -> type[Model]:
    """The model's class on top of the knowledge that a game has, whose other hooks it keeps."""
    if own is not None and issubclass(own, Model):  # what it was learned on top of
        bases = [base for base in own.__mro__ if issubclass(base, Knowledge) and base not in Model.__mro__]
        own = next((base for base in bases if not issubclass(base, Model)), None)
    if own is None or issubclass(model, own):
        return model
    return type(model.__name__, (model, own), {"__module__": own.__module__, "name": model.model})
