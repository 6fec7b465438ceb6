"""The note that keeps everything: it watches a search and builds its `Trace`."""

from __future__ import annotations

import math
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from typing import Any

from ...game import Game
from ..algorithms.pseudocode import Pseudocode
from .note import AnyValue, Value
from .step_text import Words, joined
from .trace import (
    CHANCE,
    CUT,
    DONE,
    ESTIMATED,
    MAX,
    MIN,
    OPEN,
    PROBED,
    PRUNED,
    UNSEEN,
    Cut,
    Step,
    Trace,
    TraceNode,
    View,
)
from .tree_note import TreeNote


@dataclass
class _Open:
    """A node on the way from the root to where the search is."""

    node: int
    next: int = 0  # the child to be entered next
    alpha_by: int = -1  # the ancestor whose value alpha is
    beta_by: int = -1


class Recorder(TreeNote):
    """Records one search of a game from a state; the options are those of `TreeNote`."""

    def __init__(self, game: Game, state: Any, pseudocode: Pseudocode, **options: Any) -> None:
        super().__init__(game, **options)
        self.pseudocode = pseudocode
        self.path: list[_Open] = []
        self.steps: list[Step] = []
        self.changed: dict[int, View] = {}
        self.finished: list[View] = []  # of the last finished round
        self.cuts = 0
        self.words = Words(self)
        self._register(state, -1, -1, None)

    def trace(self, algorithm: str, title: str, value: Value, move: int | None) -> Trace:
        """Close the record: the last step gives the answer."""
        self._step("end", 0, self.words.end(value, move))
        return Trace(
            algorithm=algorithm,
            title=title,
            game=self.game.name,
            players=self._players(),
            pseudocode=self.pseudocode.lines,
            nodes=tuple(
                TraceNode(
                    number=number,
                    parent=n.parent,
                    action=n.action,
                    move=n.move,
                    path=n.path,
                    side=n.side,
                    value=n.value,
                    more=n.more,
                    children=tuple(n.children or ()),
                    chance=n.chance,
                    values=n.values,
                    player=n.player,
                )
                for number, n in enumerate(self.tree)
            ),
            steps=tuple(self.steps),
        )

    def _players(self) -> tuple[str, ...]:
        team = self.game.team_of
        players = range(self.game.players)
        if self.selfish or self.game.players == 1:
            return tuple(self.game.player_name(player) for player in players)
        first = [self.game.player_name(player) for player in players if team[player] == team[self.player]]
        second = [self.game.player_name(player) for player in players if team[player] != team[self.player]]
        return joined(first), joined(second)

    # -- what the algorithm tells -------------------------------------------------------------------------

    def begin(self, depth: int) -> None:
        super().begin(depth)
        self.limit = depth
        self.path.clear()
        for node, view in enumerate(self.views):
            if view != self.blank:
                self._set(node, self.blank)
        self._step("begin", 0, self.words.begin(depth))

    def finish(self, depth: int) -> None:
        super().finish(depth)
        self.finished = list(self.views)

    def stop(self, depth: int) -> None:
        """Back to what the last finished round knew, since its answer is the one that counts."""
        super().stop(depth)
        self.path.clear()
        for node, view in enumerate(self.views):
            known = self.finished[node] if node < len(self.finished) else self.blank
            if view != known:
                self._set(node, known)
        self._step("stop", 0, self.words.stop(depth))

    def enter(self, state: Any, alpha: float | None = None, beta: float | None = None) -> None:
        super().enter(state, alpha, beta)
        top = _Open(0)
        if self.path:
            above = self.path[-1]
            node = self._children(above.node)[above.next]
            above.next += 1
            top = _Open(node, alpha_by=above.alpha_by, beta_by=above.beta_by)
        self.path.append(top)
        window = None if alpha is None or beta is None else (float(alpha), float(beta))
        if window and window[0] <= self.blank.low:  # the bound is nobody's: no value is lower
            top.alpha_by = -1
        if window and window[1] >= self.blank.high:
            top.beta_by = -1
        if self.selfish:
            window = None if window is None or math.isinf(window[1]) else window
        known = self.views[top.node]  # more than nothing where Star2 has looked before
        fresh = self.blank._replace(low=known.low, high=known.high)
        self._set(top.node, fresh._replace(status=OPEN, entry=window, window=window))
        if not self._is_last(top.node):
            self._step("enter", top.node, self.words.enter(top.node))

    def turn(self, action: int) -> None:
        top = self.path[-1]
        children = self._children(top.node)
        top.next = next(place for place, child in enumerate(children) if self.tree[child].action == action)

    def order(self, actions: Iterable[int]) -> list[int]:
        ordered = list(actions)
        node = self.path[-1].node
        if self.tree[node].children is None:
            self._expand(node, dict.fromkeys(map(int, ordered)))
        return ordered

    def leaf(self, value: AnyValue) -> AnyValue:
        return self._last(super().leaf(value), DONE)

    def estimate(self, value: AnyValue) -> AnyValue:
        return self._last(super().estimate(value), ESTIMATED)

    def back_up(self, value: Value, move: int | None, alpha: float | None = None, beta: float | None = None) -> None:
        top = self.path[-1]
        before = self.views[top.node]
        window = None if alpha is None or beta is None else (float(alpha), float(beta))
        if window and before.window and window[0] > before.window[0]:
            top.alpha_by = top.node
        if window and before.window and window[1] < before.window[1]:
            top.beta_by = top.node
        if self.selfish:
            window = before.window
        best = next((c for c in self._children(top.node) if self.tree[c].action == move), None)
        self._set(top.node, self._valued(before, value)._replace(best=best, window=window))
        child = self._children(top.node)[top.next - 1]
        self._step("back-up", top.node, self.words.back_up(top.node, child, before))

    def weigh(self, value: Value, outcome: int, probability: float) -> None:
        top = self.path[-1]
        self._set(top.node, self._valued(self.views[top.node], value))
        child = self._children(top.node)[top.next - 1]
        self._step("back-up", top.node, self.words.weigh(top.node, child, probability))

    def tied(self, moves: Sequence[int]) -> None:
        super().tied(moves)
        if len(moves) > 1:
            node = self.path[-1].node
            ties = tuple(child for child in self._children(node) if self.tree[child].action in moves)
            self._set(node, self.views[node]._replace(ties=ties))

    def probed(self, value: float) -> float:
        node = self.path[-1].node
        self._close(value, PROBED)
        self._step("probe", node, self.words.probed(node))
        return super().probed(value)

    def cut(self, value: AnyValue, kind: str = "") -> AnyValue:
        top = self.path[-1]
        rest = self._unfinished(top.node)
        step = f"cut-{kind}" if kind else "cut"
        if not rest:  # the test holds after the last move too, but then there is nothing to cut
            self._close(value, DONE)
            self._step("cut", top.node, self.words.nothing_left(top.node), mark=step)
            return super().cut(value)
        cut = self._cutoff(top, value, kind, rest)
        self.cuts += 1
        self._close(value, CUT)
        self._set(top.node, self.views[top.node]._replace(reason=cut.reason, cutoff=self.words.brief(cut)))
        for node in rest:
            self._leave_out(node, cut.reason)
        self._step("cut", top.node, self.words.cut(cut), cut, step)
        return super().cut(value)

    def leave(self, value: AnyValue) -> AnyValue:
        value = super().leave(value)
        node = self.path[-1].node
        self._close(value, DONE)
        self._step("return", node, self.words.leave(node))
        return value

    # -- values and intervals -------------------------------------------------------------------------------

    def _valued(self, view: View, value: Value) -> View:
        """The view with a value, from the perspective of MAX and, where it is a vector, by player."""
        if isinstance(value, tuple):
            return view._replace(value=value[self.player] if value else None, values=value)
        return view._replace(value=value)

    def _last(self, value: AnyValue, status: str) -> AnyValue:
        """The node has no children to search: its value is known at once."""
        node = self.path[-1].node
        view = self._valued(self.views[node], value)
        assert view.value is not None
        self._set(node, view._replace(status=status, low=view.value, high=view.value))
        for above in reversed(self.path[:-1]):
            if not self._narrow(above.node):
                break
        self._close(value, status)
        kind = "leaf" if status == DONE else "estimate"
        self._step(kind, node, self.words.leaf(node) if status == DONE else self.words.estimate(node))
        return value

    def _close(self, value: Value, status: str) -> None:
        top = self.path.pop()
        view = self._valued(self.views[top.node], value)._replace(status=status)
        if self.selfish and view.value is not None:  # no intervals: a vector is what it is
            view = view._replace(low=view.value, high=view.value)
        self._set(top.node, view)

    def _narrow(self, node: int) -> bool:
        """Recompute what is known of an inner node from its children; says whether it became more."""
        if self.selfish:
            return False
        view = self.views[node]
        children = self._children(node)
        below = [self.views[child] for child in children]
        if self.tree[node].side == CHANCE:
            odds = [self.tree[child].chance or 0.0 for child in children]
            low = _average(odds, [v.low for v in below])
            high = _average(odds, [v.high for v in below])
        else:
            choose = max if self.tree[node].side == MAX else min
            low, high = choose(v.low for v in below), choose(v.high for v in below)
        if (low, high) == view.interval:
            return False
        self._set(node, view._replace(low=low, high=high))
        return True

    def _cutoff(self, top: _Open, value: Value, kind: str, rest: tuple[int, ...]) -> Cut:
        """Which bound cut this node, whose it is, and why that is right."""
        view, parent = self.views[top.node], self.tree[top.node].parent
        window = view.window or (-math.inf, math.inf)
        if self.selfish:
            mover = int(self.game.to_move(self.tree[top.node].state))
            found = view.values[mover]
            return Cut(top.node, "sum", False, parent, found, window[1], self.words.why_sum(top.node, mover), rest)
        at_min = kind == "alpha" or (not kind and self.tree[top.node].side == MIN)
        owner = top.alpha_by if at_min else top.beta_by
        bound = window[0] if at_min else window[1]
        nearest = parent
        while nearest > 0 and self.tree[nearest].side != (MAX if at_min else MIN):
            nearest = self.tree[nearest].parent
        if kind:
            assert isinstance(value, float)
            found, reason = value, self.words.why_average(value, at_min, bound, owner, rest)
        else:
            found = view.value if view.value is not None else bound
            reason = self.words.why_bound(top.node, found, at_min, bound, owner)
        by = owner if owner >= 0 else top.node
        return Cut(top.node, "alpha" if at_min else "beta", owner not in (-1, nearest), by, found, bound, reason, rest)

    # -- what is never looked at ----------------------------------------------------------------------------

    def _unfinished(self, node: int) -> tuple[int, ...]:
        """The children that have not been searched, or only looked at in passing."""
        return tuple(child for child in self._children(node) if self.views[child].status in (UNSEEN, PROBED))

    def _leave_out(self, node: int, reason: str) -> None:
        """This node is not searched, nor, where its first move was looked at, the other ones."""
        if self.views[node].status == UNSEEN:
            self._prune(node, reason)
            return
        for child in self._children(node):
            if self.views[child].status == UNSEEN:
                self._prune(child, reason)

    def _prune(self, top: int, reason: str) -> None:
        """Mark a whole subtree as never looked at, and list it if it is small."""
        waiting = [top]
        if self.tree[top].children is None and self._size(self.tree[top].state, self.tree[top].decisions) > self.whole:
            self.tree[top].more = f"more than {self.whole} nodes"
        for node in waiting:  # grows while it is read
            self._set(node, self.blank._replace(status=PRUNED, reason=reason))
            if not self._is_last(node) and not self.tree[top].more:
                waiting.extend(self._children(node))

    # -- steps ----------------------------------------------------------------------------------------------

    def _set(self, node: int, view: View) -> None:
        self.views[node] = view
        self.changed[node] = view

    def _step(self, kind: str, node: int, words: str, cut: Cut | None = None, mark: str = "") -> None:
        lines = self.pseudocode.lines_of(mark or kind, self.tree[node].side)
        changes = tuple(self.changed.items())
        self.steps.append(Step(kind, node, lines, words, self.nodes, self.leaves, self.cuts, cut, changes))
        self.changed = {}


def _average(odds: list[float], values: list[float]) -> float:
    """The weighted sum; a chance of an infinity is that infinity."""
    endless = [value for value, p in zip(values, odds, strict=True) if p > 0 and math.isinf(value)]
    return endless[0] if endless else math.fsum(p * value for p, value in zip(odds, values, strict=True))
