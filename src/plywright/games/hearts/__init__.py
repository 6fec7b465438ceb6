"""Hearts: the rules, and what Monte Carlo trees know of it."""

from .rules import HEARTS, PASSES, Hand, Hearts

__all__ = ["HEARTS", "PASSES", "Hand", "Hearts"]
