"""Backgammon as people write it: plays, rolls and positions.

A play is `24/18 13/11`, in the mover's own numbering, with `bar`, `off`, `*` for a hit and `(2)` for a
repeated part. One checker's steps are one part, `24/13`; a point on the way is written where it hits.
A position is GNU Backgammon's Position ID (the opponent's checkers, then the mover's: from the first
point to the bar as many ones as there are checkers and a zero, 80 bits in base 64), or its points:
`6:5 8:3 13:5 24:2 | 6:5 8:3 13:5 24:2`, the mover's first, each side in its own numbering.
"""

from __future__ import annotations

import base64
import binascii
import re
from collections import Counter
from collections.abc import Iterable, Sequence
from typing import NamedTuple

from ...errors import BadInput, shown

BAR, OFF, CHECKERS = 25, 0, 15
_POINT = r"(?:bar|off|[bo]|[0-9]{1,2})"
_PART = re.compile(rf"({_POINT}\*?(?:\s*[/-]\s*{_POINT}\*?)+)(?:\(([1-4])\))?")
PASSES = ("pass", "cannot move", "can't move", "no move", "dance", "-")


class Step(NamedTuple):
    """One checker by one die: from a point to a point, and whether a blot stood there."""

    source: int
    target: int
    hits: bool


# -- plays ------------------------------------------------------------------------------------------------


def format_play(steps: Iterable[Step]) -> str:
    """The canonical text of a play."""
    waiting = sorted(steps, reverse=True)
    parts: Counter[str] = Counter()
    while waiting:
        step = waiting.pop(0)
        text = f"{_name(step.source)}/"
        while following := next((other for other in waiting if other.source == step.target), None):
            text += f"{_name(step.target)}*/" if step.hits else ""
            waiting.remove(following)
            step = following
        parts[f"{text}{_name(step.target)}{'*' if step.hits else ''}"] += 1
    return " ".join(f"{part}({count})" if count > 1 else part for part, count in parts.items()) or "pass"


def ways_to_click(steps: Iterable[Step]) -> list[list[list[str]]]:
    """The play as points to click, a part for each checker that moves: only its first and last, or all of them."""
    waiting, chains = sorted(steps, reverse=True), []
    while waiting:
        chain = [waiting.pop(0)]
        while following := next((other for other in waiting if other.source == chain[-1].target), None):
            waiting.remove(following)
            chain.append(following)
        chains.append([_name(chain[0].source), *(_name(step.target) for step in chain)])
    ends = [[chain[0], chain[-1]] for chain in chains]
    return [] if not chains else [chains] if ends == chains else [ends, chains]


def read_play(text: str, plays: Sequence[Sequence[Step]]) -> int | None:
    """Which of the plays a text means, whatever the order of its parts; None if it means none of them.

    Hits need not be marked; of two plays that differ only in a hit on the way, the text without a mark
    is the one that hits less.
    """
    wanted = _parts(text)
    if wanted is None:
        return None
    found: list[tuple[int, int, int]] = []
    for number, play in enumerate(plays):
        hits = {step.target for step in play if step.hits}
        if _net((step.source, step.target) for step in play) == wanted.net and wanted.hits <= hits:
            found.append((-len(hits & wanted.through), len(hits), number))
    return min(found)[2] if found else None


class _Wanted(NamedTuple):
    """What a text asks for: checkers less and more by point, points that must be hit, points on the way."""

    net: Counter[int]
    hits: set[int]
    through: set[int]


def _parts(text: str) -> _Wanted | None:
    """The parts of a play; None where the text is none."""
    text = text.strip().lower()
    if text in PASSES:
        return _Wanted(Counter(), set(), set())
    moves: list[tuple[int, int]] = []
    hits: set[int] = set()
    through: set[int] = set()
    rest = text
    while rest := rest.lstrip(" ,;"):
        found = _PART.match(rest)
        if found is None:
            return None
        rest = rest[found.end() :]
        words = [word.strip() for word in re.split(r"[/-]", found[1])]
        points = [_number(word.rstrip("*")) for word in words]
        hits |= {point for point, word in zip(points, words, strict=True) if word.endswith("*")}
        through |= set(points[1:-1])
        moves += [(points[0], points[-1])] * int(found[2] or 1)
    return _Wanted(_net(moves), hits, through) if moves else None


def _net(moves: Iterable[tuple[int, int]]) -> Counter[int]:
    """How many checkers more (or less) each point has."""
    change: Counter[int] = Counter()
    for source, target in moves:
        change[source] -= 1
        change[target] += 1
    return Counter({point: count for point, count in change.items() if count})


def _name(point: int) -> str:
    return {BAR: "bar", OFF: "off"}.get(point, str(point))


def _number(word: str) -> int:
    if word in ("bar", "b"):
        return BAR
    return OFF if word in ("off", "o") else int(word)


def split_plays(text: str) -> list[str]:
    """The rolls and plays of a transcript: parts that no roll separates are one play."""
    text = re.sub(r"(?<=[0-9])\s*:", " ", text)  # `65: 24/13`
    text = re.sub(r"(?<!\S)[0-9]{1,3}[.)](?=\s)", " ", text)  # numbers of moves
    moves: list[str] = []
    glue = False
    for word in text.replace(",", " ").replace(";", " ").split():
        part = "/" in word or bool(re.fullmatch(rf"\(?[0-9]{{1,2}}\)?-{_POINT}", word) and not _is_roll(word))
        if part and glue:
            moves[-1] += f" {word}"
        else:
            moves.append(word)
        glue = part
    return moves


def _is_roll(word: str) -> bool:
    return re.fullmatch(r"[1-6]-?[1-6]", word) is not None


# -- rolls ------------------------------------------------------------------------------------------------


def read_roll(text: str, opening: bool) -> int:
    """A roll as 10 times one die plus the other, larger first unless the game opens; raises BadInput."""
    found = re.fullmatch(r"\(?\s*([0-9])\s*[-, /+x]?\s*([0-9])\s*\)?:?", text.strip().lower())
    if found is None or not all(found[n] in "123456" for n in (1, 2)):
        raise BadInput(f"{shown(text)} is not a roll of two dice: write two numbers from 1 to 6, such as 65")
    one, other = int(found[1]), int(found[2])
    if opening and one == other:
        raise BadInput(f"{text!r} cannot open the game: equal dice are thrown again; 65 means that White begins")
    return 10 * one + other if opening else 10 * max(one, other) + min(one, other)


# -- positions --------------------------------------------------------------------------------------------


def position_id(mover: Sequence[int], opponent: Sequence[int]) -> str:
    """GNU Backgammon's Position ID; the counts go by point, 1 to 25."""
    bits = "".join("1" * count + "0" for side in (opponent, mover) for count in side[1 : BAR + 1])
    number = int(bits.ljust(80, "0")[::-1], 2)
    return base64.b64encode(number.to_bytes(10, "little")).decode().rstrip("=")


def read_position(text: str) -> tuple[list[int], list[int]] | None:
    """The checkers of mover and opponent by point, 0 to 25; None if it is no position at all.

    Raises BadInput where it is one that cannot be.
    """
    sides = _from_points(text) if ":" in text or "|" in text else _from_id(text)
    if sides is not None and (why := impossible_sides(*sides)):
        raise BadInput(f"{text!r}: {why}")
    return sides


def _from_id(text: str) -> tuple[list[int], list[int]] | None:
    if not re.fullmatch(r"[A-Za-z0-9+/]{14}", text):
        return None
    try:
        bits = "".join(f"{byte:08b}"[::-1] for byte in base64.b64decode(text + "=="))
    except binascii.Error:
        return None
    groups = bits.split("0")  # the ones before each zero
    if len(groups) < 51 or any(groups[50:]):
        raise BadInput(f"{text!r} is not a Position ID: its bits do not end after 50 points")
    counts = [len(group) for group in groups[:50]]
    return [0, *counts[25:]], [0, *counts[:25]]


def _from_points(text: str) -> tuple[list[int], list[int]] | None:
    halves = text.split("|")
    if len(halves) != 2:
        raise BadInput(f"{text!r}: write both sides with a | between them, such as '6:5 8:3 13:5 24:2 | 19:15'")
    return _side(halves[0]), _side(halves[1])


def _side(text: str) -> list[int]:
    counts = [0] * (BAR + 1)
    for word in text.replace(",", " ").split():
        found = re.fullmatch(r"(bar|[0-9]{1,2}):([0-9]{1,2})", word.lower())
        point = BAR if found and found[1] == "bar" else int(found[1]) if found else 0
        if found is None or not 1 <= point <= BAR:
            raise BadInput(f"{word!r} is not a point with checkers: write such as 6:5, or bar:1, points 1 to 24")
        counts[point] += int(found[2])
    return counts


def impossible_sides(mover: Sequence[int], opponent: Sequence[int]) -> str:
    """What is wrong with the checkers of both by point, as a sentence; empty where nothing is."""
    for name, side in (("the player on roll", mover), ("the opponent", opponent)):
        if sum(side) > CHECKERS:
            return f"{name} has {sum(side)} checkers; a player has {CHECKERS}"
    if not any(mover) and not any(opponent):
        return "nobody has a checker left; one side at least must have some"
    for point in range(1, BAR):
        if mover[point] and opponent[BAR - point]:
            return f"both players have checkers on the mover's point {point}; a point has one owner"
    return ""
