"""The gallery: every card's number is worked out again, every card opens, every door leads somewhere."""

from __future__ import annotations

import re
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from plywright.compiled import interpreted
from plywright.equilibrium import exploitability
from plywright.games import GAMES
from plywright.games.kuhn import Kuhn
from plywright.web.gallery.card import _words
from plywright.web.gallery.chance_cards import ways_to_play
from plywright.web.gallery.kuhn_cards import family
from plywright.web.gallery.routes import CARDS, SECTIONS

QUICK = [name for name, card in CARDS.items() if not card.slow]
SLOW = [name for name, card in CARDS.items() if card.slow]


OF_FACT = {
    "1.1": "figure-6.2", "1.2": "windows", "1.3": "left-right", "1.4": "shallow-cutoff", "1.5": "bounds",
    "1.6": "equal-moves", "1.7": "orders", "1.7b": "two-cutoffs deep-cutoff", "1.7c": "preliminary-values",
    "1.8": "tic-tac-toe", "1.9": "open-lines", "1.10": "material", "1.11": "limits", "1.12": "deepening",
    "1.12b": "magnitudes", "1.13": "increasing-maps",
    "2.1": "expected-value", "2.2": "coins", "2.3": "order-preserving", "2.4": "star", "2.5": "rolls",
    "2.5b": "six-five", "2.6": "three-players", "2.7": "model", "2.7b": "levels", "2.7c": "slippery", "2.8": "corridor",
    "3": "scoring", "3.1": "assumptions", "3.2": "starvation", "3.3": "depth", "3.4": "ghosts", "3.5": "trapped",
    "5.1": "weighted sampled", "5.2": "poker-hands poker-seven", "5.2b": "poker-hands", "5.3": "deals",
    "5.4": "kuhn three-kuhn", "5.5": "fusion",
    "6.1": "expected-utility", "6.2": "axioms", "6.3": "affine", "6.4": "premium", "6.5": "elicitation",
    "6.6": "allais", "6.7": "micromorts", "6.7b": "evidence debt", "6.8": "airport",
    "8.1": "alpha-cutoff", "8.2": "preliminary-values", "8.3": "otherwise", "8.4": "equal-chances",
    "8.5": "order-preserving", "8.6": "deals sampled", "8.7": "magnitudes", "8.8": "tic-tac-toe",
    "8.9": "open-lines material",
}  # fmt: skip
"""The cards of every fact of docs/facts.md that is one of figures and claims, by its number there."""


def test_every_fact_has_its_card() -> None:
    named = {name for names in OF_FACT.values() for name in names.split()}
    assert named <= set(CARDS) and set(CARDS) - named == {"axes"}, "and every card but the table of games has its fact"
    told = (Path(__file__).parents[3] / "docs" / "facts.md").read_text(encoding="utf-8")
    rows = re.findall(r"^\| ([123568](?:\.\d+[bc]?)?) \|", told, re.MULTILINE)
    assert len(set(rows)) > 30 and set(rows) <= set(OF_FACT), set(rows) - set(OF_FACT)


def test_ways_to_play_a_roll_are_found_by_brute_force() -> None:
    """The four ways of the card; a block takes away what goes there, and a man that is moved is no longer behind."""
    men = {5: 2, 19: 13}
    assert ways_to_play((6, 5), men, lambda point: False) == [
        "5-10, 5-11", "5-10, 10-16", "5-11, 11-16", "5-11, 19-24",
    ]  # fmt: skip
    assert ways_to_play((6, 5), men, lambda point: point == 10) == ["5-11, 11-16", "5-11, 19-24"]
    assert ways_to_play((2, 1), {1: 1}, lambda point: False) == ["1-2, 2-4", "1-3, 3-4"]


def test_the_family_of_kuhn_poker_ends_at_a_third() -> None:
    """Inside it nobody can gain, and outside somebody can: the card's rows are no tautology."""
    with interpreted():
        assert exploitability(Kuhn(), family(1 / 3)) < 1e-9 < 1e-3 < exploitability(Kuhn(), family(1 / 3 - 1 / 9, 1))


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
