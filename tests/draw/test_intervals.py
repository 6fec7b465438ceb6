"""Estimates with intervals: what has a place is drawn there, what has no limit is an arrow."""

from __future__ import annotations

import math
import re
import xml.etree.ElementTree as ET

from plywright.draw.intervals import Interval, intervals


def test_estimates_and_ends_lie_in_order_on_the_axis() -> None:
    picture = intervals([Interval("a", 100, 50, 160), Interval("b", -100, -160, -50)], "Elo")
    ET.fromstring(picture.svg)
    places = [float(x) for x in re.findall(r'<circle cx="([\d.]+)"', picture.svg)]
    bars = [
        tuple(map(float, ends)) for ends in re.findall(r'd="M([\d.]+) [\d.]+H([\d.]+)" class="pw-bar"', picture.svg)
    ]
    assert places[1] < places[0] and all(low < x < high for (low, high), x in zip(bars, places, strict=True))
    assert picture.text.splitlines() == ["a  +100  [+50, +160]", "b  -100  [-160, -50]"]


def test_what_has_no_limit_is_an_arrow_beyond_the_rest() -> None:
    picture = intervals([Interval("<won>", math.inf, 120, math.inf), Interval("x", 0, -10, 10)], "Elo")
    ET.fromstring(picture.svg)
    assert picture.svg.count('pw-arrow"') == 1 and picture.svg.count("<circle") == 1 and "&lt;won&gt;" in picture.svg
    end = float(re.findall(r'H([\d.]+)" class="pw-bar"', picture.svg)[0])
    arrow = float(re.findall(r'd="M([\d.]+) [\d.]+l9 6', picture.svg)[0])
    assert arrow == end and "+∞" in picture.text


def test_nothing_known_at_all_can_be_drawn() -> None:
    ET.fromstring(intervals([Interval("x", 0.0, -math.inf, math.inf)], "Elo").svg)
