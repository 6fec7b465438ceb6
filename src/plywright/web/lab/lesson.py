"""A search to be stepped through: its trace, and what a search that leaves nothing out would look at."""

from __future__ import annotations

import pickle
import time
from collections.abc import Callable, Mapping
from dataclasses import dataclass, replace
from typing import Any, NamedTuple

from ...errors import BadInput
from ...game import Game
from ...textbook import ALGORITHMS, algorithm
from ...textbook.trace.mcts_trace import trace_uct
from ...textbook.trace.picture import frame_picture
from ...textbook.trace.prediction import Question, looked_at, pruned_next
from ...textbook.trace.recorder import Recorder
from ...textbook.trace.replay import Counts, Viewer, replay_page, viewer
from ...textbook.trace.trace import MCTS, Trace
from ..catalogue import Catalogue
from ..task_channel import TaskChannel
from ..worker_pool import here
from .setup import ENGINE, ENGINE_LEVELS, MOST_NODES, Chosen, Setup, Tree, choose, find_tree

MOST_STEPS = 30_000
SECONDS = 10.0
"""How long a search may take to follow; then it is given up with a message."""
MOST_COUNTED = 10_000
"""Nodes counted of the search that leaves nothing out."""
AT_ONCE = 130
"""A tree of at most this many nodes is searched in a few milliseconds, and so without waiting for a turn."""


MOST_BOARDS = 130
"""Nodes that show their positions: whole levels, from the root down."""
BESIDE = "b-"
"""What the ids of the second search begin with."""


class Told(NamedTuple):
    """What a search leaves, as plain data: it travels from the worker that searched to those that draw."""

    chosen: Chosen
    trace: Trace
    plain: Counts | None
    second: Told | None = None


@dataclass
class Lesson:
    """One search, to be drawn and asked about."""

    tree: Tree
    chosen: Chosen
    trace: Trace
    plain: Counts | None
    second: Told | None = None

    def step(self, setup: Setup) -> int:
        """The step that an address asks for, or the last one."""
        return min(setup.step, len(self.trace))

    def viewer(self, step: int, boards: Mapping[int, str]) -> Viewer:
        return viewer(self.trace, step=step, most=MOST_NODES, against=self.plain, boards=boards)

    def beside(self, step: int) -> Viewer | None:
        """The second search at the same step, or at its end where it is shorter or the first one is done."""
        if self.second is None:
            return None
        trace = self.second.trace
        options: dict[str, Any] = {"most": MOST_NODES, "against": self.second.plain, "mark": BESIDE}
        last = step >= len(self.trace)
        return viewer(trace, step=len(trace) if last else min(step, len(trace)), **options)

    def boards(self, setup: Setup) -> dict[int, str]:
        """The positions of a game's tree, as SVG by node, as far down as there is room for whole levels."""
        if setup.source != "game" or setup.boards == "no":
            return {}
        game, states, level, found = self.tree.game, {0: self.tree.state}, [0], dict[int, str]()
        while level and len(found) + len(level) <= MOST_BOARDS:
            for number in level:
                found[number] = game.picture(states[number]).svg
            level = [child for number in level for child in self.trace.nodes[number].children]
            for number in level:
                node = self.trace.nodes[number]
                if node.action not in game.choices(states[node.parent]):
                    return found  # a search that moves otherwise than the rules
                states[number] = game.state_after(states[node.parent], node.action)
        return found

    def questions(self, kind: str, drawn: frozenset[int]) -> list[Question]:
        """What to ask on the way; only what can be seen in the drawing is right."""
        found = pruned_next(self.trace) if kind == "pruned" else looked_at(self.trace)
        return [question._replace(right=tuple(node for node in question.right if node in drawn)) for question in found]

    def svg(self, step: int, boards: Mapping[int, str]) -> str:
        return frame_picture(self.trace, self.trace.at(step), MOST_NODES, boards).svg

    def html(self) -> str:
        return replay_page(self.trace, most=MOST_NODES)

    def json(self) -> str:
        return self.trace.to_json()


def search_lesson(channel: TaskChannel, setup: Setup) -> bytes:
    """In a worker: the lesson that an address asks for; raises BadInput or Unsuitable where it is too much."""
    lesson = make_lesson(setup, here().catalogue)
    return pickle.dumps(Told(lesson.chosen, lesson.trace, lesson.plain, lesson.second))


def lesson_again(setup: Setup, told: bytes) -> Lesson:
    """In a worker: the lesson from what its search left, or from a search of a moment where it left nothing."""
    if not told:
        return make_lesson(setup, here().catalogue)
    return Lesson(find_tree(setup, here().catalogue), *pickle.loads(told))


def lesson_key(setup: Setup) -> Setup:
    """What of an address decides the search."""
    return replace(setup, step=0, predict="no", boards="yes", edit="", folded="")


def is_small(setup: Setup) -> bool:
    """Whether it is certain that the search takes no time worth speaking of."""
    if {setup.algorithm, setup.beside} & {ENGINE, MCTS}:
        return False
    if setup.source == "generated":
        return bool(setup.branching**setup.levels * 2 <= AT_ONCE)
    return setup.source == "figure" or (setup.source == "typed" and not setup.kept and len(setup.tree) <= 3 * AT_ONCE)


def make_lesson(setup: Setup, catalogue: Catalogue) -> Lesson:
    tree = find_tree(setup, catalogue)
    told = _search(setup, tree)
    second = _search(replace(setup, algorithm=setup.beside), tree) if setup.beside else None
    return Lesson(tree, told.chosen, told.trace, told.plain, second)


def _search(setup: Setup, tree: Tree) -> Told:
    chosen = choose(setup, tree.game)
    if chosen.name == ENGINE:
        from ...engine.alphabeta.trace import record

        trace = record(tree.game, tree.state, depth=chosen.depth or 1, levels=ENGINE_LEVELS)
        if len(trace.nodes) > MOST_NODES:
            raise BadInput(f"this search has more than {MOST_NODES:,} nodes to show; give a smaller depth")
        return Told(chosen, trace, None)
    if chosen.name == MCTS:
        limits: dict[str, Any] = {"most": MOST_NODES, "watch": _deadline()}
        return Told(chosen, trace_uct(tree.game, tree.state, setup.simulations, **limits), None)
    options: dict[str, Any] = {"depth": chosen.depth, "recorder": LimitedRecorder}
    if setup.budget and ALGORITHMS[chosen.name].budgeted:
        options["nodes"] = setup.budget
    followed = algorithm(chosen.name).run(tree.game, tree.state, **options).trace
    assert followed is not None
    return Told(chosen, followed, plain_counts(tree.game, tree.state, chosen))


def _deadline() -> Callable[[], None]:
    """Something to call now and then, which raises BadInput once the time is over."""
    end = time.monotonic() + SECONDS

    def watch() -> None:
        if time.monotonic() > end:
            raise BadInput(f"this search took more than {SECONDS:g} seconds to follow; ask for fewer simulations")

    return watch


class LimitedRecorder(Recorder):
    """A recorder that gives up, in a sentence, on what is too large to look at."""

    def __init__(self, *arguments: Any, **options: Any) -> None:
        self.deadline = time.monotonic() + SECONDS
        super().__init__(*arguments, **options)

    def _register(self, *arguments: Any) -> int:
        if len(self.tree) >= MOST_NODES:
            raise BadInput(f"this search has more than {MOST_NODES:,} nodes to show; {_smaller(self)}")
        if time.monotonic() > self.deadline:
            raise BadInput(f"this search took more than {SECONDS:g} seconds to follow; {_smaller(self)}")
        return super()._register(*arguments)

    def _step(self, *arguments: Any, **options: Any) -> None:
        if len(self.steps) >= MOST_STEPS:
            raise BadInput(f"this search has more than {MOST_STEPS:,} steps; {_smaller(self)}")
        super()._step(*arguments, **options)


def _smaller(record: Recorder) -> str:
    if record.limit is None:
        return "choose an algorithm that takes a depth, such as h-alphabeta, or a smaller tree"
    return "give a smaller depth, a smaller tree or a later position"


def plain_counts(game: Game, state: Any, chosen: Chosen) -> Counts | None:
    """What the same search looks at when it leaves nothing out; None where it walks another tree than the rules'."""
    if chosen.name == "best-reply":
        return None
    nodes = leaves = 0
    waiting = [(state, 0)]
    while waiting and nodes < MOST_COUNTED:
        place, decisions = waiting.pop()
        nodes += 1
        if game.is_terminal(place) or (chosen.depth is not None and decisions >= chosen.depth):
            leaves += 1
            continue
        below = decisions if game.at_chance(place) else decisions + 1
        waiting.extend((game.result(place, action), below) for action in game.choices(place))
    more = "more than " if waiting else ""
    name = "plain max^n" if not game.opposed and game.players > 1 else "plain minimax"
    if game.has_chance:
        name = "without pruning"
    return Counts(name, f"{more}{nodes:,}", f"{more}{leaves:,}")
