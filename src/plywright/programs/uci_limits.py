"""What a `go` line of UCI asks for: limits, flags and moves, and what in it means nothing."""

from __future__ import annotations

import re
from itertools import pairwise
from typing import Any

from ..engine import Limit
from ..engine.limits import MARGIN
from ..players import Clock, Mode
from .figures import whole

DAY = 86400.0
"""Seconds of a search that ends by `stop`: as good as for ever, and every search takes a time."""
NUMBERS = ("wtime", "btime", "winc", "binc", "movestogo", "depth", "nodes", "movetime", "mate", "perft")
BEYOND_MATE = 8  # plies that a selective search may need beyond the mate it is asked for
FLAGS = ("infinite", "ponder", "searchmoves")


def words_of_go(text: str) -> dict[str, Any]:
    """What a `go` line says: numbers by name, flags, and the list of `searchmoves`; what cannot be read is left out."""
    found: dict[str, Any] = {}
    moves: list[str] | None = None
    for word, after in pairwise([*text.split(), ""]):
        if word in NUMBERS or word in FLAGS:
            moves = None
        if word in ("infinite", "ponder"):
            found[word] = True
        elif word == "searchmoves":
            moves = found[word] = []
        elif word in NUMBERS:
            if (number := whole(after)) is not None:
                found[word] = number
        elif moves is not None:
            moves.append(word)
    return found


def senseless(text: str, seat: int) -> list[str]:
    """What a `go` line says that means nothing: words and numbers that cannot be read, the other clock alone."""
    words, found = text.split(), []
    moves = "searchmoves" in words
    for index, word in enumerate(words):
        before = words[index - 1] if index else ""
        if word in NUMBERS:
            after = words[index + 1] if index + 1 < len(words) else ""
            # a number that is too long to be read is as good as no limit, which is what it asks for
            if not re.fullmatch(r"[+-]?[0-9]+", after) or (word in ("mate", "perft") and (whole(after) or 0) < 1):
                found.append(" ".join(words[index : index + 2]))
        elif word not in FLAGS and before not in NUMBERS and not moves:
            found.append(word)
    asked = words_of_go(text)
    own, other = ("wtime", "btime") if seat == 0 else ("btime", "wtime")
    if other in asked and own not in asked:
        found.append(other)
    return found


def read_go(text: str, seat: int, overhead: float = MARGIN) -> Clock:
    """The clock of a `go` line; without any limit that can be read it is infinite, until `stop`.

    Several limits hold together: the first that is reached ends the search. `overhead` is the seconds that a move
    loses on its way; what is more than the usual margin is taken off the clock.
    """
    lost = max(overhead - MARGIN, 0)
    asked = words_of_go(text)
    depth, nodes = (max(asked[kind], 1) if kind in asked else None for kind in ("depth", "nodes"))
    if asked.get("mate", 0) > 0:
        depth = min(depth or 1 << 30, 2 * asked["mate"] + BEYOND_MATE)
    depth = None if depth is None else min(depth, 1 << 20)
    nodes = None if nodes is None else min(nodes, 1 << 60)
    mode, left = Mode("move", DAY), DAY
    side = "w" if seat == 0 else "b"
    given: Limit | None = None
    if "movetime" in asked:
        left = max(asked["movetime"], 1) / 1000
        mode = Mode("move", left)
        given = Limit(time=max(left - min(0.02, left / 4) - lost, 0.001))
    elif f"{side}time" in asked:
        left = max(asked[f"{side}time"] / 1000 - lost, 0.001)
        increment, to_go = max(asked.get(f"{side}inc", 0), 0) / 1000, asked.get("movestogo")
        mode = Mode("move", left) if to_go == 1 else Mode("budget", left, increment)
        given = Limit.for_clock(left, increment, to_go if to_go and to_go > 0 else None)
    elif depth is not None:
        return Clock(Mode("depth", depth), given=Limit(depth, None, nodes) if nodes else Limit(depth))
    elif nodes is not None:
        return Clock(Mode("nodes", nodes), given=Limit(nodes=nodes))
    if given is None:
        return Clock(mode, left)
    return Clock(mode, left, given=Limit(depth, given.time, nodes, given.soft))


def is_endless(limit: Limit) -> bool:
    """Whether only `stop` ends a search with these limits."""
    return limit.depth is None and limit.nodes is None and (limit.time is None or limit.time > DAY / 2)
