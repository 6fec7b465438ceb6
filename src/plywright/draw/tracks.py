"""Races: one track per player, how far each has come, and what is at stake.

    tracks([("first", 12, 7), ("second", 34, 0)], 100, caption="the first player to roll")

A runner is (name, place, reach): it stands at `place` and may get to `place + reach`, which is drawn
pale. `posts` are places marked on every track.
"""

from __future__ import annotations

from collections.abc import Collection, Sequence

from . import svg
from .picture import Picture
from .svg import Markup, element

LENGTH = 400
LANE = 40
WIDEST = 60  # characters of a track in text

TRACKS_CLASSES = {
    "track": "fill:$shade;stroke:$line;stroke-width:1",
    "post": "stroke:$faint;stroke-width:1.5;stroke-dasharray:3 3",
    "runner-0": "fill:$first",
    "runner-1": "fill:$second",
    "runner-2": "fill:$good",
    "reach": "opacity:.35",
    "runner": f"fill:$ink;{svg.SANS};font-size:14px",
    "goal": "stroke:$mark;stroke-width:4",
}


def tracks(
    runners: Sequence[tuple[str, int, int]],
    goal: int,
    *,
    posts: Collection[int] = (),
    mover: int | None = None,
    caption: str = "",
) -> Picture:
    """The picture of a race to `goal`; the runner who is to move has an arrow."""
    words = _text(runners, goal, posts, mover, caption)
    return Picture(_svg(runners, goal, posts, mover, caption, words), words)


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
    caption: str,
    words: str,
) -> str:
    left = 26 + 8.6 * max(len(name) for name, _, _ in runners)
    parts: list[Markup] = []

    def at(place: int) -> float:
        return left + LENGTH * min(place, goal) / max(goal, 1)

    for number, (name, place, reach) in enumerate(runners):
        y = 8 + number * LANE
        if number == mover:
            parts.append(element("path", d=f"M4 {y + 8}l10 6l-10 6z", class_=f"runner-{number % 3}"))
        parts.append(svg.text(20, y + 19, name, "runner"))
        parts.append(element("rect", x=left, y=y + 4, width=LENGTH, height=20, rx=4, class_="track"))
        colour = f"runner-{number % 3}"
        parts.append(element("rect", x=left, y=y + 4, width=at(place) - left, height=20, rx=4, class_=colour))
        if reach:
            parts.append(
                element(
                    "rect",
                    x=at(place),
                    y=y + 4,
                    width=at(place + reach) - at(place),
                    height=20,
                    class_=f"{colour} reach",
                )
            )
        more = f"{place} + {reach}" if reach else str(place)
        parts.append(svg.text(left + LENGTH + 10, y + 19, more, "runner"))
    bottom = len(runners) * LANE
    parts += [element("line", x1=at(post), x2=at(post), y1=6, y2=bottom, class_="post") for post in posts]
    parts.append(element("line", x1=at(goal), x2=at(goal), y1=6, y2=bottom, class_="goal"))
    width, height, parts = svg.captioned(left + LENGTH + 90, bottom + 10, parts, caption)
    return svg.document(width, height, *parts, description=words, label=caption, classes=TRACKS_CLASSES)
