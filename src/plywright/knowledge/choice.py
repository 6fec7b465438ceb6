"""Which knowledge a search of a game has: the one given, one of the game's by name, or the game's default."""

from __future__ import annotations

from collections.abc import Mapping
from types import FunctionType
from typing import Any

from ..errors import BadInput, GameError, shown
from ..game import Game
from ..game.parameters import parameters_of, unlike
from .facts import HOOKS
from .knowledge import Knowledge


class NoKnowledge(Knowledge):
    """Nothing but the rules: what `knowledge=none` means. Not even the game's own evaluation."""

    name = "none"

    def evaluate(self, state: Any, player: int) -> float:
        """What an unfinished state counts where nothing is known."""
        return self.game.neutral_value

    @property
    def evaluates(self) -> bool:
        return False


def old_hooks(game: Game) -> list[str]:
    """The methods of a game that are written as hooks, which nothing asks there since 0.2."""
    return [hook for hook in HOOKS if _same_shape(getattr(type(game), hook, None), getattr(Knowledge, hook))]


def _same_shape(found: object, hook: FunctionType) -> bool:
    """Whether a class member is a method that takes what the hook takes."""
    return isinstance(found, FunctionType) and found.__code__.co_argcount == hook.__code__.co_argcount


def old_hooks_note(game: Game) -> str:
    """What to tell the author of a game that still defines hooks; empty where it defines none."""
    found = old_hooks(game)
    if not found:
        return ""
    names = ", ".join(f"{hook}()" for hook in found)
    return (
        f"{type(game).__name__} defines {names}, which nothing asks: since 0.2 such hooks live in a Knowledge "
        f"(class {type(game).__name__}Knowledge(Knowledge), named by knowledge = ... in the game)"
    )


def knowledge_of(game: Game, chosen: Knowledge | str | None = None) -> Knowledge:
    """The knowledge to search a game with: the one given, one of the game's by name, or the game's default.

    `none` is nothing but the rules. Raises BadInput for a name that the game does not have, and for knowledge of
    another game.
    """
    if isinstance(chosen, Knowledge):
        if not isinstance(getattr(chosen, "game", None), Game):
            if not hasattr(chosen, "game"):
                made = type(chosen).__name__
                raise GameError(f"{made} was made without a game: write __init__(self, game, ...), and {made}(game)")
            raise GameError(
                f"{type(chosen).__name__}.game is {shown(chosen.game)}: it must stay the game it was made with"
            )
        if chosen.game is not game and chosen.game.fingerprint != game.fingerprint:
            which = chosen.name or type(chosen).__name__
            raise BadInput(f"{which} is knowledge of {chosen.game.name}{_other(chosen.game, game)}")
        return chosen
    if isinstance(chosen, type) and issubclass(chosen, Knowledge):
        raise BadInput(f"knowledge is an object: {chosen.__name__}(game), not the class {chosen.__name__} itself")
    if chosen is not None and not isinstance(chosen, str):
        raise BadInput(f"knowledge is a name of the game's, a file or a Knowledge, not {shown(chosen)}")
    kept: dict[str | None, Knowledge] = game.__dict__.setdefault("_knowledge", {})
    if chosen not in kept:
        kept[chosen] = _made(game, chosen)
    return kept[chosen]


def _other(theirs: Game, game: Game) -> str:
    """What the game that a knowledge is of has that this one has not, as the end of a sentence."""
    if theirs.name != game.name:
        return f", not of {game.name}"
    one, other = parameters_of(theirs), parameters_of(game)
    if written := unlike(one, other):
        remedy = "take the game that it was made with, or make it for this one"
        return f" with {written}, and this one has {unlike(other, one)}: {remedy}"
    return " with other rules: make it for these"


def named_knowledge(game: Game) -> Mapping[str, type[Knowledge]]:
    """The knowledge that a game has by name, `none` included."""
    return {**game.knowledges, "none": NoKnowledge}


def _default(game: Game) -> type[Knowledge]:
    """What a game names as its knowledge; the plain one where a subclass of that game wrote its own `evaluate`."""
    named = "__init__" if "knowledge" in vars(game) else "knowledge"
    for cls in type(game).__mro__:
        if named in vars(cls) or vars(cls).get("_protocol"):
            break
        if "evaluate" in vars(cls):
            return Knowledge
    return game.knowledge or Knowledge


def _made(game: Game, chosen: str | None) -> Knowledge:
    if chosen is None:
        learned: Knowledge | None = game._learned() if game._learned is not None else None
        return learned or _default(game)(game)
    known = named_knowledge(game)
    if chosen not in known:
        raise BadInput(f"{game.name} has no knowledge {chosen!r}; there is {', '.join(known)}")
    return known[chosen](game)
