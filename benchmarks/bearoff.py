"""Build the table of bearing off that ships with backgammon: python benchmarks/bearoff.py

It takes some seconds; `plywright.games.backgammon.bearoff` says what is in it.
"""

from __future__ import annotations

import time

import numpy as np

from plywright import load_game
from plywright.games.backgammon.bearoff import FILE, build

if __name__ == "__main__":
    began = time.monotonic()
    made = build(load_game("backgammon"))
    np.savez_compressed(FILE, **made)
    sizes = ", ".join(f"{name} {array.shape}" for name, array in made.items())
    print(f"{FILE.name}: {FILE.stat().st_size:,} bytes, {sizes}, {time.monotonic() - began:.1f} s")
