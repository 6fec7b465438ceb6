"""What a record says, held to what it may say: a file may be damaged, or come from anybody.

Each function gives a value back as it should be, or raises Damaged with what is wrong. Texts lose whatever
could steer a terminal.
"""

from __future__ import annotations

import json
import math
from typing import Any

from ...errors import PlywrightError, printable
from ..schedules.schedule import MATCH, TOURNAMENT, Plan
from ..statistics.elo_sprt import Sprt

LARGEST = 1 << 62
MOST_GAMES = 5_000_000
MOST_STAGES = 1_000


class Damaged(Exception):
    """Something in a record that no run writes."""


def whole(value: Any, what: str, low: int = 0, high: int = LARGEST) -> int:
    if type(value) is not int or not low <= value <= high:
        raise Damaged(f"{what} is {_shown(value)}")
    return value


def number(value: Any, what: str) -> float:
    if type(value) not in (float, int) or not -1e300 <= value <= 1e300:  # nor is NaN between them
        raise Damaged(f"{what} is {_shown(value)}")
    return float(value)


def text(value: Any, what: str) -> str:
    if not isinstance(value, str):
        raise Damaged(f"{what} is {_shown(value)}")
    return printable(value)


def lines(value: Any, what: str) -> str:
    """A text in a game's own notation, whose lines are part of it."""
    return "\n".join(text(line, what) for line in value.split("\n")) if isinstance(value, str) else text(value, what)


def account(value: Any) -> dict[str, Any]:
    """What a player said of its move: names and plain values."""
    found = parsed(value, "the account of a move")
    if not isinstance(found, dict):
        raise Damaged("the account of a move is no object")
    try:
        return {text(name, "a name"): _plain(said) for name, said in found.items()}
    except RecursionError:
        raise Damaged("the account of a move is too deep") from None


def _plain(value: Any) -> Any:
    """A value of JSON without anything that steers a terminal, and without numbers that JSON has no word for."""
    if isinstance(value, str):
        return printable(value)
    if isinstance(value, float):
        return value if math.isfinite(value) else None
    if isinstance(value, int):
        return value if abs(value) <= LARGEST else None
    if isinstance(value, list):
        return [_plain(each) for each in value]
    return {printable(name): _plain(each) for name, each in value.items()} if isinstance(value, dict) else value


def listed(value: Any, what: str, count: int | None = None) -> list[Any]:
    """A list, or the JSON text of one."""
    found = parsed(value, what) if isinstance(value, str) else value
    if not isinstance(found, list) or (count is not None and len(found) != count):
        raise Damaged(f"{what} is {_shown(value)}")
    return found


def parsed(value: Any, what: str) -> Any:
    try:
        return json.loads(value)
    except (ValueError, TypeError, RecursionError):
        raise Damaged(f"{what} is {_shown(value)}") from None


def seated(value: Any, plan: Plan) -> tuple[int, ...]:
    """Who sat where: a player of the run in each seat, nobody twice."""
    found = tuple(whole(player, "a seat", 0, len(plan.players) - 1) for player in listed(value, "seats", plan.seats))
    if len(set(found)) != len(found):
        raise Damaged(f"seats are {_shown(value)}")
    return found


def paid(value: Any, plan: Plan) -> tuple[float, ...] | None:
    if value is None:
        return None
    return tuple(number(payoff, "a payoff") for payoff in listed(value, "payoffs", plan.seats))


def offended(value: Any, plan: Plan) -> tuple[tuple[int, str], ...]:
    pairs = [listed(pair, "an offence", 2) for pair in listed(value, "offences")]
    return tuple((whole(seat, "an offender", 0, plan.seats - 1), text(cause, "a cause")) for seat, cause in pairs)


def offender(value: Any, plan: Plan) -> int | None:
    return None if value is None else whole(value, "an offender", 0, plan.seats - 1)


def plan_of(data: Any) -> Plan:
    """A plan from what a record says, every part of it as a run would write it."""
    if not isinstance(data, dict):
        raise Damaged(f"its plan is {_shown(data)}")
    try:
        plan = Plan.from_dict(data)
    except (TypeError, KeyError, AttributeError, ValueError) as error:
        raise Damaged(f"its plan lacks a part, or has one too many: {printable(str(error))}") from None
    if plan.kind not in (MATCH, TOURNAMENT):
        raise Damaged(f"it is a {_shown(plan.kind)}")
    for name in ("game", "rules", "mode", "source"):
        object.__setattr__(plan, name, text(getattr(plan, name), name))
    for player in plan.players:
        for name in ("text", "name", "fingerprint"):
            object.__setattr__(player, name, text(getattr(player, name), f"the {name} of a player"))
        whole(player.joins, "the stage in which a player joined", 0, MOST_STAGES)
        if player.leaves is not None:
            whole(player.leaves, "the stage in which a player left", player.joins + 1, MOST_STAGES)
    for opening in plan.openings:
        for action in opening.actions:
            whole(action, "an action of an opening", -LARGEST)
        object.__setattr__(opening, "text", lines(opening.text, "an opening"))
        if opening.position is not None:
            object.__setattr__(opening, "position", lines(opening.position, "the position of an opening"))
    whole(plan.seats, "the number of seats", 2, max(2, len(plan.players)))
    whole(plan.seed, "the seed", 0, (1 << 63) - 1)
    whole(plan.games, "the number of games", 1, MOST_GAMES)
    number(plan.margin, "the margin")
    if len(plan.players) < plan.seats or not _playable(plan) or not plan.openings or not isinstance(plan.once, bool):
        raise Damaged("its plan cannot be played")
    try:
        if plan.sprt is not None:
            Sprt.parse(text(plan.sprt, "the test"))
        if plan.adjudicate is not None:
            object.__setattr__(plan, "adjudicate", text(plan.adjudicate, "the adjudication"))
    except PlywrightError as error:
        raise Damaged(str(error)) from None
    return plan


def _playable(plan: Plan) -> bool:
    try:
        object.__setattr__(plan, "schedule", text(plan.schedule, "the schedule"))
        return plan.system.most_games() <= MOST_GAMES
    except PlywrightError as error:
        raise Damaged(str(error)) from None


def _shown(value: Any) -> str:
    return printable(repr(value)[:60])
