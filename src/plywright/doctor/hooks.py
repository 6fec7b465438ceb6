"""Check of what a game says for the engine's sake, against plain minimax of positions small enough to finish."""

from __future__ import annotations

import math
import time
from collections.abc import Iterator
from typing import Any

import numpy as np

from ..contracts import TOLERANCE, BrokenPromise, bounds_of, check_hooks, for_engine
from ..counters import NODES
from ..engine.alphabeta.pvs import BUSY
from ..engine.alphabeta.pvs_workspace import workspace
from ..errors import GameError
from ..knowledge import Knowledge, old_hooks_note
from ..rule_guard import Fault
from .lessons import ask_for_learning
from .partition import PATTERNS, wrong_proof
from .report import FAILED
from .subject import Seen, Subject, Verdict, passed, skipped, verdict_of, warning

STATES = 300
"""How many states the hooks are asked about, those nearest to the end of their games first."""
MOST_NODES = 3000
"""A position that minimax cannot finish within this many nodes is not solved."""
EARLIER, EARLIER_NODES = 60, 100_000
"""How many states further from the end are solved where knowledge says what values rest on, and nodes of each."""
MOST_PLIES = 60
SIMULATED = ("prior", "playout", "playout_moves")
"""What Monte Carlo trees ask, of any kind of game."""


class _TooLarge(Exception):
    """The position needs more nodes than it gets."""


def hooks(subject: Subject) -> Verdict:
    """candidates, noisy, null_move, bounds, key, finish and priority agree with the rules and with minimax.

    Playouts end games by legal moves, and priors are numbers; so is what learning asks for.
    """
    game = subject.game
    defined = subject.guard.knowledge.hooks
    if note := old_hooks_note(game):
        return warning(note)
    try:
        taught = ask_for_learning(subject)
    except Fault as fault:
        return verdict_of(fault)
    except GameError as error:
        return Verdict(FAILED, str(error))
    if not defined or not (for_engine(game) or {*defined} & {*SIMULATED}):
        if taught:
            return passed(f"learning gets what it asks for from {', '.join(f'{hook}()' for hook in taught)}")
        if defined:
            return skipped("the engine does not play such a game")
        plain = type(subject.guard.knowledge) is Knowledge
        return skipped("there is no knowledge beside the rules" if plain else "no hooks that searches ask")
    examination = _Hooks(subject, defined)
    began = time.monotonic()
    late = sorted(subject.visits(over=False), key=lambda seen: len(seen.line) - seen.ply)
    for seen in late[:STATES]:
        subject.guard.place(seen.moves)
        try:
            examination.look(seen)
        except BrokenPromise as found:
            return subject.fail(found.what, found.remedy)
        if time.monotonic() > began + subject.seconds:
            break
    if not examination.states:
        return skipped("no unfinished state was seen")
    patterned = subject.guard.knowledge.has_patterns and for_engine(game)
    if patterned:
        examination.solve_earlier([seen.visit.state for seen in late[STATES:]], began + subject.seconds)
    if patterned and (wrong := wrong_proof(subject.guard, examination.values, subject.seconds)):
        state, proved, wanted = wrong
        return subject.fail(
            f"a proof by shape() and pattern() finds {proved:g} for {state!r}, but minimax {wanted:g} for the mover",
            f"{', '.join(f'{hook}()' for hook in PATTERNS if hook in defined)} must name all that a value rests on",
        )
    names = ", ".join(f"{hook}()" for hook in defined)
    solved = f"they agree with minimax in the {examination.solved:,} that it could solve"
    held = solved if examination.solved else "minimax could solve none of them"
    return passed(f"{names} keep to the rules in {examination.states:,} states; {held}")


class _Hooks:
    """The examination: what each hook says of a state, and what minimax says."""

    def __init__(self, subject: Subject, defined: list[str]) -> None:
        self.subject, self.game, self.guard, self.defined = subject, subject.game, subject.guard, defined
        self.values: dict[Any, float] = {}  # of solved states, for player 0
        self.keys: dict[int, tuple[Any, float]] = {}  # key -> a state and its value for its mover
        self.structures: dict[int, tuple[Any, int]] = {}  # key -> a state and its structure
        self.states = self.solved = 0
        self.budget = 0
        table, stop, busy = np.zeros(4, np.int64), np.zeros(1, np.int64), np.zeros(BUSY, np.int64)
        self.work = workspace(self.guard.knowledge, table, stop, busy) if self.game.step else None

    def look(self, seen: Seen) -> None:
        """Ask every hook about one state; raises BrokenPromise at the first that is wrong."""
        state, self.states = seen.visit.state, self.states + 1
        actions = self.guard.actions(state)
        mover = int(self.guard.call("to_move", state))
        check_hooks(self.guard, state, mover, actions)
        if self.guard.knowledge.has_structure:
            self._structure(state)
        if not for_engine(self.game):
            return
        candidates = self._candidates(state) if "candidates" in self.defined else actions
        least, most = bounds_of(self.guard, state) if "bounds" in self.defined else (-math.inf, math.inf)
        self.budget = MOST_NODES
        try:
            value = self._value(state, mover, MOST_PLIES)
        except _TooLarge:
            return
        self.solved += 1
        self._against_minimax(state, mover, value, candidates, least, most)

    def solve_earlier(self, states: list[Any], deadline: float) -> None:
        """Have minimax solve states further from the end as well: small ones rest on little."""
        for state in states[:: max(len(states) // EARLIER, 1)]:
            self.budget = EARLIER_NODES
            try:
                self._for_first(state, MOST_PLIES)
            except _TooLarge:
                return
            if time.monotonic() > deadline:
                return

    def _structure(self, state: Any) -> None:
        """States that share a structure's key share the structure: one is kept for all of them."""
        key, word = (int(self.guard.call(hook, state)) for hook in ("structure_key", "structure"))
        known, kept = self.structures.setdefault(key & (1 << 64) - 1, (state, word))
        if kept != word:
            raise BrokenPromise(
                f"structure_key() is the same for {known!r} and {state!r}, but structure() is {kept} and {word}",
                "the key must hold everything that structure() depends on",
            )

    def _candidates(self, state: Any) -> list[int]:
        return [int(action) for action in self.guard.call("candidates", state)]

    def _against_minimax(
        self, state: Any, mover: int, value: float, candidates: list[int], least: float, most: float
    ) -> None:
        if not least - TOLERANCE <= value <= most + TOLERANCE:
            raise BrokenPromise(
                f"bounds() is {least:g} to {most:g}, but minimax finds {value:g} for the mover",
                "bounds must be proved, from the perspective of the player to move",
            )
        best = max(self._value(self._result(state, action), mover, MOST_PLIES) for action in candidates)
        if best < value - TOLERANCE:
            raise BrokenPromise(
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
        if self.guard.knowledge.counts_down and int(self.guard.call("plies_left", state)) <= MOST_PLIES:
            return  # the counter, which the key leaves out, may matter
        key = int(self.guard.call("key", state)) & (1 << 64) - 1
        known, worth = self.keys.setdefault(key, (state, value))
        if abs(worth - value) > TOLERANCE:
            raise BrokenPromise(
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
                raise BrokenPromise(
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
