"""Who may ask: only pages of this very start of this server, on this machine.

A page elsewhere on the web can make a browser send requests to the loopback address. So the Host must
be ours (against names that are made to point here), and whatever a browser sends on behalf of another
site or port is turned away before anything is done for it; a link that somebody follows from there leads to
a page that asks first. What changes something must carry the token that only pages of this start contain.
Answers forbid scripts, frames and everything else from outside.
"""

from __future__ import annotations

import hmac
from html import escape

from starlette.datastructures import Headers, MutableHeaders
from starlette.responses import HTMLResponse, PlainTextResponse
from starlette.types import ASGIApp, Message, Receive, Scope, Send

HOSTS = ("127.0.0.1", "localhost", "[::1]")
SAFE = ("GET", "HEAD", "OPTIONS")
IDLE = ("/", "/health")
"""Addresses at which nothing is worked out."""
TOKEN = "x-plywright-token"
POLICY = (
    "default-src 'none'; script-src 'self'; style-src 'self' 'unsafe-inline'; img-src 'self' data:; "
    "connect-src 'self'; form-action 'self'; base-uri 'none'; frame-ancestors 'none'"
)
"""Styles may stand in a page, since every picture carries its own; scripts may not."""
STYLE = "body{font:1rem/1.5 system-ui,sans-serif;max-width:42rem;margin:2em auto;padding:0 1rem;overflow-wrap:anywhere}"
"""Of the one page that asks for no file."""
HEADERS = {
    "content-security-policy": POLICY,
    "x-content-type-options": "nosniff",
    "referrer-policy": "same-origin",
    "cross-origin-opener-policy": "same-origin",
    "cross-origin-resource-policy": "same-origin",
}


class Guard:
    """The middleware that turns strangers away."""

    def __init__(self, app: ASGIApp) -> None:
        self.app = app

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        if scope["type"] != "http":
            await self.app(scope, receive, send)
            return
        headers = Headers(scope=scope)
        if refusal := refused(scope["method"], headers):
            await PlainTextResponse(refusal + "\n", status_code=403, headers=HEADERS)(scope, receive, send)
            return
        if is_foreign(headers) and scope["path"] not in IDLE:
            await _asked_first(scope)(scope, receive, send)
            return

        async def guarded(message: Message) -> None:
            if message["type"] == "http.response.start":
                answer = MutableHeaders(scope=message)
                for name, value in HEADERS.items():
                    answer.setdefault(name, value)
            await send(message)

        await self.app(scope, receive, guarded)


def refused(method: str, headers: Headers) -> str:
    """Why a request is turned away, or nothing; the token is looked at where the form is read."""
    if not is_local(headers.get("host", "")):
        return "This page answers only at 127.0.0.1 and localhost."
    if is_foreign(headers) and not (method in SAFE and is_followed(headers)):
        return "This request comes from another page."
    return ""


def is_foreign(headers: Headers) -> bool:
    """Whether a browser asks on behalf of another site: as it says itself, or by where it comes from."""
    if (site := headers.get("sec-fetch-site")) is not None:
        return site not in ("same-origin", "none")
    came = headers.get("origin") or headers.get("referer")
    return came is not None and came.partition("://")[2].partition("/")[0] != headers.get("host", "")


def is_followed(headers: Headers) -> bool:
    """Whether somebody follows a link, and no page asks behind the reader's back."""
    if headers.get("origin") is not None:
        return False
    return headers.get("sec-fetch-mode", "navigate") == "navigate" and headers.get("sec-fetch-dest", "document") == (
        "document"
    )


def _asked_first(scope: Scope) -> HTMLResponse:
    """A page that has nothing worked out before the reader says so."""
    query = scope["query_string"].decode("latin-1")
    address = escape(scope["path"] + (f"?{query}" if query else ""))
    words = "Another site has sent you here. Whatever is at this address is worked out on your machine when you go on."
    return HTMLResponse(
        f'<!doctype html><html lang="en"><meta charset="utf-8"><meta name="color-scheme" content="light dark">'
        f'<meta name="viewport" content="width=device-width"><title>Plywright</title><link rel="icon" href="data:,">'
        f"<style>{STYLE}</style><h1>Plywright</h1><p>{words}</p>"
        f'<p><a href="{address}">Go on to {address}</a></p></html>',
        headers=HEADERS,
    )


def is_local(host: str) -> bool:
    """Whether a Host header names this machine's loopback address."""
    name, colon, port = host.rpartition(":")
    if not colon or not port.isdecimal():
        name = host
    return name in HOSTS


def token_is_right(given: str, token: str) -> bool:
    return hmac.compare_digest(given.encode(), token.encode())
