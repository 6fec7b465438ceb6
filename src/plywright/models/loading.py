"""From a name or a file to a model of a game."""

from __future__ import annotations

import contextlib
from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from ..errors import BadInput, shown
from ..game import Game
from .linear import Linear
from .model import Model, joined
from .model_file import SUFFIX, ModelFile, load_model, save_model
from .network import Network
from .packed import Packed
from .tuples import Tuples

TREES = "mcts"
"""The one search that a model may name as its own."""
MODELS: dict[str, type[Model]] = {"linear": Linear, "tuples": Tuples, "network": Network, "packed": Packed}


def make_model(game: Game, name: str = "", *, on: str = "", **options: Any) -> Model:
    """A model that has learned nothing yet; without a name the one that suits the game.

    It stands on the game's own knowledge, whose features and inputs it sees, or on another of its knowledges (`on`).
    """
    made = _class(game, name or _suiting(game, on), on)(game, **options)
    made._on = on
    return made


def open_model(path: str | Path, game: Game) -> Model:
    """The model in a file; raises BadInput for one of other rules, or one that unpacks to more than a model has."""
    made: list[Model] = []

    def room(file: ModelFile) -> int:
        made.append(_fresh(file, game, path))
        return sum(array.nbytes for array in made[0].arrays.values())

    file = load_model(path, game, room)
    return _given(made[0], file, path)


def model_of(file: ModelFile, game: Game, path: str | Path = "the file") -> Model:
    """The model that a file describes."""
    return _given(_fresh(file, game, path), file, path)


@contextlib.contextmanager
def _handmade(path: str | Path) -> Iterator[None]:
    """Within this block a model is made of what a file says: what no training writes is the file's fault."""
    try:
        yield
    except (BadInput, TypeError, KeyError, AttributeError, ValueError, OverflowError) as error:
        raise BadInput(
            f"{path} is damaged or handmade, or its game's knowledge has changed: learn it anew ({error})"
        ) from None


def _fresh(file: ModelFile, game: Game, path: str | Path) -> Model:
    """The model that a header describes, which has learned nothing yet."""
    options = dict(file.options)
    on = str(options.pop("on", ""))
    with _handmade(path):
        model = _class(game, file.model, on)(game, **options)
    model._on = on
    return model


def _given(fresh: Model, file: ModelFile, path: str | Path) -> Model:
    """The same model with the weights of a file."""
    _hold_against(fresh, file.arrays, path)
    with _handmade(path):
        model = type(fresh)(fresh.game, file.arrays, **{k: v for k, v in file.options.items() if k != "on"})
    model._training, model._on = file.training, fresh._on
    model._algorithm = TREES if file.training.get("algorithm") == TREES else ""
    return model


def _hold_against(fresh: Model, arrays: Mapping[str, NDArray[Any]], path: str | Path) -> None:
    """Refuse arrays that compiled code, which trusts their places, would read or write beyond their ends.

    A checksum shows what was damaged, not what somebody wrote. Places are whole numbers, and must be as this game makes
    them.
    """
    for name, own in fresh.arrays.items():
        found = arrays.get(name)
        if found is None or found.dtype != own.dtype or found.shape != own.shape:
            raise BadInput(
                f"{path} does not hold a whole model: {name!r} is missing, or of another size or type "
                "(an earlier version may have saved it: learn again)"
            )
        if own.dtype.kind != "f" and name not in fresh.learned and not np.array_equal(found, own):
            raise BadInput(
                f"{path} does not fit this {fresh.game.name}: its {name!r} is not what the game's states make"
            )
    if beyond := sorted(set(arrays) - set(fresh.arrays)):
        raise BadInput(f"{path} does not hold a whole model: it has {shown(beyond[0])}, which nothing asks for")


def keep_model(model: Model, path: str | Path, training: dict[str, Any] | None = None) -> None:
    """Write a model to a file."""
    save_model(path, model.as_file(training))


def beside(rules: str | Path) -> Path:
    """Where the knowledge of a game in a file is looked for: `mygame.knowledge` beside `mygame.py`."""
    return Path(rules).with_suffix(SUFFIX)


def _suiting(game: Game, on: str) -> str:
    """The model that suits a game: packed tables where its knowledge writes boards as words."""
    own = game.knowledges.get(on) if on else game.knowledge
    return "packed" if hasattr(own, "boards") else "tuples"


def _class(game: Game, name: str, on: str = "") -> type[Model]:
    if name not in MODELS:
        raise BadInput(f"there is no model {shown(name)}; there are {', '.join(MODELS)}")
    if on and on not in game.knowledges:
        there = f"there is {', '.join(game.knowledges)}" if game.knowledges else "it has none by name"
        raise BadInput(f"{game.name} has no knowledge {shown(on)} that a model could stand on; {there}")
    return joined(MODELS[name], game.knowledges[on] if on else game.knowledge)
