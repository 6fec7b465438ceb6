"""What the table says in words: who is to move, what the dice brought, how the game ended."""

from __future__ import annotations

import inspect
import re
from collections.abc import Sequence
from typing import Any

from ...draw.tree import chance_text
from ...game import Game
from ...games.registry import title_of
from ...outcome_text import points_text, with_minus


def payoff_text(game: Game, payoffs: Sequence[float]) -> str:
    """What everybody gets: `Black +12, White -12`."""
    points = [with_minus(points_text(game, payoff)) for payoff in payoffs]
    return ", ".join(f"{game.player_name(seat)} {text}" for seat, text in enumerate(points))


def outcome_words(game: Game, state: Any, outcome: int) -> str:
    """What chance brought and how likely that was."""
    odds = dict(game.chance(state)).get(outcome) if game.lists_chance else None
    likely = f" (probability {chance_text(float(odds))})" if odds else ""
    return f"Chance brought {game.format_action(state, outcome)}{likely}."


def time_text(seconds: float) -> str:
    """A clock as it is read: 4:05, and below ten seconds 7.3."""
    if seconds < 10:
        return f"{max(seconds, 0):.1f}"
    return f"{int(seconds) // 60}:{int(seconds) % 60:02}"


def game_title(game: Game) -> str:
    """The game's name as a heading; of a game from a file the file's name without its folders."""
    if ".py" in game.name:
        return re.split(r"[/\\]", game.name)[-1]
    return title_of(game.name)


def capital(text: str) -> str:
    return text[:1].upper() + text[1:]


def rules_of(game: Game) -> list[str]:
    """The rules of a game for people, paragraph by paragraph; what its file says of them where it has no card."""
    text = game.how_to_play or f"{inspect.getdoc(type(game)) or ''}\n\n{_module_text(game)}"
    return [" ".join(part.split()) for part in text.split("\n\n") if part.strip()]


def _module_text(game: Game) -> str:
    module = inspect.getmodule(type(game))
    return (module and inspect.getdoc(module)) or ""
