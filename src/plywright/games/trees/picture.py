"""A game's tree for drawing: from a state downwards, as much as there is room for."""

from __future__ import annotations

from collections.abc import Collection, Mapping
from typing import Any

from ...draw import Picture
from ...draw.tree import CHANCE, LEAF, MAX, MIN, TreeNode, outcome_text, player_shape, tree_picture, vector_text
from ...game import Game

MOST_NODES = 200
"""A picture shows this many nodes at most; what does not fit is drawn as a stub."""


def picture_of_tree(
    game: Game,
    state: Any,
    *,
    here: list[str] | None = None,
    values: Mapping[Any, str] | None = None,
    best: Collection[Any] = (),
    most: int = MOST_NODES,
    name: str = "",
) -> Picture:
    """The tree under `state`, `most` nodes of it; `here` is the path of moves to the node that is to be marked.
    `name` is what the state itself is called.

    `values` are texts to set beside nodes, by state, and `best` the states on the line to be marked.
    """
    root = TreeNode("n0", move=name)
    waiting = [(root, state, tuple(here) if here is not None else None)]
    drawn = 1
    for node, place, way in waiting:  # level by level, growing while it is read
        node.marks = {"done"} | ({"current"} if way == () else set()) | ({"best"} if place in best else set())
        node.shape, node.value = LEAF, (values or {}).get(place, "")
        if game.is_terminal(place):
            node.value = node.value or vector_text(utilities(game, place))
            continue
        by_chance = game.at_chance(place)
        node.shape = CHANCE if by_chance else _shape(game, place)
        if not by_chance and game.players > 2:
            node.notes = [game.player_name(int(game.to_move(place)))]
        ways = [(a, p) for a, p in game.chance(place)] if by_chance else [(a, None) for a in game.actions(place)]
        if drawn + len(ways) > most:
            node.more = f"{len(ways)} {'outcomes' if by_chance else 'moves'}"
            continue
        for action, likely in ways:
            move = game.format_action(place, int(action))
            child = TreeNode(f"n{drawn}", move=move if likely is None else outcome_text(move, float(likely)))
            node.children.append(child)
            rest = way[1:] if way and way[0] == move else None
            waiting.append((child, game.result(place, int(action)), rest))
            drawn += 1
    return tree_picture(root, label=getattr(game, "title", "") or f"the tree of {game.name}")


def _shape(game: Game, state: Any) -> str:
    """A triangle up for the first side and one down for the second, or a shape for each player that is for itself."""
    if game.opposed or game.players == 1:
        return MAX if game.players == 1 or _is_first(game, state) else MIN
    return player_shape(int(game.to_move(state)))


def utilities(game: Game, state: Any) -> tuple[float, ...]:
    """What to write at a leaf: MAX's utility where there are two sides or one player, else everybody's."""
    players = range(1) if game.opposed or game.players == 1 else range(game.players)
    return tuple(float(game.utility(state, player)) for player in players)


def _is_first(game: Game, state: Any) -> bool:
    return bool(game.team(game.to_move(state)) == game.team(0))
