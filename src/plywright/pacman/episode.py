"""One game of Pac-Man from beginning to end, and what everybody thought on the way."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from typing import Any

from ..games.maze import Maze
from ..games.pacman import MOST_ROUNDS, Pacman
from ..players import Clock, Mode, Player
from ..rng import scramble, seeded
from .agents import SearchAgent, make_agent, make_ghost

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


def watch(
    layout: str | Maze,
    agent: str = "expectimax:depth=2",
    ghosts: str = "random",
    seed: int = 1,
    *,
    scatter: bool = False,
    rounds: int = MOST_ROUNDS,
    values: bool = False,
) -> tuple[Pacman, Iterator[Moment]]:
    """A game between players that are written as text, and its moments, played one at a time as they are asked for.

    Pac-Man's moments say in `info` his "value", "line" and "nodes", and with `values` in "actions" the exact value
    of each of his moves; agents that do not search say less. With `scatter` everybody starts in a random place.
    """
    game = Pacman(layout, rounds=rounds)
    players = [make_agent(agent), *(make_ghost(ghosts) for _ in range(game.ghosts))]
    if isinstance(players[0], SearchAgent):
        players[0].every_action = values
    if scatter:
        game = game.shuffled(seed)
    return game, moments(game, players, seed, game.scattered(seed) if scatter else None)


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
