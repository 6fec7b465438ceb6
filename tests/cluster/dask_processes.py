"""Real `dask scheduler` and `dask worker` processes on the loopback address, to be killed."""

from __future__ import annotations

import contextlib
import os
import signal
import socket
import subprocess
import sys
import time
from pathlib import Path

ROOT = Path(__file__).parents[2]


def free_port() -> int:
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        return int(probe.getsockname()[1])


class Dask:
    """A scheduler and workers; every process is ended with the test."""

    def __init__(self, folder: Path) -> None:
        self.folder, self.port = folder, free_port()
        self.address = f"tcp://127.0.0.1:{self.port}"
        self.scheduler: subprocess.Popen[bytes] | None = None
        self.workers: list[subprocess.Popen[bytes]] = []

    def _start(self, *words: str, **environment: str) -> subprocess.Popen[bytes]:
        log = (self.folder / f"{words[0]}-{time.monotonic_ns()}.log").open("wb")
        command = [sys.executable, "-m", "distributed.cli.dask_" + words[0], *words[1:]]
        return subprocess.Popen(
            command,
            stdout=log,
            stderr=subprocess.STDOUT,
            cwd=self.folder,
            env={**os.environ, "DASK_DISTRIBUTED__SCHEDULER__WORKER_TTL": "30 seconds", **environment},
            start_new_session=True,
        )

    def start_scheduler(self) -> None:
        words = ("--host", "127.0.0.1", "--port", str(self.port), "--dashboard-address", "127.0.0.1:0", "--no-show")
        self.scheduler = self._start("scheduler", *words)
        deadline = time.monotonic() + 120
        while time.monotonic() < deadline:
            with contextlib.suppress(OSError), socket.create_connection(("127.0.0.1", self.port), 1):
                return
            time.sleep(0.1)
        raise AssertionError("no scheduler")

    def start_worker(self, **environment: str) -> subprocess.Popen[bytes]:
        words = ("--nthreads", "1", "--no-nanny", "--host", "127.0.0.1", "--no-dashboard")
        worker = self._start("worker", self.address, *words, "--local-directory", str(self.folder), **environment)
        self.workers.append(worker)
        return worker

    @staticmethod
    def kill(process: subprocess.Popen[bytes] | None) -> None:
        assert process is not None
        with contextlib.suppress(ProcessLookupError):
            os.killpg(process.pid, signal.SIGKILL)
        process.wait()

    def close(self) -> None:
        for process in [*self.workers, *([self.scheduler] if self.scheduler else [])]:
            if process.poll() is None:
                self.kill(process)
