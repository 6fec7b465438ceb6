"""Why not this move? The refutation of an alternative: its line, its value, and where it goes wrong."""

from __future__ import annotations

import math
from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from functools import partial
from typing import Any

from ...draw import Picture
from ...draw.tree import LEAF, MAX, MIN, TreeNode, tree_picture, value_text
from ...errors import BadInput
from ...game import Game
from ...knowledge import Knowledge, knowledge_of
from ...outcome_text import difference_text, is_end, percent_text, seen_text, worth_text
from ...repetition import Past
from ...result import SearchResult
from ..api import search
from ..limits import Limit
from ..registry import ALGORITHMS, history_option


@dataclass(frozen=True)
class Explanation:
    """An alternative beside the best move, both searched to the same depth; values are the mover's."""

    action: int
    value: float
    line: tuple[int, ...]
    best: SearchResult
    turn: int | None
    """How many plies of the line it takes until the evaluation shows the loss; None where it never does."""
    words: str
    picture: Picture


def explain(
    game: Game,
    state: Any,
    action: int,
    *,
    best: SearchResult | None = None,
    limit: Limit | None = None,
    history: Sequence[Any] = (),
    **engine: Any,
) -> Explanation:
    """Compare `action` with the best move, which is searched within `limit` unless `best` is given.

    The alternative gets the same limit, the same algorithm and no more depth: what it is worth can then be
    compared. Without a limit, `best` is taken to be the answer of a search to a given depth.
    """
    state = game.vouched(state)
    past = Past(game, history)
    if action not in past.actions(state):
        raise BadInput(f"{action!r} is no action in this position of {game.name}")
    if best is None:
        limit = limit or Limit(time=1.0)
        best = search(game, state, limit=limit, **engine, **history_option(game, history, engine.get("algorithm")))
    mover = int(game.to_move(state))
    child = game.state_after(state, action)
    past.add(state)
    worth, distance = "worth", None
    line: tuple[int, ...]
    if action == best.action:
        value, line, worth, distance = best.value, best.line, _worth(best, 0), best.distance
    elif past.is_over(child):
        value, line, distance = past.utility(child, mover), (action,), 1
    elif best.depth <= 1 and not best.proved:
        value, line, worth = (
            float(knowledge_of(game, engine.get("knowledge")).evaluate(child, mover)),
            (action,),
            _worth(best, 0),
        )
    else:
        reply = _reply(game, child, best, limit, [*history, state], engine)
        value, line, worth = reply.values[mover], (action, *reply.line), _worth(reply, 1)
        distance = None if reply.distance is None else reply.distance + 1
    turn = (
        _turning_point(knowledge_of(game, engine.get("knowledge")), state, line, mover, (best.value + value) / 2)
        if value < best.value
        else None
    )
    words = _words(game, state, line, value, distance, worth, best, turn)
    shown = partial(_shown, knowledge_of(game, engine.get("knowledge")), state, best.averaged)
    return Explanation(action, value, line, best, turn, words, _tree(game, state, line, value, best, shown))


def _reply(
    game: Game, child: Any, best: SearchResult, limit: Limit | None, history: Sequence[Any], engine: dict[str, Any]
) -> SearchResult:
    """The state after the alternative, searched as the best move was."""
    options = {"algorithm": best.algorithm if best.algorithm in ALGORITHMS else None, **engine}
    if best.algorithm == "mcts":
        within = limit or Limit(nodes=best.nodes)
    else:
        within = replace(limit or Limit(), depth=max(best.depth - 1, 1))
    return search(game, child, limit=within, **options, **history_option(game, history, options["algorithm"]))


def _worth(found: SearchResult, above: int) -> str:
    """How sure a value is, in words; `above` is how many plies below the position the search began."""
    if found.proved:
        return "worth, by the table," if found.source == "table" else "worth"
    if found.algorithm == "mcts":
        return f"worth, as far as {found.nodes:,} simulations show,"
    return f"worth, as far as depth {found.depth + above} shows,"


def _turning_point(knowledge: Knowledge, state: Any, line: tuple[int, ...], mover: int, middle: float) -> int | None:
    """After how many plies the evaluation, or the end, is nearer to the alternative's value, and stays there."""
    game, below = knowledge.game, []
    for action in line:
        state = game.state_after(state, action)
        judge = game.utility if game.is_terminal(state) else knowledge.evaluate
        below.append(float(judge(state, mover)) <= middle)
    steady = len(below)
    while steady and below[steady - 1]:
        steady -= 1
    return steady + 1 if steady < len(below) else None


def _words(
    game: Game,
    state: Any,
    line: tuple[int, ...],
    value: float,
    distance: int | None,
    worth: str,
    best: SearchResult,
    turn: int | None,
) -> str:
    moves = _texts(game, state, line)
    assert best.action is not None
    top, averaged = game.format_action(state, best.action), best.averaged
    own, top_worth = worth_text(game, value, averaged), worth_text(game, best.value, averaged)
    if value == best.value and line[0] != best.action:
        return f"{moves[0]} is as good as {top}: both are {worth} {own}."
    if end := _end(game, value, distance):
        own += f" ({end})"
    if line[0] == best.action:
        return f"{moves[0]} is the best move: it is {worth} {own}."
    if value > best.value:  # the search of the best move had relied on an estimate
        return f"{moves[0]}, searched by itself, is no worse than {top}: it is {worth} {own}, {top} {top_worth}."
    if end := _end(game, best.value, best.distance):
        top_worth += f", {end}"
    less = _difference(game, best.value, value, averaged)
    parts = [f"{moves[0]} is {worth} {own}, {less}less than {top} ({top_worth})."]
    if len(moves) > 1:
        parts.append(f"The answer is {moves[1]}; the line goes {game.join_moves(moves)}.")
    if turn is not None and turn > 1:
        parts.append(f"The loss shows after ply {turn}, {moves[turn - 1]}.")
    return " ".join(parts)


def _end(game: Game, value: float, distance: int | None) -> str:
    """How soon a win or loss comes; nothing for other values."""
    return seen_text(game, value, distance) if distance and is_end(game, value) else ""


def _difference(game: Game, better: float, worse: float, averaged: bool) -> str:
    """By how much: in the unit of the evaluation, unless one of both is the end of a game and no number of them."""
    if averaged or game.evaluation_unit is None or not game.evaluation_digits:
        return f"{worth_text(game, better - worse, averaged).removeprefix('+')} "
    number = difference_text(game, better, worse)
    return number and f"{number} {game.evaluation_unit[1]} "


def _texts(game: Game, state: Any, line: tuple[int, ...]) -> list[str]:
    moves = []
    for action in line:
        moves.append(game.format_action(state, action))
        state = game.state_after(state, action)
    return moves


def _tree(
    game: Game,
    state: Any,
    line: tuple[int, ...],
    value: float,
    best: SearchResult,
    shown: Callable[[float], str],
    plies: int = 5,
) -> Picture:
    """Both lines side by side, a few plies each; `shown` writes a value."""
    root = TreeNode("root", _shape(game, state, state), shown(best.value))
    branches = [(best.line, best.value, {"best"})]
    if line[0] != best.action:
        branches.append((line, value, set()))
    for number, (moves, worth, marks) in enumerate(branches):
        parent, place = root, state
        for ply, action in enumerate(moves[:plies]):
            move = game.format_action(place, action)
            place = game.state_after(place, action)
            node = TreeNode(f"n{number}-{ply}", _shape(game, state, place), move=move, marks=set(marks))
            node.value = shown(worth) if ply in (0, min(plies, len(moves)) - 1) else ""
            parent.children.append(node)
            parent = node
        if len(moves) > plies:
            parent.more = f"{len(moves) - plies} more {'ply' if len(moves) - plies == 1 else 'plies'}"
    return tree_picture(root, label="the best line and the alternative")


def _shown(knowledge: Knowledge, state: Any, averaged: bool, value: float) -> str:
    """A value beside a node: in the unit of the evaluation, which a win is no number of; else as a winning chance.

    Values of whole games and of games that are played for points stay numbers, of two decimals at most.
    """
    game = knowledge.game
    low, high = game.utility_range
    if math.isinf(value):
        return value_text(value)
    if game.evaluation_unit is not None and game.evaluation_digits and not averaged:
        if not low < value < high:
            return "win" if value > 0 else "loss"
        return f"{value / game.evaluation_unit[0]:z.{game.evaluation_digits}f}"
    if max(-low, high) <= 1 and value != round(value) and game.opposed:
        of_wins = averaged or game.has_chance or game.hidden or not knowledge.evaluates
        return percent_text((value + 1) / 2 if of_wins else knowledge.chance(value, state))
    return value_text(round(value, 2))


def _shape(game: Game, root: Any, state: Any) -> str:
    """The mover at the root is MAX here."""
    if game.is_terminal(state):
        return LEAF
    return MAX if game.team(game.to_move(state)) == game.team(game.to_move(root)) else MIN
