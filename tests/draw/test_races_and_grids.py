"""Boards of points, tracks and grids of cells: the text is what it should be, the SVG says the same."""

from __future__ import annotations

import re
from xml.etree import ElementTree

from plywright.draw import Picture
from plywright.draw.cells import Cell, cells
from plywright.draw.dice import PIPS
from plywright.draw.points import points
from plywright.draw.tracks import tracks

SVG = "{http://www.w3.org/2000/svg}"


def parts(picture: Picture, name: str) -> list[str]:
    """The classes of the elements of that name, without the prefix."""
    root = ElementTree.fromstring(picture.svg)
    return [(part.get("class") or "").replace("pw-", "") for part in root.iter(SVG + name)]


def test_points_show_stacks_bar_tray_dice_and_what_was_touched() -> None:
    first, second = [0] * 25, [0] * 25
    first[6], first[0], second[13], second[24] = 7, 1, 2, 1
    picture = points(first, second, off=(7, 12), dice=(6, 5), touched={13, 6}, caption="to move")
    assert picture.text.splitlines() == [
        "+13*-14-15-16-17-18+---+-19-20-21-22-23-24+",
        "| X                |   |                X |  X off: 12",
        "| X                |   |                  |",
        "|                  |   |                  |",
        "|                  |   |                  |",
        "|                  |   |                  |",
        "|                  |BAR|       6  5       |",
        "|                  | O | 7                |",
        "|                  |   | O                |",
        "|                  |   | O                |",
        "|                  |   | O                |",
        "|                  |   | O                |  O off: 7",
        "+-12-11-10-9--8--7-+---+-6*-5--4--3--2--1-+",
        "to move",
    ]
    assert parts(picture, "circle").count("first-man") == 5 + 1 + 1
    assert parts(picture, "circle").count("second-man") == 2 + 1 + 1
    assert parts(picture, "circle").count("pip") == 11 and parts(picture, "path").count("touched") == 2
    assert [len(places) for places in PIPS.values()] == [*range(1, 10)]


def test_tracks_show_places_reaches_and_the_mover() -> None:
    picture = tracks([("first", 4, 3), ("second", 10, 0)], 10, posts=[5], mover=0, caption="to roll")
    assert picture.text.splitlines() == ["> first  ....o++.... 4+3", "  second .....|....o 10", "to roll"]
    assert parts(picture, "rect") == ["track", "runner-0 reach", "runner-0", "track", "runner-1"]
    start = re.search(r'x="([0-9.]+)"[^>]*class="pw-track"', picture.svg)
    assert start and float(start[1]) - 16 >= 22 + 10 * len("second"), "a pawn at the start hides no name"


def test_cells_show_words_walls_pawns_and_changes() -> None:
    content = [Cell("2", "tone-1"), Cell(""), Cell("", "wall"), Cell("+1", "good")]
    picture = cells(content, 2, pawns={1: [(0, "A"), (1, "B")]}, last={0}, caption="to move")
    assert picture.text.splitlines() == [" 2 [2]  AB", " 1  #   +1", "    a   b", "to move"]
    assert parts(picture, "rect") == [
        "cell-empty",
        "cell-tone-1",
        "cell-last-tile",
        "cell-empty",
        "cell-wall",
        "cell-good",
    ]
    assert parts(picture, "circle") == ["pawn-0", "pawn-1"]
