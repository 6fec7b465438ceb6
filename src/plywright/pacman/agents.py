"""Who plays: Pac-Man's agents and the ghosts, as players that are written as text.

    make_agent("expectimax:depth=3,evaluation=full")      make_ghost("directional:chase=0.8")

Depth counts rounds: one move of Pac-Man and one of each ghost.
"""

from __future__ import annotations

import contextlib
import os
import select
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import Any

from ..knowledge import knowledge_of

try:
    import termios
    import tty
except ImportError:  # no such terminals: lines are read
    termios = None  # type: ignore[assignment]

from ..engine import search
from ..engine.chance.opponent_models import Uniform, distribution
from ..errors import BadInput
from ..game import Game
from ..games.pacman.knowledge import EVALUATIONS, USUAL, Evaluation
from ..games.pacman.maze import STOP, Maze
from ..games.pacman.rules import CELL, SCARED, Pacman
from ..players import Player, Turn
from ..rng import below, seeded, uniform

ALGORITHMS = {  # name: the search behind it, and whether the others are taken to move at random
    "minimax": ("minimax", False),
    "alphabeta": ("pvs", False),
    "expectimax": ("expectimax", True),
    "maxn": ("maxn", False),
    "mcts": ("mcts", False),
}
SIMULATIONS = 2000
TABLE = 1.0  # megabytes: a new one is cleared for every move
MYSTERIES = ("reflex:evaluation=full", "alphabeta:depth=2", "expectimax:depth=2")


class ThinkingAgent(Player):
    """An agent that says what it thinks: `info` has "value", "depth", "nodes" and "line" after each choice."""

    every_action = False
    """Whether its account also has "actions", the exact value of each of them, and, of a search that averages over the
    others' moves, in "expected" the line through the likeliest of them. That may take searches of its own; what is
    chosen, and what is counted for it, stays the same."""


class SearchAgent(ThinkingAgent):
    """Searches the game as it values it, for whichever seat it is asked."""

    def __init__(
        self, algorithm: str, depth: int = 2, evaluation: Evaluation = USUAL, simulations: int = SIMULATIONS
    ) -> None:
        self.name = f"{algorithm}:depth={depth},evaluation={evaluation}"
        self.algorithm, self.depth, self.evaluation, self.simulations = algorithm, depth, evaluation, simulations
        self.info: dict[str, Any] = {}
        self._seen: tuple[Game | None, Pacman | None] = (None, None)

    def prepare(self, game: Game) -> None:
        self.search(game, game.start_state, 0)

    def choose(self, game: Game, turn: Turn) -> int:
        found = self.search(game, turn.view, turn.seat)
        self.info = {"value": found.value, "depth": self.depth, "nodes": found.nodes, "line": list(found.line)}
        if self.every_action:
            every = self.search(game, turn.view, turn.seat, all_actions=True)
            self.info["actions"] = {int(action): float(value) for action, value in every.actions.items()}
            if ALGORITHMS[self.algorithm][1]:
                self.info["expected"] = self.expected_line(game, turn.view, turn.seat, int(found.action))
        return int(found.action)

    def expected_line(self, game: Game, state: Any, seat: int, action: int) -> list[int]:
        """A line through averages, as far as the search saw: the others' likeliest moves, and the best answers to them.

        Of equally likely moves the first is taken; `found.line` ends where somebody moves by chance.
        """
        own = self.view(game)
        others, left, line = self.opponents(own, seat), self.depth * own.players, list[int]()
        while left > 0 and not own.is_terminal(state):
            mover = int(own.to_move(state))
            if mover != seat:
                odds = distribution(others[mover], own, state)
                action = max(odds, key=lambda move: odds[move])
            elif line:
                action = int(self.search(game, state, seat, plies=left).action)
            line.append(action)
            state, left = own.state_after(state, action), left - 1
        return line

    def search(self, game: Game, state: Any, seat: int, *, plies: int | None = None, **more: Any) -> Any:
        """The search's answer in a state in which the seat is to move; `plies` in place of its own depth."""
        own = self.view(game)
        name, random_others = ALGORITHMS[self.algorithm]
        if name == "mcts":
            return search(own, state, algorithm=name, nodes=self.simulations, **more)
        options: dict[str, Any] = {"opponents": self.opponents(own, seat), "table": TABLE} if random_others else {}
        if name == "pvs":
            options = {"table": TABLE, "exact": True}
        if own.players == 1:  # nobody else: the best that can be reached
            name, options = "expectimax", {}
        return search(own, state, depth=plies or self.depth * own.players, algorithm=name, **options, **more)

    def opponents(self, game: Pacman, seat: int) -> dict[int, Any]:
        """Everybody whose moves are averaged over."""
        return {player: Uniform() for player in range(game.players) if player != seat}

    def view(self, game: Game) -> Pacman:
        """The game with this agent's evaluation, made once per game."""
        if self._seen[0] is not game:
            assert isinstance(game, Pacman)
            self._seen = game, game.seen_with(self.evaluation)
        assert self._seen[1] is not None
        return self._seen[1]


class ReflexAgent(ThinkingAgent):
    """Looks one move ahead: the state after its own move that it values most."""

    def __init__(self, evaluation: str = "full") -> None:  # `fitted` is for two rounds
        self.name = f"reflex:evaluation={evaluation}"
        self.evaluation, self.info = evaluation, {}
        self._agent = SearchAgent("minimax", 1, evaluation)

    def choose(self, game: Game, turn: Turn) -> int:
        own = self._agent.view(game)
        values = {
            action: float(knowledge_of(own).evaluate(own.result(turn.view, action), turn.seat)) for action in turn.legal
        }
        best = max(values, key=lambda action: values[action])
        self.info = {"value": values[best], "depth": 0, "nodes": len(values), "line": [best]}
        if self.every_action:
            self.info["actions"] = values
        return best


class MysteryAgent(Player):
    """One of three, chosen by the seed of the game: guess which from watching; `secret` tells."""

    def __init__(self) -> None:
        self.name, self.info = "mystery", {}
        self._agents = [make_agent(text) for text in MYSTERIES]
        self._chosen = self._agents[0]

    @property
    def secret(self) -> str:
        return self._chosen.name

    def begin(self, game: Game, seat: int, seed: int) -> None:
        self._chosen = self._agents[MYSTERIES.index(mystery(seed))]

    def choose(self, game: Game, turn: Turn) -> int:
        action = self._chosen.choose(game, turn)
        self.info = {}  # it does not tell what it thinks
        return action


def mystery(seed: int) -> str:
    """Which of MYSTERIES the mystery agent is in the game of a seed."""
    return MYSTERIES[below(seeded(seed * 7919 + 17), len(MYSTERIES))]


KEYS = {"n": 0, "w": 0, "k": 0, "e": 1, "d": 1, "l": 1, "s": 2, "j": 2, "a": 3, "h": 3, " ": STOP, "x": STOP}
"""Keys of the keyboard agent: w a s d as on any keyboard, the compass where that leaves room, h j k l, and a blank."""
ARROWS = {"A": 0, "C": 1, "B": 2, "D": 3}
ESCAPE = 0.05
"""Seconds in which the rest of an arrow key follows its first character; after that it was the escape key."""


class KeyboardAgent(Player):
    """A person at the terminal: arrow keys or w a s d, blank to wait, q to leave; lines where it is no terminal."""

    name = "keyboard"

    def __init__(self) -> None:
        self.info: dict[str, Any] = {}

    def choose(self, game: Game, turn: Turn) -> int:
        while True:
            key = pressed_key()
            if key in ("", "q", "\x03", "\x04"):
                raise KeyboardInterrupt
            action = ARROWS.get(key[2:]) if key.startswith("\x1b") else KEYS.get(key.lower())
            if action in turn.legal:
                assert action is not None
                return action


def pressed_key() -> str:
    """One key, or where there is no terminal the first letter of a line; empty at the end of the input."""
    if termios is None or not sys.stdin.isatty():
        line = sys.stdin.readline()
        return (line.strip() or " ")[0] if line else ""
    terminal = sys.stdin.fileno()
    with keys_at_once():
        key = os.read(terminal, 1).decode("ascii", "replace")
        while key.startswith("\x1b") and len(key) < 3 and select.select([terminal], [], [], ESCAPE)[0]:
            key += os.read(terminal, 1).decode("ascii", "replace")
        return key


@contextlib.contextmanager
def keys_at_once() -> Iterator[None]:
    """The terminal gives every key as it is pressed and does not show it; afterwards it is as it was before."""
    if termios is None or not sys.stdin.isatty():
        yield
        return
    terminal = sys.stdin.fileno()
    before = termios.tcgetattr(terminal)
    try:
        tty.setcbreak(terminal, termios.TCSADRAIN)  # what was typed ahead is kept
        yield
    finally:
        termios.tcsetattr(terminal, termios.TCSADRAIN, before)


class RandomGhost(Player):
    """Any legal direction, all alike."""

    name = "random"

    def __init__(self) -> None:
        self.info: dict[str, Any] = {}

    def choose(self, game: Game, turn: Turn) -> int:
        return turn.legal[below(turn.rng, len(turn.legal))]


class DirectionalGhost(Player):
    """With probability `chase` straight to Pac-Man (away from him when scared), otherwise anywhere."""

    def __init__(self, chase: float = 0.8) -> None:
        if not isinstance(chase, (int, float)) or not 0 <= chase <= 1:
            raise BadInput(f"chase is a probability from 0 to 1, not {chase!r}")
        self.name, self.chase, self.info = f"directional:chase={chase:g}", float(chase), {}

    def choose(self, game: Game, turn: Turn) -> int:
        assert isinstance(game, Pacman)
        actions, view, rng = turn.legal, turn.view, turn.rng
        if uniform(rng) >= self.chase:
            return actions[below(rng, len(actions))]
        word = int(view.ghosts[turn.seat - 1])
        cells = len(game.pellet_at)
        sign = -1 if word >> SCARED else 1

        def far(action: int) -> int:
            cell = int(game.steps[5 * (word & CELL) + action]) if action != STOP else word & CELL
            return sign * int(game.apart[int(view.pacman) * cells + cell])

        best = min(map(far, actions))
        nearest = [action for action in actions if far(action) == best]
        return nearest[below(rng, len(nearest))]


class SearchingGhost(SearchAgent):
    """Searches with an evaluation that seeks Pac-Man, as if there were no other ghost."""

    def __init__(self, depth: int = 2, evaluation: str = "seek") -> None:
        super().__init__("alphabeta", depth, evaluation)
        self.name = f"searching:depth={depth},evaluation={evaluation}"
        self._alone: tuple[Game | None, int, Pacman | None] = (None, 0, None)

    def search(self, game: Game, state: Any, seat: int, **more: Any) -> Any:
        assert isinstance(game, Pacman)
        if game.ghosts == 1:
            return super().search(game, state, seat, **more)
        if self._alone[:2] != (game, seat):
            self._alone = game, seat, with_one_ghost(game, seat)
        alone = self._alone[2]
        assert alone is not None
        ghosts = (int(state.ghosts[seat - 1]),)
        return super().search(alone, alone.coerce_state(state._replace(turn=1, ghosts=ghosts)), 1, **more)


def with_one_ghost(game: Pacman, seat: int) -> Pacman:
    """The same game without the ghosts of other seats."""
    home, columns = game.maze.ghosts[seat - 1], game.maze.columns
    text = "".join(" " if sign == "G" and cell != home else sign for cell, sign in enumerate(game.maze.text))
    rows = tuple(text[start : start + columns] for start in range(0, len(text), columns))
    other = Pacman(Maze(game.maze.name, rows), game.valuation, game.most_rounds)
    other.order = game.order
    return other


class CoordinatedGhost(SearchAgent):
    """All ghosts search as one team with one evaluation; nothing tells them to surround Pac-Man."""

    def __init__(self, depth: int = 2, evaluation: str = "seek") -> None:
        super().__init__("alphabeta", depth, evaluation)
        self.name = f"coordinated:depth={depth},evaluation={evaluation}"


PLAIN: dict[str, type[Player]] = {"mystery": MysteryAgent, "keyboard": KeyboardAgent, "random": RandomGhost}


def make_agent(text: str) -> Player:
    """Pac-Man's agent that a text means, or a path such as ./mine.py; raises BadInput with what exists."""
    if text.strip().endswith(".py"):
        from .file_agent import FileAgent  # whose child process uses the agents here

        return FileAgent(Path(text.strip()))
    kind, given = _options(text, {"depth": int, "evaluation": str, "simulations": int})
    if kind in ALGORITHMS and (kind == "mcts" or "simulations" not in given):
        return SearchAgent(kind, **given)
    if kind == "reflex" and set(given) <= {"evaluation"}:
        return ReflexAgent(**given)
    if kind in PLAIN and not given:
        return PLAIN[kind]()
    raise BadInput(
        f"there is no agent {text!r}; there are keyboard, mystery, random, reflex (evaluation=full), mcts "
        f"(simulations=2000), {', '.join(name for name in ALGORITHMS if name != 'mcts')} (depth=2,evaluation={USUAL}) "
        f"and files such as ./mine.py"
    )


def make_ghost(text: str) -> Player:
    """The ghost that a text means; raises BadInput with what exists."""
    kind, given = _options(text, {"depth": int, "evaluation": str, "chase": float})
    if kind == "random" and not given:
        return RandomGhost()
    if kind == "directional" and set(given) <= {"chase"}:
        return DirectionalGhost(**given)
    if kind in ("searching", "coordinated") and "chase" not in given:
        return SearchingGhost(**given) if kind == "searching" else CoordinatedGhost(**given)
    raise BadInput(
        f"there is no ghost {text!r}; there are random, directional (chase=0.8), searching and coordinated (depth=2)"
    )


def _options(text: str, kinds: dict[str, type]) -> tuple[str, dict[str, Any]]:
    kind, _, rest = text.strip().partition(":")
    given: dict[str, Any] = {}
    for part in filter(None, (piece.strip() for piece in rest.split(","))):
        key, _, value = part.partition("=")
        try:
            given[key] = kinds[key](value)
        except (KeyError, ValueError):
            raise BadInput(f"{text!r}: {part!r} is not one of {', '.join(f'{name}=...' for name in kinds)}") from None
    if not 1 <= given.get("depth", 1) <= 20:
        raise BadInput(f"{text!r}: depth is a number of rounds from 1 to 20")
    if given.get("evaluation", USUAL) not in EVALUATIONS:
        raise BadInput(f"{text!r}: there is no evaluation {given['evaluation']!r}; there are {', '.join(EVALUATIONS)}")
    return kind, given
