"""Decisions worth a look, as fields of an address."""

from __future__ import annotations

from typing import NamedTuple

ONE_TURN = "pig:players=1,turns=1,payoff=points"


class Example(NamedTuple):
    """A few words and the fields that they stand for."""

    words: str
    fields: dict[str, str]


EXAMPLES = (
    Example("Pig: 19 points at risk", {"game": ONE_TURN, "state": "0-0 +19 turn 0", "depth": "8"}),
    Example("… and averse to risk", {"game": ONE_TURN, "state": "0-0 +19 turn 0", "depth": "8", "utility": "crra:0.5"}),
    Example("Pig: behind by 15, near the end", {"game": "pig", "state": "70-85 +14 turn 10", "depth": "6"}),
    Example("Backgammon: the opening 31", {"game": "backgammon", "moves": "31", "depth": "2"}),
    Example("Backgammon: before the roll", {"game": "backgammon", "moves": "43 13/10 13/9", "depth": "2"}),
    Example("Dice race of three", {"game": "dice-race", "state": "14-12-15 red", "depth": "4"}),
    Example("A bridge on slippery ground", {"game": "slippery-grid:layout=bridge", "depth": "6"}),
    Example("2048", {"game": "2048", "state": "0,2,4,16/0,0,8,4/0,0,0,2/2,0,0,0 move", "depth": "2"}),
)
GAMES = ("pig", ONE_TURN, "pig:payoff=points", "backgammon", "dice-race", "slippery-grid", "2048")
"""Games to choose from; any other with chance may be typed in."""
RISKS = (
    ("linear", "neutral: money itself"),
    ("cara:0.5", "averse: constant absolute aversion"),
    ("cara:-0.5", "prone: the opposite"),
    ("crra:0.5", "averse: the square root (amounts from 0)"),
    ("s-shaped:reference=0,power=0.5,loss=2", "averse to losses"),
)
