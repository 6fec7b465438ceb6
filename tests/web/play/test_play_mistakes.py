"""The Play room by its addresses: what cannot be done is told in a sentence, whatever is sent."""

from __future__ import annotations

from html import unescape
from typing import Any

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from plywright.web.play.table import SAVED_TABLES, Table
from tables import name_of, seat, token


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
        assert table.get(f"/play/t/{SAVED_TABLES.add(content)}").status_code == 404
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
