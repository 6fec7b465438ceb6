"""What a seat of a trick-taking game sees, and how the unseen cards may lie.

The own hand and all plays are seen; who has not followed a suit has shown a void, which every deal respects.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Any

from ...bits import lowest_bit, popcount, replaced
from ...rng import below
from ..deal_counts import check_listable, spread, ways
from .cards import CardTable, Deal, play_at
from .many_piles import GROUPS, drawn_count
from .three_piles import drawn_counts, some_of

MOST_TRIES = 100
"""Deals that are tried before the ways are counted; where tries hardly ever fit, there is not much to count."""
NO_GROUPS = (0,) * GROUPS


class Dealing(CardTable):
    """Views, and the deals that look like them."""

    def observation(self, state: Deal, player: int) -> Deal:
        """The own hand and all that was played."""
        if self.full:
            return state
        return state._replace(hands=replaced(self.no_hands, player, state.hands[player]))

    def deal(self, observation: Deal, player: int, rng: Any) -> Deal:
        """The unseen cards, none in a suit that its holder has shown to lack; all deals are equally likely."""
        if self.full or observation.dealt < self.cards:
            return observation
        known = self.known_piles(observation, player)
        unseen = self.unseen(observation, player)
        for seat in range(self.players):
            unseen &= ~known[seat]
        if self.piles == 3:
            held = self.dealt_to_three(observation, player, unseen, known, rng)
        else:
            held = self.dealt_to_many(observation, player, unseen, known, rng)
        hands = observation.hands
        for seat in range(self.players):
            if seat != player:
                hands = replaced(hands, seat, held[seat])
        return observation._replace(hands=hands)

    def dealt_to_three(
        self, observation: Deal, player: int, unseen: int, known: tuple[int, ...], rng: Any
    ) -> tuple[int, ...]:
        """Where three have cards that are not seen, the stock counted in: how many of which kind, then which."""
        a = 1 if player == 0 else 0
        b = a + 2 if player == a + 1 else a + 1
        c = b + 2 if player == b + 1 else b + 1
        held, free, lacked_a, lacked_b, lacked_c = known, 0, 0, 0, 0
        for suit in range(self.suits):
            lacking = self.lacking(observation.voids, suit, player)
            no_a, no_b, no_c = lacking >> a & 1, lacking >> b & 1, lacking >> c & 1
            cards = unseen & self.suit_cards << suit * self.ranks
            if no_a + no_b + no_c == 0:
                free |= cards
            elif no_a + no_b + no_c > 1:  # one alone can hold them
                only = a if not no_a else b if not no_b else c
                held = replaced(held, only, held[only] | cards)
            elif no_a:
                lacked_a |= cards
            elif no_b:
                lacked_b |= cards
            else:
                lacked_c |= cards
        room_a = self.size(observation, a) - popcount(held[a])
        room_b = self.size(observation, b) - popcount(held[b])
        room_c = self.size(observation, c) - popcount(held[c])
        lacked = (popcount(lacked_a), popcount(lacked_b), popcount(lacked_c))
        to_b, to_c, to_a = drawn_counts(lacked, (room_a, room_b, room_c), rng)
        cards_b, cards_c = some_of(lacked_a, to_b, rng), some_of(lacked_b, to_c, rng)
        cards_a = some_of(lacked_c, to_a, rng)
        cards_a |= lacked_b & ~cards_c
        cards_b |= lacked_c & ~cards_a
        cards_c |= lacked_a & ~cards_b
        more_a = some_of(free, room_a - popcount(cards_a), rng)
        more_b = some_of(free & ~more_a, room_b - popcount(cards_b), rng)
        held = replaced(held, a, held[a] | cards_a | more_a)
        held = replaced(held, b, held[b] | cards_b | more_b)
        return replaced(held, c, held[c] | cards_c | free & ~more_a & ~more_b)

    def dealt_to_many(
        self, observation: Deal, player: int, unseen: int, known: tuple[int, ...], rng: Any
    ) -> tuple[int, ...]:
        """Suits that only one can hold go first, then those that somebody lacks, then the others.

        Of those that somebody lacks each card goes to a place drawn out of all that were open to its suit by then; a
        place that has been filled since begins the deal again. Suits that the same seats lack are dealt as one: among
        them no place is filled twice. After so many tries the ways are counted instead: either way all are as likely.
        """
        held, fits, tries = known, False, 0
        while not fits:
            if tries == MOST_TRIES:
                return self.dealt_by_count(observation, player, unseen, known, rng)
            tries += 1
            held, fits = known, True
            for phase in range(3):
                before = held
                for suit in range(self.suits):
                    lacking = self.lacking(observation.voids, suit, player)
                    cards = self.dealt_as_one(observation, suit, player) & unseen
                    if cards != 0 and self.phase_of(observation, lacking, player) == phase:
                        places = self.room(observation, before if phase == 1 else held, lacking, player)
                        while fits and cards != 0:
                            card = lowest_bit(cards)
                            cards &= cards - 1
                            seat = self.seat_at(below(rng, places), observation, held, lacking, player)
                            places -= 1
                            fits = seat >= 0
                            if fits:
                                held = replaced(held, seat, held[seat] | 1 << card)
        return held

    def dealt_by_count(
        self, observation: Deal, player: int, unseen: int, known: tuple[int, ...], rng: Any
    ) -> tuple[int, ...]:
        """Of the suits that somebody lacks how many cards go to whom, by the ways to do that; then which ones."""
        room, sizes, closed = known, NO_GROUPS, NO_GROUPS
        for seat in range(self.players + 1):
            free = 0 if seat == player else self.size(observation, seat) - popcount(known[seat])
            room = replaced(room, seat, free)
        for suit in range(self.suits):
            lacking = self.lacking(observation.voids, suit, player)
            if lacking != 0:
                sizes = replaced(sizes, suit, popcount(self.dealt_as_one(observation, suit, player) & unseen))
                closed = replaced(closed, suit, lacking)
        held = known
        for suit in range(self.suits):
            left = self.dealt_as_one(observation, suit, player) & unseen if sizes[suit] > 0 else 0
            unseen &= ~left
            for seat in range(self.players + 1 if left != 0 else 0):
                count = drawn_count(suit, seat, popcount(left), sizes, closed, room, rng)
                cards = some_of(left, count, rng)
                left &= ~cards
                room = replaced(room, seat, room[seat] - count)
                held = replaced(held, seat, held[seat] | cards)
        for seat in range(self.players + 1):
            cards = some_of(unseen, room[seat], rng)
            unseen &= ~cards
            held = replaced(held, seat, held[seat] | cards)
        return held

    def known_piles(self, observation: Deal, player: int) -> tuple[int, ...]:
        """Cards of the others that the player knows to be theirs, by seat; the stock is last. Here there are none."""
        return self.no_piles

    def dealt_as_one(self, observation: Deal, suit: int, player: int) -> int:
        """The cards of the suits that the same seats lack as this one; none where an earlier suit stands for it."""
        cards, lacking = 0, self.lacking(observation.voids, suit, player)
        for other in range(self.suits):
            if self.lacking(observation.voids, other, player) == lacking:
                if other < suit:
                    return 0
                cards |= self.suit_cards << other * self.ranks
        return cards

    def phase_of(self, observation: Deal, lacking: int, player: int) -> int:
        """When the cards of a suit are dealt: 0 where one seat alone can hold them, 2 where nobody lacks it, else 1."""
        open_seats = 0
        for seat in range(self.players + 1):
            if seat != player and not lacking >> seat & 1 and self.size(observation, seat) > 0:
                open_seats += 1
        return 0 if open_seats == 1 else 2 if lacking == 0 else 1

    def unseen(self, observation: Deal, player: int) -> int:
        """The cards that are neither in the player's hand nor played."""
        cards = (1 << self.cards) - 1 & ~observation.hands[player]
        for number in range(observation.played):
            cards &= ~(1 << play_at(observation.plays, number))
        return cards

    def lacking(self, voids: int, suit: int, player: int) -> int:
        """The others who have shown that they lack the suit, as a set."""
        seats = 0
        for seat in range(self.players):
            if seat != player and voids >> seat * self.suits + suit & 1:
                seats |= 1 << seat
        return seats

    def room(self, observation: Deal, held: tuple[int, ...], lacking: int, player: int) -> int:
        """How many more cards those who do not lack the suit can take, beside what they hold already."""
        total = 0
        for seat in range(self.players + 1):
            if seat != player and not lacking >> seat & 1:
                total += self.size(observation, seat) - popcount(held[seat])
        return total

    def seat_at(self, place: int, observation: Deal, held: tuple[int, ...], lacking: int, player: int) -> int:
        """Whose free place that is, counted over those who do not lack the suit; -1 if there are not so many."""
        for seat in range(self.players + 1):
            if seat != player and not lacking >> seat & 1:
                free = self.size(observation, seat) - popcount(held[seat])
                if place < free:
                    return seat
                place -= free
        return -1

    def deals(self, observation: Deal, player: int) -> Iterator[tuple[Deal, float]]:
        """Every way the unseen cards may lie, all equally likely; refuses where they are too many to list."""
        if self.full or observation.dealt < self.cards:
            yield observation, 1.0
            return
        cards, sizes, open_to = self.question(observation, player)
        total = ways(cards, sizes, open_to)
        check_listable(self, total)
        for piles in spread(cards, sizes, open_to):
            hands = observation.hands
            for seat in range(self.players):
                if seat != player:
                    hands = replaced(hands, seat, sum(1 << card for card in piles[seat]))
            yield observation._replace(hands=hands), 1 / total

    def earlier(self, state: Deal, observation: Deal, player: int) -> Deal:
        """The hands of the others now, and what they have played since."""
        hands, leader = replaced(state.hands, player, observation.hands[player]), observation.leader
        for number in range(observation.played, state.played):
            seat = (leader + number % self.players) % self.players
            if seat != player:
                hands = replaced(hands, seat, hands[seat] | 1 << play_at(state.plays, number))
            if number % self.players == self.players - 1:
                leader = (leader + self.best_of_trick(state.plays, number + 1 - self.players)) % self.players
        return observation._replace(hands=hands)

    def count_deals(self, observation: Any, player: int) -> int | None:
        """How many ways the unseen cards may lie."""
        if self.full or observation.dealt < self.cards:
            return 1
        return ways(*self.question(observation, player))

    def question(self, observation: Any, player: int) -> tuple[list[int], list[int], dict[int, list[int]]]:
        """The unseen cards, the places of each seat (the stock is last), and the seats open to each card."""
        unseen = self.unseen(observation, player)
        cards = [card for card in range(self.cards) if unseen >> card & 1]
        seats = range(self.players + 1)
        sizes = [0 if seat == player else int(self.size(observation, seat)) for seat in seats]
        lacking = [self.lacking(observation.voids, suit, player) for suit in range(self.suits)]
        open_to = {c: [s for s in seats if s != player and not lacking[c // self.ranks] >> s & 1] for c in cards}
        known = self.known_piles(observation, player)
        for card in cards:
            if holders := [seat for seat, pile in enumerate(known) if pile >> card & 1]:
                open_to[card] = [seat for seat in open_to[card] if seat in holders]
        return cards, sizes, open_to

    def whole_deal_fault(self, hands: Sequence[int], dealt: int) -> str:
        """What is wrong with hands that should be all the cards dealt so far, played ones put back; empty: nothing."""
        if any(not 0 <= hand < 1 << dealt or popcount(hand) > self.hand for hand in hands):
            return f"a hand has cards that were not dealt, or more than {self.hand}"
        together = 0
        for hand in hands:
            together |= hand
        if sum(map(popcount, hands)) != dealt or popcount(together) != dealt:
            return "the hands are not the cards that were dealt, each once"
        return ""
