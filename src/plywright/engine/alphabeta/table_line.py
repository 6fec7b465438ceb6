"""What an endgame table adds to an answer: the rest of a line, and whose word it is."""

from __future__ import annotations

from typing import Any

from ...knowledge import Knowledge
from ...table_blocks import UNKNOWN, probe

TABLE, SEARCH_AND_TABLE = "table", "search and table"
"""Where a value comes from, in `SearchResult.source`."""


def table_number(knowledge: Knowledge, state: Any) -> int:
    """The table's number for an unfinished state; UNKNOWN where there is no table, or not this state in it."""
    if not knowledge.has_table:
        return UNKNOWN
    data, firsts, places = (getattr(knowledge, f"table_{part}") for part in ("data", "firsts", "places"))
    return int(probe(data, firsts, places, int(knowledge.index(state))))


def table_line(knowledge: Knowledge, state: Any, most: int) -> list[int]:
    """The soonest win, or the longest defence, from a state that a table has decided; nothing elsewhere."""
    game, line = knowledge.game, list[int]()
    while len(line) < most and not game.is_terminal(state):
        number = table_number(knowledge, state)
        if number in (UNKNOWN, 0):
            break
        wanted = abs(number) - 1  # the one after the best move: a ply nearer to the end
        for action in game.actions(state):
            child = game.coerce_state(game.result(state, action))
            if wanted == (1 if game.is_terminal(child) else abs(table_number(knowledge, child))) and _agrees(
                knowledge, state, child, number
            ):
                line.append(int(action))
                state = child
                break
        else:
            break
    return line


def _agrees(knowledge: Knowledge, state: Any, child: Any, number: int) -> bool:
    """Whether a successor is decided for the same side as the state with that number."""
    game = knowledge.game
    mover = game.to_move(state)
    if game.is_terminal(child):
        return bool((game.utility(child, mover) > game.neutral_value) == (number > 0))
    same = game.team(game.to_move(child)) == game.team(mover)
    return ((table_number(knowledge, child) > 0) == same) == (number > 0)
