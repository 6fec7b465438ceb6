"""`plywright pacman`: its commands and their options."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated, Any

import typer

from ..options import Json

pacman_app = typer.Typer(
    name="pacman",
    help="Pac-Man: watch agents play, classroom demonstrations, the table of assumptions, grading.",
    no_args_is_help=True,
    rich_markup_mode=None,
)

Layout = Annotated[str, typer.Argument(metavar="LAYOUT", help="A name of `plywright pacman layouts`, or a file.")]
LayoutOption = Annotated[str, typer.Option("--layout", help="A name of `plywright pacman layouts`, or a file.")]
Agent = Annotated[
    str,
    typer.Option(
        "--agent", help="keyboard, reflex, minimax, alphabeta, expectimax, maxn, mcts, mystery, random, ./mine.py."
    ),
]
Ghosts = Annotated[
    str, typer.Option("--ghosts", help="random, directional:chase=0.8, searching:depth=2 or coordinated:depth=2.")
]
Depth = Annotated[int | None, typer.Option("--depth", help="Rounds that the agent looks ahead.")]
Evaluation = Annotated[
    str | None, typer.Option("--evaluation", help="The agent's: score, food, full, fitted, careful or seek.")
]
Seed = Annotated[int, typer.Option("--seed", help="The same seed gives the same game.")]
Scatter = Annotated[bool, typer.Option("--scatter", help="Everybody starts in a random place.")]
Rounds = Annotated[int, typer.Option("--rounds", help="The game is cut after so many.")]
Jobs = Annotated[int, typer.Option("--jobs", help="Processes to play in.")]
Svg = Annotated[Path | None, typer.Option("--svg", help="Write a picture to this file.")]


@pacman_app.command()
def layouts(
    file: Annotated[str | None, typer.Argument(metavar="[LAYOUT]", help="One layout, or a file of your own.")] = None,
    json: Json = False,
) -> None:
    """The layouts with thumbnails, or one of them."""
    from .show import show_layouts

    show_layouts(file, json)


@pacman_app.command()
def play(
    layout: Layout = "medium",
    agent: Agent = "expectimax",
    ghosts: Ghosts = "random",
    depth: Depth = None,
    evaluation: Evaluation = None,
    seed: Seed = 1,
    scatter: Scatter = False,
    rounds: Rounds = 1000,
    speed: Annotated[float, typer.Option("--speed", help="Rounds a second in the terminal.")] = 8.0,
    svg: Annotated[Path | None, typer.Option("--svg", help="Write the last state as a picture.")] = None,
    html: Annotated[Path | None, typer.Option("--html", help="Write the game as a page to step through.")] = None,
    json: Json = False,
) -> int:
    """Play one game and watch it in the terminal."""
    from .show import show_play

    return show_play(
        layout,
        agent,
        ghosts,
        depth,
        evaluation,
        seed=seed,
        scatter=scatter,
        rounds=rounds,
        speed=speed,
        svg=svg,
        html=html,
        json=json,
    )


@pacman_app.command()
def replay(
    out: Annotated[Path, typer.Option("--out", help="The page to write.")],
    layout: LayoutOption = "medium",
    agent: Agent = "expectimax",
    ghosts: Ghosts = "random",
    depth: Depth = None,
    evaluation: Evaluation = None,
    seed: Seed = 1,
    scatter: Scatter = False,
    rounds: Rounds = 1000,
) -> int:
    """Play one game and write it as a self-contained page, with what the searcher thought at each step."""
    from .show import show_play

    return show_play(
        layout,
        agent,
        ghosts,
        depth,
        evaluation,
        seed=seed,
        scatter=scatter,
        rounds=rounds,
        speed=0.0,
        svg=None,
        html=out,
        json=False,
    )


@pacman_app.command()
def demo(
    name: Annotated[str, typer.Argument(metavar="NAME", help="corridor, trapped, starvation, depth or ghosts.")],
    games: Annotated[int | None, typer.Option("--games", help="How many; each demonstration has its own.")] = None,
    seed: Seed = 1,
    jobs: Jobs = 1,
    json: Json = False,
) -> int:
    """One of the classroom demonstrations; exit status 0 if it comes out as expected, 1 if not."""
    from .show import show_demonstration

    return show_demonstration(name, games, seed, jobs, json)


@pacman_app.command()
def assumptions(
    layout: LayoutOption = "den",
    games: Annotated[int, typer.Option("--games", help="Games of each of the four pairings.")] = 200,
    seed: Seed = 1,
    jobs: Jobs = 1,
    svg: Svg = None,
    json: Json = False,
) -> None:
    """What assuming the worst, or chance, costs where the ghost is the other kind: a table of four pairings."""
    from .show import show_assumptions

    show_assumptions(layout, games, seed, jobs, svg, json)


@pacman_app.command()
def grade(
    file: Annotated[Path, typer.Argument(metavar="FILE", help="A file with choose(game, state), or a folder of them.")],
    layouts: Annotated[str, typer.Option("--layouts", help="Names, with commas.")] = "tiny,loop,small,medium",
    games: Annotated[int, typer.Option("--games", help="Games on each layout.")] = 5,
    ghosts: Ghosts = "directional",
    seed: Seed = 1,
    time: Annotated[float, typer.Option("--time", help="Seconds for one move.")] = 1.0,
    expansions: Annotated[int, typer.Option("--expansions", help="States that one move may make.")] = 100_000,
    isolation: Annotated[str, typer.Option("--isolation", help="auto, limits or bubblewrap.")] = "auto",
    csv: Annotated[Path | None, typer.Option("--csv", help="Write a row for each file.")] = None,
    json: Json = False,
) -> None:
    """Grade a student's file, or all in a folder, each in a process of its own; a crash costs that game only."""
    from .grade import show_grade

    names = [name.strip() for name in layouts.split(",") if name.strip()]
    options: dict[str, Any] = {"games": games, "ghosts": ghosts, "seed": seed, "seconds": time}
    show_grade(file, names, {**options, "expansions": expansions, "level": isolation}, csv=csv, json=json)


@pacman_app.command()
def new(
    path: Annotated[Path, typer.Argument(help="The file to write, such as my_agent.py.")],
    force: Annotated[bool, typer.Option("--force", help="Overwrite a file that is there.")] = False,
) -> None:
    """Write a small agent to begin from, which can be graded at once."""
    from ..authoring.new import write_pacman_agent

    write_pacman_agent(path, force)
