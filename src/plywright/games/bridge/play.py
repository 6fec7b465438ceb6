"""The play of a board from its cards in order: who has to play, what is legal, who has won which trick."""

from __future__ import annotations

from collections.abc import Sequence

from ...errors import BadInput
from .auction import Contract
from .boards import SEAT_NAMES, card_sign
from .double_dummy import DoubleDummy
from .trick import NO_TRUMPS, SUIT, TRICKS, Trick

RULES = DoubleDummy()


def opening(hands: Sequence[int], trump: int, leader: int) -> Trick:
    """The position before a lead, of hands of any one size."""
    size = int(hands[0]).bit_count()
    return Trick((hands[0], hands[1], hands[2], hands[3]), 0, 0, 0, leader, 0, 0, min(trump, NO_TRUMPS), 0, 0, size)


def checked_plays(hands: Sequence[int], contract: Contract, plays: Sequence[int]) -> tuple[int, ...]:
    """The same cards, each playable when it was; raises BadInput for a card not held, and for a revoke."""
    replay(hands, contract, plays)
    return tuple(plays)


def replay(hands: Sequence[int], contract: Contract, plays: Sequence[int]) -> Trick:
    """The position after those cards; raises BadInput where one could not be played."""
    if plays and not contract.level:
        raise BadInput("everybody passed, and cards were played")
    state = opening(hands, contract.strain, (contract.declarer + 1) & 3)
    for number, card in enumerate(plays, 1):
        if why := why_not(state, card):
            raise BadInput(f"card {number}, {card_sign(card)}: {why}")
        state = RULES.result(state, card)
    return state


def why_not(state: Trick, card: int) -> str:
    """Why a card cannot be played; empty where it can."""
    if state.left == 0:
        return "all tricks have been played"
    seat = RULES.to_move(state)
    name = SEAT_NAMES[seat]
    if not state.hands[seat] >> card & 1:
        return f"{name} does not hold it"
    led = (state.order & 0x30) >> 4
    if state.played and card >> 4 != led and state.hands[seat] >> 16 * led & SUIT:
        return f"{name} revokes: a {('club', 'diamond', 'heart', 'spade')[led]} was led, and {name} has one"
    return ""


def tricks_made(hands: Sequence[int], contract: Contract, plays: Sequence[int]) -> int | None:
    """The declarer's tricks of a play that is complete; None of another."""
    if not contract.level or len(plays) < 4 * TRICKS:
        return None
    state = replay(hands, contract, plays)
    return state.lost if contract.declarer & 1 else state.won


def trick_winner(cards: Sequence[int], trump: int) -> int:
    """Which of the cards of a trick, in the order of play, has won it."""
    best = 0
    for number in range(1, len(cards)):
        card, top = cards[number], cards[best]
        if (card >> 4 == top >> 4 and card > top) or (card >> 4 == trump and top >> 4 != trump):
            best = number
    return best


def in_columns(plays: Sequence[int], contract: Contract) -> list[list[int | None]]:
    """The tricks as rows whose columns are seats, the opening leader's first."""
    rows: list[list[int | None]] = []
    offset = 0
    for start in range(0, len(plays), 4):
        trick = plays[start : start + 4]
        row: list[int | None] = [None] * 4
        for turn, card in enumerate(trick):
            row[(offset + turn) % 4] = card
        rows.append(row)
        offset = (offset + trick_winner(trick, contract.strain)) % 4
    return rows


def seats_in_order(cards: Sequence[int | None], contract: Contract, first: int | None) -> list[int]:
    """Columns of seats, of which the first is `first`, back in the order of play; it ends at the first gap."""
    leader = (contract.declarer + 1) & 3
    if first is not None and first != leader:
        raise BadInput(f"{SEAT_NAMES[leader]} leads to {contract.text}, not {SEAT_NAMES[first]}")
    plays: list[int] = []
    offset = 0
    for start in range(0, len(cards), 4):
        row = [*cards[start : start + 4], None, None, None][:4]
        trick: list[int] = []
        for turn in range(4):
            card = row[(offset + turn) % 4]
            if card is None:
                return plays + trick
            trick.append(card)
        plays += trick
        offset = (offset + trick_winner(trick, contract.strain)) % 4
    return plays
