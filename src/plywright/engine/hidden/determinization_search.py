"""Minimax over deals: what a player sees is dealt out in full, each deal searched with open cards, and averaged.

    search(game, view, seat=0, algorithm="weighted")                # all deals, by their probabilities
    search(game, view, seat=0, algorithm="deals", deals=1000)       # Monte Carlo minimax: drawn ones

Averages over deals value an action as if everybody saw the cards afterwards: docs/hidden.md shows where that
goes wrong, and how wrong. So nothing here is called proved. `error` is the standard error of the best action's
value, 0 where every deal was counted.
"""

from __future__ import annotations

import math
import time as clock
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import replace
from typing import Any

import numpy as np
from numpy.typing import NDArray

from ...compiled import Workspace
from ...counters import FAULT, NODE_LIMIT, NODES, OTHER_ACTIONS, STOPPED, stop_word
from ...dice import draw
from ...errors import BadInput, GameError, Unsuitable
from ...faults import fault_after
from ...game import Game
from ...knowledge import Knowledge
from ...number import is_whole, sums_to_one
from ...result import HEURISTIC, SearchResult, nothing_known
from ...rng import scramble, seeded
from ..chance import expectiminimax_search as expectation
from ..chance import maxn_search as many_players
from ..chance.expectation_tables import STAR
from ..chance.expectiminimax_search import TABLE_MEGABYTES, prepare_workspace, table_slots
from ..kernel_runner import run_all
from ..limits import MAX_DEPTH, Limit
from ..task import Task
from .determinization import value_deals
from .sampling import Tally
from .view_search import ViewSearch

COMPILED = ("expectiminimax", "maxn")
"""Inner searches that run within the kernel; any other is called for each deal."""
FIRST_DEALS = 32
USUAL_DEALS = 1024
"""The most deals where neither their number nor time or nodes are limited."""
CLEAR_AFTER = 64
"""Deals before which no action is called clearly best."""
CLEAR = 4.0
"""Standard errors by which the best action must lead every other one that is not its equal."""
NODES_A_DEAL = 100_000
SHARE = 32  # 1/32 of the time may be spent on the first deal, which decides the depth
INNER_NODES = 2_000
MOST_THREADS = 256


class DealSearch(ViewSearch):
    """Monte Carlo minimax: deals are drawn until a limit comes or the best action is clear."""

    algorithm = "deals"

    def __init__(
        self,
        game: Game,
        view: Any,
        limit: Limit,
        *,
        all_actions: bool,
        compiled: bool | None,
        seat: int | None = None,
        inner: str | None = None,
        deals: int | None = None,
        beliefs: Mapping[int, Any] | None = None,
        past: Sequence[Any] | None = None,
        inner_nodes: int | None = None,
        threads: int = 1,
        table: float = TABLE_MEGABYTES / 8,
        seed: int = 1,
        knowledge: Knowledge | None = None,
    ) -> None:
        _check_count("deals", deals, 1 << 60)
        _check_count("inner_nodes", inner_nodes, 1 << 60)
        _check_count("threads", threads, MOST_THREADS)
        if not is_whole(seed) or not 0 <= seed < 1 << 63:
            raise BadInput(f"seed must be a whole number from 0 to 2**63 - 1, not {seed!r}")
        super().__init__(
            game,
            view,
            limit,
            all_actions=all_actions,
            compiled=compiled,
            seat=seat,
            beliefs=beliefs,
            past=past,
            seed=seed,
            knowledge=knowledge,
        )
        self.inner, self.inner_nodes = inner_name(self.game, inner), inner_nodes
        endless = limit.time is None and limit.nodes is None
        self.most, self.seed = deals or (USUAL_DEALS if endless else None), seed
        self.dealt = self.cut_off = 0  # deals valued, and those in which something was estimated
        self.tally = Tally(len(self.view.actions))  # of deals that have weights
        self.flag = stop_word()
        self.inner_task: Task | None = None  # the search of one deal, where it does not run inside the kernel
        slots = table_slots(table)
        self.crew = [self._workspace(slots, place) for place in range(threads)]
        self.work = self.crew[0]
        self.depth = 0

    def stop(self) -> None:
        super().stop()
        if (inner := self.inner_task) is not None:
            inner.stop()

    def _workspace(self, slots: int, place: int) -> Any:
        """The inner search's workspace with what the kernel adds to it."""
        many = self.inner == "maxn"
        base = many_players.workspace(self.game, slots) if many else expectation.workspace(self.game, slots)
        if not many:
            only_draws = self.game.has_chance and not self.game.lists_chance
            prepare_workspace(base, self.game, self.seat, expectation.USUAL_DRAWS if only_draws else 0, self.seed)
            base.info[STAR] = 2
        n = len(self.view.actions)
        return Workspace(
            **{**dict(base._arrays), "stop": self.flag},
            dealer=seeded(scramble(self.seed * MOST_THREADS + place)),
            size=np.array([n], np.int64),
            listed=np.array(self.view.actions, np.int64),
            found=np.zeros(n),
            sums=np.zeros(n),
            products=np.zeros(n * n),
            horizon=np.zeros(1, np.int64),
        )

    # -- the search --------------------------------------------------------------------------------------------

    def fixed(self, depth: int) -> SearchResult:
        self.limit = replace(self.limit, depth=depth)
        found = None
        for deeper in self.deepening():
            if found is not None:
                self.tell(found)
            found = deeper
        assert found is not None
        return found

    def deepening(self) -> Iterator[SearchResult]:
        """Answers after more and more deals."""
        self._settle_depth()
        batch = FIRST_DEALS * len(self.crew)
        while True:
            before, started = self.dealt, clock.monotonic()
            left = batch if self.most is None else min(batch, self.most - self.dealt)
            self._deal(left)
            if self.dealt == 0:  # not even one deal in time
                yield self._answer()
                return
            yield self._answer()
            late = self.limit.soft is not None and clock.monotonic() - self.began > self.limit.soft
            if self.stopped or late or self.dealt == self.most or self._is_clear():
                return
            rate = (self.dealt - before) / max(clock.monotonic() - started, 1e-6)
            batch = max(min(self.dealt // 2, int(rate / 2)), len(self.crew))

    def _settle_depth(self) -> None:
        """The depth of all deals: the one asked for, or as far as one deal can be searched in its share."""
        if self.inner not in COMPILED:
            self.depth = self.limit.depth or 0
            self._start_clock()
            return
        asked = self.limit.depth
        state = draw(self.dealer, self.listed) if self.listed is not None else self.view.state
        self._call(state, 1, None, 1)  # compiles, before the clock starts
        self._start_clock()
        self._forget()
        self.cut_off = 0
        if asked is not None:
            self.depth = min(asked, MAX_DEPTH)
            return
        share = math.inf if self.limit.time is None else self.limit.time / SHARE
        most = NODES_A_DEAL if self.limit.nodes is None else max(self.limit.nodes // SHARE, 1)
        for depth in range(1, MAX_DEPTH + 1):
            started, before = clock.monotonic(), self.nodes
            self.depth = depth
            self._call(state, 1, None, depth)
            proved = not self.work.horizon[0]
            self._forget()
            spent = clock.monotonic() - started
            if self.stopped or proved or 3 * (self.nodes - before) > most or 3 * spent > share:
                break
        self.stopped, self.cut_off = self.halted, 0

    def _start_clock(self) -> None:
        self.began = clock.monotonic()
        self.deadline = None if self.limit.time is None else self.began + self.limit.time

    def _forget(self) -> None:
        for work in self.crew:
            work.sums[:] = work.products[:] = 0.0
            work.horizon[0] = 0

    def _deal(self, count: int) -> None:
        """Value more deals."""
        if self.sampler is not None:
            self._deal_weighted(count)
        elif self.inner not in COMPILED:
            self._deal_each(count)
        elif self.listed is not None:
            for _ in range(count):
                self.dealt += self._call(draw(self.dealer, self.listed), 1, None, self.depth)
                if self.stopped:
                    break
        else:
            self.dealt += self._call(self.view.state, count, 1, self.depth)

    def _deal_weighted(self, count: int) -> None:
        """Value deals one by one, each with its weight."""
        assert self.sampler is not None
        for _ in range(count):
            found = self.sampler.draw(self.dealer, self.is_late)
            if found is None:
                self.stopped = True
                return
            state, weight = found
            if self.inner in COMPILED:
                self._forget()
                done = self._call(state, 1, None, self.depth)
                values = np.array(self.work.sums)
            else:
                values, done = self._inner_values(state), 1
            if done:
                self.tally.add(values, weight)
                self.dealt += 1
            if self.stopped or self.is_late():
                self.stopped = True
                return

    def _call(self, state: Any, count: int, dealing: int | None, depth: int) -> int:
        """Run the kernel, one share of the deals per thread; how many were valued."""
        crew = self.crew if dealing is not None else self.crew[:1]
        shares = [count * (n + 1) // len(crew) - count * n // len(crew) for n in range(len(crew))]
        kind = (None, 1) if self.inner == "maxn" else (1, None)
        calls = []
        for share, work in zip(shares, crew, strict=True):
            info = work.info
            left = math.inf if self.limit.nodes is None else (self.limit.nodes - self.nodes) // len(crew)
            most = np.iinfo(np.int64).max - 1 if left == math.inf else int(info[NODES] + max(left, 1))
            info[STOPPED], info[NODE_LIMIT] = 0, most
            calls.append((self.knowledge, self.view.seen, state, self.seat, share, depth, dealing, *kind, work))
        before = sum(int(work.info[NODES]) for work in crew)
        cut_before = sum(int(work.horizon[0]) for work in crew)
        kept = self.__dict__.setdefault("entries", {})
        if dealing not in kept:
            self.native = self.entry = None
            self.prepare(value_deals, calls[0])
            kept[dealing] = self.entry
        done = run_all(
            value_deals, self.game, calls, crew, deadline=self.deadline, entry=kept[dealing], halted=self.is_halted
        )
        self.nodes += sum(int(work.info[NODES]) for work in crew) - before
        for work in crew:
            if work.info[FAULT]:
                raise self._fault_of(int(work.info[FAULT]), state)
        self.cut_off += sum(int(work.horizon[0]) for work in crew) - cut_before
        self.stopped = self.stopped or any(bool(work.info[STOPPED]) for work in crew) or bool(self.flag[0])
        return sum(int(number) for number in done)

    def _fault_of(self, fault: int, state: Any) -> GameError:
        if fault == OTHER_ACTIONS:
            return self.other_actions()
        where, culprit = "in a deal of this view", float(self.work.culprit[0])
        return fault_after(self.game, fault, state, (), here=where, knowledge=self.knowledge, value=culprit)

    def _deal_each(self, count: int) -> None:
        """Value deals one by one with another search."""
        for _ in range(count):
            state = self.view.deal(self.dealer) if self.listed is None else draw(self.dealer, self.listed)
            self._add(self._inner_values(state), 1.0)
            self.dealt += 1
            if self.halted or (self.deadline is not None and clock.monotonic() >= self.deadline):
                self.stopped = True
                return

    def _inner_values(self, state: Any) -> NDArray[np.float64]:
        from ..api import make_task

        depth = None if self.inner == "mcts" else self.limit.depth
        nodes = self.inner_nodes or (INNER_NODES if depth is None else None)
        options = {"knowledge": self.knowledge}
        limit = Limit(depth=depth, nodes=nodes)
        with make_task(
            self.game, state, limit, self.inner, options, all_actions=True, compiled=self.compiled
        ) as self.inner_task:
            if self.halted:
                self.inner_task.stop()
            found = self.inner_task.run()
        self.inner_task = None
        self.nodes += found.nodes
        self.native = found.compiled
        self.cut_off += bool(found.note)
        self.depth = max(self.depth, found.depth)
        if set(map(int, self.game.actions(state))) != set(self.view.actions):
            raise self.other_actions()
        return np.array([found.actions.get(action, found.value) for action in self.view.actions])

    def _add(self, values: NDArray[np.float64], weight: float) -> None:
        self.work.sums[:] += weight * values
        self.work.products[:] += weight * np.outer(values, values).reshape(-1)

    # -- the answer --------------------------------------------------------------------------------------------

    def _moments(self) -> tuple[NDArray[np.float64], NDArray[np.float64]]:
        """Means by action, and the standard error of every difference of two of them."""
        if self.sampler is not None:
            return self.tally.means(), self.tally.errors()
        n, count = len(self.view.actions), max(self.dealt, 1)
        means = sum(work.sums for work in self.crew) / count
        squares = (sum(work.products for work in self.crew) / count).reshape(n, n)
        spread = np.diagonal(squares)[:, None] - 2 * squares + np.diagonal(squares)[None, :]
        variance = np.maximum(spread - (means[:, None] - means[None, :]) ** 2, 0.0)
        variance[variance < 1e-12 * (1 + np.abs(squares).max())] = 0.0
        return means, np.sqrt(variance / max(count - 1, 1))

    def _is_clear(self) -> bool:
        """Whether the best action leads every other one by far, or has only equals."""
        if (self.dealt if self.sampler is None else self.tally.effective) < CLEAR_AFTER:
            return False
        means, errors = self._moments()
        best = int(np.argmax(means))
        leads, doubts = means[best] - means, errors[best]
        return all(leads[a] > CLEAR * doubts[a] or (leads[a] < 1e-12 and doubts[a] == 0.0) for a in range(len(means)))

    def _answer(self) -> SearchResult:
        means, errors = self._moments()
        best = int(np.argmax(means))
        if self.sampler is not None:
            tied = [a for a in range(len(means)) if means[best] - means[a] < 1e-12 and errors[best][a] == 0.0]
            found = self._told(means, best, tied, self.tally.error(best) if self.dealt > 1 else None)
            return replace(found, effective_sample_size=self.tally.effective)
        second = float(sum(work.products[best * (len(means) + 1)] for work in self.crew)) / max(self.dealt, 1)
        scatter = math.sqrt(max(second - float(means[best]) ** 2, 0.0) / max(self.dealt - 1, 1))
        tied = [a for a in range(len(means)) if means[best] - means[a] < 1e-12 and errors[best][a] == 0.0]
        return self._told(means, best, tied, scatter if self.dealt > 1 else None)

    def _told(self, means: NDArray[np.float64], best: int, tied: list[int], error: float | None) -> SearchResult:
        actions = self.view.actions
        value = float(means[best])
        return SearchResult(
            action=actions[best],
            value=value,
            values=self.by_player(value),
            bound=HEURISTIC,
            proved=False,
            line=(actions[best],),
            depth=self.depth if self.dealt else 0,
            nodes=self.nodes,
            seconds=clock.monotonic() - self.began,
            algorithm=f"{self.algorithm} ({self.inner})",
            compiled=bool(self.native),
            tied=tuple(actions[place] for place in tied),
            error=error,
            actions={action: float(mean) for action, mean in zip(actions, means, strict=True)},
            visits=dict.fromkeys(actions, self.dealt),
            note=self._ignorance(means, error),
        )

    def _ignorance(self, means: NDArray[np.float64], error: float | None) -> str:
        """The note that nothing is known: no evaluation, all actions of equal value, estimates in every deal."""
        neutral = self.game.neutral_value
        if self.knowledge.evaluates or not self.dealt or not self.depth or error or (means != neutral).any():
            return ""
        return "" if self.cut_off < self.dealt else nothing_known(self.depth, True)


class WeightedSearch(DealSearch):
    """Weighted minimax: every deal counts by its probability."""

    algorithm = "weighted"
    lists_deals = True

    def deepening(self) -> Iterator[SearchResult]:
        self._settle_depth()
        assert self.listed is not None
        total, means = 0.0, np.zeros(len(self.view.actions))
        for state, probability in self.listed:
            self._forget()
            if self.inner in COMPILED:
                self.dealt += self._call(state, 1, None, self.depth)
                values = np.array(self.work.sums)
            else:
                values = self._inner_values(state)
                self.dealt += 1
                self.stopped = self.halted or (self.deadline is not None and clock.monotonic() >= self.deadline)
            if self.stopped and self.inner in COMPILED:
                break
            means += probability * values
            total += probability
            if self.stopped:
                break
        whole = sums_to_one(total)
        means = means if whole or total == 0.0 else means / total
        best = int(np.argmax(means))
        tied = [a for a in range(len(means)) if means[best] - means[a] < 1e-12]
        yield self._told(means, best, tied, 0.0 if whole else None)


def inner_name(game: Game, inner: str | None) -> str:
    """The search of each deal: the one named, or the one that the game with open cards asks for."""
    from ..registry import ALGORITHMS, check_suitable

    if inner is None:
        return "expectiminimax" if game.opposed else "maxn"
    if inner not in ALGORITHMS or inner in ("deals", "weighted", "ismcts"):
        names = [name for name in ALGORITHMS if name not in ("deals", "weighted", "ismcts")]
        raise BadInput(f"there is no inner search {inner!r}; there are {', '.join(names)}")
    try:
        check_suitable(game, inner)
    except Unsuitable as error:
        raise Unsuitable(f"inner: {error}") from None
    return inner


def _check_count(name: str, value: Any, most: int) -> None:
    if value is None:
        return
    if not is_whole(value) or not 1 <= value <= most:
        raise BadInput(f"{name} must be a whole number from 1 to {most}, not {value!r}")
