"""Decision trees: choices and chances written as data. A tree is a Game, so expectimax solves it.

    {"choose": {
        "drill": {"name": "oil", "chance": {"wet": [0.3, 100], "dry": [0.7, -40]}},
        "walk away": 0}}

A number is what one ends with; a text such as "[0.5, 1000; 0.5, 0]" is a lottery, and so a chance node.
A chance node may have a `name`: what happens there is then one fact of the world, which `knowing` lets
one learn beforehand and `varied` makes more or less likely.
"""

from __future__ import annotations

import json
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, replace
from fractions import Fraction
from pathlib import Path
from typing import Any, NamedTuple

import numpy as np

from ..draw import Picture
from ..draw.tree import CHANCE as CIRCLE
from ..draw.tree import LEAF, MAX, TreeNode, tree_picture
from ..errors import BadInput
from ..game import CHANCE, Game
from .lottery import Lottery, amount
from .number import Number, exactly, number, number_text, tidy

MAX_LEVELS = 100
"""A deeper tree is refused."""
MAX_NODES = 100_000


class Branch(NamedTuple):
    """One way on from a node; `chance` is its probability at a chance node, None at a choice."""

    label: str
    chance: Number | None
    node: Node


@dataclass(frozen=True)
class Node:
    """A leaf has a value; an inner node has branches, and a chance node may have a name."""

    value: Number | None = None
    branches: tuple[Branch, ...] = ()
    name: str = ""

    @property
    def is_chance(self) -> bool:
        return bool(self.branches) and self.branches[0].chance is not None


class DecisionTree(Game):
    """One person's choices and what chance does; a state is the number of a node, level by level."""

    players = 1
    zero_sum = False
    step = None
    player_names = ("you",)
    runtime = ("mover", "count", "first", "payoff", "likely")

    def __init__(self, tree: Any, *, name: str = "decision", title: str = "") -> None:
        if isinstance(tree, str) and not tree.strip().startswith("["):
            tree = _json(tree)
        if isinstance(tree, Mapping) and "tree" in tree:
            title, tree = str(tree.get("title", title)), tree["tree"]
        self.root: Node = tree if isinstance(tree, Node) else _read(tree, "the tree", 0)
        self.name, self.title = name, title
        nodes, parents, labels = [self.root], [-1], [""]
        likely = [1.0]
        for place, node in enumerate(nodes):  # grows while it is read
            for branch in node.branches:
                nodes.append(branch.node)
                parents.append(place)
                labels.append(branch.label)
                likely.append(1.0 if branch.chance is None else float(branch.chance))
            if len(nodes) > MAX_NODES:
                raise BadInput(f"the tree has more than {MAX_NODES:,} nodes")
        self.mover = np.array([CHANCE if node.is_chance else 0 for node in nodes], np.int64)  # [nodes]
        self.count = np.array([len(node.branches) for node in nodes], np.int64)  # [nodes] ways on
        self.first = np.cumsum(np.concatenate(([1], self.count[:-1])))  # [nodes] number of the first child
        self.payoff = np.array([float(node.value or 0) for node in nodes])  # [nodes]
        self.likely = np.array(likely)  # [nodes] of getting there from the parent
        self.parents, self.labels = tuple(parents), tuple(labels)
        largest = float(np.abs(self.payoff).max()) or 1.0
        self.utility_range = (-largest, largest)
        widest = int(self.count.max())
        if widest > self.max_actions:
            self.max_actions = 1 << (widest - 1).bit_length()

    @classmethod
    def from_file(cls, path: str | Path) -> DecisionTree:
        """The tree in a JSON file."""
        path = Path(path)
        try:
            text = path.read_text(encoding="utf-8")
        except (OSError, UnicodeDecodeError) as error:
            reason = error.strerror if isinstance(error, OSError) else "it is not UTF-8 text"
            raise BadInput(f"{path} cannot be read: {reason}") from None
        try:
            return cls(_json(text), name=path.stem)
        except BadInput as error:
            raise BadInput(f"{path}: {error}") from None

    # -- rules --------------------------------------------------------------------------------------------

    def initial(self) -> int:
        return 0

    def to_move(self, state: int) -> int:
        return self.mover[state]  # type: ignore[no-any-return]

    def actions(self, state: int) -> Iterator[int]:
        if self.mover[state] != CHANCE:
            for place in range(self.count[state]):
                yield place

    def chance(self, state: int) -> Iterator[tuple[int, float]]:
        for place in range(self.count[state]):
            if self.likely[self.first[state] + place] > 0:
                yield place, self.likely[self.first[state] + place]

    def result(self, state: int, action: int) -> int:
        return self.first[state] + action  # type: ignore[no-any-return]

    def is_terminal(self, state: int) -> bool:
        return self.count[state] == 0  # type: ignore[no-any-return]

    def utility(self, state: int, player: int) -> float:
        return self.payoff[state]  # type: ignore[no-any-return]

    # -- notation and picture -----------------------------------------------------------------------------

    def format_action(self, state: int, action: int) -> str:
        return self.labels[int(self.first[state]) + int(action)]

    def split_moves(self, text: str) -> list[str]:
        return [word.strip() for word in text.split("/") if word.strip()]

    def join_moves(self, moves: list[str]) -> str:
        return " / ".join(moves)

    def format_state(self, state: int) -> str:
        """The way from the root, such as `drill / wet`."""
        return self.join_moves(self.path(int(state))) or "root"

    def parse_state(self, text: str) -> int:
        """A node by the way to it."""
        place = 0
        for word in [] if text.strip() in ("", "root") else self.split_moves(text):
            ways = {self.format_action(place, n).lower(): n for n in range(int(self.count[place]))}
            if word.lower() not in ways:
                raise BadInput(f"{word!r} is no way on in {self.name}; there are {', '.join(ways) or 'none'}")
            place = int(self.first[place]) + ways[word.lower()]
        return place

    def path(self, state: int) -> list[str]:
        names = []
        while state:
            names.append(self.labels[state])
            state = self.parents[state]
        return names[::-1]

    def picture(self, state: int, last: int | None = None) -> Picture:
        """The whole tree, this node marked."""
        return self.drawing({}, set(), here=int(state))

    def drawing(self, values: Mapping[int, str], best: set[int], here: int | None = None) -> Picture:
        """The tree with values beside its nodes and the line of the best choices marked."""
        drawn: list[TreeNode] = []
        for place in range(len(self.parents)):
            shape = LEAF if self.count[place] == 0 else CIRCLE if self.mover[place] == CHANCE else MAX
            value = values.get(place, number_text(float(self.payoff[place])) if shape == LEAF else "")
            move = self.labels[place]
            if place and self.mover[self.parents[place]] == CHANCE:
                move = f"{move} {number_text(float(self.likely[place]))}"
            marks = {"done"} | ({"best"} if place in best else set()) | ({"current"} if place == here else set())
            drawn.append(TreeNode(f"n{place}", shape, value, move=move, marks=marks))
            if place:
                drawn[self.parents[place]].children.append(drawn[place])
        return tree_picture(drawn[0], label=self.title or f"the decision {self.name}")

    # -- other worlds -------------------------------------------------------------------------------------

    @property
    def facts(self) -> tuple[str, ...]:
        """The names of the chance nodes that have one."""
        return tuple(dict.fromkeys(node.name for node in _nodes(self.root) if node.is_chance and node.name))

    def knowing(self, fact: str) -> DecisionTree:
        """The same decision once the fact is known beforehand: chance comes first, then the choices."""
        example = self._nodes_of(fact)[0]
        branches = tuple(
            Branch(branch.label, branch.chance, _settled(self.root, fact, branch.label)) for branch in example.branches
        )
        return DecisionTree(Node(branches=branches, name=fact), name=f"{self.name} knowing {fact}", title=self.title)

    def varied(self, target: str, value: Any) -> DecisionTree:
        """The same decision with one number changed.

        `fact=outcome` is a probability (the other outcomes keep their proportions), a way such as
        `drill / wet` the amount at its end.
        """
        self.present(target)  # refuses a target that is not there
        fact, equals, outcome = (part.strip() for part in target.partition("="))
        amount_now = number(value, target)
        if not equals:
            root = _with_value(self.root, self.path(self.parse_state(target)), amount_now)
        else:
            if not 0 <= amount_now <= 1:
                raise BadInput(f"the probability {target} must be from 0 to 1, not {number_text(amount_now)}")
            root = _with_chance(self.root, fact, outcome, amount_now)
        return DecisionTree(root, name=self.name, title=self.title)

    def present(self, target: str) -> Number:
        """The number that `varied` changes, as it is in this tree."""
        if not isinstance(target, str):
            raise BadInput(f"what to vary is a text such as 'oil=wet' or 'drill / wet', not {target!r}")
        fact, equals, outcome = (part.strip() for part in target.partition("="))
        if not equals:
            place = self.parse_state(target)
            if self.count[place]:
                raise BadInput(f"{target!r} does not end in an amount; to vary a chance write FACT=OUTCOME")
            return float(self.payoff[place])
        chances = {branch.label: branch.chance for branch in self._nodes_of(fact)[0].branches}
        if outcome not in chances:
            raise BadInput(f"{fact} has no outcome {outcome!r}: {', '.join(chances)}")
        return chances[outcome] or 0

    def paying(self, price: Any) -> DecisionTree:
        """The same decision with an amount taken off every end."""
        cost = number(price, "a price")
        return DecisionTree(_paid(self.root, cost), name=self.name, title=self.title)

    def _nodes_of(self, fact: str) -> list[Node]:
        found = [node for node in _nodes(self.root) if node.is_chance and node.name == fact]
        if not found:
            raise BadInput(
                f"nothing in {self.name} is called {fact!r}; there are {', '.join(self.facts) or 'no names'}"
            )
        odds = [{b.label: exactly(b.chance or 0) for b in node.branches} for node in found]
        if any(other != odds[0] for other in odds):
            raise BadInput(f"{fact!r} has different chances in different places: it is not one fact")
        return found


# -- reading --------------------------------------------------------------------------------------------------


def _json(text: str) -> Any:
    try:
        return json.loads(text, object_pairs_hook=_object)
    except json.JSONDecodeError as error:
        raise BadInput(f"line {error.lineno}, column {error.colno}: this is not JSON ({error.msg})") from None
    except RecursionError:
        raise BadInput("the tree is nested too deeply") from None


def _object(pairs: list[tuple[str, Any]]) -> dict[str, Any]:
    """A JSON object; a key written twice would lose its first meaning silently."""
    found = dict(pairs)
    if len(found) < len(pairs):
        keys = [key for key, _ in pairs]
        twice = next(key for key in keys if keys.count(key) > 1)
        raise BadInput(f"{twice!r} is written twice in one place of the tree: give each way on a name of its own")
    return found


def _read(source: Any, where: str, level: int) -> Node:
    if level > MAX_LEVELS:
        raise BadInput(f"the tree is more than {MAX_LEVELS} levels deep")
    if isinstance(source, Lottery) or (isinstance(source, str) and source.lstrip().startswith("[")):
        return _gamble(source if isinstance(source, Lottery) else Lottery.parse(source))
    if not isinstance(source, Mapping):
        return Node(value=number(source, f"the amount at {where}"))
    keys = [key for key in ("choose", "chance") if key in source]
    wrong = [str(key) for key in source if key not in ("choose", "chance", "name")]
    if len(keys) != 1 or wrong:
        also = f", and {wrong[0]!r} means nothing" if wrong else ""
        raise BadInput(f"{where} must have either 'choose' or 'chance'{also}")
    ways = source[keys[0]]
    if not isinstance(ways, Mapping) or not ways:
        raise BadInput(f"{where}: {keys[0]!r} needs at least one named way on")
    branches = []
    for label, rest in ways.items():
        there = f"{where} / {label}" if level else str(label)
        chance: Number | None = None
        if keys[0] == "chance":
            if not isinstance(rest, (list, tuple)) or len(rest) != 2:
                raise BadInput(f"{there} must be [probability, what follows]")
            chance, rest = number(rest[0], f"the probability of {there}"), rest[1]
        branches.append(Branch(str(label), chance, _read(rest, there, level + 1)))
    if keys[0] == "chance":
        try:
            Lottery([(branch.chance, branch.label) for branch in branches])
        except BadInput as error:
            raise BadInput(f"{where}: {error}") from None
    return Node(branches=tuple(branches), name=str(source.get("name", "")))


def _gamble(lottery: Lottery) -> Node:
    return Node(
        branches=tuple(Branch(number_text(amount(x)), p, Node(value=amount(x))) for p, x in lottery.reduce().outcomes)
    )


# -- changing -------------------------------------------------------------------------------------------------


def _nodes(root: Node) -> list[Node]:
    found = [root]
    for node in found:
        found.extend(branch.node for branch in node.branches)
    return found


def _settled(node: Node, fact: str, outcome: str) -> Node:
    """The tree in a world where the fact has turned out so."""
    if node.is_chance and node.name == fact:
        return _settled(next(b.node for b in node.branches if b.label == outcome), fact, outcome)
    return replace(node, branches=tuple(b._replace(node=_settled(b.node, fact, outcome)) for b in node.branches))


def _with_chance(node: Node, fact: str, outcome: str, chance: Number) -> Node:
    branches = tuple(b._replace(node=_with_chance(b.node, fact, outcome, chance)) for b in node.branches)
    if node.is_chance and node.name == fact:
        rest = sum((exactly(b.chance or 0) for b in branches if b.label != outcome), Fraction(0))
        share = 1 - exactly(chance)
        others = sum(1 for b in branches if b.label != outcome)
        if share and not others:
            raise BadInput(f"{fact} has no other outcome than {outcome}: its probability is 1")
        branches = tuple(
            b._replace(
                chance=chance
                if b.label == outcome
                else tidy(exactly(b.chance or 0) / rest * share if rest else share / others)
            )
            for b in branches
        )
    return replace(node, branches=branches)


def _with_value(node: Node, way: list[str], value: Number) -> Node:
    if not way:
        return replace(node, value=value)
    return replace(
        node,
        branches=tuple(
            b._replace(node=_with_value(b.node, way[1:], value)) if b.label == way[0] else b for b in node.branches
        ),
    )


def _paid(node: Node, price: Number) -> Node:
    if not node.branches:
        return Node(value=(node.value or 0) - price)
    return replace(node, branches=tuple(b._replace(node=_paid(b.node, price)) for b in node.branches))


# -- worked decisions -----------------------------------------------------------------------------------------

EXAMPLES: dict[str, dict[str, Any]] = {
    "oil": {
        "title": "drill for oil or walk away (millions)",
        "tree": {
            "choose": {
                "drill": {"name": "oil", "chance": {"wet": ["0.3", 100], "dry": ["0.7", -40]}},
                "walk away": 0,
            }
        },
    },
    "treatment": {
        "title": "quality-adjusted life years: an operation, medicine, or neither",
        "tree": {
            "choose": {
                "operate": {
                    "name": "operation",
                    "chance": {
                        "cured": ["0.70", "20"],  # 20 years at quality 1
                        "improved": ["0.25", "12"],  # 20 years at quality 0.6
                        "dies": ["0.05", "0"],
                    },
                },
                "medicine": {
                    "name": "medicine",
                    "chance": {"helps": ["0.60", "16"], "does not": ["0.40", "9"]},  # 20 years at 0.8, 15 at 0.6
                },
                "neither": "9",  # 15 years at quality 0.6
            }
        },
    },
    "umbrella": {
        "title": "take the umbrella (how the day was, from 0 to 100)",
        "tree": {
            "choose": {
                "take it": {"name": "weather", "chance": {"rain": ["0.3", 70], "sun": ["0.7", 80]}},
                "leave it": {"name": "weather", "chance": {"rain": ["0.3", 0], "sun": ["0.7", 100]}},
            }
        },
    },
}


def example(name: str) -> DecisionTree:
    """A worked decision by its name; `EXAMPLES` lists them."""
    if name not in EXAMPLES:
        raise BadInput(f"there is no decision {name!r}; there are {', '.join(EXAMPLES)}, or give a JSON file")
    return DecisionTree(EXAMPLES[name], name=name)
