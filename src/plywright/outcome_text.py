"""Sentences that terminal, page and reports share: who has won, how many, what a value counts."""

from __future__ import annotations

import math
import re
from collections.abc import Sequence

from .game import Game


def verdict(game: Game, payoffs: Sequence[float]) -> str:
    """Who has won, by what everybody gets; where all are on one side, what they have reached."""
    best = max(payoffs)
    if len(set(game.team_of)) == 1:
        return f"the result is {best:+g}" if best else "the result is 0"
    winners = [game.player_name(seat) for seat, payoff in enumerate(payoffs) if payoff == best]
    if len(winners) == len(payoffs):
        return "a draw"
    return f"{' and '.join(winners)} {'wins' if len(winners) == 1 else 'win'}"


def count_text(count: float) -> str:
    """12.3 M, 45 k, 678."""
    for size, unit in ((1e9, "G"), (1e6, "M"), (1e3, "k")):
        if count >= size:
            return f"{count / size:.3g} {unit}"
    return f"{count:.0f}"


NOTHING = 1e-12
UNLIMITED = "-∞", "+∞"


def value_text(value: float) -> str:
    """A value with its sign; whole numbers with all their digits, and what is left of 0 after averaging is 0."""
    if abs(value) <= NOTHING:
        return "0"
    if math.isinf(value):
        return UNLIMITED[value > 0]
    return f"{value:+.0f}" if abs(value) < 1e15 and value == round(value) else f"{value:+g}"


def worth_text(game: Game, value: float) -> str:
    """A value of this game: an estimate in the unit of its evaluation, such as pawns."""
    low, high = game.utility_range
    if game.evaluation_unit is None or not low < value < high or abs(value) <= NOTHING:
        return value_text(value)
    unit, name = game.evaluation_unit
    count = value / unit
    if abs(count - round(count)) > 1e-6:
        return f"{count:+.{game.evaluation_digits}f} {name}" if game.evaluation_digits else value_text(value)
    return f"{round(count):+d} {name.removesuffix('s') if abs(round(count)) == 1 else name}"


def chance_words(chance: float | None, before: str = "") -> str:
    """A winning chance for people, after `before`; nothing where there is none. Only what is proved is 0 or 100 %."""
    if chance is None:
        return ""
    return f"{before}winning chance {min(max(round(100 * chance), 1), 99)} %"


def elo_text(elo: float, digits: int = 0) -> str:
    """A difference in Elo with its sign; beyond 1,000 without decimals."""
    if math.isinf(elo):
        return UNLIMITED[elo > 0]
    return f"{elo:+z.{digits if abs(elo) < 1000 else 0}f}"


def with_minus(text: str) -> str:
    """A text of numbers with the minus sign that print uses in place of the hyphen."""
    return re.sub(r"-(?=[\d∞])", "−", text)
