"""Grids whose cells carry words: numbered tiles, mazes with rewards, treasure maps.

    cells([Cell("2", "tone-1"), Cell("", "empty"), Cell("#", "wall"), Cell("+1", "good")], 2, caption="to move")

Cells come row by row from the top. A cell's `look` is a key of `LOOKS`; `pawns` stand on cells, each a
letter in the colour of its player. Cells are places, named a1 from the lower left.
"""

from __future__ import annotations

from collections.abc import Collection, Mapping, Sequence
from typing import NamedTuple

from . import svg
from .picture import Picture
from .svg import Markup, element

SIZE = 62
MARGIN = 26
LETTERS = "abcdefghijklmnopqrstuvwxyz"
TONES = 12
"""Looks `tone-1` to `tone-12` go from pale to deep: for numbers that grow."""


class Cell(NamedTuple):
    """One cell: its words and its look."""

    words: str
    look: str = "empty"
    shape: str = ""
    """What is drawn in the place of the words: `gem`."""


def _tone(number: int) -> str:
    """From cream to deep orange, the same on a light and a dark ground: the words on it are dark."""
    share = (number - 1) / (TONES - 1)
    pale, deep = (0xF8, 0xEC, 0xD2), (0xE0, 0x86, 0x10)
    return "#" + "".join(f"{round(a + (b - a) * share):02x}" for a, b in zip(pale, deep, strict=True))


CELLS_CLASSES: dict[str, str] = {
    "cell-empty": "fill:$paper;stroke:$line;stroke-width:1.5",
    "cell-wall": "fill:$faint;stroke:$line;stroke-width:1.5",
    "cell-good": "fill:$good;fill-opacity:.3;stroke:$line;stroke-width:1.5",
    "cell-bad": "fill:$first;fill-opacity:.3;stroke:$line;stroke-width:1.5",
    "cell-prize": "fill:$yellow;fill-opacity:.35;stroke:$line;stroke-width:1.5",
    **{f"cell-tone-{n}": f"fill:{_tone(n)};stroke:#8a6500;stroke-width:1" for n in range(1, TONES + 1)},
    "cell-tile-words": f"fill:#1f2933;{svg.SANS};font-size:22px;font-weight:bold;text-anchor:middle",
    "gem": "fill:#0f8f7e;stroke:#04352e;stroke-width:1.5",
    "gem-facet": "fill:none;stroke:#c9fff5;stroke-width:1.3",
    "cell-words": f"fill:$ink;{svg.SANS};font-size:20px;text-anchor:middle",
    "cell-small": f"fill:$ink;{svg.SANS};font-size:13px;text-anchor:middle",
    "cell-last": "fill:none;stroke:$last-paper;stroke-width:4",
    "cell-last-tile": "fill:none;stroke:#7a3e00;stroke-width:4",
    "pawn-0": "fill:$first",
    "pawn-1": "fill:$second",
    "pawn-2": "fill:$good",
    "pawn-name": f"fill:$paper;{svg.SANS};font-size:15px;text-anchor:middle",
}


def cells(
    content: Sequence[Cell],
    columns: int,
    *,
    pawns: Mapping[int, Sequence[tuple[int, str]]] | None = None,
    last: Collection[int] = (),
    named: bool = True,
    caption: str = "",
) -> Picture:
    """The picture of a grid; `pawns` has (player, letter) for each pawn on a cell, `last` the cells just changed."""
    standing = {cell: list(some) for cell, some in (pawns or {}).items()}
    words = _text(content, columns, standing, last, named, caption)
    return Picture(_svg(content, columns, standing, last, named, caption, words), words)


def _text(
    content: Sequence[Cell],
    columns: int,
    pawns: Mapping[int, Sequence[tuple[int, str]]],
    last: Collection[int],
    named: bool,
    caption: str,
) -> str:
    """One line per row: pawns before the words of their cell, brackets around cells just changed."""
    rows = len(content) // columns
    shown = []
    for number, cell in enumerate(content):
        wall = "#" if cell.look == "wall" else "."
        words = "".join(letter for _, letter in pawns.get(number, ())) + cell.words or wall
        shown.append(f"[{words}]" if number in last else words)
    width = max(map(len, shown))
    lines = []
    for row in range(rows):
        name = f"{rows - row:>2} " if named else ""
        line = name + " ".join(word.center(width) for word in shown[row * columns : (row + 1) * columns])
        lines.append(line.rstrip())
    if named:
        lines.append("   " + " ".join(LETTERS[column].center(width) for column in range(columns)).rstrip())
    return "\n".join([*lines, caption] if caption else lines)


def _svg(
    content: Sequence[Cell],
    columns: int,
    pawns: Mapping[int, Sequence[tuple[int, str]]],
    last: Collection[int],
    named: bool,
    caption: str,
    words: str,
) -> str:
    rows, margin = len(content) // columns, MARGIN if named else 6
    parts: list[Markup] = []
    for number, cell in enumerate(content):
        row, column = divmod(number, columns)
        x, y = margin + column * SIZE, 6 + row * SIZE
        tile = cell.look.startswith("tone-")
        ground = "empty" if tile else cell.look
        drawn = [element("rect", x=x, y=y, width=SIZE, height=SIZE, class_=f"cell-{ground}")]
        if tile:
            drawn.append(_tile(x, y, cell))
        if number in last:
            mark = "cell-last-tile" if tile else "cell-last"
            drawn.append(element("rect", x=x + 3, y=y + 3, width=SIZE - 6, height=SIZE - 6, rx=6, class_=mark))
        here = pawns.get(number, ())
        if cell.shape == "gem":
            drawn.append(svg.upright(*_gem(x + SIZE / 2, y + SIZE / 2)))
        elif cell.words and cell.look != "wall" and not tile:
            low = y + SIZE - 8 if here else y + SIZE / 2 + 7
            drawn.append(svg.text(x + SIZE / 2, low, cell.words, "cell-small" if here else "cell-words"))
        for place, (player, letter) in enumerate(here):
            centre = x + SIZE / 2 + (place - (len(here) - 1) / 2) * 26
            drawn += _pawn(centre, y + 24, f"pawn-{player}", letter)
        parts.append(svg.place(f"{LETTERS[column]}{rows - row}" if named else "", *drawn))
    if named:
        parts += [svg.text(13, 6 + (row + 0.5) * SIZE + 5, str(rows - row)) for row in range(rows)]
        base = 6 + rows * SIZE + 18
        parts += [svg.text(margin + (column + 0.5) * SIZE, base, LETTERS[column]) for column in range(columns)]
    page = columns * SIZE + margin + 6, rows * SIZE + (30 if named else 12)
    width, height, parts = svg.captioned(*page, parts, caption, turns=True)
    return svg.document(width, height, *parts, description=words, label=caption, classes=CELLS_CLASSES)


def _tile(x: float, y: float, cell: Cell) -> Markup:
    """A numbered tile on its cell, which a page can slide."""
    body = element("rect", x=x + 4, y=y + 4, width=SIZE - 8, height=SIZE - 8, rx=7, class_=f"cell-{cell.look}")
    return svg.upright(body, svg.text(x + SIZE / 2, y + SIZE / 2 + 8, cell.words, "cell-tile-words"))


def _pawn(x: float, y: float, colour: str, letter: str) -> list[Markup]:
    """A counter with its letter; whoever walks alone (`@`) is a figure."""
    if letter != "@":
        return [element("circle", cx=x, cy=y, r=13, class_=colour), svg.text(x, y + 5, letter, "pawn-name")]
    body = f"M{x - 15} {y + 29}c0 -16 6 -20 15 -20s15 4 15 20z"
    return [element("path", d=body, class_=colour), element("circle", cx=x, cy=y, r=10, class_=colour)]


def _gem(x: float, y: float) -> list[Markup]:
    """A cut jewel."""
    outline = f"M{x - 18} {y - 6}l8 -10h20l8 10l-18 22z"
    facets = f"M{x - 18} {y - 6}h36M{x - 8} {y - 6}l8 21l8 -21l-5 -9M{x - 8} {y - 6}l5 -9"
    return [
        element("path", d=outline, class_="gem", stroke_linejoin="round"),
        element("path", d=facets, class_="gem-facet"),
    ]
