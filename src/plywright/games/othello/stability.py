"""Discs of Othello that can never be turned again: what they prove of the score."""

from __future__ import annotations

from typing import Any

import numpy as np

from ...bits import popcount

ZERO = np.uint64(0)


def margins(game: Any, mine: np.uint64, theirs: np.uint64) -> tuple[int, int]:
    """The least and the most that the owner of `mine` can end with, since stable discs stay where they are."""
    if (mine | theirs) & game.corners == ZERO:
        return -game.squares, game.squares  # hardly any disc is stable yet
    least = 2 * popcount(stable(game, mine, theirs)) - game.squares
    return least, game.squares - 2 * popcount(stable(game, theirs, mine))


def stable(game: Any, mine: np.uint64, theirs: np.uint64) -> np.uint64:
    """Discs of `mine` that can never be turned; not all of them, but the most common.

    A disc cannot be turned along a line that is full, that it ends, or on which it has a stable
    neighbour of its colour; safe along all four lines it is stable. A shift that wraps around the
    board lands on an edge, where the line ends anyway.
    """
    empties = game.board & ~(mine | theirs)
    across = ~lines(empties, game.across, game.first_file, game.last_file) | game.sides
    down = ~lines(empties, game.down, ZERO, ZERO) | game.ends
    rising = ~lines(empties, game.rising, game.last_file, game.first_file) | game.rim
    falling = ~lines(empties, game.falling, game.first_file, game.last_file) | game.rim
    found = ZERO
    while True:
        more = mine & (across | (found << game.across) | (found >> game.across))
        more &= down | (found << game.down) | (found >> game.down)
        more &= rising | (found << game.rising) | (found >> game.rising)
        more &= falling | (found << game.falling) | (found >> game.falling)
        if more == found:
            return found
        found = more


def lines(squares: np.uint64, shift: np.uint64, first: np.uint64, last: np.uint64) -> np.uint64:
    """Every square in line, by that shift, with one of `squares`; a line goes up from `first` and ends in `last`."""
    twice = shift + shift
    up = down = squares
    open_up, open_down = ~first, ~last
    up |= open_up & (up << shift)
    down |= open_down & (down >> shift)
    open_up &= open_up << shift
    open_down &= open_down >> shift
    up |= open_up & (up << twice)
    down |= open_down & (down >> twice)
    open_up &= open_up << twice
    open_down &= open_down >> twice
    up |= open_up & (up << (twice + twice))
    down |= open_down & (down >> (twice + twice))
    return up | down
