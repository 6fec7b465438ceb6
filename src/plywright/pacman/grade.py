"""Grade a student's file: an agent or an evaluation, on seeded layouts, in a child process of its own.

A game that crashes, times out or expands too much is lost with its score so far and -500, and is reported
with the student's own traceback; the other games are played all the same.
"""

from __future__ import annotations

import json
import sys
import time
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from ..errors import BadInput
from ..games.maze import load_maze
from ..games.pacman import CAUGHT, Pacman
from ..games.pacman_knowledge import EVALUATIONS
from ..players import Offence, Player
from ..programs.isolation import AUTO, isolation
from ..programs.process import Process
from ..rng import scramble, seeded
from .agents import ALGORITHMS, SearchAgent, make_ghost
from .episode import FREE
from .pupil import WARM_UP

LAYOUTS = ("tiny", "loop", "small", "medium")
GAMES, SECONDS, EXPANSIONS, ROUNDS = 5, 1.0, 100_000, 300
GRACE = 1.0
"""Seconds beyond the limit before a child that does not answer is ended."""
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


@dataclass(frozen=True)
class Report:
    """What a file is worth: each layout, and how many of the checked moves are among the best."""

    kind: str
    isolation: str
    layouts: tuple[Graded, ...]
    checked: int
    right: int
    check: str

    @property
    def total(self) -> Graded:
        """All layouts together."""
        games = sum(each.games for each in self.layouts)
        mean = sum(each.mean_score * each.games for each in self.layouts) / games
        faults = tuple(f"{each.layout}, {fault}" for each in self.layouts for fault in each.faults)
        most = max(each.expansions for each in self.layouts)
        return Graded("total", games, sum(each.wins for each in self.layouts), mean, most, faults)

    def as_dict(self) -> dict[str, Any]:
        return {
            "kind": self.kind,
            "isolation": self.isolation,
            "layouts": [vars(each) | {"faults": list(each.faults)} for each in self.layouts],
            "total": vars(self.total) | {"faults": list(self.total.faults)},
            "moves_checked": self.checked,
            "moves_right": self.right,
        }


class Fault(Exception):
    """What went wrong in one move, in the student's terms."""


class Pupil:
    """The child process with the file, started again where it had to be ended."""

    def __init__(self, path: Path, level: str, seconds: float, expansions: int) -> None:
        if not path.is_file():
            raise BadInput(f"there is no file {str(path)!r}")
        if path.suffix != ".py":
            raise BadInput(f"{str(path)!r} is no Python file: its name must end in .py")
        self.path, self.level = path.resolve(), isolation(level)
        self.seconds, self.expansions = seconds, expansions
        self.process: Process | None = None
        self.facts: dict[str, Any] = {}
        self.game: Pacman | None = None

    def start(self) -> None:
        """Have a child that has read the file; raises BadInput with its words where it cannot."""
        child = Path(__file__).with_name("pupil.py")
        self.process = Process([sys.executable, str(child), str(self.path)], self.level)
        answer = self._answer(WARM_UP)
        if "error" in answer:
            self.close()
            raise BadInput(f"{self.path.name} cannot be read: {answer['error']}")
        self.facts = answer

    def begin(self, game: Pacman) -> None:
        """A game on another layout, after a first choice that does not count: it may have to compile."""
        if self.process is None:
            self.start()
        same = self.game is not None and self.game.maze == game.maze
        self.game = game
        self._send({"layout": game.maze.name, "rows": game.maze.rows, "rounds": int(game.most_rounds)})
        if not same:
            try:
                self._ask(game.start_state, WARM_UP)
            except Fault:
                if self.process is None:
                    self.start()
                    self._send({"layout": game.maze.name, "rows": game.maze.rows, "rounds": int(game.most_rounds)})

    def choose(self, state: Any) -> tuple[int, int]:
        """The action and how many states it took; raises Fault."""
        return self._ask(state, self.seconds)

    def _ask(self, state: Any, seconds: float) -> tuple[int, int]:
        assert self.game is not None
        text = self.game.format_state(state)
        self._send({"state": text, "seconds": seconds, "expansions": self.expansions})
        answer = self._answer(seconds + GRACE)
        if "error" in answer:
            raise Fault(str(answer["error"]))
        action, spent = answer.get("action"), answer.get("expansions")
        legal = [int(each) for each in self.game.actions(state)]
        if type(action) is not int or type(spent) is not int or action not in legal or spent < 0:
            self.close()  # the child checks its moves: somebody else has written this line
            raise Fault("the child process answered nonsense")
        return action, spent

    def _send(self, value: dict[str, Any]) -> None:
        assert self.process is not None
        try:
            self.process.send(json.dumps(value), time.monotonic() + GRACE)
        except Offence as offence:
            self.close()
            raise Fault(offence.note) from None

    def _answer(self, seconds: float) -> dict[str, Any]:
        assert self.process is not None
        try:
            answer = json.loads(self.process.read_line(time.monotonic() + seconds))
            if not isinstance(answer, dict):
                raise ValueError("no object")
            return answer
        except Offence as offence:
            self.close()
            raise Fault(offence.note) from None
        except ValueError:
            self.close()
            raise Fault("the child process answered nonsense") from None

    def close(self) -> None:
        if self.process is not None:
            self.process.end()
        self.process = None


def grade(
    path: Path,
    layouts: Sequence[str] = LAYOUTS,
    *,
    games: int = GAMES,
    ghosts: str = "directional",
    seed: int = 1,
    seconds: float = SECONDS,
    expansions: int = EXPANSIONS,
    level: str = AUTO,
    heard: Callable[[int], None] = lambda count: None,
) -> Report:
    """Play the file on every layout; the same for the same seed, but for the clock."""
    if not 1 <= games <= 10_000 or not 0.01 <= seconds <= 3600 or expansions < 1:
        raise BadInput("grading needs 1 to 10000 games, 0.01 to 3600 seconds a move and at least 1 expansion")
    make_ghost(ghosts)
    mazes = [load_maze(layout) for layout in layouts]
    if not mazes:
        raise BadInput("name at least one layout to grade on")
    pupil = Pupil(path, level, seconds, expansions)
    try:
        try:
            pupil.start()
        except Fault as fault:
            raise BadInput(f"{path.name} cannot be read: {fault}") from None
        found = []
        for maze in mazes:
            game = Pacman(maze, rounds=ROUNDS)
            found.append(_graded(pupil, game, games, ghosts, seed, heard))
        checked, right, check = _check(pupil, Pacman(mazes[0], rounds=ROUNDS), seed)
        return Report(str(pupil.facts["kind"]), str(pupil.level), tuple(found), checked, right, check)
    finally:
        pupil.close()


def _graded(pupil: Pupil, game: Pacman, games: int, ghosts: str, seed: int, heard: Callable[[int], None]) -> Graded:
    scores, wins, most, faults = [], 0, 0, []
    for number in range(games):
        rng_seed = seed * 1_000_003 + number
        state = game.scattered(rng_seed)
        others: list[Player] = [make_ghost(ghosts) for _ in range(game.ghosts)]
        rngs = [seeded(scramble(scramble(rng_seed) + seat)) for seat in range(game.players)]
        try:
            pupil.begin(game)
            while not game.is_terminal(state):
                seat = int(state.turn)
                if seat == 0:
                    action, spent = pupil.choose(state)
                    most = max(most, spent)
                else:
                    action = others[seat - 1].choose(game, state, seat, FREE, rngs[seat])
                state = game.coerce_state(game.result(state, action))
            scores.append(int(state.score))
            wins += int(state.left) == 0
        except Fault as fault:
            scores.append(int(state.score) + CAUGHT)
            faults.append(f"game {number + 1}, round {int(state.rounds)}: {fault}")
        heard(1)
    return Graded(game.maze.name, games, wins, sum(scores) / games, most, tuple(faults))


def _check(pupil: Pupil, game: Pacman, seed: int) -> tuple[int, int, str]:
    """How many moves of a file that names its algorithm are among the best; every best one is accepted."""
    name, depth, evaluation = (pupil.facts[key] for key in ("algorithm", "depth", "evaluation"))
    if pupil.facts["kind"] != "agent" or name is None:
        return 0, 0, ""
    if name not in ALGORITHMS or name == "mcts" or evaluation not in EVALUATIONS:
        raise BadInput(
            f"{pupil.path.name}: ALGORITHM is one of minimax, alphabeta, expectimax, maxn, and EVALUATION one of "
            f"{', '.join(EVALUATIONS)}, not {name!r} and {evaluation!r}"
        )
    right = 0
    agent = SearchAgent("minimax" if name == "alphabeta" else name, depth, evaluation)
    for number in range(CHECKED):
        state = game.scattered(seed * 7907 + number)
        best = agent.search(game, state, 0, all_actions=True)
        try:
            pupil.begin(game)
            right += pupil.choose(state)[0] in best.tied
        except Fault:
            continue
    return CHECKED, right, f"{name} to depth {depth}, evaluation {evaluation}"
