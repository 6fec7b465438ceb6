"""Plywright: write a game's rules once, in Python; play, explain, solve and examine it at native speed.

    from plywright import Game, search

    class Nim(Game):                                # one heap: take one, two or three; the last stone wins
        def initial(self):
            return 10, 0                            # stones, who is to move
        def to_move(self, state):
            return state[1]
        def actions(self, state):
            for stones in range(1, min(3, state[0]) + 1):
                yield stones
        def result(self, state, action):
            return state[0] - action, 1 - state[1]
        def utility(self, state, player):
            return -1 if player == state[1] else 1

    search(Nim(), depth=10).action                  # 2

Rules and knowledge
    Game, CHANCE        the protocol of a game; the mover where dice or cards decide
    Knowledge           what helps a search and changes no value: evaluation, order, bounds
    load_game           a game by its name or path, as on the command line
    replaced            a tuple with one place changed, for rules
    learn               an evaluation from self-play

Searches
    search, analyse     the best action; improving answers while it is looked for
    search_async        the same for an event loop, which may cancel it
    Limit, SearchResult how long to search; what was found
    MonteCarloTree      a tree of simulated games, kept from move to move
    ownership           whose each place of the board will be, by playouts
    Policy, ...         how opponents who are not perfect choose: Uniform, Minimax, Softmax (also Quantal), Mixture,
                        LevelK, Fixed, Counts

Solving
    solve               the proved value of a position, and a whole line of best play
    solve_states        the same by value iteration: dice, cycles, one player
    find_equilibrium    mixed strategies for games with hidden information
    perft               how many lines of play there are

Contests and checks
    Player, Turn        whoever answers "what do you do here?"; what it is given when it is to move
    play_match          games between players, recorded and counted
    examine             the doctor: whether rules keep their promises

Errors
    PlywrightError      base of BadInput, GameError, Unsuitable; InterpretedWarning tells of slow rules

The command `plywright` does all of this without a script: see `plywright --help`.
"""

from __future__ import annotations

import importlib
from typing import TYPE_CHECKING, Any

__version__ = "0.2.0"

if TYPE_CHECKING:
    from .arena.match import play_match
    from .bits import replaced
    from .doctor import examine
    from .engine import Limit, MonteCarloTree, analyse, ownership, search, search_async
    from .engine.alphabeta.solve import solve
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
    from .engine.value_iteration.value_iteration import solve_states
    from .equilibrium import find_equilibrium
    from .errors import BadInput, GameError, InterpretedWarning, PlywrightError, Unsuitable
    from .game import CHANCE, Game
    from .games import load_game
    from .knowledge import Knowledge
    from .learning.learn import learn
    from .players import Player, Turn
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
    "ownership": "engine",
    "analyse": "engine",
    "learn": "learning.learn",
    "perft": "engine.perft",
    "search": "engine",
    "search_async": "engine",
    "solve": "engine.alphabeta.solve",
    "solve_states": "engine.value_iteration.value_iteration",
    "find_equilibrium": "equilibrium",
    "Player": "players",
    "Turn": "players",
    "play_match": "arena.match",
    "examine": "doctor",
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
    "Player",
    "PlywrightError",
    "Policy",
    "Quantal",
    "SearchResult",
    "Softmax",
    "Turn",
    "Uniform",
    "Unsuitable",
    "analyse",
    "examine",
    "find_equilibrium",
    "learn",
    "load_game",
    "ownership",
    "perft",
    "play_match",
    "replaced",
    "search",
    "search_async",
    "solve",
    "solve_states",
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
