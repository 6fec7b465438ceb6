"""One picture for each room, for the first page; drawn by the same functions as what is in the rooms."""

from __future__ import annotations

from collections.abc import Callable
from functools import cache

from ..draw.curve import Series, curve_svg
from ..draw.svg import uncaptioned
from ..game import Game
from ..games import load_game
from ..games.trees.explicit_tree import ExplicitTree
from ..textbook import run
from ..utility import CARA
from ..utility.plot import utility_picture

OPENING = "f5d6c3d3c4f4f6f3e6e7d7c5"
PLAYED = "4434536"
ITALIAN = "e4 e5 Nf3 Nc6 Bc4 Bc5 c3 Nf6 d4 exd4"
DRAUGHTS = "11-15 23-19 8-11 22-17 4-8 17-13 15-18"
ROLLED = "31 8/5 6/5 64"


@cache
def thumbnails() -> dict[str, str]:
    """The SVG of each room by its name."""
    return {room: uncaptioned(draw()) for room, draw in PICTURES.items()}


def _position(name: str, moves: str = "") -> str:
    game = load_game(name)
    return game.picture(game.play_moves(game.start_state, moves) if moves else game.start_state).svg


def _tree(algorithm: str, game: Game) -> str:
    """At the end: pictures of one page share their rules, and those of an unfinished tree would hide its best line."""
    trace = run(algorithm, game).trace
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
    "lab": lambda: _tree("alphabeta", load_game("figure-6.2")),
    "gallery": _curves,
    "bench": lambda: _position("chess", ITALIAN),
    "exercises": lambda: _tree("minimax", ExplicitTree("[[8, 5], [2, 9], [-3, 4]]")),
    "learning": _learning,
    "history": lambda: _position("checkers", DRAUGHTS),
    "pacman": lambda: _position("pacman:layout=medium"),
    "chance": lambda: _position("backgammon", ROLLED),
    "decisions": lambda: utility_picture(CARA(0.004), low=0, high=1000).svg,
    "matches": lambda: _position("connect-four", PLAYED),
}
