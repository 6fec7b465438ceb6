"""Bridge as a game in words and pictures: states examined, calls and views written and read, the table drawn."""

from __future__ import annotations

from typing import Any

from ...bits import popcount, replaced
from ...draw import Picture
from ...draw.card_table import Auction, card_table
from ...draw.cards import Card, cards_text
from ...errors import BadInput
from ..deal_counts import ways
from ..tricks import play_at
from .auction import CALLS, DOUBLE, PASS, REDOUBLE, bid_of, call_text, is_over, legal_calls, read_call, why_illegal
from .boards import SEAT_NAMES, VULNERABLE, card_of
from .rules import BridgeRules, Table
from .trick import SEATS


class Bridge(BridgeRules):
    """Bid a contract and play it."""

    def check_state(self, state: Any) -> str:
        """Hands that the deck makes, calls that were legal, and plays that lead there from those hands."""
        if not 0 <= state.dealt <= self.cards or not 0 <= state.played <= self.dealt_cards:
            return f"at most {self.cards} cards are dealt and played"
        if not (0 <= state.caller <= 4 and 0 <= state.passes <= 4 and 0 <= state.last < CALLS):
            return "its auction is none"
        calls = self.calls_of(state)
        if any(call not in legal_calls(calls[:number]) for number, call in enumerate(calls)):
            return "its auction has a call that was not legal"
        if (calls or state.played) and state.dealt < self.cards:
            return "calls are made after the deal"
        hands = list(state.hands)
        plays = [int(play_at(state.plays, number)) for number in range(state.played)]
        if plays and not (is_over(calls) and state.last):
            return "cards were played before there was a contract"
        leader, trump = (state.declarer + 1) % 4, self.trump_of(state.last)
        for number, card in enumerate(plays):
            if card >= self.cards or any(hand >> card & 1 for hand in hands):
                return "a card was played that the deck has not, or that is there twice"
            hands[(leader + number % 4) % 4] |= 1 << card
            if number % 4 == 3:
                leader = (leader + self.taker(state.plays, number - 3, trump)) % 4
        if wrong := self.whole_deal_fault(hands, state.dealt):
            return wrong
        reached = self.initial()._replace(hands=tuple(hands), dealt=state.dealt)
        for action in (*calls, *plays):
            if action not in list(self.actions(reached)):
                return f"{self.format_action(reached, action)} could not be played when it was"
            reached = self.result(reached, action)
        return "" if reached == state else "its tricks, its leader or its auction are not what the calls and plays made"

    def format_action(self, state: Any, action: int) -> str:
        if state.dealt < self.cards:
            return str(int(action) + 1)
        return call_text(int(action)) if state.caller < 4 else self.card_text(int(action))

    def parse_action(self, state: Any, text: str) -> int:
        if state.dealt < self.cards:
            return super().parse_action(state, text)
        if self.is_terminal(state):
            raise self.unknown_move(state, text)
        legal = self.choices(state)
        if state.caller < 4:
            call = read_call(text)
            if call not in legal:
                raise BadInput(why_illegal(self.calls_of(state), call, self.dealer))
            return call
        card = card_of(text)
        action = (3 - (card >> 4)) * 13 + (card & 15)
        if action not in legal:
            led = self.led(state)
            revoke = led >= 0 and action // 13 != led
            why = f"; {'♠♥♦♣'[led]} was led, and there is one in the hand" if revoke else ""
            raise BadInput(f"{self.card_sign(action)} cannot be played here{why}")
        return action

    def format_observation(self, observation: Any, player: int) -> str:
        """Hand, auction, dummy, tricks: `AsKd Pass-1NT-Pass-Pass-Pass =Kh3h 2c-3c`."""
        words = [self.hand_text(int(observation.hands[player]))]
        if observation.dealt == self.cards:
            words.append("-".join(call_text(call) for call in self.calls_of(observation)) or "-")
        if observation.played:
            words.append(f"={self.hand_text(int(observation.dummy))}")
        return " ".join([*words, *map("-".join, self.split_tricks(observation))])

    def parse_observation(self, text: str, player: int) -> Table:
        """What the player to move sees; raises BadInput where no deal looks like that."""
        words = text.replace("10", "T").split() or [""]
        hand = self.read_set(words.pop(0), text)
        calls = [read_call(word) for word in words.pop(0).split("-") if word] if words else []
        dummy = self.read_set(words.pop(0)[1:], text) if words and words[0].startswith("=") else 0
        plays = [card for word in words for card in self.read_cards(word.replace("-", "").lower(), text)]
        state = self.initial()._replace(dealt=self.cards)
        for call in calls:
            if call not in (legal_calls(self.calls_of(state)) if state.caller < 4 else ()):
                raise BadInput(f"{text!r}: {why_illegal(self.calls_of(state), call, self.dealer)}")
            state = self.called(state, call)
        no_deal = BadInput(f"{text!r}: no deal of {self.name} looks like that to {self.player_name(player)} to move")
        if self.is_terminal(state) or (plays and state.caller < 4):
            raise no_deal
        seen, whole = hand | dummy, {player: hand}
        partner = (state.declarer + 2) % 4
        if plays:
            whole[partner] = dummy if partner != player else hand
        for card in plays:
            if seen >> card & 1:
                raise no_deal
            seen |= 1 << card
        hands = self.no_hands
        later: list[tuple[int, int]] = []
        position = state
        for card in plays:  # first who played what, then whether each could
            later.append(((position.leader + position.played % 4) % 4, card))
            position = self.result(position, card)
        for seat in whole:
            own = sum(1 << card for mover, card in later if mover == seat)
            hands = replaced(hands, seat, whole[seat] | own)
        state = state._replace(hands=hands)
        for mover, card in later:
            if state.voids >> mover * self.suits + card // self.ranks & 1:
                raise no_deal
            if mover in whole and not state.hands[mover] >> card & 1:
                raise no_deal
            led = self.led(state)
            follows = led >= 0 and state.hands[mover] >> self.ranks * led & self.suit_cards != 0
            if mover in whole and follows and card // self.ranks != led:
                raise no_deal
            state = self.result(state, card)
        view = self.observation(state, player)._replace(dummy=dummy if plays else 0)
        if self.to_move(view) != player or popcount(hand) != self.size(view, player):
            raise no_deal
        if plays and popcount(dummy) != self.size(view, partner):
            raise no_deal
        cards, sizes, open_to = self.question(view, player)
        if not ways(cards, sizes, open_to):
            raise no_deal
        return view

    def drawn(self, state: Any, bottom: int) -> Picture:
        """The four hands around the trick; where calls are made, the auction."""
        hands = [self.fan(state, seat) for seat in range(4)]
        calls = [call_text(call) for call in self.calls_of(state)] if state.dealt == self.cards else []
        trick, last_trick = self.tricks_by_seat(state)
        caption, box = self._caption(state), self.bid_box(state)
        words = [cards_text([*zip(SEAT_NAMES, hands, strict=True)])]
        if calls:
            words.append(f"{SEAT_NAMES[self.dealer]} dealt: {' '.join(calls)}")
        if trick:
            words.append("trick: " + " ".join(f"{SEATS[seat]} {face}" for seat, face in trick.items()))
        return card_table(
            hands,
            SEAT_NAMES,
            bottom=bottom,
            trick=trick,
            last_trick=last_trick,
            auction=Auction(calls, self.dealer) if calls or box else None,
            box=box,
            caption=caption,
            words="\n".join([*words, caption]),
        )

    def picture(self, state: Any, last: int | None = None) -> Picture:
        return self.drawn(state, 2)  # South below, as diagrams are printed

    def bid_box(self, state: Any) -> list[list[str]]:
        """Rows of the calls that can be made: pass and doubles, then each level that is not over."""
        if state.dealt < self.cards or state.caller == 4:
            return []
        legal = set(self.choices(state))
        rows = [[PASS, DOUBLE, REDOUBLE], *(range(bid_of(level, 0), bid_of(level, 4) + 1) for level in range(1, 8))]
        texts = [[call_text(call) if call in legal else "" for call in row] for row in rows]
        return [row for row in texts if any(row)]

    def fan(self, state: Any, seat: int) -> list[str | Card]:
        """The cards of a seat, spades first, the highest first; empty texts lie face down."""
        hand = int(state.hands[seat])
        if state.caller == 4 and (state.declarer + 2) % 4 == seat and state.played:
            hand |= int(state.dummy)
        held = [suit * 13 + rank for suit in range(4) for rank in range(12, -1, -1) if hand >> suit * 13 + rank & 1]
        faces: list[str | Card] = [Card(self.card_sign(card), self.card_text(card)) for card in held]
        down = int(self.size(state, seat)) - len(held) if state.dealt == self.cards else 0
        return faces + [""] * down

    def taken_by(self, state: Any, start: int) -> int:
        return int(self.taker(state.plays, start, self.trump_of(state.last)))

    def _caption(self, state: Any) -> str:
        sides = f"{VULNERABLE[self.vulnerable].replace('none', 'nobody')} vulnerable"
        if state.caller < 4 or not state.last:
            return sides
        return (
            f"{self.contract(state).words}, tricks {int(state.won)}-{int(state.played) // 4 - int(state.won)}, {sides}"
        )
