"""A seat's past: what it holds, that it tells nothing hidden, and deals weighed by what the others did on the way."""

from __future__ import annotations

import math
from typing import Any

import numpy as np
import pytest

from plywright import BadInput, Fixed, Uniform, Unsuitable, load_game, search
from plywright.engine.chance.opponent_models import Policy
from plywright.engine.hidden.beliefs import View
from plywright.engine.hidden.past import Moment
from plywright.engine.hidden.sampling import DealSampler, Tally
from plywright.game import Game
from plywright.games.leduc import Leduc
from plywright.players import Clock, Mode, Playing
from plywright.players.searching import SearchPlayer
from plywright.rng import below, seeded

GAMES = [
    *("kuhn:players=3", "leduc", "liars-dice:dice=2", "goofspiel", "hidden-coin", "tricks:players=3,ranks=5"),
    *("battleship", "stratego", "stratego:setup=players", "phantom-tic-tac-toe", "kriegspiel"),
]


class Lopsided(Policy):
    """The lower actions more often: by what the mover itself can tell."""

    def probabilities(self, game: Game, state: Any) -> dict[int, float]:
        actions = [int(action) for action in game.actions(state)]
        total = sum(1 / (2 + place) for place in range(len(actions)))
        return {action: 1 / (2 + place) / total for place, action in enumerate(actions)}


def played(game: Game, plies: int, seed: int) -> Playing:
    """A game at random, up to a decision after so many plies, or fewer where games are over by then."""
    rng, playing = seeded(seed), Playing(game)
    while not playing.is_over() and (playing.at_chance() or playing.ply < plies):
        if playing.at_chance():
            playing.roll(rng)
        else:
            legal = playing.legal()
            playing.step(legal[below(rng, len(legal))])
    return playing if not playing.is_over() else played(game, plies - (seed % 9 == 0), seed + 1)


def others(game: Game, seat: int, policy: Any) -> dict[int, Any]:
    return {player: policy for player in range(game.players) if player != seat}


@pytest.mark.parametrize("name", GAMES)
def test_every_deal_of_a_sample_has_the_very_past_of_the_seat(name: str) -> None:
    """A deal that is drawn by a past is one that the seat could not tell from the truth, and it has its weight."""
    game = load_game(name)
    playing = played(game, 5 if name == "kriegspiel" else 7 if game.players == 2 else 6, 3)
    seat = playing.mover()
    sampler = DealSampler(View(game, playing.view(seat), seat), playing.past_of(seat), others(game, seat, Uniform()))
    for number in range(4):
        state, weight = sampler.draw(seeded(number))
        assert game.observation(state, seat) == playing.view(seat) and math.isfinite(weight) and weight <= 1e-9
    assert 1 <= sampler.effective <= 4 + 1e-9
    if game.recalls:  # and every state on the way looked as the seat remembers it
        for moment in playing.past_of(seat):
            assert game.observation(game.earlier(state, moment.view, seat), seat) == moment.view


@pytest.mark.parametrize(
    ("name", "plies"),
    [
        *(("leduc", 4), ("tricks:suits=2,ranks=3,hand=2", 8), ("liars-dice:faces=3", 4)),
        *(("goofspiel:cards=3", 5), ("phantom-tic-tac-toe:m=2,n=2,k=2", 3)),
    ],
)
def test_weighted_deals_go_to_the_exact_belief(name: str, plies: int) -> None:
    """Drawn by weight, deals are as likely as a walk over all histories says; listed ones exactly so."""
    game, model = load_game(name), Lopsided()
    playing = played(game, plies, 1)
    mover = playing.mover()
    view = View(game, playing.view(mover), mover)
    exact = dict(view.weighed(others(game, mover, model)))
    assert len(exact) > 1
    sampler = DealSampler(view, playing.past_of(mover), others(game, mover, model))
    rng, found = seeded(9), dict.fromkeys(exact, 0.0)
    for _ in range(1500):
        state, weight = sampler.draw(rng)
        found[state] += math.exp(weight)
    total = sum(found.values())
    for state, chance in exact.items():
        assert found[state] / total == pytest.approx(chance, abs=5 * math.sqrt(chance / sampler.effective) + 0.003)
    if game.recalls:
        assert dict(sampler.weigh_all()) == pytest.approx(exact)
    drawn = dict.fromkeys(exact, 0)
    for _ in range(1500):
        drawn[sampler.redraw(rng)] += 1
    for state, chance in exact.items():  # a pool of some 220 deals
        assert drawn[state] / 1500 == pytest.approx(chance, abs=5 * math.sqrt(chance / 200) + 0.01)


def test_a_past_has_what_a_seat_saw_and_did_and_no_more() -> None:
    game = Leduc()
    playing = Playing(game)
    for action in (1, 3, 1, 2, 1, 2):  # a J and a K; check, raise, call; a Q comes
        playing.step(action)
    seen = [game.format_observation(moment.view, 0) for moment in playing.past_of(0)]
    assert seen == ["J - -", "J - c", "J - cr", "J - crc"]
    assert [moment.action for moment in playing.past_of(0)] == [1, None, 1, None]
    assert all(moment.view.second == 0 for moment in playing.past_of(0))
    turn = playing.turn(Clock(Mode.parse("depth:1")), seeded(1))
    assert turn.past == playing.past_of(0)
    assert Playing(load_game("tic-tac-toe")).turn(Clock(Mode.parse("depth:1")), seeded(1)).past is None


def test_how_often_the_other_tried_in_secret_does_not_show() -> None:
    """X has a1; O tries a1 in vain and takes b1, or takes b1 at once: to X it is the same past."""
    game = load_game("phantom-tic-tac-toe")
    pasts = []
    for tries in ((0, 0, 1), (0, 1)):
        playing = Playing(game)
        for cell in tries:
            playing.step(cell)
        pasts.append((playing.past_of(0), playing.view(0)))
    assert pasts[0] == pasts[1]


@pytest.mark.slow
def test_a_model_that_needs_the_past_changes_the_choice_in_a_game_too_large_to_walk() -> None:
    """Whist with 20 cards: a view alone is refused, with the past deals are drawn by weight."""
    game = load_game("tricks:suits=4,ranks=5,players=4,teams=2")
    playing = played(game, 27, 5)
    seat = playing.mover()
    view, past = playing.view(seat), playing.past_of(seat)
    model = others(game, seat, Lopsided())
    with pytest.raises(Unsuitable, match="give past=, what the seat saw and did"):
        search(game, view, seat=seat, algorithm="deals", deals=10, depth=1, beliefs=model)
    found = search(game, view, seat=seat, algorithm="deals", deals=60, depth=2, beliefs=model, past=past)
    assert found.action in playing.legal() and found.error is not None
    assert found.effective_sample_size is not None and 2 < found.effective_sample_size < 60
    again = search(game, view, seat=seat, algorithm="deals", deals=60, depth=2, beliefs=model, past=past)
    assert again.actions == found.actions
    tree = search(game, view, seat=seat, algorithm="ismcts", simulations=200, beliefs=model, past=past)
    assert tree.effective_sample_size is not None and tree.effective_sample_size > 2
    assert search(game, view, seat=seat, algorithm="deals", deals=4, depth=1, past=past).effective_sample_size is None


def test_a_sample_by_weight_values_actions_as_the_exact_belief_does() -> None:
    game = load_game("kuhn")
    view = game.parse_observation("2 b", 1)
    playing = Playing(game)
    for action in (3, 2, 1):
        playing.step(action)
    past = playing.past_of(1)
    bluffs = Fixed(lambda state: {1: 1.0} if state.cards & 15 == 3 else {0: 0.25, 1: 0.75})
    exact = search(game, view, seat=1, algorithm="weighted", beliefs={0: bluffs})
    listed = search(game, view, seat=1, algorithm="weighted", beliefs={0: bluffs}, past=past)
    assert listed.actions == pytest.approx(exact.actions)
    found = search(game, view, seat=1, algorithm="deals", deals=4000, beliefs={0: bluffs}, past=past, seed=3)
    assert found.action == 1 == exact.action
    assert found.effective_sample_size is not None and found.error is not None
    assert abs(found.actions[1] - exact.actions[1]) < 5 * found.error + 1e-9 and 0 < found.error < 0.2


def test_the_tally_knows_its_doubt() -> None:
    """The standard error of weighted means is the spread of many such means."""
    rng, means, said = seeded(4), [], []
    for _ in range(300):
        tally = Tally(2)
        for _ in range(60):
            place = below(rng, 4)
            tally.add(np.array([float(place), 1.0]), math.log((1, 2, 8, 1)[place]) + 400.0)
        means.append(tally.means()[0])
        said.append(tally.error(0))
    centre = sum(means) / len(means)
    spread = math.sqrt(sum((mean - centre) ** 2 for mean in means) / len(means))
    assert centre == pytest.approx((2 + 16 + 3) / 12, abs=0.02)
    assert sum(said) / len(said) == pytest.approx(spread, rel=0.15)


def test_a_player_takes_beliefs_and_its_past() -> None:
    game = load_game("leduc")
    player = SearchPlayer("ismcts", simulations=50, beliefs="uniform")
    player.prepare(game)
    playing = played(game, 4, 2)
    assert player.choose(game, playing.turn(Clock(Mode.parse("nodes:50")), seeded(1))) in playing.legal()
    with pytest.raises(BadInput, match="nothing is hidden in tic-tac-toe"):
        SearchPlayer("search", beliefs="uniform").prepare(load_game("tic-tac-toe"))
    with pytest.raises(BadInput, match="is no opponent model"):
        SearchPlayer("ismcts", beliefs="telepathy").prepare(game)


def test_what_is_no_past_is_refused_in_one_line() -> None:
    game = load_game("kuhn")
    view = game.parse_observation("2 b", 1)
    cases: list[tuple[Any, str]] = [
        ("2 b", "past is what the seat saw and did in order"),
        ([1], "number 1 is 1"),
        ([(view, "bet")], "the action of number 1 is 'bet'"),
        ([Moment(view, None)], "none of 2,000 deals fits its past"),
        ([Moment(game.observation(game.start_state, 1), 0)], "none of 2,000 deals fits its past"),
    ]
    for past, sentence in cases:
        with pytest.raises(BadInput, match=sentence):
            search(game, view, seat=1, algorithm="deals", deals=5, beliefs={0: Uniform()}, past=past)
