"""Max^n of a position: the whole vector of utilities, deeper and deeper."""

from __future__ import annotations

import math
from collections.abc import Iterable, Mapping
from dataclasses import replace
from typing import Any

import numpy as np

from ...compiled import Workspace
from ...counters import FAULT, NODE_LIMIT, NODES, STOPPED, stop_word
from ...errors import GameError, Unsuitable
from ...faults import fault_after
from ...game import Game
from ...knowledge import Knowledge, knowledge_of
from ...result import SearchResult
from ..kernel_runner import run
from ..limits import Limit
from ..task import Task
from .expectation_tables import HORIZON, INFO, LEAVES, LINE, MASK, MAX_PLY
from .expectiminimax_search import (
    SMALL_TABLE,
    TABLE_MEGABYTES,
    check_mover,
    check_options,
    table_slots,
)
from .maxn import maxn, room_left
from .modelled_game import MODELLED, Modelled
from .opponent_models import Policy


class ManyPlayers(Task):
    """Every player after its own utility; values are vectors, and ties at the root are named."""

    algorithm = "maxn"
    relies = ("key",)

    def __init__(
        self,
        game: Game,
        view: Any,
        limit: Limit,
        *,
        all_actions: bool,
        compiled: bool | None,
        opponents: Mapping[int, Policy] | None = None,
        table: float = TABLE_MEGABYTES,
        knowledge: Knowledge | None = None,
    ) -> None:
        check_options(game, opponents, None, None, "star2", 1)
        if game.has_chance and not game.lists_chance:
            raise Unsuitable(f"maxn cannot search {game.name}: it draws its outcomes, which paranoid search can sample")
        super().__init__(game, view, limit, all_actions=all_actions, compiled=compiled, knowledge=knowledge)
        if game.has_chance and not game.rules_end:
            raise GameError(
                f"{game.name} has chance but no is_terminal(): define it, since a chance state has no actions"
            )
        check_mover(self.mover, opponents)
        self.original = game
        if opponents:
            self.game = Modelled(game, opponents, knowledge=self.knowledge, mark=MODELLED)
            self.knowledge = knowledge_of(self.game)
            self.compiled = False
        slots = SMALL_TABLE if limit.fixed_depth and (limit.depth or 0) <= 2 else table_slots(table)
        self.work = workspace(self.game, slots)

    def to_depth(self, depth: int) -> SearchResult:
        """Each root action by itself, so that every vector is known and ties can be named."""
        if self.mover < 0:
            vector, line, proved = self._run(self.state, depth)
            return self.unfinished() if self.stopped else self._answer(vector, line, proved, depth, {})
        values: dict[int, float] = {}
        best: tuple[tuple[float, ...], tuple[int, ...]] | None = None
        all_proved, self.certain = True, False
        for action in self.actions():
            above = -1 if self.all_actions or best is None else self.mover
            limit = math.inf if best is None else self._room(best[0][self.mover])
            vector, line, proved = self._run(self.child(action), depth - 1, above, limit)
            if self.stopped:
                return self.unfinished()
            all_proved, self.certain = all_proved and proved, self.certain or proved
            values[action] = vector[self.mover]
            if best is None or values[action] > best[0][self.mover]:
                best = vector, (action, *line)
        assert best is not None
        return self._answer(*best, all_proved, depth, values)

    def _room(self, best: float) -> float:
        return float(room_left(best, self.game.players, self.work))  # type: ignore[no-untyped-call]

    def _run(
        self, state: Any, depth: int, above: int = -1, limit: float = math.inf
    ) -> tuple[tuple[float, ...], tuple[int, ...], bool]:
        """The vector of a state (minus infinity for `above` where the rest was left out), its line, if it is proved."""
        work, info = self.work, self.work.info
        info[HORIZON] = info[STOPPED] = 0
        info[NODE_LIMIT] = np.iinfo(np.int64).max - 1 if self.limit.nodes is None else self.limit.nodes
        work.path[:16] = -1
        args = (self.knowledge, state, depth, 0, above, limit, work)
        self.prepare(maxn, args)
        whole, _ = run(maxn, self.game, args, work, deadline=self.deadline, entry=self.entry, halted=self.is_halted)
        self.nodes = int(info[NODES])
        if info[FAULT]:
            raise self.fault(int(info[FAULT]), state, work.path)
        self.stopped = self.stopped or bool(info[STOPPED])
        vector = tuple(float(x) + 0.0 for x in work.vectors[: self.game.players])
        if not whole:
            vector = tuple(-math.inf if player == above else x for player, x in enumerate(vector))
        return vector, tuple(int(a) for a in work.line[: work.length[0]]), not info[HORIZON]

    @property
    def leaves(self) -> int:
        return int(self.work.info[LEAVES])

    def legal_move(self) -> SearchResult:
        vector = tuple(float(self.knowledge.evaluate(self.state, player)) for player in range(self.game.players))
        return self._answer(vector, tuple(self.actions()[:1]), False, 0, {})

    def _answer(
        self,
        vector: tuple[float, ...],
        line: tuple[int, ...],
        proved: bool,
        depth: int,
        values: dict[int, float],
    ) -> SearchResult:
        player = max(self.mover, 0)
        value = vector[player]
        tied = tuple(action for action, other in values.items() if other == value)
        mover, self.mover = self.mover, player
        try:
            found = self.report(value, line, proved, depth, values if self.all_actions else {})
        finally:
            self.mover = mover
        distance = None if self.original.has_chance else found.distance
        return replace(found, values=vector, tied=tied, distance=distance)

    def fault(self, fault: int, state: Any, path: Iterable[int], here: str = "in this position") -> GameError:
        return fault_after(self.original, fault, state, path, here=here, knowledge=self.knowledge)


def workspace(game: Game, slots: int) -> Any:
    """Everything the kernel reads and writes beside its arguments."""
    plies = MAX_PLY + 2
    info = np.zeros(INFO, np.int64)
    info[MASK] = slots - 1
    sum_bound = math.inf if game.sum_bound is None else float(game.sum_bound)
    room = plies * game.max_actions
    return Workspace(
        info=info,
        stop=stop_word(),
        bounds=np.array([float(game.utility_range[0]), sum_bound]),
        vectors=np.zeros(plies * game.players),
        table=np.zeros(2 * slots, np.int64),
        kept=np.zeros(slots * game.players),
        actions=np.empty(room, np.int64),
        weights=np.empty(room),
        culprit=np.zeros(1),
        line=np.zeros(LINE * LINE, np.int64),
        length=np.zeros(plies, np.int64),
        path=np.full(plies, -1, np.int64),
    )
