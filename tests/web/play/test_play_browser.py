"""The Play room in a browser: games clicked and typed, taken back, explained, and looked at by axe."""

from __future__ import annotations

import re
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from plywright.games import load_game
from plywright.web.play import analysis

Browse = Callable[..., Any]


def begin(page: Any, *others: str, **fields: str) -> None:
    """Start the game that is set up, with these players in the seats after the first."""
    page.set_default_timeout(120_000)  # the first search of a game compiles it
    for seat, who in enumerate(others, 1):
        page.select_option(f"select[name=seat{seat}]", who)
    for name, value in fields.items():
        field = page.locator(f"[name={name}]")
        field.select_option(value) if field.evaluate("field => field.tagName") == "SELECT" else field.fill(value)
    page.click("button.main")
    page.wait_for_url("**/play/t/**")


def place(page: Any, name: str) -> Any:
    return page.locator(f'g[data-place="{name}"].can').first


def status(page: Any, words: str) -> None:
    page.locator("#status", has_text=words).wait_for()


def targets(page: Any) -> set[str]:
    return set(page.locator("g.can").evaluate_all("all => all.map(place => place.dataset.place)"))


def test_a_whole_game_of_tic_tac_toe_by_clicking(browse: Browse) -> None:
    page = browse("/play/new?game=tic-tac-toe")
    begin(page, "first")
    assert len(targets(page)) == 9
    for move, ply in (("b2", 2), ("c1", 4)):
        place(page, move).click()
        page.wait_for_url(f"**ply={ply}")
        status(page, "X to move.")
    assert page.locator("#moves li").all_inner_texts() == ["X b2", "O a1", "X c1", "O b1"]
    place(page, "a3").click()
    status(page, "X wins.")
    assert targets(page) == set()
    space = page.locator("g[data-place]").first.evaluate("place => place.namespaceURI")
    assert space == "http://www.w3.org/2000/svg", "what htmx set into the page is drawn"
    first = page.url
    page.get_by_role("button", name="Rematch", exact=True).click()
    status(page, "X to move.")
    assert page.url.split("?")[0] != first.split("?")[0]


def test_an_opening_of_othello_by_clicking_against_the_engine(browse: Browse) -> None:
    page = browse("/play/new?game=othello:size=6")
    begin(page, "engine", pace="nodes", amount="2000")
    assert targets(page) == {"c2", "b3", "e4", "d5"}
    place(page, "e4").click()
    page.wait_for_url("**ply=2")
    status(page, "Black to move.")
    assert page.locator("circle.pw-last-dot").count() == 1
    place(page, sorted(targets(page))[0]).click()
    page.wait_for_url("**ply=4")
    status(page, "Black to move.")
    assert page.locator("#moves li").count() == 4
    assert "value" in page.locator("#thought").inner_text()
    assert page.locator("#graph svg").count() == 1, "the graph has grown"


def test_a_pawn_is_chosen_and_then_where_it_goes(browse: Browse) -> None:
    page = browse("/play/new?game=breakthrough:columns=4,rows=6")
    begin(page, "human")
    place(page, "b2").click()
    assert targets(page) == {"a3", "b3", "c3"} and "b2" in page.locator("#chosen").inner_text()
    page.locator('g[data-place="d5"]').click()
    assert "b2" in targets(page), "a click elsewhere unselects"
    place(page, "c2").click()
    place(page, "b3").click()
    page.wait_for_url("**ply=1")
    assert page.locator("#moves li").all_inner_texts() == ["White c2b3"]


def test_a_play_of_backgammon_checker_by_checker(browse: Browse) -> None:
    page = browse("/play/new?game=backgammon&moves=65")
    begin(page, "human")
    for step in ("13", "8"):
        place(page, step).click()
    assert "24" in targets(page)
    assert page.locator(".play-used").get_attribute("data-die") == "5", "the die that was used is pale"
    moved = page.locator(".half-moved").bounding_box()
    point = page.locator('g[data-place="8"] path').first.bounding_box()
    assert abs(moved["x"] + moved["width"] / 2 - point["x"] - point["width"] / 2) < 3, (
        "the checker stands there already"
    )
    for step in ("24", "18"):
        place(page, step).click()
    page.wait_for_url(re.compile(r"ply=[23]"))
    assert "24/18 13/8" in page.locator("#moves").inner_text()


def test_dice_are_rolled_in_view(browse: Browse) -> None:
    page = browse("/play/new?game=pig")
    begin(page, "human", seed="11")
    page.get_by_role("button", name="roll").click()
    page.wait_for_url("**ply=2")
    page.locator("#status", has_text=re.compile(r"Chance brought \d \(probability 1/6\)")).wait_for()


def test_a_game_with_the_keyboard_alone(browse: Browse) -> None:
    page = browse("/play/new?game=tic-tac-toe")
    begin(page, "human")
    page.wait_for_selector("g.can")
    page.evaluate("document.activeElement.blur()")
    for _ in range(40):
        page.keyboard.press("Tab")
        if page.evaluate("document.activeElement.dataset.place") == "a1":
            break
    for ply, keys in enumerate((["Enter"], ["ArrowUp", " "], ["Enter"], ["ArrowUp", "Enter"]), 1):
        for key in keys:
            page.keyboard.press(key)
        page.wait_for_url(f"**ply={ply}")
        page.wait_for_function("() => document.activeElement.dataset.place !== undefined")
    moves = page.locator("#moves li").all_inner_texts()
    assert len(moves) == 4 and len(set(moves)) == 4 and moves[0] == "X a1"


def test_arrow_keys_slide(browse: Browse) -> None:
    page = browse("/play/new?game=2048")
    begin(page, seed="3", dice="at once")
    page.wait_for_selector("#choices button")
    page.keyboard.press("ArrowLeft")
    page.wait_for_url("**ply=4")
    assert "left" in page.locator("#moves").inner_text()


def test_hint_why_not_take_back_flip_and_reload(browse: Browse, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(analysis, "HINT", 0.3)
    monkeypatch.setattr(analysis, "WHY", 0.2)
    page = browse("/play/new?game=tic-tac-toe&moves=a1b1a2b2")
    begin(page, "human")
    page.set_viewport_size({"width": 1280, "height": 500})
    page.locator("#hint").scroll_into_view_if_needed()
    before = page.evaluate("scrollY")
    page.click("#hint")
    page.locator("#advice", has_text="Best is a3.").wait_for()
    assert page.evaluate("scrollY") == before, "the page stays where it is"
    assert page.locator("g.hinted").evaluate_all("all => all.map(one => one.dataset.place)") == ["a3"]
    page.get_by_text("Why not …?").click()
    page.fill("[name=why]", "c1")
    page.get_by_role("button", name="Explain").click()
    page.locator("#reason", has_text="with a3: wins in 1 ply.").wait_for()
    assert page.locator("#reason svg").count() == 1
    page.get_by_role("button", name="Flip").click()
    page.wait_for_selector("#board.flipped")
    upper = "name => document.querySelector(`g[data-place=${name}] rect`).getBoundingClientRect().y"
    assert page.evaluate(upper, "a1") < page.evaluate(upper, "a3")
    place(page, "a3").click()
    status(page, "X wins.")
    page.reload()
    status(page, "X wins.")
    assert page.locator("#board.flipped").count() == 1
    page.click("#undo")
    status(page, "X to move.")
    first = page.url.split("?")[0]
    place(page, "c3").click()
    status(page, "O to move.")
    assert page.url.split("?")[0] != first, "what was taken back is kept, the other move is a table of its own"
    page.go_back()
    status(page, "X to move.")
    page.go_back()
    status(page, "X wins.")


def test_a_reload_while_the_engine_thinks_and_then_move_now(browse: Browse) -> None:
    page = browse("/play/new?game=othello:size=6")
    begin(page, "engine", pace="move", amount="30")
    place(page, "e4").click()
    page.locator("#thought", has_text="depth").wait_for()
    page.reload()
    page.locator("#thought", has_text="depth").wait_for()
    page.get_by_role("button", name="Move now").click()
    page.wait_for_url("**ply=2")
    status(page, "Black to move.")


def test_a_clock_runs_down_and_its_end_is_the_end(browse: Browse) -> None:
    page = browse("/play/new?game=tic-tac-toe")
    begin(page, "human", pace="budget", amount="1")
    assert page.locator("output.clock").first.inner_text() in ("1.0", "0.9", "0.8", "0.7")
    status(page, "X has run out of time. O wins.")


def test_a_server_that_is_gone_or_was_started_anew_is_said_and_the_move_is_made(chromium: Any, address: str) -> None:
    context = chromium.new_context(base_url=address)
    page = context.new_page()
    page.goto("/play/new?game=tic-tac-toe")
    begin(page, "human")
    context.set_offline(True)
    place(page, "a1").click()
    page.locator("#message", has_text="does not answer").wait_for()
    context.set_offline(False)
    page.evaluate("Plywright.token = 'of an earlier start'")
    place(page, "a1").click()
    status(page, "O to move.")
    assert page.locator("#message").is_hidden()
    context.close()


def test_a_mistake_is_seen_however_far_down_the_button_is(chromium: Any, address: str) -> None:
    context = chromium.new_context(base_url=address, viewport={"width": 390, "height": 500})
    page = context.new_page()
    page.goto("/play/new?game=tic-tac-toe")
    page.get_by_text("Choose the search").last.click()
    page.fill("[name=engine1]", "ismcts")
    page.click("button.main")
    page.locator("#message", has_text="cannot search").wait_for()
    assert page.evaluate("scrollY") > 100
    assert page.locator("#message").evaluate("one => one.getBoundingClientRect().top") >= 0
    context.close()


def test_nothing_moves_while_thoughts_stream(browse: Browse) -> None:
    page = browse("/play/new?game=othello:size=6")
    begin(page, "engine", pace="move", amount="1")
    place(page, "e4").click()
    page.locator("#thought", has_text="depth").wait_for()
    box = "['board', 'thought', 'moves'].map(id => JSON.stringify(document.getElementById(id).getBoundingClientRect()))"
    before = page.evaluate(box)
    page.wait_for_timeout(300)
    assert page.evaluate(box) == before


@pytest.mark.parametrize("scheme", ["light", pytest.param("dark", marks=pytest.mark.slow)])
def test_axe_finds_nothing_wrong(browse: Browse, accessible: Callable[[Any], None], scheme: str) -> None:
    page = browse("/play", color_scheme=scheme)
    accessible(page)
    page.goto("/play/new?game=othello:size=6&moves=e4")
    accessible(page)
    page.select_option("select[name=seat0]", "engine")
    begin(page, "human", pace="budget", amount="300")
    page.wait_for_selector("g.can")
    accessible(page)
    page.goto("/play/new?game=kuhn")
    begin(page, "human")
    accessible(page)
    page.get_by_role("button", name="I am").click()
    page.wait_for_selector("#choices button")
    accessible(page)


@pytest.mark.parametrize("width", [380, 1920])
def test_pages_are_never_wider_than_the_window(browse: Browse, width: int) -> None:
    page = browse("/play", width=width)
    wide = "document.documentElement.scrollWidth - document.documentElement.clientWidth"
    assert page.evaluate(wide) <= 0
    for game in ("backgammon", "othello", "random-tree", "battleship"):
        page.goto(f"/play/new?game={game}&moves={'65' if game == 'backgammon' else ''}")
        assert page.evaluate(wide) <= 0, game
        begin(page, "human")
        assert page.evaluate(wide) <= 0, game


def test_a_game_is_loaded_from_a_file(browse: Browse, tmp_path: Path) -> None:
    game = load_game("othello:size=4")
    (tmp_path / "game.ggf").write_text(game.format_game(game.start_state, [1, 0], "ggf") + "\n")
    page = browse("/play/new?game=othello:size=4")
    page.locator("summary", has_text="another position").click()
    page.set_input_files("input[type=file]", str(tmp_path / "game.ggf"))
    page.wait_for_url("**moves=**")
    page.locator('[name=moves][value="b1a1"]').wait_for(state="attached")
    begin(page, "human")
    status(page, "Black to move.")
    assert page.locator("#moves li").all_inner_texts() == ["Black b1", "White a1"]


def test_a_person_who_is_held_to_the_time_of_a_move_loses_by_it(browse: Browse) -> None:
    page = browse("/play/new?game=tic-tac-toe")
    assert page.locator("[name=held]").is_visible()
    page.select_option("[name=pace]", "depth")
    assert page.locator("[name=held]").is_hidden()
    begin(page, "first", pace="move", amount="1", held="1")
    status(page, "X has run out of time. O wins.")


def test_the_last_move_of_a_hidden_game_is_framed(browse: Browse, accessible: Callable[[Any], None]) -> None:
    page = browse("/play/new?game=phantom-tic-tac-toe")
    begin(page, "random", pace="nodes", amount="2")
    place(page, "b2").click()
    page.locator('g[data-place="b2"] .play-last').wait_for()
    status(page, "Your last move: b2.")
    assert page.locator(".play-last").count() == 1
    accessible(page)


@pytest.mark.parametrize("size", [(1366, 768), (390, 844)])
def test_a_game_is_begun_without_scrolling_and_the_menu_shows_the_room(browse: Browse, size: tuple[int, int]) -> None:
    page = browse("/play/new?game=othello", *size)
    start = page.get_by_role("button", name="Start").bounding_box()
    assert start["y"] + start["height"] <= size[1], "the button is in reach"
    page.goto("/matches")
    here = page.locator(".top [aria-current]").bounding_box()
    assert here["x"] >= 0 and here["x"] + here["width"] <= size[0], "the room one is in is in sight"


def test_a_link_from_another_site_asks_first_and_fits_a_phone(browse: Browse, address: str) -> None:
    page = browse("/", width=390)
    target = f"{address}/lab?figure=figure-6.2&tree={'1' * 120}"
    page.route("http://elsewhere.example/", lambda route: route.fulfill(body=f'<a href="{target}">there</a>'))
    page.goto("http://elsewhere.example/")
    page.get_by_role("link").click()
    page.get_by_text("Another site has sent you here").wait_for()
    assert page.evaluate("document.documentElement.scrollWidth <= document.documentElement.clientWidth")
    page.get_by_role("link", name="Go on to").click()
    page.locator("#lab-title").wait_for()
