"""What a player that thinks has found so far, as parts of the page that streams replace."""

from __future__ import annotations

from typing import Any

from ...game import Game
from ...outcome_text import chance_words, count_text
from ...result import SearchResult
from ..rendering import rendered
from ..search_queue import Waiting
from .status_text import game_value_text

LINE_SHOWN = 12
"""Plies of a line of best play that are shown."""


def waiting_words(news: Waiting) -> str:
    return f"waiting: {news.before} before you" if news.before else "thinking"


def waiting_html(news: Waiting) -> str:
    return rendered("play_thought.html", words=waiting_words(news), rows=[], best="")


def thought_html(game: Game, state: Any, seat: int | None, news: SearchResult, secret: bool) -> str:
    """What a thinking player has found so far; where it knows more than the reader may, only that it thinks."""
    if secret or seat is None:
        return rendered("play_thought.html", words="thinking", rows=[], best="")
    return rendered("play_thought.html", words="", rows=result_rows(game, state, seat, news), best="")


def advice_html(game: Game, known: Any, seat: int, news: SearchResult, last: bool) -> str:
    rows = result_rows(game, known, seat, news)
    best = "" if news.action is None else game.format_action(known, news.action)
    words = "" if not last or not best else f"Best is {best}."
    if news.note:
        words = f"Not to be told: {news.note}."
    return rendered("play_thought.html", words=words, rows=rows, best=best)


def result_rows(game: Game, state: Any, seat: int, found: SearchResult) -> list[tuple[str, str]]:
    """A search's result as labelled lines, always the same ones."""
    best = "" if found.action is None else game.format_action(state, found.action)
    if not game.hidden:
        best = game.join_moves(found.line_text(game, state)[:LINE_SHOWN])
    proved = f" proved{found.condition(game)}" if found.proved else chance_words(found.chance, ", ")
    return [
        ("depth", str(found.depth)),
        (
            "value",
            f"{game_value_text(game, found.value)} for {game.player_name(seat)}{proved}",
        ),
        ("line" if not game.hidden else "best", best),
        ("nodes", f"{count_text(found.nodes)}, {count_text(found.nodes_per_second)}/s"),
        ("by", found.algorithm),
        *([("note", found.note)] if found.note else []),
    ]
