"""Steps of a search in words."""

from __future__ import annotations

from typing import TYPE_CHECKING

from ...draw.tree import chance_text, value_text, vector_text
from .note import Value
from .trace import CHANCE, LEAF, MAX, PROBED, Cut, View

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
        """'MAX', 'MIN (Ben)', 'chance'; where each player is for itself, just 'Ben'."""
        place = self.record.tree[node]
        if place.side == CHANCE:
            return "chance"
        if self.record.selfish:
            return place.player
        return f"{place.side.upper()} ({place.player})" if place.player else place.side.upper()

    def value(self, node: int) -> str:
        """The value so far, by player where every player counts."""
        view = self.record.views[node]
        return vector_text(view.values) if view.values else value_text(view.value)

    def worth(self, node: int) -> str:
        """'3', 'at most 2', '(1, 2, 6)': the value that the node returned, called a bound where it is one."""
        bound = self.record.views[node].bound
        return self.value(node) if bound == "exact" or self.record.selfish else f"{bound} {self.value(node)}"

    def begin(self, depth: int) -> str:
        return f"Look {depth} {'ply' if depth == 1 else 'plies'} ahead."

    def stop(self, depth: int) -> str:
        return f"The nodes are used up in the middle of depth {depth}: the answer of depth {depth - 1} stands."

    def enter(self, node: int) -> str:
        window = self.record.views[node].window
        bounds = f", with α = {value_text(window[0])} and β = {value_text(window[1])}" if window else ""
        if window and self.record.selfish:
            bounds = f", of interest while {self.side(node)} has at most {value_text(window[1])}"
        who = self.side(node)
        doing = f"{who[0].upper()}{who[1:]} decides" if who == "chance" else f"{who} is to move"
        if node == 0:
            return f"{doing} at the root{bounds}."
        return f"Try {self.record.tree[node].path}: {doing if who != 'chance' else 'chance decides'}{bounds}."

    def leaf(self, node: int) -> str:
        what = "the utilities are" if self.record.views[node].values else "its utility for MAX is"
        if node == 0:
            return f"The game is over: {what} {self.value(node)}."
        return f"{self.record.tree[node].path} ends the game: {what} {self.value(node)}."

    def estimate(self, node: int) -> str:
        what = "evaluations are" if self.record.views[node].values else "evaluation for MAX is"
        where = "The root" if node == 0 else self.record.tree[node].path
        return f"{where} is as deep as the search goes: the {what} {self.value(node)}."

    def back_up(self, node: int, child: int, before: View) -> str:
        """After a child: what it is worth, and what that changes here."""
        view = self.record.views[node]
        worth = f"{self.record.tree[child].move} is worth {self.worth(child)}"
        side = self.side(node)
        if view.best is None:
            return f"{worth}, no better for {side} than {value_text(view.value)}, which is to be had elsewhere."
        if view.best != child and self._tie(node, child):
            return f"{worth}, a tie for {side}, who keeps {self.value(node)}, the first."
        if view.best != child:
            return f"{worth}; {side} keeps {self.value(node)}."
        text = f"{worth}, the best for {side} so far"
        if view.window and view.window != before.window and not self.record.selfish:
            at_max = self.record.tree[node].side == MAX
            text += f"; α rises to {value_text(view.window[0])}" if at_max else ""
            text += "" if at_max else f"; β falls to {value_text(view.window[1])}"
        return text + "."

    def _tie(self, node: int, child: int) -> bool:
        """Whether a child gives the player who moves just what it has already."""
        if not self.record.selfish:
            return False
        mover = int(self.record.game.to_move(self.record.tree[node].state))
        return self.record.views[child].values[mover] == self.record.views[node].values[mover]

    def weigh(self, node: int, child: int, probability: float) -> str:
        """After an outcome: what it is worth, and the sum so far."""
        place, view = self.record.tree[child], self.record.views[node]
        odds = chance_text(probability)
        name = f"The outcome of probability {odds}" if place.move == odds else f"{place.move} (probability {odds})"
        known = ""
        if view.low > float("-inf") and view.high < float("inf") and view.low != view.high:
            known = f"; the average lies in [{value_text(view.low)}, {value_text(view.high)}]"
        return f"{name} is worth {self.worth(child)}: the sum so far is {self.value(node)}{known}."

    def probed(self, node: int) -> str:
        path, view = self.record.tree[node].path, self.record.views[node]
        if self.record.tree[node].side == CHANCE:
            return f"{path} is chance's again: a quick look tells nothing."
        bound = "at least" if self.record.tree[node].side == MAX else "at most"
        return f"A quick look at the first move after {path}: it is worth {bound} {value_text(view.value)}."

    # -- why a cut is right -----------------------------------------------------------------------------------

    def why_bound(self, node: int, found: float, at_min: bool, bound: float, owner: int) -> str:
        """A player's node reached a bound: somebody's further up, or that of all values."""
        here, there = ("MIN", "MAX") if at_min else ("MAX", "MIN")
        has = f"{here} already has {value_text(found)} here"
        if owner < 0:
            return f"{has}, and no value is {'lower' if at_min else 'higher'}"
        between = self._chance_between(node, owner)
        if between is None:
            return f"{has}; {there} has {value_text(bound)} {self.at(owner)}"
        view = self.record.views[owner].window or (bound, bound)
        theirs = value_text(view[0] if at_min else view[1])
        edge = f"with {value_text(bound)} or {'less' if at_min else 'more'}"
        relation = "cannot exceed" if at_min else "cannot fall below"
        return f"{has}; {edge} the average {self.at(between)} {relation} the {theirs} that {there} has {self.at(owner)}"

    def _chance_between(self, node: int, owner: int) -> int | None:
        """The nearest chance node between a node and an ancestor."""
        place = self.record.tree[node].parent
        while place > owner:
            if self.record.tree[place].side == CHANCE:
                return place
            place = self.record.tree[place].parent
        return None

    def why_average(self, value: float, at_most: bool, bound: float, owner: int, rest: tuple[int, ...]) -> str:
        """A chance node's average cannot come back into the window any more."""
        relation = "stays at or below" if at_most else "stays at or above"
        letter, there = ("α", "MAX") if at_most else ("β", "MIN")
        blank, views = self.record.blank, [self.record.views[node] for node in rest]
        extreme = f"the maximum, {value_text(blank.high)}" if at_most else f"the minimum, {value_text(blank.low)}"
        if any((view.high if at_most else view.low) != (blank.high if at_most else blank.low) for view in views):
            extreme = "as much as it can be" if at_most else "as little as it can be"
        whose = f", which {there} has {self.at(owner)}" if owner >= 0 else ""
        return (
            f"even if the rest is worth {extreme}, the average {relation} "
            f"{value_text(round(value, 10))}, and {letter} is {value_text(round(bound, 10))}{whose}"
        )

    def why_sum(self, node: int, mover: int) -> str:
        """Too little is left for the player above."""
        game, parent = self.record.game, self.record.tree[node].parent
        above = int(game.to_move(self.record.tree[parent].state))
        has = self.record.views[node].values[mover]
        left = (game.sum_bound or 0.0) - (game.players - 2) * game.utility_range[0] - has
        kept = self.record.views[parent].values[above]
        who, other = game.player_name(mover), game.player_name(above)
        return (
            f"{who} already has {value_text(has)} here, which leaves {other} at most {value_text(left)}, "
            f"less than the {value_text(kept)} it has {self.at(parent)}"
        )

    def brief(self, cut: Cut) -> str:
        """For the picture: 'cut by root's α'."""
        if cut.by == cut.node:
            return "cut: nothing is " + ("lower" if cut.kind == "alpha" else "higher")
        letter = {"alpha": "α", "beta": "β", "sum": "share"}[cut.kind]
        return f"cut by {self.record.tree[cut.by].path}'s {letter}"

    def nothing_left(self, node: int) -> str:
        where = "the root" if node == 0 else self.record.tree[node].path
        way = "outcome" if self.record.tree[node].side == CHANCE else "move"
        return f"The bound is reached, but {where} has no {way} left to prune: it is worth {self.worth(node)}."

    def cut(self, cut: Cut) -> str:
        depth = "deep " if cut.deep else ""
        moves = joined([self.record.tree[node].move for node in cut.pruned])
        needs = "needs" if len(cut.pruned) == 1 else "need"
        title = f"{depth}{cut.kind} cutoff {self.at(cut.node)}"
        further = "further " if any(self.record.views[node].status == PROBED for node in cut.pruned) else ""
        return f"{title[0].upper()}{title[1:]}: {cut.reason}, so {moves} {needs} no {further}look."

    def leave(self, node: int) -> str:
        where = "The root" if node == 0 else self.record.tree[node].path
        if self.record.tree[node].side == CHANCE:
            return f"{where} has no more outcomes: on average it is worth {self.worth(node)}."
        ties = self.record.views[node].ties
        tie = f", but {joined([self.record.tree[child].move for child in ties])} are a tie" if ties else ""
        return f"{where} has no more moves: it is worth {self.worth(node)}{tie}."

    def end(self, value: Value, move: int | None) -> str:
        root = self.record.tree[0]
        worth = vector_text(value) if isinstance(value, tuple) else value_text(value)
        if move is None or root.side == LEAF:
            return f"There is nothing to choose: the value is {worth}."
        name = self.record.game.format_action(root.state, move)
        if root.side == MAX:
            ties = f" {len(self.record.ties)} moves are a tie: the first was taken." if self.record.ties else ""
            return f"{self.side(0)} plays {name}, which is worth {worth}.{ties}"
        return f"MIN plays {name} and holds MAX to {worth}."
