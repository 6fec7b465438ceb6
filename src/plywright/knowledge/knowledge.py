"""`Knowledge` itself: made with its game, and what it tells people."""

from __future__ import annotations

import math
import re
from collections.abc import Mapping, Sequence
from typing import Any, Self

from ..errors import BadInput, shown
from ..game import Game
from ..weighted import Term, spoken, terms_of, with_weights
from .hooks import Hooks

EVEN = 8.0
"""The usual scale of winning chances: an eighth of the utility range in the lead is 73 %."""
HOPELESS = 700.0
"""By how many scales a chance is counted behind at most: further down `math.exp` overflows."""


class Knowledge(Hooks):
    """What a search may know of one game beyond its rules; by itself nothing but the game's own `evaluate`."""

    _protocol = True
    never_compiled = frozenset(
        {
            "chance",
            "moves_left",
            "units",
            "hooks",
            "lasting_keys",
            "evaluation_terms",
            "feature_weights",
            "terms_unit",
            "terms_note",
            "about_itself",
            "weight_lines",
            "with_weights",
        }
    )

    def __new__(cls, game: Game | None = None, *_: Any, **__: Any) -> Self:
        """With its game at hand from the start: no `super().__init__(game)` is needed."""
        made = super().__new__(cls)
        if game is not None:
            if not isinstance(game, Game):
                raise BadInput(f"{cls.__name__}(game) takes a game first, not {shown(game)}")
            made.__dict__["game"] = game
        return made

    def __init__(self, game: Game) -> None:
        """Knowledge of this game; a subclass may take weights and the like after it."""
        self.game = game

    def __init_subclass__(cls) -> None:
        super().__init_subclass__()
        if not vars(cls).get("name"):
            type.__setattr__(cls, "name", re.sub(r"(?<=[a-z0-9])(?=[A-Z])", "-", cls.__name__).lower())

    def chance(self, value: float, state: Any) -> float:
        """The chance to win, from 0 to 1, of whoever has this value: logistic in the value, certain at the ends.

        A game for one player, or one whose winner cannot be told by the value alone, has chances in the same sense:
        how far up its range the value is.
        """
        low, high = self.game.utility_range
        if self.game.opposed:
            high = max(abs(low), abs(high))
            low = -high
        if not low < value < high:
            return 1.0 if value >= high else 0.0
        scale = self.scale or (high - low) / EVEN
        return 1.0 / (1.0 + math.exp(min((0.5 * (low + high) - value) / scale, HOPELESS)))

    feature_names: tuple[str, ...] = ()
    """The features of an evaluation that is a weighted sum, by name."""
    weights_in: str = "weights"
    """The attribute that holds what one of each is worth: an array, a row of them for each stage of the game."""

    def features(self, state: Any, player: int) -> Sequence[float]:
        """How much of each feature a player has."""
        return ()

    def feature_weights(self, state: Any) -> Sequence[float]:
        """What one of each feature is worth in this state, in the units that evaluations are shown in."""
        return list(getattr(self, self.weights_in))

    def evaluation_terms(self, state: Any) -> list[Term]:
        """The features that `evaluate` weighs, for `best --explain-evaluation`; empty where it is no weighted sum."""
        return terms_of(self, state) if self.feature_names else []

    @property
    def terms_unit(self) -> str:
        """What the worth of `evaluation_terms` is counted in."""
        return self.game.evaluation_unit[1] if self.game.evaluation_unit else "value"

    @property
    def terms_note(self) -> str:
        """What is to be said below that table, such as what becomes of the sum."""
        return ""

    def about_itself(self) -> str:
        """What it is, in a line of `knowledge show`: by default the first line of the class's docstring."""
        return next(iter((type(self).__doc__ or "").strip().splitlines()), "")

    def weight_lines(self) -> list[tuple[str, float | str]]:
        """What `knowledge show` lists: the parts of the evaluation in words, and what each weighs, a number or words.

        By default the features of a weighted sum, as they weigh at the start of a game.
        """
        names = self.feature_names
        weights = self.feature_weights(self.game.start_state) if names else []
        return [(spoken(name), float(weight)) for name, weight in zip(names, weights, strict=True)]

    def with_weights(self, given: Mapping[str, float]) -> Self:
        """The same knowledge with other weights: `knowledge.with_weights({"mobility": 0})`."""
        return with_weights(self, given)  # type: ignore[no-any-return]
