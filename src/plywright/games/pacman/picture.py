"""The picture of a state of Pac-Man."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from ...draw.maze import Figure, maze
from ...draw.picture import Picture
from .maze import STOP, WORD

if TYPE_CHECKING:
    from .rules import Pacman


def scene_picture(game: Pacman, state: Any, last: int | None, heading: int = 1) -> Picture:
    """The maze with what is left in it, everybody where they are, and the score.

    Pac-Man looks where his last move went, where that was the last move of all, and else where he was `heading`.
    """
    signs = []
    for cell, sign in enumerate(game.maze.text):
        pellet, capsule = int(game.pellet_at[cell]), int(game.capsule_at[cell])
        there = (pellet >= 0 and state.food[pellet // WORD] >> pellet % WORD & 1) or (
            capsule >= 0 and state.capsules >> capsule & 1
        )
        signs.append(sign if sign == "%" or there else " ")
    columns = game.maze.columns
    rows = ["".join(signs[start : start + columns]) for start in range(0, len(signs), columns)]
    figures = []
    moved = state.turn == 1 or game.ghosts == 0  # Pac-Man made the last move
    for number in range(game.ghosts):
        word = int(state.ghosts[number])
        facing = word >> 16 & 15
        kind = "afraid" if word >> 20 else "ghost"
        figures.append(Figure(word & 0xFFFF, kind, facing if facing < STOP else None, number))
    facing = int(last) if moved and last is not None and last != STOP else heading
    figures.insert(0, Figure(int(state.pacman), "eater", facing))
    return maze(rows, figures, caption=_caption(game, state))


def _caption(game: Pacman, state: Any) -> str:
    score = f"score {int(state.score)}"
    if state.caught:
        return f"{score}: caught"
    if state.left == 0:
        return f"{score}: won"
    if game.is_terminal(state):
        return f"{score}: out of time"
    return f"{score}, {game.player_name(int(state.turn))} to move"
