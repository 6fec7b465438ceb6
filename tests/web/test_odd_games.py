"""The page with games whose states are not plain numbers, and with rules that are at fault."""

from __future__ import annotations

import json
import re
from collections.abc import Iterator
from html import unescape
from pathlib import Path
from typing import Any
from urllib.parse import urlencode

import pytest

import odd_states
from odd_states import Board, ListsBoard, NoneBoard, OwnBoard, RecordBoard, SetBoard, TextBoard
from plywright.cli import main
from plywright.web import application
from plywright.web.play import analysis
from plywright.web.search_queue import SearchQueue

FILE = Path(odd_states.__file__)
BOARDS = (TextBoard, SetBoard, NoneBoard, RecordBoard, ListsBoard, OwnBoard)
FAULTY = """
from plywright import Game

class Faulty(Game):
    def initial(self): return 0
    def to_move(self, state): return state
    def actions(self, state): return [0, 1]
    def result(self, state, action): return state + 1
    def is_terminal(self, state): return False
    def utility(self, state, player): return 0
"""


@pytest.fixture(scope="module")
def page(client: Any, tmp_path_factory: pytest.TempPathFactory) -> Iterator[Any]:
    """A client of a page with tic-tac-toe in states of many kinds, and a game in which nobody is to move."""
    faulty = tmp_path_factory.mktemp("own") / "faulty.py"
    faulty.write_text(FAULTY)
    monkeypatch = pytest.MonkeyPatch()
    monkeypatch.setattr(analysis, "HINT", 0.1)
    games = [*map(text_of, BOARDS), str(faulty)]
    with type(client)(
        application(games, search_queue=SearchQueue(interpreted=True)), base_url="http://127.0.0.1:8137"
    ) as found:
        found.faulty = str(faulty)
        yield found
    monkeypatch.undo()


def text_of(board: type[Board]) -> str:
    return f"{FILE}:{board.__name__}"


@pytest.mark.parametrize("board", BOARDS, ids=lambda board: board.__name__)
def test_a_game_is_begun_played_advised_and_loaded_again(page: Any, board: type[Board]) -> None:
    text, game = text_of(board), board()
    assert page.get("/play/new", params={"game": text}).status_code == 200
    answer = page.submit("/play/new", game=text, seat1="human", pace="nodes", amount=2, moves="0 3 1")
    assert answer.status_code == 200, answer.text
    answer = page.submit(f"{answer.url.path}/move", ply=3, move="4")
    assert answer.status_code == 200 and unescape(answer.text).count("0 3 1 4"), answer.text
    position = game.format_state(game.play_moves(game.start_state, "0 3 1 4"))
    assert position in unescape(answer.text)
    body = page.get(f"{answer.url.path}/hint?ply=4&token={page.app.state.token}").text
    advice = json.loads(re.findall(r"event: parts\ndata: (.*)\n", body)[-1])["advice"]
    assert 'data-best="2"' in advice, advice
    assert page.get(answer.url.path).status_code == 200, "reloaded from the disk"
    again = page.submit("/play/new", game=text, seat1="human", start=position)
    if board is OwnBoard:
        assert again.status_code == 400 and "define format_state and parse_state" in unescape(again.text)
    else:
        assert again.status_code == 200, again.text


@pytest.mark.parametrize("board", BOARDS, ids=lambda board: board.__name__)
def test_the_lab_draws_its_tree(page: Any, board: type[Board]) -> None:
    fields = {"from": "game", "game": text_of(board), "moves": "0 3 1 4 8 2", "depth": 3, "algorithm": "minimax"}
    for _ in range(20):  # a search that takes long, as on a busy machine, is waited for with a page that says so
        answer = page.get(f"/lab?{urlencode(fields)}")
        if "waits for its turn" not in answer.text:
            break
    assert answer.status_code == 200 and "<svg" in answer.text, answer.text


def test_faults_of_the_rules_are_called_theirs(page: Any) -> None:
    for answer in (
        page.submit("/play/new", game=page.faulty, seat1="human", moves="0 0"),
        page.get(f"/lab?{urlencode({'from': 'game', 'game': page.faulty, 'depth': 3})}"),
    ):
        words = unescape(answer.text)
        assert answer.status_code in (200, 400) and "to_move() is 2" in words, words
        assert "fault in Plywright" not in words


@pytest.mark.parametrize(
    "command", [["engine"], ["tournament", "random", "random", "--game"]], ids=lambda words: words[0]
)
def test_faults_of_the_rules_end_commands(command: list[str], page: Any, capsys: pytest.CaptureFixture[str]) -> None:
    assert main([*command, page.faulty]) == 2
    said = capsys.readouterr().err
    assert "to_move() is 2; it must be 0 to 1" in said and "bug" not in said
