"""The Matches room: what may be started, runs that outlive the page, standings that become final, replays."""

from __future__ import annotations

import contextlib
import json
import re
import shutil
import sqlite3
import sys
import time
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from plywright.arena.match import MATCH, play_match
from plywright.arena.records.run_file import Records
from plywright.arena.schedules.progress import Progress
from plywright.arena.schedules.schedule import WIDE
from plywright.arena.standings import standings
from plywright.errors import BadInput
from plywright.games import load_game
from plywright.web import application
from plywright.web.catalogue import Catalogue
from plywright.web.errors import Missing
from plywright.web.fields import Fields
from plywright.web.matches import live, process
from plywright.web.matches.match_form import check_mode, check_player, read_plan
from plywright.web.matches.run_queue import RESTING, RUNNING, WAITING, RunQueue, run_queue_of
from plywright.web.matches.run_view import latest_shown, remarks
from plywright.web.matches.runs import delete_run, new_run, path_of, runs_folder, summaries

ASKED = {"kind": "match", "game": "tic-tac-toe", "players": "random\nfirst", "games": "4", "mode": "nodes:10"}
TIMID = settings(max_examples=50, deadline=None, suppress_health_check=[HealthCheck.function_scoped_fixture])


@pytest.fixture(scope="module")
def finished(data_folder: str) -> str:
    """A run that has been played: six games."""
    path = runs_folder() / "done-1.plywright"
    play_match(["random", "alphabeta:depth=2"], "tic-tac-toe", games=6, mode="nodes:50", record=path, kind=MATCH)
    return "done-1"


@pytest.fixture
def run_queue() -> Iterator[RunQueue]:
    found = RunQueue()
    yield found
    for name in (*found.line, found.current):
        found.stop(name)
    found.wait(20)


def rest(run_queue: RunQueue, name: str) -> None:
    """Wait until a run is neither played nor waiting."""
    end = time.monotonic() + 60
    while run_queue.standing(name)[0] != RESTING:
        assert time.monotonic() < end
        time.sleep(0.05)


def planned(**changes: str) -> str:
    return new_run(read_plan(Fields(ASKED | changes), Catalogue(), ()))


# -- what may be asked for ---------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    "text",
    [
        "./player.py",
        "player.py:Player",
        "pipe:rm -rf /",
        "uci:stockfish",
        "policy:/etc/passwd",
        "human",
        "mixture:0.5*random+0.5*./x.py",
        "mixture:0.5*random+0.5*pipe:ls",
        "mixture:1*policy:x",
        "random:depth=2/../x.py",
        "alphabeta:depth=99",
        "mcts:simulations=999999999",
        "alphabeta:table=100000",
        "search:time=60",
        "",
        "nonsense",
    ],
)
def test_files_programs_and_giants_are_refused(text: str) -> None:
    with pytest.raises(BadInput, match="players"):
        check_player(text, ())


def test_what_was_named_at_the_start_may_be_chosen() -> None:
    check_player("./player.py", ("./player.py",))
    for text in ("random", "alphabeta:depth=4", "mixture:0.8*alphabeta:depth=2+0.2*random", "best-reply:depth=2"):
        check_player(text, ())


def test_without_a_seed_programs_cannot_guess_the_deals() -> None:
    bot = f"pipe:{shutil.which('true')}"
    asked = {"game": "kuhn", "players": f"{bot}\nrandom", "games": "2", "mode": "depth:1"}
    seeds = {read_plan(Fields(asked), Catalogue(), [bot]).seed for _ in range(2)}
    assert len(seeds) == 2 and min(seeds) >= WIDE
    assert read_plan(Fields({**asked, "seed": "7"}), Catalogue(), [bot]).seed == 7
    assert read_plan(Fields({**asked, "players": "first\nrandom"}), Catalogue(), [bot]).seed == 1


def test_limits_of_time_and_games() -> None:
    assert check_mode("move:200ms") == "move:0.2s"
    for text in ("move:11s", "budget:10m", "budget:1s+11s", "depth:50", "nodes:99999999"):
        with pytest.raises(BadInput, match="at most"):
            check_mode(text)
    for wrong, words in (
        ({"games": "2001"}, "games"),
        ({"kind": "tournament", "players": "random\n" * 10, "games": "100"}, "would play"),
        ({"openings": "/etc/passwd"}, "openings"),
        ({"game": "./mine.py"}, "not a game of this page"),
        ({"players": "random"}, "from 2"),
        ({"mode": "whenever"}, "not a mode"),
    ):
        with pytest.raises(BadInput, match=words):
            read_plan(Fields(ASKED | wrong), Catalogue(), ())


# -- runs in the background ----------------------------------------------------------------------------------------


def test_one_run_at_a_time_the_next_waits_and_all_are_finished(data_folder: str, run_queue: RunQueue) -> None:
    first, second = planned(), planned(seed="2")
    run_queue.start(first)
    run_queue.start(second)
    run_queue.start(second)
    assert run_queue.standing(first)[0] == RUNNING and run_queue.standing(second) == (WAITING, 1)
    rest(run_queue, first)
    rest(run_queue, second)
    found = {run.name: run for run in summaries()}
    for name in (first, second):
        assert found[name].is_finished and found[name].played == 4
        with Records.open(path_of(name)) as records:
            assert len(records.sessions()) == 1


def test_a_run_that_was_stopped_goes_on_where_it_was(data_folder: str, run_queue: RunQueue) -> None:
    name = planned(games="2000", players="random\nrandom")
    run_queue.start(name)
    end = time.monotonic() + 60
    while not next(run.played for run in summaries() if run.name == name):
        assert time.monotonic() < end
        time.sleep(0.05)
    run_queue.stop(name)
    rest(run_queue, name)
    before = next(run for run in summaries() if run.name == name)
    assert 0 < before.played < 2000 and not before.is_finished
    other = RunQueue()  # as after a start of the server
    other.start(name)
    while next(run.played for run in summaries() if run.name == name) <= before.played:
        assert time.monotonic() < end
        time.sleep(0.05)
    other.stop(name)
    rest(other, name)
    with Records.open(path_of(name)) as records:
        assert len(records.sessions()) == 2
    delete_run(name)
    with pytest.raises(Missing):
        path_of(name)


def test_the_game_under_way_is_seen_move_by_move(data_folder: str, monkeypatch: pytest.MonkeyPatch) -> None:
    name = planned(games="2", openings="start")
    path, seen = path_of(name), []

    class Watched(live.Camera):
        def __call__(self, *about: Any) -> None:
            super().__call__(*about)
            seen.append(live.live_shown(load_game("tic-tac-toe"), self.plan, path))

    monkeypatch.setattr(live, "PAUSE", 0.0)
    monkeypatch.setattr(process, "Camera", Watched)
    process.play(path)
    first = [board for board in seen if board and board["number"] == 1]
    assert [board["ply"] for board in first] == list(range(1, len(first) + 1)) and len(first) >= 5
    assert {board["words"] for board in seen if board} == {"random v first", "first v random"}
    assert all(
        board["picture"].text.count("X") == (board["ply"] + 1) // 2 + ("X to move" in board["picture"].text)
        for board in first[:4]
    )
    assert re.fullmatch(r"/play/new\?game=tic-tac-toe&start=&moves=[abc123+]{8}", first[2]["address"])
    assert not live.live_of(path).exists() and live.live_mark(path) == 0, "nothing is left when the run is over"
    live.live_of(path).write_text('{"game": 1, "actions": [77]}')
    with Records.open(path) as records:
        assert live.live_shown(load_game("tic-tac-toe"), records.plan, path) is None
    delete_run(name)
    assert not live.live_of(path).exists()


def test_boards_of_the_last_games_are_those_that_count(data_folder: str) -> None:
    """A game that was void is played again; how it stood when the machine was overloaded is no ending."""
    path = runs_folder() / "void-1.plywright"
    play_match(["random", "first"], "tic-tac-toe", games=4, mode="nodes:10", record=path, kind=MATCH)
    with contextlib.closing(sqlite3.connect(path)) as connection, connection:
        connection.execute("UPDATE games SET payoffs = NULL, termination = 'void' WHERE game = 4")
    with Records.open(path) as records:
        assert [board["number"] for board in latest_shown(load_game("tic-tac-toe"), records)] == [3, 2, 1]
        found = standings(Progress(records.plan, records.outcomes()), load_game("tic-tac-toe"))
    assert "Elo counts the 2 games that are whole pairs, with the seats changed" in remarks(found)
    delete_run("void-1")


# -- over HTTP -----------------------------------------------------------------------------------------------------


def test_every_page_of_a_run_is_whole(client: Any, finished: str) -> None:
    home = f"/matches/runs/{finished}"
    for address in (
        "/matches",
        home,
        f"{home}?page=9",
        f"{home}/games/1",
        f"{home}/games/6?at=3",
        f"{home}/games/2?at=99",
    ):
        answer = client.get(address)
        assert answer.status_code == 200 and "</html>" in answer.text, address
    run = client.get(home).text
    assert "6 of 6 games; finished" in run and "Resume" not in run and "data-stream" not in run
    game = client.get(f"{home}/games/1?at=2").text
    assert re.search(r'aria-current="true"><td class="number">2<', game) and "<svg" in game
    for missing in ("/matches/runs/nothing", "/matches/runs/..%2fx", f"{home}/games/77", "/matches/runs/.hidden"):
        assert client.get(missing).status_code == 404


def test_report_and_games_can_be_taken_along(client: Any, finished: str) -> None:
    report = client.get(f"/matches/runs/{finished}/report")
    assert report.headers["content-disposition"] == f'attachment; filename="{finished}.html"'
    assert "<!doctype html>" in report.text
    lines = client.get(f"/matches/runs/{finished}/export").text.splitlines()
    assert [json.loads(line)["number"] for line in lines] == [1, 2, 3, 4, 5, 6]
    assert client.get(f"/matches/runs/{finished}/export?form=text").text.startswith("# 1: random v alphabeta")
    assert client.get(f"/matches/runs/{finished}/export?form=pgn%22").status_code == 400


def test_mistakes_in_the_form_are_sentences(client: Any) -> None:
    answer = client.submit("/matches/start", **(ASKED | {"players": "./evil.py\nrandom"}))
    assert answer.status_code == 400 and "--program" in answer.text
    assert client.post("/matches/start", data=ASKED).status_code == 403
    for act in ("stop", "resume", "delete"):
        assert client.submit(f"/matches/runs/nothing/{act}").status_code == 404


def test_a_run_with_a_program_is_not_resumed_unless_it_was_named(client: Any, data_folder: str) -> None:
    path = runs_folder() / "foreign-1.plywright"
    play_match(["random", "first"], "tic-tac-toe", games=2, mode="nodes:5", record=path)
    with Records.open(path) as records:
        plan = records.plan.as_dict()
    plan["players"][1]["text"] = "pipe:touch /tmp/evil"
    import sqlite3

    with sqlite3.connect(path) as connection:
        connection.execute("UPDATE run SET value = ? WHERE name = 'plan'", (json.dumps(plan),))
    connection.close()
    assert client.submit("/matches/runs/foreign-1/resume").status_code == 400
    assert client.submit("/matches/runs/foreign-1/delete").status_code == 400
    assert client.submit("/matches/runs/foreign-1/delete", sure="yes").status_code == 200
    assert not path.exists()


def test_the_keeper_belongs_to_one_server(data_folder: str) -> None:
    app = application()
    assert run_queue_of(app) is run_queue_of(app) and run_queue_of(app) is not run_queue_of(application())


odd = st.sampled_from(["", "0", "-1", "1e99", "<odd>", "x" * 3000, "match", "\u0000é", "../x", "a\nb", "5"])
names = ["kind", "game", "players", "games", "mode", "openings", "seed", "token", "page", "at", "form", "sure"]
places = ["", "/start", "/runs/done-1", "/runs/done-1/games/1", "/runs/done-1/export", "/runs/x/stop", "/runs/x/resume"]
places += ["/runs/x/delete", "/runs/done-1/stream", "/runs/<odd>", "/runs/done-1/games/0"]


@TIMID
@given(
    place=st.sampled_from(places), fields=st.dictionaries(st.sampled_from(names), odd, max_size=4), post=st.booleans()
)
def test_strange_fields_are_never_a_fault(
    client: Any, finished: str, place: str, fields: dict[str, str], post: bool
) -> None:
    filled = {**ASKED, "game": "nonsense", "token": client.app.state.token, **fields}
    answer = client.post(f"/matches{place}", data=filled) if post else client.get(f"/matches{place}", params=fields)
    assert answer.status_code in (200, 400, 403, 404, 405)
    assert "<odd>" not in answer.text


# -- in the browser ------------------------------------------------------------------------------------------------


def test_start_a_match_see_it_become_final_and_replay_a_game(browse: Any) -> None:
    page = browse("/matches")
    page.get_by_label("Game", exact=True).fill("tic-tac-toe")
    page.get_by_label("Players, one per line").fill("random\nfirst")
    page.get_by_label("Games of each pairing").fill("10")
    page.get_by_label("Time").fill("nodes:10")
    page.get_by_role("button", name="Start").click()
    page.wait_for_url("**/matches/runs/tic-tac-toe-match-*")
    page.get_by_text("10 of 10 games; finished").wait_for()
    assert page.locator("#standings tbody tr").count() == 2
    games = [cell.inner_text() for cell in page.locator("#standings tbody tr td:nth-child(4)").all()]
    assert games == ["10", "10"]
    page.get_by_role("link", name="Game 3").click()
    page.wait_for_url("**/games/3")
    page.keyboard.press("ArrowRight")
    page.wait_for_url("**/games/3?at=1")
    page.locator("#next").click()
    page.wait_for_url("**/games/3?at=2")
    assert page.locator(".moves .here").inner_text().split("\t")[0].strip() == "2"
    assert page.locator("#position svg").evaluate("e => e.namespaceURI") == "http://www.w3.org/2000/svg"
    page.go_back()
    page.wait_for_url("**/games/3?at=1")


def test_a_mistake_leaves_the_form_as_it_is(chromium: Any, address: str) -> None:
    page = chromium.new_page(base_url=address)
    page.goto("/matches")
    page.get_by_label("Players, one per line").fill("randm\nfirst")
    page.get_by_role("button", name="Start").click()
    page.get_by_role("alert").get_by_text("randm").wait_for()
    assert page.get_by_label("Players, one per line").input_value() == "randm\nfirst"
    page.close()


@pytest.mark.parametrize("scheme", ["light", "dark"])
def test_room_is_accessible(browse: Any, accessible: Any, finished: str, scheme: str) -> None:
    page = browse("/matches", color_scheme=scheme)
    accessible(page)
    for place in ("", "/games/2?at=3"):
        page.goto(f"/matches/runs/{finished}{place}")
        accessible(page)
    page.set_viewport_size({"width": 380, "height": 800})
    assert page.evaluate("document.documentElement.scrollWidth <= innerWidth")


def test_a_record_makes_the_process_run_nothing_the_page_was_not_started_with(data_folder: str, tmp_path: Path) -> None:
    trace, trap = tmp_path / "trace", tmp_path / "trap.py"
    trap.write_text(f"open({str(trace)!r}, 'w').close()\n")
    changes = [('"first"', json.dumps(str(trap))), ('"tic-tac-toe"', json.dumps(str(trap)))]
    changes += [('"first"', json.dumps(f"pipe:{sys.executable} {trap}"))]
    for before, after in changes:
        name = planned()
        with contextlib.closing(sqlite3.connect(path_of(name))) as database, database:
            database.execute("UPDATE run SET value = replace(value, ?, ?)", (before, after))
        with pytest.raises(BadInput, match="plywright web --"):
            process.play(path_of(name))
        assert not trace.exists()
    name = planned()
    with contextlib.closing(sqlite3.connect(path_of(name))) as database, database:
        database.execute('UPDATE run SET value = replace(value, \'"source": "\', \'"source": "/etc/\')')
    with pytest.raises(BadInput, match="on a terminal"):
        process.play(path_of(name))
