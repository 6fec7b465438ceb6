"""Constant dicts, sets and lists of unequal length in the rules: compiled, and the same as interpreted."""

from __future__ import annotations

import random
from collections.abc import Iterable
from typing import Any, NamedTuple

import pytest

from plywright import Game, perft, search
from plywright.compiled import interpreted, kernel
from plywright.doctor.native_rules import NativeRules

GRAPH = {0: (1, 2), 1: (0, 2, 3), 2: (0, 1, 4), 3: (1, 5), 4: (2, 5), 5: (3, 4, 6), 6: (5,)}
COORDINATES = {(0, 0): 0, (0, 1): 1, (2, -1): 2, (1, 1): 3, (1, 0): 4, (0, 2): 5, (-1, 0): 6}
FAR = {10**12: 1, -5: 2, 7: 3}
FAR_PAIRS = {(10**9, 1): 1.5, (-(10**9), 2): 2.5, (3, 3): 3.5}
WEIGHTED = {0: [(1, 0.5), (2, 0.25)], 1: [(0, 1.0)], 2: []}
STEPS = [[1, 2, 3], [2, 3], [], [0]]
RAYS = [[[1, 2], [3]], [[], [4, 5, 6]], [[7]]]
MANY = [[row, row * row] for row in range(40)]
CORNERS = {0, 2, 6, 8}
DARK = frozenset({(0, 0), (1, 1), (2, 2)})


class Visited(NamedTuple):
    node: int
    seen: tuple[int, ...]
    player: int


class Walk(Game):
    """Whoever cannot go on to a node that was not visited loses."""

    def initial(self) -> Visited:
        return Visited(0, (1, 0, 0, 0, 0, 0, 0), 0)

    def to_move(self, state: Visited) -> int:
        return state.player

    def actions(self, state: Visited) -> Iterable[int]:
        seen = {node for node in range(7) if state.seen[node] == 1}
        for node in GRAPH[state.node]:
            if node not in seen:
                yield node

    def result(self, state: Visited, action: int) -> Visited:
        return Visited(action, state.seen[:action] + (1,) + state.seen[action + 1 :], 1 - state.player)  # noqa: RUF005

    def is_terminal(self, state: Visited) -> bool:
        return not any(state.seen[node] == 0 for node in GRAPH[state.node])

    def utility(self, state: Visited, player: int) -> float:
        return -1 if player == state.player else 1

    def evaluate(self, state: Visited, player: int) -> float:
        total, weight, found = self.read(state.node, state.player)
        value = (total % 100 + weight) / 200 if found else -0.1
        return value if player == 0 else -value

    own = {3: (1, 2), 5: (0, 4)}  # noqa: RUF012

    def gone(self, a: int) -> int:
        return FAR[a]

    def outside(self, a: int) -> int:
        return STEPS[a][0]

    def read(self, a: int, b: int) -> tuple[int, float, bool]:
        total, weight = 0, 0.0
        if (a, b) in COORDINATES:
            total += COORDINATES[(a, b)] + 100
        total += COORDINATES.get((b, a), 1000)
        total += FAR.get(a, 10000) + FAR[7]
        weight += FAR_PAIRS.get((a, b), 0.5)
        for node, each in WEIGHTED[a % 3]:
            total += node
            weight += each
        for step in STEPS[a % 4]:
            total = (total * 3 + step) % 1000003
        for line in RAYS[a % 3]:
            total = (total * 5 + len(line)) % 1000003
            for node in line:
                total = (total * 3 + node) % 1000003
        total = (total * 7 + MANY[a % 40][1] + MANY[-1 - a % 40][0]) % 1000003
        for key in GRAPH:
            total = (total * 3 + key) % 1000003
        for x, y in COORDINATES.keys():  # noqa: SIM118
            total = (total * 3 + x - y) % 1000003
        for value in COORDINATES.values():
            total = (total * 3 + value) % 1000003
        for place, (key, worth) in enumerate(FAR.items()):
            total = (total * 3 + key % 11 * place + worth) % 1000003
        first, second = self.own[3] if a % 2 else self.own[5]
        found = a in CORNERS or (a, b) in DARK or b not in GRAPH or a in STEPS[b % 4]
        return (total + first * 10 + second + len(GRAPH)) % 1000003, weight, found


@kernel
def read(game, a, b):
    return game.read(a, b)


@kernel
def gone(game, a):
    return game.gone(a)


@kernel
def outside(game, a):
    return game.outside(a)


def test_tables_are_read_as_python_reads_them() -> None:
    game = Walk()
    assert read.entry(game, 0, 0)[1]
    for a in range(9):
        for b in range(-1, 9):
            assert read(game, a, b) == game.read(a, b), (a, b)


def test_a_missing_key_and_an_index_outside_are_python_s_errors() -> None:
    game = Walk()
    assert gone(game, -5) == 2 and outside(game, 1) == 2
    with pytest.raises(KeyError):
        gone(game, 8)
    with pytest.raises(IndexError):
        outside(game, 2)


def playouts(game: Game, count: int) -> list[Any]:
    """What the rules say on random games, by the rules that kernels compile and by Python."""
    native, rng, lines = NativeRules(game), random.Random(1), []
    for _ in range(count):
        state = game.start_state
        while not game.is_terminal(state):
            assert not native.call("is_terminal", state)
            actions = list(game.actions(state))
            assert native.call("actions", state) == actions
            action = rng.choice(actions)
            after = native.call("result", state, action)
            assert after == game.result(state, action)
            state = after
            lines.append(action)
        assert native.call("is_terminal", state)
    return lines


def test_a_walk_on_a_graph_is_compiled_and_the_same() -> None:
    game = Walk()
    assert len(playouts(game, 20)) > 60
    found = search(game, depth=7, algorithm="alphabeta")
    lines = perft(game, 5)
    with interpreted():
        again = search(game, depth=7, algorithm="alphabeta")
        assert lines == perft(game, 5)
    assert found.compiled and not again.compiled
    assert (found.value, found.nodes, found.line) == (again.value, again.nodes, again.line)
