"""Game trees: MAX as a triangle that points up, MIN as one that points down, chance as a circle, leaves as squares.

Where there are more than two players, the first two have the triangles and the next ones shapes of their own.

A `TreeNode` says what to show and how (`marks`); nothing here knows a game or an algorithm. Beside
a node stand its value and notes, on the edge above it the move. A node that was never looked at is
grey with a dashed edge, struck through where it was cut off. Shape and line carry every meaning
that colour does.

    picture = tree_picture(TreeNode("root", MAX, "3", children=[TreeNode("a", LEAF, "3", move="a1")]))
"""

from __future__ import annotations

import math
import re
from collections.abc import Sequence
from dataclasses import dataclass, field
from fractions import Fraction
from typing import NamedTuple

from .layout import tidy_positions
from .picture import Picture
from .svg import MONO, SANS, Markup, document, element, joined_styles, text

MAX, MIN, CHANCE, LEAF = "max", "min", "chance", "leaf"
SIGNS = {MAX: "▲", MIN: "▼", "diamond": "◆", "pentagon": "⬟", "hexagon": "⬢"}
"""The shapes of players, in their order, each as a character for legends."""

MARKS = ("unseen", "open", "done", "cut", "best", "pruned", "severed", "current")
"""unseen: not reached yet · open: being searched · cut: left early · best: on the line of best play ·
pruned: never to be searched · severed: pruned, and its parent was searched · current: the node of this step."""


@dataclass
class TreeNode:
    """One node of a drawing; `key` is its id in the SVG and must be unique there."""

    key: str
    shape: str = LEAF
    value: str = ""
    notes: list[str] = field(default_factory=list)  # lines beside the node, below its value
    move: str = ""
    marks: set[str] = field(default_factory=set)
    hint: str = ""
    more: str = ""  # what is under the node but not drawn, such as "27 nodes"
    children: list[TreeNode] = field(default_factory=list)
    room: int = 0  # characters to keep free beside the node, for notes that change
    link: str = ""  # an address: where a page goes when the node is chosen
    board: str = ""  # a position as an SVG document, drawn small below the node


def player_shape(number: int) -> str:
    """The shape of a player; after the last one the shapes come again."""
    return tuple(SIGNS)[number % len(SIGNS)]


def tree_picture(root: TreeNode, *, label: str = "") -> Picture:
    """The tree as SVG and as text."""
    return Picture(tree_svg(root, label=label), tree_text(root))


def value_text(value: float | None) -> str:
    """A value in as few characters as it needs; nothing for None."""
    if value is None:
        return ""
    if math.isinf(value):
        return "∞" if value > 0 else "-∞"
    return f"{value + 0.0:.10g}"  # no minus before a zero


def vector_text(values: Sequence[float]) -> str:
    """A single number by itself, several as (1, 2, 6)."""
    texts = [value_text(value) for value in values]
    return texts[0] if len(texts) == 1 else f"({', '.join(texts)})"


def chance_text(probability: float) -> str:
    """A probability as a short decimal, or as the fraction that it is: 0.3, 1/3, 1/36."""
    short = f"{probability:.4g}"
    if float(short) == probability:
        return short
    fraction = Fraction(probability).limit_denominator(10_000)
    return str(fraction) if abs(float(fraction) - probability) < 1e-12 else short


def outcome_text(name: str, probability: float) -> str:
    """What stands at the edge to an outcome: its name and probability, once where they are the same."""
    odds = chance_text(probability)
    return odds if name == odds else f"{name} {odds}"


# -- SVG --------------------------------------------------------------------------------------------------

HALF = 15.0  # half the width of a triangle
HEIGHT = 26.0
VALUE, NOTE, LABEL = 14.0, 11.0, 12.0  # font sizes
EM = 0.602  # width of a monospaced character, in font sizes
GAP = 14.0
MARGIN = 16.0
BOARD = 92.0  # the side of a small board

HALO = "stroke:$paper;stroke-width:4;paint-order:stroke"  # keeps words legible where they meet an edge

TREE_CLASSES: dict[str, str] = {
    "edge": "stroke:$faint;stroke-width:1.4;fill:none",
    "edge-unseen": "stroke:$line",
    "edge-open": "stroke:$ink;stroke-width:2",
    "edge-best": "stroke:$good;stroke-width:3.5",
    "edge-pruned": "stroke:$line;stroke-width:1.2;stroke-dasharray:4 4",
    "gate": "stroke:none;fill:none",
    "gate-severed": "stroke:$ink;stroke-width:2.2",
    "move": f"fill:$ink;{SANS};font-size:{LABEL}px;text-anchor:middle;{HALO.replace('4', '6')}",  # spaces too
    "move-unseen": "fill:$faint",
    "move-best": "font-weight:bold",
    "move-pruned": "fill:$faint",
    "halo": "fill:none;stroke:none",
    "halo-current": "fill:$mark;stroke:none;opacity:0.55",
    "max": "fill:$first;stroke:$first;stroke-width:2;stroke-linejoin:round",
    "min": "fill:$second;stroke:$second;stroke-width:2;stroke-linejoin:round",
    "diamond": "fill:$mark;stroke:$ink;stroke-width:1.6;stroke-linejoin:round",
    "pentagon": "fill:$good;stroke:$ink;stroke-width:1.6;stroke-linejoin:round",
    "hexagon": "fill:$faint;stroke:$ink;stroke-width:1.6;stroke-linejoin:round",
    "chance": "fill:$shade;stroke:$ink;stroke-width:2",
    "leaf": "fill:$paper;stroke:$ink;stroke-width:1.6",
    "shape-unseen": "fill:$paper",
    "shape-best": "stroke:$good;stroke-width:4",
    "shape-pruned": "fill:$shade;stroke:$line;stroke-dasharray:4 3",
    "shape-current": "stroke:$ink;stroke-width:3",
    "leaf-unseen": "stroke:$line",
    "leaf-best": "stroke:$good;stroke-width:3.5",
    "leaf-pruned": "fill:$shade;stroke:$line;stroke-dasharray:4 3",
    "leaf-current": "stroke:$ink;stroke-width:3",
    "number": f"fill:$ink;{MONO};font-size:13px;text-anchor:middle",
    "value": f"fill:$ink;{MONO};font-size:{VALUE}px;font-weight:bold;{HALO.replace('4', '7')}",
    "note": f"fill:$ink;{MONO};font-size:{NOTE}px;{HALO.replace('4', '5')}",
    "text-unseen": "fill:$faint",
    "text-pruned": "fill:$faint;text-decoration:line-through",
    "touch": "fill:transparent;stroke:none",
    "more": f"fill:$faint;{SANS};font-size:{NOTE}px;text-anchor:middle",
}
"""Declarations for `svg.style_sheet`; a class `part-mark` changes a part of every node with that mark."""


def classes(base: str, part: str, marks: set[str]) -> str:
    """The classes of one part of a node; the same rule is at work in a replay's script."""
    return " ".join([base, *(f"{part}-{mark}" for mark in MARKS if mark in marks)])


class Layout(NamedTuple):
    """Where the nodes of a drawing are, level by level: their centres, and how far they reach to the left and right."""

    width: float
    height: float
    nodes: list[TreeNode]
    parents: list[int]
    xs: list[float]
    ys: list[float]
    reach: list[tuple[float, float]]

    def foot(self, number: int) -> float:
        """Where the edges to the nodes below begin."""
        return self.ys[number] + HEIGHT / 2 + (BOARD + 8 if self.nodes[number].board else 0)


def tree_svg(root: TreeNode, *, label: str = "", live: bool = False, layout: Layout | None = None) -> str:
    """The tree as an SVG document; a `live` one also has the parts that are not visible yet."""
    laid = layout or tree_layout(root)
    nodes, parents, xs, ys = laid.nodes, laid.parents, laid.xs, laid.ys
    width, height = laid.width, laid.height
    edges, shapes = [], []
    feet = {number: laid.foot(number) for number in set(parents[1:])}
    for number, node in enumerate(nodes):
        if number:
            start = (xs[parents[number]], feet[parents[number]])
            edges.append(_edge(node, start, (xs[number], ys[number] - HEIGHT / 2), live))
        shapes.append(_node(node, xs[number], ys[number], live))
    shapes.extend(_boards(laid))
    role = "group" if any(node.link for node in nodes) else "img"  # an image has nothing to choose inside
    words = tree_text(root)
    return document(width, height, *edges, *shapes, description=words, label=label, classes=TREE_CLASSES, role=role)


def _numbered(root: TreeNode) -> tuple[list[TreeNode], list[int]]:
    """The nodes level by level and the number of each one's parent."""
    nodes, parents = [root], [-1]
    for number, node in enumerate(nodes):  # grows while it is read
        nodes.extend(node.children)
        parents.extend([number] * len(node.children))
    return nodes, parents


def _extents(node: TreeNode) -> tuple[float, float]:
    """How far a node and what belongs to it reach to the left and to the right of its centre."""
    half = HALF if node.shape != LEAF else _leaf_half(node)
    half = max(half, BOARD / 2 + 2) if node.board else half
    beside = max([len(note) * NOTE * EM for note in node.notes] + [node.room * NOTE * EM], default=0.0)
    if node.shape != LEAF:
        beside = max(beside, len(node.value) * VALUE * EM)
    half_label = max(len(node.move) * LABEL * 0.62 / 2 / _LABEL_AT, len(node.more) * NOTE * 0.3)
    own = HALF if node.shape != LEAF else half  # words stand beside the shape, whatever is below it
    return max(half, half_label), max(half, own + (beside + 6 if beside else 0), half_label)


def _leaf_half(node: TreeNode) -> float:
    return max(13.0, len(node.value) * 13 * EM / 2 + 6)


_LABEL_AT, _GATE_AT = 0.64, 0.4  # how far down an edge its label and the strokes that cut it stand


def tree_layout(root: TreeNode) -> Layout:
    """Where every node of the drawing goes, and how large it is."""
    nodes, parents = _numbered(root)
    children: list[list[int]] = [[] for _ in nodes]
    levels = [0] * len(nodes)
    for number, parent in enumerate(parents[1:], 1):
        children[parent].append(number)
        levels[number] = levels[parent] + 1
    reach = [_extents(node) for node in nodes]
    xs = tidy_positions(children, [a for a, _ in reach], [b for _, b in reach], GAP)
    depth = max(levels) + 1
    tall, spread, boards = [HEIGHT] * depth, [0.0] * depth, [0.0] * depth
    for number, node in enumerate(nodes):
        level = levels[number]
        lines = len(node.notes) + bool(node.value or node.notes) if node.shape != LEAF else 0
        tall[level] = max(tall[level], lines * 14.0)
        boards[level] = max(boards[level], BOARD + 8 if node.board else 0.0)
        if below := children[number]:
            spread[level] = max(spread[level], xs[below[-1]] - xs[below[0]])
    centre_of_level, y = [], MARGIN
    for level in range(depth):
        y += tall[level] / 2
        centre_of_level.append(y)
        y += max(tall[level] / 2, HEIGHT / 2 + boards[level]) + 44 + min(spread[level] * 0.07, 90)  # wide fans
    bottom = centre_of_level[-1] + max(tall[-1] / 2, HEIGHT / 2 + boards[-1])
    bottom += 18 if any(node.more for node in nodes) else 0
    right = max(x + b for x, (_, b) in zip(xs, reach, strict=True))
    ys = [centre_of_level[level] for level in levels]
    return Layout(right + 2 * MARGIN, bottom + MARGIN, nodes, parents, [x + MARGIN for x in xs], ys, reach)


def _boards(laid: Layout) -> list[Markup]:
    """The small boards; the first one brings the rules of all, since each picture has those of what it shows alone."""
    found: list[tuple[str, str, dict[str, object]]] = []
    for number, node in enumerate(laid.nodes):
        parts = re.match(r'<svg[^>]*? viewBox="([^"]*)"[^>]*>(.*)</svg>', node.board, re.DOTALL)
        if parts is None:
            continue
        at = {"x": laid.xs[number] - BOARD / 2, "y": laid.ys[number] + HEIGHT / 2 + 4, "viewBox": parts[1]}
        found.append((node.key, re.sub(r"<desc>.*?</desc>", "", parts[2], flags=re.DOTALL), at))
    style = joined_styles(_STYLE.findall("".join(inside for _, inside, _ in found)))
    drawn: list[Markup] = []
    for key, inside, at in found:
        own = Markup(_STYLE.sub("", inside))
        brought = [element("style", Markup(style))] if style and not drawn else []
        drawn.append(element("g", element("svg", *brought, own, width=BOARD, height=BOARD, **at), id=f"{key}-board"))
    return drawn


_STYLE = re.compile(r"<style>(.*?)</style>", re.DOTALL)


def _edge(node: TreeNode, start: tuple[float, float], end: tuple[float, float], live: bool) -> Markup:
    """The edge above a node: line, the two strokes that cut it, and the move's name."""
    (x1, y1), (x2, y2) = start, end
    parts = [_part("path", "edge", "edge", node, d=f"M{x1:.1f} {y1:.1f}L{x2:.1f} {y2:.1f}")]
    if live or "severed" in node.marks:
        x, y = x1 + _GATE_AT * (x2 - x1), y1 + _GATE_AT * (y2 - y1)
        length = math.hypot(x2 - x1, y2 - y1) or 1.0
        across, along = ((y2 - y1) / length * 7, -(x2 - x1) / length * 7), ((x2 - x1) / length, (y2 - y1) / length)
        strokes = ""
        for side in (-2.5, 2.5):
            cx, cy = x + along[0] * side, y + along[1] * side
            strokes += f"M{cx - across[0]:.1f} {cy - across[1]:.1f}L{cx + across[0]:.1f} {cy + across[1]:.1f}"
        parts.append(_part("path", "gate", "gate", node, d=strokes))
    if node.move:
        x, y = x1 + _LABEL_AT * (x2 - x1), y1 + _LABEL_AT * (y2 - y1) + 4
        parts.append(_part("text", "move", "move", node, node.move, x=x, y=y))
    return element("g", *parts, id=f"{node.key}-edge")


def _node(node: TreeNode, x: float, y: float, live: bool) -> Markup:
    """Shape, value and notes of a node."""
    half = HALF if node.shape != LEAF else _leaf_half(node)
    outline = _outline(node.shape, x, y, half, HEIGHT / 2)
    parts = [element("title", node.hint)] if node.hint or live else []
    if node.link:  # the gap between shape and words belongs to the link too
        left, right = _extents(node)
        size = {"width": left + right, "height": HEIGHT + 8}
        parts.append(element("rect", x=x - left, y=y - HEIGHT / 2 - 4, **size, class_="touch"))
    if live or "current" in node.marks:
        halo = _outline(LEAF, x, y, half + 6, HEIGHT / 2 + 6) if node.shape == LEAF else _circle(x, y, HALF + 6)
        parts.append(_part("path", "halo", "halo", node, d=halo))
    parts.append(_part("path", node.shape, "leaf" if node.shape == LEAF else "shape", node, d=outline))
    if node.shape == LEAF:
        parts.append(_part("text", "number", "text", node, node.value, x=x, y=y + 4.5))
    else:
        lines = [("value", node.value), *(("note", note) for note in node.notes)]
        height = y - 7.0 * len(lines) + 11
        for number, (kind, words) in enumerate(lines):
            if words or live:
                parts.append(_part("text", kind, "text", node, words, x=x + half + 5, y=height + 14 * number))
    if node.more:
        parts.append(text(x, y + HEIGHT / 2 + 14 + (BOARD + 8 if node.board else 0), node.more, "more"))
    drawn = element("g", *parts, id=node.key)
    return element("a", drawn, href=node.link, aria_label=node.hint or None) if node.link else drawn


def _part(name: str, base: str, part: str, node: TreeNode, *words: str, **attributes: object) -> Markup:
    """One part of a node; the data attributes let a replay's script put together its classes again."""
    return element(name, *words, class_=classes(base, part, node.marks), data_base=base, data_part=part, **attributes)


def _outline(shape: str, x: float, y: float, half: float, rise: float) -> str:
    if shape == LEAF:
        return f"M{x - half:.1f} {y - rise:.1f}h{2 * half:.1f}v{2 * rise:.1f}h{-2 * half:.1f}Z"
    if shape == CHANCE:
        return _circle(x, y, rise)
    if shape not in (MAX, MIN):
        return _polygon({"diamond": 4, "pentagon": 5}.get(shape, 6), x, y, rise + 2)
    tip = -rise if shape == MAX else rise
    return f"M{x:.1f} {y + tip:.1f}L{x + half:.1f} {y - tip:.1f}L{x - half:.1f} {y - tip:.1f}Z"


def _polygon(corners: int, x: float, y: float, radius: float) -> str:
    """A regular polygon that stands on a corner opposite its top one, or on a side."""
    turns = [2 * math.pi * corner / corners for corner in range(corners)]
    points = [f"{x + radius * math.sin(turn):.1f} {y - radius * math.cos(turn):.1f}" for turn in turns]
    return f"M{'L'.join(points)}Z"


def _circle(x: float, y: float, radius: float) -> str:
    half = f"a{radius:.1f} {radius:.1f} 0 1 1"
    return f"M{x - radius:.1f} {y:.1f}{half} {2 * radius:.1f} 0{half} {-2 * radius:.1f} 0Z"


# -- terminal -----------------------------------------------------------------------------------------------


def tree_text(root: TreeNode) -> str:
    """The tree as indented lines, one per node."""
    lines = []
    waiting = [(root, "", "")]  # a node, what stands before it, what stands before the nodes below
    while waiting:
        node, first, rest = waiting.pop()
        lines.append(first + _line(node))
        for number, child in reversed(list(enumerate(node.children))):
            last = number == len(node.children) - 1
            dash = "╌ " if "pruned" in child.marks else "─ "
            waiting.append((child, rest + ("└" if last else "├") + dash, rest + ("   " if last else "│  ")))
    return "\n".join(lines)


def _line(node: TreeNode) -> str:
    words = [node.move] if node.move else []
    if node.shape != LEAF:
        words.append(node.shape.upper())
    words += [word for word in (node.value, *node.notes) if word]
    if node.more:
        words.append(f"({node.more})")
    if "pruned" in node.marks:
        words.append("pruned")
    if "current" in node.marks:
        words.append("<")
    return " ".join(words)
