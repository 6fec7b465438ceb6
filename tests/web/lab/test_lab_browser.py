"""The tree lab in a browser: the worked examples to the end, predictions, reload, two widths, axe."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import pytest

expect = pytest.importorskip("playwright.sync_api").expect
SVG = "http://www.w3.org/2000/svg"
Browse = Callable[..., Any]


def code(page: Any) -> list[str]:
    """The lines of pseudocode that are lit."""
    return [line.strip() for line in page.locator("#code li.lit").all_inner_texts()]


def beside(page: Any, number: int) -> list[str]:
    """What is written beside a node: its value, its window, its interval."""
    texts = page.locator(f"#n{number} text").all_text_contents()
    return [text for text in texts if text]


def step_on(page: Any) -> None:
    page.locator("#next").click()


def number_of(page: Any, name: str) -> int:
    return int(page.locator(f"#{name}").inner_text())


def test_the_two_ply_example_is_stepped_to_its_end(browse: Browse) -> None:
    """Windows and intervals beside the nodes, and the current line of the pseudocode."""
    page = browse("/lab")
    last = int(page.locator("#slider").get_attribute("max"))
    windows: dict[int, list[str]] = {1: [], 2: [], 3: []}
    intervals: dict[int, list[str]] = {0: [], 1: [], 2: [], 3: []}
    lines, looked = [], []
    for step in range(1, last + 1):
        step_on(page)
        assert page.locator("#jump").input_value() == str(step)
        lines += code(page)
        where = page.locator("#where").inner_text()
        if "is a leaf" in page.locator("#words").inner_text() or code(page) == ["return UTILITY(state, MAX), none"]:
            looked.append(where.split("· ")[1])
        for number, known in intervals.items():
            texts = beside(page, number)
            window = next((text for text in texts if text.startswith("α")), None)
            interval = next((text for text in texts if text.startswith("[")), None)
            if number and window and windows[number][-1:] != [window]:
                windows[number].append(window)
            if interval and known[-1:] != [interval]:
                known.append(interval)
    assert windows == {
        1: ["α=-∞ β=∞", "α=-∞ β=3"],
        2: ["α=3 β=∞", "α=3 β=2"],
        3: ["α=3 β=∞", "α=3 β=14", "α=3 β=5", "α=3 β=2"],
    }
    assert intervals[0] == ["[-∞, ∞]", "[3, ∞]", "[3, 14]", "[3, 5]", "[3, 3]"]
    assert intervals[1] == ["[-∞, ∞]", "[-∞, 3]", "[3, 3]"]
    assert intervals[2] == ["[-∞, ∞]", "[-∞, 2]"]
    assert intervals[3] == ["[-∞, ∞]", "[-∞, 14]", "[-∞, 5]", "[2, 2]"]
    assert looked == ["a1 b1", "a1 b2", "a1 b3", "a2 c1", "a3 d1", "a3 d2", "a3 d3"]
    assert {"if v ≤ α then return v, move", "β ← min(β, v)", "α ← max(α, v)", "return move"} <= set(lines)
    assert [number_of(page, name) for name in ("leaves", "nodes", "cuts")] == [7, 11, 1]
    assert "of 9" in page.locator("#counts").inner_text()
    pruned = page.locator(".tree g:has(> .pw-leaf-pruned) text.pw-number").all_text_contents()
    assert pruned == ["4", "6"]
    assert "MIN already has 2 here; MAX has 3 at the root" in page.locator("#cut-list").inner_text()
    assert page.locator("#next").is_disabled()
    names = page.evaluate(
        "[...new Set([...document.querySelectorAll('.tree svg, .tree svg *')].map(e => e.namespaceURI))]"
    )
    assert names == [SVG], "whatever was changed is still painted"


@pytest.mark.parametrize(
    ("figure", "value", "leaves", "pruned"),
    [
        ("left-right", "3", 4, []),  # 50 is looked at, then -8
        ("shallow-cutoff", "8", 3, ["50", "9"]),  # a shallow cutoff
        ("two-cutoffs", "10", 5, ["8", "20", "4"]),  # a beta cutoff, then an alpha cutoff
        ("deep-cutoff", "5", 3, ["9", "7"]),  # 9 is cut by the root's alpha
    ],
)
def test_the_other_examples_end_as_published(
    browse: Browse, figure: str, value: str, leaves: int, pruned: list[str]
) -> None:
    page = browse(f"/lab?figure={figure}")
    page.locator("#last").click()
    assert beside(page, 0)[0] == value and number_of(page, "leaves") == leaves
    found = page.locator(".tree g:has(> .pw-leaf-pruned) text.pw-number").all_text_contents()
    assert sorted(found) == sorted(pruned)
    if figure == "deep-cutoff":
        assert "deep alpha cutoff" in page.locator("#cut-list").inner_text()


def test_back_jump_keys_and_reload_keep_the_step(browse: Browse) -> None:
    page = browse("/lab?figure=figure-6.2&step=14")
    assert code(page) == ["if v ≤ α then return v, move"]
    drawn = page.locator(".tree svg").inner_html()
    page.locator("#tree").focus()
    page.keyboard.press("ArrowLeft")
    assert page.locator("#jump").input_value() == "13" and "4" in beside(page, 8)
    page.keyboard.press("End")
    page.keyboard.press("Home")
    page.locator("#jump").fill("14")
    page.locator("#jump").press("Enter")
    assert page.locator(".tree svg").inner_html() == drawn, "there and back again is the server's drawing"
    page.locator("#next").click()
    page.wait_for_url("**/lab?figure=figure-6.2&step=15")
    page.reload()
    assert page.locator("#jump").input_value() == "15"
    assert page.locator("#lab-svg").get_attribute("href") == "/lab/tree.svg?figure=figure-6.2&step=15"


def test_it_plays_by_itself_and_stops_at_the_end(browse: Browse) -> None:
    page = browse("/lab?figure=left-right")
    page.locator("#speed").select_option("fast")
    page.locator("#last").click()
    last = page.locator("#jump").input_value()
    page.locator("#slider").fill(str(int(last) - 2))
    page.locator("#play").click()
    assert page.locator("#play").inner_text() == "Pause"
    expect(page.locator("#play")).to_have_text("Play")
    assert page.locator("#jump").input_value() == last


def test_choosing_exchanges_the_tree_and_the_back_button_returns(browse: Browse) -> None:
    page = browse("/lab?figure=figure-6.2&step=5")
    page.locator("#lab-algorithm").select_option("minimax")
    page.wait_for_url("**algorithm=minimax**")
    expect(page.locator("#lab-title")).to_have_text("Minimax on figure-6.2")
    page.locator("#last").click()
    assert number_of(page, "leaves") == 9
    page.locator("#lab-typed > summary").click()
    page.locator("#lab-tree").fill("[[7, 1], [5, 6]]")
    page.get_by_role("button", name="Show this tree").click()
    expect(page.locator("#lab-title")).to_have_text("Minimax on your tree")
    page.locator("#last").click()
    assert beside(page, 0)[0] == "5"
    names = page.evaluate(
        "[...new Set([...document.querySelectorAll('.tree svg, .tree svg *')].map(e => e.namespaceURI))]"
    )
    assert names == [SVG]
    page.go_back()
    expect(page.locator("#lab-title")).to_have_text("Minimax on figure-6.2")
    page.locator("#first").click()
    step_on(page)
    assert len(code(page)) >= 1


def test_the_same_tree_again_and_a_mistake_leave_nothing_behind(browse: Browse) -> None:
    page = browse("/lab?figure=figure-6.2")
    fresh = page.locator(".tree svg").inner_html()
    page.locator("#last").click()
    page.locator("#lab-show").click()
    expect(page.locator("#jump")).to_have_value("0")
    assert page.locator(".tree svg").inner_html() == fresh
    page.locator("#jump").fill("14")
    page.locator("#jump").press("Enter")
    page.locator("#lab-typed > summary").click()
    page.locator("#lab-tree").fill("[[7, 1")
    page.route("**/lab/typed", lambda route: route.fulfill(response=route.fetch(), status=200))  # 400 is logged
    page.get_by_role("button", name="Show this tree").click()
    expect(page.locator("#message")).to_contain_text("never closed")
    assert page.locator("#jump").input_value() == "14" and code(page) == ["if v ≤ α then return v, move"]
    assert page.locator("#lab-tree").input_value() == "[[7, 1", "what was typed is still there"
    page.locator("#tree").focus()
    page.keyboard.press("ArrowRight")
    assert page.locator("#jump").input_value() == "15", "one viewer listens, not two"


def test_backed_up_values_are_preliminary(browse: Browse) -> None:
    """8 goes up two levels; then 2 gives way to 9, which MIN does not want; then -3 comes up."""
    page = browse("/lab?figure=preliminary-values&algorithm=minimax")
    seen: dict[int, list[str]] = {1: [], 4: []}
    for _ in range(int(page.locator("#slider").get_attribute("max"))):
        step_on(page)
        for number, values in seen.items():
            value = page.locator(f"#n{number} .pw-value").text_content().lstrip("≤≥")
            if value and values[-1:] != [value]:
                values.append(value)
    assert seen == {1: ["8", "-3"], 4: ["2", "9"]}


def test_predicting_the_leaf_that_is_pruned_next(browse: Browse) -> None:
    page = browse("/lab?figure=figure-6.2&predict=pruned")
    assert page.locator("#question-words").inner_text() == "Which leaf is pruned first?"
    page.locator("#next").click()
    assert page.locator("#jump").input_value() == "0", "the question comes first"
    page.locator("#n9").click()
    assert "Right. a2 c2 (4) and a2 c3 (6) are pruned" in page.locator("#question-why").inner_text()
    assert page.locator("#question-score").inner_text() == "1 of 1 right."
    assert page.locator("#jump").input_value() == "14", "the viewer shows what happened"
    page.locator("#question-choice").select_option("10")
    page.locator("#question-answer").click()
    assert "No. No further leaf is pruned" in page.locator("#question-why").inner_text()
    assert page.locator("#question-score").inner_text() == "1 of 2 right."
    assert page.locator("#question-words").inner_text() == "No more questions."


def test_predicting_whether_a_move_is_looked_at(browse: Browse) -> None:
    page = browse("/lab?figure=figure-6.2&predict=child")
    for answer in ("yes", "yes", "yes", "yes", "yes"):
        page.locator("#last").click()
        page.locator(f"#question-{answer}").click()
    assert page.locator("#question-score").inner_text() == "4 of 5 right."
    page.locator("#last").click()
    page.locator("#question-skip").click()
    assert page.locator("#question-score").inner_text() == "4 of 5 right.", "to be told counts neither way"


def test_a_search_that_takes_long_appears_by_itself(browse: Browse, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("plywright.web.lab.routes.PATIENCE", 0.0)
    page = browse("/lab?from=generated&branching=5&seed=78")
    expect(page.locator("#lab-title")).to_contain_text("a random tree (branching 5, depth 3, seed 78)")
    assert page.url.endswith("/lab?from=generated&branching=5&seed=78")
    step_on(page)
    assert page.locator("#jump").input_value() == "1"


@pytest.mark.parametrize("scheme", ["light", pytest.param("dark", marks=pytest.mark.slow)])
def test_the_room_is_accessible(browse: Browse, accessible: Callable[[Any], None], scheme: str) -> None:
    page = browse("/lab?figure=figure-6.2&step=14", color_scheme=scheme)
    for part in ("typed", "generated", "game", "refused"):
        page.locator(f"#lab-{part} > summary").click()
    accessible(page)
    page.goto("/lab?figure=three-players&predict=pruned&step=9")
    accessible(page)
    page.goto("/lab/worksheet?count=2")
    accessible(page)


@pytest.mark.parametrize("width", [380, 1920])
def test_no_width_scrolls_sideways(browse: Browse, width: int) -> None:
    page = browse("/lab?figure=figure-6.2&step=14", width=width)
    for address in ("/lab?figure=coins&predict=pruned", "/lab/worksheet?count=1", None):
        assert page.evaluate("document.documentElement.scrollWidth <= window.innerWidth"), page.url
        if address:
            page.goto(address)


def test_the_page_is_whole_without_scripts(browse: Browse) -> None:
    page = browse("/lab?figure=figure-6.2&step=13", java_script_enabled=False)
    page.get_by_role("link", name=">", exact=True).click()
    assert code(page) == ["if v ≤ α then return v, move"]
    assert not page.locator("#play").is_visible()


def test_the_one_file_replay_is_the_same_viewer(browse: Browse, tmp_path: Any) -> None:
    page = browse("/lab?figure=figure-6.2")
    with page.expect_download() as found:
        page.get_by_role("link", name="All steps in one file").click()
    path = tmp_path / "replay.html"
    found.value.save_as(path)
    page.goto(f"{path.as_uri()}#step=14")
    assert code(page) == ["if v ≤ α then return v, move"]
    page.locator("#last").click()
    assert beside(page, 0)[0] == "3"
