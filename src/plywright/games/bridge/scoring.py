"""Duplicate scoring, international match points, and par."""

from __future__ import annotations

from bisect import bisect_right
from collections.abc import Callable
from functools import cache
from typing import NamedTuple

from .auction import Contract, bid_of

IMP_STEPS = (
    *(20, 50, 90, 130, 170, 220, 270, 320, 370, 430, 500, 600),
    *(750, 900, 1100, 1300, 1500, 1750, 2000, 2250, 2500, 3000, 3500, 4000),
)


def is_vulnerable(vulnerable: int, seat: int) -> bool:
    """Whether a seat is vulnerable, of 0 none, 1 North and South, 2 East and West, 3 both."""
    return bool(vulnerable >> (seat & 1) & 1)


def contract_score(level: int, strain: int, doubled: int, vulnerable: bool, tricks: int) -> int:
    """What the declarer's side scores for so many tricks; negative where the contract goes down."""
    return points(level, strain, doubled, int(vulnerable), tricks) if level else 0


def score_for_ns(contract: Contract, vulnerable: int, tricks: int) -> int:
    """What North and South score."""
    own = is_vulnerable(vulnerable, contract.declarer)
    score = contract_score(contract.level, contract.strain, contract.doubled, own, tricks)
    return -score if contract.declarer & 1 else score


def imps(difference: int) -> int:
    """International match points for a difference in points; signed."""
    points = bisect_right(IMP_STEPS, abs(difference))
    return points if difference > 0 else -points


class Par(NamedTuple):
    """The score when both sides bid as well as can be with all hands seen, and the contracts that have it.

    Above these contracts neither side has a better one; of each side and strain the highest is named.
    """

    score: int
    """For North and South."""
    contracts: tuple[Contract, ...]


def par(tricks: Callable[[int, int], int], vulnerable: int, dealer: int) -> Par:
    """Par of a board whose declarers make `tricks(strain, seat)`.

    Minimax over bids: whoever has not bid last may pass, double what fails, or bid anything higher.
    """
    best = {
        (side, strain): max(((side, side + 2)), key=lambda seat: tricks(strain, seat))
        for side in (0, 1)
        for strain in range(5)
    }

    def contract(bid: int, side: int, doubled: int) -> Contract:
        strain = (bid - 3) % 5
        return Contract((bid - 3) // 5 + 1, strain, best[side, strain], doubled)

    def score(bid: int, side: int, doubled: int) -> int:
        made = contract(bid, side, doubled)
        return score_for_ns(made, vulnerable, tricks(made.strain, made.declarer))

    @cache
    def left_alone(bid: int, side: int) -> tuple[int, int]:
        """The better of pass and double for the other side: the score and whether it doubles."""
        plain, doubled = score(bid, side, 0), score(bid, side, 1)
        better = min(plain, doubled) if side == 0 else max(plain, doubled)
        return better, int(better != plain)

    @cache
    def value(bid: int, side: int) -> int:
        """The score once a side has made a bid."""
        options = [left_alone(bid, side)[0], *(value(higher, 1 - side) for higher in range(bid + 1, bid_of(7, 4) + 1))]
        return min(options) if side == 0 else max(options)

    def gains(bid: int) -> bool:
        """Whether a side has something better above a bid, if it is left alone there: such a bid does not last."""
        above = range(bid + 1, bid_of(7, 4) + 1)
        return any(left_alone(higher, 0)[0] > total or left_alone(higher, 1)[0] < total for higher in above)

    bids = range(bid_of(1, 0), bid_of(7, 4) + 1)
    second = 1 - dealer % 2
    choose = {0: max, 1: min}
    after_pass = choose[second]([0, *(value(bid, second) for bid in bids)])
    total = choose[dealer % 2]([after_pass, *(value(bid, dealer % 2) for bid in bids)])
    if total == 0:
        return Par(0, (Contract(0, 0, 0, 0),))
    found: dict[tuple[int, int], list[Contract]] = {}  # of each side and strain the highest
    for bid in bids:
        for side in (0, 1):
            alone, doubled = left_alone(bid, side)
            if alone == total and value(bid, side) == total and not gains(bid):
                strain = (bid - 3) % 5
                here = tricks(strain, best[side, strain])
                seats = [seat for seat in (side, side + 2) if tricks(strain, seat) == here]
                found[side, strain] = [contract(bid, side, doubled)._replace(declarer=seat) for seat in seats]
    return Par(total, tuple(contract for same in found.values() for contract in same))


def points(level: int, strain: int, doubled: int, vulnerable: int, tricks: int) -> int:
    """`contract_score`, as rules that are compiled take it."""
    over = tricks - (level + 6)
    if over < 0:
        down = -over
        if doubled == 0:
            return -down * (100 if vulnerable else 50)
        if vulnerable:
            return -(300 * down - 100) * doubled
        return -(100 + 200 * (min(down, 3) - 1) + 300 * max(down - 3, 0)) * doubled
    each = 20 if strain < 2 else 30
    made = (each * level + (10 if strain == 4 else 0)) << doubled
    score = made + (50 if made < 100 else 500 if vulnerable else 300) + 50 * doubled
    if level == 6:
        score += 750 if vulnerable else 500
    if level == 7:
        score += 1500 if vulnerable else 1000
    if doubled == 0:
        return score + over * each
    return score + over * ((100 * doubled) << vulnerable)
