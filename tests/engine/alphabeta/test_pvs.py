"""The engine against the textbook: same values whatever the table, the order, the interruption."""

from __future__ import annotations

import math
import threading
import time
from typing import Any

import pytest
from hypothesis import example, given, settings
from hypothesis import strategies as st

from plywright import BadInput, Game, GameError, Limit, load_game, search
from plywright.engine.alphabeta.pvs_search import EngineSearch
from plywright.engine.alphabeta.solve import solve
from plywright.engine.alphabeta.transposition import new_table
from plywright.games.trees.explicit_tree import ExplicitTree
from plywright.games.trees.random_tree import RandomTree
from plywright.knowledge import knowledge_of
from plywright.textbook import run

TINY = 64 * 16 / 1e6  # megabytes: 64 entries, so that positions push one another out

leaves = st.integers(-9, 9)
trees = st.recursive(
    leaves,
    lambda children: st.tuples(st.sampled_from(["MAX", "MIN"]), st.lists(children, min_size=1, max_size=4)),
    max_leaves=40,
)


def outline(tree: Any) -> Any:
    """A drawn tree as ExplicitTree takes it: whoever moves may move again."""
    if isinstance(tree, int):
        return tree
    player, children = tree
    return {"player": player, "moves": {f"m{i}": outline(child) for i, child in enumerate(children)}}


def engine(game: Game, state: Any = None, **options: Any) -> Any:
    return search(game, state, algorithm="pvs", **options)


@settings(max_examples=300)
@given(trees.filter(lambda tree: not isinstance(tree, int)), st.sampled_from([TINY, 1.0]))
def test_proves_the_value_of_any_tree(tree: Any, table: float) -> None:
    """Ties, equal values, players who move twice, tables that hold 64 positions."""
    game = ExplicitTree(outline(tree))
    result = engine(game, depth=60, table=table, exact=True)
    assert result.proved and result.value == run("minimax", game, trace=False).value
    state = game.start_state
    for action in result.line:
        assert action in list(game.actions(state))
        state = game.result(state, action)
    assert game.is_terminal(state) and game.utility(state, int(game.to_move(game.start_state))) == result.value


TIED = (st.integers(2, 5), st.integers(1, 6), st.integers(0, 10**6), st.integers(2, 9))


@settings(max_examples=4)
@given(*TIED)
@example(5, 5, 1621, 3)  # late moves reduced, and the better one not seen
def test_uniform_trees_with_many_ties(branching: int, depth: int, seed: int, largest: int) -> None:
    check_tied(branching, depth, seed, largest)


@pytest.mark.slow
@settings(max_examples=300)
@given(*TIED)
def test_many_uniform_trees_with_many_ties(branching: int, depth: int, seed: int, largest: int) -> None:
    check_tied(branching, depth, seed, largest)


def check_tied(branching: int, depth: int, seed: int, largest: int) -> None:
    """An exact search is minimax's always; a selective one may leave the best out, and then claims no proof."""
    game = RandomTree(branching, depth, seed, "random", largest=largest)
    expected = search(game, depth=depth + 1, algorithm="minimax").value
    for options in ({}, {"exact": True}, {"table": TINY}, {"all_actions": True}):
        assert engine(game, depth=depth + 1, **options).value == expected
    for options in ({"exact": False}, {"exact": False, "table": TINY}):
        found = engine(game, depth=depth + 1, **options)
        assert found.value == expected or not found.proved


POSITIONS = [
    ("tic-tac-toe", "", 9),
    ("connect-four:columns=4,rows=4", "1", 6),
    ("othello:size=4", "", 6),
    ("dots-and-boxes:columns=2,rows=2", "", 6),
    ("breakthrough:columns=5,rows=5", "", 4),
    ("nim:heaps=2-3-4", "", 5),
]


@pytest.mark.parametrize(("name", "moves", "depth"), POSITIONS)
@pytest.mark.parametrize("table", [TINY, 4.0])
def test_every_depth_of_real_games_when_nothing_is_reduced(name: str, moves: str, depth: int, table: float) -> None:
    game = load_game(name)
    state = game.play_moves(game.start_state, moves) if moves else game.start_state
    knowledge = knowledge_of(game)
    if knowledge.has_is_late or knowledge.has_bounds:
        depth = 40  # such a game knows more than a shallow search: only finished searches compare
    expected = search(game, state, depth=depth, algorithm="alphabeta")
    found = engine(game, state, depth=depth, exact=True, table=table)
    assert found.value == pytest.approx(expected.value, abs=0.6 / knowledge_of(game).units)
    every = engine(game, state, depth=depth, all_actions=True, table=table)
    for action, value in every.actions.items():
        child = game.coerce_state(game.result(state, action))
        if game.is_terminal(child):
            assert value == game.utility(child, int(game.to_move(state)))
            continue
        if depth > 1:
            reply = search(game, child, depth=depth - 1, algorithm="alphabeta")
            same = game.team(game.to_move(child)) == game.team(game.to_move(state))
            assert value == pytest.approx(reply.value if same else -reply.value, abs=0.6 / knowledge_of(game).units)


def test_compiled_and_interpreted_are_the_same_node_for_node() -> None:
    game = load_game("tic-tac-toe")
    for options in ({"nodes": 3000}, {"depth": 6}, {"depth": 9, "exact": True}):
        native, plain = (engine(game, compiled=mode, **options) for mode in (None, False))
        assert (native.value, native.line, native.nodes, native.depth) == (
            plain.value,
            plain.line,
            plain.nodes,
            plain.depth,
        )


def test_sooner_wins_and_later_losses_are_preferred() -> None:
    tree = ExplicitTree([[[1, 1], [1, 1]], 1, [[0, 0], 1]])  # MAX may win in one, or in three plies
    assert engine(tree, depth=9).action == 1 and engine(tree, depth=9).distance == 1
    nim = load_game("nim:heaps=1-2-3")  # lost for the mover: hold out as long as possible
    lost = engine(nim, depth=20, exact=True)
    assert lost.value == -1 and lost.proved and lost.distance == max(len(lost.line), lost.distance or 0)


@settings(max_examples=25, deadline=None)
@given(st.integers(1, 20_000))
def test_an_interruption_leaves_the_last_finished_depth(nodes: int) -> None:
    game = load_game("connect-four")
    cut = engine(game, nodes=nodes)
    assert cut.action in list(game.actions(game.start_state))
    assert cut.nodes <= nodes
    if cut.depth > 0:
        whole = engine(game, depth=cut.depth, exact=False)
        assert (cut.value, cut.line) == (whole.value, whole.line)


def test_the_first_depth_may_take_a_little_more_than_the_time() -> None:
    """Without it the answer would be a move that nobody has looked at; a longer search keeps to its time."""
    found = search("othello", time=1e-6, algorithm="pvs")
    assert found.depth == 1 and found.seconds < 1


def test_a_stop_at_any_moment_gives_a_legal_move() -> None:
    game = load_game("othello")
    for pause in (0.0, 0.001, 0.02, 0.1):
        task = EngineSearch(game, None, Limit(time=30), all_actions=False, compiled=None)
        timer = threading.Timer(pause, task.stop)
        timer.start()
        results = list(task.deepening())
        assert time.monotonic() - task.began < 5
        assert results and results[-1].action in list(game.actions(game.start_state))
        timer.cancel()


def test_two_threads_prove_the_same_value() -> None:
    game = load_game("connect-four:columns=4,rows=4")
    for _ in range(5):
        assert engine(game, depth=40, exact=True, threads=2).value == 0


@pytest.mark.parametrize(
    ("options", "message"),
    [
        ({"threads": 0}, "threads must be a whole number from 1"),
        ({"threads": 1.5}, "threads must be"),
        ({"table": 0}, "table's size must be"),
        ({"table": -4}, "table's size must be"),
        ({"table": 1e9}, "does not fit"),
    ],
)
def test_nonsense_is_refused(options: dict[str, Any], message: str) -> None:
    with pytest.raises(BadInput, match=message):
        engine(load_game("tic-tac-toe"), depth=2, **options)
    with pytest.raises(BadInput, match="that is for algorithm 'pvs'"):
        search(load_game("tic-tac-toe"), depth=2, algorithm="alphabeta", **options)


def test_a_table_is_a_power_of_two_no_larger_than_asked_for() -> None:
    for megabytes in (0.001, 1, 3, 10):
        table = new_table(megabytes)
        assert table.nbytes <= max(megabytes * 1e6, 32) and (len(table) // 4).bit_count() == 1


class Stroll(Game):
    """Add 1 or 2 until 9, or 109 for whoever starts beyond 99, where no smoke test comes; the last to move wins."""

    prize: float = 1.0

    def initial(self) -> tuple[int, int]:
        return (0, 0)

    def to_move(self, state: tuple[int, int]) -> int:
        return state[1]

    def actions(self, state: tuple[int, int]) -> Any:
        yield 1
        yield 2

    def result(self, state: tuple[int, int], action: int) -> tuple[int, int]:
        return (state[0] + action, 1 - state[1])

    def is_terminal(self, state: tuple[int, int]) -> bool:
        return 9 <= state[0] < 100 or state[0] >= 109

    def utility(self, state: tuple[int, int], player: int) -> float:
        prize = self.prize if state[0] >= 109 else 1.0
        return -prize if player == state[1] else prize


class Enthusiast(Stroll):
    def evaluate(self, state: tuple[int, int], player: int) -> float:
        return math.inf if player == 0 else -math.inf


@pytest.mark.parametrize("compiled", [False, None])
def test_an_infinite_evaluation_is_the_nearest_that_is_possible(compiled: bool | None) -> None:
    found = engine(Enthusiast(), depth=2, compiled=compiled)
    assert 0.99 < found.value < 1 and not found.proved


@pytest.mark.parametrize(("prize", "words"), [(5.0, "utility_range"), (0.5, "step")])
def test_a_rare_utility_that_breaks_its_facts_is_named_and_nothing_is_proved_by_it(prize: float, words: str) -> None:
    game = type("Rare", (Stroll,), {"prize": prize})()
    with pytest.raises(GameError, match=words):
        engine(game, (100, 0), depth=12, compiled=False)
    with pytest.raises(GameError, match=words):
        solve(game, (100, 0), table_megabytes=TINY, compiled=False)
