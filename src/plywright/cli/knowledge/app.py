"""`plywright knowledge`: what is inside an evaluation, and the checkpoints of a training as opponents."""

from __future__ import annotations

import json
import re
from html import escape
from inspect import signature
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer

from ..options import Json

if TYPE_CHECKING:
    from ...knowledge import Knowledge

KEPT = re.compile(r"(\.before\d*)?(-\d\d+)?$")
"""What is behind the name of a game's knowledge where a training keeps more than one file."""

knowledge_app = typer.Typer(name="knowledge", help="What evaluations know, and how they learned it.")


@knowledge_app.callback()
def knowledge() -> None:
    """What evaluations know, and how they learned it."""


@knowledge_app.command()
def show(
    what: Annotated[str, typer.Argument(metavar="FILE|GAME", help="A .knowledge file, or a game (othello).")],
    game: Annotated[str | None, typer.Option("--game", help="The game of a file, where its name does not say.")] = None,
    chosen: Annotated[
        str | None, typer.Option("--knowledge", help="Of a game: which of its knowledges; by default its own.")
    ] = None,
    top: Annotated[int, typer.Option("--top", help="How many of the largest features to list.")] = 12,
    svg: Annotated[Path | None, typer.Option("--svg", help="Write the heat maps as SVG.")] = None,
    html: Annotated[Path | None, typer.Option("--html", help="Write all of it as a page.")] = None,
    json: Json = False,
) -> None:
    """Show an evaluation: heat maps of the board, its largest features, and how it was trained."""
    show_knowledge(what, game, chosen, top=top, svg=svg, html=html, json=json)


@knowledge_app.command()
def ladder(
    file: Annotated[Path, typer.Argument(metavar="FILE", help="The .knowledge file of a training with --keep.")],
    json: Json = False,
) -> None:
    """List the checkpoints of a training, from beginner (level 1) to master (level 10)."""
    from rich.table import Table

    from ...learning.ladder import ladder as rungs
    from ..console import out, print_json

    found = rungs(file)
    if json:
        print_json({"levels": [rung.as_dict() for rung in found]})
        return
    table = Table("level", "file", "games", "Elo against the start", box=None, header_style="bold")
    for rung in found:
        table.add_row(str(rung.level), str(rung.path), f"{rung.games:,}", rung.strength)
    out.print(table)
    out.print(f"play one with: plywright play GAME --knowledge {file} --level 3", markup=False)


def show_knowledge(
    what: str,
    game_text: str | None,
    chosen: str | None,
    *,
    top: int,
    svg: Path | None,
    html: Path | None,
    json: bool,
) -> None:
    from ...errors import BadInput
    from ...files import write_whole
    from ...models.inside import look_inside, training_lines
    from ...models.model import Model
    from ..console import busy, out, print_json

    if top < 1:
        raise BadInput(f"--top is at least 1, not {top}")
    with busy(f"looking at {what}"):
        known = read_knowledge(what, game_text, chosen)
        inside = look_inside(known, top) if isinstance(known, Model) else None
    drawn = inside is not None and bool(inside.panels)
    if svg and not drawn:
        also = "" if html or (inside is None and not known.weight_lines()) else "; --html has its weights as a table"
        raise BadInput(f"{what} has no weights by cells of a board: there is nothing to draw{also}")
    facts = describe(known)
    if json:
        largest = [feature._asdict() for feature in inside.largest] if inside else weights_of(known)
        panels = (
            [{"title": p.title, "cells": [[*k, v] for k, v in p.values.items()]} for p in inside.panels]
            if inside
            else []
        )
        print_json(
            {**facts, "training": without_nan(getattr(known, "training", {})), "largest": largest, "heat": panels}
        )
        return
    about_it = told(known, facts)
    for label, text in about_it.items():
        out.print(f"{label:>10}  {text:,}" if isinstance(text, int) else f"{label:>10}  {text}", markup=False)
    picture = inside.picture() if inside is not None and inside.panels else None
    if picture is not None:
        out.print(picture.text, markup=False)
    if picture is not None and svg is not None:
        write_whole(svg, picture.svg.encode())
    rows: list[tuple[str, float | str]] = list(inside.largest) if inside else known.weight_lines()
    heading = "largest features" if inside else "features"
    if html is not None:
        about = [*about_it.items(), *training_lines(getattr(known, "training", {}))]
        write_whole(html, page(what, "" if picture is None else picture.svg, heading, rows, about).encode())
    if rows:
        out.print(heading, markup=False)
    texts = [weight_text(weight) for _, weight in rows]
    wide = max([10, *map(len, texts)])
    for (words, _), text in zip(rows, texts, strict=True):
        out.print(f"{text:>{wide}}  {words}", markup=False)
    for name, value in training_lines(getattr(known, "training", {})):
        out.print(f"{name:>18}  {value}", markup=False)
    for path in filter(None, (svg, html)):
        out.print(f"wrote {path}", markup=False)


def read_knowledge(what: str, game_text: str | None, chosen: str | None) -> Knowledge:
    """The knowledge in a file, or of a game."""
    from ...errors import BadInput, shown
    from ...games import as_knowledge, load_game
    from ...models.model_file import SUFFIX, read_header

    if not what.endswith(SUFFIX):
        if game_text is not None:
            return as_knowledge(load_game(game_text), what)
        return as_knowledge(load_game(what), chosen)
    if chosen is not None:
        raise BadInput("a file holds one knowledge: leave out --knowledge")
    if game_text is not None:
        return as_knowledge(load_game(game_text), what)
    name = read_header(what).game
    try:
        game = load_game(_own_game(name, Path(what)))
    except BadInput as error:
        raise BadInput(
            f"{what} is of the game {shown(name)}, which is not loaded by itself: give --game ({error})"
        ) from None
    return as_knowledge(game, what)


def _own_game(name: str, file: Path) -> str:
    """The game that a file of knowledge says it is of, where that may be loaded without asking: one of ours, or the
    rules that it lies beside. To load rules is to run them, and anybody may write any name into a file."""
    from ...errors import BadInput
    from ...games.registry import is_path, split_path

    if not is_path(name):
        return name
    rules = split_path(name)[0]
    own = file.with_name(KEPT.sub("", file.stem) + Path(rules).suffix)
    if Path(rules).name != own.name or not own.is_file():
        raise BadInput(f"of games in files only the one beside it and named like it, {own.name}, would be")
    return f"{own}{name[len(rules) :]}"


def describe(known: Knowledge) -> dict[str, Any]:
    """What it is, in a few lines."""
    from ...errors import printable
    from ...models.model import Model

    named = (name for name, cls in known.game.knowledges.items() if cls is type(known))
    found: dict[str, Any] = {"game": known.game.name, "knowledge": next(named, known.name)}
    if isinstance(known, Model):
        found["model"] = known.model
        found["options"] = ", ".join(f"{name}={value}" for name, value in known.options.items()) or "none"
        weights = [array for name, array in known.arrays.items() if array.dtype.kind == "f" or name in known.learned]
        found["weights"] = sum(array.size for array in weights)
    elif about := printable(known.about_itself()):
        found["about"] = about
    return found


def without_nan(record: Any) -> Any:
    """What a file says, with null for numbers that JSON has no word for: anybody may write anything into a file."""
    return json.loads(json.dumps(record), parse_constant=lambda _: None)


def told(known: Knowledge, facts: dict[str, Any]) -> dict[str, Any]:
    """The same for people: nothing twice, and of the options those alone that are not as usual."""
    found = dict(facts)
    if found.get("model") == found["knowledge"]:
        del found["knowledge"]
    if "options" in found:
        options: dict[str, Any] = getattr(known, "options", {})
        parameters = signature(type(known)).parameters
        usual = {name: parameters[name].default if name in parameters else None for name in options}
        other = [name for name, value in options.items() if value != usual[name] and value is not False]
        found["options"] = ", ".join(f"{name} {options[name]}" for name in other)
        if not other:
            del found["options"]
    return found


def weights_of(known: Knowledge) -> list[dict[str, Any]]:
    return [{"words": words, "weight": weight} for words, weight in known.weight_lines()]


def weight_text(weight: float | str) -> str:
    """A weight as a knowledge says it, or as a number with its sign."""
    return weight if isinstance(weight, str) else f"{weight:+.4g}"


def page(what: str, svg: str, heading: str, rows: list[tuple[str, float | str]], about: list[tuple[str, Any]]) -> str:
    """All of it as a page of its own: the heat maps, the features, how it was trained."""
    lines = ((escape(weight_text(weight)), escape(words)) for words, weight in rows)
    features = "".join(f"<tr><td>{weight}</td><td>{words}</td></tr>" for weight, words in lines)
    table = f"<h2>{heading.capitalize()}</h2><table>{features}</table>" if rows else ""
    facts = "".join(f"<tr><td>{escape(str(k))}</td><td>{escape(str(v))}</td></tr>" for k, v in about)
    style = "body{font-family:system-ui,sans-serif;margin:2em;color-scheme:light dark}td{padding:0 1em 0 0}"
    style += "svg{max-width:100%;height:auto}"
    return (
        f"<!doctype html><html lang='en'><meta charset='utf-8'><title>{escape(what)}</title><style>{style}</style>"
        f"<h1>{escape(what)}</h1>{svg}{table}<h2>About</h2><table>{facts}</table></html>"
    )
