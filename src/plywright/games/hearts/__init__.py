"""Hearts: the rules, and what Monte Carlo trees know of it."""

from .notation import Hearts
from .rules import HEARTS, PASSES, Hand

__all__ = ["HEARTS", "PASSES", "Hand", "Hearts"]
