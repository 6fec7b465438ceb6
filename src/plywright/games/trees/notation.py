"""How people write game trees: nested lists, dicts, JSON, and a text form. All become one outline.

    [[3, 12, 8], [2, 4, 6], [14, 5, 2]]                   levels alternate MAX, MIN from the root
    {"player": "MAX", "moves": {"a1": 3, "a2": {"player": "MIN", "moves": [2, 4]}}}
    {"max": {"a1": 3, "a2": {"min": [2, 4]}}}             the same, shorter
    {"choose": {"drill": {"name": "oil", "chance": {"wet": [0.3, 100], "dry": [0.7, -40]}}, "stay": 0}}
    max(a1: min(b1: 3, b2: 12), a2: min~5(2, 4))          ~5 is an estimate, for searches that stop early
    max(a: (1/2: 8, 1/3: 24, 1/6: -12), b: 9)             numbers before the colons: chance moves
    chance(rain 0.3: min(1, 2), sun 70%: 5)               the same with names
    chance(3, 12, 9)                                      without probabilities they are equal
    players(A, B, C) A(B(C(<1, 2, 6>, <4, 2, 3>), ...     a utility for each player; levels take turns
    players(Anna, Ben)  Anna(left: 3, right: Ben(2, 4))   of two players the first is MAX

Whatever is wrong is told in one sentence with the line and column, or the path, where it is.
"""

from __future__ import annotations

import json
from collections.abc import Callable, Mapping, Sequence
from fractions import Fraction
from typing import Any, NoReturn

from ...errors import BadInput
from ...game import CHANCE
from ...number import Number, probability
from .outline import (
    MAX_LEVELS,
    PLAYERS,
    Branch,
    Outline,
    Script,
    checked,
    move_name,
    player_names,
    value,
)
from .text_form import TreeText

WAYS_ON = ("moves", "choose", "chance")
NODE_KEYS = ("player", *WAYS_ON, "estimate", "utility", "name")
FILE_KEYS = ("players", "tree", "title")

Leaf = Callable[[Any], Outline | None]
"""Reads what is neither list nor dict nor number: the node it means, or None where it means none."""


def read_tree(source: Any, *, leaf: Leaf = lambda given: None, strict: bool = False) -> Script:
    """The outline of a tree given as lists, dicts or text; raises BadInput where it makes no sense.

    With `strict` a dict must say 'choose' or 'chance', so that a misspelt word is not taken for a move.
    """
    if not isinstance(source, str):
        return _read_object(source, _Objects(leaf, strict))
    stripped = source.lstrip()
    if strict or stripped.startswith("{") or (stripped.startswith("[") and "{" in stripped):
        return _read_object(parse_json(source), _Objects(leaf, strict))
    return TreeText(source).script()


def parse_json(text: str) -> Any:
    """The lists and dicts in a JSON text; a name that is used twice and a number that is none are refused."""

    def pairs(items: list[tuple[str, Any]]) -> dict[str, Any]:
        found = dict(items)
        if len(found) < len(items):
            twice = next(key for key, _ in items if sum(key == other for other, _ in items) > 1)
            raise BadInput(f"the name {twice!r} is used twice in one JSON object: give each move a name of its own")
        return found

    def constant(word: str) -> NoReturn:
        raise BadInput(f"the JSON has {word} where a utility must be a finite number")

    try:
        return json.loads(text, object_pairs_hook=pairs, parse_constant=constant)
    except json.JSONDecodeError as error:
        raise BadInput(f"line {error.lineno}, column {error.colno}: this is not JSON ({error.msg})") from None
    except RecursionError:
        raise BadInput(f"the JSON is nested more than {MAX_LEVELS} levels deep") from None


def _read_object(source: Any, objects: _Objects) -> Script:
    names: tuple[str, ...] = ()
    title = ""
    if isinstance(source, Mapping) and "tree" in source:
        for key in source:
            if key not in FILE_KEYS:
                raise BadInput(f"the tree has an unknown key {key!r}; beside 'tree' there may be 'players' and 'title'")
        names = player_names(source["players"]) if "players" in source else ()
        title = str(source.get("title", ""))
        source = source["tree"]
    objects.movers = tuple(name.lower() for name in (*names, *(() if len(names) > 2 else PLAYERS)))
    return Script(objects.node(source, "root", 0), names, title)


class _Objects:
    """A reader of nested lists and dicts."""

    def __init__(self, leaf: Leaf, strict: bool) -> None:
        self.leaf, self.strict = leaf, strict
        self.movers: tuple[str, ...] = ()  # names that are players, and so no moves

    def node(self, source: Any, where: str, level: int) -> Outline:
        if level > MAX_LEVELS:
            raise BadInput(f"the tree is more than {MAX_LEVELS} levels deep: does a list contain itself?")
        if isinstance(source, Mapping):
            return self.of_dict(source, where, level)
        if isinstance(source, Sequence) and not isinstance(source, (str, bytes)):
            return checked(Outline(where, branches=self.plain(source, where, level)))
        found = self.leaf(source)
        return found if found is not None else Outline(where, values=self.values(source, where, "a utility"))

    def values(self, source: Any, where: str, what: str) -> tuple[Number, ...]:
        """One number, or a list of one for each player; a text such as "<1, 2, 6>" is such a list too."""
        if isinstance(source, str) and source.lstrip().startswith("<"):
            return TreeText(source).numbers(what)
        if isinstance(source, Sequence) and not isinstance(source, (str, bytes)) and source:
            return tuple(value(item, where, what) for item in source)
        return (value(source, where, what),)

    def of_dict(self, source: Mapping[Any, Any], where: str, level: int) -> Outline:
        if self.strict:
            self.insist(source, where)
        elif any(str(key).lower() in self.movers for key in source):
            source = self.by_player(source, where)
        elif not any(key in source for key in NODE_KEYS if key != "name"):  # the moves themselves
            source = {"moves": source}
        for key in source:
            if key not in NODE_KEYS:
                raise BadInput(f"{where}: unknown key {key!r}; a node may have {', '.join(map(repr, NODE_KEYS))}")
        if "utility" in source:
            if len(source) > 1:
                raise BadInput(f"{where}: a node with a 'utility' is a leaf and can have nothing else")
            return Outline(where, values=self.values(source["utility"], where, "a utility"))
        ways = [key for key in WAYS_ON if key in source]
        if len(ways) != 1:
            raise BadInput(f"{where}: an inner node needs 'moves' (or 'chance'), a leaf is a number or has a 'utility'")
        player: int | str | None = source.get("player")
        by_chance = ways[0] == "chance" or (isinstance(player, str) and player.lower() == "chance")
        estimate = self.values(source["estimate"], where, "an estimate") if "estimate" in source else ()
        read = self.by_chance if by_chance else self.plain
        return checked(
            Outline(
                where,
                player=CHANCE if by_chance else player,
                estimate=estimate,
                branches=read(source[ways[0]], where, level),
                name=str(source.get("name", "")),
            )
        )

    def by_player(self, source: Mapping[Any, Any], where: str) -> dict[Any, Any]:
        """{"max": [...]} as {"player": "max", "moves": [...]}; refused where it could as well be a move's name."""
        named = [key for key in source if str(key).lower() in self.movers]
        others = [key for key in source if key not in named and key not in ("estimate", "name")]
        ways = source[named[0]]
        if len(named) > 1 or others or isinstance(ways, (str, bytes)) or not isinstance(ways, (Mapping, Sequence)):
            raise BadInput(
                f"{where}: {named[0]!r} is a player and cannot name a move; write "
                f'{{"{named[0]}": [...]}} for a node where it moves, and other names for moves'
            )
        return {**{key: source[key] for key in source if key != named[0]}, "player": named[0], "moves": ways}

    def insist(self, source: Mapping[Any, Any], where: str) -> None:
        wrong = [str(key) for key in source if key not in ("choose", "chance", "name")]
        if sum(key in source for key in ("choose", "chance")) != 1 or wrong:
            also = f", and {wrong[0]!r} means nothing" if wrong else ""
            raise BadInput(f"{where} must have either 'choose' or 'chance'{also}")

    def plain(self, moves: Any, where: str, level: int) -> tuple[Branch, ...]:
        """The branches of a player's node: a list, or a dict of names."""
        return tuple(
            Branch(name, None, self.node(child, there, level + 1)) for name, child, there in self.listed(moves, where)
        )

    def by_chance(self, moves: Any, where: str, level: int) -> tuple[Branch, ...]:
        """The branches of a chance node: each one [probability, what follows], or what follows if all are equal."""
        found = []
        listed = self.listed(moves, where)
        if listed and not self.strict and not any(_is_list(child) for _, child, _ in listed):
            share = Fraction(1, len(listed))
            return tuple(Branch(name, share, self.node(child, there, level + 1)) for name, child, there in listed)
        for name, pair, there in listed:
            if isinstance(pair, str) or not isinstance(pair, Sequence) or len(pair) != 2:
                also = "" if self.strict else " (or all of them only what follows, where they are equally likely)"
                raise BadInput(f"{there} must be [probability, what follows]{also}")
            chance = probability(pair[0], f"the probability of {there}")
            found.append(Branch(name, chance, self.node(pair[1], there, level + 1)))
        return tuple(found)

    def listed(self, moves: Any, where: str) -> list[tuple[str, Any, str]]:
        """name, node and path of each branch."""
        if isinstance(moves, Mapping):
            return [(move_name(str(name), where), child, f"{where}.{name}") for name, child in moves.items()]
        if isinstance(moves, Sequence) and not isinstance(moves, (str, bytes)):
            return [("", child, f"{where}[{index}]") for index, child in enumerate(moves)]
        raise BadInput(f"{where}: 'moves' must be a list or a dict of nodes, not {moves!r}")


def _is_list(given: Any) -> bool:
    return isinstance(given, Sequence) and not isinstance(given, (str, bytes))
