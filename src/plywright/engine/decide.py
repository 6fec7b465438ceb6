"""`search` and `analyse`: check what was asked, choose the algorithm, report in one SearchResult."""

from __future__ import annotations

import time as clock
from collections.abc import Iterator
from dataclasses import replace
from typing import Any

from ..errors import BadInput, Unsuitable
from ..game import Game
from ..result import SearchResult
from .deepening import EngineSearch
from .limit import MAX_DEPTH, Limit
from .mcts_search import MonteCarloSearch
from .mcts_search import check_suitable as check_for_mcts
from .plain import PlainSearch
from .task import Task
from .unaided import UnaidedSearch

ALGORITHMS = ("alphabeta", "minimax", "pvs", "mcts")
DEFAULT_TIME = 1.0


def search(
    game: Game,
    view: Any = None,
    *,
    depth: int | None = None,
    time: float | None = None,
    nodes: int | None = None,
    limit: Limit | None = None,
    algorithm: str | None = None,
    all_actions: bool = False,
    compiled: bool | None = None,
    **engine: Any,
) -> SearchResult:
    """The best action in a position, within the limits (by default one second).

    `view` is what the player to move sees: a state, by default the initial one. With `all_actions`
    every root action gets its exact value (a full-window search each). `compiled=False` interprets.
    The engine ("pvs") also takes `exact` (nothing is reduced), `table` (megabytes) and `threads`; Monte
    Carlo tree search ("mcts") takes `simulations`, `tree` and the settings of a `MonteCarloTree`. Without an
    `algorithm`, a depth or an evaluation to go by, the position is proved if that is quick, else simulated.
    """
    algorithm, nodes = _simulations(algorithm, nodes, engine)
    given = _limit(depth, time, nodes, limit)
    task = _task(game, view, given, algorithm, all_actions, compiled, engine)
    if given.fixed_depth:
        return task.fixed(min(given.depth or 0, MAX_DEPTH))
    task.streams = False
    *_, last = task.deepening()
    return replace(last, nodes=task.nodes, seconds=clock.monotonic() - task.began)


def analyse(
    game: Game,
    view: Any = None,
    *,
    depth: int | None = None,
    time: float | None = None,
    nodes: int | None = None,
    limit: Limit | None = None,
    algorithm: str | None = None,
    all_actions: bool = False,
    compiled: bool | None = None,
    **engine: Any,
) -> Iterator[SearchResult]:
    """Improving answers, one for each depth completed within the limits; always at least one."""
    algorithm, nodes = _simulations(algorithm, nodes, engine)
    yield from _task(
        game, view, _limit(depth, time, nodes, limit), algorithm, all_actions, compiled, engine
    ).deepening()


def _task(
    game: Game,
    view: Any,
    limit: Limit,
    algorithm: str | None,
    all_actions: bool,
    compiled: bool | None,
    engine: dict[str, Any],
) -> Task:
    if algorithm is None and isinstance(game, Game) and not game.evaluates and limit.depth is None and not engine:
        check_for_mcts(game)
        return UnaidedSearch(game, view, limit, all_actions=all_actions, compiled=compiled)
    algorithm = algorithm or ALGORITHMS[0]
    if algorithm == "mcts":
        return MonteCarloSearch(game, view, limit, all_actions=all_actions, compiled=compiled, **engine)
    check_suitable(game, algorithm)
    if algorithm == "pvs":
        if not game.step:
            raise Unsuitable(f"pvs cannot search {game.name}: its utilities have no common step; alphabeta can")
        return EngineSearch(game, view, limit, all_actions=all_actions, compiled=compiled, **engine)
    if engine:
        raise BadInput(f"{algorithm} takes no {', '.join(engine)}: that is for the engine, algorithm 'pvs'")
    return PlainSearch(game, view, limit, algorithm=algorithm, all_actions=all_actions, compiled=compiled)


def _simulations(algorithm: str | None, nodes: int | None, engine: dict[str, Any]) -> tuple[str | None, int | None]:
    """The algorithm and its limit of nodes where a number of `simulations` was given: one counts as a node."""
    if "simulations" not in engine:
        return algorithm, nodes
    if algorithm not in (None, "mcts"):
        raise BadInput(f"{algorithm} runs no simulations: that is for algorithm 'mcts'")
    if nodes is not None:
        raise BadInput("give either nodes= or simulations=, not both: for mcts they are the same")
    return "mcts", engine.pop("simulations")


def _limit(depth: int | None, time: float | None, nodes: int | None, limit: Limit | None) -> Limit:
    if limit is not None:
        if not isinstance(limit, Limit):
            raise BadInput(f"limit must be a Limit, such as Limit(depth=6), not {limit!r}")
        if (depth, time, nodes) != (None, None, None):
            raise BadInput("give either limit= or depth=, time= and nodes=, not both")
        return limit
    if depth is None and time is None and nodes is None:
        time = DEFAULT_TIME
    return Limit(depth, time, nodes)


def check_suitable(game: Game, algorithm: str) -> None:
    """Refuse, in one sentence, a game that alpha-beta and minimax cannot search."""
    if not isinstance(game, Game):
        raise BadInput(f"search needs a Game, not {game!r}; load_game(name) makes one from a name or a path")
    if algorithm not in ALGORITHMS:
        raise BadInput(f"unknown algorithm {algorithm!r}; there are {', '.join(ALGORITHMS)}")
    if game.has_chance:
        raise Unsuitable(f"{algorithm} cannot search {game.name}: it has chance nodes, which need expectiminimax")
    if game.hidden:
        raise Unsuitable(f"{algorithm} cannot search {game.name}: players do not see the whole state")
    if not game.opposed:
        raise Unsuitable(
            f"{algorithm} cannot search {game.name}: it needs two teams whose utilities cancel, as max^n does not"
        )
