"""Exercises on paper: seeded trees without their values, and the same trees solved.

sheet = make_worksheet(Sheet(algorithm="alphabeta", count=6))
sheet[0].question, sheet[0].questions, sheet[0].answer, sheet[0].answers
"""

from __future__ import annotations

import re
from dataclasses import dataclass
from typing import NamedTuple

from ...draw.tree import LEAF, tree_svg, value_text, vector_text
from ...errors import BadInput
from ...games.explicit_tree import ExplicitTree
from ...games.generated_tree import KINDS, ORDERINGS, generated_tree
from ...textbook import ALGORITHMS, algorithm
from ...textbook.prediction import leaf_text
from ...textbook.trace import Trace
from ...textbook.trace_picture import outline, show, window_text
from ...textbook.words import joined
from ..fields import Fields
from .lesson import LimitedRecorder
from .setup import Setup

MOST_EXERCISES = 20
MOST_LEAVES = 32
"""More do not fit on a sheet of paper legibly."""
TRIES = 25
"""Seeds tried for a tree that has something to ask: one best move, and a cutoff where there can be one."""
NARROW = 12
"""Leaves of a tree that fits an upright page."""
VALUE, WINDOW = "____", "α=__ β=__"


@dataclass(frozen=True)
class Sheet:
    """What the exercises are to be like."""

    algorithm: str = "alphabeta"
    kind: str = "two-players"
    branching: int = 3
    levels: int = 2
    ordering: str = "random"
    seed: int = 1
    count: int = 6

    @property
    def is_wide(self) -> bool:
        return bool(self.branching**self.levels > NARROW)


class Exercise(NamedTuple):
    """One exercise: two drawings, what is asked and what is right."""

    number: int
    question: str
    questions: list[str]
    answer: str
    answers: list[str]
    address: str
    """Where the lab steps through it."""


def read_sheet(given: Fields) -> Sheet:
    default = Sheet()
    return Sheet(
        given.choice("algorithm", tuple(ALGORITHMS), default.algorithm),
        given.choice("kind", KINDS),
        given.whole("branching", default.branching, 2, 9),
        given.whole("levels", default.levels, 1, 5),
        given.choice("ordering", ORDERINGS),
        given.whole("seed", default.seed, 0, 10**6),
        given.whole("count", default.count, 1, MOST_EXERCISES),
    )


def make_worksheet(sheet: Sheet) -> list[Exercise]:
    """The exercises; raises BadInput where a tree would not fit on paper, Unsuitable for another kind of algorithm."""
    if sheet.branching**sheet.levels > MOST_LEAVES:
        raise BadInput(
            f"branching {sheet.branching} and {sheet.levels} levels make {sheet.branching**sheet.levels} leaves; "
            f"on paper there is room for {MOST_LEAVES}"
        )
    return [_exercise(sheet, number) for number in range(1, sheet.count + 1)]


def _exercise(sheet: Sheet, number: int) -> Exercise:
    first = (sheet.seed * MOST_EXERCISES + number) * TRIES
    for seed in range(first, first + TRIES):
        tree = _tree(sheet, seed)
        trace = _solved(sheet, tree)
        if _is_worth_asking(trace, sheet):
            break
    setup = Setup(
        source="generated", branching=sheet.branching, levels=sheet.levels, seed=seed, ordering=sheet.ordering,
        kind=sheet.kind, algorithm=sheet.algorithm, depth=_depth(sheet) or 0,
    )  # fmt: skip
    return Exercise(
        number,
        _drawn(trace, f"q{number}-", solved=False),
        _questions(trace, tree.utility_range if ALGORITHMS[sheet.algorithm].bounded else None),
        _drawn(trace, f"a{number}-", solved=True),
        _answers(trace),
        setup.address(),
    )


def _depth(sheet: Sheet) -> int | None:
    return sheet.levels if ALGORITHMS[sheet.algorithm].limited else None


def _tree(sheet: Sheet, seed: int) -> ExplicitTree:
    ordering = sheet.ordering if sheet.kind == "two-players" else "random"
    return generated_tree(sheet.branching, sheet.levels, seed, ordering, sheet.kind)


def _solved(sheet: Sheet, tree: ExplicitTree) -> Trace:
    result = algorithm(sheet.algorithm).run(tree, depth=_depth(sheet), recorder=LimitedRecorder)
    assert result.trace is not None
    return result.trace


def _is_worth_asking(trace: Trace, sheet: Sheet) -> bool:
    """Whether the best move is one, and something is pruned where it can be."""
    root = trace.view()
    values = [trace.at().views[child].value for child in trace.nodes[0].children]
    prunes = _has_windows(trace) and sheet.levels > 1 and sheet.ordering != "worst"
    return values.count(root.value) == 1 and (bool(trace.cuts) or not prunes)


def _has_windows(trace: Trace) -> bool:
    return not trace.each_for_itself and trace.view().window is not None


def _drawn(trace: Trace, prefix: str, *, solved: bool) -> str:
    root, drawn = outline(trace)
    best = {0, *(node.number for node in trace.line)}
    views = trace.at().views
    for number, node in drawn.items():
        node.key = prefix + node.key
        shown = show(trace, views, number, number in best)
        node.marks, node.value = {"done"}, shown.value
        if solved:
            node.marks, node.notes = set(shown.marks), _notes(trace, number)
        elif node.shape != LEAF:
            player = trace.nodes[number].player
            node.value = VALUE
            node.notes = ([player] if player else []) + ([WINDOW] if _has_windows(trace) else [])
    svg = tree_svg(root, label="The tree solved" if solved else "The tree, to be filled in")
    return re.sub(r"@media \(prefers-color-scheme:dark\)\{.*?\}\}", "", svg, count=1)  # paper is white


def _questions(trace: Trace, bounds: tuple[float, float] | None) -> list[str]:
    """What to ask; `bounds` are what the algorithm knows of utilities beforehand."""
    known = f"All utilities lie from {value_text(bounds[0])} to {value_text(bounds[1])}. " if bounds else ""
    asked = [f"{known}What does {trace.title} back up to each node, what is the root worth, and which move is best?"]
    if _has_windows(trace):
        asked.append("Cross out every leaf that the search, from left to right, never looks at.")
        asked.append("Write beside each inner node the window (α, β) with which it is entered.")
    elif trace.each_for_itself:
        asked.append("Is any move as good as the best one for whoever moves there?")
    return asked


def _answers(trace: Trace) -> list[str]:
    root, best = trace.view(), trace.line
    worth = vector_text(root.values) if root.values else value_text(round(root.value or 0.0, 9))
    told = [f"The root is worth {worth}" + (f", by {best[0].move}." if best else ".")]
    leaves = [node for node in trace.nodes if node.side == LEAF]
    looked = sum(1 for node in leaves if trace.at().views[node.number].status == "done")
    pruned = [leaf_text(node) for node in trace.pruned if node.side == LEAF]
    if _has_windows(trace):
        told.append(f"{looked} of {len(leaves)} leaves are looked at" + (f"; not {joined(pruned)}." if pruned else "."))
        told += [f"{trace.nodes[cut.node].path}: {cut.kind} cutoff. {cut.reason}." for cut in trace.cuts]
        entered = [_entry(trace, child) for child in trace.nodes[0].children]
        told.append(f"Windows on entry: {', '.join(filter(None, entered))}.")
    elif trace.each_for_itself:
        ties = [f"{node.path} ({node.player})" for node in trace.nodes if trace.at().views[node.number].ties]
        told.append(
            f"Ties, where the first of the equal moves counts: {joined(ties)}." if ties else "There are no ties."
        )
    return told


def _notes(trace: Trace, number: int) -> list[str]:
    """What stands beside a solved node: who moves, the window on entry, why it was left."""
    node, view = trace.nodes[number], trace.at().views[number]
    window = "" if view.entry is None or trace.each_for_itself else window_text(view.entry)
    return [note for note in (node.player, window, "tie" if view.ties else "", view.cutoff) if note]


def _entry(trace: Trace, number: int) -> str:
    entry = trace.at().views[number].entry
    return "" if entry is None else f"{trace.nodes[number].path} {window_text(entry)}"
