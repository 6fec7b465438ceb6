"""Options that several commands share, with one wording each."""

from __future__ import annotations

from typing import Annotated

import typer

GameText = Annotated[
    str, typer.Argument(metavar="GAME", help="A name (othello, mnk:m=4,n=4,k=4) or a path (./mygame.py[:Class]).")
]
StateText = Annotated[str | None, typer.Option("--state", help="Position to start from, in the game's notation.")]
MovesText = Annotated[str | None, typer.Option("--moves", help='Moves to play first, such as "f5 d6".')]
RollText = Annotated[str | None, typer.Option("--roll", help="What chance brings next, such as 65 for two dice.")]
TimeLimit = Annotated[float | None, typer.Option("--time", help="Seconds to search.")]
DepthLimit = Annotated[int | None, typer.Option("--depth", help="Plies to look ahead.")]
NodeLimit = Annotated[int | None, typer.Option("--nodes", help="Positions to visit.")]
Algorithm = Annotated[
    str | None,
    typer.Option(
        "--algorithm",
        help="By default the game's kind decides; pvs, alphabeta, minimax, expectimax, maxn, mcts, ...",
    ),
]
KnowledgeText = Annotated[
    str | None,
    typer.Option(
        "--knowledge", help="What the search knows: a name of the game's, none, or a file (./mygame.py[:Class])."
    ),
]
WeightsText = Annotated[
    str | None, typer.Option("--weights", help="Other weights of the evaluation, such as mobility=0,corner=20.")
]
Json = Annotated[bool, typer.Option("--json", help="Print one JSON object for programs.")]
