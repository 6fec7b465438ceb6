"""Searches that decide now: one entry point picks the algorithm from the game's kind."""

from .limit import MAX_DEPTH, Limit
from .lines import perft
from .decide import ALGORITHMS, analyse, search

__all__ = ["ALGORITHMS", "MAX_DEPTH", "Limit", "analyse", "perft", "search"]
