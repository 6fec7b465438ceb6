"""Heaps of stones, one row a heap; stones just taken are shown as gaps.

heaps([3, 4, 5], taken=(1, 2))      # two stones have just been taken from the second heap
"""

from __future__ import annotations

from collections.abc import Sequence

from . import svg
from .picture import Picture
from .svg import element

STONE = 30
LEFT = 34

HEAPS_CLASSES = {
    "stone": "fill:$dark-wood;stroke:$wood;stroke-width:1.5",
    "taken": "fill:none;stroke:$mark;stroke-width:2;stroke-dasharray:3 3",
    "count": f"fill:$ink;{svg.SANS};font-size:15px",
    "ground": "stroke:$line;stroke-width:1.5",
}


def heaps(
    sizes: Sequence[int],
    *,
    names: Sequence[str] | None = None,
    taken: tuple[int, int] | None = None,
    caption: str = "",
) -> Picture:
    """The picture of heaps; `taken` is (heap, count) of the last move."""
    labels = [str(heap + 1) for heap in range(len(sizes))] if names is None else list(names)
    gone = [taken[1] if taken is not None and taken[0] == heap else 0 for heap in range(len(sizes))]
    longest = max((size + lost for size, lost in zip(sizes, gone, strict=True)), default=0)
    margin = max(len(label) for label in labels)
    lines = [
        f"{label:>{margin}}: {('o' * size + '.' * lost).ljust(longest)}  {size}"
        for label, size, lost in zip(labels, sizes, gone, strict=True)
    ]
    words = "\n".join([*lines, caption] if caption else lines)
    return Picture(_svg(sizes, labels, gone, longest, caption, words), words)


def _svg(
    sizes: Sequence[int], labels: Sequence[str], gone: Sequence[int], longest: int, caption: str, words: str
) -> str:
    width: float = max(LEFT + longest * STONE + 44, 160)
    height: float = len(sizes) * (STONE + 14) + 12
    parts = []
    for heap, (size, lost) in enumerate(zip(sizes, gone, strict=True)):
        y = 8 + heap * (STONE + 14) + STONE / 2
        parts.append(element("line", x1=LEFT - 6, x2=width - 8, y1=y + 18, y2=y + 18, class_="ground"))
        parts.append(svg.text(16, y + 5, labels[heap]))
        for stone in range(size + lost):
            x = LEFT + (stone + 0.5) * STONE
            parts.append(element("circle", cx=x, cy=y, r=12.5, class_="stone" if stone < size else "taken"))
        parts.append(svg.text(LEFT + (size + lost) * STONE + 10, y + 5, str(size), "count"))
    width, height, parts = svg.captioned(width, height, parts, caption)
    return svg.document(width, height, *parts, description=words, label=caption, classes=HEAPS_CLASSES)
