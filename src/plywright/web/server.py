"""Serving the page on this machine: a port, a browser, and a clean shutdown."""

from __future__ import annotations

import socket
import threading
import webbrowser
from collections.abc import Callable, Sequence
from contextlib import closing

import uvicorn
from starlette.applications import Starlette

from ..errors import BadInput
from .worker_pool import Pool

HOST = "127.0.0.1"
PORT = 8137
"""Where the page is unless told otherwise, or the next free port where that one is taken."""


def serve(
    port: int | None = None,
    *,
    browser: bool = True,
    games: Sequence[str] = (),
    programs: Sequence[str] = (),
    learned: Sequence[str] = (),
    tell: Callable[[str], None] = print,
) -> None:
    """Serve until Ctrl-C; `tell` is given the address once it answers."""
    with listening(port) as move_now, closing(Pool()) as pool:
        pool.prepare()  # it imports the same modules meanwhile, on another core
        from .app import application
        from .search_queue import SearchQueue

        app = application(games, programs=programs, learned=learned, search_queue=SearchQueue(pool=pool))
        address = f"http://{HOST}:{move_now.getsockname()[1]}/"
        server = _Server(uvicorn.Config(app, log_level="warning", access_log=False, timeout_graceful_shutdown=1))

        def ready() -> None:
            tell(f"Plywright is at {address} (Ctrl-C ends it)")
            if browser:
                threading.Thread(target=webbrowser.open, args=(address,), daemon=True).start()

        server.ready = ready
        server.app = app
        server.run(sockets=[move_now])


class _Server(uvicorn.Server):
    """A server that says when it is ready, and lets go of everything when it stops."""

    ready: Callable[[], None] = staticmethod(lambda: None)
    app: Starlette

    async def startup(self, sockets: list[socket.socket] | None = None) -> None:
        await super().startup(sockets)
        self.ready()

    async def shutdown(self, sockets: list[socket.socket] | None = None) -> None:
        """End streams and searches first: the server would wait for their clients."""
        self.app.state.closing.set()
        self.app.state.search_queue.close()
        await super().shutdown(sockets)


def listening(port: int | None) -> socket.socket:
    """A socket at the loopback address: at that port, or at the usual one or any free one."""
    if port is not None and not 0 <= port <= 65535:
        raise BadInput(f"a port is a number from 0 to 65535, not {port}")
    for number in (port,) if port is not None else (PORT, 0):
        move_now = socket.socket(socket.AF_INET, socket.SOCK_STREAM)
        move_now.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
        try:
            move_now.bind((HOST, number))
            return move_now
        except OSError as error:
            move_now.close()
            reason = error.strerror
    raise BadInput(f"port {port} cannot be used ({reason}); another one is given by --port, any free one by --port 0")
