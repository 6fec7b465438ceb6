"""Boxes in rows, with arrows from row to row: layers of a program, the way of a request through it."""

from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple

from .picture import Picture
from .svg import SANS, Markup, document, element, text

LINE, PADDING, GAP, MARGIN = 18.0, 10.0, 12.0, 14.0
CHARACTER = 7.6
"""Width of an average letter of the titles, in pixels; notes have smaller ones."""
CLASSES = {
    "diagram-box": "fill:$shade;stroke:$line;stroke-width:1",
    "diagram-box-title": f"fill:$ink;{SANS};font-size:13px;font-weight:bold;text-anchor:middle",
    "diagram-box-note": f"fill:$ink;{SANS};font-size:11.5px;text-anchor:middle",
    "diagram-arrow": "stroke:$faint;stroke-width:1.5;fill:none",
    "diagram-arrow-head": "fill:$faint",
    "diagram-arrow-note": f"fill:$faint;{SANS};font-size:11.5px",
}


class Box(NamedTuple):
    """A title, and lines of words below it."""

    title: str
    notes: tuple[str, ...] = ()


class Row(NamedTuple):
    """Boxes side by side, and the words at the arrow that leads to the next row."""

    boxes: tuple[Box, ...]
    onward: str = ""


def diagram(rows: Sequence[Row], label: str, arrow_height: float = 34.0) -> Picture:
    """The rows from top to bottom, each as wide as the widest."""
    width = max(sum(map(_least_width, row.boxes)) + GAP * (len(row.boxes) - 1) for row in rows)
    parts: list[Markup] = []
    top = MARGIN
    for number, row in enumerate(rows):
        height = 2 * PADDING + LINE * max(1 + len(box.notes) for box in row.boxes)
        spare = (width - sum(map(_least_width, row.boxes)) - GAP * (len(row.boxes) - 1)) / len(row.boxes)
        left = MARGIN
        for box in row.boxes:
            wide = _least_width(box) + spare
            parts += _box(box, left, top, wide, height)
            left += wide + GAP
        top += height
        if number + 1 < len(rows):
            parts += _arrow(MARGIN + width / 2, top, arrow_height, row.onward)
            top += arrow_height
    words = _words(rows)
    page = document(width + 2 * MARGIN, top + MARGIN, *parts, description=words, label=label, classes=CLASSES)
    return Picture(page, words)


def _least_width(box: Box) -> float:
    return 2 * PADDING + max(
        CHARACTER * 1.1 * len(box.title), *(0.93 * CHARACTER * len(note) for note in box.notes), 40
    )


def _box(box: Box, left: float, top: float, width: float, height: float) -> list[Markup]:
    middle = left + width / 2
    first = top + (height - LINE * len(box.notes)) / 2 + 4.5
    return [
        element("rect", x=left, y=top, width=width, height=height, rx=6, class_="diagram-box"),
        text(middle, first, box.title, "diagram-box-title"),
        *(text(middle, first + LINE * (line + 1), note, "diagram-box-note") for line, note in enumerate(box.notes)),
    ]


def _arrow(x: float, top: float, height: float, words: str) -> list[Markup]:
    end = top + height - 3
    parts = [
        element("path", d=f"M{x:.1f} {top + 3:.1f}V{end - 6:.1f}", class_="diagram-arrow"),
        element(
            "path",
            d=f"M{x - 5:.1f} {end - 8:.1f}L{x + 5:.1f} {end - 8:.1f}L{x:.1f} {end:.1f}Z",
            class_="diagram-arrow-head",
        ),
    ]
    return [*parts, text(x + 12, top + height / 2 + 4, words, "diagram-arrow-note")] if words else parts


def _words(rows: Sequence[Row]) -> str:
    lines = []
    for number, row in enumerate(rows):
        lines += [": ".join((box.title, " ".join(box.notes))) if box.notes else box.title for box in row.boxes]
        if number + 1 < len(rows):
            lines.append(f"  | {row.onward}".rstrip())
    return "\n".join(lines)
