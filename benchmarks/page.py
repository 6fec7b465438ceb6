"""The page in a real browser: how soon the first page is there, and how long a step of a large tree takes.

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
FIRST_TARGET, LARGE_TARGET = "< 200 ms, < 150 kB", "< 120 ms"
TREE = "/lab?from=generated&branching=6&levels=4&algorithm=minimax"
ROUNDS, STEPS = 9, 80
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


def rows() -> list[Row]:
    chromium = environ.get("PLYWRIGHT_CHROMIUM") or shutil.which("chromium") or shutil.which("chromium-browser")
    try:
        from playwright.sync_api import sync_playwright
    except ImportError:
        chromium = None
    if chromium is None:
        why = "needs playwright and chromium"
        return [skipped(FIRST, why, FIRST_TARGET), skipped(LARGE, why, LARGE_TARGET)]
    with served() as address, sync_playwright() as playwright:
        arguments = ["--headless", "--no-sandbox", "--disable-gpu"]
        browser = playwright.chromium.launch(executable_path=chromium, args=arguments)
        found = [first_page(browser, address), large_tree(browser, address)]
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
    met = middle["/"] < 200 and sizes["/"] < 150_000
    lab = f"{middle['/lab']:.0f} ms and {sizes['/lab'] / 1000:.0f} kB for the tree lab"
    return Row(FIRST, f"{middle['/']:.0f} ms, {sizes['/'] / 1000:.0f} kB", lab, None, FIRST_TARGET, met, detail)


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
