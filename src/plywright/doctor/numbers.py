"""Check of the numbers by which endgame tables know positions: `index` and `unindex` are inverse to each other."""

from __future__ import annotations

from typing import Any

from ..errors import PlywrightError
from .subject import Subject, Verdict, passed, skipped

MOST = 1000
"""Numbers that are tried, spread over all there are."""
REMEDY = "index(unindex(n)) must be n for every number of the tables, or they mix positions up"


def table_numbers(subject: Subject) -> Verdict:
    """unindex() makes a possible position of every number, index() leads back, and moves stay within the slices."""
    knowledge = subject.guard.knowledge
    if not knowledge.has_index:
        return skipped("the knowledge does not define index() and unindex()")
    which = knowledge.tables[0] if knowledge.tables else ""
    try:
        numbering, slices = knowledge.for_tables(which)
    except PlywrightError as error:
        return subject.fail(f"for_tables({which!r}) raises: {error}", "it says how positions of tables are numbered")
    total = sum(size for _, size in slices)
    known: dict[Any, int] = {}
    for number in sorted({place * (total - 1) // max(MOST - 1, 1) for place in range(MOST)}):
        if numbering.is_hole(number):
            continue
        state = subject.game.coerce_state(numbering.unindex(number))
        back = int(numbering.index(state))
        if back != number:
            return subject.fail(f"unindex({number}) is {state!r}, but index() of that is {back}", REMEDY)
        other = known.setdefault(state, number)
        if other != number:
            return subject.fail(f"unindex({other}) and unindex({number}) are both {state!r}", REMEDY)
        if wrong := _leads_away(subject, numbering, slices, number, state):
            return wrong
    return passed(f"{len(known):,} numbers of {total:,} lead to positions and back")


def _leads_away(
    subject: Subject, numbering: Any, slices: list[tuple[str, int]], number: int, state: Any
) -> Verdict | None:
    """What is wrong with the successors of a position: one has no number, or one of a later slice."""
    game, end = subject.game, 0
    for _, size in slices:
        end += size
        if number < end:
            break
    if game.is_terminal(state):
        return None
    for action in game.actions(state):
        child = game.state_after(state, action)
        if not game.is_terminal(child) and not 0 <= (found := int(numbering.index(child))) < end:
            text = game.format_action(state, action)
            what = f"in {state!r} the move {text} leads to {child!r}, whose index() is {found}"
            return subject.fail(what, f"moves must stay below {end}, the end of the slice, and among the numbers")
    return None
