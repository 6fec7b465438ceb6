"""Perfect recall where views are too many to be met twice: from a view alone the seat's whole past is made again."""

from __future__ import annotations

from typing import Any

import pytest

from plywright import load_game
from plywright.bits import replaced
from plywright.engine.hidden.past import Moment
from plywright.games.bridge.notation import Bridge
from plywright.games.hearts import PASSES, Hearts
from plywright.games.tricks import Tricks, play_at
from plywright.players import Playing
from plywright.rng import below, seeded


def plays_of(view: Any) -> list[int]:
    return [int(play_at(view.plays, number)) for number in range(int(view.played))]


def with_hands(game: Tricks, hands: dict[int, int]) -> Any:
    """The state after the deal, of which these hands are known."""
    state = game.start_state._replace(dealt=game.cards)
    for seat, hand in hands.items():
        state = state._replace(hands=replaced(state.hands, seat, hand))
    return state


def from_tricks(game: Tricks, view: Any, seat: int) -> tuple[Any, list[int]]:
    """The first state as far as the seat knew it, and what everybody did since, out of a view of a trick game."""
    hand, leader, plays = int(view.hands[seat]), 0, plays_of(view)
    for number, card in enumerate(plays):
        if (leader + number % game.players) % game.players == seat:
            hand |= 1 << card
        if number % game.players == game.players - 1:
            leader = (leader + game.best_of_trick(view.plays, number + 1 - game.players)) % game.players
    return with_hands(game, {seat: hand}), [*game.said(view), *plays]


def from_bridge(game: Bridge, view: Any, seat: int) -> tuple[Any, list[int]]:
    plays, calls = plays_of(view), list(game.calls_of(view))
    dummy = (int(view.declarer) + 2) % 4
    hands = {seat: int(view.hands[seat])} | ({dummy: int(view.dummy)} if plays and dummy != seat else {})
    leader, trump = (int(view.declarer) + 1) % 4, game.trump_of(view.last)
    for number, card in enumerate(plays):
        mover = (leader + number % 4) % 4
        if mover in hands:
            hands[mover] |= 1 << card
        if number % 4 == 3:
            leader = (leader + game.taker(view.plays, number - 3, trump)) % 4
    return with_hands(game, hands), calls + plays


def from_hearts(game: Hearts, view: Any, seat: int) -> tuple[Any, list[int]]:
    own = int(view.hands[seat]) | (game.played_by(view, seat) if view.played else 0)
    if view.chosen == game.choices_made:
        own = own & ~int(view.passed[(seat - game.passing) % 4]) | int(view.passed[seat])
    return with_hands(game, {seat: own}), plays_of(view)


def remembered(game: Any, view: Any, seat: int) -> list[tuple[Any, int]]:
    """The views in which the seat had to decide and what it did there, made from the present view alone."""
    found = []
    if isinstance(game, Hearts):
        state, actions = from_hearts(game, view, seat)
        given = [card for card in range(game.cards) if int(view.passed[seat]) >> card & 1]
        for number, card in enumerate(given):
            state = state._replace(chosen=PASSES * seat + number)
            found.append((game.observation(state, seat), card))
            state = state._replace(passed=replaced(state.passed, seat, state.passed[seat] | 1 << card))
        if view.chosen < game.choices_made:
            return found
        hand = int(state.hands[seat]) & ~int(view.passed[seat]) | int(view.passed[(seat - game.passing) % 4])
        first = int(view.leader)
        for where in range(4):  # who led first: the one from whom the last leader follows
            leader = where
            for start in range(0, view.played - view.played % 4, 4):
                leader = (leader + game.best_of_trick(view.plays, start)) % 4
            first = where if leader == view.leader else first
        state = view._replace(
            hands=replaced(game.no_hands, seat, hand), plays=game.no_plays, played=0, leader=first,
            points=game.no_points, voids=0, broken=0,
        )  # fmt: skip
    else:
        state, actions = (from_bridge if isinstance(game, Bridge) else from_tricks)(game, view, seat)
    for action in actions:
        if int(game.to_move(state)) == seat:
            seen = game.observation(state, seat)
            if isinstance(game, Bridge) and not state.played:
                seen = seen._replace(dummy=0)
            found.append((seen, action))
        state = game.coerce_state(game.result(state, action))
    return found


@pytest.mark.parametrize(
    "name",
    ["bridge:dealer=E", "hearts", "hearts:ranks=8,passing=across", "tricks:suits=4,ranks=6,players=3", "spades"],
)
def test_a_view_tells_the_whole_past(name: str) -> None:
    game, rng = load_game(name), seeded(8)
    assert game.perfect_recall
    compared = 0
    for _ in range(3):
        playing, decisions = Playing(game), [list[tuple[Any, int]]() for _ in range(game.players)]
        while not playing.is_over():
            if playing.at_chance():
                playing.roll(rng)
                continue
            seat, legal = playing.mover(), playing.legal()
            view = playing.view(seat)
            assert remembered(game, view, seat) == decisions[seat]
            compared += len(decisions[seat])
            few = (
                3 if name.startswith("bridge") and playing.state.caller < 4 else len(legal)
            )  # an auction that ends low
            action = legal[below(rng, min(few, len(legal)))]
            decisions[seat].append((view, action))
            playing.step(action)
        assert Moment(*decisions[0][0]) in playing.past_of(0)
    assert compared > 100
