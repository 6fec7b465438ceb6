"""A game replayed: the states that its actions lead through, and what may be done in each."""

from __future__ import annotations

from collections import OrderedDict
from collections.abc import Sequence
from typing import Any

from ...dice import roll
from ...errors import BadInput
from ...game import Game
from ...players import Playing
from ...rng import scramble, seeded

MOST_PLIES = 5000
"""Plies of one game; a game that goes on for longer is left to matches."""
KEPT = 64
"""Courses in memory, so that every page need not replay a long game from its start."""


class GameReplay:
    """The states of a game from its start, as a text or empty for the usual one; ply n is after n actions."""

    def __init__(self, game: Game, start: str) -> None:
        self.game, self.start = game, start
        self.playing = Playing(game, game.read_state(start) if start else None)
        self.movers: list[int | None] = []
        self.texts: list[str] = []

    @classmethod
    def recorded(cls, game: Game, start: Any, actions: Sequence[int]) -> GameReplay:
        """The replay of a game that was saved with the state it began from."""
        replay = cls(game, "" if start == game.start_state else game.format_state(start))
        for action in actions:
            replay.extend(action)
        return replay

    def extend(self, action: int) -> None:
        """One more action or outcome; raises BadInput where it is not possible."""
        if self.last >= MOST_PLIES:
            raise BadInput(f"a game of the page has at most {MOST_PLIES} plies; this one has come to its end")
        if not self.playing.is_open(action):
            raise BadInput(f"action {action} is not possible at ply {self.last} of this {self.game.name}")
        state, mover = self.playing.state, self.mover(self.last)
        self.playing.step(action)
        self.movers.append(mover)
        self.texts.append(self.game.format_action(state, action))

    @property
    def states(self) -> list[Any]:
        return self.playing.states

    @property
    def actions(self) -> list[int]:
        return self.playing.actions

    @property
    def last(self) -> int:
        """The ply of the present state."""
        return self.playing.ply

    def at(self, ply: int) -> Playing:
        """The game as it stood at a ply."""
        return self.playing.at(ply)

    def is_over(self, ply: int) -> bool:
        return self.at(ply).is_over()

    def at_chance(self, ply: int) -> bool:
        return self.at(ply).at_chance()

    def mover(self, ply: int) -> int | None:
        """The seat that is to move; None where chance decides or the game is over."""
        if ply < len(self.movers):
            return self.movers[ply]
        if self.is_over(ply) or self.at_chance(ply):
            return None
        return int(self.game.to_move(self.states[ply]))

    def payoffs(self, ply: int) -> list[float]:
        return self.at(ply).payoffs()

    def draw(self, seed: int) -> int:
        """What chance brings now; taking a move back and playing it again brings the same."""
        return roll(self.game, self.states[-1], seeded(scramble(scramble(seed) + self.last)))

    def text_of(self, ply: int) -> str:
        """What was played, or brought by chance, at a ply."""
        return self.texts[ply]

    def moves_text(self, ply: int) -> str:
        """The line of moves and outcomes up to a ply, as a game can be loaded from it."""
        return self.game.join_moves(self.texts[:ply])


_kept: OrderedDict[tuple[str, str, str], GameReplay] = OrderedDict()


def replayed(game: Game, name: str, start: str, actions: Sequence[int]) -> GameReplay:
    """The replay of these actions; `name` is of whose game it is, which has mostly been replayed before."""
    key = (name, game.name, start)
    known = _kept.pop(key, None)
    if known is None or known.game is not game or known.actions != list(actions[: known.last]):
        known = GameReplay(game, start)
    for action in actions[known.last :]:
        known.extend(action)
    _kept[key] = known
    while len(_kept) > KEPT:
        _kept.popitem(last=False)
    return known
