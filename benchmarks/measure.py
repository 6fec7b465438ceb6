"""How things are timed here: rivals side by side in one run, several rounds, ratios of medians."""

from __future__ import annotations

import statistics
import time
from collections.abc import Callable
from dataclasses import asdict, dataclass, field
from typing import Any


@dataclass
class Row:
    """One line of the speed table; `ratio` is ours over theirs (or theirs over ours for times): larger is better."""

    name: str
    ours: str
    theirs: str
    ratio: float | None
    target: str
    met: bool | None
    detail: dict[str, Any] = field(default_factory=dict)

    def as_dict(self) -> dict[str, Any]:
        return asdict(self)


def skipped(name: str, why: str, target: str) -> Row:
    return Row(name, "skipped", why, None, target, None)


def seconds(action: Callable[[], Any]) -> tuple[float, Any]:
    began = time.perf_counter()
    answer = action()
    return time.perf_counter() - began, answer


def processor_seconds(action: Callable[[], Any]) -> tuple[float, Any]:
    """The same by the time of the processor: for work of one thread, whatever else the machine does meanwhile."""
    began = time.process_time()
    answer = action()
    return time.process_time() - began, answer


def side_by_side(
    ours: Callable[[], Any], theirs: Callable[[], Any], rounds: int = 5
) -> tuple[float, float, Any, Any, list[float]]:
    """Median seconds of each, their answers, and the ratio theirs / ours of every round (its spread is the noise)."""
    mine, other, ratios = [], [], []
    for _ in range(rounds):
        a, our_answer = seconds(ours)
        b, their_answer = seconds(theirs)
        mine.append(a)
        other.append(b)
        ratios.append(b / a)
    return statistics.median(mine), statistics.median(other), our_answer, their_answer, sorted(ratios)


def short(value: float) -> str:
    """Seconds for people."""
    if value >= 1:
        return f"{value:.2f} s"
    return f"{value * 1e3:.3g} ms" if value >= 1e-3 else f"{value * 1e6:.3g} us"


def rate(value: float) -> str:
    return f"{value / 1e6:.1f} M nodes/s" if value >= 1e6 else f"{value / 1e3:.1f} k nodes/s"
