"""The six chessmen as paths of our own, each around the middle of a square of 48 by 48."""

from __future__ import annotations

from .svg import Markup, element

BODIES = {
    "rook": "M-13 17.5h26v-4.5h-3.5l-1.5-13.5h3.5v-11.5h-5v4h-4v-4h-5v4h-4v-4h-5v11.5h3.5l-1.5 13.5h-3.5z",
    "knight": "M-10 17.5h23c1-7 1.5-13-.5-19.500c-2-7-7-11-12.5-12l-2.5-4.5-2.5 4.500c-4 2-5 6-7 9.5"
    "l-3 5.500c-1 2 .5 4.5 2.5 5 1.5.5 3 0 4-1.500l5-2c.5 5-6.5 7.5-6.5 15z",
    "bishop": "M-13 17.5h26v-4c-3-.5-6-1-8.5-3v-3c3.5-2 5.5-5 5-8.5-.6-4.5-5-7.5-9.5-12.5"
    "-4.5 5-8.9 8-9.5 12.5-.5 3.5 1.5 6.5 5 8.500v3c-2.5 2-5.5 2.5-8.5 3z",
    "queen": "M-12 17.5h24v-4l-2-3 5-17.5-7 8-2.5-12-5.5 11-5.5-11-2.5 12-7-8 5 17.5-2 3z",
    "king": "M-12 17.5h24v-4l-2-3c7-6.5 7.5-15.5-.5-16.5-4.5-.5-8 2.5-9.5 6-1.5-3.5-5-6.5-9.5-6"
    "-8 1-7.5 10-.5 16.500l-2 3z",
}
CARVED = {  # lines drawn on top, in the colour of the edge
    "rook": "M-9 -.5h18M-10 13h20",
    "knight": "M-5.5 -5.500l.1 .1M-13.5 3l1 1M3.5 -12c5 2.5 7.5 9 7 17",
    "bishop": "M-8 10.500h16M1.5 -9.500l-3.5 7",
    "queen": "M-10 10.500c6-1.8 14-1.8 20 0M-11 14c7-1.5 15-1.5 22 0",
    "king": "M-10 10.500c6-1.8 14-1.8 20 0M-11 14c7-1.5 15-1.5 22 0M0 0v8",
}
KNOBS = {  # x, y and radius of round knobs
    "bishop": ((0, -15.5, 2.6),),
    "queen": ((-15, -8.5, 2.2), (-8, -14, 2.2), (8, -14, 2.2), (15, -8.5, 2.2), (0, -13.5, 2.2)),
}
CROSS = "M-1.5 -18h3v3h3v3h-3v6h-3v-6h-3v-3h3z"

CHESS_CLASSES = {
    "carved-white": "fill:none;stroke:$white-edge;stroke-width:1.4;stroke-linecap:round",
    "carved-black": "fill:none;stroke:#a9b1ba;stroke-width:1.4;stroke-linecap:round",
    "alarm": "fill:#d8412f;opacity:.55",
    "pointing": "fill:#2b6cb0;opacity:.7",
}


def chessman(kind: str, x: float, y: float, colour: str) -> list[Markup]:
    """A piece of one of the kinds of `BODIES`, `white` or `black`."""
    parts = [element("path", d=BODIES[kind], class_=colour, stroke_linejoin="round")]
    if kind == "king":
        parts.append(element("path", d=CROSS, class_=colour, stroke_linejoin="round"))
    parts += [element("circle", cx=cx, cy=cy, r=r, class_=colour) for cx, cy, r in KNOBS.get(kind, ())]
    parts.append(element("path", d=CARVED[kind], class_=f"carved-{colour}"))
    return [
        element("ellipse", cx=x, cy=y + 18, rx=14, ry=2.6, class_="shadow"),
        element("g", *parts, transform=f"translate({x:g} {y:g})"),
    ]
