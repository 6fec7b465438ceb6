"""Server-sent events: parts of the page that change while something runs.

    return stream(request, parts(), token)

The script of the page knows four events: `parts` (JSON: element id to its new content), `visit` (an
address to show instead), `problem` (a sentence), `end`.
"""

from __future__ import annotations

import asyncio
import contextlib
import json
from collections.abc import AsyncIterator
from typing import NamedTuple

from starlette.requests import Request
from starlette.responses import Response, StreamingResponse

from ..errors import PlywrightError
from .errors import fault_words
from .requests import check_token

ALIVE = 10.0
"""Seconds of silence after which a comment shows that the server is there."""


class Event(NamedTuple):
    name: str
    data: str

    def text(self) -> str:
        lines = "".join(f"data: {line}\n" for line in self.data.split("\n"))
        return f"event: {self.name}\n{lines}\n"


def parts(**contents: str) -> Event:
    """New content of elements by id, `_` in an id being `-`; HTML, so escape what is not."""
    return Event("parts", json.dumps({name.replace("_", "-"): html for name, html in contents.items()}))


def visit(address: str) -> Event:
    """Show another address instead, as if its link had been followed."""
    return Event("visit", address)


def problem(sentence: str) -> Event:
    return Event("problem", sentence)


END = Event("end", "")


def stream(request: Request, events: AsyncIterator[Event]) -> Response:
    """The response that sends the events; since streams start work, the address must carry `token`."""
    check_token(request, request.query_params.get("token", ""))
    closing = request.app.state.closing
    return StreamingResponse(
        _written(events, closing), media_type="text/event-stream", headers={"cache-control": "no-store"}
    )


def said(sentence: str) -> Response:
    """The answer to a browser that wanted a stream and gets a sentence: any other would have it load its page anew."""
    return Response(problem(sentence).text() + END.text(), media_type="text/event-stream")


async def _written(events: AsyncIterator[Event], closing: asyncio.Event) -> AsyncIterator[str]:
    """The events as text, a problem instead of an error, and a sign of life in between; they end with the server."""
    waiting: asyncio.Task[Event] | None = None
    stops = asyncio.ensure_future(closing.wait())
    try:
        while not closing.is_set():
            waiting = asyncio.ensure_future(anext(events))
            while not (await asyncio.wait((waiting, stops), timeout=ALIVE, return_when=asyncio.FIRST_COMPLETED))[0]:
                yield ": alive\n\n"
            if closing.is_set():
                return  # the browser asks again until the server is back
            yield waiting.result().text()
    except StopAsyncIteration:
        pass
    except PlywrightError as error:
        yield problem(str(error)).text()
    except Exception as error:
        yield problem(fault_words(error)).text()
        yield END.text()  # or the browser would ask for the same again and again
        raise
    finally:
        stops.cancel()
        if waiting is not None and not waiting.done():
            waiting.cancel()
            with contextlib.suppress(asyncio.CancelledError, StopAsyncIteration, PlywrightError):
                await waiting
        if hasattr(events, "aclose"):
            await events.aclose()
    yield END.text()
