"""Checks of numbers: utilities and evaluations."""

from __future__ import annotations

import math

from .patient import Patient, Verdict, passed, skipped

_TOLERANCE = 1e-9


def utilities(patient: Patient) -> Verdict:
    """At finished games: finite, within utility_range, multiples of step, cancelling between teams."""
    game, count = patient.game, 0
    low, high = game.utility_range
    for seen in patient.visits(over=True):
        values = seen.visit.values
        if values is None:
            continue
        count += 1
        for player, value in enumerate(values):
            shown = f"utility(state, {player}) is {value:g}"
            if not math.isfinite(value):
                return patient.fail(shown, "utilities must be finite numbers")
            if not low - _TOLERANCE <= value <= high + _TOLERANCE:
                return patient.fail(shown, f"utility_range says {low:g} to {high:g}: widen it or mend the rule")
            if game.step is not None and abs(value / game.step - round(value / game.step)) > 1e-6:
                return patient.fail(
                    shown, f"it is no multiple of step = {game.step:g}: set step to the smallest difference, or to None"
                )
        if sentence := _quarrel(patient, "utility", values):
            return patient.fail(*sentence)
    if count == 0:
        return skipped("no finished game was seen")
    cancel = " and cancel between the two teams" if game.opposed else ""
    return passed(f"those of {count:,} finished games lie within {low:g} to {high:g}{cancel}")


def evaluation(patient: Patient) -> Verdict:
    """In unfinished games: finite, strictly inside utility_range, cancelling between teams."""
    game, count = patient.game, 0
    if not game.evaluates:
        return skipped("the game has no evaluate() of its own")
    low, high = game.utility_range
    for seen in patient.visits(over=False):
        values = seen.visit.values
        if values is None:
            continue
        count += 1
        for player, value in enumerate(values):
            if not low < value < high:
                return patient.fail(
                    f"evaluate(state, {player}) is {value:g}",
                    f"it must lie strictly inside utility_range, {low:g} to {high:g}: scale it, or widen the range",
                )
        if sentence := _quarrel(patient, "evaluate", values):
            return patient.fail(*sentence)
    return passed(f"that of {count:,} states lies strictly inside {low:g} to {high:g}")


def _quarrel(patient: Patient, rule: str, values: tuple[float, ...]) -> tuple[str, str] | None:
    """What is wrong between the players' numbers, and the remedy; None when nothing is."""
    game = patient.game
    together, slack = math.fsum(values), _TOLERANCE * max(1.0, *map(abs, values))
    if game.sum_bound is not None and together > game.sum_bound + slack:
        shown = ", ".join(f"{value:g}" for value in values)
        remedy = f"sum_bound says at most {game.sum_bound:g}: raise it, set it to None, or mend the rule"
        return f"{rule}() is {shown} for the players, {together:g} together", remedy
    if game.opposed:
        first = game.team_of[0]
        for player, value in enumerate(values):
            wanted = values[0] if game.team_of[player] == first else -values[0]
            if abs(value - wanted) > _TOLERANCE * max(1.0, abs(value)):
                remedy = f"it should be {wanted:g}, since what one team wins the other loses (or set zero_sum = False)"
                return f"{rule}(state, 0) is {values[0]:g}, but {rule}(state, {player}) is {value:g}", remedy
        return None
    if game.zero_sum and abs(together) > slack:
        shown = ", ".join(f"{value:g}" for value in values)
        return f"{rule}() is {shown} for the players", "zero_sum = True says that they add up to 0"
    for player, value in enumerate(values):
        partner = game.team_of.index(game.team_of[player])
        if abs(value - values[partner]) > slack:
            remedy = "partners of one team share their utility"
            return f"{rule}(state, {partner}) is {values[partner]:g}, but {rule}(state, {player}) is {value:g}", remedy
    return None
