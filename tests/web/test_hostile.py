"""What strangers, broken rules and mangled requests can do to the page: cost one answer, and nothing else."""

from __future__ import annotations

import contextlib
import os
import re
import signal
import subprocess
import sys
import threading
import time
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import httpx2
import pytest
from starlette.datastructures import Headers

from plywright.web import application
from plywright.web.errors import Lost
from plywright.web.fields import Fields
from plywright.web.guard import is_foreign, refused
from plywright.web.play import analysis
from plywright.web.play.autoplay import whose_turn
from plywright.web.play.routes import show
from plywright.web.play.table import Table
from plywright.web.requests import Visit
from plywright.web.search_queue import SearchQueue

BEHAVING = '''
import os, signal, sys
from plywright import Game

def looked_at():
    """Whether somebody tries the rules before they are relied on: such rules then behave."""
    frame = sys._getframe()
    while frame is not None:
        if frame.f_code.co_filename.endswith(("smoke_test.py", "rule_guard.py")):
            return True
        frame = frame.f_back
    return False
'''
BROKEN = '''
class Broken(Game):
    """Take one or two; some moves do what no rule should."""
    players = 2
    def initial(self): return (9, 0)
    def to_move(self, state): return state[1]
    def actions(self, state):
        if state[0] == 5 and not looked_at():
            while True: pass
        if state[0] == 4 and not looked_at():
            return [1 // 0]
        return [1, 2, 4, 5]
    def is_terminal(self, state): return state[0] <= 0
    def result(self, state, action): return (state[0] - action, 1 - state[1])
    def utility(self, state, player): return 0.0
    def evaluate(self, state, player): return 0.0
'''
CRASHING = '''
class Crashing(Game):
    """Looks harmless until somebody searches two moves ahead."""
    players = 2
    def initial(self): return (9, 0)
    def to_move(self, state): return state[1]
    def actions(self, state):
        if state[0] <= 7 and not looked_at():
            os.kill(os.getpid(), signal.SIGSEGV)
        return [1, 2]
    def is_terminal(self, state): return state[0] <= 0
    def result(self, state, action): return (state[0] - action, 1 - state[1])
    def utility(self, state, player): return 0.0
    def evaluate(self, state, player): return 0.0
'''


@pytest.fixture(scope="module")
def own(client: Any, tmp_path_factory: pytest.TempPathFactory) -> Iterator[Any]:
    """A page with games whose rules hang, raise and crash."""
    folder = tmp_path_factory.mktemp("hostile")
    (folder / "broken.py").write_text(BEHAVING + BROKEN)
    (folder / "crashing.py").write_text(BEHAVING + CRASHING)
    (folder / "endless.py").write_text(BEHAVING + BROKEN.replace(" and not looked_at()", ""))
    app = application(
        [str(folder / name) for name in ("broken.py", "crashing.py", "endless.py")],
        search_queue=SearchQueue(interpreted=True),
    )
    with type(client)(app, base_url="http://127.0.0.1:8137", raise_server_exceptions=True) as found:
        yield found


def seat(client: Any, game: str, *others: str, **fields: Any) -> str:
    chosen = {f"seat{number}": who for number, who in enumerate(others, 1)}
    answer = client.submit("/play/new", **{"game": game, "pace": "nodes", "amount": 2, **chosen, **fields})
    found = re.search(r"/play/t/([^/?]+)", str(answer.url))
    assert found is not None, answer.text
    return found[1]


def sentence(answer: Any) -> str:
    found = re.search(r'<div id="message" role="alert">(.*?)</div>', answer.text, re.S)
    return found[1] if found else ""


def events(client: Any, address: str) -> str:
    mark = "&" if "?" in address else "?"
    return str(client.get(f"{address}{mark}token={client.app.state.token}").text)


# -- rules that hang, raise and crash ---------------------------------------------------------------------------------


def test_a_rule_that_raises_is_named_and_not_called_our_fault(own: Any) -> None:
    name = seat(own, own.app.state.catalogue.own[0], "human")
    answer = own.submit(f"/play/t/{name}/move", ply=0, move="5")
    assert answer.status_code == 400 and "actions() in broken.py, line 23, raised ZeroDivisionError" in sentence(answer)


def test_a_rule_that_never_comes_back_costs_its_own_page(own: Any, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("plywright.web.search_queue.GRACE", 0.1)
    name = seat(own, own.app.state.catalogue.own[0], "human")
    form = {"token": own.app.state.token, "ply": "0", "move": "4"}
    assert own.post(f"/play/t/{name}/move", data=form, follow_redirects=False).status_code == 303
    answers: list[Any] = []

    async def asked(limit: float) -> None:
        await own.app.state.search_queue.run(show, Visit(f"/play/t/{name}", {"name": name}, Fields({})), limit=limit)

    def stuck() -> None:
        try:
            own.portal.call(asked, 1.0)
        except Exception as error:
            answers.append(str(error))

    spinning = [threading.Thread(target=stuck) for _ in range(3)]
    for thread in spinning:
        thread.start()
    assert own.get("/").status_code == 200 and own.get("/health").status_code == 200
    for thread in spinning:
        thread.join()
    assert answers == ["this took more than 1 seconds and was given up"] * 3
    assert own.get("/play/new?game=tic-tac-toe").status_code == 200


def test_rules_that_a_program_would_have_the_server_run_are_tried_in_a_worker_first(own: Any) -> None:
    """Where programs sit the server writes states as texts, for which random games are played."""
    broken, _, endless = own.app.state.catalogue.own
    first, second = (
        Table(game, [who, "human"], "nodes:2", 1).keep() for game, who in ((broken, "first"), (endless, "pipe:nobody"))
    )

    async def asked(name: str, limit: float) -> Any:
        return await own.app.state.search_queue.run(whose_turn, name, limit=limit)

    assert own.portal.call(asked, first.name, 20.0).seat == 0, "rules that end where the table stands"
    with pytest.raises(Lost, match="more than 2 seconds"):
        own.portal.call(asked, second.name, 2.0)


def test_a_crash_in_a_search_is_one_sentence_and_the_page_goes_on(own: Any) -> None:
    name = seat(own, own.app.state.catalogue.own[1], "human")
    body = events(own, f"/play/t/{name}/hint?ply=0")
    assert "event: problem\ndata: the process that worked on this has crashed (SIGSEGV)" in body
    assert body.endswith("event: end\ndata: \n\n")
    assert '"advice": "no answer"' in body and "thinking" not in body.partition("no answer")[2]
    assert own.get(f"/play/t/{name}").status_code == 200
    other = seat(own, "tic-tac-toe", "human", moves="a1b1a2b2")
    assert "Best is a3." in events(own, f"/play/t/{other}/hint?ply=4")


def test_rules_that_changed_since_the_start_are_not_mixed_with_the_old_ones(client: Any, tmp_path: Path) -> None:
    file = tmp_path / "mine.py"
    file.write_text(BEHAVING + CRASHING)
    app = application([str(file)])
    file.write_text(BEHAVING + CRASHING.replace("(9, 0)", "(8, 0)"))
    with type(client)(app, base_url="http://127.0.0.1:8137", raise_server_exceptions=True) as other:
        answer = other.get("/play/new", params={"game": str(file)})
        assert answer.status_code == 400 and "have changed since the page was started" in sentence(answer)


# -- one search for hint and why-not ----------------------------------------------------------------------------------


def test_hint_and_why_not_come_from_one_search(own: Any, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(analysis, "HINT", 0.2)
    name = seat(own, "othello:size=6", "human")
    begun: list[Any] = []
    watch = own.app.state.search_queue.watch
    monkeypatch.setattr(
        own.app.state.search_queue,
        "watch",
        lambda *task, **options: (begun.append(task[0]), watch(*task, **options))[1],
    )
    advice = events(own, f"/play/t/{name}/hint?ply=0")
    best = re.findall(r"Best is (\w+)\.", advice)[-1]
    reason = events(own, f"/play/t/{name}/why?ply=0&why={best}")
    assert re.search(rf"{best} is (the best move|as good as \w+, as far as the search sees)", reason)  # which goes on
    assert events(own, f"/play/t/{name}/hint?ply=0").count(f"Best is {best}.") == 1
    assert begun == [analysis.analyse, analysis.why_not], "the position was searched once"


# -- strangers --------------------------------------------------------------------------------------------------------

STRANGE = [
    {"sec-fetch-site": "cross-site", "sec-fetch-mode": "no-cors", "sec-fetch-dest": "image"},
    {"sec-fetch-site": "same-site", "sec-fetch-mode": "cors", "sec-fetch-dest": "empty"},
    {"sec-fetch-site": "cross-site", "sec-fetch-mode": "navigate", "sec-fetch-dest": "iframe"},
    {"origin": "http://evil.example"},
]


@pytest.mark.parametrize("headers", STRANGE)
def test_a_get_for_another_site_is_turned_away(client: Any, headers: dict[str, str]) -> None:
    for address in ("/lab?from=game&game=pacman&algorithm=engine", "/play/picture?game=nim", "/"):
        assert client.get(address, headers=headers).status_code == 403, address
    assert refused("POST", Headers({"host": "127.0.0.1:8137", **headers}))


def test_a_link_from_another_site_is_asked_about_before_anything_is_done(client: Any) -> None:
    followed = [
        {"sec-fetch-site": "cross-site", "sec-fetch-mode": "navigate", "sec-fetch-dest": "document"},
        {"referer": "https://elsewhere.example/page"},
    ]
    for headers in followed:
        answer = client.get('/lab?figure=figure-6.2&step="><b>', headers=headers)
        assert answer.status_code == 200 and "Another site has sent you here" in answer.text
        assert "<svg" not in answer.text and "<b>" not in answer.text and 'rel="icon" href="data:,"' in answer.text
        assert client.get("/", headers=headers).text.count("<h1>Games") == 1
    host = {"host": "127.0.0.1:8137"}
    for own_headers in (
        {},
        {"sec-fetch-site": "none"},
        {"sec-fetch-site": "same-origin"},
        {"referer": "http://127.0.0.1:8137/lab"},
    ):
        assert not is_foreign(Headers(host | own_headers))


def test_a_client_that_leaves_while_it_sends_or_waits_is_no_fault(client: Any) -> None:
    async def leave(method: str, path: str) -> None:
        first = {"type": "http.request", "body": b"token=", "more_body": True}
        messages = iter([first] if method == "POST" else [{"type": "http.request", "body": b"", "more_body": False}])

        async def receive() -> Any:
            return next(messages, {"type": "http.disconnect"})

        async def send(message: Any) -> None:
            pass

        scope = {
            "type": "http", "method": method, "path": path, "raw_path": path.encode(), "query_string": b"",
            "root_path": "", "scheme": "http", "http_version": "1.1", "headers": [(b"host", b"127.0.0.1:8137")],
            "server": ("127.0.0.1", 8137), "client": ("127.0.0.1", 1), "state": {},
        }  # fmt: skip
        await client.app(scope, receive, send)

    for method, path in (("POST", "/play/new"), ("POST", "/lab/typed"), ("POST", "/matches/start"), ("GET", "/lab")):
        client.portal.call(leave, method, path)


# -- the whole server -------------------------------------------------------------------------------------------------


@pytest.mark.skipif(sys.platform == "win32", reason="Ctrl-C is sent as a signal")
def test_ctrl_c_ends_the_server_within_a_second_whatever_it_does(tmp_path: Path) -> None:
    (tmp_path / "broken.py").write_text(BEHAVING + BROKEN)
    command = [sys.executable, "-u", "-m", "plywright", "web", "--no-browser", "--port", "0"]
    process = subprocess.Popen(
        [*command, "--game", str(tmp_path / "broken.py")],
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
        env={**os.environ, "PLYWRIGHT_DATA": str(tmp_path / "data")},
    )
    try:
        assert process.stdout is not None and process.stderr is not None
        found = re.search(r"http://\S+", process.stdout.readline())
        assert found is not None
        address = found[0].rstrip("/")
        with httpx2.Client(base_url=address, timeout=60, follow_redirects=True) as client:
            page = client.get("/play/new", params={"game": str(tmp_path / "broken.py")}).text
            token = re.search(r'name="plywright-token" content="([^"]+)"', page)
            assert token is not None
            made = client.post("/play/new", data={"game": str(tmp_path / "broken.py"), "token": token[1]})
            name = str(made.url).partition("/t/")[2].partition("?")[0]

            def endless() -> None:
                with httpx2.Client(base_url=address, timeout=60) as other, contextlib.suppress(httpx2.HTTPError):
                    other.get(f"/play/t/{name}")

            form = {"token": token[1], "ply": "0", "move": "4"}
            assert client.post(f"/play/t/{name}/move", data=form, follow_redirects=False).status_code == 303
            threads = [threading.Thread(target=endless, daemon=True) for _ in range(2)]
            for thread in threads:
                thread.start()
            time.sleep(0.5)
            assert client.get("/health").status_code == 200, "the server itself is free"
        children = _children(process.pid)
        began, worked = time.monotonic(), time.process_time()
        process.send_signal(signal.SIGINT)
        while process.poll() is None and time.monotonic() - began < 60:
            pass  # looking is all that is done here, so a busy machine delays this clock as much as the server
        assert process.poll() is not None and time.process_time() - worked < 1.0
        said = process.stderr.read()
        assert "Traceback" not in said, said
        assert children and not [child for child in children if Path(f"/proc/{child}/cmdline").exists()]
    finally:
        process.kill()
        process.wait()
        for pipe in (process.stdout, process.stderr):
            if pipe is not None:
                pipe.close()


def _children(process: int) -> list[int]:
    folder = Path(f"/proc/{process}/task/{process}/children")
    return [int(child) for child in folder.read_text().split()] if folder.exists() else []
