"""A tree as text, in the form that `notation.py` reads: who moves is said at every node.

>>> from plywright.games.trees.explicit_tree import ExplicitTree
>>> written(ExplicitTree([[3, 12], [2, 4]]))
'max(min(3, 12), min(2, 4))'
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from fractions import Fraction

from ...errors import BadInput
from ...game import CHANCE
from ...number import Number
from .explicit_tree import ExplicitTree, level_by_level
from .outline import PLAYERS

_WORD = re.compile(r"[^\W\d][\w.'/+-]*")


def written(tree: ExplicitTree) -> str:
    """The text of a tree; reading it gives the same tree again."""
    nodes, _ = level_by_level(tree.root)
    texts: dict[int, str] = {}
    for place in reversed(range(len(nodes))):  # children have higher numbers
        node, first = nodes[place], int(tree.first[place])
        if not node.branches:
            texts[place] = _numbers(node.values)
            continue
        mover = int(tree.mover[place])
        ways = []
        for index, branch in enumerate(node.branches):
            label = " ".join(
                part for part in (_name(branch.name) if branch.name else "", _odds(branch.chance, mover)) if part
            )
            ways.append((f"{label}: " if label else "") + texts.pop(first + index))
        estimate = f"~{_numbers(node.estimate)}" if node.estimate else ""
        texts[place] = f"{_mover(tree, mover)}{estimate}({', '.join(ways)})"
    names = tree.player_names
    told = tree.declared or (names if len(names) > 2 else ())
    return (f"players({', '.join(map(_name, told))}) " if told else "") + texts[0]


def _mover(tree: ExplicitTree, mover: int) -> str:
    if mover == CHANCE:
        return "chance"
    name = tree.player_names[mover]
    return name.lower() if not tree.declared and name in PLAYERS else _name(name)


def _odds(chance: Number | None, mover: int) -> str:
    return _number(chance) if mover == CHANCE and chance is not None else ""


def _numbers(values: Sequence[Number]) -> str:
    texts = [_number(value) for value in values]
    return texts[0] if len(texts) == 1 else f"<{', '.join(texts)}>"


def _number(value: Number) -> str:
    """As short as it can be read back exactly."""
    if isinstance(value, (Fraction, int)):
        found = Fraction(value)
        decimal = f"{float(found):.12g}"
        return decimal if "e" not in decimal and Fraction(decimal) == found else str(found)
    return repr(value)


def _name(name: str) -> str:
    if '"' in name:
        raise BadInput(f"{name!r} cannot be written as the name of a move")
    return name if _WORD.fullmatch(name) and name.lower() != "players" else f'"{name}"'
