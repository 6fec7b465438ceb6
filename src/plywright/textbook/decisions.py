"""Decisions worked out: maximum expected utility with the working shown, what knowing would be worth,
and how the best choice changes with one number.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from itertools import pairwise
from typing import Any

from ..draw import Picture
from ..draw.curve import Mark, Series, curve_picture
from ..draw.tree import value_text
from ..errors import BadInput
from ..game import Game
from ..number import increasing_root, number, number_text
from ..result import SearchResult
from ..utility.decision import DecisionTree
from ..utility.functions import Table, UtilityFunction
from ..utility.lottery import valued
from ..utility.valued import Valued
from . import run
from .trace.note import Note, Value

STEPS = 40
"""Points of a sensitivity curve, less one."""
MOST_TOLD = 12
"""More utilities than this are not listed in the working."""


@dataclass(frozen=True)
class Decision:
    """A solved decision tree: the best first choice, what it is worth, and how that was worked out."""

    tree: DecisionTree
    utility: Any
    result: SearchResult
    values: dict[int, float]
    """The expected utility of every node by its state, children before their parents."""
    moves: dict[int, int]
    """The best choice at every node where there is one."""

    @property
    def choice(self) -> str | None:
        """The best way on at the root; None where chance moves first."""
        return None if self.result.action is None else self.tree.format_action(0, self.result.action)

    @property
    def value(self) -> float:
        """The expected utility of the best choices."""
        return self.result.value

    @property
    def choices(self) -> dict[str, float]:
        """The expected utility of every way on at the root."""
        return {self.tree.format_action(0, action): worth for action, worth in self.result.actions.items()}

    @property
    def certainty_equivalent(self) -> float | None:
        """The sure amount worth as much; None where the utility cannot be inverted."""
        if self.utility is None:
            return self.value
        if not isinstance(self.utility, UtilityFunction):
            return None
        if isinstance(self.utility, Table):
            return None
        return self.utility.domain[0] if self.value == -math.inf else self.utility.inverse(self.value)

    def working(self) -> list[str]:
        """One line for each inner node, children first, as one would write it on paper; utilities come before them."""
        return self._utilities() + [self._line(state) for state in self.values if self.tree.count[state]]

    def _utilities(self) -> list[str]:
        """What the utility function makes of the amounts, in a line; none where amounts count as they are."""
        leaves = [state for state in self.values if self.utility is not None and not self.tree.count[state]]
        told = dict.fromkeys(self._leaf(state) for state in leaves)
        return [", ".join([*list(told)[:MOST_TOLD], *["..."][: len(told) - MOST_TOLD]])] if told else []

    def _leaf(self, state: int) -> str:
        """A leaf's utility, and the amount it is the utility of where the two are not one."""
        worth = _short(self.values[state])
        return worth if self.utility is None else f"u({_short(float(self.tree.payoff[state, 0]))}) = {worth}"

    def _line(self, state: int) -> str:
        tree, where = self.tree, self.tree.format_state(state)
        worth = {way: self.values[int(tree.result(state, way))] for way in tree.choices(state)}
        if tree.at_chance(state):
            terms = " + ".join(f"{_short(float(p))} × {_term(worth[way])}" for way, p in tree.chance(state))
            return f"{where}: {terms} = {_short(self.values[state])}"
        names = [f"{tree.format_action(state, way)} {_short(value)}" for way, value in worth.items()]
        best = tree.format_action(state, self.moves[state])
        return f"{where}: max({', '.join(names)}) = {_short(self.values[state])}, by {best}"

    def picture(self) -> Picture:
        """The tree with the expected utility of every node and the best choices marked."""
        values = {
            state: _short(value) if self.tree.count[state] else self._leaf(state)
            for state, value in self.values.items()
        }
        best, waiting = {0}, [0]
        for place in waiting:
            for way in self.tree.choices(place):
                below = int(self.tree.result(place, way))
                if self.moves.get(place) in (None, way):
                    best.add(below)
                    waiting.append(below)
        return self.tree.drawing(values, best)


def _term(worth: float) -> str:
    return f"({_short(worth)})" if worth < 0 else _short(worth)


def _short(value: float) -> str:
    """A number in six figures, or in as many as stand before its point."""
    if not math.isfinite(value):
        return value_text(value)
    return value_text(float(f"{value:.6g}") if abs(value) < 1e6 else float(round(value)))


def expectimax(
    game: Game, state: Any = None, utility: Callable[[Any], Any] | None = None, note: Note | None = None
) -> SearchResult:
    """The best choice against chance alone, with the value of every choice.

    The `utility` that may be given is applied to what the game pays at its end.
    """
    valued_game = game if utility is None else Valued(game, utility)
    return run("expectimax", valued_game, state, trace=False, all_actions=True, note=note)


def solve(tree: DecisionTree, utility: Callable[[Any], Any] | None = None) -> Decision:
    """Maximum expected utility by expectimax; the decision keeps the working."""
    if not isinstance(tree, DecisionTree):
        raise BadInput(f"a decision tree is needed, such as DecisionTree({{'choose': ...}}), not {tree!r}")
    paper = _Paper()
    result = expectimax(tree, utility=utility, note=paper)
    return Decision(tree, utility, result, paper.values, paper.moves)


class _Paper(Note):
    """Keeps what was worked out at each node."""

    def __init__(self) -> None:
        super().__init__()
        self.values: dict[int, float] = {}
        self.moves: dict[int, int] = {}
        self.path: list[int] = []

    def enter(self, state: Any, alpha: float | None = None, beta: float | None = None) -> None:
        super().enter(state, alpha, beta)
        self.path.append(int(state))

    def leaf(self, value: Any) -> Any:
        self.values[self.path.pop()] = value
        return super().leaf(value)

    def leave(self, value: Any) -> Any:
        self.values[self.path.pop()] = value
        return super().leave(value)

    def back_up(self, value: Value, move: int | None, alpha: float | None = None, beta: float | None = None) -> None:
        if move is not None:
            self.moves[self.path[-1]] = int(move)


# -- value of information ---------------------------------------------------------------------------------------


@dataclass(frozen=True)
class Information:
    """What it is worth to know a fact before choosing."""

    fact: str
    without: float  # expected utility of deciding as things are
    knowing: float  # expected utility of deciding once the fact is known
    price: float | None  # the most one would pay to know, in the unit of the amounts; None where utilities have none

    @property
    def gain(self) -> float:
        """The difference in expected utility; never below 0."""
        return self.knowing - self.without


def value_of_information(tree: DecisionTree, fact: str, utility: Callable[[Any], Any] | None = None) -> Information:
    """Perfect information about one fact: its gain in utility, and the price at which it is a fair trade."""
    without = solve(tree, utility).value
    informed = tree.knowing(fact)
    knowing = solve(informed, utility).value
    if utility is None or knowing <= without:
        return Information(fact, without, knowing, max(knowing - without, 0.0))
    if isinstance(utility, Table):
        return Information(fact, without, knowing, None)
    span = float(tree.payoff.max() - tree.payoff.min())

    def bearing(amount: float) -> float:
        try:
            return float(valued(utility, amount))
        except BadInput:  # the price leaves an amount that the function does not value: never to be chosen
            return -math.inf

    def regret(price: float) -> float:
        return without - solve(informed.paying(price), bearing).value

    return Information(fact, without, knowing, increasing_root(regret, 0.0, span))


# -- sensitivity -------------------------------------------------------------------------------------------------


@dataclass(frozen=True)
class Sensitivity:
    """How the expected utility of every choice at the root changes with one number."""

    target: str
    points: tuple[tuple[float, dict[str, float]], ...]
    thresholds: tuple[tuple[float, str, str], ...]  # where, the best choice below it, the best choice above
    present: float  # what the number is in the tree itself

    @property
    def kind(self) -> str:
        """What is varied: a probability or an amount."""
        return varied_kind(self.target)

    @property
    def stays_best(self) -> str | None:
        """The choice that is best over the whole range; None where another one becomes best on the way."""
        return None if self.thresholds else _best(self.points[len(self.points) // 2][1])

    def picture(self) -> Picture:
        """One curve for each choice, as far as it is finite, with marks where the best one changes and at present."""
        series = []
        for name in self.points[0][1]:
            drawn = [(x, values[name]) for x, values in self.points if math.isfinite(values[name])]
            if drawn:
                series.append(Series(name, drawn, len(drawn) == 1))
        marks = [Mark(x, f"{_short(x)}: from {one} to {other}") for x, one, other in self.thresholds]
        if self.points[0][0] <= self.present <= self.points[-1][0]:
            marks.append(Mark(self.present, f"now {_short(self.present)}"))
        title = f"Sensitivity to the {self.kind} {self.target}"
        x_label = f"{self.kind} {self.target}"
        return curve_picture(series, title=title, x_label=x_label, y_label="expected utility", marks=marks)


def sensitivity(
    tree: DecisionTree,
    target: str,
    low: Any,
    high: Any,
    utility: Callable[[Any], Any] | None = None,
    steps: int = STEPS,
) -> Sensitivity:
    """Vary one probability (`fact=outcome`) or amount (`drill / wet`) and see when another choice becomes best."""
    start, end = float(number(low, "the lower end")), float(number(high, "the upper end"))
    if not isinstance(steps, int) or steps < 1:
        raise BadInput(f"a curve needs a whole number of steps, at least one, not {steps!r}")
    if not start < end:
        raise BadInput(f"a range goes upward: {number_text(start)} is not below {number_text(end)}")
    if tree.count[0] == 0 or tree.to_move(0) != 0:
        raise BadInput(f"{tree.name} begins with chance: there is no choice whose sensitivity could be shown")

    tree.present(target)

    def at(x: float) -> dict[str, float]:
        return solve(tree.varied(target, x), utility).choices

    grid = [start + (end - start) * n / steps for n in range(steps)] + [end]
    points = [(round(x, 12), at(round(x, 12))) for x in grid]
    thresholds = []
    for (x, before), (y, after) in pairwise(points):
        one, other = _best(before), _best(after)
        if one != other:
            where = increasing_root(lambda z, a=one, b=other: at(z)[b] - at(z)[a], x, y)  # type: ignore[misc]
            thresholds.append((where, one, other))
    return Sensitivity(target, tuple(points), tuple(thresholds), float(tree.present(target)))


def varied_kind(target: str) -> str:
    """`probability` for a target such as `oil=wet`, `amount` for a path such as `drill / wet`."""
    return "probability" if "=" in target else "amount"


def _best(values: Mapping[str, float]) -> str:
    return max(values, key=values.__getitem__)


# -- which changes of the values matter ---------------------------------------------------------------------------


def decisions_under(
    decide: Callable[[Game], SearchResult], game: Game, maps: Mapping[str, Callable[[float], float]]
) -> dict[str, tuple[str | None, float]]:
    """The move and value that a search finds when the utilities are changed by each map.

    Minimax keeps its move under every increasing map; expectimax only under positive affine ones.
    """
    found = {}
    for name, change in maps.items():
        changed = Valued(game, change)
        result = decide(changed)
        move = None if result.action is None else changed.format_action(changed.start_state, result.action)
        found[name] = (move, result.value)
    return found
