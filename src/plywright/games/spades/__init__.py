"""Spades: the rules, and what Monte Carlo trees know of it."""

from .rules import Bidding, Spades

__all__ = ["Bidding", "Spades"]
