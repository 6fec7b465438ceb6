"""The evaluation of checkers with weights fitted to games of the engine against itself."""

from __future__ import annotations

from functools import cache
from importlib.resources import as_file, files
from typing import TYPE_CHECKING, Any

import numpy as np
from numpy.typing import NDArray

from ...bits import popcount
from ...errors import BadInput
from ...knowledge import Term
from ...models.model_file import read_model
from . import endings
from .board import BLACK, BOARD, DOWN, FIRST_ROW, LAST_ROW, WHITE, movers, shifted
from .knowledge import (
    BLACK_BRIDGE,
    CENTRE,
    MAN,
    WHITE_BRIDGE,
    CheckersKnowledge,
    advancement,
    bridge,
    the_move,
)
from .patterns import FEATURES, LANES, NUMBERS, STAGES, layout, pattern_sum, stage_of

if TYPE_CHECKING:
    from .board import Position
    from .rules import Checkers

PER_MAN = 256
"""Steps of a weight for one man."""
SHIPPED = "fitted.knowledge"
MODEL, WEIGHTS = "checkers-patterns", "weights"


class FittedKnowledge(CheckersKnowledge):
    """Weights of patterns of men, and of kings, mobility and the move, at three stages of the game."""

    name = "fitted"

    def __init__(self, game: Checkers, pieces: int = 2, weights: Any = None) -> None:
        super().__init__(game, pieces)
        plan = layout()
        self.lanes, self.words, self.a_stage = plan.lanes, plan.words, plan.weights
        self.others = LANES * plan.words * NUMBERS
        self.weights = shipped_weights() if weights is None else weights

    def evaluate(self, state: Position, player: int) -> float:
        """The weights of what stands on the board; the utility where the game is over."""
        if self.game.is_terminal(state):
            return self.game.utility(state, player)
        pieces = popcount(state.black | state.white)
        base = stage_of(pieces) * self.a_stage
        black_men, white_men = endings.packed(state.black & ~state.kings), endings.packed(state.white & ~state.kings)
        weights, others = self.weights, base + self.others
        total = pattern_sum(self.lanes, weights, base, self.words, black_men, white_men)
        total += features_sum(weights, others, state)
        value = min(max(total / (PER_MAN * float(MAN)), -0.99), 0.99)
        return float(value if player == BLACK else -value)

    def evaluation_terms(self, state: Position) -> list[Term]:
        """The features of both sides in men, and what the patterns of their men add to them."""
        pieces = popcount(state.black | state.white)
        base = stage_of(pieces) * self.a_stage
        weights = [float(weight) / PER_MAN for weight in self.weights[base + self.others :][: len(FEATURES)]]
        found = []
        for name, weight, black, white in zip(
            FEATURES, weights, *(counts(state, player) for player in (0, 1)), strict=True
        ):
            if black or white:
                found.append(Term(name, f"{weight:+.2f}", (black, white), (weight * black, weight * white)))
        men = endings.packed(state.black & ~state.kings), endings.packed(state.white & ~state.kings)
        rest = pattern_sum(self.lanes, self.weights, base, self.words, *men) / PER_MAN
        return [*found, Term("patterns of men", "", (0, 0), (max(rest, 0.0), max(-rest, 0.0)))]


def features_sum(weights: Any, at: int, state: Position) -> int:
    """What is weighed besides patterns, in the order of FEATURES; `at` is where the weights begin."""
    empty = BOARD & ~(state.black | state.white)
    black_kings, white_kings = state.black & state.kings, state.white & state.kings
    black_men, white_men = state.black & ~state.kings, state.white & ~state.kings
    black, white = popcount(black_kings), popcount(white_kings)
    total = np.int64(weights[at]) * (popcount(black_men) - popcount(white_men))
    total += np.int64(weights[at + 1]) * (black - white)
    total += np.int64(weights[at + 2]) * (advancement(black_men, BLACK) - advancement(white_men, WHITE))
    total += np.int64(weights[at + 3]) * (popcount(black_men & FIRST_ROW) - popcount(white_men & LAST_ROW))
    total += np.int64(weights[at + 4]) * (bridge(black_men, BLACK_BRIDGE) - bridge(white_men, WHITE_BRIDGE))
    total += np.int64(weights[at + 5]) * (popcount(state.black & CENTRE) - popcount(state.white & CENTRE))
    steps = reach(state.black, empty, state.kings, BLACK) - reach(state.white, empty, state.kings, WHITE)
    total += np.int64(weights[at + 6]) * steps
    total += np.int64(weights[at + 7]) * the_move(state)
    if black + white > 0:
        total += np.int64(weights[at + 8]) * (popcount(black_kings & CENTRE) - popcount(white_kings & CENTRE))
        steps = reach(black_kings, empty, state.kings, BLACK) - reach(white_kings, empty, state.kings, WHITE)
        total += np.int64(weights[at + 9]) * steps
        if black == 0 or white == 0:
            total += np.int64(weights[at + 10]) * (min(black, 1) - min(white, 1))
    return int(total + np.int64(weights[at + 11]) * (1 if state.mover == BLACK else -1))


def counts(state: Position, player: int) -> tuple[int, ...]:
    """How much a side has of each of FEATURES."""
    mine, theirs = (state.black, state.white) if player == BLACK else (state.white, state.black)
    men, kings, empty = mine & ~state.kings, mine & state.kings, BOARD & ~(mine | theirs)
    return (
        popcount(men),
        popcount(kings),
        advancement(men, player),
        popcount(men & (FIRST_ROW if player == BLACK else LAST_ROW)),
        bridge(men, BLACK_BRIDGE if player == BLACK else WHITE_BRIDGE),
        popcount(mine & CENTRE),
        reach(mine, empty, state.kings, player),
        max(the_move(state) if player == BLACK else -the_move(state), 0),
        popcount(kings & CENTRE),
        reach(kings, empty, state.kings, player),
        int(kings != 0 and theirs & state.kings == 0),
        int(state.mover == player),
    )


def reach(pieces: np.uint64, empty: np.uint64, kings: np.uint64, player: int) -> int:
    """How many steps these pieces of a side can take."""
    found = 0
    for direction in range(DOWN + 2):
        found += popcount(movers(pieces, kings, player, direction) & shifted(empty, direction ^ 2))
    return found


@cache
def shipped_weights() -> NDArray[np.int16]:
    """[stages * weights] the fitted weights; raises BadInput where their file is damaged."""
    with as_file(files(__package__).joinpath(SHIPPED)) as path:
        file = read_model(path)
        weights = file.arrays.get(WEIGHTS)
        if file.model != MODEL or weights is None:
            raise BadInput(f"{path} is no file of checkers' patterns")
        if weights.shape != (STAGES * layout().weights,) or weights.dtype != np.int16:
            raise BadInput(f"{path} is for other patterns than those of this Plywright")
        return weights
