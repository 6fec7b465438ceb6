"""From a request to a page: what was asked, checked, and the answer, made in a worker.

    def show(visit: Visit) -> Reply:                     # runs in a worker
        return page(visit, "play.html", offers=...)

    Route("/play", worked(show))

The server's own process reads the request and sends the answer; whatever looks at a game runs elsewhere.
"""

from __future__ import annotations

import asyncio
import contextlib
from collections.abc import Awaitable, Callable, Coroutine
from typing import Any, NamedTuple
from urllib.parse import parse_qsl, urlsplit

from starlette.requests import ClientDisconnect, Request
from starlette.responses import HTMLResponse, RedirectResponse, Response

from ..errors import BadInput
from .errors import StaleToken
from .fields import Fields
from .guard import TOKEN, token_is_right
from .site import Site
from .worker_pool import here

LARGEST_FORM = 256_000
"""Bytes of a form; the largest things in one are trees typed in and games loaded."""
SECONDS = 20.0
"""For one page; one that is not made by then is given up."""
Endpoint = Callable[[Request], Coroutine[Any, Any, Response]]
AFTERWARDS: dict[str, Callable[..., Awaitable[None]]] = {}
"""What the server does after a page was made, by the name in `Reply.after`: rooms add theirs."""


class Visit(NamedTuple):
    """A request as plain data."""

    path: str
    params: dict[str, Any]
    fields: Fields
    """Of the form where one was sent, otherwise of the address."""
    partial: bool = False
    """Whether the page's script asks, which can be shown the next page at once instead of an address."""

    @property
    def site(self) -> Site:
        """That of the worker in which the page is made."""
        return here()


class Reply(NamedTuple):
    """An answer as plain data, and what the server is to do besides."""

    body: str
    status: int = 200
    kind: str = "text/html"
    headers: tuple[tuple[str, str], ...] = ()
    after: tuple[tuple[Any, ...], ...] = ()

    def response(self) -> Response:
        return Response(self.body, self.status, dict(self.headers), self.kind)


def page(visit: Visit, template: str, **context: Any) -> Reply:
    """The page that a template makes, in a worker."""
    return Reply(visit.site.page(visit.path, template, **context))


def redirect(address: str, *after: tuple[Any, ...]) -> Reply:
    """After something was done: the page to show."""
    return Reply("", 303, "text/plain", tuple(RedirectResponse(address).headers.items()), after)


def at_once(visit: Visit, address: str, show: Callable[[Visit], Reply], *after: tuple[Any, ...]) -> Reply:
    """The same as `redirect`, in one answer where the page's script asked: the page at that address is made here."""
    if not visit.partial:
        return redirect(address, *after)
    place = urlsplit(address)
    reply = show(visit._replace(path=place.path, fields=Fields(dict(parse_qsl(place.query)))))
    return reply._replace(headers=(*reply.headers, ("hx-push-url", address)), after=(*after, *reply.after))


def download(content: str, kind: str, name: str) -> Reply:
    """A file to keep."""
    kept = (("content-disposition", f'attachment; filename="{name}"'), ("cache-control", "no-store"))
    return Reply(content, kind=kind, headers=kept)


def picture(svg: str) -> Reply:
    return Reply(svg, kind="image/svg+xml", headers=(("cache-control", "max-age=3600"),))


# -- in the server --------------------------------------------------------------------------------------------


def worked(function: Callable[[Visit], Reply], seconds: float = SECONDS) -> Endpoint:
    """An endpoint whose answer is made in a worker; a client who leaves meanwhile stops it."""

    async def endpoint(request: Request) -> Response:
        reply = await heard(
            request, request.app.state.search_queue.run(function, await visit_of(request), limit=seconds)
        )
        return await answered(request, reply)

    return endpoint


async def answered(request: Request, reply: Reply) -> Response:
    """The answer of a worker, once what follows from it is done."""
    for name, *about in reply.after:
        await AFTERWARDS[name](request.app, *about)
    return reply.response()


async def visit_of(request: Request) -> Visit:
    """The request as plain data; the token of a form is looked at."""
    fields = query(request) if request.method in ("GET", "HEAD") else await form(request)
    return Visit(request.url.path, dict(request.path_params), fields, is_partial(request))


async def heard(request: Request, work: Coroutine[Any, Any, Any]) -> Any:
    """What the work gives, if somebody waits for it until then; raises ClientDisconnect otherwise."""
    working, left = asyncio.ensure_future(work), asyncio.ensure_future(_left(request))
    try:
        await asyncio.wait((working, left), return_when=asyncio.FIRST_COMPLETED)
        if not working.done():
            raise ClientDisconnect
        return working.result()
    finally:
        for task in (working, left):
            task.cancel()
            with contextlib.suppress(asyncio.CancelledError, Exception):
                await task


async def _left(request: Request) -> None:
    while (await request.receive())["type"] != "http.disconnect":
        pass


def query(request: Request) -> Fields:
    """The fields of the address."""
    return Fields(dict(request.query_params))


async def form(request: Request) -> Fields:
    """The fields of a form that was sent, after a look at its token."""
    body = b""
    async for piece in request.stream():
        body += piece
        if len(body) > LARGEST_FORM:
            raise BadInput(f"this is too large: at most {LARGEST_FORM // 1000} kB can be sent")
    try:
        given = dict(parse_qsl(body.decode(), keep_blank_values=True, max_num_fields=200))
    except ValueError:
        raise BadInput("this form cannot be read: it should be URL-encoded UTF-8") from None
    check_token(request, request.headers.get(TOKEN) or given.get("token", ""))
    return Fields(given)


def check_token(request: Request, given: str) -> None:
    """Refuse what does not carry the token of this start."""
    if not token_is_right(given, request.app.state.token):
        raise StaleToken("the server was started anew since this page was loaded; it is loaded again, please repeat")


def plain_page(request: Request, template: str, status: int = 200, **context: Any) -> HTMLResponse:
    """A page that needs nothing of a game, made at once."""
    site: Site = request.app.state.site
    return HTMLResponse(site.page(request.url.path, template, **context), status_code=status)


def is_partial(request: Request) -> bool:
    """Whether the page's script asks, which exchanges parts, or the browser itself."""
    return "hx-request" in request.headers
