"""The queue of searches: its limits, what it reports, and that nobody's leaving blocks a place."""

from __future__ import annotations

import asyncio
import threading
from typing import Any

import pytest
from loops import finished

from plywright.web.desk import Desk, Finished, Waiting
from plywright.web.errors import Busy


def test_reports_come_in_order_and_then_the_answer() -> None:
    def work(report: Any, stop: threading.Event) -> str:
        report(1)
        report(2)
        return "done"

    async def main() -> list[Any]:
        return [news async for news in Desk(1).watch(work)]

    assert finished(main()) == [1, 2, Finished("done")]


def test_what_the_work_raises_is_raised_and_the_place_is_free_again() -> None:
    async def main() -> None:
        desk = Desk(1)
        for _ in range(3):
            with pytest.raises(ValueError, match="no"):
                await desk.run(lambda: (_ for _ in ()).throw(ValueError("no")))
        await asyncio.sleep(0)
        assert desk.errands.running == 0

    finished(main())


def test_more_work_than_places_waits_and_beyond_the_queue_is_refused() -> None:
    async def main() -> None:
        desk, gate = Desk(1, queue=1), threading.Event()
        first = desk.watch(lambda report, stop: (report("began"), gate.wait())[1])
        assert await anext(first) == "began"
        waiting = desk.watch(lambda report, stop: "second")
        assert await anext(waiting) == Waiting(1)
        with pytest.raises(Busy, match="wait already"):
            await anext(desk.watch(lambda report, stop: None))
        assert await desk.run(lambda: "short") == "short"  # what a page needs does not wait for searches
        gate.set()
        assert [news async for news in waiting][-1] == Finished("second")
        assert [news async for news in first] == [Finished(True)]

    finished(main())


def test_whoever_stops_listening_stops_the_work_and_one_in_the_queue_leaves_it() -> None:
    async def main() -> None:
        desk, stopped = Desk(1), threading.Event()

        def work(report: Any, stop: threading.Event) -> None:
            report("began")
            stop.wait(10)
            stopped.set()

        running = desk.watch(work)
        assert await anext(running) == "began"
        waiting = desk.watch(work)
        assert await anext(waiting) == Waiting(1)
        await waiting.aclose()
        assert desk.searches.waiting == []
        await running.aclose()
        assert stopped.wait(5)
        for _ in range(100):
            if desk.searches.running == 0:
                return
            await asyncio.sleep(0.01)
        raise AssertionError("the place was never given back")

    finished(main())
