"""The weights of what stands on an Othello board, added up in compiled code, and the layer that hears the sums.

Every block of weights (a family of patterns, or a count) adds one sum. Their total is the linear part; the layer, eight
units that are silent below zero, adds what depends on several of the sums at once.
"""

from __future__ import annotations

import itertools
from typing import Any

import numpy as np
from numpy.typing import NDArray

from ...bits import popcount, scratch
from ...vectors import EIGHT, add_up_rows, eight_units
from .knowledge import beside
from .patterns import (
    A_STAGE,
    BLOCKS,
    FAMILIES,
    FEWEST,
    HIDDEN,
    INPUTS,
    MOST_IN_QUADRANT,
    MOST_MOVES,
    STAGES,
    WITH_MOVES,
    WITH_THEIRS,
    layout,
)

TWO, THREE, FOUR = np.uint64(2), np.uint64(3), np.uint64(4)
ONE, LANE, LANE_BITS = np.uint64(1), np.uint64(0xFFFF), np.uint64(16)
THEIRS = np.uint64(WITH_THEIRS)
A_LAYER = INPUTS * HIDDEN + 2 * HIDDEN + 1
"""Numbers of a stage's layer: where each unit begins, what it makes of each sum, what it adds, and what is added."""
EXACT = 2.0**-24
"""The step of what a unit makes of a sum: what is heard is then exact, in whatever order the sums come."""


def by_word(layer: NDArray[np.float32]) -> NDArray[np.float64]:
    """[STAGES, A_LAYER] to one row of the layer for every word of patterns, as `weighed` comes to them, all in one."""
    plan = layout()
    blocks: list[int] = []
    for number, (first, end) in enumerate(itertools.pairwise(plan.first_words.tolist())):
        moving = len(FAMILIES) <= number < len(FAMILIES) + len(WITH_MOVES)
        block = blocks[-1] + 1 if blocks else 0
        blocks += [block, block + 1] * (end - first) if moving else [block] * (end - first)
    blocks += range(BLOCKS, INPUTS)
    steps = layer.astype(np.float64)
    begins, rows, rest = np.split(steps, [HIDDEN, HIDDEN + INPUTS * HIDDEN], axis=1)
    rows = rows.reshape(STAGES, INPUTS, HIDDEN)[:, blocks].reshape(STAGES, -1)
    heard = np.round(np.hstack([begins, rows]) / EXACT) * EXACT
    return np.ascontiguousarray(np.hstack([heard, rest])).ravel()


def weighed(game: Any, known: Any, mine: np.uint64, theirs: np.uint64, moves: np.uint64, replies: np.uint64) -> Any:
    """The sum of all weights for the owner of `mine`, who is to move, and what the layer adds to it, in discs."""
    empties = ~(mine | theirs)
    left = popcount(empties)
    stage = min(max(left - FEWEST, 0) // A_STAGE, STAGES - 1)
    start = stage * known.a_stage
    base = np.uint64(start)
    weights, lanes, offsets, words = known.weights, known.lanes, known.offsets, known.words
    numbers, parts = scratch(), scratch()
    for first in range(0, words, EIGHT):
        add_up_rows(numbers, first, lanes, first, words, mine)
        add_up_rows(numbers, words + first, lanes, first, words, theirs)
    last = words - EIGHT  # among the last eight words are those that are read with the moves
    add_up_rows(numbers, 2 * words + last, lanes, last, words, moves)
    add_up_rows(numbers, 3 * words + last, lanes, last, words, replies)
    count = 0
    for word in range(known.plain):
        parts[count] = four(weights, base, offsets, word, at(numbers, word) + TWO * at(numbers, words + word))
        count += 1
    for word in range(known.plain, words - 1):
        discs = at(numbers, word) + TWO * at(numbers, words + word)
        parts[count] = four(weights, base, offsets, word, discs + THREE * at(numbers, 2 * words + word))
        more = discs + THREE * at(numbers, 3 * words + word)
        parts[count + 1] = four(weights, base + THEIRS, offsets, word, more)
        count += 2
    word = words - 1  # the corners
    discs = at(numbers, word) + TWO * at(numbers, words + word)
    both = THREE * at(numbers, 2 * words + word) + FOUR * at(numbers, 3 * words + word)
    parts[count] = four(weights, base, offsets, word, discs + both)
    part = odd = 0
    for quarter in known.quarters:
        here = popcount(empties & quarter)
        odd += here & 1
        my = min(popcount(moves & quarter), MOST_IN_QUADRANT - 1)
        their = min(popcount(replies & quarter), MOST_IN_QUADRANT - 1)
        part += weights[start + known.quadrants + (here * MOST_IN_QUADRANT + my) * MOST_IN_QUADRANT + their]
    parts[count + 1] = part
    parts[count + 2] = weights[start + known.my_moves + min(popcount(moves), MOST_MOVES - 1)]
    parts[count + 3] = weights[start + known.their_moves + min(popcount(replies), MOST_MOVES - 1)]
    parts[count + 4] = weights[start + known.beside_mine + popcount(beside(game, mine) & empties)]
    parts[count + 5] = weights[start + known.beside_theirs + popcount(beside(game, theirs) & empties)]
    parts[count + 6] = weights[start + known.odd_quadrants + odd]
    parts[count + 7] = weights[start + known.empty_squares + left]
    count += 8
    total = 0
    for place in range(count):
        total += parts[place]
    return total, eight_units(parts, count, known.layer, stage * known.a_layer)


def at(numbers: Any, place: int) -> np.uint64:
    """A word of four numbers."""
    return np.uint64(numbers[place])


def four(weights: Any, base: np.uint64, offsets: Any, word: int, numbers: np.uint64) -> int:
    """The weights of the four patterns of a word. Places have no sign: of others it would be asked at every weight."""
    place = FOUR * np.uint64(word)
    total = np.int64(weights[base + offsets[place] + (numbers & LANE)])
    total += np.int64(weights[base + offsets[place + ONE] + (numbers >> LANE_BITS & LANE)])
    total += np.int64(weights[base + offsets[place + TWO] + (numbers >> (LANE_BITS + LANE_BITS) & LANE)])
    total += np.int64(weights[base + offsets[place + THREE] + (numbers >> (LANE_BITS + LANE_BITS + LANE_BITS))])
    return int(total)
