"""The page in tests: an in-process client, and a real browser at a real server."""

from __future__ import annotations

import os
import threading
from collections.abc import Callable, Iterator
from typing import Any

import pytest
import uvicorn
from starlette.testclient import TestClient

from plywright.web import application
from plywright.web.play import analysis, streams
from plywright.web.search_queue import SearchQueue
from plywright.web.server import HOST, listening
from tables import OWN_GAME, SECRET_GAME, like


@pytest.fixture(scope="session")
def data_folder(tmp_path_factory: pytest.TempPathFactory) -> Iterator[str]:
    """Saved games and matches of the tests, away from the user's."""
    folder = str(tmp_path_factory.mktemp("data"))
    before = os.environ.get("PLYWRIGHT_DATA")
    os.environ["PLYWRIGHT_DATA"] = folder
    yield folder
    if before is None:
        del os.environ["PLYWRIGHT_DATA"]
    else:
        os.environ["PLYWRIGHT_DATA"] = before


class Client(TestClient):
    """A browser's requests without a browser; `submit` fills in the token as the pages do."""

    def submit(self, address: str, **fields: Any) -> Any:
        return self.post(address, data={"token": self.app.state.token, **fields})  # type: ignore[attr-defined]


@pytest.fixture(scope="session")
def client(data_folder: str) -> Iterator[Client]:
    with Client(application(), base_url="http://127.0.0.1:8137", raise_server_exceptions=True) as found:
        yield found


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


@pytest.fixture(scope="session")
def address(data_folder: str) -> Iterator[str]:
    """Where a server answers, for the browser."""
    move_now = listening(0)
    server = uvicorn.Server(uvicorn.Config(application(), log_level="error", timeout_graceful_shutdown=1))
    thread = threading.Thread(target=server.run, kwargs={"sockets": [move_now]}, daemon=True)
    thread.start()
    while not server.started:
        thread.join(0.01)
    yield f"http://{HOST}:{move_now.getsockname()[1]}"
    server.should_exit = True
    thread.join(10)
    move_now.close()


@pytest.fixture
def browse(chromium: Any, address: str) -> Iterator[Callable[..., Any]]:
    """Open a page at an address of the server: `browse("/play", width=400)`; any console error fails the test."""
    faults: list[str] = []
    contexts: list[Any] = []

    def go(path: str = "/", width: int = 1280, height: int = 900, **options: Any) -> Any:
        context = chromium.new_context(viewport={"width": width, "height": height}, base_url=address, **options)
        contexts.append(context)
        page = context.new_page()
        page.set_default_timeout(90_000)  # a search may have to be compiled first, on a busy machine
        page.on("console", lambda said: faults.append(said.text) if said.type in ("error", "warning") else None)
        page.on("pageerror", lambda error: faults.append(str(error)))
        page.goto(path)
        return page

    yield go
    for context in contexts:
        context.close()
    assert faults == []


@pytest.fixture
def accessible() -> Callable[[Any], None]:
    """Fail with what axe finds wrong in a page."""
    from axe_playwright_python.sync_playwright import Axe

    def check(page: Any) -> None:
        found = Axe().run(page)
        assert found.violations_count == 0, found.generate_report()

    return check
