"""One exercise: its tree, what is asked, and how answers are scored.

The address says which: the sheet's fields and a number, the same as on paper, or a tree of one's own.
"""

from __future__ import annotations

import math
import re
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any, NamedTuple
from urllib.parse import urlencode

from ...draw import Picture
from ...draw.tree import LEAF, value_text, vector_text
from ...errors import BadInput
from ...games.trees.explicit_tree import FIGURES, ExplicitTree
from ...games.trees.generated_tree import KINDS, ORDERINGS
from ...number import written_number
from ...textbook import ALGORITHMS, usual
from ...textbook.trace.trace import CHANCE, CUT, DONE, ESTIMATED, Trace, TraceNode
from ...textbook.worksheet import MOST_EXERCISES, Exercise, Sheet, drawn_by_lot, exercises_on, suitable_sheet
from ..fields import Fields

MOST_ASKED = 16
"""Inner nodes whose values, and windows, are asked for."""
NEVER = "–"
"""The answer about a node that is never looked at."""
CLOSE = 0.006
"""How far a value may be off: two decimals are enough."""
LONGEST = 3000


@dataclass(frozen=True)
class Wanted:
    """What an address says of an exercise."""

    sheet: Sheet
    number: int = 1
    tree: str = ""
    algorithm: str = ""

    def address(self, page: str = "/exercises/one", **changed: Any) -> str:
        fields: dict[str, Any] = {"algorithm": self.algorithm}
        if self.tree:
            fields["tree"] = self.tree
        else:
            usual_sheet = suitable_sheet(self.sheet.algorithm)
            fields |= {"seed": self.sheet.seed, "number": self.number}
            for name in ("kind", "branching", "levels", "ordering"):
                if (value := getattr(self.sheet, name)) != getattr(usual_sheet, name):
                    fields[name] = value
        return f"{page}?" + urlencode({name: value for name, value in (fields | changed).items() if value != ""})


class Asked(NamedTuple):
    """One thing that is asked: the field it is answered in, in words, the right answer, and what may be chosen.

    Of `many` choices any number may be ticked, each in a field of its own (`tick`).
    """

    field: str
    words: str
    right: str
    choices: tuple[str, ...] = ()
    many: bool = False

    def tick(self, number: int) -> str:
        return f"{self.field[0]}{number}"


class Row(NamedTuple):
    """A node in the table of questions: what is backed up to it and, in some searches, the window on entry."""

    name: str
    worth: Asked
    window: Asked | None


class Posed(NamedTuple):
    """An exercise with its questions."""

    title: str
    known: str
    question: Picture
    answer: Picture
    reasons: list[str]
    rows: list[Row]
    choices: list[Asked]
    lab: str

    @property
    def asked(self) -> list[Asked]:
        """All that is asked, as it is scored."""
        values, windows = [row.worth for row in self.rows], [row.window for row in self.rows if row.window]
        return [*values, *windows, *self.choices]


class Scored(NamedTuple):
    """An answer beside the right one."""

    words: str
    given: str
    right: str
    is_right: bool


def read_wanted(given: Fields) -> Wanted:
    """The exercise that an address means; raises BadInput for what is outside the limits."""
    name = given.choice("algorithm", ("", *ALGORITHMS), "")
    tree = given.text("tree", most=LONGEST)
    if tree:
        game = _own(tree)
        return Wanted(Sheet(), 1, tree, name or usual(game))
    default = suitable_sheet(name or "alphabeta", given.whole("seed", 1, 0, 10**6))
    sheet = Sheet(
        default.algorithm,
        given.choice("kind", KINDS, default.kind),
        given.whole("branching", default.branching, 2, 9),
        given.whole("levels", default.levels, 1, 5),
        given.choice("ordering", ORDERINGS),
        default.seed,
    )
    return Wanted(sheet, given.whole("number", 1, 1, MOST_EXERCISES), "", sheet.algorithm)


def _own(text: str) -> ExplicitTree:
    if text in FIGURES:
        return ExplicitTree.figure(text)
    try:
        return ExplicitTree(text, name="your tree")
    except BadInput as error:
        raise BadInput(f"the tree cannot be read: {error}") from None


def posed(wanted: Wanted) -> Posed:
    """The drawings and the questions."""
    if wanted.tree:
        tree = _own(wanted.tree)
        depth = len(tree.parents) if ALGORITHMS[wanted.algorithm].limited else None
        depth = min(depth, 12) if depth else None
        (exercise,) = exercises_on([tree], wanted.algorithm, depth)
        trace = _trace(tree, wanted.algorithm, depth)
        lab: dict[str, Any] = {"figure" if wanted.tree in FIGURES else "tree": wanted.tree}
    else:
        found = drawn_by_lot(wanted.sheet, wanted.number)
        (exercise,) = exercises_on([found.tree], wanted.algorithm, wanted.sheet.depth)
        trace = found.trace
        lab = {
            "from": "generated", "branching": wanted.sheet.branching, "levels": wanted.sheet.levels, "seed": found.seed,
            "ordering": wanted.sheet.ordering, "kind": wanted.sheet.kind,
        }  # fmt: skip
        if wanted.sheet.depth:
            lab["depth"] = wanted.sheet.depth
    address = "/lab?" + urlencode({**lab, "algorithm": wanted.algorithm})
    return _questioned(exercise, trace, address)


def _trace(tree: ExplicitTree, name: str, depth: int | None) -> Trace:
    found = ALGORITHMS[name].run(tree, depth=depth).trace
    assert found is not None
    return found


def _questioned(exercise: Exercise, trace: Trace, lab: str) -> Posed:
    inner = [node for node in trace.nodes if node.side != LEAF]
    windows = trace.view().window is not None and not trace.each_for_itself
    rows = [_row(trace, node, windows) for node in inner[:MOST_ASKED]]
    choices = []
    if trace.nodes[0].side != CHANCE and trace.line:
        moves = tuple(trace.nodes[child].move for child in trace.nodes[0].children)
        choices.append(Asked("move", "Which move is best, the first of equal ones?", trace.line[0].move, moves))
    if windows:
        ends = [node for node in trace.nodes if node.side == LEAF]
        crossed = [node.path for node in ends if not _is_seen(trace, node)]
        choices.append(_ticked("pruned", "Which leaves are never looked at?", [node.path for node in ends], crossed))
    elif trace.each_for_itself:
        ties = [node.path for node in inner if trace.at().views[node.number].ties]
        words = "Where is another move as good for whoever moves?"
        choices.append(_ticked("ties", words, [node.path for node in inner if node.side != CHANCE], ties))
    return Posed(
        exercise.title, exercise.known, exercise.question, exercise.answer, exercise.answers, rows, choices, lab
    )


def _row(trace: Trace, node: TraceNode, windows: bool) -> Row:
    """What is asked of an inner node, seen or not: leaving out those that are never looked at would tell which."""
    view, name = trace.at().views[node.number], "the root" if node.number == 0 else node.path
    worth, entered = NEVER, NEVER
    if _is_seen(trace, node):
        worth = vector_text(view.values) if view.values else value_text(round(view.value or 0.0, 9))
        if view.entry is not None:
            entered = f"{value_text(view.entry[0])}, {value_text(view.entry[1])}"
    words = "What is the root worth?" if node.number == 0 else f"What is backed up to {name}?"
    asked = Asked(f"w{node.number}", f"With which window is {name} entered?", entered)
    return Row(node.path, Asked(f"v{node.number}", words, worth), asked if windows and node.number else None)


def _ticked(field: str, words: str, choices: list[str], right: list[str]) -> Asked:
    return Asked(field, words, " · ".join(right) or "none", tuple(choices), many=True)


def _is_seen(trace: Trace, node: TraceNode) -> bool:
    return trace.at().views[node.number].status in (DONE, CUT, ESTIMATED)


def scored(task: Posed, answers: Mapping[str, str]) -> list[Scored]:
    """Every answer beside the right one; what was left open is wrong."""
    found = []
    for one in task.asked:
        given = answers.get(one.field, "").strip()
        if one.many:
            given = " · ".join(words for n, words in enumerate(one.choices) if one.tick(n) in answers) or "none"
            right = given == one.right
        elif one.choices:
            right = given.lower() == one.right.lower()
        else:
            right = _same(given, one.right)
        found.append(Scored(one.words, given or "–", one.right, right))
    return found


def _same(given: str, right: str) -> bool:
    """Whether two values are the same, each with one number or several; signs of bounds and names do not matter."""
    if right == NEVER or given in DASHES:
        return right == NEVER and given in DASHES
    numbers = [
        [_number(part) for part in re.split(r"[,;\s]+", re.sub(r"[()<>≤≥=αβ\[\]]", " ", text).strip()) if part]
        for text in (given.replace("−", "-"), right)
    ]
    if len(numbers[0]) != len(numbers[1]) or not numbers[0]:
        return False
    return all(
        a is not None and b is not None and (a == b or abs(a - b) <= CLOSE) for a, b in zip(*numbers, strict=True)
    )


DASHES = ("-", "–", "—", "−", "x", "X", "never", "none")
"""How it is written that a node is never looked at."""


def _number(text: str) -> float | None:
    """A number as people write it, or an infinity."""
    if text.lower().lstrip("+-") in ("∞", "inf", "infinity", "oo"):
        return -math.inf if text.startswith("-") else math.inf
    found = written_number(text.replace("∞", "x"))
    return None if found is None else float(found)
