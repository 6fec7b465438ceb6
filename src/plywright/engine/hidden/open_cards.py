"""The same game with open cards: what a search of one deal searches."""

from __future__ import annotations

from typing import Any, TypeVar

from ...game import Game

AnyGame = TypeVar("AnyGame", bound=Game)


def opened(game: AnyGame) -> AnyGame:
    """The game as one of perfect information: equal rules, equal compiled code, nothing hidden.

    Where a state is the whole truth (a deal that a search made up, a policy that stands for an opponent) it may
    be searched like any other; only whoever holds the true state must not do so.
    """
    kept: AnyGame | None = game.__dict__.get("_opened")
    if kept is not None or not game.hidden:
        return game if kept is None else kept
    _ = game.fingerprint  # freezes the rules, so that both games have the same ones
    _ = game.fixed_views  # cannot be found out any more once nothing is hidden
    cls = type(game)
    # its states are deals that the game itself made
    names: dict[str, Any] = {
        "hidden": False,
        "checks_states": False,
        "name": cls.name,
        "__module__": cls.__module__,
        "__doc__": cls.__doc__,
    }
    make: Any = type(cls)
    open_cls = make(cls.__name__, (cls,), {**names, "__qualname__": cls.__qualname__})
    copy: AnyGame = object.__new__(open_cls)
    copy.__dict__.update(game.__dict__)
    game.__dict__["_opened"] = copy
    return copy
