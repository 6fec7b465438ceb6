"""Tables of the Play room in tests: sitting down and moving by addresses, games and a program of the user's own."""

from __future__ import annotations

import re
from html import unescape
from typing import Any

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


def token(client: Any) -> dict[str, str]:
    return {"token": client.app.state.token}
