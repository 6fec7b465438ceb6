"""The note that keeps everything: it watches a search and builds its `Trace`."""

from __future__ import annotations

import math
from collections.abc import Iterable
from dataclasses import dataclass
from typing import Any

from ..draw.tree import value_text
from ..errors import Unsuitable
from ..game import Game
from .note import Note
from .pseudocode import Pseudocode
from .sides import is_max, max_utility
from .trace import CUT, DONE, ESTIMATED, LEAF, MAX, MIN, OPEN, PRUNED, Cut, Step, Trace, TraceNode, View
from .words import Words, joined

MAX_NODES = 20_000
"""A search that lists more nodes than this is not traced: nobody could look at it."""
MAX_PLIES = 400
"""Nor is one with longer lines than this."""
WHOLE = 40
"""A pruned subtree of up to so many nodes is listed whole, a larger one as a stub."""


@dataclass
class _Node:
    """A node as it becomes known."""

    state: Any
    parent: int
    action: int
    move: str
    path: str
    moves: list[str]
    side: str
    value: float | None
    more: str = ""
    children: list[int] | None = None


@dataclass
class _Open:
    """A node on the way from the root to where the search is."""

    node: int
    next: int = 0  # the child to be entered next
    alpha_by: int = -1  # the ancestor whose value alpha is
    beta_by: int = -1


class Recorder(Note):
    """Records one search of a game from a state; `depth` is the limit the search was given."""

    def __init__(
        self, game: Game, state: Any, pseudocode: Pseudocode, depth: int | None = None, budget: int | None = None
    ) -> None:
        super().__init__(budget)
        self.game, self.pseudocode, self.limit = game, pseudocode, depth
        self.tree: list[_Node] = []
        self.views: list[View] = []
        self.path: list[_Open] = []
        self.steps: list[Step] = []
        self.changed: dict[int, View] = {}
        self.finished: list[View] = []  # of the last finished round
        self.cuts = 0
        self.words = Words(self)
        self._register(state, -1, -1)

    def trace(self, algorithm: str, title: str, value: float, move: int | None) -> Trace:
        """Close the record: the last step gives the answer."""
        self._step("end", 0, self.words.end(value, move))
        return Trace(
            algorithm=algorithm,
            title=title,
            game=self.game.name,
            players=self._players(),
            pseudocode=self.pseudocode.lines,
            nodes=tuple(
                TraceNode(number, n.parent, n.action, n.move, n.path, n.side, n.value, n.more, tuple(n.children or ()))
                for number, n in enumerate(self.tree)
            ),
            steps=tuple(self.steps),
        )

    def _players(self) -> tuple[str, str]:
        team = self.game.team_of
        players = range(self.game.players)
        first = [self.game.player_name(player) for player in players if team[player] == team[0]]
        second = [self.game.player_name(player) for player in players if team[player] != team[0]]
        return joined(first), joined(second)

    # -- what the algorithm tells -------------------------------------------------------------------------

    def begin(self, depth: int) -> None:
        super().begin(depth)
        self.limit = depth
        self.path.clear()
        for node, view in enumerate(self.views):
            if view != View():
                self._set(node, View())
        self._step("begin", 0, self.words.begin(depth))

    def finish(self, depth: int) -> None:
        super().finish(depth)
        self.finished = list(self.views)

    def stop(self, depth: int) -> None:
        """Back to what the last finished round knew, since its answer is the one that counts."""
        super().stop(depth)
        self.path.clear()
        for node, view in enumerate(self.views):
            known = self.finished[node] if node < len(self.finished) else View()
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
        self._set(top.node, View(status=OPEN, entry=window, window=window))
        if not self._is_last(top.node):
            self._step("enter", top.node, self.words.enter(top.node))

    def order(self, actions: Iterable[int]) -> list[int]:
        ordered = list(actions)
        node = self.path[-1].node
        if self.tree[node].children is None:
            self._expand(node, ordered)
        return ordered

    def leaf(self, value: float) -> float:
        return self._last(super().leaf(value), DONE)

    def estimate(self, value: float) -> float:
        return self._last(super().estimate(value), ESTIMATED)

    def back_up(self, value: float, move: int | None, alpha: float | None = None, beta: float | None = None) -> None:
        top = self.path[-1]
        before = self.views[top.node]
        window = None if alpha is None or beta is None else (float(alpha), float(beta))
        if window and before.window and window[0] > before.window[0]:
            top.alpha_by = top.node
        if window and before.window and window[1] < before.window[1]:
            top.beta_by = top.node
        best = next((c for c in self._children(top.node) if self.tree[c].action == move), None)
        self._set(top.node, before._replace(value=value, best=best, window=window))
        child = self._children(top.node)[top.next - 1]
        self._step("back-up", top.node, self.words.back_up(top.node, child, before))

    def cut(self, value: float) -> float:
        top = self.path[-1]
        rest = tuple(self._children(top.node)[top.next :])
        if not rest:  # the test holds after the last move too, but then there is nothing to cut
            self._close(value, DONE)
            self._step("cut", top.node, self.words.nothing_left(top.node))
            return super().cut(value)
        cut = self._cutoff(top, value, rest)
        self.cuts += 1
        self._close(value, CUT)
        brief = f"cut by {self.tree[cut.by].path}'s {'α' if cut.kind == 'alpha' else 'β'}"
        self._set(top.node, self.views[top.node]._replace(reason=cut.reason, cutoff=brief))
        for node in rest:
            self._prune(node, cut.reason)
        self._step("cut", top.node, self.words.cut(cut), cut)
        return super().cut(value)

    def leave(self, value: float) -> float:
        node = self.path[-1].node
        self._close(value, DONE)
        self._step("return", node, self.words.leave(node))
        return super().leave(value)

    # -- values and intervals -------------------------------------------------------------------------------

    def _last(self, value: float, status: str) -> float:
        """The node has no children to search: its value is known at once."""
        node = self.path[-1].node
        self._set(node, self.views[node]._replace(status=status, value=value, low=value, high=value))
        for above in reversed(self.path[:-1]):
            if not self._narrow(above.node):
                break
        self._close(value, status)
        kind = "leaf" if status == DONE else "estimate"
        self._step(kind, node, self.words.leaf(node) if status == DONE else self.words.estimate(node))
        return value

    def _close(self, value: float, status: str) -> None:
        top = self.path.pop()
        self._set(top.node, self.views[top.node]._replace(status=status, value=value))

    def _narrow(self, node: int) -> bool:
        """Recompute what is known of an inner node from its children; says whether it became more."""
        view = self.views[node]
        below = [self.views[child] for child in self._children(node)]
        choose = max if self.tree[node].side == MAX else min
        low, high = choose(v.low for v in below), choose(v.high for v in below)
        if (low, high) == view.interval:
            return False
        self._set(node, view._replace(low=low, high=high))
        return True

    def _cutoff(self, top: _Open, value: float, rest: tuple[int, ...]) -> Cut:
        """Which bound cut this node, whose it is, and why that is right."""
        at_min = self.tree[top.node].side == MIN
        owner = top.alpha_by if at_min else top.beta_by
        nearest = self.tree[top.node].parent
        while nearest > 0 and (self.tree[nearest].side == MIN) is at_min:
            nearest = self.tree[nearest].parent
        window = self.views[top.node].window or (-math.inf, math.inf)
        bound = window[0] if at_min else window[1]
        here, there = ("MIN", "MAX") if at_min else ("MAX", "MIN")
        found = self.views[top.node].value
        found = value if found is None else found
        reason = f"{here} already has {value_text(found)} here; {there} has {value_text(bound)} {self.words.at(owner)}"
        kind = "alpha" if at_min else "beta"
        return Cut(top.node, kind, owner != nearest, owner, found, bound, reason, rest)

    # -- the tree as it becomes known -----------------------------------------------------------------------

    def _children(self, node: int) -> list[int]:
        if self.tree[node].children is None:
            self._expand(node, [int(action) for action in self.game.actions(self.tree[node].state)])
        found = self.tree[node].children
        assert found is not None
        return found

    def _expand(self, node: int, actions: list[int]) -> None:
        parent = self.tree[node]
        parent.more = ""
        parent.children = []
        for action in actions:
            state = self.game.result(parent.state, action)
            parent.children.append(self._register(state, node, int(action)))

    def _register(self, state: Any, parent: int, action: int) -> int:
        too_many = f"{MAX_NODES:,} nodes, too many" if len(self.tree) >= MAX_NODES else ""
        if parent >= 0 and len(self.tree[parent].moves) >= MAX_PLIES:
            too_many = f"{MAX_PLIES} plies, too many"
        if too_many:
            raise Unsuitable(
                f"this search of {self.game.name} has more than {too_many} to trace; "
                f"give a smaller depth to h-minimax or h-alphabeta, or run it with trace=False"
            )
        move = self.game.format_action(self.tree[parent].state, action) if parent >= 0 else ""
        moves = [*self.tree[parent].moves, move] if parent >= 0 else []
        side, value = LEAF, None
        if self.game.is_terminal(state):
            value = max_utility(self.game, state)
        else:
            side = MAX if is_max(self.game, state) else MIN
        path = self.game.join_moves(moves) if moves else "root"
        self.tree.append(_Node(state, parent, action, move, path, moves, side, value))
        self.views.append(View())
        return len(self.tree) - 1

    def _is_last(self, node: int) -> bool:
        """Whether the search goes no deeper here: the game is over or the limit reached."""
        return self.tree[node].side == LEAF or (self.limit is not None and len(self.tree[node].moves) >= self.limit)

    def _prune(self, top: int, reason: str) -> None:
        """Mark a whole subtree as never looked at, and list it if it is small."""
        waiting = [top]
        if self.tree[top].children is None and self._size(self.tree[top].state, len(self.tree[top].moves)) > WHOLE:
            self.tree[top].more = f"more than {WHOLE} nodes"
        for node in waiting:  # grows while it is read
            self._set(node, View(status=PRUNED, reason=reason))
            if not self._is_last(node) and not self.tree[top].more:
                waiting.extend(self._children(node))

    def _size(self, state: Any, ply: int) -> int:
        """How many nodes the search would have under `state`, counted up to WHOLE + 1."""
        count, waiting = 0, [(state, ply)]
        for place, level in waiting:
            count += 1
            if count > WHOLE:
                break
            if not self.game.is_terminal(place) and (self.limit is None or level < self.limit):
                waiting.extend((self.game.result(place, action), level + 1) for action in self.game.actions(place))
        return count

    # -- steps ----------------------------------------------------------------------------------------------

    def _set(self, node: int, view: View) -> None:
        self.views[node] = view
        self.changed[node] = view

    def _step(self, kind: str, node: int, words: str, cut: Cut | None = None) -> None:
        lines = self.pseudocode.lines_of(kind, self.tree[node].side)
        changes = tuple(self.changed.items())
        self.steps.append(Step(kind, node, lines, words, self.nodes, self.leaves, self.cuts, cut, changes))
        self.changed = {}
