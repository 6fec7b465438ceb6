"""The games of the page: those registered, and those named on the command line; no file is read for a request."""

from __future__ import annotations

import hashlib
import re
from collections import OrderedDict
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import NamedTuple

from ..errors import BadInput
from ..game import Game
from ..games import load_game
from ..games.registry import GAMES, title_of
from ..smoke_test import smoke_test

PLAIN = re.compile(r"[a-z0-9-]+(:[a-z_]+=[A-Za-z0-9_+-]*(\.[0-9]+)?(,[a-z_]+=[A-Za-z0-9_+-]*(\.[0-9]+)?)*)?")
"""A name with parameters that cannot be a path."""
SAMPLES = {"mnk": "mnk:m=5,n=5,k=4"}
KEPT = 32
"""Games in memory at once."""


class Offer(NamedTuple):
    """A game to choose from: the text that means it and one line about it."""

    text: str
    about: str

    @property
    def title(self) -> str:
        return self.text if self.text not in GAMES else title_of(self.text)

    @property
    def sample(self) -> str:
        """The game that its card begins and shows: with parameters where it would look like another one without."""
        return SAMPLES.get(self.text, self.text)

    @property
    def brief(self) -> str:
        """What it is about, without how its parameters are written."""
        return self.about.partition(f": {self.text}:")[0]


def check_offered(text: str, own: Sequence[str]) -> None:
    """Refuse a game that is neither registered nor among the user's own; nothing is loaded for it."""
    if text not in own and not PLAIN.fullmatch(text):
        raise BadInput(
            f"{text[:60]!r} is not a game of this page; a file of your own is named when the page is started: "
            "plywright web --game ./mygame.py"
        )


class Catalogue:
    """Texts to games, each made once.

    `own` are the texts of the command line, and `rules` the marks of their files when the page was started.
    """

    def __init__(self, own: tuple[str, ...] = (), rules: Mapping[str, str] | None = None) -> None:
        self.own, self.rules = own, rules or {}
        self.loaded: OrderedDict[str, Game] = OrderedDict()

    def offers(self) -> list[Offer]:
        """What can be chosen: the user's own games first."""
        return [Offer(text, "from your file") for text in self.own] + [
            Offer(name, entry.about) for name, entry in GAMES.items()
        ]

    def __getitem__(self, text: str) -> Game:
        """The game that a request means; raises BadInput where it means none, or a file of its own."""
        text = text.strip()
        if text in self.loaded:
            self.loaded.move_to_end(text)
            return self.loaded[text]
        check_offered(text, self.own)
        game = load_game(text)
        if text in self.rules and self.mark(text) != self.rules[text]:
            raise BadInput(f"the rules of {text} have changed since the page was started: start it again")
        smoke_test(game)  # so that a fault of the rules is named, whichever room meets it first
        self.loaded[text] = game
        while len(self.loaded) > KEPT:
            self.loaded.popitem(last=False)
        return game

    @staticmethod
    def mark(text: str) -> str:
        """What changes when the file of a game does; a fingerprint would run its rules, which may never come back."""
        return hashlib.sha256(Path(text.partition(".py")[0] + ".py").read_bytes()).hexdigest()
