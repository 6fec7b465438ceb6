"""A trace: every step of a textbook search, to be replayed in both directions, drawn and kept.

    trace = run("alphabeta", game).trace
    trace.at(7)                 # everything that is known after seven steps
    trace.steps[6].words        # what the seventh step did, in words
    trace.cuts[0].reason        # "MIN already has 2 here; MAX has 3 at the root"

Two things are kept apart. The *window* (alpha, beta) of a node is what the algorithm passes down: the
best that MAX and MIN have so far on the way to it. Its *interval* [low, high] is what is known of its
value: at MAX [max low, max high] over all moves, at MIN the minimum likewise, where a move not looked
at counts [-inf, inf], and at a chance node the average (for Star1 and Star2 such a move counts the
game's utility range). All values are from the perspective of MAX. Where every player counts, a node has `values`
by player besides, and `value` is that of the player to move at the root.
"""

from __future__ import annotations

import math
from collections.abc import Iterator
from dataclasses import dataclass, field
from functools import cached_property
from typing import Any, NamedTuple

from ...errors import BadInput

MAX, MIN, CHANCE, LEAF = "max", "min", "chance", "leaf"
SIDES = (MAX, MIN, CHANCE, LEAF)
UNSEEN, OPEN, PROBED, DONE, CUT, ESTIMATED, PRUNED = "unseen", "open", "probed", "done", "cut", "estimated", "pruned"
STATUSES = (UNSEEN, OPEN, PROBED, DONE, CUT, ESTIMATED, PRUNED)
KINDS = ("begin", "enter", "leaf", "estimate", "back-up", "probe", "cut", "return", "stop", "end")
CUTS = ("alpha", "beta", "sum")
MCTS = "mcts"
"""The algorithm of a trace made of simulations."""

Window = tuple[float, float]


class TraceNode(NamedTuple):
    """What never changes about a node: its place in the tree, who moves there, a leaf's utility."""

    number: int
    parent: int  # -1 at the root
    action: int  # that leads here; -1 at the root
    move: str
    path: str  # the moves from the root in the game's notation; "root" for the root
    side: str  # max, min, chance or leaf; where each player is for itself, all of them are max
    value: float | None  # the utility of a leaf, also of one that the search never looked at
    more: str  # what lies below but is not listed, such as "more than 40 nodes"
    children: tuple[int, ...]
    chance: float | None = None  # the probability of getting here, where chance moves above
    values: tuple[float, ...] = ()  # the utilities of a leaf by player, where every player counts
    player: str = ""  # who moves, where there are more than two players


class View(NamedTuple):
    """What is known of a node at one moment."""

    status: str = UNSEEN
    entry: Window | None = None  # the window it was entered with
    window: Window | None = None  # the window now
    low: float = -math.inf
    high: float = math.inf
    value: float | None = None  # backed up so far, and returned once the node is done or cut
    best: int | None = None  # the child that the value comes from
    reason: str = ""  # why it was cut or pruned
    cutoff: str = ""  # the same in brief for a cut node, such as "cut by root's α"
    values: tuple[float, ...] = ()  # the value by player, where every player counts
    ties: tuple[int, ...] = ()  # the children that are equally good for the player to move, where it matters

    @property
    def interval(self) -> Window:
        return self.low, self.high

    @property
    def bound(self) -> str:
        """What the value is: exact, at least, at most; empty while there is none."""
        if self.value is None:
            return ""
        if self.low == self.high == self.value:
            return "exact"
        return "at most" if self.value >= self.high else "at least"


class Cut(NamedTuple):
    """One cutoff: an alpha cutoff happens at a MIN node, a beta cutoff at a MAX node, both at chance nodes.

    A sum cutoff happens where each player is for itself: too little is left for the player above.
    """

    node: int
    kind: str  # alpha, beta or sum
    deep: bool  # the bound comes from further up than the nearest node of the other side
    by: int  # the ancestor whose bound it is
    value: float
    bound: float
    reason: str
    pruned: tuple[int, ...]  # the moves never looked at


class Step(NamedTuple):
    """One step: what it did, where, which lines of the pseudocode, in words, and what it changed."""

    kind: str
    node: int
    lines: tuple[int, ...]  # from 0
    words: str
    nodes: int  # entered so far
    leaves: int  # examined so far
    cuts: int
    cut: Cut | None
    changes: tuple[tuple[int, View], ...]


class Frame(NamedTuple):
    """Everything at one moment: after `number` steps."""

    number: int
    step: Step | None
    views: tuple[View, ...]


@dataclass(eq=False)
class Trace:
    """The record of one search; see the module's first lines."""

    algorithm: str
    title: str
    game: str
    players: tuple[str, ...]  # who MAX is and who MIN is; every player where each is for itself
    pseudocode: tuple[str, ...]
    nodes: tuple[TraceNode, ...]
    steps: tuple[Step, ...]
    _number: int = field(default=0, init=False, repr=False)

    def __post_init__(self) -> None:
        self._views = [View()] * len(self.nodes)
        self._olds: list[tuple[tuple[int, View], ...]] = []  # what each step replaced

    def __len__(self) -> int:
        return len(self.steps)

    def __eq__(self, other: object) -> bool:
        return isinstance(other, Trace) and self._parts() == other._parts()

    __hash__ = None  # type: ignore[assignment]

    def _parts(self) -> tuple[Any, ...]:
        return self.algorithm, self.title, self.game, self.players, self.pseudocode, self.nodes, self.steps

    @cached_property
    def each_for_itself(self) -> bool:
        """Whether every player maximises its own value, as in max^n."""
        from .. import ALGORITHMS

        return self.algorithm == MCTS or (self.algorithm in ALGORITHMS and ALGORITHMS[self.algorithm].selfish)

    # -- replay -------------------------------------------------------------------------------------------

    def at(self, number: int | None = None) -> Frame:
        """Everything after `number` steps: 0 is the beginning, None and -1 the end."""
        number = self._check(number)
        while self._number < number:
            step = self.steps[self._number]
            if len(self._olds) == self._number:
                self._olds.append(tuple((node, self._views[node]) for node, _ in step.changes))
            for node, view in step.changes:
                self._views[node] = view
            self._number += 1
        while self._number > number:
            self._number -= 1
            for node, view in reversed(self._olds[self._number]):
                self._views[node] = view
        return Frame(number, self.steps[number - 1] if number else None, tuple(self._views))

    def forwards(self) -> Iterator[Frame]:
        """Every moment from the beginning to the end."""
        return (self.at(number) for number in range(len(self.steps) + 1))

    def backwards(self) -> Iterator[Frame]:
        return (self.at(number) for number in range(len(self.steps), -1, -1))

    def _check(self, number: int | None) -> int:
        if number is None:
            return len(self.steps)
        if not isinstance(number, int) or not -len(self.steps) - 1 <= number <= len(self.steps):
            raise BadInput(f"there is no step {number!r}: this trace has steps 0 to {len(self.steps)}")
        return number if number >= 0 else number + len(self.steps) + 1

    # -- questions ----------------------------------------------------------------------------------------

    def node(self, path: str = "root") -> TraceNode:
        """The node that these moves lead to, such as `a2 c1`."""
        wanted = " ".join(path.split()) or "root"
        if wanted not in self._by_path:
            raise BadInput(f"the trace has no node {path!r}")
        return self.nodes[self._by_path[wanted]]

    @cached_property
    def _by_path(self) -> dict[str, int]:
        return {node.path: node.number for node in self.nodes}

    def view(self, path: str = "root", step: int | None = None) -> View:
        """What is known of a node after a step, by default at the end."""
        return self.at(step).views[self.node(path).number]

    def windows(self, path: str = "root") -> list[Window]:
        """The window of a node on entry and after each child (in the last round, where there are several)."""
        number, found = self.node(path).number, list[Window]()
        for step in self.steps:
            if step.kind == "begin":
                found.clear()
            told = not found or (step.kind == "back-up" and step.node == number)
            found += [view.window for node, view in step.changes if told and node == number and view.window]
        return found

    def intervals(self, path: str = "root") -> list[Window]:
        """What was known of a node's value, each time it became more (in the last round)."""
        number, found = self.node(path).number, [(-math.inf, math.inf)]
        for step in self.steps:
            for node, view in step.changes:
                if node == number and view.interval != found[-1]:
                    found.append(view.interval)
            if step.kind == "begin":
                found = [(-math.inf, math.inf)]
        return found

    @property
    def examined(self) -> list[TraceNode]:
        """The leaves and evaluated nodes in the order in which the search looked at them."""
        return [self.nodes[step.node] for step in self.steps if step.kind in ("leaf", "estimate")]

    @property
    def cuts(self) -> list[Cut]:
        return [step.cut for step in self.steps if step.cut is not None]

    @property
    def pruned(self) -> list[TraceNode]:
        """Every listed node that the search never looked at (in the last round)."""
        views = self.at().views
        return [node for node in self.nodes if views[node.number].status == PRUNED]

    @property
    def line(self) -> list[TraceNode]:
        """The line of best play that the search found."""
        views, found = self.at().views, []
        best = views[0].best
        while best is not None:
            found.append(self.nodes[best])
            best = views[best].best
        return found

    # -- faces --------------------------------------------------------------------------------------------

    def svg(self, step: int | None = None) -> str:
        """The tree after a step, by default at the end."""
        from .picture import frame_picture

        return frame_picture(self, self.at(step)).svg

    def text(self, step: int | None = None) -> str:
        """The same for a terminal."""
        from .picture import frame_picture

        return frame_picture(self, self.at(step)).text

    def steps_text(self) -> str:
        """The whole search in words: one line per step, with the line of pseudocode it executes."""
        from .picture import narration

        return narration(self)

    def html(self) -> str:
        """One HTML file that steps through the search, with nothing from outside."""
        from .replay import replay_page

        return replay_page(self)

    def to_json(self) -> str:
        from .trace_file import write_trace

        return write_trace(self)

    @classmethod
    def from_json(cls, text: str) -> Trace:
        """The trace that `to_json` wrote; raises BadInput where the text is none."""
        from .trace_file import read_trace

        return read_trace(text)

    def _repr_svg_(self) -> str:
        return self.svg()
