"""A trick of bridge and the hands around it: the state of the play, with all hands seen.

Seats are North, East, South, West, 0 to 3; suits are clubs, diamonds, hearts, spades, 0 to 3, and a fifth strain is no
trumps. A card is the number 16 x suit + rank, the deuce 0 and the ace 12, so that a hand is a word of bits and each
suit a quarter of it.
"""

from __future__ import annotations

from typing import NamedTuple

SEATS, STRAINS, RANKS = "NESW", "CDHSN", "23456789TJQKA"
NO_TRUMPS = 4
SUIT = (1 << 13) - 1
TRICKS = 13


class Trick(NamedTuple):
    """What is still held, and the trick on the table."""

    hands: tuple[int, int, int, int]
    table: int
    """The cards of the trick so far, as a set."""
    order: int
    """The same in the order of play, six bits each, the lead lowest."""
    played: int
    leader: int
    best: int
    """The card that wins so far, and whose it is."""
    winner: int
    trump: int
    won: int
    """Tricks of North and South, and of the others."""
    lost: int
    left: int
    """Tricks that are not finished."""


def beats(card: int, best: int, trump: int) -> bool:
    """Whether a card takes the trick from the best one so far."""
    if card >> 4 == best >> 4:
        return card > best
    return card >> 4 == trump


def playable(state: Trick) -> int:
    """The cards that the mover may play, as a set."""
    hand = state.hands[(state.leader + state.played) & 3]
    if state.played > 0:
        suit = hand & SUIT << (state.order & 0x30)
        if suit != 0:
            return suit
    return hand


def lane(card: int) -> int:
    """A card of `tricks` as the solver numbers it."""
    return 16 * (3 - card // 13) + card % 13


def lanes(hand: int) -> int:
    """A hand likewise."""
    return sum((hand >> 13 * suit & SUIT) << 16 * (3 - suit) for suit in range(4))
