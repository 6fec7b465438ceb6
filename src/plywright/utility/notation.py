"""Lotteries as the books write them: `[0.8, $4k; 0.2, [1/2, ticket; 1/2, 0]]`.

Probabilities are decimals, fractions or percentages; a prize is a number, a name, a name in double
quotes where it has brackets, commas or semicolons, or a lottery. All numbers are read exactly.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping
from typing import NoReturn

from ..errors import BadInput
from ..number import Number, written_number
from .lottery import MAX_LEVELS, Lottery, Prize

_TOKEN = re.compile(r'\s*(?:([\[\],;])|"([^"]*)"|([^\s\[\],;"][^\[\],;"]*))')
_PLAIN = re.compile(r'[^\s\[\],;"<>~=][^\[\],;"<>~=]*')


def parse_lottery(text: str, names: Mapping[str, Lottery] | None = None) -> Lottery:
    """The lottery a text means: a bracketed one, a name from `names`, or a prize for certain."""
    if not isinstance(text, str):
        raise BadInput(f"a lottery is written as a text such as '[0.5, 1000; 0.5, 0]', not as {text!r}")
    if names is not None and not isinstance(names, Mapping):
        raise BadInput(f"names are given as a mapping from names to lotteries, not {names!r}")
    return _Reader(text, names or {}).whole()


def parse_definitions(texts: Iterable[str], known: Mapping[str, Lottery] | None = None) -> dict[str, Lottery]:
    """Names given to lotteries, as in `A=[0.8, 4000; 0.2, 0]`; later ones may mention earlier ones and the `known`."""
    names: dict[str, Lottery] = dict(known or {})
    mentioned: dict[str, str] = {}  # a prize by its bare name -> the lottery in whose definition it stands
    for text in texts:
        name, equals, meaning = (part.strip() for part in text.partition("="))
        if not equals or not _PLAIN.fullmatch(name):
            raise BadInput(f"{text!r} defines no lottery: write NAME=[probability, prize; ...]")
        if name in names:
            raise BadInput(f"{name!r} is defined twice")
        if written_number(name) is not None:
            raise BadInput(f"{name!r} cannot be the name of a lottery: it is a number")
        if name in mentioned:
            raise BadInput(f"{mentioned[name]} mentions {name} before {name} is defined: define {name} first")
        reader = _Reader(meaning, names)
        try:
            names[name] = reader.whole()
        except BadInput as error:
            raise BadInput(f"{name}: {error}") from None
        if name in reader.strangers:
            raise BadInput(f"{name} is defined by itself: a definition may mention only those before it")
        mentioned |= dict.fromkeys(reader.strangers, name)
    return names


def quoted(name: str) -> str:
    """A name so that it can be read back: in quotes where it needs them."""
    plain = _PLAIN.fullmatch(name) and name == name.strip() and written_number(name) is None
    return name if plain else '"' + name.replace('"', "'") + '"'


class _Reader:
    """A text taken apart from left to right."""

    def __init__(self, text: str, names: Mapping[str, Lottery]) -> None:
        self.text, self.names = text, names
        self.place = 0
        self.strangers: set[str] = set()  # bare names that are not among `names`, and so are prizes

    def whole(self) -> Lottery:
        """The lottery that the whole text means."""
        if not self.text.strip():
            raise BadInput("the lottery is empty: write one such as '[0.5, 1000; 0.5, 0]'")
        found = self.prize(0)
        self.end()
        return Lottery.certain(found)

    def peek(self) -> tuple[str, str]:
        """The kind of what comes next (mark, quoted, word or end) and the thing itself."""
        found = _TOKEN.match(self.text, self.place)
        if found is None:
            rest = self.text[self.place :].strip()
            if rest:
                self.refuse("the quotation mark has no partner")
            return "end", ""
        if found[1]:
            return "mark", found[1]
        return ("quoted", found[2]) if found[2] is not None else ("word", found[3].strip())

    def take(self) -> tuple[str, str]:
        kind, word = self.peek()
        found = _TOKEN.match(self.text, self.place)
        self.place = found.end() if found else len(self.text)
        return kind, word

    def refuse(self, what: str) -> NoReturn:
        raise BadInput(f"{self.text!r} is no lottery: {what} (character {self.place + 1})")

    def expect(self, *marks: str) -> str:
        kind, word = self.peek()
        if kind != "mark" or word not in marks:
            self.refuse(f"{' or '.join(marks)} is expected before {word or 'the end'!r}")
        return self.take()[1]

    def end(self) -> None:
        if self.peek()[0] != "end":
            self.refuse(f"nothing should follow the lottery, but {self.peek()[1]!r} does")

    def prize(self, level: int) -> Prize:
        """A number, a name or a lottery."""
        kind, word = self.peek()
        if (kind, word) == ("mark", "["):
            if level >= MAX_LEVELS:
                raise BadInput(f"the lottery is nested more than {MAX_LEVELS} levels deep")
            return self.lottery(level + 1)
        if kind == "mark" or kind == "end" or not word:
            self.refuse(f"a prize is expected before {word or 'the end'!r}")
        self.take()
        if kind == "quoted":
            return word
        if word.startswith("="):
            self.refuse(f"a name does not begin with =; write {word.lstrip('= ') or 'a prize'}, or put it in quotes")
        value = written_number(word)
        if value is None and word.lower().lstrip("+-") in ("nan", "inf", "infinity"):
            self.refuse(f"a prize must be a finite number or a name, not {word}")
        if value is None and word not in self.names:
            self.strangers.add(word)
        return self.names.get(word, word) if value is None else value

    def lottery(self, level: int) -> Lottery:
        self.expect("[")
        if self.peek() == ("mark", "]"):
            raise BadInput(f"{self.text!r} is no lottery: it has no prizes; [1, prize] is the certain one")
        outcomes = []
        while True:
            chance = self.probability()
            self.expect(",")
            outcomes.append((chance, self.prize(level)))
            if self.expect(";", "]") == "]":
                return Lottery(outcomes)

    def probability(self) -> Number:
        kind, word = self.peek()
        value = written_number(word) if kind == "word" else None
        if value is None:
            self.refuse(f"a probability such as 0.25, 1/4 or 25% is expected, not {word or 'the end'!r}")
        self.take()
        return value
