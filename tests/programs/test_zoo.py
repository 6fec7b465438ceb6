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
from keeper import SOURCE, ZOO, nothing_runs, running

from plywright.arena.heartbeat import Heartbeat
from plywright.arena.referee import play_game
from plywright.games import load_game
from plywright.players import Mode
from plywright.players.offence import CRASHED, FLOODED, ILLEGAL, LATE, NO_GREETING, NORMAL, VOID
from plywright.players.simple import FirstPlayer
from plywright.programs import program_player
from plywright.programs.isolation import BUBBLEWRAP, LIMITS, Isolation, Limits, bubblewrap_works, groups_work
from plywright.programs.json_lines import JsonPlayer

GAME = load_game("tic-tac-toe")
LEVELS = [
    LIMITS,
    pytest.param(
        BUBBLEWRAP, marks=pytest.mark.skipif(not bubblewrap_works(), reason="bubblewrap is absent or not allowed here")
    ),
]
SMALL = Limits(memory=256 << 20, processes=24, file=1 << 20, disk=8 << 20)


class Calm(Heartbeat):
    """A machine that never stands still: what is late here is late."""

    def delay_since(self, moment: float) -> float:
        return 0.0


class Visit:
    """Games of one animal against an honest player."""

    def __init__(self, kind: str, mark: str, level: str = LIMITS, limits: Limits = SMALL) -> None:
        self.player = JsonPlayer(f"python {ZOO} {kind} {mark}", GAME, kind, {"isolation": level})
        self.player.level = Isolation(level == BUBBLEWRAP, self.player.level.groups, limits)
        self.folders: list[Path] = []
        self.groups: list[Path] = []

    def play(self, mode: str = "move:0.3s", **options: Any) -> Any:
        self.player.prepare(GAME)
        if self.player.process is not None:
            self.folders.append(self.player.process.folder)
            self.groups += self.player.process.groups
        return play_game(GAME, [self.player, FirstPlayer()], mode=Mode.parse(mode), **{"beat": Calm(), **options})

    def __enter__(self) -> Visit:
        return self

    def __exit__(self, *_: object) -> None:
        self.player.close()
        assert not [folder for folder in self.folders if folder.exists()]
        assert not [group for group in self.groups if group.exists()]


JUDGED = [
    ("late", LATE, ""),
    ("silent", LATE, ""),
    ("crash_mid_game", CRASHED, "division by cucumber"),
    ("garbage", ILLEGAL, "not JSON"),
    ("not_an_object", ILLEGAL, "type"),
    ("partial_line", LATE, ""),
    ("partial_line_and_gone", CRASHED, "status 0"),
    ("flood", FLOODED, "without an end"),
    ("flood_of_lines", FLOODED, "where one answer was due"),
    ("illegal", ILLEGAL, "'z9' is not a legal move"),
    ("no_text", ILLEGAL, "no text"),
    ("no_id", ILLEGAL, "without the id"),
    ("closes_stdin", CRASHED, "no longer reads"),
    ("closes_stdout", CRASHED, "closed its output"),
    ("memory_hog", CRASHED, ""),
    ("large_file", CRASHED, ""),
    ("many_files", CRASHED, ""),
    ("ignores_signals", LATE, ""),
]


@pytest.mark.parametrize(("kind", "cause", "words"), JUDGED, ids=[row[0] for row in JUDGED])
def test_an_offence_is_a_loss_with_its_cause(kind: str, cause: str, words: str, mark: str) -> None:
    with Visit(kind, mark) as visit:
        record = visit.play("move:0.3s" if cause == LATE else "move:20s")
        assert (record.termination, record.offender, record.payoffs) == (cause, 0, (-1.0, 1.0)), record.note
        assert words in record.note and record.offences == ((0, cause),)
        assert nothing_runs(mark)  # the offender is gone before the match goes on


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


@pytest.mark.parametrize("kind", ["wrong_turn", "writes_after_its_turn", "flood_of_errors"])
def test_what_answers_no_question_is_dropped(kind: str, mark: str) -> None:
    with Visit(kind, mark) as visit:
        for _ in range(2):
            record = visit.play("move:5s")
            assert record.termination == NORMAL and record.payoffs is not None, record.note
            assert [ply.seat for ply in record.plies] == [n % 2 for n in range(len(record.plies))]


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
def test_a_fork_bomb_ends_with_the_game(level: str, mark: str) -> None:
    with Visit("fork_bomb", mark, level) as visit:
        record = visit.play("move:1s")
        assert record.termination in (CRASHED, LATE, VOID)  # void where the bomb slowed the referee down
    assert nothing_runs(mark, 20)


@pytest.mark.parametrize("level", LEVELS)
@pytest.mark.parametrize("kind", ["memory_hog", "large_file", "many_files"])
def test_memory_and_disk_are_bounded(kind: str, level: str, mark: str) -> None:
    with Visit(kind, mark, level) as visit:
        assert visit.play("move:20s").termination == CRASHED


@pytest.mark.parametrize("level", LEVELS)
def test_a_deaf_program_ends_when_it_is_told_to(level: str, mark: str) -> None:
    with Visit("ignores_signals", mark, level) as visit:
        assert visit.play().termination == LATE


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
            f"python {ZOO} tells {port} not-for-you:{secret} {mark}",
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
player = JsonPlayer({f"python {ZOO} forking {mark}"!r}, game, "zoo", {{"isolation": {level!r}}})
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
    player = JsonPlayer(f"python {ZOO} honest {mark}", GAME, "honest", {"isolation": LIMITS})
    thread = threading.Thread(target=player.prepare, args=(GAME,))
    thread.start()
    thread.join()
    record = play_game(GAME, [player, FirstPlayer()], mode=Mode.parse("move:5s"))
    player.close()
    assert record.termination == NORMAL
