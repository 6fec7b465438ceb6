"""`plywright book`: opening books, built and looked into."""

from __future__ import annotations

from itertools import pairwise
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer

from ..options import Json

if TYPE_CHECKING:
    from ...books import Book, BookProgress
    from ...game import Game

book_app = typer.Typer(name="book", help="Opening books: built, and looked into.", no_args_is_help=True)

GameText = Annotated[str, typer.Argument(metavar="GAME", help="A name (othello) or a path (./mygame.py[:Class]).")]


@book_app.callback()
def book() -> None:
    """Opening books: what the first positions of a game are worth, by long searches."""


@book_app.command()
def build(
    game: GameText,
    to: Annotated[Path | None, typer.Option("--to", help="The file to write; GAME.book.")] = None,
    positions: Annotated[int, typer.Option("--positions", min=1, help="Positions whose moves are valued.")] = 1000,
    nodes: Annotated[int, typer.Option("--nodes", min=1, help="That the search of each move may visit.")] = 20_000,
    plies: Annotated[int, typer.Option("--plies", min=1, help="How far lines are followed.")] = 24,
    seconds: Annotated[float | None, typer.Option("--seconds", help="Stop after that, with what there is.")] = None,
    knowledge: Annotated[str | None, typer.Option("--knowledge", help="What the searches know.")] = None,
    json: Json = False,
) -> None:
    """Build a book: the engine plays against itself and values what it meets. Ctrl-C ends it with what there is."""
    from ...books import build_book
    from ...games import load_game
    from ..console import busy, out, print_json

    rules = load_game(game)
    path = to or default_path(game)
    with busy(f"building a book of {rules.name}") as say:

        def tell(progress: BookProgress) -> None:
            say(
                f"building a book of {rules.name}: {progress.expanded:,} of {progress.of:,} positions, "
                f"down to ply {progress.deepest}, {progress.seconds:.0f} s"
            )

        found = build_book(
            *(rules, path),
            expanded=positions,
            nodes=nodes,
            plies=plies,
            seconds=seconds,
            knowledge=knowledge,
            progress=tell,
        )
    if json:
        print_json({"game": rules.name, "file": str(path), "positions": len(found), "bytes": path.stat().st_size})
        return
    out.print(f"wrote {path}: {len(found):,} positions, {path.stat().st_size:,} bytes; now try", markup=False)
    out.print(f"  plywright book show {game} {path}", markup=False)
    out.print(f"  plywright match search:book={path} search:book=no --game {game} --mode move:0.1s", markup=False)


@book_app.command()
def show(
    game: GameText,
    path: Annotated[Path | None, typer.Argument(metavar="FILE", help="A book; by default the game's own.")] = None,
    moves: Annotated[str | None, typer.Option("--moves", help='Moves to play first, such as "f5 d6".')] = None,
    json: Json = False,
) -> None:
    """What a book knows of a position: its moves with their values, and the opening's name."""
    from ...books import book_of, open_book
    from ...errors import BadInput
    from ...games import load_game
    from ..console import out, print_json, states_so_far, worth_text

    rules = load_game(game)
    found = book_of(rules) if path is None else open_book(rules, path)
    if found is None:
        made = default_path(game)
        way = f"{made} is here: " if made.exists() else f"`plywright book build {game}` makes one; then "
        raise BadInput(f"{rules.name} comes without a book; {way}`plywright book show {game} {made}` shows it")
    states = states_so_far(rules, None, moves)
    state = states[-1]
    name = rules.opening_name(states[0], actions_between(rules, states))
    known = found.moves(state)
    if json:
        listed = {rules.format_action(state, move.action): move.value for move in known}
        value = found.value(state)
        print_json({"game": rules.name, "positions": len(found), "opening": name, "value": value, "moves": listed})
        return
    out.print(f"{found.path}: {len(found):,} positions", markup=False)
    if name:
        out.print(f"opening: {name}", markup=False)
    if not known:
        out.print(unknown_text(rules, found, state), markup=False)
    for move in known:
        text = rules.format_action(state, move.action)
        out.print(f"  {text:6} {worth_text(rules, move.value)}", markup=False)


def unknown_text(game: Game, found: Book, state: Any) -> str:
    """Why a book has no moves for a position."""
    from ..console import worth_text

    if game.is_terminal(state):
        return "the game is over here"
    value = found.value(state)
    if value is None:
        return "the book does not have this position"
    worth = f"{worth_text(game, value)} for {game.player_name(int(game.to_move(state)))}"
    return f"a line of the book ends here: it values the position, {worth}, but not its moves"


def default_path(name: str) -> Path:
    """`mygame.book` in this folder, of `mygame.py` or of a game and its parameters."""
    from ...books import SUFFIX
    from ...games.registry import is_path, split_path

    stem = Path(split_path(name)[0]).stem if is_path(name) else name
    return Path("".join(letter if letter.isalnum() else "-" for letter in stem).strip("-") + SUFFIX)


def actions_between(game: Game, states: list[Any]) -> list[int]:
    """The actions that lead from each state to the next."""
    return [
        next(int(action) for action in game.actions(state) if game.state_after(state, action) == after)
        for state, after in pairwise(states)
    ]
