"""A trace as one HTML file: the tree, the pseudocode beside it, and buttons to step through the search.

The file needs nothing from outside and forbids itself to ask. The drawing and the words are made
here; its script only shows, for each step, what changed, and takes it back again.
"""

from __future__ import annotations

import json
import re
from importlib.resources import files
from typing import Any
from xml.sax.saxutils import escape

from ..draw.svg import PREFIX, colour_variables, style_sheet
from ..draw.tree import TREE_CLASSES, tree_svg
from .trace import CHANCE, LEAF, MIN, Cut, Trace, View
from .trace_picture import Shown, drawn_ancestor, outline, players_text, show

WINDOWS = "α and β are the window, [low, high] what is known of a value · ≥ and ≤ mark bounds, ≈ an estimate"
VECTORS = "(a, b, ...) is the value for each player in turn · tie: other moves are as good for the player to move"
LIT = "#fdecc4", "#5a4712"
"""The line of pseudocode in hand, on a light and on a dark ground."""
PRUNED = "dashed grey: never looked at"


def legend(trace: Trace) -> str:
    """What the signs mean, those of this trace only."""
    sides = {node.side for node in trace.nodes}
    shapes = ["<b>▲ to move</b>" if trace.each_for_itself else "<b>▲ MAX</b>"]
    shapes += ["<b>▼ MIN</b>"] if MIN in sides else []
    shapes += ["<b>○ chance</b>, probabilities at its branches"] if CHANCE in sides else []
    return " · ".join([*shapes, "<b>□ leaf</b>", VECTORS if trace.each_for_itself else WINDOWS, PRUNED])


def replay_page(trace: Trace) -> str:
    """The whole page."""
    root, drawn = outline(trace)
    views = [View()] * len(trace.nodes)
    start = {number: show(trace, views, number, False) for number in drawn}
    steps = []
    room = {number: _room(shown) for number, shown in start.items()}
    for number, step in enumerate(trace.steps, 1):
        for node, view in step.changes:
            views[node] = view
        last = number == len(trace)
        best = {0, *(node.number for node in trace.line)} if last else set()
        touched = sorted({node for node, _ in step.changes} | best)
        changes = [(node, show(trace, views, node, node in best)) for node in touched if node in drawn]
        for node, shown in changes:
            room[node] = max(room[node], _room(shown))
        steps.append(
            {
                "lines": step.lines,
                "words": step.words,
                "where": f"Step {number} of {len(trace)} · {trace.nodes[step.node].path}",
                "node": drawn_ancestor(trace, drawn, step.node),
                "nodes": step.nodes,
                "leaves": step.leaves,
                "cuts": step.cuts,
                "cut": _cut(trace, step.cut),
                "changes": changes,
            }
        )
    for number, shape in drawn.items():
        shown = start[number]
        shape.marks, shape.value, shape.notes, shape.hint = set(shown.marks), shown.value, list(shown.notes), shown.hint
        shape.room = room[number] if trace.nodes[number].side != LEAF else 0
    heading = f"{trace.title} on {trace.game}{players_text(trace)}"
    return _filled(
        title=escape(heading),
        heading=escape(heading),
        legend=legend(trace),
        style=_style(),
        code="\n".join(
            f'<li data-number="{number}">{escape(line) or " "}</li>' for number, line in enumerate(trace.pseudocode, 1)
        ),
        tree=re.sub(r"<style>.*?</style>", "", tree_svg(root, label=heading, live=True), count=1),  # the page has it
        data=_embedded({"prefix": PREFIX, "start": start, "steps": steps}),
    )


def _cut(trace: Trace, cut: Cut | None) -> str:
    """A cutoff in brief, for the list of them."""
    if cut is None:
        return ""
    return f"{trace.nodes[cut.node].path}: {'deep ' if cut.deep else ''}{cut.kind} cutoff. {cut.reason}."


def _room(shown: Shown) -> int:
    """Characters that the words beside a node take, the value's being larger."""
    return max([len(note) for note in shown.notes] + [round(len(shown.value) * 1.3)])


def _style() -> str:
    """Every class that a node can come to have, and the page's colours as variables."""
    return f"{colour_variables(lit=LIT)}\n{style_sheet(TREE_CLASSES, TREE_CLASSES)}"


def _embedded(data: Any) -> str:
    """JSON that can stand in an HTML script element: nothing in it can end the element."""
    return json.dumps(data, ensure_ascii=False, separators=(",", ":")).replace("<", "\\u003c").replace("&", "\\u0026")


def _filled(**parts: str) -> str:
    """The template with its places filled, each in one pass, so that no content is taken for a place."""
    template = files(__package__).joinpath("replay.html").read_text(encoding="utf-8")
    pieces = template.split("{{")
    page = [pieces[0]]
    for piece in pieces[1:]:
        name, _, rest = piece.partition("}}")
        page += [parts[name], rest]
    return "".join(page)
