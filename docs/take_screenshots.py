"""Take the pictures of the page in docs/images anew (needs chromium and Pillow).

python docs/take_screenshots.py            # all of them
python docs/take_screenshots.py lab bench  # these
"""

from __future__ import annotations

import io
import os
import re
import shutil
import sys
import tempfile
import threading
from pathlib import Path
from typing import Any
from urllib.parse import urlencode

import uvicorn
from PIL import Image
from playwright.sync_api import expect, sync_playwright

from plywright.web import application
from plywright.web.server import HOST, listening

IMAGES = Path(__file__).parent / "images"
COLOURS = 128
"""Of a picture's palette: pages have few, and the files stay small."""


def play(page: Any) -> None:
    """Othello, five moves of a person who takes the first target, each answered by the engine."""
    page.goto("/play/new?game=othello")
    page.select_option("select[name=seat1]", "engine")
    page.fill("input[name=amount]", "0.5")
    page.click("button:has-text('Start')")
    for ply in range(1, 6):
        page.wait_for_selector("[data-place][role=button]")
        page.locator("[data-place][role=button]").first.click()
        page.wait_for_url(f"**ply={2 * ply}*", timeout=60_000)
    page.wait_for_selector("[data-place][role=button]")
    page.keyboard.press("a")
    page.locator("#lines .said-move").first.wait_for(timeout=120_000)
    page.wait_for_timeout(3000)


def explained(page: Any) -> None:
    """A game of Connect Four that Yellow gave away."""
    page.goto("/play/new?game=connect-four&moves=44353422336")
    page.click("button:has-text('Explain this game')")
    page.wait_for_selector("#turns", timeout=300_000)
    page.wait_for_timeout(300)


def lab(page: Any) -> None:
    page.goto("/lab?step=18")
    page.wait_for_timeout(500)


def gallery(page: Any) -> None:
    page.goto("/gallery")
    page.wait_for_load_state("networkidle")


def bench(page: Any) -> None:
    """The queen takes what is protected, unless material counts for little."""
    queen = "r1bqkbnr/pppp1ppp/2n5/4p2Q/4P3/8/PPPP1PPP/RNB1KBNR w KQkq - 0 1"
    page.goto("/bench?" + urlencode({"game": "chess", "knowledge": "features", "state": queen, "w0": "×0.1"}))
    page.locator("#bench-before").wait_for()


def exercises(page: Any) -> None:
    """An exercise with its answers, most of them wrong."""
    page.goto("/exercises/one?algorithm=alphabeta&seed=7&number=2")
    for field in page.locator("#exercise input[type=text], #exercise input:not([type])").all():
        field.fill("-19")
    page.locator("#exercise button").click()
    page.locator("#score").wait_for()


def learning(page: Any) -> None:
    page.goto("/learning")
    page.fill("input[name=game]", "breakthrough:columns=4,rows=5")
    page.fill("input[name=minutes]", "0.3")
    page.click("button:has-text('Learn')")
    page.wait_for_selector("text=finished", timeout=600_000)
    page.wait_for_selector("button:has-text('Stop')", state="detached")
    page.wait_for_timeout(500)


def history(page: Any) -> None:
    page.goto("/history")


def pacman(page: Any) -> None:
    page.goto("/pacman")
    for step in range(13):
        expect(page.locator("#step")).to_have_text(re.compile(f"^{step},"), timeout=180_000)
        expect(page.locator("#words")).to_have_text(re.compile("goes"), timeout=180_000)
        if step < 12:
            page.keyboard.press("ArrowRight")
    page.wait_for_load_state("networkidle")


def chance(page: Any) -> None:
    page.goto("/chance")
    page.wait_for_selector("#tree svg", timeout=180_000)
    page.wait_for_timeout(500)


def decisions(page: Any) -> None:
    page.goto("/decisions")


def matches(page: Any) -> None:
    page.goto("/matches")
    page.select_option("select[name=kind]", "tournament")
    page.fill("input[name=game]", "othello")
    page.fill("textarea[name=players]", "pvs:depth=4\npvs:depth=2\nmcts:simulations=200\nrandom")
    page.fill("input[name=games]", "10")
    page.click("button:has-text('Start')")
    page.wait_for_selector("#latest .small-board:nth-child(4)", timeout=300_000)
    page.wait_for_selector("#live .small-board", timeout=300_000)
    page.wait_for_timeout(1500)


def reduced(shot: Image.Image) -> Image.Image:
    """The picture with few colours: grounds and letters keep theirs, and so do small marks."""
    often = sorted(shot.getcolors(shot.width * shot.height) or [], reverse=True)[: COLOURS // 2]
    rest = shot.quantize(COLOURS // 2, Image.Quantize.MAXCOVERAGE).getpalette() or []
    palette = Image.new("P", (1, 1))
    palette.putpalette([part for _, colour in often for part in colour] + rest[: 3 * (COLOURS // 2)])
    return shot.quantize(palette=palette, dither=Image.Dither.NONE)


ROOMS = (play, explained, lab, gallery, bench, exercises, learning, history, pacman, chance, decisions, matches)


def main(names: list[str]) -> None:
    if unknown := set(names) - {room.__name__ for room in ROOMS}:
        raise SystemExit(f"there is no picture {', '.join(sorted(unknown))}")
    os.environ["PLYWRIGHT_DATA"] = tempfile.mkdtemp()
    with listening(0) as ear, sync_playwright() as driver:
        server = uvicorn.Server(uvicorn.Config(application(), log_level="error", timeout_graceful_shutdown=1))
        serving = threading.Thread(target=server.run, kwargs={"sockets": [ear]}, daemon=True)
        serving.start()
        browser = driver.chromium.launch(executable_path=shutil.which("chromium"), args=["--headless", "--no-sandbox"])
        context = browser.new_context(
            viewport={"width": 1280, "height": 900}, base_url=f"http://{HOST}:{ear.getsockname()[1]}"
        )
        for room in [room for room in ROOMS if not names or room.__name__ in names]:
            page = context.new_page()
            page.set_default_timeout(180_000)  # what is searched for the first time is compiled first
            room(page)
            shot = Image.open(io.BytesIO(page.screenshot(full_page=room is play)))
            few = reduced(shot.convert("RGB"))
            few.save(IMAGES / f"page-{room.__name__}.png", optimize=True)
            print(f"took page-{room.__name__}.png")
        browser.close()
        server.should_exit = True
        serving.join(10)  # before its socket is closed
    shutil.rmtree(os.environ["PLYWRIGHT_DATA"], ignore_errors=True)


if __name__ == "__main__":
    main(sys.argv[1:])
