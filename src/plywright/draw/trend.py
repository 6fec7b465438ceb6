"""A small graph of how something went over the plies of a game; every ply is a link to its moment.

trend([(1, 0.5), (2, 0.62)], plies=8, low=0, high=1, here=2, links=["?ply=0", ...], label="Winning chance of Black")
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from .picture import Picture
from .svg import SANS, Markup, document, element, text

WIDTH, HEIGHT, LEFT, TOP, BOTTOM = 440.0, 88.0, 38.0, 6.0, 6.0
TREND_CLASSES = {
    "trend-ground": "fill:$shade;stroke:$line",
    "trend-middle": "stroke:$faint;stroke-width:1;stroke-dasharray:4 4",
    "trend-area": "fill:$second;fill-opacity:.22",
    "trend-line": "fill:none;stroke:$second;stroke-width:2.2;stroke-linejoin:round",
    "trend-dot": "fill:$second",
    "trend-here": "stroke:$ink;stroke-width:1.6",
    "trend-inaccuracy": "fill:$mark;stroke:$ink;stroke-width:1",
    "trend-mistake": "fill:$first;stroke:$ink;stroke-width:1",
    "trend-hit": "fill:#000;fill-opacity:0",
    "trend-end": f"fill:$ink;{SANS};font-size:11px;text-anchor:end",
}


def trend(
    points: Sequence[tuple[int, float]],
    plies: int,
    *,
    low: float = 0.0,
    high: float = 1.0,
    ends: tuple[str, str] = ("0 %", "100 %"),
    here: int | None = None,
    links: Mapping[int, str] | None = None,
    marks: Mapping[int, str] | None = None,
    label: str = "",
) -> Picture:
    """The graph of points (ply, value); `marks` are plies with a mistake: `inaccuracy` or `mistake`."""
    last, span = max(plies, 1), (high - low) or 1.0

    def place(ply: float, value: float) -> tuple[float, float]:
        share = (min(max(value, low), high) - low) / span
        return LEFT + ply / last * (WIDTH - LEFT - 6), HEIGHT - BOTTOM - share * (HEIGHT - TOP - BOTTOM)

    (left, base), (right, top) = place(0, low), place(last, high)
    middle = (base + top) / 2
    parts: list[Markup] = [
        element("rect", x=left, y=top, width=right - left, height=base - top, class_="trend-ground"),
        element("path", d=f"M{left:.1f} {middle:.1f}H{right:.1f}", class_="trend-middle"),
        text(LEFT - 4, top + 9, ends[1], "trend-end"),
        text(LEFT - 4, base, ends[0], "trend-end"),
    ]
    placed = [place(ply, value) for ply, value in points]
    if placed:
        way = "L".join(f"{x:.1f} {y:.1f}" for x, y in placed)
        area = f"M{placed[0][0]:.1f} {middle:.1f}L{way}L{placed[-1][0]:.1f} {middle:.1f}Z"
        parts += [
            element("path", d=area, class_="trend-area"),
            element("path", d=f"M{way}", class_="trend-line"),
            element("circle", cx=placed[-1][0], cy=placed[-1][1], r=3, class_="trend-dot"),
        ]
    values = dict(points)
    for ply, name in (marks or {}).items():
        if ply in values:
            x, y = place(ply, values[ply])
            parts.append(element("circle", cx=x, cy=y, r=4.5, class_=f"trend-{name}"))
    if here is not None:
        parts.append(element("path", d=f"M{place(here, low)[0]:.1f} {top:.1f}V{base:.1f}", class_="trend-here"))
    parts += _links(links or {}, last, left, right, top, base)
    words = "\n".join([label, *(f"{ply}: {value:.3g}" for ply, value in points)])
    return Picture(
        document(WIDTH, HEIGHT, *parts, description=words, label=label, classes=TREND_CLASSES, role="group"), words
    )


def _links(links: Mapping[int, str], last: int, left: float, right: float, top: float, base: float) -> list[Markup]:
    """A column to click at for every ply."""
    step = (right - left) / last
    found = []
    for ply, address in links.items():
        begin, end = max(left + (ply - 0.5) * step, left), min(left + (ply + 0.5) * step, right)
        column = element("rect", x=begin, y=top, width=end - begin, height=base - top, class_="trend-hit")
        found.append(element("a", element("title", f"ply {ply}"), column, href=address, tabindex="-1"))
    return found
