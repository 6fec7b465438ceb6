"""search and analyse: limits, answers, and rules that break the protocol in the middle of a search."""

from __future__ import annotations

import os
import signal
import threading
import time
from typing import Any

import numpy as np
import pytest

from plywright import BadInput, Game, GameError, Limit, SearchResult, Unsuitable, analyse, load_game, search
from plywright.engine import kernel_runner as running
from plywright.games.trees.explicit_tree import ExplicitTree
from plywright.games.trees.random_tree import RandomTree
from plywright.knowledge import knowledge_of
from plywright.survey import Survey


@pytest.fixture(scope="module")
def tic_tac_toe() -> Game:
    return load_game("tic-tac-toe")


# -- limits ----------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("limits", "message"),
    [
        ({"time": 0}, "time must be a number of seconds above 0, not 0"),
        ({"time": -1.0}, "time must be"),
        ({"time": float("nan")}, "time must be"),
        ({"time": float("inf")}, "time must be"),
        ({"depth": -3}, "depth must be a whole number of at least 1, not -3"),
        ({"depth": 2.5}, "depth must be"),
        ({"depth": True}, "depth must be"),
        ({"nodes": 0}, "nodes must be"),
        ({"limit": Limit(depth=1), "depth": 1}, "not both"),
        ({"depth": 1, "algorithm": "magic"}, "unknown algorithm 'magic'; there are pvs, alphabeta, minimax"),
        ({"depth": 1, "algorithm": ["pvs"]}, r"unknown algorithm \['pvs'\]"),
        ({"time": 10**400}, r"time must be at most 10\^9 seconds, not 1000000"),
    ],
)
def test_nonsense_limits_are_refused(tic_tac_toe: Game, limits: dict[str, Any], message: str) -> None:
    with pytest.raises(BadInput, match=message):
        search(tic_tac_toe, **limits)


def test_a_node_limit_is_held_and_repeatable(tic_tac_toe: Game) -> None:
    first, again = (search(tic_tac_toe, nodes=2000) for _ in range(2))
    assert first.nodes <= 2000 and first.depth < 9
    assert (first.action, first.value, first.depth) == (again.action, again.value, again.depth)
    plain = search(tic_tac_toe, nodes=2000, compiled=False)
    assert (first.action, first.value, first.depth, first.line) == (plain.action, plain.value, plain.depth, plain.line)


def test_even_one_node_gives_a_legal_move(tic_tac_toe: Game) -> None:
    result = search(tic_tac_toe, nodes=1)
    assert result.action in list(tic_tac_toe.actions(tic_tac_toe.start_state))
    assert result.bound == "heuristic" and not result.proved and result.depth == 0


def test_a_time_limit_ends_the_search() -> None:
    game = load_game("connect-four")
    began = time.monotonic()
    result = search(game, time=0.2)
    assert time.monotonic() - began < 15  # compilation included; the point is that it ends
    assert result.depth >= 2 and result.seconds >= 0.15


def test_ctrl_c_returns_the_best_so_far() -> None:
    game = load_game("connect-four")
    search(game, depth=1)
    timer = threading.Timer(1.0, lambda: os.kill(os.getpid(), signal.SIGINT))
    timer.start()
    try:
        result = search(game, time=60)
    except KeyboardInterrupt:
        pytest.fail("Ctrl-C came through the search")
    assert result.depth >= 2 and result.seconds < 30


def test_analyse_yields_every_depth_and_stops_when_proved(tic_tac_toe: Game) -> None:
    results = list(analyse(tic_tac_toe, time=60, algorithm="alphabeta"))
    assert [r.depth for r in results] == list(range(1, 10))
    assert [r.proved for r in results] == [False] * 8 + [True]
    assert [r.nodes for r in results] == sorted(r.nodes for r in results)


# -- answers ----------------------------------------------------------------------------------------------------


def test_the_result_names_are_the_design_s(tic_tac_toe: Game) -> None:
    result = search(tic_tac_toe, depth=9)
    names = "action value values bound proved distance line depth nodes seconds algorithm compiled tied error"
    names += " effective_sample_size actions visits note assuming source chance"
    beside = (
        "trace",
        "game",
        "state",
        "variations",
        "selective_depth",
        "hash_full",
        "ownership",
        "averaged",
    )  # not in every JSON form
    assert [name for name in SearchResult.__dataclass_fields__ if name not in beside] == names.split()
    data = result.as_dict(tic_tac_toe, tic_tac_toe.start_state)
    assert set(data) == {*names.split(), "game", "nodes_per_second"}
    assert data["game"] == "tic-tac-toe" and data["value"] == 0 and data["proved"] is True
    assert len(data["line"]) == 9 and data["distance"] == 9


def test_the_line_is_legal_and_leads_to_the_value() -> None:
    game = load_game("othello:size=4")
    result = search(game, depth=24)
    state = game.start_state
    for action in result.line:
        assert action in list(game.actions(state))
        state = game.coerce_state(game.result(state, action))
    assert result.proved and game.is_terminal(state)
    assert game.utility(state, 0) == result.value == result.values[0] == -result.values[1] == -10


def test_every_root_move_gets_its_exact_value(tic_tac_toe: Game) -> None:
    """Exact values on request, the first of equals wins, the equals are listed."""
    state = tic_tac_toe.play_moves(tic_tac_toe.start_state, "a1 b1")
    result = search(tic_tac_toe, state, depth=9, algorithm="alphabeta", all_actions=True)
    for action, value in result.actions.items():
        child = tic_tac_toe.coerce_state(tic_tac_toe.result(state, action))
        assert value == -search(tic_tac_toe, child, depth=9, algorithm="minimax").value
    assert result.tied == tuple(a for a, v in result.actions.items() if v == result.value)
    assert result.action == result.tied[0] == search(tic_tac_toe, state, depth=9, algorithm="alphabeta").action


def test_a_finished_game_is_refused(tic_tac_toe: Game) -> None:
    over = tic_tac_toe.play_moves(tic_tac_toe.start_state, "a1 a2 b1 b2 c1")
    with pytest.raises(BadInput, match="the game is over"):
        search(tic_tac_toe, over, depth=1)


# -- games that this search cannot play ---------------------------------------------------------------------------


class Coin(Game):
    def initial(self) -> int:
        return 0

    def to_move(self, state: int) -> int:
        return 0

    def actions(self, state: int) -> Any:
        if state == 0:
            yield 1

    def result(self, state: int, action: int) -> int:
        return action

    def utility(self, state: int, player: int) -> float:
        return 0


class Dice(Coin):
    def chance(self, state: int) -> Any:
        yield 1, 1.0


class Secret(Coin):
    def observation(self, state: int, player: int) -> int:
        return 0


class ThreePlayers(Coin):
    players = 3


class Friendly(Coin):
    zero_sum = False


@pytest.mark.parametrize(
    ("game", "why"),
    [
        (Dice(), "chance nodes, which need expectiminimax"),
        (Secret(), "players do not see the whole state"),
        (ThreePlayers(), "two teams whose utilities cancel"),
        (Friendly(), "two teams whose utilities cancel"),
    ],
)
def test_unsuitable_games_are_refused_in_a_sentence(game: Game, why: str) -> None:
    with pytest.raises(Unsuitable, match=why):
        search(game, depth=1, algorithm="alphabeta")


def test_what_is_no_game_or_limit_is_refused() -> None:
    with pytest.raises(BadInput, match=r"search needs a Game, not 5; load_game"):
        search(5, depth=2)  # type: ignore[arg-type]
    with pytest.raises(BadInput, match="limit must be a Limit"):
        search(Coin(), limit=3)  # type: ignore[arg-type]


class Pairs(Coin):
    """Four players in two teams, 0 and 2 against 1 and 3; each may add one to the team's score."""

    players = 4
    teams = (0, 1, 0, 1)
    utility_range = (-4, 4)

    def to_move(self, state: int) -> int:
        return state // 100 if state < 390 else 3

    def actions(self, state: int) -> Any:
        if state < 390:
            yield 0
            yield 1

    def result(self, state: int, action: int) -> int:
        return (
            state
            + 100
            + (action if self.to_move(state) % 2 == 0 else -action)
            + (50 if state == 0 else 0)
            - (50 if state >= 300 else 0)
        )

    def utility(self, state: int, player: int) -> float:
        score = state - 400
        return score if player % 2 == 0 else -score


def test_teams_not_players_are_what_alpha_beta_needs() -> None:
    game = Pairs()
    result = search(game, depth=4, algorithm="alphabeta")
    assert result.values == (result.value, -result.value, result.value, -result.value)
    assert result.value == search(game, depth=4, algorithm="minimax").value == 0


# -- rules that break the protocol in the middle of a search -----------------------------------------------------------


class Deep(Game):
    """Counts up by 1 or 2 to the end at 42; the fault strikes at 40."""

    fault = "none"
    table = np.arange(41)

    def initial(self) -> int:
        return 0

    def to_move(self, state: int) -> int:
        return state % 2

    def actions(self, state: int) -> Any:
        if self.fault == "empty" and state == 40:
            return
        yield 1
        yield 2
        while self.fault == "endless" and state == 40:
            yield 2

    def result(self, state: int, action: int) -> int:
        while self.fault == "loop" and state == 40:
            pass
        if self.fault == "index" and state == 40:
            return state + action + self.table[state + action]
        return state + action

    def is_terminal(self, state: int) -> bool:
        return state >= 42

    def utility(self, state: int, player: int) -> float:
        if self.fault == "nan":
            return np.nan
        return 0

    def evaluate(self, state: int, player: int) -> float:
        return 0


def faulty(kind: str) -> Game:
    return faulty_of(type(kind.capitalize(), (Deep,), {"fault": kind}))


def faulty_of(rules: Any) -> Game:
    game = rules()
    knowledge_of(game).__dict__["_smoke_tested"] = True  # a fault that the smoke test did not meet
    game.__dict__["_survey"] = Survey("", True, True)  # nor its look at the states
    return game


@pytest.mark.parametrize("compiled", [None, False])
@pytest.mark.parametrize(
    ("kind", "message"),
    [
        ("empty", r"actions\(\) yields nothing, but is_terminal\(\) says the game goes on, after 1 1"),
        ("endless", r"actions\(\) yields more than max_actions = 256"),
        ("nan", r"not a number \(NaN\), after 1 1"),
        ("index", r"IndexError"),
    ],
)
def test_faults_are_named(kind: str, message: str, compiled: bool | None) -> None:
    with pytest.raises(GameError, match=message):
        search(faulty(kind), 38, depth=5, algorithm="alphabeta", compiled=compiled)


@pytest.mark.parametrize("compiled", [None, False])
def test_an_endless_rule_is_given_up_on(monkeypatch: pytest.MonkeyPatch, compiled: bool | None) -> None:
    monkeypatch.setattr(running, "STALL", 0.5)
    with pytest.raises(GameError, match="loop for ever"):
        search(faulty("loop"), 39, depth=5, algorithm="alphabeta", compiled=compiled)


def test_rules_that_wait_for_a_processor_are_given_more_time(monkeypatch: pytest.MonkeyPatch) -> None:
    waited: list[int] = []

    class Starved(Deep):
        def result(self, state: int, action: int) -> int:
            if state == 40 and not waited:
                waited.append(state)
                time.sleep(0.6)
            return state + action

    monkeypatch.setattr(running, "STALL", 0.2)
    monkeypatch.setattr(time, "process_time", time.monotonic)  # as if another thread of this process worked meanwhile
    assert search(faulty_of(Starved), 39, depth=5, algorithm="alphabeta", compiled=False).value == 0
    assert waited == [40]


@pytest.mark.parametrize(
    "game",
    [RandomTree(branching=3, depth=4, largest=5 * 10**9), ExplicitTree([[3e9, 12e9], [2e9, 4e9], [5e9, -7e9]])],
    ids=["random", "explicit"],
)
def test_utilities_that_the_engine_cannot_count_are_plain_alpha_beta_s(game: Game) -> None:
    found = search(game, depth=5)
    assert found.algorithm == "alphabeta" and found.proved
    assert found.value == search(game, depth=5, algorithm="minimax").value
    with pytest.raises(Unsuitable, match="no common step; alphabeta can"):
        search(game, depth=5, algorithm="pvs")
