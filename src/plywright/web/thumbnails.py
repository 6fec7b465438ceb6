"""One picture for each room, for the first page; drawn by the same functions as what is in the rooms."""

from __future__ import annotations

from collections.abc import Callable
from functools import cache

from ..draw.curve import Series, curve_svg
from ..games import load_game
from ..games.trees.explicit_tree import ExplicitTree
from ..textbook import run
from ..textbook.worksheet import exercises_on
from ..utility import CARA
from ..utility.plot import utility_picture

OPENING = "f5d6c3d3c4f4f6f3e6e7d7c5"
PLAYED = "4434536"


@cache
def thumbnail(room: str) -> str:
    """The SVG of a room, or an empty one for a room that has none."""
    return PICTURES[room]() if room in PICTURES else '<svg xmlns="http://www.w3.org/2000/svg"/>'


def _position(name: str, moves: str = "") -> str:
    game = load_game(name)
    return game.picture(game.play_moves(game.start_state, moves) if moves else game.start_state).svg


def _tree() -> str:
    trace = run("alphabeta", load_game("figure-6.2")).trace
    assert trace is not None
    return trace.svg()


def _curves() -> str:
    """The three orders of growth, as formulas: nothing is searched for the first page."""
    depths = range(1, 9)
    powers = (("b^m", 1.0), ("b^(3m/4)", 0.75), ("b^(m/2)", 0.5))
    curves = [Series(name, [(m, 3.0 ** (share * m)) for m in depths]) for name, share in powers]
    return curve_svg(curves, x_label="depth m", y_label="leaves", log_y=True)


def _learning() -> str:
    """A curve as a training draws one; the numbers are those of TD-Gammon's road in docs/learning.md."""
    points = [(10_000.0, 0.29), (50_000.0, 0.57), (200_000.0, 0.69), (342_253.0, 0.69)]
    return curve_svg([Series("80 hidden units", points)], x_label="games of self-play", y_label="points a game")


PICTURES: dict[str, Callable[[], str]] = {
    "play": lambda: _position("othello", OPENING),
    "lab": _tree,
    "gallery": lambda: _curves(),
    "bench": lambda: _position("chess"),
    "exercises": lambda: exercises_on([ExplicitTree("[[8, 5], [2, 9], [-3, 4]]")])[0].question.svg,
    "learning": lambda: _learning(),
    "history": lambda: _position("checkers"),
    "pacman": lambda: _position("pacman:layout=medium"),
    "chance": lambda: _position("backgammon"),
    "decisions": lambda: utility_picture(CARA(0.004), low=0, high=1000).svg,
    "matches": lambda: _position("connect-four", PLAYED),
}
