"""The hooks: what a search may ask of a knowledge, each with what it means where nothing is said."""

from __future__ import annotations

import math
from collections.abc import Iterable
from typing import TYPE_CHECKING, Any, Self

import numpy as np
from numpy.typing import NDArray

from ..bits import mix
from ..digest import digest
from ..errors import BadInput
from ..identity import WORKED_OUT
from .facts import Facts

if TYPE_CHECKING:
    from .knowledge import Knowledge

FOREVER = 1 << 30
"""Plies: more than any game has."""


class Hooks(Facts):
    """What a search may ask of a knowledge."""

    _protocol = True

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
    whole: str = ""
    """Which of them has every position of the game, so that it is solved with it; empty where none has."""

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

    def foregone(self, state: Any) -> int:
        """The number that a table would have for an unfinished position which it leaves out, since it is won or lost
        at sight: n for a win of the mover in n - 1 plies, -n for a loss in n - 1; 0 where it has to be looked up.

        `index` may be -1 there, and need not be asked.
        """
        return 0

    def plies_left(self, state: Any) -> int:
        """How many plies may still be played before a move rule could end the game in a draw; FOREVER: there is none.

        Where `key` leaves the rule's counter out, a win that takes longer is none, and a value that rests on the
        counter's end belongs to this counter alone: searches keep neither for states with other counters.
        """
        return FOREVER

    def for_tables(self, which: str) -> tuple[Knowledge, list[tuple[str, int]]]:
        """The knowledge that numbers the positions of the tables asked for, and their slices: name and size.

        Slices follow one another in the numbers, and a position leads to its own slice and to earlier ones only.
        """
        raise BadInput(f"{self.game.name} has no endgame tables: its knowledge defines no index() and unindex()")

    def with_table(self, data: NDArray[np.uint8], firsts: NDArray[np.int64], places: NDArray[np.int64]) -> Self:
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

    def evaluate_from(self, state: Any, player: int, structure: int, memory: Any) -> float:
        """The same as `evaluate(state, player)`, to the last bit, given what was worked out for states before it.

        `memory` is an array of 512 words that each searching thread keeps, all 0 to begin with; what is in them is this
        hook's affair. `structure` is the state's, 0 where there is none.
        """
        return self.evaluate(state, player)

    def evaluate_beside(self, state: Any, player: int, near: Any, inputs: Any, sums: Any) -> float:
        """The same as `evaluate(state, player)`, but for rounding, given what was worked out for a state beside it.

        `near` is a `scratch()`, `inputs` and `sums` are a `float_scratch()` each, which the caller keeps while it goes
        through the states that one state leads to; what is in them is this hook's affair, and near[0] begins with 0.
        """
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
        """The part of the mover's utility that is made already, in whole steps: entries are without it, and packed
        tables (`learn`) are about what is still to come."""
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
