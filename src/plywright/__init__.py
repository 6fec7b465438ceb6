"""Plywright: write a game's rules once, in Python; play, explain, solve and examine it at native speed."""

from __future__ import annotations

import importlib
from typing import TYPE_CHECKING, Any

__version__ = "0.1.0"

if TYPE_CHECKING:
    from .bits import replaced
    from .engine import Limit, MonteCarloTree, analyse, search
    from .engine.chance.opponent_models import (
        Counts,
        Fixed,
        LevelK,
        Minimax,
        Mixture,
        Policy,
        Quantal,
        Softmax,
        Uniform,
    )
    from .engine.perft import perft
    from .errors import BadInput, GameError, InterpretedWarning, PlywrightError, Unsuitable
    from .game import CHANCE, Game
    from .games import load_game
    from .knowledge import Knowledge
    from .result import SearchResult

_HOME = {
    "replaced": "bits",
    "BadInput": "errors",
    "GameError": "errors",
    "InterpretedWarning": "errors",
    "PlywrightError": "errors",
    "Unsuitable": "errors",
    "CHANCE": "game",
    "Game": "game",
    "Knowledge": "knowledge",
    "load_game": "games",
    "SearchResult": "result",
    "Limit": "engine",
    "MonteCarloTree": "engine",
    "analyse": "engine",
    "learn": "learning.learn",
    "perft": "engine.perft",
    "search": "engine",
    "Counts": "engine.chance.opponent_models",
    "Fixed": "engine.chance.opponent_models",
    "LevelK": "engine.chance.opponent_models",
    "Minimax": "engine.chance.opponent_models",
    "Mixture": "engine.chance.opponent_models",
    "Policy": "engine.chance.opponent_models",
    "Quantal": "engine.chance.opponent_models",
    "Softmax": "engine.chance.opponent_models",
    "Uniform": "engine.chance.opponent_models",
}

__all__ = [
    "CHANCE",
    "BadInput",
    "Counts",
    "Fixed",
    "Game",
    "GameError",
    "InterpretedWarning",
    "Knowledge",
    "LevelK",
    "Limit",
    "Minimax",
    "Mixture",
    "MonteCarloTree",
    "PlywrightError",
    "Policy",
    "Quantal",
    "SearchResult",
    "Softmax",
    "Uniform",
    "Unsuitable",
    "analyse",
    "learn",
    "load_game",
    "perft",
    "replaced",
    "search",
]


def __getattr__(name: str) -> Any:
    """Public names are imported when first used, so that `import plywright` costs next to nothing."""
    if name in _HOME:
        value = getattr(importlib.import_module(f".{_HOME[name]}", __name__), name)
        globals()[name] = value
        return value
    raise AttributeError(f"module 'plywright' has no attribute {name!r}")


def __dir__() -> list[str]:
    return sorted([*globals(), *_HOME])
