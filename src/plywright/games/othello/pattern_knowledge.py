"""The evaluation of Othello by patterns: weights fitted to positions that the engine played and solved."""

from __future__ import annotations

import json
from functools import cache
from importlib.resources import as_file, files
from typing import TYPE_CHECKING, Any

import numpy as np
from numpy.typing import NDArray

from ...errors import BadInput
from ...models.model_file import read_model
from ...probcut_table import probcut_table
from ...weighted import Term, copy_with, one_sided
from .knowledge import OthelloKnowledge
from .pattern_sums import A_LAYER, by_word, weighed
from .patterns import BLOCKS, COUNTS, FAMILIES, HIDDEN, SIZE, STAGES, WITH_MOVES, layout

if TYPE_CHECKING:
    from .rules import Discs, Othello

ZERO = np.uint64(0)
PER_DISC = 16
"""Steps of a weight for one disc."""
WITHOUT = "do without it by --knowledge hand (knowledge=hand of a player in a match)"
SHIPPED, PROBCUT = "patterns.knowledge", "probcut.json"
SAID = {
    "quadrants": "empty squares and moves of each quadrant",
    "my moves": "how many moves the mover has",
    "their moves": "how many moves the other side has",
    "squares beside mine": "empty squares beside the mover's discs",
    "squares beside theirs": "empty squares beside the other side's discs",
    "odd quadrants": "quadrants with an odd number of empty squares",
}
"""Counts as people are told of them."""
MODEL, CHANGES, LAYER = "othello-patterns", "changes", "layer"


class PatternKnowledge(OthelloKnowledge):
    """Weights by stage of the patterns of the 8x8 board, of both sides' moves and of parity, and a layer on top."""

    name = "patterns"
    by_value, by_answers, an_answered_disc = 14, 18, 32
    scale = 3.9  # discs: `benchmarks/chance_scale.py` on both sides of 200 games at 20,000 nodes a move
    cutoff = 0  # simulations end at once with the evaluation: `benchmarks/cutoffs.py`

    def __init__(self, game: Othello, weights: Any = None, layer: Any = None) -> None:
        if game.size != SIZE:
            raise BadInput(f"{game.name} has no patterns: their weights are for the board of {SIZE}x{SIZE}")
        super().__init__(game)
        plan = layout()
        self.lanes, self.offsets = plan.lanes, plan.offsets.astype(np.uint64)
        self.words, self.plain, self.a_stage = plan.words, int(plan.first_words[len(FAMILIES)]), plan.weights
        starts = plan.starts[BLOCKS:].tolist()
        self.quadrants, self.my_moves, self.their_moves, self.beside_mine, self.beside_theirs = starts[:5]
        self.odd_quadrants, self.empty_squares = starts[5:7]
        if weights is None:
            weights, layer = shipped_weights()
        self.weights = weights
        self.layer = by_word(np.zeros((STAGES, A_LAYER), np.float32) if layer is None else layer)
        self.a_layer = len(self.layer) // STAGES
        self.probcut = shipped_probcut()
        self.quarters = tuple(np.uint64(0x0F0F0F0F << shift) for shift in (0, 4, 32, 36))

    def evaluate(self, state: Discs, player: int) -> float:
        """The weights of what stands on the board; the utility where the game is over."""
        game = self.game
        replies = game.legal(state.theirs, state.mine)
        if state.moves == ZERO and replies == ZERO:
            return game.utility(state, player)
        total, more = weighed(game, self, state.mine, state.theirs, state.moves, replies)
        value = float(min(max(total / PER_DISC + more, -self.widest), self.widest))
        return value if player == state.mover else -value

    # -- for people -------------------------------------------------------------------------------------------

    def about_itself(self) -> str:
        return (
            f"tables of what stands on the squares of patterns, in {STAGES} stages by how many squares are empty, of "
            f"{self.a_stage:,} weights each, and a layer of {HIDDEN} units that hears their sums. best "
            "--explain-evaluation tells what each family makes of a position; --knowledge hand is a sum of eight "
            "features with names"
        )

    def weight_lines(self) -> list[tuple[str, float | str]]:
        """Every family of patterns and every count, with how many weights it has at a stage and how far they go."""
        rows = self.weights.reshape(STAGES, -1)
        found: list[tuple[str, float | str]] = []
        for name, first, end in blocks():
            part = rows[:, first:end] / PER_DISC
            span = f"{part.min():+.1f} .. {part.max():+.1f}"
            found.append((f"{name}: the least and the greatest of {end - first:,} weights a stage, in discs", span))
        return found

    def evaluation_terms(self, state: Discs) -> list[Term]:
        """What each family of patterns and each count adds up to, and what the layer adds, for whom it is good."""
        game, sign = self.game, 1 if state.mover == 0 else -1
        moves, replies = game.legal(state.mine, state.theirs), game.legal(state.theirs, state.mine)
        rows = self.weights.reshape(STAGES, -1)
        worth = {}
        for name, first, end in blocks():
            alone = np.zeros_like(rows)
            alone[:, first:end] = rows[:, first:end]
            only = copy_with(self, {"weights": alone.ravel()})
            total, _ = weighed(game, only, state.mine, state.theirs, moves, replies)
            worth[name] = sign * total / PER_DISC
        worth["what depends on several of them"] = self.evaluate(state, 0) - sum(worth.values())
        return [one_sided(name, much, game.players) for name, much in worth.items()]


def blocks() -> list[tuple[str, int, int]]:
    """The parts of a stage's weights by name, each with its first weight and where it ends."""
    names = list(FAMILIES)
    for name in WITH_MOVES:
        names += [f"{name}, with the mover's moves", f"{name}, with the other side's moves"]
    names += ["corner, with the moves of both", *(SAID.get(name, name) for name in COUNTS)]
    starts = layout().starts.tolist()
    return [part for part in zip(names, starts[:-1], starts[1:], strict=True) if part[0] != "nothing"]


# -- the weights that come with Plywright -----------------------------------------------------------------------


@cache
def shipped_weights() -> tuple[NDArray[np.int16], NDArray[np.float32]]:
    """[stages * weights] the fitted weights, and [stages, A_LAYER] the layer; BadInput where their file is damaged."""
    with as_file(files(__package__).joinpath(SHIPPED)) as path:
        try:
            file = read_model(path)
        except BadInput as error:
            raise BadInput(f"{error}: install Plywright again, or {WITHOUT}") from None
        changes, layer = file.arrays.get(CHANGES), file.arrays.get(LAYER)
        if file.model != MODEL or changes is None or layer is None:
            raise BadInput(f"{path} is no file of Othello's patterns")
        try:
            if layer.shape != (STAGES, A_LAYER) or not np.isfinite(layer).all():
                raise ValueError("of another shape")
            return unpacked(changes), layer
        except (ValueError, IndexError):
            raise BadInput(f"{path} is for other patterns than those of this Plywright") from None


@cache
def shipped_probcut() -> NDArray[np.float64]:
    """The table of multi-ProbCut that `benchmarks/probcut.py othello` has fitted to the shipped weights.

    Raises BadInput where its file is damaged.
    """
    with as_file(files(__package__).joinpath(PROBCUT)) as path:
        try:
            table = json.loads(path.read_text())
            pairs = {int(depth): int(shallow) for depth, shallow in table["pairs"].items()}
            sigmas = [{int(depth): float(sigma) for depth, sigma in row.items()} for row in table["sigmas"]]
            return probcut_table(pairs, sigmas)
        except (OSError, ValueError, KeyError, TypeError, AttributeError, BadInput):
            raise BadInput(f"{path} is missing or damaged: install Plywright again, or {WITHOUT}") from None


def packed(weights: NDArray[np.int16]) -> NDArray[np.int16]:
    """[stages, different weights] what changes from each stage to the one before it: mostly nothing."""
    different = np.unique(layout().twins)
    return np.diff(weights.reshape(STAGES, -1)[:, different], axis=0, prepend=np.int16(0))


def unpacked(changes: NDArray[np.int16]) -> NDArray[np.int16]:
    """The weights of which `packed` made this."""
    different, places = np.unique(layout().twins, return_inverse=True)
    if changes.shape != (STAGES, len(different)) or changes.dtype != np.int16:
        raise ValueError("of another shape")
    return np.ascontiguousarray(np.cumsum(changes, axis=0, dtype=np.int16)[:, places]).ravel()
