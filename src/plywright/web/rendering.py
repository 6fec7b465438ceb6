"""Templates to HTML, and the files that every page may ask for."""

from __future__ import annotations

import hashlib
from functools import cache
from importlib.resources import files
from typing import Any

import jinja2
from markupsafe import Markup

from ..draw.svg import colour_variables
from ..games.registry import title_of
from ..textbook.trace.replay import viewer_script, viewer_style
from ..textbook.worksheet import worksheet_style


def rendered(name: str, /, **context: Any) -> str:
    """A page, or a part of one, as HTML."""
    return template(name).render(**context)


def template(name: str) -> jinja2.Template:
    """A template, read and compiled once."""
    return _templates().get_template(name)


def template_names() -> list[str]:
    """All of them, those of the desk first."""
    return sorted(_templates().list_templates(), key=lambda name: not name.startswith("play"))


@cache
def _templates() -> jinja2.Environment:
    found = jinja2.Environment(
        loader=jinja2.PackageLoader(__package__, "templates"),
        autoescape=True,
        auto_reload=False,
        trim_blocks=True,
        lstrip_blocks=True,
        undefined=jinja2.StrictUndefined,
    )
    found.filters["svg"] = _drawn
    found.globals["asset"] = asset
    found.globals["title_of"] = title_of
    return found


def _drawn(picture: Any, label: str = "") -> Markup:
    """A picture in a page; the label is what it is called where it cannot be seen."""
    drawing = Markup(getattr(picture, "svg", picture))
    if label and " aria-label=" not in drawing.partition(">")[0]:
        return Markup(drawing.replace("<svg ", Markup('<svg aria-label="{}" ').format(label), 1))
    return drawing


@cache
def asset_content(name: str) -> bytes:
    """A file that every page may ask for; `colours.css` is made from the colours of the pictures.

    `replay.css` and `replay.js` are the viewer of traces, which a trace's own HTML file has inside.
    """
    made = {"colours.css": colour_variables, "replay.css": viewer_style, "replay.js": viewer_script}
    made["worksheet.css"] = worksheet_style
    if name in made:
        return made[name]().encode()
    place = files(__package__).joinpath("static")
    for step in name.split("/"):
        place = place.joinpath(step)
    return place.read_bytes()


@cache
def asset(name: str) -> str:
    """The address of a static file, with a mark of its content, so that browsers keep it until it changes."""
    return f"/static/{name}?{hashlib.sha256(asset_content(name)).hexdigest()[:10]}"
