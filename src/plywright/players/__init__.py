"""Who chooses: people, chance, searches, policies; programs over pipes are in `programs`."""

from .clock import Clock, Mode
from .offence import Offence
from .player import Player
from .playing import Playing
from .turn import Turn

__all__ = ["Clock", "Mode", "Offence", "Player", "Playing", "Turn"]
