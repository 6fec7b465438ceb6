"""Monte Carlo tree search: the textbook's tree, proofs, chance, many players, memory, reuse, limits."""

from __future__ import annotations

import functools
import math
import os
import signal
import threading
from typing import Any

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from simulated_games import DrawnRace, Endless, Race, Three

from plywright import CHANCE, BadInput, Game, GameError, Limit, MonteCarloTree, Unsuitable, analyse, load_game, search
from plywright.engine.montecarlo import tree_words as mcts
from plywright.engine.montecarlo.simulation import simulate
from plywright.engine.montecarlo.tree_pool import Pool
from plywright.games.trees.explicit_tree import ExplicitTree
from plywright.games.trees.random_tree import RandomTree
from plywright.textbook import run
from plywright.textbook.algorithms.mcts import Node, uct_search


@pytest.fixture(scope="module")
def tic_tac_toe() -> Game:
    return load_game("tic-tac-toe")


@pytest.fixture(scope="module")
def connect_four() -> Game:
    return load_game("connect-four")


@functools.cache
def expectimax(game: Any, state: Any) -> np.ndarray:
    """The value of a state for every player, by enumeration."""
    if game.is_terminal(state):
        return np.array([float(game.utility(state, player)) for player in range(game.players)])
    mover = game.to_move(state)
    if mover == CHANCE:
        return sum(p * expectimax(game, game.result(state, outcome)) for outcome, p in game.chance(state))
    return max((expectimax(game, game.result(state, a)) for a in game.actions(state)), key=lambda v: v[mover])


def same_tree(node: Node, pool: Pool, place: int = 0) -> bool:
    """Whether the textbook's node and everything under it is what the pool has."""
    mine = pool.work.total[place * pool.width : (place + 1) * pool.width]
    theirs = node.utilities if node.utilities is not None else node.totals
    if node.visits != pool.visits(place) or (node.visits and list(mine) != theirs[: pool.width]):
        return False
    children = pool.children(place)
    actions = [int(pool.work.action[child]) for child in children]
    return actions == [child.action for child in node.children] and all(
        same_tree(child, pool, number) for child, number in zip(node.children, children, strict=True)
    )


# -- the same tree ---------------------------------------------------------------------------------------------


@pytest.mark.parametrize("compiled", [None, False])
@pytest.mark.parametrize(("game", "scale"), [(load_game("tic-tac-toe"), 1.0), (Race(), 8.0), (Three(), 5.0)])
def test_the_textbook_grows_the_same_tree(game: Game, scale: float, compiled: bool | None) -> None:
    tree = MonteCarloTree(game, memory=1, prove=False, spread=scale, exploration=1.5, compiled=compiled)
    rng = tree.pools[0].work.rng.copy()
    tree.search(simulations=400)
    root = uct_search(game, game.start_state, 400, exploration=1.5 * scale, rng=rng)
    assert same_tree(root, tree.pools[0])


@pytest.mark.parametrize("game", [load_game("tic-tac-toe"), Race(goal=9), DrawnRace(goal=9), Three()])
def test_compiled_and_interpreted_agree_bit_for_bit(game: Game) -> None:
    first, second = (MonteCarloTree(game, memory=1, seed=5, compiled=compiled) for compiled in (None, False))
    results = [tree.search(simulations=600, all_actions=True) for tree in (first, second)]
    assert [result.compiled for result in results] == [True, False]
    a, b = first.pools[0].work, second.pools[0].work
    used = int(a.info[mcts.USED])
    assert np.array_equal(a.info, b.info) and np.array_equal(a.rng, b.rng) and np.array_equal(a.moments, b.moments)
    for name in ("action", "visits", "mover"):
        assert np.array_equal(getattr(a, name)[:used], getattr(b, name)[:used]), name
    width = first.pools[0].width
    assert np.array_equal(a.total[: used * width], b.total[: used * width])


def test_another_seed_grows_another_tree(tic_tac_toe: Game) -> None:
    one, same, other = (search(tic_tac_toe, simulations=300, all_actions=True, seed=s) for s in (1, 1, 2))
    assert one.visits == same.visits and one.actions == same.actions
    assert one.visits != other.visits


# -- the right move --------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("moves", "best"),
    [("414243", {"4"}), ("112233", {"4"}), ("12131", {"1"}), ("3344", {"2", "5"})],
)
def test_connect_four_tactics(connect_four: Game, moves: str, best: set[str]) -> None:
    state = connect_four.play_moves(connect_four.start_state, moves)
    result = search(connect_four, state, simulations=20_000, algorithm="mcts", memory=16)
    assert connect_four.format_action(state, result.action or 0) in best


def test_tic_tac_toe_is_proved_where_little_is_left(tic_tac_toe: Game) -> None:
    state = tic_tac_toe.play_moves(tic_tac_toe.start_state, "a1 b2 c3")
    result = search(tic_tac_toe, state, simulations=20_000, all_actions=True)
    exact = run("minimax", tic_tac_toe, state, trace=False)
    assert result.proved and result.bound == "exact" and result.error == 0.0
    assert result.value == exact.value == 0.0
    assert result.distance == len(result.line) == 6
    assert result.nodes < 20_000


@settings(max_examples=15)
@given(st.integers(1, 4), st.integers(1, 5), st.integers(0, 10**6))
def test_random_trees_are_proved_with_the_value_of_minimax(branching: int, depth: int, seed: int) -> None:
    game = RandomTree(branching, depth, seed, largest=20)
    result = search(game, simulations=5000, all_actions=True, memory=1)
    exact = run("minimax", game, trace=False, all_actions=True)
    assert result.proved and result.value == exact.value
    assert result.action in result.tied and set(result.tied) <= set(exact.tied)


def test_a_won_move_ends_the_search_at_once() -> None:
    game = ExplicitTree("max(a1: min(b1: 0, b2: 5), a2: 9)")
    result = search(game, simulations=1000)
    assert (result.action, result.value, result.proved, result.distance) == (1, 9.0, True, 1)
    assert result.nodes <= 4


def test_a_single_action_and_a_single_simulation() -> None:
    alone = search(ExplicitTree("max(a1: min(b1: 3, b2: 5))"), simulations=100)
    assert alone.proved and alone.value == 3 and alone.line == (0, 0)
    one = search(ExplicitTree("max(a1: min(b1: 3, b2: 5), a2: min(c1: 4, c2: 1))"), simulations=1, all_actions=True)
    assert one.nodes == 1 and not one.proved and one.error is None
    assert one.actions == {one.action: one.value} and one.visits == {one.action: 1}


# -- chance and many players -----------------------------------------------------------------------------------


def test_small_dice_games_are_proved() -> None:
    game = Race()
    for roll in (2, 3):
        state = game.coerce_state((2, 2, 0, roll))
        result = search(game, state, simulations=20_000, algorithm="mcts", memory=4)
        assert result.proved and result.value == pytest.approx(expectimax(game, state)[0], abs=1e-12)
    game = Race(goal=2)
    start = search(game, simulations=20_000, algorithm="mcts", memory=4)
    assert start.action is None and start.line == () and start.distance is None
    assert start.proved and start.values == pytest.approx(tuple(expectimax(game, game.start_state)), abs=1e-12)


@pytest.mark.parametrize("kind", [Race, DrawnRace])
def test_larger_dice_games_come_within_the_error(kind: type[Game]) -> None:
    game = kind(goal=9)  # type: ignore[call-arg]
    state = game.coerce_state((0, 0, 0, 2))
    result = search(game, state, simulations=30_000, algorithm="mcts", prove=False, memory=8)
    exact = expectimax(Race(goal=9), state)[0]
    assert not result.proved and result.error is not None and 0 < result.error < 0.05
    assert abs(result.value - exact) < 4 * result.error + 0.05  # the tree's own exploration costs a little
    assert result.action == 1


def test_three_players_have_vectors_and_a_tie() -> None:
    result = search(Three(), simulations=500, algorithm="mcts", all_actions=True)
    assert result.proved and result.values == (1.0, 2.0, 6.0) and result.value == 1.0
    assert result.tied == (0, 1) and result.action == 0
    assert result.actions == {0: 1.0, 1: 1.0}


class Jewels(Three):
    """The same tree, and all three share the first player's payoff."""

    def utility(self, state: int, player: int) -> float:
        return self.payoff[state - 8][0]


def test_partners_find_what_is_best_for_all() -> None:
    result = search(Jewels(), simulations=500, algorithm="mcts", compiled=False)
    assert result.proved and result.values == (7.0, 7.0, 7.0)


# -- memory, threads, reuse ------------------------------------------------------------------------------------


def test_a_full_pool_stays_full_and_the_search_goes_on(tic_tac_toe: Game) -> None:
    tree = MonteCarloTree(tic_tac_toe, memory=0.01)
    result = tree.search(simulations=5000)
    work = tree.pools[0].work
    assert len(work.visits) == work.info[mcts.SIZE] >= work.info[mcts.USED]
    assert work.info[mcts.FULL] == 1 and result.nodes == 5000 and result.depth < 9
    assert result.action == 4 and work.visits[0] == 5000
    tree.advance(4)  # there is room again
    assert work.info[mcts.FULL] == 0 and work.info[mcts.USED] < work.info[mcts.SIZE]


def test_two_threads_add_their_votes(connect_four: Game) -> None:
    state = connect_four.play_moves(connect_four.start_state, "3344")
    tree = MonteCarloTree(connect_four, state, threads=2, memory=16, seed=3)
    result = tree.search(simulations=9001, all_actions=True)
    assert result.action in (1, 4) and result.value > 0.5
    assert sum(result.visits.values()) == result.nodes == sum(pool.visits(0) for pool in tree.pools)
    assert not np.array_equal(tree.pools[0].work.visits[:50], tree.pools[1].work.visits[:50])
    alone = MonteCarloTree(connect_four, threads=2, memory=16).search(simulations=1)
    assert alone.nodes == 1 and alone.action in range(7)  # the second tree has nothing to say
    again = MonteCarloTree(connect_four, threads=2, memory=16, seed=3).search(simulations=3000, all_actions=True)
    other = MonteCarloTree(connect_four, threads=2, memory=16, seed=3).search(simulations=3000, all_actions=True)
    assert again.visits == other.visits  # a number of simulations is shared out alike every time


def rows(pool: Pool, node: int) -> list[tuple[int, int, float]]:
    """Visits, action and first total of every child."""
    return [(pool.visits(c), int(pool.work.action[c]), float(pool.work.total[c])) for c in pool.children(node)]


@pytest.mark.parametrize("kind", ["connect-four", Race, DrawnRace])
def test_a_tree_is_kept_from_move_to_move(kind: Any) -> None:
    game = load_game(kind) if isinstance(kind, str) else kind(goal=9)
    state = game.start_state if isinstance(kind, str) else game.coerce_state((0, 0, 0, 2))
    tree = MonteCarloTree(game, state, memory=8)
    pool = tree.pools[0]
    tree.search(simulations=3000)
    for _ in range(2):
        children = pool.children(0)
        child = max(children, key=pool.visits)
        below = rows(pool, child)
        visits, action = pool.visits(child), int(pool.work.action[child])
        tree.advance(action)
        assert pool.visits(0) == visits
        assert below == rows(pool, 0)
        assert sum(count for count, _, _ in below) in (visits, visits - 1)
    before = pool.visits(0)
    result = tree.search(simulations=500)
    assert pool.visits(0) == before + result.nodes


def test_a_state_a_few_moves_on_is_found_in_the_tree(connect_four: Game) -> None:
    tree = MonteCarloTree(connect_four, memory=8)
    line = tree.search(simulations=5000).line
    later = connect_four.play_moves(connect_four.start_state, "".join(str(column + 1) for column in line[:2]))
    tree.search(later, simulations=1)
    assert tree.state == later and tree.pools[0].visits(0) > 50
    tree.search(connect_four.start_state, simulations=1)  # going back is another tree
    assert tree.pools[0].visits(0) == 1
    kept = search(connect_four, connect_four.start_state, algorithm="mcts", tree=tree, nodes=10)
    assert tree.pools[0].visits(0) == 11 and kept.nodes == 10


def test_what_was_proved_stays_proved() -> None:
    game = ExplicitTree("max(a1: min(b1: 3, b2: 12), a2: min(c1: 2, c2: 4))")
    tree = MonteCarloTree(game, memory=1)
    assert tree.search(simulations=100).proved
    tree.advance(0)
    result = tree.search(simulations=100)
    assert result.proved and result.nodes == 0 and result.value == -3 and result.action == 0
    with pytest.raises(BadInput, match="7 is no move in this position of explicit-tree"):
        tree.advance(7)
    tree.advance(0)
    with pytest.raises(BadInput, match="the game is over"):
        tree.search(simulations=1)


# -- limits ----------------------------------------------------------------------------------------------------


def test_answers_stream_and_limits_hold(tic_tac_toe: Game) -> None:
    found = list(analyse(tic_tac_toe, nodes=1000, algorithm="mcts"))
    assert [result.nodes for result in found] == sorted({result.nodes for result in found}) and found[-1].nodes == 1000
    assert len(found) > 3
    short = search(tic_tac_toe, time=0.05, algorithm="mcts", compiled=False)
    assert short.nodes >= 1 and short.action is not None and short.seconds < 5
    soft = list(analyse(tic_tac_toe, limit=Limit(time=5, soft=1e-9), algorithm="mcts"))
    assert len(soft) == 1


def test_ctrl_c_returns_the_best_so_far(connect_four: Game) -> None:
    search(connect_four, simulations=100, memory=8)
    timer = threading.Timer(2.0, os.kill, (os.getpid(), signal.SIGINT))
    timer.start()
    try:
        result = search(connect_four, time=60, algorithm="mcts", memory=8)
    except KeyboardInterrupt:
        pytest.fail("Ctrl-C came through the search")
    assert result.action is not None and 0 < result.seconds < 30


@pytest.mark.parametrize(
    ("options", "message"),
    [
        ({"depth": 3, "algorithm": "mcts"}, "mcts has no depth limit: give time or simulations"),
        ({"simulations": 0}, "nodes must be a whole number of at least 1"),
        ({"simulations": 10, "algorithm": "pvs"}, "pvs runs no simulations"),
        ({"simulations": 10, "nodes": 10}, "give either nodes= or simulations="),
        ({"simulations": 10, "threads": 0}, "threads must be a whole number from 1 to 256, not 0"),
        ({"simulations": 10, "memory": 0}, "memory must be a number above 0, not 0"),
        ({"simulations": 10, "memory": math.inf}, "memory must be a number above 0"),
        ({"simulations": 10, "exploration": -1}, "exploration must be a number of at least 0"),
        ({"simulations": 10, "spread": math.nan}, "spread must be a number above 0"),
        ({"simulations": 10, "cutoff": -1}, "cutoff must be a whole number of plies"),
        ({"simulations": 10, "seed": "x"}, "seed must be a whole number"),
        ({"simulations": 10, "speed": 1}, "mcts takes no speed: did you mean seed\\?"),
        ({"simulations": 10, "tree": 3}, "tree= must be a MonteCarloTree of the same game"),
    ],
)
def test_nonsense_is_refused(tic_tac_toe: Game, options: dict[str, Any], message: str) -> None:
    with pytest.raises(BadInput, match=message):
        search(tic_tac_toe, **options)


def test_simulated_games_can_be_cut_off(connect_four: Game) -> None:
    tree = MonteCarloTree(connect_four, cutoff=3, memory=4)
    result = tree.search(simulations=2000)
    info = tree.pools[0].work.info
    assert info[mcts.CUT] > 1500 and info[mcts.PLIES] <= 3 * 2000 and result.action == 3
    with pytest.raises(BadInput, match="a cutoff needs an evaluation, and three has none"):
        MonteCarloTree(Three(), cutoff=3)


def test_a_game_without_an_end_counts_as_the_middle() -> None:
    result = search(Endless(), simulations=30, algorithm="mcts", longest=50, compiled=False)
    assert result.value == 1.0 and result.values == (1.0, 1.0) and result.error == 0.0 and not result.proved


# -- rules that break the protocol -----------------------------------------------------------------------------


class Loaded(Race):
    """Dice of which the second player's are wrong, in the way that `fault` says."""

    def __init__(self, fault: int) -> None:
        super().__init__(9)
        self.fault = fault
        self._smoke_tested = True

    def chance(self, state: Any) -> Any:
        if state.turn == 1 and self.fault == 0:
            return
        yield 1, 0.5
        yield 2, (-0.3 if self.fault == 1 else math.nan if self.fault == 2 else 0.2) if state.turn == 1 else 0.3
        yield 3, 0.2

    def utility(self, state: Any, player: int) -> float:
        return math.nan if self.fault == 4 else super().utility(state, player)


@pytest.mark.parametrize(
    ("fault", "message"),
    [
        (0, r"loaded: chance\(\) yields no outcomes at a chance state; .*, after"),
        (1, r"loaded: chance\(\) gives outcome 2 the probability -0.3; .*, after 1"),
        (2, r"chance\(\) gives outcome 2 a probability that is not a number"),
        (3, r"chance\(\) yields probabilities that do not sum to 1 but to 0.9"),
        (4, r"loaded: utility\(\) or evaluate\(\) is not a number \(NaN\), after"),
    ],
)
def test_faults_of_the_rules_name_the_moves(fault: int, message: str) -> None:
    game = Loaded(fault)
    with pytest.raises(GameError, match=message):
        search(game, (0, 0, 0, 2), simulations=200, algorithm="mcts", compiled=False)


class Masked(Three):
    def observation(self, state: int, player: int) -> int:
        return 0


def test_hidden_games_are_refused() -> None:
    with pytest.raises(Unsuitable, match="mcts cannot search masked: players do not see the whole state"):
        search(Masked(), simulations=10)


# -- the default -----------------------------------------------------------------------------------------------


def test_games_without_an_evaluation_are_proved_or_simulated() -> None:
    small, large = RandomTree(3, 4), RandomTree(8, 16, largest=10**9)
    assert (search(small, nodes=20_000).algorithm, search(small, nodes=20_000).proved) == ("pvs", True)
    result = search(large, nodes=5000)
    assert (result.algorithm, result.proved, result.nodes) == ("mcts", False, 5000)
    assert search(large, depth=3).algorithm == "pvs"
    assert search(Three(), nodes=1000).algorithm == "mcts"


# -- pictures --------------------------------------------------------------------------------------------------


def test_the_tree_can_be_drawn() -> None:
    tree = MonteCarloTree(Race(goal=9), (0, 0, 0, 2), memory=1)
    tree.search(simulations=300)
    picture = tree.picture(12)
    lines = picture.text.splitlines()
    assert len(lines) == 12 and lines[0].startswith("MAX ") and "300 visits" in lines[0]
    assert any("CHANCE" in line for line in lines) and any("(0.5)" in line for line in lines)
    assert picture.svg.startswith("<svg") and "300 simulations" in picture.svg
    vectors = MonteCarloTree(Three(), memory=1)
    vectors.search(simulations=50)
    assert "MAX (1, 2, 6) " in vectors.picture(3).text and "proved" in vectors.picture(3).text


class Heap(Game):
    """Take one or two of five; who can take nothing has lost. The rules do not say when it is over."""

    max_actions = 2

    def initial(self) -> Any:
        return (5, 0)

    def to_move(self, state: Any) -> int:
        return state[1]

    def actions(self, state: Any) -> Any:
        for count in (1, 2):
            if count <= state[0]:
                yield count

    def result(self, state: Any, action: int) -> Any:
        return (state[0] - action, 1 - state[1])

    def utility(self, state: Any, player: int) -> float:
        return -1 if player == state[1] else 1

    def evaluate(self, state: Any, player: int) -> float:
        return 0.25 if player == state[1] else -0.25


@pytest.mark.parametrize("cutoff", [0, 1])
def test_a_game_that_ends_where_nothing_can_be_done_is_not_evaluated_at_its_end(cutoff: int) -> None:
    result = search(Heap(), algorithm="mcts", simulations=200, cutoff=cutoff, compiled=False)
    assert (result.action, result.value, result.proved) == (2, 1.0, True)


def test_a_search_that_is_stopped_in_a_finished_game_knows_that_it_is_one() -> None:
    """The tree is kept for the next move, and there the end of the game would have been opened."""
    tree = MonteCarloTree(Heap(), compiled=False)
    pool = tree.pools[0]
    pool.work.stop[0] = 1
    state = (0, 1)
    assert simulate(pool.game, tree.knowledge, state, 0, None, None, None, pool.work)
    assert pool.work.values[0] == 1.0
