"""What a GUI sets before our end of UCI searches: options, the book, a limited strength."""

from __future__ import annotations

import re
from bisect import bisect_right
from collections.abc import Callable
from itertools import accumulate
from pathlib import Path
from typing import Any

from ..engine import ALGORITHMS, Limit
from ..engine.alphabeta.transposition import memory, new_table
from ..engine.limits import MARGIN
from ..errors import BadInput, PlywrightError, shown
from ..game import Game
from ..players import Player
from ..players.searching import SearchPlayer
from ..rng import below
from .figures import whole

HASH, MOST_HASH = 64, 1 << 16
"""Megabytes of the transposition table, and the most that are ever offered."""
OFFERED = 0.75
"""Of the memory that is available at the start: what else the engine needs comes later."""
MOST_THREADS, MOST_LINES = 256, 256
OVERHEAD, MOST_OVERHEAD = round(1000 * MARGIN), 10_000
"""Milliseconds that are kept back of every clock, and the most that can be."""
ELO_NODES = ((1000, 95), (1400, 160), (1700, 360), (2000, 4000), (2200, 45_000), (2400, 500_000))
"""Nodes a move that an Elo stands for; in between by the logarithm (docs/chess.md has the matches)."""
LEAST_ELO, MOST_ELO = ELO_NODES[0][0], ELO_NODES[-1][0]


class Options:
    """The options of one conversation: which there are, and what has been given."""

    def __init__(self, game: Game, player: Player, remark: Callable[[str], None]) -> None:
        self.game, self.player, self.remark = game, player, remark
        self.most_hash = most_hash()
        self.given: dict[str, str] = {}
        self.book: Any = None

    def offered(self) -> dict[str, str]:
        """Options by name, with what UCI says of their types."""
        found = dict(self.game.uci_options)
        if self.game.overrides("read_uci_book"):
            found |= {"OwnBook": "check default false", "BookFile": "string default <empty>"}
        if isinstance(self.player, SearchPlayer):
            taken = {
                "table": ("Hash", f"spin default {HASH} min 1 max {self.most_hash}"),
                "threads": ("Threads", f"spin default 1 min 1 max {MOST_THREADS}"),
                "lines": ("MultiPV", f"spin default 1 min 1 max {MOST_LINES}"),
            }
            asked = self.player.asked
            found |= (taken[key] for key in taken if asked not in ALGORITHMS or key in ALGORITHMS[asked].options)
            found |= {
                "Ponder": "check default false",
                "Move Overhead": f"spin default {OVERHEAD} min {OVERHEAD} max {MOST_OVERHEAD}",
                "UCI_LimitStrength": "check default false",
                "UCI_Elo": f"spin default {MOST_ELO} min {LEAST_ELO} max {MOST_ELO}",
            }
        return found

    def change(self, rest: str, before: Callable[[], None]) -> None:
        """`name NAME value VALUE`, after `before`; what cannot be is said in an info string and changes nothing."""
        named, *behind = re.split(r"\svalue(?=\s|$)", rest, maxsplit=1)
        written, value = " ".join(named.split()[1:]), "".join(behind).strip()
        name = {name.lower(): name for name in self.offered()}.get(written.lower())
        if name is None or named.split()[0] != "name":
            self.remark(f"there is no option {shown(written or rest)}")
            return
        kind = self.offered()[name]
        if kind.startswith("spin"):
            low, high = (int(re.search(rf"{end} (-?\d+)", kind)[1]) for end in ("min", "max"))  # type: ignore[index]
            number = whole(value)
            if number is None or not low <= number <= high:
                self.remark(f"{name} is a whole number from {low} to {high}, not {shown(value)}")
                return
        elif kind.startswith("check") and value.lower() not in ("true", "false"):
            self.remark(f"{name} is true or false, not {shown(value)}")
            return
        before()
        if name == "BookFile" and not self.open_book(value):
            return
        if name == "Hash" and not self.has_room(value):
            return
        self.given[name] = value
        if name == "Threads" and isinstance(self.player, SearchPlayer):
            self.player.options["threads"] = int(value)

    def has_room(self, megabytes: str) -> bool:
        """Whether a table of this size fits now, without the one before; where it does not that is said."""
        assert isinstance(self.player, SearchPlayer)
        if self.given.get("Hash") == megabytes:
            return True
        self.player.forget()
        try:
            new_table(float(megabytes))  # it takes no memory before it is written to
        except PlywrightError as error:
            self.remark(str(error))
            return False
        return True

    def open_book(self, path: str) -> bool:
        """Take another book; one that cannot be read is said, and the one before it stays."""
        try:
            self.book = None if path in ("", "<empty>") else read_book(self.game, path)
        except PlywrightError as error:
            self.remark(str(error))
            return False
        return True

    def book_move(self, state: Any, rng: Any) -> int | None:
        """A move of the book, each as often as its weight says; None where it has none, or is not to be used."""
        if self.book is None or self.given.get("OwnBook", "false").lower() != "true":
            return None
        moves = [(action, weight) for action, weight in self.book.moves(state) if weight > 0]
        if not moves:
            return None
        ends = list(accumulate(weight for _, weight in moves))
        action: int = moves[bisect_right(ends, below(rng, ends[-1]))][0]
        return action

    def number(self, name: str) -> int | None:
        return whole(self.given[name]) if name in self.given else None

    def elo_limit(self, limit: Limit) -> Limit:
        """The limits of a player of the strength that was asked for: so many nodes, and no more time than given."""
        if self.given.get("UCI_LimitStrength", "false").lower() != "true":
            return limit
        nodes = nodes_for_elo(self.number("UCI_Elo") or MOST_ELO)
        return Limit(limit.depth, limit.time, min(nodes, limit.nodes or nodes), limit.soft)


def read_book(game: Game, path: str) -> Any:
    """The book in a file; what is no file, such as a pipe, could keep us for ever."""
    if Path(path).exists() and not Path(path).is_file():
        raise BadInput(f"the book {shown(path)} cannot be read: that is no file")
    return game.read_uci_book(path)


def most_hash() -> int:
    """Megabytes of the largest table that is offered: part of the memory that is available now, where that is known."""
    available = memory()
    return MOST_HASH if available is None else max(min(MOST_HASH, int(OFFERED * available / 1e6)), HASH)


def nodes_for_elo(elo: int) -> int:
    """Nodes a move at a strength, geometric between the points of ELO_NODES."""
    above = next(
        (place for place, (point, _) in enumerate(ELO_NODES) if place > 0 and elo <= point), len(ELO_NODES) - 1
    )
    (low, few), (high, many) = ELO_NODES[above - 1], ELO_NODES[above]
    return round(float(few * (many / few) ** ((elo - low) / (high - low))))
