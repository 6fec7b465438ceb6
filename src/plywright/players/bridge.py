"""Players of bridge: natural bidding, and cards chosen by Monte Carlo minimax or by simple rules.

The thinking player draws deals that fit what it sees and, as far as may be, the calls and the lead that the others
would have made with those hands; each is solved with all cards open, and the card with the most tricks on average is
played.
"""

from __future__ import annotations

import math
from time import monotonic
from typing import Any

from ..bridge.bidding import natural_call
from ..bridge.double_dummy import tricks_by_card, tricks_from
from ..errors import BadInput, Unsuitable
from ..game import Game
from ..games.bridge.notation import Bridge
from ..games.bridge.play import opening
from ..games.bridge.trick import lane, lanes
from ..games.tricks import play_at
from ..number import is_whole
from ..rng import below, uniform
from .player import Player
from .turn import Turn

DRAWN = 15
"""Deals drawn for each one that is solved: those whose auction and opening lead fit best are kept."""
USUAL_DEALS, LONG_THOUGHT, MOST_DEALS = 10, 60, 10_000
"""Deals that are solved where time is free, at most where it is not, and at most where a number is given."""
DRAWING = 0.3
"""The part of the time of a card in which deals are drawn; the rest is for solving them."""
THINKING = 800
"""Nodes of the first level that solves deals."""
MOVES = 30
"""Decisions of one seat in a deal, for clocks: calls, and the cards of two hands for the declarer."""
ONE_TRICK = opening([1, 2, 4, 8], 4, 0)


class GreedyBridge(Player):
    """Natural bidding; wins a trick as cheaply as it can, else plays low."""

    name = "bridge-greedy"

    def prepare(self, game: Game) -> None:
        check_bridge(game, self.name)

    def choose(self, game: Game, turn: Turn) -> int:
        assert isinstance(game, Bridge)
        if turn.view.caller < 4:
            return natural_call(lanes(int(turn.view.hands[turn.seat])), game.calls_of(turn.view))
        return greedy_card(game, turn.view, list(turn.legal))


class BridgePlayer(GreedyBridge):
    """Natural bidding; cards by double-dummy results over drawn deals.

    `deals` are solved for each card, or where none are named as many as the clock allows. `careless` is how likely a
    card is any legal one, and without `thinks` the others are those of `bridge-greedy`: lower levels are made of that.
    """

    def __init__(self, deals: int | None = None, name: str = "", *, careless: float = 0.0, thinks: bool = True) -> None:
        if deals is not None and not (is_whole(deals) and 1 <= deals <= MOST_DEALS):
            raise BadInput(f"bridge: deals is a whole number from 1 to {MOST_DEALS}, not {deals!r}")
        self.deals, self.careless, self.thinks = deals, careless, thinks
        self.name = name or "bridge"
        self.info = {}

    def prepare(self, game: Game) -> None:
        super().prepare(game)
        if self.thinks:
            tricks_from(ONE_TRICK)  # compiled before the clocks run

    def choose(self, game: Game, turn: Turn) -> int:
        assert isinstance(game, Bridge)
        view, legal = turn.view, list(turn.legal)
        self.info = {}
        if view.caller < 4:
            return super().choose(game, turn)
        if self.careless > 0.0 and uniform(turn.rng) < self.careless:
            return legal[below(turn.rng, len(legal))]
        if not self.thinks or len(legal) == 1:
            return super().choose(game, turn)
        if view.played == 0:
            return opening_lead(game, view, turn.seat, legal)
        totals = self.weighed(game, turn)
        if not totals:
            return greedy_card(game, view, legal)
        best = max(legal, key=lambda card: (sum(totals[card]), -(card % 13)))
        self.info = report(game, view, turn.seat, totals[best])
        return best

    def weighed(self, game: Bridge, turn: Turn) -> dict[int, list[int]]:
        """The tricks of each legal card in every deal that could be solved in time; nothing where none could."""
        began, seconds = monotonic(), seconds_for(turn)
        count = self.deals or (USUAL_DEALS if seconds is None else LONG_THOUGHT)
        drawing = None if seconds is None else began + DRAWING * seconds
        totals: dict[int, list[int]] = {}
        for state in fitting_deals(game, turn.view, turn.seat, count, turn.rng, drawing):
            left = None if seconds is None else began + seconds - monotonic()
            if self.stopping or (left is not None and left <= 0.0):
                break
            try:
                tricks = tricks_by_card(game.open_play(state), left)
            except TimeoutError:
                break
            for card in turn.legal:
                totals.setdefault(card, []).append(tricks[lane(card)])
        return totals

    def stop(self) -> None:
        self.stopping = True

    def graded(self, name: str, careless: float, nodes: int) -> Player | None:
        """Levels play cards by simple rules, and from `THINKING` nodes on over more and more deals."""
        return BridgePlayer(max(round(nodes**0.25), 1), name, careless=careless, thinks=nodes >= THINKING)


BRIDGE = ("bridge", "bridge-greedy")
"""What these players are called on the command line."""


def bridge_player(text: str, kind: str, rest: str) -> Player:
    """`bridge:deals=20`, `bridge` or `bridge-greedy`."""
    key, _, value = rest.partition("=")
    if kind == "bridge-greedy" or (rest and key.strip() != "deals"):
        if rest or ":" in text:
            raise BadInput(f"{text!r}: write bridge, bridge:deals=20 or bridge-greedy")
        return GreedyBridge()
    if rest and not value.strip().isdecimal():
        raise BadInput(f"{text!r}: {value!r} is not a whole number")
    return BridgePlayer(int(value), text) if rest else BridgePlayer()


def report(game: Bridge, view: Any, seat: int, tricks: list[int]) -> dict[str, Any]:
    """What a choice rests on, with what the sample leaves: how many deals fit, how many were drawn, the error."""
    count = len(tricks)
    mean = sum(tricks) / count
    spread = math.sqrt(sum((value - mean) ** 2 for value in tricks) / (count - 1)) if count > 1 else math.nan
    fit = game.count_deals(view, seat)
    error = spread / math.sqrt(count)
    words = f"{fit:,} deals fit what is seen; {count:,} drawn, {mean:.2f} tricks, standard error {error:.2f}"
    return {"value": mean, "error": error, "deals": count, "deals_that_fit": fit, "note": words}


def seconds_for(turn: Turn) -> float | None:
    """Seconds of one card; None where time is free."""
    if not turn.clock.mode.timed:
        return None
    limit = turn.clock.limit(MOVES)
    return limit.soft or limit.time


def fitting_deals(game: Bridge, view: Any, seat: int, count: int, rng: Any, deadline: float | None = None) -> list[Any]:
    """Deals that look like the view, out of many those in which the others called and led by the system most often.

    The view of bridge has all calls and plays in order, so it tells what a seat's past would.
    """
    drawn: list[tuple[int, int, Any]] = []
    calls, right = game.calls_of(view), 0
    for number in range(count * DRAWN if any(calls) else count):
        state = game.deal(view, seat, rng)
        faults = misfits(game, state, calls, seat)
        drawn.append((faults, number, state))
        right += faults == 0
        if right >= count or (deadline is not None and monotonic() > deadline):
            break
    drawn.sort(key=lambda one: one[:2])
    return [state for _, _, state in drawn[:count]]


def misfits(game: Bridge, state: Any, calls: tuple[int, ...], seat: int) -> int:
    """How many calls of the others, the opening lead counted in, the system would not have made with these hands."""
    hands = first_hands(game, state)
    wrong = 0
    for number, call in enumerate(calls):
        caller = (game.dealer + number) % 4
        if caller != seat and natural_call(hands[caller], calls[:number]) != call:
            wrong += 1
    leader = (int(state.declarer) + 1) % 4
    if state.played > 0 and leader != seat:
        cards = [card for card in range(game.cards) if hands[leader] >> lane(card) & 1]
        wrong += opening_lead(game, state, leader, cards) != play_at(state.plays, 0)
    return wrong


def first_hands(game: Bridge, state: Any) -> list[int]:
    """The hands before the first lead, as the solver numbers cards."""
    hands = [int(hand) for hand in state.hands]
    leader, trump = (int(state.declarer) + 1) % 4, game.trump_of(state.last)
    for number in range(int(state.played)):
        hands[(leader + number % 4) % 4] |= 1 << int(play_at(state.plays, number))
        if number % 4 == 3:
            leader = (leader + game.taker(state.plays, number - 3, trump)) % 4
    return [lanes(hand) for hand in hands]


def opening_lead(game: Bridge, view: Any, seat: int, legal: list[int]) -> int:
    """The partner's suit, else the longest one not bid by the others: top of touching honours, else fourth best."""
    calls = game.calls_of(view)
    bid = {0: set(), 1: set()}  # type: dict[int, set[int]]
    for number, call in enumerate(calls):
        if call > 2 and (call - 3) % 5 < 4:
            bid[(game.dealer + number + seat) % 2].add(3 - (call - 3) % 5)
    trump = game.trump_of(view.last)
    suits = {card // 13 for card in legal}

    def worth(suit: int) -> tuple[int, int]:
        own = [card % 13 for card in legal if card // 13 == suit]
        return 4 * (suit in bid[0]) - 6 * (suit in bid[1]) - 5 * (suit == trump) + len(own), sum(own)

    suit = max(suits, key=worth)
    own = sorted((card for card in legal if card // 13 == suit), reverse=True)
    if len(own) > 1 and own[0] % 13 >= 9 and own[0] - own[1] == 1:
        return own[0]
    return own[3] if len(own) > 3 else own[0] if len(own) == 2 else own[-1]


def greedy_card(game: Bridge, view: Any, legal: list[int]) -> int:
    """The lowest card that takes the trick as it lies; else, or where the partner has it, the lowest of all."""
    turn = int(view.played) % 4
    low = min(legal, key=lambda card: (card // 13 == game.trump_of(view.last), card % 13))
    if turn == 0:
        return max(legal, key=lambda card: (card % 13 >= 11, -(card % 13)))
    trump = game.trump_of(view.last)
    table = [int(play_at(view.plays, number)) for number in range(int(view.played) - turn, int(view.played))]
    best = 0
    for place in range(1, turn):
        card, top = table[place], table[best]
        if (card // 13 == top // 13 and card > top) or (card // 13 == trump and top // 13 != trump):
            best = place
    if (turn - best) % 2 == 0:
        return low
    top = table[best]
    winning = [c for c in legal if (c // 13 == top // 13 and c > top) or (c // 13 == trump and top // 13 != trump)]
    return min(winning, key=lambda card: card % 13) if winning else low


def check_bridge(game: Game, name: str) -> None:
    if not isinstance(game, Bridge):
        raise Unsuitable(f"{name} plays bridge, not {game.name}")
