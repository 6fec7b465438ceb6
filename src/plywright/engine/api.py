"""`search` and `analyse`: check what was asked, choose the algorithm, report in one SearchResult."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Any, Unpack

from ..contracts import check_facts
from ..errors import BadInput, nearest, shown
from ..game import Game
from ..games import as_game, as_knowledge
from ..result import SearchResult
from .limits import Limit
from .options import SearchOptions, names
from .registry import ALGORITHMS, PROVE_OR_SIMULATE, Algorithm, algorithm_for, check_suitable, prove_or_simulate
from .task import Task

DEFAULT_TIME = 1.0
LIMITS = ("depth", "time", "nodes", "limit", "algorithm", "all_actions", "compiled")


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
      `width`, `reply_width` and `margin` (a move filter), `pruning` (`"none"`, `"star1"`, `"star2"`), `table`, `seed`;
      `"maxn"` takes `opponents` and `table`
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
        if algorithm == PROVE_OR_SIMULATE:
            return prove_or_simulate(
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
