"""Pictures: pure functions from plain data to SVG and to terminal text. Knows no game."""

from .picture import Picture, note

__all__ = ["Picture", "note"]
