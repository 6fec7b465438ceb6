"""The games Plywright knows by name, and how a name or a path becomes a game, or knowledge of one."""

from .knowledge_texts import as_knowledge, know
from .registry import GAMES, Entry, as_game, load_game

__all__ = ["GAMES", "Entry", "as_game", "as_knowledge", "know", "load_game"]
