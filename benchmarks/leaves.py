"""Leaves that alpha-beta examines on uniform trees: perfect, random and worst order (Knuth & Moore, Pearl)."""

from __future__ import annotations

import json
import math
import statistics
from pathlib import Path
from typing import Any

from measure import Row

ROOT = Path(__file__).parent.parent
SHAPES = [(2, 16), (3, 10), (4, 8), (6, 6), (8, 6), (16, 4), (24, 4)]
CURVE = (5, range(1, 9))  # branching and depths of the plot
SEEDS = range(1, 21)
