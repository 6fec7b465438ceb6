"""The Play room by its addresses: every game, forks, clocks, programs, saving, and what is refused."""

from __future__ import annotations

import asyncio
import json
import re
import sys
import time
from collections.abc import Callable, Iterator
from html import unescape
from pathlib import Path
from typing import Any

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st
from loops import finished

from plywright.errors import BadInput
from plywright.games import load_game
from plywright.games.registry import GAMES
from plywright.web import application
from plywright.web.play import analysis, streams
from plywright.web.play import move_search as thinking
from plywright.web.play import program_pool as program_pool
from plywright.web.play.position import Position
from plywright.web.play.seats import check_programs
from plywright.web.play.table import SHELF, Table
from plywright.web.search_queue import SearchQueue
from plywright.web.site import SiteOptions
from plywright.web.task_channel import TaskChannel
from plywright.web.worker_pool import settle

FIRST_LEGAL = """
import json, sys
for line in sys.stdin:
    said = json.loads(line)
    answer = {"hello": {"type": "hello"}, "ping": {"type": "pong", "id": said.get("id")}}.get(said["type"])
    if said["type"] == "go":
        answer = {"type": "move", "id": said["id"], "move": said["legal"][0]}
    if answer:
        print(json.dumps(answer), flush=True)
"""
OWN_GAME = '''
from typing import NamedTuple
from plywright import Game

class Place(NamedTuple):
    at: int
    mover: int

class Pacing(Game):
    """Two people on a ring of four: a place seen for the third time is a draw."""
    repetition = ("draw", 3)
    def initial(self): return Place(0, 0)
    def to_move(self, state): return state.mover
    def actions(self, state):
        yield 1
        yield 2
    def is_terminal(self, state): return False
    def result(self, state, action): return Place((state.at + action) % 4, 1 - state.mover)
    def utility(self, state, player): return 0
    def evaluate(self, state, player): return 0.0
'''


SECRET_GAME = """
from typing import NamedTuple
from plywright import Game

class Bids(NamedTuple):
    first: int
    second: int
    made: int

class Sealed(Game):
    def initial(self): return Bids(0, 0, 0)
    def to_move(self, state): return state.made
    def actions(self, state):
        yield 1
        yield 2
    def is_terminal(self, state): return state.made == 2
    def result(self, state, action):
        return Bids(action, 0, 1) if state.made == 0 else Bids(state.first, action, 2)
    def utility(self, state, player): return (state.first - state.second) * (1 - 2 * player)
    def observation(self, state, player):
        return state if state.made == 2 or player == 0 else Bids(0, state.second, state.made)
"""


@pytest.fixture(scope="module")
def table(client: Any, tmp_path_factory: pytest.TempPathFactory) -> Iterator[Any]:
    """A client of a page with a game and a program of the user's own."""
    folder = tmp_path_factory.mktemp("own")
    (folder / "pacing.py").write_text(OWN_GAME)
    (folder / "sealed.py").write_text(SECRET_GAME)
    monkeypatch = pytest.MonkeyPatch()
    monkeypatch.setattr(analysis, "HINT", 0.1)
    monkeypatch.setattr(analysis, "WHY", 0.05)
    monkeypatch.setattr(streams, "ROLLING", 0.01)
    app = application(
        [str(folder / "pacing.py"), str(folder / "sealed.py")], search_queue=SearchQueue(interpreted=True)
    )  # nothing is compiled for a few nodes
    with like(client, app) as found:
        yield found
    monkeypatch.undo()


def like(client: Any, app: Any) -> Any:
    """Another client of the same kind."""
    return type(client)(app, base_url="http://127.0.0.1:8137", raise_server_exceptions=True)


def seat(client: Any, game: str, *others: str, **fields: Any) -> Any:
    """A new table: a person in the first seat, and these in the others."""
    chosen = {f"seat{number}": who for number, who in enumerate(others, 1)}
    answer = client.submit("/play/new", **{"game": game, "pace": "nodes", "amount": 2, **chosen, **fields})
    assert answer.status_code == 200, answer.text
    return answer


def name_of(answer: Any) -> str:
    found = re.search(r"/play/t/([^/?]+)", str(answer.url))
    assert found is not None
    return found[1]


def legal(answer: Any) -> list[str]:
    found = re.search(r'<datalist id="legal">(.*?)</datalist>', answer.text, re.S)
    return [unescape(text) for text in re.findall(r'value="([^"]*)"', found[1])] if found else []


def play(client: Any, answer: Any, move: str, **more: Any) -> Any:
    ply = re.search(r'name="ply" value="(\d+)"', answer.text)
    assert ply is not None, answer.text
    return client.submit(f"/play/t/{name_of(answer)}/move", ply=ply[1], move=move, **more)


# -- every game -----------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("game", GAMES)
def test_every_game_can_be_begun_played_and_answered(table: Any, game: str) -> None:
    assert table.get("/play/new", params={"game": game}).status_code == 200
    assert table.get("/play/picture", params={"game": game}).headers["content-type"] == "image/svg+xml"
    answer = seat(table, game, seed=3, dice="at once")
    moved = thought = 0
    for _ in range(6):
        if moves := legal(answer):
            answer, moved = play(table, answer, moves[len(moves) // 2]), moved + 1
        elif "/think" in answer.text:
            answer, thought = table.submit(f"/play/t/{name_of(answer)}/go"), thought + 1
        assert answer.status_code == 200, answer.text
    moved = moved or "folded" in answer.text  # at poker the other may leave before anybody else has a choice
    assert moved and (thought or GAMES[game].cls in ("TwentyFortyEight", "SlipperyGrid", "HiddenCoin", "Pig"))


def test_games_are_offered_with_the_users_own_first(table: Any) -> None:
    cards = re.findall(r'href="/play/new\?game=([^"]*)"', table.get("/play").text)
    assert cards[0].endswith("pacing.py") and {*cards[2:]} == set(GAMES)


def test_a_game_without_a_picture_shows_its_fields_and_a_button_for_each_move(table: Any) -> None:
    answer = seat(table, table.app.state.catalogue.own[0], "human")
    assert '<th scope="row">at</th><td class="mono">0</td>' in answer.text
    assert "<h1>pacing.py</h1>" in answer.text, "the file, without its folders"
    assert '<button name="move" value="1">' in answer.text and '<button name="move" value="2">' in answer.text


def test_a_hidden_game_that_cannot_deal_is_played_by_what_is_seen(table: Any) -> None:
    answer = seat(table, table.app.state.catalogue.own[1], "human")
    answer = table.submit(f"/play/t/{name_of(answer)}/seat", seat=0)
    answer = play(table, answer, "2", seat=0)
    answer = table.submit(f"/play/t/{name_of(answer)}/seat", seat=1)
    assert '<th scope="row">first</th><td class="mono">0</td>' in answer.text and legal(answer) == ["1", "2"]
    assert "Player 1 wins." in play(table, answer, "1", seat=1).text


def test_a_position_seen_too_often_is_a_draw_in_words(table: Any) -> None:
    answer = seat(table, table.app.state.catalogue.own[0], "human")
    for _ in range(8):
        assert legal(answer)
        answer = play(table, answer, "2")
        if "A draw by repetition." in answer.text:
            break
    else:
        raise AssertionError("the game never ended")
    assert not legal(answer) and "Rematch" in answer.text


# -- a table ----------------------------------------------------------------------------------------------------------


def test_a_whole_game_ends_in_words_and_a_rematch_exchanges_the_seats(table: Any) -> None:
    answer = seat(table, "tic-tac-toe", "random", moves="a1b1a2b2")
    answer = play(table, answer, "a3")
    assert "X wins. X +1, O −1." in answer.text
    again = table.submit(f"/play/t/{name_of(answer)}/again", swap=1)
    assert name_of(again) != name_of(answer)
    assert Table.load(name_of(again)).seats == ["random", "human"] and len(Table.load(name_of(again)).actions) == 4


def test_a_link_with_moves_shows_the_position(client: Any) -> None:
    page = client.get("/play/new?game=othello&moves=f5d6").text
    assert "Black 3, White 3; Black to move" in page and 'name="moves" value="f5d6"' in page
    wrong = client.get("/play/new?game=othello&moves=f5a1")
    assert wrong.status_code == 400 and "move 2" in wrong.text


def test_a_move_at_an_earlier_ply_begins_a_table_of_its_own(table: Any) -> None:
    answer = seat(table, "tic-tac-toe", "human", moves="a1b1a2")
    first = name_of(answer)
    earlier = table.get(f"/play/t/{first}?ply=1")
    assert "Moment 1 of 3" in earlier.text
    same = table.submit(f"/play/t/{first}/move", ply=1, move="b1")
    assert name_of(same) == first and "ply=2" in str(same.url), "the same move again is the same game"
    other = table.submit(f"/play/t/{first}/move", ply=1, move="c3")
    assert name_of(other) != first
    assert len(Table.load(first).actions) == 3 and len(Table.load(name_of(other)).actions) == 2


def test_what_was_undone_with_dice_brings_the_same_dice(table: Any) -> None:
    answer = seat(table, "pig", "human", seed=11)
    name, rolls = name_of(answer), []
    play(table, answer, "roll")
    table.submit(f"/play/t/{name}/go")
    rolls.append(Table.load(name).actions[1])
    forked = table.submit(f"/play/t/{name}/from", ply=1)
    assert name_of(forked) != name
    again = table.submit(f"/play/t/{name_of(forked)}/go")
    rolls.append(Table.load(name_of(again)).actions[1])
    assert rolls[0] == rolls[1] and re.search(r"Chance brought \d \(probability 1/6\)", again.text)


def test_flipping_is_kept_with_the_table(table: Any) -> None:
    name = name_of(seat(table, "breakthrough:columns=4,rows=4", "human"))
    assert " flipped" not in table.get(f"/play/t/{name}").text
    assert " flipped" in table.submit(f"/play/t/{name}/flip").text
    assert " flipped" in table.get(f"/play/t/{name}").text


def test_a_game_is_saved_and_loaded_in_its_notation(table: Any) -> None:
    name = name_of(seat(table, "othello:size=6", "human", moves="e4c5"))
    saved = table.get(f"/play/t/{name}/save?notation=moves")
    assert saved.text == "e4c5\n" and "attachment" in saved.headers["content-disposition"]
    whole = table.get(f"/play/t/{name}/save?notation=ggf").text
    assert whole.startswith("(;GM[Othello]")
    shown = table.get("/play/new", params={"game": "othello:size=6", "moves": whole}).text
    assert 'name="moves" value="e4c5"' in shown and 'name="start" value=""' in shown
    again = Table.load(name_of(seat(table, "othello:size=6", "human", moves=whole)))
    assert (again.actions, again.start) == (Table.load(name).actions, "")
    dice = seat(table, "backgammon", "human", moves="65 24/13 31")
    moves = table.get(f"/play/t/{name_of(dice)}/save?notation=moves").text.strip()
    assert Table.load(name_of(seat(table, "backgammon", "human", moves=moves))).actions[:3] == [
        *Table.load(name_of(dice)).actions[:3]
    ]


def test_a_game_in_ggf_brings_the_board_it_began_from(table: Any) -> None:
    game = load_game("othello:size=4")
    start = game.play_moves(game.start_state, "b1")
    record = game.format_game(start, [int(action) for action in game.actions(start)][:1], "ggf", names=["A]", "B"])
    found = Table.load(name_of(seat(table, "othello:size=4", "human", moves=record)))
    assert found.start == game.format_state(start) and len(found.actions) == 1
    for wrong, words in (
        ({"start": game.format_state(start)}, "leave the state empty"),
        ({"game": "othello"}, "choose othello:size=4"),
        ({"moves": record[:-2]}, "breaks off after W["),
        ({"moves": record.replace("W[", "B[")}, "it is White's turn there"),
    ):
        answer = table.get("/play/new", params={"game": "othello:size=4", "moves": record, **wrong})
        assert answer.status_code == 400 and words in unescape(answer.text), wrong


def test_two_tabs_do_not_play_twice(table: Any) -> None:
    answer = seat(table, "tic-tac-toe", "first")
    answer = play(table, answer, "b2")
    name = name_of(answer)
    table.submit(f"/play/t/{name}/go")
    table.submit(f"/play/t/{name}/go")
    assert len(Table.load(name).actions) == 2


# -- clocks -----------------------------------------------------------------------------------------------------------


def test_the_time_of_a_move_holds_for_people_where_the_table_says_so(table: Any) -> None:
    """A person who oversteps loses, as the referee rules; where people are free the page says so beside the choice."""
    page = table.get("/play/new?game=tic-tac-toe").text
    assert "all but people</option>" in page and "a person who takes longer loses" in page
    held, free = (name_of(seat(table, "tic-tac-toe", "first", pace="move", amount=5, held=held)) for held in ("1", ""))
    shown = table.get(f"/play/t/{held}").text
    assert re.search(r'data-left="(5\.0|4\.\d)" data-runs="1" data-ends="1"', shown), "the clock runs in view"
    assert 'data-runs="1"' not in table.get(f"/play/t/{free}").text
    for name, seconds in ((held, 0.5), (held, 6), (free, 500)):
        saved = Table.load(name)
        saved.since = time.time() - seconds
        saved.keep()
        late = table.get(f"/play/t/{name}")
        lost = name == held and seconds > 5
        assert ("X has run out of time. O wins." in late.text) == lost == (not legal(late)), (seconds, late.text)
    assert table.submit(f"/play/t/{held}/move", ply=0, move="a1").status_code == 400
    assert table.submit(f"/play/t/{free}/move", ply=0, move="a1").status_code == 200
    assert legal(table.submit(f"/play/t/{held}/again")), "the clock of a rematch is a new one"


def test_a_flag_that_falls_ends_a_game_with_a_budget(table: Any) -> None:
    answer = seat(table, "tic-tac-toe", "human", pace="budget", amount=60, increment=2)
    name = name_of(answer)
    answer = play(table, answer, "b2")
    saved = Table.load(name)
    assert saved.mode == "budget:60s+2s" and 0 <= saved.notes[0]["seconds"] < 5
    assert re.search(r'data-left="6[12]\.\d" data-runs="0"', answer.text), "time used is taken off, the increment added"
    saved.since = time.time() - 61
    saved.keep()
    late = table.get(f"/play/t/{name}").text
    assert "O has run out of time. X wins." in late and not legal(table.get(f"/play/t/{name}"))
    assert table.submit(f"/play/t/{name}/move", ply=1, move="a1").status_code == 400
    forked = table.submit(f"/play/t/{name}/move", ply=0, move="a1")
    assert forked.status_code == 200 and legal(forked), "from before, the game can go on"


def test_free_time_has_no_clock_and_a_move_mode_none_for_people(table: Any) -> None:
    assert 'data-behaviour="clock"' not in seat(table, "tic-tac-toe", "human", pace="depth", amount=2).text
    answer = seat(table, "tic-tac-toe", "engine", pace="move", amount=2)
    assert answer.text.count('data-behaviour="clock"') == 1


# -- streams ----------------------------------------------------------------------------------------------------------


def events(client: Any, address: str) -> list[tuple[str, str]]:
    mark = "&" if "?" in address else "?"
    body = client.get(f"{address}{mark}token={client.app.state.token}").text
    return re.findall(r"event: (\w+)\ndata: (.*)\n", body)


def test_the_engine_streams_its_thoughts_and_then_where_to_go(table: Any) -> None:
    answer = seat(table, "tic-tac-toe", "engine", pace="depth", amount=3, engine1="pvs")
    name = name_of(play(table, answer, "b2"))
    sent = events(table, f"/play/t/{name}/think?ply=1")
    thoughts = [json.loads(data)["thought"] for kind, data in sent if kind == "parts"]
    assert thoughts and all(word in thoughts[-1] for word in ("depth", "value", "line", "nodes", "/s"))
    assert sent[-2] == ("visit", f"/play/t/{name}?ply=2")
    assert {"value", "depth", "nodes", "seconds"} <= set(Table.load(name).notes[1])
    assert "Winning chance of X" in table.get(f"/play/t/{name}").text, "the graph of values has grown"


def test_dice_roll_in_view_and_the_stream_says_where_to_go(table: Any) -> None:
    answer = play(table, seat(table, "pig", "human", seed=5), "roll")
    assert "Chance decides." in answer.text
    assert events(table, f"/play/t/{name_of(answer)}/think?ply=1")[-2][1].endswith("ply=2")


def test_a_hint_says_what_is_best_and_where(table: Any) -> None:
    name = name_of(seat(table, "tic-tac-toe", "human", moves="a1b1a2b2"))
    last = json.loads([data for kind, data in events(table, f"/play/t/{name}/hint?ply=4") if kind == "parts"][-1])
    assert 'data-best="a3"' in last["advice"] and "Best is a3." in last["advice"] and "proved" in last["advice"]


def test_why_not_gives_the_refutation_and_its_tree(table: Any) -> None:
    name = name_of(seat(table, "tic-tac-toe", "human", moves="a1b1a2b2"))
    page = table.get(f"/play/t/{name}?ply=4&why=c1").text
    assert f"/play/t/{name}/why?ply=4&amp;why=c1" in page or f"/play/t/{name}/why?ply=4&why=c1" in page
    last = json.loads([data for kind, data in events(table, f"/play/t/{name}/why?ply=4&why=c1") if kind == "parts"][-1])
    assert (
        "with a3: wins in 1 ply." in last["reason"]
        and "The answer is b3" in last["reason"]
        and "<svg" in last["reason"]
    )
    assert table.get(f"/play/t/{name}/why?ply=4&why=a1&token={table.app.state.token}").status_code == 400


@pytest.mark.parametrize("game", ["pig", "dice-race", "kuhn", "jewels"])
def test_why_not_and_hint_work_in_games_of_every_kind(table: Any, game: str) -> None:
    answer = seat(table, game, "human", *["human"] * 2, seed=1, dice="at once")
    if not legal(answer):
        answer = table.submit(f"/play/t/{name_of(answer)}/seat", seat=0)
    for what, part in (("hint", "advice"), ("why", "reason")):
        sent = events(table, f"/play/t/{name_of(answer)}/{what}?ply=0&seat=0&why={legal(answer)[-1]}")
        assert [kind for kind, _ in sent if kind == "problem"] == []
        assert json.loads([data for kind, data in sent if kind == "parts"][-1])[part].strip()


def test_whoever_closes_the_page_stops_the_engine(data_folder: str) -> None:
    game = load_game("othello:size=6")
    table = Table(game.name, ["search", "human"], "move:60s", 1).settle(game)

    async def main() -> None:
        search_queue = SearchQueue(1, interpreted=True)
        search_queue.serve(SiteOptions())
        try:
            watched = search_queue.watch(thinking.ponder, table.name, 0, 60.0, False)
            assert (await anext(watched)).name == "parts"
            await watched.aclose()
            for _ in range(500):
                if search_queue.searches.running == 0:
                    break
                await asyncio.sleep(0.02)
            assert search_queue.searches.running == 0, "the engine thinks on, and nobody listens"
            assert len(search_queue.pool.waiting) == 2, "it was asked to end, and did: the worker is kept"
        finally:
            search_queue.close()

    finished(main())


def test_the_table_of_a_search_is_there_for_the_next_move_of_its_game(data_folder: str) -> None:
    game = load_game("othello")
    table = Table(game.name, ["search", "search"], "nodes:30000", 1).settle(game)
    settle(SiteOptions())
    channel = TaskChannel(lambda *item: None)
    kept = []
    for ply in range(4):
        thought = thinking.ponder(channel, table.name, ply, None, False)
        table.actions.append(thought.action)
        table.notes.append({})
        table.keep()
        kept.append(thinking.before[table.name, ply % 2].work.table)
    assert kept[2] is kept[0] and kept[3] is kept[1] and kept[0] is not kept[1]


# -- programs ---------------------------------------------------------------------------------------------------------


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


# -- mistakes ---------------------------------------------------------------------------------------------------------


def test_mistakes_are_sentences(table: Any) -> None:
    name = name_of(seat(table, "tic-tac-toe", "human"))
    for address in (
        f"/play/t/{name}?ply=7",
        f"/play/t/{name}?ply=x",
        f"/play/t/{name}?ply=0&why=z9",
        "/play/new?game=./x.py",
        "/play/new?game=nim&start=x",
    ):
        answer = table.get(address)
        assert answer.status_code == 400 and 'id="message"' in answer.text
    assert table.get("/play/t/nothing").status_code == 404
    assert "legal: a1" in unescape(table.submit(f"/play/t/{name}/move", ply=0, move="z9").text)
    assert table.post(f"/play/t/{name}/move", data={"ply": 0, "move": "a1"}).status_code == 403


def test_a_table_of_nonsense_on_disk_is_missing(table: Any) -> None:
    for content in ([], {"game": 3}, {"game": "nim", "seats": [], "mode": "x", "seed": 1}, "text"):
        assert table.get(f"/play/t/{SHELF.add(content)}").status_code == 404
    broken = Table("tic-tac-toe", ["human", "human"], "depth:1", 1, actions=[0, 0], notes=[{}, {}]).keep()
    assert table.get(f"/play/t/{broken.name}").status_code == 400


TEXTS = st.one_of(
    st.text(max_size=30),
    st.sampled_from(
        ["", "0", "-1", "1e9", "nan", "tic-tac-toe", "kuhn", "human", "engine", "a1", "move", "../x", "[]"]
    ),
)
GET = [
    "/play",
    "/play/new",
    "/play/picture",
    *(f"/play/t/{{}}{end}" for end in ("", "/save", "/think", "/hint", "/why")),
]
POST = ["/play/new", *(f"/play/t/{{}}/{end}" for end in ("move", "seat", "go", "now", "flip", "from", "again"))]
SEATS = ("seat0", "seat1", "engine1", "swap", "token")
FIELDS = (
    "game",
    "start",
    "moves",
    "ply",
    "move",
    "seat",
    "why",
    "hint",
    "open",
    "notation",
    "pace",
    "amount",
    "seed",
    "held",
)


@pytest.mark.parametrize(("method", "address"), [*(("get", a) for a in GET), *(("post", a) for a in POST)])
@settings(max_examples=50, deadline=None, suppress_health_check=list(HealthCheck))
@given(fields=st.dictionaries(st.sampled_from(FIELDS + SEATS), TEXTS, max_size=5))
def test_no_request_is_answered_by_a_fault(table: Any, method: str, address: str, fields: dict[str, str]) -> None:
    made = Table("kuhn" if len(fields) % 2 else "tic-tac-toe", ["human", "first"], "nodes:2", 1).settle(
        table.app.state.catalogue["kuhn" if len(fields) % 2 else "tic-tac-toe"]
    )
    place = address.format(made.name)
    if method == "get":
        answer = table.get(place, params={**fields, **({} if "token" in fields else token(table))})
    else:
        answer = table.post(place, data={**token(table), **fields})
    assert answer.status_code in (200, 400, 403, 404), answer.text


def token(client: Any) -> dict[str, str]:
    return {"token": client.app.state.token}


def test_the_table_names_the_opening(table: Any) -> None:
    answer = seat(table, "othello", "human", moves="f5d6c3d3c4")
    assert "Opening: Tiger." in answer.text
    assert "Opening:" not in seat(table, "othello:size=6", "human", moves="e4c5").text
