"""Plots: round ticks, every point in its place, series told apart without colour."""

from __future__ import annotations

import math
import re
import xml.etree.ElementTree as ElementTree

import pytest
from hypothesis import given
from hypothesis import strategies as st

from plywright import BadInput
from plywright.draw.curve import (
    CURVE_CLASSES,
    STYLES,
    Mark,
    Series,
    axis,
    curve_picture,
    curve_svg,
    round_step,
    tick_text,
)
from plywright.draw.svg import CLASSES
from plywright.draw.tree import TREE_CLASSES

SVG = "{http://www.w3.org/2000/svg}"
NUMBERS = st.floats(-1e9, 1e9, allow_nan=False).filter(lambda x: x == 0 or abs(x) > 1e-6)


@given(st.lists(NUMBERS, min_size=1, max_size=8))
def test_a_linear_axis_holds_its_values_between_few_round_ticks(values: list[float]) -> None:
    found = axis("x", values, log=False)
    assert found.low <= min(values) and max(values) <= found.high
    assert 2 <= len(found.ticks) <= 9
    assert all(-1e-9 <= found.share(value) <= 1 + 1e-9 for value in values)


@given(st.lists(st.floats(1e-9, 1e12), min_size=1, max_size=8))
def test_a_logarithmic_axis_has_powers_of_ten(values: list[float]) -> None:
    found = axis("x", values, log=True)
    assert found.low <= min(values) and max(values) <= found.high * (1 + 1e-9)
    assert 2 <= len(found.ticks) <= 11
    assert all(abs(math.log10(tick) - round(math.log10(tick))) < 1e-9 for tick in found.ticks)


def test_round_steps_and_labels() -> None:
    assert [round_step(x) for x in (0.7, 1, 1.2, 2.1, 6, 60, 0.03)] == [1, 1, 2, 5, 10, 100, pytest.approx(0.05)]
    assert [tick_text(x, whole=True) for x in (50_000, 150_000, 1e6, 2e7)] == [
        "50,000",
        "150,000",
        "1,000,000",
        "2·10⁷",
    ]
    shown = [tick_text(x) for x in (0, 0.5, 1000, 1e5, 1e-6, 2.5e7, -20000)]
    assert shown == ["0", "0.5", "1,000", "10⁵", "10⁻⁶", "2.5·10⁷", "-20,000"]


def test_points_are_where_the_axes_say() -> None:
    svg = curve_svg([Series("line", [(0, 1), (10, 1000)])], log_y=True)
    root = ElementTree.fromstring(svg)
    curve = next(p for p in root.iter(f"{SVG}path") if p.get("class") == "pw-curve-0" and "L" in (p.get("d") or ""))
    paths = [p.get("d") or "" for p in root.iter(f"{SVG}path") if p.get("class") == "pw-curve-0"]
    assert curve is not None and len(paths) == 2, "one in the legend, one in the plot"
    (x1, y1), (x2, y2) = (map(float, pair) for pair in re.findall(r"([\d.]+) ([\d.]+)", paths[1]))
    frame = next(p.get("d") or "" for p in root.iter(f"{SVG}path") if "V" in (p.get("d") or ""))
    left, top, bottom, right = map(float, re.findall(r"[\d.]+", frame))
    assert (x1, y1, x2, y2) == pytest.approx((left, bottom, right, top), abs=0.2)


def test_series_differ_in_dash_and_marker_and_are_named() -> None:
    names = ["worst", "random & so on", "perfect", "fourth", "fifth", "sixth"]
    svg = curve_svg([Series(name, [(1, i + 1), (2, i + 2)]) for i, name in enumerate(names)], title="a <title>")
    root = ElementTree.fromstring(svg)
    assert {*names, "a <title>"} <= {text.text for text in root.iter(f"{SVG}text")}
    assert len({dash for _, dash in STYLES}) == len(STYLES)
    shapes = {
        re.sub(r"^M[\d.]+ [\d.]+", "", p.get("d") or "")
        for p in root.iter(f"{SVG}path")
        if "dot" in str(p.get("class"))
    }
    assert len(shapes) == len(STYLES)


def test_the_text_form_is_a_table() -> None:
    picture = curve_picture([Series("a", [(1, 5), (2, 25)]), Series("bb", [(2, 1234.5)])], x_label="depth")
    assert picture.text.splitlines() == ["x   a       bb", "1   5         ", "2  25  1,234.5"]


def test_what_cannot_be_plotted_is_refused() -> None:
    with pytest.raises(BadInput, match="at least one point"):
        curve_svg([Series("empty", [])])
    with pytest.raises(BadInput, match="only finite"):
        curve_svg([Series("endless", [(1, math.inf)])])
    with pytest.raises(BadInput, match="a logarithmic axis has no place for -1"):
        curve_svg([Series("negative", [(1, -1)])], log_y=True)


def test_class_names_are_the_plots_own() -> None:
    assert not set(CURVE_CLASSES) & (set(CLASSES) | set(TREE_CLASSES))


def test_marks_are_drawn_labelled_and_told() -> None:
    line = Series("line", [(0, 0), (10, 10)], marked=False)
    picture = curve_picture([line], marks=[Mark(4.5, "here"), Mark(5, "a longer remark"), Mark(10, "the very end")])
    assert picture.svg.count("pw-rule") - picture.svg.count(".pw-rule") >= 3
    assert picture.text.splitlines()[-3:] == ["4.5: here", "5: a longer remark", "10: the very end"]
    words = re.findall(r'<text [^>]*class="([^"]*rule[^"]*)"[^>]*>([^<]*)', picture.svg)
    sides = {text: "end" if "rule-end" in style else "start" for style, text in words}
    assert sides == {"here": "end", "a longer remark": "start", "the very end": "end"}


def test_a_curve_without_markers_has_none_in_the_legend() -> None:
    plain, marked = (curve_svg([Series("line", [(0, 0), (1, 1)], marked=way)]) for way in (False, True))
    count = len(re.findall(r'class="[^"]*dot-0', marked))
    assert count == 3 and not re.findall(r'class="[^"]*dot-0', plain)


def test_intervals_are_whiskers_within_the_axes_and_told() -> None:
    picture = curve_picture([Series("score", [(1, 50), (2, 90)], spread=[(10, 75), (60, 100)])])
    assert len(re.findall(r'class="pw-whisker-0"', picture.svg)) == 2 and ">100<" in picture.svg
    assert picture.text.splitlines()[1:] == ["1   50 [10, 75]", "2  90 [60, 100]"]
