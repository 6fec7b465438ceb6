"""From a request to a page: what was asked, checked, and the answer as HTML."""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from functools import cache
from importlib.resources import files
from typing import Any
from urllib.parse import parse_qsl

import jinja2
from markupsafe import Markup
from starlette.requests import Request
from starlette.responses import HTMLResponse, RedirectResponse, Response

from ..draw.svg import colour_variables
from ..errors import BadInput
from ..textbook.replay import viewer_script, viewer_style
from .errors import StaleToken
from .guard import TOKEN, token_is_right

LARGEST_FORM = 256_000
"""Bytes of a form; the largest things in one are trees typed in and games loaded."""


class Fields:
    """The fields of a form or an address: every one is read with its limits, and a mistake is a sentence."""

    def __init__(self, given: Mapping[str, str]) -> None:
        self.given = given

    def text(self, name: str, default: str = "", most: int = 2000) -> str:
        text = self.given.get(name, default).strip()
        if len(text) > most:
            raise BadInput(f"{name} is too long: {len(text)} characters, where {most} are allowed")
        return text

    def choice(self, name: str, among: Sequence[str], default: str | None = None) -> str:
        text = self.text(name, among[0] if default is None else default) or (default or among[0])
        if text not in among:
            raise BadInput(f"{name} cannot be {text[:40]!r}; there are {', '.join(filter(None, among))}")
        return text

    def whole(self, name: str, default: int, least: int, most: int) -> int:
        text = self.text(name) or str(default)
        try:
            number = int(text)
        except ValueError:
            raise BadInput(f"{name} must be a whole number, not {text[:40]!r}") from None
        if not least <= number <= most:
            raise BadInput(f"{name} must be from {least} to {most}, not {text[:40]}")
        return number

    def number(self, name: str, default: float, least: float, most: float) -> float:
        text = self.text(name) or str(default)
        try:
            number = float(text)
        except ValueError:
            raise BadInput(f"{name} must be a number, not {text[:40]!r}") from None
        if not math.isfinite(number) or not least <= number <= most:
            raise BadInput(f"{name} must be from {least:g} to {most:g}, not {text[:40]}")
        return number

    def ticked(self, name: str) -> bool:
        return self.given.get(name, "") not in ("", "no", "0")

    def __contains__(self, name: str) -> bool:
        return name in self.given


def asked(request: Request) -> Fields:
    """The fields of the address."""
    return Fields(request.query_params)


async def sent(request: Request) -> Fields:
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


def page(request: Request, template: str, status: int = 200, **context: Any) -> HTMLResponse:
    """The page that a template makes; it knows `rooms`, `token`, `room` (its name) and `message` besides."""
    state = request.app.state
    parts = request.url.path.split("/")
    known = {"rooms": state.rooms, "token": state.token, "room": parts[1], "message": "", "asset": asset}
    return HTMLResponse(_templates().get_template(template).render(**(known | context)), status_code=status)


def fragment(template: str, **context: Any) -> str:
    """A part of a page as HTML, for streams."""
    return _templates().get_template(template).render(**context)


def moved(address: str) -> Response:
    """After something was done: the page to show."""
    return RedirectResponse(address, status_code=303)


def is_partial(request: Request) -> bool:
    """Whether the page's script asks, which exchanges parts, or the browser itself."""
    return "hx-request" in request.headers


@cache
def _templates() -> jinja2.Environment:
    found = jinja2.Environment(
        loader=jinja2.PackageLoader(__package__, "templates"),
        autoescape=True,
        trim_blocks=True,
        lstrip_blocks=True,
        undefined=jinja2.StrictUndefined,
    )
    found.filters["svg"] = _drawn
    return found


def _drawn(picture: Any, label: str = "") -> Markup:
    """A picture in a page; the label is what it is called where it cannot be seen."""
    drawing = Markup(getattr(picture, "svg", picture))
    if label and " aria-label=" not in drawing.partition(">")[0]:
        return Markup(drawing.replace("<svg ", Markup('<svg aria-label="{}" ').format(label), 1))
    return drawing


@cache
def asset_content(name: str) -> bytes:
    """A file that every page may ask for; `colours.css` is made from the colours of the pictures.

    `replay.css` and `replay.js` are the viewer of traces, which a trace's own HTML file has inside.
    """
    made = {"colours.css": colour_variables, "replay.css": viewer_style, "replay.js": viewer_script}
    if name in made:
        return made[name]().encode()
    place = files(__package__).joinpath("static")
    for step in name.split("/"):
        place = place.joinpath(step)
    return place.read_bytes()


@cache
def asset(name: str) -> str:
    """The address of a static file, with a mark of its content, so that browsers keep it until it changes."""
    import hashlib

    return f"/static/{name}?{hashlib.sha256(asset_content(name)).hexdigest()[:10]}"
