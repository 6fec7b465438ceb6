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
MODEL = "checkers-patterns"


class FittedKnowledge(CheckersKnowledge):
    """Features and patterns of men, with weights for three stages of the game; `weights` are those of the features, a
    row for each stage, in hundredths of a man."""

    name = "fitted"
    feature_names = FEATURES

    def __init__(self, game: Checkers, pieces: int = 2, weights: Any = None) -> None:
        super().__init__(game, pieces)
        plan, (features, patterns) = layout(), shipped_weights()
        self.lanes, self.words, self.a_stage = plan.lanes, plan.words, LANES * plan.words * NUMBERS
        self.weights = features if weights is None else np.array(weights, np.float64)
        self.pattern_weights = patterns

    def evaluate(self, state: Position, player: int) -> float:
        """The weights of what stands on the board; the utility where the game is over."""
        if self.game.is_terminal(state):
            return self.game.utility(state, player)
        stage = stage_of(popcount(state.black | state.white))
        black_men, white_men = endings.packed(state.black & ~state.kings), endings.packed(state.white & ~state.kings)
        patterns = pattern_sum(self.lanes, self.pattern_weights, stage * self.a_stage, self.words, black_men, white_men)
        features = features_sum(self.weights, stage * len(FEATURES), state)
        value = min(max((patterns / PER_MAN + features / 100.0) / MAN, -0.99), 0.99)
        return float(value if player == BLACK else -value)

    def features(self, state: Position, player: int) -> tuple[float, ...]:
        """What a side has of each, in the order of FEATURES."""
        mine, theirs = (state.black, state.white) if player == BLACK else (state.white, state.black)
        kings, empty = mine & state.kings, BOARD & ~(mine | theirs)
        return (
            *super().features(state, player),
            popcount(kings & CENTRE),
            reach(kings, empty, state.kings, player),
            int(kings != 0 and theirs & state.kings == 0),
            int(state.mover == player),
        )

    def feature_weights(self, state: Position) -> list[float]:
        """In men, as they are at this stage of the game."""
        first = stage_of(popcount(state.black | state.white)) * len(FEATURES)
        return [float(weight) / 100 for weight in self.weights[first : first + len(FEATURES)]]

    def evaluation_terms(self, state: Position) -> list[Term]:
        """The features of both sides, and what the patterns of their men add to them."""
        base = stage_of(popcount(state.black | state.white)) * self.a_stage
        men = endings.packed(state.black & ~state.kings), endings.packed(state.white & ~state.kings)
        rest = pattern_sum(self.lanes, self.pattern_weights, base, self.words, *men) / PER_MAN
        return [
            *super().evaluation_terms(state),
            Term("patterns of men", "", (0, 0), (max(rest, 0.0), max(-rest, 0.0))),
        ]


def features_sum(weights: Any, at: int, state: Position) -> float:
    """What is weighed besides patterns, in the order of FEATURES; `at` is where the weights begin."""
    empty = BOARD & ~(state.black | state.white)
    black_kings, white_kings = state.black & state.kings, state.white & state.kings
    black_men, white_men = state.black & ~state.kings, state.white & ~state.kings
    black, white = popcount(black_kings), popcount(white_kings)
    total = weights[at] * (popcount(black_men) - popcount(white_men))
    total += weights[at + 1] * (black - white)
    total += weights[at + 2] * (advancement(black_men, BLACK) - advancement(white_men, WHITE))
    total += weights[at + 3] * (popcount(black_men & FIRST_ROW) - popcount(white_men & LAST_ROW))
    total += weights[at + 4] * (bridge(black_men, BLACK_BRIDGE) - bridge(white_men, WHITE_BRIDGE))
    total += weights[at + 5] * (popcount(state.black & CENTRE) - popcount(state.white & CENTRE))
    steps = reach(state.black, empty, state.kings, BLACK) - reach(state.white, empty, state.kings, WHITE)
    total += weights[at + 6] * steps
    total += weights[at + 7] * the_move(state)
    if black + white > 0:
        total += weights[at + 8] * (popcount(black_kings & CENTRE) - popcount(white_kings & CENTRE))
        steps = reach(black_kings, empty, state.kings, BLACK) - reach(white_kings, empty, state.kings, WHITE)
        total += weights[at + 9] * steps
        if black == 0 or white == 0:
            total += weights[at + 10] * (min(black, 1) - min(white, 1))
    return float(total + weights[at + 11] * (1 if state.mover == BLACK else -1))


def reach(pieces: np.uint64, empty: np.uint64, kings: np.uint64, player: int) -> int:
    """How many steps these pieces of a side can take."""
    found = 0
    for direction in range(DOWN + 2):
        found += popcount(movers(pieces, kings, player, direction) & shifted(empty, direction ^ 2))
    return found


@cache
def shipped_weights() -> tuple[NDArray[np.float64], NDArray[np.int16]]:
    """The fitted weights of features, in hundredths of a man, and of patterns; BadInput where their file is damaged."""
    with as_file(files(__package__).joinpath(SHIPPED)) as path:
        file = read_model(path)
        features, patterns = file.arrays.get("features"), file.arrays.get("patterns")
        if file.model != MODEL or features is None or patterns is None:
            raise BadInput(f"{path} is no file of checkers' patterns")
        sizes = STAGES * len(FEATURES), STAGES * LANES * layout().words * NUMBERS
        if (features.shape, patterns.shape) != ((sizes[0],), (sizes[1],)) or patterns.dtype != np.int16:
            raise BadInput(f"{path} is for other patterns than those of this Plywright")
        return features.astype(np.float64), patterns
