"""Checks of chance: probabilities, what outcomes lead to, and whether draws agree with them."""

from __future__ import annotations

import math
from collections import Counter
from collections.abc import Mapping
from typing import Any

from ..draw.tree import chance_text
from ..game import CHANCE
from ..rng import seeded
from .subject import Subject, Verdict, passed, skipped
from .surroundings import equal

STATES = 300
"""Chance states whose outcomes are all tried."""
SAMPLED_STATES = 6
DRAWS = 10_000
"""How many draws of sample() are counted, in how many states."""
FALSE_ALARM = 1e-9
"""The probability that an honest sample() is suspected at one outcome of one state."""


def chance(subject: Subject) -> Verdict:
    """chance() yields outcomes with probabilities above 0 that sum to 1."""
    if not subject.game.has_chance:
        return skipped("the game has no chance")
    if not subject.game.lists_chance:
        return skipped("outcomes are drawn by sample(), not listed: exact searches refuse the game")
    count = 0
    for seen in subject.visits(over=False):
        if seen.visit.mover == CHANCE:
            subject.guard.outcomes(seen.visit.state)
            count += 1
    return passed(f"the probabilities sum to 1 in {count:,} states of chance")


def outcomes(subject: Subject) -> Verdict:
    """Every outcome leads to a state in which play goes on or is over, and not all lead to the same."""
    game, guard = subject.game, subject.guard
    if not game.has_chance or not game.lists_chance:
        return skipped("the game lists no outcomes of chance")
    tried, several, told = 0, 0, 0
    place: list[str] = []
    for seen in subject.visits(over=False):
        if seen.visit.mover != CHANCE or tried > STATES * 20:
            continue
        state = seen.visit.state
        results = []
        for outcome, _ in guard.outcomes(state):
            guard.place([*seen.moves, guard.text(state, outcome)])
            after = guard.settled("result", guard.call("result", state, outcome))
            if not guard.terminal(after):
                guard.choices(after, guard.mover(after), seeded(subject.seed))
            results.append(after)
            tried += 1
        guard.place(seen.moves)
        if len(results) > 1:
            several += 1
            told += not all(equal(results[0], other) for other in results[1:])
            place = place if told else seen.moves
    if several and not told:
        guard.place(place)
        return subject.fail(
            f"result() gives the same state for every outcome of chance() in all {several:,} states of chance seen",
            "the state after an outcome must hold what came out, or chance decides nothing",
        )
    return passed(f"{tried:,} outcomes lead to states in which play goes on or is over")


def sampling(subject: Subject) -> Verdict:
    """sample() depends on the state and the generator alone, and draws what chance() lists, as often as it says."""
    game, guard = subject.game, subject.guard
    if not game.draws_chance:
        return skipped("the game has no sample() of its own")
    count = 0
    for seen in subject.visits(over=False):
        if seen.visit.mover != CHANCE or count == SAMPLED_STATES:
            continue
        state = seen.visit.state
        first, again = ([guard.drawn(state, rng)] for rng in (seeded(subject.seed), seeded(subject.seed)))
        if first != again:
            return subject.fail(
                f"sample() draws {first[0]} and, with the same generator, {again[0]}",
                "all its randomness must come from the generator it is given",
            )
        if game.lists_chance and (verdict := _suspicion(subject, state)):
            return verdict
        count += 1
    if not count:
        return skipped("no state of chance was seen")
    agree = "agree with chance()" if game.lists_chance else "depend on the generator alone"
    return passed(f"{DRAWS:,} draws in each of {count} states {agree}")


def _suspicion(subject: Subject, state: Any) -> Verdict | None:
    """The outcome that sample() draws far more or less often than chance() says; None where all agree."""
    odds = dict(subject.guard.outcomes(state))
    rng = seeded(subject.seed)
    counts = Counter(subject.guard.drawn(state, rng) for _ in range(DRAWS))
    for outcome in counts:
        if outcome not in odds:
            return subject.fail(
                f"sample() draws {outcome}, which chance() does not list", "both must know the same outcomes"
            )
    suspect = unlikely(counts, odds, DRAWS, FALSE_ALARM)
    if suspect is None:
        return None
    return subject.fail(
        f"sample() draws {suspect} in {counts[suspect]:,} of {DRAWS:,} cases, "
        f"but chance() gives it the probability {chance_text(odds[suspect])}",
        "draw with the probabilities that chance() lists",
    )


def unlikely(counts: Mapping[Any, int], odds: Mapping[Any, float], draws: int, false_alarm: float) -> Any | None:
    """The first thing that was drawn far more or less often than its probability allows; None where all agree.

    By Bernstein's inequality an honest count of n draws of one thing of probability p differs from np by more than the
    slack used here with a probability of at most `false_alarm`.
    """
    surprise = math.log(2 / false_alarm)
    for thing, probability in odds.items():
        slack = math.sqrt(2 * draws * probability * (1 - probability) * surprise) + surprise
        if abs(counts.get(thing, 0) - draws * probability) > slack:
            return thing
    return None
