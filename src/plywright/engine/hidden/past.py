"""A seat's past: what it saw and did, in order. It says by which moves a view came about, and nothing more.

A moment is recorded where a player is to move, and after each player's move; deals of chance in between show in the
next moment. Consecutive moments of other players that look the same to the seat are merged, since how often somebody
tried something in secret is hidden from it. So a past consists of the seat's own observations and actions alone.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, NamedTuple

from ...errors import BadInput
from ...game import CHANCE, Game


class Moment(NamedTuple):
    """What a seat saw, and what it did there: None where it was not its turn."""

    view: Any
    action: int | None


class PastRecorder:
    """Makes a past step by step: `see` each state with its mover and, where that is known, the action that follows."""

    def __init__(self, game: Game, seat: int) -> None:
        self.game, self.seat = game, seat
        self.moments: list[Moment] = []
        self.by_player = False  # whether the step before was a player's

    def see(self, state: Any, mover: int, action: int) -> Moment | None:
        """The moment that a state in which `mover` did `action` adds; None where this seat notices nothing new."""
        shown = mover != CHANCE or self.by_player
        self.by_player = mover != CHANCE
        if not shown:
            return None
        moment = Moment(self.game.observation(state, self.seat), int(action) if mover == self.seat else None)
        if moment.action is None and self.moments and self.moments[-1] == moment:
            return None
        self.moments.append(moment)
        return moment

    def past(self, view: Any) -> tuple[Moment, ...]:
        """The past of a seat that now sees this."""
        last = len(self.moments) - (bool(self.moments) and self.moments[-1] == Moment(view, None))
        return tuple(self.moments[:last])


def past_of(game: Game, states: Sequence[Any], actions: Sequence[int], seat: int) -> tuple[Moment, ...]:
    """The past of a seat in the last of these states; nothing where all is open to everybody."""
    if not game.hidden:
        return ()
    recorder = PastRecorder(game, seat)
    for state, action in zip(states[: len(actions)], actions, strict=True):
        recorder.see(state, CHANCE if game.at_chance(state) else int(game.to_move(state)), action)
    return recorder.past(game.observation(states[-1], seat))


def checked_past(game: Game, past: Any, seat: int) -> tuple[Moment, ...]:
    """A past as a caller gives it; BadInput where it cannot be one."""
    wanted = "past is what the seat saw and did in order, as turn.past has it: pairs of a view and an action or None"
    if not isinstance(past, Sequence) or isinstance(past, str | bytes):
        raise BadInput(f"{wanted}, not {past!r}")
    moments = []
    for number, moment in enumerate(past, 1):
        if not isinstance(moment, tuple) or len(moment) != 2:
            raise BadInput(f"{wanted}; number {number} is {moment!r}")
        view, action = moment
        if action is not None and (isinstance(action, bool) or not hasattr(action, "__index__")):
            raise BadInput(f"{wanted}; the action of number {number} is {action!r}")
        moments.append(Moment(view, None if action is None else int(action)))
    return tuple(moments)
