"""What was answered, kept across restarts: exercises and predictions in the lab, newest first."""

from __future__ import annotations

import datetime
from collections.abc import Iterator
from typing import Any, NamedTuple

from ...number import is_whole
from ...textbook import ALGORITHMS
from ..errors import Missing
from ..json_store import JsonStore

ATTEMPTS = JsonStore("exercises")


class Standing(NamedTuple):
    """How an algorithm went so far."""

    algorithm: str
    title: str
    tries: int
    right: int
    asked: int
    last: str

    @property
    def share(self) -> str:
        return f"{100 * self.right / self.asked:.0f} %" if self.asked else ""


def keep(algorithm: str, right: int, asked: int, *, what: str = "exercise", **more: Any) -> str:
    """Keep an attempt; the answer is its name."""
    when = datetime.datetime.now().isoformat(timespec="minutes", sep=" ")
    return ATTEMPTS.add({"algorithm": algorithm, "right": right, "asked": asked, "what": what, "when": when, **more})


def attempts() -> Iterator[dict[str, Any]]:
    for name in ATTEMPTS.names():
        try:
            found = ATTEMPTS[name]
        except Missing:
            continue
        if isinstance(found, dict) and found.get("algorithm") in list(ALGORITHMS) and _is_counted(found):
            yield {**found, "name": name}


def _is_counted(found: dict[str, Any]) -> bool:
    """Whether the score of an attempt is one; files can be damaged."""
    right, asked = found.get("right"), found.get("asked")
    return is_whole(right) and is_whole(asked) and 0 <= right <= asked


def standings() -> list[Standing]:
    """One line for each algorithm of the textbook, tried or not."""
    rows = {name: Standing(name, entry.title, 0, 0, 0, "") for name, entry in ALGORITHMS.items()}
    for one in attempts():
        row = rows[one["algorithm"]]
        rows[row.algorithm] = row._replace(
            tries=row.tries + 1,
            right=row.right + one["right"],
            asked=row.asked + one["asked"],
            last=row.last or str(one.get("when", "")),
        )
    return list(rows.values())
