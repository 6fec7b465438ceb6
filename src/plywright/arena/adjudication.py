"""A game ended by agreement: both players have seen for some moves that one of them wins, or that nobody does.

    --adjudicate win:6:4                    # both see a lead of 6 or more, 4 moves of each running
    --adjudicate win:6:4,draw:0.1:8:40      # or both see 0.1 or less, 8 moves of each running, from move 40 on

What counts is what each player says of its own moves, in the unit of the game's evaluation (pawns in chess), as match
managers of chess do. One that says nothing about its moves is played to the end. The rule is part of the plan of a run,
fixed before its first game.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from typing import NamedTuple

from ..errors import BadInput, shown
from ..game import CHANCE, Game
from .game_record import Ply

_AMOUNT, _COUNT = r"(\d{1,9}(?:\.\d{1,9})?)", r"([1-9]\d{0,3})"
_RULES = {"win": rf"win:{_AMOUNT}:{_COUNT}", "draw": rf"draw:{_AMOUNT}:{_COUNT}:(\d{{1,4}})"}


class Adjudication(NamedTuple):
    """When a game is over by agreement; a part whose count of moves is 0 is not asked for."""

    lead: float
    lead_moves: int
    level: float
    level_moves: int
    level_from: int
    unit: float
    """What one of these is in the game's utility."""

    @classmethod
    def parse(cls, text: str, game: Game) -> Adjudication:
        """From `win:6:4,draw:0.1:8:40`; raises BadInput with the way it is written."""
        parts = [part.strip() for part in text.split(",")]
        found = {kind: match for part in parts for kind, rule in _RULES.items() if (match := re.fullmatch(rule, part))}
        if len(found) != len(parts):
            raise BadInput(
                f"{shown(text)} says not when to adjudicate: write win:LEAD:MOVES, draw:VALUE:MOVES:FROM, or "
                "both with a comma between, as in win:6:4,draw:0.1:8:40"
            )
        if game.players != 2 or len(set(game.team_of)) != 2:
            raise BadInput(f"{game.name} cannot be adjudicated: it is no game of two against each other")
        lead, lead_moves = found["win"].groups() if "win" in found else ("0", "0")
        level, level_moves, level_from = found["draw"].groups() if "draw" in found else ("0", "0", "0")
        if "win" in found and not float(lead):
            raise BadInput("a lead of 0 wins no game: adjudicate from a larger one on")
        unit = game.evaluation_unit[0] if game.evaluation_unit else 1.0
        return cls(float(lead), int(lead_moves), float(level), int(level_moves), int(level_from), unit)

    def winner(self, plies: Sequence[Ply], first: int) -> int | None:
        """The seat that both agree on, -1 for nobody, None while the game goes on; `first` plies were the opening."""
        moves = [ply for ply in plies if ply.seat != CHANCE]
        if self.lead_moves and (seen := self._seen(moves, self.lead_moves)) is not None:
            for seat in (0, 1):
                if min(seen[seat]) >= self.lead and max(seen[1 - seat]) <= -self.lead:
                    return seat
        if self.level_moves and first + len(moves) >= 2 * self.level_from:
            seen = self._seen(moves, self.level_moves)
            if seen is not None and all(abs(value) <= self.level for values in seen.values() for value in values):
                return -1
        return None

    def _seen(self, moves: Sequence[Ply], count: int) -> dict[int, list[float]] | None:
        """What each seat saw at its last so many moves; None where one of them saw nothing, or had fewer."""
        found: dict[int, list[float]] = {0: [], 1: []}
        for ply in reversed(moves):
            own = found[ply.seat]
            if len(own) < count:
                value = ply.info.get("value")
                if isinstance(value, bool) or not isinstance(value, (int, float)):
                    return None
                own.append(value / self.unit)
            elif len(found[1 - ply.seat]) >= count:
                break
        return found if all(len(own) == count for own in found.values()) else None
