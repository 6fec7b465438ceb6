"""Knowledge: everything that makes a search of a game better and changes no value.

    class ChompKnowledge(Knowledge):
        def evaluate(self, state, player): ...          # an estimate, from the player's perspective
        def priority(self, state, action, depth): ...   # which action to try first

    class Chomp(Game):
        knowledge = ChompKnowledge                      # the default; search(..., knowledge=...) takes another

The rules say what is legal and what it pays; a `Knowledge` stands beside them, with `self.game` at hand. All of it is
optional, and what a knowledge does not define costs nothing. Its arrays are data at run time: ten sets of weights
share one compilation. `docs/knowledge.md` has the contracts, `plywright doctor` holds them against the rules.
"""

from __future__ import annotations

import math
import re
from collections.abc import Iterable, Mapping, Sequence
from types import FunctionType
from typing import Any, Self

import numpy as np
from numpy.typing import NDArray

from .bits import mix
from .digest import digest
from .errors import BadInput, GameError, shown
from .game import Game
from .identity import WORKED_OUT, Identified, is_shipped
from .weighted import Term, terms_of, with_weights

HOOKS = (
    *("key", "priority", "candidates", "bounds", "is_quiet", "noisy", "null_move", "is_late", "finish"),
    *("index", "unindex", "is_hole", "plies_left"),
    *("extend", "tactical", "margin", "gain", "slot", "probcut_row"),
    *("structure_key", "structure", "evaluate_with"),
    *("shape", "pattern", "pattern_bits", "needed_for", "relied", "spares", "grounds", "banked"),
    *("playout", "playout_moves", "prior", "owner"),
)
"""What a knowledge may say beside `evaluate`."""
FACTS = (
    *("evaluates", "use_history", "fixed_states"),
    *("has_priority", "has_candidates", "has_bounds", "has_is_quiet", "has_noisy", "has_null_move", "has_is_late"),
    *("has_table", "counts_down"),
    *("has_extend", "has_tactical", "has_margin", "has_gain", "has_slot", "has_probcut", "has_structure"),
    "has_patterns",
    *("has_playout", "has_playout_moves", "has_prior", "places"),
)
"""The attributes that kernels read as compile-time constants."""

FINEST = 1 << 14
"""About how many units of the engine a win is worth, where there is an evaluation."""
FOREVER = 1 << 30
"""Plies: more than any game has."""
EVEN = 8.0
"""The usual scale of winning chances: an eighth of the utility range in the lead is 73 %."""
HOPELESS = 700.0
"""By how many scales a chance is counted behind at most: further down `math.exp` overflows."""


class Knowledge(Identified):
    """What a search may know of one game beyond its rules; by itself nothing but the game's own `evaluate`."""

    _protocol = True
    _surveyed = ("fixed_states",)
    never_compiled = frozenset(
        {
            "chance",
            "moves_left",
            "units",
            "hooks",
            "lasting_keys",
            "evaluation_terms",
            "feature_weights",
            "terms_unit",
            "with_weights",
        }
    )

    game: Game
    """The rules that this is knowledge of."""
    scale: float | None = None
    """The lead, in the game's own units, that means a winning chance of 73 % (logistic); None: see `chance`."""
    use_history: bool = True
    """Whether moves that cut elsewhere are tried early; knowledge with a sharp `priority` is better off without."""

    def moves_left(self, state: Any) -> int | None:
        """How many moves of one's own a clock is to be planned for, what a proof of the end takes counted in; None
        where nobody can tell."""
        return None

    cutoff: int | None = None
    """After how many plies at random a simulation ends with the evaluation, where a search is not told; None: never."""
    algorithm: str = ""
    """The search that suits it, such as "mcts", where none is named and no depth is asked for; empty: the game's kind
    decides."""

    def __new__(cls, game: Game | None = None, *_: Any, **__: Any) -> Self:
        """With its game at hand from the start: no `super().__init__(game)` is needed."""
        made = super().__new__(cls)
        if game is not None:
            if not isinstance(game, Game):
                raise BadInput(f"{cls.__name__}(game) takes a game first, not {shown(game)}")
            made.__dict__["game"] = game
        return made

    def __init__(self, game: Game) -> None:
        """Knowledge of this game; a subclass may take weights and the like after it."""
        self.game = game

    def __init_subclass__(cls) -> None:
        super().__init_subclass__()
        if not vars(cls).get("name"):
            type.__setattr__(cls, "name", re.sub(r"(?<=[a-z0-9])(?=[A-Z])", "-", cls.__name__).lower())

    def evaluate(self, state: Any, player: int) -> float:
        """An estimate of the utility from the player's perspective, strictly inside `utility_range`."""
        return self.game.evaluate(state, player)

    def key(self, state: Any) -> int:
        """64 bits that stand for the state in the table; states that share a key must share their value."""
        if self.fixed_states:
            return mix(state)
        return digest(state)

    def priority(self, state: Any, action: int, depth: int) -> int:
        """How early to try an action: higher first, within plus or minus 2^20."""
        return 0

    def candidates(self, state: Any) -> Iterable[int]:
        """The actions worth searching; leaving one out must never change the value."""
        return self.game.actions(state)

    def bounds(self, state: Any) -> tuple[float, float]:
        """A proved interval for the utility of an unfinished state, from the mover's perspective."""
        return -math.inf, math.inf

    def is_quiet(self, state: Any) -> bool:
        """Whether the evaluation can be trusted; where not, all actions are searched one ply beyond the depth limit."""
        return True

    def noisy(self, state: Any) -> Iterable[int]:
        """The actions of a quiet state to look at beyond the depth limit, such as captures; declining is allowed."""
        for action in range(0):
            yield action

    def null_move(self, state: Any) -> Any:
        """The state with the other side to move, to guess what passing is worth; `state` itself where not to."""
        return state

    def is_late(self, state: Any) -> bool:
        """Whether `finish` takes over here."""
        return False

    def finish(self, state: Any, low: int, high: int, work: Any) -> int:
        """The value for the mover to the very end, in whole steps: exact inside (low, high), else a bound."""
        return 0

    # -- endgame tables ---------------------------------------------------------------------------------------

    tables: tuple[str, ...] = ()
    """Names of the tables that there can be, the smallest first, such as numbers of pieces."""

    def index(self, state: Any) -> int:
        """The number of an unfinished position in the tables of this game; -1 where they do not have it.

        Positions that share a number share their value, and `index(unindex(n)) == n`. What a move rule counts is no
        part of it: tables are made as if there were none.
        """
        return -1

    def unindex(self, number: int) -> Any:
        """A position with that number."""
        return self.game.start_state

    def is_hole(self, number: int) -> bool:
        """Whether no position has this number: a numbering may have holes where it would be hard to do without."""
        return False

    def plies_left(self, state: Any) -> int:
        """How many plies may still be played before a move rule could end the game; FOREVER where there is none.

        Where `key` leaves the rule's counter out, a win that takes longer is none, and a value that rests on the
        counter's end belongs to this counter alone: searches keep neither for states with other counters.
        """
        return FOREVER

    def for_tables(self, which: str) -> tuple[Knowledge, list[tuple[str, int]]]:
        """The knowledge that numbers the positions of the tables asked for, and their slices: name and size.

        Slices follow one another in the numbers, and a position leads to its own slice and to earlier ones only.
        """
        raise BadInput(f"{self.game.name} has no endgame tables: its knowledge defines no index() and unindex()")

    def with_table(self, data: NDArray[np.uint8], firsts: NDArray[np.int64], places: NDArray[np.int64]) -> Knowledge:
        """The same knowledge with a table that searches look positions up in (`table_blocks.probe`)."""
        other = type(self).__new__(type(self))
        other.__dict__.update({name: value for name, value in vars(self).items() if name not in WORKED_OUT})
        other.__dict__.update(table_data=data, table_firsts=firsts, table_places=places)
        return other

    # -- for games of tactics: only a selective search asks, never one that is exact or a proof ------------------

    kept_depth: int = 2
    """Plies from which on states are looked up and kept in the table: below, to search them again takes no longer."""

    def extend(self, state: Any) -> bool:
        """Whether a state, such as a check, is searched one ply deeper."""
        return False

    def tactical(self, state: Any, action: int) -> bool:
        """Whether an action may change much at once, such as a capture: it is neither reduced for coming late nor left
        out."""
        return True

    def margin(self, depth: int) -> float:
        """By how much the value of a state rarely strays from its evaluation in so many plies, one tactical stroke left
        out. What lies further outside the window than this is left out near the depth limit."""
        return math.inf

    def gain(self, state: Any, action: int) -> float:
        """The most that a noisy action can win at once; one that cannot reach the window is left out."""
        return math.inf

    def slot(self, state: Any, action: int) -> int:
        """A number below 512 that like actions share, such as piece and target: what was good after what is learned
        by it."""
        return action & 511

    probcut: NDArray[np.float64] | None = None
    """How far deep searches differ from shallow ones, by stage: a table that `benchmarks/probcut.py` fits and
    `probcut_table.probcut_table` makes. With it a selective search leaves out deep searches that a
    shallow one foretells (multi-ProbCut)."""

    def probcut_row(self, state: Any) -> int:
        """The row of `probcut` that a state belongs to: how far the game has come."""
        return 0

    # -- a part of the evaluation that rarely changes, such as pawns: searches keep it ----------------------------

    def structure_key(self, state: Any) -> int:
        """64 bits for what `structure` depends on; states that share them share their structure."""
        return 0

    def structure(self, state: Any) -> int:
        """The part of the evaluation that rarely changes from move to move, in a word of 64 bits."""
        return 0

    def evaluate_with(self, state: Any, player: int, structure: int) -> float:
        """The same as `evaluate(state, player)`, given the state's `structure`."""
        return self.evaluate(state, player)

    # -- entries that cover many states (partition search): only proofs ask ---------------------------------------

    def shape(self, state: Any) -> int:
        """64 bits of what two states must share for an entry of one to be looked at for the other; 0 where states are
        not kept."""
        return 0

    def pattern(self, state: Any) -> tuple[int, int]:
        """What the shape leaves open, as two words of bits that mean the same in all states of this shape."""
        return 0, 0

    def pattern_bits(self, state: Any, needed: int) -> int:
        """Which bits of the pattern a value rests on that needs these things."""
        return -1

    def needed_for(self, state: Any, bits: int) -> int:
        """The other way round: the things that a value needs which rests on these bits of the pattern."""
        return -1

    def relied(self, state: Any, action: int, needed: int) -> int:
        """What the value of an action rests on, if that of the state it leads to needs these things."""
        return -1

    def spares(self, state: Any, action: int, needed: int) -> int:
        """The actions, as bits, that for the same reasons are worth no more than this one, whose value needs these."""
        return 0

    def grounds(self, state: Any, value: int, lower: bool) -> int:
        """What `bounds` rests on where it says that the state is worth at least (else at most) this value."""
        return -1

    def banked(self, state: Any) -> int:
        """The part of the mover's utility that is made already: entries are without it."""
        return 0

    # -- for Monte Carlo trees ---------------------------------------------------------------------------------

    rave: float = 0.0
    """The visits at which a move's own value counts as much as what came of it later in other simulations (RAVE), where
    a search is not told; 0: that is not looked at."""
    exploration: float | None = None
    """How much doubt counts against value, where a search is not told; None: the search's own."""
    ripe: int = 1
    """How often a node is visited before its moves are listed."""

    def playout(self, state: Any, rng: Any) -> Any:
        """A finished state to which this one may lead: a simulation that plays better than at random, or faster."""
        return state

    def playout_moves(self, state: Any, rng: Any, moves: Any) -> Any:
        """The same as `playout` with the same random numbers; `moves` gets player, action, player, action, ... and -1.

        There is room for 4,000 moves; those beyond are left out. RAVE needs to know them.
        """
        return self.playout(state, rng)

    def prior(self, state: Any, action: int) -> float:
        """How promising an action looks before it is tried, 0 or more; only its share among the others counts."""
        return 1.0

    places: int = 0
    """How many places of the board can be somebody's when the game is over, such as points."""

    def owner(self, state: Any, place: int) -> int:
        """The player to whom a place belongs in a finished state, or -1: what playouts foretell of it is shown."""
        return -1

    # -- for people -------------------------------------------------------------------------------------------

    def chance(self, value: float, state: Any) -> float:
        """The chance to win, from 0 to 1, of whoever has this value: logistic in the value, certain at the ends.

        A game for one player, or one whose winner cannot be told by the value alone, has chances in the same sense:
        how far up its range the value is.
        """
        low, high = self.game.utility_range
        if self.game.opposed:
            high = max(abs(low), abs(high))
            low = -high
        if not low < value < high:
            return 1.0 if value >= high else 0.0
        scale = self.scale or (high - low) / EVEN
        return 1.0 / (1.0 + math.exp(min((0.5 * (low + high) - value) / scale, HOPELESS)))

    feature_names: tuple[str, ...] = ()
    """The features of an evaluation that is a weighted sum, by name."""
    weights_in: str = "weights"
    """The attribute that holds what one of each is worth: an array, a row of them for each stage of the game."""

    def features(self, state: Any, player: int) -> Sequence[float]:
        """How much of each feature a player has."""
        return ()

    def feature_weights(self, state: Any) -> Sequence[float]:
        """What one of each feature is worth in this state, in the units that evaluations are shown in."""
        return list(getattr(self, self.weights_in))

    def evaluation_terms(self, state: Any) -> list[Term]:
        """The features that `evaluate` weighs, for `best --explain-evaluation`; empty where it is no weighted sum."""
        return terms_of(self, state) if self.feature_names else []

    @property
    def terms_unit(self) -> str:
        """What the worth of `evaluation_terms` is counted in."""
        return self.game.evaluation_unit[1] if self.game.evaluation_unit else "value"

    def with_weights(self, given: Mapping[str, float]) -> Self:
        """The same knowledge with other weights: `knowledge.with_weights({"mobility": 0})`."""
        return with_weights(self, given)  # type: ignore[no-any-return]

    # -- what it knows about itself -----------------------------------------------------------------------------

    @property
    def evaluates(self) -> bool:
        """Whether there is an evaluation: here, or in the rules."""
        return self.overrides("evaluate") or self.game.evaluates

    @property
    def fixed_states(self) -> bool:
        """Whether all states are alike, so that their numbers mix to a key."""
        return self.game.fixed_states

    @property
    def lasting_keys(self) -> bool:
        """Whether another process gives states the same keys."""
        return self.overrides("key") or self.game.fixed_states or self.game._survey.lasting

    @property
    def has_priority(self) -> bool:
        """Whether it orders actions: the class defines `priority`."""
        return self.overrides("priority")

    @property
    def has_candidates(self) -> bool:
        """Whether it leaves actions out: the class defines `candidates`."""
        return self.overrides("candidates")

    @property
    def has_bounds(self) -> bool:
        """Whether it proves intervals: the class defines `bounds`."""
        return self.overrides("bounds")

    @property
    def has_is_quiet(self) -> bool:
        """Whether it tells quiet states from others: the class defines `is_quiet`."""
        return self.overrides("is_quiet")

    @property
    def has_null_move(self) -> bool:
        """Whether passing can be tried: the class defines `null_move`."""
        return self.overrides("null_move")

    @property
    def has_noisy(self) -> bool:
        """Whether there are actions to look at beyond the depth limit: the class defines `noisy`."""
        return self.overrides("noisy")

    @property
    def has_is_late(self) -> bool:
        """Whether `finish` may take over: the class defines `is_late`."""
        return self.overrides("is_late")

    @property
    def has_index(self) -> bool:
        """Whether it numbers positions for endgame tables: the class defines `index`."""
        return self.overrides("index")

    @property
    def has_table(self) -> bool:
        """Whether searches have a table to look positions up in."""
        return "table_data" in vars(self)

    @property
    def has_extend(self) -> bool:
        """Whether it has states searched deeper: the class defines `extend`."""
        return self.overrides("extend")

    @property
    def has_tactical(self) -> bool:
        """Whether it tells tactical actions from others: the class defines `tactical`."""
        return self.overrides("tactical")

    @property
    def has_margin(self) -> bool:
        """Whether it says how far values stray from evaluations: the class defines `margin`."""
        return self.overrides("margin")

    @property
    def has_gain(self) -> bool:
        """Whether it says what noisy actions win at most: the class defines `gain`."""
        return self.overrides("gain")

    @property
    def has_slot(self) -> bool:
        """Whether it says which actions are alike: the class defines `slot`."""
        return self.overrides("slot")

    @property
    def has_probcut(self) -> bool:
        """Whether it says how far deep searches differ from shallow ones: `probcut` is set."""
        return vars(self).get("probcut") is not None

    @property
    def has_structure(self) -> bool:
        """Whether a part of its evaluation is worth keeping; a class that redefines `evaluate` alone has none."""
        if not all(self.overrides(hook) for hook in ("structure_key", "structure", "evaluate_with")):
            return False
        made = next(cls for cls in type(self).__mro__ if "evaluate" in vars(cls) or "evaluate_with" in vars(cls))
        return "evaluate_with" in vars(made)

    @property
    def has_patterns(self) -> bool:
        """Whether it can tell what values rest on: the class defines `shape` and `pattern`."""
        return self.overrides("shape") and self.overrides("pattern")

    @property
    def has_playout(self) -> bool:
        """Whether it plays simulations itself: the class defines `playout`."""
        return self.overrides("playout")

    @property
    def has_playout_moves(self) -> bool:
        """Whether it tells which moves its simulations made: the class defines `playout_moves`."""
        return self.overrides("playout_moves")

    @property
    def has_prior(self) -> bool:
        """Whether it says which actions look promising: the class defines `prior`."""
        return self.overrides("prior")

    @property
    def counts_down(self) -> bool:
        """Whether a counter that the key may leave out can end the game."""
        return self.overrides("plies_left") and self.overrides("key")

    @property
    def hooks(self) -> list[str]:
        """The hooks that this knowledge defines."""
        return [hook for hook in HOOKS if self.overrides(hook)]

    @property
    def units(self) -> float:
        """How many of the engine's units are one utility: whole numbers for utilities, a fine scale for evaluations."""
        game = self.game
        if not game.step:
            return 0.0
        steps = max(abs(game.utility_range[0]), abs(game.utility_range[1])) / game.step
        fine = max(1, int(FINEST / max(steps, 1))) if self.evaluates else 1
        return fine / game.step

    def runtime_names(self) -> tuple[str, ...]:
        """Names of the attributes that travel as data: those declared, and all arrays."""
        own = (name for name in vars(self) if name not in WORKED_OUT)
        arrays = [name for name in own if isinstance(vars(self)[name], np.ndarray)]
        return tuple(dict.fromkeys((*self.runtime, *sorted(arrays))))

    def _roots(self) -> tuple[str, ...]:
        return "evaluate", "key", "candidates", *self.hooks  # of the others nothing is compiled

    def _facts(self) -> tuple[str, ...]:
        return FACTS

    def _base(self) -> str:
        return f"{self.game.fingerprint}"

    def _named_parts(self) -> tuple[tuple[str, Identified], ...]:
        return (("game", self.game),)

    def __repr__(self) -> str:
        return f"<{type(self).__name__} of {self.game.name}>"


class NoKnowledge(Knowledge):
    """Nothing but the rules: what `knowledge=none` means. Not even the game's own evaluation."""

    name = "none"

    def evaluate(self, state: Any, player: int) -> float:
        """What an unfinished state counts where nothing is known."""
        return self.game.neutral_value

    @property
    def evaluates(self) -> bool:
        return False


def old_hooks(game: Game) -> list[str]:
    """The methods of a game that are written as hooks, which nothing asks there since 0.2."""
    return [hook for hook in HOOKS if _same_shape(getattr(type(game), hook, None), getattr(Knowledge, hook))]


def _same_shape(found: object, hook: FunctionType) -> bool:
    """Whether a class member is a method that takes what the hook takes."""
    return isinstance(found, FunctionType) and found.__code__.co_argcount == hook.__code__.co_argcount


def old_hooks_note(game: Game) -> str:
    """What to tell the author of a game that still defines hooks; empty where it defines none."""
    found = old_hooks(game)
    if not found:
        return ""
    names = ", ".join(f"{hook}()" for hook in found)
    return (
        f"{type(game).__name__} defines {names}, which nothing asks: since 0.2 such hooks live in a Knowledge "
        f"(class {type(game).__name__}Knowledge(Knowledge), named by knowledge = ... in the game)"
    )


def knowledge_of(game: Game, chosen: Knowledge | str | None = None) -> Knowledge:
    """The knowledge to search a game with: the one given, one of the game's by name, or the game's default.

    `none` is nothing but the rules. Raises BadInput for a name that the game does not have, and for knowledge of
    another game.
    """
    if isinstance(chosen, Knowledge):
        if not isinstance(getattr(chosen, "game", None), Game):
            if not hasattr(chosen, "game"):
                made = type(chosen).__name__
                raise GameError(f"{made} was made without a game: write __init__(self, game, ...), and {made}(game)")
            raise GameError(
                f"{type(chosen).__name__}.game is {shown(chosen.game)}: it must stay the game it was made with"
            )
        if chosen.game is not game and chosen.game.fingerprint != game.fingerprint:
            raise BadInput(f"{chosen.name} is knowledge of {chosen.game.name} with other rules or parameters")
        return chosen
    if isinstance(chosen, type) and issubclass(chosen, Knowledge):
        raise BadInput(f"knowledge is an object: {chosen.__name__}(game), not the class {chosen.__name__} itself")
    if chosen is not None and not isinstance(chosen, str):
        raise BadInput(f"knowledge is a name of the game's, a file or a Knowledge, not {shown(chosen)}")
    kept: dict[str | None, Knowledge] = game.__dict__.setdefault("_knowledge", {})
    if chosen not in kept:
        kept[chosen] = _made(game, chosen)
    return kept[chosen]


def named_knowledge(game: Game) -> Mapping[str, type[Knowledge]]:
    """The knowledge that a game has by name, `none` included."""
    return {**game.knowledges, "none": NoKnowledge}


def _default(game: Game) -> type[Knowledge]:
    """What a game names as its knowledge; the plain one where a subclass of that game wrote its own `evaluate`."""
    named = "__init__" if "knowledge" in vars(game) else "knowledge"
    for cls in type(game).__mro__:
        if named in vars(cls) or vars(cls).get("_protocol"):
            break
        if "evaluate" in vars(cls):
            return Knowledge
    return game.knowledge or Knowledge


def _made(game: Game, chosen: str | None) -> Knowledge:
    if chosen is None:
        learned: Knowledge | None = game._learned() if game._learned is not None else None
        return learned or _default(game)(game)
    known = named_knowledge(game)
    if chosen not in known:
        raise BadInput(f"{game.name} has no knowledge {chosen!r}; there is {', '.join(known)}")
    return known[chosen](game)


__all__ = ["HOOKS", "Knowledge", "NoKnowledge", "Term", "is_shipped", "knowledge_of", "named_knowledge"]
