"""One game of Pac-Man from beginning to end, and what everybody thought on the way."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from typing import Any

from ..errors import BadInput
from ..games.pacman.maze import Maze
from ..games.pacman.rules import MOST_ROUNDS, Pacman
from ..players import Clock, Mode, Player, Playing
from ..rng import scramble, seeded
from .agents import ThinkingAgent, make_agent, make_ghost

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


def begun(layout: str | Maze, seed: int = 1, *, scatter: bool = False, rounds: int = MOST_ROUNDS) -> tuple[Pacman, Any]:
    """A game and the state it begins in; with `scatter` the seed decides where all are, and between equal moves."""
    game = Pacman(layout, rounds=rounds)
    if not scatter:
        return game, game.start_state
    game = game.shuffled(seed)
    return game, game.scattered(seed)


def watch(
    layout: str | Maze,
    agent: str | Player = "expectimax:depth=2",
    ghosts: str | Sequence[str | Player] = "random",
    seed: int = 1,
    *,
    scatter: bool = False,
    rounds: int = MOST_ROUNDS,
    values: bool = False,
) -> tuple[Pacman, Iterator[Moment]]:
    """A game, and its moments, played one at a time as they are asked for.

    Players are written as text, or given as they are; `ghosts` is one text for all, or a list with one for each.
    Pac-Man's moments say in `info` his "value", "line" and "nodes", and with `values` in "actions" the exact value
    of each of his moves; agents that do not think say less. With `scatter` everybody starts in a random place.
    """
    game, start = begun(layout, seed, scatter=scatter, rounds=rounds)
    each = [ghosts] * game.ghosts if isinstance(ghosts, str) else list(ghosts)
    if len(each) != game.ghosts:
        raise BadInput(f"{game.maze.name} has {game.ghosts} ghosts, and {len(each)} are given: write one for each")
    pacman = make_agent(agent) if isinstance(agent, str) else agent
    if isinstance(pacman, ThinkingAgent):
        pacman.every_action = values
    players = [pacman, *(make_ghost(ghost) if isinstance(ghost, str) else ghost for ghost in each)]
    return game, moments(game, players, seed, start)


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
    playing = Playing(game, start)
    for seat, player in enumerate(players):
        player.begin(game, seat, seed)
    while not playing.is_over():
        seat = playing.mover()
        action = players[seat].choose(game, playing.turn(FREE, rngs[seat]))
        yield Moment(playing.state, seat, action, dict(players[seat].info) if seat == 0 else {})
        playing.step(action)
    for seat, player in enumerate(players):
        player.end(game, seat, playing.utility(seat))
    yield Moment(playing.state, -1, -1)
