"""The weights of what stands on an Othello board, added up in compiled code, and the layer that hears the sums.

Every block of weights (a family of patterns, or a count) adds one sum. Their total is the linear part; the layer, eight
units that are silent below zero, adds what depends on several of the sums at once.
"""

from __future__ import annotations

import itertools
from typing import Any

import numpy as np
from numpy.typing import NDArray

from ...bits import popcount
from .knowledge import beside
from .patterns import (
    A_STAGE,
    BLOCKS,
    BYTE,
    FAMILIES,
    FEWEST,
    HIDDEN,
    INPUTS,
    LANES,
    MOST_IN_QUADRANT,
    MOST_MOVES,
    ROWS,
    STAGES,
    WITH_MOVES,
    WITH_THEIRS,
    layout,
)

LANE, LANE_BITS = np.uint64(0xFFFF), np.uint64(16)
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
    base, place = stage * known.a_stage, stage * known.a_layer
    weights, lanes, offsets, words, layer = known.weights, known.lanes, known.offsets, known.words, known.layer
    own, other = row_places(words, mine), row_places(words, theirs)
    mine_too, theirs_too = row_places(words, moves), row_places(words, replies)
    heard = hear((0.0, 0.0, 0.0, 0.0, 0.0, 0.0, 0.0, 0.0), layer, place, 1)
    total = 0
    for word in range(known.plain):
        disc = added(lanes, other, word)
        part = four(weights, base, offsets, word, added(lanes, own, word) + disc + disc)
        total += part
        place += HIDDEN
        heard = hear(heard, layer, place, part)
    for word in range(known.plain, words - 1):
        disc = added(lanes, other, word)
        discs = added(lanes, own, word) + disc + disc
        square = added(lanes, mine_too, word)
        part = four(weights, base, offsets, word, discs + square + square + square)
        heard = hear(heard, layer, place + HIDDEN, part)
        square = added(lanes, theirs_too, word)
        more = four(weights, base + WITH_THEIRS, offsets, word, discs + square + square + square)
        total += part + more
        place += 2 * HIDDEN
        heard = hear(heard, layer, place, more)
    word = words - 1  # the corners
    disc, square, reply = added(lanes, other, word), added(lanes, mine_too, word), added(lanes, theirs_too, word)
    reply += reply
    number = added(lanes, own, word) + disc + disc + square + square + square + reply + reply
    part = four(weights, base, offsets, word, number)
    heard = hear(heard, layer, place + HIDDEN, part)
    total += part
    part = odd = 0
    for quarter in known.quarters:
        here = popcount(empties & quarter)
        odd += here & 1
        my = min(popcount(moves & quarter), MOST_IN_QUADRANT - 1)
        their = min(popcount(replies & quarter), MOST_IN_QUADRANT - 1)
        part += weights[base + known.quadrants + (here * MOST_IN_QUADRANT + my) * MOST_IN_QUADRANT + their]
    heard = hear(heard, layer, place + 2 * HIDDEN, part)
    total += part
    part = weights[base + known.my_moves + min(popcount(moves), MOST_MOVES - 1)]
    heard = hear(heard, layer, place + 3 * HIDDEN, part)
    total += part
    part = weights[base + known.their_moves + min(popcount(replies), MOST_MOVES - 1)]
    heard = hear(heard, layer, place + 4 * HIDDEN, part)
    total += part
    part = weights[base + known.beside_mine + popcount(beside(game, mine) & empties)]
    heard = hear(heard, layer, place + 5 * HIDDEN, part)
    total += part
    part = weights[base + known.beside_theirs + popcount(beside(game, theirs) & empties)]
    heard = hear(heard, layer, place + 6 * HIDDEN, part)
    total += part
    part = weights[base + known.odd_quadrants + odd]
    heard = hear(heard, layer, place + 7 * HIDDEN, part)
    total += part
    part = weights[base + known.empty_squares + left]
    heard = hear(heard, layer, place + 8 * HIDDEN, part)
    total += part
    return total, answer(heard, layer, place + 9 * HIDDEN)


def row_places(words: int, board: np.uint64) -> Any:
    """Where the eight rows of a board begin in the lanes."""
    row = words * ROWS
    return (
        words * int(board & BYTE),
        row + words * int(board >> np.uint64(8) & BYTE),
        2 * row + words * int(board >> np.uint64(16) & BYTE),
        3 * row + words * int(board >> np.uint64(24) & BYTE),
        4 * row + words * int(board >> np.uint64(32) & BYTE),
        5 * row + words * int(board >> np.uint64(40) & BYTE),
        6 * row + words * int(board >> np.uint64(48) & BYTE),
        7 * row + words * int(board >> np.uint64(56) & BYTE),
    )


def added(lanes: Any, rows: Any, word: int) -> np.uint64:
    """What the squares of a board add to the numbers of four patterns."""
    upper = lanes[rows[0] + word] + lanes[rows[1] + word] + lanes[rows[2] + word] + lanes[rows[3] + word]
    return upper + lanes[rows[4] + word] + lanes[rows[5] + word] + lanes[rows[6] + word] + lanes[rows[7] + word]  # type: ignore[no-any-return]


def four(weights: Any, base: int, offsets: Any, word: int, numbers: np.uint64) -> int:
    """The weights of the four patterns of a word."""
    place = LANES * word
    total = int(weights[base + offsets[place] + int(numbers & LANE)])
    total += weights[base + offsets[place + 1] + int(numbers >> LANE_BITS & LANE)]
    total += weights[base + offsets[place + 2] + int(numbers >> (LANE_BITS + LANE_BITS) & LANE)]
    total += weights[base + offsets[place + 3] + int(numbers >> (LANE_BITS + LANE_BITS + LANE_BITS))]
    return int(total)


def hear(heard: Any, layer: Any, place: int, part: int) -> Any:
    """The units after one more sum."""
    return (
        heard[0] + layer[place] * part,
        heard[1] + layer[place + 1] * part,
        heard[2] + layer[place + 2] * part,
        heard[3] + layer[place + 3] * part,
        heard[4] + layer[place + 4] * part,
        heard[5] + layer[place + 5] * part,
        heard[6] + layer[place + 6] * part,
        heard[7] + layer[place + 7] * part,
    )


def answer(heard: Any, layer: Any, place: int) -> float:
    """What the units add, in discs."""
    value = layer[place + HIDDEN]
    for unit in range(HIDDEN):
        value += layer[place + unit] * max(heard[unit], 0.0)
    return float(value)
