"""`plywright solve GAME --equilibrium`: mixed strategies, how far they can be exploited, and searches beside them."""

from __future__ import annotations

from pathlib import Path
from typing import Any

from rich.table import Table

from ...engine.interrupts import interruptible
from ...equilibrium import EquilibriumResult, find_equilibrium
from ...errors import BadInput
from ...files import check_writable
from ...game import Game
from ...games import load_game
from ...players.agents import AgentRow, compare_agents
from ..console import busy, count_text, out, print_json


@interruptible()
def show_equilibrium(
    name: str, *, algorithm: str, iterations: int, seed: int, show: bool, agents: bool, save: Path | None, json: bool
) -> None:
    if iterations < 1:
        raise BadInput(f"--iterations must be at least 1, not {iterations}")
    if save is not None:
        check_writable(save)
    game = load_game(name)
    with busy(f"solving {name}") as say:
        found = find_equilibrium(
            game,
            algorithm=algorithm,
            iterations=iterations,
            seed=seed,
            progress=lambda done, of: say(f"solving {name}: {done:,} of {of:,} iterations"),
        )
        rows = (
            compare_agents(
                game,
                iterations=iterations,
                seed=seed,
                told=lambda agent, done, of: say(f"{agent}: {done} of {of} views"),
            )
            if agents
            else []
        )
    if save is not None:
        found.strategy.save(save)
    if json:
        extra: dict[str, Any] = {"strategy": _strategy_data(found)} if show else {}
        print_json({**found.as_dict(), **extra, **({"agents": [row.as_dict() for row in rows]} if agents else {})})
        return
    _print_result(game, found)
    if agents:
        out.print()
        out.print(agents_table(game, rows))
    if show:
        out.print()
        out.print(strategy_table(game, found))
    if save is not None:
        out.print(f"wrote {save}", markup=False)


def _print_result(game: Game, found: EquilibriumResult) -> None:
    tree = found.strategy.tree
    rate = found.iterations / found.seconds if found.seconds > 0 else 0.0
    names = [game.player_name(player) for player in range(game.players)]
    worth = ", ".join(f"{name} {value:+.6f}" for name, value in zip(names, found.values, strict=True))
    out.print(f"         value  {worth}", markup=False)
    out.print(f"exploitability  {found.exploitability:.6g}  (the mean gain of a best answer)", markup=False)
    if not found.two_player_zero_sum:
        gain = ", ".join(f"{name} {value:.6g}" for name, value in zip(names, found.gains, strict=True))
        out.print(f"         gains  {gain}: with these players no equilibrium is claimed", markup=False)
    speed = f"{found.iterations:,} in {found.seconds:.3g} s, {count_text(rate)}/s, {found.algorithm}"
    out.print(f"    iterations  {speed}", markup=False)
    out.print(f"          game  {tree.histories:,} histories, {tree.sets:,} information sets", markup=False)


def strategy_table(game: Game, found: EquilibriumResult) -> Table:
    """Every information set, and how likely each action is there."""
    table = Table("player", "sees", "plays", box=None, header_style="bold")
    for owner, seen, acts in found.strategy.table():
        plays = "  ".join(f"{action} {chance:.4f}" for action, chance in acts.items())
        table.add_row(game.player_name(owner), seen, plays)
    return table


def agents_table(game: Game, rows: list[AgentRow]) -> Table:
    """What each way of deciding can be exploited for."""
    sure = all(row.guarantees is not None for row in rows) and game.opposed
    table = Table("agent", box=None, header_style="bold")
    table.add_column("exploitability", justify="right")
    for player in range(game.players):
        name = game.player_name(player)
        table.add_column(f"{name} is sure of" if sure else f"value for {name}", justify="right")
    for row in rows:
        worth = row.guarantees if sure and row.guarantees is not None else row.values
        table.add_row(row.name, f"{row.exploitability:.6f}", *(f"{value:+.4f}" for value in worth))
    return table


def _strategy_data(found: EquilibriumResult) -> list[dict[str, Any]]:
    return [{"player": owner, "sees": seen, "plays": acts} for owner, seen, acts in found.strategy.table()]
