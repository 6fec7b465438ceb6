"""Pictures: pure functions from plain data to SVG and to terminal text. Knows no game."""

from .picture import Picture, note
from .undrawn import fields

__all__ = ["Picture", "fields", "note"]
