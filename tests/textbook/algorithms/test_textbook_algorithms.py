"""The algorithms against one another and against the compiled kernels, on trees nobody thought of."""

from __future__ import annotations

import itertools
import math
from collections.abc import Iterator
from typing import Any

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from plywright import BadInput, Game, GameError, Unsuitable, search
from plywright.compiled import Workspace
from plywright.counters import NODE_LIMIT
from plywright.engine.alphabeta.alphabeta import INFO, WIDTH, alphabeta
from plywright.engine.alphabeta.leaf_counts import leaves_examined
from plywright.games.trees.explicit_tree import ExplicitTree
from plywright.games.trees.random_tree import RandomTree
from plywright.knowledge import Knowledge
from plywright.textbook import ALGORITHMS, algorithm, run
from plywright.textbook.algorithms.ordered_alphabeta import ordered

VALUES = st.integers(-4, 4)  # few, so that ties abound
NODES = st.recursive(
    VALUES,
    lambda below: st.fixed_dictionaries(
        {
            "player": st.sampled_from(["MAX", "MIN"]),  # double moves too
            "estimate": st.integers(-4, 4),
            "moves": st.lists(below, min_size=1, max_size=4),
        }
    ),
    max_leaves=24,
)
TREES = NODES.filter(lambda node: isinstance(node, dict)).map(ExplicitTree)
DEEP = 30


@pytest.fixture(scope="module", autouse=True)
def room_for_deep_recursion() -> None:
    """The first search of a process raises the recursion limit for good; Hypothesis warns if it sees that."""
    search(ExplicitTree([1, 2]), depth=1, algorithm="alphabeta")


def value_by_definition(tree: ExplicitTree, state: int, depth: int) -> float:
    """Minimax in three lines, for MAX."""
    if tree.is_terminal(state) or depth == 0:
        return float(tree.utility(state, 0) if tree.is_terminal(state) else tree.evaluate(state, 0))
    best = max if tree.to_move(state) == 0 else min
    return best(value_by_definition(tree, tree.result(state, action), depth - 1) for action in tree.actions(state))


def for_mover(tree: ExplicitTree, value: float) -> float:
    return value if tree.to_move(0) == 0 else -value


@given(TREES)
def test_exact_searches_find_the_minimax_value_and_the_first_best_move(tree: ExplicitTree) -> None:
    expected = for_mover(tree, value_by_definition(tree, 0, DEEP))
    children = {a: for_mover(tree, value_by_definition(tree, tree.result(0, a), DEEP)) for a in tree.actions(0)}
    first = next(action for action, value in children.items() if value == expected)
    for name in ("minimax", "alphabeta", "alphabeta-hard"):
        for trace in (True, False):
            result = run(name, tree, trace=trace, all_actions=True)
            assert (result.value, result.action, result.proved) == (expected, first, True)
            assert result.actions == children
            assert result.tied == tuple(action for action, value in children.items() if value == expected)


@given(TREES, st.integers(1, 5))
def test_limited_searches_find_the_value_of_the_limited_tree(tree: ExplicitTree, depth: int) -> None:
    expected = for_mover(tree, value_by_definition(tree, 0, depth))
    for name in ("h-minimax", "h-alphabeta", "ordered-alphabeta", "iterative-deepening"):
        result = run(name, tree, depth=depth, all_actions=True)
        assert result.value == expected
        assert result.action in result.tied
        if name in ("h-minimax", "h-alphabeta", "iterative-deepening"):
            assert result.action == result.tied[0]


@given(TREES)
def test_the_line_of_best_play_leads_to_the_value(tree: ExplicitTree) -> None:
    for name in ("minimax", "alphabeta", "alphabeta-hard", "iterative-deepening"):
        result = run(name, tree, **({"depth": DEEP} if name == "iterative-deepening" else {}))
        state = 0
        for action in result.line:
            state = int(tree.result(state, action))
        assert tree.is_terminal(state) and tree.utility(state, int(tree.to_move(0))) == result.value
        assert result.distance == len(result.line)


@given(TREES)
def test_fail_soft_and_fail_hard_look_at_the_same_leaves_and_minimax_at_all(tree: ExplicitTree) -> None:
    soft, hard, full = (run(name, tree).trace for name in ("alphabeta", "alphabeta-hard", "minimax"))
    assert soft is not None and hard is not None and full is not None
    assert [leaf.path for leaf in soft.examined] == [leaf.path for leaf in hard.examined]
    leaves = {node.path for node in full.nodes if node.side == "leaf"}
    assert sorted(leaf.path for leaf in full.examined) == sorted(leaves)
    everything = {node.path for node in full.nodes}
    assert everything == {node.path for node in soft.nodes}, "what was pruned is listed too"
    looked_at = {leaf.path for leaf in soft.examined}
    unseen = {node.path for node in soft.pruned if node.side == "leaf"}
    assert looked_at | unseen == leaves and not looked_at & unseen


# -- the compiled twins -------------------------------------------------------------------------------------------


@settings(max_examples=60)
@given(TREES, st.integers(1, 5))
def test_compiled_kernels_agree(tree: ExplicitTree, depth: int) -> None:
    for compiled_name, full_name, limited_name in (
        ("alphabeta", "alphabeta", "h-alphabeta"),
        ("minimax", "minimax", "h-minimax"),
    ):
        for reach, ours in (
            (DEEP, run(full_name, tree)),
            (depth, run(limited_name, tree, depth=depth)),
        ):
            native = search(tree, depth=reach, algorithm=compiled_name)
            assert native.compiled
            assert (native.value, native.action, native.line, native.nodes, native.proved) == (
                ours.value, ours.action, ours.line, ours.nodes, ours.proved,
            )  # fmt: skip


@settings(max_examples=40)
@given(TREES)
def test_the_kernel_examines_the_same_leaves_in_the_same_order(tree: ExplicitTree) -> None:
    trace = run("alphabeta", tree).trace
    assert trace is not None
    assert leaves_examined(tree, DEEP) == len(trace.examined)
    assert kernel_leaves(tree) == [leaf.path for leaf in trace.examined]


def kernel_leaves(tree: ExplicitTree) -> list[str]:
    """The leaves whose utility the kernel asks for, interpreted and in order."""
    seen: list[str] = []

    class Watched:
        def __getattr__(self, name: str) -> Any:
            return getattr(tree, name)

        def utility(self, state: int, player: int) -> float:
            seen.append(tree.format_state(state))
            return tree.utility(state, player)

    size = DEEP + 2
    info = np.zeros(INFO, np.int64)
    info[WIDTH], info[NODE_LIMIT] = size, 1 << 60
    work = Workspace(
        info=info,
        stop=np.zeros(1, np.int64),
        line=np.zeros(size * size, np.int64),
        length=np.zeros(size, np.int64),
        path=np.full(size, -1, np.int64),
    )
    alphabeta.plain(Watched(), Knowledge(tree), 0, int(tree.to_move(0)), DEEP, 0, -math.inf, math.inf, work)
    return seen


def test_compiled_and_textbook_agree_on_large_random_trees() -> None:
    for branching, depth, seed in itertools.product((2, 5), (4, 5), range(3)):
        for ordering in ("random", "perfect", "worst"):
            tree = RandomTree(branching, depth, seed, ordering)
            ours, native = run("alphabeta", tree, trace=False), search(tree, depth=depth, algorithm="alphabeta")
            assert (ours.value, ours.action, ours.nodes) == (native.value, native.action, native.nodes)


# -- ordering, options and refusals -------------------------------------------------------------------------------


def test_ordering_by_evaluation_cuts_more() -> None:
    tree = ExplicitTree("max(min~2(2, 9, 8), min~3(3, 7, 4), min~8(9, 8, 10))")
    plain, sorted_ = run("h-alphabeta", tree), run("ordered-alphabeta", tree)
    assert ordered(tree, 0) == [2, 1, 0] and ordered(tree, 3) == [1, 0, 2]
    assert plain.trace is not None and sorted_.trace is not None
    assert plain.value == sorted_.value == 8 and plain.action == sorted_.action == 2
    assert len(sorted_.trace.examined) == 5 < len(plain.trace.examined) == 9
    assert [sorted_.trace.nodes[child].move for child in sorted_.trace.nodes[0].children] == ["a3", "a2", "a1"]


class Pairs(Game):
    """Player 0 against 1 and 2, who move one after the other; numbers add up."""

    players = 3
    teams = (0, 1, 1)
    utility_range = (-30, 30)

    def initial(self) -> tuple[int, int]:
        return (0, 0)

    def to_move(self, state: tuple[int, int]) -> int:
        return state[0] % 3

    def actions(self, state: tuple[int, int]) -> Iterator[int]:
        for action in range(3):
            yield action

    def result(self, state: tuple[int, int], action: int) -> tuple[int, int]:
        return (state[0] + 1, (state[1] * 7 + action * 5 + 3) % 31)

    def is_terminal(self, state: tuple[int, int]) -> bool:
        return state[0] == 5

    def utility(self, state: tuple[int, int], player: int) -> float:
        return state[1] - 15 if player == 0 else 15 - state[1]


def test_teams_of_several_players() -> None:
    game = Pairs()
    for state in (game.start_state, (1, 4), (2, 30)):
        expected = search(game, state, depth=9, algorithm="alphabeta")
        for name in ("minimax", "alphabeta", "alphabeta-hard"):
            result = run(name, game, state)
            assert (result.value, result.values, result.action) == (expected.value, expected.values, expected.action)
    trace = run("alphabeta", game).trace
    assert trace is not None and trace.players == ("player 1", "player 2 and player 3")


class Dice(Pairs):
    def chance(self, state: tuple[int, int]) -> Iterator[tuple[int, float]]:
        yield 0, 1.0


class Hidden(Pairs):
    def observation(self, state: tuple[int, int], player: int) -> int:
        return state[0]


class Three(Pairs):
    teams = None


@pytest.mark.parametrize("name", [name for name, entry in ALGORITHMS.items() if not entry.chance])
@pytest.mark.parametrize(
    ("game", "remedy"), [(Dice, "expectiminimax"), (Hidden, "solve hidden --equilibrium"), (Three, r"max\^n")]
)
def test_other_kinds_of_games_are_refused_with_the_algorithm_to_use(name: str, game: Any, remedy: str) -> None:
    with pytest.raises(Unsuitable, match=rf"{name} cannot search .*{remedy}"):
        run(name, game())


def test_a_finished_game_has_a_value_and_no_move() -> None:
    tree = ExplicitTree([[3, 12], 5])
    for name in set(ALGORITHMS) - {"expectimax"}:
        result = run(name, tree, tree.parse_state("a2"))
        assert (result.value, result.action, result.line, result.proved) == (5, None, (), True)
        assert result.trace is not None and "The game is over" in result.trace.steps_text()


@pytest.mark.parametrize(
    ("name", "options", "sentence"),
    [
        ("minimax", {"depth": 3}, "for a depth use h-minimax or h-alphabeta"),
        ("h-minimax", {"depth": 0}, "depth must be a whole number from 1 to 400, not 0"),
        ("h-minimax", {"depth": True}, "depth must be"),
        ("h-minimax", {"depth": 10**6}, "depth must be"),
        ("h-minimax", {"nodes": 5}, "iterative-deepening can"),
        ("iterative-deepening", {"nodes": 0}, "nodes must be a whole number of at least 1"),
        ("alphabet", {}, "there is no textbook algorithm 'alphabet'; did you mean alphabeta"),
        ("sss*", {}, "there are minimax, alphabeta"),
    ],
)
def test_nonsense_is_refused(name: str, options: dict[str, Any], sentence: str) -> None:
    with pytest.raises(BadInput) as refusal:
        run(name, ExplicitTree([1, 2]), **options)
    assert sentence in str(refusal.value)


def test_searches_too_large_to_trace_are_refused_but_run_untraced() -> None:
    tree = RandomTree(28, 3, 1)
    with pytest.raises(Unsuitable, match=r"more than 20,000 nodes, too many to trace; .*trace=False"):
        run("minimax", tree)
    assert run("minimax", tree, trace=False).value == search(tree, depth=3, algorithm="alphabeta").value


class Endless(Pairs):
    def is_terminal(self, state: tuple[int, int]) -> bool:
        return False


class NotANumber(Pairs):
    def utility(self, state: tuple[int, int], player: int) -> float:
        return math.nan


class Stuck(Pairs):
    def actions(self, state: tuple[int, int]) -> Iterator[int]:
        if state[1] != 24:
            yield 0


@pytest.mark.parametrize("rehearsed", [True, False])
def test_rules_that_break_the_protocol_are_told(rehearsed: bool) -> None:
    with pytest.raises(Unsuitable, match="lines too long for minimax"):
        run("minimax", Endless(), trace=False)
    with pytest.raises(Unsuitable, match="more than 400 plies, too many to trace"):
        run("minimax", Endless())
    for cls, fault in ((NotANumber, "utility.* (NaN|nan|not a number)"), (Stuck, "actions.* yields nothing")):
        game = cls()
        game.__dict__.update({} if rehearsed else {"_smoke_tested": True})  # faults may lie where no smoke test goes
        with pytest.raises(GameError, match=fault):
            run("minimax", game)


def test_every_algorithm_has_pseudocode_for_every_step_it_takes() -> None:
    tree = ExplicitTree("max(min(3, 12, max(1, 2)), min(2, 4), min(max(14, 15, 16), 5, 2))")
    dice = ExplicitTree("max((1/2: max(3, 12), 1/2: 7), (1/3: max(1, 0), 2/3: max(2, 4)), (0.1: 5, 0.9: max(-9, 6)))")
    for name, entry in ALGORITHMS.items():
        assert algorithm(name) is entry and entry.title and entry.about
        for depth in (2, 3) if entry.limited else (None,):
            trace = run(name, dice if name == "expectimax" else tree, depth=depth).trace
            assert trace is not None
            for step in trace.steps:
                assert step.lines and all(trace.pseudocode[line].strip() for line in step.lines), step
                assert step.words.endswith(".")
    assert not any("@" in line for entry in ALGORITHMS.values() for line in entry.pseudocode.lines)
