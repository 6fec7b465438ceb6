"""A room of the page: its name, what it says of itself, and the addresses it answers."""

from __future__ import annotations

from importlib import import_module
from importlib.util import find_spec
from typing import NamedTuple

from starlette.routing import BaseRoute

NAMES = (
    "play",
    "lab",
    "gallery",
    "bench",
    "exercises",
    "learning",
    "history",
    "pacman",
    "chance",
    "decisions",
    "matches",
)
"""The packages of the rooms, in the order of the menu."""


class Room(NamedTuple):
    """One room; all its addresses begin with `/name`."""

    name: str
    title: str
    about: str
    routes: list[BaseRoute]
    needs: str = ""
    """The package whose absence closes the room, such as `plywright.pacman`."""


def open_rooms() -> list[Room]:
    """The rooms that can be entered: those whose module and whose layer are installed."""
    found = []
    for name in NAMES:
        if find_spec(f"{__package__}.{name}.routes") is None:
            continue
        room: Room = import_module(f"{__package__}.{name}.routes").ROOM
        if not room.needs or find_spec(room.needs) is not None:
            found.append(room)
    return found
