"""Where games are played: plain data in, plain data out, in this process or in another one.

A worker makes the game and the players from their texts and keeps them from one task to the next, so
that compiling and starting programs happens once and outside every clock.
"""

from __future__ import annotations

import atexit
import contextlib
import os
import signal
import threading
from collections import OrderedDict
from collections.abc import Callable, Mapping, Sequence
from concurrent.futures import Executor, Future, ProcessPoolExecutor
from dataclasses import dataclass, replace
from functools import lru_cache, partial
from multiprocessing import get_context, parent_process
from pathlib import Path
from typing import Any

from ..engine.interrupts import interruptible
from ..errors import BadInput
from ..game import Game
from ..games import load_game
from ..games.registry import is_path
from ..players import Mode, Player, Playing
from .adjudication import Adjudication
from .lineup import make_player
from .named_files import game_files, moved_text, player_files
from .referee import play_game
from .schedules.openings import Opening
from .schedules.schedule import Unit

KEPT = 8
"""Players that a worker keeps ready; those not needed for longest are closed first."""


@dataclass(frozen=True)
class Task:
    """Some games of one run, to be played one after the other."""

    game: str
    rules: str
    """The fingerprint of the rules that the run began with."""
    texts: tuple[str, ...]
    names: tuple[str, ...]
    fingerprints: tuple[str, ...]
    """What the players were made of then."""
    mode: str
    margin: float
    openings: tuple[Opening, ...]
    units: tuple[Unit, ...]
    warned: tuple[tuple[int, ...], ...] = ()
    """For each game the players that have made it void before."""
    called: str = ""
    """The game as the run names it, where its file is now at another place."""
    folder: str = ""
    """The folder that paths begin from, where that is not the worker's own."""
    adjudicate: str | None = None
    """When a game is over by agreement."""

    def paths(self) -> list[Path]:
        """The files of the game and of the players of these games: they travel to another machine."""
        players = sorted({index for unit in self.units for index in unit.seats})
        return [*game_files(self.game), *(path for index in players for path in player_files(self.texts[index]))]

    def moved(self, places: Mapping[str, str]) -> Task:
        """The same with files at other places."""
        texts = tuple(moved_text(text, places, self.folder) for text in self.texts)
        return replace(self, game=moved_text(self.game, places, self.folder), texts=texts, called=self.game)


Watch = Callable[[Unit, Playing], object]
"""Is shown a game after each of its moves."""


def play_task(task: Task, watch: Watch | None = None) -> list[tuple[int, dict[str, Any]]]:
    """The games of a task as (number in the schedule, record)."""
    game = _game(task.game)
    if task.called:
        game.__dict__["name"] = task.called if is_path(task.called) else game.name
    mode = Mode.parse(task.mode)
    adjudication = None if task.adjudicate is None else Adjudication.parse(task.adjudicate, game)
    played = []
    for unit, warned in zip(task.units, task.warned or ((),) * len(task.units), strict=True):
        players = [_player(task.game, index, task.texts[index]) for index in unit.seats]
        check_unchanged(task, game, unit, players)
        for index, player in zip(unit.seats, players, strict=True):
            player.name, player.may_introduce = task.names[index], False
        opening = task.openings[unit.opening]
        start = None if opening.position is None else game.read_state(opening.position)
        record = play_game(
            game,
            players,
            mode=mode,
            opening=opening.actions,
            start=start,
            seed=unit.seed,
            places=unit.seats,
            margin=task.margin,
            warned=[seat for seat, index in enumerate(unit.seats) if index in warned],
            watch=partial(watch, unit) if watch else None,
            adjudication=adjudication,
        )
        played.append((unit.number, record.as_dict()))
    return played


def check_unchanged(task: Task, game: Game, unit: Unit, players: Sequence[Player]) -> None:
    """Refuse to play by other rules, or with other programs, than the run was begun with: a file was edited."""
    if game.fingerprint != task.rules:
        raise BadInput(f"the rules of {task.game} have changed since the run began: restore them, or record a new run")
    for index, player in zip(unit.seats, players, strict=True):
        if str(player.fingerprint) != task.fingerprints[index]:
            text = task.texts[index]
            raise BadInput(f"the program of {text!r} has changed since the run began: restore it, or record a new run")


class _Bench(threading.local):
    """The players that are ready; each thread has its own, since a player plays one game at a time."""

    def __init__(self) -> None:
        self.players: OrderedDict[tuple[str, int, str], Player] = OrderedDict()
        _benches.append(self.players)


_benches: list[OrderedDict[tuple[str, int, str], Player]] = []
_bench = _Bench()


@lru_cache(maxsize=4)
def _game(text: str) -> Game:
    return load_game(text)


def _player(game: str, index: int, text: str) -> Player:
    """The player of that number, ready; the same text under another number is another player."""
    key, players = (game, index, text), _bench.players
    if key not in players:
        while len(players) >= max(KEPT, _game(game).players):
            players.popitem(last=False)[1].close()
        players[key] = make_player(text, _game(game))
    players.move_to_end(key)
    return players[key]


def close_players() -> None:
    """Close every player of this process."""
    for players in _benches:
        while players:
            players.popitem()[1].close()


# -- executors ---------------------------------------------------------------------------------------------


class Inline(Executor):
    """An executor without processes: what is submitted is done at once."""

    def submit(self, fn: Callable[..., Any], /, *args: Any, **kwargs: Any) -> Future[Any]:
        future: Future[Any] = Future()
        try:
            with interruptible():  # what is submitted plays many searches, and Ctrl-C is meant for all of them
                future.set_result(fn(*args, **kwargs))
        except Exception as error:
            future.set_exception(error)
        return future

    def shutdown(self, wait: bool = True, *, cancel_futures: bool = False) -> None:
        close_players()


def processes(jobs: int) -> Executor:
    """So many worker processes, or none for one job at a time."""
    if jobs == 1:
        return Inline()
    context = get_context("spawn")
    places = context.Value("i", 0)
    return ProcessPoolExecutor(jobs, mp_context=context, initializer=_begin_worker, initargs=(places, jobs))


def take_processors(place: int, jobs: int) -> None:
    """Keep to an equal part of the processors where there are enough for every worker; its programs inherit it."""
    if not hasattr(os, "sched_setaffinity"):
        return
    allowed = sorted(os.sched_getaffinity(0))
    share = len(allowed) // jobs
    if share:
        first = place % jobs * share
        with contextlib.suppress(OSError):
            os.sched_setaffinity(0, allowed[first : first + share])


def _begin_worker(places: Any, jobs: int) -> None:
    """Set up a worker: it ignores Ctrl-C, and ends with its parent, together with its own programs."""
    with places.get_lock():
        place, places.value = places.value, places.value + 1
    take_processors(place, jobs)
    signal.signal(signal.SIGINT, signal.SIG_IGN)
    signal.signal(signal.SIGTERM, lambda number, frame: _end_worker())
    atexit.register(close_players)
    threading.Thread(target=_follow_parent, daemon=True).start()


def _follow_parent() -> None:
    parent = parent_process()
    if parent is not None:
        parent.join()
        _end_worker()


def _end_worker() -> None:
    try:
        close_players()
    finally:
        os._exit(1)
