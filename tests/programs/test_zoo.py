"""Every hostile program is judged by the table of docs/referee.md, and leaves nothing behind."""

from __future__ import annotations

import json
import os
import signal
import socket
import subprocess
import sys
import threading
from pathlib import Path
from typing import Any

import pytest
from program_processes import ROOT, SOURCE, ZOO, nothing_runs, running
from zoo.verdicts import ELSEWHERE, QUICK, UNDER_BUBBLEWRAP, VERDICTS

from plywright.arena.heartbeat import Heartbeat
from plywright.arena.lineup import PROGRAMS
from plywright.arena.referee import play_game
from plywright.games import load_game
from plywright.players import Mode
from plywright.players.offence import CRASHED, LATE, NO_GREETING, NORMAL, VOID
from plywright.players.simple import FirstPlayer
from plywright.programs import program_player
from plywright.programs.isolation import BUBBLEWRAP, LIMITS, Isolation, Limits, bubblewrap_works, groups_work
from plywright.programs.json_lines import JsonPlayer

GAME = load_game("tic-tac-toe")
SMALL_OTHELLO = load_game("othello:size=4")
LEVELS = [
    LIMITS,
    pytest.param(
        BUBBLEWRAP, marks=pytest.mark.skipif(not bubblewrap_works(), reason="bubblewrap is absent or not allowed here")
    ),
]
SMALL = Limits(memory=256 << 20, processes=48, file=1 << 20, disk=8 << 20)


class Calm(Heartbeat):
    """A machine that never stands still: what is late here is late."""

    def delay_since(self, moment: float) -> float:
        return 0.0


class Visit:
    """Games of one animal against an honest player."""

    def __init__(
        self, kind: str, mark: str, level: str = LIMITS, limits: Limits = SMALL, protocol: str = "json"
    ) -> None:
        self.game = SMALL_OTHELLO if protocol in ("xy", "nboard") else GAME
        options = {"isolation": level} | ({"start": "0"} if protocol == "xy" else {})
        self.player = PROGRAMS[protocol](f"python {ZOO} {protocol} {kind} {mark}", self.game, kind, options)
        self.player.level = Isolation(level == BUBBLEWRAP, self.player.level.groups, limits)
        self.folders: list[Path] = []
        self.groups: list[Path] = []

    def play(self, mode: str = "move:0.3s", **options: Any) -> Any:
        self.player.prepare(self.game)
        if self.player.process is not None:
            self.folders.append(self.player.process.folder)
            self.groups += self.player.process.groups
        players = [self.player, FirstPlayer()]
        return play_game(self.game, players, mode=Mode.parse(mode), **{"beat": Calm(), **options})

    def __enter__(self) -> Visit:
        return self

    def __exit__(self, *_: object) -> None:
        self.player.close()
        assert not [folder for folder in self.folders if folder.exists()]
        assert not [group for group in self.groups if group.exists()]


def cases() -> list[Any]:
    """The sample without bubblewrap every time; everybody at every level where there is time."""
    found = []
    for level in (LIMITS, BUBBLEWRAP):
        for protocol, kind in VERDICTS:
            marks = [] if level == LIMITS and (protocol, kind) in QUICK else [pytest.mark.slow]
            if level == BUBBLEWRAP:
                marks.append(pytest.mark.skipif(not bubblewrap_works(), reason="bubblewrap is absent"))
            found.append(pytest.param(protocol, kind, level, marks=marks, id=f"{protocol}-{kind}-{level}"))
    return found


@pytest.mark.parametrize(("protocol", "kind", "level"), cases())
def test_everybody_is_judged_as_the_table_says(protocol: str, kind: str, level: str, mark: str) -> None:
    causes, words = VERDICTS[protocol, kind]
    if level == BUBBLEWRAP:
        words = UNDER_BUBBLEWRAP.get(kind, words)
    with Visit(kind, mark, level, protocol=protocol) as visit:
        starting = protocol == "xy"  # its first answer is also its start
        record = visit.play(f"move:{0.6 if starting else 0.3}s" if "late" in causes else "move:20s")
        assert record.termination in causes, record.note
        if record.termination != NORMAL:
            assert (record.offender, record.offences) == (0, ((0, record.termination),))
            assert record.payoffs[0] < record.payoffs[1] and words in record.note, record.note
            assert nothing_runs(mark)  # the offender is gone before the match goes on
    assert nothing_runs(mark)


def test_there_are_forty_kinds_over_all_protocols() -> None:
    assert len({kind for _, kind in VERDICTS}) >= 40 and {protocol for protocol, _ in VERDICTS} == set(PROGRAMS) - {
        "pipe"
    }


def test_the_page_on_security_has_the_numbers() -> None:
    page = " ".join((ROOT / "docs" / "security.md").read_text().split())
    assert f"{len({kind for _, kind in VERDICTS})} kinds of hostile programs" in page
    assert f"in {len(VERDICTS)} combinations" in page and f"all {2 * len(VERDICTS)} as the user" in page
    assert f"{len(ELSEWHERE)} kinds with tests of their own" in page
    assert f"a sample of {len(QUICK)} combinations" in page


@pytest.mark.parametrize(
    ("kind", "raw"),
    [
        ("illegal", '"move": "z9"'),
        ("garbage", r"\xff\xfe\x00 best move: the middle!"),
        ("partial_line", '{"type": "move", "id"'),
        ("partial_line_and_gone", '{"type": "mo'),
    ],
)
def test_the_raw_line_is_kept(kind: str, raw: str, mark: str) -> None:
    with Visit(kind, mark) as visit:
        assert raw in visit.play("move:0.3s" if kind == "partial_line" else "move:20s").raw.replace("\x00", r"\x00")


@pytest.mark.parametrize("kind", ["mute", "crash_at_start"])
def test_without_a_greeting_the_game_is_void_and_the_program_stays_out(
    kind: str, mark: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(program_player, "GREETING", 0.5)
    with Visit(kind, mark) as visit:
        first, second = visit.play(), visit.play()
        assert first.termination == second.termination == NO_GREETING
        assert first.payoffs is None and first.offender == 0 and "does not speak json" in first.note
        assert visit.player.process is None
        if kind == "crash_at_start":
            assert "status 3" in first.note and "out of cheese" in first.note


def test_a_crashed_program_is_started_again_for_the_next_game(mark: str) -> None:
    with Visit("crash_mid_game", mark) as visit:
        records = [visit.play("move:5s") for _ in range(2)]
        assert [record.termination for record in records] == [CRASHED, CRASHED]
        assert all(any(ply.seat == 0 for ply in record.plies) for record in records)  # it did play before
        assert "division by cucumber" in visit.player.log


def test_on_an_overloaded_machine_a_program_is_waited_for_and_the_game_void(mark: str) -> None:
    class Overloaded(Calm):
        def delay_since(self, moment: float) -> float:
            return 60.0

    with Visit("silent", mark) as visit:
        record = visit.play(beat=Overloaded())
        assert record.termination == VOID and record.payoffs is None and "overloaded" in record.note
        assert record.seconds >= 2 * 0.3  # twice the patience, and no longer: it may be what keeps the machine busy


def test_time_that_is_free_ends_with_the_referee_s_patience(mark: str) -> None:
    with Visit("silent", mark) as visit:
        assert visit.play("depth:3", patience=0.2).termination == LATE


@pytest.mark.parametrize("level", LEVELS)
def test_descendants_that_left_the_family_end_with_the_program(level: str, mark: str) -> None:
    with Visit("forking", mark, level) as visit:
        assert visit.play("move:5s").termination == NORMAL
        assert len(running(mark)) >= 2  # the program and its daemon
    assert nothing_runs(mark)


@pytest.mark.skipif(not groups_work(), reason="control groups cannot be made here")
def test_a_control_group_holds_even_those_who_kill_their_supervisor(mark: str) -> None:
    with Visit("kills_its_supervisor", mark) as visit:
        record = visit.play("move:20s")
        assert record.termination == CRASHED and "supervisor" in record.note
    assert nothing_runs(mark)


@pytest.mark.parametrize("level", LEVELS)
def test_what_a_program_sees_of_the_outside(
    level: str, mark: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    secret = tmp_path / "secret" / "diary.txt"
    secret.parent.mkdir()
    secret.write_text("dear diary")
    monkeypatch.setenv("SECRET", "treasure")
    with socket.create_server(("127.0.0.1", 0)) as server:
        port = server.getsockname()[1]
        player = JsonPlayer(
            f"python {ZOO} json tells {port} not-for-you:{secret} {mark}",
            GAME,
            "tells",
            {"isolation": level},
        )
        record = play_game(GAME, [player, FirstPlayer()], mode=Mode.parse("move:5s"))
        player.close()
    seen = json.loads(json.loads(record.raw)["move"])
    assert "SECRET" not in seen["environment"] and seen["folder"] == []
    assert seen["network"] is (level == LIMITS)
    if level == BUBBLEWRAP:
        assert seen["processes"] <= 3 and not seen["secret"] and not seen["writes"] and not seen["elsewhere"]
    else:
        assert seen["secret"]  # said so in docs/referee.md: limits alone hide nothing


def test_the_level_in_force_is_recorded(mark: str) -> None:
    with Visit("silent", mark) as visit:
        record = visit.play("depth:3", patience=0.1)
        assert record.isolation == f"{'control groups + ' if groups_work() else ''}limits; in process"


@pytest.mark.parametrize("level", LEVELS)
def test_when_the_referee_is_killed_its_programs_end_too(level: str, mark: str) -> None:
    code = f"""
import sys, time
sys.path.insert(0, {str(SOURCE)!r})
from plywright.games import load_game
from plywright.programs.json_lines import JsonPlayer
game = load_game("tic-tac-toe")
player = JsonPlayer({f"python {ZOO} json forking {mark}"!r}, game, "zoo", {{"isolation": {level!r}}})
player.prepare(game)
print(player.process.folder, flush=True)
time.sleep(60)
"""
    referee = subprocess.Popen([sys.executable, "-c", code], stdout=subprocess.PIPE, text=True, env=dict(os.environ))
    assert referee.stdout is not None
    folder = Path(referee.stdout.readline().strip())
    assert running(mark) and folder.exists()
    referee.send_signal(signal.SIGKILL)
    referee.wait()
    referee.stdout.close()
    assert nothing_runs(mark, 10) and not folder.exists()


def test_programs_may_be_started_from_threads_that_end(mark: str) -> None:
    player = JsonPlayer(f"python {ZOO} json honest {mark}", GAME, "honest", {"isolation": LIMITS})
    thread = threading.Thread(target=player.prepare, args=(GAME,))
    thread.start()
    thread.join()
    record = play_game(GAME, [player, FirstPlayer()], mode=Mode.parse("move:5s"))
    player.close()
    assert record.termination == NORMAL


def test_a_slow_reader_reads_on_its_clock(mark: str) -> None:
    """A pipe made small, and a request that does not fit into it."""
    with Visit("shrinks_its_pipe", mark) as visit:
        visit.player.prepare(GAME)
        talk = visit.player.ask

        def ask(view: Any, clock: Any) -> int:
            visit.player.moves = [(0, "a" * 100)] * 300
            return talk(view, clock)

        visit.player.ask = ask  # type: ignore[method-assign]
        record = visit.play("move:0.2s")
        assert record.termination == LATE and record.seconds < 1.5, record.seconds


def test_without_an_answer_the_time_runs_until_nobody_waits_any_more(mark: str) -> None:
    with Visit("partial_line", mark) as visit:
        assert visit.play("move:0.3s").termination == LATE
        assert visit.player.elapsed is not None and visit.player.elapsed >= 0.3


@pytest.mark.skipif(not bubblewrap_works(), reason="bubblewrap is absent or not allowed here")
def test_under_bubblewrap_there_are_no_namespaces_within(mark: str) -> None:
    with Visit("new_namespaces", mark, BUBBLEWRAP) as visit:
        assert "namespace made: False" in visit.play("move:5s").note


@pytest.mark.parametrize("level", LEVELS)
@pytest.mark.parametrize("kind", ["shared_memory", "memory_files"])
def test_shared_memory_counts_without_control_groups_too(kind: str, level: str, mark: str) -> None:
    with Visit(kind, mark, level) as visit:
        visit.player.level = Isolation(level == BUBBLEWRAP, False, Limits(memory=96 << 20, file=4 << 20))
        record = visit.play("move:20s")
        assert record.termination == CRASHED and "MB of memory" in record.note


@pytest.mark.skipif(not bubblewrap_works(), reason="bubblewrap is absent or not allowed here")
@pytest.mark.parametrize("kind", ["closes_stdin", "closes_stdout"])
def test_closed_pipes_are_seen_through_bubblewrap(kind: str, mark: str) -> None:
    with Visit(kind, mark, BUBBLEWRAP) as visit:
        record = visit.play("move:20s")
        assert record.termination == CRASHED and record.seconds < 10, record.note


@pytest.mark.parametrize("kind", ["kills_its_supervisor", pytest.param("stops_its_supervisor", marks=pytest.mark.slow)])
def test_whoever_outlives_a_supervisor_is_cleaned_up(kind: str, mark: str) -> None:
    with Visit(kind, mark) as visit:
        visit.player.level = Isolation(False, False, SMALL)
        assert visit.play("move:1s").termination in (CRASHED, LATE)
    assert nothing_runs(mark)
