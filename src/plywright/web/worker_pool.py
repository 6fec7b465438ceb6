"""The workers of the page: processes that draw pages and search, each for one task at a time.

    pool = Pool(kept=3)
    pool.serve(options)
    with pool.hired() as worker:
        worker.begin(function, args, reports=True)
        kind, item = worker.read()         # (BEGUN, None), (REPORT, ...), and at last (ANSWER, ...), (MISTAKE, ...)
                                           # or (FAULT, ...)

A worker is a Python of its own (`worker.py`) at the other end of two pipes. What crashes, hangs or is left
there costs one task: the process is ended, and another one is warm already. Functions travel by their names,
games as texts; only our own processes write into these pipes. A worker imports what its tasks need before it is
told its site, so the first one is started before the server itself has its modules, which are not needed here.
"""

from __future__ import annotations

import contextlib
import os
import pickle
import signal
import struct
import subprocess
import sys
import threading
from collections import deque
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import IO, TYPE_CHECKING, Any

if TYPE_CHECKING:
    from .site import Site, SiteOptions

BEGUN, ANSWER, MISTAKE, FAULT = "begun", "answer", "mistake", "fault"
STOP, HURRY = "stop", "hurry"
"""Commands to a running task: the client has gone; answer now."""
REMEMBERED = 8
"""Subjects of the last tasks that a worker may still know something of."""
_LENGTH = struct.Struct("<Q")
_site: list[Site] = []


def here() -> Site:
    """The site of this worker."""
    return _site[0]


def settle(options: SiteOptions) -> None:
    """Make this process a worker of that site."""
    from .site import Site

    _site[:] = [Site(options)]


def write(pipe: IO[bytes], item: Any) -> None:
    content = pickle.dumps(item, pickle.HIGHEST_PROTOCOL)
    pipe.write(_LENGTH.pack(len(content)) + content)
    pipe.flush()


def read(pipe: IO[bytes]) -> Any:
    """The next item; raises EOFError where the other end is gone."""
    length = pipe.read(_LENGTH.size)
    if len(length) < _LENGTH.size:
        raise EOFError
    content = pipe.read(size := _LENGTH.unpack(length)[0])
    if len(content) < size:
        raise EOFError
    return pickle.loads(content)


class Worker:
    """One process, seen from the server; may be sent commands and ended from any thread, read by one."""

    def __init__(self) -> None:
        home = str(Path(__file__).parents[2])
        environment = dict(os.environ)
        environment["PYTHONPATH"] = os.pathsep.join(filter(None, (home, environment.get("PYTHONPATH"))))
        self.process = subprocess.Popen(
            # -P: files of the folder that the page was started in are not to be imported
            [sys.executable, "-P", "-m", "plywright.web.worker"],
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            env=environment,
            start_new_session=True,  # Ctrl-C is the server's to hear
        )
        assert self.process.stdin is not None and self.process.stdout is not None
        self.requests, self.answers = self.process.stdin, self.process.stdout
        self.lock = threading.Lock()
        self.subjects: deque[str] = deque(maxlen=REMEMBERED)
        self.spent = self.ended = False
        """Whether it is better replaced: something runs on in it, or it has grown."""

    @property
    def lives(self) -> bool:
        return not self.ended and self.process.poll() is None

    def begin(self, function: Callable[..., Any], args: tuple[Any, ...], reports: bool) -> None:
        """Have `function(*args)` done, or `function(channel, *args)` where it reports."""
        self.send((pickle.dumps((function, args)), reports))

    def send(self, item: Any) -> None:
        with self.lock, contextlib.suppress(OSError, ValueError):  # it is gone: the reader will see
            write(self.requests, item)

    def read(self) -> tuple[str, Any]:
        """The next thing it says; raises EOFError where it has come to its end."""
        kind, item, self.spent = read(self.answers)
        return kind, item

    def end(self) -> None:
        """Kill it, with whatever it has started."""
        self.ended = True
        with contextlib.suppress(OSError):
            if sys.platform == "win32":
                self.process.kill()
            else:
                os.killpg(self.process.pid, signal.SIGKILL)

    def bury(self) -> int:
        """End it and let go of its pipes; the answer is its exit status."""
        self.end()
        status = self.process.wait()
        for pipe in (self.requests, self.answers):
            with contextlib.suppress(OSError):
                pipe.close()
        return status


class Pool:
    """The workers of one server: those that wait for a task, and how to get more; for any thread."""

    def __init__(self, kept: int = 1) -> None:
        self.options: SiteOptions | None = None
        self.kept = kept
        self.waiting: list[Worker] = []
        self.busy: set[Worker] = set()
        self.lock = threading.Lock()
        self.closed = False

    def serve(self, options: SiteOptions) -> None:
        """Tell all workers their site, those that wait already and those to come; said once, before any task."""
        with self.lock:
            self.options = options
            for worker in self.waiting:
                worker.send(options)

    def prepare(self, count: int = 1) -> None:
        """Start workers until this many wait."""
        with self.lock:
            while not self.closed and len(self.waiting) < count:
                self.waiting.insert(0, self._another())

    def _another(self) -> Worker:
        worker = Worker()
        if self.options is not None:
            worker.send(self.options)
        return worker

    def take(self, subject: str = "", *, long: bool = False) -> Worker:
        """A worker for one task: one that knows the subject, or the one used last; another one gets ready.

        While a `long` task runs two are to be ready: one for the next page, one for a search that takes its place.
        """
        with self.lock:
            assert self.options is not None, "workers are told their site before their tasks"
            if self.closed:
                raise Closed
            for worker in [one for one in self.waiting if not one.lives]:
                self.waiting.remove(worker)
                worker.bury()
            known = [one for one in self.waiting if subject and subject in one.subjects]
            found = known[-1] if known else self.waiting[-1] if self.waiting else self._another()
            if found in self.waiting:
                self.waiting.remove(found)
            self.busy.add(found)
            if subject:
                found.subjects.append(subject)
        if len(self.waiting) + len(self.busy) < self.kept:
            self.prepare(min(2 if long else 1, self.kept - len(self.busy)))
        return found

    def give_back(self, worker: Worker) -> int | None:
        """After a task; the exit status of a worker that is not used again."""
        with self.lock:
            self.busy.discard(worker)
            if worker.lives and not worker.spent and not self.closed and len(self.waiting) < self.kept:
                self.waiting.append(worker)
                return None
        status = worker.bury()
        self.prepare()
        return status

    @contextlib.contextmanager
    def hired(self, subject: str = "", *, long: bool = False) -> Iterator[Worker]:
        worker = self.take(subject, long=long)
        try:
            yield worker
        finally:
            self.give_back(worker)

    def close(self) -> None:
        """End all of them, whatever they do."""
        with self.lock:
            self.closed = True
            waiting, self.waiting = self.waiting, []
            busy = list(self.busy)
        for worker in busy:
            worker.end()  # its reader cleans up
        for worker in waiting:
            worker.end()
        for worker in waiting:
            worker.bury()


class Closed(Exception):
    """The server stops, so no task is begun."""
