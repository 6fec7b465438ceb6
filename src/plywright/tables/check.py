"""Checking a table: its bytes against their checksums, and its numbers against one another.

A position's number must follow from its successors'. Where that holds everywhere the whole table is right: wins and
losses by induction over their distances, and draws because from each of them somebody can stay among them for ever,
and nobody can be forced out. A large table may be sampled.
"""

from __future__ import annotations

import os
from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

import numpy as np

from .. import counters
from ..compiled import Workspace
from ..counters import FAULT, stop_word
from ..errors import BadInput
from ..table_blocks import probe
from .crew import Crew
from .retrograde import INFO, PLACE, verify
from .table import Table

CHUNK = 1 << 15


@dataclass(frozen=True)
class CheckReport:
    """How many slices and positions were checked, of how many."""

    slices: int
    positions: int
    of_positions: int


def check_table(
    table: Table,
    *,
    sample: int | None = None,
    seed: int = 1,
    threads: int | None = None,
    progress: Callable[[int, int], None] | None = None,
) -> CheckReport:
    """Check all of a table, or as many positions as `sample` says, drawn at random; raises BadInput at a fault."""
    if sample is not None and (not isinstance(sample, int) or sample < 1):
        raise BadInput(f"a sample must be a whole number of at least 1, not {sample!r}")
    table.check_whole()
    count = table.positions if sample is None else min(sample, table.positions)
    chosen = np.zeros(1, np.int64)
    if count < table.positions:
        chosen = np.sort(np.random.default_rng(seed).choice(table.positions, count, replace=False, shuffle=False))
    _verify(table, count, chosen, threads or os.cpu_count() or 1, progress)
    return CheckReport(len(table.records), count, table.positions)


def _verify(table: Table, count: int, chosen: Any, threads: int, progress: Callable[[int, int], None] | None) -> None:
    game, numbering, stop = table.game, table.numbering, stop_word()
    done = [0]

    def task(first: int) -> None:
        info = np.zeros(INFO, np.int64)
        last = min(first + CHUNK, count)
        work = Workspace(info=info, stop=stop, chosen=chosen, **table.arrays)
        verify(game, numbering, first, last, int(count < table.positions), work)
        if info[FAULT]:
            raise _fault(table, int(info[FAULT]), int(info[PLACE]))
        done[0] += last - first

    def tick() -> None:
        if progress is not None:
            progress(done[0], count)

    with Crew(threads, stop, tick) as crew:
        crew.each(task, range(0, count, CHUNK))


def _fault(table: Table, kind: int, number: int) -> BadInput:
    game = table.game
    state = game.coerce_state(table.numbering.unindex(number))
    text = game.format_state(state)
    if kind == counters.NO_INVERSE:
        back = int(table.numbering.index(state))
        return BadInput(
            f"{game.name}: index() and unindex() do not fit: position {number:,} is {text}, whose number is {back:,}"
        )
    if kind == counters.WRONG_NUMBER:
        found = int(probe(table.data, table.firsts, table.places, number))
        return BadInput(f"{table.path} is wrong: {text} has number {found}, which does not follow from its successors")
    if kind == counters.NOT_ALIKE:
        return BadInput(
            f"{game.name}: index() gives a position that {text} leads to the number of another one that is worth "
            f"something else, or foregone() is wrong about it"
        )
    return BadInput(f"{table.path}: {text} leads to a position that the table does not have")
