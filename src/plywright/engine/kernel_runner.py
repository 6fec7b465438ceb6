"""Running a kernel so that it can be stopped: by the clock, by Ctrl-C, and when the rules hang.

The kernel works in a thread without the GIL and looks at `work.stop` at every node; the
calling thread waits for it and keeps the time.
"""

from __future__ import annotations

import contextlib
import sys
import threading
import time
from collections.abc import Callable, Iterator
from functools import partial
from pathlib import Path
from typing import Any

from ..compiled import Kernel, interpreted
from ..counters import NODES
from ..errors import GameError, PlywrightError
from ..game import Game
from .interrupts import note_interrupt
from .threads import Worker, worker

STALL = 10.0
"""Seconds without a single new node after which the rules are taken to loop for ever."""
PATIENCE = 6
"""So many times that for rules that use no processor, since a busy machine may leave them none."""
_NATIVE = Path(__file__).parent.parent / "native"  # frames of these files are not the rule that raised
_FRAMES = 20_000  # Python frames for an interpreted search


class Job(Kernel):
    """Python code that calls kernels, run as if it were a kernel: in a thread that can be watched and stopped."""

    def __init__(self, function: Callable[[Game], None], native: bool) -> None:
        self._function, self._native = function, native

    def entry(self, game: Game, *args: Any) -> tuple[Callable[..., Any], bool]:
        return self._function, self._native


Entry = tuple[Callable[..., Any], bool]
"""The function to call for a kernel with given argument types, and whether it is native code."""


def run(
    kernel: Kernel,
    game: Game,
    args: tuple[Any, ...],
    work: Any,
    *,
    deadline: float | None = None,
    compiled: bool | None = None,
    tick: Callable[[], None] | None = None,
    entry: Entry | None = None,
    halted: Callable[[], bool] | None = None,
) -> tuple[Any, bool]:
    """Call the kernel (through `entry` where the caller has it already); its value, and whether it ran compiled.

    `work` must have `stop`, and an `info` that begins as `counters.py` says. Past the `deadline` (monotonic) or on
    Ctrl-C `work.stop` is set, and the kernel's value is then meaningless; after Ctrl-C `work.stop[0]` is 2. While the
    kernel runs, `tick` is called about ten times per second. To stop it from another thread, make `halted` return
    True and then set `work.stop`, once.
    """
    function, native = entry or _entry(kernel, game, args, compiled)
    answers = _start(function, native, game, [args], [work], deadline, tick, halted=halted)
    return answers[0], native


def run_crew(
    kernel: Kernel,
    game: Game,
    calls: list[tuple[Any, ...]],
    crew: list[Any],
    *,
    deadline: float | None = None,
    compiled: bool | None = None,
    tick: Callable[[], None] | None = None,
    entry: Entry | None = None,
    halted: Callable[[], bool] | None = None,
) -> tuple[Any, int]:
    """Call the kernel in one thread for each workspace of the crew, which share `stop`.

    Returns the value of the one that finished first and its place; the others are stopped.
    """
    function, native = entry or _entry(kernel, game, calls[0], compiled)
    answers = _start(function, native, game, calls, crew, deadline, tick, halted=halted)
    place = next(iter(answers))
    return answers[place], place


def run_all(
    kernel: Kernel,
    game: Game,
    calls: list[tuple[Any, ...]],
    crew: list[Any],
    *,
    deadline: float | None = None,
    compiled: bool | None = None,
    entry: Entry | None = None,
    halted: Callable[[], bool] | None = None,
) -> list[Any]:
    """Call the kernel in one thread for each workspace of the crew, which share `stop`; the values of all of them."""
    function, native = entry or _entry(kernel, game, calls[0], compiled)
    answers = _start(function, native, game, calls, crew, deadline, every=True, halted=halted)
    return [answers[place] for place in range(len(calls))]


def _entry(kernel: Kernel, game: Game, args: tuple[Any, ...], compiled: bool | None) -> Entry:
    with interpreted() if compiled is False else contextlib.nullcontext():
        return kernel.entry(game, *args)


def _start(
    function: Any,
    native: bool,
    game: Game,
    calls: list[tuple[Any, ...]],
    crew: list[Any],
    deadline: float | None,
    tick: Callable[[], None] | None = None,
    every: bool = False,
    halted: Callable[[], bool] | None = None,
) -> dict[int, Any]:
    """The answers by place, in the order in which they came; waits for the first one, or for `every` one."""
    answers: dict[int, Any] = {}
    failures: list[BaseException] = []
    done = threading.Event()
    ended = [threading.Event() for _ in calls]
    crew[0].stop[0] = 0

    def task(place: int) -> None:
        try:
            answers[place] = function(game, *calls[place])
        except BaseException as error:  # passed on to the caller's thread below
            failures.append(error)
            if every:
                crew[place].stop[0] = 1

    def end(place: int) -> None:
        if not every or len(answers) + len(failures) == len(calls):
            done.set()
        ended[place].set()

    with _room_for_frames(native):
        workers = [worker() for _ in calls]
        for place, thread in enumerate(workers):
            thread.begin(partial(task, place), partial(end, place))
        _wait(workers[0], done, crew[0], deadline, game, tick, halted)
        if len(workers) > 1:
            asked = int(crew[0].stop[0])
            crew[0].stop[0] = asked or 1  # the first answer counts: the others may stop
            for event in ended:
                event.wait()
            crew[0].stop[0] = asked
    if failures:
        raise blame(game, failures[0])
    return answers


def _wait(
    thread: Worker,
    done: threading.Event,
    work: Any,
    deadline: float | None,
    game: Game,
    tick: Callable[[], None] | None,
    halted: Callable[[], bool] | None,
) -> None:
    """Watch the clock until the thread ends; raises GameError where it makes no progress at all."""
    info = work.info
    nodes, since, used = -1, time.monotonic(), thread.processor_seconds()
    while True:
        try:
            if done.is_set():
                return
            if halted is not None and halted() and not work.stop[0]:  # stop() came before this run cleared its word
                work.stop[0] = 1
            now = time.monotonic()
            pause = 0.1 if deadline is None or work.stop[0] else min(0.1, max(deadline - now, 0.0))
            if not done.wait(pause) and tick is not None:
                _call_or_end(tick, work, done)
            if deadline is not None and time.monotonic() >= deadline and not work.stop[0]:
                work.stop[0] = 1
            if info[NODES] != nodes:
                nodes, since, used = int(info[NODES]), time.monotonic(), thread.processor_seconds()
            elif not done.is_set() and _stalled(time.monotonic() - since, thread.processor_seconds() - used):
                thread.give_up()
                raise GameError(
                    f"{game.name}: a rule has not come back for {STALL:.0f} s, so it seems to loop for ever; "
                    f"`plywright doctor` says which"
                )
        except KeyboardInterrupt:  # wherever in this loop it falls, the kernel must not go on by itself
            work.stop[0] = 2
            note_interrupt()


def _call_or_end(tick: Callable[[], None], work: Any, done: threading.Event) -> None:
    """Call `tick`; what it raises, but for Ctrl-C, is passed on after the end of the search."""
    try:
        tick()
    except KeyboardInterrupt:
        raise
    except BaseException:
        work.stop[0] = 1
        done.wait()
        raise


def _stalled(seconds: float, processor_seconds: float) -> bool:
    """Whether rules that get nowhere loop for ever: they may also wait for a processor that others are using.

    The processor time is that of the thread that runs them, for other threads of the process may be compiling.
    """
    return seconds > STALL and (processor_seconds > STALL / 2 or seconds > PATIENCE * STALL)


def blame(game: Game, error: BaseException) -> BaseException:
    """An exception of the rules as a GameError that names the line; anything else as it is."""
    if isinstance(error, (PlywrightError, KeyboardInterrupt, MemoryError)):
        return error
    place = error.__traceback__
    line, name, file = 0, "a rule", ""
    while place is not None:
        code = place.tb_frame.f_code
        line, name, file = place.tb_lineno, code.co_name, code.co_filename
        place = place.tb_next
    what = "recurses for ever" if isinstance(error, RecursionError) else f"raised {type(error).__name__}: {error}"
    ours = Path(file) == Path(__file__) or Path(file).parent == _NATIVE
    rule = "a compiled rule" if ours else f"{name}() in {Path(file).name}, line {line},"
    if ours and isinstance(error, RecursionError):
        rule, what = "", str(error)  # the message of native code already names the function
    found = GameError(f"{game.name}: {rule} {what}".replace(":  ", ": "))
    found.__cause__ = error
    return found


@contextlib.contextmanager
def _room_for_frames(native: bool) -> Iterator[None]:
    """Room for the deep recursion of an interpreted search."""
    limit = sys.getrecursionlimit()
    if not native:
        sys.setrecursionlimit(max(limit, _FRAMES))
    try:
        yield
    finally:
        if not native:
            sys.setrecursionlimit(limit)
