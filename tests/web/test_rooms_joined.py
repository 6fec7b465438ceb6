"""From one room to another: a position is the same in each, addresses can be short, and a match counts as it goes."""

from __future__ import annotations

import json
import re
import time
from html import unescape
from typing import Any

import pytest

from plywright import load_game
from plywright.web.doors import doors
from plywright.web.matches.routes import progress_of
from plywright.web.site import SiteOptions
from plywright.web.worker_pool import settle
from tables import name_of, play, seat


@pytest.mark.parametrize(
    ("game", "start", "moves", "rooms"),
    [
        ("tic-tac-toe", "", "b2 a1", ["Tree lab", "Matches"]),
        ("pig:target=20", "", "roll 3", ["Tree lab", "Chance", "Matches"]),
        ("kuhn", "", "", ["Matches"]),
    ],
)
def test_a_position_is_there_in_every_room_that_can_show_it(
    client: Any, game: str, start: str, moves: str, rooms: list[str]
) -> None:
    found = doors(load_game(game), game, start, moves, "play")
    assert [door.title for door in found] == rooms
    for door in found:
        answer = client.get(door.address)
        assert answer.status_code == 200, door
        if door.title == "Chance":
            assert "/play/new?game=pig" in answer.text, "and there is a way back"


def test_a_table_leads_to_the_other_rooms(client: Any) -> None:
    shown = play(client, seat(client, "tic-tac-toe", "human"), "b2")
    assert "/lab?from=game" in unescape(shown.text) and "moves=b2" in shown.text and "Open in" in shown.text


def test_a_short_link_leads_back_and_nowhere_else(client: Any) -> None:
    address = "/play/new?game=tic-tac-toe&moves=b2"
    told = client.submit("/share", place=address)
    link = re.search(r'value="http://127.0.0.1:8137(/to/[\w-]{8})"', told.text)
    assert link is not None
    assert str(client.get(link[1]).url).endswith(address)
    assert client.submit("/share", place=address).text.count(link[1]) == 1, "the same address has the same link"
    for foreign in ("http://elsewhere.example/", "//elsewhere.example/", "javascript:1", "/play x", ""):
        assert client.submit("/share", place=foreign).status_code == 400, foreign
    assert client.get("/to/nothing").status_code == 404
    assert client.post("/share", data={"place": address}).status_code == 403


def test_the_counter_of_a_match_counts_while_it_is_played(client: Any) -> None:
    asked = {"kind": "match", "game": "tic-tac-toe", "players": "random\nfirst", "games": 4, "mode": "nodes:2"}
    answer = client.submit("/matches/start", **asked)
    run = str(answer.url).rpartition("/")[2]
    for _ in range(600):
        page = client.get(f"/matches/runs/{run}").text
        if "; finished" in page:
            break
        time.sleep(0.1)
    assert re.search(r"4 of 4 games; finished; \d distinct", page)
    settle(SiteOptions())
    event = progress_of(run, ("running", 0), 1)
    told = json.loads(event.data)
    missing = [part for part in told if f'id="{part}"' not in page]
    assert not missing, "every part that is told has its place on the page"
    assert told["status"].startswith("4 of 4 games") and told["latest"].count("<svg") == 4
    replay = client.get(f"/matches/runs/{run}/games/1?at=2").text
    link = re.search(r'href="(/play/new\?[^"]*)">Play on from here', replay)
    assert link is not None and client.get(unescape(link[1])).status_code == 200
    assert "Explain the game" in replay and "Open in" in replay


def test_the_name_of_a_table_is_short(client: Any) -> None:
    assert len(name_of(seat(client, "tic-tac-toe", "human"))) <= 12
