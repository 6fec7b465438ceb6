"""Parts of pages that need nothing from outside: sections, tables, and games to step through.

Such a page is one file, and forbids itself to ask for anything. Boards are drawn here; what they have in common is kept
once, so that a game takes about as much room as its moves.
"""

from __future__ import annotations

import base64
import gzip
import json
import re
from collections.abc import Iterable, Iterator, Mapping, Sequence
from html import escape
from importlib.resources import files
from typing import Any

from ...draw.svg import Markup, colour_variables
from ...game import Game
from ...outcome_text import value_text
from ..outcome import Outcome
from ..records.replaying import Step, steps
from ..records.run_file import Records

DRAWN = 20_000
"""Positions that are drawn in one page; games beyond them are listed and left to `plywright replay`."""


def page(title: str, body: str, games: dict[str, Any], heading: str = "Games") -> str:
    """The whole page; `games` is a viewer's data, and without any there is no viewer."""
    parts = {"title": escape(title), "style": colour_variables(), "body": body, "games": packed(games)}
    parts["heading"] = escape(heading)
    return filled("report.html", parts)


def filled(template: str, parts: Mapping[str, str]) -> str:
    """A page of this folder with its parts in their places; what looks like a place in a part is text."""
    text = files(__package__).joinpath(template).read_text(encoding="utf-8")
    return re.sub(r"\{\{(\w+)\}\}", lambda name: parts[name[1]], text)


def shown(text: str) -> str:
    """A text as HTML; Markup, such as a link, is that already."""
    return text if isinstance(text, Markup) else escape(text)


def section(title: str, *parts: str) -> str:
    return f"<section><h2>{escape(title)}</h2>{''.join(parts)}</section>"


def table(head: Sequence[str], rows: Sequence[Sequence[str]], words: int = 1, kind: str = "") -> str:
    """A table whose first `words` columns are words and whose others are numbers; `kind` is a class of the style."""
    top = "".join(f"<th{'' if i < words else ' class=n'}>{shown(name)}</th>" for i, name in enumerate(head))
    lines = []
    for row in rows:
        cells = "".join(f"<td{'' if i < words else ' class=n'}>{shown(cell)}</td>" for i, cell in enumerate(row))
        lines.append(f"<tr>{cells}</tr>")
    named = f" class={kind}" if kind else ""
    return f"<div class=wide><table{named}><thead><tr>{top}</tr></thead><tbody>{''.join(lines)}</tbody></table></div>"


def packed(data: dict[str, Any]) -> str:
    """JSON, compressed, in letters that need no escaping."""
    text = json.dumps(data, separators=(",", ":"))
    return base64.b64encode(gzip.compress(text.encode(), 6, mtime=0)).decode()


class Frames:
    """Games for one page: who, how each ended, and its positions as numbers into one table of pieces."""

    rest = "plywright replay shows them"
    """Where the positions are that the page has no room for."""

    def __init__(self, most: int = DRAWN) -> None:
        self.most, self.drawn = most, 0
        self.pieces: dict[str, int] = {}
        self.rows: list[dict[str, Any]] = []

    def put(self, row: dict[str, Any], positions: Iterable[tuple[str, str]]) -> None:
        """Add a game with its positions, each as words and SVG; they are drawn while there is room."""
        if self.drawn < self.most:
            row["steps"] = [{"words": words, "svg": self._numbers(svg)} for words, svg in positions]
            self.drawn += len(row["steps"])
        self.rows.append(row)

    def data(self) -> dict[str, Any]:
        return {"pieces": list(self.pieces), "games": self.rows, "rest": self.rest}

    def _numbers(self, svg: str) -> list[int]:
        return [self.pieces.setdefault(part, len(self.pieces)) for part in re.findall(r"<[^>]*>[^<]*", svg)]


class Viewer(Frames):
    """Games of a record for one page."""

    def __init__(self, records: Records, game: Game, most: int = DRAWN) -> None:
        super().__init__(most)
        self.records, self.game = records, game
        self.names, self.raw = records.plan.names, records.raw_lines()

    def add(self, outcome: Outcome) -> None:
        """Add a game, as its outcome says it; its moves are read and drawn while there is room."""
        names = [self.names[player] for player in outcome.seats]
        raw = self.raw.get((outcome.game, outcome.attempt), "")
        row: dict[str, Any] = {
            "number": outcome.game,
            "players": names,
            "payoffs": "void" if outcome.payoffs is None else "  ".join(map(value_text, outcome.payoffs)),
            "ending": outcome.termination,
            "note": outcome.note + (f" (as it came: {raw!r})" if raw else ""),
        }
        self.put(row, self._positions(outcome.game, names))

    def _positions(self, number: int, names: list[str]) -> Iterator[tuple[str, str]]:
        _, record = self.records.game(number)
        if record.plies or record.opening:
            for step in steps(self.game, record):
                yield self._position(step, names)

    def _position(self, step: Step, names: list[str]) -> tuple[str, str]:
        game = self.game
        svg = game.picture(step.state, step.action if step.seat != -1 else None).svg
        if step.action is None:
            return "start", svg
        who = "chance" if step.seat is None or step.seat < 0 else f"{game.player_name(step.seat)} ({names[step.seat]})"
        words = [f"{step.number}. {who}: {step.text}"]
        if step.given:
            words.append("opening")
        elif step.seat is not None and step.seat >= 0:
            words.append(f"{step.seconds:.3f} s")
        for name in ("value", "depth", "nodes"):
            value = (step.info or {}).get(name)
            if isinstance(value, (int, float)):
                words.append(f"{name} {value:,g}" if name != "nodes" else f"nodes {value:,}")
        return "   ".join(words), svg
