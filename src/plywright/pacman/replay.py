"""A game as one HTML file: the maze drawn once, figures that a script moves, and what Pac-Man thought.

The file needs nothing from outside and forbids itself to ask.
"""

from __future__ import annotations

import json
from collections.abc import Sequence
from html import escape
from importlib.resources import files
from typing import Any

from ..draw.maze import MAZE_CLASSES, SIZE, Figure, maze
from ..draw.svg import PREFIX, style_sheet
from ..games.pacman.maze import DIRECTIONS, STOP, WORD
from ..games.pacman.rules import CELL, FACING, SCARED, Pacman
from .episode import Moment

SHOWN_LINE = 12
"""Moves of a line that are written out."""


def replay_page(game: Pacman, moments: Sequence[Moment], title: str) -> str:
    """The whole page of one recorded game."""
    figures = [Figure(0, "eater", 1)] + [Figure(0, "ghost", None, number) for number in range(game.ghosts)]
    rows = ["".join(sign if sign in "%.o" else " " for sign in row) for row in game.maze.rows]
    drawing = maze(rows, [Figure(game.maze.pacman, f.kind, f.facing, f.number) for f in figures], live=True)
    frames, facing = [], 1
    for moment in moments:
        frames.append(_frame(game, moment, facing))
        if moment.mover == 0 and moment.action != STOP:
            facing = moment.action
    gone: dict[int, int] = {}
    for number, moment in enumerate(moments):
        for cell in eaten(game, moment.state):
            gone.setdefault(cell, number)
    data = {"size": SIZE, "columns": game.maze.columns, "prefix": PREFIX, "gone": gone, "frames": frames}
    parts = {
        "title": escape(title),
        "style": style_sheet(MAZE_CLASSES, MAZE_CLASSES),
        "maze": drawing.svg,
        "data": json.dumps(data, separators=(",", ":")).replace("<", "\\u003c"),
    }
    template = files(__package__).joinpath("replay.html").read_text(encoding="utf-8")
    page, *pieces = template.split("{{")
    for piece in pieces:
        name, _, rest = piece.partition("}}")
        page += parts[name] + rest
    return page


def _frame(game: Pacman, moment: Moment, facing: int) -> dict[str, Any]:
    """One state: where everybody is, the score, and the searcher's value and line."""
    state = moment.state
    frame: dict[str, Any] = {
        "p": [int(state.pacman), facing],
        "g": [
            [int(word) & CELL, int(word) >> FACING & 15, int(word) >> SCARED] for word in state.ghosts[: game.ghosts]
        ],
        "score": int(state.score),
        "round": int(state.rounds),
    }
    if moment.mover < 0:
        frame["words"] = "caught" if state.caught else "won" if state.left == 0 else "out of time"
        return frame
    frame["words"] = f"{game.player_name(moment.mover)} goes {DIRECTIONS[moment.action].lower()}"
    if "value" in moment.info:
        frame["value"] = round(float(moment.info["value"]), 2)
        frame["line"] = " ".join(
            DIRECTIONS[int(action)] for action in moment.info.get("expected", moment.info.get("line", []))[:SHOWN_LINE]
        )
        frame["nodes"] = int(moment.info.get("nodes", 0))
    return frame


def eaten(game: Pacman, state: Any) -> list[int]:
    """The cells whose dot is gone."""
    found = []
    for cell in range(len(game.pellet_at)):
        pellet, capsule = int(game.pellet_at[cell]), int(game.capsule_at[cell])
        if (pellet >= 0 and not int(state.food[pellet // WORD]) >> pellet % WORD & 1) or (
            capsule >= 0 and not int(state.capsules) >> capsule & 1
        ):
            found.append(cell)
    return found
