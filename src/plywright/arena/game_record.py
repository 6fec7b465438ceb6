"""One refereed game, as data: everything needed to replay it, judge it and count it."""

from __future__ import annotations

from dataclasses import asdict, dataclass, field
from typing import Any

from ..players.offence import (
    ADJUDICATED,
    CRASHED,
    CUT,
    FLOODED,
    ILLEGAL,
    LATE,
    NO_GREETING,
    NORMAL,
    REPETITION,
    RESIGNED,
    VOID,
)

__all__ = [
    "ADJUDICATED",
    "CRASHED",
    "CUT",
    "FLOODED",
    "ILLEGAL",
    "LATE",
    "NORMAL",
    "NO_GREETING",
    "REPETITION",
    "RESIGNED",
    "VOID",
    "GameRecord",
    "Ply",
]


@dataclass(frozen=True)
class Ply:
    """One action: by a seat, or by chance (seat -1)."""

    seat: int
    action: int
    seconds: float = 0.0
    info: dict[str, Any] = field(default_factory=dict)
    """The player's own account where it gives one: value, depth, nodes."""


@dataclass(frozen=True)
class GameRecord:
    """A finished game; `payoffs` is by seat, and `players` names who sat there."""

    game: str
    players: tuple[str, ...]
    start: str
    """The state the game began from, as the game writes it (after the opening's moves)."""
    opening: tuple[int, ...]
    plies: tuple[Ply, ...]
    payoffs: tuple[float, ...] | None
    """None for a void game, which is played again, and where a program never greeted."""
    termination: str
    offender: int | None = None
    raw: str = ""
    """The offending line of a program, as it came."""
    note: str = ""
    """The verdict as a sentence."""
    seed: int = 0
    mode: str = ""
    isolation: str = "none"
    seconds: float = 0.0
    offences: tuple[tuple[int, str], ...] = ()
    """Every offence as (seat, cause), the first one first; more than one only where a game of many goes on."""

    def as_dict(self) -> dict[str, Any]:
        return asdict(self)

    @classmethod
    def from_dict(cls, data: dict[str, Any]) -> GameRecord:
        plies = tuple(Ply(**ply) for ply in data["plies"])
        payoffs = None if data["payoffs"] is None else tuple(data["payoffs"])
        offences = tuple((int(seat), str(cause)) for seat, cause in data.get("offences", ()))
        given = {**data, "players": tuple(data["players"]), "opening": tuple(data["opening"])}
        return cls(**{**given, "plies": plies, "payoffs": payoffs, "offences": offences})
