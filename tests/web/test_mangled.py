"""Mangled requests and tampered files: the page answers with a page or a sentence, and never with a fault."""

from __future__ import annotations

import itertools
import json
import random
import re
from collections.abc import Iterator
from typing import Any
from urllib.parse import urlencode

import pytest

from plywright.dice import roll
from plywright.errors import BadInput
from plywright.games import GAMES, load_game
from plywright.rng import seeded
from plywright.state import leaves
from plywright.web import application
from plywright.web.matches.match_form import check_player
from plywright.web.play.seats import read_engine
from plywright.web.play.table import SAVED_TABLES, Table
from plywright.web.search_queue import SearchQueue


@pytest.fixture(scope="module")
def own(client: Any) -> Iterator[Any]:
    """A page of its own, whose kernels run as ordinary Python."""
    with type(client)(
        application(search_queue=SearchQueue(interpreted=True)), base_url="http://127.0.0.1:8137"
    ) as found:
        yield found


def sentence(answer: Any) -> str:
    found = re.search(r'<div id="message" role="alert">(.*?)</div>', answer.text, re.S)
    return found[1] if found else ""


# -- mangled requests -------------------------------------------------------------------------------------------------

HUGE = "9" * 5000
NASTY = [
    "", "0", "-1", "1e999", "-1e999", "nan", "inf", "1e308", HUGE, "-" + HUGE, "0." + HUGE, f"1/{HUGE}", "x" * 70_000,
    "\x00", "\ud7ff\U0010ffff", "[" * 3000, "((((1", "{}", "null", "../../etc/passwd", "<script>", "%", "😀", "a1",
    "tic-tac-toe", "pig", "kuhn", "pacman", f"pig:goal={HUGE}", "nim:heaps=1e999", "mnk:m=99999,n=99999,k=3",
    f"0-0 +{HUGE} turn 0", f"cara:{HUGE}", "crra:1e308", f"[0.5, {HUGE}; 0.5, 0]", "[0.5, 1e999; 0.5, 0]", "engine",
    "pvs:time=1e9", "mcts:memory=1e9", f"pvs:depth={HUGE}", "move:1e999s", f"nodes:{HUGE}", "²", "１２",
]  # fmt: skip
FIELDS = [
    "game", "start", "state", "moves", "ply", "move", "seat", "seat0", "seat1", "engine1", "why", "hint", "open",
    "notation", "pace", "amount", "increment", "seed", "held", "dice", "from", "figure", "tree", "kept",
    "branching", "levels", "ordering", "kind", "algorithm", "depth", "budget", "simulations", "predict", "step",
    "count", "layout", "agent", "evaluation", "ghosts", "ghost_depth", "chase", "scatter", "mine", "at", "guess",
    "games", "name", "action", "utility", "every", "roll", "lottery", "other", "wealth", "p1", "x1", "worst",
    "best", "prizes", "precision", "answers", "one", "two", "said", "let", "price", "activity", "instead",
    "players", "mode", "openings", "page", "form", "sure", "swap", "min_as", "leaves", "beside", "odds", "edit",
    "folded", "node", "act", "given", "boards", "b", "d", "now", "knowledge", "w0", "w1", "minutes", "pairs", "number",
    "v0", "p0", "right", "asked", "trees",
]  # fmt: skip


ENDLESS = "/play/t/nothing/watch"
"""A stream that lasts as long as its page is open."""


def routes(app: Any, table: str) -> list[tuple[str, str]]:
    """Every address of the page, with a table, a run and numbers in it."""
    found = []
    for route in app.routes:
        for method in sorted(route.methods - {"HEAD"}):
            path = route.path.replace("{name:path}", "page.js").replace("{number:int}", "1")
            found.append((method, path.replace("{name}", table if path.startswith("/play") else "nothing")))
    return found


def mangled(client: Any, count: int, seed: int, without: str = "") -> None:
    """So many requests with random fields at random addresses; none may be answered by a fault."""
    dice = random.Random(seed)
    token, known = client.app.state.token, None
    addresses = [one for one in routes(client.app, "nothing") if one[1] not in (without, ENDLESS)]
    for number in range(count):
        if number % 25 == 0:
            known = Table(*dice.choice(BEGUN), "nodes:2", 1).settle(load_game("tic-tac-toe")).name
        method, path = addresses[number % len(addresses)] if number < len(addresses) else dice.choice(addresses)
        path = path.replace("/t/nothing", f"/t/{known}")
        fields = {dice.choice(FIELDS): dice.choice(NASTY) for _ in range(dice.randrange(5))}
        if path.startswith("/pacman/"):
            fields |= {"games": "1", "name": "corridor"}  # experiments are right to take their time
        if method == "GET":
            short = {name: value[:6000] for name, value in fields.items()}
            answer = client.get(f"{path}?{urlencode({**short, 'token': token})}")
        else:
            answer = client.post(path, data={**fields, "token": token})
        assert answer.status_code in (200, 400, 403, 404), (method, path, fields, sentence(answer))


BEGUN = [("tic-tac-toe", ["human", "first"]), ("tic-tac-toe", ["human", "human"])]


def test_every_route_answers_mangled_fields_with_a_page_or_a_sentence(own: Any) -> None:
    mangled(own, len(routes(own.app, "")) - 2, 1, without="/pacman/assumptions/stream")  # which plays whole games


@pytest.mark.slow
@pytest.mark.parametrize("seed", range(2, 6))
def test_many_mangled_requests(own: Any, seed: int) -> None:
    mangled(own, 1000, seed)


@pytest.mark.parametrize("text", ["pvs:time=1e9", "mcts:memory=1e9", "pvs:time=nan", "mcts:simulations=99999999999"])
def test_no_spelling_of_a_number_asks_for_more_than_a_page_may_take(text: str) -> None:
    with pytest.raises(BadInput, match="at most"):
        check_player(text, ())
    with pytest.raises(BadInput, match="at most"):
        read_engine(text)


@pytest.mark.slow
def test_a_saved_table_that_was_tampered_with_is_never_a_fault(own: Any) -> None:
    good = Table("tic-tac-toe", ["human", "first"], "budget:10s", 1, actions=[4], notes=[{"seconds": 1.0}]).keep()
    content = json.loads((SAVED_TABLES.folder / f"{good.name}.json").read_text())
    odd = [None, [], {}, "x", -1, 10**30, 1e308, True, [None], [[]], {"a": 1}, [1, "x"], ["x"] * 9, [{"value": "x"}]]
    odd += [[{"seconds": []}], [{"value": 1e400}], [{"text": 5}], float("nan")]
    for name, value in itertools.product(content, odd):
        (SAVED_TABLES.folder / "tampered.json").write_text(json.dumps({**content, name: value}))
        for path in ("", "/save"):
            answer = own.get(f"/play/t/tampered{path}")
            assert answer.status_code in (200, 400, 404), (name, value, sentence(answer))
    (SAVED_TABLES.folder / "tampered.json").write_text("[" * 100_000)
    assert own.get("/play/t/tampered").status_code == 404


# -- impossible states ------------------------------------------------------------------------------------------------

ODD = ("-1", "7", "64", "65565", str(1 << 62), "17768107904860159", str((1 << 64) - 1), "1e999", "nan", HUGE[:4400])
PLIES = 30


def impossible(name: str, dice: random.Random) -> str:
    """A state of a random game with one or two of its numbers changed, as text."""
    game = load_game(name)
    state = game.start_state
    for _ in range(dice.randrange(PLIES)):
        choices = game.choices(state) or [
            roll(game, state, seeded(dice.randrange(1 << 30)))
        ]  # chance may be drawn from
        following = game.coerce_state(game.result(state, dice.choice(choices)))
        if game.is_terminal(following):
            break
        state = following
    numbers = [str(int(number)) for number in leaves(state)]
    for _ in range(dice.choice((1, 1, 2))):
        numbers[dice.randrange(len(numbers))] = dice.choice(ODD)
    return ",".join(numbers)


def ask_impossible(client: Any, name: str, count: int, seed: int) -> None:
    """So many states of a game at every address that reads one; whatever is accepted must be shown, too."""
    dice, token = random.Random(f"{name} {seed}"), client.app.state.token
    for _ in range(count):
        state = impossible(name, dice)
        lab = {"from": "game", "game": name, "state": state, "depth": "1", "algorithm": dice.choice(("", "engine"))}
        pacman = {"layout": state, "moves": state, "at": dice.choice(ODD)} if name == "pacman" else {}
        asked = [("/lab", lab), ("/play/new", {"game": name, "start": state}), ("/pacman", pacman)]
        asked += [("/chance", {"game": name, "state": state, "depth": "1"}), ("/play/picture", {"start": state})]
        for path, fields in asked if pacman else [one for one in asked if one[0] != "/pacman"]:
            answer = client.get(f"{path}?{urlencode({'game': name, **fields})}")
            assert answer.status_code in (200, 400), (path, fields, sentence(answer))
            assert answer.status_code == 200 or sentence(answer), (path, fields)
        made = client.post("/play/new", data={"token": token, "game": name, "start": state, "seat1": "first"})
        assert made.status_code in (200, 400), (state, sentence(made))


@pytest.mark.parametrize("name", GAMES)
def test_an_impossible_state_of_any_game_is_refused_in_a_sentence_or_shown(own: Any, name: str) -> None:
    ask_impossible(own, name, 1, 1)


@pytest.mark.slow
@pytest.mark.parametrize("name", GAMES)
def test_many_impossible_states(own: Any, name: str) -> None:
    ask_impossible(own, name, 20, 2)


def test_the_state_that_ended_the_server_is_refused(own: Any) -> None:
    state = "1,1000,65565,17768107904860159,0,4611686018427387904,0,0,51,3,26,3,0"
    fields = {"from": "game", "game": "pacman", "state": state, "algorithm": "engine", "depth": "3"}
    answer = own.get(f"/lab?{urlencode(fields)}")
    assert answer.status_code == 400 and sentence(answer)
