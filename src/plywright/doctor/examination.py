"""`examine`: run a stranger's game in child processes and collect what they find.

First the rules as Python, then, if those keep the protocol, as native code. The parent never runs a
rule itself: a crash, a hang or an exit of the child is one more finding, and the flight recorder
says in which rule and after which moves it came.
"""

from __future__ import annotations

import contextlib
import json
import math
import os
import queue
import re
import signal
import subprocess
import sys
import tempfile
import threading
import time
import warnings
from collections.abc import Callable
from pathlib import Path
from typing import IO, Any, Protocol

from ..engine.examined_hooks import remember_passed
from ..errors import BadInput, shown
from ..game import Game
from ..programs.resting import TICKS, times_of
from ..rule_guard import HANG, named
from . import child
from .blackbox import BlackBox
from .machine import MACHINE_CHECKS
from .report import FAILED, PASSED, SKIPPED, WARNING, Check, Facts, Report
from .rules import ESSENTIAL, RULE_CHECKS

SECONDS = 5.0
"""What one check may take of play, where numbers of games and states have not ended it before."""
LOADING = 6
"""Reading a file and making its game may take this many times as long as a rule."""
MARGIN = 2.0
"""Seconds that the child gets beyond the patience with one rule, to report it by itself."""
QUIET = 180.0
"""Seconds without any news, while no rule runs (a compilation), after which the child is given up: of its processor
time, since a busy machine is no fault of the game."""
CROWDED = 5
"""How many times as long that may be by the clock."""


def examine(
    game: str | Game,
    *,
    knowledge: str | None = None,
    oracle: str | Path | None = None,
    seconds: float = SECONDS,
    seed: int = 1,
    patience: float = HANG,
    compiled: bool = True,
    progress: Callable[[str], object] = lambda check: None,
) -> Report:
    """Examine a game: a name or path as on the command line, or a Game where the system can fork.

    `knowledge` is a name of the game's, `none`, or a path: what is examined beside the rules, by default the
    game's own. `oracle` is the file of a table of the whole game, against which hooks and searches are held.
    `seconds` bounds the play of each check, `patience` the time of one call of a rule; `compiled=False`
    leaves native code and searches out; `progress` hears the name of each check as it begins. Equal
    seeds give equal findings. Raises BadInput where there is no such game.
    """
    if not isinstance(game, (str, Game)):
        raise BadInput(f"examine needs a Game, or a name or path of one, not {shown(game)}")
    if not 0 < seconds < math.inf or not 0 < patience < math.inf:
        raise BadInput("the doctor's seconds and patience must be numbers above 0")
    began = time.monotonic()
    report = Report(game=game if isinstance(game, str) else game.name, seed=seed)
    job: dict[str, Any] = {
        "seed": seed,
        "knowledge": knowledge,
        "oracle": None if oracle is None else str(Path(oracle).resolve()),
        "seconds": seconds,
        "patience": patience,
        "digests": [],
        "failed": [],
        "warned": [],
    }
    plan = ["loading", *(name for name, _ in RULE_CHECKS)]
    rules = _Half(game, {**job, "half": "rules"}, report, plan, progress)
    rules.run()
    blocking = [check.name for check in report.failed if check.name in ESSENTIAL]
    names = [name for name, _ in MACHINE_CHECKS]
    if not compiled:
        report.checks += [Check(name, SKIPPED, "not asked for") for name in names]
    elif blocking:
        report.checks += [Check(name, SKIPPED, f"not tried, since {blocking[0]!r} failed") for name in names]
    else:
        job |= {"half": "machine", "digests": rules.digests, "failed": [check.name for check in report.failed]}
        job["warned"] = [check.name for check in report.checks if check.status == WARNING]
        machine = _Half(game, job, report, names, progress)
        machine.run()
        if report.healthy and machine.identity:
            remember_passed(machine.identity)
    if "process" not in [check.name for check in report.checks]:
        report.checks.append(Check("process", PASSED, "no rule took its process down"))
    report.seconds = time.monotonic() - began
    return report


class _Half:
    """One child process: half of the examination."""

    def __init__(
        self,
        game: str | Game,
        job: dict[str, Any],
        report: Report,
        plan: list[str],
        progress: Callable[[str], object],
    ) -> None:
        self.game, self.job, self.report, self.plan, self.progress = game, job, report, plan, progress
        self.current = plan[0]
        self.digests: list[str] = []
        self.identity = ""  # of rules, data and engine, where all checks were made
        self.done = False

    def run(self) -> None:
        """Start the child, take its messages, and say so when it does not end by itself."""
        with tempfile.TemporaryDirectory(prefix="plywright-doctor-") as folder:
            path = Path(folder) / "blackbox"
            with (
                contextlib.closing(BlackBox.blank(path)) as box,
                (Path(folder) / "errors").open("w+b") as errors,
            ):
                process = _start(self.game, {**self.job, "box": str(path)}, errors)
                lines: queue.Queue[str | None] = queue.Queue()
                reader = threading.Thread(target=_read, args=(process.stdout, lines), daemon=True)
                reader.start()
                try:
                    stalled = self._listen(process, lines, box)
                finally:
                    process.kill()
                    process.wait()
                    reader.join(MARGIN)  # a process that a rule has left behind may hold the pipe open
                    process.stdout.close()
                if not self.done:
                    errors.seek(0)
                    self._bury(process, box, stalled, errors.read().decode(errors="replace"))
        told = {check.name for check in self.report.checks}
        for name in self.plan:
            if name not in told:
                self.report.checks.append(Check(name, SKIPPED, "not tried, since the examination ended before it"))

    def _listen(self, process: _Child, lines: queue.Queue[str | None], box: BlackBox) -> bool:
        """Take messages until the child ends; returns whether it hangs instead."""
        calls, since, worked = -1, time.monotonic(), 0.0
        while True:
            try:
                line = lines.get(timeout=0.1)
            except queue.Empty:
                rule, now = box.rule, time.monotonic()
                if box.calls != calls:
                    calls, since, worked = box.calls, now, process.worked()
                if rule:
                    if now - since > self._patience(rule) + MARGIN:
                        return True
                elif now - since > QUIET and not (
                    0 < process.worked() - worked < QUIET and now - since < CROWDED * QUIET
                ):
                    return True
                continue
            if line is None:
                process.wait()
                return False
            since, worked = time.monotonic(), process.worked()
            self._take(json.loads(line))
            if self.done:
                return False

    def _patience(self, rule: str) -> float:
        return float(self.job["patience"]) * (LOADING if rule == child.LOADING else 1)

    def _take(self, message: dict[str, Any]) -> None:
        if "bad_input" in message:
            raise BadInput(message["bad_input"])
        if "broken" in message:
            raise RuntimeError(f"the doctor itself failed:\n{message['broken']}")
        if "begin" in message:
            self.current = message["begin"]
            self.progress(self.current)
        elif "check" in message:
            self.report.checks.append(Check(message["check"], message["status"], message["sentence"], message["moves"]))
        elif "facts" in message:
            self.digests, self.identity = message["digests"], message["identity"]
            self._note(message["facts"])
        self.done = self.done or "done" in message

    def _note(self, facts: dict[str, Any]) -> None:
        for name in ("branching", "length"):
            facts[name] = tuple(facts[name]) if facts[name] is not None else None
        self.report.facts = Facts(**facts)

    def _bury(self, process: _Child, box: BlackBox, stalled: bool, errors: str) -> None:
        """The child did not end by itself: add the finding that says in which rule, and after which moves."""
        rule, where = box.rule, f" {box.where}"
        culprit = named(rule) if rule else "something"
        if rule == child.LOADING:
            culprit, where = "loading the game (its file, or its __init__)", ""
        if stalled and not rule:
            self.report.checks.append(
                Check(
                    "process",
                    FAILED,
                    f"nothing was heard for {QUIET:g} s during the check {self.current!r}, while no rule ran: "
                    "rules that take so long to compile are better made of shorter ones",
                )
            )
            return
        if stalled:
            what = f"{culprit} has not come back for {self._patience(rule):g} s: it seems to loop for ever"
        else:
            what = f"{culprit} {_death(process.returncode)}{_line(errors)}"
        sentence = f"{what}{where}, during the check {self.current!r}; every call must come back with an answer"
        self.report.checks.append(Check("process", FAILED, sentence))


def _read(stream: IO[str], lines: queue.Queue[str | None]) -> None:
    for line in stream:
        lines.put(line)
    lines.put(None)


def _death(status: int) -> str:
    if status < 0:
        with contextlib.suppress(ValueError):
            return f"crashed the process ({signal.Signals(-status).name})"
    return f"ended the process (exit status {status})"


def _line(errors: str) -> str:
    """', in mygame.py, line 12' from what faulthandler wrote when the process crashed."""
    frames = re.findall(r'File "([^"]+)", line (\d+) in', errors)
    package = str(Path(__file__).parent.parent)
    for file, line in frames:
        if not file.startswith(package) or "games" in Path(file).parts:
            return f" in {Path(file).name}, line {line}"
    return ""


# -- children --------------------------------------------------------------------------------------------


def _start(game: str | Game, job: dict[str, Any], errors: IO[bytes]) -> _Child:
    if isinstance(game, str):
        return _Spawned({**job, "game": game}, errors)
    if not hasattr(os, "fork"):
        raise BadInput("this system can examine a game by its name or path only: give the doctor that text")
    return _Forked(game, job, errors)


class _Child(Protocol):
    """What is needed of a child process: its messages and its end."""

    stdout: IO[str]
    returncode: int

    def worked(self) -> float: ...
    def kill(self) -> None: ...
    def wait(self) -> None: ...


class _Spawned:
    """A fresh interpreter, which loads the game by its text."""

    def __init__(self, job: dict[str, Any], errors: IO[bytes]) -> None:
        package = str(Path(__file__).parent.parent.parent)
        paths = [package, *filter(None, [os.environ.get("PYTHONPATH")])]
        order = "1" if job["half"] == "machine" else "0"  # two orders of sets: what depends on them is found
        self._process = subprocess.Popen(
            [sys.executable, "-P", "-m", "plywright.doctor.child"],
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            stderr=errors,
            text=True,
            encoding="utf-8",
            env={**os.environ, "PYTHONPATH": os.pathsep.join(paths), "PYTHONHASHSEED": order},
        )
        assert self._process.stdin is not None and self._process.stdout is not None
        self.stdout: IO[str] = self._process.stdout
        self.returncode = 0
        with contextlib.suppress(BrokenPipeError), self._process.stdin as given:
            given.write(json.dumps(job) + "\n")

    def worked(self) -> float:
        return sum(times_of(self._process.pid)[:2]) / TICKS

    def kill(self) -> None:
        self._process.kill()

    def wait(self) -> None:
        self.returncode = self._process.wait()


class _Forked:
    """A copy of this process, which has the game already."""

    def __init__(self, game: Game, job: dict[str, Any], errors: IO[bytes]) -> None:
        source, sink = os.pipe()
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")  # other threads may hold locks: then the child hangs and is given up
            self._pid = os.fork()
        if self._pid == 0:
            try:
                os.dup2(os.open(os.devnull, os.O_RDWR), 0)
                os.dup2(0, 1)
                os.dup2(errors.fileno(), 2)
                child.work(job, lambda: game, os.fdopen(sink, "w", encoding="utf-8"))
            finally:
                os._exit(0)
        os.close(sink)
        self.stdout: IO[str] = os.fdopen(source, encoding="utf-8")
        self.returncode = 0
        self._ended = False

    def worked(self) -> float:
        return sum(times_of(self._pid)[:2]) / TICKS

    def kill(self) -> None:
        if not self._ended:
            os.kill(self._pid, signal.SIGKILL)

    def wait(self) -> None:
        if not self._ended:
            self.returncode = os.waitstatus_to_exitcode(os.waitpid(self._pid, 0)[1])
            self._ended = True
