"""The checks of the second process: the rules as native code, against the rules as Python.

Each compiled rule is called by itself from Python, with bounds checks compiled in, on the states of
the sample; so a difference, a fault or a crash has a rule and a place. Then random games are played
inside native code, far more of them than Python could play, and the two plain searches must agree.
"""

from __future__ import annotations

import time
import warnings
from collections.abc import Iterator
from typing import Any

import numpy as np

from ..compiled import Uncompilable, Workspace, available
from ..errors import PlywrightError
from ..game import CHANCE
from ..rehearsal import Fault
from ..rng import seeded
from ..search import search
from ..state import leaves
from .patient import Patient, Seen, Verdict, passed, ratio_interval, skipped, warning
from .playouts import ACTIONS, DECISIONS, GAMES, GREATEST, LEAST, LONG, PLIES, play_games
from .report import FAILED
from .rules import CheckFunction
from .values import evaluation, utilities

LONG_PLAY_GAMES = 20_000
LONG_PLAY_PLIES = 400_000
"""Long play ends with this many games or plies, whichever comes first."""
CHUNK = 20_000
"""Plies of one call into native code: short enough never to look like a rule that hangs."""
SEARCHED_STATES = 4
SEARCHED_NODES = 800
SEARCHED_DEPTH = 6

_OVERFLOW = (
    "the usual causes are a value that outgrows 64 bits on the way, and np.uint64 mixed with plain ints "
    "(reduce it earlier; write np.uint64(1) for 1)"
)


def new_process(patient: Patient) -> Verdict:
    """The same seed gives the same games in another process."""
    patient.play()
    for number, (ours, theirs) in enumerate(zip(patient.digests, patient.expected_digests, strict=False)):
        if ours != theirs:
            return warning(
                f"random game {number + 1} goes another way in a new process: a rule depends on the order of a set of "
                f"texts, on id() or on the clock; sort what it iterates over"
            )
    return passed(f"{len(patient.digests):,} random games go the same way in a new process")


def compilation(patient: Patient) -> Verdict:
    """Every rule can be compiled, and all of them together in a kernel."""
    patient.compiled = None
    if not available():
        patient.facts.compiled, patient.facts.reason = False, "Numba is not installed or is switched off"
        return skipped("Numba is not installed or is switched off: the game runs interpreted")
    from .native_rules import NativeRules

    began = time.monotonic()
    try:
        if patient.game.state_shape is None:
            raise Uncompilable(patient.game._start[2])
        patient.compiled = NativeRules(patient.game)
        _playouts(patient, seeded(patient.seed), compile_only=True)
    except Uncompilable as reason:
        patient.compiled = None
        patient.facts.compiled, patient.facts.reason = False, str(reason)
        return warning(f"the game runs interpreted, and slowly: {reason}")
    patient.facts.compiled = True
    return passed(f"all rules become native code, in {time.monotonic() - began:.1f} s")


def compiled_rules(patient: Patient) -> Verdict:
    """Native code and Python answer alike in every state of the sample; indices stay within tables."""
    if patient.compiled is None:
        return skipped("the game is not compiled")
    count = 0
    for seen in patient.visits():
        if fault := _differs(patient, seen):
            return fault
        count += 1
    return passed(f"native code and Python agree in {count:,} states, with bounds checked")


def _differs(patient: Patient, seen: Seen) -> Verdict | None:
    """The first rule that answers otherwise in native code."""
    for rule, arguments, plain in _answers(patient, seen):
        with patient.guard.calling(rule):
            try:
                native = patient.compiled.call(rule, seen.visit.state, *arguments)
            except Exception as error:
                return patient.fail(
                    f"{rule}() raised {type(error).__name__} as native code: {error}",
                    "Python does not raise there, so an index wraps or a number overflows; " + _OVERFLOW,
                )
        if not _alike(native, plain):
            return patient.fail(
                f"{rule}() is {_shown(native)} as native code, but {_shown(plain)} as Python", _OVERFLOW
            )
    return None


def _answers(patient: Patient, seen: Seen) -> Iterator[tuple[str, tuple[Any, ...], Any]]:
    """rule, arguments after the state, and Python's answer."""
    visit, guard, game = seen.visit, patient.guard, patient.game
    yield "is_terminal", (), visit.mover is None
    rule = "utility" if visit.mover is None else "evaluate"
    for player in range(game.players if visit.values is not None else 0):
        yield rule, (player,), visit.values[player] if visit.values else None
    if visit.mover is None:
        return
    yield "to_move", (), visit.mover
    if visit.mover != CHANCE:
        yield "actions", (), visit.choices
    elif hasattr(game, "chance"):
        yield "chance", (), guard.outcomes(visit.state)
    yield "result", (visit.action,), guard.settled("result", guard.call("result", visit.state, visit.action))


def _alike(native: Any, plain: Any) -> bool:
    if isinstance(plain, (tuple, list)):
        return len(native) == len(plain) and all(map(_alike, native, plain))
    return bool(native == plain) or abs(float(native) - float(plain)) <= 1e-9 * max(1.0, abs(float(plain)))


def _shown(answer: Any) -> str:
    if isinstance(answer, tuple) and hasattr(answer, "_fields"):
        return str(answer)
    if isinstance(answer, tuple):
        return str(tuple(x.item() if isinstance(x, np.generic) else x for x in leaves(answer)))
    return repr(answer.item() if isinstance(answer, np.generic) else answer)


def long_play(patient: Patient) -> Verdict:
    """Thousands of random games inside native code: every promise kept in every state."""
    if patient.compiled is None:
        return skipped("the game is not compiled")
    if patient.game.has_chance:
        return skipped("games with chance are played interpreted only")
    if {"utilities", "evaluation"} & patient.failed:
        return skipped("not tried, since 'utilities' or 'evaluation' failed")
    rng, until = seeded(patient.seed), time.monotonic() + 2 * patient.seconds
    totals, pairs, began = np.zeros(6, np.int64), [], time.monotonic()
    totals[LEAST] = np.iinfo(np.int64).max
    while totals[GAMES] < LONG_PLAY_GAMES and totals[PLIES] < LONG_PLAY_PLIES and time.monotonic() < until:
        work: Any = None
        try:
            with patient.guard.calling("random play"):
                sound, work = _playouts(patient, rng)
        except Fault as fault:
            return _replay(patient, patient.last_word, fault.what)
        if not sound:
            return _replay(patient, patient.last_word, "a rule broke its promise")
        _add(totals, work.tally)
        played = int(work.tally[GAMES])
        pairs += list(zip(work.actions[:played].tolist(), work.decisions[:played].tolist(), strict=True))
    seconds = time.monotonic() - began
    facts = patient.facts
    facts.branching = ratio_interval(pairs) or facts.branching
    if totals[GAMES]:
        facts.length = (float(totals[PLIES] / totals[GAMES]), int(totals[LEAST]), int(totals[GREATEST]))
    patient.native_plies_per_second = float(totals[PLIES]) / seconds if seconds > 0 else None
    return passed(f"{int(totals[GAMES]):,} random games in native code kept every promise")
