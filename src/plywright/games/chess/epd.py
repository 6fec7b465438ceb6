"""EPD: positions with operations, one per line, as test suites use them: `... w - - bm Nf3; id "suite 1";`"""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, Any, NamedTuple

from ...errors import BadInput, shown

if TYPE_CHECKING:
    from .rules import Chess

OPERATION = re.compile(r'\s*([A-Za-z][A-Za-z0-9_]*)((?:\s+(?:"[^"]*"|[^";\s]+))*)\s*(?:;|$)')
OPERAND = re.compile(r'"([^"]*)"|(\S+)')
MOST_MOVES = 218
"""Moves that `bm` or `am` may name: no position of chess has more."""


class Epd(NamedTuple):
    """A position, its operations by name, and of `bm` and `am` the actions that are best or to be avoided."""

    state: Any
    operations: dict[str, list[str]]
    best: list[int]
    avoid: list[int]

    @property
    def name(self) -> str:
        return " ".join(self.operations.get("id", []))


def read_epd(game: Chess, line: str) -> Epd:
    """One line of an EPD file; raises BadInput that says what is wrong with it."""
    fields = line.split(maxsplit=4)
    if len(fields) < 4:
        raise BadInput(f"{shown(line)} is not an EPD: it has four fields, then operations such as 'bm Nf3;'")
    rest = fields[4].rstrip() if len(fields) > 4 else ""
    counters = re.match(r"(\d+)\s+(\d+)(?:\s+|$)", rest)
    text = " ".join(fields[:4])
    if counters:
        text, rest = f"{text} {counters[0]}", rest[counters.end() :]
    operations: dict[str, list[str]] = {}
    place = 0
    while place < len(rest):
        found = OPERATION.match(rest, place)
        if found is None:
            raise BadInput(f"{shown(rest[place:])} is no operation of an EPD: they are written like 'bm Nf3;'")
        operations[found[1]] = [quoted or bare for quoted, bare in OPERAND.findall(found[2])]
        place = found.end()
    if not counters:
        numbers = [operations.get(name, [default])[:1] for name, default in (("hmvc", "0"), ("fmvn", "1"))]
        text = f"{text} {' '.join(number[0] if number else '0' for number in numbers)}"
    state = game.read_state(text)
    best, avoid = (_moves(game, state, operations, name) for name in ("bm", "am"))
    if why := _why_unsolvable(game, state, best, avoid):
        raise BadInput(f"{shown(line)} can never be solved: {why}")
    return Epd(state, operations, best, avoid)


def _moves(game: Chess, state: Any, operations: dict[str, list[str]], name: str) -> list[int]:
    """The actions that an operation names, each once; commas between them are no part of a move."""
    texts = list(dict.fromkeys(" ".join(operations.get(name, [])).replace(",", " ").split()))
    if len(texts) > MOST_MOVES:
        raise BadInput(f"{name} names {len(texts):,} moves: no position of chess has more than {MOST_MOVES}")
    return list(dict.fromkeys(game.parse_action(state, text) for text in texts))


def _why_unsolvable(game: Chess, state: Any, best: list[int], avoid: list[int]) -> str:
    """Why no move would be right, as a sentence without its full stop; empty where one would."""
    if best and set(best) <= set(avoid):
        return f"bm and am both name {', '.join(game.format_action(state, action) for action in best)}"
    if avoid and set(map(int, game.actions(state))) <= set(avoid):
        return "am names every legal move"
    return ""


def read_suite(game: Chess, text: str) -> list[Epd]:
    """All positions of a file; empty lines and those that begin with # are left out."""
    found = []
    for number, line in enumerate(text.removeprefix("\ufeff").splitlines(), 1):
        if line.strip() and not line.lstrip().startswith("#"):
            try:
                found.append(read_epd(game, line.strip()))
            except BadInput as error:
                raise BadInput(f"line {number}: {error}") from None
    return found


def write_epd(game: Chess, state: Any, **operations: str) -> str:
    """A position with operations, each text as it is to stand."""
    text = " ".join(game.format_state(state).split()[:4])
    return " ".join([text, *(f"{name} {value};" for name, value in operations.items())])
