"""Drawing trees: nothing overlaps, everything is named and escaped, marks are seen without colour."""

from __future__ import annotations

import itertools
import re
import xml.etree.ElementTree as ElementTree

import pytest
from hypothesis import given
from hypothesis import strategies as st

from plywright.draw.board import Piece, board
from plywright.draw.layout import tidy_positions
from plywright.draw.svg import CLASSES
from plywright.draw.tree import (
    LEAF,
    MARKS,
    MAX,
    MIN,
    TREE_CLASSES,
    TreeNode,
    tree_picture,
    tree_svg,
    tree_text,
    value_text,
)

SVG = "{http://www.w3.org/2000/svg}"


@st.composite
def layouts(draw: st.DrawFn) -> tuple[list[list[int]], list[float], list[float]]:
    """A tree of up to 60 nodes as lists of children, and how far every node reaches."""
    count = draw(st.integers(1, 60))
    children: list[list[int]] = [[] for _ in range(count)]
    for number in range(1, count):
        children[draw(st.integers(0, number - 1))].append(number)
    reach = st.floats(1, 80, allow_nan=False)
    return children, [draw(reach) for _ in range(count)], [draw(reach) for _ in range(count)]


@given(layouts())
def test_nothing_overlaps_and_parents_stand_over_their_children(
    layout: tuple[list[list[int]], list[float], list[float]],
) -> None:
    children, left, right = layout
    centres = tidy_positions(children, left, right, gap=10)
    level = [0]
    while level:
        for a, b in itertools.pairwise(level):
            assert centres[b] - left[b] >= centres[a] + right[a] + 10 - 1e-6
        level = [child for node in level for child in children[node]]
    for node, below in enumerate(children):
        if below:
            assert centres[node] == pytest.approx((centres[below[0]] + centres[below[-1]]) / 2)
    assert min(centre - reach for centre, reach in zip(centres, left, strict=True)) == pytest.approx(0, abs=1e-6)


def example() -> TreeNode:
    return TreeNode(
        "root",
        MAX,
        "≥3",
        ["α=3 β=∞"],
        marks={"open"},
        children=[
            TreeNode("a", MIN, "3", move="a1", marks={"best"}, children=[TreeNode("a-b", LEAF, "3", move="b1")]),
            TreeNode("c", MIN, move="a2", marks={"pruned", "severed"}, more="more than 40 nodes"),
            TreeNode("d", LEAF, "-12.5", move="<&\">", marks={"current"}, hint='say "hi" & <go>'),
        ],
    )  # fmt: skip


def test_every_node_has_its_id_its_shape_and_its_words() -> None:
    root = ElementTree.fromstring(tree_svg(example(), label="an example"))
    ids = {element.get("id"): element for element in root.iter() if element.get("id")}
    assert {"root", "a", "a-edge", "a-b", "c", "d", "d-edge"} <= set(ids) and "root-edge" not in ids
    words = {text.text for text in root.iter(f"{SVG}text")}
    assert {"≥3", "α=3 β=∞", "a1", "a2", '<&">', "-12.5", "more than 40 nodes"} <= words
    assert ids["d"].find(f"{SVG}title").text == 'say "hi" & <go>'  # type: ignore[union-attr]
    assert root.get("aria-label") == "an example" and root.find(f"{SVG}desc").text == tree_text(example())  # type: ignore[union-attr]


def apexes(svg: str, key: str) -> tuple[float, float]:
    """The heights of a triangle's tip and of its base."""
    root = ElementTree.fromstring(svg)
    group = next(element for element in root.iter() if element.get("id") == key)
    path = next(p for p in group.iter(f"{SVG}path") if "-halo" not in (p.get("class") or ""))
    ys = [float(y) for y in re.findall(r"[ML][\d.-]+ ([\d.-]+)", path.get("d") or "")]
    return ys[0], ys[1]


def test_max_points_up_and_min_points_down() -> None:
    svg = tree_svg(example())
    tip, base = apexes(svg, "root")
    assert tip < base
    tip, base = apexes(svg, "a")
    assert tip > base


def test_everything_lies_inside_the_picture() -> None:
    root = ElementTree.fromstring(tree_svg(example()))
    width, height = float(root.get("width") or 0), float(root.get("height") or 0)
    for text in root.iter(f"{SVG}text"):
        assert 0 <= float(text.get("x") or -1) <= width and 0 <= float(text.get("y") or -1) <= height
    for path in root.iter(f"{SVG}path"):
        assert all(0 <= float(x) <= width for x in re.findall(r"[ML](-?[\d.]+) ", path.get("d") or ""))


def test_marks_change_line_and_shape_and_not_colour_alone() -> None:
    for part in ("edge-pruned", "shape-pruned", "leaf-pruned"):
        assert "stroke-dasharray" in TREE_CLASSES[part]
    assert "line-through" in TREE_CLASSES["text-pruned"]
    assert "stroke-width" in TREE_CLASSES["edge-best"] and "stroke-width" in TREE_CLASSES["shape-best"]
    svg = tree_svg(example())
    assert 'class="pw-gate pw-gate-pruned pw-gate-severed"' in svg, "a cut edge is struck through"
    assert svg.count("pw-halo") >= 2
    known = {name.split("-", 1)[1] for name in TREE_CLASSES if "-" in name}
    assert known <= set(MARKS)


def test_a_live_drawing_has_every_part_that_may_become_visible() -> None:
    still, live = tree_svg(example()), tree_svg(example(), live=True)
    assert still.count('data-part="halo"') == 1 and live.count('data-part="halo"') == 5
    assert still.count('data-part="gate"') == 1 and live.count('data-part="gate"') == 4


def test_text_form() -> None:
    assert tree_picture(example()).text.splitlines() == [
        "MAX ≥3 α=3 β=∞",
        "├─ a1 MIN 3",
        "│  └─ b1 3",
        "├╌ a2 MIN (more than 40 nodes) pruned",
        '└─ <&"> -12.5 <',
    ]


def test_values_in_few_characters() -> None:
    shown = [value_text(value) for value in (3.0, -0.5, 1e15, float("inf"), float("-inf"), None, 1 / 3)]
    assert shown == ["3", "-0.5", "1e+15", "∞", "-∞", "", "0.3333333333"]


def test_class_names_are_the_trees_own() -> None:
    assert not set(TREE_CLASSES) & set(CLASSES)


def test_a_node_may_be_a_link_and_then_the_picture_is_a_group() -> None:
    plain = TreeNode("root", MAX, "3", children=[TreeNode("a", LEAF, "3", move="a1")])
    linked = TreeNode("root", MAX, "3", children=[TreeNode("a", LEAF, "3", hint="go", link='/x?a=1&b="2"')])
    assert 'role="img"' in tree_svg(plain) and "<a " not in tree_svg(plain)
    svg = tree_svg(linked)
    assert 'role="group"' in svg and svg.count("<a ") == 1 and 'href="/x?a=1&amp;b=&quot;2&quot;"' in svg
    assert 'aria-label="go"' in svg


def test_small_boards_bring_the_rules_of_every_piece() -> None:
    """The board at the root is empty: crosses and rings, drawn further down, need rules that it does not have."""
    pieces = {"X": Piece("cross", "first-ink"), "O": Piece("ring", "second-ink")}
    boards = [board(cells, 3, pieces, look="paper").svg for cells in ("." * 9, "X" + "." * 8, "XO" + "." * 7)]
    root = TreeNode("n0", MAX, board=boards[0])
    root.children = [TreeNode("n1", MIN, board=boards[1])]
    root.children[0].children = [TreeNode("n2", LEAF, "0", board=boards[2])]
    drawn = tree_svg(root)
    for name in ("first-ink", "second-ink", "sheet"):
        assert drawn.count(f".pw-{name}{{") == 2, "one rule for a light and one for a dark ground"
    assert drawn.count("<style>") == 2, "the tree's and the boards'"
