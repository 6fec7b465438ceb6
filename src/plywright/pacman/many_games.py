"""Many games at a time: seeded episodes over a pool of processes, the same results for any number of them."""

from __future__ import annotations

import multiprocessing
from collections.abc import Callable, Sequence
from concurrent.futures import ProcessPoolExecutor, as_completed
from dataclasses import dataclass
from statistics import NormalDist, fmean, stdev

from ..errors import BadInput
from ..games.pacman.maze import Maze, load_maze, read_maze
from ..games.pacman.rules import MOST_ROUNDS, Pacman
from .agents import make_agent, make_ghost
from .episode import Episode, play_episode

CHUNK = 5
"""Games of one piece of work: enough to be worth sending, few enough for a bar that moves."""
MOST_JOBS = 64
NORMAL = NormalDist().inv_cdf(0.975)


@dataclass(frozen=True)
class Setting:
    """A kind of game: where, who, how long; everybody starts within `reach` steps of their places (None: anywhere)."""

    layout: str
    rows: tuple[str, ...]
    agent: str
    ghosts: str
    reach: int | None = None
    rounds: int = MOST_ROUNDS

    @classmethod
    def on(cls, layout: str | Maze, agent: str, ghosts: str, *, reach: int | None = None, rounds: int = 0) -> Setting:
        """Checked: raises BadInput where a layout, an agent or a ghost does not exist."""
        maze = layout if isinstance(layout, Maze) else load_maze(layout)
        make_agent(agent), make_ghost(ghosts)
        return cls(maze.name, maze.rows, agent, ghosts, reach, rounds or MOST_ROUNDS)

    def game(self) -> Pacman:
        return Pacman(read_maze("\n".join(self.rows), self.layout), rounds=self.rounds)


@dataclass(frozen=True)
class Tally:
    """What some games of one setting came to; the interval of the mean is the 95 % one of the normal distribution."""

    games: int
    wins: int
    caught: int
    mean_score: float
    interval: tuple[float, float]
    mean_rounds: float

    @property
    def win_rate(self) -> float:
        return self.wins / self.games

    @property
    def win_interval(self) -> tuple[float, float]:
        """Wilson's 95 % interval of the share of wins."""
        return share_interval(self.wins, self.games)


def share_interval(count: int, games: int) -> tuple[float, float]:
    """Wilson's 95 % interval of a share."""
    share, z = count / games, NORMAL
    middle = (share + z * z / (2 * games)) / (1 + z * z / games)
    half = z / (1 + z * z / games) * (share * (1 - share) / games + z * z / (4 * games * games)) ** 0.5
    return max(middle - half, 0.0), min(middle + half, 1.0)


def difference_interval(one: tuple[int, int], other: tuple[int, int]) -> tuple[float, float]:
    """The 95 % interval of the difference of two shares, each (count, games), from Wilson's of both (Newcombe 1998)."""
    (low, high), (least, most) = share_interval(*one), share_interval(*other)
    first, second = one[0] / one[1], other[0] / other[1]
    below = ((first - low) ** 2 + (most - second) ** 2) ** 0.5
    above = ((high - first) ** 2 + (second - least) ** 2) ** 0.5
    return first - second - below, first - second + above


def tally(episodes: Sequence[Episode]) -> Tally:
    scores = [float(episode.score) for episode in episodes]
    mean = fmean(scores)
    half = NORMAL * stdev(scores) / len(scores) ** 0.5 if len(scores) > 1 else 0.0
    return Tally(
        len(episodes),
        sum(episode.won for episode in episodes),
        sum(episode.caught for episode in episodes),
        mean,
        (mean - half, mean + half),
        fmean(float(episode.rounds) for episode in episodes),
    )


def play_seeds(setting: Setting, seeds: Sequence[int], record: bool = False) -> list[Episode]:
    """One game for each seed, which decides where everybody starts, how ties are broken, and chance."""
    base = setting.game()
    found = []
    for seed in seeds:
        game = base.shuffled(seed)
        players = [make_agent(setting.agent), *(make_ghost(setting.ghosts) for _ in range(game.ghosts))]
        start = game.scattered(seed, setting.reach)
        found.append(play_episode(game, players, seed, start=start, record=record))
    return found


def play_many(
    settings: Sequence[Setting],
    games: int,
    seed: int = 1,
    *,
    jobs: int = 1,
    heard: Callable[[int], None] = lambda count: None,
) -> list[list[Episode]]:
    """Games of each setting, the same seeds for all; `heard` is called with each number of finished games."""
    if not isinstance(games, int) or not 1 <= games <= 1_000_000:
        raise BadInput(f"games must be a whole number from 1 to 1000000, not {games!r}")
    if not isinstance(jobs, int) or not 1 <= jobs <= MOST_JOBS:
        raise BadInput(f"jobs must be a whole number from 1 to {MOST_JOBS}, not {jobs!r}")
    first = seed * 1_000_003
    pieces = [
        (number, start, list(range(first + start, first + min(start + CHUNK, games))))
        for start in range(0, games, CHUNK)
        for number in range(len(settings))
    ]
    found: list[dict[int, list[Episode]]] = [{} for _ in settings]
    if jobs == 1:
        for number, start, seeds in pieces:
            found[number][start] = play_seeds(settings[number], seeds)
            heard(len(seeds))
    else:
        for setting in settings:  # compile here, once: the others then load it
            play_seeds(Setting(setting.layout, setting.rows, setting.agent, setting.ghosts, setting.reach, 1), [first])
        context = multiprocessing.get_context("spawn")
        with ProcessPoolExecutor(min(jobs, len(pieces)), mp_context=context) as pool:
            waiting = {pool.submit(play_seeds, settings[piece[0]], piece[2]): piece for piece in pieces}
            for done in as_completed(waiting):
                number, start, seeds = waiting[done]
                found[number][start] = done.result()
                heard(len(seeds))
    return [[episode for start in sorted(each) for episode in each[start]] for each in found]
