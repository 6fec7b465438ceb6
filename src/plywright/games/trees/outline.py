"""The outline of a tree: its nodes as somebody wrote them, whichever way that was.

Numbers that were written exactly (whole numbers, fractions, decimals in a text) stay exact here, so
that a decision can be varied without rounding; a tree's arrays hold floats.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any, NamedTuple

from ...errors import BadInput
from ...game import CHANCE
from ...number import Number, check_sum, is_whole, number

MAX_LEVELS = 200
"""A deeper tree is refused: it is a mistake, such as a list that contains itself."""
PLAYERS = ("MAX", "MIN")


class Branch(NamedTuple):
    """One way on from a node: its name ("" where it has none) and, where chance moves, its probability."""

    name: str
    chance: Number | None
    node: Outline


@dataclass(frozen=True)
class Outline:
    """A node: a leaf has values, an inner node branches; what was not said is None or empty."""

    where: str = "root"
    values: tuple[Number, ...] = ()  # of a leaf: MAX's utility, or one for each player
    player: int | str | None = None  # who moves, by number or name; CHANCE where chance does
    estimate: tuple[Number, ...] = ()  # likewise, for searches that stop early
    branches: tuple[Branch, ...] = ()
    name: str = ""  # of the fact that chance decides, such as "weather"

    @property
    def is_chance(self) -> bool:
        return self.player == CHANCE


class Script(NamedTuple):
    """A whole tree as it was written; without players, the leaves tell how many there are."""

    root: Outline
    players: tuple[str, ...] = ()
    title: str = ""


def checked(node: Outline) -> Outline:
    """The node itself; raises BadInput where its branches make no sense."""
    if not node.branches:
        raise BadInput(f"{node.where}: a node without moves must be a number, its utility")
    seen: set[str] = set()
    for branch in node.branches:
        if branch.name and branch.name.lower() in seen:
            raise BadInput(
                f"{node.where}: two moves are called {branch.name!r}; moves of one node need different names"
            )
        seen.add(branch.name.lower())
    if node.is_chance:
        try:
            check_sum([branch.chance or 0 for branch in node.branches])
        except BadInput as error:
            raise BadInput(f"{node.where}: {error} (a third is written 1/3)") from None
    return node


def move_name(text: str, where: str) -> str:
    """The name of a move with single spaces; one that neither a line of moves nor a drawing could hold is refused."""
    name = " ".join(text.split())
    if not name or '"' in name or not name.isprintable():
        raise BadInput(f"{where}: {text!r} cannot be the name of a move; use letters and digits")
    return name


def value(given: Any, where: str, what: str) -> Number:
    """A finite number, exact where it was written so."""
    try:
        return number(given, what)
    except BadInput as error:
        raise BadInput(f"{where}: {error}") from None


def player_names(given: Any) -> tuple[str, ...]:
    """The declared players, the first to move first."""
    if isinstance(given, str) or not isinstance(given, Sequence) or not given or not all(map(str, given)):
        raise BadInput(f"'players' must name the players, the first to move first, not {given!r}")
    names = tuple(str(name) for name in given)
    for place, name in enumerate(names):
        if not name.isprintable():
            raise BadInput(f"{name!r} cannot be the name of a player; use letters and digits")
        if name.lower() == "chance":
            raise BadInput("'players' cannot have a player called 'chance': that is the name of the dice")
        if name.lower() in (other.lower() for other in names[:place]):
            raise BadInput(f"'players' must have different names, not {name!r} twice")
    return names


def player_number(given: int | str, where: str, names: tuple[str, ...]) -> int:
    """The number of a player given by number or by name, or CHANCE."""
    if is_whole(given) and (given == CHANCE or 0 <= given < len(names)):
        return given
    word = str(given).lower()
    for candidates in (names, PLAYERS[: len(names)] if len(names) <= 2 else ()):
        for place, name in enumerate(candidates):
            if name.lower() == word:
                return place
    known = ", ".join(dict.fromkeys((*names, *(PLAYERS if len(names) == 2 else ()))))
    raise BadInput(f"{where}: unknown player {given!r}; it is {known} or chance, or declare names as 'players'")
