"""Checks of numbers: utilities and evaluations."""

from __future__ import annotations

from ..contracts import BrokenPromise, check_evaluations, check_utilities
from .subject import Subject, Verdict, passed, skipped


def utilities(subject: Subject) -> Verdict:
    """At finished games: finite, within utility_range, multiples of step, cancelling between teams."""
    game, count = subject.game, 0
    low, high = game.utility_range
    for seen in subject.visits(over=True):
        values = seen.visit.values
        if values is None:
            continue
        count += 1
        try:
            check_utilities(game, values)
        except BrokenPromise as broken:
            return subject.fail(broken.what, broken.remedy)
    if count == 0:
        return skipped("no finished game was seen")
    cancel = " and cancel between the two teams" if game.opposed else ""
    return passed(f"those of {count:,} finished games lie within {low:g} to {high:g}{cancel}")


def evaluation(subject: Subject) -> Verdict:
    """In unfinished games: finite, strictly inside utility_range, cancelling between teams."""
    game, count = subject.game, 0
    if not subject.guard.knowledge.evaluates:
        return skipped("the game has no evaluate() of its own")
    low, high = game.utility_range
    for seen in subject.visits(over=False):
        values = seen.visit.values
        if values is None:
            continue
        count += 1
        try:
            check_evaluations(game, values)
        except BrokenPromise as broken:
            return subject.fail(broken.what, broken.remedy)
    return passed(f"that of {count:,} states lies strictly inside {low:g} to {high:g}")
