"""Whether a record is whole and true: the file, its plan, every game against the rules and the schedule."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass
from typing import Any

from ...errors import BadInput
from ...game import Game
from ...players.offence import NORMAL
from ..game_record import GameRecord
from ..outcome import Outcome
from ..schedules.progress import Progress
from ..schedules.schedule import Unit
from .database import guarded
from .replaying import steps
from .run_file import Records

MOST_TOLD = 20
"""Faults that are told one by one; more are counted."""


@dataclass(frozen=True)
class RecordCheck:
    """What a check found."""

    games: int
    """Games with a result."""
    void: int
    """Attempts without one."""
    planned: int
    plies: int
    identical: int
    """Games that were played more than once: the same seats, the same moves."""
    faults: tuple[str, ...]
    """What is wrong, at most so many sentences; empty where nothing is."""
    more: int = 0
    """Faults beyond those."""

    @property
    def sound(self) -> bool:
        return not self.faults


def check_record(
    records: Records, game: Game, progress: Callable[[int, int], None] = lambda done, of: None
) -> RecordCheck:
    """Play every game of a record over by the rules, and hold its result to what they say."""
    outcomes = records.outcomes()
    units = Progress(records.plan, outcomes).units
    faults = list(_file_faults(records, units))
    plies, looked = 0, [outcome for outcome in outcomes if outcome.payoffs is not None]
    for done, outcome in enumerate(looked, 1):
        found, record = records.game(outcome.game)
        plies += len(record.plies)
        faults += [f"game {outcome.game}: {fault}" for fault in _game_faults(game, found, record)]
        progress(done, len(looked))
    count = Counter(outcome.identity for outcome in looked)
    return RecordCheck(
        games=len(looked),
        void=len(outcomes) - len(looked),
        planned=len(units),
        plies=plies,
        identical=sum(times - 1 for times in count.values()),
        faults=tuple(faults[:MOST_TOLD]),
        more=max(0, len(faults) - MOST_TOLD),
    )


def _file_faults(records: Records, units: Mapping[int, Unit]) -> Iterator[str]:
    with guarded(records.path):
        ask = records.connection.execute
        for (line,) in ask("PRAGMA integrity_check"):
            if line != "ok":
                yield f"the file is damaged: {line}"
        lost = "SELECT DISTINCT game, attempt FROM plies EXCEPT SELECT game, attempt FROM games"
        for number, attempt in ask(lost):
            yield f"there are moves of game {number}, attempt {attempt}, and no such game"
        for number, key, seed in ask("SELECT game, key, seed FROM games"):
            if (key, seed) != (units[number].key, units[number].seed):
                yield f"game {number}: its key or seed is not that of the plan"


def _game_faults(game: Game, outcome: Outcome, record: GameRecord) -> Iterator[str]:
    try:
        *_, last = steps(game, record)
    except BadInput as error:
        yield str(error)
        return
    if outcome.termination != NORMAL:
        return
    if not game.is_terminal(last.state):
        if game.repetition is None:
            yield "it ends as by the rules, but goes on after its last move"
        return
    paid = tuple(float(game.utility(last.state, seat)) for seat in range(game.players))
    if paid != outcome.payoffs:
        yield f"its payoffs are {_told(outcome.payoffs)}, and by the rules {_told(paid)}"


def _told(payoffs: Any) -> str:
    return " ".join(f"{payoff:g}" for payoff in payoffs)
