"""`plywright learn` and its options."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated, Any

import typer

from ..arena.app import ClusterText
from ..options import GameText, Json

learn_app = typer.Typer()


@learn_app.command()
def learn(
    game: GameText,
    model: Annotated[
        str, typer.Option("--model", help="linear, tuples, packed or network; by default what suits.")
    ] = "",
    minutes: Annotated[float | None, typer.Option("--minutes", help="How long to train (2).")] = None,
    games: Annotated[int | None, typer.Option("--games", help="How many games to play, instead of minutes.")] = None,
    start: Annotated[Path | None, typer.Option("--from", help="A .knowledge file to go on from.")] = None,
    workers: Annotated[int | None, typer.Option("--workers", help="Threads that play (one per core).")] = None,
    cluster: ClusterText = None,
    seed: Annotated[int, typer.Option("--seed", help="With one worker and --games, the same seed repeats all.")] = 1,
    save: Annotated[Path | None, typer.Option("--save", help="The .knowledge file to write.")] = None,
    keep: Annotated[bool, typer.Option("--keep", help="Keep every checkpoint as an opponent of its own.")] = False,
    depth: Annotated[
        int | None,
        typer.Option("--depth", help="Plies that self-play looks ahead (3 where there are few actions, else 1)."),
    ] = None,
    opening: Annotated[int | None, typer.Option("--opening", help="Random plies at most to begin with (8).")] = None,
    rate: Annotated[float | None, typer.Option("--rate", help="Step size, as a share of an error (1).")] = None,
    decay: Annotated[float | None, typer.Option("--lambda", help="How much of what comes later counts (0.8).")] = None,
    noise: Annotated[float | None, typer.Option("--noise", help="Temperature of choices; 0 is greedy (0).")] = None,
    random: Annotated[float | None, typer.Option("--random", help="The share of moves made blindly (0).")] = None,
    method: Annotated[
        str | None, typer.Option("--method", help="How games teach: td, leaf (with --depth) or regression (td).")
    ] = None,
    loss: Annotated[str | None, typer.Option("--loss", help="What is made least: logistic or squares.")] = None,
    passes: Annotated[int | None, typer.Option("--passes", help="Times regression learns from a state (2).")] = None,
    stages: Annotated[
        int | None, typer.Option("--stages", help="Stages of the game with weights of their own.")
    ] = None,
    hidden: Annotated[int | None, typer.Option("--hidden", help="Hidden units of a network.")] = None,
    second: Annotated[int | None, typer.Option("--second", help="Units of a second hidden layer (0).")] = None,
    on: Annotated[str, typer.Option("--on", help="Which of the game's knowledges the model stands on.")] = "",
    pairs: Annotated[int, typer.Option("--pairs", help="Pairs of games that measure a checkpoint; 0: none.")] = 20,
    json: Json = False,
) -> None:
    """Learn an evaluation of a game by playing it, save it, and measure it against what was there before."""
    from .learn import show_learn

    given: dict[str, Any] = {"stages": stages, "hidden": hidden, "second": second, "on": on or None}
    options = {name: value for name, value in given.items() if value is not None}
    schedule: dict[str, Any] = {"depth": depth, "opening": opening, "rate": rate, "decay": decay, "noise": noise}
    schedule |= {"random": random, "method": method, "loss": loss, "passes": passes}
    asked: dict[str, Any] = {"model": model, "start": start, "seed": seed, "keep": keep, "pairs": pairs}
    asked |= {"options": options, **schedule}
    how: dict[str, Any] = {"minutes": minutes, "games": games, "workers": workers, "cluster": cluster}
    show_learn(game, **how, save=save, json=json, asked=asked)
