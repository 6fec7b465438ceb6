"""The tree near the root of a decision: the best actions, the most telling outcomes, the best replies.

What is not drawn is said beside the node, and outcomes left out stand together as one branch with
their probability and mean, so that every average can be checked by hand.
"""

from __future__ import annotations

import time
from collections.abc import Callable, Sequence
from typing import Any, NamedTuple

from ...draw.tree import CHANCE, LEAF, MAX, MIN, TreeNode, chance_text
from .valuation import Valuation

WIDTH = 3
"""Actions of a player that are drawn."""
REPLIES = 3
"""If there are more actions below an outcome only the best of them is drawn."""
TELLING = 6
"""Outcomes that are drawn: the best, the worst, and the rest as one."""
SECONDS = 4.0
"""When so much time has passed nothing further is drawn."""

Address = Callable[[tuple[str, ...]], str]
"""The address of the position that some moves lead to from the root."""


class Outcome(NamedTuple):
    """What chance may bring: how it is written, how likely it is, the state it leads to and its value."""

    number: int
    name: str
    probability: float
    state: Any
    value: float


class Sketch:
    """A drawing in the making."""

    def __init__(self, valuation: Valuation, address: Address, *, every: bool = False) -> None:
        self.valuation, self.game, self.address, self.every = valuation, valuation.game, address, every
        self.known: dict[tuple[Any, int], list[Outcome]] = {}
        self.ends = time.monotonic() + SECONDS

    def root(
        self,
        state: Any,
        depth: int,
        ranked: Sequence[tuple[int, float]],
        chosen: int,
        pick: Callable[[str], str],
    ) -> TreeNode:
        """The tree of a decision, the chosen action opened and the others closed; `pick` chooses another one."""
        shown = [action for action, _ in ranked[:WIDTH]]
        if chosen not in shown:
            shown = [*shown[: WIDTH - 1], chosen]
        values = dict(ranked)
        best = ranked[0][0]
        root = self._node(state, (), values[best])
        for action in shown:
            name = self.game.format_action(state, action)
            after = self.game.state_after(state, action)
            child = self._node(after, (name,), values[action], move=name)
            if action == chosen:
                self._open(child, after, depth - 1, (name,), 2)
            else:
                if len(ranked) <= 2:
                    self._open(child, after, depth - 1, (name,), 1)
                else:
                    child.more = "look"
                child.link = pick(name)
                child.hint = f"{name}, worth {child.value}: look at this branch"
            if action == best:
                child.marks.add("best")
            root.children.append(child)
        if len(ranked) > len(shown):
            root.notes.append(f"{len(ranked) - len(shown)} more")
        root.marks |= {"best", "current"}
        root.link = ""
        return root

    def rolls(self, state: Any, depth: int, value: float) -> TreeNode:
        """The tree of a position in which chance is to move."""
        root = self._node(state, (), value)
        self._open(root, state, depth, (), 2)
        root.marks.add("current")
        root.link = ""
        return root

    def outcomes(self, state: Any, depth: int) -> list[Outcome]:
        """Everything that chance may bring in a state, each with its value."""
        if (state, depth) in self.known:
            return self.known[state, depth]
        found = self.known[state, depth] = list[Outcome]()
        for number, probability in self.game.chance(state):
            after = self.game.state_after(state, int(number))
            name = self.game.format_action(state, int(number))
            found.append(Outcome(int(number), name, float(probability), after, self.valuation.worth(after, depth)))
        return found

    # -- nodes --------------------------------------------------------------------------------------------

    def _node(self, state: Any, path: tuple[str, ...], value: float, move: str = "") -> TreeNode:
        shape = self._shape(state)
        over = shape == LEAF
        words = short(value)
        hint = f"{' '.join(path)}: worth {words}" + ("" if over else ", go there")
        key = "tree-" + "".join(c if c.isalnum() else f"-{ord(c):x}-" for c in "_".join(path))
        return TreeNode(key, shape, words, move=move, hint=hint, link=self.address(path))

    def _shape(self, state: Any) -> str:
        game = self.game
        if game.is_terminal(state):
            return LEAF
        if game.at_chance(state):
            return CHANCE
        return MAX if game.team(int(game.to_move(state))) == game.team(self.valuation.hero) else MIN

    def _open(self, node: TreeNode, state: Any, depth: int, path: tuple[str, ...], levels: int) -> None:
        """Put below a node what follows it, down to `levels` choices of players or of chance."""
        if depth == 0 or self.game.is_terminal(state) or time.monotonic() > self.ends:
            if node.shape != LEAF and depth == 0:
                node.notes.append("estimate")
            return
        if node.shape == CHANCE:
            self._open_chance(node, state, depth, path, levels)
        else:
            self._open_player(node, state, depth, path, levels)

    def _open_chance(self, node: TreeNode, state: Any, depth: int, path: tuple[str, ...], levels: int) -> None:
        found = self.outcomes(state, depth)
        shown, rest = (found, []) if self.every or len(found) <= TELLING + 1 else telling(found)
        for outcome in shown:
            place = (*path, outcome.name)
            child = self._node(
                outcome.state, place, outcome.value, f"{outcome.name}: {chance_text(outcome.probability)}"
            )
            if levels > 1:
                self._open(child, outcome.state, depth, place, levels - 1)
            node.children.append(child)
        if rest:
            share, mean = sum(one.probability for one in rest), average(rest)
            words = f"{len(rest)} others: {chance_text(share)}"
            node.children.append(TreeNode(f"{node.key}-rest", LEAF, short(mean), move=words, hint=f"{words}, mean"))

    def _open_player(self, node: TreeNode, state: Any, depth: int, path: tuple[str, ...], levels: int) -> None:
        count = len(self.game.choices(state))
        shown = self.valuation.ranked(state, depth) if count <= REPLIES else [self._best(state, depth)]
        for action, value in shown:
            name = self.game.format_action(state, action)
            after = self.game.state_after(state, action)
            child = self._node(after, (*path, name), value, name)
            if levels > 1:  # a forced move is no choice, and costs no level
                self._open(child, after, depth - 1, (*path, name), levels if count == 1 else levels - 1)
            elif depth == 1 and child.shape != LEAF:
                child.notes.append("estimate")
            node.children.append(child)
        if node.children:
            node.children[0].marks.add("best")
        if count > len(shown):
            node.notes.append(f"{count - len(shown)} more")

    def _best(self, state: Any, depth: int) -> tuple[int, float]:
        action, value = self.valuation.best(state, depth)
        assert action is not None
        return action, value


def telling(found: Sequence[Outcome]) -> tuple[list[Outcome], list[Outcome]]:
    """The best and the worst outcomes in the order of chance, and all others."""
    order = sorted(range(len(found)), key=lambda number: found[number].value)
    ends = {*order[: TELLING // 2], *order[-(TELLING // 2) :]}
    return [found[n] for n in range(len(found)) if n in ends], [found[n] for n in range(len(found)) if n not in ends]


def average(outcomes: Sequence[Outcome]) -> float:
    """The mean value, given that one of these outcomes comes."""
    whole = sum(one.probability for one in outcomes)
    return sum(one.probability * one.value for one in outcomes) / whole


def short(value: float) -> str:
    """A value as people write it: about four figures, and thousands apart."""
    size = abs(value)
    if size >= 1000:
        return f"{value:,.0f}"
    digits = 1 if size >= 100 else 2 if size >= 10 else 3
    text = f"{value:.{digits}f}".rstrip("0").rstrip(".")
    return "0" if text in ("-0", "") else text
