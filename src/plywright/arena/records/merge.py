"""Records of one run that were written in several places, put together into one."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from pathlib import Path

from ...errors import BadInput
from ..schedules.progress import Progress
from .database import AnotherRun, guarded, same_plan
from .run_file import Records


@dataclass(frozen=True)
class Merged:
    """What came together."""

    games: int
    """Games with a result in the new record."""
    again: int
    """Games that more than one record had: the first one counts."""
    other: tuple[int, ...]
    """Those of them that were played differently, by their numbers."""


def merge_records(
    paths: Sequence[Path], to: Path, progress: Callable[[int, int], None] = lambda done, of: None
) -> Merged:
    """Write the games of several records of the same run into a new one; of a game that two have, the first counts."""
    if len(paths) < 2:
        raise BadInput("merging takes at least two records of the same run")
    if to.exists():
        raise BadInput(f"{to} is there already: choose a new file for the merged record")
    opened: list[Records] = []
    try:
        opened.extend(map(Records.open, paths))
        plan = opened[0].plan
        for other in opened[1:]:
            try:
                same_plan(other.path, other.plan, plan)
            except AnotherRun as error:
                raise BadInput(
                    f"{other.path} and {opened[0].path} are records of two runs, with {error.difference}: only parts "
                    "of one run can be merged"
                ) from None
        return _merge(opened, to, progress)
    except BaseException:
        to.unlink(missing_ok=True)
        raise
    finally:
        for records in opened:
            records.close()


def _merge(opened: Sequence[Records], to: Path, progress: Callable[[int, int], None]) -> Merged:
    plan = opened[0].plan
    total = sum(len(records.outcomes()) for records in opened)
    lines: dict[int, str] = {}
    again, other, done = 0, list[int](), 0
    with Records.begin(to, plan) as merged:
        known = Progress(plan)
        pending = [(outcome, records) for records in opened for outcome in records.outcomes()]
        pending.sort(key=lambda each: each[0].game)  # stage by stage; of equal numbers the first record's first
        for outcome, records in pending:
            done += 1
            progress(done, total)
            if outcome.payoffs is None:
                continue  # an attempt without a result: where the game counts elsewhere it means nothing
            if outcome.game in lines:
                again += 1
                if lines[outcome.game] != outcome.line:
                    other.append(outcome.game)
                continue
            unit = known.units.get(outcome.game)
            if unit is None or (unit.seats, unit.round) != (outcome.seats, outcome.round):
                raise BadInput(
                    f"game {outcome.game} of {records.path} does not follow from the games before it in the others: "
                    "the stages of this schedule went different ways"
                )
            with guarded(records.path):
                _, record = records.game(outcome.game)
            known.add(merged.add(unit, record))
            lines[outcome.game] = outcome.line
    return Merged(len(lines), again, tuple(other))
