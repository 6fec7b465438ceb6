"""A player that looks every move up in a table of the whole game."""

from __future__ import annotations

from ..errors import BadInput
from ..game import Game
from ..tables.whole import best_action, load_whole
from .player import Player
from .turn import Turn


class TablePlayer(Player):
    """Best play out of a table that `plywright solve GAME --strong --save FILE` has made, of either kind."""

    def __init__(self, path: str, game: Game, name: str = "") -> None:
        if not path.strip():
            raise BadInput("table: needs the file of a table, such as table:small.strong")
        self.table = load_whole(game, path)
        self.name = name or f"table:{path}"
        self.fingerprint = f"table {self.table.fingerprint[:16]}"

    def choose(self, game: Game, turn: Turn) -> int:
        return best_action(self.table, turn.view)
