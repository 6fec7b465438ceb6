"""Races: one track per player, how far each has come, and what is at stake.

    tracks([("first", 12, 7), ("second", 34, 0)], 100, caption="the first player to roll")

A runner is (name, place, reach): it stands at `place` and may get to `place + reach`, which is drawn
pale. `posts` are places marked on every track.
"""

from __future__ import annotations

from collections.abc import Collection, Sequence

from . import svg
from .dice import DIE_CLASSES, die
from .picture import Picture
from .svg import Markup, element

LENGTH = 250
LANE = 66
BAR = 38
WIDEST = 60  # characters of a track in text

TRACKS_CLASSES = {
    "track": "fill:$shade;stroke:$line;stroke-width:1",
    "post": "stroke:$faint;stroke-width:1.5;stroke-dasharray:3 3",
    "runner-0": "fill:$first",
    "runner-1": "fill:$second",
    "runner-2": "fill:$good",
    "reach": "opacity:.45",
    "runner": f"fill:$ink;{svg.SANS};font-size:21px",
    "pawn": "fill:#ffffff;stroke:#17191c;stroke-width:3",
    "goal": "stroke:$last-paper;stroke-width:5",
    **DIE_CLASSES,
}


def tracks(
    runners: Sequence[tuple[str, int, int]],
    goal: int,
    *,
    posts: Collection[int] = (),
    mover: int | None = None,
    rolled: int = 0,
    caption: str = "",
) -> Picture:
    """The picture of a race to `goal`; the runner who is to move has an arrow, and beside it lies what was `rolled`."""
    words = _text(runners, goal, posts, mover, caption)
    return Picture(_svg(runners, goal, posts, mover, rolled, caption, words), words)


def _text(
    runners: Sequence[tuple[str, int, int]], goal: int, posts: Collection[int], mover: int | None, caption: str
) -> str:
    scale = min(1.0, WIDEST / max(goal, 1))
    names = max(len(name) for name, _, _ in runners)
    lines = []
    for number, (name, place, reach) in enumerate(runners):
        track = ["."] * (int(goal * scale) + 1)
        for post in posts:
            track[int(min(post, goal) * scale)] = "|"
        here, there = int(min(place, goal) * scale), int(min(place + reach, goal) * scale)
        for step in range(here, there):
            track[step] = "+"
        track[here] = "o"
        more = f"+{reach}" if reach else ""
        arrow = ">" if number == mover else " "
        lines.append(f"{arrow} {name:<{names}} {''.join(track)} {place}{more}")
    return "\n".join([*lines, caption] if caption else lines)


def _svg(
    runners: Sequence[tuple[str, int, int]],
    goal: int,
    posts: Collection[int],
    mover: int | None,
    rolled: int,
    caption: str,
    words: str,
) -> str:
    left = 34 + 13.4 * max(len(name) for name, _, _ in runners) + BAR / 2  # a pawn at the start hides no name
    parts: list[Markup] = []

    def at(place: int) -> float:
        return left + LENGTH * min(place, goal) / max(goal, 1)

    bottom = len(runners) * LANE
    for number, (name, place, reach) in enumerate(runners):
        y, colour = 8 + number * LANE, f"runner-{number % 3}"
        middle = y + 4 + BAR / 2
        if number == mover:
            parts.append(element("path", d=f"M3 {middle - 11}l18 11l-18 11z", class_=colour))
        parts.append(svg.text(26, middle + 7, name, "runner"))
        parts.append(element("rect", x=left, y=y + 4, width=LENGTH, height=BAR, rx=6, class_="track"))
        if reach:
            size = {"y": y + 4, "width": at(place + reach) - at(place), "height": BAR}
            parts.append(element("rect", x=at(place), **size, class_=f"{colour} reach"))
        parts.append(element("rect", x=left, y=y + 4, width=at(place) - left, height=BAR, rx=6, class_=colour))
        parts.append(svg.upright(element("circle", cx=at(place), cy=middle, r=BAR / 2, class_="pawn")))
        more = f"{place} + {reach}" if reach else str(place)
        parts.append(svg.text(left + LENGTH + 26, middle + 7, more, "runner"))
    parts += [element("line", x1=at(post), x2=at(post), y1=6, y2=bottom, class_="post") for post in posts]
    parts.append(element("line", x1=at(goal), x2=at(goal), y1=6, y2=bottom, class_="goal"))
    if rolled:
        parts.append(die(left + LENGTH / 2, bottom + 44, rolled, size=68))
        bottom += 82
    width, height, parts = svg.captioned(left + LENGTH + 124, bottom + 10, parts, caption)
    return svg.document(width, height, *parts, description=words, label=caption, classes=TRACKS_CLASSES)
