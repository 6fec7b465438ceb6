"""Breakthrough: rules, and its positions by number."""

from .rules import Breakthrough

__all__ = ["Breakthrough"]
