"""Checks by two pieces at once: which of them a move can give.

Before the move the king was not in check. So one of the two pieces has moved, and the other is a slider that shone
through where it came from: taken back to some square that it can have come from, the moved piece must leave the king
unattacked. A pawn that takes in passing leaves two squares empty and may uncover two sliders. Castling gives no double
check: through a square of the edge a line goes along that edge only.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import numpy as np

from .attacks import KNIGHT, bishop_attacks, rook_attacks
from .position import checkers_of

KINDS = ("pawns", "knights", "diagonals", "straights")


def comes_of_a_move(state: Any) -> bool:
    """Whether a move of the other side can have given this check by two pieces."""
    king = int(state.mine & state.kings).bit_length() - 1
    before = (*_moves_back(state), *_takings_in_passing_back(state))
    return any(not int(checkers_of(each, king)) for each in before)


def _moves_back(state: Any) -> Iterator[Any]:
    """The positions before each move that may have brought one of the checking pieces to its square.

    Where it may have taken something there, it has: that stops lines rather than opens them.
    """
    for target in _squares(int(state.checkers)):
        kinds = [name for name in KINDS if int(getattr(state, name)) >> target & 1]
        if kinds == ["pawns"]:
            yield from _pawn_back(state, target)
            continue
        for origin in _squares(_reached(state, target, kinds)):
            yield _before(state, target, origin, kinds, takes=True)
        if target < 8:  # it may have been promoted there
            yield from _pawn_back(state, target)


def _reached(state: Any, target: int, kinds: list[str]) -> int:
    """The empty squares from which a knight or slider comes to its own."""
    occupied, found = state.mine | state.theirs, 0
    if "knights" in kinds:
        found |= int(KNIGHT[target])
    if "diagonals" in kinds:
        found |= int(bishop_attacks(target, occupied))
    if "straights" in kinds:
        found |= int(rook_attacks(target, occupied))
    return found & ~int(occupied)


def _pawn_back(state: Any, target: int) -> Iterator[Any]:
    """The positions before a pawn of the other side, which goes down the board, came to a square."""
    ways = [(8, False), *([(7, True)] if target % 8 > 0 else []), *([(9, True)] if target % 8 < 7 else [])]
    if target // 8 == 4 and _empty(state, target + 8):
        ways.append((16, False))
    for step, takes in ways:
        if target + step < 56 and _empty(state, target + step):
            yield _before(state, target, target + step, ["pawns"], takes)


def _takings_in_passing_back(state: Any) -> Iterator[Any]:
    """The positions before each taking in passing that the other side may have made."""
    for target in _squares(int(state.theirs & state.pawns) & 0xFF0000):
        taken = target + 8
        if not _empty(state, taken) or not _empty(state, target - 8):
            continue
        for origin in (taken - 1, taken + 1):
            if origin // 8 == taken // 8 and _empty(state, origin):
                back = _before(state, target, origin, ["pawns"], takes=False)
                yield back._replace(mine=back.mine | np.uint64(1 << taken))


def _before(state: Any, target: int, origin: int, kinds: list[str], takes: bool) -> Any:
    """The position with a piece of the other side back on its origin, and one of the mover's where it took it."""
    there, back = np.uint64(1 << target), np.uint64(1 << origin)
    boards = {name: getattr(state, name) & ~there | (back if name in kinds else np.uint64(0)) for name in KINDS}
    mine = state.mine | there if takes else state.mine
    return state._replace(mine=mine, theirs=state.theirs & ~there | back, **boards)


def _empty(state: Any, square: int) -> bool:
    return not int(state.mine | state.theirs) >> square & 1


def _squares(board: int) -> Iterator[int]:
    while board:
        yield (board & -board).bit_length() - 1
        board &= board - 1
