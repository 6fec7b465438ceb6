"""Pac-Man: rules, mazes, the evaluation and the picture."""

from .rules import Pacman

__all__ = ["Pacman"]
