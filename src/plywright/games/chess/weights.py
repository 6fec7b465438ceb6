"""The weights of chess's features: what `benchmarks/fit_chess.py fit` writes here is used instead."""

from __future__ import annotations

from .features import first_weights

WEIGHTS = first_weights()
