"""`plywright solve`: the proved value of a position, with progress."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import Any

from ...engine.alphabeta.solve import TABLE_MEGABYTES, Progress, TooLong, collision_odds, solve
from ...engine.value_iteration.value_iteration import TOLERANCE, StateSolution, StatesProgress, solve_states
from ...errors import BadInput, Unsuitable
from ...game import Game
from ...games import know, load_game
from ...result import HEURISTIC
from ..console import busy, choose, count_text, notes, out, print_json, states_so_far, value_text

PROOF, ITERATION, NUMBERS = "proof", "value-iteration", "dfpn"
STATE_MEGABYTES = 1024.0


def show_solution(
    name: str,
    state_text: str | None,
    moves: str | None,
    roll: str | None,
    *,
    algorithm: str | None,
    table: float | None,
    tolerance: float | None,
    threads: int,
    knowledge: str | None,
    save: Path | None,
    proof: Path | None = None,
    time: float | None = None,
    json: bool,
) -> None:
    game = know(load_game(name), knowledge)
    *before, state = states_so_far(game, state_text, moves, roll)
    history = tuple(before) if game.repeats else ()
    if game.hidden:
        raise BadInput(
            f"a position of {game.name} has no value to prove, since nobody sees all of it: "
            f"`plywright solve {name} --equilibrium` finds mixed strategies and what they are worth"
        )
    by_states = game.has_chance or not game.opposed or not game.step
    if algorithm is not None:
        kinds = {PROOF: False, ITERATION: True, NUMBERS: False}
        by_states = choose(algorithm, kinds, "algorithm of solve without --equilibrium")
    repeating = algorithm is None and not by_states and game.repetition_draws > 0
    if algorithm == NUMBERS or repeating or (proof is not None and algorithm is None):
        from .prove import show_proof_numbers

        refuse("--save", save, "keeps the table of a proof by alpha-beta; --proof FILE keeps what is proved here")
        refuse("--tolerance", tolerance, "is for value iteration; a proof is exact")
        refuse("--threads", None if threads == 1 else threads, "is for proofs by alpha-beta")
        why = "asked for" if algorithm == NUMBERS else "a proof is to be kept"
        if repeating:
            why = "positions that come again are drawn, and only this proof minds which came before"
        show_proof_numbers(name, game, state, history, table=table, time=time, proof=proof, why=why, json=json)
        return
    refuse("--proof", proof, f"is written by proof-number search: --algorithm {NUMBERS}")
    if not by_states:
        refuse("--tolerance", tolerance, "is for value iteration; a proof is exact")
        try:
            megabytes = TABLE_MEGABYTES if table is None else table
            _show_proof(name, game, state, history, table=megabytes, threads=threads, time=time, save=save, json=json)
            return
        except TooLong as error:
            if algorithm is not None or save is not None or game.repeats:
                raise Unsuitable(
                    f"{error}; `plywright solve {name} --algorithm {ITERATION}` goes over its states"
                ) from None
            notes.print(f"{error}: going over its states instead", markup=False)
    refuse("--time", time, "is for proofs; value iteration goes on until it is done, or Ctrl-C")
    refuse("--save", save, "keeps proofs and strategies; value iteration has nothing to keep")
    refuse("--threads", None if threads == 1 else threads, "is for proofs; value iteration runs in one")
    with busy(f"solving {name}") as say:
        found = solve_states(
            game,
            state,
            tolerance=TOLERANCE if tolerance is None else tolerance,
            megabytes=STATE_MEGABYTES if table is None else table,
            progress=_teller(name, say),
        )
    show_states(game, state, found, json)


def refuse(option: str, given: object, why: str) -> None:
    if given is not None:
        raise BadInput(f"{option} {why}")


def _teller(name: str, say: Callable[[str], None]) -> Callable[[StatesProgress], None]:
    def tell(progress: StatesProgress) -> None:
        done = "found so far" if progress.share is None else f"found, {progress.share:.0%} of them solved"
        say(f"solving {name}: {count_text(progress.states)} states {done}, {progress.seconds:.0f} s")

    return tell


def show_states(game: Game, state: Any, found: StateSolution, json: bool) -> None:
    """What value iteration found."""
    result, gain = found.result, found.gain
    if json:
        extra = {"lower": found.lower, "upper": found.upper, "states": found.states, "finished": found.finished}
        print_json({**result.as_dict(game, state), **extra, "sweeps": found.sweeps, "gain": gain})
        return
    out.print(game.picture(state).text, markup=False)
    whose = "for the player to move" if result.action is not None else f"for {game.player_name(0)}"
    if not result.proved:
        interval = f"from {found.lower:.10g} to {found.upper:.10g} {whose}"
        out.print(f"     value  {interval}: the game can go on for ever, and the rules do not say", markup=False)
        out.print("            what an endless game is worth; whatever it is, the value lies there", markup=False)
    elif gain is not None:
        shown = ", ".join(f"{game.player_name(n)} {value:.10g}" for n, value in enumerate(result.values))
        out.print(f"    values  {shown}  (within {result.error:.1g})", markup=False)
        out.print(f"            an equilibrium: by playing otherwise nobody gains more than {gain:.1g}", markup=False)
    else:
        chances = f", wins {(1 + result.value) / 2:.4%} of the games" if _only_wins(game, found) else ""
        out.print(f"     value  {result.value:+.10g} {whose}  (within {result.error:.1g}{chances})", markup=False)
        if found.endless:
            out.print(f"            where an endless game counts {game.neutral_value:g}", markup=False)
    for place, (action, value) in enumerate(sorted(result.actions.items(), key=lambda item: -item[1])):
        head = "     moves" if place == 0 else "          "
        out.print(f"{head}  {game.format_action(state, action)}  {value:+.10g}", markup=False)
    ends = f"{found.states:,}, {found.finished:,} of them finished"
    out.print(f"    states  {ends}; {found.sweeps:,} sweeps in {result.seconds:.3g} s", markup=False)


def _only_wins(game: Game, found: StateSolution) -> bool:
    """Whether every end is won or lost, so that a value is a chance of winning."""
    return game.opposed and game.utility_range == (-1, 1) and found.decisive


def _show_proof(
    name: str,
    game: Game,
    state: Any,
    history: tuple[Any, ...],
    *,
    table: float,
    threads: int,
    time: float | None,
    save: Path | None,
    json: bool,
) -> None:
    known: list[Progress] = []
    with busy(f"solving {name}") as say:

        def tell(progress: Progress) -> None:
            known[:] = [progress]
            interval = f"[{value_text(progress.lower)}, {value_text(progress.upper)}]"
            speed = f"{count_text(progress.nodes)} positions, {count_text(progress.nodes_per_second)}/s"
            say(f"solving {name}: value in {interval}, {speed}, lines of up to {progress.depth} moves")

        settings: dict[str, Any] = {"table_megabytes": table, "table_file": save, "threads": threads, "time": time}
        result = solve(game, state, progress=tell, history=history, **settings)
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
    proved = f"proved{result.condition(game)}; odds of a false match in the table {odds:.1g}"
    out.print(f"     value  {value_text(result.value)}  ({proved})", markup=False)
    if result.action is not None:
        out.print(f"      best  {game.format_action(state, result.action)}", markup=False)
        out.print(f"      line  {game.join_moves(result.line_text(game, state))}", markup=False)
    speed = f"{count_text(result.nodes)} in {result.seconds:.3g} s, {count_text(result.nodes_per_second)}/s"
    out.print(f"     nodes  {speed}", markup=False)
