"""The play of a bridge deal with all hands seen. Utilities are a side's tricks less the other's."""

from __future__ import annotations

from collections.abc import Iterator

from ...bits import lowest_bit, replaced
from ...game import Game
from .double_dummy_knowledge import DoubleDummyKnowledge
from .trick import NO_TRUMPS, SUIT, TRICKS, Trick, beats, playable


class DoubleDummy(Game):
    """Play a deal whose hands lie open."""

    knowledge = DoubleDummyKnowledge
    name = "double-dummy"
    players = 4
    player_names = ("North", "East", "South", "West")
    teams = (0, 1, 0, 1)
    utility_range = (-TRICKS, TRICKS)
    max_actions = TRICKS

    def initial(self) -> Trick:
        hands = tuple(SUIT << 16 * suit for suit in (3, 2, 1, 0))
        return Trick(hands, 0, 0, 0, 1, 0, 0, NO_TRUMPS, 0, 0, TRICKS)  # type: ignore[arg-type]

    def to_move(self, state: Trick) -> int:
        return (state.leader + state.played) & 3

    def is_terminal(self, state: Trick) -> bool:
        return state.left == 0

    def actions(self, state: Trick) -> Iterator[int]:
        if state.left > 0:
            cards = playable(state)
            while cards != 0:
                yield lowest_bit(cards)
                cards &= cards - 1

    def result(self, state: Trick, action: int) -> Trick:
        seat = (state.leader + state.played) & 3
        best, winner = state.best, state.winner
        if state.played == 0 or beats(action, best, state.trump):
            best, winner = action, seat
        hands = replaced(state.hands, seat, state.hands[seat] & ~(1 << action))
        if state.played == 3:
            won, lost = state.won + 1 - (winner & 1), state.lost + (winner & 1)
            return Trick(hands, 0, 0, 0, winner, 0, 0, state.trump, won, lost, state.left - 1)
        order = state.order | action << 6 * state.played
        table = state.table | 1 << action
        count = state.played + 1
        return Trick(
            hands, table, order, count, state.leader, best, winner, state.trump, state.won, state.lost, state.left
        )

    def utility(self, state: Trick, player: int) -> int:
        return state.won - state.lost if player & 1 == 0 else state.lost - state.won
