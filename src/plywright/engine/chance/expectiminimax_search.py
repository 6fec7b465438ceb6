"""Expectimax and expectiminimax of a position: deeper and deeper, with chance, models of opponents and risk."""

from __future__ import annotations

import math
import time as clock
from collections.abc import Callable, Iterable, Mapping
from dataclasses import replace
from typing import Any

import numpy as np
from numpy.typing import NDArray

from ...compiled import Workspace, available
from ...counters import (
    FAULT,
    NO_UTILITY,
    NODE_LIMIT,
    NODES,
    STOPPED,
    stop_word,
)
from ...errors import BadInput, GameError, PlywrightError
from ...faults import fault_after
from ...game import Game, is_shipped
from ...knowledge import Knowledge, knowledge_of
from ...number import is_real, is_whole
from ...result import SearchResult, unfinished_is_even
from ...rng import scramble, seeded
from ..alphabeta.transposition import memory
from ..kernel_runner import run
from ..limits import Limit
from ..task import Task
from .expectation_tables import (
    CHOICE,
    CUTS,
    HERO,
    HORIZON,
    INFO,
    LEAVES,
    LINE,
    MADE,
    MASK,
    MAX_PLY,
    NOBODY,
    NOTED,
    REPLY,
    REPLY_WIDTH,
    ROOM,
    SAMPLES,
    STAR,
    TOP,
    USED,
    WIDTH,
)
from .expectiminimax import expectiminimax
from .modelled_game import MODELLED, Modelled, value_range, valued
from .opponent_models import Policy

PRUNING = ("none", "star1", "star2")
TABLE_MEGABYTES = 64.0
SMALL_TABLE = 1 << 10  # pairs of entries: enough for two plies
USUAL_DRAWS = 32  # of outcomes that cannot be listed
MOST_DRAWS = 1 << 16
BUFFER = 1 << 17  # actions and outcomes along one line
MOST_POINTS = 1 << 20  # of a tabulated utility function
MOST_CURVES = 8  # tabulated functions that a game keeps
FINE_POINTS = 1 << 11  # between which an evaluation, which may lie anywhere, is interpolated
SLOWEST = 200_000  # nodes per second that compiled rules usually manage at the least; a large network does not
INLINE = 30_000  # nodes that are searched without starting a thread, since they take less time than that
INLINE_SHARE = 0.25  # of the time that is left: nodes searched in vain are searched again in a thread


class Expectation(Task):
    """One position valued by averages: over chance, and over what modelled opponents do."""

    relies = ("key",)

    def __init__(
        self,
        game: Game,
        view: Any,
        limit: Limit,
        *,
        algorithm: str,
        all_actions: bool,
        compiled: bool | None,
        opponents: Mapping[int, Policy] | None = None,
        utility: Callable[[Any], Any] | None = None,
        outcomes: int | None = None,
        width: int | None = None,
        reply_width: int | None = None,
        margin: float | None = None,
        pruning: str = "star2",
        table: float = TABLE_MEGABYTES,
        seed: int = 1,
        knowledge: Knowledge | None = None,
    ) -> None:
        check_options(game, opponents, utility, outcomes, pruning, seed)
        check_filter(width, reply_width, margin)
        super().__init__(game, view, limit, all_actions=all_actions, compiled=compiled, knowledge=knowledge)
        if game.has_chance and not game.rules_end:
            raise GameError(
                f"{game.name} has chance but no is_terminal(), and a chance state has no actions: define is_terminal()"
            )
        check_mover(self.mover, opponents)
        self.algorithm, self.original = algorithm, game
        self.hero = max(self.mover, 0)
        policies = dict(opponents or {})
        self.curve = None if utility is None else tabulate(self.knowledge, utility)
        self.utility = utility
        codes = {player: policy.code for player, policy in policies.items()}
        if None in codes.values() or (utility is not None and self.curve is None):
            self.game = Modelled(
                game, policies, knowledge=self.knowledge, hero=self.hero, utility=utility, mark=MODELLED
            )
            self.compiled, codes, self.curve = False, {}, None
            self.knowledge = knowledge_of(self.game)
        draws = outcomes if outcomes is not None else USUAL_DRAWS if _only_draws(game) else 0
        self.trusted = not self.game.__dict__.get("_checked", not is_shipped(self.game))
        self.small = limit.fixed_depth and (limit.depth or 0) <= 2
        self.given_back = False
        self.work, self.entry = self._take(table)
        prepare_workspace(self.work, self.game, self.hero, draws, seed)
        self.work.info[STAR] = PRUNING.index(pruning)
        if (width, reply_width, margin) != (None, None, None):
            self.work.info[WIDTH] = width or BUFFER
            self.work.info[REPLY_WIDTH] = reply_width or width or BUFFER
            self.work.bounds[5] = math.inf if margin is None else margin
        self.work.info[REPLY] = algorithm == "best-reply"
        self.work.info[CHOICE] = 1  # one opponent may reply freely, also before the hero's first move
        for player, code in codes.items():
            assert code is not None
            self.work.models[2 * player : 2 * player + 2] = code.kind, code.depth
            self.work.rates[2 * player : 2 * player + 2] = code.uniform, code.rationality
        if self.curve is not None:
            self._bend(*self.curve)

    def ignorance(self, value: float, line: tuple[int, ...], depth: int, values: dict[int, float]) -> str:
        """As in Task, and with dice also the note that games unfinished at the depth limit count as even."""
        known = super().ignorance(value, line, depth, values)
        if known or depth == 0 or not self.game.has_chance or self.knowledge.evaluates or self.utility is not None:
            return known
        return unfinished_is_even(depth, self.game.neutral_value)

    def _take(self, table: float) -> tuple[Any, Any]:
        """A workspace, reused if there is one: making a new one takes longer than a short search."""
        self.slots = SMALL_TABLE if self.small else table_slots(table)
        kept = self.game.__dict__.get("_workspaces", {}).get(self.slots)
        if not kept:
            return workspace(self.game, self.slots), None
        work, entry = kept.pop()
        if self.compiled is None and available():
            self.native = entry[1]
            self.start_clock()
            return work, entry
        return work, None

    def close(self) -> None:
        """Keep the workspace for the next search, unless it would take long to clear."""
        fit = self.small or self.work.info[USED] <= NOTED
        if fit and self.compiled is None and self.entry is not None and self.curve is None and not self.given_back:
            self.game.__dict__.setdefault("_workspaces", {}).setdefault(self.slots, []).append((self.work, self.entry))
            self.given_back = True

    def _bend(self, curve: NDArray[np.float64], points: float) -> None:
        """Have the kernel apply a tabulated utility function to amounts, and prune by the range of its values."""
        work = self.work
        known = curve[~np.isnan(curve)]
        self.work = work = _with(work, curve=curve)
        work.bounds[0], work.bounds[1], work.bounds[4] = known.min(), known.max(), points

    # -- depths --------------------------------------------------------------------------------------------------

    def fixed(self, depth: int) -> SearchResult:
        """Up to two plies in one search; else by iterative deepening, since each depth orders the moves of the next."""
        return self.to_depth(depth) if depth <= 2 else self.deepened(depth)

    def to_depth(self, depth: int) -> SearchResult:
        if self.all_actions and self.mover >= 0:
            return self._every_action(depth)
        value, proved = self._run(self.state, depth)
        if self.stopped:
            return self.unfinished()
        line = tuple(int(action) for action in self.work.line[: self.work.length[0]])
        return self._answer(value, line, proved, depth, {}, float(self.work.variance[0]))

    def _every_action(self, depth: int) -> SearchResult:
        """A full window for every root action."""
        values: dict[int, float] = {}
        lines: dict[int, tuple[int, ...]] = {}
        variances: dict[int, float] = {}
        all_proved, self.certain = True, False
        self.work.info[MADE] = 1
        for action in self.actions():
            value, proved = self._run(self.child(action), depth - 1)
            if self.stopped:
                return self.unfinished()
            values[action], variances[action] = value, float(self.work.variance[0])
            lines[action] = (action, *(int(a) for a in self.work.line[: self.work.length[0]]))
            all_proved, self.certain = all_proved and proved, self.certain or proved
        best = max(values, key=lambda action: values[action])
        return self._answer(values[best], lines[best], all_proved, depth, values, variances[best])

    def legal_move(self) -> SearchResult:
        estimate = float(self.knowledge.evaluate(self.state, self.hero))
        return self._answer(estimate, tuple(self.actions()[:1]), False, 0, {}, 0.0)

    def _run(self, state: Any, depth: int) -> tuple[float, bool]:
        """The hero's value of a state, and whether nothing was estimated."""
        work, info = self.work, self.work.info
        info[HORIZON] = info[TOP] = 0
        work.path[:16] = -1
        args = (self.knowledge, state, depth, 0, -math.inf, math.inf, 0, work)
        self.prepare(expectiminimax, args)
        assert self.entry is not None
        limit = np.iinfo(np.int64).max - 1 if self.limit.nodes is None else self.limit.nodes
        start = int(info[NODES])
        if self.native and self.trusted and depth <= 16:
            info[STOPPED], info[NODE_LIMIT] = 0, min(limit, start + self._inline(depth))
            value = self.entry[0](self.game, *args)
            if not info[STOPPED] or info[FAULT] or info[NODES] >= limit:
                return self._finish(value, state)
            info[NODES] = start
            info[HORIZON] = info[TOP] = 0
        info[STOPPED], info[NODE_LIMIT] = 0, limit
        value, _ = run(
            expectiminimax, self.game, args, work, deadline=self.deadline, entry=self.entry, halted=self.is_halted
        )
        return self._finish(value, state)

    def _inline(self, depth: int) -> int:
        """Nodes to search without looking at the clock: the whole first ply, later only what is done quickly."""
        if self.deadline is None or depth <= 1:
            return INLINE
        now = clock.monotonic()
        speed = min(SLOWEST, self.nodes / max(now - self.began, 1e-6))  # by the depths before this one
        return min(INLINE, max(int((self.deadline - now) * speed * INLINE_SHARE), 0))

    def _finish(self, value: float, state: Any) -> tuple[float, bool]:
        info = self.work.info
        self.nodes = int(info[NODES])
        if info[FAULT]:
            raise self._refusal(int(info[FAULT]), state)
        self.stopped = self.stopped or bool(info[STOPPED])
        return float(value) + 0.0, not info[HORIZON]

    # -- answers -------------------------------------------------------------------------------------------------

    @property
    def leaves(self) -> int:
        """Leaves looked at so far: finished games and evaluations."""
        return int(self.work.info[LEAVES])

    @property
    def cuts(self) -> int:
        """Nodes at which something was left out so far."""
        return int(self.work.info[CUTS])

    def _answer(
        self,
        value: float,
        line: tuple[int, ...],
        proved: bool,
        depth: int,
        values: dict[int, float],
        variance: float,
    ) -> SearchResult:
        game = self.original
        mover, self.mover = self.mover, self.hero
        try:
            found = self.report(value, line, proved, depth, values)
        finally:
            self.mover = mover
        if not game.opposed:
            found = replace(found, values=self._views(value, line, depth))
        sampled = bool(self.work.info[SAMPLES])
        return replace(found, distance=None, error=math.sqrt(variance) if sampled else None)

    def _views(self, value: float, line: tuple[int, ...], depth: int) -> tuple[float, ...]:
        """Everybody's value at the end of the line; without a whole line to one end only the hero's team's is known."""
        game, state = self.original, self.state
        team = game.team_of[self.hero]
        if not game.has_chance and self.game is game and self.utility is None and not self.work.models.any():
            for action in line:
                state = game.state_after(state, action)
            over = game.is_terminal(state)
            if over or len(line) == depth > 0:
                rule = game.utility if over else self.knowledge.evaluate
                everybody = tuple(float(rule(state, player)) for player in range(game.players))
                if everybody[self.hero] == value:
                    return everybody
        return tuple(value if other == team else math.nan for other in game.team_of)

    def _refusal(self, fault: int, state: Any) -> PlywrightError:
        """What went wrong in the kernel, as a sentence."""
        if fault == NO_UTILITY and self.utility is not None:
            amount = float(self.work.culprit[0])
            try:
                valued(self.utility, amount)
            except BadInput as error:
                return error
            return BadInput(f"the utility function has no value for {amount:g}")
        return self.fault(fault, state, self.work.path)

    def fault(self, fault: int, state: Any, path: Iterable[int], here: str = "in this position") -> GameError:
        culprit = float(self.work.culprit[0])
        return fault_after(self.original, fault, state, path, here=here, knowledge=self.knowledge, value=culprit)


def workspace(game: Game, slots: int) -> Any:
    """Everything the kernel reads and writes beside its arguments."""
    info = np.zeros(INFO, np.int64)
    info[MASK] = slots - 1
    if game.max_actions >= BUFFER:
        raise BadInput(f"{game.name} has max_actions = {game.max_actions}, more than expectiminimax holds ({BUFFER})")
    return Workspace(
        info=info,
        stop=stop_word(),
        bounds=np.zeros(6),
        models=np.zeros(2 * game.players, np.int64),
        rates=np.zeros(2 * game.players),
        salts=np.array([scramble(i) >> 1 for i in range(game.players + 2)], np.int64),
        table=np.zeros(4 * slots, np.int64),
        intervals=np.zeros(4 * slots),
        actions=np.empty(BUFFER, np.int64),
        weights=np.empty(BUFFER),
        scores=np.empty(BUFFER),
        lows=np.empty(BUFFER),
        highs=np.empty(BUFFER),
        curve=np.zeros(1),
        culprit=np.zeros(1),
        rng=seeded(0),
        seed=np.zeros(1, np.int64),
        line=np.zeros(LINE * LINE, np.int64),
        length=np.zeros(MAX_PLY + 2, np.int64),
        variance=np.zeros(MAX_PLY + 2),
        used=np.zeros(NOTED, np.int64),
        path=np.full(MAX_PLY + 2, -1, np.int64),
    )


def _with(work: Any, **arrays: NDArray[Any]) -> Any:
    """The same workspace with other arrays in some places."""
    return Workspace(**{**dict(work._arrays), **arrays})


def prepare_workspace(work: Any, game: Game, hero: int, draws: int, seed: int) -> None:
    """Make a workspace, new or used, ready for a position."""
    info, mask = work.info, int(work.info[MASK])
    if info[USED] > NOTED:
        work.table[:] = 0
    else:
        slots = 2 * work.used[: info[USED]]
        work.table[slots] = work.table[slots + 1] = 0
    info[:] = 0
    info[HERO], info[SAMPLES], info[MASK], info[ROOM] = hero, draws, mask, BUFFER - 1
    low, high = value_range(game)
    work.bounds[:] = low, high, low, high, 0.0, math.inf
    work.models[:] = NOBODY
    work.seed[0] = seed


def table_slots(megabytes: float) -> int:
    """How many pairs of entries fit: the largest power of two."""
    if not is_real(megabytes) or not megabytes > 0:
        raise BadInput(f"the table's size must be a number of megabytes above 0, not {megabytes!r}")
    available = memory()
    if available is not None and megabytes * 1e6 > 0.9 * available:
        raise BadInput(f"a table of {megabytes:g} MB does not fit: {available / 1e6:.0f} MB of memory are available")
    return 1 << max(int(megabytes * 1e6) // 64, 1).bit_length() - 1


def tabulate(knowledge: Knowledge, utility: Callable[[Any], Any]) -> tuple[NDArray[np.float64], float] | None:
    """The function at every utility there can be, and points per unit; None where there are too many to list.

    NaN stands where the function has no value: only a game that gets there is refused.
    """
    kept: dict[Any, Any] = knowledge.__dict__.setdefault("_curves", {})
    if utility not in kept:
        if len(kept) >= MOST_CURVES:
            kept.clear()
        kept[utility] = _tabulated(knowledge, utility)
    found: tuple[NDArray[np.float64], float] | None = kept[utility]
    return found


def _tabulated(knowledge: Knowledge, utility: Callable[[Any], Any]) -> tuple[NDArray[np.float64], float] | None:
    game = knowledge.game
    low, high = value_range(game)
    if not game.step or not math.isfinite(low) or not math.isfinite(high):
        return None
    steps = round((high - low) / game.step)
    if steps > MOST_POINTS or abs(steps * game.step - (high - low)) > 1e-9 * max(1.0, high - low):
        return None
    fine = max(1, FINE_POINTS // max(steps, 1)) if knowledge.evaluates else 1
    count = steps * fine
    curve = np.full(count + 2, np.nan)
    for index in range(count + 1):
        try:
            curve[index] = float(valued(utility, low + (high - low) * index / max(count, 1)))
        except BadInput:
            continue
    curve[count + 1] = curve[count]
    if np.isnan(curve).all():
        valued(utility, low)  # raises with its own sentence
    return curve, fine / game.step


def check_options(
    game: Game,
    opponents: Mapping[int, Policy] | None,
    utility: Callable[[Any], Any] | None,
    outcomes: int | None,
    pruning: str,
    seed: int,
) -> None:
    """Refuse nonsense in one sentence."""
    if opponents is not None and not isinstance(opponents, Mapping):
        raise BadInput(f"opponents is a dict from players to policies, such as {{1: Uniform()}}, not {opponents!r}")
    for player, policy in (opponents or {}).items():
        if not is_whole(player) or not 0 <= player < game.players:
            raise BadInput(f"opponents: {game.name} has no player {player!r}; players are 0 to {game.players - 1}")
        if not isinstance(policy, Policy):
            raise BadInput(f"opponents: player {player} needs a policy such as Uniform(), not {policy!r}")
    if utility is not None and not callable(utility):
        raise BadInput(f"a utility function is something to call with an amount, not {utility!r}")
    if outcomes is not None and (not is_whole(outcomes) or not 2 <= outcomes <= MOST_DRAWS):
        raise BadInput(f"outcomes must be a whole number from 2 to {MOST_DRAWS}, not {outcomes!r}")
    if pruning not in PRUNING:
        raise BadInput(f"pruning must be {', '.join(PRUNING)}, not {pruning!r}")
    if not is_whole(seed) or not 0 <= seed < 1 << 63:
        raise BadInput(f"seed must be a whole number from 0 to 2**63 - 1, not {seed!r}")


def check_filter(width: int | None, reply_width: int | None, margin: float | None) -> None:
    """Refuse a move filter that makes no sense."""
    for name, given in (("width", width), ("reply_width", reply_width)):
        if given is not None and (not is_whole(given) or not 1 <= given < BUFFER):
            raise BadInput(
                f"{name} is how many actions of a decision are looked at, a whole number from 1, not {given!r}"
            )
    if margin is not None and (not is_real(margin) or not margin >= 0):
        raise BadInput(f"margin is how far behind the best an action may seem, a number from 0, not {margin!r}")


def check_mover(mover: int, opponents: Mapping[int, Policy] | None) -> None:
    """Refuse a policy for the player whose decision is wanted."""
    if mover in (opponents or {}):
        raise BadInput(f"opponents: player {mover} is to move here; a policy can stand for the others only")


def _only_draws(game: Game) -> bool:
    return game.has_chance and not game.lists_chance
