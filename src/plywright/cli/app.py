"""The commands and their options; what goes wrong becomes one line and exit status 2."""

from __future__ import annotations

import contextlib
import os
import sys
import traceback
import warnings
from pathlib import Path
from typing import Annotated, Any

import typer

from ..errors import LearnedNote, PlywrightError, SkippedNote, printable
from .arena_app import ClusterText, arena_app
from .book import book_app
from .bridge import bridge_app
from .knowledge import knowledge_app
from .options import (
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
from .pacman_app import pacman_app
from .poker import poker_app
from .record_app import record_app
from .table import table_app
from .utility_app import utility_app

app = typer.Typer(
    name="plywright",
    help="Write a game's rules once, in Python; play, explain, solve and examine it at native speed.",
    no_args_is_help=True,
    add_completion=False,
    pretty_exceptions_enable=False,
    rich_markup_mode=None,
)
app.add_typer(arena_app)
app.add_typer(utility_app)
app.add_typer(pacman_app)
app.add_typer(poker_app)
app.add_typer(bridge_app)
app.add_typer(table_app)
app.add_typer(book_app)
app.add_typer(knowledge_app)
app.add_typer(record_app)


def run(arguments: list[str]) -> int:
    """Run one command; every error that is not ours to mend is one line on standard error."""
    debug = "--debug" in arguments
    arguments = [argument for argument in arguments if argument != "--debug"]
    warnings.showwarning = _one_line_warning
    try:
        status = app(args=arguments, standalone_mode=False, prog_name="plywright")
        sys.stdout.flush()
        if debug:
            _note_short_cuts()
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
        if type(error).__name__ == "NoArgsIsHelpError":
            with contextlib.suppress(BrokenPipeError):
                print(error.ctx.get_help(), file=sys.stderr)  # type: ignore[attr-defined]
            return 2
        usage = getattr(error, "format_message", None)  # the command line itself was wrong
        if usage is not None:
            message = f"{usage()} (try plywright --help)"
        elif isinstance(error, OSError):
            message = f"{error.strerror or error}: {error.filename}" if error.filename else str(error)
        elif (fault := _fault_in_file(error)) is not None:
            message = f"{fault}; `plywright doctor` examines the game (--debug shows the traceback)"
        else:
            message = f"{type(error).__name__}: {error} (this is a bug in Plywright: --debug shows where)"
    if debug:
        traceback.print_exception(caught)
    print("plywright: " + printable(" ".join(message.split())), file=sys.stderr)
    return 2


def _note_short_cuts() -> None:
    """With --debug: that something was compiled by Numba's ordinary way, which is slower, and why."""
    internals = sys.modules.get("plywright.native.numba_internals")
    for note in internals.notes() if internals is not None else ():
        print(f"plywright: note: {note}", file=sys.stderr)


def _fault_in_file(error: Exception) -> str | None:
    from .blame import fault_in_file

    return fault_in_file(error)


def _one_line_warning(message: Any, category: type[Warning], *_: Any, **__: Any) -> None:
    kind = "" if issubclass(category, (LearnedNote, SkippedNote)) else "warning: "
    print(f"plywright: {kind}{message}", file=sys.stderr)


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


@app.command()
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


@app.command()
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
        show_strong(game, state, moves, table=table, symmetric=symmetric, save=save, json=json)
        return
    from .solve import show_solution

    if show or agents or symmetric:
        from ..errors import BadInput

        if symmetric:
            raise BadInput("--symmetric is about all positions of a game: give --strong too")
        raise BadInput(f"{'--show' if show else '--agents'} is about mixed strategies: give --equilibrium too")
    settings: dict[str, Any] = {"algorithm": algorithm, "table": table, "tolerance": tolerance, "threads": threads}
    settings["time"] = time
    show_solution(game, state, moves, roll, **settings, knowledge=knowledge, save=save, proof=proof, json=json)


@app.command()
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


@app.command()
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


@app.command()
def worksheet(
    trees: Annotated[
        list[str] | None,
        typer.Argument(metavar="[TREE]...", help="Trees of your own, as `plywright tree` takes them; else by lot."),
    ] = None,
    algorithm: Annotated[
        str | None, typer.Option("--algorithm", help="alphabeta, minimax, star1, maxn, ...; by default by the tree.")
    ] = None,
    depth: Annotated[int | None, typer.Option("--depth", help="Plies to look ahead, in trees of your own.")] = None,
    kind: Annotated[str | None, typer.Option("--kind", help="two-players, chance or three-players.")] = None,
    branching: Annotated[int | None, typer.Option("--branching", help="Moves at each node (3).")] = None,
    levels: Annotated[int | None, typer.Option("--levels", help="Plies of a tree (2).")] = None,
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


@app.command()
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
    """Count the lines of DEPTH plies that the rules allow."""
    from .perft import show_perft

    show_perft(game, depth, state, moves, roll, divide=divide, finished=not unfinished, json=json)


@app.command()
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


@app.command()
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


@app.command()
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


@app.command()
def learn(
    game: GameText,
    model: Annotated[str, typer.Option("--model", help="linear, tuples or network; by default what suits.")] = "",
    minutes: Annotated[float | None, typer.Option("--minutes", help="How long to train (2).")] = None,
    games: Annotated[int | None, typer.Option("--games", help="How many games to play, instead of minutes.")] = None,
    start: Annotated[Path | None, typer.Option("--from", help="A .knowledge file to go on from.")] = None,
    workers: Annotated[int | None, typer.Option("--workers", help="Threads that play (one per core).")] = None,
    cluster: ClusterText = None,
    seed: Annotated[int, typer.Option("--seed", help="With one worker and --games, the same seed repeats all.")] = 1,
    save: Annotated[Path | None, typer.Option("--save", help="The .knowledge file to write.")] = None,
    keep: Annotated[bool, typer.Option("--keep", help="Keep every checkpoint as an opponent of its own.")] = False,
    depth: Annotated[int | None, typer.Option("--depth", help="Plies that self-play looks ahead (1).")] = None,
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


@app.command()
def new(
    path: Annotated[
        Path, typer.Argument(help="The file to write, such as mygame.py; or othello-project, and a folder.")
    ],
    folder: Annotated[Path | None, typer.Argument(help="Where a project goes.")] = None,
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
        write_kit(str(path), folder or path, force)
    elif protocol is None:
        write_game(path, kind, force)
    else:
        write_bot(path, protocol, force)


@app.command()
def engine(
    game: GameText,
    protocol: Annotated[str, typer.Option("--protocol", help="json, xy, uci, gtp or nboard.")] = "json",
    player: Annotated[str, typer.Option("--player", help="Who plays: pvs, alphabeta:depth=4, random, ...")] = "search",
    size: Annotated[int | None, typer.Option("--size", help="The board's size, as in othello:size=6.")] = None,
) -> None:
    """Be a program that plays: speak a protocol on standard input and output."""
    from .engine import serve_engine

    serve_engine(game if size is None else f"{game}{',' if ':' in game else ':'}size={size}", protocol, player)


@app.command()
def web(
    port: Annotated[
        int | None, typer.Option("--port", help="By default 8137, or a free one; 0 for any free one.")
    ] = None,
    browser: Annotated[bool, typer.Option("--browser/--no-browser", help="Open the browser.")] = True,
    game: Annotated[list[str] | None, typer.Option("--game", help="A game file of your own (may be repeated).")] = None,
    program: Annotated[
        list[str] | None,
        typer.Option("--program", help="A program that may be seated, such as pipe:./bot (may be repeated)."),
    ] = None,
    knowledge: Annotated[
        list[str] | None,
        typer.Option(
            "--knowledge",
            help="A training whose checkpoints may be seated: FILE.knowledge of `learn --keep` (repeated).",
        ),
    ] = None,
) -> None:
    """Open the page: play, watch searches, step through trees, run the experiments (on this machine only)."""
    from .web import open_page

    open_page(port, browser, game or [], program or [], knowledge or [])


@app.command()
def bench(
    game: Annotated[str | None, typer.Argument(metavar="[GAME]", help="One game; by default a set of them.")] = None,
    depth: DepthLimit = None,
    json: Json = False,
) -> None:
    """Measure nodes per second on this machine, with a node-count signature of the searches."""
    from .bench import show_bench

    show_bench(game, depth, json)
