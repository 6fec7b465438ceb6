"""`plywright compare`: the best move against perfect opponents and against modelled ones."""

from __future__ import annotations

from typing import Any

from rich.table import Table

from ...engine import Limit
from ...engine.chance.assumptions import Comparison, compare
from ...engine.chance.opponent_models import parse_policy
from ...engine.interrupts import interruptible
from ...game import Game
from ...outcome_text import mean_text
from ...result import json_number
from ..console import busy, out, position, print_json


@interruptible()
def show_comparison(
    name: str,
    state_text: str | None,
    moves: str | None,
    roll: str | None = None,
    *,
    opponent: str,
    time: float | None,
    depth: int | None,
    json: bool,
) -> None:
    policy = parse_policy(opponent)
    limit = Limit(depth, time) if (depth, time) != (None, None) else Limit(depth=4)
    game, state = position(name, state_text, moves, roll)
    with busy(f"searching {game.name} twice"):
        found = compare(game, state, policy, limit=limit)
    if json:
        print_json(as_dict(game, state, found, opponent))
        return
    out.print(game.picture(state).text, markup=False)
    out.print(f"{game.player_name(found.player)} to move, {found.depth} plies ahead", markup=False)
    table = Table("assume", "plays", "against the best", f"against {opponent}", box=None, header_style="bold")
    for assumption, action in (("the best", found.cautious), ("what they do", found.knowing)):
        values = (mean_text(value) for value in (found.against_best[action], found.against_model[action]))
        table.add_row(assumption, game.format_action(state, action), *values)
    out.print(table)
    out.print(words(game, state, found), markup=False)


def words(game: Game, state: Any, found: Comparison) -> str:
    """What the two assumptions come to, in one or two sentences."""
    if found.cautious == found.knowing:
        return "Both assumptions choose the same move."
    gain, price = found.gain, found.price
    knowing = game.format_action(state, found.knowing)
    return f"{knowing} gains {gain:.4g} if they play as assumed, and costs {price:.4g} if they play their best."


def as_dict(game: Game, state: Any, found: Comparison, opponent: str) -> dict[str, Any]:
    def choice(action: int) -> dict[str, Any]:
        return {
            "action": game.format_action(state, action),
            "against_best": json_number(found.against_best[action]),
            "against_model": json_number(found.against_model[action]),
        }

    return {
        "game": game.name,
        "opponent": opponent,
        "player": found.player,
        "depth": found.depth,
        "algorithms": list(found.algorithms),
        "assume_the_best": choice(found.cautious),
        "assume_what_they_do": choice(found.knowing),
        "gain": json_number(found.gain),
        "price": json_number(found.price),
        "actions": {
            game.format_action(state, action): {
                "against_best": json_number(value),
                "against_model": json_number(found.against_model[action]),
            }
            for action, value in found.against_best.items()
        },
    }
