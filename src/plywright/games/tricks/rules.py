"""A trick-taking game, whist in small or in full: any suits, ranks, players and partnerships.

The cards are dealt, the first player leads; everybody follows suit who can. The highest trump, else the highest
card of the suit led, takes the trick, and its owner leads next. The utility is the tricks of one's side; for two
sides, the tricks more than the other. Cards are written rank and suit: `As`, `Td`; suits are s h d c.

Chance deals by asking of each card in turn who gets it, so that every deal is one history; what is not dealt
(`hand` smaller than an even share; for two players, one less by default) stays hidden in the stock. Voids that a
player shows by not following suit are remembered by everybody, and deals respect them. What a player sees is the own
hand and the plays in order: `QsAs Js-Ks Ah`. With `full=yes` the hands lie open.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any, TypeVar

from ...bits import popcount, replaced
from ...game import CHANCE
from .cards import PLAY, WORD, Deal, play_at
from .knowledge import best_reply, strength, sure_run
from .notation import Written

AnyDeal = TypeVar("AnyDeal")
"""The state of a trick-taking game: a `Deal`, or what a game has in its place."""


class Tricks(Written):
    """Follow suit, win tricks."""

    how_to_play = (
        "Cards are dealt, and players put down one card each by turns. Whoever can follow the suit that was led "
        "must. The highest card of that suit takes the trick, or the highest trump where there is one, and its "
        "player leads the next. Whoever has taken more tricks wins."
    )

    name = "tricks"

    def initial(self) -> Deal:
        return Deal(self.no_hands, self.no_plays, 0, 0, 0, self.no_tricks, 0)

    def to_move(self, state: Deal) -> int:
        if state.dealt < self.cards:
            return CHANCE
        return self.seat_to_play(state)

    def chance(self, state: Deal) -> Iterator[tuple[int, float]]:
        """Who gets the next card of the deck, by the room left; the number after the last player is the stock."""
        left, given = self.cards - state.dealt, 0
        for seat in range(self.players):
            room = self.hand - popcount(state.hands[seat])
            given += room
            if room > 0:
                yield seat, room / left
        if left > given:
            yield self.players, (left - given) / left

    def actions(self, state: Deal) -> Iterator[int]:
        if state.dealt == self.cards and state.played < self.dealt_cards:
            cards = state.hands[self.to_move(state)]
            led = self.led(state)
            if led >= 0 and cards >> self.ranks * led & self.suit_cards != 0:
                cards &= self.suit_cards << self.ranks * led
            for card in range(self.cards):
                if cards >> card & 1:
                    yield card

    def result(self, state: Deal, action: int) -> Deal:
        if state.dealt < self.cards:
            return self.dealt_to(state, action)
        state = self.put_down(state, action)
        if state.played % self.players == 0:
            leader = (state.leader + self.best_of_trick(state.plays, state.played - self.players)) % self.players
            taker = leader % self.counted
            state = state._replace(leader=leader, tricks=replaced(state.tricks, taker, state.tricks[taker] + 1))
        return state

    def dealt_to(self, state: AnyDeal, seat: int) -> AnyDeal:
        """The state after the next card of the deck was given to a seat, or put in the stock."""
        now: Any = state
        hands = now.hands
        if seat < self.players:
            hands = replaced(hands, seat, hands[seat] | 1 << now.dealt)
        return now._replace(hands=hands, dealt=now.dealt + 1)  # type: ignore[no-any-return]

    def put_down(self, state: AnyDeal, card: int) -> AnyDeal:
        """The state after a card was played; who takes a trick that it ends is not settled yet."""
        now: Any = state
        mover, led, voids = self.seat_to_play(now), self.led(now), now.voids
        if led >= 0 and card // self.ranks != led:
            voids |= 1 << mover * self.suits + led
        hands = replaced(now.hands, mover, now.hands[mover] & ~(1 << card))
        word = now.played // WORD
        plays = replaced(now.plays, word, now.plays[word] | card << PLAY * (now.played % WORD))
        return now._replace(hands=hands, plays=plays, played=now.played + 1, voids=voids)  # type: ignore[no-any-return]

    def is_terminal(self, state: Deal) -> bool:
        return state.played == self.dealt_cards

    def utility(self, state: Deal, player: int) -> float:
        mine = state.tricks[player % self.sides]
        return 2 * mine - self.hand if self.opposed_sides else mine

    def evaluate(self, state: Deal, player: int) -> float:
        """The tricks that a side can expect with all hands seen, drawn a little towards an even share."""
        if self.is_terminal(state):
            return 1.0 * self.utility(state, player)
        side = 0 if self.opposed_sides else player % self.sides  # of two, the one has what the other has not
        even = self.hand / self.sides
        expected = even
        if state.dealt == self.cards:
            expected = self.expected_tricks(state, side)
        expected += (even - expected) / 64
        if not self.opposed_sides:
            return expected
        return 2 * expected - self.hand if player % self.sides == 0 else self.hand - 2 * expected

    def expected_tricks(self, state: Deal, side: int) -> float:
        """Tricks won, the one on the table, sure ones, and of the others a share by high cards."""
        left = self.hand - state.played // self.players
        expected, lead = 0.0, state.leader % self.sides
        for seat in range(side, self.counted, self.sides):
            expected += state.tricks[seat]
        if state.played % self.players:
            lead = self.likely_taker(state) % self.sides
            expected += 1.0 if lead == side else 0.0
            left -= 1
        mine, leads, total, own, whole = 0, 0, 0, 0.0, 0.0
        for suit in range(self.suits):
            holder, sure = sure_run(state.hands, suit, self.ranks, self.sides, self.trump)
            total += sure
            mine += sure if holder == side else 0
            leads += sure if holder == lead else 0
            for other in range(self.sides):
                part = strength(state.hands, suit, self.ranks, self.sides, other, self.trump)
                whole += part
                own += part if other == side else 0.0
        if total > left:  # whoever leads cashes first
            cashed = min(leads, left)
            return expected + (cashed if lead == side else (left - cashed) * mine / max(total - leads, 1))
        share = own / whole if whole > 0.0 else 1 / self.sides
        return expected + mine + (left - total) * share

    def likely_taker(self, state: Deal) -> int:
        """Who takes the trick on the table if everybody who can beat the other sides' best card does."""
        turns = state.played % self.players
        start = state.played - turns
        led = play_at(state.plays, start) // self.ranks
        best, taker = -1, state.leader
        for turn in range(self.players):
            seat = (state.leader + turn) % self.players
            if turn < turns:
                card = play_at(state.plays, start + turn)
                same = best >= 0 and card // self.ranks == best // self.ranks
                over = best < 0 or (same and card > best) or (not same and card // self.ranks == self.trump)
                if over:
                    best, taker = card, seat
            elif seat % self.sides != taker % self.sides:
                card = best_reply(state.hands[seat], led, best, self.ranks, self.trump)
                if card >= 0:
                    best, taker = card, seat
        return taker
