"""The table of assumptions and the demonstrations, shown while they are played."""

from __future__ import annotations

import time
from collections.abc import AsyncIterator
from contextlib import aclosing
from dataclasses import dataclass
from functools import lru_cache
from typing import Any

from starlette.requests import Request
from starlette.responses import Response
from starlette.routing import Route

from ...errors import BadInput, PlywrightError
from ...games.pacman.maze import layout_names
from ...pacman.assumptions import (
    DEPTH,
    EVALUATION,
    GHOSTS,
    LAYOUTS,
    PAIRINGS,
    PUBLISHED,
    REACH,
    Row,
    assumptions_picture,
    shortcomings,
)
from ...pacman.demonstrations import DEEP, DEMONSTRATIONS, GHOSTS_DEPTH, SHALLOW, Demonstration
from ...pacman.episode import Episode
from ...pacman.many_games import CHUNK, Setting, play_seeds, tally
from ..fields import Fields
from ..rendering import rendered
from ..requests import plain_page, query
from ..search_queue import Finished, Waiting
from ..stream import Event, parts, stream, visit
from ..task_channel import TaskChannel
from .choice import Choice, maze_of

MOST_GAMES = 200
"""Games of each pairing."""
RUN = 1800.0
"""Seconds of one experiment; each game is reported, and a client who leaves stops it."""
OFTEN = 0.2
"""Seconds between two reports of the table."""
MOST_KEPT = 20_000
"""Results of games in memory."""


# -- the table of assumptions ----------------------------------------------------------------------------------


@dataclass(frozen=True)
class Experiment:
    """Four pairings, with a number of games each; the same seed gives the same table."""

    layout: str
    games: int
    seed: int

    @classmethod
    def read(cls, fields: Fields) -> Experiment:
        found = cls(
            fields.choice("layout", haunted_layouts(), LAYOUTS[0]),
            fields.whole("games", 40, 1, MOST_GAMES),
            fields.whole("seed", 1, 0, 2**40),
        )
        return found

    @property
    def query(self) -> str:
        return f"layout={self.layout}&games={self.games}&seed={self.seed}"

    def settings(self) -> list[Setting]:
        maze = maze_of(self.layout)
        return [
            Setting.on(maze, f"{agent}:depth={DEPTH},evaluation={EVALUATION}", GHOSTS[ghost], reach=REACH)
            for agent, ghost in PAIRINGS
        ]

    def seeds(self) -> list[int]:
        first = self.seed * 1_000_003
        return list(range(first, first + self.games))

    def played(self) -> list[list[Episode]]:
        """What is known already, by pairing, as far as no game is missing."""
        found = []
        for setting in self.settings():
            episodes = []
            for seed in self.seeds():
                if (setting, seed) not in results:
                    break
                episodes.append(results[setting, seed])
            found.append(episodes)
        return found

    def left(self) -> list[Game]:
        """The games that are missing: all pairings in turn, a few games at a time."""
        settings, seeds = self.settings(), self.seeds()
        return [
            (setting, seed)
            for start in range(0, self.games, CHUNK)
            for setting in settings
            for seed in seeds[start : start + CHUNK]
            if (setting, seed) not in results
        ]


Game = tuple[Setting, int]
results: dict[Game, Episode] = {}
"""Games that were played: stopping and going on, or asking again, plays none of them twice."""


def play_games(channel: TaskChannel, wanted: list[Game]) -> None:
    """In a worker: play games, each reported with how it went."""
    for setting, seed in wanted:
        if channel.stop.is_set():
            return
        channel.report(((setting, seed), play_seeds(setting, [seed])[0]))


def remember(game: Game, episode: Episode) -> None:
    results[game] = episode
    while len(results) > MOST_KEPT:
        results.pop(next(iter(results)))


@lru_cache(maxsize=1)
def haunted_layouts() -> tuple[str, ...]:
    """The layouts with a ghost, those of the published pattern first."""
    others = [name for name in layout_names() if name not in LAYOUTS and len(maze_of(name).ghosts) == 1]
    return (*LAYOUTS, *others)


async def show_assumptions(request: Request) -> Response:
    fields = query(request)
    experiment = Experiment.read(fields)
    played = experiment.played()
    return plain_page(
        request,
        "pacman_assumptions.html",
        experiment=experiment,
        layouts=haunted_layouts(),
        usual=LAYOUTS,
        most=MOST_GAMES,
        runs=fields.ticked("go") and sum(map(len, played)) < len(PAIRINGS) * experiment.games,
        **_table(experiment, played),
    )


async def stream_assumptions(request: Request) -> Response:
    return stream(request, _assumptions(request, Experiment.read(query(request))))


async def _assumptions(request: Request, experiment: Experiment) -> AsyncIterator[Event]:
    said = time.monotonic()
    async with aclosing(request.app.state.search_queue.watch(play_games, experiment.left(), limit=RUN)) as news:
        async for item in news:
            if isinstance(item, Waiting):
                yield parts(progress=f"waiting: {item.before} before you")
            elif isinstance(item, Finished):
                yield visit(f"/pacman/assumptions?{experiment.query}")
            else:
                remember(*item)
                if time.monotonic() - said > OFTEN:
                    said, table = time.monotonic(), _table(experiment, experiment.played())
                    yield parts(rows=rendered("pacman_rows.html", **table), progress=table["progress"])


def _table(experiment: Experiment, played: list[list[Episode]]) -> dict[str, Any]:
    """What the page shows of the games so far: rows, a plot, and at the end what they say."""
    rows = [Row(*pairing, tally(games)) if games else None for pairing, games in zip(PAIRINGS, played, strict=True)]
    known = [row for row in rows if row is not None]
    done, planned = sum(map(len, played)), len(PAIRINGS) * experiment.games
    plot = assumptions_picture(known).svg if len(known) == len(PAIRINGS) else ""
    return {
        "rows": [
            {
                "pacman": agent,
                "ghosts": ghost,
                "found": row.tally if row else None,
                "published": PUBLISHED[agent, ghost],
            }
            for (agent, ghost), row in zip(PAIRINGS, rows, strict=True)
        ],
        "progress": f"{done} of {planned} games",
        "done": done,
        "planned": planned,
        "plot": plot,
        "missing": shortcomings(known) if done == planned else None,
    }


# -- the demonstrations ------------------------------------------------------------------------------------------

SCENES: dict[str, list[tuple[str, Choice]]] = {
    "corridor": [("the search", Choice("corridor", "expectimax", 4, "score"))],
    "trapped": [
        ("minimax", Choice("trapped", "minimax", 3, "score", "random")),
        ("expectimax", Choice("trapped", "expectimax", 3, "score", "random")),
    ],
    "starvation": [
        ("score only", Choice("starvation", "minimax", 2, "score", "random")),
        ("with the way to food", Choice("starvation", "minimax", 2, "food", "random")),
    ],
    "depth": [
        ("two rounds deep", Choice("two-rooms", "alphabeta", SHALLOW, "score", "directional", scatter=True)),
        ("ten rounds deep", Choice("two-rooms", "alphabeta", DEEP, "score", "directional", scatter=True)),
    ],
    "ghosts": [
        ("a team", Choice("pincer", "alphabeta", 4, "full", "coordinated", GHOSTS_DEPTH, seed=1000, scatter=True)),
        ("each alone", Choice("pincer", "alphabeta", 4, "full", "searching", GHOSTS_DEPTH, seed=1000, scatter=True)),
    ],
}
"""For each demonstration the games that show it."""
FEW = 40
"""Games of a demonstration on the page; the command line plays as many as it says."""
shown: dict[str, Demonstration] = {}


class Stopped(PlywrightError):
    """Nobody waits for the demonstration any more."""


async def show_demonstrations(request: Request) -> Response:
    fields = query(request)
    name = fields.choice("name", ("", *DEMONSTRATIONS), "")
    return plain_page(
        request,
        "pacman_demonstrations.html",
        demonstrations=[
            {
                "name": each,
                "about": (demonstrate.__doc__ or "").strip().split("\n")[0],
                "scenes": SCENES.get(each, []),
                "games": min(usual, FEW),
                "found": shown.get(each),
                "layout": SCENES[each][0][1].layout if SCENES.get(each) else "",
            }
            for each, (demonstrate, usual) in DEMONSTRATIONS.items()
        ],
        running=name if fields.ticked("go") and name and name not in shown else "",
    )


async def stream_demonstration(request: Request) -> Response:
    fields = query(request)
    if "name" not in fields:
        raise BadInput("a demonstration has a name")
    return stream(request, _demonstration(request, fields.choice("name", tuple(DEMONSTRATIONS))))


def demonstrate_now(channel: TaskChannel, name: str) -> Demonstration:
    """In a worker: play a demonstration; reports how many games are played."""
    demonstrate, usual = DEMONSTRATIONS[name]
    done = 0

    def heard(count: int) -> None:
        nonlocal done
        done += count
        channel.report(done)
        if channel.stop.is_set():
            raise Stopped("stopped")

    return demonstrate(min(usual, FEW), heard=heard)


async def _demonstration(request: Request, name: str) -> AsyncIterator[Event]:
    async with aclosing(request.app.state.search_queue.watch(demonstrate_now, name, limit=RUN)) as news:
        async for item in news:
            if isinstance(item, Waiting):
                yield parts(progress=f"waiting: {item.before} before you")
            elif isinstance(item, Finished):
                shown[name] = item.answer
                yield visit(f"/pacman/demonstrations?name={name}")
            else:
                yield parts(progress=f"{item} games played")


routes = [
    Route("/pacman/assumptions", show_assumptions),
    Route("/pacman/assumptions/stream", stream_assumptions),
    Route("/pacman/demonstrations", show_demonstrations),
    Route("/pacman/demonstrations/stream", stream_demonstration),
]
