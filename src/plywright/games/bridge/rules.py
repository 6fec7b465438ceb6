"""Bridge: auction and play of one deal, with dummy; the utility is the duplicate score of one's side.

Cards, dealing and what voids tell are as in `tricks`; the seats are North, East, South, West. The dealer calls first.
After the opening lead dummy's cards are seen by everybody, and the declarer plays them. Calls are `Pass`, `X`, `XX`,
`1C` to `7NT`, cards `As`. A view is written hand, auction, dummy, tricks: `AsKd Pass-1NT-Pass-Pass-Pass =Kh3h 2c-3c`.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any, NamedTuple

from ...bits import replaced
from ...game import CHANCE
from ..tricks import Tricks, play_at
from .auction import (
    CALLS,
    DOUBLE,
    FIRST_BID,
    PASS,
    REDOUBLE,
    Contract,
    contract_of,
)
from .boards import read_seat, read_vulnerable
from .scoring import points
from .trick import Trick, lane, lanes

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


class BridgeRules(Tricks):
    """Who may do what, what it leads to, and what each seat can know."""

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
