"""The non-human player's move: a search, a program or a random player, asked for one move at a time.

Searches run in a worker, report each finished depth and can be told to answer now; a program runs under the
referee's limits and isolation, is spoken to from a thread of the server, and stays for the game (`program_pool.py`).
"""

from __future__ import annotations

import contextlib
import math
import threading
import time
from collections import OrderedDict
from collections.abc import Callable, Iterator
from dataclasses import dataclass, field
from typing import Any, NamedTuple

from ...arena.referee import own_seed
from ...engine.limits import MARGIN
from ...engine.task import Task
from ...game import CHANCE
from ...players import Clock, Offence, Player
from ...players.offence import ILLEGAL
from ...players.searching import SearchPlayer
from ...result import SearchResult
from ...rng import scramble, seeded
from ..catalogue import Catalogue
from ..stream import parts
from ..task_channel import TaskChannel
from ..worker_pool import here
from .position import Position
from .program_pool import ProgramPool, SeatedProgram
from .progress_parts import thought_html
from .seats import MOST_THINKING, is_program, seated
from .table import Table

Report = Callable[[Any], None]
PATIENCE = 60.0
"""Seconds that a program may be silent where time is free."""
OFTEN = 0.08
"""Seconds between two reports: more often nobody can read."""
KEPT = 2
"""Searches that a worker keeps at hand for the next move of their games."""


@dataclass(frozen=True)
class Thought:
    """What a player answered; without an action it lost by `offence`."""

    action: int | None
    seconds: float
    info: dict[str, Any] = field(default_factory=dict)
    offence: str = ""


def ponder(channel: TaskChannel, name: str, ply: int, left: float | None, secret: bool) -> Thought:
    """In a worker: the answer of the search or chance player that is to move; reports parts of the page."""
    table, position = at_ply(name, ply)
    game, seat = position.game, position.seat

    def report(found: SearchResult) -> None:
        channel.report(parts(thought=thought_html(game, position.state, seat, found, secret)))

    player = seated(table.seats[seat], game, table.pace, (), here().options.learned)
    seated_program = SeatedProgram(player, game, seat)
    if isinstance(player, SearchPlayer):
        player.before = before.pop((name, seat), None)
    try:
        return _asked(seated_program, table, position, left, Ways(report, channel.stop, channel.hurry))
    finally:
        if isinstance(player, SearchPlayer):
            keep((name, seat), player.before)
            player.before = None
        seated_program.leave()


before: OrderedDict[tuple[str, int], Task] = OrderedDict()
"""In a worker: the last search of a seat at a table, whose transposition table the next one takes over."""


def keep(place: tuple[str, int], task: Task | None) -> None:
    """Have a search at hand for the next one of its place."""
    if task is not None:
        before[place] = task
    while len(before) > KEPT:
        before.popitem(last=False)[1].close()


def ponder_here(name: str, ply: int, left: float | None, program_pool: ProgramPool, catalogue: Catalogue) -> Any:
    """Work for a thread of the server: the answer of the program that is to move, which is a process itself."""

    def work(report: Report, stop: threading.Event) -> Thought:
        table = Table.load(name)
        position = Position.of(table.replay(catalogue[table.game]), ply)
        with program_pool.seated_program(table, position) as seated_program:
            thought = _asked(seated_program, table, position, left, Ways(lambda found: None, stop, threading.Event()))
            if thought.action is not None:
                seated_program.stays_with((*position.actions, thought.action))
            return thought

    return work


def at_ply(name: str, ply: int) -> tuple[Table, Position]:
    """In a worker: a table and one of its moments."""
    table = Table.load(name)
    return table, Position.of(table.replay(here().catalogue[table.game]), ply)


class Ways(NamedTuple):
    """How a player that thinks is heard, and how it is told to end or to answer."""

    report: Report
    stop: threading.Event
    hurry: threading.Event


def _asked(seated_program: SeatedProgram, table: Table, position: Position, left: float | None, ways: Ways) -> Thought:
    player, game, mode, seat = seated_program.player, position.game, table.pace, position.seat
    seed = own_seed(table.seed, seat, seat)
    seconds = math.inf if left is None else max(left, 0.0)
    patience = seconds + MARGIN if mode.timed else PATIENCE
    began = time.monotonic()
    try:
        if seated_program.knows is None:
            player.mode = mode
            player.prepare(game)
            if player.mistake is not None:
                raise player.mistake
        if is_program(table.seats[seat]):
            _catch_up(seated_program, position, seed)
        player.info, player.elapsed = {}, None
        began = time.monotonic()
        with _watched(player, ways):
            clock = Clock(mode, seconds, patience)
            rng = seeded(scramble(seed + len(position.actions)))
            action = int(player.choose(game, position.turn(clock, rng)))
        if action not in position.legal:
            raise Offence(ILLEGAL, f"{player.name} answered {action}, which is not legal here")
    except Offence as offence:
        return Thought(None, time.monotonic() - began, offence=offence.note)
    used = time.monotonic() - began if player.elapsed is None else player.elapsed
    if mode.kind == "budget" and used > patience and not ways.hurry.is_set():
        return Thought(None, used, offence=f"{player.name} has used up its time")
    return Thought(action, used, {key: player.info[key] for key in NOTED if key in player.info})


NOTED = ("value", "depth", "nodes", "proved")
"""What is kept of a player's own account beside its move."""


def _catch_up(seated_program: SeatedProgram, position: Position, seed: int) -> None:
    """Tell a program what has been played since it last knew, as the referee would have; to one just started, all."""
    player, game, seat = seated_program.player, position.game, position.seat
    if seated_program.knows is None:
        player.start = None if game.hidden else position.states[0]
        player.opening = () if game.hidden else position.actions
        player.begin(game, seat, seed)
        seated_program.knows = ()
        told = 0
    else:
        told = len(seated_program.knows) - 1  # its own move, too, is told when it has been played
    for ply in range(told, len(position.actions)):
        here_, after, action = position.states[ply], position.states[ply + 1], position.actions[ply]
        mover = CHANCE if game.at_chance(here_) else int(game.to_move(here_))
        known = action if not game.hidden or mover == seat else None
        player.observe(game, game.observation(after, seat), seat, mover, known)


@contextlib.contextmanager
def _watched(player: Player, ways: Ways) -> Iterator[None]:
    """A player that answers soon after somebody stops listening or is in a hurry, and reports if it is a search."""
    if isinstance(player, SearchPlayer):
        player.report = seldom(ways.report)
    deadline = time.monotonic() + MOST_THINKING
    with halted(player.stop, lambda: ways.stop.is_set() or ways.hurry.is_set() or time.monotonic() > deadline):
        yield


@contextlib.contextmanager
def halted(halt: Callable[[], None], when: Callable[[], bool]) -> Iterator[None]:
    """Have a search stopped as soon as something holds."""
    done = threading.Event()

    def watch() -> None:
        while not done.wait(0.02):
            if when():
                halt()
                return

    watcher = threading.Thread(target=watch, daemon=True, name="table")
    watcher.start()
    try:
        yield
    finally:
        done.set()
        watcher.join()


def seldom(report: Report) -> Any:
    last = [-math.inf]

    def tell(found: SearchResult) -> None:
        if time.monotonic() - last[0] >= OFTEN or found.proved:
            last[0] = time.monotonic()
            report(found)

    return tell
