"""Battleship: rules, and how fleets lie."""

from .rules import Battleship

__all__ = ["Battleship"]
