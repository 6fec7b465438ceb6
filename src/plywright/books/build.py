"""How a book is made: the engine plays against itself with what the book knows so far, and values what it meets.

From the start the book is followed to a position whose moves are not valued yet. Which one comes next is a matter of
cost (drop-out expansion, Lincke 2001): a line costs what each of its moves gives away, and a little for every ply, so
that good lines are followed far and bad replies only a short way. There every move is searched; the values are backed
up to the start, and the next line is another one. It depends on nothing but the rules, the knowledge and the numbers
given, so a book can be made again, and one that was stopped is a smaller book.
"""

from __future__ import annotations

import heapq
import time as clock
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np

from ..engine import search
from ..engine.interrupts import interruptible
from ..errors import BadInput
from ..files import check_writable
from ..game import Game
from ..games import as_game, as_knowledge
from ..knowledge import Knowledge
from .book import LARGEST, STEPS, Book, book_key, check_bookable, check_overwritable, largest_utility, same_side

PLY_COST = 1 / 128
"""What a ply costs, as a share of the largest utility: half a disc in Othello."""
WORST = 1 / 8
"""Moves that give away more than this share are valued, but not followed."""
MARGIN = 1 / 128
"""Moves within this share of the best are as good, for the sake of variety."""
BATCH = 8
"""Positions that are expanded before costs are worked out again."""
ENTRY = 10
"""Bytes of a position in the file."""
TABLE = 4.0
"""Megabytes of the transposition table of a search."""


@dataclass(frozen=True)
class BookProgress:
    """How far a book is."""

    expanded: int
    """Positions whose moves are valued."""
    of: int
    positions: int
    """Positions that have a value."""
    seconds: float
    deepest: int
    """Plies of the longest line."""


@dataclass
class _Entry:
    state: Any
    ply: int
    value: float
    """For the mover."""
    children: list[tuple[int, int]] | None = None
    """Key of each child that goes on, and 1 where the same side moves there, else -1; None where they are not valued
    yet."""
    ending: float | None = None
    """What the best of the moves that end the game is worth, once they are valued."""


class _Draft:
    """A book in the making."""

    def __init__(self, game: Game, knowledge: Knowledge, nodes: int) -> None:
        self.game, self.knowledge, self.nodes = game, knowledge, nodes
        self.unit = largest_utility(game)
        self.root = book_key(game, game.start_state)
        self.entries = {self.root: _Entry(game.start_state, 0, 0.0)}
        self.expanded = 0

    def next_ones(self, count: int, plies: int) -> list[int]:
        """The keys of the cheapest positions that are not expanded yet."""
        queue: list[tuple[float, int]] = [(0.0, self.root)]
        seen: set[int] = set()
        found: list[int] = []
        while queue and len(found) < count:
            cost, key = heapq.heappop(queue)
            if key in seen:
                continue
            seen.add(key)
            entry = self.entries[key]
            if entry.children is None:
                if entry.ply < plies:
                    found.append(key)
                continue
            for child, sign in entry.children:
                lost = (entry.value - sign * self.entries[child].value) / self.unit
                if lost <= WORST:
                    heapq.heappush(queue, (cost + max(lost, 0.0) + PLY_COST, child))
        return found

    def expand(self, key: int) -> None:
        """Value every move of a position."""
        game, entry = self.game, self.entries[key]
        mover = int(game.to_move(entry.state))
        children, ends, found = [], [], {}
        for action in game.actions(entry.state):
            child = game.state_after(entry.state, action)
            if game.is_terminal(child):
                ends.append(float(game.utility(child, mover)))
                continue
            place = book_key(game, child)
            if place not in self.entries and place not in found:
                value = search(game, child, nodes=self.nodes, knowledge=self.knowledge, table=TABLE).value
                found[place] = _Entry(child, entry.ply + 1, value)
            children.append((place, 1 if same_side(game, child, mover) else -1))
        self.entries |= found  # all of them or none: Ctrl-C leaves no position with some moves left out
        entry.children, entry.ending = children, max(ends, default=None)
        self.expanded += 1

    def back_up(self) -> None:
        """Give every expanded position the value of its best move."""
        for entry in sorted(self.entries.values(), key=lambda one: -one.ply):
            if entry.children is not None:
                values = [sign * self.entries[child].value for child, sign in entry.children]
                entry.value = max(values if entry.ending is None else [*values, entry.ending])

    def book(self) -> Book:
        keys = np.array(list(self.entries), np.uint64)
        scaled = [round(entry.value / self.unit * STEPS) for entry in self.entries.values()]
        return Book(self.game, keys, np.array(scaled, np.int16), MARGIN * self.unit)


@interruptible()
def build_book(
    game: Game | str,
    path: str | Path,
    *,
    expanded: int = 1000,
    nodes: int = 20_000,
    plies: int = 24,
    seconds: float | None = None,
    knowledge: Knowledge | str | None = None,
    progress: Callable[[BookProgress], None] | None = None,
) -> Book:
    """Build a book of so many expanded positions and write it to a file; Ctrl-C and `seconds` end it sooner.

    `nodes` is what the search of each move may visit, `plies` how far lines are followed.
    """
    game = as_game(game)
    check_bookable(game)
    if seconds is not None and not seconds > 0:
        raise BadInput(f"seconds must be a number above 0, not {seconds!r}")
    try:
        check_writable(Path(path))
    except OSError as error:
        raise BadInput(f"the book cannot be saved as {path}: {error.strerror}") from None
    check_overwritable(Path(path))
    known = as_knowledge(game, knowledge)
    began = clock.monotonic()
    draft = _Draft(game, known, nodes)
    most = LARGEST // ENTRY - 4096
    try:
        while draft.expanded < expanded and len(draft.entries) < most:
            keys = draft.next_ones(min(BATCH, expanded - draft.expanded), plies)
            late = seconds is not None and clock.monotonic() - began > seconds
            if not keys or late:
                break
            for key in keys:
                draft.expand(key)
            draft.back_up()
            if progress is not None:
                deepest = max(entry.ply for entry in draft.entries.values())
                spent = clock.monotonic() - began
                progress(BookProgress(draft.expanded, expanded, len(draft.entries), spent, deepest))
    except KeyboardInterrupt:
        if not draft.expanded:
            raise
        draft.back_up()
    book = draft.book()
    training = {"expanded": draft.expanded, "nodes": nodes, "plies": plies, "knowledge": known.name}
    book.save(path, training)
    book.path = Path(path)
    return book
