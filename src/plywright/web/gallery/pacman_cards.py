"""Cards on Pac-Man: what a search assumes of the ghosts, and what that costs."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from ...games.pacman.rules import Pacman
from ...pacman.assumptions import DEPTH, EVALUATION, GHOST_DEPTH, PUBLISHED, assumptions
from ...pacman.demonstrations import DEMONSTRATIONS
from .card import Card, Door, Figures

GAMES = 4
"""Games of each pairing that a card plays when it is opened; `plywright pacman assumptions` plays 200."""


def _maze(layout: str) -> Callable[[], str]:
    def draw() -> str:
        game = Pacman(layout)
        return game.picture(game.start_state).svg

    return draw


def _shown(name: str, games: int, stated: Callable[[dict[str, Any]], str]) -> Callable[[], Figures]:
    """A demonstration with as many games as a card has time for."""

    def work() -> Figures:
        show, _ = DEMONSTRATIONS[name]
        found = show(games=games)
        rows = tuple((line,) for line in found.lines if "%" not in line[:1] and "\n" not in line)
        return Figures(stated(found.figures), ("what was seen",), rows, f"{games} games here; the room plays more.")

    return work


def _table() -> Figures:
    rows = assumptions("den", games=GAMES)
    scores = {(row.pacman, row.ghosts): row.tally.mean_score for row in rows}
    worst = min(scores, key=lambda one: scores[one])
    table = tuple(
        (
            row.pacman,
            row.ghosts,
            f"{row.tally.wins} of {row.tally.games}",
            f"{row.tally.mean_score:.0f}",
            "{} of 5, {}".format(*PUBLISHED[row.pacman, row.ghosts]),
        )
        for row in rows
    )
    head = ("Pac-Man expects", "the ghost is", "wins", "mean score", "published")
    note = (
        f"Pac-Man to depth {DEPTH} ({EVALUATION}), the ghost to depth {GHOST_DEPTH}; {GAMES} games of each here, "
        "200 with intervals in the room."
    )
    return Figures(f"worst: {worst[0]} v {worst[1]}", head, table, note)


def _scoring() -> Figures:
    rows = (
        ("every step", "-1"),
        ("a pellet", "+10"),
        ("a scared ghost", "+200"),
        ("the last pellet", "+500"),
        ("caught", "-500"),
    )
    game = Pacman("corridor")
    state, steps = game.start_state, []
    while not game.is_terminal(state):
        action = next(a for a in game.actions(state) if game.format_action(state, a) == "West")
        state = game.result(state, action)
        steps.append(game.format_action(game.start_state, action))
    score = int(game.utility(state, 0))
    return Figures(
        str(score), ("what", "score"), (*rows, (f"the corridor: {len(steps)} steps, one pellet, won", f"{score:+}"))
    )


CARDS = (
    Card(
        "scoring",
        _scoring,
        (Door("Play", "/pacman?layout=corridor"),),
        _maze("corridor"),
    ),
    Card(
        "assumptions",
        _table,
        (Door("All 200 games", "/pacman/assumptions"),),
        _maze("den"),
        "plywright pacman assumptions --layout den",
        slow=True,
    ),
    Card(
        "starvation",
        _shown(
            "starvation", 1, lambda f: f"{f['score']['eaten']} pellets, then {'won' if f['food']['won'] else 'not'}"
        ),
        (Door("Watch both", "/pacman/demonstrations"),),
        _maze("starvation"),
        "plywright pacman demo starvation",
        slow=True,
    ),
    Card(
        "depth",
        _shown(
            "depth", 6, lambda f: "deeper wins more" if f["depth_10"]["wins"] > f["depth_2"]["wins"] else "not here"
        ),
        (Door("All 200 games", "/pacman/demonstrations"),),
        _maze("two-rooms"),
        "plywright pacman demo depth",
        slow=True,
    ),
    Card(
        "ghosts",
        _shown("ghosts", 4, lambda f: "surrounded" if f["coordinated"]["from_two_sides"] else "no"),
        (Door("Watch them", "/pacman/demonstrations"),),
        _maze("pincer"),
        "plywright pacman demo ghosts",
        slow=True,
    ),
    Card(
        "trapped",
        _shown("trapped", 2, lambda f: f"{f['minimax']['first']}, {f['minimax']['value']:g}"),
        (Door("Watch both", "/pacman/demonstrations"),),
        _maze("trapped"),
        "plywright pacman demo trapped",
        slow=True,
    ),
)
