"""Playouts: a board on which stones are put down and taken off quickly, and the moves that simulations make on it.

The board is a set of arrays (`bits.scratch`) over cells: row r, column c of the game is cell (r + 2) * across + c with
across = size + 1, so that every point has eight neighbours and the edge is a colour of its own. (One row before the
first would not do: the cell to the south-west of a1 would be -1.)

    colour      # [cells] NOBODY, 1 for Black, 2 for White, EDGE
    head        # [cells] of a stone: the cell that stands for its chain
    link        # [cells] of a stone: the next of its chain, in a ring
    air         # [cells] of a head: the liberties of its chain, each as often as a stone is beside it, packed
    around      # [cells] the colours of the eight cells around one, two bits each: N S E W NE NW SE SW
    free, place # [points] the free cells in any order; [cells] where a free cell stands there

`air` holds three sums over pseudo-liberties: how many, of their cells, of the squares of their cells. They are all one
cell, and the chain is in atari, exactly where count * squares == cells * cells (Cauchy and Schwarz).
"""

from __future__ import annotations

from typing import Any

from ...rng import below, draw64

NOBODY, EDGE = 0, 3
CELLS_AT, SQUARES_AT = 12, 32
COUNT, CELLS = (1 << CELLS_AT) - 1, (1 << SQUARES_AT - CELLS_AT) - 1
ILLEGAL, SELF_ATARI, FINE = range(3)
EYE, SHAPE = 1, 4
"""Bits of `shapes` at a code of `around`: 1 an eye of Black's, 2 of White's, 4 a local shape to play."""
COUNTERS = 4
FREE, CAPTURED, KO, LAST = range(COUNTERS)
"""How many cells are free, and of the last move: stones it took, the cell forbidden by it, the cell itself."""


def unit(cell: int) -> int:
    """One pseudo-liberty."""
    return 1 + (cell << CELLS_AT) + (cell * cell << SQUARES_AT)


def in_atari(sums: int) -> bool:
    """Whether pseudo-liberties are all the same cell (there is at least one)."""
    count, cells, squares = sums & COUNT, sums >> CELLS_AT & CELLS, sums >> SQUARES_AT
    return count * squares == cells * cells


def liberty(sums: int) -> int:
    """The cell of the last liberty."""
    return (sums >> CELLS_AT & CELLS) // (sums & COUNT)


def beside(side: int, across: int) -> int:
    """The way to the neighbour on one of four sides."""
    if side < 2:
        return across if side == 0 else -across
    return 1 if side == 2 else -1


def touch(around: Any, cell: int, stone: int, across: int) -> None:
    """A stone is put on a cell or taken off: those around it see that."""
    around[cell + across] ^= stone << 2
    around[cell - across] ^= stone
    around[cell + 1] ^= stone << 6
    around[cell - 1] ^= stone << 4
    around[cell + across + 1] ^= stone << 14
    around[cell + across - 1] ^= stone << 12
    around[cell - across + 1] ^= stone << 10
    around[cell - across - 1] ^= stone << 8


def put(
    colour: Any, head: Any, link: Any, air: Any, around: Any, free: Any, place: Any, counts: Any, cell: int,
    stone: int, across: int,
) -> None:  # fmt: skip
    """Play a legal move: join chains, take what has no liberty left."""
    last = free[counts[FREE] - 1]
    counts[FREE] -= 1
    free[place[cell]] = last
    place[last] = place[cell]
    colour[cell] = stone
    touch(around, cell, stone, across)
    one = unit(cell)
    head[cell] = cell
    link[cell] = cell
    sums = 0
    for side in range(4):
        other = cell + beside(side, across)
        here = colour[other]
        if here == NOBODY:
            sums += unit(other)
        elif here != EDGE:
            air[head[other]] -= one
    air[cell] = sums
    chain = cell
    counts[CAPTURED] = 0
    taken = 0
    for side in range(4):
        other = cell + beside(side, across)
        here = colour[other]
        if here == stone:
            joined = head[other]
            if joined != chain:
                if chain == cell:  # the first: the new stone becomes part of it
                    air[joined] += air[cell]
                    head[cell] = joined
                    chain = joined
                else:
                    air[chain] += air[joined]
                    stone_of = joined
                    while head[stone_of] != chain:
                        head[stone_of] = chain
                        stone_of = link[stone_of]
                follow = link[cell]
                link[cell] = link[other]
                link[other] = follow
        elif here == 3 - stone and air[head[other]] & COUNT == 0:
            taken = other
            take(colour, head, link, air, around, free, place, counts, other, across)
    counts[LAST] = cell
    counts[KO] = 0
    if counts[CAPTURED] == 1 and link[cell] == cell and air[cell] & COUNT == 1:
        counts[KO] = taken


def take(
    colour: Any, head: Any, link: Any, air: Any, around: Any, free: Any, place: Any, counts: Any, cell: int,
    across: int,
) -> None:  # fmt: skip
    """Take a chain off the board."""
    stone = colour[cell]
    here = cell
    while colour[here] == stone:
        colour[here] = NOBODY
        touch(around, here, stone, across)
        place[here] = counts[FREE]
        free[counts[FREE]] = here
        counts[FREE] += 1
        counts[CAPTURED] += 1
        here = link[here]
    begin = here
    while True:
        one = unit(here)
        for side in range(4):
            other = here + beside(side, across)
            if colour[other] == 3 - stone:
                air[head[other]] += one
        here = link[here]
        if here == begin:
            break


def outlook(colour: Any, head: Any, air: Any, counts: Any, cell: int, stone: int, across: int) -> int:
    """Whether a move on a free cell is ILLEGAL, SELF_ATARI (its chain has one liberty left) or FINE."""
    if cell == counts[KO]:
        return ILLEGAL
    sums = 0
    for side in range(4):
        other = cell + beside(side, across)
        if colour[other] == NOBODY:
            sums += 1
    if sums >= 2:
        return FINE
    one = unit(cell)
    sums = 0
    takes = False
    for side in range(4):
        other = cell + beside(side, across)
        here = colour[other]
        if here != NOBODY and here != EDGE:
            air[head[other]] -= one
    for side in range(4):
        other = cell + beside(side, across)
        here = colour[other]
        if here == NOBODY:
            sums += unit(other)
        elif here == stone:
            sums += air[head[other]]
        elif here != EDGE and air[head[other]] & COUNT == 0:
            takes = True
    for side in range(4):
        other = cell + beside(side, across)
        here = colour[other]
        if here != NOBODY and here != EDGE:
            air[head[other]] += one
    if takes:
        return FINE
    if sums & COUNT == 0:
        return ILLEGAL
    return SELF_ATARI if in_atari(sums) else FINE


def urgent(colour: Any, head: Any, link: Any, air: Any, counts: Any, stone: int, across: int) -> int:
    """A move that takes the chain of the last move, or saves one that it has put in atari; 0 where there is none."""
    last = counts[LAST]
    other_stone = 3 - stone
    if in_atari(air[head[last]]):
        cell = liberty(air[head[last]])
        if outlook(colour, head, air, counts, cell, stone, across) != ILLEGAL:
            return cell
    for side in range(4):
        near = last + beside(side, across)
        if colour[near] != stone or not in_atari(air[head[near]]):
            continue
        here = near
        while True:  # a chain of theirs in atari beside it is taken rather than run from
            for way in range(4):
                other = here + beside(way, across)
                if colour[other] == other_stone and in_atari(air[head[other]]):
                    cell = liberty(air[head[other]])
                    if outlook(colour, head, air, counts, cell, stone, across) == FINE:
                        return cell
            here = link[here]
            if here == near:
                break
        cell = liberty(air[head[near]])
        if outlook(colour, head, air, counts, cell, stone, across) == FINE:
            return cell
    return 0


def shaped(
    colour: Any, head: Any, air: Any, around: Any, counts: Any, shapes: Any, rng: Any, stone: int, across: int
) -> int:
    """A move around the last one that makes one of the known shapes, each as likely; 0 where there is none."""
    last = counts[LAST]
    found = 0
    chosen = 0
    for side in range(8):
        row = -across if side < 3 else across if side > 4 else 0
        column = side % 3 - 1 if side < 3 else side - 6 if side > 4 else 2 * side - 7
        cell = last + row + column
        if (
            colour[cell] == NOBODY
            and shapes[around[cell]] & SHAPE != 0
            and outlook(colour, head, air, counts, cell, stone, across) == FINE
        ):
            found += 1
            if below(rng, found) == 0:
                chosen = cell
    return chosen


def anywhere(
    colour: Any, head: Any, air: Any, around: Any, free: Any, counts: Any, shapes: Any, rng: Any, stone: int,
    across: int, wary: bool,
) -> int:  # fmt: skip
    """A legal move that fills no eye of one's own, from a random place on; 0 where there is none.

    Where it is `wary`, three of four moves into atari are passed over.
    """
    count = counts[FREE]
    if count == 0:
        return 0
    first = below(rng, count)
    eye = EYE << stone - 1
    for step in range(count):
        index = first + step
        if index >= count:
            index -= count
        cell = int(free[index])
        if shapes[around[cell]] & eye == 0:
            seen = outlook(colour, head, air, counts, cell, stone, across)
            if seen == FINE or (seen == SELF_ATARI and (not wary or draw64(rng) & 3 == 0)):
                return cell
    return 0
