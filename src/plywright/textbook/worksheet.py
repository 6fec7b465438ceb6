"""Exercises on paper: trees without their values, and the same trees solved.

exercises = make_worksheet(Sheet(algorithm="alphabeta", count=6))  # seeded trees
exercises = exercises_on([ExplicitTree("[[3, 12, 8], [2, 4, 6]]")])  # your own trees
exercises[0].question, exercises[0].questions, exercises[0].answer, exercises[0].answers
worksheet_page(exercises)  # to print
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass
from typing import NamedTuple
from xml.sax.saxutils import escape, quoteattr

from ..draw import Picture
from ..draw.svg import ALONE as SHOWN_ALONE
from ..draw.svg import joined_styles
from ..draw.tree import LEAF, tree_picture, value_text, vector_text
from ..errors import BadInput
from ..games.trees.explicit_tree import ExplicitTree
from ..games.trees.generated_tree import KINDS, ORDERINGS, generated_tree
from . import ALGORITHMS, algorithm, usual
from .algorithms.algorithm import ALONE
from .trace.picture import outline, show, window_text
from .trace.prediction import leaf_text
from .trace.replay import filled, resource
from .trace.step_text import joined
from .trace.trace import CHANCE, Trace

MOST_EXERCISES = 20
MOST_LEAVES = 32
"""More do not fit on a sheet of paper legibly."""
MOST_NODES = 80
TRIES = 25
"""Seeds tried for a tree that has something to ask: one best move, and a cutoff where there can be one."""
NARROW = 12
"""Leaves of a tree that fits an upright page."""
STYLE = re.compile(r"<style>(.*?)</style>", re.DOTALL)
VALUE, WINDOW = "____", "α=__ β=__"
SIGNS = (
    "▲ MAX or the first player · ▼ MIN or the second · ◆ the third · ○ chance · □ leaf; "
    "moves are looked at from left to right."
)


@dataclass(frozen=True)
class Sheet:
    """What exercises on seeded trees should look like; raises BadInput for impossible wishes."""

    algorithm: str = "alphabeta"
    kind: str = "two-players"
    branching: int = 3
    levels: int = 2
    ordering: str = "random"
    seed: int = 1
    count: int = 6

    def __post_init__(self) -> None:
        algorithm(self.algorithm)
        for what, value, known in (("kind", self.kind, KINDS), ("ordering", self.ordering, ORDERINGS)):
            if value not in known:
                raise BadInput(f"{what} is one of {', '.join(known)}, not {value!r}")
        for what, number, least, most in (
            ("branching", self.branching, 2, 9),
            ("levels", self.levels, 1, 5),
            ("seed", self.seed, 0, 10**6),
            ("count", self.count, 1, MOST_EXERCISES),
        ):
            if not least <= number <= most:
                raise BadInput(f"{what} is a number from {least} to {most:,}, not {number:,}")
        if self.branching**self.levels > MOST_LEAVES:
            raise BadInput(
                f"branching {self.branching} and {self.levels} levels make {self.branching**self.levels} leaves; "
                f"on paper there is room for {MOST_LEAVES}"
            )

    @property
    def depth(self) -> int | None:
        """How deep an algorithm that needs a depth looks: to the leaves."""
        return self.levels if ALGORITHMS[self.algorithm].limited else None


class Exercise(NamedTuple):
    """One exercise: two drawings, what is asked and what is right."""

    number: int
    title: str
    """The algorithm's."""
    question: Picture
    questions: list[str]
    answer: Picture
    answers: list[str]
    leaves: int
    known: str = ""
    """What the algorithm knows of utilities beforehand."""
    seed: int | None = None
    """Of a tree that was made at random."""


def make_worksheet(sheet: Sheet) -> list[Exercise]:
    """Exercises on seeded trees; raises Unsuitable where the algorithm is for another kind of tree."""
    return [_seeded(sheet, number) for number in range(1, sheet.count + 1)]


def exercises_on(trees: Sequence[ExplicitTree], name: str | None = None, depth: int | None = None) -> list[Exercise]:
    """An exercise on each of these trees, by default with the usual algorithm of its kind.

    Raises BadInput where a tree would not fit on paper, Unsuitable where the algorithm is for other trees.
    """
    if len(trees) > MOST_EXERCISES:
        raise BadInput(f"a worksheet has up to {MOST_EXERCISES} exercises, not {len(trees)}")
    found = []
    for number, tree in enumerate(trees, 1):
        chosen = name or usual(tree, depth is not None)
        if len(tree.parents) > MOST_NODES:
            raise BadInput(f"{tree.name} has {len(tree.parents):,} nodes; on paper there is room for {MOST_NODES}")
        trace = _solved(tree, chosen, depth)
        exercise = _exercise(number, tree, trace)
        if exercise.leaves > MOST_LEAVES:
            raise BadInput(f"{tree.name} has {exercise.leaves} leaves; on paper there is room for {MOST_LEAVES}")
        found.append(exercise)
    return found


class Drawn(NamedTuple):
    """A tree that was drawn by lot, and its search."""

    tree: ExplicitTree
    trace: Trace
    seed: int


def drawn_by_lot(sheet: Sheet, number: int) -> Drawn:
    """The tree of an exercise of a sheet: always the same, and one that has something to ask where there is any."""
    first = (sheet.seed * MOST_EXERCISES + number) * TRIES
    for seed in range(first, first + TRIES):
        tree = _tree(sheet, seed)
        trace = _solved(tree, sheet.algorithm, sheet.depth)
        if _is_worth_asking(trace, sheet):
            break
    return Drawn(tree, trace, seed)


def _seeded(sheet: Sheet, number: int) -> Exercise:
    tree, trace, seed = drawn_by_lot(sheet, number)
    return _exercise(number, tree, trace)._replace(seed=seed)


def suitable_sheet(name: str, seed: int = 1) -> Sheet:
    """A sheet of trees of the kind that the algorithm is for, small enough to be done in the head."""
    entry = algorithm(name)
    kind = "three-players" if entry.from_root else "two-players"
    if entry.chance and not entry.from_root:
        kind = "one-player" if entry.takes == ALONE else "chance"
    deep = kind in ("chance", "three-players")
    return Sheet(name, kind, 2 if deep else 3, 3 if deep else 2, seed=seed)


def _exercise(number: int, tree: ExplicitTree, trace: Trace) -> Exercise:
    known = ""
    if ALGORITHMS[trace.algorithm].bounded:
        known = "All utilities lie from {} to {}.".format(*map(value_text, tree.utility_range))
    return Exercise(
        number,
        trace.title,
        _drawn(trace, f"q{number}-", solved=False),
        _questions(trace, known),
        _drawn(trace, f"a{number}-", solved=True),
        _answers(trace),
        sum(1 for node in trace.nodes if node.side == LEAF),
        known,
    )


def _tree(sheet: Sheet, seed: int) -> ExplicitTree:
    ordering = sheet.ordering if sheet.kind == "two-players" else "random"
    return generated_tree(sheet.branching, sheet.levels, seed, ordering, sheet.kind)


def _solved(tree: ExplicitTree, name: str, depth: int | None) -> Trace:
    result = algorithm(name).run(tree, depth=depth)
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


def _drawn(trace: Trace, prefix: str, *, solved: bool) -> Picture:
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
    picture = tree_picture(root, label="The tree solved" if solved else "The tree, to be filled in")
    alone = picture.svg.replace(SHOWN_ALONE, "", 1)
    white = re.sub(r"@media \(prefers-color-scheme:dark\)\{.*?\}\}", "", alone, count=1)  # as paper is
    return Picture(white, picture.text)


def _questions(trace: Trace, known: str) -> list[str]:
    """What to ask, after what is `known`."""
    choice = "what is the root worth, and which move is best?"
    if trace.nodes[0].side == CHANCE:
        choice = "and what is the root worth?"
    asked = [f"{known} What does {trace.title} back up to each node, {choice}".strip()]
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
    asked = node.side != LEAF and view.entry is not None and not trace.each_for_itself
    window = window_text(view.entry) if asked else ""
    return [note for note in (node.player, window, "tie" if view.ties else "", view.cutoff) if note]


def _entry(trace: Trace, number: int) -> str:
    entry = trace.at().views[number].entry
    return "" if entry is None else f"{trace.nodes[number].path} {window_text(entry)}"


# -- pages to print ----------------------------------------------------------------------------------------------------


def sheet_title(exercises: Sequence[Exercise]) -> str:
    titles = list(dict.fromkeys(exercise.title for exercise in exercises))
    return titles[0] if len(titles) == 1 else "Game trees"


def worksheet_html(exercises: Sequence[Exercise], name: str = "", links: Sequence[str] = ()) -> str:
    """Questions and, from a new page on, answers, as parts of a page; `links` are where each can be stepped through."""
    title = escape(sheet_title(exercises))
    wide = " wide" if any(exercise.leaves > NARROW for exercise in exercises) else ""
    named = f", {escape(name)}" if name else ""
    asked, told = [], []
    for place, exercise in enumerate(exercises):
        link = (
            f' <a class="noprint" href={quoteattr(links[place])} hx-boost="false">step through it</a>' if links else ""
        )
        asked.append(_article(exercise, "exercise", exercise.question, _list("ol", exercise.questions)))
        told.append(_article(exercise, "answer", exercise.answer, _list("ul", exercise.answers), link))
    style = joined_styles(STYLE.findall("".join([*asked, *told])))  # one for all: a later drawing's overrules none
    asked, told = ([STYLE.sub("", part) for part in parts] for parts in (asked, told))
    return filled(
        "worksheet_body.html",
        wide=wide,
        title=title,
        signs=f"{SIGNS} {escape(name[:1].upper() + name[1:])}{'.' if name else ''}",
        exercises="\n".join([f"<style>{style}</style>", *asked]),
        named=named,
        answers="\n".join(told),
    )


def _article(exercise: Exercise, what: str, picture: Picture, words: str, link: str = "") -> str:
    head = f'<article class="exercise" id="{what}-{exercise.number}">\n<h2>{exercise.number}{link}</h2>'
    return f'{head}\n<div class="picture">{picture.svg}</div>\n{words}\n</article>'


def _list(tag: str, lines: Sequence[str]) -> str:
    start = '<ol class="asked" type="a">' if tag == "ol" else "<ul>"
    return "\n".join([start, *(f"<li>{escape(line)}</li>" for line in lines), f"</{tag}>"])


def worksheet_style() -> str:
    return resource("worksheet.css")


def worksheet_page(exercises: Sequence[Exercise], name: str = "") -> str:
    """A whole page to print, which needs nothing from outside."""
    return filled(
        "worksheet.html",
        title=escape(f"Worksheet: {sheet_title(exercises)}"),
        style=worksheet_style(),
        body=worksheet_html(exercises, name),
    )


def worksheet_text(exercises: Sequence[Exercise]) -> str:
    """The same as lines of text, for a terminal."""
    asked, told = [sheet_title(exercises), SIGNS], []
    for exercise in exercises:
        questions = [f"  {letter}) {text}" for letter, text in zip("abcdef", exercise.questions, strict=False)]
        asked.append("\n".join([f"Exercise {exercise.number}", exercise.question.text, *questions]))
        told.append("\n".join([f"Answer {exercise.number}", exercise.answer.text, *exercise.answers]))
    return "\n\n".join([*asked, *told])
