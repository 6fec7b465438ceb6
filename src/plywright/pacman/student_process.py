"""The child process in which a student's file runs: `python student_process.py FILE`, one JSON line in, one out.

Whatever the file prints goes to standard error. A move that raises, takes too long or expands too much is
answered with the traceback of the student's own lines; the process lives on.
"""

from __future__ import annotations

import contextlib
import json
import os
import signal
import sys
import traceback
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

if __package__ in (None, ""):  # run as a program, where Plywright may not be installed
    sys.path[:1] = [str(Path(__file__).resolve().parents[2])]

import plywright
from plywright.engine import search
from plywright.errors import BadInput, PlywrightError
from plywright.games.pacman.knowledge import weights_of
from plywright.games.pacman.maze import DIRECTIONS, read_maze
from plywright.games.pacman.rules import Pacman
from plywright.games.registry import import_file
from plywright.pacman.agents import SearchAgent
from plywright.pacman.episode import FREE
from plywright.players import Playing
from plywright.players.offence import CRASHED, ILLEGAL, LATE
from plywright.rng import seeded

Choose = Callable[[Any, Any], Any]
KINDS = "choose(game, state), a class Agent with choose(game, state), WEIGHTS = {...} or evaluate(game, state)"
WARM_UP = 60.0
"""Seconds in which the first choice of a file may compile what it uses; it does not count."""


class Exhausted(Exception):
    """More states were made than is allowed for one move."""


class Late(Exception):
    """The time for one move is over."""


class Counter:
    """How many states the file has made with `game.result` and looked at with `plywright.search` in this move."""

    def __init__(self) -> None:
        self.count, self.most = 0, sys.maxsize

    def add(self, count: int) -> None:
        self.count += count
        if self.count > self.most:
            raise Exhausted(f"more than {self.most} expansions for one move")


def main() -> None:
    answers = os.fdopen(os.dup(1), "w", encoding="utf-8")
    os.dup2(2, 1)  # what the file prints is no answer
    counter = Counter()
    path = Path(sys.argv[1])

    def say(value: dict[str, Any]) -> None:
        print(json.dumps(value), file=answers, flush=True)

    choose: Choose | None = None
    game: Pacman | None = None
    try:
        plywright.search = counted_search(counter)
        choose, facts = load_choice(path, counter)
        say({"ready": True, **facts})
    except BaseException as error:
        say({"error": str(error) if isinstance(error, PlywrightError) else own_traceback(error, path)})
        return
    for line in sys.stdin:
        asked = json.loads(line)
        if "rows" in asked:
            game = Pacman(read_maze("\n".join(asked["rows"]), asked["layout"]), rounds=asked["rounds"])
            game.__dict__["result"] = counted_result(game, counter)
            continue
        assert game is not None
        state = game.read_state(asked["state"])
        counter.count, counter.most = 0, asked["expansions"]
        try:
            with alarm(asked["seconds"]):
                chosen = choose(game, state)
        except BaseException as error:
            cause = LATE if isinstance(error, (Late, Exhausted)) else CRASHED
            say({"error": own_traceback(error, path), "cause": cause, "expansions": counter.count})
            continue
        try:
            say({"action": read_choice(game, state, chosen), "expansions": counter.count})
        except Exception as error:
            say({"error": own_traceback(error, path), "cause": ILLEGAL, "expansions": counter.count})


def load_choice(path: Path, counter: Counter) -> tuple[Choose, dict[str, Any]]:
    """What the file chooses with, and what it says of itself (ALGORITHM, DEPTH, EVALUATION)."""
    names = vars(import_file(path))
    depth = names.get("DEPTH", 2)
    if not isinstance(depth, int) or not 1 <= depth <= 20:
        raise BadInput(f"{path.name}: DEPTH is a number of rounds from 1 to 20, not {depth!r}")
    facts = {"depth": depth, "algorithm": names.get("ALGORITHM"), "evaluation": names.get("EVALUATION", "score")}
    if callable(names.get("choose")):
        return names["choose"], {"kind": "agent", **facts}
    if isinstance(names.get("Agent"), type):
        made = names["Agent"]()
        if not callable(getattr(made, "choose", None)):
            raise BadInput(f"{path.name}: the class Agent has no choose(game, state)")
        return made.choose, {"kind": "agent", **facts}
    if isinstance(names.get("WEIGHTS"), dict):
        return weighted(names["WEIGHTS"], depth, counter), {"kind": "weights", **facts}
    if callable(names.get("evaluate")):
        return evaluated(names["evaluate"], depth), {"kind": "evaluation", **facts}
    raise BadInput(f"{path.name} has nothing to grade: write {KINDS}")


def weighted(weights: dict[str, float], depth: int, counter: Counter) -> Choose:
    """Alpha-beta with the file's table of weights."""
    weights_of(weights)  # refuses features that there are not
    agent = SearchAgent("alphabeta", depth, weights)

    def choose(game: Pacman, state: Any) -> int:
        action = agent.choose(game, Playing(game, state).turn(FREE, seeded(0)))
        counter.add(int(agent.info["nodes"]))
        return action

    return choose


def evaluated(evaluate: Callable[[Any, Any], float], depth: int) -> Choose:
    """Alpha-beta with a function of the file's, from Pac-Man's perspective, at its leaves."""

    class Valued(Pacman):
        def evaluate(self, state: Any, player: int) -> float:
            value = min(max(float(evaluate(self, state)), -self.widest), self.widest)
            if self.is_terminal(state):
                value = float(state.score)
            return value if player == 0 else -value

    kept: dict[Pacman, Valued] = {}  # one for a whole game: what is new is tried for a moment before its first search

    def choose(game: Pacman, state: Any) -> int:
        if game not in kept:
            kept.clear()
            kept[game] = Valued(game.maze, rounds=game.most_rounds)
        own = kept[game]
        found = plywright.search(own, state, depth=depth * own.players, algorithm="alphabeta", compiled=False)
        assert found.action is not None
        return found.action

    return choose


def read_choice(game: Pacman, state: Any, chosen: Any) -> int:
    """The legal action that was chosen, as a number or by name; raises ValueError."""
    legal = [int(action) for action in game.actions(state)]
    named = isinstance(chosen, str) and chosen.capitalize() in DIRECTIONS
    action = DIRECTIONS.index(chosen.capitalize()) if named else chosen
    if not hasattr(action, "__index__") or int(action) not in legal:
        words = ", ".join(f"{action} ({DIRECTIONS[action]})" for action in legal)
        raise ValueError(f"choose() returned {chosen!r}, which is not legal here; legal are {words}")
    return int(action)


def counted_result(game: Pacman, counter: Counter) -> Callable[[Any, int], Any]:
    def result(state: Any, action: int) -> Any:
        counter.add(1)
        return type(game).result(game, state, action)

    return result


def counted_search(counter: Counter) -> Callable[..., Any]:
    def counted(*args: Any, **options: Any) -> Any:
        found = search(*args, **options)
        counter.add(found.nodes)
        return found

    return counted


@contextlib.contextmanager
def alarm(seconds: float) -> Iterator[None]:
    """Raise Late in the file's own code when the time is over."""

    def ring(*_: Any) -> None:
        raise Late(f"more than {seconds:g} s for one move")

    signal.signal(signal.SIGALRM, ring)
    signal.setitimer(signal.ITIMER_REAL, seconds)
    try:
        yield
    finally:
        signal.setitimer(signal.ITIMER_REAL, 0)


def own_traceback(error: BaseException, path: Path) -> str:
    """The traceback without the lines that are not the student's."""
    found = traceback.TracebackException.from_exception(error)
    own = [frame for frame in found.stack if Path(frame.filename).name == path.name]
    found.stack = traceback.StackSummary.from_list(own)
    found.__cause__ = found.__context__ = None
    return "".join(found.format()).strip()


if __name__ == "__main__":
    main()
