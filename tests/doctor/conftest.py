"""A child of the doctor for each of a hundred small games, from one process that has imported it already."""

from __future__ import annotations

import os
import socket
import struct
import subprocess
import sys
from collections.abc import Iterator
from typing import IO, Any

import pytest

from plywright.doctor import examination
from plywright.programs.resting import TICKS, times_of

SERVER = """
import os, socket, struct, sys
from plywright.doctor import child
line = socket.socket(fileno=int(sys.argv[1]))
while files := socket.recv_fds(line, 1, 3)[1]:
    pid = os.fork()
    if pid == 0:
        for place, file in enumerate(files):
            os.dup2(file, place)
        os.closerange(3, 256)
        sys.stdin = os.fdopen(0, encoding="utf-8")
        child.main()
    for file in files:
        os.close(file)
    line.sendall(struct.pack("i", pid))
    while line.recv(1) == b"k":
        os.kill(pid, 9)
    line.sendall(struct.pack("i", os.waitstatus_to_exitcode(os.waitpid(pid, 0)[1])))
"""


class ForkedChild:
    """As `examination._Spawned`, of a process that has imported everything."""

    def __init__(self, line: socket.socket, job: dict[str, Any], errors: IO[bytes]) -> None:
        (read, given), (told, write) = os.pipe(), os.pipe()
        socket.send_fds(line, [b"."], [read, write, errors.fileno()])
        os.close(read)
        os.close(write)
        self.line, self.returncode, self.ended = line, 0, False
        self.pid = self._number()
        with os.fdopen(given, "w", encoding="utf-8") as job_file:
            job_file.write(examination.json.dumps(job) + "\n")
        self.stdout: IO[str] = os.fdopen(told, encoding="utf-8")

    def _number(self) -> int:
        return int(struct.unpack("i", self.line.recv(4, socket.MSG_WAITALL))[0])

    def worked(self) -> float:
        return sum(times_of(self.pid)[:2]) / TICKS

    def kill(self) -> None:
        if not self.ended:
            self.line.sendall(b"k")  # who waits for it knows that the number is still its own

    def wait(self) -> None:
        if not self.ended:
            self.line.sendall(b"w")
            self.returncode, self.ended = self._number(), True


@pytest.fixture(scope="session")
def forking() -> Iterator[socket.socket]:
    ours, theirs = socket.socketpair()
    with ours, theirs:
        command = [sys.executable, "-P", "-c", SERVER, str(theirs.fileno())]
        process = subprocess.Popen(command, pass_fds=[theirs.fileno()], env={**os.environ, "PYTHONHASHSEED": "0"})
        theirs.close()
        yield ours
    process.wait(timeout=60)


@pytest.fixture
def forked(forking: socket.socket, monkeypatch: pytest.MonkeyPatch) -> None:
    """Rules as Python are examined in forks; native code, which starts with its own order of sets, in new processes."""
    spawned = examination._Spawned

    def start(job: dict[str, Any], errors: IO[bytes]) -> Any:
        return ForkedChild(forking, job, errors) if job["half"] == "rules" else spawned(job, errors)

    monkeypatch.setattr(examination, "_Spawned", start)
