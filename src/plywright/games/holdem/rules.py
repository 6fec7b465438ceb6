"""Texas hold'em, limit and no-limit, for two to six: two cards each, five in common, four rounds of betting.

`holdem:players=2,betting=limit,blinds=5-10,stack=0` is the heads-up limit game of the Annual Computer Poker
Competition; `holdem:betting=no-limit,blinds=50-100,stack=20000` its no-limit one. `stack` is what everybody brings, or
one number a seat (`stack=200-50-120`); 0 is enough for every bet of a limit hand. Amounts are what a seat has put in
over the whole hand. With two players seat 0 has the big blind, and the other speaks first before the flop; with more,
seat 0 has the small blind, seat 1 the big one. Later the first seat that is still in speaks first.

Limit bets are the big blind in the first two rounds and twice that later, four bets a round, of which the blinds are
one. In no-limit a raise is at least as large as the last one, or all-in; an all-in for less does not let those raise
again who have acted. Who cannot pay a bet calls with what is left, and competes for what was matched: pots are counted
layer by layer. Pots are shared exactly, in fractions of a chip where that must be.

`ranks=3,rounds=2` is a smaller game: the highest three ranks of each suit, and no card after the flop.
"""

from __future__ import annotations

import math
from collections.abc import Iterator, Sequence
from typing import Any, NamedTuple

import numpy as np

from ...bits import lowest_bit, popcount, replaced
from ...errors import BadInput
from ...game import CHANCE, Game
from ...rng import below
from ..deal_counts import check_listable
from ..hand_tables import BIAS, hand_tables, strength_of
from ..notation import whole_number
from ..poker_hands import value_of
from .notation import HoldemNotation

FOLD, CALL, RAISE = 0, 1, 2
NOBODY = -1
BOARD = (0, 3, 4, 5)
"""Cards on the board, by round."""
MOST_BETS = 4
LIMIT_ACT, NO_LIMIT_ACT = 2, 15
"""Bits of an act in the record, which is the action and one."""
WORD = 60
SMALL_DECK = 16
FLOP = 1 << 18
"""The bit that tells the outcome of a flop, three cards of six bits each, from that of one card."""
MOST_CHIPS = (1 << NO_LIMIT_ACT) - 2


class Hand(NamedTuple):
    """Cards as sets of bits (0: none, or not seen), by seat and by round; chips put in by seat over the whole hand.

    `acted` has the seats that acted in this round, `level` what the highest bet was when they last did; `last` is the
    size of the last full raise. `record` has the acts in order, from the lowest bits of the first word.
    """

    hands: tuple[int, ...]
    board: tuple[int, int, int]
    paid: tuple[int, ...]
    level: tuple[int, ...]
    folded: int
    acted: int
    street: int
    mover: int
    bet: int
    last: int
    raises: int
    acts: int
    record: tuple[int, ...]


class Holdem(HoldemNotation, Game):
    """Two cards of one's own, five for all."""

    name = "holdem"
    zero_sum = True
    runtime = ("parts", "displacements", "strengths", "flushes")

    def __init__(
        self,
        players: int = 2,
        betting: str = "limit",
        blinds: str = "5-10",
        stack: str | int = "0",
        ranks: int = 13,
        rounds: int = 4,
    ) -> None:
        self.players = whole_number("players", players, 2, 6)
        if betting not in ("limit", "no-limit"):
            raise BadInput(f"betting must be limit or no-limit, not {betting!r}")
        self.betting, self.limit = betting, betting == "limit"
        self.ranks, self.rounds = whole_number("ranks", ranks, 3, 13), whole_number("rounds", rounds, 1, 4)
        self.small, self.big = _blinds(blinds)
        self.full_board = BOARD[self.rounds - 1]
        self.first_card, self.cards = 52 - 4 * self.ranks, 4 * self.ranks
        if 2 * self.players + self.full_board > self.cards:
            raise BadInput(
                f"{self.cards} cards are not enough for {players} players and {self.full_board} on the board"
            )
        self.sizes = (self.big, self.big, 2 * self.big, 2 * self.big)
        enough = MOST_BETS * sum(self.sizes[: self.rounds])
        self.stacks = _stacks(stack, self.players, self.big, enough if self.limit else 0)
        deepest = max(self.stacks)
        self.act_bits = LIMIT_ACT if self.limit else NO_LIMIT_ACT
        self.acts_a_word = WORD // self.act_bits
        most_acts = (MOST_BETS + 1) * self.players * self.rounds if self.limit else 128
        self.most_acts = min(-(-most_acts // self.acts_a_word), 32) * self.acts_a_word
        self.no_record = (0,) * (self.most_acts // self.acts_a_word)
        self.nothing = (0,) * self.players
        self.perfect_recall = self.limit
        if self.is_usual:
            self.own_player = "blueprint"
        outcomes = math.comb(self.cards, 3) if self.cards <= SMALL_DECK else self.cards
        self.max_actions = max(outcomes, 3 if self.limit else deepest - self.big + 3)
        self.utility_range = (-deepest, sum(self.stacks) - min(self.stacks))
        self.step = 1 if self.players == 2 else None
        self.zero_sum = True
        self.parts, self.displacements, self.strengths, self.flushes = (np.array(t) for t in hand_tables()[:4])

    @property
    def is_usual(self) -> bool:
        """Whether it is heads-up limit hold'em with bets of one and two big blinds, and stacks that pay them all."""
        whole = self.players == 2 and self.limit and (self.ranks, self.rounds) == (13, 4)
        return whole and 2 * self.small == self.big and min(self.stacks) >= MOST_BETS * sum(self.sizes)

    # -- rules -------------------------------------------------------------------------------------

    def initial(self) -> Hand:
        paid = self.nothing
        small, big = (1, 0) if self.players == 2 else (0, 1)
        paid = replaced(replaced(paid, small, self.small), big, self.big)
        first = 1 if self.players == 2 else 2 % self.players
        return Hand(
            self.nothing, (0, 0, 0), paid, self.nothing, 0, 0, 0, first, self.big, self.big, 0, 0, self.no_record
        )

    def to_move(self, state: Hand) -> int:
        return CHANCE if self.is_dealing(state) else state.mover

    def is_dealing(self, state: Hand) -> bool:
        """Whether the next card is to come: to a hand or to the board."""
        if popcount(state.hands[self.players - 1]) < 2:
            return True
        if state.mover == NOBODY and self.left_in(state) < 2:
            return False
        wanted = self.full_board if state.mover == NOBODY else BOARD[state.street]
        return self.on_board(state) < wanted

    def on_board(self, state: Hand) -> int:
        return popcount(state.board[0]) + popcount(state.board[1]) + popcount(state.board[2])

    def left_in(self, state: Hand) -> int:
        """How many have not folded."""
        return self.players - popcount(state.folded)

    def seen_cards(self, state: Hand) -> int:
        """The cards that are dealt, as far as they are seen."""
        cards = state.board[0] | state.board[1] | state.board[2]
        for seat in range(self.players):
            cards |= state.hands[seat]
        return cards

    def cards_to_come(self, state: Hand) -> int:
        """How many cards chance deals at once: the flop has three, all else comes card by card."""
        return 3 if popcount(state.hands[self.players - 1]) == 2 and state.board[0] == 0 else 1

    def chance(self, state: Hand) -> Iterator[tuple[int, float]]:
        seen = self.seen_cards(state)
        left = self.cards - popcount(seen)
        flop = self.cards_to_come(state) == 3
        for high in range(self.first_card, 52):
            if not seen >> high & 1:
                if not flop:
                    yield high - self.first_card, 1 / left
                else:
                    for middle in range(self.first_card, high):
                        for low in range(self.first_card, middle):
                            if not (seen >> middle & 1 or seen >> low & 1):
                                yield flop_number(low, middle, high), 6 / (left * (left - 1) * (left - 2))

    def sample(self, state: Hand, rng: Any) -> int:
        seen = self.seen_cards(state)
        one = self.drawn_card(seen, rng)
        if self.cards_to_come(state) == 1:
            return one - self.first_card
        two = self.drawn_card(seen | 1 << one, rng)
        three = self.drawn_card(seen | 1 << one | 1 << two, rng)
        low, high = min(one, two, three), max(one, two, three)
        return flop_number(low, one + two + three - low - high, high)

    def drawn_card(self, seen: int, rng: Any) -> int:
        """One of the cards that are not seen."""
        card = self.first_card + below(rng, self.cards)
        while seen >> card & 1:
            card = self.first_card + below(rng, self.cards)
        return card

    @property
    def lists_chance(self) -> bool:
        """Whether searches go through all cards that may come; of a whole deck they draw some."""
        return self.cards <= SMALL_DECK

    def actions(self, state: Hand) -> Iterator[int]:
        """Fold, call, and raise; in no-limit a raise is the amount that the seat will have put in."""
        if not self.is_dealing(state) and state.mover != NOBODY:
            if state.paid[state.mover] < state.bet:
                yield FOLD
            yield CALL
            if self.may_raise(state):
                if self.limit:
                    yield RAISE
                else:
                    for amount in range(self.least_raise(state), self.stacks[state.mover] + 1):
                        yield amount

    def may_raise(self, state: Hand) -> bool:
        """Whether the mover has chips for more than a call, is let raise, and somebody could answer."""
        seat = state.mover
        if self.stacks[seat] <= state.bet or (self.limit and state.raises >= self.most_raises(state.street)):
            return False
        if state.acted >> seat & 1 and state.bet - state.level[seat] < state.last:
            return False
        for other in range(self.players):
            if other != seat and not state.folded >> other & 1 and self.stacks[other] > state.bet:
                return True
        return False

    def most_raises(self, street: int) -> int:
        return MOST_BETS - 1 if street == 0 else MOST_BETS

    def least_raise(self, state: Hand) -> int:
        return min(state.bet + state.last, self.stacks[state.mover])

    def result(self, state: Hand, action: int) -> Hand:
        if self.is_dealing(state):
            if action >= FLOP:
                flop = 1 << (action >> 12 & 63) | 1 << (action >> 6 & 63) | 1 << (action & 63)
                return state._replace(board=(flop, 0, 0))
            return self.dealt(state, action + self.first_card)
        seat, bit = state.mover, 1 << state.mover
        paid, folded, acted, bet, last, raises = (
            state.paid,
            state.folded,
            state.acted | bit,
            state.bet,
            state.last,
            state.raises,
        )
        if action == FOLD:
            folded |= bit
        elif action == CALL:
            paid = replaced(paid, seat, min(bet, self.stacks[seat]))
        else:
            amount = min(bet + self.sizes[state.street], self.stacks[seat]) if self.limit else action
            last = max(last, amount - bet)
            bet, raises = amount, raises + 1
            paid = replaced(paid, seat, amount)
        record, acts = state.record, state.acts
        if acts < self.most_acts:
            code = action + 1
            word = acts // self.acts_a_word
            shift = self.act_bits * (acts % self.acts_a_word)
            record = replaced(record, word, record[word] | code << shift)
            acts += 1
        level = replaced(state.level, seat, bet)
        after = Hand(
            state.hands, state.board, paid, level, folded, acted, state.street, seat, bet, last, raises, acts, record
        )
        return self.passed_on(after)

    def passed_on(self, state: Hand) -> Hand:
        """The turn goes to the next seat that has something to decide, or the round is over."""
        if self.left_in(state) < 2:
            return state._replace(mover=NOBODY)
        seat = self.next_seat(state, state.mover)
        if seat != NOBODY:
            return state._replace(mover=seat)
        if state.street + 1 >= self.rounds or self.able(state) < 2:
            return state._replace(mover=NOBODY)
        last = self.sizes[state.street + 1] if self.limit else self.big
        fresh = state._replace(level=self.nothing, acted=0, street=state.street + 1, last=last, raises=0)
        return fresh._replace(mover=self.next_seat(fresh, self.players - 1))

    def next_seat(self, state: Hand, seat: int) -> int:
        """The first after a seat that is in, has chips, and has not acted or not matched the bet; NOBODY if none."""
        able = self.able(state)
        for turn in range(1, self.players + 1):
            other = (seat + turn) % self.players
            if not state.folded >> other & 1 and state.paid[other] < self.stacks[other]:
                behind = state.paid[other] < state.bet
                if behind or (able > 1 and not state.acted >> other & 1):
                    return other
        return NOBODY

    def able(self, state: Hand) -> int:
        """How many are in and have chips left."""
        count = 0
        for seat in range(self.players):
            if not state.folded >> seat & 1 and state.paid[seat] < self.stacks[seat]:
                count += 1
        return count

    def dealt(self, state: Hand, card: int) -> Hand:
        """One more card: to the first hand that has less than two, then to the board."""
        bit = 1 << card
        for seat in range(self.players):
            if popcount(state.hands[seat]) < 2:
                return state._replace(hands=replaced(state.hands, seat, state.hands[seat] | bit))
        place = 1 if state.board[1] == 0 else 2
        return state._replace(board=replaced(state.board, place, bit))

    def cards_of(self, state: Hand, outcome: int) -> list[int]:
        """The cards that an outcome of chance brings."""
        if outcome < FLOP:
            return [outcome + self.first_card]
        return [outcome >> 12 & 63, outcome >> 6 & 63, outcome & 63]

    def outcome_of(self, cards: Sequence[int]) -> int:
        """The outcome that brings one card, or the three of a flop."""
        if len(cards) == 1:
            return cards[0] - self.first_card
        low, middle, high = sorted(cards)
        return flop_number(low, middle, high)

    def is_terminal(self, state: Hand) -> bool:
        return state.mover == NOBODY and not self.is_dealing(state)

    # -- the end of a hand ---------------------------------------------------------------------------

    def utility(self, state: Hand, player: int) -> float:
        """What the player wins beyond what it has put in."""
        won, below_level = 0.0, 0
        while True:
            level = self.next_level(state, below_level)
            if level < 0:
                return won - state.paid[player]
            pot, best, sharing, mine = 0, -1, 0, False
            for seat in range(self.players):
                pot += min(state.paid[seat], level) - min(state.paid[seat], below_level)
                if not state.folded >> seat & 1 and state.paid[seat] >= level:
                    strength = self.strength(state, seat) if self.left_in(state) > 1 else 0
                    if strength > best:
                        best, sharing, mine = strength, 0, False
                    if strength == best:
                        sharing += 1
                        mine = mine or seat == player
            if mine:
                won += pot / sharing
            below_level = level

    def next_level(self, state: Hand, level: int) -> int:
        """The next higher amount that somebody who is still in has put in; -1 where there is none."""
        found = -1
        for seat in range(self.players):
            paid = state.paid[seat]
            if not state.folded >> seat & 1 and paid > level and (found < 0 or paid < found):
                found = paid
        return found

    def strength(self, state: Hand, seat: int) -> int:
        """What a hand is worth on the board: the higher one wins."""
        cards = state.hands[seat] | state.board[0] | state.board[1] | state.board[2]
        if popcount(cards) == 7:
            total, rest = BIAS, cards
            while rest != 0:
                total += self.parts[lowest_bit(rest)]
                rest &= rest - 1
            return int(strength_of(total, cards, self))
        once, twice, thrice, four, suits = 0, 0, 0, 0, 0
        while cards != 0:
            card = lowest_bit(cards)
            cards &= cards - 1
            bit = 1 << (card >> 2)
            four |= thrice & bit
            thrice |= twice & bit
            twice |= once & bit
            once |= bit
            suits |= bit << 13 * (card & 3)
        return int(value_of(once, twice, thrice, four, suits))

    def is_showdown(self, state: Hand) -> bool:
        return self.is_terminal(state) and self.left_in(state) > 1

    # -- what a seat sees, and what it may be ------------------------------------------------------------

    def observation(self, state: Hand, player: int) -> Hand:
        """The own hand, and at a showdown those of all who are still in."""
        hands = replaced(self.nothing, player, state.hands[player])
        if self.is_showdown(state):
            for seat in range(self.players):
                if not state.folded >> seat & 1:
                    hands = replaced(hands, seat, state.hands[seat])
        return state._replace(hands=hands)

    def deal(self, observation: Hand, player: int, rng: Any) -> Hand:
        """The other hands at random."""
        seen, hands = self.seen_cards(observation), observation.hands
        for seat in range(self.players):
            for _ in range(2 if seat != player and hands[seat] == 0 else 0):
                card = self.drawn_card(seen, rng)
                seen |= 1 << card
                hands = replaced(hands, seat, hands[seat] | 1 << card)
        return observation._replace(hands=hands)

    def deals(self, observation: Hand, player: int) -> Iterator[tuple[Hand, float]]:
        """Every way the other hands may be, all equally likely; refuses where they are too many to list."""
        seen = self.seen_cards(observation)
        left = [card for card in range(self.first_card, 52) if not seen >> card & 1]
        others = [seat for seat in range(self.players) if seat != player]
        count = 1
        for number in range(len(others)):
            free = len(left) - 2 * number
            count *= free * (free - 1) // 2
        check_listable(self, count)
        for hands in self._spread(others, left, observation.hands):
            yield observation._replace(hands=hands), 1 / count

    def _spread(self, seats: list[int], left: list[int], hands: tuple[int, ...]) -> Iterator[tuple[int, ...]]:
        if not seats:
            yield hands
            return
        for place, high in enumerate(left):
            for low in left[:place]:
                rest = [card for card in left if card not in (low, high)]
                yield from self._spread(seats[1:], rest, replaced(hands, seats[0], 1 << low | 1 << high))

    def earlier(self, state: Hand, observation: Hand, player: int) -> Hand:
        return observation._replace(hands=state.hands)


def flop_number(low: int, middle: int, high: int) -> int:
    """The outcome that brings these three cards."""
    return FLOP | low << 12 | middle << 6 | high


def _blinds(text: str) -> tuple[int, int]:
    parts = str(text).split("-")
    if len(parts) != 2 or not all(part.isascii() and part.isdecimal() for part in parts):
        raise BadInput(f"blinds are two amounts such as 5-10, not {text!r}")
    small, big = map(int, parts)
    if not 1 <= small <= big <= MOST_CHIPS // 4 or big < 2:
        raise BadInput(
            f"blinds are the small and the big one, 1 to {MOST_CHIPS // 4}, the big one at least 2, not {text!r}"
        )
    return small, big


def _stacks(text: str | int, players: int, big: int, enough: int) -> tuple[int, ...]:
    parts = str(text).split("-")
    if not all(part.isascii() and part.isdecimal() for part in parts) or len(parts) not in (1, players):
        raise BadInput(f"stack is an amount, or one for each of the {players} seats such as 200-50, not {text!r}")
    amounts = [int(part) or enough or 100 * big for part in parts] * (players if len(parts) == 1 else 1)
    if min(amounts) <= big or max(amounts) > MOST_CHIPS:
        raise BadInput(f"a stack is more than the big blind, {big}, and at most {MOST_CHIPS}, not {text}")
    return tuple(amounts)
