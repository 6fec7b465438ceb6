"""A person at the terminal."""

from __future__ import annotations

import sys

from ..engine.hidden.beliefs import stand_in
from ..errors import BadInput
from ..game import Game
from .clock import Clock
from .player import Player, read_action
from .turn import Turn


class HumanPlayer(Player):
    """Shows the position and asks until the answer is a legal move."""

    name = "human"

    def choose(self, game: Game, turn: Turn) -> int:
        picture = game.picture_for(turn.view, turn.seat) if game.hidden else game.picture(turn.view)
        view = stand_in(game, turn.view, turn.seat)
        print(f"\n{picture.text}\n{game.player_name(turn.seat)} to move{self.hurry(turn.clock)}", file=sys.stderr)
        while True:
            print("your move: ", end="", file=sys.stderr, flush=True)
            text = sys.stdin.readline()
            if not text:
                raise KeyboardInterrupt  # standard input is closed
            if text.strip() in ("", "moves", "help", "?"):
                legal = [game.format_action(view, action) for action in turn.legal]
                print("legal: " + " ".join(legal), file=sys.stderr)
                continue
            try:
                return read_action(game, view, text.strip(), turn.legal)
            except BadInput as error:
                print(error, file=sys.stderr)

    def hurry(self, clock: Clock) -> str:
        return f", {clock.left:.0f} s left" if clock.mode.timed else ""
