"""Spades: four players in two partnerships bid how many tricks they will take; spades are always trumps.

Each player in turn bids a number of tricks once, from nil (none) to all; the first then leads. Everybody follows suit
who can, and no spade is led before one was played, unless a player has nothing else. A side that takes as many tricks
as its players have bid gets 10 points for each trick bid and one for each further one (a bag), else it loses 10 for
each trick bid. A nil is worth 100 points, won or lost; the tricks of a nil that fails help no bid, but count as bags.
The utility is the score of one's side less that of the other, for one hand: that ten bags cost a hundred points is a
rule of many hands, which one hand knows nothing of.

Cards, dealing, and what a player knows of voids are as in `tricks`. Fewer `suits` and `ranks` make a smaller deck, with
the ace high; `players=2` is everybody alone. A view is written hand, bids, tricks: `3sKh 4-nil-3-3 Jd-Kd`.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any, NamedTuple

from ...bits import lowest_bit, replaced
from ...draw.cards import Card
from ...errors import BadInput
from ...game import CHANCE
from ..notation import whole_number
from ..tricks import Tricks
from .knowledge import SpadesKnowledge, nil_chance

EACH = 10
"""Points for a trick that was bid."""
NIL = 100
BIDS_IN_ROW = 7


class Bidding(NamedTuple):
    """As a `Deal` of tricks, counted by seat; beside it bids plus one, 0 for none yet; whether spades are broken."""

    hands: tuple[int, ...]
    plays: tuple[int, ...]
    dealt: int
    played: int
    leader: int
    tricks: tuple[int, ...]
    voids: int
    bids: tuple[int, ...]
    broken: int


class Spades(Tricks):
    """Bid tricks and take them."""

    name = "spades"
    knowledge = SpadesKnowledge
    how_to_play = (
        "Partners sit opposite. Each player bids once how many tricks to take; nil is none at all. Everybody follows "
        "suit who can; the highest spade takes the trick, else the highest card of the suit led. No spade is led "
        "before one was played. A side that takes what its two players bid scores 10 points for each trick bid and 1 "
        "for each further one, else it loses 10 for each. A nil wins or loses 100."
    )

    def __init__(self, suits: int = 4, ranks: int = 13, players: int = 4) -> None:
        seats = whole_number("players", players, 2, 4)
        if seats == 3:
            raise BadInput("spades is for 4 players in two partnerships, or for 2")
        super().__init__(whole_number("suits", suits, 2, 4), ranks, seats, 2, trump="s")
        partners, all_tricks = self.players // 2, EACH * self.hand
        best, worst = NIL * (partners - 1) + max(NIL, all_tricks), partners * max(NIL, all_tricks)
        self.utility_range = (-best - worst, best + worst)
        self.max_actions = max(self.hand + 1, self.players + 1)
        self.counted = self.players
        self.no_tricks = self.no_bids = (0,) * self.players
        self.spades = self.suit_cards
        self.other_suits = (1 << self.suits) - 2

    # -- rules -------------------------------------------------------------------------------------

    def initial(self) -> Bidding:  # type: ignore[override]
        return Bidding(self.no_hands, self.no_plays, 0, 0, 0, self.no_tricks, 0, self.no_bids, 0)

    def is_bidding(self, state: Bidding) -> bool:
        """Whether the cards are dealt and somebody has still to bid."""
        return state.dealt == self.cards and state.bids[self.players - 1] == 0

    def to_move(self, state: Bidding) -> int:  # type: ignore[override]
        if state.dealt < self.cards:
            return CHANCE
        for seat in range(self.players):
            if state.bids[seat] == 0:
                return seat
        return self.seat_to_play(state)

    def actions(self, state: Bidding) -> Iterator[int]:  # type: ignore[override]
        if self.is_bidding(state):
            for bid in range(self.hand + 1):
                yield bid
        elif state.dealt == self.cards and state.played < self.dealt_cards:
            cards = self.playable(state)
            while cards != 0:
                yield lowest_bit(cards)
                cards &= cards - 1

    def playable(self, state: Bidding) -> int:
        """The cards that may be played, as a set."""
        cards = state.hands[self.seat_to_play(state)]
        led = self.led(state)
        wanted = self.suit_cards << self.ranks * max(led, 0)
        if led < 0:
            wanted = -1 if state.broken else ~self.spades
        return cards & wanted if cards & wanted != 0 else cards

    def result(self, state: Bidding, action: int) -> Bidding:  # type: ignore[override]
        if state.dealt < self.cards:
            return self.dealt_to(state, action)
        if self.is_bidding(state):
            return state._replace(bids=replaced(state.bids, self.to_move(state), action + 1))
        after = self.put_down(state, action)
        voids, leader, tricks, broken = after.voids, state.leader, state.tricks, state.broken
        if action < self.ranks:
            if broken == 0 and state.played % self.players == 0:  # led too early: there is nothing else
                voids |= self.other_suits << self.seat_to_play(state) * self.suits
            broken = 1
        if after.played % self.players == 0:
            leader = (leader + self.best_of_trick(after.plays, after.played - self.players)) % self.players
            tricks = replaced(tricks, leader, tricks[leader] + 1)
        return after._replace(leader=leader, tricks=tricks, voids=voids, broken=broken)

    def utility(self, state: Bidding, player: int) -> float:  # type: ignore[override]
        return self.score(state, player % 2) - self.score(state, 1 - player % 2)

    def score(self, state: Bidding, side: int) -> int:
        """The points of a side for the hand that is over."""
        bid, taken, points = 0, 0, 0
        for seat in range(side, self.players, 2):
            if state.bids[seat] == 1:
                points += NIL if state.tricks[seat] == 0 else state.tricks[seat] - NIL
            else:
                bid += state.bids[seat] - 1
                taken += state.tricks[seat]
        return points + (EACH * bid + taken - bid if taken >= bid else -EACH * bid)

    # -- judgement ---------------------------------------------------------------------------------------

    def evaluate(self, state: Bidding, player: int) -> float:  # type: ignore[override]
        """What both sides can expect to score by the tricks that they can expect with all hands seen."""
        if self.is_terminal(state):  # type: ignore[arg-type]
            return 1.0 * self.utility(state, player)
        if state.dealt < self.cards:
            return 0.0
        expected = self.expected_tricks(state, 0)  # type: ignore[arg-type]
        lead = self.promise(state, 0, expected) - self.promise(state, 1, self.hand - expected)
        return 0.99 * lead if player % 2 == 0 else -0.99 * lead

    def promise(self, state: Bidding, side: int, expected: float) -> float:
        """The score of a side that can expect so many tricks; before all have bid, as if it bid just these."""
        bid, nils, spare = 0, 0.0, 0.75 + 0.15 * (self.hand - state.played // self.players)
        for seat in range(side, self.players, 2):
            if state.bids[seat] == 0:
                return EACH * expected
            bid += state.bids[seat] - 1
            if state.bids[seat] == 1:
                kept = nil_chance(state.hands[seat], self.suits, self.ranks) if state.tricks[seat] == 0 else 0.0
                nils += NIL * (2.0 * kept - 1.0)
        over = expected - bid
        made = min(max(0.5 + (over + 0.5) / (2.0 * spare), 0.0), 1.0)
        return nils + made * (EACH * bid + max(over, 0.0)) - (1.0 - made) * EACH * bid

    # -- words -------------------------------------------------------------------------------------------

    def said(self, state: Any) -> list[int]:
        """The bids, in order."""
        return [int(bid) - 1 for bid in state.bids if bid]

    def check_state(self, state: Any) -> str:
        bids = [bool(bid) for bid in state.bids]
        if bids != sorted(bids, reverse=True) or (not all(bids) and state.played):
            return "players bid in turn, all of them before the first lead"
        return super().check_state(state)

    def format_action(self, state: Any, action: int) -> str:
        return bid_text(int(action)) if self.is_bidding(state) else super().format_action(state, action)

    def parse_action(self, state: Any, text: str) -> int:
        if self.is_bidding(state) and text.strip() == "0":
            return 0
        return super().parse_action(state, text)

    def format_observation(self, observation: Any, player: int) -> str:
        """Hand, bids, tricks: `3sKh 4-nil-3-3 Jd-Kd`; a dash where nobody has bid yet."""
        bids = "-".join(map(bid_text, self.said(observation))) or "-"
        tricks = map("-".join, self.split_tricks(observation))
        return " ".join([self.hand_text(int(observation.hands[player])), bids, *tricks])

    def opening(self, words: list[str], text: str) -> Any:
        """The state after the deal and the bids."""
        state = super().opening(words, text)
        for word in (words.pop(0) if words else "-").split("-"):
            if word:
                names = {bid_text(bid): bid for bid in range(self.hand + 1)} | {"0": 0}
                if word not in names or not self.is_bidding(state):
                    raise BadInput(
                        f"{text!r}: {word!r} is no bid; write hand, bids and tricks, such as '3sKh 4-nil', with a bid "
                        f"of nil to {self.hand} for each of the {self.players} players of {self.name} in turn"
                    )
                state = self.result(state, names[word])
        if words and self.is_bidding(state):
            raise BadInput(f"{text!r}: all {self.players} players of {self.name} bid before the first lead")
        return state

    # -- picture -----------------------------------------------------------------------------------------

    def table_rows(self, state: Any) -> list[tuple[str, list[str | Card]]]:
        """The tricks; before them, the bids that can be made."""
        if not self.is_bidding(state):
            return super().table_rows(state)
        return [("bid", [Card(bid_text(bid), bid_text(bid)) for bid in range(self.hand + 1)])]

    def bid_box(self, state: Any) -> list[list[str]]:
        bids = [bid_text(bid) for bid in range(self.hand + 1)] if self.is_bidding(state) else []
        return [bids[start : start + BIDS_IN_ROW] for start in range(0, len(bids), BIDS_IN_ROW)]

    def caption(self, state: Any) -> str:
        bids = "-".join(map(bid_text, self.said(state)))
        return f"{f'bids {bids}, ' if bids else ''}{super().caption(state)}"


def bid_text(bid: int) -> str:
    return str(bid) if bid else "nil"
