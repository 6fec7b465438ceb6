"""Expectimax and expectiminimax: the same value whatever is pruned, by the definition and by the textbook."""

from __future__ import annotations

from pathlib import Path
from typing import Any, NamedTuple

import pytest
from chance_trees import ChanceTree, Hog, trees, value_of

from plywright import CHANCE, BadInput, Game, GameError, SearchResult, Unsuitable, analyse, load_game, search
from plywright.engine.chance.expectiminimax_search import Expectation
from plywright.engine.limits import Limit
from plywright.knowledge import knowledge_of
from plywright.textbook import run
from plywright.utility import utility_function
from plywright.utility.valued import Valued

TINY = 64 * 4 / 1e6  # megabytes: four pairs of entries, so that positions push one another out


def large_tree() -> ChanceTree:
    """A tree whose first plies settle nothing."""
    found = (ChanceTree(seed, levels=6, width=6, chance=0.3) for seed in range(1000))
    return next(tree for tree in found if len(tree.count) > 1500 and not search(tree, depth=4).proved)


@pytest.mark.parametrize("count", [40, pytest.param(150, marks=pytest.mark.slow)])
def test_pruned_and_unpruned_agree_to_the_last_bit_and_with_the_definition(count: int) -> None:
    fewer = 0
    for tree in trees(count):
        hero = int(tree.to_move(tree.start_state))
        for depth in (1, 2, 4, 12):
            expected = value_of(tree, tree.start_state, depth, hero)
            whole = search(tree, depth=depth, pruning="none")
            assert whole.value == pytest.approx(expected, abs=1e-9)
            for options in ({"pruning": "star1"}, {"pruning": "star2"}, {"table": TINY}):
                pruned = search(tree, depth=depth, **options)
                assert pruned.value == whole.value and pruned.proved >= whole.proved
                if pruned.proved:  # perhaps since what was estimated elsewhere could not matter
                    assert pruned.value == pytest.approx(value_of(tree, tree.start_state, 99, hero), abs=1e-9)
                child = tree.result(tree.start_state, pruned.action)
                assert value_of(tree, child, depth - 1, hero) == pytest.approx(expected, abs=1e-9)
                fewer += pruned.nodes < whole.nodes
    assert fewer > count


@pytest.mark.slow
def test_thousands_of_trees_agree() -> None:
    for tree in trees(3000):
        hero = int(tree.to_move(tree.start_state))
        expected = value_of(tree, tree.start_state, 12, hero)
        found = [search(tree, depth=12, pruning=pruning).value for pruning in ("none", "star1", "star2")]
        assert found[0] == pytest.approx(expected, abs=1e-9) and len(set(found)) == 1


def test_compiled_and_interpreted_are_the_same_node_for_node() -> None:
    for tree in trees(12):
        for options in ({"depth": 3}, {"nodes": 60}, {"depth": 9, "outcomes": 2}):
            native, plain = (search(tree, compiled=mode, **options) for mode in (None, False))
            assert native.compiled and not plain.compiled
            assert (native.value, native.line, native.nodes, native.error) == (
                plain.value,
                plain.line,
                plain.nodes,
                plain.error,
            )


def test_every_action_gets_its_own_exact_value() -> None:
    for tree in trees(40):
        hero = int(tree.to_move(tree.start_state))
        found = search(tree, depth=4, all_actions=True)
        for action, value in found.actions.items():
            child = tree.result(tree.start_state, action)
            assert value == pytest.approx(value_of(tree, child, 3, hero), abs=1e-9)
        assert found.value == max(found.actions.values()) == found.actions[found.tied[0]]
        assert found.action == found.tied[0]


def test_where_chance_is_to_move_there_is_a_value_and_no_action() -> None:
    seen = 0
    for tree in trees(40):
        for state in range(len(tree.count)):
            if tree.mover[state] == CHANCE and tree.count[state] > 0:
                found = search(tree, state, depth=2)
                assert found.action is None and found.line == ()
                assert found.value == pytest.approx(value_of(tree, state, 2, 0), abs=1e-9)
                assert found.values == (found.value, -found.value)
                seen += 1
                break
    assert seen > 20


def test_an_interruption_leaves_the_last_finished_depth() -> None:
    tree = large_tree()
    for nodes in (1, 7, 50, 400, 3000):
        cut = search(tree, nodes=nodes)
        assert cut.nodes <= nodes and cut.action in list(tree.actions(tree.start_state))
        if cut.depth > 0:
            assert cut.value == search(tree, depth=cut.depth).value
    assert [result.depth for result in analyse(tree, depth=3)] == [1, 2, 3]
    assert search(tree, time=5).proved


# -- what makes no sense ----------------------------------------------------------------------------------------


class Roll(NamedTuple):
    rolled: int


class Loaded(Game):
    """A die with a fault."""

    players = 1
    utility_range = (0, 6)
    fault = "sum"

    def initial(self) -> Roll:
        return Roll(-1)

    def to_move(self, state: Roll) -> int:
        return 0 if state.rolled == -1 else CHANCE

    def actions(self, state: Roll) -> Any:
        if state.rolled == -1:
            yield 3

    def chance(self, state: Roll) -> Any:
        if self.fault == "sum":
            yield 1, 0.5
            yield 2, 0.25
        elif self.fault == "negative":
            yield 1, 1.5
            yield 2, -0.5
        elif self.fault == "nan":
            yield 1, float("nan")
        elif self.fault != "none":
            yield 1, 1.0

    def result(self, state: Roll, action: int) -> Roll:
        return Roll(0 if state.rolled == -1 else action)

    def is_terminal(self, state: Roll) -> bool:
        return state.rolled > 0

    def utility(self, state: Roll, player: int) -> float:
        return 7 if self.fault == "range" else float("nan") if self.fault == "value" else 1


@pytest.mark.parametrize(
    ("kind", "message"),
    [
        ("sum", r"chance\(\) yields probabilities that do not sum to 1 but to 0.75, after 3"),
        ("negative", r"chance\(\) gives outcome 1 the probability 1.5; it must lie above 0 and not above 1, after 3"),
        ("nan", r"chance\(\) gives outcome 1 a probability that is not a number"),
        ("none", r"chance\(\) yields no outcomes at a chance state; .*, after 3"),
        ("range", r"is 7, not within utility_range = \(0, 6\), on which pruning relies, after 3 \[1\]"),
        ("value", r"not a number \(NaN\), after 3 \[1\]"),
    ],
)
def test_faults_of_chance_are_named(kind: str, message: str) -> None:
    game = type(kind.capitalize(), (Loaded,), {"fault": kind})()
    game.__dict__["_smoke_tested"] = True
    with pytest.raises(GameError, match=message):
        search(game, depth=2, compiled=False)


@pytest.mark.parametrize(
    ("options", "message"),
    [
        ({"outcomes": 1}, "outcomes must be a whole number from 2"),
        ({"outcomes": 2.5}, "outcomes must be"),
        ({"pruning": "star3"}, "pruning must be none, star1, star2"),
        ({"seed": -1}, "seed must be"),
        ({"table": 0}, "table's size must be"),
        ({"threads": 2}, "expectimax takes no threads"),
        ({"opponents": {3: None}}, "has no player 3"),
        ({"opponents": 3}, "a dict from players to policies"),
    ],
)
def test_nonsense_is_refused(options: dict[str, Any], message: str) -> None:
    with pytest.raises(BadInput, match=message):
        search(Hog(), depth=3, **options)


def test_refusals_name_the_algorithm_to_use() -> None:
    with pytest.raises(Unsuitable, match="alphabeta cannot search hog: it has chance nodes, which need expectimax"):
        search(Hog(), depth=1, algorithm="alphabeta")
    with pytest.raises(Unsuitable, match="needs expectiminimax, or policies for the others"):
        search(load_game("tic-tac-toe"), depth=1, algorithm="expectimax")
    with pytest.raises(Unsuitable, match=r"expectiminimax cannot search three-tree.* maxn does not"):
        from chance_trees import ThreeTree

        search(ThreeTree(1), depth=1, algorithm="expectiminimax")


def test_without_chance_it_is_minimax() -> None:
    game = load_game("tic-tac-toe")
    state = game.play_moves(game.start_state, "b2 a1")
    found = search(game, state, depth=9, algorithm="expectiminimax", compiled=False)
    assert found.value == search(game, state, depth=9).value and found.proved


def test_leaves_and_cuts_are_counted() -> None:
    tree = large_tree()
    counts = []
    for pruning in ("none", "star2"):
        task = Expectation(
            tree, None, Limit(depth=6), algorithm="expectiminimax", all_actions=False, compiled=None, pruning=pruning
        )
        result: SearchResult = task.to_depth(6)
        counts.append((task.leaves, task.cuts, result.value))
    assert counts[0][0] > counts[1][0] and counts[0][1] == 0 < counts[1][1] and counts[0][2] == counts[1][2]


def test_the_textbook_says_the_same() -> None:
    game = Hog()
    for utility in (None, utility_function("crra:0.5")):
        seen = game if utility is None else Valued(game, utility)
        for points in (16, 19, 22, 25):
            textbook = run("expectimax", seen, (points, 0, 0), trace=False)
            found = search(game, (points, 0, 0), compiled=False, depth=20, utility=utility, all_actions=True)
            assert found.proved and found.value == pytest.approx(textbook.value)
    for tree in trees(40):
        textbook = run("expectiminimax", tree, trace=False)
        assert search(tree, depth=12).values == pytest.approx(textbook.values, abs=1e-9)


@pytest.mark.slow
def test_code_of_one_process_serves_the_next(python: Any, fresh_cache: Any) -> None:
    """Recursive kernels that were loaded from disk must work as those just compiled."""
    code = (
        "import sys; sys.path.insert(0, sys.argv[1])\n"
        "from chance_trees import ChanceTree, ThreeTree\n"
        "from plywright import Mixture, Minimax, Uniform, search\n"
        "from plywright.compiled import settings\n"
        "import contextlib\n"
        "names = []\n"
        "settings.announce = lambda name: names.append(name) or contextlib.nullcontext()\n"
        "other = {1 - int(ChanceTree(4).to_move(0)): Mixture(0.5, Minimax(2), Uniform())}\n"
        "print(search(ChanceTree(4), depth=5).value, search(ChanceTree(4), depth=5, opponents=other).value,"
        " search(ThreeTree(5), depth=4).values, search(ThreeTree(5), depth=4, algorithm='best-reply').value)\n"
        "print(len(names))\n"
    )
    first, second = (
        python(code, str(Path(__file__).parent), PLYWRIGHT_CACHE=str(fresh_cache)).stdout.splitlines() for _ in range(2)
    )
    assert first[0] == second[0] and int(first[1]) > 0 == int(second[1])


def test_the_table_is_used_again_and_what_was_in_it_is_forgotten() -> None:
    game = load_game("pig:target=20")
    first = search(game, depth=6)
    (kept,) = game.__dict__["_workspaces"].values()
    work = kept[0][0]
    again = search(game, depth=6)
    assert (again.nodes, again.value) == (first.nodes, first.value)
    assert len(kept) == 1 and kept[0][0] is work


def test_a_move_filter_looks_at_the_most_promising_actions_only() -> None:
    game = load_game("backgammon")
    state = game.parse_state("6:5 8:3 13:5 24:2 | 6:5 8:3 13:5 24:2 white 31")
    whole, narrow = search(game, state, depth=2), search(game, state, depth=2, width=5)
    assert narrow.nodes < 0.7 * whole.nodes
    assert narrow.action == whole.action and narrow.value == whole.value
    one = search(game, state, depth=2, width=1)
    assert one.action == search(game, state, depth=1).action and not one.proved
    for wrong in (0, -1, 2.5, "x"):
        with pytest.raises(BadInput, match="width is how many actions"):
            search(game, state, depth=2, width=wrong)  # type: ignore[arg-type]


def test_a_move_filter_can_be_narrower_for_replies_and_keep_what_is_close() -> None:
    game = load_game("backgammon")
    state = game.parse_state("6:5 8:3 13:5 24:2 | 6:5 8:3 13:5 24:2 white 43")
    close = search(game, state, depth=3, width=8, reply_width=1, margin=0.08)
    alone = {}
    for action in game.actions(state):
        after = game.coerce_state(game.result(state, action))
        looks = float(knowledge_of(game).evaluate(after, 0))
        alone[action] = looks, search(game, after, depth=2, width=1).value
    best = max(looks for looks, _ in alone.values())
    wanted = {action: value for action, (looks, value) in alone.items() if looks >= best - 0.08}
    assert 1 < len(wanted) < len(alone)
    assert close.value == pytest.approx(max(wanted.values()), abs=1e-5)
    assert wanted[close.action] == pytest.approx(close.value, abs=1e-5)  # type: ignore[index]
    assert not close.proved
    only = search(game, state, depth=3, width=8, margin=0.0)  # one play is left, and nothing is searched
    assert only.nodes < 200 and only.value == pytest.approx(best, abs=1e-5)
    for wrong in (-1, "x", float("nan")):
        with pytest.raises(BadInput, match="margin is how far behind"):
            search(game, state, depth=2, margin=wrong)  # type: ignore[arg-type]
    with pytest.raises(BadInput, match="reply_width is how many actions"):
        search(game, state, depth=2, reply_width=0)


def test_a_move_filter_treats_replies_alike_when_every_action_is_asked_for() -> None:
    game = load_game("breakthrough:columns=4,rows=5")
    state = game.parse_state("bbbb/b.bb/w..w/w.w./wwww b")
    how: dict[str, Any] = {"algorithm": "expectiminimax", "compiled": False}
    whole: dict[str, Any] = {"depth": 3, "all_actions": True, "width": 4, **how}
    every = search(game, state, reply_width=1, **whole)
    for action, value in every.actions.items():
        after = game.state_after(state, action)
        assert value == search(game, after, depth=2, width=1, **how).values[1], game.format_action(state, action)
    assert search(game, state, **whole).actions != every.actions
    close = search(game, state, reply_width=1, margin=0.0, **whole)
    assert close.actions == every.actions  # and no reply is taken without being searched


def test_a_move_filter_goes_by_the_evaluation_also_where_there_is_an_order_of_moves() -> None:
    game = load_game("breakthrough:columns=4,rows=5")
    own = knowledge_of(game)

    class LastFirst(type(own)):  # type: ignore[misc]
        def priority(self, state: Any, action: int, depth: int) -> int:
            return action

    odd = LastFirst(game)
    state = game.parse_state("bbbb/b.bb/w..w/w.w./wwww b")
    how: dict[str, Any] = {"algorithm": "expectiminimax", "compiled": False, "depth": 2}
    mover = int(game.to_move(state))
    looks = {int(a): float(own.evaluate(game.state_after(state, a), mover)) for a in game.actions(state)}
    best = max(looks.values())
    assert looks[max(looks)] < best
    one = search(game, state, width=1, knowledge=odd, **how)
    assert one.action is not None and looks[one.action] == best
    close = search(game, state, margin=0.0, knowledge=odd, **how)
    assert close.action is not None and looks[close.action] == best


def test_without_an_evaluation_it_says_what_unfinished_games_count() -> None:
    """A line ends at the first throw, so that it cannot show whether the game was over in time."""

    class Climb(Game):
        def initial(self) -> tuple[int, int]:
            return 0, 0  # how high; 1: the die is thrown

        def to_move(self, state: tuple[int, int]) -> int:
            return CHANCE if state[1] else state[0] % 2

        def actions(self, state: tuple[int, int]) -> list[int]:
            return [] if state[1] else [1, 2]

        def chance(self, state: tuple[int, int]) -> list[tuple[int, float]]:
            return [(0, 0.5), (1, 0.5)]

        def result(self, state: tuple[int, int], action: int) -> tuple[int, int]:
            return state[0] + action, 1 - state[1]

        def is_terminal(self, state: tuple[int, int]) -> bool:
            return state[0] >= 9

        def utility(self, state: tuple[int, int], player: int) -> int:
            return 1 if player == state[0] % 2 else -1

    found = search(Climb(), depth=2, compiled=False)
    assert found.note == "no evaluation: games that are not over within depth 2 count as 0"
    assert search(Climb(), depth=40, compiled=False).note == ""
