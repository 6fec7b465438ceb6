"""A trace to step through: the viewer (tree, pseudocode, buttons), and one HTML file that has all of it.

The drawing and the words are made here; the viewer's script (`replay.js`) only shows, for each step,
what changed, and takes it back again. The file needs nothing from outside and forbids itself to ask;
a page that has the viewer inside brings the script and the style as files of its own.
"""

from __future__ import annotations

import json
import re
from collections.abc import Mapping
from functools import cache
from importlib.resources import files
from typing import Any, NamedTuple
from xml.sax.saxutils import escape

from ...draw.svg import PREFIX, colour_variables, style_sheet
from ...draw.tree import SIGNS, TREE_CLASSES, Layout, player_shape, tree_layout, tree_svg
from .picture import MOST_DRAWN, NO_BOARDS, Shown, drawn_ancestor, edge_text, outline, players_text, show
from .trace import CHANCE, LEAF, MCTS, MIN, Cut, Trace, View

WINDOWS = "α and β are the window, [low, high] what is known of a value · ≥ and ≤ mark bounds, ≈ an estimate"
VECTORS = "(a, b, ...) is the value for each player in turn · tie: other moves are as good for the player to move"
LIT = "#fdecc4", "#5a4712"
"""The current line of pseudocode, on a light and on a dark ground."""
MEANS = (
    "(a, b, ...) is the mean of the simulations for each player in turn · visits: how many there were · "
    "UCB: the mean of whoever moves above, and the bonus for what was tried seldom; the highest is tried next"
)
PRUNED = "dashed grey: never looked at"
BEGINNING = "Nothing has been looked at yet. Press the right arrow to begin."


class Counts(NamedTuple):
    """What a search that leaves nothing out would look at, to compare with; `name` is what it is called."""

    name: str
    nodes: str
    leaves: str


class Viewer(NamedTuple):
    """A trace as parts of a page: `html` is whole without `data`, which the script needs to step."""

    heading: str
    legend: str
    html: str
    data: dict[str, Any]
    drawn: frozenset[int]
    """The nodes that are in the drawing; the others are in the stub of one of them."""


def replay_page(trace: Trace, *, most: int = MOST_DRAWN) -> str:
    """The whole page, with at most `most` nodes drawn."""
    found = viewer(trace, most=most)
    return filled(
        "replay.html",
        heading=escape(found.heading),
        legend=found.legend,
        style=colour_variables() + "\n" + viewer_style(),
        viewer=found.html,
        data=embedded(found.data),
        script=viewer_script(),
    )


def viewer(
    trace: Trace,
    *,
    step: int = 0,
    most: int = MOST_DRAWN,
    against: Counts | None = None,
    boards: Mapping[int, str] = NO_BOARDS,
    mark: str = "",
) -> Viewer:
    """The viewer as it is after a step; `against` are counts to set beside those of the search.

    `boards` are positions as SVG, by node. With a `mark`, which its ids begin with, the viewer is the second one of a
    page: it has no controls of its own and goes along with the first.
    """
    root, drawn = outline(trace, most, key=f"{mark}n", boards=boards)
    views = [View()] * len(trace.nodes)
    start = {number: show(trace, views, number, False) for number in drawn}
    room = {number: _room(shown) for number, shown in start.items()}
    now, steps = dict(start), []
    line = {0, *(node.number for node in trace.line)}
    for number, done in enumerate(trace.steps, 1):
        for node, view in done.changes:
            views[node] = view
        best = line if number == len(trace) else set()
        touched = sorted({node for node, _ in done.changes} | best)
        changes = [(node, show(trace, views, node, node in best)) for node in touched if node in drawn]
        for node, shown in changes:
            room[node] = max(room[node], _room(shown))
        now.update(changes if number <= step else ())
        steps.append(_step(trace, drawn, number, changes))
    for number, shape in drawn.items():
        shown = now[number]
        shape.marks, shape.value, shape.notes, shape.hint = set(shown.marks), shown.value, list(shown.notes), shown.hint
        shape.room = room[number] if trace.nodes[number].side != LEAF else 0
    if 0 < step < len(trace):
        drawn[steps[step - 1]["node"]].marks.add("current")
    heading = f"{trace.title} on {trace.game}{players_text(trace)}"
    laid = tree_layout(root)
    svg = tree_svg(root, label=heading, live=True, layout=laid)
    svg = re.sub(r"<style>.*?</style>", "", svg, count=1)  # the page has it
    data = {
        "prefix": PREFIX,
        "step": step,
        "words": BEGINNING,
        "start": start,
        "steps": steps,
        "above": {number: trace.nodes[number].parent for number in drawn},
        "names": {number: edge_text(trace.nodes[number]) or "root" for number in drawn},
        "places": _places(laid, len(f"{mark}n")),
    }
    html = _body(trace, step, steps[step - 1] if step else None, svg, against, mark)
    return Viewer(heading, legend(trace), html, data, frozenset(drawn))


def legend(trace: Trace) -> str:
    """What the signs mean, those of this trace only."""
    sides = {node.side for node in trace.nodes}
    shapes = ["<b>▲ MAX</b>", *(["<b>▼ MIN</b>"] if MIN in sides else [])]
    if trace.each_for_itself:
        shapes = [f"<b>{SIGNS[player_shape(n)]} {escape(name)}</b>" for n, name in enumerate(trace.players)]
    shapes += ["<b>○ chance</b>, probabilities at its branches"] if CHANCE in sides else []
    if trace.algorithm == MCTS:
        return " · ".join([*shapes, "<b>□ the game is over</b>", MEANS])
    return " · ".join([*shapes, "<b>□ leaf</b>", VECTORS if trace.each_for_itself else WINDOWS, PRUNED])


def embedded(data: Any) -> str:
    """JSON that can stand in an HTML script element: nothing in it can end the element."""
    return json.dumps(data, ensure_ascii=False, separators=(",", ":")).replace("<", "\\u003c").replace("&", "\\u0026")


def viewer_script() -> str:
    """The canvas on which a tree is moved and folded, and the steps of a trace on it."""
    return f"{resource('canvas.js')}\n{resource('replay.js')}"


def viewer_style() -> str:
    """The style of the viewer and every class that a node can come to have; the page has the other colours."""
    light, dark = LIT
    lit = f":root{{--lit:{light}}}@media (prefers-color-scheme:dark){{:root{{--lit:{dark}}}}}"
    return f"{lit}\n{style_sheet(TREE_CLASSES, TREE_CLASSES)}\n{resource('replay.css')}"


# -- the parts ------------------------------------------------------------------------------------------------


def _step(trace: Trace, drawn: dict[int, Any], number: int, changes: list[tuple[int, Shown]]) -> dict[str, Any]:
    """One step as the script needs it."""
    step = trace.steps[number - 1]
    return {
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


def _places(laid: Layout, prefix: int) -> dict[int, tuple[float, ...]]:
    """What the script needs to lay out the tree again: centre, reach to the left and right, where edges begin."""
    found = {}
    for number, node in enumerate(laid.nodes):
        place = (laid.xs[number], laid.ys[number], *laid.reach[number], laid.foot(number))
        found[int(node.key[prefix:])] = tuple(round(part, 1) for part in place)
    return found


def _body(trace: Trace, step: int, done: dict[str, Any] | None, svg: str, against: Counts | None, mark: str) -> str:
    lit = done["lines"] if done else ()
    code = [
        f'<li data-number="{number + 1}"{_LIT_LINE if number in lit else ""}>{escape(line) or " "}</li>'
        for number, line in enumerate(trace.pseudocode)
    ]
    return filled(
        "viewer_beside.html" if mark else "viewer.html",
        mark=mark,
        code="\n".join(code),
        tree=svg,
        step=str(step),
        steps=str(len(trace)),
        where=escape(done["where"]) if done else "",
        words=escape(done["words"] if done else BEGINNING),
        counts=_counts(trace, done, against, mark),
        title=escape(trace.title),
    )


_LIT_LINE = ' class="lit" aria-current="step"'


def _counts(trace: Trace, done: dict[str, Any] | None, against: Counts | None, mark: str) -> str:
    """The counts so far, beside those of the search that leaves nothing out."""
    now = {name: done[name] if done else 0 for name in ("nodes", "leaves", "cuts")}
    nodes, leaves, cuts = (f'<b id="{mark}{name}">{count}</b>' for name, count in now.items())
    if trace.algorithm == MCTS:
        return f"simulations {leaves} · nodes of the tree visited {nodes}<span hidden>{cuts}</span>"
    if against is None:
        return f"nodes {nodes} · leaves {leaves} · cutoffs {cuts}"
    return (
        f"leaves {leaves} of {escape(against.leaves)} · nodes {nodes} of {escape(against.nodes)} "
        f"({escape(against.name)}) · cutoffs {cuts}"
    )


def _cut(trace: Trace, cut: Cut | None) -> str:
    """A cutoff in brief, for the list of them."""
    if cut is None:
        return ""
    return f"{trace.nodes[cut.node].path}: {'deep ' if cut.deep else ''}{cut.kind} cutoff. {cut.reason}."


def _room(shown: Shown) -> int:
    """Characters that the words beside a node take, the value's being larger."""
    return max([len(note) for note in shown.notes] + [round(len(shown.value) * 1.3)])


def filled(template: str, **parts: str) -> str:
    """The template with its places filled, each in one pass, so that no content is taken for a place."""
    pieces = resource(template).split("{{")
    page = [pieces[0]]
    for piece in pieces[1:]:
        name, _, rest = piece.partition("}}")
        page += [parts[name], rest]
    return "".join(page)


@cache
def resource(name: str) -> str:
    return files("plywright.textbook").joinpath("assets", name).read_text(encoding="utf-8")
