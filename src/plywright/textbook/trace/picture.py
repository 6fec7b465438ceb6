"""A moment of a search as a picture of its tree, and the whole search as lines of words."""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from typing import Any, NamedTuple

from ...draw import Picture
from ...draw.tree import TreeNode, outcome_text, player_shape, tree_picture, value_text, vector_text
from .trace import (
    CUT,
    DONE,
    ESTIMATED,
    LEAF,
    MAX,
    MCTS,
    OPEN,
    PROBED,
    PRUNED,
    UNSEEN,
    Frame,
    Trace,
    TraceNode,
    View,
    Window,
)

MOST_DRAWN = 500
"""Nodes in a picture; what does not fit is drawn as a stub of its parent."""

_SIGNS = {"exact": "", "at least": "≥", "at most": "≤", "": ""}
_ESTIMATE = "≈"


class Shown(NamedTuple):
    """What a picture says about one node."""

    marks: tuple[str, ...]
    value: str
    notes: tuple[str, ...]  # who moves, window, interval, what cut it
    hint: str


NO_BOARDS: Mapping[int, str] = {}


def frame_picture(trace: Trace, frame: Frame, most: int = MOST_DRAWN, boards: Mapping[int, str] = NO_BOARDS) -> Picture:
    """The tree at one moment, as SVG and as text; `boards` are positions as SVG, by node."""
    root, drawn = outline(trace, most, boards=boards)
    last = frame.number == len(trace)
    best = {0, *(node.number for node in trace.line)} if last else set()
    for number, node in drawn.items():
        shown = show(trace, frame.views, number, number in best)
        node.marks, node.value, node.hint = set(shown.marks), shown.value, shown.hint
        node.notes = [note for note in shown.notes if note]
    if frame.step is not None and not last:
        drawn[drawn_ancestor(trace, drawn, frame.step.node)].marks.add("current")
    return tree_picture(root, label=f"{trace.title} on {trace.game}, step {frame.number} of {len(trace)}")


def outline(
    trace: Trace, most: int = MOST_DRAWN, *, key: str = "n", boards: Mapping[int, str] = NO_BOARDS
) -> tuple[TreeNode, dict[int, TreeNode]]:
    """The bare tree as far as there is room for nodes, and its nodes by number; ids in the drawing begin with `key`."""
    root = TreeNode(f"{key}0", shape_of(trace, trace.nodes[0]), board=boards.get(0, ""))
    drawn = {0: root}
    for number in range(len(trace.nodes)):
        if number not in drawn:
            continue
        node, shape = trace.nodes[number], drawn[number]
        shape.more = node.more
        if len(drawn) + len(node.children) > most:
            shape.more = f"{_below(trace, number)} nodes"
            continue
        for child in node.children:
            below = trace.nodes[child]
            drawn[child] = TreeNode(f"{key}{child}", shape_of(trace, below), move=edge_text(below))
            drawn[child].board = boards.get(child, "")
            shape.children.append(drawn[child])
    return root, drawn


def shape_of(trace: Trace, node: TraceNode) -> str:
    """A side's shape or, where each player is for itself, that of the player."""
    if node.side != MAX or not trace.each_for_itself or node.player not in trace.players:
        return node.side
    return player_shape(trace.players.index(node.player))


def edge_text(node: TraceNode) -> str:
    """What stands at the edge to a node: the move, or the outcome with its probability."""
    return node.move if node.chance is None else outcome_text(node.move, node.chance)


def _below(trace: Trace, top: int) -> int:
    waiting = list(trace.nodes[top].children)
    for number in waiting:
        waiting.extend(trace.nodes[number].children)
    return len(waiting)


def drawn_ancestor(trace: Trace, drawn: dict[int, TreeNode], node: int) -> int:
    """The node itself if it is drawn, else the nearest one above that is."""
    while node not in drawn:
        node = trace.nodes[node].parent
    return node


def show(trace: Trace, views: tuple[View, ...] | list[View], number: int, best: bool) -> Shown:
    """What to say about a node, given what is known."""
    node, view = trace.nodes[number], views[number]
    statuses = {OPEN: "open", PROBED: "open", DONE: "done", ESTIMATED: "done", CUT: "cut"}
    marks = [statuses.get(view.status, view.status)]
    if best:
        marks.append("best")
    if view.status == PRUNED and (node.parent < 0 or views[node.parent].status != PRUNED):
        marks.append("severed")
    if node.side == LEAF:
        worth = vector_text(node.values) if node.values else value_text(node.value)
        return Shown(tuple(marks), worth, (), _hint(trace, number, view))
    sign = _ESTIMATE if view.status == ESTIMATED else _SIGNS[view.bound]
    if view.values:
        value = _vector(trace, node, _rounded(view.values), sign)
    else:
        value = value_text(_rounded([view.value])[0])
        value = sign + value if value else ""
    known = view.status not in (UNSEEN, PRUNED, ESTIMATED)
    tie = "tie" if view.ties else ""
    facts: tuple[str, ...] = ("", "", "")
    if trace.algorithm == MCTS:
        facts = (view.cutoff,)
    elif known and trace.each_for_itself:
        facts = (share_text(view.window), tie, view.cutoff)
    elif known:
        facts = (window_text(view.window), interval_text(view.interval), view.cutoff)
    return Shown(tuple(marks), value, (*([node.player] if node.player else []), *facts), _hint(trace, number, view))


def _vector(trace: Trace, node: TraceNode, values: Sequence[float], sign: str) -> str:
    """The values by player.

    Where each is for itself, what an unfinished node has is a lower bound for the player to move alone: the others get
    what comes with its choice.
    """
    if not trace.each_for_itself or trace.algorithm == MCTS or sign in ("", _ESTIMATE):
        return sign + vector_text(values)
    mover = trace.players.index(node.player) if node.player in trace.players else -1
    return f"({', '.join(('≥' if player == mover else '') + value_text(v) for player, v in enumerate(values))})"


def _rounded(values: Sequence[float | None]) -> list[Any]:
    """Averages without the dust of their rounding."""
    return [value if value is None else round(value, 9) for value in values]


def window_text(window: Window | None) -> str:
    return "" if window is None else f"α={_short(window[0])} β={_short(window[1])}"


def share_text(window: Window | None) -> str:
    """What the player to move may have at most before the player above loses interest."""
    return "" if window is None else f"at most {_short(window[1])}"


def _short(value: float) -> str:
    """Bounds beside a chance node have many digits: four do, or as many as stand before the point."""
    if not math.isfinite(value):
        return value_text(value)
    return value_text(float(f"{value:.4g}") if abs(value) < 1000 else float(round(value)))


def interval_text(interval: Window) -> str:
    return f"[{_short(interval[0])}, {_short(interval[1])}]"


def _hint(trace: Trace, number: int, view: View) -> str:
    words = [f"{trace.nodes[number].path}: {'never looked at' if view.status == PRUNED else view.status}"]
    if view.entry is not None:
        entered = share_text(view.entry) if trace.each_for_itself else window_text(view.entry)
        words.append(f"entered with {entered}")
    if view.reason:
        words.append(view.reason)
    return "; ".join(words)


def narration(trace: Trace) -> str:
    """One line per step: its number, the line of pseudocode, and what happens, indented by depth."""
    plies = [0] * len(trace.nodes)
    for node in trace.nodes[1:]:
        plies[node.number] = plies[node.parent] + 1
    width = len(str(len(trace)))
    rows = [f"{trace.title} on {trace.game}{players_text(trace)}"]
    for number, step in enumerate(trace.steps, 1):
        lines = ",".join(str(line + 1) for line in step.lines)
        rows.append(f"{number:>{width}}  line {lines:<5}  {'  ' * min(plies[step.node], 30)}{step.words}")
    rows.append(counts_text(trace))
    return "\n".join(rows)


def players_text(trace: Trace) -> str:
    """Who is who, where the players have names of their own."""
    if trace.each_for_itself:
        alone = len(trace.players) < 3 and trace.algorithm == MCTS  # it counts for each player, opposed or not
        return f": {', '.join(trace.players)}{'' if alone else ', each for itself'}"
    if len(trace.players) == 1 or trace.players == ("MAX", "MIN"):
        return ""
    return f": {trace.players[0]} is MAX, {trace.players[1]} {'are' if ' and ' in trace.players[1] else 'is'} MIN"


def counts_text(trace: Trace) -> str:
    last = trace.steps[-1]
    pruned = len(trace.pruned)
    return (
        f"{_some(last.nodes, 'node')}, {_some(last.leaves, 'leaf', 'leaves')} examined, "
        f"{_some(last.cuts, 'cutoff')}, {_some(pruned, 'listed node')} never looked at"
    )


def _some(count: int, one: str, many: str = "") -> str:
    return f"{count:,} {one if count == 1 else many or one + 's'}"
