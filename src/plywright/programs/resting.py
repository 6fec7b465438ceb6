"""A program that is not to move stands still: it is frozen until it is asked again, with all its descendants.

Freezing takes longer than a quick opponent thinks, so it is put off for a moment (`GRACE`): whoever then still
runs instead of waiting for its next line is frozen, and at once after its next moves; whoever sleeps is frozen
a little later (`ASLEEP`), so that a well-behaved program pays nothing for it in quick games. On a busy machine an
honest program may be seen before it had its turn to go to sleep, so there is another look after a few rests
(`DISTRUST`), and after twice as many each time it is seen to run on. Where there are control groups their freezer is
used, elsewhere every descendant is stopped by a signal. The processor time of all of them together is measured in
the same way.
"""

from __future__ import annotations

import contextlib
import os
import signal
import threading
import time
from pathlib import Path

from .supervisor import descendants

GRACE = 0.003
"""Seconds after its answer in which a program may still tidy up."""
ASLEEP = 0.03
"""Seconds after which one that slept then is frozen as well: to wake it again costs more than a quick move takes."""
DISTRUST = (4, 64)
"""Rests for which one that ran on is frozen at once: at first, and at most."""
STALE = 0.05
"""Seconds after which the processor time at the start of a turn is read anew."""
CROWD = 4
"""Threads per processor that no program needs which only wants to think."""
ROUNDS = 50
"""Looks for processes that were started while others were being stopped."""
TICKS = os.sysconf("SC_CLK_TCK") if hasattr(os, "sysconf") else 100
SWITCHES = (("cgroup.freeze", "1", "0"), ("freezer.state", "FROZEN", "THAWED"))


class Rest:
    """Whether one program stands still, and what it works."""

    def __init__(self, supervisor: int, groups: list[Path]) -> None:
        self.supervisor = supervisor
        self.switch = next(
            ((group / name, on, off) for name, on, off in SWITCHES for group in groups if (group / name).exists()), None
        )
        meters = [group / name for name in ("cpuacct.usage", "cpu.stat") for group in groups]
        self.meter = next((meter for meter in meters if meter.exists()), None)
        self.lock = threading.Lock()
        self.since: float | None = None
        self.grace = GRACE
        self.frozen = False
        self.distrust = 0
        """Rests for which it was to be frozen at once when it was last looked at: none where it slept."""
        self.owed = 0
        """How many of them are left."""
        self.stopped: list[int] = []
        self.read_at, self.before = 0.0, 0.0

    def begin(self) -> None:
        """It has answered: it is frozen shortly, or at once if it recently kept running."""
        self.grace, self.since = GRACE, time.monotonic()
        if not self.owed:
            warden().notice(self)
            return
        with self.lock:
            self.owed = max(self.owed - 1, 0)
            self.freeze()

    def end(self) -> None:
        """It is asked, or told to leave. What it had worked until then is known if it was frozen meanwhile."""
        with self.lock:
            since, self.since = self.since, None
            is_known = self.frozen and since is not None and self.read_at > since
            if not is_known and time.monotonic() - self.read_at > STALE:
                self.begin_count()
            if self.frozen:
                self.thaw()

    def settle(self) -> bool:
        """Freeze it if its moment is over; whether there is nothing more to do."""
        with self.lock:
            if self.since is None or self.frozen:
                return True
            rested = time.monotonic() - self.since
            if rested < self.grace:
                return False
            self.distrust = min(max(2 * self.distrust, DISTRUST[0]), DISTRUST[1]) if self.wanting() else 0
            self.owed = self.distrust
            if not self.distrust and rested < ASLEEP:
                self.grace = ASLEEP
                return False
            self.freeze()
            self.begin_count()  # here, where nobody waits for it
            return True

    def freeze(self) -> None:
        self.frozen = True
        if self.switch is not None and write(self.switch[0], self.switch[1]):
            return
        for _ in range(ROUNDS):
            family = descendants(self.supervisor)
            moving = [process for process in family if state_of(process) not in "TtZX"]
            if not moving:
                break
            for process in moving:
                with contextlib.suppress(OSError):
                    os.kill(process, signal.SIGSTOP)
            self.stopped = list(dict.fromkeys([*self.stopped, *moving]))

    def thaw(self) -> None:
        self.frozen = False
        if self.switch is not None:
            write(self.switch[0], self.switch[2])
        for process in self.stopped:
            with contextlib.suppress(OSError):
                os.kill(process, signal.SIGCONT)
        self.stopped = []

    # -- processor time ------------------------------------------------------------------------------------

    def begin_count(self) -> None:
        self.read_at, self.before = time.monotonic(), self.seconds()

    def worked(self) -> float:
        """Seconds of processor time since the turn began, of all its processes together."""
        return self.seconds() - self.before

    def wanting(self) -> int:
        """How many of its threads are running or want to."""
        return sum(map(running_threads, descendants(self.supervisor)))

    def seconds(self) -> float:
        if self.meter is not None:
            with contextlib.suppress(OSError, ValueError, IndexError):
                words = self.meter.read_text().split()
                return int(words[0]) / 1e9 if len(words) == 1 else int(words[words.index("usage_usec") + 1]) / 1e6
        own = sum(sum(times_of(process)) for process in descendants(self.supervisor))
        return (own + sum(times_of(self.supervisor)[2:])) / TICKS


def write(file: Path, text: str) -> bool:
    try:
        file.write_text(text)
    except OSError:
        return False
    return True


def fields_of(process: int, task: int | None = None) -> list[str]:
    """What the system says of a process, from its state on; empty where it is gone."""
    place = f"/proc/{process}/stat" if task is None else f"/proc/{process}/task/{task}/stat"
    try:
        return Path(place).read_text().rpartition(")")[2].split()
    except OSError:
        return []


def state_of(process: int) -> str:
    return (fields_of(process) or ["X"])[0]


def times_of(process: int) -> list[int]:
    """Ticks of processor time: its own, user and system, and of the children it has waited for."""
    return [int(word) for word in fields_of(process)[11:15]]


def running_threads(process: int) -> int:
    """How many of its threads are running or ready to."""
    with contextlib.suppress(OSError):
        return sum(fields_of(process, int(task))[:1] == ["R"] for task in os.listdir(f"/proc/{process}/task"))  # noqa: PTH208
    return 0


def processors() -> int:
    return len(os.sched_getaffinity(0)) if hasattr(os, "sched_getaffinity") else os.cpu_count() or 1


def is_own_doing(worked: float, wanting: int, seconds: float, clock: float) -> bool:
    """Whether a program, and not somebody else, is why it had no answer after the given seconds.

    So where it has had the processor time that its clock stands for, on as many processors as it has threads for;
    and where it crowds the machine: with more than two threads a processor it took most of their time, or it has so
    many threads that their number alone keeps others waiting.
    """
    places = processors()
    if worked > clock * min(max(wanting, 1), places) or wanting > CROWD * places:
        return True
    return wanting > 2 * places and worked > places * seconds / 2


def is_disturbing(worked: float, wanting: int, seconds: float) -> bool:
    """Whether a program that ponders has left its opponent, who took the given seconds, less than a processor."""
    places = processors()
    return worked > max(places - 1, 0.5) * seconds or wanting > places


class Warden:
    """A thread that freezes those whose moment is over; it sleeps while nobody rests."""

    def __init__(self) -> None:
        self.resting: set[Rest] = set()
        self.called = threading.Event()
        threading.Thread(target=self._watch, name="plywright-warden", daemon=True).start()

    def notice(self, rest: Rest) -> None:
        self.resting.add(rest)
        if not self.called.is_set():
            self.called.set()

    def _watch(self) -> None:
        while True:
            self.called.wait()
            self.called.clear()
            while self.resting:
                time.sleep(GRACE)
                for rest in list(self.resting):
                    self.resting.discard(rest)  # before the look: whoever rests anew meanwhile is noticed anew
                    if not rest.settle():
                        self.resting.add(rest)


def warden() -> Warden:
    """The one of this process."""
    if not _wardens:
        _wardens.append(Warden())
    return _wardens[0]


_wardens: list[Warden] = []
if hasattr(os, "register_at_fork"):
    os.register_at_fork(after_in_child=_wardens.clear)  # a fork has no threads of its parent's
