"""What players see and what is dealt of it, as native code against Python."""

from __future__ import annotations

from typing import Any

from ..compiled import Uncompilable
from ..rng import seeded
from ..state import INT64, NoShape, Shape, coerce, shape_of
from .native_rules import REMEDY, compiled_rule, unlike
from .subject import Subject, Verdict, passed, skipped, warning
from .views import NOT_HIDDEN

STATES = 300


def compiled_views(subject: Subject) -> Verdict:
    """observation() and deal() answer alike as native code and as Python, a deal for the same random word."""
    game, guard = subject.game, subject.guard
    if not game.hidden:
        return skipped(NOT_HIDDEN)
    if subject.native is None:
        return skipped("the game is not compiled")
    if bad := subject.failed & {"observations", "deals"}:
        return skipped(f"not tried, since {sorted(bad)[0]!r} failed")
    try:
        views = NativeViews(subject)
    except Uncompilable as reason:
        return warning(f"searches of what a seat sees run interpreted, and slowly: {reason}")
    observed = dealt = 0
    for seen in subject.visits(STATES, over=False):
        state, mover = seen.visit.state, seen.visit.mover
        for player in range(game.players):
            plain = views.settled(guard.call("observation", state, player))
            if wrong := views.compared("observation", (state, player), (state, player), plain):
                return wrong
            observed += 1
        if "deal" in views.compiled and mover is not None and mover >= 0:
            view, word = views.settled(guard.call("observation", state, mover)), subject.seed + dealt
            with guard.calling("deal"):
                plain = game.coerce_state(game.deal(view, mover, seeded(word)))
            if wrong := views.compared("deal", (view, mover, seeded(word)), (view, mover), plain):
                return wrong
            dealt += 1
    return passed(
        f"native code, with bounds checked, and Python agree in {observed:,} observations and {dealt:,} deals"
    )


class NativeViews:
    """observation() and deal(), where there is one, compiled; making it raises Uncompilable."""

    def __init__(self, subject: Subject) -> None:
        from numba import types

        from ..native.states import state_type

        self.subject = subject
        game = subject.game
        assert game.state_shape is not None
        try:
            self.shape = shape_of(subject.guard.call("observation", game.start_state, 0))
        except NoShape as error:
            raise Uncompilable(f"observation() is {error}") from None
        state, view, number = (state_type(shape) for shape in (game.state_shape, self.shape, Shape(kind=INT64)))
        self.compiled = {"observation": compiled_rule(game, "observation", (state, number))}
        if game.draws_deals:
            self.compiled["deal"] = compiled_rule(game, "deal", (view, number, types.uint64[::1]))

    def settled(self, view: Any) -> Any:
        return coerce(self.shape, view, "observation")

    def compared(self, rule: str, arguments: tuple[Any, ...], told: tuple[Any, ...], plain: Any) -> Verdict | None:
        """The verdict where the native rule raises what Python does not, or answers something else."""
        subject = self.subject
        subject.guard.enter(f"{rule}() as native code")
        try:
            native = self.compiled[rule](subject.game, *arguments)
        except Exception as error:
            what = f"{rule}{told!r} as native code raised {type(error).__name__}: {error}"
            return subject.fail(what, f"as Python it does not; {REMEDY}")
        finally:
            subject.guard.leave()
        return unlike(subject, rule, native, plain)
