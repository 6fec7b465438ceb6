"""`plywright games`."""

from __future__ import annotations

from rich.table import Table

from ..games import GAMES
from ..games.explicit_tree import FIGURES
from .console import out, print_json


def list_games(json: bool) -> None:
    figures = {name: figure.about for name, figure in FIGURES.items()}
    if json:
        print_json({"games": {name: entry.about for name, entry in GAMES.items()}, "figures": figures})
        return
    table = Table("game", "what it is (after the colon: parameters)", box=None, header_style="bold")
    for name, entry in GAMES.items():
        table.add_row(name, entry.about)
    table.add_section()
    for name, about in figures.items():
        table.add_row(name, about)
    out.print(table)
    out.print("Your own: a path such as ./mygame.py (plywright new mygame.py writes one to begin from).")
