"""Kuhn poker for two, three or more players: one card each of one more than there are players, one bet.

Everybody antes 1. In turn each checks or bets 1; after a bet each of the others folds or calls, once.
The highest card among those still in takes the pot. Moves are written `check`, `bet`, `fold`, `call`,
or p and b as in the literature; what a player sees is the card and the betting: `2 pb`.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any, NamedTuple

from ..draw import Picture
from ..draw.cards import cards as draw_cards
from ..errors import BadInput
from ..game import CHANCE, Game
from ..rng import below
from .notation import whole_number

PASS, BET = 0, 1
CARD = 4  # bits a card


class Hand(NamedTuple):
    """Player n's card (0: none yet, or not seen) in the bits 4 n to 4 n + 3; the betting as bits after a leading 1."""

    cards: int
    betting: int


class Kuhn(Game):
    """One card, one bet."""

    how_to_play = (
        "Everybody puts one chip into the pot and is dealt one card of a small deck. By turns a player checks or "
        "bets one chip; facing a bet, one calls or folds. If nobody folds, the highest card takes the pot. The "
        "smallest game with a real bluff in it."
    )

    State = Hand
    zero_sum = True
    perfect_recall = True

    def __init__(self, players: int = 2) -> None:
        self.players = whole_number("players", players, 2, 6)
        self.deck = self.players + 1
        self.zero_sum = True
        self.utility_range = (-2, 2 * (self.players - 1))
        self.max_actions = self.deck  # cards are outcomes, and there are more of them than actions

    # -- rules -------------------------------------------------------------------------------------

    def initial(self) -> Hand:
        return Hand(0, 1)

    def to_move(self, state: Hand) -> int:
        if state.cards >> CARD * (self.players - 1) == 0:
            return CHANCE
        return acts(state.betting) % self.players

    def actions(self, state: Hand) -> Iterator[int]:
        if state.cards >> CARD * (self.players - 1) != 0 and not self.is_terminal(state):
            yield PASS
            yield BET

    def chance(self, state: Hand) -> Iterator[tuple[int, float]]:
        given = dealt(state.cards, self.players)
        for card in range(1, self.deck + 1):
            if not holds(state.cards, card, self.players):
                yield card, 1 / (self.deck - given)

    def result(self, state: Hand, action: int) -> Hand:
        if state.cards >> CARD * (self.players - 1) == 0:
            return Hand(state.cards | action << CARD * dealt(state.cards, self.players), state.betting)
        return Hand(state.cards, state.betting << 1 | action)

    def is_terminal(self, state: Hand) -> bool:
        done, first = acts(state.betting), opener(state.betting)
        return done == self.players if first < 0 else done == first + self.players

    def utility(self, state: Hand, player: int) -> float:
        first, best, pot = opener(state.betting), -1, 0
        for seat in range(self.players):
            pot += self.paid(state.betting, first, seat)
            if self.stays(state.betting, first, seat) and (best < 0 or card_of(state, seat) > card_of(state, best)):
                best = seat
        return (pot if best == player else 0) - self.paid(state.betting, first, player)

    def paid(self, betting: int, first: int, seat: int) -> int:
        return 2 if first >= 0 and self.stays(betting, first, seat) else 1

    def stays(self, betting: int, first: int, seat: int) -> bool:
        """Whether the seat is in at the showdown: without a bet all are, after one who bet or called."""
        if first < 0:
            return True
        turn = seat if seat >= first else seat + self.players
        return betting >> acts(betting) - 1 - turn & 1 == 1

    # -- what a seat sees, and what it may be ------------------------------------------------------------

    def observation(self, state: Hand, player: int) -> Hand:
        return Hand(state.cards & 15 << CARD * player, state.betting)

    def deal(self, observation: Hand, player: int, rng: Any) -> Hand:
        """The other cards at random."""
        cards = observation.cards
        for seat in range(self.players):
            if seat != player:
                left = self.deck
                for card in range(1, self.deck + 1):
                    left -= 1 if holds(cards, card, self.players) else 0
                place = below(rng, left)
                for card in range(1, self.deck + 1):
                    if not holds(cards, card, self.players):
                        if place == 0:
                            cards |= card << CARD * seat
                            break
                        place -= 1
        return Hand(cards, observation.betting)

    def deals(self, observation: Hand, player: int) -> Iterator[tuple[Hand, float]]:
        """Every way the other cards may lie, all equally likely."""
        mine = card_of(observation, player)
        hands = [observation.cards]
        for seat in range(self.players):
            if seat != player:
                hands = [
                    cards | card << CARD * seat
                    for cards in hands
                    for card in range(1, self.deck + 1)
                    if not holds(cards, card, self.players)
                ]
        assert mine
        for cards in hands:
            yield Hand(cards, observation.betting), 1 / len(hands)

    def earlier(self, state: Hand, observation: Hand, player: int) -> Hand:
        return Hand(state.cards, observation.betting)

    # -- notation and picture ----------------------------------------------------------------------------

    def format_action(self, state: Any, action: int) -> str:
        if self.to_move(state) == CHANCE:
            return str(int(action))
        names = ("check", "bet") if opener(int(state.betting)) < 0 else ("fold", "call")
        return names[int(action)]

    def parse_action(self, state: Any, text: str) -> int:
        word = text.strip().lower()
        if self.to_move(state) != CHANCE and word in ("p", "b", "pass"):
            word = self.format_action(state, BET if word == "b" else PASS)
        return super().parse_action(state, word)

    def check_state(self, state: Any) -> str:
        if not 0 <= state.cards < 1 << CARD * self.players:
            return f"there are more cards than {self.players}"
        held = [card_of(state, seat) for seat in range(self.players)]
        given = [card for card in held if card]
        for card in given:
            if card > self.deck or given.count(card) > 1:
                return f"the card {card} is {'dealt twice' if given.count(card) > 1 else 'not in the deck'}"
        if 0 in held[: len(given)]:
            return "cards are dealt in the order of the players"
        if state.betting < 1 or (len(given) < self.players and state.betting != 1):
            return "the betting is a 1 and then a bit an act, none before all cards are dealt"
        done, first = acts(state.betting), opener(state.betting)
        if done > (self.players if first < 0 else first + self.players) or first >= self.players:
            return "the betting goes on after its end"
        return ""

    def format_observation(self, observation: Any, player: int) -> str:
        """The card and the betting: `2 pb`; a dash before anything was done."""
        done = acts(int(observation.betting))
        betting = "".join("pb"[int(observation.betting) >> done - 1 - turn & 1] for turn in range(done))
        return f"{card_of(observation, player) or '?'} {betting or '-'}"

    def parse_observation(self, text: str, player: int) -> Hand:
        words = text.split()
        card = int(words[0]) if words and words[0] in map(str, range(1, self.deck + 1)) else 0
        betting = words[1].lower().replace("-", "") if len(words) == 2 else "" if len(words) == 1 else "?"
        if not 1 <= card <= self.deck or set(betting) - set("pb"):
            raise BadInput(
                f"{text!r} is not what a player of {self.name} sees: write the card (1 to {self.deck}) and the betting "
                "so far, such as '2 pb'"
            )
        seen = Hand(card << CARD * player, int("1" + "".join("1" if sign == "b" else "0" for sign in betting), 2))
        if self.is_terminal(seen):
            raise BadInput(f"after {betting} the game is over: nobody in {self.name} is to move")
        if acts(seen.betting) % self.players != player:
            raise BadInput(f"after {betting or 'nothing'} player {player + 1} of {self.name} is not to move")
        return seen

    def picture_for(self, observation: Any, player: int) -> Picture:
        """The same table; the cards of the others lie face down."""
        return self.picture(observation)

    def picture(self, state: Any, last: int | None = None) -> Picture:
        hands = [[str(card_of(state, seat) or "")] for seat in range(self.players)]
        return draw_cards(
            [(self.player_name(seat), hand) for seat, hand in enumerate(hands)],
            caption=self._told(state),
        )

    def _told(self, state: Any) -> str:
        """Who has done what, and who has won: `player 1 bets, player 2 folds; player 1 wins 1`."""
        betting, so_far, words = int(state.betting), 1, []
        for turn in range(acts(betting)):
            action = betting >> acts(betting) - 1 - turn & 1
            does = (("checks", "bets") if opener(so_far) < 0 else ("folds", "calls"))[action]
            words.append(f"{self.player_name(turn % self.players)} {does}")
            so_far = so_far << 1 | action
        after = ""
        if not words:
            after = f"{self.player_name(0)} to check or bet" if state.cards else "cards are dealt"
        elif self.is_terminal(state) and all(card_of(state, seat) for seat in range(self.players)):
            won = [(self.utility(state, seat), seat) for seat in range(self.players)]
            after = f"{self.player_name(max(won)[1])} wins {max(won)[0]:g}"
        return "; ".join(filter(None, [", ".join(words), after]))


def acts(betting: int) -> int:
    """How many have acted: the bits after the leading 1."""
    count = 0
    while betting > 1:
        betting >>= 1
        count += 1
    return count


def opener(betting: int) -> int:
    """The turn in which somebody bet, or -1."""
    found, turn = -1, acts(betting) - 1
    while betting > 1:
        if betting & 1:
            found = turn
        betting >>= 1
        turn -= 1
    return found


def card_of(state: Hand, player: int) -> int:
    return state.cards >> CARD * player & 15


def dealt(cards: int, players: int) -> int:
    count = 0
    for seat in range(players):
        if cards >> CARD * seat & 15:
            count += 1
    return count


def holds(cards: int, card: int, players: int) -> bool:
    """Whether somebody has the card."""
    found = False
    for seat in range(players):
        found = found or cards >> CARD * seat & 15 == card
    return found
