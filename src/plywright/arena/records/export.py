"""The games of a record for other programs: as JSON lines, or in the game's own notations."""

from __future__ import annotations

import json
from collections.abc import Iterator
from typing import Any

from ...errors import BadInput
from ...game import Game
from ...outcome_text import value_text
from ..game_record import NORMAL
from ..outcome import Outcome
from .replaying import steps
from .run_file import Records

JSON_LINES, PARQUET = "jsonl", "parquet"


def exported(game: Game, records: Records, form: str) -> Iterator[str]:
    """The lines of an export, `jsonl` or a notation of the game; raises BadInput where there is no such form."""
    if form != JSON_LINES and form not in game.notations:
        known = ", ".join((JSON_LINES, PARQUET, *game.notations))
        raise BadInput(f"games of {game.name} are not written as {form!r}: --format is one of {known}")
    numbers = [outcome.game for outcome in last_attempts(records)]
    return _json_lines(game, records, numbers) if form == JSON_LINES else _notation(game, records, numbers, form)


def last_attempts(records: Records) -> list[Outcome]:
    """One line per game: the attempt that counts, or the last one."""
    found: dict[int, Outcome] = {}
    for outcome in records.outcomes():
        if outcome.game not in found or found[outcome.game].payoffs is None:
            found[outcome.game] = outcome
    return list(found.values())


def game_data(game: Game, records: Records, number: int) -> dict[str, Any]:
    """One game as plain data: everything in the record, and what its moves are called."""
    outcome, record = records.game(number)
    played = list(steps(game, record))
    data = record.as_dict()
    data["game"] = records.plan.game
    data["number"], data["round"], data["attempt"] = number, outcome.round, outcome.attempt
    data["players"] = [records.plan.names[player] for player in outcome.seats]
    data["moves"] = [step.text for step in played[1:]]
    data["states"] = [game.format_state(step.state) for step in played]
    return data


def payoffs_text(payoffs: tuple[float, ...] | None) -> str:
    """Payoffs by seat: +1 -1, 0 0; or that there are none."""
    return "void" if payoffs is None else " ".join(value_text(payoff) for payoff in payoffs)


def _json_lines(game: Game, records: Records, numbers: list[int]) -> Iterator[str]:
    for number in numbers:
        yield json.dumps(game_data(game, records, number), ensure_ascii=False, allow_nan=False)


def _notation(game: Game, records: Records, numbers: list[int], notation: str) -> Iterator[str]:
    """Each game as its players write it; in text, a remark before it says who played and how it ended."""
    for number in numbers:
        outcome, record = records.game(number)
        names = [records.plan.names[player] for player in outcome.seats]
        if notation == "text":
            yield f"# {number}: {' v '.join(names)}: {payoffs_text(record.payoffs)}, {record.termination}"
        first, *played = steps(game, record)
        actions = [step.action for step in played if step.action is not None]
        notes: list[tuple[float | None, float]] = []
        for step in played:
            value = (step.info or {}).get("value")
            notes.append((float(value) if isinstance(value, (int, float)) else None, step.seconds))
        ending = "" if record.termination == NORMAL else record.termination
        told: dict[str, Any] = {"names": names, "payoffs": record.payoffs, "notes": notes, "ending": ending}
        yield game.format_game(first.state, actions, notation, **told)
