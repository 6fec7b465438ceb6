"""A simple natural bidding system, the one of docs/bridge.md: a call from one's hand and the auction so far.

Whoever bids first shows a range of points and a long suit; the partner adds up and names the contract or shows a suit
of its own. Nothing is artificial but the take-out double.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple

from ..games.bridge.auction import DOUBLE, FIRST_BID, PASS, bid_of, last_bid, legal_calls, level_of, strain_of

GAME_POINTS, SLAM_POINTS, GRAND_POINTS = 25, 33, 37
GAMES = (5, 5, 4, 4, 3)
"""The level of game by strain."""
CLUBS, DIAMONDS, HEARTS, SPADES, NOTRUMP = range(5)


class Shown(NamedTuple):
    """What a seat's calls have promised: points at least and at most, and lengths by suit at least."""

    least: int = 0
    most: int = 40
    lengths: tuple[int, int, int, int] = (0, 0, 0, 0)
    calls: int = 0
    """Bids and doubles so far."""


def high_card_points(hand: int) -> int:
    """Ace 4, king 3, queen 2, knave 1."""
    return sum(
        weight * (hand >> rank & 0x0001000100010001).bit_count() for rank, weight in ((12, 4), (11, 3), (10, 2), (9, 1))
    )


def lengths_of(hand: int) -> list[int]:
    """Cards of each suit, clubs first."""
    return [(hand >> 16 * suit & 0x1FFF).bit_count() for suit in range(4)]


def is_balanced(lengths: Sequence[int]) -> bool:
    """No void, no singleton, at most one doubleton."""
    return min(lengths) >= 2 and sorted(lengths)[1] >= 3


def natural_call(hand: int, calls: Sequence[int]) -> int:
    """The call of whoever is next, by the system."""
    call = _wanted(hand, calls)
    return call if call in legal_calls(calls) else PASS


def shown_by(calls: Sequence[int], number: int) -> Shown:
    """What the seat that makes every fourth call from `number` on has promised so far."""
    shown = Shown()
    for place in range(number, len(calls), 4):
        call = calls[place]
        if call != PASS:
            shown = _promised(shown, calls[:place], call)
        elif shown.calls == 0 and not any(earlier >= FIRST_BID for earlier in calls[:place]):
            shown = shown._replace(most=min(shown.most, 11))
    return shown


def _promised(shown: Shown, before: Sequence[int], call: int) -> Shown:
    """What a bid or a double adds to what was promised."""
    ours, theirs = _bids_of_sides(before)
    lengths = list(shown.lengths)
    least, most = shown.least, shown.most
    if call == DOUBLE:
        return shown._replace(least=max(least, 12), calls=shown.calls + 1)
    if call < FIRST_BID:
        return shown._replace(calls=shown.calls + 1)
    level, strain = level_of(call), strain_of(call)
    if shown.calls == 0 and not ours and not theirs:  # an opening
        if strain == NOTRUMP:
            least, most = ((15, 17), (20, 21), (22, 24))[min(level, 3) - 1]
            lengths = [max(2, length) for length in lengths]
        elif level == 1:
            least, lengths[strain] = 12, 4
        else:
            least, most, lengths[strain] = 6, 10, 4 + level
    elif shown.calls == 0 and not ours:  # an overcall
        least, most = (8 if level == 1 else 11), 17
        if strain < 4:
            lengths[strain] = 5
        else:
            least, most = 15, 18
    elif shown.calls == 0:  # an answer
        if strain < 4:
            lengths[strain] = max(lengths[strain], 3 if any(strain_of(bid) == strain for bid in ours) else 4)
        least = max(least, 6 if level == 1 else 8 if level == 2 else 10)
    elif strain < 4:
        lengths[strain] = max(lengths[strain] + 1, 4)
    return Shown(least, most, (lengths[0], lengths[1], lengths[2], lengths[3]), shown.calls + 1)


def _bids_of_sides(calls: Sequence[int]) -> tuple[list[int], list[int]]:
    """The bids so far of the side that calls next, and of the other."""
    ours = [call for place, call in enumerate(calls) if call >= FIRST_BID and (len(calls) - place) % 2 == 0]
    theirs = [call for place, call in enumerate(calls) if call >= FIRST_BID and (len(calls) - place) % 2 == 1]
    return ours, theirs


def _wanted(hand: int, calls: Sequence[int]) -> int:
    points, lengths = high_card_points(hand), lengths_of(hand)
    ours, theirs = _bids_of_sides(calls)
    mine, partner = shown_by(calls, len(calls) % 4), shown_by(calls, (len(calls) + 2) % 4)
    if mine.calls >= 3:
        return PASS
    if not ours and not theirs:
        return _opening(points, lengths)
    if partner.calls == 0 and mine.calls == 0:
        return _overcall(points, lengths, calls)
    return _contract(points, lengths, mine, partner, calls)


def _opening(points: int, lengths: list[int]) -> int:
    if is_balanced(lengths):
        for level, (least, most) in enumerate(((15, 17), (20, 21), (22, 24)), 1):
            if least <= points <= most:
                return bid_of(level, NOTRUMP)
    longest = max(range(4), key=lambda suit: (lengths[suit], suit))
    if points >= 12:
        return bid_of(1, longest)
    if 6 <= points <= 10 and lengths[longest] >= 6 and longest != CLUBS:
        return bid_of(min(lengths[longest] - 4, 3), longest)
    return PASS


def _overcall(points: int, lengths: list[int], calls: Sequence[int]) -> int:
    bid = last_bid(calls)[0]
    strain = strain_of(bid)
    if is_balanced(lengths) and 15 <= points <= 18 and bid < bid_of(1, NOTRUMP) and lengths[min(strain, 3)] >= 3:
        return bid_of(1, NOTRUMP)
    longest = max((suit for suit in range(4) if suit != strain), key=lambda suit: (lengths[suit], suit))
    level = level_of(bid) + (longest <= strain)
    if lengths[longest] >= 5 and level <= 2 and points >= (8 if level == 1 else 11):
        return bid_of(level, longest)
    if strain < 4 and points >= 12 and lengths[strain] <= 2 and level_of(bid) <= 3:
        return DOUBLE
    return PASS


def _contract(points: int, lengths: list[int], mine: Shown, partner: Shown, calls: Sequence[int]) -> int:
    """What the two hands together can make, as far as the partner has shown its own."""
    bid = last_bid(calls)[0]
    fits = {suit: lengths[suit] + partner.lengths[suit] for suit in range(4)}
    trump = max(range(4), key=lambda suit: (fits[suit] >= 8, suit >= HEARTS, fits[suit], suit))
    fit = fits[trump] >= 8
    short = sum(max(3 - length, 0) for length in lengths) if fit else 0
    together = points + short + max(partner.least, 0)
    strain = trump if fit else NOTRUMP
    if fit and trump < HEARTS and together >= GAME_POINTS and together < 29 and is_balanced(lengths):
        strain = NOTRUMP
    if together >= SLAM_POINTS:
        return _at_least(bid, 7 if together >= GRAND_POINTS else 6, strain)
    if together >= GAME_POINTS and (fit or mine.calls or partner.calls > 1 or points >= 13):
        return _at_least(bid, GAMES[strain], strain)
    if (fit and trump != strain_of(bid)) or (fit and mine.calls == 0):
        level = 3 if together >= 22 else 2
        if points + short >= 6 and bid < bid_of(level, trump):
            return bid_of(level, trump)
        return PASS
    if mine.calls == 0 and points >= 6:  # a suit of one's own, or no trumps
        suit = max((s for s in range(4)), key=lambda s: (lengths[s], s))
        level = level_of(bid) + (suit <= strain_of(bid)) if bid else 1
        if lengths[suit] >= 4 and partner.lengths[suit] == 0 and (level == 1 or (level == 2 and points >= 10)):
            return bid_of(level, suit)
        if points <= 10 and bid < bid_of(1, NOTRUMP):
            return bid_of(1, NOTRUMP)
        if points >= 11 and bid < bid_of(2, NOTRUMP):
            return bid_of(2, NOTRUMP)
    if mine.calls == 1 and partner.calls:  # the opener's second bid
        longest = max(range(4), key=lambda s: (lengths[s], s))
        level = level_of(bid) + (longest <= strain_of(bid))
        if lengths[longest] >= 6 and level <= (3 if points >= 16 else 2):
            return bid_of(level, longest)
        if points >= 18 and bid < bid_of(2, NOTRUMP) and is_balanced(lengths):
            return bid_of(2, NOTRUMP)
        if strain_of(bid) != NOTRUMP and bid < bid_of(1, NOTRUMP):
            return bid_of(1, NOTRUMP)
        for other in range(4):
            low = level_of(bid) + (other <= strain_of(bid))
            if lengths[other] >= 4 and mine.lengths[other] == 0 and low <= 2 and partner.lengths[other] == 0:
                return bid_of(low, other)
    return PASS


def _at_least(bid: int, level: int, strain: int) -> int:
    """The contract wanted, if it is still to be had and the auction is not there already."""
    wanted = bid_of(level, strain)
    if bid and strain_of(bid) == strain and bid >= wanted:
        return PASS
    return wanted if wanted > bid else PASS
