"""The game under examination: its guard, and a sample of states from random play.

Every check looks at the same sample, so that a fault has one place and one line of moves. Numbers of
games and states bound the sample; the clock only cuts it short for slow rules, so that equal seeds
give equal findings.
"""

from __future__ import annotations

import copy
import hashlib
import math
import time
from collections.abc import Iterator
from typing import TYPE_CHECKING, Any, NamedTuple

from ..game import CHANCE, Game
from ..rng import seeded
from ..rule_guard import (
    ENDLESS,
    MEMORY,
    NO_ACTIONS,
    RAISED,
    SHAPE,
    SHOWN,
    TEXT,
    Fault,
    Guard,
    Visit,
    named,
    random_game,
)
from ..smoke_test import survey_states
from .blackbox import BlackBox
from .report import FAILED, PASSED, SKIPPED, WARNING, Facts

if TYPE_CHECKING:
    from .native_rules import NativeRules
    from .surroundings import Surroundings

GAMES = 400
STATES = 3000
"""The sample ends with this many games or different states, whichever comes first."""
LONG_GAME = 5000
"""Plies after which a random game is called endless."""
SHORT_GAME = 300
"""Plies of the games that follow one that was called endless."""
FIRST_CALLS = 400
"""Calls after which it is looked whether anything outside the state has changed."""
READ_ONLY = "rules only read: what changes during play belongs in the state"
ENDLESS_GAMES = 10
"""How many endless games are enough."""
FORGIVEN = 10
"""Faults of rules that play needs, after which play ends."""

_DISPENSABLE = ("utility", "evaluate", "format_action")
_CHECK_OF_RULE = {
    "to_move": "movers",
    "actions": "actions",
    "chance": "chance",
    "sample": "sampling",
    "utility": "utilities",
    "evaluate": "evaluation",
}
_REMEDY = {
    RAISED: "a rule must answer in every state that play can reach",
    ENDLESS: "give its loop or recursion an end that every state reaches",
    MEMORY: "a rule needs no more memory than its answer",
    SHAPE: "every state needs the fields and kinds of number that initial() has",
    NO_ACTIONS: "yield an action there (a pass is one) or let is_terminal() be true",
}


class Verdict(NamedTuple):
    """What a check says: status, sentence, and the moves to the place it speaks of."""

    status: str
    sentence: str
    moves: tuple[str, ...] = ()


def passed(sentence: str) -> Verdict:
    return Verdict(PASSED, sentence)


def warning(sentence: str) -> Verdict:
    return Verdict(WARNING, sentence)


def skipped(sentence: str) -> Verdict:
    return Verdict(SKIPPED, sentence)


class Seen(NamedTuple):
    """A state of the sample and where it was met."""

    visit: Visit
    line: list[str]  # the moves of that whole game
    ply: int
    last: int | None  # the action that led here

    @property
    def moves(self) -> list[str]:
        return self.line[: self.ply]


class Examiner(Guard):
    """A guard that keeps the flight recorder, and looks after each of the first calls whether it changed anything."""

    def __init__(self, game: Game, patience: float, box: BlackBox | None) -> None:
        super().__init__(game, patience)
        self.box = box
        self.surroundings: Surroundings | None = None
        self.first_calls = FIRST_CALLS
        self.changed: Verdict | None = None  # the first change that a call made

    def enter(self, rule: str) -> None:
        super().enter(rule)
        if self.box is not None:
            self.box.enter(rule)

    def leave(self) -> None:
        rule = self.rule
        super().leave()
        if self.box is not None:
            self.box.leave()
        if self.surroundings is not None and self.first_calls > 0 and self.changed is None:
            self.first_calls -= 1
            if what := self.surroundings.changed():
                self.changed = Verdict(
                    FAILED, f"{rule}() changes {what} {self.where()}; {READ_ONLY}", tuple(self.moves)
                )

    def place(self, moves: list[str]) -> None:
        super().place(moves)
        if self.box is not None:  # without join_moves(), which is a stranger's too
            self.box.place(f"(after {' '.join(moves[-SHOWN:])})" if moves else "(at the start)")

    def place_in(self, state: Any) -> None:
        """The next calls are about a state that no moves lead to."""
        super().place([])
        if self.box is not None:
            self.box.place(f"(in the state {state!r}, which nobody has played to)")


class Subject:
    """A game, its guard, its sample and the facts found so far."""

    def __init__(self, game: Game, *, seed: int, seconds: float, patience: float, box: BlackBox | None = None) -> None:
        self.game, self.seed, self.seconds = game, seed, seconds
        self.guard = Examiner(game, patience, box)
        self.facts = Facts()
        self.oracle = ""  # the file of a table of the whole game
        self.failed: set[str] = set()  # names of the checks that have failed
        self.warned: set[str] = set()  # names of the checks of the process before that ended in a warning
        self.hopeless = ""  # why no rule should be called any more
        self.seen: list[Seen] = []
        self.mutable = False  # whether rules could change the states in `seen`
        self.faults: dict[str, Verdict] = {}  # check -> the first fault that play met
        self.digests: list[str] = []  # of each game
        self.expected: list[str] = []  # the digests that another process found
        self.tallies: list[tuple[int, int, int]] = []  # plies, decisions, actions of each game
        self.finished: list[int] = []  # plies of each game that ended
        self.unfinished = 0
        self.plain_rate: float | None = None  # plies per second of random play, as Python
        self.native_rate: float | None = None  # and as native code
        self.native: NativeRules | None = None
        self.searchable = False  # whether alpha-beta has searched the game and was right

    def another(self, seed: int) -> Subject:
        """The same game and guard with another random word and nothing seen yet."""
        other = Subject(self.game, seed=seed, seconds=self.seconds, patience=self.guard.patience, box=self.guard.box)
        other.guard, other.native = self.guard, self.native
        return other

    # -- play ----------------------------------------------------------------------------------------------

    def play(self, games: int = GAMES) -> None:
        """Gather the sample; faults are kept by the check they belong to."""
        try:
            survey_states(self.guard)
        except Fault as fault:  # others are met again in play, and told there
            if fault.kind in (ENDLESS, MEMORY):
                return self._give_up(fault)
        rng, forgiven = seeded(self.seed), 0
        known: set[Any] = set()
        began = time.monotonic()
        while len(self.digests) < games and len(self.seen) < STATES and forgiven < min(FORGIVEN, games):
            try:
                self._play_one(rng, known)
            except Fault as fault:
                if fault.kind in (ENDLESS, MEMORY):
                    self._give_up(fault)
                    break
                self.blame(fault)
                if fault.rule in _DISPENSABLE:
                    self.guard.muted.add(fault.rule)
                else:
                    forgiven += 1
            if time.monotonic() > began + self.seconds or self.unfinished == ENDLESS_GAMES:
                break
        self._sum_up(time.monotonic() - began)

    def _give_up(self, fault: Fault) -> None:
        self.blame(fault)
        self.hopeless = f"{named(fault.rule)} does not come back"

    def _sum_up(self, seconds: float) -> None:
        facts, games = self.facts, self.tallies
        facts.games, facts.states = len(self.digests), len(self.seen)
        sums = [sum(a for _, _, a in games), sum(d for _, d, _ in games)]
        products = [sum(a * a for _, _, a in games), sum(a * d for _, d, a in games), sum(d * d for _, d, _ in games)]
        facts.branching = ratio_interval(len(games), *sums, *products)
        if self.finished:
            facts.length = (sum(self.finished) / len(self.finished), min(self.finished), max(self.finished))
        plies = sum(plies for plies, _, _ in games)
        self.plain_rate = plies / seconds if plies and seconds > 0 else None

    def _play_one(self, rng: Any, known: set[Any]) -> None:
        digest, plies, decisions, actions = hashlib.sha256(), 0, 0, 0
        over, last = False, None
        for visit in random_game(self.guard, rng, SHORT_GAME if self.unfinished else LONG_GAME):
            digest.update(repr((visit.mover, visit.choices, visit.action, visit.values)).encode())
            over = visit.mover is None
            if not over:
                plies += 1
            if not over and visit.mover != CHANCE:
                decisions, actions = decisions + 1, actions + len(visit.choices)
            self._remember(visit, last, known)
            last = visit.action if visit.mover != CHANCE else None
        self.digests.append(digest.hexdigest()[:16])
        self.tallies.append((plies, decisions, actions))
        if over:
            self.finished.append(plies)
        else:
            self.unfinished += 1

    def _remember(self, visit: Visit, last: int | None, known: set[Any]) -> None:
        """Keep the first visit to each state, as long as there is room."""
        try:
            new = visit.state not in known
            known.add(visit.state)
        except Exception:  # unhashable, so that a rule may change it later on, or not comparable
            new, self.mutable, visit = True, True, _copied(visit)
        if new and len(self.seen) < STATES:
            self.seen.append(Seen(visit, self.guard.moves, len(self.guard.moves), last))

    def blame(self, fault: Fault) -> None:
        """Keep a fault for the check it belongs to, unless that has one already; forget the state it is about."""
        self.faults.setdefault(check_of(fault), verdict_of(fault))
        if self.seen and self.seen[-1].line is self.guard.moves and self.seen[-1].ply == len(self.guard.moves):
            self.seen.pop()  # or every check that follows would tell the same tale

    # -- what checks use -------------------------------------------------------------------------------------

    def visits(self, most: int = STATES, *, over: bool | None = None) -> Iterator[Seen]:
        """Seen states spread over the sample, within the time a check has; the guard is told where each is.

        `over` chooses finished (True) or unfinished (False) states.
        """
        chosen = [seen for seen in self.seen if over is None or (seen.visit.mover is None) == over]
        until = time.monotonic() + self.seconds
        for number in spread(len(chosen), most):
            seen = chosen[number]
            if self.mutable:
                seen = seen._replace(visit=_copied(seen.visit))
            self.guard.place(seen.moves)
            yield seen
            if time.monotonic() > until:
                return

    def fail(self, sentence: str, remedy: str) -> Verdict:
        """A fault in the state the guard was told of."""
        moves = tuple(self.guard.moves)
        return Verdict(FAILED, f"{sentence} {self.guard.where()}; {remedy}", moves)


def _copied(visit: Visit) -> Visit:
    return visit._replace(state=copy.deepcopy(visit.state))


def check_of(fault: Fault) -> str:
    """The name of the check that a fault of play belongs to."""
    if fault.rule == "format_action" or fault.kind == TEXT:
        return "action texts"
    if fault.kind == SHAPE:
        return "state shape"
    if fault.kind == NO_ACTIONS:
        return "endings"
    if fault.kind in (RAISED, ENDLESS, MEMORY):
        return "rules answer"
    return _CHECK_OF_RULE.get(fault.rule, "rules answer")


def verdict_of(fault: Fault) -> Verdict:
    remedy = _REMEDY.get(fault.kind)
    tail = f"; {remedy}" if remedy else ""
    return Verdict(FAILED, f"{fault.story}{tail}", tuple(fault.moves))


def spread(count: int, most: int) -> list[int]:
    """At most `most` numbers below `count`, evenly spread, the first and the last among them."""
    if count <= most:
        return list(range(count))
    return [i * (count - 1) // (most - 1) for i in range(most)]


def ratio_interval(
    games: float, a: float, d: float, aa: float, ad: float, dd: float
) -> tuple[float, float, float] | None:
    """The ratio of the sums a and d over independent games, with its 95 % interval.

    aa, ad, dd are the sums of squares and products: the variance of a ratio of means, to first order.
    """
    if games < 2 or d == 0:
        return None
    ratio = a / d
    scatter = max(aa - 2 * ratio * ad + ratio * ratio * dd, 0.0) * games / (games - 1)
    half = 1.96 * math.sqrt(scatter) / d
    return float(ratio), float(ratio - half), float(ratio + half)
