"""Long play: far more random games than Python could play, each keeping every promise.

A game that breaks one stops the kernel; it is then played again as Python, from the same random
word, to say which rule broke it and where.
"""

from __future__ import annotations

import time
from typing import Any

import numpy as np
from numpy.typing import NDArray

from ..compiled import Workspace
from ..rng import seeded
from ..rule_guard import Fault
from .native_rules import difference
from .playouts import CUT, GAMES, GREATEST, LEAST, PLIES, A, play_games
from .report import FAILED
from .subject import LONG_GAME, Subject, Verdict, passed, ratio_interval, skipped
from .values import evaluation, utilities

GAMES_WANTED = 20_000
PLIES_WANTED = 400_000
"""Long play ends with this many games or plies, whichever comes first."""
CHUNK = 20_000
"""Plies of one call into native code: short enough never to look like a rule that hangs."""


class Playouts:
    """The kernel with its workspace, for one subject."""

    def __init__(self, subject: Subject) -> None:
        self.work: Any = Workspace(tally=np.zeros(10, np.float64), word=np.zeros(1, np.uint64))
        self.rng: NDArray[np.uint64] = seeded(subject.seed)
        game = subject.game
        low, high = map(float, game.utility_range)
        listed = 1 if game.lists_chance else None
        drawn = 1 if game.has_chance and not game.lists_chance else None
        bounds = (int(game.opposed), low, high)
        self.arguments = (
            subject.guard.knowledge,
            game.start_state,
            CHUNK,
            LONG_GAME,
            *bounds,
            listed,
            drawn,
            self.rng,
            self.work,
        )


def long_play(subject: Subject) -> Verdict:
    """Thousands of random games inside native code keep every promise."""
    game, facts = subject.game, subject.facts
    if subject.native is None:
        return skipped("the game is not compiled")
    if bad := subject.failed & {"utilities", "evaluation", "compiled rules"}:
        return skipped(f"not tried, since {sorted(bad)[0]!r} failed")
    playouts = Playouts(subject)
    tally = playouts.work.tally
    began = time.monotonic()
    until = began + 2 * subject.seconds
    while tally[GAMES] < GAMES_WANTED and tally[PLIES] < PLIES_WANTED and time.monotonic() < until:
        subject.guard.place([])
        try:
            with subject.guard.calling("random play as native code"):
                sound = play_games(game, *playouts.arguments)
        except Fault as fault:
            return replayed(subject, int(playouts.work.word[0]), fault.what)
        if not sound:
            return replayed(subject, int(playouts.work.word[0]), "broke a promise")
        if tally[CUT] and not tally[GAMES]:
            return skipped("random games do not end")
    facts.branching = ratio_interval(tally[GAMES], *tally[A:]) or facts.branching
    facts.length = (float(tally[PLIES] / tally[GAMES]), int(tally[LEAST]), int(tally[GREATEST]))
    facts.games_compiled = int(tally[GAMES])
    subject.native_rate = float(tally[PLIES]) / (time.monotonic() - began) or None
    return passed(f"{int(tally[GAMES]):,} random games in native code kept every promise")


def replayed(subject: Subject, word: int, what: str) -> Verdict:
    """The game that began with this random word, played again as Python: which rule broke its promise, and where."""
    again = subject.another(word)
    again.play(games=1)
    for verdict in (*again.faults.values(), utilities(again), evaluation(again)):
        if verdict.status == FAILED:
            return verdict
    for seen in again.visits():
        if differing := difference(again, seen):
            return differing
    return subject.fail(f"random play as native code {what}, but the same game as Python does not", "compare the two")
