"""`plywright games`."""

from __future__ import annotations

from rich.table import Table

from ..games import GAMES, load_game
from ..games.explicit_tree import FIGURES
from .console import out, print_json


def list_games(json: bool) -> None:
    figures = {name: figure.about for name, figure in FIGURES.items()}
    if json:
        print_json({"games": {name: entry.about for name, entry in GAMES.items()}, "figures": figures})
        return
    heads = ("game", "players", "chance", "what it is (after the colon: parameters)")
    table = Table(*heads, box=None, header_style="bold")
    for name, entry in GAMES.items():
        game = load_game(name)
        table.add_row(name, str(game.players), "yes" if game.has_chance else "", entry.about)
    table.add_section()
    for name, about in figures.items():
        game = load_game(name)
        table.add_row(name, str(game.players), "yes" if game.has_chance else "", about)
    out.print(table)
    out.print("Your own: a path such as ./mygame.py (plywright new mygame.py writes one to begin from).")
