"""The board as players see it: pieces, the last move, a king in check, and arrows."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from ...draw import Picture
from ...draw.board import Piece, board
from .fen import signs_of
from .san import squares_of

KINDS = {"N": "knight", "B": "bishop", "R": "rook", "Q": "queen", "K": "king"}
SHAPES = {"P": "pawn", **{sign: f"chess-{kind}" for sign, kind in KINDS.items()}}
PIECES = {sign: Piece(kind, "white") for sign, kind in SHAPES.items()}
PIECES |= {sign.lower(): Piece(kind, "black") for sign, kind in SHAPES.items()}


def draw_position(state: Any, caption: str, last: int | None = None, arrows: Sequence[int] = ()) -> Picture:
    """`last` is the action that led here; `arrows` are actions of this state to point out."""
    signs = signs_of(state)
    king = signs.index("Kk"[int(state.mover)])
    marked: tuple[int, ...] = ()
    if last is not None:  # in the view of the player who made it
        marked = squares_of(state._replace(mover=1 - int(state.mover)), last)
    return board(
        signs,
        8,
        PIECES,
        look="wood",
        upward=True,
        last=marked,
        alarm=(king,) if state.checkers else (),
        arrows=[squares_of(state, action) for action in arrows],
        caption=caption,
    )
