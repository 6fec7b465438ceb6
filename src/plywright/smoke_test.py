"""A short interpreted run of a stranger's rules before they become native code.

Compiled rules that loop for ever or read past a table cannot be stopped politely. So a game that is
not shipped with Plywright first plays a few random games as ordinary Python, under a guard that
names the rule, the line and the moves that lead to any fault. `plywright doctor` goes much further.
"""

from __future__ import annotations

import dataclasses
import time
import warnings
from collections.abc import Iterator
from functools import partial
from typing import Any
from weakref import WeakSet

from .contracts import (
    BrokenPromise,
    check_evaluations,
    check_facts,
    check_hooks,
    check_knowledge,
    check_utilities,
    for_engine,
)
from .errors import GameError, OldHooksWarning
from .game import CHANCE, REQUIRED, Game, is_shipped
from .knowledge import Knowledge, knowledge_of, old_hooks_note
from .rng import seeded
from .rule_guard import Guard, Visit, random_game, watched
from .survey import Surveyor, look

SECONDS = 0.25
"""How long a smoke test goes on (one game is always played, up to PLIES plies)."""
TESTED = "_smoke_tested"
"""The mark of a game and of knowledge that were played without a fault."""

_HASHABLE = {
    "list": "write a tuple, as in tuple(cells) or tuple(tuple(row) for row in rows)",
    "dict": "write a NamedTuple, or a tuple of its values",
    "set": "write a frozenset",
    "numpy.ndarray": "write a tuple, as in tuple(map(int, cells))",
}
"""What to write instead of a part that cannot be hashed."""
_told: WeakSet[type] = WeakSet()


def smoke_test(game: Game, knowledge: Knowledge | None = None) -> None:
    """Play a stranger's game at random for a moment; raises GameError at the first fault."""
    if knowledge is None and is_shipped(game):  # and so is what it knows, which may be damaged where it is not wanted
        return
    known = knowledge_of(game, knowledge)
    sound = is_shipped(game) or TESTED in game.__dict__
    if TESTED in known.__dict__ or (sound and is_shipped(known)):
        return
    if missing := missing_rules(game):
        raise GameError(missing)
    check_facts(game)
    check_knowledge(known)
    _tell_of_old_hooks(game)
    guard = Guard(game, knowledge=known)
    relied_on = for_engine(game)

    def play() -> None:
        survey_states(guard)
        rng = seeded(1)
        until = time.monotonic() + SECONDS
        while True:
            for visit in random_game(guard, rng):
                _can_be_a_key(guard, visit)
                _ask_again(guard, visit)
                if relied_on:
                    _hold_to_promises(guard, visit)
                if time.monotonic() > until and len(guard.moves) > 1:
                    return
            if time.monotonic() > until:
                return

    watched(guard, play)
    game.__dict__[TESTED] = known.__dict__[TESTED] = True


def _tell_of_old_hooks(game: Game) -> None:
    """Say once for each class that its hooks are not asked any more."""
    if type(game) not in _told and (note := old_hooks_note(game)):
        _told.add(type(game))
        warnings.warn(note, OldHooksWarning, stacklevel=4)


def survey_states(guard: Guard) -> None:
    """Have the game know which states its rules make (`survey.py`); raises Fault where a rule is to blame."""
    game = guard.game
    if is_shipped(game) or "_survey" in game.__dict__:
        return
    with guard.calling("initial"):
        surveyor = Surveyor(game._start[1])

    def states() -> Iterator[Any]:
        rng = seeded(1)
        while True:
            for visit in random_game(guard, rng, settled=surveyor.settled):
                yield visit.state

    look(surveyor, game, states(), partial(guard.call, "observation"))
    game.__dict__["_survey"] = surveyor.found


def _can_be_a_key(guard: Guard, visit: Visit) -> None:
    """Raise Fault where a state cannot be hashed: tables, proofs and counts of positions know states by that."""
    rule = "result" if guard.moves else "initial"
    with guard.calling(rule):
        try:
            hash(visit.state)
        except TypeError as error:
            remedy = next((words for kind, words in _HASHABLE.items() if f"'{kind}'" in str(error)), "")
            if not remedy and dataclasses.is_dataclass(visit.state):
                remedy = "write @dataclass(frozen=True)"
            what = f"returns a state that cannot be hashed ({error}): {remedy or 'use a NamedTuple of numbers'}"
            raise guard.fault(rule, what) from None


def _ask_again(guard: Guard, visit: Visit) -> None:
    """Raise Fault where a rule gives another answer than a moment ago: whatever a search found would mean nothing."""
    answers = [("is_terminal", guard.terminal(visit.state) == (visit.mover is None))]
    if visit.mover is not None:
        answers.append(("to_move", guard.mover(visit.state) == visit.mover))
        if visit.mover != CHANCE:
            answers.append(("actions", guard.actions(visit.state) == visit.choices))
        one, other = (guard.settled("result", guard.call("result", visit.state, visit.action)) for _ in range(2))
        answers.append(("result", one == other or repr(one) == repr(other)))  # states need not be comparable
    for rule, same in answers:
        if not same:
            remedy = "what chance decides belongs in chance() or sample(), all else in the state"
            raise guard.fault(rule, f"answers differently when it is asked again; {remedy}")


def _hold_to_promises(guard: Guard, visit: Visit) -> None:
    """Raise GameError where a utility or a hook is not what the engine may rely on."""
    try:
        if visit.mover is not None:
            if visit.values is not None:
                check_evaluations(guard.game, visit.values, clamped=True)
            check_hooks(guard, visit.state, visit.mover, visit.choices)
        elif visit.values is not None:
            check_utilities(guard.game, visit.values)
    except BrokenPromise as broken:
        raise GameError(f"{guard.game.name}: {broken.what} {guard.where()}; {broken.remedy}") from None


def missing_rules(game: Game) -> str:
    """A sentence naming the methods that the class lacks; empty when it has them all."""
    missing = [rule for rule in REQUIRED if not game.has_rule(rule)]
    if not missing and game.has_chance and not game.rules_end:
        return (
            f"{type(game).__name__} has chance but no method 'is_terminal': without it every chance state, "
            f"having no actions, would look finished"
        )
    if not missing:
        return ""
    needed = f"a game needs {', '.join(REQUIRED[:-1])} and {REQUIRED[-1]}"
    return f"{type(game).__name__} has no method {' and no method '.join(map(repr, missing))}; {needed}"


# -- random play ---------------------------------------------------------------------------------------
