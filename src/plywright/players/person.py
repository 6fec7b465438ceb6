"""A person at the terminal."""

from __future__ import annotations

import sys
from typing import Any

from ..engine.hidden.beliefs import stand_in
from ..errors import BadInput
from ..game import Game
from .clock import Clock
from .player import Player, read_action


class HumanPlayer(Player):
    """Shows the position and asks until the answer is a legal move."""

    name = "human"

    def choose(self, game: Game, view: Any, seat: int, clock: Clock, rng: Any) -> int:
        picture = game.picture_for(view, seat) if game.hidden else game.picture(view)
        view = stand_in(game, view, seat)
        print(f"\n{picture.text}\n{game.player_name(seat)} to move{self.hurry(clock)}", file=sys.stderr)
        while True:
            print("your move: ", end="", file=sys.stderr, flush=True)
            text = sys.stdin.readline()
            if not text:
                raise KeyboardInterrupt  # nobody is there any more
            if text.strip() in ("", "moves", "help", "?"):
                legal = [game.format_action(view, action) for action in self.legal_actions(game, view)]
                print("legal: " + " ".join(legal), file=sys.stderr)
                continue
            try:
                return read_action(game, view, text.strip(), self.legal_actions(game, view))
            except BadInput as error:
                print(error, file=sys.stderr)

    def hurry(self, clock: Clock) -> str:
        return f", {clock.left:.0f} s left" if clock.mode.timed else ""
