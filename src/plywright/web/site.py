"""What every page knows: the games and programs on offer, the rooms, and the token of this start.

The server has one, and so has each of its workers, made from the same `SiteOptions`.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field
from functools import cached_property
from typing import TYPE_CHECKING, Any

from ..games import load_game
from .catalogue import Catalogue
from .rendering import rendered

if TYPE_CHECKING:
    from .room import Room


@dataclass(frozen=True)
class SiteOptions:
    """What a site is made from, as plain data."""

    games: tuple[str, ...] = ()
    programs: tuple[str, ...] = ()
    token: str = ""
    learned: tuple[str, ...] = ()
    """Files of knowledge whose checkpoints may be seated."""
    rules: dict[str, str] = field(default_factory=dict)
    """Marks of the files of the user's own games when the page was started."""
    interpreted: bool = False
    """Whether kernels run as ordinary Python, for tests of a few nodes."""


class Site:
    """The page of one start, wherever it is drawn."""

    def __init__(self, options: SiteOptions) -> None:
        self.options = options
        self.catalogue = Catalogue(options.games, options.rules)
        self.programs, self.token = options.programs, options.token

    @classmethod
    def founded(cls, games: Sequence[str], programs: Sequence[str], token: str, learned: Sequence[str] = ()) -> Site:
        """A site whose games were looked at; raises BadInput or GameError where one cannot be loaded."""
        rules = {text: Catalogue.mark(text) for text in games if load_game(text)}  # a mistake is named at the start
        return cls(SiteOptions(tuple(games), tuple(programs), token, tuple(learned), rules))

    @cached_property
    def rooms(self) -> list[Room]:
        from .room import open_rooms

        return open_rooms()

    def page(self, path: str, template: str, **context: Any) -> str:
        """The page that a template makes; it knows `rooms`, `token`, `room` (its name) and `message` besides."""
        known = {"rooms": self.rooms, "token": self.token, "room": path.split("/")[1], "message": ""}
        return rendered(template, **(known | context))
