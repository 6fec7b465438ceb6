"""Rules that are slow or never come back: searches end in time, and a recursion without end is one sentence."""

from __future__ import annotations

import time
from collections.abc import Iterator
from typing import NamedTuple

import pytest

from plywright import BadInput, Game, GameError, load_game, perft, search
from plywright.knowledge import knowledge_of
from plywright.survey import Survey


class Walk(NamedTuple):
    steps: int
    player: int
    noise: int


def churn(count: int, number: int) -> int:
    for i in range(count):
        number = (number * 6364136223846793 + i) % 1000003
    return number


class SlowRules(Game):
    """A thousand nodes take seconds."""

    def initial(self) -> Walk:
        return Walk(0, 0, 1)

    def to_move(self, state: Walk) -> int:
        return state.player

    def actions(self, state: Walk) -> Iterator[int]:
        for action in range(4):
            yield action

    def result(self, state: Walk, action: int) -> Walk:
        return Walk(state.steps + action + 1, 1 - state.player, churn(500_000, state.noise + action))

    def is_terminal(self, state: Walk) -> bool:
        return state.steps > 1000

    def utility(self, state: Walk, player: int) -> float:
        return 0


class SlowDice(SlowRules):
    def chance(self, state: Walk) -> Iterator[tuple[int, float]]:
        for outcome in range(2):
            yield outcome, 0.5


def unexamined(game: Game) -> Game:
    """Without the looks at the rules before a search, which are interpreted: here they take ten times as long."""
    game.__dict__["_survey"] = Survey("", True, True)
    knowledge_of(game).__dict__["_smoke_tested"] = True
    return game


@pytest.mark.parametrize("algorithm", ["pvs", "alphabeta", "minimax", "mcts"])
def test_slow_rules_are_stopped_in_time(algorithm: str) -> None:
    game = unexamined(SlowRules())
    search(game, time=0.01, algorithm=algorithm)  # compiled before the clock starts
    began = time.monotonic()
    assert search(game, time=0.2, algorithm=algorithm).compiled
    assert time.monotonic() - began < 1.0


def test_slow_rules_with_chance_are_stopped_in_time() -> None:
    game = unexamined(SlowDice())
    search(game, time=0.01)
    began = time.monotonic()
    assert search(game, time=0.2).compiled
    assert time.monotonic() - began < 1.0


def sink(number: int) -> int:
    if number == 0:
        return 0
    return sink(number + 1) + 1


class Bottomless(SlowRules):
    def result(self, state: Walk, action: int) -> Walk:
        steps = state.steps + action + 1
        return Walk(steps, 1 - state.player, sink(steps) if steps == 3 else 0)


def test_a_recursion_without_end_is_one_sentence() -> None:
    game = Bottomless()
    knowledge_of(game).__dict__["_smoke_tested"] = True  # the smoke test would have found it
    with pytest.raises(GameError, match=r"bottomless: sink\(\) calls itself without an end"):
        search(game, depth=5, algorithm="alphabeta")


def test_perft_refuses_depths_that_no_stack_holds() -> None:
    with pytest.raises(BadInput, match="at most 4,096 plies, not 9,999,999,999"):
        perft(load_game("pig"), 9_999_999_999)
