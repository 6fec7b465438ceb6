"""What the engine knows of chess: an evaluation by features, exchanges, the order of moves, where to look further."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import TYPE_CHECKING, Any, Self

import numpy as np

from ...bits import lowest_bit, popcount
from ...errors import BadInput
from ...knowledge import Knowledge, Term
from ...weighted import copy_with, named_weights, one_sided, spoken, terms_of
from . import evaluation
from .attacks import DARK_SQUARES, KING, ONE, RANK_7, RANK_8, ZERO, pawn_attacks_down
from .evaluation import (
    ALL_PIECES,
    distance,
    early_of,
    late_of,
    phase,
    sides,
    structure_score,
    weighed_rest,
    weighed_sides,
)
from .exchange import PAWN_VALUE, exchange_wins, value_on
from .features import FEATURES, FINE, GROUPS, STARTS, TO_MOVE, first_weights, packed
from .lone_pawn import has_wrong_pawns, is_lone_pawn, lone_pawns, pawn_wins
from .network import (
    LOUDER,
    Network,
    can_remember,
    can_weigh,
    correction,
    remembered_correction,
    trained_network,
)
from .position import Position, blocking_squares, legal_targets, pinned_pieces, position_key, turned
from .weights import fitted_weights

if TYPE_CHECKING:
    from .rules import Chess

PAWN = 0.01
"""A pawn as a part of a win: what the evaluation counts in."""
WIDEST = 0.9
WINNING, LOSING = 1 << 16, -(1 << 16)
DRAWISH, PAWNLESS, OPPOSITE_ALONE, OPPOSITE, ONLY_PAWNS = 0.1, 0.5, 0.4, 0.85, 1.2
WRONG_PAWNS = 0.02
ONE_WING_OPPOSITE, ONE_WING_MINORS, ONE_WING_ROOKS, ONE_WING_QUEENS = 0.25, 0.4, 0.5, 0.8
QUEENS_WING = np.uint64(0x0F0F0F0F0F0F0F0F)
LONE_PAWN_WINS = 4.0
"""Pawns that it is worth beyond its features to win with king and pawn against king."""
FEW_PAWNS, MORE_PAWNS = 0.6, 0.11
HEAVIEST = 1000
"""Pawns that a feature may be worth."""
NETWORK = "network"
NO_NETWORK = Network(np.zeros(0, np.int16), np.zeros(0, np.int16))
PIECES = ("pawn", "knight", "bishop", "rook", "queen")
PARTS = {name: (STARTS["material"] + n, 1) for n, name in enumerate(PIECES)} | {
    name: (STARTS[name], size) for name, size in GROUPS.items() if name != "material"
}
"""The first feature of each part of the evaluation that is told by itself, and how many it has."""


class ChessKnowledge(Knowledge):
    """Weights of features, and a network that corrects their sum, tapered from the middlegame to the endgame.

    `weights` is data, [2 * FEATURES]; weights of one's own come without a network, unless one is given.
    """

    game: Chess
    scale = 1.6 * PAWN
    kept_depth = 0

    def __init__(self, game: Chess, weights: Any = None, network: Network | None = None) -> None:
        self.game = game
        if network is not None and not network.is_whole():
            raise BadInput("that network of chess is not whole: give one that benchmarks/chess_network.py has written")
        known = trained_network() if weights is None and network is None else network or NO_NETWORK
        self.weights = np.array(fitted_weights() if weights is None else weights, np.float64).ravel()
        assert len(self.weights) == 2 * FEATURES
        self.packed = packed(self.weights)
        self.network_rows, self.network_outputs, self.network_units = known.rows, known.outputs, known.units
        self.remembers = can_remember(self.network_units)
        self.lone_pawns = lone_pawns()

    def evaluate(self, state: Position, player: int) -> float:
        """The difference of the two sides' features and what the network adds, in hundredths of a win."""
        return self.evaluate_with(state, player, self.structure(state))

    def evaluate_with(self, state: Position, player: int, structure: int) -> float:
        more = 0
        if self.network_units > 0:
            early, late = correction(self.network_rows, self.network_outputs, self.network_units, state)
            more = (early << 32) + late
        return self.corrected(state, player, structure, more)

    def evaluate_from(self, state: Position, player: int, structure: int, memory: Any) -> float:
        if not self.remembers:
            return self.evaluate_with(state, player, structure)
        early, late = remembered_correction(self.network_rows, self.network_outputs, self.network_units, state, memory)
        return self.corrected(state, player, structure, (early << 32) + late)

    def corrected(self, state: Position, player: int, structure: int, more: int) -> float:
        """The evaluation, given the structure and what the network adds, both as packed weights are."""
        mine, theirs = sides(state)
        one, other = weighed_rest(self.packed, mine, theirs, structure >> 8 & 255, structure & 255)
        score = structure_score(structure) + one - other + self.packed[TO_MOVE] + more
        pawns = tapered(state, score) + driven(state)
        if is_lone_pawn(state):
            pawns = lone_pawn_worth(self.lone_pawns, state, pawns)
        value = min(max(pawns * PAWN, -WIDEST), WIDEST)
        return value if player == state.mover else -value

    def structure_key(self, state: Position) -> int:
        """Where the pawns stand."""
        return evaluation.structure_key(state)

    def structure(self, state: Position) -> int:
        """What pawns are worth by themselves, and which are passed."""
        return evaluation.structure(self.packed, state)

    def evaluation_terms(self, state: Position) -> list[Term]:
        """Groups of features, each side's in pawns as they count at this phase of the game."""
        pieces = phase(state)

        def worth(weights: Any) -> list[float]:
            """White's and Black's."""
            scores = weighed_sides(packed(weights), state)
            found = [(early_of(each) * pieces + late_of(each) * (ALL_PIECES - pieces)) for each in map(int, scores)]
            return [each / (FINE * ALL_PIECES) for each in (found if state.mover == 0 else found[::-1])]

        found = []
        for name, (start, size) in PARTS.items():
            first, last = 2 * start, 2 * (start + size)
            weights, ones = np.zeros(2 * FEATURES), np.zeros(2 * FEATURES)
            weights[first:last], ones[first:last] = self.weights[first:last], 1.0
            values, counts = worth(weights), worth(ones)
            if name == "to move":
                counts = [float(state.mover == 0), float(state.mover == 1)]
                tempo = (weights[first] * pieces + weights[first + 1] * (ALL_PIECES - pieces)) / ALL_PIECES
                values = [count * tempo for count in counts]
            each = pawns_text(weights[first], weights[first + 1]) if size == 1 else ""
            if any(counts):
                found.append(Term(name, each, (counts[0], counts[1]), (values[0] / 100, values[1] / 100)))
        if self.network_units > 0:
            early, late = correction(self.network_rows, self.network_outputs, self.network_units, state)
            lead = (early * pieces + late * (ALL_PIECES - pieces)) / (100 * FINE * ALL_PIECES)
            found.append(one_sided(NETWORK, lead if state.mover == 0 else -lead, 2))
        total = self.evaluate(state, 0) / PAWN
        if chase := driven(state) if state.mover == 0 else -driven(state):
            counts = [float(chase > 0), float(chase < 0)]
            found.append(Term("lone king driven", "", (counts[0], counts[1]), (max(chase, 0.0), max(-chase, 0.0))))
        rest = total - sum(term.worth[0] - term.worth[1] for term in found)
        if abs(rest) > 0.005:
            name = "a lead that is hard to win with" if rest * (total - rest) < 0 else "a lead of pawns alone"
            found.append(Term(name, "", (0, 0), (max(rest, 0.0), max(-rest, 0.0))))
        return found

    def about_itself(self) -> str:
        if self.feature_names:
            return super().about_itself()
        features = (
            "weights are in pawns, at the beginning of a game and at its end. One feature, or a group by a factor, is "
            "changed by best --weights, and best --explain-evaluation counts them in a position"
        )
        if self.network_units == 0:
            return f"a sum of features; {features}"
        return f"a sum of features, corrected by a network, which --weights network=0 takes out; {features}"

    def weight_lines(self) -> list[tuple[str, float | str]]:
        """Every piece and single feature; of a group how many weights it has, and between which they lie."""
        if self.feature_names:
            return super().weight_lines()
        pairs = self.weights.reshape(-1, 2)
        found: list[tuple[str, float | str]] = []
        for name, (start, size) in PARTS.items():
            part = pairs[start : start + size]
            if size == 1:
                found.append((name, pawns_text(*part[0])))
            else:
                span = f"{part.min() / 100:+.2f} .. {part.max() / 100:+.2f}"
                found.append((f"{name}: the least and the greatest weight of {size} features", span))
        if self.network_units > 0:
            found.append((f"network: a factor between 0 and {LOUDER} for what {self.network_units} units add", 1.0))
        return found

    def with_weights(self, given: Mapping[str, float]) -> Self:
        """Other weights by name: of a piece or a single feature in pawns; a number for a group of many, or for the
        network, is a factor."""
        if self.feature_names:
            return super().with_weights(given)
        single = {spoken(name): start for name, (start, size) in PARTS.items() if size == 1}
        groups = {spoken(name): name for name, size in GROUPS.items() if size > 1}
        weights, outputs = self.weights.reshape(-1, 2).copy(), self.network_outputs
        names = [*single, *groups, *([NETWORK] if self.network_units > 0 else [])]
        for name, value in named_weights(self, given, names).items():
            if name == NETWORK:
                if not 0 <= value <= LOUDER:
                    raise BadInput(f"the factor of the network lies between 0 and {LOUDER}, not {value:g}")
                louder = np.rint(value * outputs)
                if not can_weigh(louder):
                    raise BadInput(f"a network that is louder already cannot be made {value:g} times as loud")
                outputs = louder.astype(np.int16)
                continue
            if abs(value) > HEAVIEST:
                raise BadInput(f"the weight of {name!r} lies within plus or minus {HEAVIEST}, not {value:g}")
            if name in single:
                weights[single[name]] = 100 * value
            else:
                first = STARTS[groups[name]]
                weights[first : first + GROUPS[groups[name]]] *= value
        changed = {"weights": weights.ravel(), "packed": packed(weights.ravel()), "network_outputs": outputs}
        return copy_with(self, changed)  # type: ignore[no-any-return]

    def key(self, state: Position) -> int:
        """Without the counters, and the same for both colours: values are the mover's, whichever colour moves."""
        return position_key(state)

    def plies_left(self, state: Position) -> int:
        return self.game.limit - state.clock

    # -- the order of moves, and what is searched beyond the depth limit --------------------------------------

    def priority(self, state: Position, action: int, depth: int) -> int:
        """Captures and promotions that win something first, quiet moves next, captures that lose something last."""
        target = action & 63
        taken = value_on(state, target) if state.theirs >> np.uint64(target) & ONE != ZERO else 0
        if action >> 12 != 0:
            return WINNING + 16 * taken + 8000 if action >> 12 == 4 else LOSING + taken
        if taken == 0:
            if state.passant >> np.uint64(target) & ONE != ZERO and state.pawns >> np.uint64(action >> 6 & 63) & ONE:
                return WINNING + 16 * PAWN_VALUE
            return 0
        mover = value_on(state, action >> 6 & 63)
        order = 16 * taken - (mover >> 4)
        if depth <= 0 or mover <= taken or exchange_wins(state, action, 0):  # `noisy` has left out what loses
            return WINNING + order
        return LOSING + order

    def noisy(self, state: Position) -> Iterator[int]:
        """Captures that lose nothing, and promotions to a queen."""
        king = lowest_bit(state.mine & state.kings)
        pinned, allowed = pinned_pieces(state, king), blocking_squares(state, king)
        wanted = state.theirs | state.passant
        pawns = state.mine & state.pawns & (pawn_attacks_down(wanted) | RANK_7)
        pieces = state.mine & ~(state.pawns | state.kings) | pawns
        if KING[king] & state.theirs != ZERO:
            pieces |= state.mine & state.kings
        while pieces != ZERO:
            origin = lowest_bit(pieces)
            pieces &= pieces - ONE
            promotes = ONE << np.uint64(origin) & state.pawns & RANK_7 != ZERO
            targets = legal_targets(state, origin, king, pinned, allowed) & (wanted | (RANK_8 if promotes else ZERO))
            targets &= ~state.mine
            while targets != ZERO:
                action = (4 << 12 if promotes else 0) | origin << 6 | lowest_bit(targets)
                targets &= targets - ONE
                if exchange_wins(state, action, 0):
                    yield action

    def is_quiet(self, state: Position) -> bool:
        """Not in check."""
        return bool(state.checkers == ZERO)

    def extend(self, state: Position) -> bool:
        """Checks."""
        return bool(state.checkers != ZERO)

    def tactical(self, state: Position, action: int) -> bool:
        """Captures and promotions to a queen."""
        target = ONE << np.uint64(action & 63)
        if target & state.theirs != ZERO or action >> 12 == 4:
            return True
        return bool(target == state.passant and state.pawns >> np.uint64(action >> 6 & 63) & ONE != ZERO)

    def margin(self, depth: int) -> float:
        return 0.85 * PAWN * depth

    def slot(self, state: Position, action: int) -> int:
        """The piece and its target."""
        return 64 * kind_on(state, action >> 6 & 63) + (action & 63)

    def null_move(self, state: Position) -> Position:
        """Passing tells nothing in check, or where the mover has pawns and one piece at most: that may be zugzwang."""
        if state.checkers != ZERO or popcount(state.mine & ~(state.pawns | state.kings)) < 2:
            return state
        return turned(
            state.theirs,
            state.mine,
            state.pawns,
            state.knights,
            state.diagonals,
            state.straights,
            state.kings,
            state.castling,
            ZERO,
            1 - state.mover,
            state.clock + 1,
            state.number + state.mover,
        )


class HandWeights(ChessKnowledge):
    """The same features with rules of thumb for weights: what fitting starts from."""

    name = "hand"

    def __init__(self, game: Chess) -> None:
        super().__init__(game, first_weights())


class Material(ChessKnowledge):
    """The textbook's weighted sum: pawn 1, knight 3, bishop 3.25, rook 5, queen 9, and nothing else."""

    name = "material"
    feature_names = PIECES
    weights_in = "pieces"

    def __init__(self, game: Chess) -> None:
        super().__init__(game, first_weights())
        self.pieces = np.array([1.0, 3.0, 3.25, 5.0, 9.0])

    def features(self, state: Position, player: int) -> tuple[float, ...]:
        """The pieces of a side, kind by kind."""
        owner = state.mine if player == state.mover else state.theirs
        queens = popcount(state.diagonals & state.straights & owner)
        return (
            popcount(state.pawns & owner),
            popcount(state.knights & owner),
            popcount(state.diagonals & owner) - queens,
            popcount(state.straights & owner) - queens,
            queens,
        )

    def evaluation_terms(self, state: Position) -> list[Term]:
        return terms_of(self, state)

    def evaluate(self, state: Position, player: int) -> float:
        lead = material(self.pieces, state, state.mine) - material(self.pieces, state, state.theirs)
        value = min(max(lead * PAWN, -WIDEST), WIDEST)
        return value if player == state.mover else -value


def pawns_text(early: float, late: float) -> str:
    """What a feature is worth in pawns, at the beginning of a game and at its end, from hundredths."""
    return f"{early / 100:+.2f} to {late / 100:+.2f}"


def kind_on(state: Position, square: int) -> int:
    """The kind of the piece on a square, from 0 (pawn) to 5 (king)."""
    bit = ONE << np.uint64(square)
    if state.pawns & bit != ZERO:
        return 0
    if state.knights & bit != ZERO:
        return 1
    if state.straights & bit != ZERO:
        return 4 if state.diagonals & bit != ZERO else 3
    return 5 if state.kings & bit != ZERO else 2


def material(pieces: Any, state: Position, owner: np.uint64) -> float:
    """One side's pieces, weighed."""
    queens = state.diagonals & state.straights & owner
    return float(
        pieces[0] * popcount(state.pawns & owner)
        + pieces[1] * popcount(state.knights & owner)
        + pieces[2] * popcount(state.diagonals & owner & ~queens)
        + pieces[3] * popcount(state.straights & owner & ~queens)
        + pieces[4] * popcount(queens)
    )


def tapered(state: Position, score: int) -> float:
    """A packed score in pawns, between the middlegame and the endgame."""
    pieces = phase(state)
    late = late_of(score) * ending(state, late_of(score)) if pieces < ALL_PIECES else 0.0
    return float(early_of(score) * pieces + late * (ALL_PIECES - pieces)) * (0.01 / (FINE * ALL_PIECES))


def driven(state: Position) -> float:
    """In pawns for the mover: a king without any men is driven to the edge, by the other king at close quarters."""
    mine, theirs = state.mine & ~state.kings, state.theirs & ~state.kings
    if (mine == ZERO) == (theirs == ZERO):
        return 0.0
    leader, bare = (state.theirs, state.mine) if mine == ZERO else (state.mine, state.theirs)
    if has_wrong_pawns(state, leader, bare):
        return 0.0
    one, other = lowest_bit(state.mine & state.kings), lowest_bit(state.theirs & state.kings)
    lone = one if mine == ZERO else other
    rim = max(abs(2 * (lone & 7) - 7), abs(2 * (lone >> 3) - 7)) + abs(2 * (lone & 7) - 7) + abs(2 * (lone >> 3) - 7)
    chase = 0.05 * rim - 0.1 * distance(one, other)
    return -chase if mine == ZERO else chase


def lone_pawn_worth(wins: np.ndarray, state: Position, pawns: float) -> float:
    """What king and pawn against king are worth to the mover: nothing where the bits say that it is drawn."""
    if not pawn_wins(wins, state):
        return 0.0
    return LONE_PAWN_WINS + abs(pawns) if state.pawns & state.mine != ZERO else -LONE_PAWN_WINS - abs(pawns)


def ending(state: Position, lead: int) -> float:
    """How much of a lead in the endgame counts.

    Little without pawns and with no more than a minor piece ahead, less with few pawns than with many, less with
    bishops on squares of different colours, most of all alone; and more with nothing but pawns. Next to nothing where
    rook's pawns meet the other king and no bishop can drive it away. A quarter to four fifths of it where all pawns
    stand on one wing, the leader has no more pieces and a pawn more at most: the other king is there, too.
    """
    leader, other = (state.mine, state.theirs) if lead > 0 else (state.theirs, state.mine)
    pawns = popcount(state.pawns & leader)
    if pawns == 0:
        if other & ~state.kings == ZERO:
            return 1.0
        return DRAWISH if weight_of(state, leader) - weight_of(state, other) <= 3 else PAWNLESS
    if has_wrong_pawns(state, leader, other):
        return WRONG_PAWNS
    bishops = state.diagonals & ~state.straights
    cramped = is_on_one_wing(state, leader, other)
    if popcount(bishops) == 2 and popcount(bishops & leader) == 1 and popcount(bishops & DARK_SQUARES) == 1:
        share = OPPOSITE_ALONE if state.knights | state.straights == ZERO else OPPOSITE
        return share * ONE_WING_OPPOSITE if cramped else share
    if state.knights | state.diagonals | state.straights == ZERO:
        return ONLY_PAWNS
    share = min(FEW_PAWNS + MORE_PAWNS * pawns, 1.0)
    if not cramped:
        return share
    queens = state.diagonals & state.straights
    return share * (
        ONE_WING_MINORS if state.straights == ZERO else ONE_WING_ROOKS if queens == ZERO else ONE_WING_QUEENS
    )


def is_on_one_wing(state: Position, leader: np.uint64, other: np.uint64) -> bool:
    """Whether all pawns stand on one wing, the other side has pieces, and the leader no more of them and at most a pawn
    more."""
    if state.pawns & QUEENS_WING != ZERO and state.pawns & ~QUEENS_WING != ZERO:
        return False
    if popcount(state.pawns & leader) > popcount(state.pawns & other) + 1:
        return False
    theirs = weight_of(state, other)
    return theirs > 0 and weight_of(state, leader) <= theirs


def weight_of(state: Position, owner: np.uint64) -> int:
    """A side's pieces without pawns in the beginner's values."""
    queens = state.diagonals & state.straights
    minors = (state.knights | state.diagonals & ~queens) & owner
    return 3 * popcount(minors) + 5 * popcount(state.straights & ~queens & owner) + 9 * popcount(queens & owner)
