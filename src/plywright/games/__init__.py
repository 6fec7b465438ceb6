"""The games Plywright knows by name, and how a name or a path becomes a game."""

from .registry import GAMES, Entry, load_game

__all__ = ["GAMES", "Entry", "load_game"]
