"""The weights of chess's features as data: a line for each, its group and number, then middlegame and endgame."""

from __future__ import annotations

import csv
from functools import lru_cache
from importlib.resources import files
from pathlib import Path

import numpy as np

from ...errors import BadInput
from ...files import read_bounded
from .features import FEATURES, GROUPS

NAMES = tuple((name, number) for name, size in GROUPS.items() for number in range(size))

MOST = 1_000_000
"""Hundredths of a pawn that a weight may be."""
LARGEST = 1_000_000
"""Bytes of a file of weights."""


@lru_cache(maxsize=1)
def fitted_weights() -> np.ndarray:
    """[2 * FEATURES] what `benchmarks/fit_chess.py` found, in hundredths of a pawn."""
    return read_weights()


def read_weights(path: str | Path | None = None) -> np.ndarray:
    """The weights in a file, or those that are shipped; raises BadInput for what `write_weights` did not write."""
    remedy = ""
    try:
        if path is None:
            path = "that come with Plywright"
            remedy = ": install Plywright again, or use --knowledge hand (knowledge=hand of a player in a match)"
            data = files(__package__).joinpath("weights.csv").read_bytes()
        else:
            data = read_bounded(Path(path), LARGEST)
    except (OSError, ValueError) as error:  # ValueError: a name that no file can have
        why = getattr(error, "strerror", None) or error
        raise BadInput(f"the weights of chess {path} cannot be read ({why}){remedy}") from None
    found = _table(data.decode("ascii", errors="replace"))
    if found is None:
        remedy = remedy or f": they are {len(NAMES)} lines such as {NAMES[0][0]},{NAMES[0][1]},100,120 below a heading"
        raise BadInput(f"the weights of chess {path} are damaged{remedy}")
    return found


def _table(text: str) -> np.ndarray | None:
    """[2 * FEATURES] the numbers of a table of weights; None where it is none."""
    try:
        rows = list(csv.reader(text.splitlines()))[1:]
        found = np.array([[float(early), float(late)] for _, _, early, late in rows])
        named = [(name, int(number)) for name, number, *_ in rows] == list(NAMES)
    except (ValueError, csv.Error):
        return None
    return found.reshape(2 * FEATURES) if named and bool((np.abs(found) <= MOST).all()) else None


def write_weights(path: Path, weights: np.ndarray) -> None:
    pairs = np.asarray(weights).reshape(FEATURES, 2)
    lines = [f"{name},{number},{early:g},{late:g}" for (name, number), (early, late) in zip(NAMES, pairs, strict=True)]
    path.write_text("\n".join(["feature,number,middlegame,endgame", *lines, ""]), encoding="ascii")
