"""How people write game trees: nested lists, dicts, JSON, and a text form. All become one outline.

    [[3, 12, 8], [2, 4, 6], [14, 5, 2]]                   levels alternate MAX, MIN from the root
    {"player": "MAX", "moves": {"a1": 3, "a2": {"player": "MIN", "moves": [2, 4]}}}
    max(a1: min(b1: 3, b2: 12), a2: min~5(2, 4))          ~5 is an estimate, for searches that stop early
    players(Anna, Ben)  Anna(left: 3, right: Ben(2, 4))   the first player is MAX

Whatever is wrong is told in one sentence with the line and column, or the path, where it is.
"""

from __future__ import annotations

import json
import math
import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from numbers import Real
from typing import Any, NamedTuple, NoReturn

from ..errors import BadInput

MAX_LEVELS = 200
"""A deeper tree is refused: it is a mistake, such as a list that contains itself."""

NODE_KEYS = ("player", "moves", "estimate", "utility")
FILE_KEYS = ("players", "tree", "title")
PLAYERS = ("MAX", "MIN")


@dataclass
class Outline:
    """A node as it was written: a leaf has a value, an inner node its moves; None means not said."""

    where: str
    value: float | None = None
    player: int | None = None
    estimate: float | None = None
    moves: list[tuple[str, Outline]] = field(default_factory=list)  # an unnamed move is ""


class Script(NamedTuple):
    """A whole tree as it was written."""

    root: Outline
    players: tuple[str, str] = ("MAX", "MIN")
    title: str = ""


def read_tree(source: Any) -> Script:
    """The outline of a tree given as lists, dicts or text; raises BadInput where it makes no sense."""
    if not isinstance(source, str):
        return _read_object(source)
    stripped = source.lstrip()
    if stripped.startswith("{") or (stripped.startswith("[") and "{" in stripped):
        return read_json(source)
    return _Text(source).script()


def read_json(text: str) -> Script:
    """The outline of a tree written as JSON."""

    def pairs(items: list[tuple[str, Any]]) -> dict[str, Any]:
        found = dict(items)
        if len(found) < len(items):
            twice = next(key for key, _ in items if sum(key == other for other, _ in items) > 1)
            raise BadInput(f"the name {twice!r} is used twice in one JSON object: give each move a name of its own")
        return found

    def constant(word: str) -> NoReturn:
        raise BadInput(f"the JSON has {word} where a utility must be a finite number")

    try:
        source = json.loads(text, object_pairs_hook=pairs, parse_constant=constant)
    except json.JSONDecodeError as error:
        raise BadInput(f"line {error.lineno}, column {error.colno}: this is not JSON ({error.msg})") from None
    except RecursionError:
        raise BadInput(f"the JSON is nested more than {MAX_LEVELS} levels deep") from None
    return _read_object(source)


# -- lists and dicts ------------------------------------------------------------------------------------


def _read_object(source: Any) -> Script:
    names, title = PLAYERS, ""
    if isinstance(source, Mapping) and "tree" in source:
        for key in source:
            if key not in FILE_KEYS:
                raise BadInput(f"the tree has an unknown key {key!r}; beside 'tree' there may be 'players' and 'title'")
        names = _player_names(source.get("players", PLAYERS))
        title = str(source.get("title", ""))
        source = source["tree"]
    root = _outline(source, "root", names, 0)
    if not root.moves:
        raise BadInput("root: a tree needs at least one move at its root")
    return Script(root, names, title)


def _player_names(given: Any) -> tuple[str, str]:
    if isinstance(given, str) or not isinstance(given, Sequence) or len(given) != 2 or not all(map(str, given)):
        raise BadInput(f"'players' must name two players, MAX first, not {given!r}")
    first, second = str(given[0]), str(given[1])
    if first.lower() == second.lower():
        raise BadInput(f"'players' must have two different names, not {first!r} twice")
    return first, second


def _outline(source: Any, where: str, names: tuple[str, str], level: int) -> Outline:
    if level > MAX_LEVELS:
        raise BadInput(f"the tree is more than {MAX_LEVELS} levels deep: does a list contain itself?")
    if isinstance(source, Mapping):
        return _outline_of_dict(source, where, names, level)
    if isinstance(source, Sequence) and not isinstance(source, (str, bytes)):
        node = Outline(where)
        for index, child in enumerate(source):
            node.moves.append(("", _outline(child, f"{where}[{index}]", names, level + 1)))
        return _not_empty(node)
    return Outline(where, value=_number(source, where, "a utility"))


def _outline_of_dict(source: Mapping[Any, Any], where: str, names: tuple[str, str], level: int) -> Outline:
    if not any(key in source for key in NODE_KEYS):  # the moves themselves
        source = {"moves": source}
    for key in source:
        if key not in NODE_KEYS:
            raise BadInput(f"{where}: unknown key {key!r}; a node may have {', '.join(map(repr, NODE_KEYS))}")
    if "utility" in source:
        if len(source) > 1:
            raise BadInput(f"{where}: a node with a 'utility' is a leaf and can have nothing else")
        return Outline(where, value=_number(source["utility"], where, "a utility"))
    if "moves" not in source:
        raise BadInput(f"{where}: an inner node needs 'moves', a leaf is a number or has a 'utility'")
    node = Outline(where)
    if "player" in source:
        node.player = player_number(source["player"], where, names)
    if "estimate" in source:
        node.estimate = _number(source["estimate"], where, "an estimate")
    moves = source["moves"]
    if isinstance(moves, Mapping):
        for name, child in moves.items():
            node.moves.append((move_name(str(name), where), _outline(child, f"{where}.{name}", names, level + 1)))
    elif isinstance(moves, Sequence) and not isinstance(moves, (str, bytes)):
        for index, child in enumerate(moves):
            node.moves.append(("", _outline(child, f"{where}[{index}]", names, level + 1)))
    else:
        raise BadInput(f"{where}: 'moves' must be a list or a dict of nodes, not {moves!r}")
    return _not_empty(node)


def _not_empty(node: Outline) -> Outline:
    if not node.moves:
        raise BadInput(f"{node.where}: a node without moves must be a number, its utility")
    seen: set[str] = set()
    for name, _ in node.moves:
        if name and name.lower() in seen:
            raise BadInput(f"{node.where}: two moves are called {name!r}; moves of one node need different names")
        seen.add(name.lower())
    return node


def move_name(text: str, where: str) -> str:
    """The name of a move with single spaces; one that a line of moves could not hold is refused."""
    name = " ".join(text.split())
    if not name or '"' in name:
        raise BadInput(f"{where}: {text!r} cannot be the name of a move; use letters and digits")
    return name


def _number(value: Any, where: str, what: str) -> float:
    if isinstance(value, bool) or not isinstance(value, Real):
        raise BadInput(f"{where}: {what} must be a number, not {value!r}")
    number = float(value)
    if not math.isfinite(number):
        raise BadInput(f"{where}: {what} must be finite, not {value!r}")
    return number


def player_number(given: Any, where: str, names: tuple[str, str]) -> int:
    """0 for MAX and 1 for MIN, by number or by name."""
    if isinstance(given, int) and not isinstance(given, bool) and given in (0, 1):
        return given
    word = str(given).lower()
    for candidates in (names, PLAYERS):
        for number, name in enumerate(candidates):
            if name.lower() == word:
                return number
    if word == "chance":
        raise BadInput(f"{where}: chance nodes have no place in a tree of two players without dice")
    known = " or ".join(dict.fromkeys((*names, *PLAYERS)))
    raise BadInput(f"{where}: unknown player {given!r}; it is {known}, or declare two names as 'players'")


# -- the text form ----------------------------------------------------------------------------------------

_TOKEN = re.compile(
    r"""(?P<space>\s+|\#[^\n]*)
      | (?P<number>[+-]?(?:\d+\.?\d*|\.\d+)(?:[eE][+-]?\d+)?(?![\w]))
      | (?P<string>"[^"\n]*")
      | (?P<word>\w[\w.'/+-]*)
      | (?P<sign>[()\[\],:~])""",
    re.VERBOSE,
)
_CLOSING = {"(": ")", "[": "]"}


class _Token(NamedTuple):
    kind: str
    text: str
    place: int


class _Text:
    """A reader of the text form: one token after the other, one level of brackets a call."""

    def __init__(self, text: str) -> None:
        self.text = text
        self.tokens: list[_Token] = []
        self.next = 0
        self.names: tuple[str, str] = ("MAX", "MIN")
        place = 0
        while place < len(text):
            found = _TOKEN.match(text, place)
            if found is None:
                raise BadInput(f"{self.where(place)}: {text[place]!r} has no meaning in a tree")
            if found.lastgroup != "space":
                self.tokens.append(_Token(str(found.lastgroup), found[0], place))
            place = found.end()
        self.tokens.append(_Token("end", "", len(text)))

    def script(self) -> Script:
        first = self.peek()
        if first.kind == "end":
            raise BadInput("the tree is empty: write for example max(a1: min(3, 12), a2: 2)")
        if first.text.lower() == "players":
            self.take()
            self.names = self.player_names()
        root = self.node(0)
        if self.peek().kind != "end":
            raise self.wrong("nothing more is expected after the tree")
        if not root.moves:
            raise BadInput(f"{root.where}: a tree needs at least one move at its root")
        return Script(root, self.names)

    def player_names(self) -> tuple[str, str]:
        if self.peek().text not in _CLOSING:
            raise self.wrong("names in brackets are expected after 'players'")
        self.take()
        names = []
        while self.peek().kind in ("word", "string"):
            names.append(self.take().text.strip('"'))
            if self.peek().text == ",":
                self.take()
        if self.peek().text not in _CLOSING.values():
            raise self.wrong("a name or ')' is expected")
        self.take()
        return _player_names(names)

    def node(self, level: int) -> Outline:
        """A number, or the player's name, the estimate and the moves in brackets."""
        token = self.peek()
        where = self.where(token.place)
        if level > MAX_LEVELS:
            raise BadInput(f"{where}: the tree is more than {MAX_LEVELS} levels deep")
        if token.kind == "number":
            return Outline(where, value=_number(float(self.take().text), where, "a utility"))
        node = Outline(where)
        if token.kind in ("word", "string"):
            if token.text.lower() in ("inf", "nan", "infinity"):
                raise BadInput(f"{where}: a utility must be finite, not {token.text!r}")
            node.player = player_number(self.take().text.strip('"'), where, self.names)
        if self.peek().text == "~":
            self.take()
            if self.peek().kind != "number":
                raise self.wrong("a number is expected after '~'")
            node.estimate = _number(float(self.take().text), where, "an estimate")
        opening = self.peek()
        if opening.text not in _CLOSING:
            raise self.wrong("a number, a player or '(' is expected")
        self.take()
        self.moves(node, opening, level)
        return _not_empty(node)

    def moves(self, node: Outline, opening: _Token, level: int) -> None:
        while self.peek().text not in _CLOSING.values():
            if self.peek().kind == "end":
                raise BadInput(f"{self.where(opening.place)}: this {opening.text!r} is never closed")
            name = ""
            if self.peek(1).text == ":" and self.peek().kind in ("word", "string", "number"):
                name = move_name(self.peek().text.strip('"'), self.where(self.peek().place))
                self.next += 2
            node.moves.append((name, self.node(level + 1)))
            if self.peek().text == ",":
                self.take()
        if self.peek().text != _CLOSING[opening.text]:
            raise self.wrong(f"{_CLOSING[opening.text]!r} is expected")
        self.take()

    def peek(self, ahead: int = 0) -> _Token:
        return self.tokens[min(self.next + ahead, len(self.tokens) - 1)]

    def take(self) -> _Token:
        token = self.peek()
        self.next = min(self.next + 1, len(self.tokens) - 1)
        return token

    def where(self, place: int) -> str:
        line = self.text.count("\n", 0, place) + 1
        return f"line {line}, column {place - self.text.rfind(chr(10), 0, place)}"

    def wrong(self, what: str) -> BadInput:
        token = self.peek()
        found = repr(token.text) if token.kind != "end" else "the end"
        return BadInput(f"{self.where(token.place)}: {what}, not {found}")
