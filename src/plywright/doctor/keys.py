"""Check of the keys by which searches remember states: no two states that differ in value may share one."""

from __future__ import annotations

import time
from collections.abc import Iterator
from typing import Any

from ..contracts import TOLERANCE, for_engine
from ..game import CHANCE
from .subject import Subject, Verdict, passed, skipped, warning

MOST_STATES = 20_000
MOST_NODES = 400
DEPTH = 6
"""How far two states that share a key are searched for a difference."""
WORD = (1 << 64) - 1


def keys(subject: Subject) -> Verdict:
    """Different states have different keys; where a game's own key() joins some, nothing tells them apart."""
    guard = subject.guard
    if "hashing" in subject.failed:
        return skipped("not tried, since 'hashing' failed")
    own = "key" in guard.knowledge.hooks
    known: dict[int, Any] = {}
    shared = 0
    doubt: Verdict | None = None
    until = time.monotonic() + subject.seconds
    for state in _met(subject):
        if time.monotonic() > until or len(known) >= MOST_STATES:
            break
        if guard.knowledge.counts_down and int(guard.call("plies_left", state)) <= 2 * DEPTH:
            continue  # a counter that the key leaves out is about to end the game
        key = int(guard.call("key", state)) & WORD
        other = known.setdefault(key, state)
        if other == state:
            continue
        shared += 1
        if not own:
            what = f"the default key is the same for {other!r} and {state!r}"
            return subject.fail(
                what, "equal only by a chance of 1 in 2^64: please report it, and define key() meanwhile"
            )
        if difference := _difference(subject, other, state):
            what = f"key() is the same for {other!r} and {state!r}, but {difference}"
            return subject.fail(what, "states with equal keys must have equal values for their movers")
        if doubt is None and _below(subject, other) != _below(subject, state):
            doubt = warning(
                f"key() is the same for {other!r} and {state!r}, but not for what they lead to {guard.where()}: "
                f"make sure that the two are worth the same to their movers"
            )
    if wrong := _repetition(subject):
        return wrong
    if doubt is not None:
        return doubt
    joined = f", of which {shared:,} share theirs with an equivalent one" if shared else ""
    return passed(f"{len(known) + shared:,} states have keys of their own{joined}")


def _met(subject: Subject) -> Iterator[Any]:
    """The unfinished states of the sample, and those that one action makes of them."""
    for seen in subject.visits(over=False):
        yield seen.visit.state
        for action in seen.visit.choices[:16]:
            after = _after(subject, seen.visit.state, action)
            if not subject.guard.terminal(after):
                yield after


def _after(subject: Subject, state: Any, action: int) -> Any:
    return subject.guard.settled("result", subject.guard.call("result", state, action))


def _below(subject: Subject, state: Any) -> set[int]:
    """The keys of the states after this one, those of finished games apart."""
    guard = subject.guard
    found: set[int] = set()
    mover = guard.mover(state)
    if mover == CHANCE and not subject.game.lists_chance:
        return found
    actions = [a for a, _ in guard.outcomes(state)] if mover == CHANCE else guard.actions(state)
    for after in (_after(subject, state, action) for action in actions):
        found.add(-1 if guard.terminal(after) else int(guard.call("key", after)) & WORD)
    return found


def _difference(subject: Subject, one: Any, other: Any) -> str:
    """What a short search finds of two states that share a key; empty where it finds no difference."""
    if not for_engine(subject.game):
        return ""
    a, b = (_Interval(subject, state).bounds for state in (one, other))
    if a[0] <= b[1] + TOLERANCE and b[0] <= a[1] + TOLERANCE:
        return ""
    return f"the first is worth {_shown(a)} to its mover and the second {_shown(b)}"


def _shown(bounds: tuple[float, float]) -> str:
    low, high = bounds
    return f"{low:g}" if high - low < TOLERANCE else f"{low:g} to {high:g}"


class _Interval:
    """What is certain of the mover's value after a few plies: what lies beyond may be anything in utility_range."""

    def __init__(self, subject: Subject, state: Any) -> None:
        self.subject, self.budget = subject, MOST_NODES
        mover = subject.guard.mover(state)
        low, high = self._first(state, DEPTH)
        teams = subject.game.team_of
        self.bounds = (low, high) if teams[mover] == teams[0] else (0.0 - high, 0.0 - low)

    def _first(self, state: Any, depth: int) -> tuple[float, float]:
        """The bounds for player 0."""
        guard, game = self.subject.guard, self.subject.game
        self.budget -= 1
        if guard.terminal(state):
            value = guard.number("utility", state, 0)
            return value, value
        if depth == 0 or self.budget < 0:
            low, high = map(float, game.utility_range)
            return low, high
        choose = max if game.team_of[guard.mover(state)] == game.team_of[0] else min
        below = [self._first(_after(self.subject, state, action), depth - 1) for action in guard.actions(state)]
        return choose(low for low, _ in below), choose(high for _, high in below)


def _repetition(subject: Subject) -> Verdict | None:
    """States that count as the same for a draw by repetition have the same mover and the same actions.

    What is forbidden is up to the rules: Go's superko compares boards, whoever is to move.
    """
    game, guard = subject.game, subject.guard
    if not game.repetition_draws or not game.overrides("repetition_key"):
        return None
    known: dict[int, Any] = {}
    for seen in subject.visits(over=False):
        state = seen.visit.state
        other = known.setdefault(int(guard.call("repetition_key", state)) & WORD, seen.visit)
        if (other.mover, sorted(other.choices)) != (seen.visit.mover, sorted(seen.visit.choices)):
            what = f"repetition_key() is the same for {other.state!r} and {state!r}"
            return subject.fail(
                what, "but they differ in who moves or in the actions, so one does not repeat the other"
            )
    return None
