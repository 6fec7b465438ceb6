"""Which search suits a kind of game, and why the others do not."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from ..game import Game

TELLING = ("opponents", "utility", "outcomes", "pruning")
"""Options that only expectation searches take: giving one of them chooses such a search."""


def usual(game: Game, options: Mapping[str, Any]) -> str:
    """The algorithm that the game's kind, and the options, ask for."""
    if len(deciding_teams(game, options.get("opponents"))) <= 1:
        return "expectimax"
    if not game.opposed:
        return "maxn"
    if game.has_chance or any(options.get(name) is not None for name in TELLING):
        return "expectiminimax"
    return "pvs" if game.step else "alphabeta"


def no_whole_view(game: Game, options: Mapping[str, Any]) -> str:
    """Why a perfect-information search cannot search a game; empty where it can."""
    return "players do not see the whole state, so it needs ismcts, deals or weighted" if game.hidden else ""


def usual_of_hidden(game: Game, depth_asked: bool) -> str:
    """The algorithm for a game with hidden information: minimax over deals to a depth, else simulations."""
    if not game.draws_deals:
        return "weighted"
    return "deals" if depth_asked else "ismcts"


def no_deals(algorithm: str, game: Game, options: Mapping[str, Any]) -> str:
    """Why a search over deals cannot search a game; empty where it can."""
    if not game.hidden:
        return f"its players see the whole state, which {usual(game, {})} searches"
    if algorithm == "weighted" and not game.lists_deals:
        return "it has no deals(), which lists the states that look alike; deals and ismcts draw them by deal()"
    if not game.draws_deals and not game.lists_deals:
        return "it has neither deal() nor deals(): define one of them"
    return ""


def no_opposed_teams(game: Game, options: Mapping[str, Any]) -> str:
    """Why minimax and alpha-beta cannot search a game; empty where they can."""
    if reason := no_whole_view(game, options):
        return reason
    if game.has_chance:
        return f"it has chance nodes, which need {usual(game, {})}"
    if not game.opposed:
        return f"it needs two teams whose utilities cancel; {usual(game, {})} does not"
    return ""


def no_common_step(game: Game, options: Mapping[str, Any]) -> str:
    """Why the engine, which counts in whole steps, cannot search a game; empty where it can."""
    return no_opposed_teams(game, options) or ("" if game.step else "its utilities have no common step; alphabeta can")


def no_averages(algorithm: str, game: Game, options: Mapping[str, Any]) -> str:
    """Why an expectation search cannot search a game; empty where it can."""
    if reason := no_whole_view(game, options):
        return reason
    if len(deciding_teams(game, options.get("opponents"))) <= 1:
        return ""
    if algorithm == "expectimax":
        other = "expectiminimax" if game.opposed else "maxn"
        return f"more than one team decides, which needs {other}, or policies for the others as opponents"
    if algorithm == "expectiminimax" and not game.opposed:
        return "it needs two teams whose utilities cancel; maxn does not"
    return ""


def deciding_teams(game: Game, opponents: Any) -> set[int]:
    """The teams of the players that no policy plays for."""
    modelled = opponents if isinstance(opponents, Mapping) else {}
    return {team for player, team in enumerate(game.team_of) if player not in modelled}
