"""Go on 5x5 to 19x19: rules, Monte Carlo knowledge, SGF."""

from .rules import Go as Go

__all__ = ["Go"]
