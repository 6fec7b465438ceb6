"""The page in a real browser: the first page, a move's answer, what a stream disturbs, a step of a large tree.

By itself (`python benchmarks/page.py`) it prints its rows.
"""

from __future__ import annotations

import re
import shutil
import statistics
import subprocess
import sys
import tempfile
from collections.abc import Iterator
from contextlib import contextmanager
from os import environ
from typing import Any

from measure import Row, skipped

FIRST, LARGE = "the page: first page in the browser", "the page: one step of a tree of 1,555 nodes"
FIRST_TARGET, LARGE_TARGET = "< 200 ms, < 200 kB", "< 120 ms"
MOVED, STREAMED = "the page: a move is answered", "the page: an analysis streams"
MOVED_TARGET, STREAMED_TARGET = "< 100 ms from the click, the engine apart", "no layout shift, no task over 50 ms"
TREE = "/lab?from=generated&branching=6&levels=4&algorithm=minimax"
ROUNDS, STEPS, WATCHED = 9, 80, 6.0
LOADED = """() => {
  const page = performance.getEntriesByType("navigation")[0], parts = performance.getEntriesByType("resource");
  return [page.loadEventEnd, page.transferSize + parts.reduce((sum, part) => sum + part.transferSize, 0)];
}"""
STEPPED = """async count => {
  const spent = [];
  for (let i = 0; i < count; i += 1) {
    const began = performance.now();
    document.getElementById("next").click();
    await new Promise(done => requestAnimationFrame(() => setTimeout(done, 0)));   // after it was painted
    spent.push(performance.now() - began);
  }
  return spent;
}"""


CLICKED = """name => new Promise(done => {
  const place = document.querySelector(`g[data-place="${name}"]`), board = document.getElementById("board");
  const began = performance.now();
  const seen = new MutationObserver(() => {
    if (!document.querySelector(`g[data-place="${name}"] > [data-upright]`)) return;
    seen.disconnect();
    done(performance.now() - began);
  });
  seen.observe(board.parentNode, { childList: true, subtree: true, attributes: true });
  place.dispatchEvent(new MouseEvent("click", { bubbles: true }));
})"""
WATCH = """() => {
  window.disturbed = { shift: 0, longest: 0, updates: 0 };
  const watch = (type, hear) => new PerformanceObserver(list => list.getEntries().forEach(hear)).observe({ type });
  watch("layout-shift", one => { if (!one.hadRecentInput) disturbed.shift += one.value; });
  watch("longtask", one => { disturbed.longest = Math.max(disturbed.longest, one.duration); });
  document.addEventListener("plywright:parts", () => { disturbed.updates += 1; });
}"""
"""Long tasks are those over 50 ms."""


def rows() -> list[Row]:
    chromium = environ.get("PLYWRIGHT_CHROMIUM") or shutil.which("chromium") or shutil.which("chromium-browser")
    try:
        from playwright.sync_api import sync_playwright
    except ImportError:
        chromium = None
    if chromium is None:
        why = "needs playwright and chromium"
        wanted = {FIRST: FIRST_TARGET, MOVED: MOVED_TARGET, STREAMED: STREAMED_TARGET, LARGE: LARGE_TARGET}
        return [skipped(name, why, target) for name, target in wanted.items()]
    with served() as address, sync_playwright() as playwright:
        arguments = ["--headless", "--no-sandbox", "--disable-gpu"]
        browser = playwright.chromium.launch(executable_path=chromium, args=arguments)
        found = [each(browser, address) for each in (first_page, answered_move, streamed_analysis, large_tree)]
        browser.close()
    return found


@contextmanager
def served() -> Iterator[str]:
    """The address of a server of its own."""
    with tempfile.TemporaryDirectory() as data:
        process = subprocess.Popen(
            [sys.executable, "-u", "-m", "plywright", "web", "--no-browser", "--port", "0"],
            stdout=subprocess.PIPE,
            text=True,
            env={**environ, "PLYWRIGHT_DATA": data},
        )
        assert process.stdout is not None
        told = process.stdout.readline()
        address = re.search(r"http://\S+", told)
        assert address is not None, told
        yield address[0].rstrip("/")
        process.terminate()
        process.wait(10)


def first_page(browser: Any, address: str) -> Row:
    """Each time in a browser that has nothing in its cache; the first visit, which fills the server's, not counted."""
    spent: dict[str, list[float]] = {"/": [], "/lab": []}
    sizes: dict[str, int] = {}
    for path in [*spent] * (ROUNDS + 1):
        context = browser.new_context()
        page = context.new_page()
        page.goto(address + path)
        time, size = page.evaluate(LOADED)
        spent[path].append(time)
        sizes[path] = size
        context.close()
    middle = {path: statistics.median(times[1:]) for path, times in spent.items()}
    detail = {
        f"{path} {what}": value for path in spent for what, value in (("ms", middle[path]), ("bytes", sizes[path]))
    }
    met = middle["/"] < 200 and sizes["/"] < 200_000
    lab = f"{middle['/lab']:.0f} ms and {sizes['/lab'] / 1000:.0f} kB for the tree lab"
    return Row(FIRST, f"{middle['/']:.0f} ms, {sizes['/'] / 1000:.0f} kB", lab, None, FIRST_TARGET, met, detail)


def seated(page: Any, address: str, game: str) -> None:
    """A table of two people."""
    page.goto(f"{address}/play/new?game={game}")
    page.select_option("select[name=seat1]", "human")
    page.click("form.panel button.main")
    page.wait_for_selector("g.can")


def answered_move(browser: Any, address: str) -> Row:
    """From the click to the mark on the board, in games of tic-tac-toe between two people."""
    page, spent = browser.new_page(viewport={"width": 1366, "height": 768}), []
    for _ in range(3):
        seated(page, address, "tic-tac-toe")
        for move in ("a1", "b2", "c3", "a3"):
            page.locator(f'g[data-place="{move}"].can').wait_for()
            spent.append(page.evaluate(CLICKED, move))
            page.wait_for_load_state("networkidle")
    page.close()
    middle, late = statistics.median(spent[1:]), max(spent[1:])
    detail = {"median ms": middle, "most ms": late}
    return Row(MOVED, f"{middle:.0f} ms", f"at most {late:.0f} ms", None, MOVED_TARGET, middle < 100, detail)


def streamed_analysis(browser: Any, address: str) -> Row:
    """Three lines of an analysis of Othello, while nothing is touched."""
    page = browser.new_page(viewport={"width": 1366, "height": 768})
    page.set_default_timeout(120_000)  # the search is compiled first
    seated(page, address, "othello&moves=f5d6c3")
    page.keyboard.press("a")
    page.locator("#lines .said-move").first.wait_for()
    page.evaluate(WATCH)
    page.wait_for_timeout(1000 * WATCHED)
    found = page.evaluate("disturbed")
    page.close()
    met = found["shift"] == 0 and found["longest"] <= 50 and found["updates"] > 0
    words = f"shift {found['shift']:.3f}, longest task {found['longest']:.0f} ms"
    return Row(STREAMED, words, f"{found['updates']} updates in {WATCHED:g} s", None, STREAMED_TARGET, met, found)


def large_tree(browser: Any, address: str) -> Row:
    page = browser.new_page(viewport={"width": 1280, "height": 900})
    page.goto(address + TREE)
    page.locator("#tree").wait_for()
    spent = sorted(page.evaluate(STEPPED, STEPS))
    middle, late = statistics.median(spent), spent[int(len(spent) * 0.95)]
    detail = {"median ms": middle, "95% ms": late}
    page.close()
    return Row(LARGE, f"{middle:.0f} ms", f"95 % within {late:.0f} ms", None, LARGE_TARGET, middle < 120, detail)


if __name__ == "__main__":
    for row in rows():
        print(f"{row.name}: {row.ours} ({row.theirs}); {row.target} {'met' if row.met else 'not met'}")
