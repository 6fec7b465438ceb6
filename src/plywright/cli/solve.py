"""`plywright solve`: the proved value of a position, with progress."""

from __future__ import annotations

from pathlib import Path

from ..engine.solve import Progress, collision_odds, solve
from ..errors import BadInput
from ..result import HEURISTIC
from .console import busy, count_text, out, position, print_json, value_text


def show_solution(
    name: str, state_text: str | None, moves: str | None, *, table: float, threads: int, save: Path | None, json: bool
) -> None:
    game, state = position(name, state_text, moves)
    if game.hidden:
        raise BadInput(
            f"a position of {game.name} has no value to prove, since nobody sees all of it: "
            f"`plywright solve {name} --equilibrium` finds mixed strategies and what they are worth"
        )
    known: list[Progress] = []
    with busy(f"solving {name}") as say:

        def tell(progress: Progress) -> None:
            known[:] = [progress]
            interval = f"[{value_text(progress.lower)}, {value_text(progress.upper)}]"
            speed = f"{count_text(progress.nodes)} positions, {count_text(progress.nodes_per_second)}/s"
            say(
                f"solving {name}: value in {interval}, {speed}, lines of up to {progress.depth} moves".replace(
                    "[", r"\["
                )
            )

        result = solve(game, state, table_megabytes=table, table_file=save, progress=tell, threads=threads)
    size = table if save is None else save.stat().st_size / 1e6  # a table that was there already has its own
    odds = collision_odds(result.nodes, size)
    lower, upper = known[-1].lower, known[-1].upper
    if json:
        print_json({**result.as_dict(game, state), "lower": lower, "upper": upper, "collision_odds": odds})
        return
    out.print(game.picture(state).text, markup=False)
    if not result.proved:
        so_far = f"that the value lies from {value_text(lower)} to {value_text(upper)}"
        none = ", which the rules say already" if result.bound == HEURISTIC else ""
        out.print(f"stopped: so far it is proved {so_far}{none}", markup=False)
        return
    out.print(f"     value  {value_text(result.value)}  (proved; odds of a false match in the table {odds:.1g})")
    if result.action is not None:
        out.print(f"      best  {game.format_action(state, result.action)}", markup=False)
        out.print(f"      line  {game.join_moves(result.line_text(game, state))}", markup=False)
    speed = f"{count_text(result.nodes)} in {result.seconds:.3g} s, {count_text(result.nodes_per_second)}/s"
    out.print(f"     nodes  {speed}", markup=False)
