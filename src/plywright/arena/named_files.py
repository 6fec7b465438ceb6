"""The files that texts of games and players name, so that they can travel, and the same texts with files elsewhere."""

from __future__ import annotations

import os
import re
from collections.abc import Mapping
from pathlib import Path

from ..games.registry import is_path, split_path
from ..models.loading import beside

MOST_BESIDE = 100
"""Python files in one folder up to which all of them are taken for helpers of the one that is named."""
_BREAK = re.compile(r"[:?&,=+*\s'\"]+")


def game_files(text: str) -> list[Path]:
    """The file of a game, what it may import from its folder, and the knowledge beside it."""
    if not is_path(text):
        return []
    path = Path(split_path(text)[0])
    return [*_with_helpers(path), *([beside(path)] if beside(path).is_file() else [])]


def player_files(text: str) -> list[Path]:
    """The files that the text of a player names, and those in folders that it names; helpers of Python files, too."""
    found: list[Path] = []
    for token in _tokens(text):
        path = Path(token)
        if path.is_dir():
            found += sorted(file for file in path.rglob("*") if file.is_file() and not file.is_symlink())
        else:
            found += _with_helpers(path)
    return list(dict.fromkeys(found))


def moved_text(text: str, places: Mapping[str, str], folder: str) -> str:
    """The text with every file that travelled at its new place; folders go with the files in them.

    `folder` is where relative paths began.
    """
    moved = {word: new for word in _words(text) if (new := _new(os.path.join(folder, word), places))}  # noqa: PTH118
    if not moved:
        return text
    names = "|".join(re.escape(word) for word in sorted(moved, key=len, reverse=True))
    return re.sub(rf"(?<![\w./-])({names})(?![\w/-])", lambda found: moved[found[1]], text)


def _new(place: str, places: Mapping[str, str]) -> str:
    """Where a file or a folder is now; empty where it did not travel."""
    place = os.path.normpath(place)
    if place in places:
        return places[place]
    inner = next((old for old in places if old.startswith(f"{place}/")), None)
    return "" if inner is None else places[inner][: len(places[inner]) - len(inner)] + place


def _tokens(text: str) -> list[str]:
    return [token for token in _words(text) if _exists(token)]


def _words(text: str) -> list[str]:
    """The words of a text that look like paths."""
    return [word for word in dict.fromkeys(_BREAK.split(text)) if "/" in word or "." in word.strip(".")]


def _exists(token: str) -> bool:
    try:
        path = Path(token)
        return path.is_file() or ("/" in token and path.is_dir())
    except (OSError, ValueError):
        return False


def _with_helpers(path: Path) -> list[Path]:
    if path.suffix != ".py":
        return [path]
    others = [other for other in sorted(path.parent.glob("*.py")) if other.is_file() and other != path]
    return [path, *(others if len(others) <= MOST_BESIDE else [])]
