"""Proofs of games with counters and repetition, against everything that can happen."""

from __future__ import annotations

import random
from collections.abc import Iterator
from functools import cache
from types import SimpleNamespace
from typing import Any

import pytest

from cyclic_game import Corridor
from plywright import Game, Knowledge, Unsuitable, load_game, search
from plywright.engine.alphabeta.solve import solve
from plywright.engine.proof import dfpn_search
from plywright.engine.proof.dfpn_search import prove_value

PLACES, ENDS, LIMIT = 10, 7, 8


class Places(Knowledge):
    def key(self, state: Any) -> int:
        """Without the counter."""
        return int(state[0]) * 7919 + 1

    def plies_left(self, state: Any) -> int:
        return LIMIT - int(state[1])


class Counted(Game):
    """A graph with cycles, drawn by lot; after some plies the game is drawn. It pays up to two points."""

    knowledge = Places
    utility_range = (-2, 2)

    def __init__(self, seed: int = 0) -> None:
        dice = random.Random(seed)
        self.mover = tuple(dice.randrange(2) for _ in range(PLACES))
        self.pays = tuple(dice.choice((-2, -1, 0, 1, 2)) for _ in range(PLACES))
        self.ways = tuple(tuple(dice.sample(range(PLACES), 3)) for _ in range(PLACES))

    def initial(self) -> tuple[int, int]:
        return 0, 0

    def to_move(self, state: Any) -> int:
        return self.mover[state[0]]

    def actions(self, state: Any) -> Iterator[int]:
        yield from self.ways[state[0]]

    def result(self, state: Any, action: int) -> Any:
        return action, state[1] + 1

    def is_terminal(self, state: Any) -> bool:
        return bool(state[0] >= ENDS or state[1] >= LIMIT)

    def utility(self, state: Any, player: int) -> float:
        value = self.pays[state[0]] if state[0] >= ENDS else 0
        return value if player == 0 else -value


@pytest.mark.parametrize("seed", range(8))
def test_what_lies_between_a_draw_and_a_win_is_proved_as_well(seed: int) -> None:
    game = Counted(seed)

    @cache
    def true(state: Any) -> float:
        """For the first player."""
        if game.is_terminal(state):
            return game.utility(state, 0)
        values = [true(game.result(state, action)) for action in game.actions(state)]
        return max(values) if game.to_move(state) == 0 else min(values)

    for place in range(ENDS):
        for count in (0, 4, 6):
            state = place, count
            wanted = true(state) * (1 if game.to_move(state) == 0 else -1)
            assert solve(game, state, compiled=False, table_megabytes=0.1).value == wanted
            assert prove_value(game, state, compiled=False, megabytes=0.1, keep=False)[0] == wanted
            found = search(game, state, depth=LIMIT + 1, compiled=False, table=0.1)
            assert found.proved and found.value == wanted


class Back(Game):
    """The first move of the two leads back by force; the other pays one point of two."""

    utility_range = (-2, 2)
    repetition = ("draw", 2)

    def initial(self) -> tuple[int, int]:
        return 0, 0

    def to_move(self, state: Any) -> int:
        return int(state[0] % 2)

    def actions(self, state: Any) -> Iterator[int]:
        yield 0
        if state[0] == 0:
            yield 1

    def result(self, state: Any, action: int) -> Any:
        return (0, 0) if state[0] == 1 else (1, 0) if action == 0 else (3, 0)

    def is_terminal(self, state: Any) -> bool:
        return bool(state[0] == 3)

    def utility(self, state: Any, player: int) -> float:
        return (1 if state[0] == 3 else 0) * (1 if player == 0 else -1)


class BackTwice(Back):
    repetition = ("draw", 3)


def test_the_best_move_of_a_proof_does_not_go_back() -> None:
    """What a position is worth says nothing of a move that leads back to it: there the other move is to be played."""
    for game, history in ((Back(), []), (BackTwice(), [(0, 0), (1, 0)])):
        found = solve(game, compiled=False, history=history)
        assert (found.value, found.proved, found.action, found.distance) == (1, True, 1, None)


@pytest.mark.parametrize("seed", range(12))
def test_the_move_of_a_proof_keeps_its_value_after_it(seed: int) -> None:
    game = Corridor(seed)
    for place in range(10):
        found = solve(game, (place, 0), compiled=False, table_megabytes=0.1)
        assert found.proved and found.action is not None
        after = game.result((place, 0), found.action)
        if game.is_terminal(after):
            assert game.utility(after, 0) == found.value
            continue
        value, _ = prove_value(game, after, history=[(place, 0)], compiled=False, megabytes=0.1, keep=False)
        assert value == -found.value


def test_no_move_is_named_that_is_not_known_to_keep_the_value(monkeypatch: pytest.MonkeyPatch) -> None:
    """As where the time is over: the value is proved then, and none of several moves is."""
    game = Corridor(1)
    place = next(n for n in range(10) if not any(game.is_terminal((way, 1)) for way in game.ways[n]))
    assert solve(game, (place, 0), compiled=False, table_megabytes=0.1).action is not None
    monkeypatch.setattr(dfpn_search, "prove", lambda *_, **__: SimpleNamespace(verdict=None))
    found = solve(game, (place, 0), compiled=False, table_megabytes=0.1)
    assert found.proved and found.action is None and found.line == ()


def test_a_line_that_goes_back_to_where_a_better_move_was_is_not_called_proved() -> None:
    """Its move may be worth more: where a third occurrence draws, the better one can be played at the second."""
    first, second = search(BackTwice(), depth=9, lines=2, compiled=False).variations
    assert (first.line, first.value, first.proved) == ((1,), 1, True)
    assert not second.proved
    assert search(Back(), depth=9, lines=2, compiled=False).variations[1].proved


def test_a_table_that_knows_no_distances_is_no_proof_where_a_counter_ends_the_game() -> None:
    with pytest.raises(Unsuitable, match="--algorithm dfpn"):
        solve(load_game("chess"), table_file="chess.table")
