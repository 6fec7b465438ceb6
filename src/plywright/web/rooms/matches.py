"""The Matches room: start a match or a tournament, see it stand, step through its games."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator
from typing import Any

from starlette.requests import Request
from starlette.responses import Response
from starlette.routing import Route

from ...arena.export import JSON_LINES, exported
from ...arena.match import MATCH, TOURNAMENT
from ...arena.records import Records
from ...arena.report import report_page
from ...arena.runner import Progress
from ...arena.standings import standings
from ...errors import BadInput
from ...game import Game
from ..catalogue import Catalogue
from ..errors import Missing
from ..matches.asking import EXAMPLES, MOST_GAMES, MOST_SECONDS, check_player, read_plan
from ..matches.keeper import RESTING, RUNNING, WAITING, keeper_of
from ..matches.runs import delete_run, marks_of, new_run, path_of, problem_of, summaries
from ..matches.shown import game_shown, games_shown, standings_shown
from ..pages import asked, fragment, moved, page, sent
from ..room import Room
from ..stream import Event, parts, stream, visit

PAGE = 50
"""Games in a list at a time."""
LOOK = 0.5
"""Seconds between two looks at a run that is being played."""
MOST_PLIES = 100_000


# -- the list, and what can be started ---------------------------------------------------------------------------


async def show(request: Request) -> Response:
    """The runs there are, and the form for a new one with what the address proposes."""
    fields = asked(request)
    keeper = keeper_of(request.app)
    runs = await request.app.state.desk.run(summaries)
    return page(
        request,
        "matches.html",
        runs=[(run, *keeper.standing(run.name)) for run in runs],
        offers=request.app.state.catalogue.offers(),
        programs=_programs(request),
        examples=EXAMPLES,
        kinds=(MATCH, TOURNAMENT),
        kind=fields.choice("kind", (MATCH, TOURNAMENT), MATCH),
        given={
            "game": fields.text("game", "tic-tac-toe", most=200),
            "players": fields.text("players", "alphabeta:depth=2\nrandom", most=4000),
            "games": fields.text("games", "20", most=10),
            "mode": fields.text("mode", "move:0.1s", most=40),
            "openings": fields.text("openings", "auto", most=20),
            "seed": fields.text("seed", "1", most=20),
        },
        most_games=MOST_GAMES,
        most_seconds=MOST_SECONDS,
    )


async def start(request: Request) -> Response:
    """A new run: planned, written down, and played as soon as no other is."""
    fields = await sent(request)
    catalogue, programs = request.app.state.catalogue, _programs(request)
    name = await request.app.state.desk.run(lambda: new_run(read_plan(fields, catalogue, programs)))
    keeper_of(request.app).start(name)
    return moved(f"/matches/runs/{name}")


def _programs(request: Request) -> tuple[str, ...]:
    """The players that were named when the page was started."""
    return tuple(getattr(request.app.state, "programs", ()))


# -- one run -------------------------------------------------------------------------------------------------------


async def show_run(request: Request) -> Response:
    name, number = request.path_params["name"], asked(request).whole("page", 1, 1, 1000)
    catalogue, standing = request.app.state.catalogue, keeper_of(request.app).standing(request.path_params["name"])

    def look() -> dict[str, Any]:
        with Records.open(path_of(name)) as records:
            game, warning = _game(records, catalogue)
            progress = Progress(records.plan, records.outcomes())
            games = games_shown(records)
            return {
                "plan": records.plan,
                "warning": warning,
                "table": standings_shown(standings(progress, game)),
                "is_finished": not progress.left(),
                "games": games[(number - 1) * PAGE : number * PAGE],
                "pages": -(-len(games) // PAGE),
                "forms": (*game.notations, JSON_LINES),
            }

    found = await request.app.state.desk.run(look)
    return page(
        request,
        "matches_run.html",
        name=name,
        number=number,
        standing=standing[0],
        problem=problem_of(name),
        **found,
        progress=_status(*standing, found["table"], found["is_finished"]),
    )


def _status(standing: str, before: int, table: dict[str, Any], is_finished: bool) -> str:
    done = f"{table['played']} of {table['planned']} games"
    if standing == WAITING:
        return f"{done}; waiting: {before} before this one, since one run is played at a time"
    if standing == RUNNING:
        return f"{done}; playing"
    return f"{done}; finished" if is_finished else f"{done}; stopped"


def _game(records: Records, catalogue: Catalogue) -> tuple[Game, str]:
    """The game of a run, if it is one of this page, and a warning if its rules have changed."""
    game = catalogue[records.plan.game]
    same = game.fingerprint == records.plan.rules
    return game, "" if same else f"the rules of {records.plan.game} have changed since this run was played"


async def stream_run(request: Request) -> Response:
    """The standings of a run while it is waiting or being played."""
    path_of(request.path_params["name"])
    return stream(request, _progress(request, request.path_params["name"]))


async def _progress(request: Request, name: str) -> AsyncIterator[Event]:
    keeper, catalogue = keeper_of(request.app), request.app.state.catalogue
    seen: Any = None

    def look() -> tuple[dict[str, Any], bool]:
        with Records.open(path_of(name)) as records:
            game, _ = _game(records, catalogue)
            progress = Progress(records.plan, records.outcomes())
        return standings_shown(standings(progress, game)), not progress.left()

    while (standing := keeper.standing(name))[0] != RESTING:
        marks = (standing, marks_of(name))
        if marks != seen:
            seen = marks
            table, is_finished = await request.app.state.desk.run(look)
            yield parts(
                standings=fragment("matches_standings.html", table=table),
                progress=_status(*standing, table, is_finished),
                bar=fragment("matches_bar.html", table=table),
            )
        await asyncio.sleep(LOOK)
    yield visit(f"/matches/runs/{name}")


async def stop_run(request: Request) -> Response:
    await sent(request)
    name = request.path_params["name"]
    path_of(name)
    keeper = keeper_of(request.app)
    keeper.stop(name)
    for _ in range(50):  # so that the next page says that it has stopped
        if keeper.standing(name)[0] == RESTING:
            break
        await asyncio.sleep(0.1)
    return moved(f"/matches/runs/{name}")


async def resume_run(request: Request) -> Response:
    """Go on with a run, if its players may be chosen on this page."""
    await sent(request)
    name, catalogue, programs = request.path_params["name"], request.app.state.catalogue, _programs(request)

    def check() -> None:
        with Records.open(path_of(name)) as records:
            plan = records.plan
        catalogue[plan.game]
        for player in plan.players:
            check_player(player.text, programs)

    await request.app.state.desk.run(check)
    keeper_of(request.app).start(name)
    return moved(f"/matches/runs/{name}")


async def remove_run(request: Request) -> Response:
    fields = await sent(request)
    name = request.path_params["name"]
    path_of(name)
    if keeper_of(request.app).standing(name)[0] != RESTING:
        raise BadInput(f"{name} is being played: stop it before it is deleted")
    if not fields.ticked("sure"):
        raise BadInput("tick the box to delete the run and all its games")
    delete_run(name)
    return moved("/matches")


# -- its games -----------------------------------------------------------------------------------------------------


async def show_game(request: Request) -> Response:
    """One position of a recorded game."""
    name, at = request.path_params["name"], asked(request).whole("at", 0, 0, MOST_PLIES)
    number, catalogue = request.path_params["number"], request.app.state.catalogue

    def look() -> dict[str, Any]:
        with Records.open(path_of(name)) as records:
            game, warning = _game(records, catalogue)
            if number not in (known := [outcome.game for outcome in records.outcomes()]):
                raise Missing(f"run {name} has no game {number}: it may not have been played yet")
            place = known.index(number)
            return {
                "warning": warning,
                "before": known[place - 1] if place else None,
                "after": next((other for other in known[place:] if other > number), None),
                "game": game_shown(game, records, number, at),
            }

    return page(request, "matches_game.html", name=name, **await request.app.state.desk.run(look))


async def download_report(request: Request) -> Response:
    """The run as one HTML file that needs nothing else."""
    name, catalogue = request.path_params["name"], request.app.state.catalogue

    def draw() -> str:
        with Records.open(path_of(name)) as records:
            game, _ = _game(records, catalogue)
            return report_page(records, game, standings(Progress(records.plan, records.outcomes()), game))

    return _file(await request.app.state.desk.run(draw), "text/html", f"{name}.html")


async def download_games(request: Request) -> Response:
    """The games in a notation of the game, or as JSON lines."""
    name, catalogue = request.path_params["name"], request.app.state.catalogue
    form = asked(request).text("form", JSON_LINES, most=40) or JSON_LINES

    def write() -> str:
        with Records.open(path_of(name)) as records:
            game, _ = _game(records, catalogue)
            return "".join(f"{line}\n" for line in exported(game, records, form))

    ending = "jsonl" if form == JSON_LINES else "txt" if form == "text" else form
    return _file(await request.app.state.desk.run(write), "text/plain", f"{name}.{ending}")


def _file(content: str, kind: str, name: str) -> Response:
    headers = {"content-disposition": f'attachment; filename="{name}"', "cache-control": "no-store"}
    return Response(content, media_type=kind, headers=headers)


ROOM = Room(
    "matches",
    "Matches",
    "Let players meet, watch the standings with their intervals, and step through every game.",
    [
        Route("/matches", show),
        Route("/matches/start", start, methods=["POST"]),
        Route("/matches/runs/{name}", show_run),
        Route("/matches/runs/{name}/stream", stream_run),
        Route("/matches/runs/{name}/stop", stop_run, methods=["POST"]),
        Route("/matches/runs/{name}/resume", resume_run, methods=["POST"]),
        Route("/matches/runs/{name}/delete", remove_run, methods=["POST"]),
        Route("/matches/runs/{name}/games/{number:int}", show_game),
        Route("/matches/runs/{name}/report", download_report),
        Route("/matches/runs/{name}/export", download_games),
    ],
    needs="plywright.arena",
)
