"""Another game with something changed: the base of views that leave the rest of it as it is."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any

from .draw import Picture
from .game import Game
from .knowledge import Knowledge, knowledge_of


class Wrapped(Game):
    """Rules, notation and pictures of `game`; a subclass changes what it is for. Interpreted."""

    def __init__(self, game: Game, knowledge: Knowledge | None = None) -> None:
        self.game, self.inner = game, knowledge_of(game, knowledge)
        for fact in ("players", "teams", "zero_sum", "max_actions", "player_names", "name", "sum_bound"):
            self.__dict__[fact] = getattr(game, fact)

    @property
    def _start(self) -> Any:
        return self.game._start

    @property
    def _survey(self) -> Any:
        return self.game._survey

    @property
    def _outgrown(self) -> str:
        return self.game._outgrown

    @property
    def evaluates(self) -> bool:
        return self.inner.evaluates

    @property
    def hidden(self) -> bool:
        return self.game.hidden

    @property
    def checks_states(self) -> bool:
        return self.game.checks_states

    @property
    def rules_end(self) -> bool:
        return True

    def initial(self) -> Any:
        return self.game.initial()

    def to_move(self, state: Any) -> int:
        return int(self.game.to_move(state))

    def actions(self, state: Any) -> Iterable[int]:
        return self.game.actions(state)

    def result(self, state: Any, action: int) -> Any:
        return self.game.state_after(state, action)

    def is_terminal(self, state: Any) -> bool:
        return bool(self.game.is_terminal(state))

    def format_action(self, state: Any, action: int) -> str:
        return self.game.format_action(state, action)

    def parse_action(self, state: Any, text: str) -> int:
        return self.game.parse_action(state, text)

    def split_moves(self, text: str) -> list[str]:
        return self.game.split_moves(text)

    def join_moves(self, moves: list[str]) -> str:
        return self.game.join_moves(moves)

    def format_state(self, state: Any) -> str:
        return self.game.format_state(state)

    def parse_state(self, text: str) -> Any:
        return self.game.parse_state(text)

    def check_state(self, state: Any) -> str:
        return self.game.check_state(state)

    def check_observation(self, observation: Any, player: int) -> str:
        return self.game.check_observation(observation, player)

    def picture(self, state: Any, last: int | None = None) -> Picture:
        return self.game.picture(state, last)
