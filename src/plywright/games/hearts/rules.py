"""Hearts: four players, every heart taken counts one, the queen of spades (Black Lady) thirteen; few points are good.

Three cards are passed first (`passing=left`, right, across or none). Whoever holds the lowest club leads it; everybody
follows suit who can; no points may be played to the first trick, and no heart may be led before one was played, unless
a player has nothing else. Whoever takes all points shoots the moon: the others are charged with all of them. The
utility is the points of a deal, negative. Fewer `ranks` make a smaller deck, always with the ace high.

Cards, dealing, and what a player knows of voids are as in `tricks`. A player knows the three cards passed on and those
received. A view is written hand, passed, received, tricks: `3cKs >QsAhKh <2c3dTh Js-Ks`.
"""

from __future__ import annotations

from collections.abc import Iterator
from itertools import combinations, product
from math import comb
from typing import Any, NamedTuple

from ...bits import highest_bit, lowest_bit, popcount, replaced
from ...errors import BadInput
from ...game import CHANCE, Game
from ...rng import below
from ..deal_counts import check_listable, spread, ways
from ..notation import whole_number
from ..tricks import Tricks, play_at
from .knowledge import HeartsKnowledge

SPADES, HEARTS, CLUBS = 0, 1, 3
QUEEN = 13
PASSES = 3
DIRECTIONS = {"left": 1, "across": 2, "right": 3, "none": 0}


class Hand(NamedTuple):
    """As a `Deal` of tricks; beside it points taken by seat, what each seat passes on, how many cards were chosen."""

    hands: tuple[int, ...]
    plays: tuple[int, ...]
    dealt: int
    played: int
    leader: int
    points: tuple[int, ...]
    voids: int
    passed: tuple[int, ...]
    chosen: int
    broken: int


class HeartsRules(Tricks):
    """Who may do what, what it leads to, and what each seat can know."""

    name = "hearts"
    how_to_play = (
        "Everybody passes three cards on, unless the deal is without. Whoever holds the lowest club leads it, and "
        "everybody follows suit who can; the highest card of the suit led takes the trick. Every heart taken costs a "
        "point and the queen of spades thirteen; none of them is played to the first trick, and no heart is led before "
        "one was played. Whoever takes all of them shoots the moon: the others pay instead. Few points are good."
    )
    knowledge = HeartsKnowledge
    earlier = Game.earlier  # pasts are drawn from the start: cards have changed hands

    def __init__(self, ranks: int = 13, passing: str = "left") -> None:
        super().__init__(4, whole_number("ranks", ranks, 7, 13), 4)
        if passing not in DIRECTIONS:
            raise BadInput(f"passing is left, right, across or none, not {passing!r}")
        self.passing = DIRECTIONS[passing]
        self.choices_made = 4 * PASSES if self.passing else 0
        self.queen, self.low_club = SPADES * self.ranks + self.ranks - 3, CLUBS * self.ranks
        self.all_points = self.ranks + QUEEN
        self.utility_range = (-self.all_points, 0)
        self.sum_bound = 0
        self.hearts_set = self.suit_cards << HEARTS * self.ranks
        self.penalty = self.hearts_set | 1 << self.queen
        self.no_points = (0, 0, 0, 0)

    # -- rules -------------------------------------------------------------------------------------

    def initial(self) -> Hand:  # type: ignore[override]
        return Hand(self.no_hands, self.no_plays, 0, 0, 0, self.no_points, 0, self.no_hands, 0, 0)

    def to_move(self, state: Hand) -> int:  # type: ignore[override]
        if state.dealt < self.cards:
            return CHANCE
        if state.chosen < self.choices_made:
            return state.chosen // PASSES
        return (state.leader + state.played % 4) % 4

    def actions(self, state: Hand) -> Iterator[int]:  # type: ignore[override]
        if state.dealt == self.cards and state.played < self.dealt_cards:
            cards = self.playable(state)
            while cards != 0:
                yield lowest_bit(cards)
                cards &= cards - 1

    def playable(self, state: Hand) -> int:
        """The cards that may be chosen to pass, or played, as a set."""
        if state.chosen < self.choices_made:
            # the three cards of a seat go up, so that each choice of three is made in one way
            seat = state.chosen // PASSES
            cards = state.hands[seat]
            after = highest_bit(state.passed[seat]) + 1
            for _ in range(PASSES - 1 - state.chosen % PASSES):
                cards &= ~(1 << highest_bit(cards))
            return cards >> after << after
        cards = state.hands[(state.leader + state.played % 4) % 4]
        if state.played == 0:
            return 1 << self.low_club if cards >> self.low_club & 1 else cards
        if state.played % 4 == 0:
            if state.broken == 0 and cards & ~self.hearts_set != 0:
                cards &= ~self.hearts_set
            return cards
        led = play_at(state.plays, state.played - state.played % 4) // self.ranks
        follows = cards & self.suit_cards << self.ranks * led
        if follows != 0:
            cards = follows
        if state.played < 4 and cards & ~self.penalty != 0:
            cards &= ~self.penalty
        return cards

    def result(self, state: Hand, action: int) -> Hand:  # type: ignore[override]
        if state.dealt < self.cards:
            given = self.dealt_to(state, action)
            if given.dealt == self.cards and self.choices_made == 0:
                return given._replace(leader=self.holder(given.hands, self.low_club))
            return given
        if state.chosen < self.choices_made:
            return self.passed_on(state, action)
        after = self.put_down(state, action)
        voids, broken = after.voids, state.broken
        if action // self.ranks == HEARTS:
            if broken == 0 and state.played % 4 == 0:  # led too early: there is nothing else
                voids |= (0b1111 ^ 1 << HEARTS) << self.seat_to_play(state) * self.suits
            broken = 1
        leader, points = state.leader, state.points
        if after.played % 4 == 0:
            leader = (leader + self.best_of_trick(after.plays, state.played - 3)) % 4
            taken = 0
            for number in range(after.played - 4, after.played):
                taken += self.worth(play_at(after.plays, number))
            points = replaced(points, leader, points[leader] + taken)
        return after._replace(leader=leader, points=points, voids=voids, broken=broken)

    def passed_on(self, state: Hand, card: int) -> Hand:
        """One more card chosen to be passed; after the last of all seats the cards change hands."""
        seat = state.chosen // PASSES
        passed = replaced(state.passed, seat, state.passed[seat] | 1 << card)
        chosen, hands, leader = state.chosen + 1, state.hands, 0
        if chosen == self.choices_made:
            for giver in range(4):
                hands = replaced(hands, giver, hands[giver] & ~passed[giver])
            for giver in range(4):
                taker = (giver + self.passing) % 4
                hands = replaced(hands, taker, hands[taker] | passed[giver])
            leader = self.holder(hands, self.low_club)
        return state._replace(hands=hands, passed=passed, chosen=chosen, leader=leader)

    def holder(self, hands: tuple[int, ...], card: int) -> int:
        for seat in range(4):
            if hands[seat] >> card & 1:
                return seat
        return 0

    def worth(self, card: int) -> int:
        """The points of a card."""
        if card == self.queen:
            return QUEEN
        return 1 if card // self.ranks == HEARTS else 0

    def utility(self, state: Hand, player: int) -> float:  # type: ignore[override]
        for seat in range(4):
            if state.points[seat] == self.all_points:  # the moon
                return 0 if seat == player else -self.all_points
        return -state.points[player]

    def evaluate(self, state: Hand, player: int) -> float:  # type: ignore[override]
        """Points taken, those on the table for whoever takes them now, and a share by high cards of those to come."""
        if self.is_terminal(state):  # type: ignore[arg-type]
            return 1.0 * self.utility(state, player)
        low, left, mine, whole = 1.0 * state.points[player], 0, 0.0, 0.0
        for seat in range(4):
            left += state.points[seat]
        left = self.all_points - left
        turns = state.played % 4
        if turns and state.chosen == self.choices_made:
            taker = (state.leader + self.best_play(state.plays, state.played - turns, turns, -1)) % 4
            for number in range(state.played - turns, state.played):
                worth = self.worth(play_at(state.plays, number))
                left -= worth
                low += worth if taker == player else 0
        for seat in range(4):
            risk = self.risk(state.hands[seat])
            whole += risk
            mine += risk if seat == player else 0.0
        if whole > 0.0:
            low += left * mine / whole
        return -min(max(low, 0.05), self.all_points - 0.05)

    def risk(self, hand: int) -> float:
        """How likely a hand takes tricks: high cards, the more so the shorter their suit."""
        total = 0.02
        for suit in range(4):
            held = hand >> suit * self.ranks & self.suit_cards
            length = popcount(held)
            while held != 0:
                rank = lowest_bit(held)
                held &= held - 1
                high = (rank + 1.0) / self.ranks
                weight = high * high / (1.0 + 0.25 * length)
                if suit == HEARTS:
                    weight *= 1.3
                if suit == SPADES and rank >= self.ranks - 3:
                    weight *= 2.0
                total += weight
        return total

    # -- what a seat sees, and what it may be ------------------------------------------------------------

    def observation(self, state: Hand, player: int) -> Hand:  # type: ignore[override]
        """The own hand, all that was played, and the cards passed on and received."""
        passed = self.no_hands
        if state.dealt == self.cards:
            passed = replaced(passed, player, state.passed[player])
            giver = (player + 4 - self.passing) % 4
            if state.chosen == self.choices_made:
                passed = replaced(passed, giver, state.passed[giver])
        return state._replace(hands=replaced(self.no_hands, player, state.hands[player]), passed=passed)

    def known_piles(self, observation: Hand, player: int) -> tuple[int, ...]:  # type: ignore[override]
        """The cards passed on that were not played since, and before the first lead its card."""
        known = self.no_piles
        if observation.chosen < self.choices_made:
            return known
        if observation.played == 0 and observation.leader != player:  # who leads has the lowest club
            known = replaced(known, observation.leader, 1 << self.low_club)
        if self.passing != 0:
            left = observation.passed[player]
            for number in range(observation.played):
                left &= ~(1 << play_at(observation.plays, number))
            taker = (player + self.passing) % 4
            known = replaced(known, taker, known[taker] | left)
        return known

    def deal(self, observation: Hand, player: int, rng: Any) -> Hand:  # type: ignore[override]
        """The unseen cards at random; of what the others passed to one another, any three that they could have."""
        state: Any = super_deal(self, observation, player, rng)  # type: ignore[arg-type]
        if self.passing == 0 or state.dealt < self.cards:
            return state  # type: ignore[no-any-return]
        passed, whole = state.passed, state.chosen == self.choices_made
        for giver in range(4):
            taker = (giver + self.passing) % 4
            if giver != player and passed[giver] == 0:
                pool = state.hands[giver] if not whole else state.hands[taker] | self.played_by(state, taker)
                if not whole and giver >= state.chosen // PASSES:
                    pool = 0
                some = 0
                for _ in range(PASSES if pool != 0 else 0):
                    rest = pool & ~some
                    for _ in range(below(rng, popcount(rest))):
                        rest &= rest - 1
                    some |= rest & -rest
                passed = replaced(passed, giver, some)
        return state._replace(passed=passed)  # type: ignore[no-any-return]

    def deals(self, observation: Hand, player: int) -> Iterator[tuple[Hand, float]]:  # type: ignore[override]
        """Every way the unseen cards may lie and the others may have passed; refuses where they are too many."""
        if observation.dealt < self.cards:
            yield observation, 1.0
            return
        cards, sizes, open_to = self.question(observation, player)
        givers = [seat for seat in range(4) if self._passes_unseen(observation, seat, player)]
        total = self.count_deals(observation, player)
        check_listable(self, total)
        for piles in spread(cards, sizes, open_to):
            hands = observation.hands
            for seat in range(4):
                if seat != player:
                    hands = replaced(hands, seat, sum(1 << card for card in piles[seat]))
            state = observation._replace(hands=hands)
            for choice in product(*(combinations(self._pool(state, giver), PASSES) for giver in givers)):
                passed = state.passed
                for giver, some in zip(givers, choice, strict=True):
                    passed = replaced(passed, giver, sum(1 << card for card in some))
                yield state._replace(passed=passed), 1 / total

    def count_deals(self, observation: Any, player: int) -> int:
        """How many ways the unseen cards may lie and the others may have passed."""
        if observation.dealt < self.cards:
            return 1
        unseen = sum(self._passes_unseen(observation, seat, player) for seat in range(4))
        return ways(*self.question(observation, player)) * int(comb(self.hand, PASSES) ** unseen)

    def _passes_unseen(self, observation: Hand, giver: int, player: int) -> bool:
        """Whether a seat has passed three cards on that the player does not know."""
        if not self.passing or giver == player or observation.passed[giver] != 0:
            return False
        return observation.chosen == self.choices_made or giver < observation.chosen // PASSES

    def _pool(self, state: Hand, giver: int) -> list[int]:
        """The cards that a seat may have passed on."""
        taker = (giver + self.passing) % 4
        pool = state.hands[giver]
        if state.chosen == self.choices_made:
            pool = state.hands[taker] | self.played_by(state, taker)
        return [card for card in range(self.cards) if pool >> card & 1]

    def played_by(self, state: Hand, player: int) -> int:
        """The cards that a seat has played, as a set."""
        cards, leader = 0, -1
        for seat in range(4):  # the first leader is whoever makes the last one come out right
            where = seat
            for start in range(0, state.played - state.played % 4, 4):
                where = (where + self.best_of_trick(state.plays, start)) % 4
            if where == state.leader:
                leader = seat
        for number in range(state.played):
            if (leader + number % 4) % 4 == player:
                cards |= 1 << play_at(state.plays, number)
            if number % 4 == 3:
                leader = (leader + self.best_of_trick(state.plays, number - 3)) % 4
        return cards


super_deal = Tricks.deal
