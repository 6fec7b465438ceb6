"""What a player can do wrong, and the names under which games end."""

from __future__ import annotations

from ..errors import printable

NORMAL, ILLEGAL, LATE, CRASHED, FLOODED, RESIGNED, NO_GREETING, REPETITION, CUT, VOID, ADJUDICATED = (
    *("normal", "illegal", "late", "crashed", "flooded", "resigned"),
    *("no greeting", "repetition", "move limit", "void", "adjudicated"),
)
DISTURBED = "disturbed"
"""A program that may ponder used so much of the machine that its opponent was late."""
"""Why a game ended. VOID is the referee's own fault or an overloaded machine: played again, never a loss."""


class Offence(Exception):
    """A player did not give a legal answer in time: raised by the player's side, judged by the referee."""

    def __init__(self, cause: str, note: str, raw: str = "") -> None:
        super().__init__(cause, note, raw)
        self.seat: int | None = None
        """The seat that committed the offence, where it is not the one that was to move."""
        self.cause, self.note, self.raw = cause, printable(note), raw

    def __str__(self) -> str:
        return self.note
