"""UCI as a chess program: options, limits, several lines, pondering, garbage; and python-chess's client where it is."""

from __future__ import annotations

import dataclasses
import os
import queue
import random
import re
import struct
import sys
import threading
import time
from collections.abc import Iterator
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import pytest

from plywright import BadInput, Limit, SearchResult, load_game, search
from plywright.cli import main
from plywright.cli.search import suite
from plywright.compiled import _local
from plywright.engine.alphabeta import transposition
from plywright.game import Game, Problem
from plywright.games.chess.polyglot import polyglot_key
from plywright.games.chess.position import Position
from plywright.players.searching import SearchPlayer
from plywright.programs import uci_options, uci_position, uci_server
from plywright.programs.uci_limits import read_go, senseless
from plywright.programs.uci_options import nodes_for_elo
from plywright.programs.uci_position import read_position, states_of
from plywright.programs.uci_server import Server, serve, understood
from plywright.repetition import Past

CHESS = load_game("chess")
MATE = "position fen kbK5/pp6/1P6/8/8/8/8/R7 w - - 0 1"


class Talk:
    """A server in a thread; `say` a line, `hear` until one begins so."""

    def __init__(self) -> None:
        self.lines: queue.Queue[str] = queue.Queue()
        self.out: queue.Queue[str] = queue.Queue()
        self.heard: list[str] = []
        self.thread = threading.Thread(
            target=serve, args=(CHESS, SearchPlayer("pvs"), iter(self.lines.get, "end"), self.out.put)
        )
        self.thread.start()

    def say(self, *lines: str) -> None:
        for line in lines:
            self.lines.put(line)

    def hear(self, start: str, seconds: float = 60.0) -> str:
        until = time.monotonic() + seconds
        while True:
            line = self.out.get(timeout=max(until - time.monotonic(), 0.001))
            self.heard.append(line)
            if line.startswith(start):
                return line

    def ask(self, *lines: str) -> str:
        """The move after these lines; `heard` is then what was said on the way."""
        self.heard = []
        self.say(*lines)
        return self.hear("bestmove").split()[1]


@pytest.fixture
def talk() -> Iterator[Talk]:
    found = Talk()
    found.say("uci", "isready")
    found.hear("readyok", 120)
    yield found
    found.say("quit")
    found.thread.join(60)
    assert not found.thread.is_alive()


def test_options_are_offered_set_and_checked(talk: Talk) -> None:
    offered = [line for line in talk.heard if line.startswith("option name ")]
    names = [re.match(r"option name (.+?) type", line)[1] for line in offered]  # type: ignore[index]
    assert {"Hash", "Threads", "MultiPV", "Ponder", "UCI_Chess960", "UCI_LimitStrength", "UCI_Elo"} <= set(names)
    for wrong in (
        "name Hash value 0",
        "name Threads value many",
        "name Nonsense value 1",
        "name UCI_Chess960 value 2",
        "",
    ):
        talk.say(f"setoption {wrong}")
        assert talk.hear("info string")
    talk.say("setoption name hash value 8", "setoption name MultiPV value 3")
    talk.ask("position startpos", "go nodes 20000")
    infos = [line for line in talk.heard if line.startswith("info depth")]
    assert {re.search(r"multipv (\d)", line)[1] for line in infos} == {"1", "2", "3"}  # type: ignore[index]
    last = [line for line in infos if line.startswith(f"info depth {infos[-1].split()[2]} ")]
    assert len({line.split(" pv ")[1].split()[0] for line in last}) == len(last)  # no move twice
    for word in ("seldepth", "score cp", "nodes", "nps", "hashfull", "time", "pv"):
        assert f" {word} " in infos[-1]


def test_positions_moves_and_mates(talk: Talk) -> None:
    assert talk.ask(MATE, "go mate 2") == "a1a6"
    assert any(" score mate 2 " in line for line in talk.heard)
    assert talk.ask(f"{MATE} moves a1a6", "go depth 4") in ("b7a6", "b8c7", "b8d6", "b8e5", "b8f4", "b8g3", "b8h2")
    assert any(" score mate -1 " in line for line in talk.heard)
    assert talk.ask("position startpos moves e2e4 e7e5", "go depth 3 searchmoves a2a3 h2h4 e9e9") in ("a2a3", "h2h4")
    castling = "position fen 4k3/8/8/8/8/8/8/4K2R w K - 0 1"
    assert talk.ask(castling, "go depth 1 searchmoves e1g1") == "e1g1"
    talk.say("setoption name UCI_Chess960 value true")
    assert talk.ask(castling, "go depth 1 searchmoves e1h1") == "e1h1"
    talk.say("position fen 4k3/8/8/8/8/8/8/8 w - - 0 1")
    assert "no king" in talk.hear("info string")
    assert talk.ask("position fen 7k/5Q2/6K1/8/8/8/8/8 b - - 0 1", "go depth 3") == "(none)"


@pytest.mark.parametrize("fen", ["8/8/8/3k4/8/K7/6q1/8 b - - 98 70", "3K4/8/8/1k6/1Q6/8/8/8 b - - 96 70"])
def test_a_draw_that_is_near_is_no_mate(talk: Talk, fen: str) -> None:
    """It is proved and has a distance: by the count of moves, and by the last piece that is taken."""
    talk.ask(f"position fen {fen}", "go nodes 1000")
    scores = [line.split(" score ")[1] for line in talk.heard if " score " in line]
    assert scores[-1].startswith("cp 0 ") and not any(score.startswith("mate") for score in scores)


AGAIN = "g1f3 g8f6 f3g1 f6g8"


@pytest.mark.parametrize(
    "place",
    [
        f"startpos moves {AGAIN} {AGAIN}",
        f"startpos moves {AGAIN} {AGAIN} e2e4",
        "fen 7k/8/6K1/8/8/8/8/5Q2 w - - 98 100 moves f1f2 h8g8",
        "fen 7k/8/6K1/8/8/8/8/5Q2 w - - 98 100 moves f1f2 h8g8 f2f3 g8h8",
    ],
)
def test_a_draw_that_nobody_claims_is_played_on(talk: Talk, place: str) -> None:
    board = read_position(CHESS, place)[-1]
    move = talk.ask(f"position {place}", "go depth 3")
    legal = load_game("chess:draws=none")
    assert legal.parse_action(board, move) in list(legal.actions(board))


@pytest.mark.parametrize(
    ("place", "move"),
    [
        ("4k3/8/8/3q4/4R3/8/8/4K3 b - - 100 90", "d5e4"),
        ("7k/8/5K2/6Q1/8/8/8/8 w - - 100 80", "g5g7"),
    ],
)
def test_after_fifty_moves_that_nobody_counts_the_move_is_searched(talk: Talk, place: str, move: str) -> None:
    assert talk.ask(f"position fen {place}", f"go depth 6 searchmoves {move} {move[:2]}h5") == move
    assert talk.ask(f"position fen {place}", "go depth 6") == move
    assert any("nobody has claimed it" in line for line in talk.heard)
    assert any(line.startswith("info depth") for line in talk.heard)
    assert talk.ask("position startpos", "go depth 2 searchmoves a2a3") == "a2a3"  # by its own rules again
    assert not any("claimed" in line for line in talk.heard)


@pytest.mark.parametrize("limit", ["depth 0", "depth -1", "nodes 0", "nodes -5", "movetime 0", "movetime -100"])
def test_limits_below_the_least_are_the_least(talk: Talk, limit: str) -> None:
    assert talk.ask("position startpos", f"go {limit}") != "(none)"


@pytest.mark.parametrize("words", ["depth abc", "depth", "mate 0", "foo", "btime 100", "movetime nan"])
def test_what_means_nothing_in_a_go_line_is_said(talk: Talk, words: str) -> None:
    talk.say("position startpos", f"go {words}")
    assert "means nothing here" in talk.hear("info string")
    assert talk.ask("stop") != "(none)"
    assert senseless("depth 3 wtime 100 btime 5 searchmoves e2e4 a2a3", 0) == []


def test_a_book_of_polyglot_is_played_from(talk: Talk, tmp_path: Path) -> None:
    entry, key = struct.Struct(">QHHI"), polyglot_key(CHESS.start_state)
    book = tmp_path / "my book.bin"
    book.write_bytes(entry.pack(key, 0o1030, 0, 0) + entry.pack(key, 0o1737, 5, 0))  # a2a3 with weight 0, h2h4
    (tmp_path / "broken.bin").write_bytes(b"123")
    assert any(line.startswith("option name BookFile type string") for line in talk.heard)
    talk.say(f"setoption name BookFile value {book}")
    assert talk.ask("position startpos", "go depth 1") != "h2h4"  # OwnBook is not on
    talk.say("setoption name OwnBook value true")
    assert talk.ask("position startpos", "go depth 1") == "h2h4"
    os.mkfifo(tmp_path / "pipe.bin")
    for wrong in ("broken.bin", "missing.bin", "pipe.bin"):
        talk.say(f"setoption name BookFile value {tmp_path / wrong}")
        assert wrong in talk.hear("info string")
    assert talk.ask("position startpos", "go movetime 50") == "h2h4"  # the book before it stays
    assert talk.ask("position startpos", "go depth 1 searchmoves d2d4") == "d2d4"
    assert talk.ask("position startpos moves h2h4", "go depth 1")  # out of the book
    for empty in ("value <empty>", "value ", "value"):
        talk.say(f"setoption name BookFile {empty}")
        assert talk.ask("position startpos", "go depth 1") != "h2h4"
        talk.say(f"setoption name BookFile value {book}")
        assert talk.ask("position startpos", "go depth 1") == "h2h4"
    talk.say("setoption name Hash value")
    assert "whole number" in talk.hear("info string")


def test_an_endless_search_answers_when_told(talk: Talk) -> None:
    talk.say(MATE, "go infinite")
    talk.hear("info depth 3")
    with pytest.raises(queue.Empty):
        talk.hear("bestmove", 0.3)
    talk.say("stop")
    assert talk.hear("bestmove a1a6")


def test_a_ponder_hit_starts_the_clock(talk: Talk) -> None:
    talk.say("position startpos moves e2e4", "go ponder wtime 1000 btime 1000 winc 0 binc 0")
    talk.hear("info depth 4")
    with pytest.raises(queue.Empty):
        talk.hear("bestmove", 0.3)
    began = time.monotonic()
    talk.say("ponderhit")
    assert " ponder " in talk.hear("bestmove") and time.monotonic() - began < 20
    talk.say("position startpos moves e2e4", "go ponder wtime 1000 btime 1000", "stop")
    assert talk.hear("bestmove")


def test_only_one_thread_ends_searches(talk: Talk, monkeypatch: pytest.MonkeyPatch) -> None:
    """Another one, in which a clock ran, took the next search for the one it had ended: its moves were illegal."""
    threads, finish = set[int](), Server.finish_search

    def counting(server: Server) -> None:
        threads.add(threading.get_ident())
        finish(server)

    monkeypatch.setattr(Server, "finish_search", counting)
    moves, state = list[str](), CHESS.start_state
    for _ in range(12):
        place = " ".join(("position startpos moves", *moves))
        moves.append(talk.ask(place, "go ponder wtime 600 btime 600 winc 20 binc 20", "ponderhit"))
        state = CHESS.state_after(state, CHESS.parse_action(state, moves[-1]))
    assert threads == {talk.thread.ident}


def test_a_clock_that_is_full_of_words_still_runs(talk: Talk) -> None:
    talk.say("position startpos", "go ponder movetime 200", "ponderhit")
    began = time.monotonic()
    while not talk.hear("").startswith("bestmove"):
        talk.say("isready", "isready")
        assert time.monotonic() - began < 5


def said(*lines: str) -> list[str]:
    """What a server writes that is told all of this at once."""
    out: list[str] = []
    serve(CHESS, SearchPlayer("pvs"), lines, out.append)
    return out


def depths(heard: list[str]) -> int:
    return sum(line.startswith("info depth") for line in heard)


@pytest.mark.parametrize("limit", ["nodes 3000", "depth 4", "movetime 300", "wtime 3000 btime 3000"])
def test_a_search_with_a_limit_is_finished_whatever_comes_after_it(limit: str) -> None:
    place = "position startpos moves e2e4 e7e5"
    alone = said(place, f"go {limit}")
    assert depths(alone) >= 3 and alone[-1].startswith("bestmove")
    more = said(place, f"go {limit}", "isready", "setoption name Hash value 8", MATE, "go mate 2", "isready", "garbage")
    moves = [place for place, line in enumerate(more) if line.startswith("bestmove")]
    assert len(moves) == 2 and depths(more[: moves[0]]) >= 3 and more[moves[1]].startswith("bestmove a1a6")
    ready = [place for place, line in enumerate(more) if line == "readyok"]
    assert len(ready) == 2 and ready[1] < moves[0]  # at once


@pytest.mark.parametrize("words", [("stop",), ("quit",), ()])
def test_an_endless_search_that_is_ended_at_once_has_finished_a_depth(words: tuple[str, ...]) -> None:
    for go in ("go infinite", "go", "go btime 1000", "go ponder depth 60"):
        out = said("position startpos moves e2e4 e7e5", go, *words)
        assert depths(out) >= 1 and out[-1].startswith("bestmove")


def test_stop_ends_every_search_that_was_asked_for_before_it() -> None:
    out = said("position startpos", "go nodes 4000000000", MATE, "go movetime 4000000", "stop")
    assert [line.split()[0] for line in out].count("bestmove") == 2
    CHESS.parse_action(CHESS.read_state("kbK5/pp6/1P6/8/8/8/8/R7 w - - 0 1"), out[-1].split()[1])


def test_stop_ends_what_waits_with_words_between() -> None:
    began = time.monotonic()
    out = said("position startpos", *["go movetime 600000", "position startpos moves e2e4", "go depth 1"] * 2, "stop")
    assert [line.split()[0] for line in out].count("bestmove") == 4 and time.monotonic() - began < 20
    assert said(*["go nodes 9000000000"] * 3, "stop", "stop", "stop", "isready").count("readyok") == 1


def test_after_the_end_of_input_a_search_is_finished_in_bounded_time(monkeypatch: pytest.MonkeyPatch) -> None:
    assert 5 <= uci_server.LAST_SECONDS <= 15
    monkeypatch.setattr(uci_server, "LAST_SECONDS", 0.2)
    for go in ("go depth 99", "go movetime 30000000", "go nodes 1000000000000", "go wtime 900000000"):
        began = time.monotonic()
        out = said(go, "go depth 99")
        assert [line.split()[0] for line in out].count("bestmove") == 2 and depths(out) >= 1
        assert time.monotonic() - began < 5


@pytest.mark.parametrize("go", ["go depth 99", "go infinite", "uci"])
def test_output_that_nobody_takes_ends_the_search(go: str, capsys: pytest.CaptureFixture[str]) -> None:
    def broken(_: str) -> None:
        raise BrokenPipeError

    lines = queue.Queue[str]()
    lines.put(go)
    began = time.monotonic()
    with pytest.raises(BrokenPipeError):
        serve(CHESS, SearchPlayer("pvs"), iter(lines.get, "end"), broken)
    lines.put("end")
    assert time.monotonic() - began < 10 and not capsys.readouterr().err


def test_no_move_is_given_for_a_position_that_was_refused(talk: Talk) -> None:
    talk.say("position startpos moves e2e4")
    talk.say("position startpos moves e2e5")
    assert talk.hear("info string")
    assert talk.ask("go depth 2") == "0000" and "refused" in talk.heard[0]
    assert talk.ask("ucinewgame", "go infinite", "stop") == "0000"
    assert talk.ask(MATE, "go mate 2") == "a1a6"


@pytest.mark.parametrize("place", ["fen 7k/5Q2/6K1/8/8/8/8/8 b - - 0 1", "startpos moves e2e5"])
def test_an_endless_search_of_nothing_is_answered_when_it_is_ended(talk: Talk, place: str) -> None:
    for go, end in (("go infinite", "stop"), ("go ponder wtime 100 btime 100", "ponderhit"), ("go ponder", "stop")):
        talk.say(f"position {place}", go, "isready")
        talk.heard = []
        talk.hear("readyok")
        assert not any(line.startswith("bestmove") for line in talk.heard)
        assert talk.ask(end, "isready") in ("0000", "(none)")
        talk.say("stop", "isready")
        talk.heard = []
        talk.hear("readyok")
        assert talk.heard == ["readyok"] * len(talk.heard)


@pytest.mark.parametrize("place", ["k7/8/8/8/8/8/8/K7 w - - 0 1", "4k3/8/8/3q4/4R3/8/8/4K3 b - - 150 90"])
def test_a_game_that_is_drawn_for_good_is_searched_without_being_compiled(
    talk: Talk, place: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The rules by which it goes on are compiled for nobody else, and meanwhile nothing could be stopped."""
    compiled = list[bool]()
    choose = SearchPlayer.choose

    def watched(player: SearchPlayer, *given: Any) -> int:
        compiled.append(not getattr(_local, "interpreted", False))
        return choose(player, *given)

    monkeypatch.setattr(SearchPlayer, "choose", watched)
    talk.say(f"position fen {place}", "go infinite")
    talk.hear("info depth")
    assert talk.ask("stop") != "(none)"
    assert talk.ask("go depth 2") in ("d5e4", "a1a2", "a1b1", "a1b2")
    assert talk.ask("position startpos", "go depth 2") and compiled == [False, False, True]


def test_the_states_of_a_game_that_goes_on_are_counted_once(monkeypatch: pytest.MonkeyPatch) -> None:
    server, added, add = Server(CHESS, SearchPlayer("pvs"), list[str]().append), list[Any](), Past.add
    monkeypatch.setattr(Past, "add", lambda past, state: added.append(state) or add(past, state))
    moves = AGAIN.split() * 2
    for count, new in ((2, 2), (4, 2), (8, 4), (8, 0), (3, 3), (8, 5)):
        added.clear()
        server.position(" ".join(("startpos moves", *moves[:count])))
        assert server.past_of(CHESS).is_drawn(server.states[-1]) == (count == 8)
        assert len(added) == new
    added.clear()
    assert not server.past_of(server.looser[0]).is_drawn(server.states[-1]) and len(added) == 8


def test_a_game_that_goes_on_after_a_draw_is_not_read_again() -> None:
    server = Server(CHESS, SearchPlayer("pvs"), list[str]().append)
    game = "fen 7k/8/6K1/8/8/8/8/5Q2 w - - 98 100 moves f1f2 h8g8 f2f3 g8h8"
    server.position(game)
    before = server.states
    server.position(f"{game} f3f4 h8g8")
    assert not server.refused and len(server.states) == 7
    assert all(one is other for one, other in zip(before, server.states, strict=False))


def test_long_lines_cost_no_more_than_their_length(talk: Talk) -> None:
    began = time.process_time()
    for go in ("go " * 100_000, "go " + "x " * 100_000 + "depth 1", "go depth 1 searchmoves a2a3 " + "h2h3 " * 100_000):
        assert talk.ask("position startpos", go, "stop")
        assert sum(line.startswith("info string") for line in talk.heard) <= 1
    talk.ask("go depth 1 searchmoves a2a3 " + " ".join(map(str, range(100_000))))
    talk.ask("go depth 1 " + "searchmoves " * 50_000)
    talk.ask("position startpos moves e2e4" + "+" * 30_000 + "x", "go depth 1 searchmoves e2e4" + "+" * 30_000 + "x")
    assert time.process_time() - began < 10
    talk.heard = []
    for line in (
        "setoption name ",
        "setoption name Hash value ",
        "position ",
        "position startpos moves ",
        "position fen ",
    ):
        talk.say(line + "y" * 1_000_000, "isready")
        talk.hear("info string")
    assert all(len(line) < 1100 for line in talk.heard)


BACK_RANK = "position fen 6k1/5ppp/8/8/8/8/8/K3R3 w - - 0 1"


@pytest.mark.parametrize("limit", ["nodes 1", "movetime 1", "wtime 3 btime 3"])
def test_limits_that_end_before_the_first_depth_still_give_a_move_that_was_searched(talk: Talk, limit: str) -> None:
    assert talk.ask(BACK_RANK, f"go {limit}") == "e1e8"
    assert depths(talk.heard) >= 1


def test_a_table_that_does_not_fit_is_refused_and_the_one_before_it_stays(
    talk: Talk, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(transposition, "memory", lambda: 100_000_000)
    talk.say("setoption name Hash value 16", "setoption name Hash value 400")
    assert "400 MB does not fit" in talk.hear("info string")
    talk.say("isready")
    assert talk.hear("readyok")
    assert talk.ask(BACK_RANK, "go depth 3") == "e1e8"
    monkeypatch.setattr(transposition, "memory", lambda: 1_000_000)  # others have taken it since
    talk.say("setoption name MultiPV value 2")
    assert talk.ask(BACK_RANK, "ucinewgame", "go depth 3") == "e1e8"  # it keeps what it has


def test_no_more_memory_is_offered_than_there_is(monkeypatch: pytest.MonkeyPatch) -> None:
    def offered(available: int | None) -> str:
        monkeypatch.setattr(uci_options, "memory", lambda: available)
        return Server(CHESS, SearchPlayer("pvs"), print).options.offered()["Hash"]

    assert offered(None).endswith(" max 65536") and offered(10**14) == offered(None)
    assert offered(8 * 10**9).endswith(" max 6000") and offered(10**6).endswith(" max 64")


def test_a_search_that_fails_is_answered(monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]) -> None:
    def fails(*_: object) -> int:
        raise BadInput("a table of 64 MB does not fit")

    monkeypatch.setattr(SearchPlayer, "choose", fails)
    out = said("position startpos", "go movetime 50")
    assert "does not fit" in out[-2] and out[-2].startswith("info string")
    assert CHESS.parse_action(CHESS.start_state, out[-1].removeprefix("bestmove ")) >= 0
    assert "does not fit" in capsys.readouterr().err


def test_options_that_a_search_does_not_take_are_not_offered() -> None:
    offered = Server(CHESS, SearchPlayer("mcts"), print).options.offered()
    assert "Threads" in offered and not {"Hash", "MultiPV"} & set(offered)


def test_what_follows_a_move_at_once_is_done_in_its_order() -> None:
    """The thread that says the move is still busy with it when the next lines come."""
    lines, out = queue.Queue[str](), list[str]()

    def write(text: str) -> None:
        out.append(text)
        if text.startswith("bestmove"):
            for line in ("setoption name Nonsense value 1", "isready", "quit"):
                lines.put(line)
            time.sleep(0.3)

    for line in ("position startpos", "go depth 1"):
        lines.put(line)
    serve(CHESS, SearchPlayer("pvs"), iter(lines.get, "end"), write)
    assert ["info string" in line or line for line in out[-2:]] == [True, "readyok"]


def test_a_limited_strength_searches_fewer_nodes(talk: Talk) -> None:
    spent = []
    for elo in (1000, 1600, 2000):
        talk.say("setoption name UCI_LimitStrength value true", f"setoption name UCI_Elo value {elo}")
        talk.ask("position startpos", "go movetime 5000")
        spent.append(max(int(line.split(" nodes ")[1].split()[0]) for line in talk.heard if " nodes " in line))
        assert spent[-1] <= nodes_for_elo(elo) + 100
    assert spent == sorted(spent)
    measured = {1000: 95, 1400: 160, 1700: 360, 2000: 4000, 2200: 45_000, 2400: 500_000}  # docs/chess.md
    assert {elo: nodes_for_elo(elo) for elo in measured} == measured and 360 < nodes_for_elo(1800) < 4000


def test_limits_of_a_go_line_hold_together() -> None:
    limit = read_go("wtime 60000 btime 30000 winc 1000 binc 500 movestogo 10 depth 9 nodes 5000", 1).limit()
    assert (limit.depth, limit.nodes) == (9, 5000) and limit.time is not None and limit.time < 30
    many, few = (read_go(f"wtime 60000 btime 60000 movestogo {moves}", 0).limit().time for moves in (40, 2))
    assert many is not None and few is not None and many < few
    assert read_go("mate 3", 0).limit().depth == 14
    assert read_go("depth 999999999", 0).limit().depth == 1 << 20
    assert read_go("wtime -50 btime 5", 0).limit().time > 0  # type: ignore[operator]


def test_a_move_s_way_is_taken_off_the_clock(talk: Talk) -> None:
    for go in ("wtime 2000 btime 2000 movestogo 1", "movetime 2000"):
        usual, least, more = (read_go(go, 0, overhead).limit().time for overhead in (0.05, 0.0, 0.55))
        assert usual == least == read_go(go, 0).limit().time
        assert usual is not None and more == pytest.approx(usual - 0.5)
        assert 0 < (read_go(go, 0, 10.0).limit().time or 0) < 0.01
    assert any(line == "option name Move Overhead type spin default 50 min 50 max 10000" for line in talk.heard)
    talk.say("setoption name Move Overhead value 1800")
    began = time.monotonic()
    assert talk.ask("position startpos", "go movetime 2000") and time.monotonic() - began < 1


@pytest.mark.parametrize(
    ("place", "depth", "move", "lines", "total"),
    [
        ("startpos", 1, "a2a3", 1, 20),
        ("startpos", 3, "e2e4", 600, 8902),
        ("fen r3k2r/p1ppqpb1/bn2pnp1/3PN3/1p2P3/2N2Q1p/PPPBBPPP/R3K2R w KQkq - 0 1", 3, "e1g1", 2059, 97862),
        ("fen k7/8/8/8/8/8/8/K7 w - - 0 1", 2, "a1a2", 3, 9),
    ],
)
def test_perft_counts_the_lines_under_each_move(
    talk: Talk, place: str, depth: int, move: str, lines: int, total: int
) -> None:
    """The published numbers, which Stockfish prints."""
    talk.heard = []
    talk.say(f"position {place}", f"go perft {depth}", "isready")
    assert talk.hear("Nodes searched") == f"Nodes searched: {total}"
    assert f"{move}: {lines}" in talk.heard
    assert sum(int(line.split(": ")[1]) for line in talk.heard if re.match(r"[a-h]\d[a-h]\d", line)) == total


def test_perft_can_be_stopped(talk: Talk) -> None:
    talk.say("position startpos", "go perft 1000000", "isready")
    talk.hear("readyok")
    began = time.monotonic()
    talk.say("stop")
    assert "stopped" in talk.hear("info string") and time.monotonic() - began < 5
    assert talk.ask("go depth 1")


GARBAGE = [
    *(
        "uci",
        "isready",
        "go",
        "stop",
        "ponderhit",
        "position",
        "startpos",
        "fen",
        "moves",
        "e2e4",
        "e7e5",
        "depth",
        "1",
    ),
    *(
        "2",
        "nodes",
        "50",
        "infinite",
        "ponder",
        "ucinewgame",
        "setoption",
        "name",
        "Hash",
        "value",
        "-3",
        "searchmoves",
    ),
    *("\x00", "ünïcode", "8/8/8/8/8/8/8/8", "w", "KQkq", "mate"),
]
LIMITS = (
    *(
        "depth 1",
        "depth -1",
        "nodes 40",
        "nodes x",
        "movetime 1",
        "infinite",
        "ponder",
        "mate 2",
        "searchmoves e2e4 a2a3",
    ),
    *("wtime 5 btime 5", "winc 3", "movestogo 0", "depth", "perft 2", ""),
)


def random_game(rng: random.Random) -> str:
    """`position` and the moves of a game at random; now and then one of them is none."""
    state, moves = CHESS.start_state, list[str]()
    for _ in range(rng.randrange(60)):
        if CHESS.is_terminal(state):
            break
        action = rng.choice(list(CHESS.actions(state)))
        moves.append(CHESS.format_for_uci(state, action, {}))
        state = CHESS.result(state, action)
    if moves and rng.random() < 0.15:
        moves[rng.randrange(len(moves))] = rng.choice(GARBAGE)
    return " ".join(("position startpos moves", *moves))


def test_garbage_is_ignored_and_every_move_is_legal() -> None:
    rng, out = random.Random(5), list[str]()
    server, checked, refused = Server(CHESS, SearchPlayer("pvs"), out.append), 0, 0
    for _ in range(250):
        kind = rng.random()
        line = " ".join(rng.choice(GARBAGE) for _ in range(rng.randrange(1, 9)))
        if kind < 0.3:
            line = random_game(rng)
        elif kind < 0.8:
            line = "go " + " ".join(rng.sample(LIMITS, rng.randrange(4)))
        word, _, rest = understood(line.replace(" ", rng.choice((" ", "\t", "  "))), server.words).partition(" ")
        if word not in server.words:
            continue
        before = len(out)
        server.words[word](rest)
        server.finish_search()
        answers = [said.split()[1] for said in out[before:] if said.startswith("bestmove")]
        counted = any("Nodes searched" in said or "perft was stopped" in said for said in out[before:])
        assert len(answers) + counted == (word == "go") and (not counted or "perft" in rest)
        if answers in (["(none)"], ["0000"]):
            refused += 1
            assert server.refused if answers == ["0000"] else CHESS.is_terminal(server.states[-1])
        elif answers:
            checked += 1
            assert CHESS.parse_action(server.states[-1], answers[0]) in CHESS.actions(server.states[-1])
    server.leave()
    assert checked > 50 and refused > 5


@pytest.mark.parametrize("line", ["go\tdepth  1", "joho go depth 1", "  go depth 1 ", "register later go depth 1"])
def test_white_space_and_words_before_a_command_are_no_matter(line: str) -> None:
    out = said("position \t startpos  moves\te2e4", line)
    assert CHESS.parse_action(CHESS.play_moves(CHESS.start_state, "e4"), out[-1].split()[1]) >= 0


def test_a_game_that_goes_on_is_not_read_again(monkeypatch: pytest.MonkeyPatch) -> None:
    moves = ["e2e4", "e7e5", "g1f3", "b8c6", "f1b5", "a7a6"]
    whole = states_of(CHESS, " ".join(("startpos moves", *moves)))
    server, read, played_on = (
        Server(CHESS, SearchPlayer("pvs"), list[str]().append),
        list[int](),
        uci_position.played_on,
    )

    def counting(game: Game, states: list[Position], moves: list[str]) -> list[Position]:
        read.append(len(moves))
        return played_on(game, states, moves)

    for module in (uci_server, uci_position):
        monkeypatch.setattr(module, "played_on", counting)
    for count, new in ((2, 2), (4, 2), (6, 2), (6, 0), (3, 3)):
        read.clear()
        server.position(" ".join(("startpos moves", *moves[:count])))
        assert sum(read) == new and server.states == whole[: count + 1]
    server.position("startpos moves e2e4 e2e4")
    assert server.refused
    server.position("startpos moves e2e4 e7e5")
    assert not server.refused and server.states == whole[:3]


@pytest.mark.parametrize("line", ["a " * 300_000 + "isready", " " * 1_000_000 + "isready"])
def test_a_long_line_is_understood_in_linear_time(line: str) -> None:
    began = time.process_time()
    assert understood(line, {"isready"}) == "isready"
    assert time.process_time() - began < 3


def test_a_mate_that_is_short_enough_ends_the_search() -> None:
    """The search that is going on, not only one that has not begun."""
    state = CHESS.read_state("kbK5/pp6/1P6/8/8/8/8/R7 w - - 0 1")
    found = search(CHESS, state, depth=5)
    assert found.distance == 3
    for mate, stops in ((1, []), (2, ["stopped"]), (5, ["stopped"])):
        player, stopped = SearchPlayer("pvs"), list[str]()
        player.task = SimpleNamespace(stop=lambda stopped=stopped: stopped.append("stopped"))  # type: ignore[assignment]
        Server(CHESS, player, list[str]().append).teller(state, mate)(found)
        assert stopped == stops


def test_python_chess_drives_the_engine() -> None:
    chess = pytest.importorskip("chess")
    engine_module = pytest.importorskip("chess.engine")
    command = [sys.executable, "-m", "plywright", "engine", "chess", "--protocol", "uci"]
    engine = engine_module.SimpleEngine.popen_uci(command, timeout=120)
    try:
        engine.configure({"Hash": 16})
        board = chess.Board()
        for _ in range(6):
            played = engine.play(board, engine_module.Limit(time=0.05), info=engine_module.INFO_ALL)
            assert played.move in board.legal_moves
            board.push(played.move)
        lines = engine.analyse(board, engine_module.Limit(depth=5), multipv=2)
        assert len(lines) == 2 and lines[0]["pv"][0] != lines[1]["pv"][0]
        mate = engine.analyse(chess.Board("6k1/5ppp/8/8/8/8/5PPP/R5K1 w - - 0 1"), engine_module.Limit(depth=3))
        assert mate["score"].white() == engine_module.Mate(1)
        with engine.analysis(board, engine_module.Limit(time=60)) as analysis:
            for info in analysis:
                if info.get("depth", 0) >= 3:
                    break
        odd = chess.Board("1rk1r3/pppppppp/8/8/8/8/PPPPPPPP/1RK1R3 w EBeb - 0 1", chess960=True)
        assert engine.play(odd, engine_module.Limit(depth=2)).move in odd.legal_moves
    finally:
        engine.quit()


def test_the_suite_command(tmp_path, capsys: pytest.CaptureFixture[str]) -> None:  # type: ignore[no-untyped-def]
    file = tmp_path / "two.epd"
    back_rank = '6k1/5ppp/8/8/8/8/5PPP/R5K1 w - - bm Ra8#; id "back rank";'
    file.write_text(f'{back_rank}\n4k3/8/8/8/8/8/3q4/4K3 w - - am Kf1; id "take";\n')
    assert main(["suite", str(file), "--nodes", "2000"]) == 0
    out = capsys.readouterr().out
    assert "+ back rank" in out and "solved 2 of 2" in out
    assert main(["suite", str(file), "--nodes", "2000", "--json"]) == 0
    assert '"solved": 2' in capsys.readouterr().out
    file.write_text("4k3/8 w - -")
    assert main(["suite", str(file)]) == 2 and "line 1" in capsys.readouterr().err
    assert main(["suite", "nowhere.epd"]) == 2
    told = capsys.readouterr().err
    assert "classics" in told and told.count("nowhere.epd") == 1
    assert main(["suite", "classics", "--game", "nim"]) == 2
    from plywright.cli.search.suite import read_text

    problems = CHESS.parse_suite(read_text(CHESS, "classics"))
    assert len(problems) >= 30 and all(problem.best for problem in problems)


def test_a_suite_is_timed_by_the_clock_of_its_searches(monkeypatch: pytest.MonkeyPatch) -> None:
    """Not by one that runs while the game is compiled, as it is before the first position."""
    found = dataclasses.replace(search("tic-tac-toe", depth=1), seconds=0.01)

    def slow_to_start(*_: object, **__: object) -> Iterator[SearchResult]:
        time.sleep(0.2)
        yield found

    monkeypatch.setattr(suite, "analyse", slow_to_start)
    game = load_game("tic-tac-toe")
    told = suite.tried(game, Problem(game.start_state, (found.action,), (), ""), Limit(depth=1), 1)
    assert told["solved"] and told["seconds"] == told["took"] == 0.01


def test_the_evaluation_is_explained(capsys: pytest.CaptureFixture[str]) -> None:
    position = "r1bqkb1r/pppp1ppp/2n2n2/4p3/2B1P3/5N2/PPPP1PPP/RNBQ1RK1 b kq - 5 4"
    assert main(["best", "chess", "--state", position, "--nodes", "500", "--explain-evaluation"]) == 0
    out = capsys.readouterr().out
    assert "knight mobility" in out and "to move" in out and "sum" in out
    knowledge = __import__("plywright.knowledge", fromlist=["knowledge_of"]).knowledge_of(CHESS)
    state = CHESS.read_state(position)
    total = sum(term.worth[0] - term.worth[1] for term in knowledge.evaluation_terms(state))
    assert total == pytest.approx(100 * knowledge.evaluate(state, 0), abs=1e-6)
    assert main(["best", "chess", "--knowledge", "material", "--nodes", "500", "--explain-evaluation"]) == 0
    assert "3.25" in capsys.readouterr().out
    assert main(["best", "nim", "--depth", "1", "--explain-evaluation"]) == 2
