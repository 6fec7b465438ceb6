"""Work for workers in tests: what they do to a process is what hostile rules would."""

from __future__ import annotations

import os
import signal
import time
from typing import Any

from plywright.errors import BadInput
from plywright.web.talk import Talk


def count(talk: Talk, most: int) -> str:
    for number in range(1, most + 1):
        talk.report(number)
    return "done"


def echo(item: Any) -> Any:
    return item


def process() -> int:
    return os.getpid()


def wrong(words: str) -> None:
    raise BadInput(words)


def faulty() -> None:
    raise ValueError("no")


def until_stopped(talk: Talk) -> str:
    talk.report("began")
    talk.stop.wait(60)
    return "stopped"


def until_hurried(talk: Talk) -> str:
    talk.report("began")
    return "hurried" if talk.hurry.wait(60) else "late"


def spin(talk: Talk) -> None:
    talk.report("began")
    while True:
        pass


def spin_shortly() -> None:
    while True:
        pass


def segfault(talk: Talk) -> None:
    talk.report(os.getpid())
    os.kill(os.getpid(), signal.SIGSEGV)
    time.sleep(60)
