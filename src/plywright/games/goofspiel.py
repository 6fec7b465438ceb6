"""Goofspiel, a game of pure bidding: prizes come up one by one, everybody bids a card for each, all at once.

Each player has the cards 1 to n, and so has the deck of prizes. The highest bid takes the prize, equal highest
bids take it away from everybody. The players bid in turn, but nobody sees the bids of a round before its end,
so that it is as if they bid together. What a player sees is, round by round, the prize and the bids:
`4:3/1 2:?/.` has the prize 4 with the bids 3 and 1, and the prize 2 with a bid not shown yet and one not made.
"""

from __future__ import annotations

import itertools
from collections.abc import Iterator
from typing import Any, NamedTuple

from ..bits import highest_bit, popcount, replaced
from ..draw import Picture
from ..draw.cards import Card
from ..draw.cards import cards as draw_cards
from ..errors import BadInput
from ..game import CHANCE, Game
from ..rng import below
from .notation import whole_number

CARD = 4  # bits a card: round r is in the bits 4 r to 4 r + 3
ORDERS = ("random", "descending", "ascending")
PAYOFFS = ("win", "points")


class Auction(NamedTuple):
    """Prizes and each player's bids, by round; 0 where there is none yet or it is not seen."""

    prizes: int
    bids: tuple[int, ...]
    round: int
    mover: int


class Goofspiel(Game):
    """Bid cards for prizes."""

    how_to_play = (
        "Everybody holds the same cards. In each round a prize is turned up, all bid one card at the same time, "
        "and the highest bid wins the prize; equal bids win nothing. Bids are spent. Most points win at the end."
    )

    perfect_recall = True

    def __init__(self, cards: int = 4, players: int = 2, order: str = "random", payoff: str = "win") -> None:
        self.cards = whole_number("cards", cards, 1, 13)
        self.players = whole_number("players", players, 2, 6)
        if order not in ORDERS:
            raise BadInput(f"order must be one of {', '.join(ORDERS)}, not {order!r}")
        if payoff not in PAYOFFS:
            raise BadInput(f"payoff must be one of {', '.join(PAYOFFS)}, not {payoff!r}")
        self.order, self.payoff = order, payoff
        self.at_random, self.falling, self.by_points = order == "random", order == "descending", payoff == "points"
        self.max_actions = self.cards
        self.deck = tuple(range(1, self.cards + 1))
        self.nothing = (0,) * self.players
        self.zero_sum = True
        total = self.cards * (self.cards + 1) // 2
        self.utility_range = (-total, total) if self.by_points else (-1, 1)
        self.step = 1 if self.players == 2 else None

    # -- rules -------------------------------------------------------------------------------------

    def initial(self) -> Auction:
        return Auction(0, self.nothing, 0, 0) if self.at_random else self.turned(Auction(0, self.nothing, 0, 0))

    def turned(self, state: Auction) -> Auction:
        """The next prize comes up, where the order is fixed."""
        if state.round == self.cards:
            return state
        prize = self.cards - state.round if self.falling else state.round + 1
        return Auction(state.prizes | prize << CARD * state.round, state.bids, state.round, state.mover)

    def to_move(self, state: Auction) -> int:
        if state.round < self.cards and state.prizes >> CARD * state.round == 0:
            return CHANCE
        return state.mover

    def chance(self, state: Auction) -> Iterator[tuple[int, float]]:
        left = self.left(state.prizes, state.round)
        for card in range(1, self.cards + 1):
            if left >> card & 1:
                yield card, 1 / popcount(left)

    def actions(self, state: Auction) -> Iterator[int]:
        if self.to_move(state) != CHANCE and state.round < self.cards:
            left = self.left(state.bids[state.mover], state.round)
            for card in range(1, self.cards + 1):
                if left >> card & 1:
                    yield card

    def left(self, used: int, rounds: int) -> int:
        """The cards that were not used in the rounds before, as a set of bits."""
        cards = (1 << self.cards + 1) - 2
        for number in range(rounds):
            cards &= ~(1 << (used >> CARD * number & 15))
        return cards

    def result(self, state: Auction, action: int) -> Auction:
        if self.to_move(state) == CHANCE:
            return Auction(state.prizes | action << CARD * state.round, state.bids, state.round, state.mover)
        bids = replaced(state.bids, state.mover, state.bids[state.mover] | action << CARD * state.round)
        if state.mover + 1 < self.players:
            return Auction(state.prizes, bids, state.round, state.mover + 1)
        after = Auction(state.prizes, bids, state.round + 1, 0)
        return after if self.at_random else self.turned(after)

    def is_terminal(self, state: Auction) -> bool:
        return state.round == self.cards

    def utility(self, state: Auction, player: int) -> float:
        """`points`: the own points less the mean of the others'. `win`: most points share 1, the others lose it."""
        mine, total, most, winners = self.points(state, player), 0, 0, 0
        for seat in range(self.players):
            points = self.points(state, seat)
            total += points
            if points > most:
                most, winners = points, 0
            if points == most:
                winners += 1
        if self.by_points:
            return mine - (total - mine) / (self.players - 1)
        if winners == self.players:
            return 0.0
        return 1 / winners if mine == most else -1 / (self.players - winners)

    def evaluate(self, state: Auction, player: int) -> float:
        """Points so far, and the prizes left as if everybody bid the better cards for the better ones."""
        mine, total, most, least = 0, 0, 0, self.cards * self.cards
        for seat in range(self.players):
            points = self.points(state, seat)
            most, least = max(most, points), min(least, points)
            points += self.outlook(state, seat)
            total += points
            mine += points if seat == player else 0
        lead = mine - (total - mine) / (self.players - 1)
        if self.by_points:
            return lead * 63 / 64
        left = self.cards * (self.cards + 1) // 2
        for number in range(state.round):
            left -= state.prizes >> CARD * number & 15
        return lead / (most - least + 2 * left) / (self.players - 1)

    def outlook(self, state: Auction, player: int) -> int:
        """What the player takes of the prizes left when all hands are laid beside them in order."""
        prizes, total = self.left(state.prizes, state.round), 0
        for turn in range(self.cards - state.round):
            prize, best, who = highest_bit(prizes), 0, -1
            prizes &= ~(1 << prize)
            for seat in range(self.players):
                hand = self.left(state.bids[seat], state.round)
                for _ in range(turn):
                    hand &= ~(1 << highest_bit(hand))
                card = highest_bit(hand)
                if card == best:
                    who = -1
                elif card > best:
                    best, who = card, seat
            total += prize if who == player else 0
        return total

    def points(self, state: Auction, player: int) -> int:
        total = 0
        for number in range(state.round):
            if self.winner(state, number) == player:
                total += state.prizes >> CARD * number & 15
        return total

    def winner(self, state: Auction, number: int) -> int:
        """Who takes the prize of a round: the only highest bidder, or -1."""
        best, who = 0, -1
        for seat in range(self.players):
            bid = state.bids[seat] >> CARD * number & 15
            if bid == best:
                who = -1
            elif bid > best:
                best, who = bid, seat
        return who

    # -- what a seat sees, and what it may be ------------------------------------------------------------

    def observation(self, state: Auction, player: int) -> Auction:
        """All bids of the rounds before, and of this round the own."""
        bids, shown = state.bids, (1 << CARD * state.round) - 1
        for seat in range(self.players):
            if seat != player:
                bids = replaced(bids, seat, bids[seat] & shown)
        return Auction(state.prizes, bids, state.round, state.mover)

    def deal(self, observation: Auction, player: int, rng: Any) -> Auction:
        """A card at random for everybody else who has bid in this round."""
        bids = observation.bids
        for seat in range(observation.mover):
            if seat != player:
                left = self.left(bids[seat], observation.round)
                place, chosen = below(rng, popcount(left)), 0
                for card in range(1, self.cards + 1):
                    if left >> card & 1:
                        if place == 0:
                            chosen = card
                        place -= 1
                bids = replaced(bids, seat, bids[seat] | chosen << CARD * observation.round)
        return Auction(observation.prizes, bids, observation.round, observation.mover)

    def deals(self, observation: Auction, player: int) -> Iterator[tuple[Auction, float]]:
        """Every way the others may have bid in this round, all equally likely."""
        others = [seat for seat in range(int(observation.mover)) if seat != player]
        held = [self.cards_of(self.left(observation.bids[seat], observation.round)) for seat in others]
        ways = list(itertools.product(*held))
        for chosen in ways:
            bids = observation.bids
            for seat, card in zip(others, chosen, strict=True):
                bids = replaced(bids, seat, bids[seat] | card << CARD * observation.round)
            yield observation._replace(bids=bids), 1 / len(ways)

    def cards_of(self, cards: int) -> list[int]:
        return [card for card in range(1, self.cards + 1) if cards >> card & 1]

    def earlier(self, state: Auction, observation: Auction, player: int) -> Auction:
        """The others' bids, those of the round under way as far as they were made."""
        bids = observation.bids
        for seat in range(self.players):
            if seat != player:
                made = observation.round + (1 if seat < observation.mover else 0)
                bids = replaced(bids, seat, state.bids[seat] & (1 << CARD * made) - 1)
        return observation._replace(bids=bids)

    # -- notation and picture ----------------------------------------------------------------------------

    def format_observation(self, observation: Any, player: int) -> str:
        """Round by round the prize and the bids; `?` is a bid not shown yet, `.` one not made, `-` an empty table."""
        words = []
        for number in range(min(int(observation.round) + 1, self.cards)):
            prize = int(observation.prizes) >> CARD * number & 15
            if prize:
                words.append(f"{prize}:{'/'.join(self.bid_sign(observation, number, s) for s in range(self.players))}")
        return " ".join(words) or "-"

    def bid_sign(self, state: Any, number: int, seat: int) -> str:
        bid = int(state.bids[seat]) >> CARD * number & 15
        made = number < state.round or seat < state.mover
        return str(bid) if bid else "?" if made else "."

    def parse_observation(self, text: str, player: int) -> Auction:
        """What the player to move sees; raises BadInput where no state looks like that."""
        rounds = text.split()
        seen, used = Auction(0, self.nothing, 0, 0), [set[int]() for _ in range(self.players + 1)]
        for number, word in enumerate(rounds):
            prize, colon, signs = word.partition(":")
            bids = signs.split("/")
            wanted = self.expected_signs(number == len(rounds) - 1, player)
            if not colon or len(bids) != self.players or not all(map(_fits, bids, wanted)):
                raise BadInput(
                    f"{text!r} is not what player {player + 1} of {self.name} sees to move: {word!r} should be like "
                    f"'{number + 1}:{'/'.join(sign or '1' for sign in wanted)}'"
                )
            for holder, card in enumerate([*bids, prize]):
                if card in "?.":
                    continue
                value = int(card) if card.isdecimal() and card.isascii() and len(card) < 3 else 0
                if not 1 <= value <= self.cards or value in used[holder]:
                    raise BadInput(f"{text!r}: {card!r} is no card, or is there twice, in {self.name}")
                used[holder].add(value)
                if holder < self.players:
                    made = replaced(seen.bids, holder, seen.bids[holder] | value << CARD * number)
                    seen = seen._replace(bids=made)
                else:
                    seen = seen._replace(prizes=seen.prizes | value << CARD * number)
        if not 1 <= len(rounds) <= self.cards:
            raise BadInput(
                f"{text!r}: {self.name} has 1 to {self.cards} rounds, such as '3:{'/'.join('.' * self.players)}'"
            )
        seen = seen._replace(round=len(rounds) - 1, mover=player)
        if not self.at_random and seen.prizes != self.prizes_until(seen.round):
            raise BadInput(f"{text!r}: the prizes of {self.name} come in {self.order} order")
        return seen

    def check_state(self, state: Any) -> str:
        if not 0 <= state.round <= self.cards or state.mover not in range(self.players):
            return f"the round is 0 to {self.cards}, and the mover 0 to {self.players - 1}"
        over = state.round == self.cards
        if over and state.mover:
            return "the game is over, and somebody is still to bid"
        turned = self.prizes_until(min(state.round, self.cards - 1))
        up = not over and state.prizes >> CARD * state.round != 0
        if not self.at_random and state.prizes != turned:
            return f"the prizes come in {self.order} order"
        if not over and not up and state.mover:
            return "somebody has bid before the prize was turned up"
        if not self.distinct(state.prizes, state.round + up):
            return "the prizes are not different cards, one per round"
        for seat, bids in enumerate(state.bids):
            if not self.distinct(bids, state.round + (seat < state.mover)):
                return f"{self.player_name(seat)} has not bid different cards, one per round"
        return ""

    def distinct(self, packed: int, count: int) -> bool:
        """Whether there are exactly so many cards, no two of them equal."""
        cards = [packed >> CARD * number & 15 for number in range(count)]
        return 0 <= packed < 1 << CARD * count and len(set(cards)) == count and set(cards) <= set(self.deck)

    def prizes_until(self, number: int) -> int:
        """The prizes up to that round, where their order is fixed."""
        state = Auction(0, self.nothing, 0, 0)
        for turn in range(number + 1):
            state = self.turned(state._replace(round=turn))
        return state.prizes

    def expected_signs(self, last: bool, player: int) -> list[str]:
        """For each seat the sign that must stand in a round; empty for a card."""
        return ["" if not last else "?" if seat < player else "." for seat in range(self.players)]

    def picture(self, state: Any, last: int | None = None) -> Picture:
        return self.drawn(state, [])

    def drawn(self, state: Any, hand: list[int]) -> Picture:
        """What lies on the table, and below it the cards of whoever looks."""
        rounds = range(min(int(state.round) + 1, self.cards))
        prizes = [str(int(state.prizes) >> CARD * number & 15) for number in rounds]
        rows: list[tuple[str, list[str | Card]]] = [("prizes", [prize for prize in prizes if prize != "0"])]
        for seat in range(self.players):
            signs = [self.bid_sign(state, number, seat) for number in rounds]
            rows.append((self.player_name(seat), ["" if sign == "?" else sign for sign in signs if sign != "."]))
        if hand:
            rows.append(("hand", [Card(str(card), str(card)) for card in hand]))
        points = "-".join(str(int(self.points(state, seat))) for seat in range(self.players))
        return draw_cards(rows, caption=f"points {points}")

    def picture_for(self, observation: Any, player: int) -> Picture:
        """The same table, where bids that are not shown yet lie face down, and the cards that the seat has left."""
        return self.drawn(observation, self.cards_of(self.left(int(observation.bids[player]), self.cards)))


def _fits(sign: str, wanted: str) -> bool:
    return sign == wanted if wanted else sign.isdecimal()
