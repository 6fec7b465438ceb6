"""Which game of Pac-Man an address means: a layout, who plays, how deep, and the seed that decides the rest."""

from __future__ import annotations

from dataclasses import asdict, dataclass, replace
from functools import lru_cache
from typing import Any
from urllib.parse import urlencode

from ...errors import BadInput
from ...games.pacman.knowledge import EVALUATIONS, USUAL
from ...games.pacman.maze import Maze, layout_names, load_maze
from ...pacman.agents import ALGORITHMS
from ..fields import Fields

PERSON, MYSTERY = "keyboard", "mystery"
AGENTS = {
    "expectimax": "expectimax: expects chance",
    "minimax": "minimax: expects the worst",
    "alphabeta": "alpha-beta: minimax, pruned",
    "maxn": "maxn: everybody for themselves",
    "mcts": "Monte Carlo tree search",
    "reflex": "reflex: one move ahead",
    "random": "random",
    MYSTERY: "mystery: guess which",
    PERSON: "you, at the keyboard",
}
GHOSTS = {
    "random": "random",
    "directional": "chasing, mostly",
    "searching": "searching, each alone",
    "coordinated": "searching as a team",
}
LETTERS = "NESWX"
"""A person's moves in the address: the four directions and staying."""
MOST_MOVES = 1000
MOST_STATES = 3e7
"""States of one search at most, by the rough count of `states`: a few seconds."""
PRUNED = 0.8
"""What pruning and tables leave of the exponent; minimax and maxn have neither."""


@dataclass(frozen=True)
class Choice:
    """A game; the same choice is the same game, move by move."""

    layout: str = "small"
    agent: str = "expectimax"
    depth: int = 2
    evaluation: str = USUAL
    ghosts: str = "directional"
    ghost_depth: int = 2
    chase: float = 0.8
    seed: int = 1
    scatter: bool = False
    mine: bool = False
    """Whether a person plays the first ghost."""

    @classmethod
    def read(cls, fields: Fields) -> Choice:
        """What an address says, checked; raises BadInput where it cannot be played."""
        usual = cls()
        found = cls(
            layout=fields.choice("layout", layout_names(), usual.layout),
            agent=fields.choice("agent", tuple(AGENTS), usual.agent),
            depth=fields.whole("depth", usual.depth, 1, 20),
            evaluation=fields.choice("evaluation", tuple(EVALUATIONS), usual.evaluation),
            ghosts=fields.choice("ghosts", tuple(GHOSTS), usual.ghosts),
            ghost_depth=fields.whole("ghost_depth", usual.ghost_depth, 1, 10),
            chase=fields.number("chase", usual.chase, 0, 1),
            seed=fields.whole("seed", usual.seed, 0, 2**53),
            scatter=fields.ticked("scatter"),
            mine=fields.ticked("mine"),
        )
        found.check()
        return found

    def check(self) -> None:
        ghosts = len(maze_of(self.layout).ghosts)
        if self.mine and self.agent == PERSON:
            raise BadInput("you can play Pac-Man or the first ghost, not both: choose another agent for one of them")
        if self.mine and not ghosts:
            raise BadInput(f"layout {self.layout} has no ghost for you to play")
        for who, depth, share in (
            ("Pac-Man", self.depth if self.agent in ALGORITHMS and self.agent != "mcts" else 0, self._share),
            ("the ghosts", self.ghost_depth if self.ghosts in ("searching", "coordinated") else 0, PRUNED),
        ):
            if (found := states(ghosts, depth) ** share) > MOST_STATES:
                raise BadInput(
                    f"{depth} rounds with {ghosts} ghosts are about {found:.0e} states per move for {who}, too many "
                    "for a page: choose a smaller depth, or alphabeta"
                )

    @property
    def _share(self) -> float:
        return 1.0 if self.agent in ("minimax", "maxn") else PRUNED

    @property
    def agent_text(self) -> str:
        """Pac-Man's agent as the command line writes it."""
        if self.agent in ALGORITHMS:
            return f"{self.agent}:depth={self.depth},evaluation={self.evaluation}"
        return f"reflex:evaluation={self.evaluation}" if self.agent == "reflex" else self.agent

    @property
    def ghost_text(self) -> str:
        if self.ghosts == "directional":
            return f"directional:chase={self.chase:g}"
        return self.ghosts if self.ghosts == "random" else f"{self.ghosts}:depth={self.ghost_depth}"

    @property
    def person(self) -> int:
        """The seat of the person, or -1."""
        return 0 if self.agent == PERSON else 1 if self.mine else -1

    @property
    def command(self) -> str:
        """The same game on the command line."""
        words = f"plywright pacman play {self.layout} --agent {self.agent_text} --ghosts {self.ghost_text}"
        return f"{words} --seed {self.seed}" + (" --scatter" if self.scatter else "")

    def but(self, **changes: Any) -> Choice:
        return replace(self, **changes)

    def query(self, **more: Any) -> str:
        """The address's fields, those first that are not as usual."""
        usual = asdict(Choice())
        given = {name: value for name, value in asdict(self).items() if value != usual[name]}
        for name in ("scatter", "mine"):
            if name in given:
                given[name] = "yes"
        return urlencode(given | {name: value for name, value in more.items() if value not in ("", None)})


def states(ghosts: int, depth: int) -> float:
    """Roughly how many states a search of `depth` rounds has: what minimax visits on our layouts."""
    return float(4 * 1.6**ghosts) ** depth


@lru_cache(maxsize=64)
def maze_of(layout: str) -> Maze:
    return load_maze(layout)


def read_moves(fields: Fields) -> str:
    """A person's moves so far; `move` is one more."""
    moves = fields.text("moves", most=MOST_MOVES) + fields.text("move", most=1)
    if strange := [letter for letter in moves if letter not in LETTERS]:
        raise BadInput(f"moves are written with the letters {', '.join(LETTERS)}, not {strange[0]!r}")
    return moves[:MOST_MOVES]
