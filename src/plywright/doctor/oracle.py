"""Check against an oracle: a table of the whole game, which knows what every position is worth."""

from __future__ import annotations

import itertools
from typing import TYPE_CHECKING, Any

from ..contracts import TOLERANCE
from ..engine import search
from ..errors import PlywrightError
from .subject import Subject, Verdict, passed, skipped

if TYPE_CHECKING:
    from ..tables.whole import WholeTable

STATES, SEARCHED = 200, 40
DEPTH = 4
NODES = 20_000


def oracle(subject: Subject) -> Verdict:
    """bounds() holds what the table says, candidates() keeps a best action, and what a search proves is so."""
    if not subject.oracle:
        return skipped("no table of the whole game was given (--oracle FILE)")
    from ..tables.whole import load_whole

    game, knowledge = subject.game, subject.guard.knowledge
    try:
        table = load_whole(game, subject.oracle)
    except PlywrightError as error:
        return subject.fail(f"{error}", "give the table of these rules")
    looked = proved = 0
    states = [seen.visit.state for seen in itertools.islice(subject.visits(over=False), STATES)]
    for state in states:
        known = table.look_up(state)
        if known is None:
            continue
        looked += 1
        least, most = (
            (float(bound) for bound in knowledge.bounds(state)) if knowledge.has_bounds else (known.value,) * 2
        )
        if not least - TOLERANCE <= known.value <= most + TOLERANCE:
            what = (
                f"bounds() is {least:g} to {most:g} in {game.format_state(state)}, but the table says {known.value:g}"
            )
            return subject.fail(what, "bounds must be proved, in the view of the player to move")
        if knowledge.has_candidates and not _keeps_best(subject, table, state, known.value):
            what = f"candidates() has no action worth {known.value:g} in {game.format_state(state)}, as the table has"
            return subject.fail(what, "leaving an action out must never change the value")
    for state in states[:SEARCHED]:
        known = table.look_up(state)
        found = search(game, state, depth=DEPTH, knowledge=knowledge, nodes=NODES)
        proved += found.proved
        if known is not None and found.proved and abs(found.value - known.value) > TOLERANCE:
            what = f"a search proves {found.value:g} in {game.format_state(state)}, but the table says {known.value:g}"
            return subject.fail(what, "a hook breaks its promise, or the rules are not those of the table")
    return passed(f"{looked:,} states agree with the table, {proved:,} of them proved by a search")


def _keeps_best(subject: Subject, table: WholeTable, state: Any, value: float) -> bool:
    from ..tables.whole import value_after

    found = (value_after(table, state, action) for action in subject.guard.knowledge.candidates(state))
    return any(known is None or abs(known.value - value) < TOLERANCE for known in found)
