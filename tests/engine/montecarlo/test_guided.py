"""Guided Monte Carlo search: priors, playouts, RAVE, repetition in the tree, trees that players keep."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest
from simulated_games import Circle, DiceCircle

from plywright import GameError, Knowledge, load_game, search
from plywright.engine import Limit, make_task
from plywright.engine.montecarlo.mcts_search import MonteCarloSearch, MonteCarloTree
from plywright.engine.montecarlo.ownership import ownership
from plywright.errors import BadInput, Unsuitable
from plywright.games.go import Go
from plywright.players import Clock, Mode, Playing
from plywright.players.searching import SearchPlayer
from plywright.rng import below, seeded

TIC_TAC_TOE = load_game("tic-tac-toe")
GO = Go(size=5)


class Biased(Knowledge):
    """Only the last cell looks worth a try."""

    def prior(self, state: Any, action: int) -> float:
        return 1.0 if action == 8 else 0.0


class Optimist(Knowledge):
    """Every simulation is won by X, in a board that was played long ago."""

    def playout(self, state: Any, rng: Any) -> Any:
        return type(state)(0b000110000, 0b000000111)


class Endless(Knowledge):
    def playout(self, state: Any, rng: Any) -> Any:
        return state


class Negative(Knowledge):
    def prior(self, state: Any, action: int) -> float:
        return -1.0


class Liar(Knowledge):
    """Plays at random, and tells other moves."""

    def playout(self, state: Any, rng: Any) -> Any:
        while not self.game.is_terminal(state):
            legal = list(self.game.actions(state))
            state = self.game.result(state, legal[below(rng, len(legal))])
        return state

    def playout_moves(self, state: Any, rng: Any, moves: Any) -> Any:
        moves[0], moves[1], moves[2] = 7, 7, -1
        return self.playout(state, rng)


class Talker(Liar):
    """Tells more moves than there is room for, but not at the start."""

    def playout_moves(self, state: Any, rng: Any, moves: Any) -> Any:
        if state.mine | state.theirs:
            moves[:9000] = 0
        return self.playout(state, rng)


def test_a_prior_decides_what_is_tried() -> None:
    options = {"simulations": 60, "compiled": False, "all_actions": True, "prove": False}
    plain = search(TIC_TAC_TOE, knowledge="none", **options)
    biased = search(TIC_TAC_TOE, knowledge=Biased(TIC_TAC_TOE), **options)
    assert len(plain.visits) == 9 and biased.visits[8] > 40 and biased.action == 8
    assert sum(biased.visits.values()) == 60


def test_a_playout_stands_for_the_simulation() -> None:
    knowledge = Optimist(TIC_TAC_TOE)
    assert TIC_TAC_TOE.utility(knowledge.playout(TIC_TAC_TOE.start_state, seeded(1)), 0) == 1
    found = search(TIC_TAC_TOE, simulations=9, compiled=False, knowledge=knowledge)
    assert found.value == 1.0 and not found.proved
    assert search(TIC_TAC_TOE, simulations=9, compiled=False, knowledge=knowledge, cutoff=0).value < 1.0  # evaluated


@pytest.mark.parametrize(
    ("kind", "words"),
    [
        (Endless, r"playout\(\) returns .* not the end of a game"),
        (Negative, r"prior\(\) is -1.0"),
        (Liar, r"playout_moves\(\) tells that player 7 made action 7 as move 1"),
        (Talker, r"playout_moves\(\) writes more than 4,000 moves"),
    ],
)
def test_hooks_that_break_their_promise_are_named(kind: type[Knowledge], words: str) -> None:
    with pytest.raises(GameError, match=words):
        search(TIC_TAC_TOE, simulations=5, compiled=False, knowledge=kind(TIC_TAC_TOE), rave=10)


@pytest.mark.parametrize("options", [{"rave": -1}, {"urgency": float("nan")}, {"ripe": 0}, {"ripe": 1.5}])
def test_settings_that_mean_nothing_are_refused(options: dict[str, Any]) -> None:
    with pytest.raises(BadInput, match=next(iter(options))):
        search(TIC_TAC_TOE, simulations=5, compiled=False, **options)


def test_rave_credits_moves_made_later_by_the_same_player() -> None:
    tree = MonteCarloTree(TIC_TAC_TOE, compiled=False, rave=100, prove=False, knowledge="none")
    tree.search(simulations=50)
    work = tree.pools[0].work
    first, count = int(work.first[0]), int(work.children[0])
    later, visits = work.credits[first : first + count], work.visits[first : first + count]
    assert (later >= visits).all() and later.sum() > 2 * visits.sum()
    assert (np.abs(work.credit[first : first + count]) <= later).all()


def test_compiled_and_interpreted_go_agree_bit_for_bit() -> None:
    trees = [MonteCarloTree(GO, compiled=compiled, seed=3) for compiled in (None, False)]
    native, plain = (tree.search(simulations=60, all_actions=True) for tree in trees)
    assert native.compiled and not plain.compiled
    assert (native.action, native.value, native.visits) == (plain.action, plain.value, plain.visits)


def test_what_superko_forbids_is_no_move_in_the_tree() -> None:
    playing = Playing(GO, GO.parse_state("...../...../...../OOX../.X.X. B"))
    for move in ("a1", "c1"):
        playing.step(GO.parse_action(playing.state, move))
    again = GO.point_of("b1")
    free = search(GO, playing.state, simulations=400, all_actions=True)
    bound = search(GO, playing.state, simulations=400, all_actions=True, history=playing.history)
    assert again in free.visits and again not in bound.visits
    assert set(bound.visits) <= set(playing.legal())
    threads = search(GO, playing.state, simulations=400, all_actions=True, history=playing.history, threads=2)
    assert set(threads.visits) <= set(playing.legal()) and sum(threads.visits.values()) == 400


@pytest.mark.parametrize("prove", [True, False])
def test_who_may_bring_nothing_about_again_has_drawn(prove: bool) -> None:
    tree = MonteCarloTree(Circle(), compiled=False, prove=prove)
    found = tree.search(simulations=20)
    assert (found.action, found.line, found.value, found.proved) == (1, (1,), 0.0, prove)
    tree.advance(1)
    assert tree.pools[0].children(0) == []


def test_chance_may_bring_a_position_about_again() -> None:
    found = search(DiceCircle(), simulations=200, algorithm="mcts", compiled=False)
    assert found.proved and found.action == 1
    assert found.value == 0  # back at 0 in half of the games, where only the way out is left


def test_a_tree_of_another_past_is_begun_anew() -> None:
    tree = MonteCarloTree(Circle(), compiled=False)
    assert search(tree.game, 0, simulations=20, algorithm="mcts", tree=tree).value == 0
    again = search(tree.game, 0, simulations=20, algorithm="mcts", tree=tree, history=[1])
    assert (again.action, again.value, again.proved) == (2, -1, True)


def test_a_position_that_comes_up_again_is_drawn_in_the_tree() -> None:
    checkers = load_game("checkers")
    state = checkers.parse_state("B:WK32:BK1")
    found = search(checkers, state, simulations=300, algorithm="mcts", compiled=False, longest=20)
    assert abs(found.value) < 1.0


def test_a_player_keeps_its_tree_from_move_to_move() -> None:
    player = SearchPlayer("mcts", simulations=200)
    player.prepare(GO)
    player.begin(GO, 0, 1)
    playing, rng = Playing(GO), seeded(1)
    clock = Clock(Mode("move", 60.0), 60.0)
    playing.step(player.choose(GO, playing.turn(clock, rng)))
    assert isinstance(player.before, MonteCarloSearch)
    tree = player.before.tree
    vote = max(tree.pools[0].children(0), key=tree.pools[0].visits)
    assert int(tree.pools[0].work.action[vote]) == playing.actions[-1]
    best = max(tree.pools[0].children(vote), key=tree.pools[0].visits)
    kept = tree.pools[0].visits(best)
    playing.step(int(tree.pools[0].work.action[best]))
    player.choose(GO, playing.turn(clock, rng))
    assert player.before is not None and player.before.tree is tree
    assert tree.pools[0].visits(0) == kept + 200 and kept > 10
    player.close()


def test_whose_the_points_will_be() -> None:
    state = GO.parse_state("..X../..X../..XO./..XOO/..XO. B")
    owners = ownership(GO, state, playouts=100)
    assert len(owners) == 25 and min(owners[point] for point in (0, 1, 5, 6, 2, 7)) > 0.6
    dead = GO.parse_state("O..X./XX.XX/..X../XXXX./..... B")
    assert GO.format_state(GO.without_dead(dead, ownership(GO, dead, playouts=50))).startswith("...X./XX.XX")
    with pytest.raises(Unsuitable, match="no places to own"):
        ownership("tic-tac-toe")


def test_a_search_that_values_every_move_tells_whose_the_points_will_be() -> None:
    """By its own simulations, which know what the tree has read."""
    state = GO.parse_state("..X../..X../..XO./..XOO/..XO. B")
    found = search(GO, state, simulations=400, all_actions=True)
    assert len(found.ownership) == 25 and min(found.ownership[point] for point in (0, 1, 5, 6, 2, 7)) > 0.6
    assert all(-1 <= share <= 1 for share in found.ownership) and found.ownership[4] < found.ownership[0]
    plain = search(GO, state, simulations=400)
    assert plain.ownership == () and plain.action == found.action, "who does not ask pays nothing, and plays alike"
    tree = MonteCarloTree(GO, state)
    tree.search(simulations=200, all_actions=True)
    tree.advance(GO.parse_action(state, "e4"))
    moved = tree.search(simulations=8, all_actions=True)
    assert {abs(share) for share in moved.ownership} <= {0.0, 1.0}, "counted from this position on: one simulation"


def test_go_is_simulated_and_other_settings_begin_another_tree() -> None:
    with make_task(GO, None, Limit(nodes=30), None, {}) as task:
        found = task.run()
        assert found.algorithm == "mcts" and found.chance is not None and 0 < found.chance < 1
        assert make_task(GO, None, Limit(nodes=30), "mcts", {}, after=task).tree is task.tree  # type: ignore[attr-defined]
        other = make_task(GO, None, Limit(nodes=30), "mcts", {"rave": 10}, after=task)
        assert other.tree is not task.tree  # type: ignore[attr-defined]
