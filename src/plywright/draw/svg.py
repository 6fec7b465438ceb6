"""SVG as text: a builder that escapes everything, and the one look that all pictures share.

    document(40, 40, element("circle", cx=20, cy=20, r=16, class_="piece first"), description="X")

The look is data: `COLOURS` by name for a light and a dark ground, `CLASSES` in terms of them. A
document carries the rules of the classes it uses and no others, each with a prefix of its own, so
that a picture set inside a page neither changes the page nor needs a style sheet from it.
"""

from __future__ import annotations

import re
import textwrap
from collections.abc import Iterable, Mapping
from functools import lru_cache
from graphlib import CycleError, TopologicalSorter
from html import escape

PREFIX = "pw-"

COLOURS: dict[str, tuple[str, str]] = {  # name: (on a light ground, on a dark ground)
    "ink": ("#1f2933", "#e6e9ed"),
    "faint": ("#66727f", "#9aa6b2"),
    "line": ("#b8c2cc", "#46505a"),
    "paper": ("#ffffff", "#20262d"),
    "shade": ("#eef1f4", "#2a323b"),
    "first": ("#c8452f", "#e8745f"),
    "second": ("#2b6cb0", "#6aa9e9"),
    "mark": ("#f2a516", "#f6bd4b"),
    "good": ("#2f855a", "#68c796"),
    "felt": ("#2e7d4f", "#2e7d4f"),
    "felt-line": ("#1c5435", "#194a2f"),
    "cloth": ("#22683f", "#1d5636"),
    "cloth-edge": ("#7f522c", "#8a5f38"),
    "back": ("#2457a6", "#2f62b0"),
    "wood": ("#7f522c", "#5f3c20"),
    "light-wood": ("#efdcb8", "#cdb68c"),
    "dark-wood": ("#c99c66", "#a67d4f"),
    "rack": ("#2457a6", "#234d8c"),
    "rack-edge": ("#183c75", "#152f59"),
    "hole": ("#f3f6f9", "#161b21"),
    "black": ("#17191c", "#111315"),
    "black-edge": ("#000000", "#8b95a0"),
    "white": ("#fbfbf7", "#f1f1ea"),
    "white-edge": ("#55554c", "#3c3c35"),
    "red": ("#d8412f", "#d8412f"),
    "red-edge": ("#a32a1c", "#a32a1c"),
    "yellow": ("#f6c52c", "#f6c52c"),
    "yellow-edge": ("#8a6500", "#8a6500"),
    "die-edge": ("#6b6b62", "#6b6b62"),
    "last-wood": ("#143c9c", "#0a2660"),
    "last-paper": ("#9a5b00", "#f6bd4b"),
    "sea": ("#cfe3f2", "#1d3a52"),
    "sea-line": ("#5b86a8", "#55789a"),
    "hull": ("#4a5560", "#aab4be"),
}

SANS = "font-family:'DejaVu Sans',Verdana,system-ui,sans-serif"
MONO = "font-family:'DejaVu Sans Mono',Menlo,Consolas,monospace"

CLASSES: dict[str, str] = {  # class: declarations, in which $name is a colour
    "label": f"fill:$faint;{SANS};font-size:13px;text-anchor:middle",
    "caption": f"fill:$ink;{SANS};font-size:14px;text-anchor:middle",
    "on-wood": f"fill:$light-wood;{SANS};font-size:13px;text-anchor:middle",
    "mono": f"fill:$ink;{MONO};font-size:14px",
}
"""What every kind of picture may use; a module adds its own classes in its call of `document`."""

ALONE = "svg:root{color-scheme:light dark}"
"""Rule of a drawing that is shown as a document of its own: its ground is dark where its ink is that for a dark one."""


class Markup(str):
    """Text that is SVG already, and so is not escaped again."""

    __slots__ = ()


def element(name: str, *children: str, **attributes: object) -> Markup:
    """One element. Children that are not Markup are text; `class_` is `class`, `_` in names is `-`.

    An attribute that is None is left out.
    """
    if sum(map(len, children)) < SMALL:
        return _kept(name, *children, **attributes)
    return _built(name, *children, **attributes)


def _built(name: str, *children: str, **attributes: object) -> Markup:
    written = []
    for key, value in attributes.items():
        if value is None:
            continue
        text = number(value) if isinstance(value, (int, float)) else str(value)
        if key == "class_":
            text = " ".join(PREFIX + word for word in text.split())
        written.append(f" {key.rstrip('_').replace('_', '-')}={_quoted(text)}")
    inside = "".join(child if isinstance(child, Markup) else escape(child, quote=False) for child in children)
    return Markup(f"<{name}{''.join(written)}>{inside}</{name}>" if inside else f"<{name}{''.join(written)}/>")


LINE = 20
"""From one line of a caption to the next."""
LETTER, LEAST_LINE = 8.6, 40
"""The width of a letter of a caption, and letters that a line of it may have however narrow the drawing is."""
SMALL = 64
"""Elements with less inside than this come again and again: the squares and pieces of boards."""
_kept = lru_cache(maxsize=1 << 14, typed=True)(_built)  # typed: text and Markup of the same letters differ


def text(x: float, y: float, words: str, class_: str = "label", **attributes: object) -> Markup:
    """Words at a point; how they are aligned is up to the class."""
    return element("text", words, x=x, y=y, class_=class_, **attributes)


def place(name: str, *parts: Markup) -> Markup:
    """Parts that belong to one place of a board: the name is what the game's moves call it, for whoever clicks there.

    Without a name they are just a group.
    """
    return element("g", *parts, data_place=name or None)


def upright(*parts: Markup) -> Markup:
    """A piece: when a page turns the board round, what is in here stays the right way up."""
    return element("g", *parts, data_upright="")


def captioned(
    width: float, height: float, parts: list[Markup], caption: str, *, turns: bool = False
) -> tuple[float, float, list[Markup]]:
    """The drawing with lines of words below it: its new size and parts, centred if the words are wider.

    Lines that are much wider are broken: they would leave the drawing little of the page. A drawing that `turns` is
    one that a page may turn round, as players on the other side see it.
    """
    if turns:
        parts = [element("g", *parts, data_turns="")]
    if not caption:
        return width, height, parts
    room = max(int((width - 12) / LETTER), LEAST_LINE)
    caption = caption.replace(" %", "\u00a0%")
    lines = [line for each in caption.split("\n") for line in textwrap.wrap(each, room, break_long_words=False)]
    page = max(width, LETTER * max(map(len, lines)) + 12)
    shift = (page - width) / 2
    drawing = [element("g", *parts, transform=f"translate({number(shift)} 0)")] if shift > 0 else parts
    said = [text(page / 2, height + 18 + LINE * place, line, "caption") for place, line in enumerate(lines)]
    below = element("g", *said, data_drawing=f"{number(shift)} 0 {number(width)} {number(height)}")
    return page, height + 30 + LINE * (len(lines) - 1), [*drawing, below]


def uncaptioned(drawing: str) -> str:
    """A document without the words below it, which nobody could read where it is shown small."""
    found = re.search(r'<g data-drawing="(\S+ \S+ (\S+) (\S+))">.*?</g>', drawing)
    if found is None:
        return drawing
    frame, width, height = found.groups()
    rest = drawing[: found.start()] + drawing[found.end() :]
    size = f'viewBox="{frame}" width="{width}" height="{height}"'
    return re.sub(r'viewBox="[^"]*" width="[^"]*" height="[^"]*"', size, rest, count=1)


def number(value: float) -> str:
    """A coordinate in as few characters as it needs, to a hundredth."""
    return f"{value:z.2f}".rstrip("0").rstrip(".") if isinstance(value, float) else str(value)


def document(
    width: float,
    height: float,
    *children: Markup,
    description: str = "",
    label: str = "",
    classes: Mapping[str, str] | None = None,
    role: str = "img",
) -> str:
    """A whole SVG with the style of the classes it uses.

    `description` says the same in text for whoever cannot see it, `label` in one line; `classes` are
    more declarations of the kind in `CLASSES`.
    """
    body = Markup("".join(children))
    style = style_sheet(_classes_in(body), {**CLASSES, **(classes or {})})
    style = ALONE + style if "@media" in style else style
    parts = [
        element("desc", description) if description else Markup(),
        element("style", Markup(escape(style, quote=False))) if style else Markup(),
        body,
    ]
    return element(
        "svg",
        *parts,
        xmlns="http://www.w3.org/2000/svg",
        viewBox=f"0 0 {number(width)} {number(height)}",
        width=width,
        height=height,
        role=role,
        aria_label=label or None,
    )


def colour_variables(**more: tuple[str, str]) -> str:
    """The colours as variables of a page, `--ink` and so on, for a light ground and for a dark one."""
    light, dark = ("".join(f"--{name}:{pair[way]};" for name, pair in {**COLOURS, **more}.items()) for way in (0, 1))
    return f":root{{{light}}}@media (prefers-color-scheme:dark){{:root{{{dark}}}}}"


def style_sheet(used: Iterable[str], classes: Mapping[str, str]) -> str:
    """The rules of the classes in use: for a light ground, then what differs on a dark one."""
    wanted = set(used)
    chosen = [(name, rule) for name, rule in classes.items() if name in wanted]
    light = "".join(f".{PREFIX}{name}{{{_coloured(rule, 0)}}}" for name, rule in chosen)
    dark = "".join(
        f".{PREFIX}{name}{{{_coloured(rule, 1)}}}" for name, rule in chosen if _coloured(rule, 0) != _coloured(rule, 1)
    )
    return light + (f"@media (prefers-color-scheme:dark){{{dark}}}" if dark else "")


def joined_styles(sheets: Iterable[str]) -> str:
    """One style sheet in the place of several of `style_sheet`'s: every rule once, and none before one it overrules.

    Sheets that are written otherwise, or that disagree about the order, stay as they are, one after the other. What
    the drawings say as documents of their own is left out: where they stand together, they are none.
    """
    given = list(dict.fromkeys(sheet.removeprefix(ALONE) for sheet in sheets))
    grounds: tuple[dict[str, str], dict[str, str]] = {}, {}  # light and dark: the rule of each selector
    earlier: tuple[dict[str, set[str]], dict[str, set[str]]] = {}, {}  # which selectors stand before it
    for sheet in given:
        parts = _SHEET.fullmatch(sheet)
        if parts is None:
            return "".join(given)
        for ground, rules in enumerate(parts.groups("")):
            before: list[str] = []
            for selector, rule in _RULE.findall(rules):
                grounds[ground][selector] = rule
                earlier[ground].setdefault(selector, set()).update(before)
                before = [selector]
    try:
        light, dark = (
            "".join(f"{selector}{{{rules[selector]}}}" for selector in TopologicalSorter(order).static_order())
            for rules, order in zip(grounds, earlier, strict=True)
        )
    except CycleError:
        return "".join(given)
    return light + (f"@media (prefers-color-scheme:dark){{{dark}}}" if dark else "")


_RULE = re.compile(r"(\.[\w-]+)\{([^{}]*)\}")
_RULES = r"((?:\.[\w-]+\{[^{}]*\})*)"
_SHEET = re.compile(rf"{_RULES}(?:@media \(prefers-color-scheme:dark\)\{{{_RULES}\}})?")


@lru_cache(maxsize=1 << 12)
def _coloured(rule: str, ground: int) -> str:
    return re.sub(r"\$([a-z-]+)", lambda found: COLOURS[found[1]][ground], rule)


def _classes_in(markup: str) -> set[str]:
    found: set[str] = set()
    for words in re.findall(r' class="([^"]*)"', markup):
        found.update(word.removeprefix(PREFIX) for word in words.split())
    return found


def _quoted(value: str) -> str:
    """An attribute's value in its quotation marks."""
    return '"' + escape(value, quote=False).replace('"', "&quot;") + '"'
