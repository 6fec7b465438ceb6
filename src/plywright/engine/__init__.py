"""Searches that decide now: one entry point picks the algorithm from the game's kind."""

from .decide import ALGORITHMS, analyse, search
from .limit import MAX_DEPTH, Limit
from .lines import perft
from .mcts_search import MonteCarloTree

__all__ = ["ALGORITHMS", "MAX_DEPTH", "Limit", "MonteCarloTree", "analyse", "perft", "search"]
