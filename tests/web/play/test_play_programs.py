"""The Play room by its addresses: programs at a table, and engines that may not sit down."""

from __future__ import annotations

import sys
import time
from collections.abc import Callable
from html import unescape
from pathlib import Path
from typing import Any

import pytest

from plywright.errors import BadInput
from plywright.web import application
from plywright.web.play import program_pool
from plywright.web.play.position import Position
from plywright.web.play.seats import check_programs
from plywright.web.play.table import Table
from tables import FIRST_LEGAL, legal, like, name_of, play, seat


def test_a_program_named_on_the_command_line_may_sit_down(client: Any, tmp_path: Path) -> None:
    (tmp_path / "bot.py").write_text(FIRST_LEGAL)
    text = f"pipe:{sys.executable} -u {tmp_path / 'bot.py'}"
    with like(client, application(programs=[text])) as other:
        assert text in unescape(other.get("/play/new?game=tic-tac-toe").text)
        answer = play(other, seat(other, "tic-tac-toe", text), "b2")
        answer = other.submit(f"/play/t/{name_of(answer)}/go")
        assert len(Table.load(name_of(answer)).actions) == 2, answer.text
    with like(client, application()) as other:
        answer = other.submit(f"/play/t/{name_of(answer)}/move", ply=2, move="c3")
        refused = other.submit(f"/play/t/{name_of(answer)}/go")
        assert refused.status_code == 400 and "--program" in refused.text


REMEMBERING = FIRST_LEGAL.replace(
    "import json, sys", "import json, os, sys\nopen(sys.argv[1], 'a').write(f'{os.getpid()}\\n')"
)
"""Notes every start of itself in a file, with the number of its process."""


@pytest.fixture
def diary(tmp_path: Path) -> tuple[str, Callable[[], list[int]]]:
    """A program, and the processes that it has been."""
    (tmp_path / "bot.py").write_text(REMEMBERING)
    (tmp_path / "starts").touch()
    text = f"pipe:{sys.executable} -u {tmp_path / 'bot.py'} {tmp_path / 'starts'}?isolation=limits"
    return text, lambda: [int(line) for line in (tmp_path / "starts").read_text().split()]


def lives(process: int) -> bool:
    try:
        return "Z" not in Path(f"/proc/{process}/stat").read_text().rpartition(")")[2].split()[0]
    except OSError:
        return False


def gone(process: int) -> bool:
    """Whether a process ends; it may take a moment until the system has let go of it."""
    for _ in range(500):
        if not lives(process):
            return True
        time.sleep(0.02)
    return False


needs_proc = pytest.mark.skipif(not Path("/proc/self/stat").exists(), reason="processes are looked up in /proc")


@needs_proc
def test_a_program_stays_for_the_game_and_leaves_with_it(client: Any, diary: Any) -> None:
    text, starts = diary
    with like(client, application(programs=[text])) as other:
        answer = play(other, seat(other, "tic-tac-toe", text), "b2")
        for move in ("c3", "a1"):
            answer = other.submit(f"/play/t/{name_of(answer)}/go")
            if move == "a1":
                other.submit(f"/play/t/{name_of(answer)}/go")  # a second tab: nobody is to think
            assert len(starts()) == 1 and lives(starts()[0])
            answer = play(other, answer, move) if move in legal(answer) else play(other, answer, legal(answer)[-1])
        while "Rematch" not in answer.text:
            answer = (
                other.submit(f"/play/t/{name_of(answer)}/go")
                if "/think" in answer.text
                else play(other, answer, legal(answer)[-1])
            )
        assert len(starts()) == 1 and gone(starts()[0]), "the game is over"
        assert not other.app.state.program_pool.waiting


@needs_proc
def test_a_program_is_not_left_behind(client: Any, diary: Any, monkeypatch: pytest.MonkeyPatch) -> None:
    """By a rematch, a move at an earlier moment, too long a time, too many others, or the end of the server."""
    text, starts = diary
    with like(client, application(programs=[text])) as other:

        def answered(place: Any = None) -> Any:
            begun = play(other, place or seat(other, "tic-tac-toe", text), "b2")
            return other.submit(f"/play/t/{name_of(begun)}/go")

        first = answered()
        again = other.submit(f"/play/t/{name_of(first)}/again")
        assert gone(starts()[0]), "a rematch"
        second = answered(again)
        assert len(starts()) == 2 and lives(starts()[1])
        fork = other.submit(f"/play/t/{name_of(second)}/move", ply=0, move="c1")
        assert name_of(fork) != name_of(second) and gone(starts()[1]), "another way"
        back = play(other, other.get(f"/play/t/{name_of(second)}"), "c3")
        other.submit(f"/play/t/{name_of(back)}/go")
        assert len(starts()) == 3 and len(Table.load(name_of(second)).actions) == 4, "it was told the game anew"
        monkeypatch.setattr(program_pool, "MOST", 1)
        answered()
        assert gone(starts()[2]) and lives(starts()[3]), "too many"
        monkeypatch.setattr(program_pool, "IDLE", 0.01)
        answered()
        assert gone(starts()[3]) and gone(starts()[4]), "nobody asked for long"
        monkeypatch.setattr(program_pool, "IDLE", 300.0)
        answered()
        assert lives(starts()[5])
    assert len(starts()) == 6 and gone(starts()[5]), "the server has stopped"


@needs_proc
def test_a_program_whose_game_is_left_while_it_thinks_leaves_after_its_answer(client: Any, diary: Any) -> None:
    text, starts = diary
    with like(client, application(programs=[text])) as other:
        game, kept = other.app.state.catalogue["tic-tac-toe"], other.app.state.program_pool
        table = Table.load(name_of(play(other, seat(other, "tic-tac-toe", text), "b2")))
        with kept.seated_program(table, Position.of(table.replay(game), 1)) as thinks:
            thinks.player.prepare(game)
            other.submit(f"/play/t/{table.name}/again")
            assert lives(starts()[0])
            thinks.stays_with((*table.actions, 0))
        assert gone(starts()[0]) and not kept.waiting and not kept.thinking


def test_a_program_that_breaks_the_rules_loses_in_words(client: Any, tmp_path: Path) -> None:
    (tmp_path / "bot.py").write_text(FIRST_LEGAL.replace('said["legal"][0]', '"z9"'))
    text = f"pipe:{sys.executable} -u {tmp_path / 'bot.py'}"
    with like(client, application(programs=[text])) as other:
        answer = play(other, seat(other, "tic-tac-toe", text), "b2")
        answer = other.submit(f"/play/t/{name_of(answer)}/go")
        assert "z9" in answer.text and "X wins." in answer.text and "Rematch" in answer.text


@pytest.mark.parametrize("text", ["pipe:ls", "./x.py", "policy:x", "mixture:1*./x.py", "search:time=1000", "nonsense"])
def test_the_browser_can_name_neither_commands_nor_files(client: Any, text: str) -> None:
    for fields in ({"seat1": text}, {"seat1": "engine", "engine1": text}):
        answer = client.submit("/play/new", game="tic-tac-toe", **fields)
        assert answer.status_code == 400, text


def test_an_engine_that_cannot_search_the_game_does_not_sit_down(client: Any) -> None:
    for game, engine, why in (
        ("tic-tac-toe", "ismcts", "cannot search"),
        ("kuhn", "pvs", "cannot search"),
        ("tic-tac-toe", "search:time=-1", "time"),
    ):
        answer = client.submit("/play/new", game=game, seat1="engine", engine1=engine)
        assert answer.status_code == 400 and why in answer.text, engine


@pytest.mark.parametrize(("game", "engine"), [("tic-tac-toe", "mcts"), ("kuhn", "ismcts")])
def test_an_engine_that_cannot_play_at_the_pace_does_not_sit_down(client: Any, game: str, engine: str) -> None:
    for pace, written, status in (
        ("depth", engine, 400),
        ("depth", f"{engine}:simulations=20", 200),
        ("nodes", engine, 200),
    ):
        answer = client.submit("/play/new", game=game, seat1="engine", engine1=written, pace=pace, amount=4)
        assert answer.status_code == status, (pace, written)
        if status == 400:
            assert f"write {engine}:simulations=1000, or choose a mode of time or nodes" in answer.text


def test_what_is_no_program_is_refused_at_the_start() -> None:
    for text in ("./bot", "search", "pipe:", "human"):
        with pytest.raises(BadInput, match="no program"):
            check_programs([text])
