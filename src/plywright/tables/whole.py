"""Tables of whole games: who wins every position, as a player and as an oracle, whichever way the table was made.

    table = load_whole("breakthrough:columns=5,rows=5", "five.table")
    table.look_up(state), best_action(table, state)

A small game is solved by going through all positions that can be reached (`strong.py`). A game whose knowledge numbers
all positions, and names the table that has them (`Knowledge.whole`), is solved slice by slice (`build.py`), however
many there are, and can be stopped and gone on with.
"""

from __future__ import annotations

import os
from pathlib import Path
from typing import Any, NamedTuple, Protocol

import numpy as np

from ..compiled import Workspace
from ..counters import stop_word
from ..errors import BadInput, Unsuitable
from ..game import Game
from ..games import as_game
from .crew import Crew
from .retrograde import INFO, count_numbers
from .table import Known, Table, numbering_of, open_table
from .table_file import MAGIC

MANY = 20_000_000
"""Positions from which on a game that numbers them is solved by their numbers: to find them one by one takes longer,
and more memory."""
CHUNK = 1 << 20


class WholeTable(Protocol):
    """What the two kinds of tables share."""

    game: Game

    @property
    def fingerprint(self) -> str: ...

    def look_up(self, state: Any) -> Known | None:
        """What an unfinished state is worth to its mover; None where the table does not have it."""
        ...


class Tally(NamedTuple):
    """How many numbers of a table are positions, and who wins them: the player to move, the other, or nobody."""

    positions: int
    won: int
    drawn: int
    lost: int
    longest: int
    """Plies of the longest win."""


class Numbered(NamedTuple):
    """The table that is a whole game: its name, and how many positions it numbers."""

    which: str
    positions: int


def numbered_whole(game: Game) -> Numbered | None:
    """The table of a game's numbering that is the whole game; None where there is none."""
    numbering = numbering_of(game)
    if not numbering.has_index or not numbering.whole:
        return None
    try:
        slices = numbering.for_tables(numbering.whole)[1]
    except Unsuitable:
        return None
    return Numbered(numbering.whole, sum(size for _, size in slices))


def load_whole(game: Game | str, path: str | Path) -> WholeTable:
    """The table of a whole game in a file of either kind; raises BadInput where it is none."""
    from .strong import load_strong

    game = as_game(game)
    try:
        with Path(path).open("rb") as file:
            by_number = file.read(len(MAGIC)) == MAGIC
    except OSError as error:
        raise BadInput(f"{path} cannot be read: {error.strerror}") from None
    if not by_number:
        return load_strong(game, path)
    table = open_table(game, path)
    if not table.is_complete or table.which != table.numbering.whole:
        raise BadInput(
            f"{path} has only some positions of {game.name}, not the whole game: a search may have it as its "
            f"knowledge, `pvs:knowledge={path}`"
        )
    return table


def value_after(table: WholeTable, state: Any, action: int) -> Known | None:
    """What an action leads to, for the one who plays it; None where the table does not have it."""
    game = table.game
    mover, child = int(game.to_move(state)), game.state_after(state, action)
    if game.is_terminal(child):
        return Known(float(game.utility(child, mover)), 0, True)
    known = table.look_up(child)
    if known is None or game.team_of[int(game.to_move(child))] == game.team_of[mover]:
        return known
    return known._replace(value=0.0 - known.value)


def best_action(table: WholeTable, state: Any) -> int:
    """The best action: of wins the soonest, of losses the latest, of equal ones the first."""
    game = table.game
    best, top = -1, (-np.inf, -np.inf)
    for action in game.actions(state):
        known = value_after(table, state, action)
        if known is None:
            raise BadInput(f"{game.format_state(state)} is not among the positions that the table has")
        ahead = float(np.sign(known.value - game.neutral_value))
        worth = (known.value, -ahead * (known.distance or 0))
        if worth > top:
            best, top = int(action), worth
    return best


def tally(table: Table, threads: int | None = None) -> Tally:
    """Who wins how many positions of a table."""
    stop = stop_word()

    def task(first: int) -> Any:
        work: Any = Workspace(
            info=np.zeros(INFO, np.int64), stop=stop, counts=np.array([0, 0, 0, -1], np.int64), **table.arrays
        )
        count_numbers(table.game, table.numbering, first, min(first + CHUNK, table.positions), work)
        return work.counts

    with Crew(threads or os.cpu_count() or 1, stop, lambda: None) as crew:
        found = np.array(crew.each(task, range(0, table.positions, CHUNK)))
    won, drawn, lost = (int(count) for count in found[:, :3].sum(axis=0))
    return Tally(won + drawn + lost, won, drawn, lost, max(int(found[:, 3].max()), 0))
