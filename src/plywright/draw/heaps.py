"""Heaps of stones, one row per heap; stones just taken are shown as gaps.

heaps([3, 4, 5], taken=(1, 2))      # two stones have just been taken from the second heap

A stone is the place that takes it and all to the right of it, by default `heap:count`.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Sequence

from . import svg
from .picture import Picture
from .svg import element

STONE = 30
ABREAST = 25  # stones in one line of text; a larger heap is shortened
DRAWN = 8  # stones in one line of a drawing; a larger heap has more lines
LEFT = 34

HEAPS_CLASSES = {
    "stone": "fill:$dark-wood;stroke:$wood;stroke-width:1.5",
    "taken": "fill:none;stroke:$last-paper;stroke-width:2;stroke-dasharray:3 3",
    "count": f"fill:$ink;{svg.SANS};font-size:15px",
    "ground": "stroke:$line;stroke-width:1.5",
}


def heaps(
    sizes: Sequence[int],
    *,
    names: Sequence[str] | None = None,
    taken: tuple[int, int] | None = None,
    places: Callable[[str, int], str] = lambda name, count: f"{name}:{count}",
    caption: str = "",
) -> Picture:
    """The picture of heaps; `taken` is (heap, count) of the last move.

    `places` says what moves call taking so many stones from the heap of that name.
    """
    labels = [str(heap + 1) for heap in range(len(sizes))] if names is None else list(names)
    gone = [taken[1] if taken is not None and taken[0] == heap else 0 for heap in range(len(sizes))]
    rows = [_shortened("o" * size + "." * lost) for size, lost in zip(sizes, gone, strict=True)]
    widths = max(map(len, labels)), max(map(len, rows))
    lines = [
        f"{label:>{widths[0]}}: {row:<{widths[1]}}  {size}"
        for label, row, size in zip(labels, rows, sizes, strict=True)
    ]
    words = "\n".join([*lines, caption] if caption else lines)
    return Picture(_svg(sizes, labels, gone, places, caption, words), words)


def _shortened(row: str) -> str:
    """A row of stones that fits a terminal: the end of a long one, where stones are taken, is kept."""
    return row if len(row) <= 2 * ABREAST else f"{row[:ABREAST]} ... {row[-ABREAST + 5 :]}"


def _svg(
    sizes: Sequence[int],
    labels: Sequence[str],
    gone: Sequence[int],
    places: Callable[[str, int], str],
    caption: str,
    words: str,
) -> str:
    abreast = min(DRAWN, max((size + lost for size, lost in zip(sizes, gone, strict=True)), default=0))
    width: float = max(LEFT + abreast * STONE + 44, 160)
    parts, top = [], 8.0
    for label, size, lost in zip(labels, sizes, gone, strict=True):
        middle = top + STONE / 2
        for stone in range(size + lost):
            line, place = divmod(stone, DRAWN)
            x, y = LEFT + (place + 0.5) * STONE, middle + line * STONE
            drawn = element("circle", cx=x, cy=y, r=12.5, class_="stone" if stone < size else "taken")
            parts.append(svg.place(places(label, size - stone), drawn) if stone < size else drawn)
        parts.append(svg.text(16, middle + 5, label))
        parts.append(svg.text(LEFT + min(size + lost, DRAWN) * STONE + 10, middle + 5, str(size), "count"))
        top += max(math.ceil((size + lost) / DRAWN), 1) * STONE + 14
        parts.append(element("line", x1=LEFT - 6, x2=width - 8, y1=top - 11, y2=top - 11, class_="ground"))
    width, height, parts = svg.captioned(width, top + 4, parts, caption)
    return svg.document(width, height, *parts, description=words, label=caption, classes=HEAPS_CLASSES)
