"""Players of bridge: natural bidding, and cards chosen by Monte Carlo minimax or by simple rules.

The thinking player draws deals that fit what it sees and, as far as may be, the calls that the others would have made
with those hands; each is solved with all cards open, and the card with the most tricks on average is played.
"""

from __future__ import annotations

import math
from typing import Any

from ..bridge.bidding import natural_call
from ..bridge.double_dummy import tricks_by_card
from ..errors import BadInput, Unsuitable
from ..game import Game
from ..games.bridge.rules import Bridge, lane, lanes
from ..games.tricks.rules import play_at
from .player import Player
from .turn import Turn

DRAWN = 15
"""Deals drawn for each one that is solved: those whose auction fits best are kept."""


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
    """Natural bidding; cards by double-dummy results over drawn deals."""

    name = "bridge"

    def __init__(self, deals: int = 10, name: str = "") -> None:
        if not isinstance(deals, int) or isinstance(deals, bool) or not 1 <= deals <= 10_000:
            raise BadInput(f"bridge: deals is a whole number from 1 to 10000, not {deals!r}")
        self.deals = deals
        self.name = name or "bridge"
        self.info = {}

    def choose(self, game: Game, turn: Turn) -> int:
        assert isinstance(game, Bridge)
        view = turn.view
        if view.caller < 4:
            return super().choose(game, turn)
        self.info = {}
        if len(turn.legal) == 1:
            return turn.legal[0]
        if view.played == 0:
            return opening_lead(game, view, turn.seat, list(turn.legal))
        totals: dict[int, list[int]] = {card: [] for card in turn.legal}
        for state in fitting_deals(game, view, turn.seat, self.deals, turn.rng):
            tricks = tricks_by_card(game.open_play(state))
            for card in turn.legal:
                totals[card].append(tricks[lane(card)])
        best = max(turn.legal, key=lambda card: (sum(totals[card]), -(card % 13)))
        self.info = report(game, view, turn.seat, totals[best])
        return best


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


def fitting_deals(game: Bridge, view: Any, seat: int, count: int, rng: Any) -> list[Any]:
    """Deals that look like the view, out of many those in which the others' calls were the system's most often."""
    drawn = []
    calls = game.calls_of(view)
    for number in range(count * DRAWN if any(calls) else count):
        state = game.deal(view, seat, rng)
        drawn.append((misfits(game, state, calls, seat), number, state))
        if sum(1 for faults, _, _ in drawn if faults == 0) >= count:
            break
    drawn.sort(key=lambda one: one[:2])
    return [state for _, _, state in drawn[:count]]


def misfits(game: Bridge, state: Any, calls: tuple[int, ...], seat: int) -> int:
    """How many calls of the others the system would not have made with their hands in this deal."""
    hands = first_hands(game, state)
    wrong = 0
    for number, call in enumerate(calls):
        caller = (game.dealer + number) % 4
        if caller != seat and natural_call(hands[caller], calls[:number]) != call:
            wrong += 1
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
