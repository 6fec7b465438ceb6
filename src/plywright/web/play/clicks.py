"""From actions to clicks: which places of a picture to point at, in which order, to mean an action.

Pictures name their places as the moves of their game do (`draw/`), so the text of an action tells its
places: `a2xb3` is a2, then b3. An action that names no place of the picture is a button.
"""

from __future__ import annotations

import re
from collections.abc import Collection, Sequence
from html import unescape
from typing import Any, NamedTuple

from ...game import Game

Ways = list[list[list[str]]]
"""Ways to click one action, each of parts in any order, each of places in their order."""


class Choice(NamedTuple):
    """One action that may be chosen: its text, and how it is clicked; no ways where it is a button."""

    action: int
    text: str
    ways: Ways


def choices(game: Game, known: Any, actions: Sequence[int], svg: str) -> list[Choice]:
    """The actions with their texts and clicks; `known` is a state that the mover may know."""
    names = places_in(svg)
    pattern = _pattern(names)
    found = []
    for action in actions:
        text = game.format_action(known, action)
        ways = [way for way in game.clicks(known, action) if all(set(part) <= names for part in way)] if names else []
        if not ways and pattern is not None and (named := pattern.findall(text)):
            ways = [[named]]
        found.append(Choice(action, text, ways))
    return found


def places_named(text: str, names: Collection[str]) -> list[str]:
    """The places that the text of a move names, in its order."""
    pattern = _pattern(names)
    return [] if pattern is None else pattern.findall(text)


def places_in(svg: str) -> set[str]:
    """The names of the places of a picture."""
    return {unescape(name) for name in re.findall(r' data-place="([^"]*)"', svg)}


def _pattern(names: Collection[str]) -> re.Pattern[str] | None:
    """What finds places in a text, long names first; a number is never found inside a longer one."""
    if not names:
        return None
    found = []
    for name in sorted(names, key=lambda name: (-len(name), name)):
        before = r"(?<![0-9])" if name[0].isdigit() else r"(?<![^\W\dx])" if name[0].isalpha() else ""
        after = r"(?![0-9])" if name[-1].isdigit() else r"(?![^\W\d])" if name[-1].isalpha() else ""
        found.append(before + re.escape(name) + after)
    return re.compile("|".join(found))
