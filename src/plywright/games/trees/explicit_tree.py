"""Explicit game trees: every node written out, as in a textbook's figure.

    ExplicitTree([[3, 12, 8], [2, 4, 6], [14, 5, 2]])
    ExplicitTree("max(a1: min(b1: 3, b2: 12, b3: 8), a2: min(2, 4, 6))")
    ExplicitTree("(1/2: 8, 1/3: 24, 1/6: -12)")
    ExplicitTree.from_file("mytree.json")
    ExplicitTree.figure("figure-6.2")

A state is the number of a node (0 is the root, children are numbered in a row, level by level). The
tree is data at run time: any number of trees share one compilation.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from pathlib import Path
from typing import Any, NamedTuple

import numpy as np

from ...contracts import countable
from ...draw import Picture
from ...draw.tree import chance_text
from ...errors import BadInput
from ...game import CHANCE, Game
from ...number import Number
from .notation import parse_json, read_tree
from .outline import PLAYERS, Outline, Script, player_number
from .picture import picture_of_tree

ROOT = "root"
MAX_NODES = 1_000_000


class ExplicitTree(Game):
    """A tree of any number of players, with chance nodes or without.

    Where leaves are single numbers there are two players whose utilities cancel, and the number is the
    utility of MAX; if moreover chance moves somewhere and MIN nowhere, there is one player.
    """

    runtime = ("mover", "first", "count", "payoff", "estimate", "likely")

    def __init__(self, tree: Any, *, name: str = "", title: str = "") -> None:
        script = tree if isinstance(tree, Script) else read_tree(tree)
        if not script.root.branches:
            raise BadInput(f"{script.root.where}: a tree needs at least one move at its root")
        self._grow(script, name or "explicit-tree", title or script.title)

    def _grow(self, script: Script, name: str, title: str) -> None:
        """Turn the outline into arrays over the nodes."""
        self.name, self.title, self.root, self.declared = name, title, script.root, script.players
        nodes, parents = level_by_level(script.root)
        names, shared = _players(script, nodes)
        movers = _movers(nodes, parents, names)
        moving = {mover for mover, node in zip(movers, nodes, strict=True) if node.branches}
        if shared and not script.players and CHANCE in moving and 1 not in moving:
            names, shared = names[:1], False
        self.players, self.player_names = len(names), names
        self.mover = np.array(movers, np.int64)  # [nodes]; at a leaf it means nothing
        self.count = np.array([len(node.branches) for node in nodes], np.int64)  # [nodes] ways on
        self.first = np.cumsum(np.concatenate(([1], self.count[:-1])))  # [nodes] number of the first child
        self.payoff = _by_player(nodes, names, shared, "values")  # [nodes, players]
        self.estimate = _by_player(nodes, names, shared, "estimate")  # [nodes, players]
        chances = [branch.chance for node in nodes for branch in node.branches]
        self.likely = np.array([1.0, *(1.0 if chance is None else float(chance) for chance in chances)])  # [nodes]
        self.parents = tuple(parents)
        self.moves = _move_names(nodes)
        widest = int(self.count.max())
        if widest > self.max_actions:  # a power of two, so that few widths mean few compilations
            self.max_actions = 1 << (widest - 1).bit_length()
        self._bound(shared)

    def _bound(self, shared: bool) -> None:
        """The facts about utilities: their range, step and sum."""
        leaves, inner = self.payoff[self.count == 0], self.estimate[self.count > 0]
        low, high = float(leaves.min()), float(leaves.max())
        told = inner[np.any(inner != 0, axis=1)]  # an estimate lies strictly inside the range
        if told.size:
            low, high = min(low, float(told.min()) - 1), max(high, float(told.max()) + 1)
        if shared:
            low, high = -max(-low, high, 1.0), max(-low, high, 1.0)
        self.utility_range = (low, high if low < high else low + 1.0)
        whole = bool(np.all(leaves == np.round(leaves))) and CHANCE not in self.mover
        self.step = 1 if whole and countable(self.utility_range, 1) else None
        cancels = bool(np.all(np.abs(leaves.sum(axis=1)) < 1e-9) and np.all(np.abs(inner.sum(axis=1)) < 1e-9))
        self.zero_sum = None if self.players != 2 or cancels else False
        untold = (self.count > 0) & np.all(self.estimate == 0, axis=1)
        self.estimate[untold] = self.neutral_value
        inner = self.estimate[self.count > 0]
        if self.players > 2:
            self.sum_bound = float(max(leaves.sum(axis=1).max(), inner.sum(axis=1).max()))

    @property
    def has_chance(self) -> bool:
        """Whether chance moves anywhere in this tree."""
        return bool(np.any(self.mover == CHANCE))

    @classmethod
    def figure(cls, name: str) -> ExplicitTree:
        """A textbook figure by its name; `FIGURES` lists them."""
        if name not in FIGURES:
            raise BadInput(f"there is no figure {name!r}; there are {', '.join(FIGURES)}")
        return cls(FIGURES[name].tree, name=name, title=FIGURES[name].about)

    @classmethod
    def from_file(cls, path: str | Path) -> ExplicitTree:
        """The tree in a file: JSON if it is called .json, otherwise the text form."""
        path = Path(path)
        try:
            text = path.read_text(encoding="utf-8")
        except (OSError, UnicodeDecodeError) as error:
            reason = error.strerror if isinstance(error, OSError) else "it is not UTF-8 text"
            raise BadInput(f"{path} cannot be read: {reason}") from None
        try:
            return cls(parse_json(text) if path.suffix == ".json" else text, name=str(path))
        except BadInput as error:
            raise BadInput(f"{path}: {error}") from None

    # -- rules --------------------------------------------------------------------------------------------

    def initial(self) -> int:
        return 0

    def to_move(self, state: int) -> int:
        return self.mover[state]  # type: ignore[no-any-return]

    def actions(self, state: int) -> Iterator[int]:
        if self.mover[state] != CHANCE:
            for number in range(self.count[state]):
                yield number

    def chance(self, state: int) -> Iterator[tuple[int, float]]:
        for number in range(self.count[state]):
            if self.likely[self.first[state] + number] > 0:
                yield number, self.likely[self.first[state] + number]

    def result(self, state: int, action: int) -> int:
        return self.first[state] + action  # type: ignore[no-any-return]

    def is_terminal(self, state: int) -> bool:
        return self.count[state] == 0  # type: ignore[no-any-return]

    def utility(self, state: int, player: int) -> float:
        return self.payoff[state, player]  # type: ignore[no-any-return]

    def evaluate(self, state: int, player: int) -> float:
        return self.estimate[state, player]  # type: ignore[no-any-return]

    # -- notation: a state is the moves that lead to it ---------------------------------------------------

    def format_action(self, state: int, action: int) -> str:
        return self.moves[int(self.first[state]) + int(action)]

    def split_moves(self, text: str) -> list[str]:
        """Moves apart by spaces or commas; a name that has them itself is in double quotes."""
        return [quoted or bare for quoted, bare in re.findall(r'"([^"]*)"|([^\s,"]+)', text)]

    def join_moves(self, moves: list[str]) -> str:
        return " ".join(f'"{name}"' if re.search(r'[\s,"#]', name) or name == ROOT else name for name in moves)

    def format_state(self, state: int) -> str:
        """The moves from the root, such as `a1 b2`; the root itself is `root`."""
        return self.join_moves(self.path(int(state))) or ROOT

    def parse_state(self, text: str) -> int:
        """A node by its moves from the root, or by its number as `#7`."""
        text = text.strip()
        if text in ("", ROOT):
            return 0
        if re.fullmatch(r"#[0-9]+", text):
            if len(text) > 10 or int(text[1:]) >= len(self.parents):
                raise BadInput(f"{self.name} has no node {text[:20]}: its nodes are #0 to #{len(self.parents) - 1}")
            return int(text[1:])
        place = 0
        for number, name in enumerate(self.split_moves(text), 1):
            below = range(int(self.first[place]), int(self.first[place]) + int(self.count[place]))
            found = next((child for child in below if self.moves[child].lower() == name.lower()), None)
            if found is None:
                raise BadInput(f"move {number}: {self.unknown_move(place, name)}")
            place = found
        return place

    def check_state(self, state: int) -> str:
        last = len(self.parents) - 1
        return "" if 0 <= state <= last else f"its nodes are #0 to #{last}"

    def path(self, state: int) -> list[str]:
        """The names of the moves from the root to a node."""
        names = []
        while state:
            names.append(self.moves[state])
            state = self.parents[state]
        return names[::-1]

    # -- picture ------------------------------------------------------------------------------------------

    def picture(self, state: int, last: int | None = None) -> Picture:
        """The whole tree with this node marked; a large tree only near its root."""
        return picture_of_tree(self, 0, here=self.path(int(state)))


# -- from the outline to arrays -------------------------------------------------------------------------------


def level_by_level(root: Outline) -> tuple[list[Outline], list[int]]:
    """All nodes, each level after the one above, and the number of each one's parent (the root's: -1)."""
    nodes, parents = [root], [-1]
    for number, node in enumerate(nodes):  # grows while it is read
        nodes.extend(branch.node for branch in node.branches)
        parents.extend([number] * len(node.branches))
        if len(nodes) > MAX_NODES:
            raise BadInput(f"the tree has more than {MAX_NODES:,} nodes")
    return nodes, parents


def _players(script: Script, nodes: list[Outline]) -> tuple[tuple[str, ...], bool]:
    """The names of the players, and whether leaves are single numbers that two players share."""
    lengths = {len(node.values) for node in nodes if not node.branches}
    names = script.players
    if not names:
        most = max(lengths)
        names = PLAYERS if most == 1 else tuple(f"{chr(ord('A') + n)}" for n in range(most))
        if most > 26:
            raise BadInput(f"a leaf has {most} utilities; more than 26 players need names, declared as 'players'")
    shared = len(names) == 2 and lengths == {1}
    for node in nodes:
        if not node.branches and not shared and len(node.values) != len(names):
            whose = f"one for each of {', '.join(names)}" if len(names) > 1 else f"that of {names[0]}"
            raise BadInput(f"{node.where}: a leaf needs {len(names)} utilities, {whose}, not {len(node.values)}")
    return names, shared


def _movers(nodes: list[Outline], parents: list[int], names: tuple[str, ...]) -> list[int]:
    """Who moves: as written, otherwise the player after the one above, and the first at the root."""
    movers: list[int] = []
    turn: list[int] = []  # whose turn it is at each node unless somebody else is named
    for node, parent in zip(nodes, parents, strict=True):
        usual = 0 if parent < 0 else turn[parent]
        if parent >= 0 and movers[parent] != CHANCE:
            usual = (movers[parent] + 1) % len(names)
        movers.append(usual if node.player is None else player_number(node.player, node.where, names))
        turn.append(usual)
    return movers


def _by_player(nodes: list[Outline], names: tuple[str, ...], shared: bool, what: str) -> Any:
    """The values or the estimates as an array [nodes, players]; 0 where there are none."""
    table = np.zeros((len(nodes), len(names)))
    for place, node in enumerate(nodes):
        given: tuple[Number, ...] = getattr(node, what)
        if not given:
            continue
        numbers = [float(item) for item in given]
        if len(numbers) == 1 and len(names) == 2 and (shared or what == "estimate"):
            numbers.append(0.0 - numbers[0])
        if len(numbers) != len(names):
            raise BadInput(f"{node.where}: an estimate needs {len(names)} numbers, one for each player")
        table[place] = numbers
    return table


def _move_names(nodes: list[Outline]) -> tuple[str, ...]:
    """The name of the way to each node; unnamed moves are a1, a2, ... and b1, b2, ... below.

    An unnamed outcome of chance is called by its probability where no other has the same.
    """
    names, levels = [""], [0]
    for number, node in enumerate(nodes):
        taken = {branch.name.lower() for branch in node.branches if branch.name}
        odds = ["" if branch.chance is None else chance_text(float(branch.chance)) for branch in node.branches]
        letter = chr(ord("a") + levels[number] % 26)
        for place, branch in enumerate(node.branches, 1):
            usual = f"{letter}{place}"
            if node.is_chance and odds.count(odds[place - 1]) == 1:
                usual = odds[place - 1]
            while not branch.name and usual in taken:
                usual += "'"
            names.append(branch.name or usual)
            levels.append(levels[number] + 1)
    return tuple(names)


# -- the textbook's figures -----------------------------------------------------------------------------------


class Figure(NamedTuple):
    """A named tree and one line about it."""

    tree: str
    about: str


FIGURES: dict[str, Figure] = {
    "figure-6.2": Figure(
        "max(a1: min(b1: 3, b2: 12, b3: 8), a2: min(c1: 2, c2: 4, c3: 6), a3: min(d1: 14, d2: 5, d3: 2))",
        "two plies, three moves each: MAX gets 3 by a1, and alpha-beta never looks at 4 and 6",
    ),
    "left-right": Figure(
        "max(left: min(3, 10), right: min(50, -8))",
        "left is worth 3 and right -8, whatever the 50 promises",
    ),
    "shallow-cutoff": Figure(
        "[[10, 8], [4, 50, 9]]",
        "the second MIN node has a 4 against the root's 8: all after it is pruned",
    ),
    "alpha-cutoff": Figure(
        "[[8, 9], [1, 5, 6]]",
        "an alpha cutoff: after the 1 the second MIN node is left, since MAX has 8 already",
    ),
    "two-cutoffs": Figure(
        "[[[10, 6], [100, 8]], [[1, 2], [20, 4]]]",
        "one beta cutoff (8 is pruned) and one alpha cutoff (a whole MAX node is)",
    ),
    "deep-cutoff": Figure(
        "[5, [[[4, 9], 3], 7]]",
        "9 is cut by the root's alpha, three levels up",
    ),
    "preliminary-values": Figure(
        "[[[8, 5], [2, 9], [-3, -4]], [[4, 7], [6, 3]]]",
        "backed-up values while the search goes on: 8 rises two levels, 2 gives way to 9, MIN keeps its 8 until -3",
    ),
    "otherwise": Figure(
        "max(left: min(10, 10), right: min(9, 100))",
        "optimal against a perfect player is left (10); with MIN as chance, who moves at random, right (54.5)",
    ),
    "expected-value": Figure(
        "(1/2: 8, 1/3: 24, 1/6: -12)",
        "one roll of the dice: 8 with 1/2, 24 with 1/3, -12 with 1/6 are worth 10",
    ),
    "equal-chances": Figure(
        "max(chance(3, 12, 9), chance(2, 4, 6), chance(15, 6, 0))",
        "expectimax where every outcome is as likely as the others: 8, 4 and 7",
    ),
    "order-preserving": Figure(
        "max(a1: (0.9: 2, 0.1: 3), a2: (0.9: 1, 0.1: 4))",
        "a1 is worth 2.1 and a2 1.3; with the leaves 1=1,2=20,3=30,4=400 it is 21 and 40.9",
    ),
    "coins": Figure(
        "max(a1: (1/2: min(2, 4), 1/2: min(7, 4)), a2: (1/2: min(6, -2), 1/2: min(5, 0)))",
        "MAX, a coin, MIN: a1 is worth 3, and with bounds on the leaves Star1 leaves a2 after one side of its coin",
    ),
    "three-players": Figure(
        "players(A, B, C) (((<1, 2, 6>, <4, 2, 3>), (<6, 1, 2>, <7, 4, 1>)), "
        "((<5, 1, 1>, <1, 5, 2>), (<7, 7, 1>, <5, 4, 5>)))",
        "A, B, C choose in turn, each for itself: (1, 2, 6), and A's two moves are a tie",
    ),
}
