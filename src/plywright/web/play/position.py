"""One position of a game for a player that thinks about it in another thread than the page's."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

from ...engine.hidden.beliefs import stand_in
from ...engine.hidden.past import Moment
from ...errors import BadInput
from ...game import Game
from ...players import Clock, Turn
from .game_replay import GameReplay


@dataclass(frozen=True)
class Position:
    """The game so far, who is to move, and what may be done."""

    game: Game
    states: tuple[Any, ...]
    actions: tuple[int, ...]
    seat: int
    legal: tuple[int, ...]
    history: tuple[Any, ...]
    past: tuple[Moment, ...] | None
    """What the mover saw and did, where something is hidden."""

    @classmethod
    def of(cls, replay: GameReplay, ply: int) -> Position:
        """The position at a ply in which a player is to move; raises BadInput where none is."""
        mover = replay.mover(ply)
        if mover is None:
            raise BadInput("nobody is to move in this position: the game is over, or chance decides")
        playing = replay.at(ply)
        states, actions = tuple(playing.states), tuple(playing.actions)
        past = playing.past_of(mover) if replay.game.hidden else None
        return cls(replay.game, states, actions, mover, tuple(playing.legal()), playing.history, past)

    @property
    def state(self) -> Any:
        return self.states[-1]

    @property
    def view(self) -> Any:
        return self.game.observation(self.state, self.seat)

    def turn(self, clock: Clock, rng: Any) -> Turn:
        return Turn(self.view, self.seat, self.legal, self.history, clock, rng, self.past)

    @property
    def known(self) -> Any:
        """A state that looks to the mover as this one does: it names actions, and tells nothing that is hidden.

        A game that cannot deal such states has the view in its place.
        """
        if self.game.hidden and not (self.game.draws_deals or self.game.lists_deals):
            return self.view
        return stand_in(self.game, self.view, self.seat)
