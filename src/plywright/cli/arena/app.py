"""Commands of the arena: matches, tournaments, tuning, and what is in their records."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer

from ..options import DepthLimit, Json, KnowledgeText, NodeLimit, TimeLimit

arena_app = typer.Typer()

Players = Annotated[
    list[str],
    typer.Argument(metavar="PLAYER...", help="alphabeta:depth=4, random, ./my_player.py:Player, pipe:'python bot.py'"),
]
MatchGame = Annotated[str, typer.Option("--game", help="The game, as plywright games lists them.")]
ModeText = Annotated[str, typer.Option("--mode", help="depth:4, nodes:100000, move:5s, budget:150s or budget:60s+1s.")]
OpeningsText = Annotated[
    str | None,
    typer.Option(
        "--openings",
        help="auto (default: a few random plies where games would repeat), start, random:8 or a file of lines.",
    ),
]
ClusterText = Annotated[
    str | None,
    typer.Option("--cluster", help="Play on a Dask cluster: tcp://HOST:8786, or local:2 for two workers here."),
]
Adjudicate = Annotated[
    str | None,
    typer.Option(
        "--adjudicate",
        help="End games that both players agree on: win:6:4 (a lead of 6, seen by both 4 moves running), "
        "draw:0.1:8:40 (within 0.1, 8 moves, from move 40), or both with a comma.",
    ),
]
Jobs = Annotated[int, typer.Option("--jobs", help="Games played at a time.")]
RecordPath = Annotated[
    Path | None, typer.Option("--record", help="The file of the run; one that holds the same run is resumed.")
]
Seed = Annotated[
    int | None,
    typer.Option(
        "--seed", help="Decides openings, dice and deals; by default 1, or a new one where programs could guess deals."
    ),
]
RecordGame = Annotated[
    str | None, typer.Option("--game", help="The game's file, where the run is of a game in a file.")
]
Run = Annotated[Path, typer.Argument(metavar="RUN", help="The record of a match or tournament.")]


@arena_app.command()
def match(
    players: Players,
    game: MatchGame,
    games: Annotated[int, typer.Option("--games", help="Games to play, at most.")] = 100,
    mode: ModeText = "move:0.1s",
    openings: OpeningsText = None,
    adjudicate: Adjudicate = None,
    sprt: Annotated[
        str | None, typer.Option("--sprt", help="Stop when this test is decided: 0,10 (Elo differences).")
    ] = None,
    jobs: Jobs = 1,
    cluster: ClusterText = None,
    record: RecordPath = None,
    seed: Seed = None,
    json: Json = False,
) -> None:
    """Play a match; openings are played from every seat, and the result has error bars."""
    from .match import show_match

    show_match(
        "match",
        players,
        game,
        games=games,
        mode=mode,
        openings=openings,
        adjudicate=adjudicate,
        sprt=sprt,
        jobs=jobs,
        cluster=cluster,
        record=record,
        seed=seed,
        json=json,
    )


@arena_app.command()
def tournament(
    players: Players,
    game: MatchGame,
    games: Annotated[
        int | None,
        typer.Option("--games", help="Games of each pairing; by default one, or with --double one per seat."),
    ] = None,
    double: Annotated[bool, typer.Option("--double", help="Each pairing from every seat.")] = False,
    schedule: Annotated[
        str,
        typer.Option("--schedule", help="round-robin, gauntlet, swiss, swiss:5, knockout or double-elimination."),
    ] = "round-robin",
    mode: ModeText = "move:0.1s",
    openings: OpeningsText = None,
    adjudicate: Adjudicate = None,
    jobs: Jobs = 1,
    cluster: ClusterText = None,
    record: RecordPath = None,
    seed: Seed = None,
    json: Json = False,
) -> None:
    """Everybody against everybody, or by another schedule, with a cross table and ratings."""
    from .match import show_match

    show_match(
        "tournament",
        players,
        game,
        games=games,
        double=double,
        schedule=schedule,
        mode=mode,
        openings=openings,
        adjudicate=adjudicate,
        jobs=jobs,
        cluster=cluster,
        record=record,
        seed=seed,
        json=json,
    )


@arena_app.command("class")
def class_(
    game: Annotated[str, typer.Argument(help="The game, as plywright games lists them, or a file of your own.")],
    submissions: Annotated[
        Path, typer.Argument(metavar="SUBMISSIONS", help="A folder with a folder for each program, or one program.")
    ],
    mode: Annotated[
        list[str] | None,
        typer.Option("--mode", help="By default move:1s; of several, checks are made in each, games in the first."),
    ] = None,
    check: Annotated[bool, typer.Option("--check", help="Check the programs, and play no tournament.")] = False,
    recheck: Annotated[
        bool, typer.Option("--recheck", help="Check again who has not passed, also without a new submission.")
    ] = False,
    schedule: Annotated[
        str,
        typer.Option("--schedule", help="round-robin, swiss, knockout, double-elimination, or placement by levels."),
    ] = "round-robin",
    games: Annotated[
        int | None, typer.Option("--games", help="Games of each pairing; by default one from every seat.")
    ] = None,
    reference: Annotated[
        list[str] | None, typer.Option("--reference", help="A player of known strength that takes part: level:3.")
    ] = None,
    output: Annotated[
        Path | None, typer.Option("--output", help="The class folder; the same command goes on with it.")
    ] = None,
    csv: Annotated[Path | None, typer.Option("--csv", help="Write the grade book.")] = None,
    rule: Annotated[Path | None, typer.Option("--grades", help="Points by this rule, a TOML file.")] = None,
    protocol: Annotated[
        str, typer.Option("--protocol", help="What programs speak that do not say it: json, xy, uci, gtp, nboard.")
    ] = "json",
    openings: OpeningsText = None,
    jobs: Jobs = 1,
    cluster: ClusterText = None,
    seed: Seed = None,
    isolation: Annotated[
        str, typer.Option("--isolation", help="bubblewrap, or limits for programs that you trust.")
    ] = "bubblewrap",
    json: Json = False,
) -> None:
    """Check the programs of a class, let them play a tournament, and report to teacher and students."""
    from ...classroom.course import Settings
    from .classroom import default_folder, show_class

    settings = Settings(
        game=game,
        submissions=submissions,
        folder=output or default_folder(game),
        modes=tuple(dict.fromkeys(mode or ["move:1s"])),
        schedule=schedule,
        games=games,
        references=tuple(reference or ()),
        openings=openings,
        seed=seed,
        level=isolation,
        protocol=protocol,
        jobs=jobs,
        recheck=recheck,
    )
    status = show_class(settings, cluster=cluster, check=check, csv=csv, rule=rule, json=json)
    if status:
        raise typer.Exit(status)


@arena_app.command()
def tune(
    player: Annotated[str, typer.Argument(help="A player with names in braces: mcts:exploration={exploration}.")],
    parameters: Annotated[list[str], typer.Option("--parameters", help="NAME=START,LOW,HIGH; once for each name.")],
    game: MatchGame,
    mode: ModeText = "move:0.1s",
    iterations: Annotated[int, typer.Option("--iterations", help="Small matches to learn from.")] = 100,
    pairs: Annotated[int, typer.Option("--pairs", help="Pairs of games in each of them.")] = 1,
    jobs: Jobs = 1,
    cluster: ClusterText = None,
    save: Annotated[Path, typer.Option("--save", help="Where the course is kept; the same command goes on.")] = Path(
        "player.tune"
    ),
    confirm: Annotated[
        str | None, typer.Option("--confirm", help="Then play the start until this SPRT is decided: 0,20.")
    ] = None,
    games: Annotated[int, typer.Option("--games", help="Games of that match, at most.")] = 1000,
    seed: Annotated[int, typer.Option("--seed", help="For changes, openings and dice.")] = 1,
    json: Json = False,
) -> None:
    """Tune numbers of a player by matches against itself (SPSA), and confirm them by a test."""
    from .tune import show_tune

    show_tune(
        player,
        parameters,
        game,
        mode=mode,
        iterations=iterations,
        pairs=pairs,
        seed=seed,
        jobs=jobs,
        cluster=cluster,
        save=save,
        sprt=confirm,
        games=games,
        json=json,
    )


@arena_app.command()
def replay(
    run: Run,
    number: Annotated[int | None, typer.Argument(metavar="[GAME]", help="The number of a game.")] = None,
    game: RecordGame = None,
    json: Json = False,
) -> None:
    """List the games of a run, or show one of them move by move."""
    from .record import show_replay

    show_replay(run, number, game, json)


@arena_app.command()
def report(
    run: Run,
    html: Annotated[Path | None, typer.Option("--html", help="Write a page of its own, with every game.")] = None,
    game: RecordGame = None,
    json: Json = False,
) -> None:
    """What a run has shown: standings, intervals, causes of termination, time."""
    from .record import show_report

    show_report(run, html, game, json)


@arena_app.command()
def review(
    file: Annotated[
        Path, typer.Argument(metavar="FILE", help="A game: a transcript, GGF, PGN or PDN, a run's record or export.")
    ],
    game: Annotated[str | None, typer.Option("--game", help="The game, where the file does not say it.")] = None,
    number: Annotated[int | None, typer.Option("--number", help="Which game, where the file has several.")] = None,
    time: TimeLimit = None,
    depth: DepthLimit = None,
    nodes: NodeLimit = None,
    exact: Annotated[
        int, typer.Option("--exact", help="Plies before the end in which every move gets its exact value.")
    ] = 12,
    knowledge: KnowledgeText = None,
    html: Annotated[Path | None, typer.Option("--html", help="Write a page with graph, boards and moves.")] = None,
    svg: Annotated[Path | None, typer.Option("--svg", help="Write the graph of winning chances.")] = None,
    json: Json = False,
) -> None:
    """What every move of a game lost, and which were mistakes (by default 0.2 seconds per position)."""
    from ...engine import Limit
    from .review import show_review

    limit = Limit(depth, time, nodes) if (depth, time, nodes) != (None, None, None) else None
    show_review(file, game, number, limit=limit, exact=exact, knowledge=knowledge, html=html, svg=svg, json=json)


@arena_app.command()
def export(
    run: Run,
    format_: Annotated[
        str, typer.Option("--format", help="jsonl, parquet, text, or a notation of the game's own such as ggf.")
    ] = "jsonl",
    output: Annotated[Path | None, typer.Option("--output", help="A file; by default standard output.")] = None,
    game: RecordGame = None,
) -> None:
    """Write every game of a run as JSON lines, as Parquet, or in the game's own notation."""
    from .record import show_export

    show_export(run, format_, output, game)
