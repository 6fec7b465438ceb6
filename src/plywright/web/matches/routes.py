"""The Matches room: start a match or a tournament, see it stand, step through its games."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator
from typing import Any

from starlette.applications import Starlette
from starlette.requests import Request
from starlette.responses import Response
from starlette.routing import Route

from ...arena.match import MATCH, TOURNAMENT
from ...arena.records.export import JSON_LINES, exported
from ...arena.records.run_file import Records
from ...arena.reports.report import report_page
from ...arena.schedules.progress import Progress
from ...arena.standings import standings
from ...errors import BadInput
from ...game import Game
from ..catalogue import Catalogue
from ..errors import Missing
from ..rendering import rendered
from ..requests import AFTERWARDS, Reply, Visit, download, form, page, query, redirect, visit_of, worked
from ..room import Room
from ..stream import Event, parts, stream, visit
from ..worker_pool import here
from .live import live_mark, live_shown
from .match_form import EXAMPLES, MOST_GAMES, MOST_SECONDS, check_plan, read_plan
from .run_queue import RESTING, RUNNING, WAITING, run_queue_of
from .run_view import game_shown, games_shown, latest_shown, standings_shown
from .runs import Summary, delete_run, marks_of, new_run, path_of, problem_of, summaries

PAGE = 50
"""Games in a list at a time."""
LOOK = 0.5
"""Seconds between two looks at a run that is being played."""
MOST_PLIES = 100_000
LONG = 60.0
"""Seconds for what looks at every game of a run."""


# -- the list, and what can be started ---------------------------------------------------------------------------


def listed(call: Visit, found: list[tuple[Summary, str, int]]) -> Reply:
    """In a worker: the page of the runs there are, and the form for a new one with what the address proposes."""
    fields = call.fields
    return page(
        call,
        "matches.html",
        runs=found,
        offers=call.site.catalogue.offers(),
        programs=call.site.programs,
        examples=EXAMPLES,
        kinds=(MATCH, TOURNAMENT),
        kind=fields.choice("kind", (MATCH, TOURNAMENT), MATCH),
        given={
            "game": fields.text("game", "tic-tac-toe", most=200),
            "players": fields.text("players", "alphabeta:depth=2\nrandom", most=4000),
            "games": fields.text("games", "20", most=10),
            "mode": fields.text("mode", "move:0.1s", most=40),
            "openings": fields.text("openings", "auto", most=20),
            "seed": fields.text("seed", "", most=20),
        },
        most_games=MOST_GAMES,
        most_seconds=MOST_SECONDS,
    )


async def show(request: Request) -> Response:
    """The list, with what is being played now."""
    run_queue, search_queue = run_queue_of(request.app), request.app.state.search_queue
    runs = [(run, *run_queue.standing(run.name)) for run in await search_queue.run(summaries)]
    reply: Reply = await search_queue.run(listed, await visit_of(request), runs)
    return reply.response()


def planned(call: Visit) -> Reply:
    """In a worker: a new run, planned and written down; it is played as soon as no other is."""
    name = new_run(read_plan(call.fields, call.site.catalogue, call.site.programs))
    return redirect(f"/matches/runs/{name}", (START, name))


async def begin(app: Starlette, name: str) -> None:
    run_queue_of(app).start(name)


START = "matches: start"
AFTERWARDS[START] = begin


# -- one run -------------------------------------------------------------------------------------------------------


def looked_at(call: Visit, standing: tuple[str, int]) -> Reply:
    """In a worker: the page of one run."""
    name, number = call.params["name"], call.fields.whole("page", 1, 1, 1000)
    with Records.open(path_of(name)) as records:
        game, warning = _game(records, call.site.catalogue)
        progress = Progress(records.plan, records.outcomes())
        games = games_shown(records)
        table, is_finished = standings_shown(standings(progress, game)), not progress.left()
        return page(
            call,
            "matches_run.html",
            name=name,
            number=number,
            standing=standing[0],
            problem=problem_of(name),
            plan=records.plan,
            warning=warning,
            table=table,
            is_finished=is_finished,
            live=live_shown(game, records.plan, path_of(name)) if standing[0] == RUNNING else None,
            latest=latest_shown(game, records),
            games=games[(number - 1) * PAGE : number * PAGE],
            pages=-(-len(games) // PAGE),
            forms=(*game.notations, JSON_LINES),
            progress=_status(*standing, table, is_finished),
        )


async def show_run(request: Request) -> Response:
    standing = run_queue_of(request.app).standing(request.path_params["name"])
    reply: Reply = await request.app.state.search_queue.run(looked_at, await visit_of(request), standing, limit=LONG)
    return reply.response()


def _status(standing: str, before: int, table: dict[str, Any], is_finished: bool) -> str:
    done = f"{table['played']} of {table['planned']} games"
    distinct = f"; {table['different']} distinct" if table["played"] else ""
    if standing == WAITING:
        return f"{done}; waiting: {before} before this one, since one run is played at a time{distinct}"
    if standing == RUNNING:
        return f"{done}; playing{distinct}"
    return f"{done}; {'finished' if is_finished else 'stopped'}{distinct}"


def _game(records: Records, catalogue: Catalogue) -> tuple[Game, str]:
    """The game of a run, if it is one of this page, and a warning if its rules have changed."""
    game = catalogue[records.plan.game]
    same = game.fingerprint == records.plan.rules
    return game, "" if same else f"the rules of {records.plan.game} have changed since this run was played"


async def stream_run(request: Request) -> Response:
    """The standings of a run while it is waiting or being played."""
    path_of(request.path_params["name"])
    return stream(request, _progress(request, request.path_params["name"]))


def progress_of(name: str, standing: tuple[str, int], number: int) -> Event:
    """In a worker: how a run stands, as parts of its page, which shows that page of the games."""
    with Records.open(path_of(name)) as records:
        game, _ = _game(records, here().catalogue)
        progress = Progress(records.plan, records.outcomes())
        games, latest = games_shown(records), latest_shown(game, records)
    table = standings_shown(standings(progress, game))
    shown = {"games": games[(number - 1) * PAGE : number * PAGE], "pages": -(-len(games) // PAGE), "number": number}
    return parts(
        standings=rendered("matches_standings.html", table=table),
        status=_status(*standing, table, not progress.left()),
        bar=rendered("matches_bar.html", table=table),
        latest=rendered("matches_latest.html", latest=latest, name=name),
        games=rendered("matches_games.html", name=name, **shown),
    )


def live_game(name: str) -> Event:
    """In a worker: the board of the game under way, as a part of the run's page."""
    with Records.open(path_of(name)) as records:
        game, _ = _game(records, here().catalogue)
        return parts(live=rendered("matches_live.html", live=live_shown(game, records.plan, path_of(name))))


async def _progress(request: Request, name: str) -> AsyncIterator[Event]:
    run_queue, seen, watched = run_queue_of(request.app), None, 0
    number = query(request).whole("page", 1, 1, 1000)
    while (standing := run_queue.standing(name))[0] != RESTING:
        marks = (standing, marks_of(name))
        if marks != seen:
            seen = marks
            yield await request.app.state.search_queue.run(progress_of, name, standing, number, limit=LONG)
        if (mark := live_mark(path_of(name))) != watched:
            watched = mark
            yield await request.app.state.search_queue.run(live_game, name)
        await asyncio.sleep(LOOK)
    yield visit(f"/matches/runs/{name}")


async def stop_run(request: Request) -> Response:
    await form(request)
    name = request.path_params["name"]
    path_of(name)
    run_queue = run_queue_of(request.app)
    run_queue.stop(name)
    for _ in range(50):  # so that the next page says that it has stopped
        if run_queue.standing(name)[0] == RESTING:
            break
        await asyncio.sleep(0.1)
    return redirect(f"/matches/runs/{name}").response()


def resumed(call: Visit) -> Reply:
    """In a worker: go on with a run, if its players may be chosen on this page."""
    name = call.params["name"]
    with Records.open(path_of(name)) as records:
        check_plan(records.plan, call.site.catalogue.own, call.site.programs)
    return redirect(f"/matches/runs/{name}", (START, name))


async def remove_run(request: Request) -> Response:
    fields = await form(request)
    name = request.path_params["name"]
    path_of(name)
    if run_queue_of(request.app).standing(name)[0] != RESTING:
        raise BadInput(f"{name} is being played: stop it before it is deleted")
    if not fields.ticked("sure"):
        raise BadInput("tick the box to delete the run and all its games")
    delete_run(name)
    return redirect("/matches").response()


# -- its games -----------------------------------------------------------------------------------------------------


def show_game(call: Visit) -> Reply:
    """In a worker: one position of a recorded game."""
    name, at, number = call.params["name"], call.fields.whole("at", 0, 0, MOST_PLIES), call.params["number"]
    with Records.open(path_of(name)) as records:
        game, warning = _game(records, call.site.catalogue)
        if number not in (known := [outcome.game for outcome in records.outcomes()]):
            raise Missing(f"run {name} has no game {str(number)[:20]}: it may not have been played yet")
        place = known.index(number)
        return page(
            call,
            "matches_game.html",
            name=name,
            warning=warning,
            before=known[place - 1] if place else None,
            after=next((other for other in known[place:] if other > number), None),
            game=game_shown(game, records, number, at),
        )


def download_report(call: Visit) -> Reply:
    """In a worker: the run as one HTML file that needs nothing else."""
    name = call.params["name"]
    with Records.open(path_of(name)) as records:
        game, _ = _game(records, call.site.catalogue)
        drawn = report_page(records, game, standings(Progress(records.plan, records.outcomes()), game))
    return download(drawn, "text/html", f"{name}.html")


def download_games(call: Visit) -> Reply:
    """In a worker: the games in a notation of the game, or as JSON lines."""
    name, form = call.params["name"], call.fields.text("form", JSON_LINES, most=40) or JSON_LINES
    with Records.open(path_of(name)) as records:
        game, _ = _game(records, call.site.catalogue)
        written = "".join(f"{line}\n" for line in exported(game, records, form))
    ending = "jsonl" if form == JSON_LINES else "txt" if form == "text" else form
    return download(written, "text/plain", f"{name}.{ending}")


ROOM = Room(
    "matches",
    "Matches",
    "Let players meet, watch the standings with their intervals, and step through every game.",
    [
        Route("/matches", show),
        Route("/matches/start", worked(planned), methods=["POST"]),
        Route("/matches/runs/{name}", show_run),
        Route("/matches/runs/{name}/stream", stream_run),
        Route("/matches/runs/{name}/stop", stop_run, methods=["POST"]),
        Route("/matches/runs/{name}/resume", worked(resumed), methods=["POST"]),
        Route("/matches/runs/{name}/delete", remove_run, methods=["POST"]),
        Route("/matches/runs/{name}/games/{number:int}", worked(show_game)),
        Route("/matches/runs/{name}/report", worked(download_report, LONG)),
        Route("/matches/runs/{name}/export", worked(download_games, LONG)),
    ],
    needs="plywright.arena",
)
