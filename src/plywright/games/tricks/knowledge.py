"""What a deal of a trick-taking game promises, all hands seen: the trick on the table, sure tricks, high cards.

Cards are numbered suit x ranks + rank and hands are sets of them, as in `tricks.py`; seats of one side sit
`sides` apart.
"""

from __future__ import annotations

from ...bits import highest_bit, popcount

TRUMP_WORTH = 0.25
"""What any trump adds to the strength of a hand, beside its rank."""


def best_reply(hand: int, led: int, best: int, ranks: int, trump: int) -> int:
    """The highest card of a hand that may be played on the suit led and beats the best card so far, or -1."""
    suit_cards = (1 << ranks) - 1
    follows = hand >> ranks * led & suit_cards
    if follows != 0:
        card = led * ranks + highest_bit(follows)
        return card if best // ranks == led and card > best else -1
    if trump < 0 or hand >> ranks * trump & suit_cards == 0:
        return -1
    card = trump * ranks + highest_bit(hand >> ranks * trump & suit_cards)
    return card if best // ranks != trump or card > best else -1


def owner_in(hands: tuple[int, ...], card: int) -> int:
    """The seat that holds a card, or -1."""
    for seat in range(len(hands)):
        if hands[seat] >> card & 1:
            return seat
    return -1


def sure_run(hands: tuple[int, ...], suit: int, ranks: int, sides: int, trump: int) -> tuple[int, int]:
    """Which side holds the highest card of a suit, -1 if nobody, and how many tricks of it nobody can take away.

    These are as many as it has cards from the top without a gap; where the others run out of the suit before that,
    as many as its longest holding. Others who have trumps ruff from the round on in which they run out.
    """
    suit_cards = (1 << ranks) - 1
    side, run, broken = -1, 0, False
    for card in range((suit + 1) * ranks - 1, suit * ranks - 1, -1):
        seat = owner_in(hands, card)
        if seat >= 0 and not broken:
            if side < 0:
                side = seat % sides
            broken = seat % sides != side
            run += 0 if broken else 1
    longest, theirs, rounds = 0, 0, ranks
    for seat in range(len(hands)):
        length = popcount(hands[seat] >> suit * ranks & suit_cards)
        if seat % sides == side:
            longest = max(longest, length)
        else:
            theirs = max(theirs, length)
            if trump >= 0 and suit != trump and hands[seat] >> ranks * trump & suit_cards != 0:
                rounds = min(rounds, length)
    sure = longest if run >= theirs else min(run, longest)
    return side, min(sure, rounds)


def strength(hands: tuple[int, ...], suit: int, ranks: int, sides: int, side: int, trump: int) -> float:
    """High cards of a side in a suit: the highest one left counts 1, each further one half of the one before."""
    total, weight = 0.0, 1.0
    for card in range((suit + 1) * ranks - 1, suit * ranks - 1, -1):
        seat = owner_in(hands, card)
        if seat >= 0:
            if seat % sides == side:
                total += weight + (TRUMP_WORTH if suit == trump else 0.0)
            weight /= 2
    return total
