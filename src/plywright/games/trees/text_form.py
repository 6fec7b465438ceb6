"""The text form of a tree, read token by token; `notation.py` shows what it looks like."""

from __future__ import annotations

import re
from fractions import Fraction
from typing import NamedTuple

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

_TOKEN = re.compile(
    r"""(?P<space>\s+|\#[^\n]*)
      | (?P<number>[+-]?(?:\d+/\d+|\d+\.?\d*|\.\d+)(?:[eE][+-]?\d+)?%?(?![\w/%]))
      | (?P<string>"[^"\n]*")
      | (?P<word>\w[\w.'/+-]*)
      | (?P<sign>[()\[\]<>,:~])""",
    re.VERBOSE,
)
_CLOSING = {"(": ")", "[": "]"}


class _Token(NamedTuple):
    kind: str
    text: str
    place: int


class _Label(NamedTuple):
    """What stands before a branch's colon: a name, a probability, or both; a bare number may be either."""

    name: str
    chance: str
    where: str

    @property
    def bare_number(self) -> bool:
        return bool(self.chance) and not self.name


class TreeText:
    """A reader of one text: one token after the other, one level of brackets a call."""

    def __init__(self, text: str) -> None:
        self.text = text
        self.tokens: list[_Token] = []
        self.next = 0
        self.names: tuple[str, ...] = ()
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
        return Script(root, self.names)

    def player_names(self) -> tuple[str, ...]:
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
        return player_names(names)

    def node(self, level: int) -> Outline:
        """A utility, or the player's name, the estimate and the branches in brackets."""
        token = self.peek()
        where = self.where(token.place)
        if level > MAX_LEVELS:
            raise BadInput(f"{where}: the tree is more than {MAX_LEVELS} levels deep")
        if token.kind == "number" or token.text == "<":
            return Outline(where, values=self.numbers("a utility"))
        player: int | str | None = None
        if token.kind in ("word", "string"):
            player = self.mover(where)
        estimate: tuple[Number, ...] = ()
        if self.peek().text == "~":
            self.take()
            if self.peek().kind != "number" and self.peek().text != "<":
                raise self.wrong("a number is expected after '~'")
            estimate = self.numbers("an estimate")
        opening = self.peek()
        if opening.text not in _CLOSING:
            raise self.wrong("a number, a player or '(' is expected")
        self.take()
        labelled = self.branches(opening, level)
        if player is None and any(label.chance for label, _ in labelled):
            player = CHANCE  # whoever means names of moves by such numbers says who moves
        if player == CHANCE and not any(label.chance for label, _ in labelled):  # all equally likely
            share = Fraction(1, max(len(labelled), 1))
            equal = tuple(Branch(label.name, share, child) for label, child in labelled)
            return checked(Outline(where, player=player, estimate=estimate, branches=equal))
        made = tuple(self.branch(label, child, player == CHANCE) for label, child in labelled)
        return checked(Outline(where, player=player, estimate=estimate, branches=made))

    def mover(self, where: str) -> int | str:
        """Who moves: the name as written, or CHANCE."""
        word = self.take().text.strip('"')
        if word.lower() in ("inf", "nan", "infinity"):
            raise BadInput(f"{where}: a utility must be a finite number, not {word!r}")
        if self.peek().text not in (*_CLOSING, "~") and word.lower() not in map(str.lower, (*self.names, *PLAYERS)):
            known = ", ".join(self.names or PLAYERS)
            raise BadInput(f"{where}: unknown player {word!r}; it is {known} or chance, with its moves in brackets")
        return CHANCE if word.lower() == "chance" else word

    def numbers(self, what: str) -> tuple[Number, ...]:
        """One number, or one for each player as in <1, 2, 6>."""
        opening = self.take()
        if opening.kind == "number":
            return (value(opening.text, self.where(opening.place), what),)
        found = []
        while self.peek().kind == "number":
            token = self.take()
            found.append(value(token.text, self.where(token.place), what))
            if self.peek().text == ",":
                self.take()
        if self.peek().text != ">" or not found:
            raise self.wrong("a number is expected" if not found else "a number or '>' is expected")
        self.take()
        return tuple(found)

    def branches(self, opening: _Token, level: int) -> list[tuple[_Label, Outline]]:
        found = []
        while self.peek().text not in _CLOSING.values():
            if self.peek().kind == "end":
                raise BadInput(f"{self.where(opening.place)}: this {opening.text!r} is never closed")
            label = self.label()
            found.append((label, self.node(level + 1)))
            if self.peek().text == ",":
                self.take()
        if self.peek().text != _CLOSING[opening.text]:
            raise self.wrong(f"{_CLOSING[opening.text]!r} is expected")
        self.take()
        return found

    def label(self) -> _Label:
        """What stands before the colon, if there is one: `rain`, `1/3` or `rain 1/3`."""
        where = self.where(self.peek().place)
        first, second = self.peek(), self.peek(1)
        if first.kind in ("word", "string", "number") and second.text == ":":
            self.next += 2
            if first.kind == "number":
                return _Label("", first.text, where)
            return _Label(move_name(first.text.strip('"'), where), "", where)
        if first.kind in ("word", "string") and second.kind == "number" and self.peek(2).text == ":":
            self.next += 3
            return _Label(move_name(first.text.strip('"'), where), second.text, where)
        return _Label("", "", where)

    def branch(self, label: _Label, child: Outline, by_chance: bool) -> Branch:
        if not by_chance:
            if label.chance and not label.bare_number:
                raise BadInput(f"{label.where}: {label.name!r} has a probability, but not chance moves here")
            return Branch(label.name or label.chance, None, child)
        if not label.chance:
            raise BadInput(
                f"{label.where}: where chance moves, each branch needs a probability, as in 1/3: 8, or none of them "
                f"(if a player moves here, name it: max(...))"
            )
        try:
            return Branch(label.name, probability(label.chance, "a probability"), child)
        except BadInput as error:
            raise BadInput(f"{label.where}: {error}") from None

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
