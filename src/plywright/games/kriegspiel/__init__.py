"""Kriegspiel: rules, and what the umpire reports."""

from .rules import Kriegspiel

__all__ = ["Kriegspiel"]
