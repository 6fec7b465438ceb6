"""One slice of a table being solved: its arrays, shared out to threads.

Memory: 15 bytes per position and four for each thread, and eight for each move within the slice. Where that is
more than allowed the moves are not kept but made again for every distance, with seven bytes per position in all.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import numpy as np
from numpy.typing import NDArray

from .. import counters
from ..compiled import NO_GAME, Workspace
from ..counters import FAULT, NODES
from ..errors import GameError
from ..knowledge import Knowledge
from . import retrograde
from .crew import Crew
from .retrograde import (
    DECIDED,
    EDGES,
    FIRST,
    FRESH,
    INFO,
    LATEST,
    PLACE,
    count_edges,
    expand,
    prepare,
    settle,
    sum_heads,
    sweep,
    turn_edges,
)
from .table import Table
from .table_file import TableWriter

CHUNK = 1 << 15  # positions that a thread takes at a time
MOST_CREW = 8  # threads that go backwards side by side: each has its own list of where edges begin
WORTH_SHARING = 1 << 19  # positions for each of them: with fewer they wait for one another longer than they work
POSITION_BYTES, SHARED_BYTES, HEAD_BYTES, EDGE_BYTES = 7, 15, 4, 8
MOST_EDGES = 1 << 32
FAULTS = {
    counters.NO_NUMBER: "a move leads to a position that index() gives no number",
    counters.LATER_SLICE: "a move leads to a later slice: slices must come in an order in which none does",
    counters.NO_INVERSE: "index() and unindex() do not fit: its number is not the one that it was made from",
    counters.NO_ACTIONS: "nobody can move, but the game is not over",
    counters.ODD_UTILITY: "a game ends with neither a win, a loss nor a draw, and tables hold nothing else",
    counters.TOO_MANY_ACTIONS: f"there are more than {retrograde.MOST_MOVES} moves, and tables hold no more",
    counters.TOO_FAR: f"it takes more than {retrograde.FURTHEST:,} plies to win, and tables count no further",
}

Chunk = tuple[int, int]
Edges = dict[Chunk, NDArray[np.int32]]


class Slice:
    """The next slice that a writer wants; `status` is its numbers once `solve` has come to its end."""

    def __init__(
        self,
        numbering: Knowledge,
        slices: list[tuple[str, int]],
        writer: TableWriter,
        count: int,
        crew: Crew,
        room: int,
    ) -> None:
        self.numbering, self.game, self.crew, self.count, self.room = numbering, numbering.game, crew, count, room
        self.begin = writer.positions
        self.status: NDArray[np.int16] = np.zeros(count, np.int16)
        self.win, self.worst = np.zeros(count, np.int16), np.zeros(count, np.int16)
        self.degree = np.zeros(count, np.uint8)
        table = Table(writer.path, numbering, slices, "")
        self.known = table.arrays
        self.chunks = [(first, min(first + CHUNK, count)) for first in range(0, count, CHUNK)]

    def solve(self) -> Iterator[int]:
        """Solve the slice; yields the distances as they are done."""
        yield 0
        edges = self._expand_all()
        return (yield from self._sweep_all() if edges is None else self._settle_all(edges))

    # -- forwards ------------------------------------------------------------------------------------------------

    def _expand_all(self) -> Edges | None:
        """The edges of each chunk; None where there is no room for them."""
        edges = {self.chunks[0]: self._expand(self.chunks[0])}
        mean = len(edges[self.chunks[0]]) / (self.chunks[0][1] - self.chunks[0][0])
        each = SHARED_BYTES + HEAD_BYTES * self._crew_size() + EDGE_BYTES * mean
        if self.count * each > self.room or self.count * mean > MOST_EDGES:
            return None
        rest = self.chunks[1:]
        edges.update(zip(rest, self.crew.each(self._expand, rest), strict=True))
        return edges

    def _expand(self, chunk: Chunk) -> NDArray[np.int32]:
        """What the moves of a chunk's undecided positions lead to."""
        most = (chunk[1] - chunk[0]) * min(self.game.max_actions, retrograde.MOST_MOVES)
        work: Any = self._workspace(edges=np.empty(most, np.int32), **self.known)
        expand(self.game, self.numbering, self.begin, *chunk, self.count, work)
        self._check(work)
        found: NDArray[np.int32] = work.edges[: work.info[EDGES]].copy()
        return found

    # -- backwards -------------------------------------------------------------------------------------------------

    def _crew_size(self) -> int:
        return max(1, min(self.crew.threads, MOST_CREW, self.count // WORTH_SHARING))

    def _settle_all(self, edges: Edges) -> Iterator[int]:
        parts = [list(part) for part in np.array_split(np.arange(len(self.chunks)), self._crew_size())]
        crew = self.crew.each(lambda part: self._turned(part, edges), parts)
        distance = 1
        if len(crew) == 1:
            settle(NO_GAME, distance, 1, crew[0])
            self._check(crew[0])
            return
        ends = [0] * len(crew)
        while True:
            fresh = [work.decided[end : work.info[DECIDED]] for work, end in zip(crew, ends, strict=True)]
            ends = [int(work.info[DECIDED]) for work in crew]
            latest = max(int(work.info[LATEST]) for work in crew)
            found = np.concatenate(fresh)
            if len(found) == 0 and distance > latest:
                return
            if distance > retrograde.FURTHEST:
                raise self._fault(counters.TOO_FAR, 0)
            self.crew.each(lambda work: self._step(work, found, distance), crew)  # noqa: B023
            yield distance
            distance += 1

    def _step(self, work: Any, fresh: NDArray[np.int32], distance: int) -> None:
        work.info[FRESH] = len(fresh)
        arrays = dict(work._arrays) | {"fresh": fresh if len(fresh) else np.zeros(1, np.int32)}
        settle(NO_GAME, distance, 2, Workspace(**arrays))

    def _turned(self, part: list[int], edges: Edges) -> Any:
        """A workspace with the edges that lead back to the chunks of one thread."""
        chunks = [self.chunks[number] for number in part]
        first, last = chunks[0][0], chunks[-1][1]
        work: Any = self._workspace(
            heads=np.zeros(self.count + 2, np.uint32),
            parents=np.empty(max(sum(len(edges[chunk]) for chunk in chunks), 1), np.int32),
            decided=np.empty(last - first, np.int32),
            later=np.empty(last - first, np.int32),
            due=np.zeros(retrograde.FURTHEST + 2, np.int32),
            fresh=np.zeros(1, np.int32),
            edges=np.zeros(1, np.int32),
        )
        work.info[FIRST] = first
        for chunk in chunks:
            count_edges(NO_GAME, len(edges[chunk]), Workspace(heads=work.heads, edges=_filled(edges[chunk])))
        sum_heads(NO_GAME, self.count, work)
        for chunk in chunks:
            held = dict(work._arrays) | {"edges": _filled(edges.pop(chunk))}
            turn_edges(NO_GAME, *chunk, Workspace(**held))
        prepare(NO_GAME, first, last, work)
        return work

    # -- without room for edges -------------------------------------------------------------------------------------

    def _sweep_all(self) -> Iterator[int]:
        waiting, distance, latest, decided = self.chunks, 0, 1, 0
        while decided or distance < latest:
            distance += 1
            if distance > retrograde.FURTHEST:
                raise self._fault(counters.TOO_FAR, 0)
            found = self.crew.each(lambda chunk: self._sweep(chunk, distance), waiting)  # noqa: B023
            decided, latest = sum(each[0] for each in found), max(each[1] for each in found)
            waiting = [chunk for chunk, each in zip(waiting, found, strict=True) if each[2]] or waiting[:1]
            yield distance

    def _sweep(self, chunk: Chunk, distance: int) -> tuple[int, int, bool]:
        """Positions decided, the last distance at which something is due, whether any position is left."""
        work: Any = self._workspace(edges=_filled(self._expand(chunk)))
        sweep(NO_GAME, distance, *chunk, work)
        return int(work.info[DECIDED]), int(work.info[LATEST]), bool(work.info[NODES] > work.info[DECIDED])

    # -- what all of them need -------------------------------------------------------------------------------------

    def _workspace(self, **arrays: NDArray[Any]) -> Workspace:
        return Workspace(
            info=np.zeros(INFO, np.int64),
            stop=self.crew.stop,
            status=self.status,
            win=self.win,
            worst=self.worst,
            degree=self.degree,
            **arrays,
        )

    def _check(self, work: Any) -> None:
        if work.info[FAULT]:
            raise self._fault(int(work.info[FAULT]), int(work.info[PLACE]))

    def _fault(self, kind: int, place: int) -> GameError:
        text = self.game.format_state(self.game.coerce_state(self.numbering.unindex(self.begin + place)))
        return GameError(f"{self.game.name}, in {text}: {FAULTS[kind]}")


def _filled(edges: NDArray[np.int32]) -> NDArray[np.int32]:
    """An array with something in it: one without has no address."""
    return edges if len(edges) else np.zeros(1, np.int32)
