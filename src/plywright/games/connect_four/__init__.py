"""Connect Four: rules, and what a search may know of it."""

from .rules import ConnectFour

__all__ = ["ConnectFour"]
