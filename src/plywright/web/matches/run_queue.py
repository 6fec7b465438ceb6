"""The runs of the page, played one process at a time; the others wait in a queue.

The process belongs to no page, so leaving or loading again changes nothing; it ends with the server. What
it has finished is in the record, and `start` goes on from there.
"""

from __future__ import annotations

import contextlib
import json
import os
import signal
import subprocess
import sys
import threading
from collections.abc import Callable, Sequence
from pathlib import Path

from starlette.applications import Starlette

from ..errors import Busy
from .runs import path_of

MOST_WAITING = 20
PATIENCE = 3.0
"""Seconds for a process to end when it is told to, before it is ended."""
RUNNING, WAITING, RESTING = "running", "waiting", "resting"


class RunQueue:
    """The runs under way on this server; safe to use from any thread."""

    def __init__(
        self,
        games: Sequence[str] = (),
        programs: Sequence[str] = (),
        *,
        module: str = "plywright.web.matches.process",
        place: Callable[[str], Path] = path_of,
    ) -> None:
        """`games` and `programs` are those of the user's own that the page was started with.

        `module` is what a process runs, with the path of the run, which is `place` of its name, as its argument.
        """
        self.module, self.place = module, place
        self.own = json.dumps({"games": list(games), "programs": list(programs)})
        self.lock = threading.RLock()
        self.current = ""
        self.line: list[str] = []
        self.process: subprocess.Popen[bytes] | None = None

    def start(self, name: str) -> None:
        """Play a run, now or when those before it are done; nothing happens if it is being played already."""
        self.place(name)
        with self.lock:
            if name == self.current or name in self.line:
                return
            if len(self.line) >= MOST_WAITING:
                raise Busy(f"{len(self.line)} runs wait already; let some of them finish, or stop them")
            self.line.append(name)
            self._next()

    def stop(self, name: str) -> None:
        """Stop a run, or take it out of the line; every finished game is kept."""
        with self.lock:
            if name in self.line:
                self.line.remove(name)
            process = self.process if name == self.current else None
        if process is not None:
            process.terminate()
            threading.Thread(target=_insist, args=(process,), daemon=True).start()

    def standing(self, name: str) -> tuple[str, int]:
        """Whether a run is running, waiting or resting, and how many come first."""
        with self.lock:
            if name == self.current:
                return RUNNING, 0
            return (WAITING, self.line.index(name) + 1) if name in self.line else (RESTING, 0)

    def wait(self, seconds: float) -> None:
        """Until the process under way has ended."""
        process = self.process
        if process is not None:
            with contextlib.suppress(subprocess.TimeoutExpired):
                process.wait(seconds)

    def _next(self) -> None:
        while not self.current and self.line:
            name = self.line.pop(0)
            try:
                self.process = _process(self.module, self.place(name), self.own)
            except Exception:  # the file is gone meanwhile, or the system has no room for a process
                continue
            self.current = name
            threading.Thread(target=self._watch, args=(self.process,), daemon=True).start()

    def _watch(self, process: subprocess.Popen[bytes]) -> None:
        process.wait()
        if process.stdin is not None:
            process.stdin.close()
        with self.lock:
            self.current, self.process = "", None
            self._next()


def run_queue_of(app: Starlette) -> RunQueue:
    """The one of this server."""
    if not hasattr(app.state, "run_queue"):
        app.state.run_queue = RunQueue(app.state.catalogue.own, app.state.programs)
    found: RunQueue = app.state.run_queue
    return found


def _process(module: str, path: Path, own: str) -> subprocess.Popen[bytes]:
    """A process that plays the run; it ends when its standard input does, which is when this one ends."""
    import plywright

    home = str(Path(plywright.__file__).parents[1])
    environment = dict(os.environ)
    environment["PYTHONPATH"] = os.pathsep.join(filter(None, (home, environment.get("PYTHONPATH"))))
    return subprocess.Popen(
        # -P: files of the folder that the page was started in are not to be imported
        [sys.executable, "-P", "-m", module, str(path), own],
        stdin=subprocess.PIPE,
        stdout=subprocess.DEVNULL,
        stderr=subprocess.DEVNULL,
        env=environment,
        start_new_session=True,
    )


def _insist(process: subprocess.Popen[bytes]) -> None:
    try:
        process.wait(PATIENCE)
    except subprocess.TimeoutExpired:
        with contextlib.suppress(OSError):
            if sys.platform == "win32":
                process.kill()
            else:
                os.killpg(process.pid, signal.SIGKILL)
