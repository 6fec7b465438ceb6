"""`solve_states`: what a position is worth, by value iteration over all states that can be reached from it.

For games with dice, with cycles, of one player or of many: whatever a proof by search cannot do. Values are
bounded from both sides (interval iteration), so that the answer says how far off it can be at most. Where
three or more decide, or utilities do not cancel, it is an equilibrium, with a bound on what anybody could
gain by playing otherwise.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from ...compiled import NO_GAME, Kernel, Workspace
from ...counters import NODES, STOPPED
from ...errors import BadInput, Unsuitable
from ...game import CHANCE, Game
from ...games import as_game
from ...number import is_real
from ...result import AT_LEAST, AT_MOST, EXACT, HEURISTIC, SearchResult
from ...working_clock import working_clock
from ..kernel_runner import run
from .reachable import MEGABYTES, OVER, Reachable, reachable
from .sweeps import (
    AVERAGE,
    ENDED,
    FIXED,
    INFO,
    LARGEST,
    LEAST,
    OPEN,
    PART,
    PARTS,
    SWEEPS,
    VIEWS,
    close_in,
    order_parts,
    take_turns,
)

TOLERANCE = 1e-9
FINER = 1e-4  # of the tolerance, for one part: what parts leave adds up along the way
TURNS = 20_000  # sweeps of one part in search of an equilibrium
ROUNDING = 1e-13  # of the range: more than the additions of one value can be off


@dataclass(frozen=True)
class StatesProgress:
    """How far it is: the states known, and the share of them that is solved (None while they are being listed)."""

    states: int
    share: float | None
    seconds: float


@dataclass(frozen=True)
class StateSolution:
    """The value of a position in `result`, and what it rests on."""

    result: SearchResult
    lower: float
    """The value, for the player to move (player 0 where chance does), is at least this and at most `upper`."""
    upper: float
    states: int
    finished: int
    sweeps: int
    endless: bool
    """Whether the bounds stay apart because a game can go on for ever, which the rules give no worth."""
    decisive: bool
    """Whether every end that can be reached is at one end of the range: won or lost."""
    gain: float | None = None
    """Of an equilibrium: what no player can gain more than by playing otherwise, while the others keep to it."""


Report = Callable[[StatesProgress], None]


def solve_states(
    game: Game | str,
    state: Any = None,
    *,
    tolerance: float = TOLERANCE,
    megabytes: float = MEGABYTES,
    progress: Report | None = None,
    compiled: bool | None = None,
) -> StateSolution:
    """What a position (by default the initial one) is worth, within `tolerance` where that can be had.

    Raises Unsuitable where the states do not fit into so many `megabytes`, or are not all there is to a position.
    """
    if not is_real(tolerance) or not 0 < tolerance < 1:
        raise BadInput(f"tolerance must be a number above 0 and below 1, not {tolerance!r}")
    game = as_game(game)
    if game.hidden:
        raise Unsuitable(
            f"a position of {game.name} has no value to prove, since nobody sees all of it: "
            f"`plywright solve {game.name} --equilibrium` finds mixed strategies and what they are worth"
        )
    if game.repeats:
        raise Unsuitable(
            f"the states of {game.name} are not all there is to a position: repetition counts, which depends on the "
            f"game so far; `plywright best {game.name}` knows the past"
        )
    return _Iteration(game, state, tolerance, megabytes, progress, compiled).solution()


def state_values(
    game: Game,
    state: Any = None,
    *,
    megabytes: float = MEGABYTES,
    up_to_symmetry: bool = False,
    progress: Report | None = None,
    compiled: bool | None = None,
) -> tuple[Reachable, NDArray[np.float64]]:
    """All states that can be reached in a game of two opposed teams without chance, and each one's worth to the first.

    An endless game, or one that repetition ends, counts as neither side's.
    """
    found = _Iteration(game, state, TOLERANCE, megabytes, progress, compiled, up_to_symmetry)
    return found.graph, found.values()


class _Iteration:
    """One position being solved."""

    def __init__(
        self,
        game: Game,
        state: Any,
        tolerance: float,
        megabytes: float,
        progress: Report | None,
        compiled: bool | None,
        folded: bool = False,
    ) -> None:
        self.game, self.tolerance, self.progress, self.compiled = game, tolerance, progress, compiled
        self.state = game.start_state if state is None else game.coerce_state(state)
        if game.is_terminal(self.state):
            raise BadInput(f"the game is over in this position of {game.name}: there is nothing to solve")
        self.began = working_clock()
        self.sweeps = self.nodes = 0
        self.known = 0
        settings: dict[str, Any] = {"megabytes": megabytes, "up_to_symmetry": folded, "compiled": compiled}
        self.graph = reachable(game, self.state, progress=self._listing, **settings)
        self.work = self._workspace(self.graph)
        self.span = max(game.utility_range[1] - game.utility_range[0], 1e-300)
        self._run(order_parts)

    def _listing(self, known: int) -> None:
        if self.progress is not None:
            self.progress(StatesProgress(known, None, working_clock() - self.began))

    def _sweeping(self) -> None:
        if self.progress is not None:
            info, graph = self.work.info, self.graph
            share = float(self.work.part[info[PART]]) / graph.count if info[PARTS] else 0.0
            self.progress(StatesProgress(graph.count, share, working_clock() - self.began))

    def _workspace(self, graph: Reachable) -> Any:
        count = graph.count
        short = {name: np.zeros(count + 1, np.int32) for name in ("number", "lowest", "stack", "frames")}
        return Workspace(
            info=np.zeros(INFO, np.int64),
            stop=np.zeros(1, np.int64),
            first=graph.first,
            target=graph.target,
            label=graph.label,
            mover=graph.mover,
            kind=np.zeros(count, np.int64),
            choice=graph.first[:-1].copy(),
            low=np.zeros(count),
            high=np.zeros(count),
            order=np.zeros(count, np.int32),
            part=np.zeros(count + 1, np.int32),
            ways=np.zeros(count + 1, np.int64),
            value=np.zeros(1 if self._one_number else count * self.game.players),
            **short,
        )

    @property
    def _one_number(self) -> bool:
        """Whether one number says what a state is worth to everybody: two opposed teams, or one."""
        return self.game.opposed or len(set(self.game.team_of)) == 1

    def _run(self, kernel: Kernel, *args: Any) -> Any:
        found, _ = run(kernel, NO_GAME, (*args, self.work), self.work, tick=self._sweeping, compiled=self.compiled)
        self.nodes += int(self.work.info[NODES])
        self.sweeps += int(self.work.info[SWEEPS])
        self.work.info[[NODES, SWEEPS]] = 0
        if self.work.info[STOPPED]:
            raise KeyboardInterrupt
        return found

    def _bounds(self, kinds: NDArray[np.int64], payoff: NDArray[np.float64]) -> tuple[float, float, bool]:
        """The interval of every state's value in `work.low` and `work.high`, and the first state's."""
        work, over = self.work, self.graph.mover == OVER
        work.kind[:] = kinds
        low, high = self.game.utility_range
        work.low[:] = np.where(over, payoff, low)
        work.high[:] = np.where(over, payoff, high)
        work.info[[PART, OPEN]] = 0
        self._run(close_in, self.tolerance * FINER, self.span)
        return float(work.low[0]), float(work.high[0]), bool(work.info[OPEN])

    def _kinds(self, player: int) -> NDArray[np.int64]:
        """What each state's value is made of from the perspective of a player whose opponents are against it."""
        mover, teams = self.graph.mover, np.array(self.game.team_of)
        kinds = np.where(teams[np.maximum(mover, 0)] == teams[player], LARGEST, LEAST)
        return np.where(mover == OVER, ENDED, np.where(mover == CHANCE, AVERAGE, kinds))

    def solution(self) -> StateSolution:
        return self._opposed() if self._one_number else self._equilibrium()

    def values(self) -> NDArray[np.float64]:
        """The value of every state for the first player, of two opposed teams without chance."""
        self._bounds(self._kinds(0), self.graph.payoff[:, 0])
        found: NDArray[np.float64] = np.clip(self.game.neutral_value, self.work.low, self.work.high)
        return found

    # -- two opposed teams, or one -------------------------------------------------------------------------------

    def _opposed(self) -> StateSolution:
        game, graph, work = self.game, self.graph, self.work
        low, high, _ = self._bounds(self._kinds(0), graph.payoff[:, 0])
        endless = high - low > self.tolerance
        lows, highs = work.low, work.high
        if endless and not graph.by_chance:  # exact all the same once an endless game has a worth
            lows = highs = np.clip(game.neutral_value, work.low, work.high)
            low = high = float(lows[0])
        mover = int(graph.mover[0])
        sign = 1.0 if mover < 0 or game.team_of[mover] == game.team_of[0] else -1.0
        ways = range(int(graph.first[0]), int(graph.first[1]))
        actions: dict[int, float] = {}
        if mover >= 0:
            for way in ways:
                place = graph.target[way]
                actions[int(graph.label[way])] = sign * float(lows[place] + highs[place]) / 2 + 0.0
        lower, upper = (low, high) if sign > 0 else (0.0 - high, 0.0 - low)
        value = (low + high) / 2 + 0.0
        values = tuple(value if team == game.team_of[0] else 0.0 - value for team in game.team_of)
        found = self._result(values, actions, lower, upper)
        return StateSolution(found, lower, upper, graph.count, graph.finished, self.sweeps, endless, self._decisive())

    def _decisive(self) -> bool:
        ends = self.graph.payoff[self.graph.mover == OVER, 0]
        return bool(np.isin(ends, self.game.utility_range).all())

    # -- equilibria ----------------------------------------------------------------------------------------------

    def _equilibrium(self) -> StateSolution:
        """Everybody takes what is best for itself, and then a check of what anybody could gain by doing otherwise."""
        game, graph, work = self.game, self.graph, self.work
        over = graph.mover == OVER
        work.kind[:] = self._kinds(0)
        work.value.reshape(graph.count, -1)[over] = graph.payoff[over]
        work.info[PART], work.info[VIEWS] = 0, game.players
        self._run(take_turns, TURNS, self.span)
        fixed = np.where(over, ENDED, np.where(graph.mover == CHANCE, AVERAGE, FIXED))
        team_of = np.array(game.team_of)
        kept, gain, error, actions = [], 0.0, 0.0, dict[int, float]()
        endless = False
        for player in range(game.players):
            low, high, apart = self._bounds(fixed, graph.payoff[:, player])
            own = (graph.mover >= 0) & (team_of[np.maximum(graph.mover, 0)] == team_of[player])
            if player == max(int(graph.mover[0]), 0):
                actions = self._root_actions()
                lower, upper = low, high
            _, best, _ = self._bounds(np.where(own, LARGEST, fixed), graph.payoff[:, player])
            kept.append((low + high) / 2 + 0.0)
            gain, error = max(gain, best - low), max(error, high - low)
            endless = endless or (apart and high - low > self.tolerance)
        gain += ROUNDING * self.span
        found = self._result(tuple(kept), actions, lower, upper)
        return StateSolution(found, lower, upper, graph.count, graph.finished, self.sweeps, endless, False, gain)

    def _root_actions(self) -> dict[int, float]:
        """What each action is worth to the mover where everybody keeps to its choices afterwards."""
        graph, work = self.graph, self.work
        if graph.mover[0] < 0:
            return {}
        found = {}
        for way in range(int(graph.first[0]), int(graph.first[1])):
            place = graph.target[way]
            found[int(graph.label[way])] = float(work.low[place] + work.high[place]) / 2 + 0.0
        return found

    # -- the answer ----------------------------------------------------------------------------------------------

    def _result(self, values: tuple[float, ...], actions: dict[int, float], lower: float, upper: float) -> SearchResult:
        mover = max(int(self.graph.mover[0]), 0)
        width = upper - lower
        exact = width <= self.tolerance
        ends = self.game.utility_range
        bound = EXACT if exact else AT_LEAST if lower > ends[0] else AT_MOST if upper < ends[1] else HEURISTIC
        value = values[mover] if exact else {AT_LEAST: lower, AT_MOST: upper, HEURISTIC: values[mover]}[bound]
        top = max(actions.values(), default=0.0)
        tied = tuple(action for action, worth in actions.items() if top - worth <= self.tolerance)
        best = tied[0] if tied else None  # the first of those that the tolerance does not tell apart
        return SearchResult(
            best,
            value,
            values,
            bound,
            exact,
            None,
            () if best is None else (best,),
            0,
            self.nodes,
            working_clock() - self.began,
            "value-iteration",
            self.graph.compiled,
            tied=tied if len(tied) > 1 else (),
            error=width / 2 + ROUNDING * self.span,
            actions=actions,
        )


__all__ = ["StateSolution", "StatesProgress", "solve_states", "state_values"]
