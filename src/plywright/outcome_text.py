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


def owned_text(game: Game, owners: Sequence[float]) -> str:
    """How many places each player is to have, by how sure each place is the first player's (1) or the second's (-1)."""
    first = sum((1 + owner) / 2 for owner in owners)
    shares = zip((0, 1), (first, len(owners) - first), strict=True)
    return ", ".join(f"{game.player_name(player)} {share:.1f}" for player, share in shares)


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


def mean_text(value: float) -> str:
    """An average with its sign, to three decimals; one that is smaller still with its first digits."""
    shown = f"{value:+.3f}".rstrip("0").rstrip(".")
    return shown if math.isfinite(value) and shown.strip("+-0.") else value_text(value)


def worth_text(game: Game, value: float, averaged: bool = False) -> str:
    """A value of this game: an estimate in the unit of its evaluation, such as pawns.

    An average of results (`SearchResult.averaged`) is no number of them.
    """
    low, high = game.utility_range
    if averaged or game.evaluation_unit is None or not low < value < high or abs(value) <= NOTHING:
        return mean_text(value) if averaged or game.has_chance else value_text(value)
    unit, name = game.evaluation_unit
    count = value / unit
    if abs(count - round(count)) > 1e-6:
        return f"{count:+.{game.evaluation_digits}f} {name}" if game.evaluation_digits else value_text(value)
    return f"{round(count):+d} {name.removesuffix('s') if abs(round(count)) == 1 else name}"


def error_text(game: Game, error: float, averaged: bool = False) -> str:
    """The standard error of a value, in the unit in which `worth_text` writes that."""
    if averaged or game.evaluation_unit is None or not game.evaluation_digits:
        return f"{error:.2g}"
    unit, name = game.evaluation_unit
    return f"{error / unit:.2g} {name}"


def difference_text(game: Game, better: float, worse: float) -> str:
    """How much better one value is than another, in what `worth_text` counts in; nothing where one is no estimate."""
    if game.evaluation_unit is None:
        return f"{better - worse:.2f}"
    low, high = game.utility_range
    return f"{(better - worse) / game.evaluation_unit[0]:.2f}" if low < worse and better < high else ""


def chance_words(chance: float | None, before: str = "") -> str:
    """A winning chance for people, after `before`; nothing where there is none. Only what is proved is 0 or 100 %."""
    if chance is None:
        return ""
    return f"{before}winning chance {min(max(round(100 * chance), 1), 99)} %"


FEWEST_GAMES = 10
"""Games below which an Elo says nothing, and is not told: five pairs of them."""


def elo_text(elo: float, digits: int = 0) -> str:
    """A difference in Elo with its sign; beyond 1,000 without decimals."""
    if math.isinf(elo):
        return UNLIMITED[elo > 0]
    return f"{elo:+z.{digits if abs(elo) < 1000 else 0}f}"


def with_minus(text: str) -> str:
    """A text of numbers with the minus sign that print uses in place of the hyphen."""
    return re.sub(r"-(?=[\d∞])", "−", text)


def points_text(game: Game, value: float) -> str:
    """A value of this game as people say it: in its unit, or with as many digits as its range makes sense of."""
    low, high = game.utility_range
    if math.isinf(value) or abs(value) <= NOTHING:
        return value_text(value)
    if game.evaluation_unit is not None and low < value < high:
        unit, name = game.evaluation_unit
        count = value / unit
        whole = abs(count - round(count)) <= 1e-6
        digits = (
            0 if whole and high > 1 else game.evaluation_digits or int(not whole)
        )  # results are whole numbers of it
        return f"{count:+.{digits}f} {name.removesuffix('s') if abs(count) == 1 else name}"
    if abs(value) >= 1e6:
        return f"{'+' if value > 0 else '-'}{count_text(abs(value))}"
    if value == round(value):
        return f"{value:+,.0f}"
    span = high - low
    decimals = 2 - math.floor(math.log10(span / 2)) if 0 < span < 1e12 else 0
    shown = f"{value:+,.{min(max(decimals, 0), 2)}f}"
    return "0" if not shown.strip("+-0.,") else shown


def proof_text(game: Game, value: float, distance: int | None = None) -> str:
    """What is proved for whoever has this value: `wins in 7 plies`, `loses by 12`, `a draw`, or the points it gets.

    Where only winning counts it is told how soon; where it counts by how much, that is told instead.
    """
    if not game.opposed or game.has_chance or game.hidden:
        return points_text(game, value)
    if abs(value) <= NOTHING:
        return "a draw"
    word = "wins" if value > 0 else "loses"
    if max(map(abs, game.utility_range)) > 1:
        return f"{word} by {abs(value):,g}"
    return _end_text(game, word, value, distance)


def is_end(game: Game, value: float) -> bool:
    """Whether the value is that of a finished game in which only winning counts."""
    low, high = game.utility_range
    return max(-low, high) <= 1 and value in (low, high) and game.opposed and not (game.has_chance or game.hidden)


def seen_text(game: Game, value: float, distance: int | None) -> str:
    """A win or loss that a search has met, which is no proof: `win in 7 plies`."""
    return _end_text(game, "win" if value > 0 else "loss", value, distance)


def found_text(game: Game, value: float, distance: int | None, averaged: bool = False) -> str:
    """What a search has found, proved or not: a win or loss by how soon it comes, else its worth."""
    return seen_text(game, value, distance) if distance and is_end(game, value) else worth_text(game, value, averaged)


def proved_text(game: Game, value: float, distance: int | None = None) -> str:
    """A value that is proved: a win or loss by how soon it comes, as far as that is known, else its worth."""
    return seen_text(game, value, distance) if is_end(game, value) else worth_text(game, value)


def _end_text(game: Game, word: str, value: float, distance: int | None) -> str:
    """The word with the plies to the end, or the game's own for it with the winner's moves."""
    if not distance:
        return word
    if game.forced_end is not None:
        return f"{game.forced_end[value < 0]} in {(distance + (value > 0)) // 2}"
    return f"{word} in {distance} {'ply' if distance == 1 else 'plies'}"


def percent_text(chance: float) -> str:
    """A winning chance that is an estimate: never 0 % nor 100 %."""
    return f"{min(max(round(100 * chance), 1), 99)} %"
