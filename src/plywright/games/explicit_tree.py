"""Explicit game trees: every node written out, as in a lecture's figure.

    ExplicitTree([[3, 12, 8], [2, 4, 6], [14, 5, 2]])
    ExplicitTree("max(a1: min(b1: 3, b2: 12, b3: 8), a2: min(2, 4, 6))")
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

from ..draw import Picture
from ..errors import BadInput
from ..game import Game
from .tree_notation import Outline, read_json, read_tree
from .tree_picture import picture_of_tree

ROOT = "root"


class ExplicitTree(Game):
    """A tree of two players whose utilities cancel; a leaf's number is the utility of MAX."""

    runtime = ("mover", "first", "count", "payoff", "estimate")

    def __init__(self, tree: Any, *, name: str = "", title: str = "") -> None:
        script = read_tree(tree)
        self.name = name or "explicit-tree"
        self.title = title or script.title
        self.player_names = script.players
        nodes, parents = _level_by_level(script.root)
        players = _players(nodes, parents)
        self.mover = np.array(players, np.int64)  # [nodes]; at a leaf it means nothing
        self.count = np.array([len(node.moves) for node in nodes], np.int64)  # [nodes] moves
        self.first = np.cumsum(np.concatenate(([1], self.count[:-1])))  # [nodes] number of the first child
        values = np.array([node.value or 0.0 for node in nodes])
        self.payoff = np.stack([values, 0.0 - values], axis=1)  # [nodes, players]
        self.estimate = np.array([node.estimate or 0.0 for node in nodes])  # [nodes] in the view of MAX
        self.parents = tuple(parents)
        self.moves = _move_names(nodes, parents)
        widest = int(self.count.max())
        if widest > self.max_actions:  # a power of two, so that few widths mean few compilations
            self.max_actions = 1 << (widest - 1).bit_length()
        largest, guess = float(np.abs(values).max()), float(np.abs(self.estimate).max())
        largest = max(largest, guess + 1 if guess >= largest else largest, 1.0)
        self.utility_range = (-largest, largest)
        self.step = 1 if np.all(values == np.round(values)) else None

    @classmethod
    def figure(cls, name: str) -> ExplicitTree:
        """A figure of the lectures by its name; `FIGURES` lists them."""
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
            if path.suffix == ".json":
                read_json(text)  # a file that says it is JSON has to be
            return cls(text, name=str(path))
        except BadInput as error:
            raise BadInput(f"{path}: {error}") from None

    # -- rules --------------------------------------------------------------------------------------------

    def initial(self) -> int:
        return 0

    def to_move(self, state: int) -> int:
        return self.mover[state]  # type: ignore[no-any-return]

    def actions(self, state: int) -> Iterator[int]:
        for number in range(self.count[state]):
            yield number

    def result(self, state: int, action: int) -> int:
        return self.first[state] + action  # type: ignore[no-any-return]

    def is_terminal(self, state: int) -> bool:
        return self.count[state] == 0  # type: ignore[no-any-return]

    def utility(self, state: int, player: int) -> float:
        return self.payoff[state, player]  # type: ignore[no-any-return]

    def evaluate(self, state: int, player: int) -> float:
        return self.estimate[state] if player == 0 else 0.0 - self.estimate[state]  # type: ignore[no-any-return]

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
        if re.fullmatch(r"#\d+", text):
            if int(text[1:]) >= len(self.parents):
                raise BadInput(f"{self.name} has no node {text}: its nodes are #0 to #{len(self.parents) - 1}")
            return int(text[1:])
        return int(self.play_moves(0, text))

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


def _level_by_level(root: Outline) -> tuple[list[Outline], list[int]]:
    """All nodes, each level after the one above, and the number of each one's parent (the root's: -1)."""
    nodes, parents = [root], [-1]
    for number, node in enumerate(nodes):  # grows while it is read
        nodes.extend(child for _, child in node.moves)
        parents.extend([number] * len(node.moves))
    return nodes, parents


def _players(nodes: list[Outline], parents: list[int]) -> list[int]:
    """Who moves: as written, otherwise the other player than above, and MAX at the root."""
    players: list[int] = []
    for node, parent in zip(nodes, parents, strict=True):
        usual = 1 - players[parent] if parent >= 0 else 0
        players.append(usual if node.player is None else node.player)
    return players


def _move_names(nodes: list[Outline], parents: list[int]) -> tuple[str, ...]:
    """The name of the move that leads to each node; unnamed ones are a1, a2, ... and b1, b2, ... below."""
    names, levels = [""], [0]
    for number, node in enumerate(nodes):
        taken = {name.lower() for name, _ in node.moves if name}
        letter = chr(ord("a") + levels[number] % 26)
        for place, (name, _) in enumerate(node.moves, 1):
            usual = f"{letter}{place}"
            while not name and usual in taken:
                usual += "'"
            names.append(name or usual)
            levels.append(levels[number] + 1)
    return tuple(names)


# -- the lectures' figures ------------------------------------------------------------------------------------


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
    "two-cutoffs": Figure(
        "[[[10, 6], [100, 8]], [[1, 2], [20, 4]]]",
        "one beta cutoff (8 is pruned) and one alpha cutoff (a whole MAX node is)",
    ),
    "deep-cutoff": Figure(
        "[5, [[[4, 9], 3], 7]]",
        "9 is cut by the root's alpha, three levels up",
    ),
    "preliminary-values": Figure(
        "[[[8, 5], [2, 9]], [[4, 7], [6, 3]]]",
        "backed-up values while the search goes on: 8 rises two levels, 2 gives way to 9, MIN keeps its 8",
    ),
}
