"""The history wall: our own figures are those of the documentation, each rests on a record, and every door opens."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from plywright.games import GAMES
from plywright.web.history.routes import wall

ROOT = Path(__file__).parents[3]


@pytest.mark.parametrize("one", wall(), ids=lambda one: one.name)
def test_our_figures_are_those_of_the_documentation_and_have_a_record(one: Any) -> None:
    for what, figure, *elsewhere in one.ours:
        docs = elsewhere[0] if elsewhere else one.docs
        page = " ".join((ROOT / docs).read_text(encoding="utf-8").split())
        assert figure in page, f"{what}: {figure} is not in {docs}"
    assert not one.record or (ROOT / one.record).is_file()
    for _, address in one.doors:
        if address.startswith("/play/new?game="):
            assert address.partition("game=")[2].partition("&")[0] in GAMES


def test_six_cards(client: Any) -> None:
    page = client.get("/history").text
    assert page.count("<article") == 6 and all(one.title in page for one in wall())


@pytest.mark.slow
@pytest.mark.parametrize(("scheme", "width"), [("light", 1920), ("dark", 1366), ("light", 390)])
def test_the_wall_is_accessible_and_fits(
    browse: Callable[..., Any], accessible: Callable[[Any], None], scheme: str, width: int
) -> None:
    page = browse("/history", width=width, color_scheme=scheme)
    accessible(page)
    assert page.evaluate("document.documentElement.scrollWidth <= window.innerWidth")


@pytest.mark.slow
def test_every_door_of_the_wall_opens(client: Any) -> None:
    for one in wall():
        for words, address in one.doors:
            assert client.get(address).status_code == 200, (one.title, words)
