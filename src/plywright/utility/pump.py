"""Money pumps: how somebody whose preferences go in a circle is led round it, paying at every step."""

from __future__ import annotations

from dataclasses import dataclass

from ..errors import BadInput
from ..number import is_whole
from .circle import shortest_circle
from .preferences import Preferences

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
    if not isinstance(preferences, Preferences):
        raise BadInput(f"a money pump works on preferences, such as Preferences(['A > B', ...]), not {preferences!r}")
    if not is_whole(cents) or cents < 1:
        raise BadInput(f"the price of a trade is a whole number of cents from 1, not {cents!r}")
    steps = shortest_circle(preferences.comparisons)
    if steps is None:
        return None
    names = {step.start.key(): step.names[0] for step in reversed(steps)}  # one name for each thing, all the way round
    trades = [
        Trade(names[step.start.key()], names[step.end.key()], cents if step.comparison.strict else 0) for step in steps
    ]
    return MoneyPump(trades[0].gives, tuple(trades))


def _cents(count: int) -> str:
    return f"{count} cent{'' if count == 1 else 's'}"
