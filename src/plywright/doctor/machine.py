"""The checks of the second process: the game as native code, and the two plain searches."""

from __future__ import annotations

import time
from typing import Any

from .. import textbook
from ..compiled import Uncompilable, available
from ..engine import search
from ..engine.kernel_runner import blame
from ..result import SearchResult
from .enumeration import enumeration
from .long_play import Playouts, long_play
from .native_rules import NativeRules, compiled_rules
from .native_views import compiled_views
from .oracle import oracle
from .outside import strange_states_compiled
from .playouts import play_games
from .report import FAILED
from .rules import CheckFunction
from .subject import Subject, Verdict, passed, skipped, warning

SEARCHED_STATES = 4
SEARCHED_NODES = 800
SEARCHED_DEPTH = 6
"""From how many states alpha-beta and minimax are compared, and how many nodes limit their depth."""
MEASURED_SECONDS = 0.2
MEASURED_NODES = 2000


def new_process(subject: Subject) -> Verdict:
    """The same seed gives the same games in another process."""
    subject.play()
    for name, fault in subject.faults.items():
        if name not in subject.failed:  # the first process did not meet it: a rule depends on more than the state
            return fault
    for number, (ours, theirs) in enumerate(zip(subject.digests, subject.expected, strict=False), 1):
        if ours != theirs:
            return warning(
                f"random game {number} goes another way in a new process: a rule depends on the order of a set of "
                f"texts, on id() or on the clock; sort what it iterates over"
            )
    return passed(f"{len(subject.digests):,} random games go the same way in a new process")


def compilation(subject: Subject) -> Verdict:
    """Every rule can be compiled by itself, and all of them together in a kernel."""
    game, facts = subject.game, subject.facts
    facts.compiled = False
    if not available():
        facts.reason = "Numba is not installed, or is switched off"
        return warning(f"the game runs interpreted, and slowly: {facts.reason}")
    began = time.monotonic()
    try:
        if game.shapeless:
            raise Uncompilable(game.shapeless)
        rules = NativeRules(game)
        from .. import native

        native.entry(play_games, game, Playouts(subject).arguments)
    except Uncompilable as reason:
        facts.reason = str(reason)
        return warning(f"the game runs interpreted, and slowly: {reason}")
    subject.native, facts.compiled = rules, True
    return passed(f"every rule becomes native code ({time.monotonic() - began:.1f} s)")


def agreement(subject: Subject) -> Verdict:
    """Alpha-beta, as native code and as Python, finds the move and the value of the textbook's minimax."""
    game = subject.game
    if not game.opposed or game.has_chance or game.hidden:
        return skipped("the game is not one for alpha-beta: it takes two opposed teams, no chance, nothing hidden")
    if bad := subject.failed & {"utilities", "evaluation", "compiled rules", "long play"}:
        return skipped(f"not tried, since {sorted(bad)[0]!r} failed")
    game.__dict__["_smoke_tested"] = True  # this examination goes much further
    deepest = 0
    for seen in subject.visits(SEARCHED_STATES, over=False):
        state = seen.visit.state
        try:
            depth = _reach(subject, state)
            oracle = textbook.run("h-minimax", game, state, depth=depth, trace=False)
            found = _searches(subject, state, depth)
        except Exception as error:
            return subject.fail(f"searching from here failed: {blame(game, error)}", "mend the rule it names")
        for name, result in found.items():
            if abs(result.value - oracle.value) > 1e-9 or result.action != oracle.action:
                return subject.fail(
                    f"at depth {depth} {name} finds action {result.action} worth {result.value:g}, but the textbook's "
                    f"minimax {oracle.action} worth {oracle.value:g}",
                    "values must depend on the state alone, and cancel between the teams in every state",
                )
        deepest = max(deepest, depth)
    if not deepest:
        return skipped("no unfinished state was seen")
    subject.searchable = True
    return passed(f"alpha-beta finds the moves and values of the textbook's minimax, to depth {deepest}")


def _reach(subject: Subject, state: Any) -> int:
    """How deep minimax gets within SEARCHED_NODES."""
    native = None if subject.native is not None else False
    return search(
        subject.game, state, depth=SEARCHED_DEPTH, nodes=SEARCHED_NODES, algorithm="minimax", compiled=native
    ).depth


def _searches(subject: Subject, state: Any, depth: int) -> dict[str, SearchResult]:
    """The plain searches from a state, by a name for people."""
    found = {"alpha-beta as Python": search(subject.game, state, depth=depth, algorithm="alphabeta", compiled=False)}
    if subject.native is not None:
        found["alpha-beta as native code"] = search(subject.game, state, depth=depth, algorithm="alphabeta")
        found["minimax as native code"] = search(subject.game, state, depth=depth, algorithm="minimax")
    return found


def speed(subject: Subject) -> Verdict:
    """Nodes per second, as native code runs for users and as Python: of alpha-beta where the game suits it."""
    game, facts = subject.game, subject.facts
    game.__dict__.pop("_checked", None)  # shipped games search without bounds checks
    facts.measured_by = "plies of random play"
    facts.nodes_per_second, facts.nodes_per_second_interpreted = subject.native_rate, subject.plain_rate
    if subject.searchable:
        try:
            _time_searches(subject)
        except Exception as error:
            return Verdict(FAILED, f"searching from the start failed: {blame(game, error)}; mend the rule it names")
    rates = [facts.nodes_per_second, facts.nodes_per_second_interpreted]
    shown = [f"{rate:,.0f} {kind}" for rate, kind in zip(rates, ("compiled", "interpreted"), strict=True) if rate]
    return passed(f"{', '.join(shown)} ({facts.measured_by} per second)") if shown else skipped("nothing to measure")


def _time_searches(subject: Subject) -> None:
    """Note the rates of alpha-beta, unless the whole game is so small that only the start-up would be measured."""
    game, facts = subject.game, subject.facts
    plain = search(game, nodes=MEASURED_NODES, algorithm="alphabeta", compiled=False)
    if plain.proved:
        return
    facts.measured_by, facts.nodes_per_second = "nodes of alpha-beta", None
    facts.nodes_per_second_interpreted = plain.nodes_per_second
    if subject.native is not None:
        search(game, depth=1, algorithm="alphabeta")  # compiles
        facts.nodes_per_second = search(game, time=MEASURED_SECONDS, algorithm="alphabeta").nodes_per_second


MACHINE_CHECKS: list[tuple[str, CheckFunction]] = [
    ("new process", new_process),
    ("compilation", compilation),
    ("compiled rules", compiled_rules),
    ("compiled views", compiled_views),
    ("long play", long_play),
    ("alpha-beta", agreement),
    ("enumeration", enumeration),
    ("oracle", oracle),
    ("speed", speed),
    ("compiled strange states", strange_states_compiled),
]
"""Checks of the second process."""
