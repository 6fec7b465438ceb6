"""The weights of chess's features as data: a line for each, its group and number, then middlegame and endgame."""

from __future__ import annotations

import csv
from functools import lru_cache
from importlib.resources import files
from pathlib import Path

import numpy as np

from ...errors import BadInput
from .features import FEATURES, GROUPS

NAMES = tuple((name, number) for name, size in GROUPS.items() for number in range(size))


@lru_cache(maxsize=1)
def fitted_weights() -> np.ndarray:
    """[2 * FEATURES] what `benchmarks/fit_chess.py` found, in hundredths of a pawn."""
    return read_weights()


def read_weights(path: Path | None = None) -> np.ndarray:
    """The weights in a file, or those that are shipped."""
    text = (path or files(__package__).joinpath("weights.csv")).read_bytes().decode("ascii", errors="replace")
    try:
        rows = list(csv.reader(text.splitlines()))[1:]
        found = np.array([[float(early), float(late)] for _, _, early, late in rows])
        whole = [(name, int(number)) for name, number, *_ in rows] == list(NAMES) and bool(np.isfinite(found).all())
    except ValueError:
        whole = False
    if not whole:
        which = str(path) if path else "that come with Plywright"
        raise BadInput(
            f"the weights of chess {which} are damaged: install Plywright again, or use --knowledge hand "
            "(knowledge=hand of a player in a match)"
        )
    return found.reshape(2 * FEATURES)


def write_weights(path: Path, weights: np.ndarray) -> None:
    pairs = np.asarray(weights).reshape(FEATURES, 2)
    lines = [f"{name},{number},{early:g},{late:g}" for (name, number), (early, late) in zip(NAMES, pairs, strict=True)]
    path.write_text("\n".join(["feature,number,middlegame,endgame", *lines, ""]), encoding="ascii")
