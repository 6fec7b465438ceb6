"""Information-set Monte Carlo tree search of what a seat sees.

    search(game, view, seat=0, algorithm="ismcts", simulations=10_000)

`observers="many"` (the default) keeps a tree for each player's own view; "one" sees everybody through the eyes of
the searching seat. `beliefs` weighs deals by policies of the other players, by drawing them where there is a `past`.
With `threads`, each grows trees of its own, and what they found at the root is added up. The action is the most
visited one; `error` is the standard error of its mean.
"""

from __future__ import annotations

import math
import time as clock
from collections.abc import Iterator, Mapping, Sequence
from typing import Any

import numpy as np
from numpy.typing import NDArray

from ...bits import fold, signed
from ...compiled import Workspace
from ...counters import FAULT, stop_word
from ...dice import draw
from ...errors import BadInput, GameError
from ...game import Game
from ...knowledge import Knowledge, knowledge_of
from ...result import HEURISTIC, SearchResult
from ...rng import scramble, seeded
from ..kernel_runner import run_all
from ..limits import Limit
from ..montecarlo import tree_words as mcts
from ..montecarlo.tree_pool import MOST_THREADS, Settings, scale_of
from ..montecarlo.tree_words import DEEPEST, DEEPEST_TREE, LENGTH
from .ismcts import EDGES_MOST, NODES_MOST, NODES_USED, ROOMS, SALT, simulate_deals
from .view_search import ViewSearch

OBSERVERS = ("many", "one")
FIRST_SIMULATIONS = 256
PER_DEAL = 8
"""Simulations of one deal that Python draws: where beliefs are weighed, or a game only lists its deals."""
PAUSE = 0.5  # seconds between answers of a long search, about
EDGE_BYTES, NODE_BYTES = 44, 32


class InformationSetSearch(ViewSearch):
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
        past: Sequence[Any] | None = None,
        knowledge: Knowledge | None = None,
        **settings: Any,
    ) -> None:
        if limit.depth is not None:
            raise BadInput("ismcts has no depth limit: give time or simulations; algorithm 'deals' searches to a depth")
        if observers not in OBSERVERS:
            raise BadInput(f"observers must be many or one, not {observers!r}")
        self.settings = Settings(**{"memory": 64.0, **settings})
        self.settings.check(knowledge_of(game, knowledge))
        super().__init__(
            game,
            view,
            limit,
            all_actions=all_actions,
            compiled=compiled,
            seat=seat,
            beliefs=beliefs,
            past=past,
            seed=self.settings.seed + 1,
            knowledge=knowledge,
        )
        self.several = int(observers == "many")
        self.cut = self.settings.plies(self.knowledge) < self.settings.longest
        listed = game.lists_chance
        self.chance = (1 if listed else None, 1 if game.has_chance and not listed else None)
        stop = stop_word()
        self.crew = [self._workspace(place, stop) for place in range(self.settings.threads)]

    def _workspace(self, place: int, stop: NDArray[np.int64]) -> Any:
        """The trees of one thread, which have their share of the memory; all look at the same `stop`."""
        game, settings = self.game, self.settings
        share = settings.memory * (1 << 20) / settings.threads
        edges = max(int(share / (EDGE_BYTES + NODE_BYTES)), game.max_actions + 2)
        nodes = edges
        slots = 1 << (2 * nodes).bit_length()
        room = np.zeros(ROOMS, np.int64)
        room[NODES_MOST], room[EDGES_MOST] = nodes, edges
        info = np.zeros(mcts.INFO, np.int64)
        info[mcts.WIDTH] = game.players
        info[mcts.LONGEST] = settings.plies(self.knowledge)
        info[mcts.PLAYED] = self.knowledge.has_playout and settings.cut(self.knowledge) is None
        return Workspace(
            info=info,
            stop=stop,
            rng=seeded(scramble(settings.seed * MOST_THREADS + place)),
            path=np.zeros(DEEPEST_TREE + int(info[mcts.LONGEST]) + 2, np.int64),
            values=np.zeros(game.players),
            buffer=np.zeros(game.max_actions + 1, np.int64),
            scale=scale_of(self.knowledge, settings),
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
        """Answers after more and more simulations; only the last one where the others are not asked for."""
        most = self.limit.nodes
        at_once = not self.streams and most is not None and self.limit.soft is None
        chunk = most if at_once and most is not None and not self.cut else FIRST_SIMULATIONS
        while True:
            before, started = self.nodes, clock.monotonic()
            self._simulate(chunk if most is None else min(chunk, most - self.nodes))
            rate = (self.nodes - before) / max(clock.monotonic() - started, 1e-6)
            if self.cut:
                self._measure_spread()
            yield self._answer()
            late = self.limit.soft is not None and clock.monotonic() - self.began > self.limit.soft
            if self.stopped or late or self.nodes == most or len(self.view.actions) == 1:
                return
            chunk = max(min(self.nodes, int(rate * PAUSE)), FIRST_SIMULATIONS)

    def _measure_spread(self) -> None:
        """Scale exploration by the spread of outcomes: evaluations lie much closer together than final utilities."""
        count, total, squares = np.sum([row[1:] for row in self._sums().values()], axis=0)
        mean = total / count
        for work in self.crew:
            scale = work.scale
            spread = min(max(math.sqrt(max(squares / count - mean * mean, 0.0)), scale[mcts.LEAST]), scale[mcts.MOST])
            scale[mcts.BONUS] = (scale[mcts.EXPLORATION] * spread) ** 2

    def _simulate(self, count: int) -> None:
        if self.listed is None and self.sampler is None:
            self._run([self.view.state] * len(self.crew), count, 1)
            return
        while count > 0 and not self.stopped:
            share = min(PER_DEAL * len(self.crew), count)
            self._run([self._drawn() for _ in self.crew], share, None)
            count -= share

    def _drawn(self) -> Any:
        """A deal by its weight; where not one was found in time, any that looks like the view."""
        if self.sampler is None:
            assert self.listed is not None
            return draw(self.dealer, self.listed)
        found = self.sampler.redraw(self.dealer, self.is_late)
        return self.view.state if found is None else found

    def _run(self, states: list[Any], count: int, dealing: int | None) -> None:
        """Run more simulations, divided among the threads, each from its own state or from deals."""
        before, after, threads = self.nodes, self.nodes + count, len(self.crew)
        calls = []
        for place, (state, work) in enumerate(zip(states, self.crew, strict=True)):
            share = (after + place) // threads - (before + place) // threads
            calls.append(
                (self.knowledge, self.view.seen, state, self.seat, share, self.several, dealing, *self.chance, work)
            )
        self.prepare(simulate_deals, calls[0])
        ran = run_all(
            simulate_deals, self.game, calls, self.crew, deadline=self.deadline, entry=self.entry, halted=self.is_halted
        )
        for state, work in zip(states, self.crew, strict=True):
            if work.info[FAULT]:
                raise self._fault_of(work, state, dealing)
        self.nodes += sum(int(number) for number in ran)
        late = self.deadline is not None and clock.monotonic() >= self.deadline
        self.stopped = self.halted or bool(self.crew[0].stop[0]) or late

    def _fault_of(self, work: Any, state: Any, dealing: int | None) -> GameError:
        if dealing is None:
            for action in work.path[: work.info[LENGTH]]:
                state = self.game.state_after(state, int(action))
        return self.fault(int(work.info[FAULT]), state, (), here="below a deal of this view")

    # -- the answer ------------------------------------------------------------------------------------------------

    def _root(self, work: Any) -> dict[int, int]:
        """The edges of the root by action, in the trees of one thread; none where it has not been there."""
        key = signed(fold(self.game.view_key(self.view.seen) ^ SALT, 2 * self.seat + 1))
        places = np.flatnonzero(work.key[: work.room[NODES_USED]] == key)
        found, edge = {}, int(work.head[int(places[0])]) if len(places) else -1
        while edge >= 0:
            found[int(work.action[edge])] = edge
            edge = int(work.next[edge])
        return found

    def _sums(self) -> dict[int, NDArray[np.float64]]:
        """By action of the root: how often it was available and visited, its outcomes and their squares, added up."""
        sums: dict[int, NDArray[np.float64]] = {}
        for work in self.crew:
            for action, edge in self._root(work).items():
                found = work.available[edge], work.visits[edge], work.total[edge], work.squares[edge]
                sums[action] = sums.get(action, np.zeros(4)) + np.array(found, np.float64)
        if set(sums) != set(self.view.actions) or any(row[0] != self.nodes for row in sums.values()):
            raise self.other_actions()
        return sums

    def _answer(self) -> SearchResult:
        sums = self._sums()
        visits = {a: int(sums[a][1]) for a in self.view.actions}
        means = {a: float(sums[a][2]) / count for a, count in visits.items() if count}
        best = max(visits, key=lambda action: (visits[action], means.get(action, -math.inf)))
        count, value = visits[best], means.get(best, 0.0)
        scatter = max(float(sums[best][3]) / count - value * value, 0.0) if count > 1 else 0.0
        return SearchResult(
            action=best,
            value=value,
            values=self.by_player(value),
            bound=HEURISTIC,
            proved=False,
            line=(best,),
            depth=max(int(work.info[DEEPEST]) for work in self.crew),
            nodes=self.nodes,
            seconds=clock.monotonic() - self.began,
            algorithm=self.algorithm,
            compiled=bool(self.native),
            tied=(best,),
            error=math.sqrt(scatter / (count - 1)) if count > 1 else None,
            actions=means,
            visits=visits,
            effective_sample_size=None if self.sampler is None else self.sampler.effective,
        )
