"""What the rules did wrong where a kernel met a fault, in words: one sentence for each, whichever search found it."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any

from . import counters
from .errors import GameError
from .game import CHANCE, Game
from .knowledge import Knowledge
from .rule_guard import chance_fault


def complaint(
    game: Game, fault: int, state: Any, *, knowledge: Knowledge | None = None, value: float | None = None
) -> str:
    """What is wrong with the rules in a state, as the beginning of a sentence.

    `state` is None where it is not known; `value` is the culprit of a number out of range, where it is known.
    """
    if fault in (counters.NO_OUTCOMES, counters.BAD_PROBABILITY, counters.BAD_SUM):
        return chance_fault(game, state)
    if fault == counters.NO_ACTIONS:
        if state is not None and any(True for _ in game.actions(state)):
            return "candidates() yields nothing, but actions() does: it may leave out only what cannot matter"
        return "actions() yields nothing, but is_terminal() says the game goes on"
    if fault == counters.TOO_MANY_ACTIONS:
        return f"actions() yields more than max_actions = {game.max_actions} actions"
    if fault == counters.CROSSED_BOUNDS and knowledge is not None:
        least, most = knowledge.bounds(state)
        return f"bounds() is {float(least):g} to {float(most):g}: the least must not be above the most"
    if fault == counters.OUT_OF_RANGE:
        if value is None:
            return f"utility() is beyond utility_range = {game.utility_range}: widen it or mend the rule"
        return (
            f"utility() or evaluate() is {value:g}, not within utility_range = {game.utility_range}, "
            "on which pruning relies"
        )
    if fault == counters.OFF_STEP:
        return f"utility() is no multiple of step = {game.step:g}: set step to the least difference, or None"
    if fault == counters.NOT_FINISHED:
        return "playout() returns a state that is_terminal() calls unfinished: it must play to the end"
    if fault == counters.TOO_MANY_MOVES:
        return "playout_moves() writes more than 4,000 moves: those beyond are left out, and -1 follows the last"
    if fault == counters.TOO_DEEP:
        return "a line of more than 1,000 plies and outcomes has no end"
    if fault == counters.NO_ROOM:
        return "a line has more actions and outcomes than fit in memory: use outcomes=N to draw a sample"
    return "utility() or evaluate() is not a number (NaN)"


def fault_after(
    game: Game,
    fault: int,
    state: Any,
    path: Iterable[int],
    *,
    here: str = "in this position",
    knowledge: Knowledge | None = None,
    value: float | None = None,
) -> GameError:
    """The error of a fault that lies below `state`, with the moves of `path` (to the first below 0) that lead there.

    Outcomes of chance are shown as [n]; `here` says where it lies if `path` is empty.
    """
    words = []
    for action in map(int, path):
        if action < 0:
            break
        rolled = int(game.to_move(state)) == CHANCE
        words.append(f"[{action}]" if rolled else game.format_action(state, action))
        state = game.state_after(state, action)
    where = f"after {game.join_moves(words)}" if words else here
    return GameError(f"{game.name}: {complaint(game, fault, state, knowledge=knowledge, value=value)}, {where}")
