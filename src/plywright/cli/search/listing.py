"""`plywright games`."""

from __future__ import annotations

from rich.table import Table

from ...games import GAMES, load_game
from ...games.trees.explicit_tree import FIGURES
from ..console import out, print_json


def facts(name: str) -> tuple[str, ...]:
    """The columns of a game: name, players, whether there is chance or something hidden, what utilities add up to."""
    game = load_game(name)
    alone = len(set(game.team_of)) == 1
    sums = "" if alone else "zero" if game.opposed or game.zero_sum else "general"
    return name, str(game.players), "yes" if game.has_chance else "", "yes" if game.hidden else "", sums


def list_games(json: bool) -> None:
    figures = {name: figure.about for name, figure in FIGURES.items()}
    if json:
        print_json({"games": {name: entry.about for name, entry in GAMES.items()}, "figures": figures})
        return
    table = Table("game", "players", "chance", "hidden", "sums", box=None, header_style="bold")
    table.add_column("what it is (after the colon: parameters)", overflow="fold")
    for name, about in [*((name, entry.about) for name, entry in GAMES.items()), *figures.items()]:
        if name == next(iter(figures)):
            table.add_section()
        table.add_row(*facts(name), about)
    out.print(table)
    out.print("Your own: a path such as ./mygame.py (plywright new mygame.py writes one to begin from).")
