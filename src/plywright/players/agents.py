"""How far a search can be exploited: its decisions at every information set as a strategy, and the best answer to it.

    tree = GameTree.of(game)
    exploitability(tree, strategy_of(tree, monte_carlo_minimax(deals=200)).chances)

A search that is seeded decides the same wherever a player sees the same, so its play is a strategy like any other
and its exploitability can be computed exactly instead of estimated by matches.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import Any

import numpy as np

from ..engine import search
from ..equilibrium import EquilibriumResult, GameTree, RegretMinimizer, Strategy, gains, values_of
from ..equilibrium.best_response import legal_chances
from ..game import Game

Decide = Callable[[Game, Any, int], int | Mapping[int, float]]
"""decide(game, view, seat): one action, or a probability for each of several."""


def strategy_of(tree: GameTree, decide: Decide, told: Callable[[int, int], None] = lambda done, of: None) -> Strategy:
    """What an agent does wherever somebody has a choice, asked once at each such information set."""
    chances = np.array(tree.uniform)  # where there is only one legal action, every strategy plays it
    choices = np.flatnonzero(tree.widths > 1)
    for number, which in enumerate(map(int, choices)):
        view, owner = tree.view_of(which)
        found = decide(tree.game, view, owner)
        chances[tree.start[which] : tree.start[which + 1]] = legal_chances(tree, which, found, "the agent")
        told(number + 1, len(choices))
    return Strategy(tree, chances)


def uniform(game: Game, view: Any, seat: int) -> dict[int, float]:
    """Every legal action alike."""
    from ..engine.hidden.beliefs import View

    actions = View(game, view, seat).actions
    return dict.fromkeys(actions, 1 / len(actions))


def weighted_minimax(game: Game, view: Any, seat: int) -> int:
    """The best action on the average over all deals; the first of equal ones."""
    return _chosen(game, view, seat, algorithm="weighted")


def monte_carlo_minimax(deals: int = 200, seed: int = 1) -> Decide:
    return lambda game, view, seat: _chosen(game, view, seat, algorithm="deals", deals=deals, seed=seed)


def information_set_mcts(simulations: int = 2000, seed: int = 1, observers: str = "many") -> Decide:
    options = {"algorithm": "ismcts", "simulations": simulations, "seed": seed, "observers": observers, "memory": 4.0}
    return lambda game, view, seat: _chosen(game, view, seat, **options)


def _chosen(game: Game, view: Any, seat: int, **options: Any) -> int:
    action = search(game, view, seat=seat, **options).action
    assert action is not None
    return action


@dataclass(frozen=True)
class AgentRow:
    """One agent: what its play is worth to each player, and what each could gain by answering the others best."""

    name: str
    values: tuple[float, ...]
    gains: tuple[float, ...]

    @property
    def exploitability(self) -> float:
        return sum(self.gains) / len(self.gains)

    @property
    def guarantees(self) -> tuple[float, ...] | None:
        """What each of two opposed players is sure of with this play, whatever the other does; None for more."""
        if len(self.values) != 2:
            return None
        return self.values[0] - self.gains[1], self.values[1] - self.gains[0]

    def as_dict(self) -> dict[str, Any]:
        return {
            "agent": self.name,
            "exploitability": self.exploitability,
            "values": list(self.values),
            "gains": list(self.gains),
            "guarantees": None if self.guarantees is None else list(self.guarantees),
        }


def compare_agents(
    game: Game,
    *,
    deals: int = 200,
    simulations: int = 2000,
    iterations: int = 1000,
    seed: int = 1,
    told: Callable[[str, int, int], None] = lambda agent, done, of: None,
) -> list[AgentRow]:
    """The table: uniform play, minimax over deals, information-set tree search, and regret minimisation."""
    tree = GameTree.of(game)
    agents: dict[str, Decide] = {
        "uniform": uniform,
        f"Monte Carlo minimax, {deals} deals": monte_carlo_minimax(deals, seed),
        f"IS-MCTS, {simulations} simulations": information_set_mcts(simulations, seed),
    }
    if not game.draws_deals:
        agents = {"uniform": uniform, "weighted minimax": weighted_minimax}
    rows = []
    for name, decide in agents.items():

        def tell(done: int, of: int, name: str = name) -> None:
            told(name, done, of)

        chances = strategy_of(tree, decide, tell).chances
        rows.append(AgentRow(name, values_of(tree, chances), gains(tree, chances)))
    minimizer = RegretMinimizer(tree)
    minimizer.run(iterations)
    found: EquilibriumResult = minimizer.result()
    rows.append(AgentRow(f"CFR+, {iterations} iterations", found.values, found.gains))
    return rows
