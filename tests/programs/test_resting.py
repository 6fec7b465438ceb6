"""Who is not to move stands still; whoever crowds the machine is charged with it."""

from __future__ import annotations

import os
import subprocess
import sys
import time
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from program_processes import ZOO, nothing_runs, running
from zoo.verdicts import GREED

from plywright.arena.heartbeat import Heartbeat
from plywright.arena.referee import play_game
from plywright.arena.worker import take_processors
from plywright.games import load_game
from plywright.players import Mode
from plywright.players.offence import DISTURBED, LATE, NORMAL, VOID
from plywright.players.simple import FirstPlayer
from plywright.programs import resting
from plywright.programs.isolation import BUBBLEWRAP, LIMITS, Isolation, bubblewrap_works, groups_work
from plywright.programs.json_lines import JsonPlayer

GAME = load_game("tic-tac-toe")
LEVELS = [(bubble, groups) for bubble in (False, True) for groups in (False, True)]


class Overloaded(Heartbeat):
    """A machine that always stood still for a while."""

    def delay_since(self, moment: float) -> float:
        return 60.0


def program(kind: str, mark: str, bubble: bool = False, groups: bool = False, **options: str) -> JsonPlayer:
    if (bubble and not bubblewrap_works()) or (groups and not groups_work()):
        pytest.skip("this level is not to be had here")
    level = BUBBLEWRAP if bubble else LIMITS
    player = JsonPlayer(f"python {ZOO} json {kind} {mark}", GAME, kind, {"isolation": level, **options})
    player.level = Isolation(bubble, groups, player.level.limits)
    return player


class Thoughtful(FirstPlayer):
    """Thinks for a while, and notes what the other one works meanwhile."""

    def __init__(self, other: JsonPlayer) -> None:
        self.other, self.name = other, "thoughtful"
        self.meanwhile: list[float] = []
        self.frozen: list[bool] = []

    def choose(self, *args: Any) -> int:
        rest = self.other.pipe.rest
        before = rest.seconds()
        time.sleep(0.3)
        self.meanwhile.append(rest.seconds() - before)
        self.frozen.append(rest.frozen)
        return super().choose(*args)


@pytest.mark.parametrize("kind", ["spins_at_rest", "daemons_at_rest"])
@pytest.mark.parametrize(("bubble", "groups"), LEVELS)
def test_who_is_not_to_move_does_not_run(kind: str, bubble: bool, groups: bool, mark: str) -> None:
    assert kind in GREED
    player = program(kind, mark, bubble, groups)
    honest = Thoughtful(player)
    record = play_game(GAME, [player, honest], mode=Mode.parse("move:20s"))
    distrust = player.pipe.rest.distrust
    player.close()
    assert record.termination == NORMAL, record.note
    assert distrust and all(honest.frozen) and max(honest.meanwhile) <= 0.1, honest.meanwhile  # of 0.3 s
    assert nothing_runs(mark)


def test_a_program_may_ponder_where_it_is_allowed_to(mark: str) -> None:
    player = program("spins_at_rest", mark, ponder="yes")
    honest = Thoughtful(player)
    assert play_game(GAME, [player, honest], mode=Mode.parse("move:20s")).termination == NORMAL
    player.close()
    assert not any(honest.frozen) and max(honest.meanwhile) > 0.0


def test_a_ponderer_that_disturbs_its_opponent_loses(mark: str) -> None:
    class Disturbed(FirstPlayer):
        def choose(self, *args: Any) -> int:
            time.sleep(0.4)
            return super().choose(*args)

    player = program("daemons_at_rest", mark, ponder="yes")
    record = play_game(GAME, [player, Disturbed()], mode=Mode.parse("move:0.25s"), beat=Overloaded())
    player.close()
    if len(os.sched_getaffinity(0)) > 1:
        assert (record.termination, record.offender, record.payoffs) == (DISTURBED, 0, (-1.0, 1.0)), record.note
    assert nothing_runs(mark)


@pytest.mark.parametrize(("bubble", "groups"), LEVELS)
def test_overload_of_one_s_own_making_is_no_excuse(bubble: bool, groups: bool, mark: str) -> None:
    player = program("crowds", mark, bubble, groups)
    record = play_game(GAME, [player, FirstPlayer()], mode=Mode.parse("move:0.3s"), beat=Overloaded())
    player.close()
    assert record.termination == LATE and record.offender == 0, record.note
    assert "processor time itself" in record.note and nothing_runs(mark)


@pytest.fixture
def one_processor() -> Iterator[int]:
    every = os.sched_getaffinity(0)
    os.sched_setaffinity(0, {min(every)})
    yield min(every)
    os.sched_setaffinity(0, every)


def test_two_honest_threads_on_one_processor_are_not_to_blame_for_the_load_of_others(
    one_processor: int, mark: str
) -> None:
    strangers = [subprocess.Popen([sys.executable, "-c", "while True: pass", mark]) for _ in range(4)]
    player = program("two_threads", mark)
    try:
        record = play_game(GAME, [player, FirstPlayer()], mode=Mode.parse("move:0.3s"), beat=Overloaded())
    finally:
        player.close()
        for stranger in strangers:
            stranger.kill()
            stranger.wait()
    assert (record.termination, record.payoffs) == (VOID, None), record.note


def test_the_rule_of_whose_doing_an_overload_is(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(resting, "processors", lambda: 2)
    own, clock, seconds = resting.is_own_doing, 1.0, 1.5
    assert own(1.1, 1, seconds, clock) and own(1.1, 0, seconds, clock)  # it has had its time
    assert not own(0.7, 1, seconds, clock)  # it has not
    assert not own(1.4, 2, seconds, clock) and own(2.1, 2, seconds, clock)  # two threads, two processors
    assert own(1.6, 5, seconds, clock) and not own(1.4, 5, seconds, clock)  # more than half of the machine, or less
    assert own(0.1, 40, seconds, clock)
    monkeypatch.setattr(resting, "processors", lambda: 16)
    assert not resting.is_disturbing(5.9, 4, seconds)  # four of sixteen are no disturbance
    assert resting.is_disturbing(23.0, 16, seconds)
    monkeypatch.setattr(resting, "processors", lambda: 1)
    assert resting.is_disturbing(0.8, 1, seconds) and not resting.is_disturbing(0.7, 1, seconds)


def test_a_second_void_of_the_same_game_is_a_loss(mark: str) -> None:
    player = program("silent", mark)
    first = play_game(GAME, [player, FirstPlayer()], mode=Mode.parse("move:0.2s"), beat=Overloaded())
    assert (first.termination, first.offender, first.payoffs) == (VOID, 0, None)
    again = play_game(GAME, [player, FirstPlayer()], mode=Mode.parse("move:0.2s"), beat=Overloaded(), warned=[0])
    player.close()
    assert (again.termination, again.offender) == (LATE, 0) and "void before" in again.note


def test_workers_share_the_processors() -> None:
    every = os.sched_getaffinity(0)
    try:
        shares = []
        for place in range(len(every)):
            os.sched_setaffinity(0, every)
            take_processors(place, len(every))
            shares.append(os.sched_getaffinity(0))
        assert all(len(share) == 1 for share in shares) and set().union(*shares) == every
        os.sched_setaffinity(0, every)
        take_processors(0, len(every) + 1)
        assert os.sched_getaffinity(0) == every
    finally:
        os.sched_setaffinity(0, every)


def test_a_frozen_program_ends_with_its_referee(mark: str) -> None:
    for groups in (False, True):
        if groups and not groups_work():
            continue
        player = program("forking", mark, groups=groups)
        player.prepare(GAME)
        time.sleep(0.1)
        assert player.pipe.rest.frozen and running(mark)
        folder = Path(player.pipe.folder)
        os.close(player.pipe.control)  # as when the referee is gone
        assert nothing_runs(mark, 10) and not folder.exists()
        player.pipe.control = os.open(os.devnull, os.O_RDONLY)
        player.close()


FORKED = """
import os, threading
from plywright.programs import resting

first = resting.warden()
assert resting.warden() is first
child = os.fork()
if child == 0:
    own = resting.warden()
    names = [thread.name for thread in threading.enumerate()]
    os._exit(0 if own is not first and names.count("plywright-warden") == 1 else 1)
assert os.waitstatus_to_exitcode(os.waitpid(child, 0)[1]) == 0 and resting.warden() is first
"""


def test_a_fork_has_a_warden_of_its_own() -> None:
    done = subprocess.run([sys.executable, "-c", FORKED], capture_output=True, text=True, timeout=60)
    assert done.returncode == 0, done.stderr


class Watched(resting.Rest):
    """The rest of a program that runs or sleeps as it is told; the test is its warden."""

    runs, freezes = False, 0

    def wanting(self) -> int:
        return int(self.runs)

    def seconds(self) -> float:
        return 0.0

    def freeze(self) -> None:
        self.frozen = True
        self.freezes += 1

    def frozen_at_once(self, rests: int) -> int:
        """In how many of so many rests, each of them long enough to be looked at."""
        count = 0
        for _ in range(rests):
            self.begin()
            count += self.frozen
            assert self.since is not None
            self.since -= resting.GRACE
            self.settle()
            self.end()
        return count


def test_who_was_seen_to_run_on_once_is_looked_at_again(monkeypatch: pytest.MonkeyPatch) -> None:
    class Nobody:
        def notice(self, rest: resting.Rest) -> None: ...

    monkeypatch.setattr(resting, "warden", Nobody)
    honest = Watched(0, [])
    honest.runs = True  # it has not had the processor since its answer
    assert honest.frozen_at_once(1) == 0 and honest.freezes == 1
    honest.runs = False
    assert honest.frozen_at_once(50) == resting.DISTRUST[0] and honest.freezes == 1 + resting.DISTRUST[0]
    spinner = Watched(0, [])
    spinner.runs = True
    assert spinner.frozen_at_once(200) >= 200 - 7 and spinner.freezes == 200
