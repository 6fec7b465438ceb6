"""Check of what a game says for the engine's sake, against plain minimax of positions small enough to finish."""

from __future__ import annotations

import math
import time
from collections.abc import Iterator
from typing import Any

import numpy as np

from ..budget import NODES
from ..engine.deepening import workspace
from ..engine.pvs import BUSY
from ..game import HOOKS, Game
from .patient import Patient, Seen, Verdict, passed, skipped

STATES = 300
"""How many states the hooks are asked about, those nearest to the end of their games first."""
MOST_NODES = 3000
"""A position that minimax cannot finish in so many nodes is not solved."""
MOST_PLIES = 60
MOST_PRIORITY = 1 << 20
_TOLERANCE = 1e-9


class _TooLarge(Exception):
    """The position needs more nodes than it gets."""


class _Contradiction(Exception):
    """What a hook says, and the remedy."""

    def __init__(self, what: str, remedy: str) -> None:
        super().__init__(what, remedy)
        self.what, self.remedy = what, remedy


def hooks(patient: Patient) -> Verdict:
    """candidates, noisy, null_move, bounds, key, finish and priority agree with the rules and with minimax."""
    game = patient.game
    defined = [hook for hook in HOOKS if getattr(type(game), hook) is not getattr(Game, hook)]
    if not defined:
        return skipped("the game has no hooks for the engine")
    if not game.opposed or game.has_chance or game.hidden:
        return skipped("the engine does not play such a game")
    examination = _Hooks(patient, defined)
    began = time.monotonic()
    late = sorted(patient.visits(over=False), key=lambda seen: len(seen.line) - seen.ply)
    for seen in late[:STATES]:
        patient.guard.place(seen.moves)
        try:
            examination.look(seen)
        except _Contradiction as found:
            return patient.fail(found.what, found.remedy)
        if time.monotonic() > began + patient.seconds:
            break
    if not examination.states:
        return skipped("no unfinished state was seen")
    names = ", ".join(f"{hook}()" for hook in defined)
    return passed(f"{names} agree with minimax in {examination.solved:,} of {examination.states:,} states")


class _Hooks:
    """The examination: what each hook says of a state, and what minimax says."""

    def __init__(self, patient: Patient, defined: list[str]) -> None:
        self.patient, self.game, self.guard, self.defined = patient, patient.game, patient.guard, defined
        self.values: dict[Any, float] = {}  # of solved states, for player 0
        self.keys: dict[int, tuple[Any, float]] = {}  # key -> a state and its value for its mover
        self.states = self.solved = 0
        self.budget = 0
        table, stop, busy = np.zeros(4, np.int64), np.zeros(1, np.int64), np.zeros(BUSY, np.int64)
        self.work = workspace(self.game, table, stop, busy) if self.game.step else None

    def look(self, seen: Seen) -> None:
        """Ask every hook about one state; raises _Contradiction at the first that is wrong."""
        state, self.states = seen.visit.state, self.states + 1
        actions = self.guard.actions(state)
        mover = int(self.guard.call("to_move", state))
        candidates = self._subset("candidates", state, actions) if "candidates" in self.defined else actions
        if not candidates:
            raise _Contradiction(
                f"candidates() yields nothing, but actions() yields {actions}",
                "it may leave out only actions that cannot matter",
            )
        if "noisy" in self.defined:
            self._subset("noisy", state, actions)
        if "priority" in self.defined:
            self._priorities(state, actions)
        if "null_move" in self.defined:
            self._null_move(state, mover)
        least, most = self._bounds(state)
        self.budget = MOST_NODES
        try:
            value = self._value(state, mover, MOST_PLIES)
        except _TooLarge:
            return
        self.solved += 1
        self._against_minimax(state, mover, value, candidates, least, most)

    def _subset(self, hook: str, state: Any, actions: list[int]) -> list[int]:
        found = [int(action) for action in self.guard.call(hook, state)]
        for action in found:
            if action not in actions:
                raise _Contradiction(
                    f"{hook}() yields {action}, which is not among the actions {actions}", "yield legal actions only"
                )
        if len(set(found)) < len(found):
            raise _Contradiction(f"{hook}() yields an action twice: {found}", "yield each one once")
        return found

    def _priorities(self, state: Any, actions: list[int]) -> None:
        for action in actions:
            value = self.guard.call("priority", state, action, 1)
            if not isinstance(value, (int, np.integer)) or abs(int(value)) > MOST_PRIORITY:
                raise _Contradiction(
                    f"priority() is {value!r} for action {action}",
                    "it must be a whole number within plus or minus 2^20",
                )

    def _null_move(self, state: Any, mover: int) -> None:
        other = self.guard.settled("null_move", self.guard.call("null_move", state))
        if other == state:
            return
        turn = int(self.guard.call("to_move", other))
        if self.game.team_of[turn] == self.game.team_of[mover]:
            raise _Contradiction(
                f"null_move() gives {other!r}, in which the same side is to move",
                "it must give the move to the other side, or return the state itself where passing is not tried",
            )

    def _bounds(self, state: Any) -> tuple[float, float]:
        if "bounds" not in self.defined:
            return -math.inf, math.inf
        least, most = (float(bound) for bound in self.guard.call("bounds", state))
        if not least <= most:
            raise _Contradiction(f"bounds() is {least:g} to {most:g}", "the least must not be above the most")
        return least, most

    def _against_minimax(
        self, state: Any, mover: int, value: float, candidates: list[int], least: float, most: float
    ) -> None:
        if not least - _TOLERANCE <= value <= most + _TOLERANCE:
            raise _Contradiction(
                f"bounds() is {least:g} to {most:g}, but minimax finds {value:g} for the mover",
                "bounds must be proved, in the view of the player to move",
            )
        best = max(self._value(self._result(state, action), mover, MOST_PLIES) for action in candidates)
        if best < value - _TOLERANCE:
            raise _Contradiction(
                f"the candidates {candidates} are worth {best:g} at most, but minimax finds {value:g}",
                "candidates() left out every best action; it may leave out only what cannot matter",
            )
        if "key" in self.defined:
            for place, worth in self._solved_near(state):
                self._key(place, worth)
        if "finish" in self.defined and self.work is not None and self.guard.call("is_late", state):
            self._finish(state, value)

    def _key(self, state: Any, value: float) -> None:
        """States that share a key share an entry of the table, and so a value."""
        key = int(self.guard.call("key", state)) & (1 << 64) - 1
        known, worth = self.keys.setdefault(key, (state, value))
        if abs(worth - value) > _TOLERANCE:
            raise _Contradiction(
                f"key() is the same for {known!r}, worth {worth:g} to its mover, and {state!r}, worth {value:g}",
                "states with equal keys must have equal values for their movers",
            )

    def _solved_near(self, state: Any) -> Iterator[tuple[Any, float]]:
        """The state and those after it that were solved on the way, with their values for their movers."""
        for place in (state, *(self._result(state, action) for action in self.guard.actions(state))):
            if not self.guard.call("is_terminal", place):
                yield place, self._value(place, int(self.guard.call("to_move", place)), MOST_PLIES)

    def _finish(self, state: Any, value: float) -> None:
        """With the widest window the value, with a null window on either side of it a bound on the right side."""
        assert self.game.step
        steps = round(value / self.game.step)
        low, high = (math.floor(bound / self.game.step) - 1 for bound in self.game.utility_range)
        for window in ((low, high + 2), (steps - 1, steps), (steps, steps + 1)):
            assert self.work is not None
            self.work.info[NODES] = 0
            found = int(self.guard.call("finish", state, *window, self.work))
            short, beyond = found < min(steps, window[1]), found > max(steps, window[0])
            if short or beyond:
                raise _Contradiction(
                    f"finish() is {found} with the window {window[0]} to {window[1]}, but minimax finds {steps}",
                    "it must be the mover's value in whole steps, exact inside the window and a bound outside",
                )

    # -- minimax ----------------------------------------------------------------------------------------------

    def _result(self, state: Any, action: int) -> Any:
        return self.guard.settled("result", self.guard.call("result", state, action))

    def _value(self, state: Any, player: int, plies: int) -> float:
        """The minimax value of a state for the player; raises _TooLarge where that takes too long."""
        sign = 1.0 if self.game.team_of[player] == self.game.team_of[0] else -1.0
        return sign * self._for_first(state, plies)

    def _for_first(self, state: Any, plies: int) -> float:
        if state in self.values:
            return self.values[state]
        self.budget -= 1
        if self.budget < 0 or plies == 0:
            raise _TooLarge
        if self.guard.call("is_terminal", state):
            value = float(self.guard.call("utility", state, 0))
        else:
            mover = int(self.guard.call("to_move", state))
            choose = max if self.game.team_of[mover] == self.game.team_of[0] else min
            value = choose(self._for_first(self._result(state, a), plies - 1) for a in self.guard.actions(state))
        self.values[state] = value
        return value
