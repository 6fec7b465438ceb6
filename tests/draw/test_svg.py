"""The SVG builder: nothing unescaped, one style for all pictures."""

from __future__ import annotations

import importlib
import pkgutil
import re
from xml.etree import ElementTree

import plywright.draw
from plywright.draw import svg
from plywright.draw.svg import COLOURS, Markup, document, element, joined_styles


def all_classes() -> list[tuple[str, str, str]]:
    """(module, class, declarations) of every class that a drawing module defines."""
    found = []
    for info in pkgutil.iter_modules(plywright.draw.__path__):
        module = importlib.import_module(f"plywright.draw.{info.name}")
        for name, value in vars(module).items():
            if name.endswith("CLASSES") and isinstance(value, dict) and (value is not svg.CLASSES or module is svg):
                found += [(info.name, class_, rule) for class_, rule in value.items()]
    return found


def test_text_and_attributes_are_escaped() -> None:
    words = "<b> & \"quoted\" 'too' ]]>"
    made = element("text", words, title=words, x=1)
    read = ElementTree.fromstring(made)
    assert (read.text, read.get("title"), read.get("x")) == (words, words, "1")


def test_markup_is_not_escaped_twice_and_none_is_left_out() -> None:
    made = element("g", element("circle", r=2), Markup("<rect/>"), "a<b", stroke_width=1.5, fill=None)
    assert made == '<g stroke-width="1.5"><circle r="2"/><rect/>a&lt;b</g>'


def test_numbers_are_short() -> None:
    assert [svg.number(value) for value in (3, 3.0, 2.5, 1 / 3, -0.004)] == ["3", "3", "2.5", "0.33", "0"]


def test_a_document_carries_the_style_it_uses_and_no_more() -> None:
    text = document(10, 20, element("circle", class_="dot big"), classes={"dot": "fill:$ink", "other": "fill:red"})
    root = ElementTree.fromstring(text)
    assert root.get("viewBox") == "0 0 10 20"
    style = next(child.text or "" for child in root if child.tag.endswith("style"))
    light, dark = COLOURS["ink"]
    both = f".pw-dot{{fill:{light}}}@media (prefers-color-scheme:dark){{.pw-dot{{fill:{dark}}}}}"
    assert style == svg.ALONE + both, "alone it has the ground that its ink is for"
    assert joined_styles([style]) == both, "and in the style of a page it says nothing of that"
    assert root.find("{*}circle").get("class") == "pw-dot pw-big"  # type: ignore[union-attr]


def test_what_is_the_same_on_a_dark_ground_is_not_said_twice() -> None:
    assert "<style>.pw-a{fill:#000}</style>" in document(1, 1, element("rect", class_="a"), classes={"a": "fill:#000"})


def test_description_and_label_are_for_those_who_cannot_see() -> None:
    root = ElementTree.fromstring(document(1, 1, description="X <O>\n.", label="a & b"))
    assert (root.find("{*}desc").text, root.get("aria-label"), root.get("role")) == ("X <O>\n.", "a & b", "img")  # type: ignore[union-attr]


def test_a_caption_wider_than_the_drawing_widens_it() -> None:
    parts = [element("rect")]
    assert svg.captioned(50, 40, parts, "") == (50, 40, parts)
    width, height, made = svg.captioned(50, 40, parts, "a long line of words")
    assert width > 150 and height > 40 and 'transform="translate(' in made[0]
    assert svg.captioned(500, 40, parts, "short")[0] == 500
    page, deep, lines = svg.captioned(50, 40, parts, "a long\nline of\nwords")
    assert page < width and deep > height and lines[1].count("<text") == 3, "as wide as its longest line"


def test_a_small_picture_does_without_its_words() -> None:
    plain = element("rect", width=50, height=40)
    whole = svg.document(*(found := svg.captioned(50, 40, [plain], "a long\nline of words"))[:2], *found[2])
    small = svg.uncaptioned(whole)
    assert "line of words" in whole and "line of words" not in small and "rect" in small
    shift = (found[0] - 50) / 2
    assert f'viewBox="{shift:g} 0 50 40" width="50" height="40"' in small, "where the drawing is"
    assert svg.uncaptioned(svg.document(50, 40, plain)) == svg.document(50, 40, plain)


def test_every_class_is_defined_once_in_colours_that_exist() -> None:
    """Pictures stand together on one page, where a style sheet reaches all of them."""
    rules: dict[str, str] = {}
    for module, class_, rule in all_classes():
        assert rules.setdefault(class_, rule) == rule, f"{module} defines {class_} a second time"
        assert set(re.findall(r"\$([a-z-]+)", rule)) <= set(COLOURS), (module, class_)
    assert {"felt", "peg", "stone", "caption"} <= set(rules)


def test_joined_styles_keep_the_order_that_each_of_them_has() -> None:
    dark = "@media (prefers-color-scheme:dark){.pw-a{fill:x}}"
    joined = joined_styles(
        [
            ".pw-a{fill:red}.pw-c{fill:blue}" + dark,
            ".pw-a{fill:red}.pw-b{fill:lime}",
            ".pw-b{fill:lime}.pw-c{fill:blue}",
        ]
    )
    assert joined == ".pw-a{fill:red}.pw-b{fill:lime}.pw-c{fill:blue}" + dark
    odd = ["a > b{fill:red}", ".x{fill:red}"]
    assert joined_styles(odd) == "".join(odd), "what is written otherwise stays"
    turned = [".x{fill:red}.y{fill:red}", ".y{fill:red}.x{fill:red}"]
    assert joined_styles([*turned, *turned]) == "".join(turned), "and so do sheets that disagree"
