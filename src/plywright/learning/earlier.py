"""What an earlier training has left where a new one writes: kept beside it, under names of its own.

A training into `game.knowledge` also writes its checkpoints (`game-01.knowledge` and so on), its record (`game.jsonl`)
and its curve (`game.svg`). Whatever of these is there when another begins goes to `game.before.knowledge`,
`game.before-01.knowledge` and so on: the new training writes over none of it, and has no levels that are not its own.
"""

from __future__ import annotations

from itertools import count
from pathlib import Path

from ..errors import BadInput
from ..files import write_whole
from ..models.model_file import SUFFIX
from .ladder import checkpoints_of


def left_beside(path: Path) -> list[Path]:
    """The checkpoints, the record and the curve that lie beside a file, whether or not that is there itself."""
    record = (path.with_suffix(suffix) for suffix in (".jsonl", ".svg"))
    return [*(each for _, each in checkpoints_of(path)), *(each for each in record if each.exists())]


def free_name(path: Path) -> Path:
    """`game.before.knowledge` for `game.knowledge`, or the first of `game.before2.knowledge` and so on that is free."""
    names = (f"{path.stem}.before{'' if number == 1 else number}{SUFFIX}" for number in count(1))
    return next(place for place in map(path.with_name, names) if not place.exists() and not left_beside(place))


def place_aside(path: Path) -> Path | None:
    """Where what lies at a training's place goes when that begins; None where nothing does."""
    return free_name(path) if path.is_file() or left_beside(path) else None


def keep_aside(path: Path, aside: Path) -> None:
    """Copy what was learned before, whole, while it is still where it was, and over nothing that is there.

    Its checkpoints and its record go with it; where a file itself is gone they go alone.
    """
    try:
        if path.is_file():
            _copy(path, aside)
        for part in left_beside(path):
            part.rename(_renamed(part, path, aside))
    except OSError as error:
        raise BadInput(
            f"{path} was there before and cannot be kept as {aside}: {error.strerror or error}; it stays as it was"
        ) from None


def words_aside(path: Path, aside: Path) -> str:
    """A sentence on what will be kept, and as what."""
    if path.is_file():
        return f"{path} is there already: it is kept as {aside} (--from goes on from it)"
    first, *more = left_beside(path)
    others = f", and {len(more)} more such {'file' if len(more) == 1 else 'files'} with it" if more else ""
    return f"{first} is there already: it is kept as {_renamed(first, path, aside)}{others}"


def _renamed(part: Path, path: Path, aside: Path) -> Path:
    return part.with_name(aside.stem + part.name.removeprefix(path.stem))


def _copy(path: Path, aside: Path) -> None:
    aside.touch(exist_ok=False)
    try:
        write_whole(aside, path.read_bytes())
    except BaseException:
        aside.unlink()
        raise


__all__ = ["free_name", "keep_aside", "left_beside", "place_aside", "words_aside"]
