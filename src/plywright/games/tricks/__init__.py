"""Trick-taking card games: rules, and what a deal promises."""

from .rules import Tricks

__all__ = ["Tricks"]
