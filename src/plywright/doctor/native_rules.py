"""The rules as native code, each callable from Python by itself, against the rules as Python."""

from __future__ import annotations

import functools
import warnings
from collections.abc import Iterator
from typing import Any

import numpy as np

from ..compiled import Uncompilable
from ..game import CHANCE, Game
from ..identity import Identified
from ..knowledge import Knowledge, knowledge_of
from ..state import INT64, Shape
from .subject import Seen, Subject, Verdict, passed, skipped

LISTED = ("actions", "chance", "candidates", "noisy")
REMEDY = (
    "the usual causes are a number that outgrows 64 bits on the way and np.uint64 mixed with plain ints: "
    "reduce it earlier, write np.uint64(1) for 1"
)


class NativeRules:
    """Each rule compiled with bounds checks; making one raises Uncompilable at the first that cannot be."""

    def __init__(self, game: Game, knowledge: Knowledge | None = None) -> None:
        from ..native.states import state_type

        assert game.state_shape is not None
        self.game, self.knowledge = game, knowledge_of(game, knowledge)
        game.__dict__["_checked"] = self.knowledge.__dict__["_checked"] = True
        state, number = state_type(game.state_shape), state_type(Shape(kind=INT64))
        signatures: dict[str, tuple[Any, ...]] = {
            "is_terminal": (state,),
            "to_move": (state,),
            "actions": (state,),
            "result": (state, number),
            "utility": (state, number),
        }
        if game.has_chance and game.lists_chance:
            signatures["chance"] = (state,)
        self.compiled = {rule: compiled_rule(game, rule, kinds) for rule, kinds in signatures.items()}
        self.compiled["evaluate"] = compiled_rule(self.knowledge, "evaluate", (state, number))

    def call(self, rule: str, *arguments: Any) -> Any:
        """The native rule's answer, generators as lists and states in their canonical type."""
        answer = self.compiled[rule](self.knowledge if rule == "evaluate" else self.game, *arguments)
        return self.game.coerce_state(answer) if rule == "result" else answer


def compiled_rule(game: Identified, rule: str, kinds: tuple[Any, ...]) -> Any:
    """One rule as native code that checks bounds, for arguments of these types; raises Uncompilable."""
    from ..native.functions import native_function
    from ..native.game_type import token
    from ..native.numba_internals import by_either_way
    from ..native.refusal import explain

    def made() -> Any:
        function = native_function(_asking(rule, len(kinds)), checked=True, from_python=True)
        function.compile((token(game, True), *kinds))
        return function

    try:
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")
            return by_either_way(made)
    except Exception as error:  # Numba fails in many ways, and each only means: not this rule
        reason = explain(error, [game])
        raise Uncompilable(f"{rule}(): {reason.reason}", reason.file, reason.line) from error


@functools.cache
def _asking(rule: str, count: int) -> Any:
    """A function that calls the rule as kernels do; what it iterates over comes back as a list."""
    names = ", ".join(f"argument{i}" for i in range(count))
    call = f"game.{rule}({names})"
    answer = f"[item for item in {call}]" if rule in LISTED else call
    scope: dict[str, Any] = {"__name__": __name__}
    exec(f"def asking(game, {names}):\n    return {answer}\n", scope)  # our own text
    return scope["asking"]


def compiled_rules(subject: Subject) -> Verdict:
    """Native code and Python answer alike in every state of the sample; indices stay within their tables."""
    if subject.native is None:
        return skipped("the game is not compiled")
    count = 0
    for seen in subject.visits():
        if verdict := difference(subject, seen):
            return verdict
        count += 1
    return passed(f"native code, with bounds checked, and Python agree in {count:,} states")


def difference(subject: Subject, seen: Seen) -> Verdict | None:
    """The first rule that answers otherwise as native code; None where all agree."""
    assert subject.native is not None
    for rule, arguments, plain in _answers(subject, seen):
        subject.guard.enter(f"{rule}() as native code")
        try:
            native = subject.native.call(rule, seen.visit.state, *arguments)
        except Exception as error:
            what = f"{rule}() as native code raised {type(error).__name__}: {error}"
            return subject.fail(what, f"as Python it does not; {REMEDY}")
        finally:
            subject.guard.leave()
        if wrong := unlike(subject, rule, native, plain):
            return wrong
    return None


def unlike(subject: Subject, rule: str, native: Any, plain: Any) -> Verdict | None:
    """The verdict where native code and Python answer differently."""
    if _alike(native, plain):
        return None
    return subject.fail(f"{rule}() is {_shown(native)} as native code but {_shown(plain)} as Python", REMEDY)


def _answers(subject: Subject, seen: Seen) -> Iterator[tuple[str, tuple[Any, ...], Any]]:
    """rule, its arguments after the state, and Python's answer."""
    visit, guard = seen.visit, subject.guard
    yield "is_terminal", (), visit.mover is None
    for player, value in enumerate(visit.values or ()):
        yield "utility" if visit.mover is None else "evaluate", (player,), value
    if visit.mover is None:
        return
    yield "to_move", (), visit.mover
    if visit.mover != CHANCE:
        yield "actions", (), visit.choices
    elif subject.game.lists_chance:
        yield "chance", (), guard.outcomes(visit.state)
    yield "result", (visit.action,), guard.settled("result", guard.call("result", visit.state, visit.action))


def _alike(native: Any, plain: Any) -> bool:
    if isinstance(plain, (tuple, list)):
        return len(native) == len(plain) and all(map(_alike, native, plain))
    return bool(native == plain) or abs(float(native) - float(plain)) <= 1e-9 * max(1.0, abs(float(plain)))


def _shown(answer: Any) -> str:
    if isinstance(answer, tuple):
        parts = [_shown(item) for item in answer]
        names = getattr(answer, "_fields", None)
        inner = ", ".join(f"{n}={p}" for n, p in zip(names, parts, strict=True)) if names else ", ".join(parts)
        return f"({inner})"
    return repr(answer.item() if isinstance(answer, np.generic) else answer)
