"""The gallery: every card's number is worked out again, every card opens, every door leads somewhere."""

from __future__ import annotations

import re
from collections.abc import Callable
from typing import Any

import pytest

from plywright.games import GAMES
from plywright.web.gallery.card import _words
from plywright.web.gallery.routes import CARDS, SECTIONS

QUICK = [name for name, card in CARDS.items() if not card.slow]
SLOW = [name for name, card in CARDS.items() if card.slow]


@pytest.mark.parametrize("name", QUICK)
def test_what_a_card_states_is_what_comes_out(name: str) -> None:
    card = CARDS[name]
    found = card.figures()
    assert found.stated == card.states
    assert all(len(row) == len(found.head) for row in found.rows), "a cell for every column"
    if card.picture:
        assert card.picture().startswith("<svg")


@pytest.mark.slow
@pytest.mark.parametrize("name", SLOW)
def test_what_a_card_states_comes_out_of_games(name: str) -> None:
    assert CARDS[name].figures().stated == CARDS[name].states


def test_no_card_is_without_words_and_no_words_without_a_card() -> None:
    assert set(_words()) == set(CARDS) and len(CARDS) == sum(len(section.cards) for section in SECTIONS)
    for card in CARDS.values():
        assert 1 <= len(re.findall(r"[.:;](?: |$)", card.words)) <= 5 and card.words.endswith(".")


def test_the_walls_and_a_card(client: Any) -> None:
    page = client.get("/gallery").text
    assert all(f'href="/gallery/{name}"' in page for name in CARDS)
    card = client.get("/gallery/axes").text
    assert all(f">{name}<" in card for name in GAMES) and 'id="gallery-stated">4 of 4 kinds<' in card
    games = client.get("/gallery/starvation").text
    assert "Work it out now" in games and "gallery-stated" not in games
    assert client.get("/gallery/nonsense").status_code == 404
    assert client.get("/gallery/rolls/picture").headers["content-type"].startswith("image/svg+xml")


def test_the_curves_follow_the_sliders(client: Any) -> None:
    page = client.get("/gallery/orders?b=5&d=4").text
    assert "branching 5" in page and ">625<" in page and ">49<" in page, "5^4 leaves, and 5^2 + 5^2 - 1"
    assert "measured, random order" in page
    assert client.get("/gallery/orders?b=99").status_code == 400
    assert "–" in client.get("/gallery/orders?b=30&d=12").text, "what is too large to search is not measured"


@pytest.mark.slow
@pytest.mark.parametrize("name", CARDS)
def test_every_door_opens(client: Any, name: str) -> None:
    for door in CARDS[name].doors:
        if door.address.startswith("/bench"):
            continue
        answer = client.get(door.address)
        assert answer.status_code == 200, (door, re.findall(r'role="alert">(.*?)<', answer.text))


@pytest.mark.slow
@pytest.mark.parametrize(("scheme", "width"), [("light", 1920), ("dark", 1366), ("light", 390)])
def test_every_card_opens_in_a_browser(
    browse: Callable[..., Any], accessible: Callable[[Any], None], scheme: str, width: int
) -> None:
    page = browse("/gallery", width=width, color_scheme=scheme)
    accessible(page)
    for name in QUICK:
        page.goto(f"/gallery/{name}")
        assert page.locator("#gallery-stated").inner_text() == CARDS[name].states
        assert page.evaluate("document.documentElement.scrollWidth <= window.innerWidth"), name
        if width != 390 or name in ("figure-6.2", "rolls", "axes"):
            accessible(page)


@pytest.mark.slow
def test_a_slider_redraws_the_curves(browse: Callable[..., Any]) -> None:
    page = browse("/gallery/orders")
    page.locator("#orders-b").fill("7")
    page.locator("#orders-picture", has_text="branching 7").wait_for()
