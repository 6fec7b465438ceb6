"""The most visited part of a Monte Carlo tree, for `draw.tree`."""

from __future__ import annotations

import heapq
from typing import Any

from ...draw.picture import Picture
from ...draw.tree import CHANCE as CIRCLE
from ...draw.tree import LEAF, MAX, MIN, TreeNode, tree_picture, value_text
from ...game import CHANCE, Game
from .root_statistics import Vote
from .tree_pool import Pool


def picture_of_pool(game: Game, state: Any, pool: Pool, nodes: int) -> Picture:
    """The most visited nodes of the tree; values are the first player's, or every player's."""
    shown = _most_visited(pool, nodes)
    root = _node(game, state, pool, 0, shown, "")
    root.marks.add("best")
    node, drawing = 0, root
    while (best := Vote([pool], node).best()) is not None and (child := pool.children(node)[best]) in shown:
        node, drawing = child, next(below for below in drawing.children if below.key == f"n{child}")
        drawing.marks.add("best")
    visits = pool.visits(0)
    return tree_picture(root, label=f"{game.name}: the tree after {visits} simulations")


def _most_visited(pool: Pool, nodes: int) -> set[int]:
    """The root and the most visited nodes, each with its parent."""
    shown: set[int] = set()
    waiting = [(-pool.visits(0), 0)]
    while waiting and len(shown) < nodes:
        _, node = heapq.heappop(waiting)
        shown.add(node)
        for child in pool.children(node):
            if pool.visits(child):
                heapq.heappush(waiting, (-pool.visits(child), child))
    return shown


def _node(game: Game, state: Any, pool: Pool, node: int, shown: set[int], move: str) -> TreeNode:
    over = bool(game.is_terminal(state))
    mover = CHANCE if over else int(game.to_move(state))
    notes = [f"{pool.visits(node)} visit{'s' * (pool.visits(node) != 1)}"]
    if pool.proved(node) and not over:
        notes.append("proved")
    if pool.width > 1 and mover != CHANCE:
        notes.append(game.player_name(mover))
    shape = LEAF if over else CIRCLE if mover == CHANCE else MAX if pool.work.sign[mover] > 0 else MIN
    value = _values(pool, node) if pool.visits(node) else ""
    drawing = TreeNode(f"n{node}", shape, value, notes, move, {"done"}, hint=f"{value}, {notes[0]}")
    children = pool.children(node)
    for child in children:
        if child in shown:
            action = int(pool.work.action[child])
            words = game.format_action(state, action)
            if mover == CHANCE and len(pool.work.probability) > 1:
                words += f" ({pool.work.probability[child]:.3g})"
            after = game.state_after(state, action)
            drawing.children.append(_node(game, after, pool, child, shown, words))
    hidden = len(children) - len(drawing.children)
    if hidden and drawing.children:
        drawing.notes.append(f"{hidden} more")  # beside the node: under it are its edges
    elif hidden:
        drawing.more = f"{hidden} move{'s' * (hidden != 1)}"
    return drawing


def _values(pool: Pool, node: int) -> str:
    texts = [value_text(float(f"{value:.3g}") + 0.0) for value in pool.values(node)]
    return texts[0] if len(texts) == 1 else f"({', '.join(texts)})"
