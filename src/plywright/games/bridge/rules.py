"""Bridge: auction and play of one deal, with dummy; the utility is the duplicate score of one's side.

Cards, dealing and what voids tell are as in `tricks`; the seats are North, East, South, West. The dealer calls first.
After the opening lead dummy's cards are seen by everybody, and the declarer plays them. Calls are `Pass`, `X`, `XX`,
`1C` to `7NT`, cards `As`. A view is written hand, auction, dummy, tricks: `AsKd Pass-1NT-Pass-Pass-Pass =Kh3h 2c-3c`.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any, NamedTuple

from ...bits import popcount, replaced
from ...draw import Picture
from ...draw.bridge import bridge_table
from ...errors import BadInput
from ...game import CHANCE
from ..deal_counts import ways
from ..tricks import Tricks, play_at
from .auction import (
    CALLS,
    DOUBLE,
    FIRST_BID,
    PASS,
    REDOUBLE,
    Contract,
    call_text,
    contract_of,
    is_over,
    legal_calls,
    read_call,
    why_illegal,
)
from .boards import VULNERABLE, card_of, read_seat, read_vulnerable
from .trick import SUIT, Trick

MADE, PER_WORD = 8, 7
"""Bits of a bid in the record of an auction, and bids a word."""
HIGHEST = 7600


class Table(NamedTuple):
    """As a `Deal` of tricks, with the auction: what became of each bid, the last one, and who calls next.

    Of each of the 35 bids eight bits are kept: made, by whom, doubled, by whom, redoubled, by whom.
    """

    hands: tuple[int, ...]
    plays: tuple[int, ...]
    dealt: int
    played: int
    leader: int
    won: int
    """Tricks of North and South."""
    voids: int
    bids: tuple[int, ...]
    last: int
    doubled: int
    passes: int
    caller: int
    """Who calls next; 4 once the auction is over."""
    declarer: int
    dummy: int
    """The dummy's cards still held, once they are seen."""


class Bridge(Tricks):
    """Bid a contract and play it."""

    name = "bridge"
    how_to_play = (
        "Partners sit opposite and bid for a contract: how many tricks beyond six they will take, and which suit is "
        "trumps, or none. The last bid before three passes stands, and may be doubled and redoubled. The player on the "
        "declarer's left leads, then the declarer's partner lays down the cards as dummy, and the declarer plays both "
        "hands. Everybody follows suit who can. A contract that is made scores by its size, else the other side does."
    )
    own_player = "bridge"
    player_names = ("North", "East", "South", "West")

    def __init__(self, dealer: str = "N", vulnerable: str = "none") -> None:
        super().__init__(4, 13, 4, 2)
        self.dealer, self.vulnerable = read_seat(str(dealer)), read_vulnerable(str(vulnerable))
        self.utility_range, self.step = (-HIGHEST, HIGHEST), 10
        self.max_actions = CALLS
        self.no_bids = (0,) * 5

    # -- rules -------------------------------------------------------------------------------------

    def initial(self) -> Table:  # type: ignore[override]
        return Table(self.no_hands, self.no_plays, 0, 0, 0, 0, 0, self.no_bids, 0, 0, 0, self.dealer, 0, 0)

    def to_move(self, state: Table) -> int:  # type: ignore[override]
        if state.dealt < self.cards:
            return CHANCE
        if state.caller < 4:
            return state.caller
        seat = (state.leader + state.played % 4) % 4
        return state.declarer if (seat + 2) % 4 == state.declarer else seat

    def is_terminal(self, state: Table) -> bool:  # type: ignore[override]
        return state.caller == 4 and (state.last == 0 or state.played == self.dealt_cards)

    def actions(self, state: Table) -> Iterator[int]:  # type: ignore[override]
        if state.dealt == self.cards and state.caller < 4:
            yield PASS
            ours = state.last != 0 and (self.bidder_of(state, state.last) + state.caller) % 2 == 0
            if state.last != 0 and state.doubled == 0 and not ours:
                yield DOUBLE
            if state.doubled == 1 and ours:
                yield REDOUBLE
            for call in range(max(state.last + 1, FIRST_BID), CALLS):
                yield call
        elif state.dealt == self.cards and not self.is_terminal(state):
            seat = (state.leader + state.played % 4) % 4
            cards = state.hands[seat]
            if (seat + 2) % 4 == state.declarer and state.played > 0:
                cards = state.dummy
            led = self.led(state)
            if led >= 0 and cards >> self.ranks * led & self.suit_cards != 0:
                cards &= self.suit_cards << self.ranks * led
            for card in range(self.cards):
                if cards >> card & 1:
                    yield card

    def result(self, state: Table, action: int) -> Table:  # type: ignore[override]
        if state.dealt < self.cards:
            return self.dealt_to(state, action)
        if state.caller < 4:
            return self.called(state, action)
        after = self.put_down(state, action)
        leader, won = state.leader, state.won
        if after.played % 4 == 0:
            leader = (leader + self.taker(after.plays, after.played - 4, self.trump_of(state.last))) % 4
            won += 1 - leader % 2
        dummy = state.dummy & ~(1 << action) if state.played > 0 else after.hands[(state.declarer + 2) % 4]
        return after._replace(leader=leader, won=won, dummy=dummy)

    def called(self, state: Table, call: int) -> Table:
        """The state after a call."""
        bids, last, doubled, passes = state.bids, state.last, state.doubled, state.passes
        if call == PASS:
            passes += 1
        else:
            passes = 0
            if call >= FIRST_BID:
                last, doubled = call, 0
                bids = self.noted(bids, call, 1 | state.caller << 1)
            elif call == DOUBLE:
                doubled = 1
                bids = self.noted(bids, last, 8 | (state.caller // 2) << 4)
            else:
                doubled = 2
                bids = self.noted(bids, last, 32 | (state.caller // 2) << 6)
        caller = (state.caller + 1) % 4
        leader, declarer = 0, 0
        if passes == 4 or (passes == 3 and last != 0):
            caller = 4
            if last != 0:
                declarer = self.first_to_name(bids, last)
                leader = (declarer + 1) % 4
        return state._replace(
            bids=bids, last=last, doubled=doubled, passes=passes, caller=caller, declarer=declarer, leader=leader
        )

    def noted(self, bids: tuple[int, ...], call: int, mark: int) -> tuple[int, ...]:
        number = call - FIRST_BID
        word = number // PER_WORD
        return replaced(bids, word, bids[word] | mark << MADE * (number % PER_WORD))

    def mark_of(self, bids: tuple[int, ...], call: int) -> int:
        """What became of a bid."""
        number = call - FIRST_BID
        return bids[number // PER_WORD] >> MADE * (number % PER_WORD) & 255

    def bidder_of(self, state: Table, call: int) -> int:
        return self.mark_of(state.bids, call) >> 1 & 3

    def first_to_name(self, bids: tuple[int, ...], last: int) -> int:
        """The declarer: who of the side named the strain of the last bid first."""
        side = (self.mark_of(bids, last) >> 1 & 3) % 2
        for call in range(FIRST_BID + (last - FIRST_BID) % 5, last + 1, 5):
            mark = self.mark_of(bids, call)
            if mark & 1 and (mark >> 1 & 3) % 2 == side:
                return mark >> 1 & 3
        return mark >> 1 & 3

    def trump_of(self, last: int) -> int:
        """The trump suit in the order of `tricks`, spades first; -1 for none."""
        strain = (last - FIRST_BID) % 5
        return 3 - strain if strain < 4 else -1

    def taker(self, plays: tuple[int, ...], start: int, trump: int) -> int:
        """Which play of the trick that begins there takes it, counted from the leader."""
        return self.best_play(plays, start, 4, trump)

    def utility(self, state: Table, player: int) -> float:  # type: ignore[override]
        if state.last == 0:
            return 0
        level, strain = (state.last - FIRST_BID) // 5 + 1, (state.last - FIRST_BID) % 5
        tricks = state.won if state.declarer % 2 == 0 else self.hand - state.won
        vulnerable = self.vulnerable >> state.declarer % 2 & 1
        score = points(level, strain, state.doubled, vulnerable, tricks)
        return score if (player + state.declarer) % 2 == 0 else -score

    def evaluate(self, state: Table, player: int) -> float:  # type: ignore[override]
        return 0.0 * self.utility(state, player) if not self.is_terminal(state) else 1.0 * self.utility(state, player)

    # -- what a seat sees, and what it may be ------------------------------------------------------------

    def observation(self, state: Table, player: int) -> Table:  # type: ignore[override]
        """The own hand, the auction, all that was played, and dummy's cards after the lead."""
        return state._replace(hands=replaced(self.no_hands, player, state.hands[player]))

    def known_piles(self, observation: Table, player: int) -> tuple[int, ...]:  # type: ignore[override]
        """Dummy's cards."""
        dummy = (observation.declarer + 2) % 4
        if observation.played == 0 or dummy == player:
            return self.no_piles
        return replaced(self.no_piles, dummy, observation.dummy)

    def earlier(self, state: Any, observation: Any, player: int) -> Table:  # type: ignore[override]
        """The hands of the others now, and what they have played since."""
        hands, leader = replaced(state.hands, player, observation.hands[player]), observation.leader
        trump = self.trump_of(state.last)
        for number in range(observation.played, state.played):
            seat = (leader + number % 4) % 4
            if number == 0:
                leader, seat = state.declarer, (state.declarer + 1) % 4
                leader = seat
            if seat != player:
                hands = replaced(hands, seat, hands[seat] | 1 << play_at(state.plays, number))
            if number % 4 == 3:
                leader = (leader + self.taker(state.plays, number - 3, trump)) % 4
        return observation._replace(hands=hands)  # type: ignore[no-any-return]

    # -- for players ---------------------------------------------------------------------------------------

    def calls_of(self, state: Any) -> tuple[int, ...]:
        """The calls of the auction so far, in order: passes follow from who bid, doubled and redoubled."""
        calls: list[int] = []

        def by(seat: int, call: int) -> None:
            while (self.dealer + len(calls)) % 4 != seat:
                calls.append(PASS)
            calls.append(call)

        for call in range(FIRST_BID, CALLS):
            mark = int(self.mark_of(state.bids, call))
            if mark & 1:
                seat = mark >> 1 & 3
                by(seat, call)
                if mark & 8:
                    by((mark >> 4 & 1) * 2 + (1 - seat % 2), DOUBLE)
                if mark & 32:
                    by((mark >> 6 & 1) * 2 + seat % 2, REDOUBLE)
        return (*calls, *[PASS] * int(state.passes))

    def contract(self, state: Any) -> Contract:
        """The contract, once the auction is over."""
        return contract_of(self.calls_of(state), self.dealer)

    def open_play(self, state: Any) -> Trick:
        """The play of a state whose hands are all known, as the double-dummy solver takes it."""
        hands = [lanes(int(hand)) for hand in state.hands]
        trick = [lane(int(play_at(state.plays, n))) for n in range(state.played - state.played % 4, int(state.played))]
        trump = (int(state.last) - FIRST_BID) % 5
        order = sum(card << 6 * turn for turn, card in enumerate(trick))
        best = 0
        for turn in range(1, len(trick)):
            card, top = trick[turn], trick[best]
            if (card >> 4 == top >> 4 and card > top) or (card >> 4 == trump and top >> 4 != trump):
                best = turn
        lost, left = int(state.played) // 4 - int(state.won), 13 - int(state.played) // 4
        winner = (int(state.leader) + best) % 4 if trick else 0
        table = sum(1 << card for card in trick)
        top = trick[best] if trick else 0
        return Trick(
            (hands[0], hands[1], hands[2], hands[3]),
            table,
            order,
            len(trick),
            int(state.leader),
            top,
            winner,
            trump,
            int(state.won),
            lost,
            left,
        )

    # -- notation ----------------------------------------------------------------------------------------

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

    # -- picture -----------------------------------------------------------------------------------------

    def picture(self, state: Any, last: int | None = None) -> Picture:
        """The four hands around the trick; where calls are made, the auction."""
        return bridge_table(
            [self._fan(state, seat) for seat in range(4)],
            [call_text(call) for call in self.calls_of(state)] if state.dealt == self.cards else [],
            dealer=self.dealer,
            trick=self._trick(state),
            box=[call_text(call) for call in self.choices(state)] if self._calling(state) else [],
            caption=self._caption(state),
        )

    def _calling(self, state: Any) -> bool:
        return bool(state.dealt == self.cards and state.caller < 4)

    def _fan(self, state: Any, seat: int) -> list[tuple[str, str]]:
        """The cards of a seat as face and place, spades first, the highest first; empty texts lie face down."""
        hand = int(state.hands[seat])
        if state.caller == 4 and (state.declarer + 2) % 4 == seat and state.played:
            hand |= int(state.dummy)
        held = [suit * 13 + rank for suit in range(4) for rank in range(12, -1, -1) if hand >> suit * 13 + rank & 1]
        faces = [(self.card_sign(card), self.card_text(card)) for card in held]
        down = int(self.size(state, seat)) - len(held) if state.dealt == self.cards else 0
        return faces + [("", "")] * down

    def _trick(self, state: Any) -> dict[int, str]:
        """The cards on the table by seat; of a trick just finished all four."""
        count = int(state.played) % 4
        if state.played == 0 or state.caller < 4:
            return {}
        if count:
            start, leader = int(state.played) - count, int(state.leader)
        else:
            start, count = int(state.played) - 4, 4
            leader = (int(state.leader) - self.taker(state.plays, start, self.trump_of(state.last))) % 4
        return {(leader + turn) % 4: self.card_sign(int(play_at(state.plays, start + turn))) for turn in range(count)}

    def _caption(self, state: Any) -> str:
        sides = f"vulnerable {VULNERABLE[self.vulnerable]}"
        if state.caller < 4 or not state.last:
            return sides
        return (
            f"{self.contract(state).words}, tricks {int(state.won)}-{int(state.played) // 4 - int(state.won)}, {sides}"
        )


def lane(card: int) -> int:
    """A card of `tricks` as the solver numbers it."""
    return 16 * (3 - card // 13) + card % 13


def lanes(hand: int) -> int:
    """A hand likewise."""
    return sum((hand >> 13 * suit & SUIT) << 16 * (3 - suit) for suit in range(4))


def points(level: int, strain: int, doubled: int, vulnerable: int, tricks: int) -> int:
    """`contract_score`, as rules that are compiled take it."""
    over = tricks - (level + 6)
    if over < 0:
        down = -over
        if doubled == 0:
            return -down * (100 if vulnerable else 50)
        if vulnerable:
            return -(300 * down - 100) * doubled
        return -(100 + 200 * (min(down, 3) - 1) + 300 * max(down - 3, 0)) * doubled
    each = 20 if strain < 2 else 30
    made = (each * level + (10 if strain == 4 else 0)) << doubled
    score = made + (50 if made < 100 else 500 if vulnerable else 300) + 50 * doubled
    if level == 6:
        score += 750 if vulnerable else 500
    if level == 7:
        score += 1500 if vulnerable else 1000
    if doubled == 0:
        return score + over * each
    return score + over * ((100 * doubled) << vulnerable)
