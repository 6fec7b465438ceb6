"""What a player that thinks has found so far, as parts of the page that streams replace."""

from __future__ import annotations

from typing import Any

from ...game import Game
from ...outcome_text import count_text
from ...result import SearchResult
from ..rendering import rendered
from ..search_queue import Waiting
from .estimates import estimate_of, for_first, nothing_known

LINE_SHOWN = 12
"""Plies of a line of best play that are shown."""


def waiting_words(news: Waiting) -> str:
    return f"waiting: {news.before} before you" if news.before else "thinking"


def waiting_html(news: Waiting) -> str:
    return rendered("play_thought.html", words=waiting_words(news), rows=[], best="", share="")


def thought_html(game: Game, state: Any, seat: int | None, news: SearchResult, secret: bool) -> str:
    """What a thinking player has found so far; where it knows more than the reader may, only that it thinks."""
    if secret or seat is None:
        return rendered("play_thought.html", words="thinking", rows=[], best="", share="")
    rows = result_rows(game, state, seat, news)
    return rendered("play_thought.html", words="", rows=rows, best="", share=_share(game, state, seat, news))


def _share(game: Game, state: Any, seat: int, found: SearchResult) -> str:
    """The first side's winning chance in hundredths, for the bar."""
    chance = for_first(game, seat, estimate_of(found, game, state).chance)
    return "" if chance is None else f"{100 * chance:.1f}"


def advice_html(game: Game, known: Any, seat: int, news: SearchResult, last: bool) -> str:
    rows = result_rows(game, known, seat, news)
    best = "" if news.action is None else game.format_action(known, news.action)
    words = "" if not last or not best else f"Best is {best}."
    if unknown := nothing_known(news, game):
        words = f"Not to be told: {unknown}."
    return rendered("play_thought.html", words=words, rows=rows, best=best, share=_share(game, known, seat, news))


def result_rows(game: Game, state: Any, seat: int, found: SearchResult) -> list[tuple[str, str]]:
    """A search's result as labelled lines, always the same ones."""
    best = "" if found.action is None else game.format_action(state, found.action)
    if not game.hidden:
        best = game.join_moves(found.line_text(game, state)[:LINE_SHOWN])
    proved = f", proved{found.condition(game)}" if found.proved else ""
    return [
        ("depth", str(found.depth)),
        (
            "value",
            f"{estimate_of(found, game, state).words} for {game.player_name(seat)}{proved}",
        ),
        ("line" if not game.hidden else "best", best),
        ("nodes", f"{count_text(found.nodes)}, {count_text(found.nodes_per_second)}/s"),
        ("by", found.algorithm),
        *([("note", found.note)] if found.note else []),
    ]
