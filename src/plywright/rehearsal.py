"""A short interpreted rehearsal of a stranger's rules before they become native code.

Compiled rules that loop for ever or read past a table cannot be stopped politely. So a game that is
not shipped with Plywright first plays a few random games as ordinary Python, under a guard that
names the rule, the line and the moves that lead to any fault. `plywright doctor` goes much further.
"""

from __future__ import annotations

import ctypes
import itertools
import math
import threading
import time
from collections.abc import Iterator
from typing import Any

from .errors import GameError, PlywrightError
from .game import CHANCE, Game
from .rng import below, seeded

SECONDS = 0.25
"""How long a rehearsal goes on (one game is always played, up to PLIES plies)."""
PLIES = 300
HANG = 5.0
"""Seconds after which one call of a rule is taken to loop for ever."""


class _Endless(Exception):
    """Thrown into a rule that does not come back."""


class Guard:
    """Calls the rules one by one and turns whatever goes wrong into a GameError that names the culprit."""

    def __init__(self, game: Game) -> None:
        self.game = game
        self.moves: list[str] = []
        self.rule = "initial"
        self.since = time.monotonic()

    def call(self, rule: str, *args: Any) -> Any:
        """The rule's answer; a generator is run to its end (or one past max_actions)."""
        self.rule, self.since = rule, time.monotonic()
        try:
            answer = getattr(self.game, rule)(*args)
            if rule in ("actions", "chance"):
                answer = list(itertools.islice(answer, self.game.max_actions + 1))
            return answer
        except PlywrightError:
            raise
        except _Endless:
            raise self.fault(rule, f"has not come back for {HANG:.0f} s: it seems to loop for ever") from None
        except RecursionError:
            raise self.fault(rule, "recurses for ever") from None
        except Exception as error:
            raise self.fault(rule, f"{self.line_of(error)}raised {type(error).__name__}: {error}") from error

    def line_of(self, error: BaseException) -> str:
        """'in mygame.py, line 12, ' for the innermost line outside Plywright."""
        place, found = error.__traceback__, ""
        while place is not None:
            file = place.tb_frame.f_code.co_filename
            if file != __file__:
                found = f"in {file.replace(chr(92), '/').rpartition('/')[2]}, line {place.tb_lineno}, "
            place = place.tb_next
        return found

    def fault(self, rule: str, what: str) -> GameError:
        shown = self.moves if len(self.moves) <= 12 else ["...", *self.moves[-12:]]
        where = f" (after {self.game.join_moves(shown)})" if self.moves else " (at the start)"
        return GameError(f"{self.game.name}: {rule}() {what}{where}")

    # -- rules with what the protocol says of them -----------------------------------------------------

    def mover(self, state: Any) -> int:
        mover = self.call("to_move", state)
        if not _whole(mover) or not (0 <= mover < self.game.players or mover == CHANCE and self.game.has_chance):
            raise self.fault("to_move", f"is {mover!r}; it must be 0 to {self.game.players - 1} or CHANCE")
        return int(mover)

    def actions(self, state: Any) -> list[int]:
        actions = self.call("actions", state)
        if len(actions) > self.game.max_actions:
            raise self.fault("actions", f"yields more than max_actions = {self.game.max_actions} actions")
        for action in actions:
            if not _whole(action) or action < 0:
                raise self.fault("actions", f"yields {action!r}; an action must be a whole number of at least 0")
        if len(set(actions)) < len(actions):
            twice = next(a for a in actions if actions.count(a) > 1)
            raise self.fault("actions", f"yields {twice!r} twice in one state")
        return [int(action) for action in actions]

    def terminal(self, state: Any) -> bool:
        return bool(self.call("is_terminal", state))

    def number(self, rule: str, state: Any, player: int) -> float:
        value = self.call(rule, state, player)
        try:
            number = float(value)
        except (TypeError, ValueError):
            raise self.fault(rule, f"is {value!r}, not a number") from None
        if math.isnan(number):
            raise self.fault(rule, "is not a number (NaN)")
        return number

    def outcomes(self, state: Any) -> list[tuple[int, float]]:
        found = [(int(outcome), float(p)) for outcome, p in self.call("chance", state)]
        if not found:
            raise self.fault("chance", "yields no outcomes at a chance state")
        return found


def _whole(value: Any) -> bool:
    return hasattr(value, "__index__") and not isinstance(value, bool)


def random_game(guard: Guard, rng: Any, plies: int = PLIES) -> Iterator[tuple[Any, int | None]]:
    """Play at random under the guard; yields (state, action taken or None at the end)."""
    game = guard.game
    guard.moves.clear()
    state = guard.call("initial")
    for _ in range(plies):
        if guard.terminal(state):
            for player in range(game.players):
                guard.number("utility", state, player)
            yield state, None
            return
        if guard.mover(state) == CHANCE:
            choices = (
                [o for o, _ in guard.outcomes(state)] if hasattr(game, "chance") else [guard.call("sample", state, rng)]
            )
        else:
            choices = guard.actions(state)
            if not choices:
                raise guard.fault("actions", "yields nothing, but is_terminal() says the game goes on")
        if game.evaluates:
            guard.number("evaluate", state, 0)
        action = choices[below(rng, len(choices))]
        yield state, action
        name = guard.call("format_action", state, action) if guard.mover(state) != CHANCE else f"[{action}]"
        state = guard.call("result", state, action)
        guard.moves.append(name)


def rehearse(game: Game) -> None:
    """Play a stranger's game at random for a moment; raises GameError at the first fault."""
    if type(game).__module__.startswith("plywright.") or "_rehearsed" in game.__dict__:
        return
    guard = Guard(game)
    failure: list[BaseException] = []

    def play() -> None:
        rng = seeded(1)
        until = time.monotonic() + SECONDS
        try:
            while True:
                for _ in random_game(guard, rng):
                    if time.monotonic() > until and len(guard.moves) > 1:
                        return
                if time.monotonic() > until:
                    return
        except BaseException as error:  # handed to the caller below
            failure.append(error)

    thread = threading.Thread(target=play, daemon=True, name="plywright-rehearsal")
    thread.start()
    while thread.is_alive():
        thread.join(0.05)
        if thread.is_alive() and time.monotonic() - guard.since > HANG and thread.ident is not None:
            ctypes.pythonapi.PyThreadState_SetAsyncExc(ctypes.c_ulong(thread.ident), ctypes.py_object(_Endless))
            thread.join(1.0)
            if thread.is_alive():
                raise guard.fault(guard.rule, f"has not come back for {HANG:.0f} s: it seems to loop for ever")
    if failure:
        raise failure[0]
    game.__dict__["_rehearsed"] = True
