"""Who chooses: people, chance, searches, policies; programs over pipes are in `programs`."""

from .clock import Clock, Mode
from .player import Player

__all__ = ["Clock", "Mode", "Player"]
