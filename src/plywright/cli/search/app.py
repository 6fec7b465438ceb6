"""Commands about a position or a game, and their options."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated, Any

import typer

from ..options import (
    Algorithm,
    DepthLimit,
    GameText,
    Json,
    KnowledgeText,
    MovesText,
    NodeLimit,
    RollText,
    StateText,
    TimeLimit,
    WeightsText,
)

search_app = typer.Typer()


@search_app.command()
def games(json: Json = False) -> None:
    """List the games and the figures known by name."""
    from .listing import list_games

    list_games(json)


@search_app.command()
def best(
    game: GameText,
    state: StateText = None,
    moves: MovesText = None,
    roll: RollText = None,
    time: TimeLimit = None,
    depth: DepthLimit = None,
    nodes: NodeLimit = None,
    algorithm: Algorithm = None,
    knowledge: KnowledgeText = None,
    threads: Annotated[int | None, typer.Option("--threads", help="Threads that search together.")] = None,
    table: Annotated[
        list[str] | None,
        typer.Option("--table", help="Megabytes of memory for the search; or an endgame table, or a folder of them."),
    ] = None,
    all_: Annotated[bool, typer.Option("--all", help="The exact value of every move.")] = False,
    why_not: Annotated[
        str | None, typer.Option("--explain", metavar="MOVE", help="Why this move is not better.")
    ] = None,
    trace: Annotated[
        Path | None, typer.Option("--trace", help="Write the search's first plies as a page (.html), .svg or .json.")
    ] = None,
    levels: Annotated[int, typer.Option("--levels", help="How many plies the trace shows.")] = 2,
    seat: Annotated[
        int | None, typer.Option("--seat", help="Hidden information: who looks, 1 for the first player.")
    ] = None,
    observation: Annotated[
        str | None, typer.Option("--observation", help='Hidden information: what the seat sees, such as "2 pb".')
    ] = None,
    explain_evaluation: Annotated[
        bool, typer.Option("--explain-evaluation", help="What the evaluation counts, for both sides.")
    ] = False,
    weights: WeightsText = None,
    json: Json = False,
) -> None:
    """The best move in a position, with its value and line (by default after one second)."""
    from .best import show_best, show_view

    if seat is not None or observation is not None:
        limits: dict[str, Any] = {"time": time, "depth": depth, "nodes": nodes, "algorithm": algorithm}
        limits["knowledge"] = knowledge
        foreign: dict[str, object] = {"--explain": why_not, "--trace": trace, "--threads": threads, "--table": table}
        foreign["--weights"] = weights
        show_view(game, observation, seat, place=(state, moves, roll), **limits, foreign=foreign, json=json)
        return
    show_best(
        game,
        state,
        moves,
        roll,
        time=time,
        depth=depth,
        nodes=nodes,
        algorithm=algorithm,
        knowledge=knowledge,
        engine={} if threads is None else {"threads": threads},
        tables=table or [],
        every=all_,
        why_not=why_not,
        trace=trace,
        levels=levels,
        terms=explain_evaluation,
        weights=weights,
        json=json,
    )


@search_app.command()
def compare(
    game: GameText,
    state: StateText = None,
    moves: MovesText = None,
    roll: RollText = None,
    opponent: Annotated[
        str,
        typer.Option(
            "--opponent", help="uniform, minimax:DEPTH, softmax:DEPTH,RATIONALITY, level:K,DEPTH, mixture:SHARE,DEPTH."
        ),
    ] = "uniform",
    time: TimeLimit = None,
    depth: DepthLimit = None,
    json: Json = False,
) -> None:
    """Assume the best of the others, or what they do: both decisions, and what each is worth if wrong."""
    from .compare import show_comparison

    show_comparison(game, state, moves, roll, opponent=opponent, time=time, depth=depth, json=json)


@search_app.command()
def play(
    game: GameText = "othello",
    seat: Annotated[str, typer.Option("--seat", help="Your seats: 1, 2, 1+3, all or none.")] = "1",
    state: StateText = None,
    moves: MovesText = None,
    time: TimeLimit = None,
    depth: DepthLimit = None,
    nodes: NodeLimit = None,
    algorithm: Algorithm = None,
    knowledge: KnowledgeText = None,
    weights: WeightsText = None,
    level: Annotated[
        int | None, typer.Option("--level", help="With --knowledge of `learn --keep`: which checkpoint, 1 to 10.")
    ] = None,
    seed: Annotated[int | None, typer.Option("--seed", help="Seed of the dice; by default a new one.")] = None,
    against: Annotated[
        str | None, typer.Option("--against", help="Another player than the usual one: level:3, bridge-greedy, ...")
    ] = None,
) -> None:
    """Play against the engine in the terminal (by default it thinks for one second)."""
    from .play import play_game

    limits: dict[str, Any] = {"time": time, "depth": depth, "nodes": nodes}
    known: dict[str, Any] = {"knowledge": knowledge, "weights": weights, "level": level}
    play_game(game, seat, state, moves, **limits, algorithm=algorithm, **known, seed=seed, against=against)


@search_app.command()
def perft(
    game: GameText,
    depth: Annotated[int, typer.Argument(help="Plies; an outcome of chance is one too.")],
    state: StateText = None,
    moves: MovesText = None,
    roll: RollText = None,
    divide: Annotated[bool, typer.Option("--divide", help="Count under each first move.")] = False,
    unfinished: Annotated[
        bool, typer.Option("--unfinished", help="Count only lines of the full length, not games that end before.")
    ] = False,
    json: Json = False,
) -> None:
    """Count the lines of DEPTH plies that the rules allow, and games that end before (not with --unfinished)."""
    from .perft import show_perft

    show_perft(game, depth, state, moves, roll, divide=divide, finished=not unfinished, json=json)


@search_app.command()
def suite(
    file: Annotated[
        str,
        typer.Argument(metavar="FILE", help="Positions with their best moves (.epd), or a shipped suite by name."),
    ],
    game: Annotated[str, typer.Option("--game", help="The game that the positions are of.")] = "chess",
    time: TimeLimit = None,
    depth: DepthLimit = None,
    nodes: NodeLimit = None,
    knowledge: KnowledgeText = None,
    threads: Annotated[int, typer.Option("--threads", help="Threads that search together.")] = 1,
    json: Json = False,
) -> None:
    """Search the positions of a test suite, and say how many were solved and when (by default one second each)."""
    from .suite import show_suite

    show_suite(file, game, time=time, depth=depth, nodes=nodes, knowledge=knowledge, threads=threads, json=json)


@search_app.command()
def positions(
    game: GameText,
    state: StateText = None,
    moves: MovesText = None,
    roll: RollText = None,
    table: Annotated[float | None, typer.Option("--table", help="Megabytes of memory for positions (1024).")] = None,
    json: Json = False,
) -> None:
    """Count the positions that can be reached, those finished, and how many there are up to symmetry."""
    from .positions import show_positions

    show_positions(game, state, moves, roll, table=table, json=json)


@search_app.command()
def bench(
    game: Annotated[str | None, typer.Argument(metavar="[GAME]", help="One game; by default a set of them.")] = None,
    depth: DepthLimit = None,
    json: Json = False,
) -> None:
    """Measure nodes per second on this machine, with a node-count signature of the searches."""
    from .bench import show_bench

    show_bench(game, depth, json)
