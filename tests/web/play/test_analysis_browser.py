"""The analysis desk in a browser: lines, bar, arrows, keys, dragging, two tabs, pausing, and how it fits the window."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import pytest
from test_play_browser import begin, place, status

Browse = Callable[..., Any]
MOVES = "a1b1a2b2"
DRAWN = "image => image.decode().then(() => image.naturalWidth)"


@pytest.fixture
def desk(browse: Browse) -> Any:
    """A game of tic-tac-toe that X wins with a3, looked at by two people."""
    page = browse(f"/play/new?game=tic-tac-toe&moves={MOVES}", width=1366, height=768)
    begin(page, "human")
    return page


def test_the_analysis_shows_lines_a_bar_arrows_and_small_boards(desk: Any) -> None:
    assert desk.locator("#bar").get_attribute("aria-valuenow") == "50.0"
    desk.keyboard.press("a")
    desk.locator(".lines .said-move", has_text="a3").first.wait_for()
    assert desk.locator(".worth").first.inner_text() == "wins in 1 ply"
    desk.locator('#bar[aria-valuenow="100.0"]').wait_for()
    assert desk.locator(".play-arrow.rank-0").count() == 1
    space = desk.locator(".play-arrow").first.evaluate("one => one.namespaceURI")
    assert space == "http://www.w3.org/2000/svg"
    desk.locator(".said-move").first.hover()
    assert desk.locator("#preview:not([hidden]) img").evaluate(DRAWN) > 50
    desk.locator(".said-move").first.click()
    status(desk, "X wins.")
    desk.get_by_role("link", name="back to the game").click()
    status(desk, "X to move.")
    desk.locator(".lines .said-move").first.wait_for()
    desk.keyboard.press("a")
    desk.get_by_role("button", name="Analyse").wait_for()


def test_keys_step_flip_hint_and_show_themselves(desk: Any) -> None:
    desk.keyboard.press("ArrowLeft")
    desk.wait_for_url("**ply=3")
    desk.keyboard.press("Home")
    desk.wait_for_url("**ply=0")
    desk.keyboard.press("End")
    desk.wait_for_url("**ply=4")
    desk.keyboard.press("f")
    desk.wait_for_selector("#board.flipped")
    desk.keyboard.press("?")
    desk.locator("dialog[open]", has_text="take back").wait_for()
    desk.keyboard.press("Escape")
    desk.locator("dialog[open]").wait_for(state="detached")
    desk.keyboard.press("h")
    desk.locator("#advice", has_text="Best is a3.").wait_for()
    desk.keyboard.press("u")
    desk.wait_for_url("**ply=3")


def test_a_list_of_keys_that_was_closed_takes_no_key(desk: Any) -> None:
    """It may have the focus until the next picture is drawn: a key that was pressed at once was lost."""
    desk.locator("dialog").first.evaluate(
        "one => one.dispatchEvent(new KeyboardEvent('keydown', { key: 'f', bubbles: true, cancelable: true }))"
    )
    desk.wait_for_selector("#board.flipped")


def test_what_is_asked_for_later_is_shown_later(desk: Any) -> None:
    """Whichever answer came last was shown, so that the slow page of an earlier key took the later one's place."""
    held: list[Any] = []

    def let_go() -> None:
        while not held:  # the request is told of before it is handed over
            desk.wait_for_timeout(10)
        held.pop().continue_()

    desk.route("**ply=3", lambda route: held.append(route))
    with desk.expect_request("**ply=3"):
        desk.keyboard.press("ArrowLeft")
    desk.keyboard.press("ArrowLeft")  # a key means what the page that is on its way shows
    let_go()
    desk.wait_for_url("**ply=2")
    desk.route("**ply=1", lambda route: held.append(route))
    with desk.expect_request("**ply=1"):
        desk.keyboard.press("ArrowLeft")
    desk.get_by_label("To the end").click()
    desk.wait_for_url("**ply=4")
    let_go()
    desk.wait_for_function("() => !Plywright.asking")
    assert desk.url.endswith("ply=4"), "an answer that was overtaken is not shown"
    assert desk.locator(".desk").get_attribute("data-ply") == "4"


def test_the_list_of_moves_is_scrolled_to_the_moment_that_is_shown(browse: Browse) -> None:
    page = browse(f"/play/new?game=mnk:m=4,n=4,k=4&moves={LONG}", width=1366, height=768)
    begin(page, "human")
    page.keyboard.press("ArrowLeft")
    page.wait_for_url("**ply=11")
    page.wait_for_function(IN_SIGHT)
    page.keyboard.press("Home")
    page.wait_for_url("**ply=0")


LONG = "a1b1a2b2a3b3c1d1c2d2c3d3"
IN_SIGHT = """() => { const list = document.getElementById("moves").getBoundingClientRect();
  const here = document.querySelector("#moves [aria-current]").getBoundingClientRect();
  return here.top >= list.top - 1 && here.bottom <= list.bottom + 1; }"""


def test_two_tabs_of_one_table_stay_in_step(desk: Any) -> None:
    other = desk.context.new_page()
    other.goto(desk.url)
    other.bring_to_front()
    place(other, "c3").click()
    status(other, "O to move.")
    desk.bring_to_front()
    status(desk, "O to move.")
    assert desk.url.endswith("ply=5")


@pytest.mark.parametrize("size", [(1366, 768), (390, 844), pytest.param((1920, 1080), marks=pytest.mark.slow)])
def test_everything_is_in_reach(desk: Any, size: tuple[int, int]) -> None:
    width, height = size
    desk.set_viewport_size({"width": width, "height": height})
    wide = "document.documentElement.scrollWidth - document.documentElement.clientWidth"
    assert desk.evaluate(wide) <= 0
    seen = ["#board svg", ".dials", ".moments", "#hint"]
    seen += ["#moves", "#graph", "[data-key=a]", ".more summary"] if width > 900 else []
    for part in seen:
        box = desk.locator(part).first.bounding_box()
        assert box["y"] >= 0 and box["y"] + box["height"] <= height, (part, box)
        assert box["x"] >= 0 and box["x"] + box["width"] <= width, (part, box)
    if width < 500:
        assert all(
            box["height"] >= 40 for box in (one.bounding_box() for one in desk.locator(".moments .button").all())
        )


def test_five_lines_at_an_earlier_moment_fit_beside_the_board(desk: Any) -> None:
    desk.keyboard.press("a")
    for count in (4, 5):
        desk.get_by_role("button", name="One line more").click()
        desk.locator(".head .number", has_text=str(count)).wait_for()
    desk.keyboard.press("ArrowLeft")
    desk.locator(".earlier").wait_for()
    desk.locator(".lines .said-move").first.wait_for()
    hidden = "one => one.scrollHeight - one.clientHeight"
    assert desk.locator(".knowing").evaluate(hidden) <= 0, "nothing has to be scrolled to"
    assert desk.locator(".listed").evaluate(hidden) <= 0, "the graph stays within its panel"
    board, column = (desk.locator(part).bounding_box() for part in ("#board", ".who"))
    assert 0 < column["x"] - board["x"] - board["width"] < 40, "the column stands next to the board"


def test_the_small_board_of_a_line_stays_in_the_window(desk: Any) -> None:
    desk.keyboard.press("a")
    last = desk.locator("#lines li").nth(1).locator(".said-move").last
    last.wait_for()
    last.hover()
    desk.locator("#preview:not([hidden]) img").evaluate(DRAWN)
    over = "document.querySelector('#preview').getBoundingClientRect().right - document.documentElement.clientWidth"
    assert desk.evaluate(over) <= 0


@pytest.mark.slow
def test_a_piece_is_dragged_and_others_glide_turn_and_roll(browse: Browse) -> None:
    page = browse("/play/new?game=breakthrough:columns=4,rows=6", reduced_motion="no-preference")
    begin(page, "human")
    start, end = (page.locator(f'g[data-place="{name}"]').bounding_box() for name in ("b2", "b3"))
    page.mouse.move(start["x"] + 20, start["y"] + 20)
    page.mouse.down()
    page.mouse.move(start["x"] + 25, start["y"] - 10, steps=3)
    assert page.locator(".dragged").count() == 1
    page.mouse.move(end["x"] + 20, end["y"] + 20, steps=3)
    page.mouse.up()
    page.wait_for_url("**ply=1")
    assert "b2b3" in page.locator("#moves").inner_text()
    page.evaluate(COUNT_ANIMATIONS)
    place(page, "a5").click()
    place(page, "a4").click()
    page.wait_for_url("**ply=2")
    assert page.evaluate("animated.count") >= 1


COUNT_ANIMATIONS = """() => {
  window.animated = { count: 0 };
  const animate = Element.prototype.animate;
  Element.prototype.animate = function (...all) { animated.count += 1; return animate.apply(this, all); };
}"""


@pytest.mark.slow
@pytest.mark.parametrize("scheme", ["light", "dark"])
def test_territory_is_drawn_on_the_board_and_switched_off(browse: Browse, scheme: str) -> None:
    moves = "c3 b3 c2 b2 c4 b4 c1 b1 c5 b5"
    page = browse(f"/play/new?game=go:size=5&moves={moves}", color_scheme=scheme)
    begin(page, "human")
    page.keyboard.press("t")
    page.locator('#board [data-place="e3"] .play-owner.of-first').wait_for()
    page.locator('#board [data-place="a3"] .play-owner.of-second').wait_for()
    drawn = page.locator('#board [data-place="e3"] .play-owner')
    outlined = drawn.evaluate(BRIGHTNESS)
    assert abs(outlined[0] - outlined[1]) > 400, "black with a white edge, or white with a black one, in either scheme"
    page.keyboard.press("f")
    page.wait_for_selector("#board.flipped")
    page.locator('#board [data-place="e3"] .play-owner.of-first').wait_for()
    page.keyboard.press("t")
    page.locator(".play-owner").first.wait_for(state="detached")
    page.locator(".lines .said-move").first.wait_for()


BRIGHTNESS = """one => ["fill", "stroke"].map(name => getComputedStyle(one)[name].match(/[0-9.]+/g).slice(0, 3)
  .reduce((sum, part) => sum + Number(part), 0))"""


@pytest.mark.slow
def test_nothing_is_animated_for_whoever_asked_for_calm(browse: Browse) -> None:
    page = browse("/play/new?game=breakthrough:columns=4,rows=6", reduced_motion="reduce")
    begin(page, "human")
    page.evaluate(COUNT_ANIMATIONS)
    place(page, "a2").click()
    place(page, "a3").click()
    page.wait_for_url("**ply=1")
    assert page.evaluate("animated.count") == 0


@pytest.mark.slow
def test_players_that_are_no_people_are_paused(browse: Browse) -> None:
    page = browse("/play/new?game=othello:size=6")
    page.select_option("select[name=seat0]", "random")
    begin(page, "random")
    page.locator("#moves li").nth(1).wait_for()
    page.get_by_role("button", name="Pause").click()
    page.get_by_role("button", name="Go on").wait_for()
    count = page.locator("#moves li").count()
    page.wait_for_timeout(600)
    assert page.locator("#moves li").count() == count
    page.get_by_role("button", name="Go on").click()
    page.locator("#moves li").nth(count + 2).wait_for()


@pytest.mark.slow
@pytest.mark.parametrize("scheme", ["light", "dark"])
def test_axe_finds_nothing_wrong_at_the_desk(desk: Any, accessible: Callable[[Any], None], scheme: str) -> None:
    desk.emulate_media(color_scheme=scheme)
    desk.keyboard.press("a")
    desk.locator(".lines .said-move").first.wait_for()
    accessible(desk)


@pytest.mark.slow
def test_one_s_games_are_listed_and_deleted(desk: Any) -> None:
    name = desk.url.split("/t/")[1].split("?")[0]
    place(desk, "c3").click()
    desk.wait_for_url("**ply=5")
    desk.goto("/play")
    card = desk.locator(f'.mine li:has(a[href="/play/t/{name}"])')
    assert "unfinished" in card.inner_text()
    card.locator("img").scroll_into_view_if_needed()
    assert card.locator("img").evaluate(DRAWN) > 50
    card.get_by_role("button").click()
    card.wait_for(state="detached")


@pytest.mark.slow
def test_board_sounds_and_screen_are_chosen_and_kept_in_the_browser(desk: Any) -> None:
    desk.get_by_role("button", name="Look").click()
    assert not desk.locator("#sounds").is_checked(), "silent unless asked for"
    desk.select_option("#theme", "blue")
    desk.locator("#sounds").check()
    desk.get_by_role("button", name="Close").click()
    desk.reload()
    assert desk.evaluate("document.documentElement.dataset.theme") == "blue"
    desk.get_by_role("button", name="Look").click()
    assert desk.locator("#sounds").is_checked()
    desk.keyboard.press("Escape")
    desk.goto("/play/new?game=breakthrough:columns=4,rows=6")
    begin(desk, "human")
    colour = "getComputedStyle(document.querySelector('.pw-dark-square')).fill"
    assert desk.evaluate(colour) == "rgb(127, 159, 190)"
