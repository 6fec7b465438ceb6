"""What Monte Carlo trees know of Hearts: playouts in which everybody ducks and gets rid of what is dangerous.

Whoever plays in a playout looks at its own cards, at the table and at what was played, never into other hands, so that
simulations do not learn to rely on what nobody can know. One move in `WILD` is at random: of the same deal different
games come about.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from ...bits import highest_bit, lowest_bit, popcount
from ...knowledge import Knowledge
from ...rng import below
from ..tricks import play_at

if TYPE_CHECKING:
    from .rules import Hand, HeartsRules

SPADES, HEARTS = 0, 1
PASSES = 3
WILD = 10


class HeartsKnowledge(Knowledge):
    """Simulations by simple rules, and less exploration than usual: outcomes lie closer together than their range."""

    name = "ducking"
    game: HeartsRules
    exploration = 0.5

    def __init__(self, game: HeartsRules) -> None:
        self.game = game

    def evaluate(self, state: Hand, player: int) -> float:
        return self.game.evaluate(state, player)

    def playout(self, state: Hand, rng: Any) -> Hand:
        """The end of a deal in which everybody plays by `card_of`, but now and then at random."""
        while not self.game.is_terminal(state):  # type: ignore[arg-type]
            cards = self.game.playable(state)
            if cards & cards - 1 == 0:
                card = lowest_bit(cards)
            elif below(rng, WILD) == 0:
                card = nth_card(cards, below(rng, popcount(cards)))
            else:
                card = self.card_of(state, cards)
            state = self.game.result(state, card)
        return state

    def card_of(self, state: Hand, cards: int) -> int:
        """What simple rules choose out of the cards that may be passed or played."""
        game = self.game
        if state.chosen < game.choices_made:
            return self.to_pass(state, cards)
        turns = state.played % 4
        hand = state.hands[(state.leader + turns) % 4]
        if turns == 0:
            return self.lead(hand, cards)
        led = play_at(state.plays, state.played - turns) // game.ranks
        if cards >> led * game.ranks & game.suit_cards == 0:
            return self.most_dangerous(hand, cards)
        best, points = -1, 0
        for number in range(state.played - turns, state.played):
            card = play_at(state.plays, number)
            points += game.worth(card)
            if card // game.ranks == led and card > best:
                best = card
        under = cards & (1 << best) - 1
        if led == SPADES and best < game.queen and turns < 3:
            cards = cards & ~(1 << game.queen) if cards != 1 << game.queen else cards
        if under != 0:
            return highest_bit(under)
        if turns == 3 and points == 0:
            other = cards & ~(1 << game.queen)
            return highest_bit(other if other != 0 else cards)
        return lowest_bit(cards) if turns < 3 else highest_bit(cards & ~(1 << game.queen) | (cards & -cards))

    def to_pass(self, state: Hand, cards: int) -> int:
        """The lowest of the three most dangerous cards of a hand that are not chosen yet: choices go up."""
        seat = state.chosen // PASSES
        hand = state.hands[seat]
        left, wanted = hand, 0
        for _ in range(PASSES):
            card = self.most_dangerous(hand, left)
            left &= ~(1 << card)
            wanted |= 1 << card
        wanted &= cards
        return lowest_bit(wanted) if wanted != 0 else lowest_bit(cards)

    def lead(self, hand: int, cards: int) -> int:
        """The lowest card of the suit in which it is lowest; no spade above the queen's place."""
        ranks = self.game.ranks
        best, least = lowest_bit(cards), 1000
        for suit in range(4):
            held = cards >> suit * ranks & self.game.suit_cards
            if held != 0:
                rank = lowest_bit(held)
                cost = 4 * rank + popcount(held)
                if suit == SPADES and rank >= ranks - 3:
                    cost += 60
                if cost < least:
                    best, least = suit * ranks + rank, cost
        return best

    def most_dangerous(self, hand: int, cards: int) -> int:
        """Of some cards of a hand the one that is likeliest to cost points."""
        ranks = self.game.ranks
        worst, most = lowest_bit(cards), -1000
        while cards != 0:
            card = lowest_bit(cards)
            cards &= cards - 1
            suit, rank = card // ranks, card % ranks
            length = popcount(hand >> suit * ranks & self.game.suit_cards)
            danger = 3 * rank - 2 * length
            if suit == SPADES and rank >= ranks - 3:
                danger += 60 if rank == ranks - 3 else 30
            if suit == HEARTS:
                danger += 10
            if danger > most:
                worst, most = card, danger
        return worst


def nth_card(cards: int, place: int) -> int:
    for _ in range(place):
        cards &= cards - 1
    return lowest_bit(cards)
