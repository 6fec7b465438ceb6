"""The games Plywright knows by name, and how a name or a path becomes a game."""

from .registry import GAMES, Entry, as_game, load_game

__all__ = ["GAMES", "Entry", "as_game", "load_game"]
