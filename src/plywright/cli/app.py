"""The commands and their options; what goes wrong becomes one line and exit status 2."""

from __future__ import annotations

import os
import sys
import traceback
import warnings
from pathlib import Path
from typing import Annotated, Any

import typer

from ..errors import PlywrightError
from .utility_app import utility_app

app = typer.Typer(
    name="plywright",
    help="Write a game's rules once, in Python; play, explain, solve and examine it at native speed.",
    no_args_is_help=True,
    add_completion=False,
    pretty_exceptions_enable=False,
    rich_markup_mode=None,
)
app.add_typer(utility_app)

GameText = Annotated[
    str, typer.Argument(metavar="GAME", help="A name (othello, mnk:m=4,n=4,k=4) or a path (./mygame.py[:Class]).")
]
StateText = Annotated[str | None, typer.Option("--state", help="Position to start from, in the game's notation.")]
MovesText = Annotated[str | None, typer.Option("--moves", help='Moves to play first, such as "f5 d6".')]
TimeLimit = Annotated[float | None, typer.Option("--time", help="Seconds to search.")]
DepthLimit = Annotated[int | None, typer.Option("--depth", help="Plies to look ahead.")]
NodeLimit = Annotated[int | None, typer.Option("--nodes", help="Positions to visit.")]
Algorithm = Annotated[
    str | None,
    typer.Option("--algorithm", help="pvs (the engine), alphabeta or minimax (plain); by default what suits the game."),
]
Json = Annotated[bool, typer.Option("--json", help="Print one JSON object for programs.")]


def run(arguments: list[str]) -> int:
    """Run one command; every error that is not ours to mend is one line on standard error."""
    debug = "--debug" in arguments
    arguments = [argument for argument in arguments if argument != "--debug"]
    warnings.showwarning = _one_line_warning
    try:
        status = app(args=arguments, standalone_mode=False, prog_name="plywright")
        sys.stdout.flush()
        return int(status or 0)
    except PlywrightError as error:
        caught: Exception = error
        message = str(error)
    except typer.Exit as error:
        return error.exit_code
    except (KeyboardInterrupt, typer.Abort):
        print(file=sys.stderr)
        return 130
    except BrokenPipeError:
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
        return 141
    except Exception as error:
        caught = error
        usage = getattr(error, "format_message", None)  # the command line itself was wrong
        if usage is not None:
            message = f"{usage()} (try plywright --help)"
        elif isinstance(error, OSError):
            message = f"{error.strerror or error}: {error.filename}" if error.filename else str(error)
        else:
            message = f"{type(error).__name__}: {error} (this is a bug in Plywright: --debug shows where)"
    if debug:
        traceback.print_exception(caught)
    print("plywright: " + " ".join(message.split()), file=sys.stderr)
    return 2


def _one_line_warning(message: Any, category: type[Warning], *_: Any, **__: Any) -> None:
    print(f"plywright: warning: {message}", file=sys.stderr)


@app.callback(invoke_without_command=True)
def options(
    version: Annotated[bool, typer.Option("--version", help="Print the version.")] = False,
) -> None:
    """--debug, anywhere on the line, shows the traceback of an error."""
    if version:
        from .. import __version__

        print(f"plywright {__version__}")
        raise typer.Exit
    from .console import announce_compilations

    announce_compilations()


@app.command()
def games(json: Json = False) -> None:
    """List the games and the figures known by name."""
    from .listing import list_games

    list_games(json)


@app.command()
def best(
    game: GameText,
    state: StateText = None,
    moves: MovesText = None,
    time: TimeLimit = None,
    depth: DepthLimit = None,
    nodes: NodeLimit = None,
    algorithm: Algorithm = None,
    all_: Annotated[bool, typer.Option("--all", help="The exact value of every move.")] = False,
    why_not: Annotated[
        str | None, typer.Option("--explain", metavar="MOVE", help="Why this move is not better.")
    ] = None,
    trace: Annotated[
        Path | None, typer.Option("--trace", help="Write the search's first plies as a page (.html), .svg or .json.")
    ] = None,
    levels: Annotated[int, typer.Option("--levels", help="How many plies the trace shows.")] = 2,
    json: Json = False,
) -> None:
    """The best move in a position, with its value and line (by default after one second)."""
    from .best import show_best

    show_best(
        game,
        state,
        moves,
        time=time,
        depth=depth,
        nodes=nodes,
        algorithm=algorithm,
        every=all_,
        why_not=why_not,
        trace=trace,
        levels=levels,
        json=json,
    )


@app.command()
def solve(
    game: GameText,
    state: StateText = None,
    moves: MovesText = None,
    table: Annotated[float, typer.Option("--table", help="Megabytes of memory for the table.")] = 256.0,
    save: Annotated[
        Path | None, typer.Option("--save", help="Keep what is proved in this file, and go on from it next time.")
    ] = None,
    json: Json = False,
) -> None:
    """Prove the value of a position: nothing is estimated or left out."""
    from .solve import show_solution

    show_solution(game, state, moves, table=table, save=save, json=json)


@app.command()
def play(
    game: GameText = "othello",
    seat: Annotated[str, typer.Option("--seat", help="Your seat: 1, 2, both or none.")] = "1",
    state: StateText = None,
    moves: MovesText = None,
    time: TimeLimit = None,
    depth: DepthLimit = None,
    nodes: NodeLimit = None,
    algorithm: Algorithm = None,
) -> None:
    """Play against the engine in the terminal (by default it thinks for one second)."""
    from .play import play_game

    play_game(game, seat, state, moves, time=time, depth=depth, nodes=nodes, algorithm=algorithm)


@app.command()
def tree(
    game: Annotated[
        str, typer.Argument(metavar="TREE", help="A figure, a game, a file, or a tree such as '[[3,12],[2,4]]'.")
    ],
    algorithm: Annotated[
        str, typer.Option("--algorithm", help="A textbook algorithm: minimax, alphabeta, ...")
    ] = "alphabeta",
    state: StateText = None,
    moves: MovesText = None,
    depth: DepthLimit = None,
    steps: Annotated[bool, typer.Option("--steps", help="Tell every step in words.")] = False,
    svg: Annotated[Path | None, typer.Option("--svg", help="Write the finished tree as SVG.")] = None,
    html: Annotated[Path | None, typer.Option("--html", help="Write a page that steps through the search.")] = None,
    json: Json = False,
) -> None:
    """Run a textbook algorithm on a tree and show every step of it."""
    from .tree import show_tree

    show_tree(game, algorithm, state, moves, depth=depth, steps=steps, svg=svg, html=html, json=json)


@app.command()
def perft(
    game: GameText,
    depth: Annotated[int, typer.Argument(help="Plies.")],
    state: StateText = None,
    moves: MovesText = None,
    divide: Annotated[bool, typer.Option("--divide", help="Count under each first move.")] = False,
    unfinished: Annotated[
        bool, typer.Option("--unfinished", help="Count only lines of the full length, not games that end before.")
    ] = False,
    json: Json = False,
) -> None:
    """Count the lines of DEPTH plies that the rules allow."""
    from .perft import show_perft

    show_perft(game, depth, state, moves, divide=divide, finished=not unfinished, json=json)


@app.command()
def doctor(
    game: GameText,
    seconds: Annotated[float, typer.Option("--seconds", help="Most time for the random play of each check.")] = 5.0,
    seed: Annotated[int, typer.Option("--seed", help="Seed of the random games.")] = 1,
    json: Json = False,
) -> int:
    """Examine a game's rules; exit status 0 if healthy, 1 if not."""
    from .examine import show_report

    return show_report(game, seconds=seconds, seed=seed, json=json)


@app.command()
def new(
    path: Annotated[Path, typer.Argument(help="The file to write, such as mygame.py.")],
    force: Annotated[bool, typer.Option("--force", help="Overwrite a file that is there.")] = False,
) -> None:
    """Write a small game to begin from; it passes the doctor."""
    from .new import write_game

    write_game(path, force)


@app.command()
def bench(
    game: Annotated[str | None, typer.Argument(metavar="[GAME]", help="One game; by default a set of them.")] = None,
    depth: DepthLimit = None,
    json: Json = False,
) -> None:
    """Measure nodes per second on this machine, with a node-count signature of the searches."""
    from .bench import show_bench

    show_bench(game, depth, json)
