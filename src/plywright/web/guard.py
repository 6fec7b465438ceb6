"""Who may ask: only pages of this very start of this server, on this machine.

A page elsewhere on the web can make a browser send requests to the loopback address. So the Host must
be ours (against names that are made to point here), the Origin of whatever changes something must be
ours, and it must carry the token that only pages of this start contain. Answers forbid scripts,
frames and everything else from outside.
"""

from __future__ import annotations

import hmac

from starlette.datastructures import Headers, MutableHeaders
from starlette.responses import PlainTextResponse
from starlette.types import ASGIApp, Message, Receive, Scope, Send

HOSTS = ("127.0.0.1", "localhost", "[::1]")
SAFE = ("GET", "HEAD", "OPTIONS")
TOKEN = "x-plywright-token"
POLICY = (
    "default-src 'none'; script-src 'self'; style-src 'self' 'unsafe-inline'; img-src 'self' data:; "
    "connect-src 'self'; form-action 'self'; base-uri 'none'; frame-ancestors 'none'"
)
"""Styles may stand in a page, since every picture carries its own; scripts may not."""
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

        async def guarded(message: Message) -> None:
            if message["type"] == "http.response.start":
                answer = MutableHeaders(scope=message)
                for name, value in HEADERS.items():
                    answer.setdefault(name, value)
            await send(message)

        await self.app(scope, receive, guarded)


def refused(method: str, headers: Headers) -> str:
    """Why a request is turned away, or nothing; the token is looked at where the form is read."""
    host = headers.get("host", "")
    if not is_local(host):
        return "This page answers only at 127.0.0.1 and localhost."
    origin = headers.get("origin")
    if method not in SAFE and origin is not None and origin.partition("://")[2] != host:
        return "This request comes from another page."
    if method not in SAFE and origin is None and headers.get("sec-fetch-site", "same-origin") != "same-origin":
        return "This request comes from another page."
    return ""


def is_local(host: str) -> bool:
    """Whether a Host header names this machine's loopback address."""
    name, colon, port = host.rpartition(":")
    if not colon or not port.isdecimal():
        name = host
    return name in HOSTS


def token_is_right(given: str, token: str) -> bool:
    return hmac.compare_digest(given.encode(), token.encode())
