"""What a game promises beside its rules, and how to see that it is kept: facts, utilities, knowledge for the engine.

The searches rely on all of it. What can be seen without a search is checked here, for the smoke test
before a search and for the doctor; the doctor also holds the knowledge against minimax.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from itertools import pairwise
from types import SimpleNamespace
from typing import Any, Protocol

import numpy as np
from numpy.typing import NDArray

from .bits import SCRATCH, float_scratch, scratch
from .counters import NODE_LIMIT, stop_word
from .errors import GameError, shown
from .game import Game
from .identity import Identified
from .knowledge import Knowledge
from .probcut_table import is_probcut_table
from .rng import seeded

MOST_STEPS = (1 << 30) - (1 << 25)
"""Steps from 0 to the greatest utility: the engine counts in them, and takes 2^30 for more than any value."""
MOST_ACTIONS = 1 << 20
MOST_PRIORITY = 1 << 20
MOST_SLOTS = 512
FINISH_NODES = 200
"""What a knowledge's own solver may spend where it is only tried."""
TOLERANCE = 1e-9
SINGLE = 1e-4  # what sums in single precision may differ by
SIBLINGS = 4  # successors that are judged side by side
MOST_MOVES = 4000
"""Moves of a playout that are told, and credited by a search."""
BEYOND = 2 * MOST_MOVES + 1
"""The first word behind them and their -1."""


class BrokenPromise(Exception):
    """What a rule does, and the remedy."""

    def __init__(self, what: str, remedy: str) -> None:
        super().__init__(what, remedy)
        self.what, self.remedy = what, remedy


class Asker(Protocol):
    """Whoever calls the rules, such as the smoke test's guard."""

    game: Game
    knowledge: Knowledge

    def call(self, rule: str, *args: Any) -> Any: ...

    def settled(self, rule: str, state: Any) -> Any: ...


# -- facts -------------------------------------------------------------------------------------------------


def check_facts(game: Game) -> None:
    """Raise GameError where players, teams, utility_range, step, max_actions or the like say something impossible."""
    if "_facts_checked" in game.__dict__:
        return
    if wrong := wrong_fact(game):
        raise GameError(f"{type(game).__name__}: {wrong}")
    game.__dict__["_facts_checked"] = True


def wrong_fact(game: Game) -> str:
    """What is wrong with the facts of a game, as a sentence with the remedy; empty where nothing is."""
    return _wrong_players(game) or _wrong_numbers(game) or _wrong_rest(game)


def countable(utilities: Sequence[float], step: float) -> bool:
    """Whether the engine can count such utilities in such steps."""
    return max(map(abs, utilities)) / step <= MOST_STEPS


def _wrong_players(game: Game) -> str:
    if not _whole(game.players) or game.players < 1:
        return f"players is {game.players!r}: it must be a whole number of at least 1"
    teams = game.teams
    if teams is not None:
        if not isinstance(teams, (tuple, list)) or len(teams) != game.players:
            return f"teams is {teams!r}: it must have one entry for each of the {game.players} players"
        if not all(map(_whole, teams)) or set(teams) != set(range(len(set(teams)))):
            return f"teams is {teams!r}: number the teams 0, 1 and so on, such as {tuple(range(game.players))}"
    return ""


def _wrong_numbers(game: Game) -> str:
    limits, step = game.utility_range, game.step
    if not isinstance(limits, (tuple, list)) or len(limits) != 2 or not all(map(_number, limits)):
        return f"utility_range is {limits!r}: it must be two numbers, least and greatest"
    if not limits[0] < limits[1]:
        return f"utility_range is {limits!r}: the least must come first"
    if not all(map(math.isfinite, limits)):
        return f"utility_range is {limits!r}: both must be finite"
    if game.sum_bound is not None and not (_number(game.sum_bound) and math.isfinite(game.sum_bound)):
        return f"sum_bound is {game.sum_bound!r}: it must be a number, or None"
    if step is not None:
        if not _number(step) or not 0 < step < math.inf:
            return f"step is {step!r}: it must be a number above 0, or None"
        if not countable(limits, step):
            return (
                f"step is {step!r}: utilities of {limits[0]:g} to {limits[1]:g} are more steps than can be counted; "
                f"set it to the smallest difference of two utilities, or to None"
            )
    if not _whole(game.max_actions) or not 1 <= game.max_actions <= MOST_ACTIONS:
        return f"max_actions is {game.max_actions!r}: it must be a whole number from 1 to {MOST_ACTIONS}"
    return ""


def _wrong_rest(game: Game) -> str:
    try:
        _ = game.repetition_draws
    except GameError as error:
        return str(error).partition(": ")[2]
    return wrong_data(game)


def wrong_data(subject: Identified) -> str:
    """What is wrong with the attributes that travel as data at run time."""
    for name in subject.runtime:
        value = getattr(subject, name, None)
        if not isinstance(value, (np.ndarray, np.integer, int, float)):
            found = f"is {value!r}" if hasattr(subject, name) else "does not exist"
            return f"runtime names {name!r}, which {found}: it must be an array, an int or a float"
    return ""


def check_knowledge(knowledge: Knowledge) -> None:
    """Raise GameError where a knowledge is incomplete, or its data is not numbers."""
    wrong = wrong_data(knowledge)
    late, finish = (hook in knowledge.hooks for hook in ("is_late", "finish"))
    scale, cutoff = knowledge.scale, knowledge.cutoff
    if scale is not None and not (_number(scale) and 0 < scale < math.inf):
        wrong = f"scale is {scale!r}: it is the lead, a number above 0, that means a winning chance of 73 %"
    if cutoff is not None and not (_whole(cutoff) and cutoff >= 0):
        wrong = f"cutoff is {cutoff!r}: it is a number of plies, or None"
    if not isinstance(knowledge.algorithm, str):
        wrong = f"algorithm is {shown(knowledge.algorithm)}: it is the name of a search, such as 'mcts'"
    if not (_whole(knowledge.kept_depth) and 0 <= knowledge.kept_depth <= 1 << 20):
        wrong = f"kept_depth is {knowledge.kept_depth!r}: it is a number of plies, such as 2"
    if not isinstance(knowledge.use_history, bool):
        wrong = f"use_history is {shown(knowledge.use_history)}: it is True or False"
    if knowledge.has_probcut and not is_probcut_table(knowledge.probcut):
        wrong = f"probcut is {shown(knowledge.probcut)}: it is a table that plywright.probcut_table makes"
    if late != finish:
        wrong = f"it has {'is_late' if late else 'finish'}() but no {'finish' if late else 'is_late'}(): define both"
    if wrong:
        raise GameError(f"{type(knowledge).__name__}: {wrong}")


# -- utilities ---------------------------------------------------------------------------------------------


def check_utilities(game: Game, values: tuple[float, ...]) -> None:
    """Raise BrokenPromise where the utilities of a finished game, by player, are not what the facts say."""
    low, high = game.utility_range
    for player, value in enumerate(values):
        shown = f"utility(state, {player}) is {value:g}"
        if not math.isfinite(value):
            raise BrokenPromise(shown, "utilities must be finite numbers")
        if not low - TOLERANCE <= value <= high + TOLERANCE:
            raise BrokenPromise(shown, f"utility_range says {low:g} to {high:g}: widen it or mend the rule")
        if game.step is not None and abs(value / game.step - round(value / game.step)) > 1e-6:
            raise BrokenPromise(
                shown, f"it is no multiple of step = {game.step:g}: set step to the smallest difference, or to None"
            )
    check_balance(game, "utility", values)


def check_evaluations(game: Game, values: tuple[float, ...], clamped: bool = False) -> None:
    """Raise BrokenPromise where the evaluations of an unfinished state, by player, are none of utilities.

    `clamped` allows the ends of the range and infinity, which a search takes for the nearest value inside.
    """
    low, high = game.utility_range
    if clamped:
        values = tuple(high if value == math.inf else low if value == -math.inf else value for value in values)
    for player, value in enumerate(values):
        if not low < value < high and not (clamped and value in (low, high)):
            remedy = f"it must lie strictly inside utility_range, {low:g} to {high:g}: scale it, or widen the range"
            raise BrokenPromise(f"evaluate(state, {player}) is {value:g}", remedy)
    check_balance(game, "evaluate", values)


def check_balance(game: Game, rule: str, values: tuple[float, ...]) -> None:
    """Raise BrokenPromise where the players' numbers do not go together: teams, their sum."""
    together, slack = math.fsum(values), TOLERANCE * max(1.0, *map(abs, values))
    if game.sum_bound is not None and together > game.sum_bound + slack:
        shown = ", ".join(f"{value:g}" for value in values)
        remedy = f"sum_bound says at most {game.sum_bound:g}: raise it, set it to None, or mend the rule"
        raise BrokenPromise(f"{rule}() is {shown} for the players, {together:g} together", remedy)
    if game.opposed:
        first = game.team_of[0]
        for player, value in enumerate(values):
            wanted = values[0] if game.team_of[player] == first else -values[0]
            if abs(value - wanted) > TOLERANCE * max(1.0, abs(value)):
                remedy = f"it should be {wanted:g}, since what one team wins the other loses (or set zero_sum = False)"
                if rule == "evaluate" and value:
                    remedy += "; evaluations are in the view of `player`, whoever is to move"
                shown = f"{rule}(state, 0) is {values[0]:g}, but {rule}(state, {player}) is {value:g}"
                raise BrokenPromise(shown, remedy)
        return
    if game.zero_sum and abs(together) > slack:
        shown = ", ".join(f"{value:g}" for value in values)
        raise BrokenPromise(f"{rule}() is {shown} for the players", "zero_sum = True says that they add up to 0")
    for player, value in enumerate(values):
        partner = game.team_of.index(game.team_of[player])
        if abs(value - values[partner]) > slack:
            shown = f"{rule}(state, {partner}) is {values[partner]:g}, but {rule}(state, {player}) is {value:g}"
            raise BrokenPromise(shown, "partners of one team share their utility")


# -- knowledge for the engine ------------------------------------------------------------------------------


def for_engine(game: Game) -> bool:
    """Whether the engine plays such a game at all: two opposed teams, no chance, nothing hidden."""
    return game.opposed and not game.has_chance and not game.hidden


def check_hooks(asker: Asker, state: Any, mover: int, actions: list[int]) -> None:
    """Raise BrokenPromise where a hook contradicts the rules in an unfinished state, as far as one look shows."""
    defined = asker.knowledge.hooks
    if "candidates" in defined and not _subset(asker, "candidates", state, actions):
        remedy = "it may leave out only actions that cannot matter"
        raise BrokenPromise(f"candidates() yields nothing, but actions() yields {actions}", remedy)
    if "noisy" in defined and ("is_quiet" not in defined or asker.call("is_quiet", state)):
        _subset(asker, "noisy", state, actions)
    if "priority" in defined:
        _check_priorities(asker, state, actions)
    if "null_move" in defined:
        _check_null_move(asker, state, mover)
    if "bounds" in defined:
        bounds_of(asker, state)
    if "finish" in defined and "is_late" in defined and asker.call("is_late", state):
        _check_finish(asker, state)
    _check_selectivity(asker, state, actions, defined)
    if asker.knowledge.has_structure:
        _check_structure(asker, state, mover)
    if asker.knowledge.has_memory:
        _check_memory(asker, state, mover, actions)
    if asker.knowledge.has_siblings:
        _check_siblings(asker, state, mover, actions)
    if "prior" in defined:
        _check_priors(asker, state, actions)
    if "playout" in defined or "playout_moves" in defined:
        _check_playout(asker, state)
    for rule in ("key", "repetition_key"):
        own = rule in defined if rule == "key" else asker.game.overrides("repetition_key")
        if own and not _whole(key := asker.call(rule, state)):
            raise BrokenPromise(f"{rule}() is {key!r}", "it must be a whole number, of which 64 bits count")


def _check_finish(asker: Asker, state: Any) -> None:
    """The knowledge's own solver brings a whole number of steps, or stops when its nodes are spent."""
    info = np.zeros(64, np.int64)
    info[NODE_LIMIT] = FINISH_NODES
    value = asker.call("finish", state, -MOST_STEPS, MOST_STEPS, SimpleNamespace(info=info, stop=stop_word()))
    if not _whole(value):
        raise BrokenPromise(f"finish() is {value!r}", "it must be the mover's value in whole steps")


def _check_selectivity(asker: Asker, state: Any, actions: list[int], defined: list[str]) -> None:
    """The hooks of a selective search: slots below 512, rows, margins and gains of at least 0."""
    if "slot" in defined:
        for action in actions:
            if not _whole(slot := asker.call("slot", state, action)) or not 0 <= slot < MOST_SLOTS:
                raise BrokenPromise(f"slot() is {slot!r} for action {action}", f"it must be below {MOST_SLOTS}, from 0")
    if "probcut_row" in defined and (not _whole(row := asker.call("probcut_row", state)) or row < 0):
        raise BrokenPromise(f"probcut_row() is {row!r}", "it must be a whole number from 0: a row of `probcut`")
    if "margin" in defined:
        margins = [asker.call("margin", depth) for depth in range(1, 10)]
        numbers = [0.0, *map(float, margins)] if all(map(_number, margins)) else [math.nan]
        if not all(map(math.isfinite, numbers)) or any(one > other for one, other in pairwise(numbers)):
            raise BrokenPromise(f"margin() is {margins} for 1 to 9 plies", "it must not fall with the depth, from 0 on")


def _check_structure(asker: Asker, state: Any, mover: int) -> None:
    """The part of an evaluation that is kept: a word of 64 bits, with which the evaluation is the same as without."""
    for hook in ("structure_key", "structure"):
        word = asker.call(hook, state)
        if not _whole(word) or not -(1 << 63) <= int(word) < 1 << (64 if hook == "structure_key" else 63):
            raise BrokenPromise(f"{hook}() is {word!r}", "it must be a whole number of 64 bits")
    with_it = asker.call("evaluate_with", state, mover, asker.call("structure", state))
    without = asker.call("evaluate", state, mover)
    if not _number(with_it) or abs(float(with_it) - float(without)) > TOLERANCE:
        raise BrokenPromise(
            f"evaluate_with() is {with_it!r} where evaluate() is {without!r}",
            "given the state's own structure it must be the same",
        )


def _check_memory(asker: Asker, state: Any, mover: int, actions: list[int]) -> None:
    """Whatever was evaluated before, an evaluation is what it is alone: the state, successors, the state again."""
    memory = np.zeros(SCRATCH, np.int64)
    successors = [asker.call("result", state, action) for action in actions[:SIBLINGS]]
    later = [child for child in successors if not asker.call("is_terminal", child)]
    for other in (state, *later, state):
        structure = asker.call("structure", other) if asker.knowledge.has_structure else 0
        with_it = asker.call("evaluate_from", other, mover, structure, memory)
        without = asker.call("evaluate", other, mover)
        if not _number(with_it) or float(with_it) != float(without):
            raise BrokenPromise(
                f"evaluate_from() is {with_it!r} where evaluate() is {without!r}",
                "whatever its memory is about it must be the same",
            )


def _check_siblings(asker: Asker, state: Any, mover: int, actions: list[int]) -> None:
    """Successors that are judged side by side have the values that they have alone, but for single precision."""
    kept = scratch(), float_scratch(), float_scratch()
    kept[0][0] = 0
    for action in actions[:SIBLINGS]:
        child = asker.call("result", state, action)
        if asker.call("is_terminal", child):
            continue
        beside, alone = asker.call("evaluate_beside", child, mover, *kept), asker.call("evaluate", child, mover)
        if not _number(beside) or abs(float(beside) - float(alone)) > SINGLE * max(1.0, abs(float(alone))):
            raise BrokenPromise(
                f"evaluate_beside() is {beside!r} where evaluate() is {alone!r}, after action {action}",
                "whatever was judged before it must be the same",
            )


def _check_priors(asker: Asker, state: Any, actions: list[int]) -> None:
    for action in actions:
        if not _number(prior := asker.call("prior", state, action)) or not 0 <= float(prior) < math.inf:
            raise BrokenPromise(f"prior() is {prior!r} for action {action}", "it must be a number of at least 0")


def room_for_moves() -> NDArray[np.int64]:
    """What `playout_moves` writes into; behind its room lies some that shows where it was not kept to."""
    return np.full(8 * MOST_MOVES, -1, np.int64)


def _check_playout(asker: Asker, state: Any) -> None:
    """A playout ends the game, tells its moves as they were, and knows whose each place is then."""
    game, knowledge = asker.game, asker.knowledge
    final = asker.settled("playout", asker.call("playout", state, seeded(1)))
    if not asker.call("is_terminal", final):
        raise BrokenPromise(f"playout() returns {final!r}, which is not the end of a game", "it must play to the end")
    for place in range(knowledge.places):
        owner = asker.call("owner", final, place)
        if not _whole(owner) or not -1 <= owner < game.players:
            raise BrokenPromise(f"owner() is {owner!r} for place {place}", "it must be a player, or -1 for nobody")
    if "playout_moves" not in knowledge.hooks:
        return
    moves = room_for_moves()
    same = asker.settled("playout_moves", asker.call("playout_moves", state, seeded(1), moves))
    if same != final:
        raise BrokenPromise("playout_moves() ends elsewhere than playout()", "with equal numbers they must play alike")
    if moves[BEYOND] != -1:
        raise BrokenPromise(f"playout_moves() writes more than {MOST_MOVES:,} moves", "those beyond are left out")
    for index in range(0, 2 * MOST_MOVES, 2):
        player, action = int(moves[index]), int(moves[index + 1])
        if player < 0 or asker.call("is_terminal", state):
            break
        mover = asker.call("to_move", state)
        if player != mover or action not in asker.call("actions", state):
            raise BrokenPromise(
                f"playout_moves() tells that player {player} made action {action} as move {index // 2 + 1}",
                f"player {mover} was to move, and the actions were others",
            )
        state = asker.settled("result", asker.call("result", state, action))


def bounds_of(asker: Asker, state: Any) -> tuple[float, float]:
    """What bounds() says of a state; raises BrokenPromise where that is no interval."""
    found = asker.call("bounds", state)
    if not isinstance(found, (tuple, list)) or len(found) != 2 or not all(map(_number, found)):
        raise BrokenPromise(f"bounds() is {found!r}", "it must be two numbers, least first")
    least, most = map(float, found)
    if not least <= most:
        raise BrokenPromise(f"bounds() is {least:g} to {most:g}", "the least must not be above the most")
    return least, most


def _subset(asker: Asker, hook: str, state: Any, actions: list[int]) -> list[int]:
    found = asker.call(hook, state)
    for action in found:
        if not _whole(action) or action not in actions:
            what = f"{hook}() yields {action!r}, which is not among the actions {actions}"
            raise BrokenPromise(what, "yield legal actions only")
    if len(set(found)) < len(found):
        raise BrokenPromise(f"{hook}() yields an action twice: {found}", "yield each one once")
    return [int(action) for action in found]


def _check_priorities(asker: Asker, state: Any, actions: list[int]) -> None:
    for action in actions:
        value = asker.call("priority", state, action, 1)
        if not _whole(value) or abs(int(value)) > MOST_PRIORITY:
            remedy = "it must be a whole number within plus or minus 2^20"
            raise BrokenPromise(f"priority() is {value!r} for action {action}", remedy)


def _check_null_move(asker: Asker, state: Any, mover: int) -> None:
    game, other = asker.game, asker.settled("null_move", asker.call("null_move", state))
    if other == state:
        return
    turn = asker.call("to_move", other)
    if not _whole(turn) or not 0 <= turn < game.players or game.team_of[turn] == game.team_of[mover]:
        whose = "the same side" if turn == mover else f"player {turn!r}"
        remedy = "it must give the move to the other side, or return the state itself where passing is not tried"
        raise BrokenPromise(f"null_move() gives {other!r}, in which {whose} is to move", remedy)


def _whole(value: Any) -> bool:
    return hasattr(value, "__index__") and not isinstance(value, (bool, np.bool_))


def _number(value: Any) -> bool:
    return isinstance(value, (int, float, np.integer, np.floating)) and not isinstance(value, bool)
