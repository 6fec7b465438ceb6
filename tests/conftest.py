"""Shared by all tests: one cache folder for all workers, and a count of compilations."""

from __future__ import annotations

import contextlib
import os
import shutil
import signal
import subprocess
import sys
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest
from hypothesis import settings as hypothesis_settings

from plywright.compiled import settings

ROOT = Path(__file__).parent.parent
CHROMIUM = os.environ.get("PLYWRIGHT_CHROMIUM") or shutil.which("chromium") or shutil.which("chromium-browser")
ARGUMENTS = [
    "--headless",
    "--no-sandbox",
    "--disable-gpu",
    "--disable-quic",
    "--no-first-run",
    "--disable-background-networking",
    "--disable-component-update",
    "--disable-sync",
]
os.environ.setdefault("PLYWRIGHT_CACHE", str(ROOT / ".plywright-cache"))

hypothesis_settings.register_profile("plywright", deadline=None, derandomize=True)
hypothesis_settings.load_profile("plywright")


@pytest.fixture
def compilations(monkeypatch: pytest.MonkeyPatch) -> list[str]:
    """The names of the games compiled during the test (code loaded from the cache is not compiled)."""
    names: list[str] = []

    @contextlib.contextmanager
    def announce(name: str) -> Iterator[None]:
        names.append(name)
        yield

    monkeypatch.setattr(settings, "announce", announce)
    return names


@pytest.fixture
def fresh_cache(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """An empty cache folder for this test alone."""
    folder = tmp_path / "cache"
    monkeypatch.setenv("PLYWRIGHT_CACHE", str(folder))
    return folder


@pytest.fixture
def python(tmp_path: Path) -> Callable[..., subprocess.CompletedProcess[str]]:
    """Run a piece of Python in a new process, in an empty folder."""

    def run(code: str, *arguments: str, **environment: str) -> subprocess.CompletedProcess[str]:
        return subprocess.run(
            [sys.executable, "-c", code, *arguments],
            cwd=tmp_path,
            env={**os.environ, **environment},
            capture_output=True,
            text=True,
            timeout=120,
        )

    return run


def pytest_configure(config: pytest.Config) -> None:
    """Ctrl-C works in the tests also where they run in the background of a shell, which has it ignored."""
    signal.signal(signal.SIGINT, signal.default_int_handler)


# Tests that wait for other processes, sockets or a browser: one that fails is run once more, and the summary names it.
WAITING = {"arena", "classroom", "cluster", "programs", "web"}


def pytest_collection_modifyitems(items: list[pytest.Item]) -> None:
    for item in items:
        if WAITING & set(item.path.parts) or "chromium" in getattr(item, "fixturenames", ()):
            item.add_marker(pytest.mark.flaky(reruns=1))


@pytest.fixture(scope="session")
def chromium() -> Iterator[Any]:
    """The one browser of a worker, since two of these drivers cannot run in one process."""
    if CHROMIUM is None:
        pytest.skip("no chromium here: apt-get install chromium")
    from playwright.sync_api import expect, sync_playwright

    expect.set_options(timeout=60_000)

    with sync_playwright() as playwright:
        browser = playwright.chromium.launch(executable_path=CHROMIUM, args=ARGUMENTS)
        yield browser
        browser.close()
