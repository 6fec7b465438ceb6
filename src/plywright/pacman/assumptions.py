"""World assumptions: what it costs to be wrong about the ghost, as a table of four pairings.

Pac-Man assumes an adversary (minimax) or a random ghost (expectimax), to depth 4 with an evaluation that
avoids trouble; the ghost is an adversary that seeks him to depth 2, or random. Who expects the worst always
gets away; who expects chance is faster where it is chance, and is caught where it is not.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Any

from ..draw.intervals import Interval, intervals
from ..draw.picture import Picture
from ..errors import BadInput
from ..games.pacman.maze import Maze, load_maze
from .many_games import Setting, Tally, play_many, tally

DEPTH, GHOST_DEPTH = 4, 2
REACH = 2
"""Steps from their places in the layout within which everybody starts."""
EVALUATION = "careful"
LAYOUTS = ("den", "cellar", "yard")
"""Those on which the published pattern holds; see docs/pacman.md."""
PAIRINGS = (("minimax", "adversarial"), ("minimax", "random"), ("expectimax", "adversarial"), ("expectimax", "random"))
PUBLISHED = {  # five games each
    ("minimax", "adversarial"): (5, 483),
    ("minimax", "random"): (5, 493),
    ("expectimax", "adversarial"): (1, -303),
    ("expectimax", "random"): (5, 503),
}
GHOSTS = {"adversarial": f"searching:depth={GHOST_DEPTH}", "random": "random"}


@dataclass(frozen=True)
class Row:
    """One pairing and what its games came to."""

    pacman: str
    ghosts: str
    tally: Tally

    def as_dict(self) -> dict[str, Any]:
        return {
            "pacman": self.pacman,
            "ghosts": self.ghosts,
            "games": self.tally.games,
            "wins": self.tally.wins,
            "mean_score": round(self.tally.mean_score, 3),
            "interval": [round(end, 3) for end in self.tally.interval],
            "win_interval": [round(end, 4) for end in self.tally.win_interval],
            "published": dict(zip(("wins_of_5", "mean_score"), PUBLISHED[self.pacman, self.ghosts], strict=True)),
        }


def assumptions(
    layout: str | Maze,
    games: int = 200,
    seed: int = 1,
    *,
    jobs: int = 1,
    heard: Callable[[int], None] = lambda count: None,
) -> list[Row]:
    """The four pairings, so many games each; the same for the same seed."""
    maze = layout if isinstance(layout, Maze) else load_maze(layout)
    if not maze.ghosts:
        raise BadInput(f"layout {maze.name} has no ghost to assume anything of")
    settings = [
        Setting.on(maze, f"{agent}:depth={DEPTH},evaluation={EVALUATION}", GHOSTS[ghost], reach=REACH)
        for agent, ghost in PAIRINGS
    ]
    played = play_many(settings, games, seed, jobs=jobs, heard=heard)
    return [Row(*pairing, tally(episodes)) for pairing, episodes in zip(PAIRINGS, played, strict=True)]


def shortcomings(rows: Sequence[Row]) -> list[str]:
    """What of the published pattern does not hold, in words; empty where all of it does."""
    found = {(row.pacman, row.ghosts): row.tally for row in rows}
    missing = [
        f"minimax won only {found['minimax', ghosts].win_rate:.0%} against {ghosts} ghosts"
        for ghosts in GHOSTS
        if found["minimax", ghosts].win_rate < 0.95
    ]
    best = max(found, key=lambda pair: found[pair].mean_score)
    if best != ("expectimax", "random"):
        missing.append(f"{best[0]} against {best[1]} ghosts has the best mean score")
    worst = min(found, key=lambda pair: found[pair].mean_score)
    if worst != ("expectimax", "adversarial"):
        missing.append(f"{worst[0]} against {worst[1]} ghosts has the worst mean score")
    lost = found["expectimax", "adversarial"]
    if 2 * lost.caught <= lost.games:
        missing.append(f"expectimax was caught in only {lost.caught} of {lost.games} games by adversarial ghosts")
    return missing


def assumptions_picture(rows: Sequence[Row]) -> Picture:
    """Mean scores with their intervals."""
    lines = [Interval(f"{row.pacman} v {row.ghosts}", row.tally.mean_score, *row.tally.interval) for row in rows]
    return intervals(lines, "mean score")
