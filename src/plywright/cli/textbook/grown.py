"""`plywright tree --algorithm mcts`: the tree that simulations grew, or each simulation in words."""

from __future__ import annotations

from pathlib import Path
from typing import Any

from ...draw.tree import value_text
from ...engine import MonteCarloTree
from ...errors import BadInput
from ...files import write_whole
from ...game import Game
from ...textbook.algorithms.mcts import Simulation, uct_search
from ...textbook.trace.mcts_trace import trace_uct
from ..console import out, print_json

DEFAULT_SIMULATIONS = 200
SHOWN_NODES = 40


def show_grown(
    game: Game,
    state: Any,
    simulations: int | None,
    *,
    depth: int | None,
    steps: bool,
    svg: Path | None,
    html: Path | None,
    json: bool,
) -> None:
    """Grow a tree by so many simulations and show its most visited part."""
    if depth is not None:
        raise BadInput("mcts has no depth: give --simulations")
    number = DEFAULT_SIMULATIONS if simulations is None else simulations
    if steps:
        tell_simulations(game, state, number)
    if html is not None:
        write_whole(html, trace_uct(game, state, number).html().encode())
    tree = MonteCarloTree(game, state, memory=64)
    result = tree.search(simulations=number, all_actions=True)
    picture = tree.picture(SHOWN_NODES)
    if svg is not None:
        write_whole(svg, picture.svg.encode())
    if json:
        print_json(result.as_dict(game, state))
        return
    if svg is None and html is None:
        out.print(picture.text, markup=False)
        out.print()
    move = "none: chance moves here" if result.action is None else game.format_action(state, result.action)
    certainty = "proved" if result.proved else f"± {result.error or 0.0:.2g}, {result.nodes} simulations"
    out.print(f"Monte Carlo tree search: value {result.value:.4g} ({certainty}), move {move}", markup=False)
    for path in (svg, html):
        if path is not None:
            out.print(f"wrote {path}", markup=False)


def tell_simulations(game: Game, state: Any, simulations: int) -> None:
    """Every simulation of the textbook's algorithm, one per line."""
    lines: list[str] = []

    def tell(simulation: Simulation) -> None:
        moves, place = [], state
        for action in simulation.moves:
            moves.append(game.format_action(place, action))
            place = game.state_after(place, action)
        values = ", ".join(value_text(value) for value in simulation.values)
        played = f"{simulation.played} more at random" if simulation.played else "the game is over"
        lines.append(f"{len(lines) + 1:4}. {game.join_moves(moves)}; {played}: ({values})")

    low, high = game.utility_range
    uct_search(game, state, simulations, exploration=2**0.5 * (high - low) / 2, watch=tell)
    out.print("\n".join(lines), markup=False)
    out.print()
