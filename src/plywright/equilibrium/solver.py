"""`find_equilibrium`: minimise regret until the strategies can hardly be exploited, and say how far they can.

In two-player zero-sum games the average strategy of each algorithm here goes to an equilibrium. In others
(three players, general sums) it runs all the same, and what it found is reported as what it is: `gains`
says what each player could still win by straying, and nothing is called an equilibrium.
"""

from __future__ import annotations

import time as clock
from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from ..compiled import NO_GAME, Workspace
from ..errors import BadInput
from ..game import Game
from ..games import as_game
from ..number import is_whole
from ..rng import seeded
from .best_response import gains, values_of
from .cfr import (
    AVERAGE_POWER,
    EXPLORE,
    FLOOR,
    HISTORIES,
    INNER,
    ITERATION,
    NEGATIVE_POWER,
    PLAYERS,
    POSITIVE_POWER,
    SETS,
    SETTINGS,
    SIZES,
    iterate,
    sample_times,
)
from .strategy import Strategy
from .tree import TERMINAL, GameTree

# algorithm: (regrets fade: gains by t^a / (t^a + 1), losses by t^b / (t^b + 1)), average by t^c, forget losses
ALGORITHMS: dict[str, dict[int, float]] = {
    "cfr": {},
    "cfr+": {FLOOR: 1, AVERAGE_POWER: 1},
    "dcfr": {POSITIVE_POWER: 1.5, NEGATIVE_POWER: 1e-9, AVERAGE_POWER: 2},
    "external": {},
    "outcome": {EXPLORE: 0.6},
}
SAMPLING = ("external", "outcome")
PIECE = 0.05  # seconds between looks at limits


@dataclass(frozen=True)
class EquilibriumResult:
    """What was found: the strategy, what it is worth to each player, and what each could gain by straying."""

    strategy: Strategy
    values: tuple[float, ...]
    gains: tuple[float, ...]
    iterations: int
    seconds: float
    algorithm: str
    two_player_zero_sum: bool

    @property
    def value(self) -> float:
        return self.values[0]

    @property
    def exploitability(self) -> float:
        return sum(self.gains) / len(self.gains)

    @property
    def nash_conv(self) -> float:
        return sum(self.gains)

    def as_dict(self) -> dict[str, Any]:
        tree = self.strategy.tree
        return {
            "game": tree.game.name,
            "algorithm": self.algorithm,
            "value": self.value,
            "values": list(self.values),
            "exploitability": self.exploitability,
            "nash_conv": self.nash_conv,
            "gains": list(self.gains),
            "equilibrium": self.two_player_zero_sum,
            "iterations": self.iterations,
            "seconds": round(self.seconds, 6),
            "iterations_per_second": round(self.iterations / self.seconds) if self.seconds > 0 else 0,
            "histories": tree.histories,
            "information_sets": tree.sets,
        }


class RegretMinimizer:
    """One run, which can be continued: `run(iterations)`, then `strategy()` and `result()`."""

    def __init__(
        self,
        game: Game | GameTree,
        algorithm: str = "cfr+",
        *,
        seed: int = 0,
        locked: dict[int, Strategy] | None = None,
    ) -> None:
        if algorithm not in ALGORITHMS:
            raise BadInput(f"there is no algorithm {algorithm!r} for equilibria; there are {', '.join(ALGORITHMS)}")
        self.tree = game if isinstance(game, GameTree) else GameTree.of(game)
        self.algorithm, self.iterations, self.seconds = algorithm, 0, 0.0
        self.piece = 1  # iterations of one call of the kernel: as many as take about PIECE seconds
        self.locked = locked or {}
        self.work = _workspace(self.tree, seed, self.locked)
        for place, value in ALGORITHMS[algorithm].items():
            self.work.setting[place] = value

    def run(self, iterations: int) -> None:
        """Run more iterations; Ctrl-C is passed on between pieces of work."""
        _check_iterations(iterations)
        done = 0
        while done < iterations:
            began = clock.monotonic()
            count = min(self.piece, iterations - done)
            if self.algorithm in SAMPLING:
                sample_times(NO_GAME, count, int(self.algorithm == "outcome"), self.work)
            else:
                iterate(NO_GAME, count, self.work)
            spent = clock.monotonic() - began
            self.seconds += spent if self.iterations or done else 0.0  # the very first call may compile
            done += count
            if spent < PIECE and count == self.piece:
                self.piece *= 2
        self.iterations += done

    def strategy(self) -> Strategy:
        """The average strategy so far; where a player was never to move by its own choices, all actions alike."""
        tree, average = self.tree, self.work.average
        sums = np.add.reduceat(average, tree.start[:-1])
        totals = np.repeat(sums, tree.widths)
        chances = np.where(totals > 0, average / np.where(totals > 0, totals, 1.0), tree.uniform)
        for player, given in self.locked.items():
            chances = np.where(np.repeat(tree.owner == player, tree.widths), given.chances, chances)
        return Strategy(tree, chances)

    def result(self) -> EquilibriumResult:
        strategy = self.strategy()
        game = self.tree.game
        return EquilibriumResult(
            strategy,
            values_of(self.tree, strategy.chances),
            gains(self.tree, strategy.chances),
            self.iterations,
            self.seconds,
            self.algorithm,
            game.players == 2 and game.opposed and not self.locked,
        )


def find_equilibrium(
    game: Game | str,
    *,
    algorithm: str = "cfr+",
    iterations: int = 1000,
    seed: int = 0,
    locked: dict[int, Strategy] | None = None,
    progress: Callable[[int, int], None] | None = None,
) -> EquilibriumResult:
    """Strategies of all players by regret minimisation; `locked` players keep the one given, the others answer it."""
    minimizer = RegretMinimizer(as_game(game), algorithm, seed=seed, locked=locked)
    _check_iterations(iterations)
    while minimizer.iterations < iterations:
        minimizer.run(min(minimizer.piece, iterations - minimizer.iterations))
        if progress is not None:
            progress(minimizer.iterations, iterations)
    return minimizer.result()


def _check_iterations(iterations: Any) -> None:
    if not is_whole(iterations) or iterations < 1:
        raise BadInput(f"iterations must be a whole number of at least 1, not {iterations!r}")


def _workspace(tree: GameTree, seed: int, locked: dict[int, Strategy]) -> Any:
    inner = np.flatnonzero(tree.player != TERMINAL).astype(np.int32)
    size = np.zeros(SIZES, np.int64)
    size[HISTORIES], size[PLAYERS], size[SETS], size[INNER] = tree.histories, tree.players, tree.sets, len(inner)
    strategy = np.array(tree.uniform)
    kept = np.zeros(tree.players, np.int64)
    fixed = np.zeros(tree.slots, np.int8)
    for player, given in locked.items():
        mine: NDArray[np.bool_] = np.repeat(tree.owner == player, tree.widths)
        strategy = np.where(mine, given.chances, strategy)
        kept[player] = 1
        fixed[mine] = 1
    names = ("player", "first", "count", "slot", "probability", "owner", "start", "utility")
    deepest = int(tree.level.max()) + 2
    setting = np.zeros(SETTINGS)
    setting[ITERATION] = 0
    return Workspace(
        **{name: getattr(tree, name) for name in names},
        setting=setting,
        size=size,
        stop=np.zeros(1, np.int64),
        inner=inner,
        locked=kept,
        fixed=fixed,
        strategy=strategy,
        regret=np.zeros(tree.slots),
        average=np.zeros(tree.slots),
        own=np.zeros(tree.histories),
        other=np.zeros(tree.histories),
        value=np.array(tree.utility),
        sampled=np.zeros(tree.histories),
        walk=np.zeros(deepest, np.int32),
        chosen=np.zeros(deepest, np.int32),
        reach=np.zeros(4 * deepest),
        rng=seeded(seed),
    )
