"""One position of a game for a player that thinks about it in another thread than the page's."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

from ...engine.hidden.beliefs import stand_in
from ...errors import BadInput
from ...game import Game
from .game_replay import GameReplay


@dataclass(frozen=True)
class Position:
    """The game so far, who is to move, and what may be done."""

    game: Game
    states: tuple[Any, ...]
    actions: tuple[int, ...]
    seat: int
    legal: tuple[int, ...]

    @classmethod
    def of(cls, replay: GameReplay, ply: int) -> Position:
        """The position at a ply in which a player is to move; raises BadInput where none is."""
        mover = replay.mover(ply)
        if mover is None:
            raise BadInput("nobody is to move in this position: the game is over, or chance decides")
        states, actions = tuple(replay.states[: ply + 1]), tuple(replay.actions[:ply])
        return cls(replay.game, states, actions, mover, tuple(replay.legal(ply)))

    @property
    def state(self) -> Any:
        return self.states[-1]

    @property
    def view(self) -> Any:
        return self.game.observation(self.state, self.seat)

    @property
    def history(self) -> tuple[Any, ...]:
        return self.states[:-1] if self.game.repeats and not self.game.hidden else ()

    @property
    def known(self) -> Any:
        """A state that looks to the mover as this one does: it names actions, and tells nothing that is hidden.

        A game that cannot deal such states has the view in its place.
        """
        if self.game.hidden and not (self.game.draws_deals or self.game.lists_deals):
            return self.view
        return stand_in(self.game, self.view, self.seat)
