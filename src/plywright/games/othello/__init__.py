"""Othello: rules, knowledge for the engine, the endgame solver, and GGF records."""

from .rules import Othello

__all__ = ["Othello"]
