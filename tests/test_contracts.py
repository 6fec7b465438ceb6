"""What a game promises beside its rules is looked at before a search relies on it: named, with the remedy."""

from __future__ import annotations

import math
import warnings
from collections.abc import Callable, Iterator
from typing import Any, NamedTuple

import pytest

from plywright import Game, Knowledge, search
from plywright.contracts import MOST_ACTIONS, MOST_STEPS, BrokenPromise, check_facts, check_utilities
from plywright.engine.alphabeta.solve import solve
from plywright.errors import GameError, OldHooksWarning
from plywright.knowledge import HOOKS as HOOK_NAMES
from plywright.smoke_test import smoke_test


class Turn(NamedTuple):
    total: int
    mover: int


class Count(Game):
    """Two players add 1 or 2 until the total is 9 or more; who ends it wins."""

    def initial(self) -> Any:
        return Turn(0, 0)

    def to_move(self, state: Any) -> int:
        return state.mover

    def actions(self, state: Any) -> Iterator[int]:
        yield 1
        yield 2

    def result(self, state: Any, action: int) -> Any:
        return Turn(state.total + action, 1 - state.mover)

    def is_terminal(self, state: Any) -> bool:
        return state.total >= 9

    def utility(self, state: Any, player: int) -> float:
        return -1 if player == state.mover else 1


def variant(**members: Any) -> Game:
    """The game with some members of its own; hooks are its knowledge's."""
    hooks = {name: members.pop(name) for name in HOOK_NAMES if name in members}
    if hooks:
        members["knowledge"] = type("VariantKnowledge", (Knowledge,), hooks)
    return type("Variant", (Count,), members)()


def yields(*actions: int) -> Callable[[Any, Any], Iterator[int]]:
    def hook(self: Any, state: Any) -> Iterator[int]:
        yield from actions

    return hook


FACTS: list[tuple[dict[str, Any], str]] = [
    ({"players": 2.0}, "players is 2.0"),
    ({"teams": (0, 1, 1)}, "one entry for each of the 2 players"),
    ({"teams": 2}, "one entry for each of the 2 players"),
    ({"teams": (5, 9)}, "number the teams 0, 1 and so on"),
    ({"teams": (-1, 0)}, "number the teams 0, 1 and so on"),
    ({"utility_range": 1}, "must be two numbers"),
    ({"utility_range": (-1, 0, 1)}, "must be two numbers"),
    ({"utility_range": (1, -1)}, "least must come first"),
    ({"utility_range": (0, 0)}, "least must come first"),
    ({"utility_range": (-math.inf, math.inf)}, "both must be finite"),
    ({"step": 0}, "step is 0: it must be a number above 0, or None"),
    ({"step": -1}, "step is -1"),
    ({"step": "x"}, "step is 'x'"),
    ({"step": math.nan}, "step is nan"),
    ({"step": 0.9 / MOST_STEPS}, "more steps than can be counted"),
    ({"max_actions": "many"}, "max_actions is 'many'"),
    ({"max_actions": MOST_ACTIONS + 1}, f"from 1 to {MOST_ACTIONS}"),
]
HALVES: list[tuple[dict[str, Any], str]] = [
    ({"is_late": lambda self, state: True}, "is_late() but no finish()"),
    ({"finish": lambda self, state, low, high, work: 0}, "finish() but no is_late()"),
]


@pytest.mark.parametrize(("members", "words"), FACTS, ids=lambda value: value if isinstance(value, str) else "")
def test_impossible_fact_is_named_by_everything_that_searches(members: dict[str, Any], words: str) -> None:
    for ask in (
        check_facts,
        smoke_test,
        lambda game: search(game, depth=2, compiled=False),
        lambda game: search(game, nodes=100, compiled=False, algorithm="pvs"),
        lambda game: solve(game, table_megabytes=0.1, compiled=False),
    ):
        with pytest.raises(GameError) as caught:
            ask(variant(**members))
        assert words in str(caught.value) and "Variant: " in str(caught.value)


@pytest.mark.parametrize(("members", "words"), HALVES, ids=lambda value: value if isinstance(value, str) else "")
def test_half_of_a_pair_of_hooks_is_named_by_everything_that_searches(members: dict[str, Any], words: str) -> None:
    for ask in (
        smoke_test,
        lambda game: search(game, depth=2, compiled=False),
        lambda game: solve(game, table_megabytes=0.1, compiled=False),
    ):
        with pytest.raises(GameError) as caught:
            ask(variant(**members))
        assert words in str(caught.value) and "VariantKnowledge: " in str(caught.value)


def test_hooks_that_a_game_still_defines_are_told_once_and_not_asked() -> None:
    class Old(Count):
        def candidates(self, state: Any) -> Iterator[int]:
            yield 77

        def priority(self, state: Any, action: int, depth: int) -> int:
            return 1 << 40

    with pytest.warns(OldHooksWarning, match=r"Old defines priority\(\), candidates\(\).*since 0.2.*Knowledge"):
        assert search(Old(), depth=9, compiled=False).value == -1
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        search(Old(), depth=9, compiled=False)


def test_an_attribute_that_happens_to_be_called_key_means_nothing() -> None:
    class Keyed(Count):
        key = 3

        def priority(self) -> int:  # the author's own
            return 1 << 40

    with warnings.catch_warnings():
        warnings.simplefilter("error")
        assert search(Keyed(), depth=9, compiled=False).value == -1


def test_facts_at_their_limits_are_fine() -> None:
    game = variant(teams=(1, 0), step=1 / MOST_STEPS, max_actions=MOST_ACTIONS)
    check_facts(game)
    assert search(Count(), depth=9, compiled=False).value == -1  # 9 is the second player's if she always makes three


HOOKS: list[tuple[dict[str, Any], str]] = [
    ({"candidates": yields()}, "candidates() yields nothing, but actions() yields [1, 2]"),
    ({"candidates": yields(1, 77)}, "candidates() yields 77, which is not among the actions [1, 2]"),
    ({"candidates": yields(-1)}, "candidates() yields -1"),
    ({"candidates": yields(2, 2)}, "candidates() yields an action twice: [2, 2]"),
    ({"noisy": yields(3)}, "noisy() yields 3"),
    ({"bounds": lambda self, state: (1, -1)}, "bounds() is 1 to -1"),
    ({"bounds": lambda self, state: (math.nan, 1)}, "bounds() is nan to 1"),
    ({"bounds": lambda self, state: 1}, "bounds() is 1 (at the start); it must be two numbers"),
    ({"bounds": lambda self, state: (-1, 0, 1)}, "it must be two numbers"),
    ({"priority": lambda self, state, action, depth: 0.5}, "priority() is 0.5 for action 1"),
    ({"priority": lambda self, state, action, depth: 1 << 40}, "within plus or minus 2^20"),
    ({"key": lambda self, state: 0.5}, "key() is 0.5"),
    ({"null_move": lambda self, state: Turn(state.total, 7)}, "in which player 7 is to move"),
    ({"null_move": lambda self, state: Turn(state.total + 1, state.mover)}, "in which the same side is to move"),
    ({"null_move": lambda self, state: 5}, "null_move() returns a state that is unlike initial()'s"),
]


@pytest.mark.parametrize(("members", "words"), HOOKS, ids=lambda value: value if isinstance(value, str) else "")
def test_hook_that_contradicts_the_rules_is_named_before_the_search(members: dict[str, Any], words: str) -> None:
    with pytest.raises(GameError) as caught:
        search(variant(**members), depth=3, compiled=False)
    assert words in str(caught.value) and "(at the start)" in str(caught.value)


def test_hook_is_asked_only_where_the_engine_asks_it() -> None:
    calm = variant(is_quiet=lambda self, state: False, noisy=yields(9))
    smoke_test(calm)  # no state is quiet, so nobody asks for noise
    smoke_test(variant(zero_sum=False, candidates=yields()))  # not the engine's game


UTILITIES: list[tuple[dict[str, Any], str]] = [
    ({"utility": lambda self, state, player: 5 - 10 * player}, "utility(state, 0) is 5"),
    ({"utility": lambda self, state, player: 0.5 - player}, "no multiple of step = 1"),
    ({"utility": lambda self, state, player: math.inf if player else -math.inf}, "must be finite"),
    ({"utility": lambda self, state, player: 1}, "utility(state, 0) is 1, but utility(state, 1) is 1"),
]


@pytest.mark.parametrize(("members", "words"), UTILITIES, ids=lambda value: value if isinstance(value, str) else "")
def test_utility_that_breaks_its_facts_is_named_before_the_search(members: dict[str, Any], words: str) -> None:
    with pytest.raises(GameError) as caught:
        search(variant(**members), depth=3, compiled=False)
    assert words in str(caught.value) and "(after" in str(caught.value)


def test_utilities_within_rounding_are_fine() -> None:
    tenths = variant(step=0.1, utility_range=(-0.3, 0.3))
    check_utilities(tenths, (0.1 + 0.2, -0.3))
    with pytest.raises(BrokenPromise):
        check_utilities(tenths, (0.25, -0.25))
