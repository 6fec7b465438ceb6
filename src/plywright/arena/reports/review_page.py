"""A review as a graph of winning chances, and as one HTML file with the board at every mistake."""

from __future__ import annotations

from collections.abc import Sequence
from html import escape

from ...draw.curve import Mark, Series, curve_svg
from ...draw.svg import colour_variables
from ...game import Game
from ...outcome_text import difference_text, proved_text
from .report_parts import filled
from .review import Judgement, summary

MARKED = 6
"""Mistakes that the graph points at; the page has them all."""


def graph(game: Game, judged: Sequence[Judgement]) -> str:
    """The winning chance of the first player after every move, as SVG, with the worst mistakes pointed at."""
    points = [(float(one.number), 100 * (one.chance if one.seat == 0 else 1 - one.chance)) for one in judged]
    worst = sorted((one for one in judged if one.verdict), key=lambda one: -one.points)[:MARKED]
    marks = [Mark(one.number, one.text) for one in sorted(worst, key=lambda one: one.number)]
    name = f"{game.player_name(0)}'s winning chance, %"
    series = [Series(name, points, marked=False)]
    return curve_svg(series, marks=marks, y_range=(0, 100), x_label="ply", y_label="winning chance, %")


def review_page(game: Game, judged: Sequence[Judgement], title: str, names: Sequence[str] = ()) -> str:
    """The whole page; it needs nothing from outside."""
    parts = {
        "title": escape(title),
        "style": colour_variables(),
        "summary": _summary(game, list(judged), names),
        "graph": graph(game, judged),
        "mistakes": "".join(_mistake(game, one) for one in judged if one.verdict) or "<p>None.</p>",
        "moves": "".join(_row(game, one) for one in judged),
    }
    return filled("review.html", parts)


def player_text(game: Game, seat: int, names: Sequence[str]) -> str:
    named = seat < len(names) and names[seat]
    return f"{game.player_name(seat)} ({names[seat]})" if named else game.player_name(seat)


def _summary(game: Game, judged: list[Judgement], names: Sequence[str]) -> str:
    rows = []
    for seat, one in summary(game, judged).items():
        counts = "".join(f"<td class=n>{count}</td>" for count in one.verdicts.values())
        who = escape(player_text(game, seat, names))
        lost = "" if one.loss is None else difference_text(game, one.loss, 0.0)
        numbers = [str(one.moves), lost, f"{one.points:.1f}"]
        cells = "".join(f"<td class=n>{number}</td>" for number in numbers)
        rows.append(f"<tr><td>{who}</td>{cells}{counts}</tr>")
    return "".join(rows)


def _mistake(game: Game, one: Judgement) -> str:
    line = game.join_moves(list(one.line))
    words = f"{one.number}. {game.player_name(one.seat)} {one.text}: {one.verdict}"
    words += f", {one.points:.0f} points of winning chance"
    value, best, _ = one.told(game)
    better = f"better {one.best_text} ({best}) than {value}: {line}"
    board = game.picture(one.state).svg
    return f"<figure>{board}<figcaption><b>{escape(words)}</b><br>{escape(better)}</figcaption></figure>"


def _row(game: Game, one: Judgement) -> str:
    values = ", ".join(f"{move} {proved_text(game, value)}" for move, value in one.values.items())
    cells = [str(one.number), game.player_name(one.seat), one.text, one.best_text]
    numbers = [*one.told(game), f"{one.points:.1f}"]
    text = "".join(f"<td>{escape(cell)}</td>" for cell in cells)
    text += "".join(f"<td class=n>{escape(number)}</td>" for number in numbers)
    text += f"<td>{escape(one.verdict)}</td><td>{'exact' if one.exact else ''}</td><td>{escape(values)}</td>"
    return f"<tr{f' class={one.verdict}' if one.verdict else ''}>{text}</tr>"
