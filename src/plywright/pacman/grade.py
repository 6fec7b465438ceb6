"""Grade a student's file: an agent or an evaluation, on seeded layouts, in a child process of its own.

A game that crashes, times out or expands too much is lost with its score so far and -500, and is reported
with the student's own traceback; the other games are played all the same.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from operator import attrgetter
from pathlib import Path
from typing import Any

from ..errors import BadInput
from ..games.pacman.knowledge import EVALUATIONS
from ..games.pacman.maze import Maze, load_maze
from ..games.pacman.rules import CAUGHT, Pacman
from ..players import Player, Playing
from ..programs.isolation import AUTO
from ..rng import scramble, seeded
from .agents import ALGORITHMS, SearchAgent, make_ghost
from .episode import FREE
from .file_agent import EXPANSIONS, SECONDS, Fault, NotGraded, StudentProcess

LAYOUTS = ("tiny", "loop", "small", "medium")
GAMES, ROUNDS = 5, 300
WON = "won"
CHECKED = 12
"""Positions in which the moves of a file that names its ALGORITHM are compared with the best ones."""


@dataclass(frozen=True)
class Graded:
    """One layout's games."""

    layout: str
    games: int
    wins: int
    mean_score: float
    expansions: int
    """Most states that one move made."""
    faults: tuple[str, ...]
    lost: tuple[str, ...] = ()
    """Every game that was not won, with the reason."""
    lines: tuple[str, ...] = ()
    """The moves of each game, a digit each, from the start that `start_of` gives; equal for equal games."""
    scores: tuple[int, ...] = ()
    endings: tuple[str, ...] = ()
    """How each game ended: won, caught, not done, or the cause of a fault (illegal, late, crashed, flooded)."""

    def as_dict(self) -> dict[str, Any]:
        return {name: list(value) if isinstance(value, tuple) else value for name, value in vars(self).items()}


PER_GAME = attrgetter("lines"), attrgetter("scores"), attrgetter("endings")
"""What a layout has one of for each game."""


@dataclass(frozen=True)
class Missed:
    """A position in which the move was not one of the best, or there was none."""

    number: int
    layout: str
    state: str
    """As `plywright best pacman --state` reads it."""
    picture: str
    chosen: str
    best: tuple[str, ...]
    fault: str

    def words(self) -> str:
        """'position 3 on tiny: West is not best, but North or East'."""
        what = f"{self.chosen} is not best, but" if self.chosen else "no move; best is"
        return f"position {self.number} on {self.layout}: {what} {' or '.join(self.best)}"


@dataclass(frozen=True)
class Report:
    """What a file is worth: each layout, and in which of the checked positions its move is not among the best."""

    kind: str
    isolation: str
    layouts: tuple[Graded, ...]
    checked: int
    missed: tuple[Missed, ...]
    check: str

    @property
    def right(self) -> int:
        return self.checked - len(self.missed)

    @property
    def total(self) -> Graded:
        """All layouts together."""
        games = sum(each.games for each in self.layouts)
        mean = sum(each.mean_score * each.games for each in self.layouts) / games
        faults = tuple(f"{each.layout}, {fault}" for each in self.layouts for fault in each.faults)
        most = max(each.expansions for each in self.layouts)
        lost = tuple(f"{each.layout}, {reason}" for each in self.layouts for reason in each.lost)
        played = [tuple(one for each in self.layouts for one in part(each)) for part in PER_GAME]
        return Graded("total", games, sum(each.wins for each in self.layouts), mean, most, faults, lost, *played)

    def as_dict(self) -> dict[str, Any]:
        return {
            "kind": self.kind,
            "isolation": self.isolation,
            "layouts": [each.as_dict() for each in self.layouts],
            "total": self.total.as_dict(),
            "moves_checked": self.checked,
            "moves_right": self.right,
            "moves_missed": [vars(each) | {"best": list(each.best)} for each in self.missed],
        }


def grade(
    path: Path,
    layouts: Sequence[str | Maze] = LAYOUTS,
    *,
    games: int = GAMES,
    ghosts: str = "directional",
    seed: int = 1,
    seconds: float = SECONDS,
    expansions: int = EXPANSIONS,
    level: str = AUTO,
    heard: Callable[[int], None] = lambda count: None,
    home: Path | None = None,
) -> Report:
    """Play the file on every layout; the same for the same seed, but for the clock.

    With a `home` that folder is all that the file's process is shown.
    """
    if not 1 <= games <= 10_000 or not 0.01 <= seconds <= 3600 or expansions < 1:
        raise BadInput("grading needs 1 to 10000 games, 0.01 to 3600 seconds per move and at least 1 expansion")
    make_ghost(ghosts)
    mazes = [layout if isinstance(layout, Maze) else load_maze(layout) for layout in layouts]
    if not mazes:
        raise BadInput("name at least one layout to grade on")
    student = StudentProcess(path, level, seconds, expansions, home)
    try:
        student.read()
        found = []
        for maze in mazes:
            game = Pacman(maze, rounds=ROUNDS)
            found.append(_graded(student, game, games, ghosts, seed, heard))
        checked, missed, check = _check(student, Pacman(mazes[0], rounds=ROUNDS), seed)
        return Report(str(student.facts["kind"]), str(student.level), tuple(found), checked, missed, check)
    finally:
        student.close()


def start_of(game: Pacman, seed: int, number: int) -> tuple[int, Any]:
    """The seed of a game, counted from 0, and the state that it begins with."""
    own = seed * 1_000_003 + number
    return own, game.scattered(own)


def _graded(
    student: StudentProcess, game: Pacman, games: int, ghosts: str, seed: int, heard: Callable[[int], None]
) -> Graded:
    wins, most = 0, 0
    scores: list[int] = []
    faults: list[str] = []
    lost: list[str] = []
    lines: list[str] = []
    endings: list[str] = []
    for number in range(games):
        rng_seed, start = start_of(game, seed, number)
        playing = Playing(game, start)
        others: list[Player] = [make_ghost(ghosts) for _ in range(game.ghosts)]
        rngs = [seeded(scramble(scramble(rng_seed) + seat)) for seat in range(game.players)]
        line = ""
        try:
            student.begin(game)
            while not playing.is_over():
                seat = playing.mover()
                if seat == 0:
                    action, spent = student.choose(playing.state)
                    most = max(most, spent)
                else:
                    action = others[seat - 1].choose(game, playing.turn(FREE, rngs[seat]))
                playing.step(action)
                line += str(int(action))
            scores.append(int(playing.state.score))
            rounds = int(playing.state.rounds)
            ending = WON if int(playing.state.left) == 0 else "not done" if rounds >= ROUNDS else "caught"
            wins += ending == WON
            if ending != WON:
                lost.append(f"game {number + 1}: {ending} after {rounds} rounds, score {scores[-1]}")
        except Fault as fault:
            scores.append(int(playing.state.score) + CAUGHT)
            faults.append(f"game {number + 1}, round {int(playing.state.rounds)}: {fault}")
            lost.append(faults[-1])
            ending = fault.cause
        lines.append(line)
        endings.append(ending)
        heard(1)
    told = tuple(faults), tuple(lost), tuple(lines), tuple(scores), tuple(endings)
    return Graded(game.maze.name, games, wins, sum(scores) / games, most, *told)


def _check(student: StudentProcess, game: Pacman, seed: int) -> tuple[int, tuple[Missed, ...], str]:
    """Where a file that names its algorithm does not choose one of the best moves; any best one is accepted."""
    name, depth, evaluation = (student.facts[key] for key in ("algorithm", "depth", "evaluation"))
    if student.facts["kind"] != "agent" or name is None:
        return 0, (), ""
    if name not in ALGORITHMS or name == "mcts" or evaluation not in EVALUATIONS:
        raise NotGraded(
            f"{student.path.name}: ALGORITHM is one of minimax, alphabeta, expectimax, maxn, and EVALUATION one of "
            f"{', '.join(EVALUATIONS)}, not {name!r} and {evaluation!r}"
        )
    missed = []
    agent = SearchAgent("minimax" if name == "alphabeta" else name, depth, evaluation)
    for number in range(1, CHECKED + 1):
        state = game.scattered(seed * 7907 + number - 1)
        best = agent.search(game, state, 0, all_actions=True)
        chosen, fault = "", ""
        try:
            student.begin(game)
            action = student.choose(state)[0]
            if action in best.tied:
                continue
            chosen = game.format_action(state, action)
        except Fault as raised:
            fault = str(raised)
        words = tuple(game.format_action(state, action) for action in best.tied)
        picture = game.picture(state).text
        missed.append(Missed(number, game.maze.name, game.format_state(state), picture, chosen, words, fault))
    return CHECKED, tuple(missed), f"{name} to depth {depth}, evaluation {evaluation}"


def files_of(path: Path) -> list[Path]:
    """The file itself, or the Python files in a folder by name; raises BadInput where there is none."""
    if not path.is_dir():
        return [path]
    found = sorted(file for file in path.glob("*.py") if file.is_file() and file.name[0] not in "._")
    if not found:
        raise BadInput(f"there is no Python file to grade in the folder {str(path)!r}")
    return found
