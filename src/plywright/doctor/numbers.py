"""Check of the numbers by which endgame tables know positions: `index` and `unindex` are inverse to each other, and
positions that share a number are alike.
"""

from __future__ import annotations

from typing import Any

from ..errors import PlywrightError
from ..game import Game
from .subject import Subject, Verdict, passed, skipped

MOST = 1000
"""Numbers that are tried, spread over all there are."""
COMPARED, PLIES = 100, 2
"""Positions that are held against the one which has the same number, and how far both are played out."""
REMEDY = "index(unindex(n)) must be n for every number of the tables, or they mix positions up"


def table_numbers(subject: Subject) -> Verdict:
    """index() and unindex() are inverse to each other, moves stay within the slices, equal numbers mean the same."""
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
    numbers = sorted({place * (total - 1) // max(MOST - 1, 1) for place in range(MOST)})
    for place, number in enumerate(numbers):
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
        if place % max(len(numbers) // COMPARED, 1) == 0 and (wrong := _unlike(subject, numbering, state, place)):
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
        if game.is_terminal(child) or numbering.foregone(child) != 0:
            continue
        if not 0 <= (found := int(numbering.index(child))) < end:
            text = game.format_action(state, action)
            what = f"in {state!r} the move {text} leads to {child!r}, whose index() is {found}"
            return subject.fail(what, f"moves must stay below {end}, the end of the slice, and among the numbers")
    return None


def _unlike(subject: Subject, numbering: Any, state: Any, place: int) -> Verdict | None:
    """What is wrong where a successor ends otherwise than the position with its number, or than is said at sight."""
    game = subject.game
    if game.is_terminal(state):
        return None
    children = [game.state_after(state, action) for action in game.actions(state)]
    children = [child for child in children if not game.is_terminal(child) and numbering.plies_left(child) > PLIES]
    if not children:
        return None
    state = children[place % len(children)]
    found, at_sight = decided(game, state, PLIES), int(numbering.foregone(state))
    if at_sight != 0:
        said = at_sight - 1 if at_sight > 0 else at_sight + 1
        if abs(said) <= PLIES and said != found:
            what = f"foregone() is {at_sight} in {state!r}, but {_words(found)}"
            return subject.fail(what, "it is n for a win in n - 1 plies, -n for a loss, and 0 where it cannot be told")
        return None
    number = int(numbering.index(state))
    other = game.coerce_state(numbering.unindex(number))
    if other == state or (there := decided(game, other, PLIES)) == found:
        return None
    what = (
        f"{state!r} and {other!r} share the number {number}, but {_words(found)} in the first and {_words(there)} there"
    )
    return subject.fail(what, "positions that share a number must share their value and how long it takes")


def _words(found: int) -> str:
    if found == 0:
        return f"nothing is decided within {PLIES} plies"
    return f"the mover {'wins' if found > 0 else 'loses'} within {abs(found)}"


def decided(game: Game, state: Any, plies: int) -> int:
    """n where the mover of an unfinished state wins in n plies, -n where it loses; 0 where nothing is so near."""
    mover = int(game.to_move(state))
    low, high = game.utility_range
    soonest, latest, is_lost = 0, 0, True
    for action in game.actions(state):
        child = game.state_after(state, action)
        found = 0
        if game.is_terminal(child):
            utility = game.utility(child, mover)
            found = 1 if utility == high else -1 if utility == low else 0
        elif plies > 1 and (after := decided(game, child, plies - 1)):
            same = game.team_of[int(game.to_move(child))] == game.team_of[mover]
            found = after + (1 if after > 0 else -1)
            found = found if same else -found
        if found > 0:
            soonest = min(soonest or found, found)
        is_lost = is_lost and found < 0
        latest = max(latest, -found)
    return soonest if soonest else -latest if is_lost else 0
