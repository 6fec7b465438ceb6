"""Every room in a browser, light and dark, desk and phone: axe finds nothing, nothing is wider than the page."""

from __future__ import annotations

import re
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from plywright.web.room import NAMES

QUEEN = "r1bqkbnr%2Fpppp1ppp%2F2n5%2F4p2Q%2F4P3%2F8%2FPPPP1PPP%2FRNB1KBNR+w+KQkq+-+0+1"
PLACES = (
    "/",
    *(f"/{name}" for name in NAMES),
    "/play/new?game=connect-four",
    "/lab?figure=order-preserving&leaves=1%3D1%2C2%3D20%2C3%3D30%2C4%3D400&step=99",  # with a decision that changed
    f"/bench?game=chess&knowledge=features&state={QUEEN}&w0=0.1",
    "/gallery/orders",
    "/gallery/axes",
    "/exercises/one?algorithm=alphabeta&seed=7&number=2",
)
DOCS = Path(__file__).parents[2] / "docs"


@pytest.mark.slow
@pytest.mark.parametrize("scheme", ["light", "dark"])
@pytest.mark.parametrize("size", [(1366, 768), (390, 844)])
def test_every_room_is_accessible_and_fits(
    browse: Callable[..., Any], accessible: Callable[[Any], None], scheme: str, size: tuple[int, int]
) -> None:
    page = browse("/", *size, color_scheme=scheme)
    for place in PLACES:
        page.goto(place)
        page.wait_for_load_state("load")
        assert page.evaluate("document.documentElement.scrollWidth <= window.innerWidth"), place
        accessible(page)


def test_every_room_has_a_picture_in_the_documents() -> None:
    """`python docs/take_screenshots.py` takes them all; docs/page.md shows them."""
    script, text = (DOCS / "take_screenshots.py").read_text(), (DOCS / "page.md").read_text()
    taken = re.search(r"^ROOMS = \((.*?)\)$", script, re.M | re.S)
    assert taken is not None
    names = taken[1].split(", ")
    assert set(NAMES) <= set(names)
    for name in names:
        assert f"](images/page-{name}.png)" in text, name
        assert (DOCS / "images" / f"page-{name}.png").stat().st_size < 150_000, name
