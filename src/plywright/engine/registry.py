"""The algorithms that `search` can be asked for: what makes each one's task, the games it refuses and why, its options.

The module of a task is imported when its algorithm is first chosen, so that no search waits for the others.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from functools import partial
from typing import Any, NamedTuple

from ..contracts import check_facts
from ..errors import BadInput, GameError, Unsuitable, shown
from ..game import Game
from ..games import as_knowledge
from ..knowledge import Knowledge
from .limits import Limit
from .options import (
    ChanceOptions,
    DealOptions,
    EngineOptions,
    IsmctsOptions,
    MaxnOptions,
    MonteCarloOptions,
    WeightedOptions,
    names,
)
from .suitability import (
    no_averages,
    no_common_step,
    no_deals,
    no_opposed_teams,
    no_whole_view,
    usual,
    usual_of_hidden,
)
from .task import Task

PROVE_OR_SIMULATE = "prove-or-simulate"
"""The default of games without an evaluation; it cannot be named, since the answer has the name of what it came to."""


class Algorithm(NamedTuple):
    """How `search` runs an algorithm: what makes the task, which games it refuses and why, what else it takes."""

    task: Callable[..., Task]
    refuses: Callable[[Game, Mapping[str, Any]], str]
    options: tuple[str, ...] = ()
    follows: bool = False  # whether a search takes over what the one of an earlier position knows


def pvs(*given: Any, **options: Any) -> Task:
    """The engine: principal-variation search."""
    from .alphabeta.pvs_search import EngineSearch

    return EngineSearch(*given, **options)


def plain(*given: Any, **options: Any) -> Task:
    """Alpha-beta or minimax as the textbook has them."""
    from .alphabeta.alphabeta_search import PlainSearch

    return PlainSearch(*given, **options)


def expectation(*given: Any, **options: Any) -> Task:
    """Expectimax, expectiminimax, paranoid and best-reply search."""
    from .chance.expectiminimax_search import Expectation

    return Expectation(*given, **options)


def maxn(*given: Any, **options: Any) -> Task:
    """Max^n."""
    from .chance.maxn_search import ManyPlayers

    return ManyPlayers(*given, **options)


def mcts(*given: Any, **options: Any) -> Task:
    """Monte Carlo tree search."""
    from .montecarlo.mcts_search import MonteCarloSearch

    return MonteCarloSearch(*given, **options)


def prove_or_simulate(*given: Any, **options: Any) -> Task:
    """A short attempt at a proof, then Monte Carlo tree search."""
    from .prove_or_simulate import ProveOrSimulate

    return ProveOrSimulate(*given, **options)


def weighted(*given: Any, **options: Any) -> Task:
    """Minimax over all deals, weighted by their probabilities."""
    from .hidden.determinization_search import WeightedSearch

    return WeightedSearch(*given, **options)


def deals(*given: Any, **options: Any) -> Task:
    """Monte Carlo minimax: determinization over drawn deals."""
    from .hidden.determinization_search import DealSearch

    return DealSearch(*given, **options)


def ismcts(*given: Any, **options: Any) -> Task:
    """Information-set Monte Carlo tree search."""
    from .hidden.ismcts_search import InformationSetSearch

    return InformationSetSearch(*given, **options)


ALGORITHMS: dict[str, Algorithm] = {
    "pvs": Algorithm(pvs, no_common_step, names(EngineOptions), True),
    "alphabeta": Algorithm(partial(plain, algorithm="alphabeta"), no_opposed_teams),
    "minimax": Algorithm(partial(plain, algorithm="minimax"), no_opposed_teams),
    **{
        name: Algorithm(partial(expectation, algorithm=name), partial(no_averages, name), names(ChanceOptions))
        for name in ("expectimax", "expectiminimax", "paranoid", "best-reply")
    },
    "maxn": Algorithm(maxn, no_whole_view, names(MaxnOptions)),
    "mcts": Algorithm(mcts, no_whole_view, names(MonteCarloOptions), True),
    "weighted": Algorithm(weighted, partial(no_deals, "weighted"), names(WeightedOptions)),
    "deals": Algorithm(deals, partial(no_deals, "deals"), names(DealOptions)),
    "ismcts": Algorithm(ismcts, partial(no_deals, "ismcts"), names(IsmctsOptions)),
}
"""What can be named."""


def algorithm_for(game: Game, limit: Limit | None = None, options: Mapping[str, Any] | None = None) -> str:
    """The algorithm that searches this game unless one is named, by its kind and by what was asked.

    Two opposed teams without chance are the engine's (plain alpha-beta's where utilities have no common step).
    Chance, opponents with a policy, and more sides than two have their own searches. A game without an
    evaluation is proved if that is quick, else simulated, unless a depth is asked for; one whose knowledge plays its
    own simulations is simulated at once, and a knowledge may name the search that suits it. Games with hidden
    information have searches over deals.
    """
    if game.hidden:
        return usual_of_hidden(game, limit is not None and limit.depth is not None)
    knowledge = as_knowledge(game, (options or {}).get("knowledge"))
    others = [name for name in options or () if name not in ("knowledge", "history")]
    free = limit is None or limit.depth is None
    if free and (suits := suited(knowledge, others)):
        return suits
    simulated = free and not knowledge.evaluates
    if simulated and knowledge.has_playout:
        return "mcts"
    if simulated and limit is not None and not others:
        return PROVE_OR_SIMULATE
    return usual(game, options or {})


def suited(knowledge: Knowledge, options: Iterable[str] = ()) -> str:
    """The algorithm that a knowledge names for itself, where it takes the options that are asked for; else empty."""
    name = knowledge.algorithm
    if name and name not in ALGORITHMS:
        known = ", ".join(ALGORITHMS)
        raise GameError(f"{type(knowledge).__name__}: algorithm is {shown(name)}; there are {known}")
    return name if name and all(option in ALGORITHMS[name].options for option in options) else ""


def history_option(game: Game, history: Sequence[Any], algorithm: str | None = None) -> dict[str, Any]:
    """The states of the game so far as an option of `search`; empty where it makes no difference or is not taken."""
    entry = ALGORITHMS.get(algorithm or algorithm_for(game))
    return {"history": history} if game.repeats and entry and "history" in entry.options else {}


def check_suitable(game: Game, algorithm: str, options: Mapping[str, Any] | None = None) -> None:
    """Refuse, in one sentence, a game that the algorithm cannot search."""
    if not isinstance(game, Game):
        raise BadInput(f"search needs a Game, not {game!r}; load_game(name) makes one from a name or a path")
    if not isinstance(algorithm, str) or algorithm not in ALGORITHMS:
        raise BadInput(f"unknown algorithm {shown(algorithm)}; there are {', '.join(ALGORITHMS)}")
    check_facts(game)
    if reason := ALGORITHMS[algorithm].refuses(game, options or {}):
        raise Unsuitable(f"{algorithm} cannot search {game.name}: {reason}")
