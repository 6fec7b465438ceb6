"""Pac-Man's agents, ghosts, experiments and replays, on the rules in games/pacman.py."""

from .agents import make_agent, make_ghost
from .episode import Episode, play_episode

__all__ = ["Episode", "make_agent", "make_ghost", "play_episode"]
