"""Backgammon: rules, notation, and what a position promises."""

from .rules import Backgammon

__all__ = ["Backgammon"]
