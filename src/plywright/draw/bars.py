"""Bar charts: one vertical bar per name, as wide as it is likely, from a baseline to its value.

bar_picture([Bar("1", -2, 1 / 6), Bar("6", 9, 1 / 6)], x_label="roll", y_label="value", baseline=3.5)

With the mean as the baseline the areas above and below it are equal: what one outcome gives, others take.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Sequence
from typing import NamedTuple

from ..errors import BadInput
from .curve import CURVE_CLASSES, Axis, axis, tick_text
from .picture import Picture
from .svg import SANS, Markup, document, element, text

LEFT, RIGHT, TOP, BOTTOM = 76.0, 22.0, 14.0, 56.0
WORDS = 7.2  # width of a character of a level's words
GAP = 0.16  # of a bar's room that stays empty
LETTER = 8.0  # width of a character below a bar
EACH = 36.0  # room for each of many bars
WIDEST = 90.0  # of bars that are all equally wide
NARROW = 9.0  # a bar has no name below it if not even an upright one fits

BAR_CLASSES: dict[str, str] = {
    **CURVE_CLASSES,
    "above": "fill:$second;stroke:none",
    "below": "fill:$first;stroke:none",
    "bar-name": f"fill:$ink;{SANS};font-size:12px;text-anchor:middle",
    "bar-turned": f"fill:$ink;{SANS};font-size:11px;text-anchor:end",
    "base": "stroke:$ink;stroke-width:1.6;fill:none",
    "level": "stroke:$ink;stroke-width:1.2;fill:none;stroke-dasharray:5 4",
    "level-words": f"fill:$ink;{SANS};font-size:12px",
}


class Bar(NamedTuple):
    """One bar: its name, where it ends, how wide it is beside the others, and words shown when it is pointed at."""

    name: str
    value: float
    weight: float = 1.0
    hint: str = ""


class Level(NamedTuple):
    """A value worth pointing out: a line across the chart with a few words at its right end."""

    value: float
    words: str


def bar_picture(
    bars: Sequence[Bar],
    *,
    label: str = "",
    x_label: str = "",
    y_label: str = "",
    baseline: float = 0.0,
    levels: Sequence[Level] = (),
    width: float | None = None,
    height: float = 330,
) -> Picture:
    """The chart as SVG and as a table; a bar below the baseline has another colour and hangs down."""
    values = [*(bar.value for bar in bars), *(level.value for level in levels), baseline]
    if not bars or not all(map(math.isfinite, values)) or not all(bar.weight > 0 for bar in bars):
        raise BadInput("a bar chart needs at least one bar, with finite values and widths above 0")
    width = max(560.0, EACH * len(bars)) if width is None else width
    upward = axis(y_label, values, False)
    right = width - RIGHT - max((WORDS * len(level.words) for level in levels), default=0.0)
    turned = _turned(bars, right)
    bottom = BOTTOM + (LETTER * 0.9 * max(len(bar.name) for bar in bars) if turned else 0)
    floor = height - bottom

    def level_of(value: float) -> float:
        return floor - upward.share(value) * (floor - TOP)

    parts = _scale(upward, level_of, right)
    widest = WIDEST if len({bar.weight for bar in bars}) == 1 else math.inf
    left, room = LEFT, (right - LEFT) / sum(bar.weight for bar in bars)
    for bar in bars:
        wide = bar.weight * room
        parts += _bar(bar, left, wide, level_of(baseline), level_of(bar.value), widest)
        if not turned or wide >= NARROW:
            parts.append(_name(bar.name, left + wide / 2, floor, turned))
        left += wide
    parts.append(element("path", d=f"M{LEFT:.1f} {level_of(baseline):.1f}H{right:.1f}", class_="base"))
    parts += _levels(levels, level_of, right)
    parts.append(text((LEFT + right) / 2, height - 12, x_label, "tick-x"))
    middle = (TOP + floor) / 2
    parts.append(text(18, middle, y_label, "tick-x", transform=f"rotate(-90 18 {middle:.1f})"))
    words = bar_table(bars, levels)
    return Picture(document(width, height, *parts, description=words, label=label, classes=BAR_CLASSES), words)


def bar_table(bars: Sequence[Bar], levels: Sequence[Level] = ()) -> str:
    """The same numbers as lines: a name, its value and what is said of it."""
    wide = max(len(bar.name) for bar in bars)
    lines = [f"{bar.name.rjust(wide)}  {bar.value:.6g}  {bar.hint}".rstrip() for bar in bars]
    return "\n".join([*lines, *(level.words for level in levels)])


def _turned(bars: Sequence[Bar], right: float) -> bool:
    """Whether some name is wider than its bar, so that all are written upward."""
    room = (right - LEFT) / sum(bar.weight for bar in bars)
    return any(len(bar.name) * LETTER > bar.weight * room - 2 for bar in bars)


def _scale(upward: Axis, level_of: Callable[[float], float], right: float) -> list[Markup]:
    parts = []
    for tick in upward.ticks:
        y = level_of(tick)
        parts.append(element("path", d=f"M{LEFT:.1f} {y:.1f}H{right:.1f}", class_="grid"))
        parts.append(text(LEFT - 8, y + 4, f"{tick:,.0f}" if 1e5 <= abs(tick) < 1e9 else tick_text(tick), "tick-y"))
    return parts


def _bar(bar: Bar, left: float, wide: float, base: float, end: float, widest: float) -> list[Markup]:
    top, tall = min(base, end), max(abs(end - base), 1.0)
    inset = max(wide * GAP, wide - widest) / 2
    hint = [element("title", f"{bar.name}: {bar.hint}")] if bar.hint else []
    class_ = "above" if end <= base else "below"
    return [element("rect", *hint, x=left + inset, y=top, width=wide - 2 * inset, height=tall, rx=1.5, class_=class_)]


def _name(name: str, x: float, floor: float, turned: bool) -> Markup:
    if not turned:
        return text(x, floor + 18, name, "bar-name")
    return text(x + 4, floor + 8, name, "bar-turned", transform=f"rotate(-90 {x + 4:.1f} {floor + 8:.1f})")


def _levels(levels: Sequence[Level], level_of: Callable[[float], float], right: float) -> list[Markup]:
    parts = []
    for level in levels:
        y = level_of(level.value)
        parts.append(element("path", d=f"M{LEFT:.1f} {y:.1f}H{right:.1f}", class_="level"))
        parts.append(text(right + 6, y + 4, level.words, "level-words"))
    return parts
