"""`search` and `analyse`: check what was asked, choose the algorithm, report in one SearchResult."""

from __future__ import annotations

import importlib
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from functools import partial
from typing import Any, NamedTuple, Unpack

from ..contracts import check_facts
from ..errors import BadInput, GameError, Unsuitable, nearest, shown
from ..game import Game
from ..games import as_game, as_knowledge
from ..knowledge import Knowledge
from ..result import SearchResult
from .limits import Limit
from .options import (
    ChanceOptions,
    DealOptions,
    EngineOptions,
    IsmctsOptions,
    MaxnOptions,
    MonteCarloOptions,
    SearchOptions,
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

DEFAULT_TIME = 1.0
LIMITS = ("depth", "time", "nodes", "limit", "algorithm", "all_actions", "compiled")
AVERAGES = names(ChanceOptions)
WEIGHTED = names(WeightedOptions)
DEALS = names(DealOptions)
MCTS = names(MonteCarloOptions)
ISMCTS = names(IsmctsOptions)
UNAIDED = "unaided"


class Algorithm(NamedTuple):
    """How `search` runs an algorithm: what makes the task, which games it refuses and why, what else it takes."""

    task: Callable[..., Task]
    refuses: Callable[[Game, Mapping[str, Any]], str]
    options: tuple[str, ...] = ()
    follows: bool = False  # whether a search takes over what the one of an earlier position knows


def made_by(home: str, **settings: Any) -> Callable[..., Task]:
    """What makes the tasks of an algorithm: a `module.Class` of this package, imported when it is first chosen."""

    def make(*arguments: Any, **options: Any) -> Task:
        module, _, name = home.rpartition(".")
        task: Task = getattr(importlib.import_module(f".{module}", __package__), name)(
            *arguments, **settings, **options
        )
        return task

    return make


def averaging(name: str) -> Algorithm:
    return Algorithm(
        made_by("chance.expectiminimax_search.Expectation", algorithm=name), partial(no_averages, name), AVERAGES
    )


ALGORITHMS: dict[str, Algorithm] = {
    "pvs": Algorithm(made_by("alphabeta.pvs_search.EngineSearch"), no_common_step, names(EngineOptions), True),
    "alphabeta": Algorithm(made_by("alphabeta.alphabeta_search.PlainSearch", algorithm="alphabeta"), no_opposed_teams),
    "minimax": Algorithm(made_by("alphabeta.alphabeta_search.PlainSearch", algorithm="minimax"), no_opposed_teams),
    **{name: averaging(name) for name in ("expectimax", "expectiminimax", "paranoid", "best-reply")},
    "maxn": Algorithm(made_by("chance.maxn_search.ManyPlayers"), no_whole_view, names(MaxnOptions)),
    "mcts": Algorithm(made_by("montecarlo.mcts_search.MonteCarloSearch"), no_whole_view, MCTS, True),
    "weighted": Algorithm(
        made_by("hidden.determinization_search.WeightedSearch"), partial(no_deals, "weighted"), WEIGHTED
    ),
    "deals": Algorithm(made_by("hidden.determinization_search.DealSearch"), partial(no_deals, "deals"), DEALS),
    "ismcts": Algorithm(made_by("hidden.ismcts_search.InformationSetSearch"), partial(no_deals, "ismcts"), ISMCTS),
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
        return UNAIDED
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
    if algorithm not in ALGORITHMS:
        raise BadInput(f"unknown algorithm {algorithm!r}; there are {', '.join(ALGORITHMS)}")
    check_facts(game)
    if reason := ALGORITHMS[algorithm].refuses(game, options or {}):
        raise Unsuitable(f"{algorithm} cannot search {game.name}: {reason}")


def search(
    game: Game | str,
    view: Any = None,
    *,
    depth: int | None = None,
    time: float | None = None,
    nodes: int | None = None,
    limit: Limit | None = None,
    algorithm: str | None = None,
    all_actions: bool = False,
    compiled: bool | None = None,
    **options: Unpack[SearchOptions],
) -> SearchResult:
    """The best action in a position, within the limits (by default one second).

    `game` is a Game, or its name or path as on the command line. `view` is what the player to move sees: a state,
    by default the initial one; in a game with hidden information an observation, never a state, and `seat` says whose.

    Limits, of which the first one reached ends the search: `depth` in plies, `time` in seconds, `nodes`; or all of
    them as one `limit`. Without `algorithm` the game's kind decides, and `result.algorithm` says what it was.
    `all_actions` gives every root action its exact value (a full-window search each), `compiled=False` interprets.

    Options, by algorithm (`plywright.engine.options` has a class of them for each):

    - *every search*: `knowledge` (what it knows beside the rules, by default what the game names; `"none"` is nothing)
    - the engine, `"pvs"`: `exact` (nothing is reduced or guessed; by default where a depth alone limits the search),
      `table` (megabytes of the transposition table), `threads`, `history` (the states of the game before this one,
      for rules of repetition), `only` (the actions among which to choose), `lines` (how many of the best to follow, see
      `result.variations`), `confidence` (how sure it must be of what it leaves out by multi-ProbCut; 1: nothing is)
    - `"expectimax"`, `"expectiminimax"`, `"paranoid"`, `"best-reply"`: `opponents` (policies by player, such as
      `{1: Uniform()}`), `utility` (a function of what the game pays), `outcomes` (draw so many where there are more),
      `width` (a move filter), `pruning` (`"none"`, `"star1"`, `"star2"`), `table`, `seed`; `"maxn"` takes `opponents`
      and `table`
    - Monte Carlo tree search, `"mcts"`: `simulations`, `tree` (a `MonteCarloTree` kept from an earlier search), or the
      settings of one: `memory`, `exploration`, `spread`, `rave`, `urgency`, `ripe`, `cutoff`, `longest`, `prove`,
      `seed`, `threads`; and `history`
    - hidden information, `"weighted"`, `"deals"`, `"ismcts"`: `seat` (the player whose view it is), `beliefs`
      (policies or strategies of the others, by which deals are weighed), `past` (what the seat saw and did, in order:
      with it deals are drawn by weight where they are too many to list), `deals` (how many to draw), `inner` and
      `inner_nodes` (how each is searched), `observers` and the settings of a tree for `"ismcts"`

    Raises BadInput for what makes no sense, Unsuitable for a game that the algorithm cannot search, GameError for a
    fault of the rules.
    """
    limits = {"depth": depth, "time": time, "nodes": nodes, "limit": limit}
    others: dict[str, Any] = {**options}
    with search_task(game, view, limits, algorithm, others, all_actions=all_actions, compiled=compiled) as task:
        return task.run()


def analyse(
    game: Game | str,
    view: Any = None,
    *,
    depth: int | None = None,
    time: float | None = None,
    nodes: int | None = None,
    limit: Limit | None = None,
    algorithm: str | None = None,
    all_actions: bool = False,
    compiled: bool | None = None,
    **options: Unpack[SearchOptions],
) -> Iterator[SearchResult]:
    """Improving answers, one for each depth completed within the limits; always at least one.

    Takes what `search` takes.
    """
    limits = {"depth": depth, "time": time, "nodes": nodes, "limit": limit}
    others: dict[str, Any] = {**options}
    with search_task(game, view, limits, algorithm, others, all_actions=all_actions, compiled=compiled) as task:
        yield from task.stream()


def search_task(
    game: Game | str,
    view: Any,
    limits: Mapping[str, Any],
    algorithm: str | None,
    options: Mapping[str, Any],
    *,
    all_actions: bool = False,
    compiled: bool | None = None,
) -> Task:
    """The task of what `search` is given, with its usual limit where there is none."""
    options = dict(options)
    algorithm, nodes = _simulations(algorithm, limits.get("nodes"), options)
    counted = "deals" in options or algorithm == "weighted"
    given = _limit(limits.get("depth"), limits.get("time"), nodes, limits.get("limit"), counted)
    return make_task(as_game(game), view, given, algorithm, options, all_actions=all_actions, compiled=compiled)


def make_task(
    game: Game,
    view: Any,
    limit: Limit,
    algorithm: str | None,
    options: Mapping[str, Any],
    *,
    all_actions: bool = False,
    compiled: bool | None = None,
    after: Task | None = None,
) -> Task:
    """A search that is ready to run, for whoever wants to watch it or stop it; `search` runs it to its end.

    `after` is the search of an earlier position of the same game, whose table it takes over where that is sound:
    with the same knowledge, and never where the search is exact.
    """
    options = dict(options)
    for name, switch in (("all_actions", all_actions), ("compiled", compiled), ("exact", options.get("exact"))):
        if switch not in (None, True, False):
            raise BadInput(f"{name} is True or False, not {shown(switch)}")
    knowledge = as_knowledge(game, options.pop("knowledge", None)) if isinstance(game, Game) else None
    if algorithm is None and isinstance(game, Game):
        check_facts(game)
        algorithm = algorithm_for(game, limit, {**options, "knowledge": knowledge})
        if algorithm == UNAIDED:
            return made_by("prove_or_simulate.UnaidedSearch")(
                game,
                view,
                limit,
                all_actions=all_actions,
                compiled=compiled,
                knowledge=knowledge,
                after=after,
                **options,
            )
    check_suitable(game, algorithm or "", options)
    entry = ALGORITHMS[algorithm or ""]
    if foreign := [name for name in options if name not in entry.options]:
        raise BadInput(f"{algorithm} takes no {', '.join(foreign)}: {_remedy(foreign[0], entry)}")
    if entry.follows:
        options["after"] = after
    return entry.task(game, view, limit, all_actions=all_actions, compiled=compiled, knowledge=knowledge, **options)


def _remedy(option: str, entry: Algorithm) -> str:
    """What to do about an option that an algorithm does not take."""
    if taker := next((name for name, other in ALGORITHMS.items() if option in other.options), None):
        return f"that is for algorithm {taker!r}"
    close = nearest(option, (*LIMITS, "knowledge", *entry.options)) or nearest(option, names(SearchOptions))
    return f"did you mean {close}?" if close else f"it takes {', '.join((*entry.options, 'knowledge'))}"


def _simulations(algorithm: str | None, nodes: int | None, options: dict[str, Any]) -> tuple[str | None, int | None]:
    """The algorithm and its limit of nodes where a number of `simulations` was given: one counts as a node."""
    if "simulations" not in options:
        return algorithm, nodes
    if algorithm not in (None, "mcts", "ismcts"):
        raise BadInput(f"{algorithm} runs no simulations: that is for algorithms 'mcts' and 'ismcts'")
    if nodes is not None:
        raise BadInput("give either nodes= or simulations=, not both: for mcts they are the same")
    return algorithm or ("ismcts" if "seat" in options else "mcts"), options.pop("simulations")


def _limit(
    depth: int | None, time: float | None, nodes: int | None, limit: Limit | None, counted: bool = False
) -> Limit:
    """The limits of a search; `counted` where an option of the algorithm limits it already."""
    if limit is not None:
        if not isinstance(limit, Limit):
            raise BadInput(f"limit must be a Limit, such as Limit(depth=6), not {limit!r}")
        if (depth, time, nodes) != (None, None, None):
            raise BadInput("give either limit= or depth=, time= and nodes=, not both")
        return limit
    if depth is None and time is None and nodes is None and not counted:
        time = DEFAULT_TIME
    return Limit(depth, time, nodes)
