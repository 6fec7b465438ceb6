"""One game of Pac-Man from beginning to end, and what everybody thought on the way."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from typing import Any

from ..games.pacman import Pacman
from ..players import Clock, Mode, Player
from ..rng import scramble, seeded

FREE = Clock(Mode("depth", 1))
"""Nobody is on the clock here: agents have their own depths."""


@dataclass(frozen=True)
class Moment:
    """A state, who moves there, what it does, and Pac-Man's account of why; at the end nobody moves (-1)."""

    state: Any
    mover: int
    action: int
    info: dict[str, Any] = field(default_factory=dict)


@dataclass(frozen=True)
class Episode:
    """How a game went; `moments` are kept only where they were asked for."""

    score: int
    won: bool
    caught: bool
    rounds: int
    moments: tuple[Moment, ...] = ()

    @property
    def outcome(self) -> str:
        return "won" if self.won else "caught" if self.caught else "out of time"


def play_episode(
    game: Pacman, players: Sequence[Player], seed: int = 0, *, start: Any = None, record: bool = False
) -> Episode:
    """Play to the end: `players` are Pac-Man and each ghost. The same for the same seed."""
    kept: list[Moment] = []
    moment = None
    for moment in moments(game, players, seed, start):
        if record:
            kept.append(moment)
    assert moment is not None
    end = moment.state
    return Episode(int(end.score), int(end.left) == 0, bool(end.caught), int(end.rounds), tuple(kept))


def moments(game: Pacman, players: Sequence[Player], seed: int = 0, start: Any = None) -> Iterator[Moment]:
    """Every state with the move that is made in it, as it is made; the last one is the end."""
    rngs = [seeded(scramble(scramble(seed) + seat + 1)) for seat in range(game.players)]
    state = game.start_state if start is None else start
    for seat, player in enumerate(players):
        player.begin(game, seat, seed)
    while not game.is_terminal(state):
        seat = int(state.turn)
        action = players[seat].choose(game, state, seat, FREE, rngs[seat])
        yield Moment(state, seat, action, dict(players[seat].info) if seat == 0 else {})
        state = game.coerce_state(game.result(state, action))
    for seat, player in enumerate(players):
        player.end(game, seat, float(game.utility(state, seat)))
    yield Moment(state, -1, -1)
