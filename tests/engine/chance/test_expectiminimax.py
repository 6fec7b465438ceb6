"""Expectimax and expectiminimax: the same value whatever is pruned, by the definition and by the textbook."""

from __future__ import annotations

from pathlib import Path
from typing import Any, NamedTuple

import pytest
from chance_trees import ChanceTree, value_of

from plywright import CHANCE, BadInput, Game, GameError, SearchResult, Unsuitable, analyse, load_game, search
from plywright.engine.chance.expectiminimax_search import Expectation
from plywright.engine.limits import Limit
from plywright.rng import below
from plywright.textbook import run
from plywright.utility import utility_function
from plywright.utility.valued import Valued

TINY = 64 * 4 / 1e6  # megabytes: four pairs of entries, so that positions push one another out


def trees(count: int) -> list[ChanceTree]:
    """Trees of many shapes: ties, moves in a row, chains of chance, fine and coarse values."""
    return [
        ChanceTree(
            seed, 3 + seed % 4, 2 + seed % 3, chance=0.2 * (1 + seed % 4), spread=1 + seed % 6, fine=seed % 2 == 0
        )
        for seed in range(count)
    ]


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


# -- small games ------------------------------------------------------------------------------------------------


class Lotteries(Game):
    """One player chooses between lotteries; each is a tuple of (probability, prize) pairs in `odds` and `prizes`."""

    players = 1
    runtime = ("odds", "prizes")
    utility_range = (-1000, 1000)
    step = 1

    def __init__(self, *lotteries: list[tuple[float, float]]) -> None:
        import numpy as np

        size = max(len(lottery) for lottery in lotteries)
        self.odds = np.zeros((len(lotteries), size))
        self.prizes = np.zeros((len(lotteries), size))
        for row, lottery in enumerate(lotteries):
            for place, (probability, prize) in enumerate(lottery):
                self.odds[row, place], self.prizes[row, place] = probability, prize
        self.__dict__["_smoke_tested"] = True

    def initial(self) -> tuple[int, int]:
        return (-1, -1)

    def to_move(self, state: tuple[int, int]) -> int:
        return 0 if state[0] < 0 else CHANCE

    def actions(self, state: tuple[int, int]) -> Any:
        if state[0] < 0:
            for row in range(self.odds.shape[0]):
                yield row

    def chance(self, state: tuple[int, int]) -> Any:
        for place in range(self.odds.shape[1]):
            if self.odds[state[0], place] != 0:
                yield place, self.odds[state[0], place]

    def result(self, state: tuple[int, int], action: int) -> tuple[int, int]:
        return (action, -1) if state[0] < 0 else (state[0], action)

    def is_terminal(self, state: tuple[int, int]) -> bool:
        return state[1] >= 0

    def utility(self, state: tuple[int, int], player: int) -> float:
        return self.prizes[state[0], state[1]]


def test_outcomes_are_averaged() -> None:
    """8, 24 and -12 with 1/2, 1/3 and 1/6 are worth 10."""
    game = Lotteries([(1 / 2, 8), (1 / 3, 24), (1 / 6, -12)])
    assert search(game, compiled=False, depth=2).value == pytest.approx(10)
    assert search(game, compiled=False, depth=2).algorithm == "expectimax"


STRETCH = {1: 1.0, 2: 20.0, 3: 30.0, 4: 400.0}


def test_an_order_preserving_map_can_change_the_choice_and_an_affine_one_never() -> None:
    """An order-preserving map changes the decision, through the utility function that a search is given."""
    game = Lotteries([(0.9, 2), (0.1, 3)], [(0.9, 1), (0.1, 4)])
    plain = search(game, compiled=False, depth=2, all_actions=True)
    assert plain.action == 0 and list(plain.actions.values()) == pytest.approx([2.1, 1.3])
    bent = search(game, compiled=False, depth=2, all_actions=True, utility=lambda x: STRETCH[int(x)])
    assert bent.action == 1 and list(bent.actions.values()) == pytest.approx([21, 40.9])
    affine = search(game, compiled=False, depth=2, all_actions=True, utility=lambda x: 3 * x - 7)
    assert affine.action == 0 and affine.value == pytest.approx(3 * 2.1 - 7)


def test_a_utility_function_in_compiled_code_is_the_definition_s() -> None:
    for tree in trees(40):
        hero = int(tree.to_move(tree.start_state))
        for worth in (lambda x: x**3, lambda x: -(2.0**-x), lambda x: x * x, abs):  # not all of them increase
            expected = value_of(tree, tree.start_state, 12, hero, worth=worth)
            found = search(tree, depth=12, utility=worth)
            assert found.compiled and found.value == pytest.approx(expected, abs=1e-9)
            assert found.value == search(tree, depth=12, utility=worth, pruning="none").value


def test_a_function_without_a_value_there_says_so_itself() -> None:
    game = Lotteries([(0.5, 4), (0.5, 9)], [(1.0, 6)])
    root = search(game, compiled=False, depth=2, utility=utility_function("crra:0.5"), all_actions=True)
    assert root.action == 0 or root.actions[0] < root.actions[1]
    debt = Lotteries([(0.5, -4), (0.5, 9)], [(1.0, 6)])
    with pytest.raises(BadInput, match="no utility for -4"):
        search(debt, compiled=False, depth=2, utility=utility_function("crra:0.5"))
    with pytest.raises(BadInput, match="not a number"):
        search(game, compiled=False, depth=2, utility=lambda x: float("nan"))
    with pytest.raises(BadInput, match="something to call"):
        search(game, compiled=False, depth=2, utility=3)


def test_utilities_that_cannot_be_listed_are_valued_one_by_one() -> None:
    class Fine(Lotteries):
        step = None

    game = Fine([(0.5, 0.25), (0.5, 9.75)], [(1.0, 4.5)])
    assert search(game, compiled=False, depth=2).action == 0
    averse = search(game, compiled=False, depth=2, utility=lambda x: x**0.5 if x >= 0 else x)
    assert averse.action == 1 and not averse.compiled and averse.value == pytest.approx(4.5**0.5)


class Hog(Game):
    """One turn of Pig for points: roll, and a one loses all; or hold what there is."""

    players = 1
    utility_range = (0, 36)

    def initial(self) -> tuple[int, int, int]:
        return (0, 0, 0)  # points at risk, whether the die rolls, whether the turn is over

    def to_move(self, state: tuple[int, int, int]) -> int:
        return CHANCE if state[1] else 0

    def actions(self, state: tuple[int, int, int]) -> Any:
        if state[1] == 0 and state[2] == 0:
            if state[0] < 30:
                yield 0
            yield 1

    def chance(self, state: tuple[int, int, int]) -> Any:
        for face in range(1, 7):
            yield face, 1 / 6

    def result(self, state: tuple[int, int, int], action: int) -> tuple[int, int, int]:
        if state[1]:
            return (0, 0, 1) if action == 1 else (state[0] + action, 0, 0)
        return (state[0], 1, 0) if action == 0 else (state[0], 0, 1)

    def is_terminal(self, state: tuple[int, int, int]) -> bool:
        return state[2] == 1

    def utility(self, state: tuple[int, int, int], player: int) -> float:
        return state[0]


def test_a_risk_averse_player_holds_sooner() -> None:
    """Rolling at s points is worth 5/6 (s + 4): a neutral player holds at 20, where both are equal; at 19 it rolls."""
    game = Hog()

    def holds_at(utility: Any) -> int:
        for points in (8, 9, 10, 18, 19, 20):
            found = search(game, (points, 0, 0), compiled=False, depth=20, utility=utility, all_actions=True)
            assert found.proved
            if found.actions[1] >= found.actions[0] - 1e-9:
                return points
        raise AssertionError("never holds")

    assert holds_at(None) == 20
    # With sqrt: at 9 a roll is worth (sqrt 11 + ... + sqrt 15) / 6 = 3.0002, more than 3; at 10 3.114, less than 3.162.
    assert holds_at(utility_function("crra:0.5")) == 10
    assert search(game, (12, 0, 0), compiled=False, depth=20).action == 0
    assert search(game, (12, 0, 0), compiled=False, depth=20, utility=utility_function("crra:0.5")).action == 1


def test_in_pig_they_part_at_ten_points() -> None:
    """The shipped game, one turn for points: from 10 to 19 the neutral player rolls and the averse one holds."""
    pig = load_game("pig:players=1,turns=1,payoff=points,target=40")
    roll, hold = pig.parse_action(pig.start_state._replace(pot=5), "roll"), 1
    chosen: dict[int, list[int | None]] = {}
    for points in (9, 10, 19, 21):
        state = pig.start_state._replace(pot=points)
        found = [search(pig, state, depth=25, utility=u, compiled=False) for u in (None, utility_function("crra:0.5"))]
        assert all(result.proved for result in found)
        chosen[points] = [result.action for result in found]
    assert chosen == {9: [roll, roll], 10: [roll, hold], 19: [roll, hold], 21: [hold, hold]}


class Draws(Game):
    """A die of a thousand faces, listed or only drawn; the player may take 500 instead."""

    players = 1
    max_actions = 1000
    utility_range = (0, 999)

    def initial(self) -> tuple[int, int]:
        return (-1, -1)

    def to_move(self, state: tuple[int, int]) -> int:
        return 0 if state[0] < 0 else CHANCE

    def actions(self, state: tuple[int, int]) -> Any:
        if state[0] < 0:
            yield 0
            yield 1

    def result(self, state: tuple[int, int], action: int) -> tuple[int, int]:
        if state[0] < 0:
            return (action, 500 if action == 1 else -1)
        return (state[0], action)

    def is_terminal(self, state: tuple[int, int]) -> bool:
        return state[1] >= 0

    def utility(self, state: tuple[int, int], player: int) -> float:
        return state[1]


class OnlyDrawn(Draws):
    def sample(self, state: tuple[int, int], rng: Any) -> int:
        return below(rng, 1000)


class Listed(Draws):
    def chance(self, state: tuple[int, int]) -> Any:
        for face in range(1000):
            yield face, 0.001


@pytest.mark.parametrize("game", [OnlyDrawn(), Listed()])
def test_a_sample_of_outcomes_is_told_with_its_standard_error(game: Game) -> None:
    mode = None if isinstance(game, OnlyDrawn) else False  # one compilation will do
    found = [search(game, (0, -1), depth=1, outcomes=64, seed=seed, compiled=mode) for seed in range(60)]
    for result in found:
        assert result.bound == "heuristic" and not result.proved and result.action is None
        assert result.error is not None and 20 < result.error < 55  # 999 / sqrt(12 * 64) = 36
    inside = sum(abs(result.value - 499.5) <= 2 * (result.error or 0) for result in found)
    assert inside >= 51  # about 95 % of them
    mean = sum(result.value for result in found) / len(found)
    assert abs(mean - 499.5) < 4 * 36 / 60**0.5
    assert found[3].value == search(game, (0, -1), depth=1, outcomes=64, seed=3, compiled=False).value


def test_only_too_many_outcomes_are_sampled() -> None:
    whole = search(Listed(), compiled=False, depth=2, outcomes=1000, all_actions=True)
    assert whole.actions == pytest.approx({0: 499.5, 1: 500}) and whole.proved and whole.error == 0
    assert search(Listed(), compiled=False, depth=2).error is None
    assert search(OnlyDrawn(), depth=2, compiled=False).error is not None  # there is no other way


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
