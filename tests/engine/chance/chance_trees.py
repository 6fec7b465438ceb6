"""Random trees with chance, and the plainest possible way to value them; all trees share one compilation. And a die."""

from __future__ import annotations

import math
import random
from typing import Any

import numpy as np

from plywright import CHANCE, Game


class ChanceTree(Game):
    """A tree in arrays, drawn from a seed: players, chance, leaves at any level, estimates everywhere."""

    runtime = ("mover", "first", "count", "probability", "payoff", "estimate")
    max_actions = 16

    def __init__(
        self, seed: int, levels: int = 4, width: int = 3, chance: float = 0.4, spread: int = 5, fine: bool = False
    ) -> None:
        rng = random.Random(seed)
        mover, first, count, probability = [0], [0], [0], [1.0]
        payoff: list[list[float]] = [[0.0] * self.players]
        estimate: list[list[float]] = [[0.0] * self.players]
        level = [0]
        node = 0
        while node < len(mover):
            payoff[node] = self.vector(rng, spread, fine)
            estimate[node] = self.vector(rng, spread, fine)
            ends = level[node] >= levels or (level[node] > 0 and rng.random() < 0.15)
            if not ends:
                mover[node] = CHANCE if rng.random() < chance and node > 0 else rng.randrange(self.players)
                first[node], count[node] = len(mover), rng.randint(1, width)
                shares = [rng.choice((1, 1, 2, 5)) for _ in range(count[node])]
                for share in shares:
                    mover.append(0)
                    first.append(0)
                    count.append(0)
                    probability.append(share / sum(shares))
                    payoff.append([])
                    estimate.append([])
                    level.append(level[node] + 1)
            node += 1
        self.mover, self.first, self.count = (np.array(x, np.int64) for x in (mover, first, count))
        self.probability = np.array(probability)
        self.payoff, self.estimate = np.array(payoff), np.array(estimate)
        self.utility_range = (-float(spread), float(spread))
        self.step = 1 / 8 if fine else 1
        self.__dict__["_smoke_tested"] = True  # drawn by the thousand: a quarter of a second for each would be long

    def vector(self, rng: random.Random, spread: int, fine: bool) -> list[float]:
        value = rng.randint(-8 * spread, 8 * spread) / 8 if fine else float(rng.randint(-spread, spread))
        return [value, -value]

    def initial(self) -> int:
        return 0

    def to_move(self, state: int) -> int:
        return self.mover[state]

    def actions(self, state: int) -> Any:
        if self.mover[state] >= 0:
            for number in range(self.count[state]):
                yield number

    def chance(self, state: int) -> Any:
        for number in range(self.count[state]):
            yield number, self.probability[self.first[state] + number]

    def result(self, state: int, action: int) -> int:
        return self.first[state] + action

    def is_terminal(self, state: int) -> bool:
        return self.count[state] == 0

    def utility(self, state: int, player: int) -> float:
        return self.payoff[state, player]

    def evaluate(self, state: int, player: int) -> float:
        return self.estimate[state, player]


class ThreeTree(ChanceTree):
    """Three players who share out a fixed sum."""

    players = 3

    def __init__(self, *args: Any, bounded: bool = True, **options: Any) -> None:
        super().__init__(*args, **options)
        self.utility_range = (0.0, self.utility_range[1])
        self.sum_bound = self.utility_range[1] if bounded else None

    def vector(self, rng: random.Random, spread: int, fine: bool) -> list[float]:
        first = rng.randint(0, spread)
        second = rng.randint(0, spread - first)
        return [float(first), float(second), float(spread - first - second)]


def value_of(
    game: Game, state: Any, depth: int, hero: int, models: dict[int, Any] | None = None, worth: Any = float
) -> float:
    """Expectiminimax as its definition says, for the hero; models give the probabilities of a player's actions."""
    if game.is_terminal(state):
        return float(worth(game.utility(state, hero)))
    if depth == 0:
        return float(worth(game.evaluate(state, hero)))
    mover = int(game.to_move(state))

    def below(action: int, reach: int) -> float:
        return value_of(game, game.coerce_state(game.result(state, action)), reach, hero, models, worth)

    if mover == CHANCE:
        return math.fsum(p * below(int(outcome), depth) for outcome, p in game.chance(state))
    if models and mover in models:
        return math.fsum(p * below(a, depth - 1) for a, p in models[mover].probabilities(game, state).items())
    values = [below(int(action), depth - 1) for action in game.actions(state)]
    return max(values) if game.team(mover) == game.team(hero) else min(values)


def vector_of(game: Game, state: Any, depth: int) -> tuple[float, ...]:
    """Max^n as its definition says: the first of the best for whoever moves."""
    players = range(game.players)
    if game.is_terminal(state):
        return tuple(float(game.utility(state, player)) for player in players)
    if depth == 0:
        return tuple(float(game.evaluate(state, player)) for player in players)
    mover = int(game.to_move(state))
    if mover == CHANCE:
        parts = [
            (p, vector_of(game, game.coerce_state(game.result(state, int(outcome))), depth))
            for outcome, p in game.chance(state)
        ]
        return tuple(math.fsum(p * vector[player] for p, vector in parts) for player in players)
    vectors = [vector_of(game, game.coerce_state(game.result(state, int(a))), depth - 1) for a in game.actions(state)]
    return max(vectors, key=lambda vector: vector[mover])


def trees(count: int) -> list[ChanceTree]:
    """Trees of many shapes: ties, moves in a row, chains of chance, fine and coarse values."""
    return [
        ChanceTree(
            seed, 3 + seed % 4, 2 + seed % 3, chance=0.2 * (1 + seed % 4), spread=1 + seed % 6, fine=seed % 2 == 0
        )
        for seed in range(count)
    ]


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
