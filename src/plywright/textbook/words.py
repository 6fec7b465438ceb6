"""Steps of a search in words."""

from __future__ import annotations

from typing import TYPE_CHECKING

from ..draw.tree import value_text
from .trace import LEAF, MAX, Cut, View

if TYPE_CHECKING:
    from .recorder import Recorder


def joined(names: list[str]) -> str:
    """a, b and c"""
    return names[0] if len(names) == 1 else f"{', '.join(names[:-1])} and {names[-1]}"


class Words:
    """One sentence for each kind of step, from what the recorder knows at that moment."""

    def __init__(self, record: Recorder) -> None:
        self.record = record

    def at(self, node: int) -> str:
        """'at the root', 'after a1 b2'"""
        return "at the root" if node <= 0 else f"after {self.record.tree[node].path}"

    def side(self, node: int) -> str:
        return self.record.tree[node].side.upper()

    def worth(self, node: int) -> str:
        """'3', 'at most 2': the value that the node returned, called a bound where it is one."""
        view = self.record.views[node]
        return value_text(view.value) if view.bound == "exact" else f"{view.bound} {value_text(view.value)}"

    def begin(self, depth: int) -> str:
        return f"Look {depth} {'ply' if depth == 1 else 'plies'} ahead."

    def stop(self, depth: int) -> str:
        return f"The nodes are used up in the middle of depth {depth}: the answer of depth {depth - 1} stands."

    def enter(self, node: int) -> str:
        window = self.record.views[node].window
        bounds = f", with α = {value_text(window[0])} and β = {value_text(window[1])}" if window else ""
        if node == 0:
            return f"{self.side(node)} is to move at the root{bounds}."
        return f"Try {self.record.tree[node].path}: {self.side(node)} is to move{bounds}."

    def leaf(self, node: int) -> str:
        value = value_text(self.record.views[node].value)
        if node == 0:
            return f"The game is over: its utility for MAX is {value}."
        return f"{self.record.tree[node].path} ends the game: its utility for MAX is {value}."

    def estimate(self, node: int) -> str:
        value = value_text(self.record.views[node].value)
        where = "The root" if node == 0 else self.record.tree[node].path
        return f"{where} is as deep as the search goes: the evaluation for MAX is {value}."

    def back_up(self, node: int, child: int, before: View) -> str:
        """After a child: what it is worth, and what that changes here."""
        view = self.record.views[node]
        worth = f"{self.record.tree[child].move} is worth {self.worth(child)}"
        side = self.side(node)
        if view.best is None:
            return f"{worth}, no better for {side} than {value_text(view.value)}, which is to be had elsewhere."
        if view.best != child:
            return f"{worth}; {side} keeps {value_text(view.value)}."
        text = f"{worth}, the best for {side} so far"
        if view.window and view.window != before.window:
            at_max = self.record.tree[node].side == MAX
            text += f"; α rises to {value_text(view.window[0])}" if at_max else ""
            text += "" if at_max else f"; β falls to {value_text(view.window[1])}"
        return text + "."

    def nothing_left(self, node: int) -> str:
        where = "the root" if node == 0 else self.record.tree[node].path
        return f"The bound is reached, but {where} has no move left to prune: it is worth {self.worth(node)}."

    def cut(self, cut: Cut) -> str:
        depth = "deep " if cut.deep else ""
        moves = joined([self.record.tree[node].move for node in cut.pruned])
        needs = "needs" if len(cut.pruned) == 1 else "need"
        title = f"{depth}{cut.kind} cutoff {self.at(cut.node)}"
        return f"{title[0].upper()}{title[1:]}: {cut.reason}, so {moves} {needs} no look."

    def leave(self, node: int) -> str:
        where = "The root" if node == 0 else self.record.tree[node].path
        return f"{where} has no more moves: it is worth {self.worth(node)}."

    def end(self, value: float, move: int | None) -> str:
        root = self.record.tree[0]
        if move is None or root.side == LEAF:
            return f"There is nothing to choose: the value is {value_text(value)}."
        name = self.record.game.format_action(root.state, move)
        if root.side == MAX:
            return f"MAX plays {name}, which is worth {value_text(value)}."
        return f"MIN plays {name} and holds MAX to {value_text(value)}."
