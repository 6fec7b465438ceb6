"""Decision trees: choices and chances written as data. A tree is a Game, so expectimax solves it.

    {"choose": {
        "drill": {"name": "oil", "chance": {"wet": [0.3, 100], "dry": [0.7, -40]}},
        "walk away": 0}}

A number is what one ends with; a text such as "[0.5, 1000; 0.5, 0]" is a lottery, and so a chance node.
A chance node may have a `name`: what happens there is then one fact of the world, which `knowing` lets
one learn beforehand and `varied` makes more or less likely.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace
from fractions import Fraction
from pathlib import Path
from typing import Any

from ..draw import Picture
from ..errors import BadInput
from ..game import CHANCE
from ..games.trees.explicit_tree import ExplicitTree
from ..games.trees.notation import read_tree
from ..games.trees.outline import Branch, Outline, Script
from ..games.trees.picture import picture_of_tree
from ..number import Number, exactly, number, number_text, tidy
from .lottery import Lottery, amount

PERSON = ("you",)


class DecisionTree(ExplicitTree):
    """One person's choices and what chance does: an explicit tree of one player, read strictly."""

    def __init__(self, tree: Any, *, name: str = "decision", title: str = "") -> None:
        if isinstance(tree, Outline):
            script = Script(tree)
        elif isinstance(tree, str) and tree.lstrip().startswith("["):
            script = Script(_gamble(Lottery.parse(tree)))
        else:
            script = read_tree(tree, leaf=_lottery, strict=True)
        self._grow(script._replace(players=PERSON), name, script.title or title)

    @classmethod
    def from_file(cls, path: str | Path) -> DecisionTree:
        """The tree in a JSON file."""
        tree = super().from_file(path)
        assert isinstance(tree, cls)
        tree.name = Path(path).stem
        return tree

    # -- notation and picture: a way such as `drill / wet` --------------------------------------------------

    def split_moves(self, text: str) -> list[str]:
        return [word.strip() for word in text.split("/") if word.strip()]

    def join_moves(self, moves: list[str]) -> str:
        return " / ".join(moves)

    def drawing(self, values: Mapping[int, str], best: set[int]) -> Picture:
        """The tree with values beside its nodes and the line of the best choices marked."""
        return picture_of_tree(self, 0, values=values, best=best)

    # -- other worlds -------------------------------------------------------------------------------------

    @property
    def facts(self) -> tuple[str, ...]:
        """The names of the chance nodes that have one."""
        return tuple(dict.fromkeys(node.name for node in _nodes(self.root) if node.is_chance and node.name))

    def knowing(self, fact: str) -> DecisionTree:
        """The same decision once the fact is known beforehand: chance comes first, then the choices."""
        example = self._nodes_of(fact)[0]
        branches = tuple(branch._replace(node=_settled(self.root, fact, branch.name)) for branch in example.branches)
        root = Outline(player=CHANCE, branches=branches, name=fact)
        return DecisionTree(root, name=f"{self.name} knowing {fact}", title=self.title)

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
            return float(self.payoff[place, 0])
        chances = {branch.name: branch.chance for branch in self._nodes_of(fact)[0].branches}
        if outcome not in chances:
            raise BadInput(f"{fact} has no outcome {outcome!r}: {', '.join(chances)}")
        return chances[outcome] or 0

    def paying(self, price: Any) -> DecisionTree:
        """The same decision with an amount taken off every end."""
        cost = number(price, "a price")
        return DecisionTree(_paid(self.root, cost), name=self.name, title=self.title)

    def _nodes_of(self, fact: str) -> list[Outline]:
        found = [node for node in _nodes(self.root) if node.is_chance and node.name == fact]
        if not found:
            raise BadInput(
                f"nothing in {self.name} is called {fact!r}; there are {', '.join(self.facts) or 'no names'}"
            )
        odds = [{b.name: exactly(b.chance or 0) for b in node.branches} for node in found]
        if any(other != odds[0] for other in odds):
            raise BadInput(f"{fact!r} has different chances in different places: it is not one fact")
        return found


# -- reading --------------------------------------------------------------------------------------------------


def _lottery(given: Any) -> Outline | None:
    """A lottery, or the text of one, is a chance node."""
    if isinstance(given, str) and given.lstrip().startswith("["):
        given = Lottery.parse(given)
    return _gamble(given) if isinstance(given, Lottery) else None


def _gamble(lottery: Lottery) -> Outline:
    prizes = [(p, amount(prize)) for p, prize in lottery.reduce().outcomes]
    ends = tuple(Branch(number_text(worth), p, Outline(values=(worth,))) for p, worth in prizes)
    return Outline(player=CHANCE, branches=ends)


# -- changing -------------------------------------------------------------------------------------------------


def _nodes(root: Outline) -> list[Outline]:
    found = [root]
    for node in found:
        found.extend(branch.node for branch in node.branches)
    return found


def _settled(node: Outline, fact: str, outcome: str) -> Outline:
    """The tree in a world where the fact has turned out so."""
    if node.is_chance and node.name == fact:
        return _settled(next(b.node for b in node.branches if b.name == outcome), fact, outcome)
    return replace(node, branches=tuple(b._replace(node=_settled(b.node, fact, outcome)) for b in node.branches))


def _with_chance(node: Outline, fact: str, outcome: str, chance: Number) -> Outline:
    branches = tuple(b._replace(node=_with_chance(b.node, fact, outcome, chance)) for b in node.branches)
    if node.is_chance and node.name == fact:
        rest = sum((exactly(b.chance or 0) for b in branches if b.name != outcome), Fraction(0))
        share = 1 - exactly(chance)
        others = sum(1 for b in branches if b.name != outcome)
        if share and not others:
            raise BadInput(f"{fact} has no other outcome than {outcome}: its probability is 1")
        branches = tuple(
            b._replace(
                chance=chance
                if b.name == outcome
                else tidy(exactly(b.chance or 0) / rest * share if rest else share / others)
            )
            for b in branches
        )
    return replace(node, branches=branches)


def _with_value(node: Outline, way: list[str], value: Number) -> Outline:
    if not way:
        return replace(node, values=(value,))
    return replace(
        node,
        branches=tuple(
            b._replace(node=_with_value(b.node, way[1:], value)) if b.name == way[0] else b for b in node.branches
        ),
    )


def _paid(node: Outline, price: Number) -> Outline:
    if not node.branches:
        return replace(node, values=(node.values[0] - price,))
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
