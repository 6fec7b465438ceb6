"""Mixed strategies: regret minimisation, best responses, exploitability."""

from .best_response import exploitability, gains, nash_conv, respond, values_of
from .solver import ALGORITHMS, EquilibriumResult, RegretMinimizer, find_equilibrium
from .strategy import Strategy
from .tree import GameTree

__all__ = [
    "ALGORITHMS",
    "EquilibriumResult",
    "GameTree",
    "RegretMinimizer",
    "Strategy",
    "exploitability",
    "find_equilibrium",
    "gains",
    "nash_conv",
    "respond",
    "values_of",
]
