"""Pairings of a Swiss system: neighbours in the ranking meet, and as few as can be for another time."""

from __future__ import annotations

from collections import Counter, deque
from collections.abc import Sequence
from itertools import permutations

from ...rng import below, seeded

STEPS = 20_000
"""Steps of looking for pairings without a rematch, before one is allowed."""
EXCHANGES = 5_000
"""Exchanges looked at for tables of three or more at which nobody meets again."""
KEPT_APART = 8
"""Exchanges for which two players at tables of three or more are not exchanged back."""


def fewest_rematches(fields: list[list[int]], met: set[frozenset[int]]) -> list[tuple[int, int]]:
    """The first field that can be paired with nobody meeting anybody again, or with as few as can be found soon."""
    for again in range(len(fields[0]) // 2):
        for ranked in fields:
            if (found := _paired(ranked, met, again)) is not None:
                return found
    return list(zip(fields[0][::2], fields[0][1::2], strict=True))


def _paired(ranked: Sequence[int], met: set[frozenset[int]], again: int) -> list[tuple[int, int]] | None:
    """Neighbours in the ranking paired, at most `again` of them for another time; None where that is not found soon."""
    steps = 0

    def pair(left: tuple[int, ...], again: int) -> list[tuple[int, int]] | None:
        nonlocal steps
        if not left:
            return []
        for place in range(1, len(left)):
            steps += 1
            if steps > STEPS:
                return None
            rematch = frozenset((left[0], left[place])) in met
            if rematch > again:
                continue
            rest = pair(left[1:place] + left[place + 1 :], again - rematch)
            if rest is not None:
                return [(left[0], left[place]), *rest]
        return None

    return pair(tuple(ranked), again)


def tables(ranked: list[int], seats: int, before: Sequence[tuple[int, ...]]) -> list[tuple[int, ...]]:
    """Neighbours in the ranking at tables of three or more, where as few as can be found soon meet again.

    Those who meet again are exchanged, each for the one whose coming saves most meetings and who stands nearest in the
    ranking, also where that is no gain at once (tabu search, Glover 1986). The best tables that were met are taken;
    `before` are all earlier ones.
    """
    met: Counter[tuple[int, int]] = Counter()
    for earlier in before:
        met.update(permutations(earlier, 2))
    order, rng, steps = list(ranked), seeded(1), 0
    recent: deque[tuple[int, int]] = deque(maxlen=KEPT_APART)

    def meetings(place: int, player: int) -> int:
        """How often a player has met the others at the table of that place."""
        first = place - place % seats
        return sum(met[player, order[other]] for other in range(first, first + seats) if other != place)

    def change(one: int, two: int) -> int:
        """How many meetings more there are after an exchange."""
        now = meetings(one, order[one]) + meetings(two, order[two])
        return meetings(one, order[two]) + meetings(two, order[one]) - now

    total = sum(meetings(place, player) for place, player in enumerate(order)) // 2
    best, fewest = list(order), total
    while fewest and steps < EXCHANGES:
        again = [place for place, player in enumerate(order) if meetings(place, player)]
        one = again[below(rng, len(again))] if again else below(rng, len(order))
        away = [two for two in range(len(order)) if two // seats != one // seats]
        free = [two for two in away if (order[one], order[two]) not in recent] or away
        if not free:
            break  # one table
        steps += len(free)
        more, _, two = min((change(one, two), abs(one - two), two) for two in free)
        total += more
        order[one], order[two] = order[two], order[one]
        recent.extend([(order[one], order[two]), (order[two], order[one])])
        if total < fewest:
            best, fewest = list(order), total
    return [tuple(best[i : i + seats]) for i in range(0, len(best), seats)]
