"""A program as a child process: lines in, lines out, each against a deadline of the monotonic clock."""

from __future__ import annotations

import contextlib
import errno
import json
import os
import re
import select
import shlex
import shutil
import signal
import subprocess
import sys
import tempfile
import time
from collections import deque
from pathlib import Path

from ..errors import BadInput
from ..players.offence import CRASHED, FLOODED, LATE, Offence
from .isolation import PATHS, Isolation, end_group, is_file
from .resting import Rest
from .supervisor import MARK, descendants
from .survivors import clean_up, registry

LINE_CAP = 1 << 16
"""Bytes of one line."""
ANSWER_CAP = 1 << 21
"""Bytes that may come while one answer is awaited."""
EMPTY_CAP = 1000
"""Empty lines that may come while one answer is awaited."""
LOG_CAP = 1 << 14
"""Bytes kept of what a program writes to standard error: the last ones."""
RAW_CAP = 1000
"""Characters kept of an offending line."""
ORPHANED = "is gone, and its supervisor with it"
_SUPERVISOR = Path(__file__).with_name("supervisor.py")


def split_command(text: str) -> list[str]:
    """The words of a command as a shell takes it; raises BadInput if there is none."""
    try:
        words = shlex.split(text)
    except ValueError as error:
        raise BadInput(f"the command {text!r} cannot be read: {error}") from None
    if not words:
        raise BadInput("give the command of a program, such as pipe:'python bot.py'")
    return words


def resolve_command(text: str) -> list[str]:
    """The words of a command, its program and the files it names as full paths; raises BadInput if there is none."""
    words = split_command(text)
    if words[0] in ("python", "python3"):
        found: str | None = sys.executable or shutil.which(words[0])
    else:
        found = shutil.which(words[0]) or shutil.which(words[0], path=PATHS)
    if found is None:
        what = "it is not executable" if is_file(words[0]) else "there is no such program"
        raise BadInput(f"{words[0]!r} cannot be run: {what}")
    rest = [str(Path(word).absolute()) if is_file(word) else word for word in words[1:]]
    missing = [word for word in rest if word.endswith((".py", ".js")) and not is_file(word)]
    if missing:
        raise BadInput(f"there is no file {missing[0]!r} for {words[0]!r} to run")
    return [str(Path(found).absolute()), *rest]


class Process:
    """A running program. Reading and writing raise Offence where the program is at fault."""

    def __init__(self, command: list[str], isolation: Isolation, home: Path | None = None) -> None:
        self.command = command
        self.name = Path(next(filter(is_file, reversed(command)), command[0])).name
        self.folder = Path(tempfile.mkdtemp(prefix="plywright-"))
        control_read, self.control = os.pipe()
        self.status, status_write = os.pipe()
        clean_up()
        config = isolation.config(command, self.folder, home)
        config["environment"][MARK] = self.folder.name
        config["entry"] = str(registry() / f"{self.folder.name}.json")
        self.groups = [Path(group) for group in config["groups"]]
        words = [sys.executable, "-I", "-S", str(_SUPERVISOR)]
        try:
            self.child = subprocess.Popen(
                [*words, json.dumps({**config, "control": control_read, "status": status_write})],
                stdin=subprocess.PIPE,
                stdout=subprocess.PIPE,
                stderr=subprocess.PIPE,
                pass_fds=(control_read, status_write),
                env={"PATH": PATHS},
                start_new_session=True,
                bufsize=0,
            )
        finally:
            os.close(control_read)
            os.close(status_write)
        self.rest = Rest(self.child.pid, self.groups)
        assert self.child.stdin and self.child.stdout and self.child.stderr
        self.input = self.child.stdin.fileno()
        self.output, self.errors = self.child.stdout.fileno(), self.child.stderr.fileno()
        self.poll = select.poll()
        for end in (self.input, self.output, self.errors):
            os.set_blocking(end, False)
        for end in (self.output, self.errors, self.status):
            self.poll.register(end, select.POLLIN)
        self.buffer = bytearray()
        self.lines: deque[str] = deque()
        self.log = b""
        self.received = self.empty = 0
        self.heard = 0.0
        """When the last bytes came, by the monotonic clock."""
        self.silent = False  # standard output has ended
        self.reason = ""

    # -- lines ---------------------------------------------------------------------------------------------

    def send(self, line: str, deadline: float) -> float:
        """Write one line; the moment at which its last byte was written."""
        data = line.encode() + b"\n"
        while data:
            try:
                data = data[os.write(self.input, data) :]
            except BlockingIOError:
                left = deadline - time.monotonic()
                if left <= 0:
                    raise Offence(LATE, f"{self.name} does not read what it is sent") from None
                _ready(self.input, select.POLLOUT, min(left, 1.0))
            except OSError as error:
                if error.errno not in (errno.EPIPE, errno.EBADF):
                    raise
                raise self.gone("no longer reads its input") from None
        return time.monotonic()

    def read_line(self, deadline: float) -> str:
        """The next whole line, without its end."""
        while not self.lines:
            if self.silent:
                raise self.gone("closed its output")
            left = deadline - time.monotonic()
            if left <= 0:
                raise Offence(LATE, f"{self.name} did not answer in time", self.partial())
            self._receive(min(left, 3600.0))
        return self.lines.popleft()

    def drain(self) -> list[str]:
        """Whatever it wrote unasked, taken off the pipe: no answer to anything that is asked later."""
        self.received = self.empty = 0
        while self._receive(0.0) and not self.silent:
            pass
        stale = list(self.lines)
        self.lines.clear()
        if self.buffer:
            stale.append(self.partial())
            self.buffer.clear()
        self.received = self.empty = 0
        return stale

    def _receive(self, patience: float) -> bool:
        """Wait for bytes and sort them into lines; whether any came."""
        came = False
        for end, _ in self.poll.poll(patience * 1000):
            try:
                data = os.read(end, 1 << 16)
            except BlockingIOError:
                continue
            if end == self.status:  # the program has ended; what it wrote before is still read
                self.poll.unregister(end)
                self.reason = data.decode() or ORPHANED
                self.silent = self.silent or not data
            elif not data:
                self.poll.unregister(end)
                self.silent = self.silent or end == self.output
            elif end == self.errors:
                self.log = (self.log + data)[-LOG_CAP:]
            else:
                came, self.heard = True, time.monotonic()
                self._sort(data)
        return came

    def _sort(self, data: bytes) -> None:
        self.received += len(data)
        self.buffer += data
        if b"\n" in data:
            *whole, rest = bytes(self.buffer).split(b"\n")
            self.buffer = bytearray(rest)
            if any(len(line) > LINE_CAP for line in whole):
                raise Offence(FLOODED, f"{self.name} wrote a line of more than {LINE_CAP} bytes", _shown(whole[0]))
            self.lines += [line.rstrip(b"\r").decode("utf-8", "backslashreplace") for line in whole]
            self.empty += len(whole) - len(list(filter(bytes.strip, whole)))
        if self.empty > EMPTY_CAP:
            raise Offence(FLOODED, f"{self.name} wrote more than {EMPTY_CAP} empty lines where one answer was due", "")
        if len(self.buffer) > LINE_CAP:
            raise Offence(FLOODED, f"{self.name} wrote more than {LINE_CAP} bytes without an end", self.partial())
        if self.received > ANSWER_CAP:
            raise Offence(FLOODED, f"{self.name} wrote more than {ANSWER_CAP} bytes where one answer was due", "")

    def partial(self) -> str:
        """What has come of a line that is not finished."""
        return _shown(bytes(self.buffer))

    # -- the end -------------------------------------------------------------------------------------------

    def gone(self, what: str) -> Offence:
        """The offence of a program that is no longer there, with why and its last words."""
        if not self.reason:
            ready = _ready(self.status, select.POLLIN, 0.5)
            self.reason = os.read(self.status, 1000).decode() if ready else what
            self.reason = self.reason or ORPHANED
        words = self.last_words()
        return Offence(CRASHED, f"{self.name} {self.reason}" + (f": {words}" if words else ""), self.partial())

    def last_words(self) -> str:
        """The last line on standard error, and where Python says that it happened."""
        with contextlib.suppress(OSError):
            for _ in range(64):  # what fits into a pipe, and not what it goes on writing meanwhile
                if not (data := os.read(self.errors, 1 << 16)):
                    break
                self.log = (self.log + data)[-LOG_CAP:]
        lines = self.log.decode("utf-8", "backslashreplace").strip().splitlines()
        return lines[-1][:200] + _place(lines[:-1]) if lines else ""

    @property
    def alive(self) -> bool:
        return not self.silent and self.child.poll() is None

    def end(self, grace: float = 0.0) -> None:
        """End it and everything it started; waits `grace` seconds for it to leave by itself."""
        if self.control < 0:
            return
        self.rest.end()
        with contextlib.suppress(OSError):
            assert self.child.stdin
            self.child.stdin.close()
        if grace > 0:
            with contextlib.suppress(subprocess.TimeoutExpired):
                self.child.wait(grace)
        os.close(self.control)
        self.control = -1
        with contextlib.suppress(subprocess.TimeoutExpired):
            self.child.wait(5)
        if self.child.poll() is None:  # it was stopped, or is kept busy: end what it watches, and let it go on
            for process in descendants(self.child.pid):
                with contextlib.suppress(OSError):
                    os.kill(process, signal.SIGKILL)
            self.child.send_signal(signal.SIGCONT)
            with contextlib.suppress(subprocess.TimeoutExpired):
                self.child.wait(10)
        self.child.kill()
        self.child.wait()
        assert self.child.stdout and self.child.stderr
        for pipe in (self.child.stdout, self.child.stderr):
            pipe.close()
        os.close(self.status)
        for group in self.groups:
            end_group(group)
        clean_up()
        shutil.rmtree(self.folder, ignore_errors=True)

    def __del__(self) -> None:
        with contextlib.suppress(Exception):
            self.end()


def _place(lines: list[str]) -> str:
    """Where Python says that an exception was raised, from the lines before the one that names it; else nothing."""
    for line in reversed(lines):
        if found := re.match(r'\s+(File ".+", line [0-9]+)', line):
            return f" ({found[1]})"
        if not line.startswith("  "):
            break
    return ""


def _ready(end: int, event: int, patience: float) -> bool:
    """Whether a pipe becomes ready within the given seconds; select(2) would not take every number."""
    poll = select.poll()
    poll.register(end, event)
    return bool(poll.poll(patience * 1000))


def _shown(data: bytes) -> str:
    return data[:RAW_CAP].decode("utf-8", "backslashreplace")
