"""A lesson in the making: a page that asks for it waits a moment, and then watches it from another request."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator
from contextlib import aclosing

from ..catalogue import Catalogue
from ..desk import Desk, Finished, Waiting
from .lesson import Lesson, Lessons, lesson_key
from .setup import Setup

PATIENCE = 1.5
"""Seconds after which a page says that the search runs, instead of staying silent."""


class Errand:
    """One search at the desk; `before` is how many come first, 0 once it runs."""

    def __init__(self, desk: Desk, lessons: Lessons, setup: Setup, catalogue: Catalogue) -> None:
        self.before = 0
        self.task = asyncio.get_running_loop().create_task(self._run(desk, lessons, setup, catalogue))
        self.task.add_done_callback(lambda task: task.cancelled() or task.exception())  # told or not, it is seen

    async def _run(self, desk: Desk, lessons: Lessons, setup: Setup, catalogue: Catalogue) -> Lesson:
        def work(report: object, stop: object) -> Lesson:
            self.before = 0
            return lessons.make(setup, catalogue)

        async with aclosing(desk.watch(work)) as watched:
            async for news in watched:
                if isinstance(news, Waiting):
                    self.before = news.before
                elif isinstance(news, Finished):
                    assert isinstance(news.answer, Lesson)
                    return news.answer
        raise AssertionError("watched work always finishes")

    @property
    def words(self) -> str:
        return f"waiting: {self.before} before you" if self.before else "the search runs"

    async def patiently(self) -> bool:
        """Whether the lesson is ready, after a short wait."""
        return bool((await asyncio.wait([self.task], timeout=PATIENCE))[0])

    async def news(self) -> AsyncIterator[str]:
        """Words about it whenever they change, until it is done; raises what the search raises."""
        said = ""
        while not self.task.done():
            if self.words != said:
                said = self.words
                yield said
            await asyncio.wait([self.task], timeout=0.3)
        self.task.result()


class Errands:
    """The searches under way, so that two requests for one lesson share it."""

    def __init__(self, lessons: Lessons) -> None:
        self.lessons = lessons
        self.running: dict[Setup, Errand] = {}

    def send(self, desk: Desk, setup: Setup, catalogue: Catalogue) -> Errand:
        key = lesson_key(setup)
        errand = self.running.get(key)
        if errand is None or errand.task.done():
            errand = self.running[key] = Errand(desk, self.lessons, setup, catalogue)
            errand.task.add_done_callback(lambda task: self.running.pop(key, None))
        return errand
