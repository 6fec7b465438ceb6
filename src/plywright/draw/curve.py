"""Line plots: a few series of points over round axes, each told apart by colour, dash and marker.

curve_svg([Series("perfect", [(1, 3), (2, 5)]), Series("worst", [(1, 3), (2, 9)])], log_y=True)
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from typing import NamedTuple

from ..errors import BadInput
from .picture import Picture
from .svg import SANS, Markup, document, element, text


class Series(NamedTuple):
    """One curve: its name and its points from left to right."""

    name: str
    points: Sequence[tuple[float, float]]
    marked: bool = True  # a marker at each point
    spread: Sequence[tuple[float, float]] = ()  # the ends of an interval for each point, drawn as whiskers


class Mark(NamedTuple):
    """A value of x worth pointing out: a thin upright line with a few words at its top."""

    x: float
    words: str


class Axis(NamedTuple):
    """One axis: what it means, the values at its ends, whether it is logarithmic, and its ticks."""

    label: str
    low: float
    high: float
    log: bool
    ticks: tuple[float, ...]

    def share(self, value: float) -> float:
        """How far along the axis a value lies, from 0 to 1."""
        if self.log:
            return (math.log10(value) - math.log10(self.low)) / (math.log10(self.high) - math.log10(self.low))
        return (value - self.low) / (self.high - self.low)


STYLES = (
    ("second", ""),
    ("first", "9 5"),
    ("good", "2 5"),
    ("mark", "12 4 2 4"),
    ("ink", "6 3 2 3 2 3"),
    ("faint", "14 3"),
)
CURVE_CLASSES: dict[str, str] = {
    "title": f"fill:$ink;{SANS};font-size:15px;font-weight:bold",
    "axis": "stroke:$ink;stroke-width:1.2;fill:none",
    "grid": "stroke:$line;stroke-width:0.7;fill:none",
    "tick-x": f"fill:$ink;{SANS};font-size:12px;text-anchor:middle",
    "tick-y": f"fill:$ink;{SANS};font-size:12px;text-anchor:end",
    "legend": f"fill:$ink;{SANS};font-size:13px",
    "rule": "stroke:$ink;stroke-width:1.2;fill:none;stroke-dasharray:3 3",
    "rule-start": f"fill:$ink;{SANS};font-size:12px;stroke:$paper;stroke-width:4;paint-order:stroke",
    "rule-end": f"fill:$ink;{SANS};font-size:12px;text-anchor:end;stroke:$paper;stroke-width:4;paint-order:stroke",
    **{
        f"curve-{i}": f"stroke:${colour};stroke-width:2.4;fill:none;stroke-dasharray:{dash or 'none'}"
        for i, (colour, dash) in enumerate(STYLES)
    },
    **{f"whisker-{i}": f"stroke:${colour};stroke-width:1.6;fill:none" for i, (colour, _) in enumerate(STYLES)},
    **{f"dot-{i}": f"fill:${colour};stroke:$paper;stroke-width:1" for i, (colour, _) in enumerate(STYLES)},
}
LEFT, RIGHT, BOTTOM = 76.0, 22.0, 54.0
LETTER = 7.0  # of a label, so that the last one stays inside


def curve_picture(series: Sequence[Series], **options: object) -> Picture:
    """The plot as SVG and as a table; the options are those of `curve_svg`."""
    return Picture(curve_svg(series, **options), curve_table(series, options.get("marks", ())))  # type: ignore[arg-type]


def curve_svg(
    series: Sequence[Series],
    *,
    title: str = "",
    x_label: str = "",
    y_label: str = "",
    log_x: bool = False,
    log_y: bool = False,
    marks: Sequence[Mark] = (),
    x_range: Sequence[float] = (),
    y_range: Sequence[float] = (),
    width: float = 660,
    height: float = 440,
) -> str:
    """The plot as an SVG document; the axes reach at least to the values in `x_range` and `y_range`."""
    points = [point for one in series for point in one.points]
    points += [(x, end) for one in series for (x, _), ends in zip(one.points, one.spread, strict=False) for end in ends]
    if not points or not all(math.isfinite(x) and math.isfinite(y) for x, y in points):
        raise BadInput("a plot needs at least one point, and only finite ones")
    across = axis(x_label, [*(x for x, _ in points), *(mark.x for mark in marks), *x_range], log_x)
    upward = axis(y_label, [*(y for _, y in points), *y_range], log_y)
    legend, lines = _legend(series, width)
    top = (34.0 if title else 12.0) + 22.0 * lines + 6

    def place(x: float, y: float) -> tuple[float, float]:
        return (
            LEFT + across.share(x) * (width - LEFT - RIGHT),
            height - BOTTOM - upward.share(y) * (height - BOTTOM - top),
        )

    parts: list[Markup] = []
    if title:
        parts.append(text(LEFT, 24, title, "title"))
    parts += [element("g", *legend, transform=f"translate(0 {34 if title else 12})")]
    parts += _axes(across, upward, place(across.low, upward.low), place(across.high, upward.high))
    for number, one in enumerate(series):
        for (x, _), (low, high) in zip(one.points, one.spread, strict=False):
            parts.append(_whisker(number, place(x, low), place(x, high)))
        parts.append(_curve(number, [place(x, y) for x, y in one.points], one.marked))
    parts += _rules(marks, [place(mark.x, upward.low)[0] for mark in marks], top, (width - RIGHT, height - BOTTOM))
    label = title or " and ".join(one.name for one in series)
    return document(width, height, *parts, description=curve_table(series, marks), label=label, classes=CURVE_CLASSES)


def axis(label: str, values: Sequence[float], log: bool) -> Axis:
    """An axis that holds all values between two round ticks."""
    low, high = min(values), max(values)
    if log:
        if low <= 0:
            raise BadInput(f"a logarithmic axis has no place for {low:g}")
        first, last = math.floor(math.log10(low)), math.ceil(math.log10(high))
        last = max(last, first + 1)
        every = -(-(last - first) // 10)  # at most ten labels
        powers = range(first, last + 1, every)
        return Axis(label, 10.0**first, 10.0**last, True, tuple(10.0**power for power in powers))
    if low == high:
        low, high = low - 0.5, high + 0.5
    step = round_step((high - low) / 6)
    first, last = math.floor(low / step), math.ceil(high / step)
    ticks = tuple(round(number * step, 12) for number in range(first, last + 1))
    return Axis(label, ticks[0], ticks[-1], False, ticks)


def round_step(rough: float) -> float:
    """The smallest of 1, 2, 5 times a power of ten that is at least `rough`."""
    power = 10.0 ** math.floor(math.log10(rough))
    return next(factor * power for factor in (1, 2, 5, 10) if factor * power >= rough * (1 - 1e-9))


def tick_text(value: float, *, whole: bool = False) -> str:
    """A number at an axis; `whole` where it may have up to seven digits, as between others of the same kind."""
    if whole and value == round(value) and abs(value) < 1e7:
        return f"{value:,.0f}"
    if value != 0 and (abs(value) >= 1e5 or abs(value) < 1e-3):
        mantissa, _, exponent = f"{value:.3g}".partition("e")
        if exponent:
            power = str(int(exponent)).translate(str.maketrans("-0123456789", "⁻⁰¹²³⁴⁵⁶⁷⁸⁹"))
            return f"10{power}" if mantissa == "1" else f"{mantissa}·10{power}"
    return f"{value:,.6g}"


def _axes(across: Axis, upward: Axis, origin: tuple[float, float], far: tuple[float, float]) -> list[Markup]:
    """Both axes from the origin to the far corner, with ticks and labels."""
    (x0, y0), (x1, y1) = origin, far
    parts = []
    for value in upward.ticks:
        y = y0 + upward.share(value) * (y1 - y0)
        parts.append(element("path", d=f"M{x0:.1f} {y:.1f}H{x1:.1f}", class_="grid"))
        parts.append(text(x0 - 8, y + 4, tick_text(value), "tick-y"))
    for value in across.ticks:
        x = x0 + across.share(value) * (x1 - x0)
        parts.append(element("path", d=f"M{x:.1f} {y0:.1f}v5", class_="axis"))
        label = tick_text(value, whole=not across.log)
        parts.append(text(min(x, x1 + RIGHT - LETTER / 2 * len(label)), y0 + 19, label, "tick-x"))
    parts.append(element("path", d=f"M{x0:.1f} {y1:.1f}V{y0:.1f}H{x1:.1f}", class_="axis"))
    parts.append(text((x0 + x1) / 2, y0 + 42, across.label, "tick-x"))
    middle = (y0 + y1) / 2
    parts.append(text(18, middle, upward.label, "tick-x", transform=f"rotate(-90 18 {middle:.1f})"))
    return parts


def _legend(series: Sequence[Series], width: float) -> tuple[list[Markup], int]:
    """A sample and the name of every series, in as many rows as they need."""
    parts, x, row = [], LEFT, 0
    for number, one in enumerate(series):
        room = 50 + 8.0 * len(one.name)
        if x > LEFT and x + room > width - RIGHT:
            x, row = LEFT, row + 1
        y = 11.0 + 22 * row
        parts.append(_curve(number, [(x, y), (x + 34, y)], ends=False))
        if one.marked:
            parts.append(_marker(number, x + 17, y))
        parts.append(text(x + 42, y + 4.5, one.name, "legend"))
        x += room + 16
    return parts, row + 1


def _rules(marks: Sequence[Mark], xs: Sequence[float], top: float, end: tuple[float, float]) -> list[Markup]:
    """An upright line for each mark; its words stand on the side that has room, each a line lower than the last."""
    parts = [element("path", d=f"M{x:.1f} {top:.1f}V{end[1]:.1f}", class_="rule") for x in xs]
    for row, (mark, x) in enumerate(zip(marks, xs, strict=True)):
        room = 8 + 7.0 * len(mark.words)
        crossed = x + room > end[0] or any(x < other < x + room for other in xs)
        at, style = (x - 6, "rule-end") if crossed and x - room > LEFT else (x + 6, "rule-start")
        parts.append(text(at, top + 14 + 16 * row, mark.words, style))
    return parts


def _curve(number: int, places: Sequence[tuple[float, float]], ends: bool = True) -> Markup:
    style = number % len(STYLES)
    way = "L".join(f"{x:.1f} {y:.1f}" for x, y in places)
    parts = [element("path", d=f"M{way}", class_=f"curve-{style}")]
    if ends:
        parts += [_marker(number, x, y) for x, y in places]
    return element("g", *parts)


def _whisker(number: int, low: tuple[float, float], high: tuple[float, float]) -> Markup:
    """An upright line from the low end of an interval to its high one, with a stroke across at either."""
    (x, bottom), (_, top) = low, high
    ends = "".join(f"M{x - 5:.1f} {y:.1f}h10" for y in (bottom, top))
    return element("path", d=f"M{x:.1f} {bottom:.1f}V{top:.1f}{ends}", class_=f"whisker-{number % len(STYLES)}")


def _marker(number: int, x: float, y: float) -> Markup:
    """A circle, a square, a triangle, a diamond, a cross, an hourglass: the shape goes with the colour."""
    shapes = (
        f"M{x - 4.5:.1f} {y:.1f}a4.5 4.5 0 1 1 9 0a4.5 4.5 0 1 1 -9 0Z",
        f"M{x - 4:.1f} {y - 4:.1f}h8v8h-8Z",
        f"M{x:.1f} {y - 5.5:.1f}l5.2 9.5h-10.4Z",
        f"M{x:.1f} {y - 5.5:.1f}l5.5 5.5l-5.5 5.5l-5.5 -5.5Z",
        f"M{x - 1.5:.1f} {y - 5:.1f}h3v3.5h3.5v3h-3.5v3.5h-3v-3.5h-3.5v-3h3.5Z",
        f"M{x - 4.5:.1f} {y - 5:.1f}h9l-9 10h9Z",
    )
    style = number % len(STYLES)
    return element("path", d=shapes[style], class_=f"dot-{style}")


def curve_table(series: Sequence[Series], marks: Sequence[Mark] = ()) -> str:
    """The same numbers as a table: one row for each x, one column for each series; marks are told below it."""
    columns = [{x: f"{y:,.10g}" for x, y in one.points} for one in series]
    for column, one in zip(columns, series, strict=True):
        for (x, _), (low, high) in zip(one.points, one.spread, strict=False):
            column[x] += f" [{low:,.4g}, {high:,.4g}]"
    xs = sorted({x for column in columns for x in column})
    rows = [["x", *(one.name for one in series)]]
    rows += [[f"{x:g}", *(column.get(x, "") for column in columns)] for x in xs]
    widths = [max(len(row[i]) for row in rows) for i in range(len(rows[0]))]
    lines = ["  ".join(cell.rjust(width) for cell, width in zip(row, widths, strict=True)) for row in rows]
    return "\n".join([*lines, *(f"{mark.x:g}: {mark.words}" for mark in marks)])
