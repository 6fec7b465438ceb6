"""`plywright solve` and its options."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated, Any

import typer

from ..options import (
    GameText,
    Json,
    KnowledgeText,
    MovesText,
    RollText,
    StateText,
)

solving_app = typer.Typer()


@solving_app.command()
def solve(
    game: GameText,
    state: StateText = None,
    moves: MovesText = None,
    roll: RollText = None,
    table: Annotated[
        float | None, typer.Option("--table", help="Megabytes for the table (256) or, with dice, the states (1024).")
    ] = None,
    tolerance: Annotated[
        float | None, typer.Option("--tolerance", help="Of value iteration: how far off the value may be (1e-9).")
    ] = None,
    time: Annotated[
        float | None,
        typer.Option("--time", help="Seconds after which a proof is given up, with what is known by then."),
    ] = None,
    threads: Annotated[int, typer.Option("--threads", help="Searching together on one table.")] = 1,
    knowledge: KnowledgeText = None,
    save: Annotated[
        Path | None, typer.Option("--save", help="Keep what is proved, or the strategy, in this file.")
    ] = None,
    strong: Annotated[
        bool, typer.Option("--strong", help="Every position that can be reached, with value and distance; --save FILE.")
    ] = False,
    symmetric: Annotated[
        bool, typer.Option("--symmetric", help="With --strong: positions that are alike, turned or mirrored, are one.")
    ] = False,
    proof: Annotated[
        Path | None, typer.Option("--proof", help="Write the proof as JSON, or as a tree (.svg, .txt); by dfpn.")
    ] = None,
    check: Annotated[
        Path | None, typer.Option("--check", help="Check a proof that --proof wrote, by the rules alone.")
    ] = None,
    equilibrium: Annotated[
        bool, typer.Option("--equilibrium", help="Mixed strategies, for hidden information.")
    ] = False,
    algorithm: Annotated[
        str | None,
        typer.Option(
            "--algorithm",
            help="proof, dfpn or value-iteration, by default by the kind of game; with --equilibrium "
            "cfr+ (the default), cfr, dcfr, external or outcome.",
        ),
    ] = None,
    iterations: Annotated[int, typer.Option("--iterations", help="Of the equilibrium.")] = 1000,
    show: Annotated[bool, typer.Option("--show", help="The strategy at every information set.")] = False,
    agents: Annotated[
        bool, typer.Option("--agents", help="How far searches over deals can be exploited beside it.")
    ] = False,
    seed: Annotated[int, typer.Option("--seed", help="Of what is sampled.")] = 1,
    json: Json = False,
) -> None:
    """Prove the value of a position, or compute it over all states (dice, cycles, one player or many).

    With --equilibrium: strategies for hidden information that can hardly be exploited.
    """
    if equilibrium:
        from .equilibrium import show_equilibrium

        options: dict[str, Any] = {"algorithm": algorithm or "cfr+", "iterations": iterations, "seed": seed}
        show_equilibrium(game, **options, show=show, agents=agents, save=save, json=json)
        return
    if check is not None:
        from .prove import show_check

        show_check(game, check, json)
        return
    if strong:
        from .solve import refuse
        from .strong import show_strong

        refuse("--time", time, "is for proofs; strong solving goes on until it is done, or Ctrl-C")
        refuse("--proof", proof, "is written by proof-number search, without --strong")
        refuse("--algorithm", algorithm, "is for one position; strong solving chooses by how many there are")
        refuse("--tolerance", tolerance, "is for value iteration; a table is exact")
        refuse("--threads", None if threads == 1 else threads, "is for proofs by alpha-beta")
        refuse("--knowledge", knowledge, "is for searches; strong solving goes by the rules")
        refuse("--roll", roll, "is for games with dice, which have no such table")
        show_strong(game, state, moves, table=table, symmetric=symmetric, save=save, json=json)
        return
    from .solve import show_solution

    if show or agents or symmetric:
        from ...errors import BadInput

        if symmetric:
            raise BadInput("--symmetric is about all positions of a game: give --strong too")
        raise BadInput(f"{'--show' if show else '--agents'} is about mixed strategies: give --equilibrium too")
    settings: dict[str, Any] = {"algorithm": algorithm, "table": table, "tolerance": tolerance, "threads": threads}
    settings["time"] = time
    show_solution(game, state, moves, roll, **settings, knowledge=knowledge, save=save, proof=proof, json=json)
