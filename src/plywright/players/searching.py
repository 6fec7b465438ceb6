"""A player that searches, with limits of its own or those of the clock."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from .. import __version__
from ..engine import ALGORITHMS, Limit, search
from ..engine.deepening import EngineSearch
from ..errors import BadInput
from ..game import Game
from ..result import SearchResult
from .clock import Clock
from .player import Player

NAMES = ("search", *ALGORITHMS)
LIMITS: dict[str, type] = {"depth": int, "time": float, "nodes": int}
ENGINE: dict[str, type] = {"threads": int, "table": float}


class SearchPlayer(Player):
    """`search` of the engine; `algorithm` "search" takes the strongest that fits the game.

    Limits given here (depth, time, nodes) hold in every mode, but never beyond the clock; without any
    the mode decides. `report` is called with every finished depth where the engine deepens, and `stop`,
    from another thread, makes it answer with the best so far.
    """

    fingerprint = f"plywright {__version__}"

    def __init__(self, algorithm: str = "search", name: str = "", **given: Any) -> None:
        if algorithm not in NAMES:
            raise BadInput(f"unknown algorithm {algorithm!r}; there are {', '.join(NAMES)}")
        unknown = [key for key in given if key not in LIMITS and key not in ENGINE]
        if unknown:
            known = ", ".join([*LIMITS, *ENGINE])
            raise BadInput(f"{algorithm} takes no {', '.join(unknown)}; it takes {known}, as in {algorithm}:depth=4")
        self.asked, self.algorithm = algorithm, None if algorithm == "search" else algorithm
        written = ",".join(f"{key}={value:g}" for key, value in given.items())
        self.name = name or algorithm + (f":{written}" if written else "")
        limits = {key: given[key] for key in LIMITS if key in given}
        self.own = Limit(**limits) if limits else None
        self.engine: dict[str, Any] = {key: value for key, value in given.items() if key in ENGINE}
        if self.engine and algorithm not in ("search", "pvs"):
            raise BadInput(f"{algorithm} takes no {', '.join(self.engine)}: that is for the engine, pvs")
        self.info = {}
        self.report: Callable[[SearchResult], None] | None = None
        self.task: EngineSearch | None = None
        self.stopping = False

    def prepare(self, game: Game) -> None:
        """Fix the algorithm for this game, and have it compiled."""
        if self.asked == "search":
            fits = game.step and game.opposed and not (game.has_chance or game.hidden)
            self.algorithm = "pvs" if fits else None
        if not game.is_terminal(game.start_state):
            search(game, game.start_state, depth=1, algorithm=self.algorithm, **self.engine)

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
        limit = self.limit(clock)
        if self.algorithm == "pvs":
            found = self.deepen(game, view, limit)
        else:
            found = search(game, view, limit=limit, algorithm=self.algorithm)
        if found.action is None:
            raise BadInput(f"{self.name} found nothing to do in {game.name}")
        self.info = account(found)
        return int(found.action)

    def deepen(self, game: Game, view: Any, limit: Limit) -> SearchResult:
        """The engine's last finished depth; a stop between two depths is heard as well as one within."""
        self.task = EngineSearch(game, view, limit, all_actions=False, compiled=None, **self.engine)
        found: SearchResult | None = None
        for found in self.task.deepening():
            if self.report is not None and found.depth:
                self.report(found)
            if self.stopping:
                break
        self.task = None
        assert found is not None  # the first depth is always given
        return found

    def stop(self) -> None:
        """Ask for an answer now; to be repeated until the answer is there, since a depth may just begin."""
        self.stopping = True
        task = self.task
        if task is not None:
            task.stopped = True
            task.crew[0].stop[0] = 1


def account(found: SearchResult) -> dict[str, Any]:
    """What a search found, for the records."""
    return {"value": float(found.value), "depth": found.depth, "nodes": found.nodes, "proved": found.proved}
