"""What `search` and `analyse` take beside limits: one class of options for each algorithm.

These classes are the one list of options: editors and type checkers read them through the signature of `search`, the
table of algorithms in `registry.py` takes from them what each algorithm accepts.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from typing import TYPE_CHECKING, Any, Literal, TypedDict

if TYPE_CHECKING:
    from ..knowledge import Knowledge
    from .chance.opponent_models import Policy
    from .montecarlo.mcts_search import MonteCarloTree
    from .proof.dfpn_search import ProofProgress


class EngineOptions(TypedDict, total=False):
    """Options of the engine, `algorithm="pvs"`."""

    exact: bool | None
    """Whether nothing is reduced or guessed; None, the default: where a depth alone limits the search."""
    table: float
    """Megabytes of the transposition table."""
    threads: int
    """How many threads search; one is deterministic."""
    history: Sequence[Any]
    """The states of the game before this one, for rules of repetition."""
    only: Sequence[int] | None
    """The actions of the position among which to choose; None, the default: all of them."""
    lines: int
    """How many of the best actions to follow, each with its value and line: `result.variations`."""
    confidence: float
    """How confident a selective search must be to prune by a shallower search (multi-ProbCut), by default 0.8; needs a
    knowledge with a table for it. 1 turns this pruning off."""


class ChanceOptions(TypedDict, total=False):
    """Options of `"expectimax"`, `"expectiminimax"`, `"paranoid"` and `"best-reply"`."""

    opponents: Mapping[int, Policy] | None
    """Opponent models: a policy by player number, such as `{1: Uniform()}`."""
    utility: Callable[[Any], Any] | None
    """A utility function of what the game pays, applied before averaging: attitude to risk."""
    outcomes: int | None
    """Sample this many outcomes at chance nodes that have more; None: all outcomes."""
    width: int | None
    """Search only this many actions per decision, those with the best evaluation (a move filter); None: all."""
    reply_width: int | None
    """The same for the decisions after the first; None: as many as `width`."""
    margin: float | None
    """Leave out actions whose evaluation is further behind the best, in utilities; None: none for that. Where one
    action is left at the root it is taken with its evaluation as the value, and not searched."""
    pruning: str
    """How chance nodes are pruned: `"none"`, `"star1"` or `"star2"`, the default; no value depends on it."""
    table: float
    """Megabytes of the transposition table."""
    seed: int
    """Seed of the sampled outcomes, which also depend on the state."""


class MaxnOptions(TypedDict, total=False):
    """Options of max^n, `algorithm="maxn"`."""

    opponents: Mapping[int, Policy] | None
    """Opponent models: a policy by player number, such as `{1: Uniform()}`."""
    table: float
    """Megabytes of the transposition table."""


class TreeOptions(TypedDict, total=False):
    """Settings of a `MonteCarloTree`."""

    memory: float
    """Megabytes for its nodes, by default 256; once they are used up, the tree stops growing and simulations go on."""
    exploration: float
    """The exploration constant of UCT, by default the knowledge's own, or the square root of 2."""
    spread: float | None
    """The unit of exploration, in utilities; None, the default: the standard deviation of outcomes so far."""
    rave: float | None
    """RAVE: the number of visits at which a move's own value and its all-moves-as-first value weigh the same; by
    default the knowledge's own, or 0, which turns RAVE off."""
    urgency: float | None
    """First-play urgency: an untried move counts as its position's value minus this many spreads; by default 0.2 with
    priors or RAVE, and otherwise every move is tried once first."""
    ripe: int | None
    """Visits of a node before it is expanded; by default the knowledge's own, or one."""
    cutoff: int | None
    """Evaluate a simulated game after so many plies at random; None: the knowledge's own, or play to the end."""
    longest: int
    """After so many plies, by default 1000, a game counts by its evaluation or as the middle of the utility range."""
    prove: bool
    """Whether finished games prove positions (MCTS-Solver), by default True; False is plain UCT."""
    seed: int
    """One thread with one seed always gives the same answer, compiled or not."""
    threads: int
    """How many trees are grown in parallel; their visit counts are added (root parallelism)."""


class MonteCarloOptions(TreeOptions, total=False):
    """Options of Monte Carlo tree search, `algorithm="mcts"`."""

    tree: MonteCarloTree | None
    """A tree kept from an earlier search, with its settings."""
    history: Sequence[Any]
    """The states of the game before this one, for rules of repetition."""


class WeightedOptions(TypedDict, total=False):
    """Options of weighted minimax over all deals, `algorithm="weighted"`."""

    seat: int | None
    """The player whose view it is."""
    inner: str | None
    """The algorithm that searches each deal with open cards."""
    inner_nodes: int | None
    """The most nodes per deal."""
    beliefs: Mapping[int, Any] | None
    """Policies or strategies by player: deals count by how likely those make what the others have done."""
    past: Sequence[Any] | None
    """What the seat saw and did, in order (`turn.past`): deals are then drawn and weighed, in games of any size."""
    threads: int
    """How many threads search deals."""
    table: float
    """Megabytes of the transposition table."""
    seed: int
    """Seed of the draws."""


class DealOptions(WeightedOptions, total=False):
    """Options of Monte Carlo minimax over drawn deals, `algorithm="deals"`."""

    deals: int | None
    """How many deals to draw; None: until a limit comes or the best action is clear."""


class IsmctsOptions(TypedDict, total=False):
    """Options of information-set Monte Carlo tree search, `algorithm="ismcts"`."""

    seat: int | None
    """The player whose view it is."""
    observers: str
    """Whose trees are grown: `"many"`, one for each player, or `"one"`, the searching player's alone."""
    beliefs: Mapping[int, Any] | None
    """Policies or strategies by player: deals count by how likely those make what the others have done."""
    past: Sequence[Any] | None
    """What the seat saw and did, in order (`turn.past`): deals are then drawn and weighed, in games of any size."""
    memory: float
    """Megabytes that the nodes may take, by default 64."""
    exploration: float
    """The exploration constant of UCT, by default the square root of 2."""
    cutoff: int | None
    """Evaluate a simulated game after so many plies at random; None: the knowledge's own, or play to the end."""
    longest: int
    """After so many plies, by default 1000, a game counts by its evaluation or as the middle of the utility range."""
    seed: int
    """One thread with one seed always gives the same answer, compiled or not."""
    threads: int
    """How many trees are grown in parallel; their visit counts are added (root parallelism)."""


class CommonOptions(TypedDict, total=False):
    """Options of every search."""

    knowledge: Knowledge | str | None
    """What the search knows: a `Knowledge`, the name of one of the game's, a path, or `"none"`; None: the default."""


class SimulationOptions(TypedDict, total=False):
    """Options of searches by simulation, as another word for `nodes`."""

    simulations: int
    """How many games to simulate; chooses `"mcts"`, or `"ismcts"` where there is a `seat`."""


class SearchOptions(
    CommonOptions,
    SimulationOptions,
    EngineOptions,
    ChanceOptions,
    MonteCarloOptions,
    DealOptions,
    total=False,
):
    """Every option of `search` and `analyse`; which one an algorithm takes is in the class of that algorithm."""

    observers: str
    """For `"ismcts"`: whose trees are grown, `"many"`, one for each player, or `"one"`, the searching player's."""


def names(options: Any) -> tuple[str, ...]:
    """The options in one of these classes."""
    return tuple(options.__annotations__)


class ProofOptions(TypedDict, total=False):
    """Options of proof-number search: `prove` and `prove_value`."""

    time: float | None
    """Seconds; where they are over, a question stays open, or an answer has no proof."""
    nodes: int | None
    """Positions to look at; where there are more, a question stays open."""
    megabytes: float
    """Memory of the table that holds proof numbers."""
    keep: bool | Literal["soon"]
    """Whether answers have their proofs, by default True; `"soon"` keeps that of the last one, if it takes no longer
    than the search or ten seconds."""
    knowledge: Knowledge | str | None
    """Whose `key` stands for a state."""
    history: Sequence[Any]
    """The states of the game before this one, for rules of repetition."""
    compiled: bool | None
    """False runs interpreted, True insists on native code; None, the default: native where it can be."""
    progress: Callable[[ProofProgress], None] | None
    """Told how far it is, about ten times a second."""
