"""How far a run has come: which games count, which are to be played, and who meets whom next."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable
from typing import Any

from ...players.offence import NO_GREETING, VOID
from ..outcome import Outcome, half_points, pair_score
from ..statistics.elo_sprt import Sprt
from .pairing import Stage
from .schedule import Plan, Round, Unit

ATTEMPTS = 3
"""How often a game is begun before it is given up as void."""


class Progress:
    """What is known of a run so far, from its plan and the games in its record."""

    def __init__(self, plan: Plan, outcomes: Iterable[Outcome] = ()) -> None:
        self.plan = plan
        self.stages: list[Stage] = []  # those that are over
        self.rounds: list[Round] = []
        self.units: dict[int, Unit] = {}
        self.stage: list[Round] = []  # the rounds of the stage that is being played
        self._by_stages = plan.system.staged
        self._settled = 0  # how many games, counted from the first, are settled
        self.counted: dict[int, Outcome] = {}
        self.void: dict[int, int] = {}  # attempts without a result, by game
        self.blamed: dict[int, set[int]] = {}  # the players that made a game void, by game
        self.voids: Counter[int] = Counter()  # how often a player did that
        self.disqualified = dict.fromkeys(plan.replaced, "a later one has its place")  # player: why it plays no more
        self.test = None if plan.sprt is None else Sprt.parse(plan.sprt)
        self.pairs = [0, 0, 0, 0, 0]
        self.judged = 0  # rounds looked at by the test
        self.seen: set[Any] = set()  # games that the test has counted
        self.stopped: int | None = None  # the round at which it crossed a bound
        self._begin_stage()
        for outcome in outcomes:
            self.add(outcome)

    def add(self, outcome: Outcome) -> None:
        if outcome.payoffs is not None:
            self.counted[outcome.game] = outcome
        else:
            self.void[outcome.game] = self.void.get(outcome.game, 0) + 1
            if outcome.termination == VOID and outcome.offender is not None:
                player = outcome.seats[outcome.offender]
                self.blamed.setdefault(outcome.game, set()).add(player)
                self.voids[player] += 1
            if outcome.termination == NO_GREETING and outcome.offender is not None:
                self.disqualified.setdefault(outcome.seats[outcome.offender], outcome.note)
        self._judge()
        while self._by_stages and self.stage and self._stage_is_over():
            self.stages.append(self._stage_result())
            self._begin_stage()

    def _stage_is_over(self) -> bool:
        """Whether nothing is left of the stage; looks at every game once it is settled, and never again."""
        last = len(self.units)
        while self._settled < last and self.is_settled(self.units[self._settled + 1]):
            self._settled += 1
        return self._settled == last

    def _begin_stage(self) -> None:
        self.stage = self.plan.rounds(self.stages, len(self.rounds), len(self.units) + 1)
        self.rounds = self.rounds + self.stage if self.rounds else self.stage
        self.units |= {unit.number: unit for each in self.stage for unit in each.units}

    def _stage_result(self) -> Stage:
        points: dict[tuple[int, ...], dict[int, int]] = {}
        for each in self.stage:
            own = points.setdefault(each.pairing, dict.fromkeys(each.pairing, 0))
            for unit in each.units:
                if unit.number in self.counted:
                    for player in each.pairing:
                        own[player] += half_points(self.counted[unit.number], player)
        return Stage(points, frozenset(self.disqualified))

    def is_settled(self, unit: Unit) -> bool:
        """Whether nothing remains to be played: a result is there, or there will be none."""
        return unit.number in self.counted or self.is_dropped(unit)

    def is_dropped(self, unit: Unit) -> bool:
        if unit.number in self.counted:
            return False
        return self.void.get(unit.number, 0) >= ATTEMPTS or any(player in self.disqualified for player in unit.seats)

    def left(self) -> list[Unit]:
        """The games still to play, in order."""
        if self.stopped is not None:
            return []
        return [unit for unit in self.units.values() if not self.is_settled(unit)]

    def counting(self) -> list[tuple[Round, list[Outcome]]]:
        """The rounds that count, each with its results so far; a game that was played before counts once."""
        last = len(self.rounds) if self.stopped is None else self.stopped + 1
        seen: set[Any] = set()
        replaced = self.plan.replaced
        rounds = [each for each in self.rounds[:last] if not replaced.intersection(each.pairing)]
        return [(each, self.fresh(each, seen)) for each in rounds]

    def fresh(self, round_: Round, seen: set[Any]) -> list[Outcome]:
        """The results of a round that are new, which are then among the `seen`; all, where repeats count too."""
        found = [self.counted[unit.number] for unit in round_.units if unit.number in self.counted]
        if not self.plan.once:
            return found
        new = []
        for outcome in found:
            if outcome.identity not in seen:
                seen.add(outcome.identity)
                new.append(outcome)
        return new

    def _judge(self) -> None:
        """Let the test look at the rounds that are complete, one by one and in order."""
        while self.test is not None and self.stopped is None and self.judged < len(self.rounds):
            round_ = self.rounds[self.judged]
            if not all(self.is_settled(unit) for unit in round_.units):
                return
            pair = pair_score(self.fresh(round_, self.seen))
            if pair is not None:
                self.pairs[pair] += 1
                if self.test.verdict(self.pairs) != "open":
                    self.stopped = self.judged
            self.judged += 1
