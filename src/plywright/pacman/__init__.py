"""Pac-Man's agents, ghosts, experiments and replays, on the rules in games/pacman."""

from .agents import make_agent, make_ghost
from .assumptions import assumptions
from .demonstrations import DEMONSTRATIONS, Demonstration
from .episode import Episode, Moment, begun, moments, play_episode, watch
from .many_games import Setting, Tally, play_many

__all__ = [
    "DEMONSTRATIONS",
    "Demonstration",
    "Episode",
    "Moment",
    "Setting",
    "Tally",
    "assumptions",
    "begun",
    "make_agent",
    "make_ghost",
    "moments",
    "play_episode",
    "play_many",
    "watch",
]
