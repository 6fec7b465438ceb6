"""Take the pictures of the page in docs/images anew: `python docs/take_screenshots.py` (needs chromium and Pillow)."""

from __future__ import annotations

import io
import os
import shutil
import tempfile
import threading
from pathlib import Path
from typing import Any

import uvicorn
from PIL import Image
from playwright.sync_api import sync_playwright

from plywright.web import application
from plywright.web.server import HOST, listening

IMAGES = Path(__file__).parent / "images"
COLOURS = 64
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


def pacman(page: Any) -> None:
    page.goto("/pacman")
    page.wait_for_timeout(3000)
    for _ in range(12):
        page.keyboard.press("ArrowRight")
        page.wait_for_timeout(400)


def chance(page: Any) -> None:
    page.goto("/chance")
    page.wait_for_selector("#tree svg", timeout=180_000)
    page.wait_for_timeout(500)


def decisions(page: Any) -> None:
    page.goto("/decisions")


def matches(page: Any) -> None:
    page.goto("/matches")
    page.select_option("select[name=kind]", "tournament")
    page.fill("textarea[name=players]", "alphabeta:depth=2\nmcts:simulations=50\nfirst\nrandom")
    page.click("button:has-text('Start')")
    page.wait_for_selector("text=; finished", timeout=300_000)
    page.wait_for_timeout(300)


def main() -> None:
    os.environ["PLYWRIGHT_DATA"] = tempfile.mkdtemp()
    with listening(0) as ear, sync_playwright() as driver:
        server = uvicorn.Server(uvicorn.Config(application(), log_level="error", timeout_graceful_shutdown=1))
        threading.Thread(target=server.run, kwargs={"sockets": [ear]}, daemon=True).start()
        browser = driver.chromium.launch(executable_path=shutil.which("chromium"), args=["--headless", "--no-sandbox"])
        context = browser.new_context(
            viewport={"width": 1280, "height": 900}, base_url=f"http://{HOST}:{ear.getsockname()[1]}"
        )
        for room in (play, explained, lab, pacman, chance, decisions, matches):
            page = context.new_page()
            page.set_default_timeout(180_000)  # what is searched for the first time is compiled first
            room(page)
            shot = Image.open(io.BytesIO(page.screenshot(full_page=room is play)))
            shot.convert("RGB").quantize(COLOURS).save(IMAGES / f"page-{room.__name__}.png", optimize=True)
            print(f"took page-{room.__name__}.png")
        browser.close()
        server.should_exit = True
    shutil.rmtree(os.environ["PLYWRIGHT_DATA"], ignore_errors=True)


if __name__ == "__main__":
    main()
