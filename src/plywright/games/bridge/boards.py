"""A board of bridge: the four hands, dealer and vulnerability, and what was called and played, if anything.

Hands are words of bits as in `double_dummy.py`. Everything that reads a deal from outside goes through `checked_hands`.
A hand that a file does not give is no card at all, 0.
"""

from __future__ import annotations

from collections.abc import Collection, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING

from ...bits import popcount
from ...errors import BadInput, shown
from .trick import RANKS, SEATS, SUIT, TRICKS

if TYPE_CHECKING:
    from .auction import Contract

SUITS = "CDHS"
SIGNS = "♣♦♥♠"
SEAT_NAMES = ("North", "East", "South", "West")
VULNERABLE = ("none", "NS", "EW", "both")
DECK = sum(SUIT << 16 * suit for suit in range(4))


@dataclass(frozen=True)
class Board:
    """One deal and its story so far; `calls` are numbers as in `auction.py`, `plays` cards in the order of play."""

    hands: tuple[int, int, int, int]
    """North's first; 0 is a hand that is not given."""
    dealer: int = 0
    vulnerable: int = 0
    """0 none, 1 North and South, 2 East and West, 3 both."""
    name: str = ""
    calls: tuple[int, ...] = ()
    plays: tuple[int, ...] = ()
    players: tuple[str, str, str, str] = ("", "", "", "")
    contract: Contract | None = None
    """What was played, where it is known and the auction is not."""
    claimed: int | None = None
    """The declarer's tricks as they were agreed, where not all cards were played."""


def card_text(card: int) -> str:
    """A card as it is written: `SA`, suit first."""
    return SUITS[card >> 4] + RANKS[card & 15]


def card_sign(card: int) -> str:
    """A card as it is shown: `♠A`."""
    return SIGNS[card >> 4] + RANKS[card & 15]


def card_of(text: str) -> int:
    """The card that a text such as `SA`, `as`, `♠A` or `s10` means; raises BadInput."""
    word = text.strip().upper().replace("10", "T")
    for sign, suit in zip(SIGNS, SUITS, strict=True):
        word = word.replace(sign, suit)
    if len(word) == 2:
        for one, two in ((word[0], word[1]), (word[1], word[0])):
            if one in SUITS and two in RANKS:
                return 16 * SUITS.index(one) + RANKS.index(two)
    raise BadInput(f"{shown(text)} is no card; write suit and rank, such as SA or H10")


def cards_in(hand: int) -> list[int]:
    """The cards of a hand, spades first, the highest first."""
    return [16 * suit + rank for suit in (3, 2, 1, 0) for rank in range(12, -1, -1) if hand >> 16 * suit + rank & 1]


def hand_text(hand: int) -> str:
    """A hand as PBN writes it: `AKJ.QT2..9876543`, spades first."""
    return ".".join("".join(RANKS[c & 15] for c in cards_in(hand) if c >> 4 == suit) for suit in (3, 2, 1, 0))


def read_hand(text: str, whole: str) -> int:
    """A hand in PBN's words."""
    suits = text.upper().replace("10", "T").split(".")
    if len(suits) != 4:
        raise BadInput(f"{shown(whole)}: a hand is four suits with dots between, spades first, not {shown(text)}")
    hand = 0
    for suit, ranks in zip((3, 2, 1, 0), suits, strict=True):
        for rank in ranks.replace("-", ""):
            if rank not in RANKS:
                raise BadInput(f"{shown(whole)}: {rank!r} is no rank; ranks are {RANKS[::-1]}")
            card = 1 << 16 * suit + RANKS.index(rank)
            if hand & card:
                raise BadInput(f"{shown(whole)}: a hand has {SIGNS[suit]}{rank} twice")
            hand |= card
    return hand


def deal_text(hands: Sequence[int], first: int = 0) -> str:
    """The four hands as PBN writes them: `N:... ... ... ...`."""
    shown_hands = (hand_text(hand) if (hand := hands[(first + turn) & 3]) else "-" for turn in range(4))
    return f"{SEATS[first]}:" + " ".join(shown_hands)


def read_deal(text: str, *, whole: bool = False, all_given: bool = True) -> tuple[int, int, int, int]:
    """The hands of a deal in PBN's words; with `whole`, of thirteen cards each. Raises BadInput in one line.

    A hand that is not given, `-`, is refused unless `all_given` is off; the last one of a whole deal is what is left.
    """
    first, colon, rest = text.strip().partition(":")
    if not colon:
        first, rest = "N", text.strip()
    if first.strip().upper() not in SEATS or not first.strip():
        raise BadInput(
            f"{shown(text)}: a deal begins with the seat of its first hand, N, E, S or W, not {shown(first)}"
        )
    words = rest.split()
    if len(words) != 4:
        raise BadInput(f"{shown(text)}: a deal is four hands with spaces between, and these are {len(words)}")
    start = SEATS.index(first.strip().upper())
    hands, hidden = [0, 0, 0, 0], set[int]()
    for turn, word in enumerate(words):
        seat = (start + turn) & 3
        if word == "-":
            hidden.add(seat)
        else:
            hands[seat] = read_hand(word, text)
    found = checked_hands(hands, whole=whole, hidden=hidden)
    if all_given and 0 in found:
        raise BadInput(f"{shown(text)}: {missing_hand(found)}")
    return found


def missing_hand(hands: Sequence[int]) -> str:
    """That a hand is not given, in words."""
    return f"the hand of {SEAT_NAMES[hands.index(0)]} is not given"


def checked_hands(
    hands: Sequence[int], *, whole: bool = True, hidden: Collection[int] = ()
) -> tuple[int, int, int, int]:
    """Four hands of one deck and of one size; raises BadInput that names the hand or the card.

    Of `hidden` seats nothing is known; a single one beside three whole hands has the other cards.
    """
    given = [seat for seat in range(4) if seat not in hidden]
    for seat in range(4):
        for other in range(seat):
            if both := hands[seat] & hands[other]:
                card = card_sign(cards_in(both)[0])
                raise BadInput(f"{card} is dealt twice: to {SEAT_NAMES[other]} and to {SEAT_NAMES[seat]}")
    if not given:
        return 0, 0, 0, 0
    sizes = {seat: popcount(hands[seat]) for seat in given}
    most = max(sizes.values())
    wanted = TRICKS if whole or most > TRICKS else most
    for seat, size in sizes.items():
        if size != wanted:
            raise BadInput(f"{SEAT_NAMES[seat]} has {size} cards, not {wanted}")
    if wanted == 0:
        raise BadInput("there are no cards in these hands")
    rest = DECK & ~(hands[0] | hands[1] | hands[2] | hands[3]) if len(given) == 3 and wanted == TRICKS else 0
    whole_hands = [hand or rest for hand in hands]
    return whole_hands[0], whole_hands[1], whole_hands[2], whole_hands[3]


def read_vulnerable(text: str) -> int:
    """Who is vulnerable, in any of the usual spellings."""
    names = {"none": 0, "-": 0, "o": 0, "love": 0, "ns": 1, "n-s": 1, "n": 1, "ew": 2, "e-w": 2, "e": 2}
    names |= {"both": 3, "all": 3, "b": 3}
    if text.strip().lower() not in names:
        raise BadInput(f"vulnerable is none, NS, EW or both, not {shown(text)}")
    return names[text.strip().lower()]


def read_seat(text: str) -> int:
    """A seat by its letter or its name."""
    word = text.strip().upper()
    if not word or (word not in SEATS and word not in (name.upper() for name in SEAT_NAMES)):
        raise BadInput(f"a seat is N, E, S or W, not {shown(text)}")
    return SEATS.index(word[0])
