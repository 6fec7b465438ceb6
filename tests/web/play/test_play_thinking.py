"""The Play room by its addresses: clocks, and what streams while the others think."""

from __future__ import annotations

import asyncio
import json
import re
import time
from typing import Any

import pytest
from loops import finished

from plywright.games import load_game
from plywright.web.play import move_search as thinking
from plywright.web.play.table import Table
from plywright.web.search_queue import SearchQueue
from plywright.web.site import SiteOptions
from plywright.web.task_channel import TaskChannel
from plywright.web.worker_pool import settle
from tables import legal, name_of, play, seat

# -- clocks -----------------------------------------------------------------------------------------------------------


def test_the_time_of_a_move_holds_for_people_where_the_table_says_so(table: Any) -> None:
    """A person who oversteps loses, as the referee rules; where people are free the page says so beside the choice."""
    page = table.get("/play/new?game=tic-tac-toe").text
    assert "all but people</option>" in page and "a person who takes longer loses" in page
    held, free = (name_of(seat(table, "tic-tac-toe", "first", pace="move", amount=50, held=held)) for held in ("1", ""))
    shown = table.get(f"/play/t/{held}").text
    assert re.search(r'data-left="(50\.0|4\d\.\d)" data-runs="1" data-ends="1"', shown), "the clock runs in view"
    assert 'data-runs="1"' not in table.get(f"/play/t/{free}").text
    for name, seconds in ((held, 0.5), (held, 60), (free, 500)):
        saved = Table.load(name)
        saved.since = time.time() - seconds
        saved.keep()
        late = table.get(f"/play/t/{name}")
        lost = name == held and seconds > 50
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
