"""An agent of a student's file, which runs in a child process of its own (`student_process.py`)."""

from __future__ import annotations

import json
import sys
import time
from pathlib import Path
from typing import Any

from ..errors import BadInput
from ..game import Game
from ..games.pacman.rules import Pacman
from ..players import Offence, Player, Turn
from ..players.offence import CRASHED, FLOODED, ILLEGAL, LATE
from ..programs.isolation import AUTO, isolation
from ..programs.process import Process
from .student_process import WARM_UP

SECONDS, EXPANSIONS = 1.0, 100_000
"""What one move may take, unless it is said otherwise."""
GRACE = 1.0
"""Seconds beyond the limit before a child that does not answer is ended."""


CAUSES = (ILLEGAL, LATE, CRASHED, FLOODED)


class NotGraded(BadInput):
    """A file that cannot be read, or says of itself what cannot be; its sentence begins with the file's name."""


class Fault(Exception):
    """What went wrong in one move, in the student's terms; `cause` is one word for it."""

    def __init__(self, words: str, cause: str = CRASHED) -> None:
        super().__init__(words)
        self.cause = cause if cause in CAUSES else CRASHED


class StudentProcess:
    """The child process with the file, started again where it had to be ended."""

    def __init__(self, path: Path, level: str, seconds: float, expansions: int, home: Path | None = None) -> None:
        if not path.is_file():
            raise BadInput(f"there is no file {str(path)!r}")
        if path.suffix != ".py":
            raise BadInput(f"{str(path)!r} is no Python file: its name must end in .py")
        self.path, self.level, self.home = path.resolve(), isolation(level), home
        self.seconds, self.expansions = seconds, expansions
        self.process: Process | None = None
        self.facts: dict[str, Any] = {}
        self.game: Pacman | None = None

    def start(self) -> None:
        """Have a child that has read the file; raises BadInput with its words where it cannot."""
        child = Path(__file__).with_name("student_process.py")
        self.process = Process([sys.executable, str(child), str(self.path)], self.level, self.home)
        answer = self._answer(WARM_UP)
        if "error" in answer:
            self.close()
            raise NotGraded(f"{self.path.name} cannot be read: {answer['error']}")
        self.facts = answer

    def read(self) -> None:
        """Start the child for the first time; raises BadInput, too, where the file ends it or keeps it for ever."""
        try:
            self.start()
        except Fault as fault:
            raise NotGraded(f"{self.path.name} cannot be read: {fault}") from None

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
            raise Fault(str(answer["error"]), str(answer.get("cause")))
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
            raise Fault(offence.note, offence.cause) from None

    def _answer(self, seconds: float) -> dict[str, Any]:
        assert self.process is not None
        try:
            answer = json.loads(self.process.read_line(time.monotonic() + seconds))
            if not isinstance(answer, dict):
                raise ValueError("no object")
            return answer
        except Offence as offence:
            self.close()
            raise Fault(offence.note, offence.cause) from None
        except (ValueError, RecursionError):
            self.close()
            raise Fault("the child process answered nonsense") from None

    def close(self) -> None:
        if self.process is not None:
            self.process.end()
        self.process = None


class FileAgent(Player):
    """Pac-Man as a file plays him; a choice that goes wrong raises Fault with the student's own lines."""

    def __init__(self, path: Path, level: str = AUTO, seconds: float = SECONDS, expansions: int = EXPANSIONS) -> None:
        self.name, self.info = path.name, {}
        self.student = StudentProcess(path, level, seconds, expansions)

    def begin(self, game: Game, seat: int, seed: int) -> None:
        assert isinstance(game, Pacman)
        if self.student.process is None:
            self.student.read()
        self.student.begin(game)

    def choose(self, game: Game, turn: Turn) -> int:
        action, spent = self.student.choose(turn.view)
        self.info = {"nodes": spent}
        return action

    def close(self) -> None:
        self.student.close()
