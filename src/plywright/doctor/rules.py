"""The checks that run the rules as ordinary Python: the protocol, one short function per promise.

Each takes the subject and returns a verdict; a Fault that a rule causes on the way fails the check.
`RULE_CHECKS` is the list, in the order in which a mistake is best understood.
"""

from __future__ import annotations

import difflib
from collections.abc import Callable
from typing import Any

import numpy as np

from ..contracts import wrong_fact
from ..game import CHANCE, RULES, Game
from ..smoke_test import missing_rules
from ..state import BOOL, FLOAT64, INT64, UINT64, Shape
from .hooks import hooks
from .indices import indices
from .keys import keys
from .numbers import table_numbers
from .odds import chance, outcomes, sampling
from .outside import strange_states
from .purity import purity
from .report import FAILED
from .subject import LONG_GAME, Subject, Verdict, passed, skipped, warning
from .surroundings import Surroundings, snapshot
from .symmetry import symmetry
from .texts import action_texts, pictures, state_texts
from .values import evaluation, utilities
from .views import VIEW_CHECKS

CheckFunction = Callable[[Subject], Verdict]


def methods(subject: Subject) -> Verdict:
    """The class has the methods that a game needs."""
    cls = type(subject.game)
    if missing := missing_rules(subject.game):
        return Verdict(FAILED, missing)
    for name in sorted(set(dir(cls)) - set(dir(Game)) - {*RULES, "deals"}):  # deals() is a rule that stays Python
        close = difflib.get_close_matches(name, [rule for rule in RULES if rule not in vars(cls)], n=1, cutoff=0.85)
        if close and callable(getattr(cls, name)):
            return warning(f"{cls.__name__} defines {name}(), which no search calls: did you mean {close[0]}()?")
    return passed(f"{cls.__name__} has what a game needs")


def class_facts(subject: Subject) -> Verdict:
    """players, teams, utility_range, step, max_actions and run-time data say something possible."""
    game = subject.game
    if wrong := wrong_fact(game):
        return Verdict(FAILED, f"{type(game).__name__}: {wrong}")
    if len(game.player_names) not in (0, game.players):
        names = f"player_names has {len(game.player_names)} names for {game.players} players"
        return Verdict(FAILED, f"{type(game).__name__}: {names}")
    limits = game.utility_range
    return passed(f"players {game.players}, utilities {limits[0]:g} to {limits[1]:g}, max_actions {game.max_actions}")


def start(subject: Subject) -> Verdict:
    """initial() gives a state."""
    guard = subject.guard
    guard.place([])
    state = guard.settled("initial", guard.call("initial"))
    shape = subject.game.state_shape
    return passed(f"initial() gives {f'a {shape}' if shape is not None else f'a {type(state).__name__}'}")


def rules_answer(subject: Subject) -> Verdict:
    """No rule raises, hangs or recurses for ever in random play."""
    subject.guard.surroundings = Surroundings(subject.game)
    subject.play()
    if fault := subject.faults.get("rules answer"):
        return fault
    return passed(f"{len(subject.digests):,} random games, {len(subject.seen):,} different states")


def movers(subject: Subject) -> Verdict:
    """to_move() is a player or CHANCE."""
    found = sorted({seen.visit.mover for seen in subject.seen if seen.visit.mover is not None})
    names = [subject.game.player_name(mover) if mover != CHANCE else "chance" for mover in found]
    return passed(f"{', '.join(names)} move") if names else skipped("no state with a mover was seen")


def actions(subject: Subject) -> Verdict:
    """Whole numbers of at least 0, none twice, at most max_actions."""
    most = max((len(seen.visit.choices) for seen in subject.seen), default=0)
    return passed(f"at most {most} in a state, none twice")


def counting(subject: Subject) -> Verdict:
    """count_actions() counts what actions() yields, and nothing where the game is over."""
    if not subject.game.counts_actions:
        return skipped("the game does not count its actions")
    count = 0
    for seen in subject.visits():
        state, wanted = seen.visit.state, len(seen.visit.choices)
        found = subject.guard.call("count_actions", state)
        if found != wanted:
            what = f"count_actions() is {found!r} in {state!r}, which has {wanted} actions"
            return subject.fail(what, "it must count what actions() yields, and 0 where the game is over")
        count += 1
    return passed(f"count_actions() counts right in {count:,} states")


def endings(subject: Subject) -> Verdict:
    """A state is unfinished and has actions, or is finished; to_move() answers in both."""
    count = 0
    for _ in (subject.guard.call("to_move", seen.visit.state) for seen in subject.visits(over=True)):
        count += 1
    return passed(f"actions while a game goes on, and to_move() answers in all of {count:,} finished states")


def hashing(subject: Subject) -> Verdict:
    """States can be keys: equal ones have equal hashes."""
    remedy = "use a NamedTuple of numbers, or give the class __eq__ and __hash__"
    count = 0
    for seen in subject.visits(over=False):
        state = seen.visit.state
        try:
            hash(state)
        except TypeError as error:
            return subject.fail(f"the state {state!r} cannot be hashed ({error})", remedy)
        one = subject.guard.call("result", state, seen.visit.action)
        other = subject.guard.call("result", state, seen.visit.action)
        try:
            equal = state == state and one == other and hash(one) == hash(other)
        except Exception as error:
            return subject.fail(f"comparing or hashing the states of result() raised {error!r}", remedy)
        if not equal and snapshot(one) == snapshot(other):
            return subject.fail(f"result() gives {one!r} twice, but the two do not count as equal", remedy)
        count += 1
    return passed(f"{count:,} states hash and equal themselves")


def state_shape(subject: Subject) -> Verdict:
    """result() gives states of the type that initial() gave: the same fields, the same kinds of number."""
    shape, count = subject.game.state_shape, 0
    first = subject.guard.call("initial")
    for seen in subject.visits(over=False):
        state = subject.guard.call("result", seen.visit.state, seen.visit.action)
        if shape is None:
            misfit = "" if type(state) is type(first) else f"a {type(state).__name__}, not a {type(first).__name__}"
        else:
            misfit = _misfit(shape, state, "the state")
        if misfit:
            return subject.fail(
                f"result() makes {misfit} as in initial()", "give every field the same type in all states"
            )
        count += 1
    return passed(f"{count:,} states are like initial()'s: {shape or type(first).__name__}")


def _misfit(shape: Shape, value: Any, path: str) -> str:
    """'field x a float, not an int64' where a state strays from the shape; empty where it fits."""
    if shape.kind is None:
        wanted = shape.cls.__name__ if shape.cls is not None else "tuple"
        if not isinstance(value, tuple) or len(value) != len(shape.items):
            return f"{path} {_article(value)}, not a {wanted} of {len(shape.items)}"
        if hasattr(shape.cls, "_fields") and not isinstance(value, shape.cls or tuple):
            return f"{path} {_article(value)}, not a {wanted}"
        names = getattr(shape.cls, "_fields", range(len(shape.items)))
        parts = zip(shape.items, value, names, strict=True)
        return next(filter(None, (_misfit(item, part, f"field {name!r}") for item, part, name in parts)), "")
    whole = isinstance(value, (int, np.integer))
    fits = {
        BOOL: isinstance(value, (bool, np.bool_)),
        INT64: whole and not isinstance(value, np.uint64),
        UINT64: whole,
        FLOAT64: whole or isinstance(value, (float, np.floating)),
    }[shape.kind]
    return "" if fits else f"{path} {_article(value)}, not an {shape.kind}".replace("an bool", "a bool")


def _article(value: Any) -> str:
    name = type(value).__name__
    return f"{'an' if name[0] in 'aeio' else 'a'} {name}"


def game_length(subject: Subject) -> Verdict:
    """Random games end."""
    if subject.unfinished:
        return warning(
            f"a random game was not over after {LONG_GAME:,} plies: if the game can go on for ever, searches need a "
            f"depth or time limit, and a rule that ends it (a count of moves in the state) makes it solvable"
        )
    if not subject.finished:
        return skipped("no game was played to its end")
    if not any(subject.finished):
        return warning("every game is over before its first move: initial() gives a finished state")
    return passed(f"all {len(subject.finished):,} random games ended")


RULE_CHECKS: list[tuple[str, CheckFunction]] = [
    ("methods", methods),
    ("class facts", class_facts),
    ("start", start),
    ("rules answer", rules_answer),
    ("movers", movers),
    ("actions", actions),
    ("counting", counting),
    ("endings", endings),
    ("purity", purity),
    ("state shape", state_shape),
    ("hashing", hashing),
    ("keys", keys),
    ("indices", indices),
    ("utilities", utilities),
    ("evaluation", evaluation),
    ("hooks", hooks),
    ("table numbers", table_numbers),
    ("symmetry", symmetry),
    ("chance", chance),
    ("outcomes", outcomes),
    ("sampling", sampling),
    ("state texts", state_texts),
    ("action texts", action_texts),
    ("pictures", pictures),
    ("game length", game_length),
    *VIEW_CHECKS,
    ("strange states", strange_states),  # the last: one that hangs a rule for good costs no other check
]
"""Checks of the first process."""

ESSENTIAL = {
    "loading",
    "methods",
    "class facts",
    "start",
    "rules answer",
    "movers",
    "actions",
    "endings",
    "purity",
    "state shape",
    "indices",
    "process",
}
"""While one of these fails, the game is not compiled: what would be found there follows from it."""
