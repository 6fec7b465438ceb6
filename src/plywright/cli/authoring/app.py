"""`plywright doctor`, `new` and `engine`, and their options."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer

from ...errors import BadInput
from ..options import GameText, Json, KnowledgeText

authoring_app = typer.Typer()


@authoring_app.command()
def doctor(
    game: Annotated[str, typer.Argument(help="The name of a game, or a Python file.", show_default=False)] = "",
    knowledge: KnowledgeText = None,
    oracle: Annotated[
        Path | None,
        typer.Option("--oracle", help="A table of the whole game (solve --strong) to hold searches against."),
    ] = None,
    seconds: Annotated[float, typer.Option("--seconds", help="Most time for the random play of each check.")] = 5.0,
    seed: Annotated[int, typer.Option("--seed", help="Seed of the random games.")] = 1,
    environment: Annotated[
        bool, typer.Option("--environment", help="Tell what games are compiled with here, instead.")
    ] = False,
    json: Json = False,
) -> int:
    """Examine a game's rules; exit status 0 if healthy, 1 if not."""
    from .examine import show_environment, show_report

    if environment or not game:
        return show_environment(game, environment, json=json)
    return show_report(game, knowledge=knowledge, oracle=oracle, seconds=seconds, seed=seed, json=json)


@authoring_app.command()
def new(
    path: Annotated[
        Path, typer.Argument(help="The file to write, such as mygame.py; or othello-project, and a folder.")
    ],
    folder: Annotated[str | None, typer.Argument(help="Where a project goes.")] = None,
    protocol: Annotated[
        str | None, typer.Option("--protocol", help="Write a program that plays instead: xy (Othello) or json.")
    ] = None,
    kind: Annotated[str, typer.Option("--kind", help="The kind of game: board, dice, hidden or many.")] = "board",
    force: Annotated[bool, typer.Option("--force", help="Overwrite a file that is there.")] = False,
) -> None:
    """Write a small game to begin from, which passes the doctor; or a bot, which plays legally at once.

    `plywright new othello-project DIR` writes what a teacher hands out: the assignment, bots in four languages that
    play legally, and a script by which students check theirs.
    """
    from .new import KITS, write_bot, write_game, write_kit

    if folder is not None or str(path) in KITS:
        if folder == "":  # as a Path it would be the folder at hand
            raise BadInput("a folder has a name: plywright new othello-project DIR")
        write_kit(str(path), path if folder is None else Path(folder), force)
    elif protocol is None:
        write_game(path, kind, force)
    else:
        write_bot(path, protocol, force)


@authoring_app.command()
def engine(
    game: GameText,
    protocol: Annotated[str, typer.Option("--protocol", help="json, xy, uci, gtp or nboard.")] = "json",
    player: Annotated[str, typer.Option("--player", help="Who plays: pvs, alphabeta:depth=4, random, ...")] = "search",
    size: Annotated[int | None, typer.Option("--size", help="The board's size, as in othello:size=6.")] = None,
) -> None:
    """Be a program that plays: speak a protocol on standard input and output."""
    from .engine import serve_engine

    serve_engine(game if size is None else f"{game}{',' if ':' in game else ':'}size={size}", protocol, player)
