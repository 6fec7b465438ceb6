"""What an endgame table adds to an answer: the rest of a line, and whose word it is."""

from __future__ import annotations

from typing import Any

from ...knowledge import Knowledge
from ...table_blocks import UNKNOWN, known_number

TABLE, SEARCH_AND_TABLE = "table", "search and table"
"""Where a value comes from, in `SearchResult.source`."""


def table_number(knowledge: Knowledge, state: Any) -> int:
    """The table's number for an unfinished state; UNKNOWN where there is no table, or not this state in it."""
    if not knowledge.has_table:
        return UNKNOWN
    return int(known_number(knowledge, state))


def table_line(knowledge: Knowledge, state: Any, most: int) -> list[int]:
    """The soonest win, or the longest defence, from a state that a table has decided; nothing elsewhere."""
    game, line = knowledge.game, list[int]()
    if game.is_terminal(state):
        return line
    number = table_number(knowledge, state)
    while len(line) < most and number not in (UNKNOWN, 0):
        mover = game.to_move(state)
        for action in game.actions(state):
            child = game.result(state, action)
            if game.is_terminal(child):
                found = 1 if game.utility(child, mover) > game.neutral_value else -1
                after, same = 0, True
            else:
                after = found = table_number(knowledge, child)
                same = game.team(game.to_move(child)) == game.team(mover)
            # The best move leads one ply nearer to the end, for the same side.
            if abs(found) == abs(number) - 1 and ((found > 0) == same) == (number > 0):
                line.append(int(action))
                state, number = child, after
                break
        else:
            break
    return line
