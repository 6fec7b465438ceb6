"""Trick-taking card games: rules, and what a deal promises."""

from .cards import play_at
from .rules import Tricks

__all__ = ["Tricks", "play_at"]
