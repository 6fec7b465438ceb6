"""The app: rooms, static files, and every error as a sentence in the page."""

from __future__ import annotations

import asyncio
import secrets
from collections.abc import AsyncIterator, Sequence
from contextlib import asynccontextmanager
from mimetypes import guess_type

from starlette.applications import Starlette
from starlette.exceptions import HTTPException
from starlette.middleware import Middleware
from starlette.middleware.gzip import GZipMiddleware
from starlette.requests import Request
from starlette.responses import JSONResponse, Response
from starlette.routing import Route

from .. import __version__
from ..errors import PlywrightError
from .catalogue import Catalogue
from .desk import Desk
from .errors import Busy, Missing, StaleToken, fault_words
from .guard import Guard
from .pages import asset_content, is_partial, page
from .play.company import Company
from .play.seats import check_programs
from .play.thinking import Ear
from .room import open_rooms
from .stream import said
from .thumbnails import thumbnail

STATIC = (
    "colours.css",
    "page.css",
    "page.js",
    "replay.css",
    "replay.js",
    "vendor/htmx.min.js",
)
"""The files that every page may ask for; rooms add their own."""
STATUS: dict[type[Exception], int] = {StaleToken: 403, Busy: 503, Missing: 404}


def application(games: Sequence[str] = (), *, programs: Sequence[str] = (), desk: Desk | None = None) -> Starlette:
    """The app with every room that can be opened; `games` are files and `programs` players of the user's own.

    Raises BadInput or GameError where such a file cannot be loaded or a program is none.
    """
    rooms = open_rooms()
    routes = [
        Route("/", home),
        Route("/health", health),
        Route("/picture/{name}", picture),
        Route("/static/{name:path}", static),
    ]
    app = Starlette(
        routes=[*routes, *(route for room in rooms for route in room.routes)],
        middleware=[Middleware(Guard), Middleware(GZipMiddleware, minimum_size=1000)],
        exception_handlers={PlywrightError: mistake, HTTPException: nothing_there, Exception: fault},
        lifespan=living,
    )
    app.state.rooms = rooms
    app.state.token = secrets.token_urlsafe(24)
    app.state.catalogue = Catalogue(tuple(games))
    app.state.programs = check_programs(programs)
    app.state.company = Company(app.state.programs)
    app.state.ear = Ear()
    app.state.desk = desk or Desk()
    return app


@asynccontextmanager
async def living(app: Starlette) -> AsyncIterator[None]:
    """While the server runs; when it stops, no program is left behind."""
    yield
    await asyncio.to_thread(app.state.company.close)


async def home(request: Request) -> Response:
    return page(request, "home.html")


async def health(request: Request) -> Response:
    """For scripts that wait until the server is there again."""
    return JSONResponse({"plywright": __version__})


async def picture(request: Request) -> Response:
    """A room's picture for the first page."""
    name = request.path_params["name"]
    if name not in [room.name for room in request.app.state.rooms]:
        raise HTTPException(404)
    drawn = await request.app.state.desk.run(lambda: thumbnail(name))
    return Response(drawn, media_type="image/svg+xml", headers={"cache-control": "max-age=3600"})


async def static(request: Request) -> Response:
    name = request.path_params["name"]
    rooms = [room.name for room in request.app.state.rooms]
    if name not in STATIC and name not in [f"{room}.{kind}" for room in rooms for kind in ("js", "css")]:
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


async def fault(request: Request, error: Exception) -> Response:
    """A fault of ours; the traceback is on the terminal."""
    return _told(request, fault_words(error), 500)


def _told(request: Request, sentence: str, status: int, *, renew: bool = False) -> Response:
    if "text/event-stream" in request.headers.get("accept", "") and not renew:
        return said(sentence)
    response = page(request, "mistake.html", status, message=sentence)
    if renew:
        response.headers["hx-refresh"] = "true"
    elif is_partial(request):
        response.headers.update(
            {"hx-retarget": "#message", "hx-reselect": "#message", "hx-reswap": "outerHTML", "hx-push-url": "false"}
        )
    return response
