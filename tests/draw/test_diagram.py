"""Boxes in rows: inside the page, one below the other, said in words too."""

from __future__ import annotations

import re
import xml.etree.ElementTree as ET

from plywright.draw.diagram import Box, Row, diagram

ROWS = (
    Row((Box("a call"),), "game & state"),
    Row((Box("one <box>", ("first", "a second and much longer note")), Box("another"))),
    Row((Box("an answer", ("done",)),)),
)


def test_boxes_fill_rows_of_one_width_and_do_not_overlap() -> None:
    picture = diagram(ROWS, "A way")
    page = ET.fromstring(picture.svg)
    boxes = [
        tuple(float(found) for found in each)
        for each in re.findall(r'<rect x="([\d.]+)" y="([\d.]+)" width="([\d.]+)" height="([\d.]+)"', picture.svg)
    ]
    assert len(boxes) == 4
    call, one, other, answer = boxes
    assert one[0] + one[2] < other[0] and one[1] == other[1] and one[3] == other[3]
    assert call[0] + call[2] == answer[0] + answer[2] == round(other[0] + other[2], 2)
    assert call[1] + call[3] < one[1] and one[1] + one[3] < answer[1]
    assert answer[1] + answer[3] < float(page.attrib["height"]) and call[0] + call[2] < float(page.attrib["width"])
    assert (
        picture.svg.count('pw-diagram-arrow-head"') == 2
        and "&lt;box&gt;" in picture.svg
        and "game &amp; state" in picture.svg
    )


def test_the_words_say_the_same() -> None:
    lines = diagram(ROWS, "A way").text.splitlines()
    assert lines == [
        "a call",
        "  | game & state",
        "one <box>: first a second and much longer note",
        "another",
        "  |",
        "an answer: done",
    ]
