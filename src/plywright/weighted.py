"""Evaluations that are weighted sums: their features as a table, and the same with other weights.

A knowledge lists `feature_names`, says in `features(state, player)` how much of each a player has, and keeps what one
of each is worth in the array `weights`: one row, or a row for each stage of the game.
"""

from __future__ import annotations

import itertools
import math
from collections.abc import Mapping, Sequence
from typing import Any, NamedTuple

import numpy as np

from .errors import BadInput, GameError, nearest, shown
from .identity import WORKED_OUT

MANY = 1 << 20
"""Features, or cells, after which nobody waits for the end."""


class Term(NamedTuple):
    """One feature of an evaluation: how often the first and the second player have it, what one is worth in words, and
    what it is worth to each of them, in the units that the game's evaluation is shown in."""

    name: str
    weight: str
    counts: tuple[float, ...]
    worth: tuple[float, ...]


def terms_of(knowledge: Any, state: Any) -> list[Term]:
    """Each feature, its weight in this state, and what each player has of it."""
    names, weights = knowledge.feature_names, weights_of(knowledge, state)
    players = range(knowledge.game.players)
    sides = [features_of(knowledge, state, player) for player in players]
    found = []
    for n, name in enumerate(names):
        counts = tuple(side[n] for side in sides)
        found.append(Term(spoken(name), f"{weights[n]:.4g}", counts, tuple(weights[n] * count for count in counts)))
    return found


def told_terms(knowledge: Any, state: Any) -> list[Term]:
    """The knowledge's table; of a class that redefines `evaluate` alone, with what its terms do not explain as "rest".

    Empty where there is no table, or where that rest cannot be told, since the sum is not the evaluation itself.
    """
    found: list[Term] = knowledge.evaluation_terms(state)
    line = type(knowledge).__mro__
    evaluates, *explain = (
        next(place for place, base in enumerate(line) if name in vars(base))
        for name in ("evaluate", "evaluation_terms", "features", "feature_weights")
    )
    if not found or evaluates >= min(explain):
        return found
    if knowledge.game.players > 2 or knowledge.terms_note:
        return []
    unit = knowledge.game.evaluation_unit[0] if knowledge.game.evaluation_unit else 1.0
    told = sum(term.worth[0] - sum(term.worth[1:]) for term in found)
    rest = float(knowledge.evaluate(state, 0)) / unit - told
    return [*found, one_sided("rest", rest, knowledge.game.players)]


def one_sided(name: str, worth: float, players: int) -> Term:
    """A term that nobody has so and so many of: worth this to the first player or, where it is less than nothing, as
    much to the second."""
    found = [0.0] * players
    if worth < 0 and players > 1:
        found[1] = -worth
    else:
        found[0] = worth
    return Term(name, "", (0.0,) * players, tuple(found))


def weights_of(knowledge: Any, state: Any) -> list[float]:
    """What one of each feature is worth; raises GameError where that is not one number for each name."""
    names, kept = knowledge.feature_names, knowledge.weights_in
    if not knowledge.overrides("feature_weights") and not hasattr(knowledge, kept):
        raise GameError(
            f"the knowledge {knowledge.name} of {knowledge.game.name} lists feature_names and has no {kept}: let its "
            f"__init__ set self.{kept} = np.array([...]), a number for each of {', '.join(names)}, or learn them "
            "(plywright learn --model linear)"
        )
    found = [float(weight) for weight in knowledge.feature_weights(state)]
    if len(found) != len(names):
        raise GameError(
            f"the knowledge {knowledge.name} of {knowledge.game.name} has {len(found)} weights, and feature_names "
            f"lists {len(names)}: {', '.join(names)}"
        )
    return found


def check_names(knowledge: Any, game: Any) -> None:
    """Refuse feature_names that do not name the features: a row of texts, each said once."""
    names = knowledge.feature_names
    whole = isinstance(names, (tuple, list)) and all(isinstance(name, str) and name.strip() for name in names)
    if not whole or len({spoken(name) for name in names}) != len(names):
        raise GameError(f"{game.name}: feature_names is a tuple of names, each one once, not {shown(names)}")


def features_of(knowledge: Any, state: Any, player: int) -> list[float]:
    """What a player has of each feature; raises GameError where that is not one finite number for each name."""
    given = listed(knowledge.features(state, player))
    if wrong := features_fault(knowledge.feature_names, given):
        raise GameError(f"{knowledge.game.name}: features() {wrong}")
    return [float(value) for value in given]


def listed(given: Any) -> Any:
    """What a hook gives in a row, such as features() and cells(), written out; what is no row stays as it is."""
    return list(itertools.islice(given, MANY)) if hasattr(given, "__iter__") else given


def many(given: list[Any]) -> str:
    """How many there are in what `listed` has written out, in words: there may be more."""
    return f"{MANY:,} or more" if len(given) == MANY else str(len(given))


def features_fault(names: Sequence[str], given: Any, largest: float = math.inf) -> str:
    """What is wrong with the answer of features(), as the end of a sentence; empty where nothing is."""
    try:
        found = [float(value) for value in given]
    except (TypeError, ValueError, OverflowError):
        return f"gives {shown(given)}; it should be a number for each of feature_names"
    if len(found) != len(names):
        return f"gives {many(found)} values ({shown(found)}), and feature_names lists {len(names)}"
    for name, value in zip(names, found, strict=True):
        if not math.isfinite(value):
            return f"gives {value:g} for {name!r}: each feature is a finite number"
        if abs(value) > largest:
            return f"gives {value:g} for {name!r}: a feature lies within plus or minus {largest:g}"
    return ""


def with_weights(knowledge: Any, given: Mapping[str, float]) -> Any:
    """The same knowledge, in which one of each feature that is named is worth what is given, at every stage."""
    names = [spoken(name) for name in knowledge.feature_names]
    kept = getattr(knowledge, knowledge.weights_in, None)
    if not names or not isinstance(kept, np.ndarray) or not kept.size or kept.size % len(names):
        raise BadInput(
            f"the knowledge {knowledge.name} of {knowledge.game.name} has no weights by name that could be changed"
        )
    weights = kept.reshape(-1, len(names)).copy()
    for name, value in named_weights(knowledge, given, names).items():
        weights[:, names.index(name)] = value
    return copy_with(knowledge, {knowledge.weights_in: weights.reshape(kept.shape).astype(kept.dtype)})


def named_weights(knowledge: Any, given: Mapping[str, float], names: Sequence[str]) -> dict[str, float]:
    """What is given, by the names as they are said; raises BadInput for a name or a number that is none."""
    found = {}
    for name, value in given.items():
        if spoken(name) not in names:
            close = nearest(spoken(name), names)
            hint = f"did you mean {close!r}?" if close else f"it has {', '.join(names)}"
            raise BadInput(f"{knowledge.game.name} has no feature {name!r}: {hint}")
        if isinstance(value, bool) or not isinstance(value, (int, float)) or not math.isfinite(value):
            raise BadInput(f"the weight of {name!r} is a number, not {shown(value)}")
        found[spoken(name)] = float(value)
    return found


def copy_with(knowledge: Any, changed: Mapping[str, Any]) -> Any:
    """The same knowledge with other arrays: nothing is compiled again."""
    cls: Any = type(knowledge)
    other = cls.__new__(cls)
    other.__dict__.update({name: value for name, value in vars(knowledge).items() if name not in WORKED_OUT})
    other.__dict__.update(changed)
    return other


def read_weights(text: str) -> dict[str, float]:
    """`material=2,mobility=0` as a mapping."""
    found: dict[str, float] = {}
    for part in filter(None, (piece.strip() for piece in text.split(","))):
        name, equals, value = (piece.strip() for piece in part.partition("="))
        try:
            number = float(value)
        except ValueError:
            number = math.nan
        if not name or not equals or not math.isfinite(number):
            raise BadInput(f"weights are written FEATURE=NUMBER, as in material=2,mobility=0; {part!r} is not")
        if name in found:
            raise BadInput(f"the weight of {name!r} is given twice")
        found[name] = number
    if not found:
        raise BadInput("weights are written FEATURE=NUMBER, as in material=2,mobility=0")
    return found


def spoken(name: str) -> str:
    """A feature's name as it is said: on a command line blanks may be written as `_` or `-`."""
    return name.replace("_", " ").replace("-", " ")
