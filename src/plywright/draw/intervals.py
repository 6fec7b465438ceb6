"""Estimates with their intervals, one line each: a dot for the estimate, a bar for what it may be.

intervals([Interval("alphabeta", 120.0, 80.0, 170.0), Interval("random", -120.0, -math.inf, -70.0)], "Elo")
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from typing import NamedTuple

from .curve import CURVE_CLASSES, axis, tick_text
from .picture import Picture
from .svg import SANS, Markup, document, element, text

ROW = 30.0
INTERVAL_CLASSES = {
    **CURVE_CLASSES,
    "row-name": f"fill:$ink;{SANS};font-size:13px;text-anchor:end",
    "row-value": f"fill:$ink;{SANS};font-size:12px",
    "bar": "stroke:$second;stroke-width:3;fill:none;stroke-linecap:round",
    "arrow": "fill:$second",
    "estimate": "fill:$first;stroke:$paper;stroke-width:1.5",
    "zero": "stroke:$faint;stroke-width:1;stroke-dasharray:4 4;fill:none",
}


class Interval(NamedTuple):
    """A name, an estimate and the ends of its interval; an end or an estimate may be infinite."""

    name: str
    middle: float
    low: float
    high: float


def intervals(rows: Sequence[Interval], label: str, *, width: float = 760, digits: int = 0) -> Picture:
    """The picture of some estimates on one axis; an end without a limit is an arrow."""
    finite = [x for row in rows for x in row[1:] if math.isfinite(x)] or [0.0]
    scale = axis(label, [*finite, *_room(rows, finite)], False)
    names = max(len(row.name) for row in rows)
    left, right = min(9.0 * names, 330.0) + 24, width - 190.0
    bottom = 14 + ROW * len(rows)

    def place(value: float) -> float:
        share = scale.share(min(max(value, scale.low), scale.high))
        return left + share * (right - left)

    parts: list[Markup] = []
    for tick in scale.ticks:
        parts.append(element("path", d=f"M{place(tick):.1f} 8V{bottom:.1f}", class_="grid"))
        parts.append(text(place(tick), bottom + 18, tick_text(tick), "tick-x"))
    parts.append(element("path", d=f"M{place(0):.1f} 8V{bottom:.1f}", class_="zero"))
    parts.append(text((left + right) / 2, bottom + 40, label, "tick-x"))
    for number, row in enumerate(rows):
        y = 14 + ROW * (number + 0.5)
        shown = row.name if len(row.name) <= 36 else row.name[:35] + "…"
        parts.append(text(left - 12, y + 4.5, shown, "row-name"))
        parts.append(element("path", d=f"M{place(row.low):.1f} {y:.1f}H{place(row.high):.1f}", class_="bar"))
        for end, way in ((row.low, -1), (row.high, 1)):
            if not math.isfinite(end):
                x = place(end)
                parts.append(element("path", d=f"M{x:.1f} {y - 6:.1f}l{9 * way} 6l{-9 * way} 6z", class_="arrow"))
        if math.isfinite(row.middle):
            parts.append(element("circle", cx=place(row.middle), cy=y, r=5.5, class_="estimate"))
        parts.append(text(right + 16, y + 4.5, _words(row, digits), "row-value"))
    table = "\n".join(f"{row.name.rjust(names)}  {_words(row, digits)}" for row in rows)
    svg = document(width, bottom + 52, *parts, description=table, label=label, classes=INTERVAL_CLASSES)
    return Picture(svg, table)


def _room(rows: Sequence[Interval], finite: Sequence[float]) -> list[float]:
    """More points that the axis must hold: zero, and room for arrows beyond everything that has a place."""
    ends = [0.0, *finite]
    span = max(ends) - min(ends) or 1.0
    low = [min(ends) - span / 8] if any(row.low == -math.inf for row in rows) else []
    return [0.0, *low, *([max(ends) + span / 8] if any(row.high == math.inf for row in rows) else [])]


def _words(row: Interval, digits: int) -> str:
    middle, low, high = (
        f"{x:+.{digits}f}" if math.isfinite(x) else "+∞" if x > 0 else "-∞" for x in (row.middle, row.low, row.high)
    )
    return f"{middle}  [{low}, {high}]"
