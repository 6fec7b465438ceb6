"""The first plies of a real search of the engine as a trace: windows, cutoffs, what the table knew.

    trace = record(game, state, depth=10, levels=2)
    Path("search.html").write_text(trace.html())

The engine deepens as always; its last depth is then searched by the same kernel, whose first `levels`
plies run as Python with a witness at every call, and all that lies deeper as native code. The trace
is the textbook's own, so the same pages and pictures show it; values are from MAX's perspective.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from typing import Any

from ...compiled import rebind
from ...counters import NODES, STOPPED
from ...draw.tree import value_text
from ...errors import BadInput
from ...game import Game
from ...knowledge import Knowledge
from ...number import is_whole
from ...textbook.algorithms.pseudocode import Pseudocode
from ...textbook.algorithms.sides import MAX_PLAYER, is_max, max_utility
from ...textbook.trace.step_text import joined
from ...textbook.trace.trace import (
    CUT,
    DONE,
    ESTIMATED,
    LEAF,
    MAX,
    MIN,
    OPEN,
    PRUNED,
    Cut,
    Step,
    Trace,
    TraceNode,
    View,
)
from ..kernel_runner import Job, run
from ..limits import Limit
from ..registry import check_suitable
from . import pvs as engine
from .ends import estimate, outcome
from .entries import from_table
from .pvs_counters import ESTIMATES, EXACT_DEPTH, HORIZON, INFINITY, MODE, SELECTIVE, SHARE
from .pvs_search import EngineSearch
from .pvs_workspace import NEVER

MOST_LEVELS = 6
MOST_NODES = 20_000
"""The most nodes of a trace: nobody could read more."""

PSEUDOCODE = """
function PVS(state, depth, α, β) returns a value
    if IS-TERMINAL(state) then return UTILITY(state) @leaf
    if depth = 0 then return EVAL(state)             @estimate
    if α, β is a null window then
        if bounds or the table settle it then return @return
    for each a in ORDERED(ACTIONS(state)) do
        first a: v ← PVS(RESULT(state, a), depth-1, α, β)   @enter
        others:  v ← the same with a null window, and again with (α, β) if better   @enter
        keep the best v, narrow the window           @back-up
        if the window is empty then return v         @cut
    store v in the table, return v                   @end
"""


def record(
    game: Game, view: Any = None, *, depth: int, levels: int = 2, history: Sequence[Any] = (), **options: Any
) -> Trace:
    """The trace of the engine's search to this depth, down to `levels` plies below the root."""
    if not is_whole(levels) or not 1 <= levels <= MOST_LEVELS:
        raise BadInput(f"levels must be a whole number from 1 to {MOST_LEVELS}, not {levels!r}")
    check_suitable(game, "pvs")
    task = EngineSearch(
        game, view, Limit(depth=depth), all_actions=False, compiled=None, history=history, **{"exact": None, **options}
    )
    if depth > 1:
        task.fixed(depth - 1)
    else:
        task.to_depth(1)  # compiles
    return _Witness(task, depth, levels).trace()


@dataclass
class _Node:
    """A node as it becomes known."""

    state: Any
    parent: int
    action: int
    moves: list[str]
    side: str
    more: str = ""
    children: list[int] = field(default_factory=list)


@dataclass
class _Open:
    """A call of the kernel that has not returned; values are MAX's."""

    node: int
    entry: tuple[float, float]
    alpha_by: int
    beta_by: int
    window: tuple[float, float]
    value: float | None = None
    best: int | None = None
    last: int | None = None  # the child searched last
    known: str = ""  # what settled it without a search of its own


class _Witness:
    """Replaces the kernel's recursive calls down to `levels` plies and records each of them."""

    def __init__(self, task: EngineSearch, depth: int, levels: int) -> None:
        assert task.entry is not None
        self.task, self.game, self.depth, self.levels = task, task.game, depth, levels
        self.deeper, self.native = task.entry
        self.pseudocode = Pseudocode.parse(PSEUDOCODE)
        self.nodes: list[_Node] = []
        self.views: list[View] = []
        self.changed: dict[int, View] = {}
        self.steps: list[Step] = []
        self.path: list[_Open] = []
        self.entered = self.leaves = self.cuts = 0
        self._register(task.state, -1, -1)
        self.kernel: Callable[..., Any] = rebind(engine.pvs.function, self._replaced)

    def _replaced(self, value: Any) -> Any:
        """The kernel calls the witness instead of itself; the helpers that end a node tell it which they are."""
        if value is engine.pvs:
            return self.visit
        endings: dict[Any, str] = {outcome: "leaf", estimate: "estimate", from_table: "table"}
        endings[engine.finished_early] = "finish"
        kind = endings.get(value) if callable(value) else None
        if kind is None:
            return value

        def told(*arguments: Any) -> Any:
            self.path[-1].known = kind
            return value(*arguments)

        return told

    def trace(self) -> Trace:
        """Run the search and close the record."""
        task, game = self.task, self.game
        work = task.work
        work.info[HORIZON] = work.info[ESTIMATES] = work.info[STOPPED] = 0
        work.info[SHARE], work.info[MODE] = NEVER, EXACT_DEPTH if task.exact else SELECTIVE

        def search(_: Game) -> None:
            self.visit(game, task.knowledge, task.state, task.mover, self.depth, 0, -INFINITY, INFINITY, work)

        run(Job(search, False), game, (), work)
        root = self.views[0]
        best = "" if root.best is None else self.nodes[root.best].moves[0]
        self._step("end", 0, f"{self.nodes[0].side.upper()} plays {best}, which is worth {value_text(root.value)}.")
        return Trace(
            algorithm="pvs",
            title=f"The engine at depth {self.depth}, its first {self.levels} plies",
            game=game.name,
            players=self._players(),
            pseudocode=self.pseudocode.lines,
            nodes=tuple(self._node(number) for number in range(len(self.nodes))),
            steps=tuple(self.steps),
        )

    def _players(self) -> tuple[str, str]:
        names, team = range(self.game.players), self.game.team_of
        sides = [[self.game.player_name(p) for p in names if (team[p] == team[0]) is first] for first in (True, False)]
        return joined(sides[0]), joined(sides[1])

    def _node(self, number: int) -> TraceNode:
        node = self.nodes[number]
        value = max_utility(self.game, node.state) if node.side == LEAF else None
        move = node.moves[-1] if node.moves else ""
        return TraceNode(
            number,
            node.parent,
            node.action,
            move,
            self._path(number),
            node.side,
            value,
            node.more,
            tuple(node.children),
        )

    # -- calls of the kernel --------------------------------------------------------------------------------

    def visit(
        self,
        game: Game,
        knowledge: Knowledge,
        state: Any,
        player: int,
        depth: int,
        ply: int,
        alpha: int,
        beta: int,
        work: Any,
    ) -> int:
        """Called in place of the kernel: returns the same value, and records the call."""
        found = self._child(self.path[-1], state) if ply else (0, False)
        if found is None:  # a null move, which no action leads to
            return int(self.deeper(game, knowledge, state, player, depth, ply, alpha, beta, work))
        top = self._enter(*found, player, alpha, beta)
        before = int(work.info[NODES])
        if ply < self.levels:
            value = int(self.kernel(game, knowledge, state, player, depth, ply, alpha, beta, work))
        else:
            value = int(self.deeper(game, knowledge, state, player, depth, ply, alpha, beta, work))
            top.known = top.known or "deeper"
        self._leave(top, self._utility(value, player), depth, int(work.info[NODES]) - before)
        return value

    def _enter(self, node: int, again: bool, player: int, alpha: int, beta: int) -> _Open:
        low, high = (alpha, beta) if self._for_max(player) else (-beta, -alpha)
        entry = self._bound(low), self._bound(high)
        top = _Open(0, entry, 0, 0, entry)
        if self.path:
            above = self.path[-1]
            owner = above.node
            top = _Open(node, entry, above.alpha_by, above.beta_by, entry)
            if entry[0] > above.entry[0] or (self.nodes[owner].side == MIN and high - low == 1):
                top.alpha_by = owner
            if entry[1] < above.entry[1] or (self.nodes[owner].side == MAX and high - low == 1):
                top.beta_by = owner
        self.path.append(top)
        self.entered += 1
        self._set(node, View(status=OPEN, entry=entry, window=entry))
        narrow = " (a null window)" if high - low == 1 else ""
        bounds = f"with α = {value_text(entry[0])} and β = {value_text(entry[1])}{narrow}"
        start = "Search" if again else "Try"
        more = " again" if again else ""
        words = f"{start} {self._path(node)}{more}, {bounds}." if node else f"Search the root, {bounds}."
        self._step("enter", node, words)
        return top

    def _child(self, above: _Open, state: Any) -> tuple[int, bool] | None:
        """The node that the kernel enters from the one above, and whether it was there just before; None if none."""
        game, parent = self.game, self.nodes[above.node]
        if above.last is not None and self.nodes[above.last].state == state:
            return above.last, True
        known = {self.nodes[child].action: child for child in parent.children}
        alike = [int(a) for a in game.actions(parent.state) if game.state_after(parent.state, a) == state]
        if not alike:
            return None
        action = next((a for a in alike if a not in known or self.views[known[a]].status == PRUNED), alike[0])
        above.last = known[action] if action in known else self._register(state, above.node, action)
        return above.last, False

    def _leave(self, top: _Open, value: float, depth: int, nodes: int) -> None:
        self.path.pop()
        low, high = top.entry
        interval = (-math.inf, value) if value <= low else (value, math.inf) if value >= high else (value, value)
        number = top.node
        node, path = self.nodes[number], self._path(number)
        view = self.views[number]._replace(value=value, low=interval[0], high=interval[1], best=top.best, status=DONE)
        worth = {(-math.inf, value): "at most ", (value, math.inf): "at least "}.get(interval, "") + value_text(value)
        if node.side == LEAF:
            self.leaves += 1
            self._close(
                number, view._replace(low=value, high=value), "leaf", f"{path} ends the game: {value_text(value)}."
            )
        elif top.last is not None:
            self._left(top, view, worth)
        elif top.known == "estimate":
            self.leaves += 1
            self._close(number, view._replace(status=ESTIMATED), "estimate", f"The evaluation of {path} is {worth}.")
        elif top.known == "deeper" and nodes > 1:
            node.more = f"{nodes:,} nodes"
            words = f"{path}, searched {max(depth, 0)} plies deeper in {nodes:,} nodes, is worth {worth}."
            self._close(number, view, "return", words)
        else:
            names = {"table": "the table", "finish": "the game's own solver", "leaf": "the rules"}
            source = names.get(top.known, "the table or a bound")
            brief = f"from {source}"
            words = f"{source[0].upper()}{source[1:]} knows {path}: it is worth {worth}."
            self._close(number, view._replace(reason=words, cutoff=brief), "return", words)
        if self.path:
            self._back_up(self.path[-1], number, value)

    def _left(self, top: _Open, view: View, worth: str) -> None:
        """A node whose moves were searched: all of them, or until one was good enough."""
        number = top.node
        node = self.nodes[number]
        tried = {self.nodes[child].action for child in node.children}
        rest = []
        for action in self.game.actions(node.state):
            if int(action) not in tried:
                child = self.game.state_after(node.state, action)
                rest.append(self._register(child, number, int(action)))
        at_min = node.side == MIN
        assert view.value is not None
        is_cut = view.value <= top.entry[0] if at_min else view.value >= top.entry[1]
        if not is_cut or not rest:
            for child in rest:
                self._set(child, View(status=PRUNED, reason="the game says that it cannot matter"))
            self._close(number, view, "return", f"{self._path(number)} is worth {worth}.")
            return
        by = top.alpha_by if at_min else top.beta_by
        bound = top.entry[0] if at_min else top.entry[1]
        here = node.side.upper()
        reason = (
            f"{here} already has {value_text(view.value)} here; the bound {value_text(bound)} is {self._path(by)}'s"
        )
        cut = Cut(number, "alpha" if at_min else "beta", by != node.parent, by, view.value, bound, reason, tuple(rest))
        self.cuts += 1
        for child in rest:
            self._set(child, View(status=PRUNED, reason=reason))
        brief = f"cut by {self._path(by)}'s {'α' if at_min else 'β'}"
        view = view._replace(status=CUT, reason=reason, cutoff=brief)
        self._set(number, view)
        self._step("cut", number, f"Cutoff at {self._path(number)}: {reason}.", cut)

    def _back_up(self, above: _Open, child: int, value: float) -> None:
        """What a child's value changes at the node above."""
        side = self.nodes[above.node].side
        better = above.value is None or (value > above.value if side == MAX else value < above.value)
        low, high = above.window
        if better:
            above.value, above.best = value, child
            above.window = (max(low, value), high) if side == MAX else (low, min(high, value))
        view = self.views[above.node]._replace(value=above.value, best=above.best, window=above.window)
        self._set(above.node, view)
        move = self.nodes[child].moves[-1]
        kept = f"the best for {side.upper()} so far" if better else f"{side.upper()} keeps {value_text(above.value)}"
        self._step("back-up", above.node, f"{move} is worth {value_text(value)}; {kept}.")

    # -- the record -------------------------------------------------------------------------------------------

    def _register(self, state: Any, parent: int, action: int) -> int:
        if len(self.nodes) >= MOST_NODES:
            raise BadInput(f"this trace would list more than {MOST_NODES:,} nodes; ask for fewer levels")
        moves: list[str] = []
        if parent >= 0:
            above = self.nodes[parent]
            above.children.append(len(self.nodes))
            moves = [*above.moves, self.game.format_action(above.state, action)]
        side = LEAF if self.game.is_terminal(state) else MAX if is_max(self.game, state) else MIN
        self.nodes.append(_Node(state, parent, action, moves, side))
        self.views.append(View())
        return len(self.nodes) - 1

    def _path(self, number: int) -> str:
        moves = self.nodes[number].moves
        return self.game.join_moves(moves) if moves else "root"

    def _for_max(self, player: int) -> bool:
        return self.game.team_of[player] == self.game.team_of[MAX_PLAYER]

    def _bound(self, value: int) -> float:
        return math.copysign(math.inf, value) if abs(value) >= INFINITY else self.task.surface(value)[0]

    def _utility(self, value: int, player: int) -> float:
        utility = self.task.surface(value)[0]
        return utility if self._for_max(player) else 0.0 - utility

    def _close(self, number: int, view: View, kind: str, words: str) -> None:
        self._set(number, view)
        self._step(kind, number, words)

    def _set(self, number: int, view: View) -> None:
        self.views[number] = self.changed[number] = view

    def _step(self, kind: str, number: int, words: str, cut: Cut | None = None) -> None:
        lines = self.pseudocode.lines_of(kind, self.nodes[number].side)
        changes = tuple(self.changed.items())
        self.steps.append(Step(kind, number, lines, words, self.entered, self.leaves, self.cuts, cut, changes))
        self.changed = {}
