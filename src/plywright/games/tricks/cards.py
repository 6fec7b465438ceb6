"""Cards as trick-taking games see them: the deck, hands and plays, how they are written.

A card is its number, suit x ranks + rank; a hand is a set of them, one bit each.
"""

from __future__ import annotations

import re
from typing import Any, NamedTuple

from ...errors import BadInput
from ...game import Game
from ..notation import whole_number

RANKS = "23456789TJQKA"
SUITS = "shdc"
SIGNS = {"s": "♠", "h": "♥", "d": "♦", "c": "♣"}
TEN = re.compile(f"10[{SUITS}]")
PLAY, WORD = 6, 10  # bits a play, plays a word


class Deal(NamedTuple):
    """Hands as sets of cards; plays in order, ten a word; who has shown which void.

    Card number suit x ranks + rank. A hand that is not seen is empty. `dealt` cards have found their owner.
    """

    hands: tuple[int, ...]
    plays: tuple[int, ...]
    dealt: int
    played: int
    leader: int
    tricks: tuple[int, ...]
    voids: int


class CardTable(Game):
    """The deck, the seats around the table and what lies on it: the parameters of every trick-taking game."""

    perfect_recall = True

    def __init__(
        self,
        suits: int = 2,
        ranks: int = 4,
        players: int = 2,
        teams: int = 0,
        hand: int = 0,
        trump: str = "none",
        full: str = "no",
    ) -> None:
        self.suits, self.ranks = whole_number("suits", suits, 1, 4), whole_number("ranks", ranks, 1, 13)
        self.players = whole_number("players", players, 2, 6)
        self.sides = whole_number("teams", teams, 0, self.players) or self.players
        self.cards = self.suits * self.ranks
        self.full = full == "yes"
        even = self.cards // self.players
        if self.players == 2 and even > 1 and not self.full:
            even -= 1  # of two hands that are the whole deck nothing would be hidden
        self.hand = whole_number("hand", hand, 0, self.cards // self.players) or even
        if self.players % self.sides or self.sides == 1:
            raise BadInput(f"{players} players cannot be {teams} equal partnerships")
        if self.hand == 0:
            raise BadInput(f"{self.cards} cards are not enough for {players} players")
        if trump not in ("none", *SUITS[: self.suits]):
            raise BadInput(f"trump must be none or one of the suits {' '.join(SUITS[: self.suits])}, not {trump!r}")
        if full not in ("yes", "no"):
            raise BadInput(f"full must be yes or no, not {full!r}")
        self.trump = SUITS.find(trump) if trump != "none" else -1
        self.teams = tuple(seat % self.sides for seat in range(self.players))
        self.dealt_cards = self.hand * self.players
        self.counted = self.sides  # whose tricks are counted apart
        self.piles = self.players - 1 + (1 if self.dealt_cards < self.cards else 0)  # of cards that one does not see
        self.opposed_sides = self.sides == 2
        self.utility_range = (-self.hand, self.hand) if self.sides == 2 else (0, self.hand)
        self.sum_bound = None if self.sides == 2 else self.hand * self.players // self.sides
        self.max_actions = max(self.hand, self.players + 1)
        self.no_hands = (0,) * self.players
        self.no_piles = (0,) * (self.players + 1)
        self.no_plays = (0,) * ((self.dealt_cards + WORD - 1) // WORD)
        self.no_tricks = (0,) * self.sides
        self.suit_cards = (1 << self.ranks) - 1

    @property
    def hidden(self) -> bool:
        return not self.full

    def seat_to_play(self, state: Any) -> int:
        """From whose hand the next card comes."""
        return (state.leader + state.played % self.players) % self.players  # type: ignore[no-any-return]

    def led(self, state: Any) -> int:
        """The suit led in this trick, or -1 before the lead."""
        if state.played % self.players == 0:
            return -1
        return play_at(state.plays, state.played - state.played % self.players) // self.ranks

    def best_of_trick(self, plays: tuple[int, ...], start: int) -> int:
        """Which play of the trick that begins there takes it, counted from the leader."""
        return self.best_play(plays, start, self.players, self.trump)

    def best_play(self, plays: tuple[int, ...], start: int, count: int, trump: int) -> int:
        """Which of so many plays from there would take the trick, counted from the first."""
        best, place = play_at(plays, start), 0
        for turn in range(1, count):
            card = play_at(plays, start + turn)
            same = card // self.ranks == best // self.ranks
            if (same and card > best) or (not same and card // self.ranks == trump):
                best, place = card, turn
        return place

    def size(self, observation: Any, seat: int) -> int:
        """How many cards a seat holds; the seat after the last is the stock."""
        if seat == self.players:
            return self.cards - self.dealt_cards
        turn = (seat - observation.leader + self.players) % self.players
        whole, part = observation.played // self.players, observation.played % self.players
        return self.hand - whole - (1 if turn < part else 0)  # type: ignore[no-any-return]

    def card_text(self, card: int) -> str:
        return RANKS[13 - self.ranks + card % self.ranks] + SUITS[card // self.ranks]

    def hand_text(self, hand: int) -> str:
        return "".join(self.card_text(card) for card in range(self.cards) if hand >> card & 1) or "-"

    def card_sign(self, card: int) -> str:
        text = self.card_text(card)
        return text[0] + SIGNS[text[1]]

    def split_tricks(self, observation: Any) -> list[list[str]]:
        plays = [self.card_text(play_at(observation.plays, number)) for number in range(int(observation.played))]
        return [plays[start : start + self.players] for start in range(0, len(plays), self.players)]

    def read_cards(self, text: str, whole: str) -> list[int]:
        text = text.lower().replace("-", "").replace("10", "t")
        names = {self.card_text(card).lower(): card for card in range(self.cards)}
        words = [text[place : place + 2] for place in range(0, len(text), 2)]
        for word in words:
            if word not in names:
                raise BadInput(
                    f"{whole!r} is not what a player of {self.name} sees: {word!r} is no card; write the hand and the "
                    f"tricks, such as '{self.hand_text(3)} {self.card_text(2)}'"
                )
        return [names[word] for word in words]

    def read_set(self, text: str, whole: str) -> int:
        """Cards that are written one after the other, as a set; raises BadInput where one is there twice."""
        cards = self.read_cards(text, whole)
        if len(set(cards)) != len(cards):
            raise BadInput(f"{whole!r} has a card twice")
        return sum(1 << card for card in cards)


def play_at(plays: tuple[int, ...], number: int) -> int:
    return plays[number // WORD] >> PLAY * (number % WORD) & 63
