"""What Monte Carlo trees know of Spades: what a hand is worth in tricks, and playouts by simple rules.

Whoever bids or plays in a playout looks at its own cards, at the bids, at the table and at what was played, never into
other hands, so that simulations do not learn to rely on what nobody can know. One card in `WILD` is at random: of the
same deal different games come about.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from ...bits import highest_bit, lowest_bit, popcount
from ...knowledge import Knowledge
from ...rng import below
from ..tricks import play_at

if TYPE_CHECKING:
    from .rules import Bidding, Spades

WILD = 10
SURE_NIL = 0.75
"""How likely a nil must look to be bid."""
SHADE = 0.6
"""Added to the tricks that a hand is worth before what is over a whole number is left out."""


def nil_chance(hand: int, suits: int, ranks: int) -> float:
    """How likely a hand takes no trick, by its cards alone: low ones below a high one make it safe."""
    danger = 0.0
    for suit in range(suits):
        held, lower = hand >> suit * ranks & (1 << ranks) - 1, 0
        while held != 0:
            height = 12.0 * lowest_bit(held) / max(ranks - 1, 1)
            held &= held - 1
            if suit == 0:
                danger += max(height - 7.0, 0.0) * 0.2 + (0.25 if lower >= 3 else 0.0)
            else:
                danger += max(height - 4.0 - 3.0 * lower, 0.0) / 8.0
            lower += 1
    return max(1.0 - danger, 0.0)


def likely_tricks(hand: int, suits: int, ranks: int) -> float:
    """How many tricks a hand is worth, by its high cards, long spades and short suits."""
    trumps = popcount(hand & (1 << ranks) - 1)
    total, low_trumps = 0.8 * max(trumps - 3, 0), min(trumps, 3)
    for suit in range(suits):
        held = hand >> suit * ranks & (1 << ranks) - 1
        length = popcount(held)
        ace, king, queen = held >> ranks - 1 & 1, held >> max(ranks - 2, 0) & 1, held >> max(ranks - 3, 0) & 1
        if suit == 0:
            total += 1.0 * ace + (0.9 if length > 1 else 0.5) * king + (0.7 if length > 2 else 0.3) * queen
            low_trumps -= min(ace + king + queen, low_trumps)
        else:
            long = 0.2 * max(length - 4, 0)
            total += (0.9 - long) * ace if long < 0.9 else 0.0
            total += max((0.7 if length > 1 else 0.3) - long, 0.0) * king
            total += max((0.35 if length > 2 else 0.1) - long, 0.0) * queen
            if length < 2 and low_trumps > 0:
                total += 0.8 if length == 0 else 0.4
                low_trumps -= 1
    return total


class SpadesKnowledge(Knowledge):
    """Simulations by simple rules, and less exploration than usual: outcomes lie closer together than their range."""

    name = "bidding"
    game: Spades
    exploration = 0.4

    def __init__(self, game: Spades) -> None:
        self.game = game

    def evaluate(self, state: Bidding, player: int) -> float:
        return self.game.evaluate(state, player)

    def playout(self, state: Bidding, rng: Any) -> Bidding:
        """The end of a hand in which everybody bids and plays by simple rules, but plays now and then at random."""
        game = self.game
        while game.is_bidding(state):
            state = game.result(state, self.bid_of(state))
        gone = self.gone(state)
        while not game.is_terminal(state):  # type: ignore[arg-type]
            cards = game.playable(state)
            if cards & cards - 1 == 0:
                card = lowest_bit(cards)
            elif below(rng, WILD) == 0:
                for _ in range(below(rng, popcount(cards))):
                    cards &= cards - 1
                card = lowest_bit(cards)
            else:
                card = self.card_of(state, cards, gone)
            gone |= 1 << card
            state = game.result(state, card)
        return state

    def bid_of(self, state: Bidding) -> int:
        """What simple rules bid: a nil that looks safe, else the tricks that the hand is worth."""
        game, seat = self.game, self.game.to_move(state)
        hand = state.hands[seat]
        partner = (seat + 2) % game.players
        if nil_chance(hand, game.suits, game.ranks) >= SURE_NIL and (partner == seat or state.bids[partner] != 1):
            return 0
        return min(max(int(likely_tricks(hand, game.suits, game.ranks) + SHADE), 1), game.hand)

    def card_of(self, state: Bidding, cards: int, gone: int) -> int:
        """What simple rules choose out of the cards that may be played; `gone` are those that were played."""
        game = self.game
        seat, turns = game.seat_to_play(state), state.played % game.players
        ducking = state.bids[seat] == 1 and state.tricks[seat] == 0
        if turns == 0:
            return lowest_rank(cards, game.ranks, game.suits) if ducking else self.lead(cards, gone | state.hands[seat])
        start = state.played - turns
        place = game.best_play(state.plays, start, turns, 0)
        best, taker = play_at(state.plays, start + place), (state.leader + place) % game.players
        over = self.over(cards, best)
        under = cards & ~over
        if ducking:
            return self.duck(over, under, turns)
        theirs_to_lose = (taker + seat) % 2 == 1 and state.bids[taker] == 1 and state.tricks[taker] == 0
        if over == 0 or (theirs_to_lose and under != 0):  # let them take what breaks their nil
            return lowest_rank(under, game.ranks, game.suits)
        last = turns == game.players - 1
        if taker % 2 == seat % 2 and under != 0:
            covered = state.bids[taker] == 1 and state.tricks[taker] == 0
            if not covered and (last or self.is_top(gone | state.hands[seat], best)):
                return lowest_rank(under, game.ranks, game.suits)
        if last or (over < 1 << game.ranks and play_at(state.plays, start) >= game.ranks):  # the last card, or a ruff
            return lowest_bit(over)
        card = highest_bit(over)
        if turns == 1 and under != 0 and not self.is_top(gone | state.hands[seat], card):  # second hand low
            return lowest_rank(under, game.ranks, game.suits)
        return card

    def over(self, cards: int, best: int) -> int:
        """Which of the cards would take the trick from the best one so far."""
        ranks = self.game.ranks
        suit = best // ranks
        higher = cards & self.game.suit_cards << suit * ranks & ~((2 << best) - 1)
        return higher if suit == 0 else higher | cards & self.game.suit_cards

    def duck(self, over: int, under: int, turns: int) -> int:
        """The card of a nil bidder: the highest that does not take the trick."""
        game = self.game
        if under == 0:
            return lowest_bit(over) if turns < game.players - 1 else highest_bit(over)
        spades = under & game.suit_cards
        if spades != 0:
            return highest_bit(spades)
        worst, most = lowest_bit(under), -1
        while under != 0:
            card = lowest_bit(under)
            under &= under - 1
            if card % game.ranks > most:
                worst, most = card, card % game.ranks
        return worst

    def lead(self, cards: int, seen: int) -> int:
        """The highest card left of a side suit; else a low one, of the suit in which there are fewest."""
        game = self.game
        card, least = lowest_bit(cards), 1000
        for suit in range(game.suits - 1, -1, -1):
            held = cards >> suit * game.ranks & game.suit_cards
            if held != 0:
                others = game.suit_cards & ~(seen >> suit * game.ranks)
                top = highest_bit(held)
                if top > highest_bit(others) and (suit == 0 or popcount(others) > 3):
                    return suit * game.ranks + top
                cost = 2 * popcount(held) + lowest_bit(held) + (50 if suit == 0 else 0)
                if cost < least:
                    card, least = suit * game.ranks + lowest_bit(held), cost
        return card

    def is_top(self, seen: int, card: int) -> bool:
        """Whether nobody can hold a higher card of the suit, of which these were seen."""
        ranks = self.game.ranks
        others = self.game.suit_cards & ~(seen >> card // ranks * ranks)
        return highest_bit(others) < card % ranks

    def gone(self, state: Bidding) -> int:
        """The cards that were played, as a set."""
        cards = 0
        for number in range(state.played):
            cards |= 1 << play_at(state.plays, number)
        return cards


def lowest_rank(cards: int, ranks: int, suits: int) -> int:
    """The card of lowest rank, no spade if it can be helped."""
    card, least = lowest_bit(cards), 1000
    for suit in range(suits):
        held = cards >> suit * ranks & (1 << ranks) - 1
        if held != 0:
            rank = lowest_bit(held) + (100 if suit == 0 else 0)
            if rank < least:
                card, least = suit * ranks + lowest_bit(held), rank
    return card
