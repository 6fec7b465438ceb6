"""The history wall: one page of cards, whose texts are in `wall.toml`."""

from __future__ import annotations

import tomllib
from functools import cache
from importlib.resources import files
from typing import NamedTuple

from starlette.requests import Request
from starlette.responses import Response
from starlette.routing import Route

from ..requests import plain_page
from ..room import Room


class Milestone(NamedTuple):
    """A program of history, what was new, its numbers, and what does the same in small here with our own figures."""

    name: str
    title: str
    year: str
    new: str
    numbers: list[list[str]]
    same: str
    ours: list[list[str]]
    """What, the figure, and the page that has it where it is not `docs`."""
    docs: str
    record: str
    """What the figures rest on; empty where the command works them out in seconds."""
    doors: list[list[str]]
    command: str


@cache
def wall() -> list[Milestone]:
    text = files(__package__).joinpath("wall.toml").read_text(encoding="utf-8")
    return [Milestone(name, **entry) for name, entry in tomllib.loads(text).items()]


async def show(request: Request) -> Response:
    return plain_page(request, "history.html", wall=wall())


ROOM = Room(
    "history",
    "History",
    "Deep Blue, Chinook, TD-Gammon, Logistello, AlphaGo, poker: what was new, and the same in small here.",
    [Route("/history", show)],
)
