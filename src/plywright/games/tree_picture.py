"""A game's tree as something to draw: from a state downwards, as far as there is room."""

from __future__ import annotations

from typing import Any

from ..draw import Picture
from ..draw.tree import LEAF, MAX, MIN, TreeNode, tree_picture, value_text
from ..game import Game

MOST_NODES = 200
"""A picture shows this many nodes at most; what does not fit is drawn as a stub."""


def picture_of_tree(game: Game, state: Any, *, here: list[str] | None = None) -> Picture:
    """The tree under `state`; `here` is the path of moves to the node that is to be marked."""
    root = TreeNode("n0")
    waiting = [(root, state, tuple(here) if here is not None else None)]
    drawn = 1
    for node, place, way in waiting:  # level by level, growing while it is read
        if way == ():
            node.marks = {"current"}
        if game.is_terminal(place):
            node.shape, node.value = LEAF, value_text(float(game.utility(place, 0)))
            continue
        node.shape = MAX if game.team(game.to_move(place)) == game.team(0) else MIN
        actions = [int(action) for action in game.actions(place)]
        if drawn + len(actions) > MOST_NODES:
            node.more = f"{len(actions)} moves"
            continue
        for action in actions:
            move = game.format_action(place, action)
            child = TreeNode(f"n{drawn}", move=move)
            node.children.append(child)
            rest = way[1:] if way and way[0] == move else None
            waiting.append((child, game.result(place, action), rest))
            drawn += 1
    return tree_picture(root, label=getattr(game, "title", "") or f"the tree of {game.name}")
