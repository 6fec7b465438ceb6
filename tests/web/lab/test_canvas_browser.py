"""The canvas of the tree lab: moved by a transform alone, folded, edited by clicking, two searches side by side."""

from __future__ import annotations

import re
from collections.abc import Callable
from statistics import median
from typing import Any

import pytest

expect = pytest.importorskip("playwright.sync_api").expect
Browse = Callable[..., Any]

WATCH = """() => {
  window.seen = { other: [] };
  const svg = document.querySelector("#tree > svg"), map = document.querySelector(".minimap-view");
  new MutationObserver(list => {
    for (const one of list)
      if (one.target !== svg && !one.target.closest("#tree .minimap, #tree .shield"))
        seen.other.push(one.type + " " + one.attributeName + " of " + (one.target.id || one.target.tagName));
  }).observe(document.getElementById("tree"),
             { subtree: true, childList: true, attributes: true, characterData: true });
}"""

DRAWN_ANEW = """() => {
  const svg = document.querySelector("#tree > svg"), parent = svg.parentNode, next = svg.nextSibling;
  parent.removeChild(svg);
  parent.insertBefore(svg, next);
}"""


def transform(page: Any) -> tuple[float, float, float]:
    """Where the tree is, and how large."""
    found = re.match(
        r"translate\((.+?)px, (.+?)px\) scale\((.+?)\)",
        page.evaluate("document.querySelector('#tree > svg').style.transform"),
    )
    assert found is not None
    return float(found[1]), float(found[2]), float(found[3])


def drag(page: Any, dx: float, dy: float, steps: int = 25) -> None:
    box = page.locator("#tree").bounding_box()
    x, y = box["x"] + box["width"] / 2, box["y"] + box["height"] - 60
    page.mouse.move(x, y)
    page.mouse.down()
    page.mouse.move(x + dx, y + dy, steps=steps)
    page.mouse.up()


def busy(page: Any, task: Callable[[], None]) -> float:
    """Milliseconds of a processor that the page's own thread takes for a task and the frame after it."""
    session = page.context.new_cdp_session(page)
    session.send("Performance.enable", {"timeDomain": "threadTicks"})

    def spent() -> float:
        metrics = session.send("Performance.getMetrics")["metrics"]
        return 1000 * next(float(metric["value"]) for metric in metrics if metric["name"] == "TaskDuration")

    before = spent()
    task()
    page.evaluate("new Promise(done => requestAnimationFrame(() => requestAnimationFrame(done)))")
    found = spent() - before
    session.detach()
    return found


def test_a_tree_of_1500_nodes_is_moved_by_a_transform_alone(browse: Browse) -> None:
    """No element but the drawing itself changes, and a step of the hand is less work than to draw the tree anew."""
    page = browse("/lab?from=generated&branching=6&levels=4&algorithm=minimax")
    expect(page.locator("#tree > svg")).to_be_visible()
    assert page.locator("#tree g[id^=n]:not([id$=edge])").count() == 1555
    page.evaluate(WATCH)
    box = page.locator("#tree").bounding_box()
    x, y = box["x"] + box["width"] / 2, box["y"] + box["height"] - 60
    before, zoom = transform(page)[0], transform(page)[2]
    page.mouse.move(x, y)
    page.mouse.down()
    taken = [busy(page, lambda far=far: page.mouse.move(x - 22 * far, y - 4 * far)) for far in range(1, 11)]
    page.mouse.up()
    moved = transform(page)
    assert moved[0] == pytest.approx(before - 220, abs=8) and moved[2] == zoom, "the hand moves the tree"
    drag(page, 220, 40, 4)
    assert page.evaluate("seen.other") == []
    anew = [busy(page, lambda: page.evaluate(DRAWN_ANEW)) for _ in range(5)]
    assert median(taken) <= 0.7 * median(anew), (taken, anew)
    spot = page.locator("#n0 [data-part=shape]").bounding_box()
    page.mouse.click(spot["x"] + spot["width"] / 2, spot["y"] + spot["height"] / 2)
    assert page.locator("#n0 .fold-badge").text_content() == "+1554", "a node is found without asking the browser"


def test_wheel_map_words_and_folding(browse: Browse) -> None:
    page = browse("/lab?from=generated&branching=4&levels=4")
    tree = page.locator("#tree")
    assert tree.get_attribute("data-detail") == "near" and page.locator(".minimap").is_visible()
    box = tree.bounding_box()
    page.mouse.move(box["x"] + 100, box["y"] + 100)
    before = transform(page)
    page.mouse.wheel(0, 400)
    page.mouse.wheel(0, 400)
    after = transform(page)
    assert after[2] < before[2] and tree.get_attribute("data-detail") != "near"
    spot = [(100 - one[0]) / one[2] for one in (before, after)]
    assert spot[0] == pytest.approx(spot[1], rel=0.01), "what is under the pointer stays there"
    page.locator("#fit").click()
    assert tree.get_attribute("data-detail") == "far"
    assert not page.locator("#n0 .pw-value").is_visible() and not page.locator(".minimap").is_visible()
    page.locator("#n1 [data-part=shape]").click()
    assert page.locator("#n1 .fold-badge").text_content() == "+84"
    page.wait_for_url("**folded=1**")
    narrow = float(page.locator("#tree > svg").get_attribute("viewBox").split()[2])
    page.reload()
    assert page.locator("#n1 .fold-badge").text_content() == "+84", "the address says what is folded"
    page.locator("#unfold").click()
    assert page.locator(".fold-badge").count() == 0
    wide = page.locator("#tree > svg")
    assert float(wide.get_attribute("viewBox").split()[2]) > narrow
    page.locator("#tree").focus()
    page.keyboard.press("0")
    page.keyboard.press("+")
    zoom = transform(page)[2]
    page.keyboard.press("Shift+ArrowRight")
    assert transform(page)[2] == zoom and page.locator("#jump").input_value() == "0", "moved, not stepped"


def test_folding_and_unfolding_gives_the_servers_drawing_back(browse: Browse) -> None:
    page = browse("/lab?figure=two-cutoffs&step=9")
    places = """[...document.querySelectorAll('#tree g[id]')].map(g => {
        const box = g.getBoundingClientRect(); return [g.id, Math.round(box.x), Math.round(box.y)]; })"""
    fresh = page.evaluate(places)
    page.locator("#n1 [data-part=shape]").click()
    assert page.evaluate(places) != fresh
    page.locator("#n1 [data-part=shape]").click()
    assert page.evaluate(places) == fresh


def test_a_tree_is_edited_by_clicking(browse: Browse, accessible: Callable[[Any], None]) -> None:
    page = browse("/lab?figure=otherwise")
    page.locator("#lab-edit-link").click()
    expect(page.locator("#lab-edit")).to_be_visible()
    page.locator("#n5").click()
    assert page.locator("#lab-node").input_value() == "right b1" and page.locator("#lab-given").input_value() == "9"
    page.locator("#lab-given").fill("11")
    page.get_by_role("button", name="Set value").click()
    expect(page.locator("#n0 .pw-value")).to_have_text("11")
    assert page.locator("#lab-node").input_value() == "right b1", "the node stays in hand"
    page.locator("#n2 [data-part=shape]").click()
    page.get_by_role("button", name="Chance").click()
    expect(page.locator("#n2 [data-base=chance]")).to_have_count(1)
    expect(page.locator("#n0 .pw-value")).to_have_text("55.5")
    page.get_by_role("button", name="Add a branch").click()
    expect(page.locator("#tree g[id]:not([id$=edge])")).to_have_count(8)
    page.go_back()
    expect(page.locator("#tree g[id]:not([id$=edge])")).to_have_count(7)
    accessible(page)


def test_two_searches_step_together(browse: Browse, accessible: Callable[[Any], None]) -> None:
    page = browse("/lab?figure=figure-6.2&beside=minimax")
    for _ in range(14):
        page.locator("#next").click()
    assert page.locator("#where").inner_text().startswith("Step 14 of 26")
    assert page.locator("#b-where").inner_text().startswith("Step 14 of 30")
    page.locator("#last").click()
    assert [page.locator(f"#{name}leaves").inner_text() for name in ("", "b-")] == ["7", "9"], (
        "at the end of one both are done"
    )
    assert page.locator("#b-code li.lit").count() >= 1
    accessible(page)


@pytest.mark.parametrize("beside", ["", "&beside=minimax"])
def test_a_small_projector_shows_the_whole_tree(browse: Browse, beside: str) -> None:
    """Every leaf and all buttons are in sight without scrolling, also where two searches stand side by side."""
    page = browse(f"/lab?figure=two-cutoffs{beside}", width=1024, height=768)
    expect(page.locator("#tree.live")).to_be_visible()
    for mark in ("", "b-") if beside else ("",):
        frame = page.locator(f"#{mark}tree").bounding_box()
        for leaf in page.locator(f"#{mark}tree [data-part=leaf]").all():
            box = leaf.bounding_box()
            assert frame["y"] <= box["y"] and box["y"] + box["height"] <= frame["y"] + frame["height"]
    for controls in page.locator(".controls").all():
        box = controls.bounding_box()
        assert box["y"] + box["height"] <= 768 and box["y"] >= frame["y"] + frame["height"] - 1


@pytest.mark.slow
def test_the_switches_say_which_decisions_change(browse: Browse, accessible: Callable[[Any], None]) -> None:
    page = browse("/lab?figure=otherwise")
    page.locator("#lab-min-as").select_option("chance")
    expect(page.locator("#lab-decisions h2")).to_have_text("1 of 1 decision changes")
    assert "right (54.5) changed" in page.locator("#lab-decisions").inner_text()
    page.locator("#lab-min-as").select_option("model")
    expect(page.locator("#lab-decisions")).to_contain_text("right (18.1) changed")
    page.goto("/lab?figure=order-preserving&leaves=affine:2,1")
    expect(page.locator("#lab-decisions h2")).to_have_text("The decision stays")
    page.goto("/lab?figure=order-preserving&leaves=1=1,2=20,3=30,4=400")
    expect(page.locator("#lab-decisions")).to_contain_text("a2 (40.9) changed")
    accessible(page)


@pytest.mark.slow
def test_two_fingers_zoom(browse: Browse) -> None:
    page = browse("/lab?from=generated&branching=4&levels=4", width=390, height=800, has_touch=True, is_mobile=True)
    page.locator("#tree").scroll_into_view_if_needed()
    box = page.locator("#tree").bounding_box()
    x, y = box["x"] + box["width"] / 2, box["y"] + box["height"] / 2
    session = page.context.new_cdp_session(page)
    before = transform(page)[2]

    def touch(kind: str, *far: float) -> None:
        points = [{"x": x + side * one, "y": y, "id": n} for one in far for n, side in enumerate((-1, 1))]
        session.send("Input.dispatchTouchEvent", {"type": kind, "touchPoints": points})

    touch("touchStart", 30)
    for far in (45, 60, 75, 90):
        touch("touchMove", far)
    touch("touchEnd")
    assert transform(page)[2] > 1.5 * before


@pytest.mark.slow
def test_five_thousand_nodes_and_a_phone(browse: Browse, accessible: Callable[[Any], None]) -> None:
    page = browse("/lab?from=generated&branching=16&levels=3&algorithm=minimax")
    expect(page.locator("#tree g[id^=n]:not([id$=edge])")).to_have_count(1 + 16 + 16**2 + 16**3, timeout=60_000)
    page.locator("#last").click()
    assert page.locator("#n0 .pw-value").text_content()
    phone = browse("/lab?figure=figure-6.2&beside=minimax", width=390, height=800)
    assert phone.evaluate("document.documentElement.scrollWidth <= window.innerWidth")
    accessible(phone)


@pytest.mark.slow
@pytest.mark.parametrize("scheme", ["light", "dark"])
def test_boards_on_the_nodes_of_a_game(browse: Browse, accessible: Callable[[Any], None], scheme: str) -> None:
    page = browse("/lab?from=game&game=tic-tac-toe&depth=2&algorithm=h-alphabeta", color_scheme=scheme)
    expect(page.locator("#tree g[id$=board]")).to_have_count(82, timeout=60_000)
    drawn = "getComputedStyle(document.querySelector('#tree .pw-first-ink')).stroke"
    assert page.evaluate(drawn) != "none", "crosses are drawn, though the first board has none"
    accessible(page)
    page.locator("#lab-boards").select_option("no")
    expect(page.locator("#tree g[id$=board]")).to_have_count(0)
    page.goto("/lab?from=game&game=nim&algorithm=mcts&simulations=30&step=70")
    expect(page.locator("#tree")).to_contain_text("UCB ∞")
    accessible(page)
