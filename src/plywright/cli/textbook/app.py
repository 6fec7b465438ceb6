"""`plywright tree` and `plywright worksheet`, and their options."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated, Any

import typer

from ..options import (
    DepthLimit,
    Json,
    MovesText,
    RollText,
    StateText,
)

textbook_app = typer.Typer()


@textbook_app.command()
def tree(
    game: Annotated[
        str,
        typer.Argument(metavar="TREE", help="A figure, game, file, or a tree: '[[3,12],[2,4]]' or '(1/2: 8, 1/2: 3)'."),
    ],
    algorithm: Annotated[
        str | None,
        typer.Option("--algorithm", help="minimax, alphabeta, star1, maxn, mcts, ...; by default by the kind of game."),
    ] = None,
    state: StateText = None,
    moves: MovesText = None,
    roll: RollText = None,
    depth: DepthLimit = None,
    simulations: Annotated[int | None, typer.Option("--simulations", help="Simulated games, for mcts.")] = None,
    min_as: Annotated[
        str,
        typer.Option("--min-as", help="MIN's nodes as min, chance, chance:P,P,... or model:P (plays best so often)."),
    ] = "min",
    leaves: Annotated[
        str, typer.Option("--leaves", help='A map on the leaves: affine:2,1, square, or "1=1,2=20,3=30,4=400".')
    ] = "",
    steps: Annotated[bool, typer.Option("--steps", help="Tell every step in words.")] = False,
    svg: Annotated[Path | None, typer.Option("--svg", help="Write the finished tree as SVG.")] = None,
    html: Annotated[Path | None, typer.Option("--html", help="Write a page that steps through the search.")] = None,
    json: Json = False,
) -> None:
    """Run a textbook algorithm on a tree and show every step of it."""
    from .tree import show_tree

    options: dict[str, Any] = {
        "depth": depth,
        "simulations": simulations,
        "steps": steps,
        "min_as": min_as,
        "leaves": leaves,
    }
    show_tree(game, algorithm, state, moves, roll, **options, svg=svg, html=html, json=json)


@textbook_app.command()
def worksheet(
    trees: Annotated[
        list[str] | None,
        typer.Argument(metavar="[TREE]...", help="Trees of your own, as `plywright tree` takes them; else by lot."),
    ] = None,
    algorithm: Annotated[
        str | None, typer.Option("--algorithm", help="alphabeta, minimax, star1, maxn, ...; by default by the tree.")
    ] = None,
    depth: Annotated[int | None, typer.Option("--depth", help="Plies to look ahead, in trees of your own.")] = None,
    kind: Annotated[
        str | None,
        typer.Option("--kind", help="two-players, chance, one-player or three-players; by default what suits."),
    ] = None,
    branching: Annotated[int | None, typer.Option("--branching", help="Moves at each node; by default 2 or 3.")] = None,
    levels: Annotated[int | None, typer.Option("--levels", help="Plies of a tree; by default 2 or 3.")] = None,
    ordering: Annotated[str | None, typer.Option("--ordering", help="random, perfect or worst.")] = None,
    seed: Annotated[int | None, typer.Option("--seed", help="The same seed gives the same sheet (1).")] = None,
    count: Annotated[int | None, typer.Option("--count", help="Exercises, up to 20 (6).")] = None,
    html: Annotated[Path | None, typer.Option("--html", help="Write a page to print.")] = None,
    json: Json = False,
) -> None:
    """Exercises on paper: trees to be solved by hand, and their answers."""
    from .worksheet import show_worksheet

    wanted = {
        "kind": kind,
        "branching": branching,
        "levels": levels,
        "ordering": ordering,
        "seed": seed,
        "count": count,
    }
    show_worksheet(trees or [], algorithm, depth, wanted, html=html, json=json)
