"""Boards, dots and heaps: the text form exactly, the SVG by what it must contain."""

from __future__ import annotations

from xml.etree import ElementTree

import pytest

from plywright.draw.board import LOOKS, SHAPES, Piece, board, row_of
from plywright.draw.cards import Card, cards
from plywright.draw.dots import dots
from plywright.draw.heaps import heaps
from plywright.draw.points import points

XO = {"X": Piece("cross", "first-ink"), "O": Piece("ring", "second-ink")}


def classes(svg: str) -> list[str]:
    return [element.get("class", "") for element in ElementTree.fromstring(svg).iter()]


def description(svg: str) -> str | None:
    found = ElementTree.fromstring(svg).find("{*}desc")
    return None if found is None else found.text


def test_rows_run_down_or_up() -> None:
    assert board("XO....", 3, XO).text == "  a b c\n1 X O .\n2 . . ."
    assert board("XO....", 3, XO, upward=True).text == "2 . . .\n1 X O .\n  a b c"
    assert board("XO", 2, XO).text == "1 X O\n  a b"


def test_the_last_move_is_bracketed_wherever_it_is() -> None:
    marked = [board("XOX", 3, XO, last=cells).text.splitlines()[0] for cells in ([0], [1], [2], [0, 1, 2], [])]
    assert marked == ["1[X]O X", "1 X[O]X", "1 X O[X]", "1[X[O[X]", "1 X O X"]


def test_targets_show_on_empty_cells_only() -> None:
    picture = board("X...", 2, XO, targets=[0, 3])
    assert picture.text.splitlines()[1:] == ["1 X .", "2 . +"]
    assert classes(picture.svg).count("pw-target") == 1


def test_names_of_rows_and_columns_are_the_callers() -> None:
    made = board("X." * 3, 2, XO, column_names=["9", "10"], row_names=["", "x", "yy"])
    assert made.text == "   9 0\n   X .\n x X .\nyy X ."
    assert board("X.", 2, XO, row_names=(), column_names="12").text == " X .\n 1 2"


@pytest.mark.parametrize("look", LOOKS)
def test_the_svg_has_a_piece_for_each_sign_and_the_text_inside(look: str) -> None:
    cells = "XO.X" * 4
    picture = board(cells, 4, XO, look=look, last=[1], caption="O & X <to> move")
    names = classes(picture.svg)
    assert names.count("pw-first-ink") == 8 and names.count("pw-second-ink") == 4
    assert description(picture.svg) == picture.text and picture.text.endswith("O & X <to> move")
    marks = [name for name in names if name.startswith("pw-last-")]
    assert len(marks) == 1


@pytest.mark.parametrize("shape", SHAPES)
def test_every_shape_is_drawn_inside_its_square(shape: str) -> None:
    colour = "first" if shape == "tile" else "black"
    picture = board("Q", 1, {"Q": Piece(shape, colour)}, look="paper")
    assert set(classes(picture.svg)) - set(classes(board(".", 1, {}, look="paper").svg))


def test_a_row_that_wins_is_struck_through() -> None:
    assert row_of("X..OX.OOX", 3, 3) == (0, 8) and row_of("XOXOXOOXO", 3, 3) is None
    assert row_of("..O.O.O..", 3, 3) == (2, 6) and row_of("O..O..O..", 3, 3) == (0, 6) and row_of("XXX", 3, 3) == (0, 2)
    names = classes(board("XXX", 3, XO, won=(0, 2)).svg)
    assert names.count("pw-row-won") == 1 and names.count("pw-row-edge") == 1


def test_a_sign_without_a_piece_is_a_letter() -> None:
    root = ElementTree.fromstring(board("<", 1, {}).svg)
    assert "<" in [element.text for element in root.iter() if element.get("class") == "pw-letter"]


def test_only_a_full_felt_board_has_the_four_points() -> None:
    assert classes(board("." * 64, 8, {}, look="felt").svg).count("pw-felt-dot") == 4
    assert classes(board("." * 36, 6, {}, look="felt").svg).count("pw-felt-dot") == 0


def test_dots_show_edges_owners_and_the_newest_edge() -> None:
    picture = dots(["-.", "--"], ["||."], ["A."], last=("down", 0, 1), caption="B to move")
    assert picture.text.splitlines() == [" 2 +---+---+", "   | A #", " 1 +---+   +", "   a   b   c", "B to move"]
    names = classes(picture.svg)
    assert (names.count("pw-drawn-edge"), names.count("pw-last-edge"), names.count("pw-faint-edge")) == (4, 1, 2)
    assert names.count("pw-peg") == 6 and names.count("pw-first-box") == 1
    assert description(picture.svg) == picture.text


def test_the_second_owner_has_another_colour() -> None:
    names = classes(dots(["-", "-"], ["||"], ["B"]).svg)
    assert "pw-second-box" in names and "pw-first-box" not in names


def test_heaps_show_stones_and_those_just_taken() -> None:
    picture = heaps([3, 0], taken=(1, 2), names=["a", "bb"])
    assert picture.text.splitlines() == [" a: ooo  3", "bb: ..   0"]
    names = classes(picture.svg)
    assert names.count("pw-stone") == 3 and names.count("pw-taken") == 2
    assert description(picture.svg) == picture.text


def test_a_large_heap_fits_a_page() -> None:
    picture = heaps([200], taken=(0, 3))
    root = ElementTree.fromstring(picture.svg)
    assert classes(picture.svg).count("pw-stone") == 200 and float(root.get("width", "")) < 900
    assert picture.text.endswith("oo...  200") and len(picture.text) < 80


def places(svg: str) -> list[str]:
    found = (element.get("data-place") for element in ElementTree.fromstring(svg).iter())
    return [name for name in found if name is not None]


def test_every_kind_of_picture_names_its_places_as_moves_do() -> None:
    assert places(board("." * 4, 2, {}).svg) == ["a1", "b1", "a2", "b2"]
    assert places(board("." * 4, 2, {}, column_names="12", row_names=()).svg) == ["1", "2", "1", "2"]
    assert places(board("." * 4, 2, {}, places=["x", "", "", "y"]).svg) == ["x", "y"]
    assert places(dots([".", "-"], [".|"], ["."]).svg) == ["a1-b1", "a1-a2"], "an edge that is drawn is no place"
    assert places(heaps([2, 1]).svg) == ["1:2", "1:1", "2:1"]
    assert places(heaps([2], places=lambda heap, count: str(count)).svg) == ["2", "1"]


def test_points_are_named_as_the_side_that_rolls_counts_them() -> None:
    def first_and_bar(roller: int) -> tuple[str, list[str]]:
        found = places(points([0] * 25, [0] * 25, roller=roller).svg)
        return found[0], sorted(name for name in found if name.isalpha())

    assert first_and_bar(0) == ("1", ["bar", "off"]) and first_and_bar(1) == ("24", ["bar", "off"])


def test_cards_that_can_be_played_are_places_and_others_are_not() -> None:
    picture = cards([("Ann", ["K", Card("Q♥", "qh")]), ("Bob", [""])])
    assert places(picture.svg) == ["qh"] and "K Q♥" in picture.text


def test_pieces_stay_upright_in_a_board_that_turns_and_its_caption_does_not_turn() -> None:
    root = ElementTree.fromstring(board("X.", 2, {}, caption="turned").svg)
    turning = [element for element in root if element.get("data-turns") is not None]
    assert len(turning) == 1 and sum(element.get("data-upright") is not None for element in turning[0].iter()) == 1
    assert "turned" not in [element.text for element in turning[0].iter()]
