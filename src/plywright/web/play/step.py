"""A table that goes on by itself: one step of chance, or of whoever is no person."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncGenerator
from contextlib import aclosing
from typing import Any

from starlette.applications import Starlette

from ...game import Game
from ..desk import Finished
from .course import Course
from .position import Position
from .scene import CHANCE_TURN, MACHINE, Scene
from .table import Table
from .thinking import Thought, ponder


async def step(app: Starlette, table: Table, game: Game) -> AsyncGenerator[Any, None]:
    """One step of chance or of whoever is no person: what is reported on the way; then it is played and saved.

    If the table has gone on meanwhile, in another tab, nothing is played.
    """
    before, scene = list(table.actions), Scene.openly(table, game)
    course = scene.course
    if scene.turn == CHANCE_TURN:
        table.add(game, course.draw(table.seed))
        return
    if scene.turn != MACHINE or scene.mover is None:
        return
    left = table.left(course, scene.mover, course.last)
    answer: Thought | None = None
    with app.state.ear.hears(table.name, course.last) as hurry:
        work = ponder(table, Position.of(course, course.last), left, app.state.company, hurry)
        async with aclosing(app.state.desk.watch(work)) as watched:
            async for news in watched:
                if isinstance(news, Finished):
                    answer = news.answer
                else:
                    yield news
    table = Table.load(table.name)
    if answer is None or table.actions != before or table.ended:
        return
    if answer.action is None:
        table.ended, table.loser, table.since = f"{answer.offence}.", scene.mover, None
        table.keep()
    else:
        table.add(game, answer.action, seconds=round(answer.seconds, 3), **answer.info)
    if table.finished(course := table.course(game)):
        await dismiss(app, table, course)


async def dismiss(app: Starlette, table: Table, course: Course | None = None) -> None:
    """Nobody goes on at a table: its programs are sent away, and told the result of a game that is over."""
    if table.name not in app.state.company:
        return
    over = course is not None and course.is_over(course.last)
    await asyncio.to_thread(app.state.company.leave, table.name, course.payoffs(course.last) if course and over else ())
