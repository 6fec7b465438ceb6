"""Searches that decide now: one entry point picks the algorithm from the game's kind."""

from __future__ import annotations

import importlib
from typing import TYPE_CHECKING, Any

from .api import analyse, make_task, search
from .limits import MAX_DEPTH, Limit
from .registry import ALGORITHMS, algorithm_for, history_option, suited

if TYPE_CHECKING:
    from .asynchronous import search_async
    from .montecarlo.mcts_search import MonteCarloTree
    from .montecarlo.ownership import ownership

__all__ = [
    "ALGORITHMS",
    "MAX_DEPTH",
    "Limit",
    "MonteCarloTree",
    "algorithm_for",
    "analyse",
    "history_option",
    "make_task",
    "ownership",
    "search",
    "search_async",
    "suited",
]

_HOME = {
    "MonteCarloTree": "montecarlo.mcts_search",
    "ownership": "montecarlo.ownership",
    "search_async": "asynchronous",
}


def __getattr__(name: str) -> Any:
    """Names that few searches need are imported when first used."""
    if name in _HOME:
        value = globals()[name] = getattr(importlib.import_module(f".{_HOME[name]}", __name__), name)
        return value
    raise AttributeError(f"module 'plywright.engine' has no attribute {name!r}")
