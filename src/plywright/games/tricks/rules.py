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

import re
from collections.abc import Iterator, Sequence
from typing import Any, NamedTuple

from ...bits import popcount, replaced
from ...draw import Picture
from ...draw.cards import Card
from ...draw.cards import cards as draw_cards
from ...errors import BadInput
from ...game import CHANCE, Game
from ...rng import below
from ..deal_counts import check_listable, spread, ways
from ..notation import whole_number
from .knowledge import best_reply, strength, sure_run

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


class Tricks(Game):
    """Follow suit, win tricks."""

    how_to_play = (
        "Cards are dealt, and players put down one card each by turns. Whoever can follow the suit that was led "
        "must. The highest card of that suit takes the trick, or the highest trump where there is one, and its "
        "player leads the next. Whoever has taken more tricks wins."
    )

    name = "tricks"
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

    # -- rules -------------------------------------------------------------------------------------

    def initial(self) -> Deal:
        return Deal(self.no_hands, self.no_plays, 0, 0, 0, self.no_tricks, 0)

    def to_move(self, state: Deal) -> int:
        if state.dealt < self.cards:
            return CHANCE
        return (state.leader + state.played % self.players) % self.players

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

    def led(self, state: Deal) -> int:
        """The suit led in this trick, or -1 before the lead."""
        if state.played % self.players == 0:
            return -1
        return play_at(state.plays, state.played - state.played % self.players) // self.ranks

    def result(self, state: Deal, action: int) -> Deal:
        if state.dealt < self.cards:
            hands = state.hands
            if action < self.players:
                hands = replaced(hands, action, hands[action] | 1 << state.dealt)
            return state._replace(hands=hands, dealt=state.dealt + 1)
        mover, led, voids = self.to_move(state), self.led(state), state.voids
        if led >= 0 and action // self.ranks != led:
            voids |= 1 << mover * self.suits + led
        hands = replaced(state.hands, mover, state.hands[mover] & ~(1 << action))
        word = state.played // WORD
        plays = replaced(state.plays, word, state.plays[word] | action << PLAY * (state.played % WORD))
        played, leader, tricks = state.played + 1, state.leader, state.tricks
        if played % self.players == 0:
            leader = (leader + self.best_of_trick(plays, played - self.players)) % self.players
            side = leader % self.sides
            tricks = replaced(tricks, side, tricks[side] + 1)
        return Deal(hands, plays, state.dealt, played, leader, tricks, voids)

    def best_of_trick(self, plays: tuple[int, ...], start: int) -> int:
        """Which play of the trick that begins there takes it, counted from the leader."""
        best, place = play_at(plays, start), 0
        for turn in range(1, self.players):
            card = play_at(plays, start + turn)
            same = card // self.ranks == best // self.ranks
            if (same and card > best) or (not same and card // self.ranks == self.trump):
                best, place = card, turn
        return place

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
        expected, lead = 1.0 * state.tricks[side], state.leader % self.sides
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

    # -- what a seat sees, and what it may be ------------------------------------------------------------

    def observation(self, state: Deal, player: int) -> Deal:
        """The own hand and all that was played."""
        if self.full:
            return state
        return state._replace(hands=replaced(self.no_hands, player, state.hands[player]))

    def deal(self, observation: Deal, player: int, rng: Any) -> Deal:
        """The unseen cards at random, none in a suit that its holder has shown to lack.

        Suits that only one can hold go first. Then those that somebody lacks, each card to a place drawn out of all
        that were open to its suit by then; a place that has been filled since begins the deal again. So all deals
        are equally likely.
        """
        if self.full or observation.dealt < self.cards:
            return observation
        known = self.known_piles(observation, player)
        unseen = self.unseen(observation, player)
        for seat in range(self.players):
            unseen &= ~known[seat]
        held, fits = known, False
        while not fits:
            held, fits = known, True
            for phase in range(3):
                before = held
                for suit in range(self.suits):
                    lacking = self.lacking(observation.voids, suit, player)
                    if self.phase_of(observation, lacking, player) == phase:
                        places = self.room(observation, held if phase == 2 else before, lacking, player)
                        for card in range(suit * self.ranks, (suit + 1) * self.ranks):
                            if fits and unseen >> card & 1:
                                seat = self.seat_at(below(rng, places), observation, held, lacking, player)
                                places -= 1
                                fits = seat >= 0
                                if fits:
                                    held = replaced(held, seat, held[seat] | 1 << card)
        hands = observation.hands
        for seat in range(self.players):
            if seat != player:
                hands = replaced(hands, seat, held[seat])
        return observation._replace(hands=hands)

    def known_piles(self, observation: Deal, player: int) -> tuple[int, ...]:
        """Cards of the others that the player knows to be theirs, by seat; the stock is last. Here there are none."""
        return self.no_piles

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

    def size(self, observation: Deal, seat: int) -> int:
        """How many cards a seat holds; the seat after the last is the stock."""
        if seat == self.players:
            return self.cards - self.dealt_cards
        turn = (seat - observation.leader + self.players) % self.players
        whole, part = observation.played // self.players, observation.played % self.players
        return self.hand - whole - (1 if turn < part else 0)

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

    # -- notation ----------------------------------------------------------------------------------------

    def check_state(self, state: Any) -> str:
        """Hands that the deck makes, and plays that lead there from those hands."""
        if not 0 <= state.dealt <= self.cards or not 0 <= state.played <= self.dealt_cards:
            return f"at most {self.cards} cards are dealt and {self.dealt_cards} played"
        plays = [play_at(state.plays, number) for number in range(state.played)]
        hands, leader = list(state.hands), 0
        for start in range(0, len(plays), self.players):
            for turn, card in enumerate(plays[start : start + self.players]):
                seat = (leader + turn) % self.players
                if card >= self.cards or any(hand >> card & 1 for hand in hands):
                    return "a card was played that the deck has not, or that is there twice"
                hands[seat] |= 1 << card
            if start + self.players <= len(plays):
                leader = (leader + self.best_of_trick(state.plays, start)) % self.players
        given = sum(map(popcount, hands))
        if any(not 0 <= hand < 1 << state.dealt or popcount(hand) > self.hand for hand in hands):
            return f"a hand has cards that were not dealt, or more than {self.hand}"
        if len({card for card in range(self.cards) for hand in hands if hand >> card & 1}) != given:
            return "two hands have the same card"
        if state.dealt - given > self.cards - self.dealt_cards:
            return "more cards are in the stock than belong there"
        reached = Deal(tuple(hands), self.no_plays, state.dealt, 0, 0, self.no_tricks, 0)
        for card in plays:
            if card not in list(self.actions(reached)):
                return f"{self.card_text(card)} could not be played when it was"
            reached = self.result(reached, card)
        return "" if reached == state else "its tricks, its leader or its voids are not what the plays have made"

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

    # -- words -------------------------------------------------------------------------------------------

    def card_text(self, card: int) -> str:
        return RANKS[13 - self.ranks + card % self.ranks] + SUITS[card // self.ranks]

    def hand_text(self, hand: int) -> str:
        return "".join(self.card_text(card) for card in range(self.cards) if hand >> card & 1) or "-"

    def format_action(self, state: Any, action: int) -> str:
        if self.to_move(state) == CHANCE:
            return "stock" if int(action) == self.players else str(int(action) + 1)
        return self.card_text(int(action))

    def parse_action(self, state: Any, text: str) -> int:
        return super().parse_action(state, f"t{text.strip()[-1:]}" if TEN.fullmatch(text.strip().lower()) else text)

    def split_tricks(self, observation: Any) -> list[list[str]]:
        plays = [self.card_text(play_at(observation.plays, number)) for number in range(int(observation.played))]
        return [plays[start : start + self.players] for start in range(0, len(plays), self.players)]

    def format_observation(self, observation: Any, player: int) -> str:
        """The own hand, then the tricks: `QsAs Js-Ks Ah`; with open hands all of them, a bar between."""
        hands = [self.hand_text(int(hand)) for hand in observation.hands]
        return " ".join(
            ["|".join(hands) if self.full else hands[player], *map("-".join, self.split_tricks(observation))]
        )

    def parse_observation(self, text: str, player: int) -> Deal:
        """What the player to move sees; raises BadInput where no deal looks like that."""
        words = text.lower().replace("10", "t").split() or [""]
        hands = [self.read_cards(part, text) for part in words[0].split("|")]
        plays = [card for word in words[1:] for card in self.read_cards(word.replace("-", ""), text)]
        known = [*(card for hand in hands for card in hand), *plays]
        if len(set(known)) != len(known):
            twice = next(card for card in known if known.count(card) > 1)
            raise BadInput(f"{text!r} has the card {self.card_text(twice)} twice; there is one of each in {self.name}")
        if len(hands) != (self.players if self.full else 1):
            raise BadInput(f"{text!r}: write {'all hands with | between' if self.full else 'one hand'} for {self.name}")
        seats = range(self.players) if self.full else (player,)
        sets = self.no_hands
        for seat, hand in zip(seats, hands, strict=True):
            sets = replaced(sets, seat, sum(1 << card for card in hand))
        return self._replayed(Deal(sets, self.no_plays, self.cards, 0, 0, self.no_tricks, 0), plays, player, text)

    def _replayed(self, state: Deal, plays: list[int], player: int, text: str) -> Deal:
        """The view after those plays, which must have been possible; `state` has the hands as they are now."""
        if len(plays) >= self.dealt_cards:
            raise BadInput(f"{text!r}: the deal is over after so many plays of {self.name}")
        for card in plays:
            mover = self.to_move(state)
            if state.voids >> mover * self.suits + card // self.ranks & 1:
                raise BadInput(
                    f"{text!r}: {self.card_text(card)} comes from a player who did not follow that suit before"
                )
            state = self.result(state, card)
            for suit in range(self.suits):
                if (
                    state.voids >> mover * self.suits + suit & 1
                    and state.hands[mover] >> suit * self.ranks & self.suit_cards
                ):
                    raise BadInput(
                        f"{text!r}: {self.player_name(mover)} had to follow suit and did not, in {self.name}"
                    )
        if self.to_move(state) != player:
            raise BadInput(f"{text!r}: player {player + 1} of {self.name} is not to move there")
        cards, sizes, open_to = self.question(state, player)
        if popcount(state.hands[player]) != self.size(state, player) or not ways(cards, sizes, open_to):
            raise BadInput(f"{text!r}: no deal of {self.name} looks like that")
        return state

    def read_cards(self, text: str, whole: str) -> list[int]:
        text = text.replace("-", "")
        names = {self.card_text(card).lower(): card for card in range(self.cards)}
        words = [text[place : place + 2] for place in range(0, len(text), 2)]
        for word in words:
            if word not in names:
                raise BadInput(
                    f"{whole!r} is not what a player of {self.name} sees: {word!r} is no card; write the hand and the "
                    f"tricks, such as '{self.hand_text(3)} {self.card_text(2)}'"
                )
        return [names[word] for word in words]

    # -- picture -----------------------------------------------------------------------------------------

    def picture(self, state: Any, last: int | None = None) -> Picture:
        rows = []
        for seat in range(self.players):
            held = [card for card in range(self.cards) if int(state.hands[seat]) >> card & 1]
            shown: list[str | Card] = [Card(self.card_sign(card), self.card_text(card)) for card in held]
            down = int(self.size(state, seat)) - len(shown) if state.dealt == self.cards else 0
            rows.append((self.player_name(seat), shown + [""] * down))
        tricks = self.split_tricks(state)
        whole = [trick for trick in tricks if len(trick) == self.players]
        trick = tricks[-1] if len(whole) < len(tricks) else []
        for name, cards in (("last trick", whole[-1] if whole else []), ("trick", trick)):
            if cards or name == "trick":
                rows.append((name, [text[0] + SIGNS[text[1]] for text in cards]))
        won = "-".join(str(int(count)) for count in state.tricks)
        trump = f", trump {SIGNS[SUITS[self.trump]]}" if self.trump >= 0 else ""
        return draw_cards(rows, caption=f"tricks {won}{trump}")

    def card_sign(self, card: int) -> str:
        text = self.card_text(card)
        return text[0] + SIGNS[text[1]]

    def picture_for(self, observation: Any, player: int) -> Picture:
        """The same table; the cards of the others lie face down."""
        return self.picture(observation)


def play_at(plays: tuple[int, ...], number: int) -> int:
    return plays[number // WORD] >> PLAY * (number % WORD) & 63
