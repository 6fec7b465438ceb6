"""What holds for every game with hidden information: views, deals, their texts and pictures, compiled or not."""

from __future__ import annotations

import functools
import itertools
from collections import Counter
from collections.abc import Iterator
from typing import Any

import numpy as np
import pytest

from plywright import CHANCE, BadInput, Game, Unsuitable, load_game
from plywright.bits import mix
from plywright.compiled import Workspace, interpreted, kernel
from plywright.games import GAMES
from plywright.rng import below, seeded
from plywright.state import shape_of

OTHER_SIZES = [
    "kuhn:players=3",
    "liars-dice:players=3,dice=2,faces=3",
    "goofspiel:cards=5,players=3,order=descending,payoff=points",
    "phantom-tic-tac-toe:m=3,n=2,k=3",
    "tricks:suits=3,ranks=4,players=4,teams=2,hand=2,trump=h",
    "tricks:suits=4,ranks=13,players=4,teams=2,trump=s",
    "holdem:ranks=3,rounds=2",
    "kriegspiel:size=5,pieces=KN,limit=12",
    "stratego:size=6,pieces=FBBMX,setup=players,limit=40",
    "hearts:ranks=7,passing=none",
    "spades:suits=2,ranks=3,players=2",
]
NEVER_LISTED = ("hearts",)
"""Games whose views leave too many deals open from the first to the last: what the others pass to one another."""
WHOLE_DECKS = ("holdem",)  # more deals than these tests list: a smaller deck stands for it
NAMES = [*(name for name in GAMES if load_game(name).hidden and name not in WHOLE_DECKS), *OTHER_SIZES]
FULL_FLEET = pytest.param("battleship:size=10,ships=5-4-3-3-2", marks=pytest.mark.slow)
every_game = pytest.mark.parametrize("name", [*NAMES, FULL_FLEET])
IN_EVERY_RUN = ("kuhn", "leduc", "tricks", "liars-dice")  # each of the others takes seconds to compile
compiled_games = pytest.mark.parametrize(
    "name",
    [name if name in IN_EVERY_RUN else pytest.param(name, marks=pytest.mark.slow) for name in NAMES] + [FULL_FLEET],
)
MOST = 1_000
"""Deals of a view are listed in these tests up to so many."""
SAMPLES = 400


@functools.cache
def game_of(name: str) -> Game:
    return load_game(name)


@functools.cache
def states_of(name: str) -> list[Any]:
    """States of a few random games in which somebody has to decide."""
    game = game_of(name)
    return [state for seed in range(4) for state in unfinished(game, seed) if game.to_move(state) != CHANCE]


def unfinished(game: Game, seed: int) -> Iterator[Any]:
    rng, state = seeded(seed), game.start_state
    while not game.is_terminal(state):
        yield state
        choices = game.choices(state)
        state = game.coerce_state(game.result(state, choices[below(rng, len(choices))]))


def spread(things: list[Any], count: int) -> list[Any]:
    return things[:: max(1, len(things) // count)]


def views_of(name: str, count: int) -> list[tuple[Any, Any, int]]:
    """States, what each seat sees there, and the seat."""
    game = game_of(name)
    return [
        (state, game.observation(state, seat), seat)
        for state in spread(states_of(name), count)
        for seat in range(game.players)
    ]


def listed(game: Game, seen: Any, seat: int, most: int) -> list[tuple[Any, float]]:
    """The deals that a view leaves open, or nothing where they are more than `most`."""
    try:
        deals = list(itertools.islice(game.deals(seen, seat), most + 1))
    except Unsuitable:
        return []
    return deals if len(deals) <= most else []


@every_game
def test_a_deal_looks_like_what_was_seen(name: str) -> None:
    game, rng = game_of(name), seeded(3)
    for state, seen, seat in views_of(name, 10):
        dealt = game.coerce_state(game.deal(seen, seat, rng))
        assert game.observation(dealt, seat) == seen
        assert game.to_move(dealt) == game.to_move(state)
        assert not game.is_terminal(dealt)


@every_game
def test_the_truth_is_among_the_deals_and_all_of_them_look_the_same(name: str) -> None:
    game = game_of(name)
    compared = 0
    for state, seen, seat in views_of(name, 10):
        deals = listed(game, seen, seat, MOST) if game.to_move(state) == seat else []
        if deals:
            compared += 1
            assert sum(probability for _, probability in deals) == pytest.approx(1)
            assert state in [dealt for dealt, _ in deals]
            assert len({dealt for dealt, _ in deals}) == len(deals)
            actions = game.choices(state)
            for dealt, probability in spread(deals, 60):
                assert probability > 0
                assert game.observation(dealt, seat) == seen
                assert game.choices(dealt) == actions
    assert compared or name in NEVER_LISTED


@every_game
def test_sampled_deals_come_as_often_as_listed(name: str) -> None:
    """Sampled shares stay within five standard errors of the listed probabilities."""
    game, rng, compared = game_of(name), seeded(9), 0
    for state, seen, seat in views_of(name, 31):
        deals = dict(listed(game, seen, seat, 60)) if game.to_move(state) == seat and compared < 2 else {}
        if len(deals) > 1:
            compared += 1
            count = Counter(game.coerce_state(game.deal(seen, seat, rng)) for _ in range(SAMPLES))
            assert set(count) <= set(deals)
            for dealt, probability in deals.items():
                error = (probability * (1 - probability) / SAMPLES) ** 0.5
                assert abs(count[dealt] / SAMPLES - probability) < 5 * error + 0.002
    assert compared or name in NEVER_LISTED


@every_game
def test_what_a_seat_sees_can_be_written_read_and_drawn(name: str) -> None:
    game = game_of(name)
    for state, seen, seat in views_of(name, 10):
        text = game.format_observation(seen, seat)
        assert "\n" not in text
        if game.to_move(state) == seat:
            assert game.parse_observation(text, seat) == seen, text
            if not isinstance(seen, type(state)) or game.to_move(seen) == seat:  # poker without all cards is dealing
                move = game.format_action(state, game.choices(state)[0])
                assert game.format_action(seen, game.parse_action(seen, move)) == move
                with pytest.raises(BadInput):
                    game.parse_action(seen, "nonsense")
        picture = game.picture_for(seen, seat)
        assert picture.text.strip() and picture.svg.startswith("<svg")


@every_game
def test_views_have_one_shape(name: str) -> None:
    """Compiled code needs views of one type; each is a named tuple of numbers."""
    shapes = {str(shape_of(seen)) for _, seen, _ in views_of(name, 10)}
    assert len(shapes) == 1


@kernel
def play_and_deal(game, plies, work):
    """Play at random, look from every seat and deal again; the answer mixes all that was seen."""
    state, rng, total = game.initial(), work.rng, np.uint64(0)
    for _ in range(plies):
        if game.is_terminal(state):
            for player in range(game.players):
                work.utility[player] += game.utility(state, player)
            state = game.initial()
        mover, count, chosen = game.to_move(state), 0, 0
        if mover == CHANCE:
            for outcome, _probability in game.chance(state):
                count += 1
                if below(rng, count) == 0:
                    chosen = outcome
        else:
            for action in game.actions(state):
                count += 1
                if below(rng, count) == 0:
                    chosen = action
            for player in range(game.players):
                seen = game.observation(state, player)
                dealt = game.deal(seen, player, rng)
                total = np.uint64(mix(seen)) ^ np.uint64(mix(dealt)) ^ (total << np.uint64(1))
        state = game.result(state, chosen)
    return total


@compiled_games
def test_compiled_rules_views_and_deals_are_the_interpreted_ones(name: str) -> None:
    game, plies = game_of(name), 30 if "size=10" in name else 70  # full fleets are slow to deal interpreted
    answers = []
    for native in (True, False):
        utility = np.zeros(game.players)
        work = Workspace(rng=seeded(11), utility=utility)
        if native:
            answers.append((int(play_and_deal(game, plies, work)), utility.tolist()))
        else:
            with interpreted():
                answers.append((int(play_and_deal(game, plies, work)), utility.tolist()))
    assert answers[0] == answers[1]
