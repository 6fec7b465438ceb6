"""A picture is an SVG and the same thing as text; notebooks show the one, terminals the other."""

from __future__ import annotations

from dataclasses import dataclass
from html import escape


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
    width = 9 * max(len(text), 1) + 16
    svg = (
        f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {width} 32" width="{width}" height="32">'
        f'<text x="8" y="21" font-family="monospace" font-size="14">{escape(text, quote=False)}</text></svg>'
    )
    return Picture(svg, text)
