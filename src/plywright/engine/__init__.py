"""Searches that decide now: one entry point picks the algorithm from the game's kind."""

from .decide import ALGORITHMS, algorithm_for, analyse, history_option, make_task, search
from .limit import MAX_DEPTH, Limit
from .lines import perft
from .mcts_search import MonteCarloTree

__all__ = [
    "ALGORITHMS",
    "MAX_DEPTH",
    "Limit",
    "MonteCarloTree",
    "algorithm_for",
    "analyse",
    "history_option",
    "make_task",
    "perft",
    "search",
]
