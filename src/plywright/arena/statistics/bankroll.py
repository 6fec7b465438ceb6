"""Standings of games for three or more by winnings: the bankroll, and the instant runoff.

The bankroll is what each player has won over all its games. In the runoff the player with the least is dropped,
only the games that it did not sit in are counted again, and so on until no more than one table is left: whoever
lives on the mistakes of a weak player falls when that one is gone.
"""

from __future__ import annotations

import math
from collections.abc import Iterable, Sequence
from typing import NamedTuple

from ..outcome import Outcome


class Count(NamedTuple):
    """One count of the runoff: winnings of those left, by player, and who is dropped (None in the last one)."""

    winnings: dict[int, float]
    games: int
    dropped: int | None


def bankroll(outcomes: Iterable[Outcome], players: int) -> list[float]:
    """What each player has won over all games, by player."""
    rows: list[list[float]] = [[] for _ in range(players)]
    for outcome in outcomes:
        if outcome.payoffs is not None:
            for seat, player in enumerate(outcome.seats):
                rows[player].append(float(outcome.payoffs[seat]))
    return [math.fsum(row) for row in rows]


def instant_runoff(outcomes: Sequence[Outcome], players: int, seats: int) -> list[Count]:
    """The counts from the first, of everybody, to the last, of one table; equal ones are dropped last come first.

    A player is judged by the mean of a game, since not all of them may have played as many.
    """
    left, found = list(range(players)), []
    while True:
        games = [outcome for outcome in outcomes if outcome.payoffs is not None and set(outcome.seats) <= set(left)]
        won = bankroll(games, players)
        played = [sum(player in outcome.seats for outcome in games) for player in range(players)]
        winnings = {player: won[player] for player in left}
        if len(left) <= seats or not games:
            found.append(Count(winnings, len(games), None))
            return found
        worst = min(reversed(left), key=lambda player: won[player] / max(played[player], 1))
        found.append(Count(winnings, len(games), worst))
        left.remove(worst)


def runoff_order(counts: Sequence[Count]) -> list[int]:
    """The players, best first: those of the last count by winnings, then the dropped ones, the last first."""
    last = counts[-1].winnings
    dropped = [count.dropped for count in counts if count.dropped is not None]
    return [*sorted(last, key=lambda player: -last[player]), *reversed(dropped)]
