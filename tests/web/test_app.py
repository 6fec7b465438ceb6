"""The site around the rooms: who is let in, what every page has, and mistakes as sentences."""

from __future__ import annotations

import asyncio
import hashlib
import json
import re
from collections.abc import AsyncIterator
from pathlib import Path
from typing import Any

import pytest
from loops import finished
from starlette.datastructures import Headers

import plywright.web
from plywright.errors import BadInput
from plywright.web.catalogue import Catalogue
from plywright.web.guard import is_local, refused
from plywright.web.json_store import JsonStore
from plywright.web.server import listening
from plywright.web.stream import Event, _written, visit


def test_home_page_lists_every_open_room_and_every_link_answers(client: Any) -> None:
    answer = client.get("/")
    assert answer.status_code == 200
    links = re.findall(r'href="(/[^"]*)"', answer.text) + re.findall(r'src="(/[^"]*)"', answer.text)
    assert {f"/{room.name}" for room in client.app.state.rooms} <= set(links)
    for link in links:
        assert client.get(link).status_code == 200, link


def test_first_page_is_small_on_the_wire(client: Any) -> None:
    page = client.get("/", headers={"accept-encoding": "gzip"})
    parts = re.findall(r'(?:src|href)="(/static/[^"]*)"', page.text)
    sizes = []
    for address in ["/", *parts]:
        with client.stream("GET", address, headers={"accept-encoding": "gzip"}) as answer:
            sizes.append(sum(map(len, answer.iter_raw())))
    assert sum(sizes) < 150_000


def test_every_answer_forbids_what_comes_from_outside(client: Any) -> None:
    for address in ("/", "/static/page.js", "/nowhere", "/health"):
        policy = client.get(address).headers["content-security-policy"]
        assert "default-src 'none'" in policy and "script-src 'self';" in policy


def test_another_host_is_turned_away(client: Any) -> None:
    assert client.get("/", headers={"host": "evil.example:8137"}).status_code == 403
    assert client.get("/", headers={"host": "127.0.0.1.evil.example"}).status_code == 403
    assert is_local("localhost:1") and is_local("[::1]:80") and not is_local("") and not is_local("127.0.0.1@x")


@pytest.mark.parametrize(
    "headers",
    [
        {"origin": "http://evil.example"},
        {"origin": "http://127.0.0.1:9999"},
        {"origin": "null"},
        {"origin": "http://["},
        {"sec-fetch-site": "cross-site"},
    ],
)
def test_what_another_page_sends_is_turned_away(headers: dict[str, str]) -> None:
    host = {"host": "127.0.0.1:8137"}
    assert refused("POST", Headers(host | headers))
    assert not refused("POST", Headers(host | {"origin": "http://127.0.0.1:8137"}))


def test_nothing_at_an_address_is_a_sentence_in_the_page(client: Any) -> None:
    answer = client.get("/nowhere<script>")
    assert answer.status_code == 404
    assert "there is nothing at" in answer.text and "<script>" not in answer.text.split("</head>")[1]
    assert client.get("/static/../application.py").status_code == 404
    assert client.get("/static/%2e%2e/application.py").status_code == 404


def test_scripts_get_the_sentence_for_the_place_of_messages(client: Any) -> None:
    answer = client.get("/nowhere", headers={"hx-request": "true"})
    assert answer.headers["hx-retarget"] == "#message" and answer.headers["hx-push-url"] == "false"


def test_a_stream_that_cannot_begin_says_why_and_ends(client: Any) -> None:
    """Any other answer would have the page loaded anew, again and again."""
    address = f"/chance/stream?game=nonsense&token={client.app.state.token}"
    answer = client.get(address, headers={"accept": "text/event-stream"})
    assert answer.status_code == 200 and answer.headers["content-type"].startswith("text/event-stream")
    assert "event: problem\ndata: " in answer.text and answer.text.endswith("event: end\ndata: \n\n")
    stale = client.get("/chance/stream?game=pig&token=old", headers={"accept": "text/event-stream"})
    assert stale.status_code == 403  # here a new page is what helps


def test_a_fault_in_a_stream_is_said_once() -> None:
    async def events() -> AsyncIterator[Event]:
        yield visit("/")
        raise ZeroDivisionError("by zero")

    async def main() -> list[str]:
        written = aiter(_written(events(), asyncio.Event()))
        heard = [await anext(written) for _ in range(3)]
        with pytest.raises(ZeroDivisionError):
            await anext(written)
        return heard

    heard = finished(main())
    assert "a fault in Plywright" in heard[1] and heard[2] == "event: end\ndata: \n\n"


def test_only_games_without_paths_are_loaded_for_a_request() -> None:
    catalogue = Catalogue()
    assert catalogue["mnk:m=4,n=4,k=3"] is catalogue["mnk:m=4,n=4,k=3"]
    for text in ("./x.py", "x.py", "pacman:layout=/etc/passwd", "pacman:layout=x.lay", "..", "a b", "nonsense"):
        with pytest.raises(BadInput):
            catalogue[text]


def test_what_is_saved_is_found_again_and_only_by_its_name(data_folder: str) -> None:
    store = JsonStore("things")
    name = store.add({"a": [1, "é"]})
    assert store[name] == {"a": [1, "é"]} and name in store.names()
    for wrong in ("../x", "nothing", "a/b", ""):
        with pytest.raises(Exception, match="saved"):
            store[wrong]


def test_a_port_that_is_taken_is_named() -> None:
    with listening(0) as move_now, pytest.raises(BadInput, match="--port"):
        move_now.listen()
        listening(move_now.getsockname()[1])
    with pytest.raises(BadInput, match="65535"):
        listening(70000)


def test_vendored_files_are_the_ones_of_the_manifest() -> None:
    folder = Path(plywright.web.__file__).parent / "static" / "vendor"
    manifest = json.loads((folder / "MANIFEST.json").read_text())
    assert sorted(manifest) == sorted(path.name for path in folder.glob("*.js"))
    for name, facts in manifest.items():
        assert hashlib.sha256((folder / name).read_bytes()).hexdigest() == facts["sha256"]
        assert (folder / f"{name.split('.')[0]}.LICENSE").is_file()


def test_the_first_page_and_its_pictures_need_no_worker(client: Any, monkeypatch: pytest.MonkeyPatch) -> None:
    def refuse(*about: Any, **options: Any) -> None:
        raise AssertionError("a worker was asked")

    monkeypatch.setattr(client.app.state.search_queue, "run", refuse)
    first = client.get("/")
    assert first.text.count("<svg") == len(client.app.state.rooms) and "<img" not in first.text
    assert "prefers-color-scheme" in first.text and not re.search(r'\bid="q\d', first.text), "none for paper"
    assert client.get("/health").status_code == 200 and client.get("/nowhere").status_code == 404
