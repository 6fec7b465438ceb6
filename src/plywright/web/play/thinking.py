"""Whoever is no person at work: a search, a program or chance players, asked for one move at a time.

Everything here runs in a thread of the desk. A search reports each finished depth and can be told to
answer now; a program runs under the referee's limits and isolation, and stays for the game (`company.py`).
"""

from __future__ import annotations

import contextlib
import math
import threading
import time
from collections.abc import Callable, Iterator
from dataclasses import dataclass, field, replace
from typing import Any

from ...arena.referee import own_seed
from ...engine import Limit, algorithm_for, history_option, make_task
from ...engine.explain import explain
from ...game import CHANCE
from ...players import Clock, Offence, Player
from ...players.offence import ILLEGAL
from ...players.searching import SearchPlayer
from ...result import SearchResult
from ...rng import scramble, seeded
from ..desk import Report
from .company import Company, Guest
from .position import Position
from .seats import MOST_THINKING, is_program
from .table import MARGIN, Table

PATIENCE = 60.0
"""Seconds that a program may be silent where time is free."""
OFTEN = 0.08
"""Seconds between two reports: more often nobody can read."""
HINT = 3.0
"""Seconds of a hint."""
WHY = 0.7
"""Seconds of the search for the best move, beside which another one is explained."""


@dataclass(frozen=True)
class Thought:
    """What a player answered; without an action it lost by `offence`."""

    action: int | None
    seconds: float
    info: dict[str, Any] = field(default_factory=dict)
    offence: str = ""


class Ear:
    """Who is to answer now: the players that think at a table, each found by (table, ply)."""

    def __init__(self) -> None:
        self.listening: dict[tuple[str, int], list[threading.Event]] = {}

    @contextlib.contextmanager
    def hears(self, name: str, ply: int) -> Iterator[threading.Event]:
        event, place = threading.Event(), (name, ply)
        self.listening.setdefault(place, []).append(event)
        try:
            yield event
        finally:
            self.listening[place].remove(event)
            if not self.listening[place]:
                del self.listening[place]

    def hurry(self, name: str, ply: int) -> None:
        """Ask for an answer now."""
        for event in self.listening.get((name, ply), ()):
            event.set()


def ponder(table: Table, position: Position, left: float | None, company: Company, hurry: threading.Event) -> Any:
    """Work for the desk: the answer of the seat that is to move, as a `Thought`; reports SearchResults."""

    def work(report: Report, stop: threading.Event) -> Thought:
        with company.guest(table, position) as guest:
            thought = _asked(guest, table, position, left, report, stop, hurry)
            if thought.action is not None and is_program(table.seats[position.seat]):
                guest.stays_with((*position.actions, thought.action))
            return thought

    return work


def _asked(
    guest: Guest,
    table: Table,
    position: Position,
    left: float | None,
    report: Report,
    stop: threading.Event,
    hurry: threading.Event,
) -> Thought:
    player, game, mode, seat = guest.player, position.game, table.pace, position.seat
    seed = own_seed(table.seed, seat, seat)
    seconds = math.inf if left is None else max(left, 0.0)
    patience = seconds + MARGIN if mode.timed else PATIENCE
    began = time.monotonic()
    try:
        if guest.knows is None:
            player.mode = mode
            player.prepare(game)
            if player.mistake is not None:
                raise player.mistake
        if is_program(table.seats[seat]):
            _catch_up(guest, position, seed)
        player.info, player.elapsed, player.legal, player.history = {}, None, position.legal, position.history
        began = time.monotonic()
        with _watched(player, report, stop, hurry):
            clock = Clock(mode, seconds, patience)
            rng = seeded(scramble(seed + len(position.actions)))
            action = int(player.choose(game, position.view, seat, clock, rng))
        if action not in position.legal:
            raise Offence(ILLEGAL, f"{player.name} answered {action}, which is not legal here")
    except Offence as offence:
        return Thought(None, time.monotonic() - began, offence=offence.note)
    used = time.monotonic() - began if player.elapsed is None else player.elapsed
    if mode.kind == "budget" and used > patience and not hurry.is_set():
        return Thought(None, used, offence=f"{player.name} has used up its time")
    return Thought(action, used, {key: player.info[key] for key in NOTED if key in player.info})


NOTED = ("value", "depth", "nodes", "proved")
"""What is kept of a player's own account beside its move."""


def _catch_up(guest: Guest, position: Position, seed: int) -> None:
    """Tell a program what has been played since it last knew, as the referee would have; to one just started, all."""
    player, game, seat = guest.player, position.game, position.seat
    if guest.knows is None:
        player.start = None if game.hidden else position.states[0]
        player.opening = () if game.hidden else position.actions
        player.begin(game, seat, seed)
        guest.knows = ()
        told = 0
    else:
        told = len(guest.knows) - 1  # its own move, too, is told when it has been played
    for ply in range(told, len(position.actions)):
        before, after, action = position.states[ply], position.states[ply + 1], position.actions[ply]
        mover = CHANCE if game.at_chance(before) else int(game.to_move(before))
        known = action if not game.hidden or mover == seat else None
        player.observe(game, game.observation(after, seat), seat, mover, known)


@contextlib.contextmanager
def _watched(player: Player, report: Report, stop: threading.Event, hurry: threading.Event) -> Iterator[None]:
    """A search that reports, and that answers soon after somebody stops listening or is in a hurry."""
    if not isinstance(player, SearchPlayer):
        yield
        return
    player.report = _seldom(report)
    deadline = time.monotonic() + MOST_THINKING
    with _halted(player.stop, lambda: stop.is_set() or hurry.is_set() or time.monotonic() > deadline):
        yield


@contextlib.contextmanager
def _halted(halt: Callable[[], None], when: Callable[[], bool]) -> Iterator[None]:
    """Have a search stopped as soon as something holds; said again and again, since a depth may just begin."""
    done = threading.Event()

    def watch() -> None:
        while not done.wait(0.02):
            if when():
                halt()

    watcher = threading.Thread(target=watch, daemon=True, name="table")
    watcher.start()
    try:
        yield
    finally:
        done.set()
        watcher.join()


def _seldom(report: Report) -> Any:
    last = [-math.inf]

    def tell(found: SearchResult) -> None:
        if time.monotonic() - last[0] >= OFTEN or found.proved:
            last[0] = time.monotonic()
            report(found)

    return tell


# -- for a person who asks ----------------------------------------------------------------------------------


def hint(position: Position) -> Any:
    """Work for the desk: an analysis of the mover's position, reported as it grows; the answer is the last one."""

    def work(report: Report, stop: threading.Event) -> SearchResult:
        game, tell = position.game, _seldom(report)
        options = {"seat": position.seat} if game.hidden else history_option(game, position.history)
        task = make_task(game, position.view, Limit(time=HINT), None, options)
        found: SearchResult | None = None
        with _halted(task.stop, stop.is_set):
            for found in task.deepening():
                tell(found)
                if stop.is_set():
                    break
        assert found is not None  # the first depth is always given
        return replace(found, nodes=task.nodes, seconds=time.monotonic() - task.began)

    return work


def why_not(position: Position, action: int) -> Any:
    """Work for the desk: words, and a picture where there is one, about an action beside the best one."""
    game = position.game

    def work(report: Report, stop: threading.Event) -> tuple[str, str]:
        if game.hidden:
            return _why_hidden(position, action), ""
        usual = algorithm_for(game)
        engine: dict[str, Any] = (
            {"exact": True} if usual == "pvs" else {}
        )  # both lines to the same depth, and nothing guessed
        told = explain(
            game, position.state, action, limit=Limit(time=WHY), history=position.history, algorithm=usual, **engine
        )
        return told.words, told.picture.svg

    return work


def _why_hidden(position: Position, action: int) -> str:
    """What both are worth by what the seat sees: there is no line of play to refute it."""
    game = position.game
    task = make_task(game, position.view, Limit(time=WHY), None, {"seat": position.seat})
    *_, found = task.deepening()
    known, mine = position.known, found.actions.get(action)
    if found.action is None or mine is None:
        return "The search says nothing about this move; a hint may say more."
    name, best = game.format_action(known, action), game.format_action(known, found.action)
    counted = f", over {sum(found.visits.values()):,} {'simulations' if found.algorithm == 'ismcts' else 'deals'}"
    if action == found.action:
        return f"{name} is the best move as far as this seat can know: it is worth {mine:+.3g}{counted}."
    top = found.actions.get(found.action, found.value)
    return f"{name} is worth {mine:+.3g} as far as this seat can know, {best} {top:+.3g}{counted}."
