"""What the double-dummy solver knows: equal cards, quick and sure tricks, which cards a result rests on."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import numpy as np

from ...bits import gather, highest_bit, lowest_bit, mix, popcount
from ...game import Game
from ...knowledge import Knowledge
from .trick import NO_TRUMPS, SUIT, Trick, beats, playable

ORDER = (
    *(1, 1, -1, 0, -45, 25, 0, 30, -3, 0, 28, -3, 5, -1, 0, 0, -1, 0, 1, 0),  # leads
    *(40, 40, 0, -1, -1, -5, -3, 1, 0, 0, 1, 1),  # cards on a trick
)
"""What counts how much for the order of moves; found by counting nodes, and none of it changes a value."""


class DoubleDummyKnowledge(Knowledge):
    """Exact: nothing here is a guess but the order of moves."""

    def __init__(self, game: Game) -> None:
        self.game = game
        self.weights = np.array(ORDER, np.int64)

    def key(self, state: Trick) -> int:
        """By relative ranks between two tricks: deals that differ in cards already played are one."""
        if state.played > 0:
            return mix(state)
        one, two = self.pattern(state)
        return mix((self.shape(state), one, two, state.won, state.lost))

    # -- equal cards ------------------------------------------------------------------------------------

    def candidates(self, state: Trick) -> Iterator[int]:
        """Of cards with none between them that somebody else holds, the lowest."""
        if state.left > 0:
            cards = playable(state)
            others = present(state) & ~cards
            while cards != 0:
                card = lowest_bit(cards)
                yield card
                above = others & ~((1 << card) - 1) | 1 << (card & 0x30) + 16 if card < 48 else others >> card << card
                if above == 0:
                    break
                cards &= ~((1 << lowest_bit(above)) - 1)

    # -- order -------------------------------------------------------------------------------------------

    def priority(self, state: Trick, action: int, depth: int) -> int:
        if state.played == 0:
            return lead_promise(state, action, self.weights)  # type: ignore[no-any-return]
        return follow_promise(state, action, self.weights)  # type: ignore[no-any-return]

    # -- bounds ------------------------------------------------------------------------------------------

    def bounds(self, state: Trick) -> tuple[int, int]:
        seat = (state.leader + state.played) & 3
        ahead = state.won - state.lost
        if seat & 1:
            ahead = -ahead
        if state.played > 0:
            return ahead - state.left, ahead + state.left
        mine, _ = quick_tricks(state, 99)
        theirs, _ = sure_tricks(state, 99)
        return ahead - state.left + 2 * mine, ahead + state.left - 2 * theirs

    # -- what a value rests on ----------------------------------------------------------------------------

    def banked(self, state: Trick) -> int:
        ahead = state.won - state.lost
        return -ahead if (state.leader + state.played) & 1 else ahead

    def grounds(self, state: Trick, value: int, lower: bool) -> int:
        """The cards that prove, without search, that the mover gets `value` (or no more)."""
        if state.played > 0:
            return 0
        ahead = self.banked(state)
        if lower:
            wanted = (value - ahead + state.left + 1) >> 1
            return quick_tricks(state, wanted)[1]
        wanted = (ahead + state.left - value + 1) >> 1
        return sure_tricks(state, wanted)[1]

    def shape(self, state: Trick) -> int:
        if state.played > 0:
            return 0
        word = state.left << 5 | state.trump << 2 | state.leader
        for seat in range(4):
            hand = state.hands[seat]
            for suit in range(3):
                word = word << 4 | popcount(hand >> 16 * suit & SUIT)
        return word

    def pattern(self, state: Trick) -> tuple[int, int]:
        cards = present(state)
        hands = state.hands
        return gather(hands[1] | hands[3], cards), gather(hands[2] | hands[3], cards)

    def pattern_bits(self, state: Trick, needed: int) -> int:
        cards = present(state)
        for suit in range(4):
            low = needed & SUIT << 16 * suit
            if low != 0:
                needed |= (1 << 16 * suit + 13) - (low & -low)
        return gather(needed, cards)

    def needed_for(self, state: Trick, bits: int) -> int:
        cards = present(state)
        needed = 0
        for suit in range(4):
            held = cards & SUIT << 16 * suit
            length = popcount(held)
            part = bits & (1 << length) - 1
            bits >>= length
            if part != 0:
                for _ in range(lowest_bit(part)):
                    held &= held - 1
                needed |= held & -held
        return needed

    def relied(self, state: Trick, action: int, needed: int) -> int:
        """What the value after a card rests on, put in the words of the state before it."""
        if state.played == 3:
            best = action if beats(action, state.best, state.trump) else state.best
            same = (state.table | 1 << action) & SUIT << (best & 0x30)
            if same & same - 1 != 0:
                needed |= 1 << best
        hand = state.hands[(state.leader + state.played) & 3]
        above = needed & SUIT << (action & 0x30)
        if above != 0:
            least = above & -above
            if least > 1 << action and least & hand != 0:
                between = (least - 1) & ~((1 << action) - 1) & present(state)
                if between & ~hand == 0:
                    needed |= 1 << action
        return needed

    def spares(self, state: Trick, action: int, needed: int) -> int:
        """The other cards that would have done no better, for the same reasons: as low as what does not matter."""
        suit = SUIT << (action & 0x30)
        matters = needed & suit
        if matters == 0:
            return suit
        least = matters & -matters
        below = least - 1
        hand = state.hands[(state.leader + state.played) & 3]
        if least & hand != 0:  # a card that is as good as one that matters is not low
            below = (1 << highest_bit(present(state) & suit & below & ~hand) + 1) - 1
        return suit & below if below >> action & 1 else 0


def present(state: Trick) -> int:
    hands = state.hands
    return hands[0] | hands[1] | hands[2] | hands[3] | state.table


def length_of(hand: int, suit: int) -> int:
    return popcount(hand >> 16 * suit & SUIT)


def top_run(hand: int, others: int, suit: int) -> int:
    """How many cards of a suit a hand holds above everybody else's."""
    mine, theirs = hand >> 16 * suit & SUIT, others >> 16 * suit & SUIT
    return popcount(mine >> highest_bit(theirs) + 1)


def lowest_of_top(hand: int, count: int, suit: int) -> int:
    """The lowest of the `count` highest cards of a hand in a suit, as a set; empty for none."""
    mine = hand >> 16 * suit & SUIT
    if count <= 0:
        return 0
    for _ in range(popcount(mine) - count):
        mine &= mine - 1
    return (mine & -mine) << 16 * suit


def quick_tricks(state: Trick, wanted: int) -> tuple[int, int]:
    """Tricks that the side on lead can cash at once, and the cards that this rests on; no more than wanted."""
    needed = 0
    if wanted <= 0:
        return 0, needed
    trump, left, hands = state.trump, state.left, state.hands
    me, partner = hands[state.leader], hands[(state.leader + 2) & 3]
    left_hand, right_hand = hands[(state.leader + 1) & 3], hands[(state.leader + 3) & 3]
    ruff_left, ruff_right, plain = False, False, 99
    if trump != NO_TRUMPS:
        trumps = SUIT << 16 * trump
        ruff_left, ruff_right = left_hand & trumps != 0, right_hand & trumps != 0
        if (ruff_left or ruff_right) and me & trumps != 0:
            theirs = max(length_of(left_hand, trump), length_of(right_hand, trump))
            if top_run(me, left_hand | right_hand | partner, trump) >= theirs:
                needed |= lowest_of_top(me, theirs, trump)
                ruff_left = ruff_right = False
        if partner & trumps != 0:
            plain = popcount(partner & ~trumps)  # more tricks in plain suits, and the partner might have to ruff
    total, sides = 0, 0
    crossing, more, more_sides, more_needed = False, 0, 0, 0
    for suit in range(4):
        mine, others = length_of(me, suit), left_hand | right_hand | partner
        far = length_of(partner, suit)
        on_left, on_right = length_of(left_hand, suit), length_of(right_hand, suit)
        rounds = left
        if suit != trump:
            if ruff_left:
                rounds = min(rounds, on_left)
            if ruff_right:
                rounds = min(rounds, on_right)
        run = top_run(me, others, suit)
        longest = max(on_left, on_right, far)
        if run > 0 or (mine > 0 and longest == 0):
            count, rank = (mine, longest) if run >= longest else (run, run)
            count = min(count, rounds)
            if suit != trump:
                count = min(count, plain - sides)
                sides += count
            total += count
            needed |= lowest_of_top(me, min(count, rank), suit)
            if total >= wanted:
                return total, needed
            # ... and on to the partner's, where they come next
            if mine > run and far > run and count == run and run < rounds:
                rest = partner >> 16 * suit & SUIT
                top = highest_bit(rest)
                low_mine = me >> 16 * suit & (1 << top) - 1
                foes = (left_hand | right_hand) >> 16 * suit & SUIT
                if highest_bit(foes) < top and popcount(low_mine) == mine - run:
                    step = highest_bit(foes | low_mine) + 1
                    extra = min(popcount(rest >> step), far - run, rounds - run)
                    if extra > 0:
                        crossing = True
                        more += extra
                        if suit != trump:
                            more_sides += extra
                        more_needed |= lowest_of_top(partner, extra, suit)
        elif far > 0:
            run = top_run(partner, me | left_hand | right_hand, suit)
            longest = max(on_left, on_right, mine)
            if run > 0 or longest == 0:
                count, rank = (far, longest) if run >= longest else (run, run)
                count = min(count, rounds)
                if count > 0:
                    crossing = crossing or mine > 0
                    more += count
                    if suit != trump:
                        more_sides += count
                    more_needed |= lowest_of_top(partner, min(count, rank), suit)
    if not crossing and trump != NO_TRUMPS:
        # no way across: the partner's high trumps take their tricks later all the same
        run = top_run(me | partner, left_hand | right_hand, trump)
        sure = min(run, max(length_of(me, trump), length_of(partner, trump)))
        if sure > total - sides:
            total = sides + sure
            needed |= lowest_of_top(me | partner, sure, trump)
    if crossing and more > 0:
        if trump != NO_TRUMPS and me & SUIT << 16 * trump != 0:
            spare = max(popcount(me & ~(SUIT << 16 * trump)) - sides, 0)
            more -= max(more_sides - spare, 0)
        if more > 0:
            total += more
            needed |= more_needed
    return min(total, left), needed


def sure_tricks(state: Trick, wanted: int) -> tuple[int, int]:
    """Tricks that the side not on lead makes whatever is led, and the cards that this rests on."""
    if wanted <= 0:
        return 0, 0
    trump, hands = state.trump, state.hands
    me, partner = hands[state.leader], hands[(state.leader + 2) & 3]
    left_hand, right_hand = hands[(state.leader + 1) & 3], hands[(state.leader + 3) & 3]
    ours, theirs = me | partner, left_hand | right_hand
    needed, total = 0, 0
    if trump != NO_TRUMPS:
        run = top_run(theirs, ours, trump)
        total = min(run, max(length_of(left_hand, trump), length_of(right_hand, trump)))
        if total > 0:
            needed = lowest_of_top(theirs, min(total, wanted), trump)
            return total, needed
    for suit in range(4):
        if me >> 16 * suit & SUIT != 0:
            if top_run(theirs, ours, suit) == 0:
                return 0, 0
            void = trump != NO_TRUMPS and suit != trump and partner >> 16 * suit & SUIT == 0
            if void and partner >> 16 * trump & SUIT != 0:
                return 0, 0
            needed |= lowest_of_top(theirs, 1, suit)
    return 1, needed


# -- the order of moves ------------------------------------------------------------------------------------


def lead_promise(state: Trick, card: int, weights: Any) -> Any:
    """How promising a lead is: who has the best cards of the suit, who could ruff, how long it is."""
    suit, trump, hands, seat = card >> 4, state.trump, state.hands, state.leader
    me, partner = hands[seat] >> 16 * suit & SUIT, hands[(seat + 2) & 3] >> 16 * suit & SUIT
    on_left, on_right = hands[(seat + 1) & 3] >> 16 * suit & SUIT, hands[(seat + 3) & 3] >> 16 * suit & SUIT
    rank = card & 15
    promise = weights[0] * popcount(me) + weights[1] * popcount(partner)
    promise += weights[2] * (popcount(on_left) + popcount(on_right))
    if trump != NO_TRUMPS:
        trumps = SUIT << 16 * trump
        if suit == trump:
            promise += weights[3]
        elif (on_left == 0 and hands[(seat + 1) & 3] & trumps != 0) or (
            on_right == 0 and hands[(seat + 3) & 3] & trumps != 0
        ):
            promise += weights[4]
        elif partner == 0 and hands[(seat + 2) & 3] & trumps != 0:
            promise += weights[5]
        elif popcount(me) == 1 and hands[seat] & trumps != 0:
            promise += weights[6]
    high_left, high_right, high_far = highest_bit(on_left), highest_bit(on_right), highest_bit(partner)
    high = max(high_left, high_right)
    if rank > high:
        promise += weights[7] + weights[8] * rank
        if rank < high_far:
            promise += weights[9]
    elif high_far > high:
        promise += weights[10] + weights[11] * rank
    elif high_left > high_right:
        promise += weights[12] + weights[13] * rank
        if high_far > high_right:
            promise += weights[14]
    else:
        promise += weights[15] + weights[16] * rank
        if rank > high_left:
            promise += weights[17]
    return promise // weights[18]


def reply_beats(hand: int, led: int, best: int, trump: int) -> int:
    """The card with which a hand takes the trick from the best one so far, the highest; -1 if it cannot."""
    follows = hand & SUIT << 16 * led
    if follows != 0:
        card = highest_bit(follows)
        return card if best >> 4 == led and card > best else -1
    if trump == NO_TRUMPS or hand & SUIT << 16 * trump == 0:
        return -1
    card = highest_bit(hand & SUIT << 16 * trump)
    return card if best >> 4 != trump or card > best else -1


def follow_promise(state: Trick, card: int, weights: Any) -> Any:
    """How promising a card on a trick is: whether it wins it for the side, as things lie, and what it costs."""
    trump, hands, count = state.trump, state.hands, state.played
    seat = (state.leader + count) & 3
    led = (state.order & 0x30) >> 4
    rank, suit = card & 15, card >> 4
    wins = beats(card, state.best, trump)
    best = card if wins else state.best
    ours = wins or (state.winner ^ seat) & 1 == 0
    if count < 3:
        reply = reply_beats(hands[(seat + 1) & 3], led, best, trump)
        if reply >= 0:
            best, ours = reply, False
        if count == 1:
            reply = reply_beats(hands[(seat + 2) & 3], led, best, trump)
            if reply >= 0:
                ours = True
    promise = 0
    if ours:
        promise += weights[20] if wins else weights[21]
    elif wins:
        promise += weights[22]
    if suit == led:
        return (promise + weights[23] * rank) // weights[30]
    if suit == trump:
        return (promise + weights[24] * rank + weights[25]) // weights[30]
    hand = hands[seat]
    length = length_of(hand, suit)
    others = hands[(seat + 1) & 3] | hands[(seat + 3) & 3]
    if highest_bit(others >> 16 * suit & SUIT) < highest_bit(hand >> 16 * suit & SUIT):
        promise += weights[28]
    return (promise + weights[26] * rank + weights[27] * length) // weights[31]
