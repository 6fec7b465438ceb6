"""What a table's page hears while it is open: thoughts, the analysis, answers, and what other tabs do."""

from __future__ import annotations

import asyncio
import re
from collections.abc import AsyncGenerator, AsyncIterator
from contextlib import aclosing
from typing import Any, NamedTuple

from starlette.requests import Request
from starlette.responses import Response

from ...errors import BadInput, PlywrightError
from ...players.player import read_action
from ..errors import Missing
from ..requests import Visit, form, redirect, visit_of
from ..search_queue import Finished, Waiting
from ..stream import Event, parts, stream, visit
from . import analysis as analyses
from . import game_review
from .analysis import Analysis
from .autoplay import Turn, step, whose_turn
from .progress_parts import waiting_html
from .table import SAVED_TABLES, Table
from .table_view import CHANCE_TURN, MACHINE, TableView

ROLLING = 0.5
"""Seconds for which the dice are in the air."""
LOOK = 0.25
"""Seconds between two looks at whether another tab has gone on."""
LINGER = 1.0
"""Seconds that an analysis goes on while its page is exchanged for the next."""


class Asked(NamedTuple):
    """What a page asks a search about."""

    name: str
    ply: int
    lines: int
    """Of the analysis that is on; 0: it is off."""
    action: int | None
    """The move that "why not?" is about."""


def asked_about(call: Visit) -> Asked:
    """In a worker: the position that a page shows, for advice or analysis; raises BadInput where there is none."""
    table = Table.load(call.params["name"])
    game = call.site.catalogue[table.game]
    table_view = TableView.of(table, game, call.fields)
    advice = not call.path.endswith("/analysis")
    if not (table_view.may_move if advice or table_view.secret else table_view.can_analyse):
        raise BadInput(f"no person is to move there: {table_view.status}")
    position, text = table_view.position, call.fields.text("why", most=300)
    action = read_action(game, position.known, text, position.legal) if call.path.endswith("/why") else None
    return Asked(table.name, table_view.ply, table.lines, action)


async def go_on(request: Request) -> Response:
    """One step of a non-human player, for browsers without scripts."""
    await form(request)
    search_queue, name = request.app.state.search_queue, request.path_params["name"]
    async with aclosing(step(request.app, await search_queue.run(whose_turn, name))) as steps:
        async for _ in steps:
            pass
    turn: Turn = await search_queue.run(whose_turn, name)
    return redirect(turn.address).response()


async def think(request: Request) -> Response:
    """The stream of a table at which somebody thinks, or the dice roll; at its end, where to go."""
    search_queue, name = request.app.state.search_queue, request.path_params["name"]
    first: Turn = await search_queue.run(whose_turn, name)

    async def events() -> AsyncIterator[Event]:
        turn = first
        while turn.kind in (MACHINE, CHANCE_TURN) and not turn.paused:
            if turn.kind == CHANCE_TURN:
                await asyncio.sleep(ROLLING)
            async with aclosing(step(request.app, turn)) as steps:
                async for event in steps:
                    yield event
            turn = await search_queue.run(whose_turn, name)
            if not turn.secret:
                break
        yield visit(turn.address)

    return stream(request, events())


async def judge(request: Request) -> Response:
    """The stream of a game that is being explained; at its end, where it is shown."""
    name = request.path_params["name"]

    async def events() -> AsyncGenerator[Event, None]:
        work = request.app.state.background.watch(
            f"review {name}", game_review.explain_game, name, limit=game_review.PATIENCE, subject=name, keep=False
        )
        async with aclosing(work) as watched:
            async for news in watched:
                if isinstance(news, Waiting):
                    yield parts(judging=waiting_html(news))
                elif not isinstance(news, Finished):
                    yield parts(judging=news)
        yield visit(f"/play/t/{name}/review")

    return stream(request, _settled(events(), "judging"))


async def watch(request: Request) -> Response:
    """The stream of a page on which nothing happens by itself: where to go when another tab has gone on."""
    name = request.path_params["name"]
    seat = request.query_params.get("seat", "")
    standing = standing_of(name)
    if re.fullmatch("[0-9]{1,9}", shown := request.query_params.get("at", "")):
        standing = (int(shown), *standing[1:])

    async def events() -> AsyncIterator[Event]:
        seen: float = 0.0
        while True:
            changed = _changed(name)
            if changed != seen:
                seen = changed
                try:
                    now = standing_of(name)
                except Missing:
                    return
                if now != standing:
                    at = f"?seat={seat}" if seat.isdigit() else f"?ply={now[0]}" if shown else ""
                    yield visit(f"/play/t/{name}{at}")
                    return
            await asyncio.sleep(LOOK)

    return stream(request, events())


def standing_of(name: str) -> tuple[int, str, bool]:
    """How far a table has come, in words that need no rules."""
    content = SAVED_TABLES[name]
    try:
        return len(content["actions"]), str(content.get("ended", "")), bool(content.get("paused", False))
    except (KeyError, TypeError, AttributeError):
        raise Missing(f"what is saved under {name!r} is no game of the page") from None


def _changed(name: str) -> float:
    try:
        return (SAVED_TABLES.folder / f"{name}.json").stat().st_mtime
    except OSError:
        return -1.0


# -- advice -------------------------------------------------------------------------------------------------


def _searched(request: Request, asked: Asked) -> AsyncGenerator[Any, None]:
    """The one search of a position: analysis, hint and why-not share it, and it is done once."""
    seconds, linger = (analyses.LONGEST, LINGER) if asked.lines else (analyses.HINT, 8.0)
    lines = asked.lines or 1
    found: AsyncGenerator[Any, None] = request.app.state.background.watch(
        f"analysis {asked.name} {asked.ply} {asked.lines}",
        *(analyses.analyse, asked.name, asked.ply, lines, seconds),
        subject=asked.name,
        linger=linger,
    )
    return found


async def _within(watched: AsyncGenerator[Any, None], seconds: float) -> AsyncGenerator[Any, None]:
    """The news of so many seconds, counted from the first one that says something; the last one as `Finished`."""
    loop, latest = asyncio.get_running_loop(), None
    deadline: float | None = None
    while True:
        try:
            left = None if deadline is None else max(deadline - loop.time(), 0.0)
            news = await asyncio.wait_for(anext(watched), left)
        except TimeoutError:
            yield Finished(latest)
            return
        except StopAsyncIteration:
            return
        yield news
        if isinstance(news, Finished):
            return
        if isinstance(news, Analysis):
            latest, deadline = news, deadline or loop.time() + seconds


async def analyse(request: Request) -> Response:
    """The stream of the analysis that is on: lines, bar and arrows."""
    asked: Asked = await request.app.state.search_queue.run(asked_about, await visit_of(request))

    async def events() -> AsyncGenerator[Event, None]:
        if not asked.lines:
            return
        async with aclosing(_searched(request, asked)) as watched:
            async for news in watched:
                if isinstance(news, Waiting):
                    yield parts(lines=waiting_html(news))
                else:
                    yield parts(lines=(news.answer if isinstance(news, Finished) else news).lines)

    return stream(request, _settled(events(), "lines"))


async def give_hint(request: Request) -> Response:
    """The stream of a hint for the position that a person is in."""
    asked: Asked = await request.app.state.search_queue.run(asked_about, await visit_of(request))

    async def events() -> AsyncGenerator[Event, None]:
        async with aclosing(_searched(request, asked)) as searched, aclosing(_within(searched, analyses.HINT)) as news:
            async for one in news:
                if isinstance(one, Waiting):
                    yield parts(advice=waiting_html(one))
                else:
                    yield parts(advice=one.answer.last_hint if isinstance(one, Finished) else one.hint)

    return stream(request, _settled(events(), "advice"))


async def refute(request: Request) -> Response:
    """The stream that ends with why a move is not the best."""
    asked: Asked = await request.app.state.search_queue.run(asked_about, await visit_of(request))

    async def events() -> AsyncGenerator[Event, None]:
        best: Any = None
        async with aclosing(_searched(request, asked)) as searched, aclosing(_within(searched, analyses.HINT)) as news:
            async for one in news:
                if isinstance(one, Waiting):
                    yield parts(reason=waiting_html(one))
                elif isinstance(one, Finished):
                    best = one.answer.found
        why = request.app.state.search_queue.watch(
            analyses.why_not, asked.name, asked.ply, asked.action, best, analyses.WHY
        )
        async with aclosing(why) as watched:
            async for one in watched:
                if isinstance(one, Waiting):
                    yield parts(reason=waiting_html(one))
                elif isinstance(one, Finished):
                    yield parts(reason=one.answer)

    return stream(request, _settled(events(), "reason"))


async def _settled(events: AsyncGenerator[Event, None], part: str) -> AsyncGenerator[Event, None]:
    """The events; where none will follow, that part of the page does not say that somebody thinks."""
    async with aclosing(events) as watched:
        try:
            async for event in watched:
                yield event
        except PlywrightError:
            yield parts(**{part: "no answer"})
            raise
