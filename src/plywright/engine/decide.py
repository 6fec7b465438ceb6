"""`search` and `analyse`: check what was asked, choose the algorithm, report in one SearchResult."""

from __future__ import annotations

import time as clock
from collections.abc import Callable, Iterator, Sequence
from dataclasses import replace
from functools import partial
from typing import Any, NamedTuple

from ..errors import BadInput, Unsuitable
from ..game import Game
from ..result import SearchResult
from .deepening import EngineSearch
from .limit import MAX_DEPTH, Limit
from .plain import PlainSearch
from .task import Task

DEFAULT_TIME = 1.0


def no_opposed_teams(game: Game) -> str:
    """Why minimax and alpha-beta cannot search a game; empty where they can."""
    if game.has_chance:
        return "it has chance nodes, which need expectiminimax"
    if game.hidden:
        return "players do not see the whole state"
    if not game.opposed:
        return "it needs two teams whose utilities cancel, as max^n does not"
    return ""


def no_common_step(game: Game) -> str:
    """Why the engine, which counts in whole steps, cannot search a game; empty where it can."""
    return no_opposed_teams(game) or ("" if game.step else "its utilities have no common step; alphabeta can")


class Algorithm(NamedTuple):
    """How `search` runs an algorithm: what makes the task, which games it refuses and why, what else it takes."""

    task: Callable[..., Task]
    refuses: Callable[[Game], str]
    options: tuple[str, ...] = ()


ALGORITHMS: dict[str, Algorithm] = {
    "pvs": Algorithm(EngineSearch, no_common_step, ("exact", "table", "threads", "history")),
    "alphabeta": Algorithm(partial(PlainSearch, algorithm="alphabeta"), no_opposed_teams),
    "minimax": Algorithm(partial(PlainSearch, algorithm="minimax"), no_opposed_teams),
}
"""Best first: a search that names no algorithm takes the first one that does not refuse the game."""


def algorithm_for(game: Game) -> str:
    """The algorithm that searches this game unless one is named; the first one where all refuse."""
    return next((name for name, entry in ALGORITHMS.items() if not entry.refuses(game)), next(iter(ALGORITHMS)))


def history_option(game: Game, history: Sequence[Any], algorithm: str | None = None) -> dict[str, Any]:
    """The states of the game so far as an option of `search`; empty where it makes no difference or is not taken."""
    entry = ALGORITHMS.get(algorithm or algorithm_for(game))
    return {"history": history} if game.repeats and entry and "history" in entry.options else {}


def check_suitable(game: Game, algorithm: str) -> None:
    """Refuse, in one sentence, a game that the algorithm cannot search."""
    if not isinstance(game, Game):
        raise BadInput(f"search needs a Game, not {game!r}; load_game(name) makes one from a name or a path")
    if algorithm not in ALGORITHMS:
        raise BadInput(f"unknown algorithm {algorithm!r}; there are {', '.join(ALGORITHMS)}")
    if reason := ALGORITHMS[algorithm].refuses(game):
        raise Unsuitable(f"{algorithm} cannot search {game.name}: {reason}")


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
    **options: Any,
) -> SearchResult:
    """The best action in a position, within the limits (by default one second).

    `view` is what the player to move sees: a state, by default the initial one. With `all_actions`
    every root action gets its exact value (a full-window search each). `compiled=False` interprets.

    Without `algorithm` the game's kind decides: the engine ("pvs") for two opposed teams without chance,
    or plain "alphabeta" where its utilities have no common step; the result says which. The engine takes
    `exact` (nothing is reduced or guessed; by default where only a depth limits it), `table` (megabytes),
    `threads`, and `history`: the states of the game before this one, for rules of repetition.
    """
    given = _limit(depth, time, nodes, limit)
    task = _task(game, view, given, algorithm, all_actions, compiled, options)
    if given.fixed_depth:
        return task.fixed(min(given.depth or 0, MAX_DEPTH))
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
    **options: Any,
) -> Iterator[SearchResult]:
    """Improving answers, one for each depth completed within the limits; always at least one."""
    yield from _task(
        game, view, _limit(depth, time, nodes, limit), algorithm, all_actions, compiled, options
    ).deepening()


def _task(
    game: Game,
    view: Any,
    limit: Limit,
    algorithm: str | None,
    all_actions: bool,
    compiled: bool | None,
    options: dict[str, Any],
) -> Task:
    if algorithm is None and isinstance(game, Game):
        algorithm = algorithm_for(game)
    check_suitable(game, algorithm or "")
    entry = ALGORITHMS[algorithm or ""]
    if foreign := [name for name in options if name not in entry.options]:
        taker = next((name for name, other in ALGORITHMS.items() if foreign[0] in other.options), None)
        remedy = f"that is for algorithm {taker!r}" if taker else "no algorithm does"
        raise BadInput(f"{algorithm} takes no {', '.join(foreign)}: {remedy}")
    return entry.task(game, view, limit, all_actions=all_actions, compiled=compiled, **options)


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
