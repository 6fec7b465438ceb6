"""What a training may be told, held against what it can do: whatever is wrong is refused before there is anything to
lose."""

from __future__ import annotations

import os
from collections.abc import Mapping
from concurrent.futures import Executor
from pathlib import Path
from typing import Any

import numpy as np

from ..errors import BadInput, shown
from ..game import Game
from ..models.model_file import SUFFIX
from ..number import is_real, is_whole
from ..players import Mode

MOST_GAMES = 10**12
MOST_MINUTES = 366 * 24 * 60
MOST_PAIRS = 10_000


def plain(value: Any) -> Any:
    """A number of NumPy's as one of Python's own, which a record can hold as JSON; anything else as it is."""
    return value.item() if isinstance(value, np.generic) else value


def check_length(minutes: float | None, games: int | None) -> None:
    """Refuse a training of no length, of two, or of more games than can be counted."""
    if minutes is not None and games is not None:
        raise BadInput("give either minutes or games, not both")
    check_games(games)
    if minutes is not None and not is_real(plain(minutes)):
        raise BadInput(f"minutes are a number, not {shown(minutes)}")
    if (minutes is not None and not minutes > 0) or (games is not None and games < 1):
        raise BadInput("a training takes some minutes, or at least one game")
    if minutes is not None and minutes > MOST_MINUTES:
        raise BadInput(f"a training takes at most {MOST_MINUTES:,} minutes, a year, not {minutes:g}")
    if games is not None and games > MOST_GAMES:
        raise BadInput(f"a training has at most {MOST_GAMES:,} games: give minutes for a long one")


def check_games(games: Any) -> None:
    """Refuse games that cannot be counted: of two and a half the last half would be waited for."""
    if games is not None and not is_whole(plain(games)):
        raise BadInput(f"games are a whole number, not {shown(games)}")


def check_workers(workers: Any, most: int | None = None) -> None:
    """Refuse what is no number of workers, or more than there can be."""
    if not is_whole(plain(workers)):
        raise BadInput(f"workers are a whole number, not {shown(workers)}")
    if most is not None and not 1 <= workers <= most:
        raise BadInput(f"there are 1 to {most} workers, not {workers}")
    if workers < 1:
        raise BadInput(f"there is at least one worker, not {workers}")


def check_game(game: Any) -> None:
    """Refuse what is neither a game nor the text of one."""
    if not isinstance(game, (str, Game)):
        raise BadInput(f"learn takes a game, or its name or path, not {shown(game)}")


def check_kinds(model: Any, mode: Any, options: Any, executor: Any) -> None:
    """Refuse what has the name of an option and is of another kind."""
    if not isinstance(model, str):
        raise BadInput(f"model is the name of one, such as tuples, not {shown(model)}")
    if not isinstance(mode, str):
        raise BadInput(f"mode is how matches are timed, such as move:0.01s, not {shown(mode)}")
    Mode.parse(mode)
    if options is not None and not (isinstance(options, Mapping) and all(isinstance(name, str) for name in options)):
        raise BadInput(f'options are what the model takes, by name, such as {{"stages": 3}}, not {shown(options)}')
    if executor is not None and not isinstance(executor, Executor):
        raise BadInput(f"executor is where games are played, such as a cluster, not {shown(executor)}")


def check_numbers(seed: Any, pairs: Any) -> None:
    if not is_whole(plain(seed)) or not 0 <= seed < 1 << 63:
        raise BadInput(f"a seed is a whole number from 0 to 2^63 - 1, not {shown(seed)}")
    if not is_whole(plain(pairs)) or not 0 <= pairs <= MOST_PAIRS:
        raise BadInput(f"strength is measured by 0 to {MOST_PAIRS:,} pairs of games, not {shown(pairs)}")


def read_path(save: Any) -> Path | None:
    """The file that a training is saved to; raises BadInput for what is none."""
    if save is None:
        return None
    if not isinstance(save, (str, os.PathLike)):
        raise BadInput(f"learned knowledge is saved as FILE{SUFFIX}, not as {shown(save)}")
    path = Path(os.fsdecode(save))
    if "\0" in str(path):
        raise BadInput(f"a name of a file has no zero byte in it: {shown(str(path))}")
    if path.suffix != SUFFIX:
        raise BadInput(f"learned knowledge is saved as FILE{SUFFIX}, not as {shown(path.name)}")
    return path


__all__ = [
    "check_game",
    "check_games",
    "check_kinds",
    "check_length",
    "check_numbers",
    "check_workers",
    "plain",
    "read_path",
]
