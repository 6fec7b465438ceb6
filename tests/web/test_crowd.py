"""Twenty people at once: every answer is a page, and nobody waits long for a page that needs no search."""

from __future__ import annotations

import random
import threading
import time
from typing import Any

import httpx2
import pytest

CLIENTS = 20


def crowd(address: str, seconds: float, pages: list[str]) -> list[str]:
    """What went wrong while so many clients asked for pages, each at its own pace."""
    faults: list[str] = []
    end = time.monotonic() + seconds

    def visit(seed: int) -> None:
        dice = random.Random(seed)
        with httpx2.Client(base_url=address, timeout=60, follow_redirects=True) as client:
            while time.monotonic() < end:
                page = dice.choice(pages)
                try:
                    answer: Any = client.get(page)
                    if answer.status_code != 200:
                        faults.append(f"{page}: {answer.status_code}")
                except httpx2.HTTPError as error:
                    faults.append(f"{page}: {error!r}")
                time.sleep(dice.random() * 0.2)

    threads = [threading.Thread(target=visit, args=(seed,)) for seed in range(CLIENTS)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    return faults


@pytest.mark.parametrize("seconds", [3, pytest.param(60, marks=pytest.mark.slow)])
def test_twenty_clients_at_once_see_no_error(address: str, client: Any, seconds: float) -> None:
    pages = ["/", "/health", *(f"/{room.name}" for room in client.app.state.rooms)]
    assert crowd(address, seconds, pages) == []
