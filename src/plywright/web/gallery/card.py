"""A card of the gallery: a claim, two sentences about it, the number it states, and how that number is worked out."""

from __future__ import annotations

import tomllib
from collections.abc import Callable
from dataclasses import dataclass
from functools import cache
from importlib.resources import files
from typing import NamedTuple


class Figures(NamedTuple):
    """What was worked out: the number that the card states, and a table of all that belongs to it."""

    stated: str
    head: tuple[str, ...] = ()
    rows: tuple[tuple[str, ...], ...] = ()
    note: str = ""


class Door(NamedTuple):
    """A way into the room that plays it."""

    words: str
    address: str


class Words(NamedTuple):
    """What stands on a card: its title, two sentences, and the number that it states."""

    title: str
    words: str
    states: str


@dataclass(frozen=True)
class Card:
    """One figure or claim by name; what it states is what `figures().stated` must come to, as a test checks."""

    name: str
    figures: Callable[[], Figures]
    doors: tuple[Door, ...] = ()
    picture: Callable[[], str] | None = None
    command: str = ""
    slow: bool = False
    """Whether the figures take more than a moment; then they are worked out on request."""

    @property
    def title(self) -> str:
        return _words()[self.name].title

    @property
    def words(self) -> str:
        return _words()[self.name].words

    @property
    def states(self) -> str:
        return _words()[self.name].states


@cache
def _words() -> dict[str, Words]:
    text = files(__package__).joinpath("cards.toml").read_text(encoding="utf-8")
    return {name: Words(**entry) for name, entry in tomllib.loads(text).items()}


class Section(NamedTuple):
    """A wall of the gallery."""

    title: str
    cards: tuple[Card, ...]
