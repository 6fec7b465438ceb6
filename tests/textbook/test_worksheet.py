"""Exercises on paper: the answers are right, on seeded trees and on a teacher's own."""

from __future__ import annotations

import json
import re
from dataclasses import replace
from pathlib import Path

import pytest

from plywright import BadInput, Unsuitable
from plywright.cli import main
from plywright.games.trees.explicit_tree import ExplicitTree
from plywright.textbook.worksheet import Sheet, exercises_on, make_worksheet, suitable_sheet, worksheet_page


def test_the_key_is_right() -> None:
    for exercise in make_worksheet(Sheet(count=8)):
        question, answer = exercise.question.svg, exercise.answer.svg
        assert "____" in question and "____" not in answer and "cut by" in answer and "cut by" not in question
        assert "prefers-color-scheme" not in question + answer, "paper is white"
        leaves = [int(v) for v in re.findall(r'data-base="number"[^>]*>(-?\d+)<', question)]
        worth = max(min(leaves[n : n + 3]) for n in (0, 3, 6))
        assert exercise.answers[0].startswith(f"The root is worth {worth}, by a"), (leaves, exercise.answers)
        beside = [line for line in exercise.answer.text.splitlines() if "α=" in line]
        assert len(beside) == 4 and all("MAX" in line or "MIN" in line for line in beside), "as asked: inner nodes"
        assert len(re.findall("leaf-pruned", answer.split("</style>")[1])) == 9 - int(exercise.answers[1][0])


def test_a_sheet_for_star1_tells_the_bounds_that_it_relies_on() -> None:
    (exercise,) = make_worksheet(Sheet("star1", "chance", 2, 3, count=1))
    assert exercise.questions[0].startswith("All utilities lie from -20 to 20. What does Star1 back up")


def test_exercises_on_trees_of_ones_own_have_the_usual_algorithm_of_each() -> None:
    first, second, third = exercises_on(
        [
            ExplicitTree("[[3, 12, 8], [2, 4, 6]]"),
            ExplicitTree("(1/2: 8, 1/2: 3)"),
            ExplicitTree.figure("three-players"),
        ]
    )
    assert first.answers[:2] == [
        "The root is worth 3, by a1.",
        "4 of 6 leaves are looked at; not a2 b2 (4) and a2 b3 (6).",
    ]
    assert second.answers == ["The root is worth 5.5."] and "which move" not in second.questions[0]
    assert third.answers[0] == "The root is worth (1, 2, 6), by a1."
    assert "12" in first.question.svg and "____" in first.question.text and "____" not in first.answer.text
    page = worksheet_page([first, second, third])
    assert page.count('id="exercise-') == 3 == page.count('id="answer-') and "default-src 'none'" in page
    ids = re.findall(r' id="([^"]+)"', page)
    assert len(ids) == len(set(ids)) and "{{" not in page


def test_a_page_of_several_drawings_has_one_style_in_its_order() -> None:
    """A drawing further down has the rules it needs alone; they overruled those of pruned nodes further up."""
    page = worksheet_page(
        exercises_on([ExplicitTree("[[[10, 6], [100, 8]], [[1, 2], [20, 4]]]"), ExplicitTree.figure("figure-6.2")])
    )
    assert page.count(".pw-max{") == page.count(".pw-shape-pruned{") == 1
    assert page.index(".pw-max{") < page.index(".pw-shape-pruned{")


def test_trees_drawn_by_lot_are_of_the_kind_that_suits(capsys: pytest.CaptureFixture[str]) -> None:
    """Star1 had sheets without a chance node, and expectimax was refused, unless --kind was told."""
    for name in ("star1", "expectimax", "maxn"):
        assert main(["worksheet", "--algorithm", name, "--seed", "7", "--count", "1", "--json"]) == 0
        (exercise,) = json.loads(capsys.readouterr().out)["exercises"]
        (wanted,) = make_worksheet(replace(suitable_sheet(name, 7), count=1))
        assert exercise["tree"] == wanted.question.text
        assert ("CHANCE" in exercise["tree"]) == (name != "maxn")


def test_what_does_not_fit_on_paper_is_refused() -> None:
    for sheet, words in (
        ({"branching": 9}, "make 81 leaves; on paper there is room for 32"),
        ({"count": 21}, "count is a number from 1 to 20"),
        ({"kind": "four-players"}, "kind is one of two-players, chance, one-player, three-players"),
        ({"algorithm": "guess"}, "guess"),
    ):
        with pytest.raises(BadInput, match=words):
            Sheet(**sheet)  # type: ignore[arg-type]
    with pytest.raises(BadInput, match="has 33 leaves; on paper there is room for 32"):
        exercises_on([ExplicitTree(str(list(range(33))))])
    with pytest.raises(BadInput, match="has 92 nodes; on paper there is room for 80"):
        exercises_on([ExplicitTree("[" * 91 + "1" + "]" * 91)])
    with pytest.raises(Unsuitable):
        exercises_on([ExplicitTree("(1/2: 8, 1/2: 3)")], "alphabeta")


def test_the_command_takes_files_figures_and_text(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    mine = tmp_path / "mine.txt"
    mine.write_text("[[5, 6], [7, 4]]")
    page = tmp_path / "sheet.html"
    assert main(["worksheet", str(mine), "figure-6.2", "[[1,2],[3,4]]", "--html", str(page)]) == 0
    assert "3 exercises, then the answers" in capsys.readouterr().out
    assert page.read_text().count("<article") == 6
    assert main(["worksheet", str(mine), "--algorithm", "minimax"]) == 0
    told = capsys.readouterr().out
    assert "MIN ____" in told and "The root is worth 5, by a1." in told and "α" not in told
    assert main(["worksheet", "--seed", "3", "--count", "2", "--json"]) == 0
    first = capsys.readouterr().out
    assert [each["number"] for each in json.loads(first)["exercises"]] == [1, 2]
    assert main(["worksheet", "--seed", "3", "--count", "2", "--json"]) == 0
    assert capsys.readouterr().out == first


@pytest.mark.parametrize(
    ("arguments", "words"),
    [
        (["othello"], "othello is a game: a worksheet is made of trees that are written out"),
        (["figure-6.2", "--seed", "2"], "--seed is for trees drawn by lot"),
        (["--depth", "2"], "--depth is for trees of your own"),
        (["[[1,2"], "the tree cannot be read"),
        (["--count", "0"], "count is a number from 1 to 20"),
    ],
)
def test_mistakes_are_sentences(arguments: list[str], words: str, capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["worksheet", *arguments]) == 2
    assert words in capsys.readouterr().err
