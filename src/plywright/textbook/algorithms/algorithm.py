"""What every textbook algorithm shares: its front door, and which games it takes."""

from __future__ import annotations

import math
import time
from collections.abc import Callable
from dataclasses import dataclass
from typing import Any, TypedDict

from ...errors import BadInput, GameError, Unsuitable
from ...game import Game
from ...knowledge import knowledge_of
from ...number import is_whole
from ...result import EXACT, HEURISTIC, SearchResult, nothing_known
from ...smoke_test import smoke_test
from ..trace.note import Note, Value
from ..trace.recorder import Recorder
from ..trace.trace import Trace
from .pseudocode import Pseudocode
from .sides import MAX_PLAYER, is_max

DEFAULT_DEPTH = 2
"""How far an algorithm with a depth limit looks ahead unless it is told."""
DEEPEST = 400
"""Plies that the recursion has room for."""

# which games an algorithm takes
OPPOSED, ALONE, SIDES, ANY = "two opposed teams", "one player", "one player or two opposed teams", "any players"


class TextbookOptions(TypedDict, total=False):
    """Options of `textbook.run` and of `Algorithm.run`."""

    depth: int | None
    """Plies to look ahead, for the algorithms that look no further."""
    nodes: int | None
    """For iterative deepening: a round that needs more is given up."""
    trace: bool
    """Whether the result has every step, by default True."""
    all_actions: bool
    """Whether every root move gets its exact value, by a search with a full window each."""
    note: Note | None
    """Is told every step instead of the trace."""
    recorder: type[Recorder]
    """Makes the trace, for limits on its size."""


@dataclass(frozen=True)
class Algorithm:
    """One algorithm as the textbook writes it: `search` is the code, `pseudocode` what it reads like."""

    name: str
    title: str
    about: str
    pseudocode: Pseudocode
    search: Callable[[Game, Any, Any, Note], tuple[Any, int | None]]  # (game, state, depth, note)
    limited: bool  # needs a depth
    budgeted: bool = False  # takes a number of nodes
    takes: str = OPPOSED  # which games
    chance: bool = False  # takes chance nodes
    may_be_limited: bool = False  # takes a depth, and searches to the end without one
    bounded: bool = False  # relies on utility_range
    from_root: bool = False  # MAX is whoever moves at the root, and values are vectors by player
    selfish: bool = False  # every player maximises its own component

    def run(
        self,
        game: Game,
        state: Any = None,
        *,
        depth: int | None = None,
        nodes: int | None = None,
        trace: bool = True,
        all_actions: bool = False,
        note: Note | None = None,
        recorder: type[Recorder] = Recorder,
    ) -> SearchResult:
        """Search from a state (default: the start); the result's `trace` has every step.

        `depth` is for the algorithms that look a limited number of plies ahead, `nodes` for iterative
        deepening: a round that needs more is given up. With `all_actions` every root move gets its
        exact value, by a search with a full window each, and `tied` are the equally good ones. A `note` of
        one's own is told every step instead of the trace; a `recorder` of one's own makes it, for limits on
        its size. Where chance begins, values are player 0's.
        """
        self.check(game, depth, nodes)
        if self.limited and depth is None:
            depth = DEFAULT_DEPTH
        smoke_test(game)
        state = game.start_state if state is None else game.vouched(state)
        began = time.perf_counter()
        if note is None:
            note = self._note(game, state, depth, nodes, recorder if trace else None)
        value, move = self._searched(game, state, depth, note)
        record = note.trace(self.name, self.title, value, move) if isinstance(note, Recorder) else None
        reached = note.finished_depth or (depth if depth is not None else note.deepest)
        limit = reached if self.limited else depth
        below = None if limit is None else limit - 1
        values = self._root_values(game, state, below, note.player) if all_actions else {}
        return _result(game, state, self, value, move, note, record, values, reached, began)

    def _note(
        self, game: Game, state: Any, depth: int | None, nodes: int | None, recorder: type[Recorder] | None
    ) -> Note:
        player = MAX_PLAYER
        if self.from_root and not game.is_terminal(state) and not game.at_chance(state):
            player = int(game.to_move(state))
        if recorder is None:
            return Note(nodes, player)
        options: dict[str, Any] = {"bounds": game.utility_range} if self.bounded else {}
        options |= {"player": player, "by_player": self.from_root, "selfish": self.selfish}
        return recorder(game, state, self.pseudocode, depth=depth, budget=nodes, **options)

    def check(self, game: Game, depth: int | None, nodes: int | None) -> None:
        """Refuse, in one sentence, what this algorithm cannot search."""
        refusal = f"{self.name} cannot search {game.name}:"
        if game.hidden:
            raise Unsuitable(
                f"{refusal} players do not see the whole state; `plywright best {game.name} --moves ...` searches over "
                f"what they may be, `plywright solve {game.name} --equilibrium` finds mixed strategies"
            )
        if game.has_chance and not self.chance:
            needed = "expectimax" if game.players == 1 else "expectiminimax" if game.opposed else "maxn (max^n)"
            raise Unsuitable(f"{refusal} it has chance nodes, which need {needed}")
        if game.has_chance and not game.lists_chance:
            raise Unsuitable(f"{refusal} it must list its outcomes in chance(), not draw them by sample()")
        if self.takes == ALONE and game.players != 1:
            needed = "expectiminimax (or --min-as chance)" if game.opposed else "maxn (max^n)"
            raise Unsuitable(f"{refusal} it has {game.players} players, which need {needed}")
        if not game.opposed and (self.takes == OPPOSED or (self.takes == SIDES and game.players != 1)):
            raise Unsuitable(
                f"{refusal} it needs two teams whose utilities cancel; maxn (max^n) takes any number of players"
            )
        if depth is not None and not self.limited and not self.may_be_limited:
            instead = "h-expectiminimax or star1" if self.chance else "h-minimax or h-alphabeta"
            raise BadInput(f"{self.name} searches to the end of the game; for a depth use {instead}")
        if nodes is not None and not self.budgeted:
            raise BadInput(f"{self.name} cannot stop at a number of nodes; iterative-deepening can")
        for name, given, most in (("depth", depth, DEEPEST), ("nodes", nodes, None)):
            if given is None:
                continue
            if not is_whole(given) or given < 1 or (most and given > most):
                limit = f"from 1 to {most}" if most else "of at least 1"
                raise BadInput(f"{name} must be a whole number {limit}, not {given!r}")

    def _searched(self, game: Game, state: Any, depth: int | None, note: Note) -> tuple[Value, int | None]:
        limit = math.inf if depth is None and self.may_be_limited else depth
        try:
            return self.search(game, state, limit, note)
        except GameError as error:
            raise GameError(f"{game.name}: {error}") from None
        except RecursionError:
            whom = "it" if self.may_be_limited else "h-expectiminimax" if self.chance else "h-minimax or h-alphabeta"
            raise Unsuitable(
                f"{game.name} has lines too long for {self.name}, which calls itself once per ply; "
                f"give a depth to {whom}, or use plywright.search"
            ) from None

    def _root_values(self, game: Game, state: Any, depth: int | None, player: int) -> dict[int, float]:
        """The exact value of every root move for the side to move."""
        if game.is_terminal(state) or game.at_chance(state):
            return {}
        sign = 1.0 if is_max(game, state, player) else -1.0
        found = {}
        for action in game.actions(state):
            value, _ = self._searched(game, game.result(state, action), depth, Note(None, player))
            found[int(action)] = sign * (value[player] if isinstance(value, tuple) else value) + 0.0
        return found


def _result(
    game: Game,
    state: Any,
    algorithm: Algorithm,
    value: Value,
    move: int | None,
    note: Note,
    trace: Trace | None,
    actions: dict[int, float],
    depth: int,
    began: float,
) -> SearchResult:
    """The answer in the form that every search of Plywright gives."""
    proved = note.estimates == 0
    if isinstance(value, tuple):
        values, for_mover = value, value[note.player]
    else:
        team = game.team_of
        values = tuple(value if other == team[0] else 0.0 - value for other in team)
        nobody = game.is_terminal(state) or game.at_chance(state)
        for_mover = value if nobody or is_max(game, state) else 0.0 - value
    line: tuple[int, ...] = () if move is None else (int(move),)
    if trace is not None:
        line = tuple(node.action for node in trace.line)
    tied = tuple(action for action, other in actions.items() if other == for_mover)
    return SearchResult(
        action=None if move is None else int(move),
        value=for_mover,
        values=values,
        bound=EXACT if proved else HEURISTIC,
        proved=proved,
        distance=len(line) if proved and trace is not None and not game.has_chance else None,
        line=line,
        depth=depth,
        nodes=note.nodes,
        seconds=time.perf_counter() - began,
        algorithm=algorithm.name,
        tied=tied or note.ties,
        actions=actions,
        trace=trace,
        note=_ignorance(game, state, for_mover, line, depth) if note.estimates else "",
    )


def _ignorance(game: Game, state: Any, value: float, line: tuple[int, ...], depth: int) -> str:
    """The note that a value says nothing: no evaluation, and a line that ends before the game does."""
    if knowledge_of(game).evaluates or value != game.neutral_value:
        return ""
    for action in line:
        state = game.state_after(state, action)
    return "" if len(line) < depth or game.is_terminal(state) else nothing_known(depth, False)
