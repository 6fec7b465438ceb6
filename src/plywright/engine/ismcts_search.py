"""Information-set Monte Carlo tree search of what a seat sees.

    search(game, view, seat=0, algorithm="ismcts", simulations=10_000)

`observers="many"` (the default) keeps a tree for each player's own view; "one" sees everybody through the eyes of
the searching seat. `beliefs` weighs deals by policies of the other players. The action is the most visited one;
`error` is the standard error of its mean.
"""

from __future__ import annotations

import math
import time as clock
from collections.abc import Iterator, Mapping
from typing import Any

import numpy as np

from ..bits import fold, mix, signed
from ..compiled import Workspace
from ..errors import BadInput, GameError
from ..game import Game
from ..rehearsal import rehearse
from ..result import HEURISTIC, SearchResult
from ..rng import scramble
from . import mcts
from .beliefs import View, check_model, drawn
from .ismcts import EDGES_MOST, NODES_MOST, ROOMS, SALT, simulate_deals
from .limit import Limit
from .mcts import DEEPEST, DEEPEST_TREE, FAULT, LENGTH
from .mcts_pool import Settings, _scale
from .opened import opened
from .running import run_all
from .task import Task

OBSERVERS = ("many", "one")
FIRST_SIMULATIONS = 256
PER_DEAL = 8
"""Simulations of one deal that Python draws: where beliefs are weighed, or a game only lists its deals."""
PAUSE = 0.5  # seconds between answers of a long search, about
EDGE_BYTES, NODE_BYTES = 44, 32


class InformationSetSearch(Task):
    """Simulations of deals from one view, until a limit; a simulation counts as a node."""

    algorithm = "ismcts"

    def __init__(
        self,
        game: Game,
        view: Any,
        limit: Limit,
        *,
        all_actions: bool,
        compiled: bool | None,
        seat: int | None = None,
        observers: str = "many",
        beliefs: Mapping[int, Any] | None = None,
        **settings: Any,
    ) -> None:
        if limit.depth is not None:
            raise BadInput("ismcts has no depth limit: give time or simulations; algorithm 'deals' searches to a depth")
        if observers not in OBSERVERS:
            raise BadInput(f"observers must be many or one, not {observers!r}")
        rehearse(game)
        self.began = clock.monotonic()
        self.view = View(game, view, seat)
        self.original, self.game = game, opened(game)
        self.seat = self.mover = self.view.seat
        self.limit, self.compiled, self.all_actions = limit, compiled, all_actions
        self.settings = Settings(**{"memory": 64.0, **settings})
        self.settings.check(game)
        self.several = int(observers == "many")
        self.listed: list[tuple[Any, float]] | None = None
        if beliefs is not None:
            check_model(game, self.seat, beliefs)
            self.listed = self.view.weighed(beliefs)
        elif not hasattr(type(game), "deal"):
            self.listed = self.view.listed()
        listed = hasattr(type(game), "chance")
        self.chance = (1 if listed else None, 1 if game.has_chance and not listed else None)
        self.nodes, self.stopped, self.native, self.entry, self.deadline = 0, False, None, None, None
        self.dealer = np.array([scramble(self.settings.seed + 1)], np.uint64)
        self.work = self._workspace()

    def _workspace(self) -> Any:
        game, settings = self.game, self.settings
        edges = max(int(settings.memory * (1 << 20) / (EDGE_BYTES + NODE_BYTES)), game.max_actions + 2)
        nodes = edges
        slots = 1 << (2 * nodes).bit_length()
        room = np.zeros(ROOMS, np.int64)
        room[NODES_MOST], room[EDGES_MOST] = nodes, edges
        info = np.zeros(mcts.INFO, np.int64)
        info[mcts.WIDTH] = game.players
        info[mcts.LONGEST] = settings.longest if settings.cutoff is None else settings.cutoff
        return Workspace(
            info=info,
            stop=np.zeros(1, np.int64),
            rng=np.array([scramble(settings.seed)], np.uint64),
            path=np.zeros(DEEPEST_TREE + int(info[mcts.LONGEST]) + 2, np.int64),
            values=np.zeros(game.players),
            buffer=np.zeros(game.max_actions + 1, np.int64),
            scale=_scale(game, settings),
            key=np.empty(nodes, np.int64),
            head=np.empty(nodes, np.int32),
            owner=np.empty(nodes, np.int8),
            spots=np.full(slots, -1, np.int32),
            mask=np.array([slots - 1], np.int64),
            action=np.empty(edges, np.int64),
            next=np.empty(edges, np.int32),
            visits=np.zeros(edges, np.int64),
            available=np.empty(edges, np.int64),
            total=np.empty(edges),
            squares=np.empty(edges),
            trail=np.zeros(DEEPEST_TREE + 2, np.int64),
            chosen=np.zeros(DEEPEST_TREE + 2, np.int64),
            room=room,
        )

    # -- simulations -----------------------------------------------------------------------------------------------

    def fixed(self, depth: int) -> SearchResult:
        raise BadInput("ismcts has no depth limit: give time or simulations")

    def deepening(self) -> Iterator[SearchResult]:
        """Answers after more and more simulations."""
        most, chunk = self.limit.nodes, FIRST_SIMULATIONS
        while True:
            before, started = self.nodes, clock.monotonic()
            self._simulate(chunk if most is None else min(chunk, most - self.nodes))
            rate = (self.nodes - before) / max(clock.monotonic() - started, 1e-6)
            yield self._answer()
            late = self.limit.soft is not None and clock.monotonic() - self.began > self.limit.soft
            if self.stopped or late or self.nodes == most or len(self.view.actions) == 1:
                return
            chunk = max(min(self.nodes, int(rate * PAUSE)), FIRST_SIMULATIONS)

    def _simulate(self, count: int) -> None:
        if self.listed is None:
            self._run(self.view.state, count, 1)
            return
        while count > 0 and not self.stopped:
            share = min(PER_DEAL, count)
            self._run(drawn(self.listed, self.dealer), share, None)
            count -= share

    def _run(self, state: Any, count: int, dealing: int | None) -> None:
        call = (self.view.seen, state, self.seat, count, self.several, dealing, *self.chance, self.work)
        self.prepare(simulate_deals, call)
        (done,) = run_all(simulate_deals, self.game, [call], [self.work], deadline=self.deadline, entry=self.entry)
        if self.work.info[FAULT]:
            raise self._fault_of(state, dealing)
        self.nodes += int(done)
        late = self.deadline is not None and clock.monotonic() >= self.deadline
        self.stopped = bool(self.work.stop[0]) or late

    def _fault_of(self, state: Any, dealing: int | None) -> GameError:
        if dealing is None:
            for action in self.work.path[: self.work.info[LENGTH]]:
                state = self.game.coerce_state(self.game.result(state, int(action)))
        kind = int(self.work.info[FAULT])
        if kind in (mcts.NOT_ONE, mcts.NO_OUTCOMES):
            return GameError(f"{self.game.name}: chance() yields no outcomes, in a deal of this view")
        return GameError(str(self.fault(kind, state, ())).replace("in this position", "below a deal of this view"))

    # -- the answer ------------------------------------------------------------------------------------------------

    def _edges(self) -> dict[int, int]:
        """The edges of the root by action."""
        work = self.work
        looker_key = signed(fold(mix(self.view.seen) ^ SALT, 2 * self.seat + 1))
        found, edge = {}, int(work.head[int(np.flatnonzero(work.key[: work.room[0]] == looker_key)[0])])
        while edge >= 0:
            found[int(work.action[edge])] = edge
            edge = int(work.next[edge])
        return found

    def _answer(self) -> SearchResult:
        edges, work = self._edges(), self.work
        if set(edges) != set(self.view.actions) or any(work.available[edge] != self.nodes for edge in edges.values()):
            from .deal_search import other_actions

            raise other_actions(self.original, self.view)
        visits = {a: int(work.visits[edges[a]]) for a in self.view.actions}
        means = {a: float(work.total[edges[a]]) / count for a, count in visits.items() if count}
        best = max(visits, key=lambda action: (visits[action], means.get(action, -math.inf)))
        count, value = visits[best], means.get(best, 0.0)
        scatter = max(float(work.squares[edges[best]]) / count - value * value, 0.0) if count > 1 else 0.0
        team = self.game.team_of[self.seat]
        other = 0.0 - value if self.game.opposed else math.nan
        return SearchResult(
            action=best,
            value=value,
            values=tuple(value if mate == team else other for mate in self.game.team_of),
            bound=HEURISTIC,
            proved=False,
            line=(best,),
            depth=int(work.info[DEEPEST]),
            nodes=self.nodes,
            seconds=clock.monotonic() - self.began,
            algorithm=self.algorithm,
            compiled=bool(self.native),
            tied=(best,),
            error=math.sqrt(scatter / (count - 1)) if count > 1 else None,
            actions=means,
            visits=visits,
        )
