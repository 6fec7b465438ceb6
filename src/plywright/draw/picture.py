"""A picture is an SVG and the same thing as text; notebooks show the one, terminals the other."""

from __future__ import annotations

from dataclasses import dataclass


@dataclass(frozen=True)
class Picture:
    """One drawing in both forms."""

    svg: str
    text: str

    def __str__(self) -> str:
        return self.text

    def _repr_svg_(self) -> str:
        return self.svg


def note(text: str) -> Picture:
    """A picture of a line of text, for games that draw nothing themselves."""
    from .svg import document
    from .svg import text as words

    return Picture(document(9 * max(len(text), 1) + 16, 32, words(8, 21, text, "mono"), description=text), text)
