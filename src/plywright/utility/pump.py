"""Money pumps: how somebody whose preferences go in a circle is led round it, paying at every step."""

from __future__ import annotations

from dataclasses import dataclass

from ..errors import BadInput
from .lottery import Lottery
from .preferences import Comparison, Preferences

WORDS = ("no times", "once", "twice", "three times", "four times", "five times", "six times")


@dataclass(frozen=True)
class Trade:
    """One step: something is given away, something that is liked at least as much received, for a price."""

    gives: str
    receives: str
    cents: int


@dataclass(frozen=True)
class MoneyPump:
    """A round of trades that all look good (or even) to the person and end where they began."""

    holding: str
    trades: tuple[Trade, ...]

    @property
    def cents(self) -> int:
        """What the person has lost after one round."""
        return sum(trade.cents for trade in self.trades)

    def lines(self) -> list[str]:
        """The story, one line a trade."""
        told = [f"holds {self.holding}"]
        for trade in self.trades:
            price = f"pays {_cents(trade.cents)}" if trade.cents else "pays nothing"
            liked = "prefers {} to {}" if trade.cents else "likes {} as much as {}"
            told.append(f"{liked.format(trade.receives, trade.gives)}: {price} to swap")
        return [*told, self.summary]

    @property
    def summary(self) -> str:
        paid = [trade.cents for trade in self.trades if trade.cents]
        times = WORDS[len(paid)] if len(paid) < len(WORDS) else f"{len(paid)} times"
        return f"pays {_cents(paid[0])} {times} and holds {self.holding} again, {_cents(self.cents)} poorer"

    def __str__(self) -> str:
        return "\n".join(self.lines())


def money_pump(preferences: Preferences, cents: int = 1) -> MoneyPump | None:
    """The shortest round of trades that loses money at a small price for each; None if there is no circle."""
    if not isinstance(cents, int) or isinstance(cents, bool) or cents < 1:
        raise BadInput(f"the price of a trade is a whole number of cents from 1, not {cents!r}")
    steps = list[tuple[Lottery, Lottery, bool, str, str]]()  # from, to, whether it is paid for, and their names
    for comparison in preferences.comparisons:
        steps.append(_step(comparison, False))
        if not comparison.strict:
            steps.append(_step(comparison, True))
    best: list[tuple[Lottery, Lottery, bool, str, str]] | None = None
    for step in steps:
        if step[2]:
            back = _way(steps, step[1], step[0])
            if back is not None and (best is None or 1 + len(back) < len(best)):
                best = [step, *back]
    if best is None:
        return None
    names = {step[0].key(): step[3] for step in reversed(best)}  # one name for each thing, all the way round
    trades = [Trade(names[a.key()], names[b.key()], cents if paid else 0) for a, b, paid, _, _ in best]
    return MoneyPump(trades[0].gives, tuple(trades))


def _step(comparison: Comparison, turned: bool) -> tuple[Lottery, Lottery, bool, str, str]:
    worse, better = comparison.worse, comparison.better
    names = comparison.name_of(False), comparison.name_of(True)
    if turned:
        return better, worse, comparison.strict, names[1], names[0]
    return worse, better, comparison.strict, names[0], names[1]


def _way(
    steps: list[tuple[Lottery, Lottery, bool, str, str]], start: Lottery, goal: Lottery
) -> list[tuple[Lottery, Lottery, bool, str, str]] | None:
    """The fewest steps from one thing to another."""
    ways: dict[object, list[tuple[Lottery, Lottery, bool, str, str]]] = {start.key(): []}
    waiting = [start.key()]
    for place in waiting:  # grows while it is read
        if place == goal.key():
            return ways[place]
        for step in steps:
            if step[0].key() == place and step[1].key() not in ways:
                ways[step[1].key()] = [*ways[place], step]
                waiting.append(step[1].key())
    return None


def _cents(count: int) -> str:
    return f"{count} cent{'' if count == 1 else 's'}"
