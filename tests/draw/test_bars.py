"""Bar charts: where bars begin and end, how wide they are, and the same in words."""

from __future__ import annotations

import re

import pytest

from plywright.draw.bars import Bar, Level, bar_picture
from plywright.errors import BadInput


def rectangles(svg: str) -> list[dict[str, float]]:
    found = re.findall(r'<rect x="([\d.]+)" y="([\d.]+)" width="([\d.]+)" height="([\d.]+)"', svg)
    return [dict(zip(("x", "y", "width", "height"), map(float, numbers), strict=True)) for numbers in found]


def test_bars_go_up_and_down_from_the_baseline_and_areas_cancel_around_the_mean() -> None:
    bars = [Bar("1", 0, 1 / 6), Bar("more", 12, 5 / 6)]
    low, high = rectangles(bar_picture(bars, baseline=10).svg)
    assert high["y"] + high["height"] == pytest.approx(low["y"], abs=0.02)
    assert low["height"] == pytest.approx(5 * high["height"], rel=0.01)


def test_likelier_bars_are_wider() -> None:
    first, second = rectangles(bar_picture([Bar(str(n), 1, weight) for n, weight in ((1, 1), (2, 2))] * 4).svg)[:2]
    assert second["width"] == pytest.approx(2 * first["width"], rel=0.01)


def test_words_say_the_same() -> None:
    picture = bar_picture([Bar("six", 2.5, 1, "one in six")], levels=[Level(2, "mean 2")], label="a chart")
    assert picture.text.splitlines() == ["six  2.5  one in six", "mean 2"]
    assert "<desc>six  2.5" in picture.svg and 'aria-label="a chart"' in picture.svg


def test_names_are_escaped_and_turned_where_they_do_not_fit() -> None:
    svg = bar_picture([Bar("<script>a long name", 1)] * 12).svg
    assert "<script>" not in svg and "rotate(-90" in svg


@pytest.mark.parametrize("bars", [[], [Bar("a", float("inf"))], [Bar("a", 1, 0)]])
def test_impossible_charts_are_refused(bars: list[Bar]) -> None:
    with pytest.raises(BadInput):
        bar_picture(bars)
