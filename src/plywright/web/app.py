"""The app: rooms, static files, and every error as a sentence in the page."""

from __future__ import annotations

import asyncio
import re
import secrets
import threading
from collections.abc import AsyncIterator, Sequence
from contextlib import asynccontextmanager
from mimetypes import guess_type

from starlette.applications import Starlette
from starlette.exceptions import HTTPException
from starlette.middleware import Middleware
from starlette.middleware.gzip import GZipMiddleware
from starlette.requests import ClientDisconnect, Request
from starlette.responses import JSONResponse, Response
from starlette.routing import Route

from .. import __version__
from ..errors import PlywrightError
from . import doors
from .background_work import BackgroundWork
from .errors import Busy, Lost, Missing, StaleToken, fault_words
from .guard import Guard
from .play.move_now import MoveNowSignals
from .play.program_pool import ProgramPool
from .play.seats import check_learned, check_programs
from .rendering import asset_content
from .requests import is_partial, plain_page
from .search_queue import SearchQueue
from .site import Site
from .stream import said
from .thumbnails import thumbnails

STATIC = (
    "colours.css",
    "page.css",
    "page.js",
    "replay.css",
    "replay.js",
    "vendor/htmx.min.js",
    "worksheet.css",
)
"""The files that every page may ask for; rooms add their own: `play.js`, `play_desk.js`."""
STATUS: dict[type[Exception], int] = {StaleToken: 403, Busy: 503, Lost: 503, Missing: 404}
PARTING = 0.4
"""Seconds that programs have to exit when the server stops; after that their supervisors end them."""


def application(
    games: Sequence[str] = (),
    *,
    programs: Sequence[str] = (),
    learned: Sequence[str] = (),
    search_queue: SearchQueue | None = None,
) -> Starlette:
    """The app with every room that can be opened; `games` are files and `programs` players of the user's own.

    `learned` are files of knowledge whose checkpoints may be seated.

    Raises BadInput or GameError where such a file cannot be loaded or a program is none.
    """
    site = Site.founded(games, check_programs(programs), secrets.token_urlsafe(24), check_learned(learned))
    routes = [
        Route("/", home),
        Route("/health", health),
        Route("/static/{name:path}", static),
        *doors.ROUTES,
    ]
    app = Starlette(
        routes=[*routes, *(route for room in site.rooms for route in room.routes)],
        middleware=[Middleware(Guard), Middleware(GZipMiddleware, minimum_size=1000, compresslevel=5)],
        exception_handlers={
            PlywrightError: mistake,
            HTTPException: nothing_there,
            ClientDisconnect: nobody_there,
            Exception: fault,
        },
        lifespan=living,
    )
    app.state.site, app.state.rooms, app.state.token = site, site.rooms, site.token
    app.state.catalogue, app.state.programs = site.catalogue, site.programs
    app.state.program_pool = ProgramPool(site.programs)
    app.state.move_now = MoveNowSignals()
    app.state.search_queue = search_queue or SearchQueue()
    app.state.search_queue.serve(site.options)
    app.state.background = BackgroundWork(app.state.search_queue)
    return app


@asynccontextmanager
async def living(app: Starlette) -> AsyncIterator[None]:
    """While the server runs; when it stops, neither a worker nor a program is left behind."""
    app.state.closing = asyncio.Event()
    app.state.search_queue.open()
    threading.Thread(target=thumbnails, daemon=True, name="thumbnails").start()  # drawn before somebody asks
    yield
    app.state.closing.set()
    app.state.search_queue.close()
    parting = threading.Thread(target=app.state.program_pool.close, daemon=True)
    parting.start()
    await asyncio.get_running_loop().run_in_executor(None, parting.join, PARTING)


async def home(request: Request) -> Response:
    """The doors to the rooms, each with its picture in the page: one answer, and no document of its own for each."""
    return plain_page(request, "home.html", pictures=await asyncio.to_thread(thumbnails))


async def health(request: Request) -> Response:
    """For scripts that wait until the server is there again."""
    return JSONResponse({"plywright": __version__})


async def static(request: Request) -> Response:
    name = request.path_params["name"]
    rooms = [room.name for room in request.app.state.rooms]
    own = re.fullmatch(r"([a-z]+)(_[a-z]+)?\.(js|css)", name)
    if name not in STATIC and not (own and own[1] in rooms):
        raise HTTPException(404)
    try:
        content = asset_content(name)
    except FileNotFoundError:
        raise HTTPException(404) from None
    kept = "public, max-age=31536000, immutable" if request.url.query else "no-cache"
    return Response(content, media_type=guess_type(name)[0], headers={"cache-control": kept})


# -- mistakes -----------------------------------------------------------------------------------------------


async def mistake(request: Request, error: Exception) -> Response:
    """What the user can mend: one sentence, in the page that is there already if its script asked."""
    status = next((code for kind, code in STATUS.items() if isinstance(error, kind)), 400)
    return _told(request, str(error), status, renew=isinstance(error, StaleToken))


async def nothing_there(request: Request, error: Exception) -> Response:
    assert isinstance(error, HTTPException)
    if error.status_code == 404:
        return _told(request, f"there is nothing at {request.url.path[:80]}", 404)
    return _told(request, error.detail, error.status_code)


async def nobody_there(request: Request, error: Exception) -> Response:
    """The client has gone meanwhile."""
    return Response(status_code=400)


async def fault(request: Request, error: Exception) -> Response:
    """A fault of ours; the traceback is on the terminal."""
    return _told(request, fault_words(error), 500)


def _told(request: Request, sentence: str, status: int, *, renew: bool = False) -> Response:
    if "text/event-stream" in request.headers.get("accept", "") and not renew:
        return said(sentence)
    response = plain_page(request, "mistake.html", status, message=sentence)
    if renew:
        response.headers["hx-refresh"] = "true"
    elif is_partial(request):
        response.headers.update(
            {"hx-retarget": "#message", "hx-reselect": "#message", "hx-reswap": "outerHTML", "hx-push-url": "false"}
        )
    return response
