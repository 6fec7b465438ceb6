"""A worker of the page: `python -m plywright.web.worker`, with the server at the other end of its pipes.

It does one task after another and ends when its standard input does, since then the server has gone. What
rules print goes to the terminal.
"""

from __future__ import annotations

import contextlib
import faulthandler
import os
import pickle
import sys
import threading
import traceback
from collections.abc import Callable
from functools import partial
from importlib import import_module
from pathlib import Path
from queue import SimpleQueue
from typing import Any, BinaryIO

from ..compiled import interpreted
from ..errors import GameError, PlywrightError
from . import worker_pool
from .rendering import template, template_names
from .room import open_rooms
from .task_channel import TaskChannel
from .worker_pool import ANSWER, BEGUN, FAULT, HURRY, MISTAKE, STOP, here, read, write

WARMED = (".native", ".engine.alphabeta.pvs_search", ".engine.montecarlo.mcts_search", ".engine.chance.expectiminimax")
"""What searches import when they begin; a worker that has nothing to do yet does so before, and reads the templates."""
GROWN = 1 << 30
"""Bytes of memory with which a worker is replaced after its task."""


def main() -> None:
    source, sink = os.fdopen(os.dup(0), "rb"), os.fdopen(os.dup(1), "wb")
    os.dup2(os.open(os.devnull, os.O_RDONLY), 0)
    os.dup2(2, 1)
    faulthandler.enable()
    open_rooms()  # what most tasks need is imported before the first one comes
    worker_pool.settle(read(source))
    tasks: SimpleQueue[tuple[TaskChannel, bytes, bool]] = SimpleQueue()
    threading.Thread(target=_listen, args=(source, sink, tasks), daemon=True, name="listener").start()
    cold: list[Callable[[], object]] = [partial(import_module, name, "plywright") for name in WARMED]
    cold += [partial(template, name) for name in template_names()]
    while True:
        while cold and tasks.empty():
            cold.pop(0)()
        channel, task, reports = tasks.get()
        channel.tell(BEGUN, None, False)
        channel.tell(*_done(channel, task, reports), _is_spent())


def _listen(source: BinaryIO, sink: BinaryIO, tasks: SimpleQueue[tuple[TaskChannel, bytes, bool]]) -> None:
    """Hear tasks, and words to the one under way."""
    lock = threading.Lock()
    channel = TaskChannel(lambda *item: None)

    def tell(kind: str, item: Any, spent: bool) -> None:
        with lock:
            write(sink, (kind, item, spent))

    try:
        while True:
            said = read(source)
            if said == STOP:
                channel.stop.set()
            elif said == HURRY:
                channel.hurry.set()
            else:
                channel = TaskChannel(tell)
                tasks.put((channel, *said))
    finally:
        os._exit(0)


def _done(channel: TaskChannel, task: bytes, reports: bool) -> tuple[str, Any]:
    """What came of a task: its answer, the user's mistake, or a fault in words."""
    try:
        function, args = pickle.loads(task)
        with interpreted() if here().options.interpreted else contextlib.nullcontext():
            answer = function(channel, *args) if reports else function(*args)
        pickle.dumps(answer)
        return ANSWER, answer
    except PlywrightError as error:
        return MISTAKE, (GameError if isinstance(error, GameError) else type(error), str(error))
    except Exception as error:
        if (words := _rule_at_fault(error)) is not None:
            return MISTAKE, (GameError, words)
        traceback.print_exc()
        return FAULT, f"{type(error).__name__}: {error}"


def _rule_at_fault(error: Exception) -> str | None:
    """What a rule of the user's own raised, in words; None where it was none of them."""
    files = {str(Path(text.partition(".py")[0] + ".py").resolve()) for text in here().catalogue.own}
    frames = traceback.extract_tb(error.__traceback__)
    for frame in reversed(frames):
        if str(Path(frame.filename).resolve()) in files:
            place = f"{frame.name}() in {Path(frame.filename).name}, line {frame.lineno},"
            return f"{place} raised {type(error).__name__}: {error}"
    return None


def _is_spent() -> bool:
    """Whether a search runs on that was given up, or too much memory is held."""
    threads = [thread for thread in threading.enumerate() if not getattr(thread, "is_fit", True)]
    return bool(threads) or _memory() > GROWN


def _memory() -> int:
    """Bytes of memory in use, where the system tells."""
    try:
        return int(Path("/proc/self/statm").read_text().split()[1]) * os.sysconf("SC_PAGE_SIZE")
    except (OSError, ValueError, AttributeError):
        return 0


if __name__ == "__main__":
    with contextlib.suppress(EOFError, OSError):
        main()
    sys.exit(0)
