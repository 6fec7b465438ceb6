"""Work for workers in tests: what they do to a process is what hostile rules would."""

from __future__ import annotations

import os
import signal
import time
from typing import Any

from plywright.errors import BadInput
from plywright.web.task_channel import TaskChannel


def count(channel: TaskChannel, most: int) -> str:
    for number in range(1, most + 1):
        channel.report(number)
    return "done"


def echo(item: Any) -> Any:
    return item


def process() -> int:
    return os.getpid()


def wrong(words: str) -> None:
    raise BadInput(words)


def faulty() -> None:
    raise ValueError("no")


def until_stopped(channel: TaskChannel) -> str:
    channel.report("began")
    channel.stop.wait(60)
    return "stopped"


def until_hurried(channel: TaskChannel) -> str:
    channel.report("began")
    return "hurried" if channel.hurry.wait(60) else "late"


def spin(channel: TaskChannel) -> None:
    channel.report("began")
    while True:
        pass


def spin_shortly() -> None:
    while True:
        pass


def segfault(channel: TaskChannel) -> None:
    channel.report(os.getpid())
    os.kill(os.getpid(), signal.SIGSEGV)
    time.sleep(60)
