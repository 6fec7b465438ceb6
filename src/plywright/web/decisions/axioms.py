"""Preferences checked against the axioms, and the money pump trade by trade."""

from __future__ import annotations

import re
from typing import NamedTuple

from ...errors import BadInput
from ...utility import AXIOMS, MoneyPump, Preferences, Verdict, money_pump
from .figures import check_size, definitions, prize_text

MOST_LINES = 40
LONGEST = 4000
PURSE = 100
"""Cents that the person sets out with."""
ROUNDS = 4
"""Times that the trader goes round the circle, if the purse lasts."""


class Example(NamedTuple):
    words: str
    said: str
    let: str = ""


EXAMPLES = (
    Example("a circle", "tea > coffee\ncoffee > cocoa\ncocoa > tea"),
    Example(
        "Allais",
        "B > A\nC > D",
        "A=[0.8, $4k; 0.2, $0]\nB=[1, $3k]\nC=[0.2, $4k; 0.8, $0]\nD=[0.25, $3k; 0.75, $0]",
    ),
    Example("more of the better", "win > lose\n[0.4, win; 0.6, lose] > [0.6, win; 0.4, lose]"),
    Example("a long way round", "A > B\nB ~ C\nC > D\nD ~ E\nE > A\nF > A\nB > G"),
    Example("reasonable", "apple > pear\npear ~ [0.5, apple; 0.5, nothing]"),
)


class Trade(NamedTuple):
    """One step of the pump: what is offered, what it costs, and what both have afterwards."""

    number: int
    round: int
    gives: str
    receives: str
    why: str
    cents: int
    purse: int
    trader: int


class Check(NamedTuple):
    """The verdict on some preferences, in words and tables."""

    verdict: Verdict
    said: list[str]
    meaning: str
    utilities: list[tuple[str, float]]
    pump: MoneyPump | None
    trades: list[Trade]

    @property
    def guilty(self) -> list[str]:
        return [str(comparison) for comparison in self.verdict.contradiction]


def check(said: str, let: str, price: int) -> Check:
    """Whether a utility function fits the comparisons, one per line; if none does, why, and what it costs."""
    texts = [line.strip() for line in re.split(r"[\n]", said) if line.strip()]
    lines = [line for line in let.split("\n") if line.strip()]
    if len(texts) > MOST_LINES or len(lines) > MOST_LINES:
        raise BadInput(f"that are too many lines: at most {MOST_LINES} comparisons and {MOST_LINES} names")
    check_size(lines, texts)
    preferences = Preferences(texts, definitions(lines))
    verdict = preferences.check()
    pump = None if verdict.consistent else money_pump(preferences, price)
    found = sorted((verdict.utilities or {}).items(), key=lambda pair: -float(pair[1]))
    return Check(
        verdict,
        [str(comparison) for comparison in preferences.comparisons],
        AXIOMS.get(verdict.axiom, ""),
        [(prize_text(prize), float(value)) for prize, value in found],
        pump,
        [] if pump is None else _trades(pump),
    )


def _trades(pump: MoneyPump) -> list[Trade]:
    """Round after round until the purse is empty, or everybody has seen enough."""
    found, purse = list[Trade](), PURSE
    for turn in range(ROUNDS):
        for trade in pump.trades:
            if trade.cents > purse:
                return found
            purse -= trade.cents
            liking = f"prefers {trade.receives}" if trade.cents else f"likes {trade.receives} as much"
            found.append(
                Trade(len(found) + 1, turn + 1, trade.gives, trade.receives, liking, trade.cents, purse, PURSE - purse)
            )
    return found
