"""Trick-taking games in words and pictures: views written and read, states examined, the table drawn."""

from __future__ import annotations

from typing import Any

from ...bits import popcount, replaced
from ...draw import Picture
from ...draw.card_table import card_table
from ...draw.cards import Card, cards_text
from ...draw.cards import cards as draw_cards
from ...errors import BadInput
from ...game import CHANCE
from ..deal_counts import ways
from .cards import SIGNS, SUITS, TEN, play_at
from .dealing import Dealing


class Written(Dealing):
    """Texts of views, checks of states from outside, pictures."""

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
        reached = self.initial()._replace(hands=tuple(hands), dealt=state.dealt)
        for action in self.said(state):
            if action not in list(self.actions(reached)):
                return "what was said before the first lead could not be said"
            reached = self.result(reached, action)
        for card in plays:
            if card not in list(self.actions(reached)):
                return f"{self.card_text(card)} could not be played when it was"
            reached = self.result(reached, card)
        return "" if reached == state else "its tricks, its leader or its voids are not what the plays have made"

    def said(self, state: Any) -> list[int]:
        """The actions between the deal and the first lead, in order, such as bids; here there are none."""
        return []

    def opening(self, words: list[str], text: str) -> Any:
        """The state after the deal and what is said before the first lead, whose words it takes off the front."""
        return self.initial()._replace(dealt=self.cards)

    def format_action(self, state: Any, action: int) -> str:
        if self.to_move(state) == CHANCE:
            return "stock" if int(action) == self.players else str(int(action) + 1)
        return self.card_text(int(action))

    def parse_action(self, state: Any, text: str) -> int:
        return super().parse_action(state, f"t{text.strip()[-1:]}" if TEN.fullmatch(text.strip().lower()) else text)

    def format_observation(self, observation: Any, player: int) -> str:
        """The own hand, then the tricks: `QsAs Js-Ks Ah`; with open hands all of them, a bar between."""
        hands = [self.hand_text(int(hand)) for hand in observation.hands]
        tricks = map("-".join, self.split_tricks(observation))
        return " ".join(["|".join(hands) if self.full else hands[player], *tricks])

    def parse_observation(self, text: str, player: int) -> Any:
        """What the player to move sees; raises BadInput where no deal looks like that."""
        words = text.lower().split() or [""]
        hands = [self.read_cards(part, text) for part in words.pop(0).split("|")]
        state = self.opening(words, text)
        plays = [card for word in words for card in self.read_cards(word, text)]
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
        return self._replayed(state._replace(hands=sets), plays, player, text)

    def _replayed(self, state: Any, plays: list[int], player: int, text: str) -> Any:
        """The view after those plays, which must have been possible; `state` has the hands as they are now."""
        if len(plays) >= self.dealt_cards:
            raise BadInput(f"{text!r}: the deal is over after so many plays of {self.name}")
        for card in plays:
            mover = self.to_move(state)
            if state.voids >> mover * self.suits + card // self.ranks & 1:
                raise BadInput(
                    f"{text!r}: {self.card_text(card)} comes from a player who has shown to have none of that suit"
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

    def picture(self, state: Any, last: int | None = None) -> Picture:
        return self.drawn(state, 0)

    def drawn(self, state: Any, bottom: int) -> Picture:
        """A table of four as it is seen from a seat, any other as rows of cards."""
        hands = [self.fan(state, seat) for seat in range(self.players)]
        names, caption = [self.player_name(seat) for seat in range(self.players)], self.caption(state)
        rows = [*zip(names, hands, strict=True), *self.table_rows(state)]
        if self.players != 4:
            return draw_cards(rows, caption=caption)
        trick, last_trick = self.tricks_by_seat(state)
        return card_table(
            hands,
            names,
            bottom=bottom,
            trick=trick,
            last_trick=last_trick,
            chosen=self.laid_aside(state),
            box=self.bid_box(state),
            caption=caption,
            words=cards_text(rows, caption),
        )

    def fan(self, state: Any, seat: int) -> list[str | Card]:
        """The cards of a seat by suit; an empty text lies face down."""
        held = [card for card in range(self.cards) if int(state.hands[seat]) >> card & 1]
        shown: list[str | Card] = [Card(self.card_sign(card), self.card_text(card)) for card in held]
        down = int(self.size(state, seat)) - len(shown) if state.dealt == self.cards else 0
        return shown + [""] * down

    def laid_aside(self, state: Any) -> list[str]:
        """Cards that lie in the middle, though not in a trick."""
        return []

    def bid_box(self, state: Any) -> list[list[str]]:
        """Rows of the bids that can be made."""
        return []

    def table_rows(self, state: Any) -> list[tuple[str, list[str | Card]]]:
        """What lies on the table, below the hands: the last trick and this one."""
        tricks: list[list[str | Card]] = [
            [text[0] + SIGNS[text[1]] for text in trick] for trick in self.split_tricks(state)
        ]
        trick = tricks.pop() if tricks and len(tricks[-1]) < self.players else []
        return [*(("last trick", whole) for whole in tricks[-1:]), ("trick", trick)]

    def tricks_by_seat(self, state: Any) -> tuple[dict[int, str], dict[int, str]]:
        """The cards on the table by seat, and those of the trick before; a trick just finished is still there."""
        whole, part = divmod(int(state.played), self.players)
        now, before, leader = {}, {}, int(state.leader)  # type: dict[int, str], dict[int, str], int
        if part:
            now = self._by_seat(state, whole * self.players, part, leader)
        if whole:
            start = (whole - 1) * self.players
            before = self._by_seat(state, start, self.players, leader - self.taken_by(state, start))
        return (now, before) if part else (before, now)

    def _by_seat(self, state: Any, start: int, count: int, leader: int) -> dict[int, str]:
        cards = [int(play_at(state.plays, start + turn)) for turn in range(count)]
        return {(leader + turn) % self.players: self.card_sign(card) for turn, card in enumerate(cards)}

    def taken_by(self, state: Any, start: int) -> int:
        """Which play took the trick that begins there, counted from its leader."""
        return int(self.best_of_trick(state.plays, start))

    def caption(self, state: Any) -> str:
        won = "-".join(str(int(count)) for count in state.tricks)
        trump = f", trump {SIGNS[SUITS[self.trump]]}" if self.trump >= 0 else ""
        return f"tricks {won}{trump}"

    def picture_for(self, observation: Any, player: int) -> Picture:
        """The same table, the player below; the cards of the others lie face down."""
        return self.drawn(observation, player)
