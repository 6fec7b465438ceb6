"""2048: rules, and what a board promises."""

from .rules import Tiles, TwentyFortyEight, exponent

__all__ = ["Tiles", "TwentyFortyEight", "exponent"]
