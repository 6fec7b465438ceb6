"""What can go wrong, as sentences: every message names the culprit and the remedy."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any

LONGEST_SHOWN = 200


def shown(value: Any) -> str:
    """Something that somebody gave, for the sentence that refuses it: never longer than a line or two."""
    try:
        text = repr(value)
    except Exception:  # whole numbers of over 4,300 digits have no text
        return f"a {type(value).__name__}"
    return brief(text)


def brief(text: str) -> str:
    """A text, or its beginning and how long it is: never longer than a line or two."""
    return text if len(text) <= LONGEST_SHOWN else f"{text[:LONGEST_SHOWN]}... ({len(text):,} characters)"


def nearest(name: str, known: Iterable[str]) -> str:
    """The known name that a misspelt one was probably meant to be; empty where none is near."""
    import difflib

    return next(iter(difflib.get_close_matches(name, list(known), n=1)), "")


class PlywrightError(Exception):
    """Base of every error that is the caller's to mend; the command line prints it in one line."""


class GameError(PlywrightError):
    """The rules of a game broke the protocol: the message says which rule and in which state."""


class BadInput(PlywrightError):
    """A text, number or name given by the user that means nothing here."""


class ImpossibleState(BadInput):
    """A state, or the text of one, that play cannot reach; `why` is the reason alone."""

    why: str = ""

    @classmethod
    def of(cls, state: Any, game: str, why: str) -> ImpossibleState:
        error = cls(f"{shown(state)} cannot be a state of {game}: {why}")
        error.why = why
        return error


class Unsuitable(PlywrightError):
    """An algorithm was asked to search a kind of game that it cannot; names the one that can."""


class OldHooksWarning(UserWarning):
    """A game defines hooks that have lived in a Knowledge since 0.2; nothing asks them."""


class LearnedNote(UserWarning):
    """Knowledge was found beside a game's file: that it is used, or why it cannot be."""


class SkippedNote(UserWarning):
    """A part of a file was left out in reading it, such as the variations of a game: what, and how much."""


class InterpretedWarning(UserWarning):
    """A game could not be compiled and runs as ordinary Python: right, but slow."""


def printable(text: str) -> str:
    """A sentence that may quote a program, with whatever could steer a terminal written as its code."""
    if text.isprintable():
        return text
    return "".join(letter if letter.isprintable() else ascii(letter)[1:-1] for letter in text)
