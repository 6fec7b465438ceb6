"""Numbers of an endgame table in compressed blocks that compiled code reads one by one, straight from the file.

A number says who wins and when, for the player to move: 0 a draw, n a win in n - 1 plies, -n a loss in n - 1. A block
of 256 of them is a palette of those that occur in it and, for each, its place in the palette, in as few bits as the
palette needs. To read one takes two looks, wherever it is; where all are equal, a block takes four bytes.

    slice:  block offsets (4 bytes each, from the slice's first byte), then the blocks, then one spare byte
    block:  bits for each place, places in the palette less one, the palette (2 bytes each), the places
"""

from __future__ import annotations

from typing import Any

import numpy as np
from numpy.typing import NDArray

from .compiled import NO_GAME, Workspace, kernel

BLOCK_BITS = 8
BLOCK = 1 << BLOCK_BITS
UNKNOWN = -(1 << 15)
"""Instead of a number: the table does not have this position."""


def probe(data: Any, firsts: Any, places: Any, number: int) -> int:
    """The table's number for a position; UNKNOWN outside the table.

    `data` are the bytes of the file, `firsts` how many slices there are, then the number of each one's first position
    and of the one behind the last, `places` where each slice begins.
    """
    low, high = 1, firsts[0] + 1
    if number < 0 or number >= firsts[high]:
        return UNKNOWN
    while high - low > 1:
        middle = (low + high) >> 1
        if firsts[middle] <= number:
            low = middle
        else:
            high = middle
    return read_number(data, places[low - 1], number - firsts[low])


def known_number(knowledge: Any, state: Any) -> int:
    """The number of an unfinished position by the table that a knowledge has, or at sight; UNKNOWN elsewhere."""
    at_sight = knowledge.foregone(state)
    if at_sight != 0:
        return at_sight  # type: ignore[no-any-return]
    return probe(knowledge.table_data, knowledge.table_firsts, knowledge.table_places, knowledge.index(state))


def read_number(data: Any, begin: int, place: int) -> int:
    """The number at a place of the slice that begins at a byte."""
    at = begin + 4 * (place >> BLOCK_BITS)
    block = begin + (
        np.int64(data[at]) | np.int64(data[at + 1]) << 8 | np.int64(data[at + 2]) << 16 | np.int64(data[at + 3]) << 24
    )
    bits = np.int64(data[block])
    choice = np.int64(0)
    if bits > 0:
        bit = (place & (BLOCK - 1)) * bits
        byte = block + 2 + 2 * (np.int64(data[block + 1]) + 1) + (bit >> 3)
        choice = (np.int64(data[byte]) | np.int64(data[byte + 1]) << 8) >> (bit & 7) & ((1 << bits) - 1)
    entry = block + 2 + 2 * choice
    number = np.int64(data[entry]) | np.int64(data[entry + 1]) << 8
    return number - ((number & 0x8000) << 1)  # type: ignore[return-value]


def is_sound(data: NDArray[np.uint8], begin: int, size: int, count: int) -> bool:
    """Whether every number of a slice is read from its own bytes, whatever they say: compiled code does not look."""
    blocks = (count + BLOCK - 1) // BLOCK
    if begin + size > len(data) or size < 4 * blocks + 1:
        return False
    if not blocks:
        return True
    own = data[begin : begin + size]
    offsets = own[: 4 * blocks].view("<u4").astype(np.int64)
    if int(offsets.max()) > size - 4:
        return False
    bits, colours = own[offsets].astype(np.int64), own[offsets + 1].astype(np.int64) + 1
    if int(bits.max()) > BLOCK_BITS:
        return False
    places = np.minimum(count - BLOCK * np.arange(blocks), BLOCK)
    behind = offsets + 2 + 2 * colours + (((places - 1) * bits) >> 3) + 2
    if np.any(behind[bits > 0] > size):
        return False
    near_the_end = np.flatnonzero(offsets + 2 + (2 << bits) > size)  # where not every place in the palette is there
    return all(_largest_choice(own, offsets[n], places[n]) < (size - offsets[n] - 2) // 2 for n in near_the_end)


def _largest_choice(own: NDArray[np.uint8], block: int, places: int) -> int:
    """The largest place in the palette that a block asks for."""
    bits, first = int(own[block]), int(block) + 4 + 2 * int(own[block + 1])
    word = int.from_bytes(own[first : first + (int(places) * bits + 7) // 8].tobytes(), "little")
    return max(word >> bits * n & (1 << bits) - 1 for n in range(int(places)))


@kernel
def pack(game, count, work):
    """Write the blocks of the `count` numbers in `work.values` to `work.out`; returns the bytes used.

    `work.seen`, 65,536 words, begins as zeros and is left so.
    """
    values, out, seen, palette = work.values, work.out, work.seen, work.palette
    blocks = (count + BLOCK - 1) // BLOCK
    end = 4 * blocks
    for block in range(blocks):
        first, last = block * BLOCK, min(block * BLOCK + BLOCK, count)
        colours = 0
        for place in range(first, last):
            value = np.int64(values[place]) & 0xFFFF
            if seen[value] == 0:
                colours += 1
                seen[value] = colours
                palette[colours - 1] = value
        bits = 0
        while 1 << bits < colours:
            bits += 1
        for byte in range(4):
            out[4 * block + byte] = end >> 8 * byte & 0xFF
        out[end], out[end + 1] = bits, colours - 1
        end += 2
        for colour in range(colours):
            out[end], out[end + 1] = palette[colour] & 0xFF, palette[colour] >> 8
            end += 2
        if bits > 0:
            held, word = 0, 0
            for place in range(first, last):
                word |= (seen[np.int64(values[place]) & 0xFFFF] - 1) << held
                held += bits
                while held >= 8:
                    out[end] = word & 0xFF
                    word >>= 8
                    held -= 8
                    end += 1
            if held > 0:
                out[end] = word
                end += 1
        for colour in range(colours):
            seen[palette[colour]] = 0
    out[end] = 0
    return end + 1


def packed(values: NDArray[np.int16]) -> NDArray[np.uint8]:
    """A slice's numbers as the bytes of its blocks."""
    blocks = (len(values) + BLOCK - 1) // BLOCK
    most = blocks * (4 + 2 + 2 * BLOCK + BLOCK) + 1
    work = Workspace(
        values=np.ascontiguousarray(values, np.int16),
        out=np.empty(most, np.uint8),
        seen=np.zeros(1 << 16, np.int64),
        palette=np.zeros(BLOCK, np.int64),
    )
    size = int(pack(NO_GAME, len(values), work))
    return work.out[:size].copy()  # type: ignore[attr-defined, no-any-return]


def unpacked(data: NDArray[np.uint8], begin: int, count: int) -> NDArray[np.int16]:
    """All numbers of the slice that begins at a byte."""
    work = Workspace(data=data, values=np.empty(count, np.int16))
    unpack(NO_GAME, begin, count, work)
    return work.values  # type: ignore[attr-defined, no-any-return]


@kernel
def unpack(game, begin, count, work):
    for place in range(count):
        work.values[place] = read_number(work.data, begin, place)
