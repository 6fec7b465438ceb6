"""A player that searches, with limits of its own or those of the clock."""

from __future__ import annotations

from typing import Any

from .. import __version__
from ..engine import ALGORITHMS, Limit, search
from ..errors import BadInput
from ..game import Game
from ..result import SearchResult
from .clock import Clock
from .player import Player

NAMES = ("search", *ALGORITHMS)
LIMITS = {"depth": int, "time": float, "nodes": int}
ENGINE = {"threads": int, "table": float}


class SearchPlayer(Player):
    """`search` of the engine; `algorithm` "search" takes the strongest that fits the game.

    Limits given here (depth, time, nodes) hold in every mode, but never beyond the clock; without any
    the mode decides.
    """

    fingerprint = f"plywright {__version__}"

    def __init__(self, algorithm: str = "search", name: str = "", **given: float) -> None:
        if algorithm not in NAMES:
            raise BadInput(f"unknown algorithm {algorithm!r}; there are {', '.join(NAMES)}")
        unknown = [key for key in given if key not in LIMITS and key not in ENGINE]
        if unknown:
            known = ", ".join([*LIMITS, *ENGINE])
            raise BadInput(f"{algorithm} takes no {', '.join(unknown)}; it takes {known}, as in {algorithm}:depth=4")
        self.algorithm: str | None = algorithm
        written = ",".join(f"{key}={value:g}" for key, value in given.items())
        self.name = name or algorithm + (f":{written}" if written else "")
        limits = {key: given[key] for key in LIMITS if key in given}
        self.own = Limit(**limits) if limits else None  # type: ignore[arg-type]
        self.engine = {key: value for key, value in given.items() if key in ENGINE}
        self.info = {}

    def prepare(self, game: Game) -> None:
        """Fix the algorithm for this game, and have it compiled."""
        if self.algorithm == "search":
            self.algorithm = "pvs" if game.step and game.opposed and not (game.has_chance or game.hidden) else None
        start = game.start_state
        if game.is_terminal(start):
            return
        search(game, start, depth=1, algorithm=self.algorithm, **self.engine)

    def limit(self, clock: Clock) -> Limit:
        """The limits of one move: this player's own, and the clock where there is one."""
        if self.own is None:
            return clock.limit()
        if not clock.mode.timed:
            return self.own
        hard = clock.limit().time
        time = hard if self.own.time is None else min(self.own.time, hard or self.own.time)
        return Limit(self.own.depth, time, self.own.nodes)

    def choose(self, game: Game, view: Any, seat: int, clock: Clock, rng: Any) -> int:
        algorithm = None if self.algorithm == "search" else self.algorithm
        found = search(game, view, limit=self.limit(clock), algorithm=algorithm, **self.engine)
        if found.action is None:
            raise BadInput(f"{self.name} found nothing to do in {game.name}")
        self.info = account(game, view, found)
        return int(found.action)


def account(game: Game, view: Any, found: SearchResult) -> dict[str, Any]:
    """What a search found, for the records."""
    return {"value": float(found.value), "depth": found.depth, "nodes": found.nodes, "proved": found.proved}
