"""What every textbook algorithm shares: its front door, and which games it takes."""

from __future__ import annotations

import time
from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

from ..errors import BadInput, GameError, Unsuitable
from ..game import Game
from ..rehearsal import rehearse
from ..result import EXACT, HEURISTIC, SearchResult
from .minimax import Found
from .note import Note
from .pseudocode import Pseudocode
from .recorder import Recorder
from .sides import is_max
from .trace import Trace

DEFAULT_DEPTH = 2
"""How far an algorithm with a depth limit looks ahead unless it is told."""
DEEPEST = 400
"""Plies that the recursion has room for."""


@dataclass(frozen=True)
class Algorithm:
    """One algorithm as the lecture writes it: `search` is the code, `pseudocode` what it reads like."""

    name: str
    title: str
    about: str
    pseudocode: Pseudocode
    search: Callable[[Game, Any, Any, Note], Found]  # (game, state, depth, note)
    limited: bool  # takes a depth
    budgeted: bool = False  # takes a number of nodes

    def run(
        self,
        game: Game,
        state: Any = None,
        *,
        depth: int | None = None,
        nodes: int | None = None,
        trace: bool = True,
        all_actions: bool = False,
    ) -> SearchResult:
        """Search from a state (default: the start); the result's `trace` has every step.

        `depth` is for the algorithms that look a limited number of plies ahead, `nodes` for iterative
        deepening: a round that needs more is given up. With `all_actions` every root move gets its
        exact value, by a search with a full window each, and `tied` are the equally good ones.
        """
        self.check(game, depth, nodes)
        if self.limited and depth is None:
            depth = DEFAULT_DEPTH
        rehearse(game)
        state = game.start_state if state is None else game.coerce_state(state)
        began = time.perf_counter()
        note = Recorder(game, state, self.pseudocode, depth, nodes) if trace else Note(nodes)
        value, move = self._searched(game, state, depth, note)
        record = note.trace(self.name, self.title, value, move) if isinstance(note, Recorder) else None
        reached = note.finished_depth or (depth if depth is not None else note.deepest)
        values = self._root_values(game, state, reached - 1 if self.limited else None) if all_actions else {}
        return _result(game, state, self.name, value, move, note, record, values, reached, began)

    def check(self, game: Game, depth: int | None, nodes: int | None) -> None:
        """Refuse, in one sentence, what this algorithm cannot search."""
        if game.has_chance:
            raise Unsuitable(f"{self.name} cannot search {game.name}: it has chance nodes, which need expectiminimax")
        if game.hidden:
            raise Unsuitable(f"{self.name} cannot search {game.name}: players do not see the whole state; it needs cfr")
        if not game.opposed:
            raise Unsuitable(
                f"{self.name} cannot search {game.name}: it needs two teams whose utilities cancel; "
                f"max^n takes any number of players"
            )
        if depth is not None and not self.limited:
            raise BadInput(f"{self.name} searches to the end of the game; for a depth use h-minimax or h-alphabeta")
        if nodes is not None and not self.budgeted:
            raise BadInput(f"{self.name} cannot stop at a number of nodes; iterative-deepening can")
        for name, given, most in (("depth", depth, DEEPEST), ("nodes", nodes, None)):
            if given is None:
                continue
            if not isinstance(given, int) or isinstance(given, bool) or given < 1 or (most and given > most):
                limit = f"from 1 to {most}" if most else "of at least 1"
                raise BadInput(f"{name} must be a whole number {limit}, not {given!r}")

    def _searched(self, game: Game, state: Any, depth: int | None, note: Note) -> Found:
        try:
            return self.search(game, state, depth, note)
        except GameError as error:
            raise GameError(f"{game.name}: {error}") from None
        except RecursionError:
            raise Unsuitable(
                f"{game.name} has lines too long for {self.name}, which calls itself once a ply; "
                f"give a depth to h-minimax or h-alphabeta, or use plywright.search"
            ) from None

    def _root_values(self, game: Game, state: Any, depth: int | None) -> dict[int, float]:
        """The exact value of every root move for the side to move."""
        if game.is_terminal(state):
            return {}
        sign = 1.0 if is_max(game, state) else -1.0
        found = {}
        for action in game.actions(state):
            value, _ = self._searched(game, game.result(state, action), depth, Note())
            found[int(action)] = sign * value + 0.0
        return found


def _result(
    game: Game,
    state: Any,
    name: str,
    value: float,
    move: int | None,
    note: Note,
    trace: Trace | None,
    values: dict[int, float],
    depth: int,
    began: float,
) -> SearchResult:
    """The answer in the form that every search of Plywright gives."""
    proved = note.estimates == 0
    for_mover = value if game.is_terminal(state) or is_max(game, state) else 0.0 - value
    line: tuple[int, ...] = () if move is None else (int(move),)
    if trace is not None:
        line = tuple(node.action for node in trace.line)
    team = game.team_of
    return SearchResult(
        action=None if move is None else int(move),
        value=for_mover,
        values=tuple(value if other == team[0] else 0.0 - value for other in team),
        bound=EXACT if proved else HEURISTIC,
        proved=proved,
        distance=len(line) if proved and trace is not None else None,
        line=line,
        depth=depth,
        nodes=note.nodes,
        seconds=time.perf_counter() - began,
        algorithm=name,
        tied=tuple(action for action, other in values.items() if other == for_mover),
        actions=values,
        trace=trace,
    )
