"""Boards of twenty-four points and a bar: two sides of round men that run past each other, and dice.

    points([0] * 25, [0] * 25, dice=(6, 5), caption="White to move")

Both sides are counted alike: index 1 to 24 for the points as the first side numbers them, index 0 for
its men on the bar. The first side's low points are at the lower right, where its men leave the board.
Points are numbered as the side that rolls counts them, on the board and as places, beside `bar` and `off`.
"""

from __future__ import annotations

from collections.abc import Collection, Sequence

from . import svg
from .dice import DIE_CLASSES, die
from .picture import Picture
from .svg import Markup, element

TALL = 5  # men drawn of a stack; more are a number on the last one
MAN = 38.0
FRAME = 22.0
TRAY = 58.0
HALF = 6 * MAN + 12
BAR = 46.0
HEIGHT = 2 * TALL * MAN + 76

POINTS_CLASSES = {
    "frame": "fill:$wood",
    "field": "fill:$felt",
    "hinge": "fill:$wood;stroke:$felt-line;stroke-width:1",
    "light-point": "fill:$light-wood",
    "dark-point": "fill:$dark-wood",
    "first-man": "fill:$white;stroke:$white-edge;stroke-width:1.5",
    "second-man": "fill:$black;stroke:$black-edge;stroke-width:1.5",
    "first-count": f"fill:$black;{svg.SANS};font-size:15px;text-anchor:middle",
    "second-count": f"fill:$white;{svg.SANS};font-size:15px;text-anchor:middle",
    "room": "fill:$ink;fill-opacity:0",
    "touched": "fill:none;stroke:$last-wood;stroke-width:4",
    **DIE_CLASSES,
}


def points(
    first: Sequence[int],
    second: Sequence[int],
    *,
    off: tuple[int, int] = (0, 0),
    dice: Sequence[int] = (),
    roller: int = 0,
    signs: tuple[str, str] = ("O", "X"),
    touched: Collection[int] = (),
    caption: str = "",
) -> Picture:
    """The picture of a board; `off` are the men that have left it, `touched` the points of the last move.

    `roller` is the side that is to play, 0 or 1: it is its numbers that are written at the points.
    """
    words = _text(first, second, off, dice, roller, signs, touched, caption)
    return Picture(_svg(first, second, off, dice, roller, touched, caption, words), words)


# -- text -------------------------------------------------------------------------------------------------

UPPER = (*range(13, 19), *range(19, 25))
LOWER = (*range(12, 6, -1), *range(6, 0, -1))


def _text(
    first: Sequence[int],
    second: Sequence[int],
    off: tuple[int, int],
    dice: Sequence[int],
    roller: int,
    signs: tuple[str, str],
    touched: Collection[int],
    caption: str,
) -> str:
    """Five lines for each half; the numbers of the points that the last move touched have a star."""
    rows = [_numbers(UPPER, touched, roller)]
    rows += [_line(first, second, UPPER, height, signs, (second[0], signs[1])) for height in range(TALL)]
    thrown = "  ".join(str(die) for die in dice)
    sides = (f"{thrown:^18}", " " * 18) if roller == 1 else (" " * 18, f"{thrown:^18}")
    rows.append(f"|{sides[0]}|BAR|{sides[1]}|")
    rows += [_line(first, second, LOWER, height, signs, (first[0], signs[0])) for height in reversed(range(TALL))]
    rows.append(_numbers(LOWER, touched, roller))
    for row, side in ((1, 1), (len(rows) - 2, 0)):
        if off[side]:
            rows[row] += f"  {signs[side]} off: {off[side]}"
    return "\n".join([*rows, caption] if caption else rows)


def _counted(point: int, side: int) -> int:
    """The number of a point, which the first side counts so, as a side counts it."""
    return 25 - point if side == 1 else point


def _numbers(order: Sequence[int], touched: Collection[int], roller: int) -> str:
    names = [f"{_counted(point, roller)}{'*' if point in touched else ''}".center(3, "-") for point in order]
    halves = "".join(names[:6]), "".join(names[6:])
    return f"+{halves[0]}+---+{halves[1]}+"


def _line(
    first: Sequence[int],
    second: Sequence[int],
    order: Sequence[int],
    height: int,
    signs: tuple[str, str],
    waiting: tuple[int, str],
) -> str:
    """One line of men, `height` of them from the edge; `waiting` are those of one side on the bar."""
    cells = []
    for point in order:
        count, sign = (first[point], signs[0]) if first[point] else (second[point], signs[1])
        cells.append(_cell(count, sign, height).center(3))
    bar = _cell(waiting[0], waiting[1], TALL - 1 - height).center(3)
    return f"|{''.join(cells[:6])}|{bar}|{''.join(cells[6:])}|"


def _cell(count: int, sign: str, height: int) -> str:
    if count <= height:
        return ""
    return str(count) if height == TALL - 1 and count > TALL else sign


# -- SVG --------------------------------------------------------------------------------------------------


def _place(point: int) -> tuple[float, bool]:
    """The middle of a point, and whether it stands at the upper edge."""
    upper = point > 12
    column = point - 13 if upper else 12 - point
    gap = BAR if column >= 6 else 0
    return FRAME + 6 + (column % 6 + 0.5) * MAN + (HALF + gap if column >= 6 else 0), upper


def _svg(
    first: Sequence[int],
    second: Sequence[int],
    off: tuple[int, int],
    dice: Sequence[int],
    roller: int,
    touched: Collection[int],
    caption: str,
    words: str,
) -> str:
    width, height = 2 * FRAME + 2 * HALF + BAR + TRAY, HEIGHT + 2 * FRAME
    middle = FRAME + HALF + BAR / 2
    parts = [element("rect", x=0, y=0, width=width, height=height, rx=8, class_="frame")]
    fields = (FRAME, FRAME + HALF + BAR)
    parts += [element("rect", x=left, y=FRAME, width=HALF, height=HEIGHT, class_="field") for left in fields]
    parts.append(element("rect", x=FRAME + HALF, y=FRAME, width=BAR, height=HEIGHT, class_="hinge"))
    for point in range(1, 25):
        x, upper = _place(point)
        class_, side = ("first", first) if first[point] else ("second", second)
        men = _stack(x, upper, FRAME, side[point], class_)
        name = str(_counted(point, roller))
        parts.append(svg.place(name, *_point(point, name, point in touched), *men))
    for number, (side, class_) in enumerate(((first, "first"), (second, "second"))):
        men = _stack(middle, number == 1, FRAME + HEIGHT / 2 - MAN * 3, side[0], class_)
        room = {"x": FRAME + HALF, "width": BAR, "height": HEIGHT / 2}
        bar = element("rect", **room, y=FRAME + (0 if number == 1 else HEIGHT / 2), class_="room")
        parts.append(svg.place("bar" if number == roller else "", bar, *men))
        tray = {"x": width - TRAY - FRAME / 2, "width": TRAY, "height": HEIGHT / 2}
        left = element("rect", **tray, y=FRAME + (0 if number == 1 else HEIGHT / 2), class_="room")
        y = FRAME + 20 if number == 1 else height - FRAME - 20
        gone = _man(width - TRAY / 2 - FRAME / 2, y, class_, str(off[number])) if off[number] else []
        parts.append(svg.place("off" if number == roller else "", left, *gone))
    centre = FRAME + HALF / 2 + (0 if roller == 1 else HALF + BAR)
    for number, face in enumerate(dice):
        x = centre + (number - (len(dice) - 1) / 2) * 48
        parts.append(die(x, FRAME + HEIGHT / 2, face, dark=roller == 1))
    width, height, parts = svg.captioned(width, height, parts, caption, turns=True)
    return svg.document(width, height, *parts, description=words, label=caption, classes=POINTS_CLASSES)


def _point(point: int, name: str, touched: bool) -> list[Markup]:
    x, upper = _place(point)
    edge, tip = (FRAME, FRAME + TALL * MAN) if upper else (FRAME + HEIGHT, FRAME + HEIGHT - TALL * MAN)
    shape = f"M{x - MAN / 2:.1f} {edge:.1f}h{MAN:.1f}L{x:.1f} {tip:.1f}Z"
    parts = [element("path", d=shape, class_="light-point" if point % 2 else "dark-point")]
    if touched:
        parts.append(element("path", d=shape, class_="touched"))
    parts.append(svg.text(x, 15 if upper else HEIGHT + 2 * FRAME - 7, name, "on-wood"))
    return parts


def _stack(x: float, upper: bool, margin: float, count: int, class_: str) -> list[Markup]:
    """The men of a point or of the bar, `margin` from the edge of the picture."""
    parts: list[Markup] = []
    for height in range(min(count, TALL)):
        away = margin + (height + 0.5) * MAN
        label = str(count) if height == TALL - 1 and count > TALL else ""
        parts += _man(x, away if upper else HEIGHT + 2 * FRAME - away, class_, label)
    return parts


def _man(x: float, y: float, class_: str, label: str) -> list[Markup]:
    man = [element("circle", cx=x, cy=y, r=MAN / 2 - 1, class_=f"{class_}-man")]
    return [svg.upright(*man, *([svg.text(x, y + 5, label, f"{class_}-count")] if label else []))]
