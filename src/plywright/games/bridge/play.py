"""The play of a board from its cards in order: who has to play, what is legal, who has won which trick."""

from __future__ import annotations

from collections.abc import Sequence

from ...bits import replaced
from ...errors import BadInput
from .auction import Contract, contract_of, is_over
from .boards import SEAT_NAMES, Board, card_sign
from .double_dummy import DoubleDummy
from .trick import NO_TRUMPS, SUIT, TRICKS, Trick

RULES = DoubleDummy()


def opening(hands: Sequence[int], trump: int, leader: int) -> Trick:
    """The position before a lead, of hands of any one size; one of 0 is not known."""
    size = max(int(hand).bit_count() for hand in hands) or TRICKS
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
    elsewhere = hands[0] | hands[1] | hands[2] | hands[3]  # than in a hand that is not known
    for number, card in enumerate(plays, 1):
        seat = RULES.to_move(state)
        if not hands[seat] and state.left and not elsewhere >> card & 1:
            elsewhere |= 1 << card
            state = state._replace(hands=replaced(state.hands, seat, 1 << card))
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


def contract_played(board: Board) -> Contract | None:
    """The contract of a board: what the auction led to, else the one that is noted; None where there is neither."""
    return contract_of(board.calls, board.dealer) if is_over(board.calls) else board.contract


def board_tricks(board: Board) -> int | None:
    """The declarer's tricks, by the cards or as claimed; None where they are not known."""
    contract = contract_played(board)
    if contract is None or not contract.level:
        return None
    made = tricks_made(board.hands, contract, board.plays)
    return board.claimed if made is None else made


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
    plays: list[int] = []
    offset = 0 if first is None else (leader - first) & 3
    if offset and any(card is not None for card in cards[:4]) and cards[offset : offset + 1] in ([], [None]):
        raise BadInput(f"{SEAT_NAMES[leader]} leads to {contract.text}, not {SEAT_NAMES[first or 0]}")
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
