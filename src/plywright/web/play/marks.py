"""The last move in a picture of a hidden game: what a seat did, and what has changed in its pictures since.

A game draws for a seat what the seat sees. Two such pictures tell together what the others did, as far as the
seat may know it; so nothing but pictures comes in here, and no state of the game.
"""

from __future__ import annotations

import copy
import re
from collections.abc import Iterator
from xml.etree import ElementTree

from .clicks import places_in, places_named

SPACE = "http://www.w3.org/2000/svg"
GROUP = f"{{{SPACE}}}g"
PLACED = ("x", "y", "width", "height", "cx", "cy", "r", "d", "x1", "y1", "x2", "y2")
INSET = 3.0
"""How far a frame lies inside its cell, so that no neighbour is drawn over it."""
Shape = tuple[str | None, ...]
ElementTree.register_namespace("", SPACE)


def with_last_move(now: str, own: str, text: str, after: str) -> str:
    """The picture `now` with a frame around each place of the last move.

    `own` is the picture in which the seat moved and `text` its move, `after` the one right after it; each is empty
    where there is none. A picture in which nothing is to be marked comes back as it is.
    """
    if not now:
        return now
    try:
        drawing = ElementTree.fromstring(now)
        cells = dict(_cells(drawing))
        wanted = _named(own, text) | (_changed(after, cells) if after else {})
    except ElementTree.ParseError:  # a drawing by somebody else's hand, which a browser may forgive
        return now
    marked = False
    for shape, group in cells.items():
        name = group.get("data-place", "")
        if shape not in wanted or (name and wanted[shape] not in ("", name)):  # another card lies there now
            continue
        group.append(_frame(group[0]))
        marked = True
    if not marked:
        return now
    return ElementTree.tostring(drawing, encoding="unicode")


def _cells(drawing: ElementTree.Element) -> Iterator[tuple[Shape, ElementTree.Element]]:
    """Every group for one place, by the shape it begins with: where that is and how large."""
    for group in drawing.iter(GROUP):
        whole = all("data-upright" in part.attrib for part in group.iter(GROUP) if part is not group)
        # a piece, the words below the drawing, or the whole of it, moved to the middle of wider words
        apart = {"data-upright", "data-drawing", "transform"} & {*group.attrib}
        if len(group) and group[0].tag != GROUP and not apart and whole:
            yield (group[0].tag, *(group[0].get(name) for name in PLACED)), group


def _named(picture: str, text: str) -> dict[Shape, str]:
    """The cells that a move names in the picture it was made in, each with its name."""
    if not picture or not text:
        return {}
    named = set(places_named(text, places_in(picture)))
    found = {shape: group.get("data-place", "") for shape, group in _cells(ElementTree.fromstring(picture))}
    return {shape: name for shape, name in found.items() if name in named}


def _changed(picture: str, cells: dict[Shape, ElementTree.Element]) -> dict[Shape, str]:
    """The cells that look otherwise than they did in the picture; one that was not there has changed, too."""
    before = {shape: _look(group) for shape, group in _cells(ElementTree.fromstring(picture))}
    return {shape: "" for shape, group in cells.items() if before.get(shape) != _look(group)}


def _look(group: ElementTree.Element) -> list[tuple[str, str | None, str | None]]:
    """What is drawn in a cell, wherever it is."""
    return [(part.tag, part.get("class"), part.text) for part in group.iter()]


def _frame(shape: ElementTree.Element) -> ElementTree.Element:
    """A frame just inside a cell; around what is no rectangle."""
    frame = copy.deepcopy(shape)
    frame.set("class", "play-last")
    frame.set("fill", "none")
    if shape.tag == f"{{{SPACE}}}rect" and all(_is_number(shape.get(name)) for name in ("x", "y", "width", "height")):
        for name, by in (("x", INSET), ("y", INSET), ("width", -2 * INSET), ("height", -2 * INSET)):
            frame.set(name, f"{float(shape.get(name, '0')) + by:g}")
    return frame


def _is_number(text: str | None) -> bool:
    return text is not None and re.fullmatch(r"-?[0-9]+(\.[0-9]+)?", text) is not None
