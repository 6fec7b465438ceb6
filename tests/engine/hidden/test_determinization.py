"""Searches over deals: exact averages by hand, samples that go to them, views that are refused."""

from __future__ import annotations

import math
from typing import Any

import numpy as np
import pytest

from plywright import BadInput, Fixed, GameError, Uniform, Unsuitable, load_game, search
from plywright.compiled import interpreted
from plywright.engine.hidden.open_cards import opened
from plywright.equilibrium import GameTree
from plywright.game import CHANCE, Game
from plywright.games.hidden_coin import BANK, BET, HiddenCoin
from plywright.games.kuhn import BET as KUHN_BET
from plywright.games.kuhn import Hand, Kuhn
from plywright.games.leduc import Leduc
from plywright.knowledge import Knowledge

KUHN, COIN = Kuhn(), HiddenCoin()


def minimax(game: Game, state: Any, seat: int) -> float:
    """The value with open cards, by definition."""
    if game.is_terminal(state):
        return game.utility(state, seat)
    mover = game.to_move(state)
    if mover == CHANCE:
        return sum(p * minimax(game, game.result(state, outcome), seat) for outcome, p in game.chance(state))
    values = [minimax(game, game.result(state, action), seat) for action in game.actions(state)]
    return max(values) if mover == seat else min(values)


def by_hand(game: Game, view: Any, seat: int) -> dict[int, float]:
    found: dict[int, float] = {}
    for state, probability in game.deals(view, seat):
        for action in game.actions(state):
            value = minimax(game, game.result(state, action), seat)
            found[action] = found.get(action, 0.0) + probability * value
    return found


@pytest.mark.parametrize(("text", "seat"), [("1 -", 0), ("2 -", 0), ("3 -", 0), ("2 b", 1), ("2 p", 1), ("2 pb", 0)])
def test_weighted_minimax_is_the_sum_over_deals(text: str, seat: int) -> None:
    view = KUHN.parse_observation(text, seat)
    found = search(KUHN, view, seat=seat, algorithm="weighted")
    expected = by_hand(KUHN, view, seat)
    assert found.actions == pytest.approx(expected, abs=1e-12)
    assert found.value == pytest.approx(max(expected.values()))
    assert (found.error, found.proved, found.compiled) == (0.0, False, True)
    assert sum(found.visits.values()) == 2 * len(list(KUHN.deals(view, seat)))


@pytest.mark.slow
def test_leduc_with_cards_to_come() -> None:
    game = Leduc()
    view = game.parse_observation("Q - cr", 0)
    found = search(game, view, seat=0, algorithm="weighted", time=60)
    assert found.actions == pytest.approx(by_hand(game, view, 0), abs=1e-9)


def test_a_sample_goes_to_the_exact_answer() -> None:
    view = KUHN.parse_observation("2 -", 0)
    exact = by_hand(KUHN, view, 0)
    for seed in range(1, 6):
        found = search(KUHN, view, seat=0, algorithm="deals", deals=4000, seed=seed)
        assert found.error is not None
        for action, value in exact.items():  # values lie in [-2, 2]: Hoeffding, odds 1e-9 of a false alarm
            dealt = found.visits[action]
            assert abs(found.actions[action] - value) < 4 * math.sqrt(math.log(2e9) / (2 * dealt))
        assert found.action == max(exact, key=lambda action: exact[action])


def test_it_stops_when_the_best_action_is_clear_and_names_ties() -> None:
    clear = search(KUHN, KUHN.parse_observation("1 b", 1), seat=1, algorithm="deals", deals=100_000)
    assert clear.visits[0] < 1000
    tied = search(COIN, COIN.parse_observation("covered bet", 0), seat=0, algorithm="deals", deals=400, seed=3)
    assert tied.visits[0] == 400  # heads and tails never come apart
    assert tied.error is not None and tied.error > 0.1


def test_threads_share_the_deals() -> None:
    view = KUHN.parse_observation("2 -", 0)
    found = search(KUHN, view, seat=0, algorithm="deals", deals=200, threads=2)
    assert 64 <= found.visits[0] <= 200


@pytest.mark.parametrize("inner", ["alphabeta", "minimax", "pvs", "mcts", "expectiminimax", None])
def test_any_inner_search(inner: str | None) -> None:
    view = COIN.parse_observation("covered", 0)
    found = search(COIN, view, seat=0, algorithm="deals", inner=inner, deals=8)
    assert found.action == BET  # each deal shows the coin
    assert found.actions == pytest.approx({BANK: 1, BET: 3}, abs=0.2)
    assert search(COIN, view, seat=0, algorithm="weighted", inner=inner).action == BET


def test_three_players_have_max_n_inside() -> None:
    game = Kuhn(3)
    found = search(game, game.parse_observation("4 pb", 2), seat=2, algorithm="weighted")
    assert found.algorithm == "weighted (maxn)"
    assert (found.action, found.value) == (KUHN_BET, 3.0)  # the highest card calls: the others' antes and a bet
    assert math.isnan(found.values[0])


def test_compiled_is_interpreted() -> None:
    view = KUHN.parse_observation("2 -", 0)
    for algorithm, options in (("deals", {"deals": 40}), ("ismcts", {"simulations": 300})):
        fast, slow = (
            search(KUHN, view, seat=0, algorithm=algorithm, compiled=compiled, **options) for compiled in (None, False)
        )
        assert (fast.compiled, slow.compiled) == (True, False)
        assert (fast.actions, fast.visits) == (slow.actions, slow.visits)


# -- information-set tree search ---------------------------------------------------------------------------------------


@pytest.mark.parametrize("observers", ["many", "one"])
def test_ismcts_does_not_see_through_the_cover(observers: str) -> None:
    view = COIN.parse_observation("covered", 0)
    found = search(COIN, view, seat=0, algorithm="ismcts", simulations=4000, observers=observers)
    assert found.action == BANK
    assert found.actions[BANK] == 1
    assert found.actions[BET] < 0.7
    assert found.error == 0


def test_ismcts_repeats_with_its_seed_and_calls_with_the_best_card() -> None:
    view = KUHN.parse_observation("3 b", 1)
    first, again = (search(KUHN, view, seat=1, algorithm="ismcts", simulations=500, seed=9) for _ in range(2))
    assert first.visits == again.visits
    assert sum(first.visits.values()) == 500
    assert first.action == KUHN_BET and first.value == 2


def test_ismcts_in_threads_adds_up_what_each_found_at_the_root() -> None:
    view = KUHN.parse_observation("3 b", 1)
    found = search(KUHN, view, seat=1, algorithm="ismcts", simulations=2001, threads=3)
    assert found.nodes == sum(found.visits.values()) == 2001
    assert found.action == KUHN_BET and found.actions[KUHN_BET] == 2 and found.actions[0] == -1
    again = search(KUHN, view, seat=1, algorithm="ismcts", simulations=2001, threads=3)
    assert again.visits == found.visits
    single = search(KUHN, view, seat=1, algorithm="ismcts", simulations=1, threads=3)
    assert single.nodes == 1 and single.action in (0, KUHN_BET)
    believing = search(KUHN, view, seat=1, algorithm="ismcts", simulations=50, threads=2, beliefs={0: Uniform()})
    assert believing.nodes == 50
    with pytest.raises(BadInput, match="threads must be a whole number from 1 to 256"):
        search(KUHN, view, seat=1, algorithm="ismcts", simulations=50, threads=0)


class Weighted(Kuhn):
    """The second card is dealt with probabilities that do not sum to 1."""

    def chance(self, state: Any):
        for outcome, probability in super().chance(state):
            yield outcome, probability * (1 if state.cards == 0 else 0.5)


def test_a_fault_of_chance_is_worded_the_same_by_every_search() -> None:
    game = Weighted()
    game.__dict__["_smoke_tested"] = True
    sentence = r"chance\(\) yields probabilities that do not sum to 1 but to 0.5"
    with pytest.raises(GameError, match=sentence):
        search(opened(game), depth=4, algorithm="expectiminimax", compiled=False)
    with pytest.raises(GameError, match=sentence):
        search(opened(game), simulations=20, algorithm="mcts", compiled=False)
    with interpreted(), pytest.raises(GameError, match=sentence):
        GameTree.of(game)


def test_the_defaults_of_hidden_games() -> None:
    view = KUHN.parse_observation("3 b", 1)
    assert search(KUHN, view, seat=1, nodes=100).algorithm == "ismcts"
    assert search(KUHN, view, seat=1, depth=3).algorithm == "deals (expectiminimax)"


# -- beliefs -----------------------------------------------------------------------------------------------------------


def honest(state: Hand) -> dict[int, float]:
    """Bets the highest card and nothing else."""
    card = state.cards & 15
    return {KUHN_BET if card == 3 else 0: 1.0}


def test_beliefs_follow_a_model_of_the_others() -> None:
    view = KUHN.parse_observation("2 b", 1)  # half of the deals are a 1, half a 3
    blind = search(KUHN, view, seat=1, algorithm="weighted")
    assert blind.actions == {0: -1.0, 1: 0.0}
    wise = search(KUHN, view, seat=1, algorithm="weighted", beliefs={0: Fixed(honest)})
    assert wise.actions == {0: -1.0, 1: -2.0}
    for algorithm, options in (("deals", {"deals": 100}), ("ismcts", {"simulations": 400})):
        found = search(KUHN, view, seat=1, algorithm=algorithm, beliefs={0: Fixed(honest)}, **options)
        assert (found.action, found.actions[1]) == (0, -2.0)
    same = search(KUHN, view, seat=1, algorithm="weighted", beliefs={0: Uniform()})
    assert same.actions == pytest.approx(blind.actions)
    with pytest.raises(BadInput, match="cannot come to see"):
        search(KUHN, KUHN.parse_observation("3 b", 1), seat=1, algorithm="weighted", beliefs={0: Fixed(honest)})
    with pytest.raises(BadInput, match="not another player"):
        search(KUHN, view, seat=1, algorithm="weighted", beliefs={1: Uniform()})


# -- what is refused ---------------------------------------------------------------------------------------------------


def test_a_state_is_refused_and_so_is_nonsense() -> None:
    state = Hand(1 | 2 << 4, 1)
    view = KUHN.observation(state, 0)
    for algorithm in ("weighted", "deals", "ismcts"):
        with pytest.raises(BadInput, match=r"takes what the seat sees, not the state: give game.observation\(state, 0"):
            search(KUHN, state, seat=0, algorithm=algorithm)
    cases: list[tuple[dict[str, Any], str]] = [
        ({"view": view}, "say who looks, seat=0 to seat=1"),
        ({"view": view, "seat": 2}, "not 2"),
        ({"seat": 0}, "give what the seat sees"),
        ({"view": view, "seat": 1}, "not the state"),
        ({"view": KUHN.observation(state, 1), "seat": 1}, "after nothing player 2 of kuhn is not to move"),
        ({"view": Hand(9, 1), "seat": 0}, "'9 -' is not what a player of kuhn sees: write the card"),
        ({"view": Hand(1, 0b110), "seat": 0}, "the game is over"),
        ({"view": (1, 2, 3), "seat": 0}, "tuple of 2 values"),
        ({"view": view, "seat": 0, "algorithm": "deals", "inner": "magic"}, "no inner search 'magic'"),
        ({"view": view, "seat": 0, "algorithm": "deals", "deals": 0}, "deals must be a whole number"),
        ({"view": view, "seat": 0, "algorithm": "ismcts", "observers": "none"}, "observers must be many or one"),
    ]
    for options, sentence in cases:
        with pytest.raises(BadInput, match=sentence):
            search(KUHN, **options)
    with pytest.raises(Unsuitable, match="needs ismcts, deals or weighted"):
        search(KUHN, view, algorithm="expectiminimax")
    with pytest.raises(Unsuitable, match=r"see the whole state, which pvs searches"):
        search(load_game("tic-tac-toe"), algorithm="deals")
    with pytest.raises(Unsuitable, match="inner: pvs cannot search kuhn: it has chance"):
        search(KUHN, view, seat=0, algorithm="deals", inner="pvs")


class Tell(HiddenCoin):
    """The seeker's second guess is legal only where the coin is tails."""

    def actions(self, state: Any):
        if not self.is_terminal(state):
            yield 0
            if not (state.laid and state.coin == 0):
                yield 1


def test_actions_that_tell_the_hidden_part_are_named() -> None:
    game = Tell()
    for algorithm in ("weighted", "deals", "ismcts"):
        with pytest.raises(GameError, match=r"states that look like 'covered' to seeker have different legal actions"):
            search(game, COIN.parse_observation("covered", 0), seat=0, algorithm=algorithm, compiled=False)


def test_open_cards_are_the_same_rules() -> None:
    game = opened(KUHN)
    assert not game.hidden and KUHN.hidden
    assert game.fingerprint == KUHN.fingerprint
    assert opened(KUHN) is game
    assert np.isclose(search(game, Hand(3 | 2 << 4, 1), algorithm="expectiminimax").value, 1)


def test_information_set_trees_ask_the_knowledge_for_its_playouts() -> None:
    """Each simulation ends by the knowledge's own playout, unless a cutoff asks for evaluations."""
    game, asked = Kuhn(), list[Any]()

    class Folding(Knowledge):
        def playout(self, state: Any, rng: Any) -> Any:
            asked.append(state)
            while not game.is_terminal(state):
                state = game.state_after(state, min(game.choices(state)))
            return state

    view = game.parse_observation("3", 0)
    search(game, view, seat=0, algorithm="ismcts", simulations=40, knowledge=Folding(game), compiled=False)
    assert asked, "a new node of the tree is played out"
