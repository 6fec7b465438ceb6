"""Exercises: for every algorithm, on seeded trees and on one's own, scored, kept, linked and printed."""

from __future__ import annotations

import html
import re
from collections.abc import Callable
from pathlib import Path
from typing import Any
from urllib.parse import urlencode

import pytest

from plywright.cli import main
from plywright.textbook import ALGORITHMS
from plywright.textbook.worksheet import Sheet, make_worksheet, suitable_sheet
from plywright.web.exercises.attempts import ATTEMPTS
from plywright.web.exercises.exercise import Wanted, posed, scored

OWN = "[[8, 5], [2, 9], [-3, 4]]"


def sentence(answer: Any) -> str:
    found = re.search(r'<div id="message" role="alert">(.*?)</div>', answer.text, re.S)
    return html.unescape(found[1]) if found else ""


@pytest.mark.parametrize("name", ALGORITHMS)
def test_every_algorithm_asks_and_knows_what_is_right(name: str) -> None:
    sheet = suitable_sheet(name)
    task = posed(Wanted(sheet, 1, "", name))
    right = {one.field: one.right for one in task.asked}
    for one in task.choices:
        if one.many:
            right |= {one.tick(n): "yes" for n, words in enumerate(one.choices) if words in one.right.split(" · ")}
    assert all(one.is_right for one in scored(task, right)), "what is told as right is right"
    assert not any(one.is_right for one in scored(task, {}) if one.right != "none"), "what is left open is wrong"
    values = [one for one in task.asked if one.field == "v0"]
    assert values and not scored(task, {**right, "v0": "999"})[0].is_right
    on_paper = make_worksheet(sheet)[0]
    assert on_paper.answers == task.reasons, "the same seed is the same exercise on paper"


def test_answers_are_scored_and_kept_and_the_link_opens_the_exercise(client: Any) -> None:
    page = client.get("/exercises/one?" + urlencode({"tree": OWN, "algorithm": "alphabeta"})).text
    assert "What is the root worth?" in page and 'name="p0"' in page
    given = {
        "tree": OWN,
        "algorithm": "alphabeta",
        "v0": "5",
        "move": "a1",
        "v1": "5",
        "v2": "≤2",
        "v3": "1",
        "w1": "-inf, ∞",
        "w2": "α=5 β=inf",
        "p3": "yes",
    }
    answer = client.submit("/exercises/one", **given)
    text = html.unescape(answer.text)
    assert "6 of 9 right" in text, "the last value, its window and the crossed leaves are wrong"
    assert "✗ What is backed up to a3?" in text and "✓ What is backed up to a2?" in text
    again = client.get(str(answer.url))
    assert "6 of 9 right" in again.text, "it was kept"
    rows = client.get("/exercises").text
    kept = next(row for row in rows.split("<tr>") if "Alpha-beta (fail-soft)</th>" in row)
    assert '<td class="number">1</td><td class="number">6 of 9, 67 %' in kept
    assert client.submit("/exercises/predicted", algorithm="minimax", right=3, asked=4).text == "kept"
    assert "3 of 4, 75 %" in client.get("/exercises").text


def test_a_node_that_is_never_looked_at_is_asked_for_and_answered_with_a_dash() -> None:
    """To ask only about the others would tell which are pruned; subtrees of any size are drawn, to be crossed out."""
    tree = "[[[10, 6], [100, 8]], [[1, 2], [20, 4]]]"
    task = posed(Wanted(Sheet(), 1, tree, "alphabeta"))
    asked = {one.words: one for one in task.asked}
    assert asked["What is backed up to a2 b2?"].right == asked["With which window is a2 b2 entered?"].right == "–"
    assert asked["With which window is a1 b2 entered?"].right == "-∞, 10"
    assert asked["Which leaves are never looked at?"].right == "a1 b2 c2 · a2 b2 c1 · a2 b2 c2"
    for given, is_right in (("-", True), ("–", True), ("", False), ("20", False)):
        found = scored(task, {asked["What is backed up to a2 b2?"].field: given})
        assert next(one.is_right for one in found if one.words == "What is backed up to a2 b2?") == is_right, given
    pruned = [[[1, 2], [3, 4]]] * 6
    left_out = posed(Wanted(Sheet(), 1, f"[[5, 6], [1, {pruned}]]", "alphabeta"))
    assert len(left_out.choices[-1].choices) == 3 + 24 and "more than" not in left_out.question.svg


def test_star1_tells_the_bounds_it_takes_for_granted(client: Any) -> None:
    page = client.get("/exercises/one?algorithm=star1&seed=7").text
    known = re.search(r'<p id="exercise-known">All utilities lie from (\S+) to (\S+)\.</p>', page)
    assert known and float(known[1]) == -float(known[2])
    assert "exercise-known" not in client.get("/exercises/one?algorithm=expectiminimax").text


def test_damaged_attempts_are_left_out(client: Any) -> None:
    for number, kept in enumerate(
        ("nonsense", {"algorithm": "star2", "asked": 3, "right": "x"}, {"algorithm": [], "asked": 1})
    ):
        ATTEMPTS[f"damaged{number}"] = kept
    page = client.get("/exercises")
    row = next(row for row in page.text.split("<tr>") if "Star2</th>" in row)
    assert page.status_code == 200 and '<td class="number"></td>' in row
    assert client.get("/exercises/done/damaged0").status_code == 404


def test_mistakes_are_sentences(client: Any) -> None:
    for fields, words in (
        ({"tree": "[[3"}, "never closed"),
        ({"tree": str(list(range(60)))}, "60 leaves|61 nodes|room for"),
        ({"algorithm": "guess"}, "algorithm cannot be"),
        ({"algorithm": "alphabeta", "number": 99}, "number must be from 1 to 20"),
        ({"tree": OWN, "algorithm": "expectimax"}, "expectimax|one player"),
    ):
        answer = client.get("/exercises/one?" + urlencode(fields))
        assert answer.status_code == 400 and re.search(words, sentence(answer)), (fields, sentence(answer))
    assert client.get("/exercises/done/nothing").status_code == 404
    assert client.submit("/exercises/predicted", algorithm="minimax", right=9, asked=4).status_code == 400


def test_a_sheet_of_ones_own_trees(client: Any) -> None:
    page = client.get("/lab/worksheet?" + urlencode({"trees": f"{OWN}\n\nfigure-6.2", "algorithm": ""})).text
    assert page.count('class="exercise" id="exercise-') == 2 and "3 by a1" not in page and "never" in page
    refused = client.get("/lab/worksheet?" + urlencode({"trees": f"{OWN}\n[[3"}))
    assert "the tree in line 2 cannot be read" in sentence(refused)


@pytest.mark.slow
@pytest.mark.parametrize(("scheme", "width"), [("light", 1920), ("dark", 1366), ("light", 390)])
def test_an_exercise_is_done_in_a_browser(
    browse: Callable[..., Any], accessible: Callable[[Any], None], scheme: str, width: int
) -> None:
    page = browse("/exercises", width=width, color_scheme=scheme)
    accessible(page)
    page.goto("/exercises/one?algorithm=maxn&seed=7")
    accessible(page)
    page.locator("input[name=v0]").fill("1, 2, 3")
    page.locator("#exercise-answer").click()
    page.locator("#score").wait_for()
    accessible(page)
    assert page.evaluate("document.documentElement.scrollWidth <= window.innerWidth")
    page.locator("#exercise-next").click()
    page.wait_for_url("**number=2**")


@pytest.mark.slow
def test_predictions_in_the_lab_are_kept(browse: Callable[..., Any]) -> None:
    page = browse("/lab?figure=left-right&predict=child&algorithm=alphabeta-hard")
    while page.locator("#question-words").inner_text() != "No more questions.":
        page.locator("#last").click()
        page.locator("#question-yes").click()
    page.wait_for_timeout(500)
    page.goto("/exercises")
    assert re.search(r"Alpha-beta \(fail-hard\)\s+the first.*a sheet\s+1\s", page.locator("#exercises").inner_text())


@pytest.mark.slow
def test_a_sheet_prints_on_paper(chromium: Any, tmp_path: Path) -> None:
    """What the command writes becomes a PDF whose answers begin on a page of their own."""
    sheet = tmp_path / "sheet.html"
    assert (
        main(["worksheet", "--algorithm", "expectimax", "--kind", "one-player", "--count", "3", "--html", str(sheet)])
        == 0
    )
    page = chromium.new_page()
    page.goto(sheet.as_uri())
    pdf = page.pdf(prefer_css_page_size=True)
    page.close()
    assert pdf.startswith(b"%PDF") and len(re.findall(rb"/Type\s*/Page\b", pdf)) >= 2
