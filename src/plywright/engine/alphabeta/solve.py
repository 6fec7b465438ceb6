"""`solve`: prove what a position is worth, with the engine's own kernel and nothing unproved.

Each question put to the kernel is whether the value is at least so many steps; the answer, a proved
bound, moves one end of the interval towards the other until they meet. What was proved stays in the
table, so that a stopped proof can be gone on with, also in another process (`table_file`).
"""

from __future__ import annotations

import contextlib
import math
import time as clock
from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any

import numpy as np

from ...compiled import interpreted
from ...contracts import check_facts
from ...counters import FAULT, NODE_LIMIT, NODES, STOPPED, TOO_DEEP, stop_word
from ...errors import BadInput, Unsuitable
from ...game import Game
from ...games import as_game, as_knowledge
from ...knowledge import Knowledge
from ...number import is_real
from ...repetition import Past
from ...result import AT_LEAST, AT_MOST, HEURISTIC, SearchResult
from ..examined_hooks import FOR_PROOFS
from ..interrupts import note_interrupt
from ..kernel_runner import Job, run, run_crew
from ..limits import Limit
from ..registry import check_suitable
from ..task import Task, states_before
from .forced_end import forced_end
from .foresight import NODES_AHEAD, foreseen
from .ordering import HISTORY
from .patterns import new_patterns
from .proved_line import Halted, keeping_line
from .pvs import BUSY
from .pvs import pvs as search_kernel
from .pvs_counters import AGE, DISTANCE, MASK, MAX_PLY, MODE, PATTERNS, PROOF, SHARE, STEP, TO_THE_END, WHOLE, WIN
from .pvs_search import DEFERRING, check_threads
from .pvs_workspace import NEVER, whole, workspace
from .table_file import check_place, load_table, save_table
from .transposition import AGES, ENTRY, first_mask, new_table, widened

TABLE_MEGABYTES = 256.0
REPORT_SECONDS = 0.4  # between reports of progress
SAVE_SECONDS = 600.0  # between savings of a table that is being filled
DIRECT_NODES = 60_000  # in about a hundredth of a second
GROWTH = 8  # the nodes of each stage of a proof, and with them its table
NOT_REACHED = -1  # in work.length: no line has reached this ply yet
NO_LIMIT = np.iinfo(np.int64).max


class TooLong(Unsuitable):
    """A game with longer lines than a proof by search can follow, perhaps with cycles."""


@dataclass(frozen=True)
class Progress:
    """How far a proof is: the value, from the perspective of the player to move, lies from `lower` to `upper`."""

    nodes: int
    seconds: float
    lower: float
    upper: float
    depth: int
    """Moves of the longest line looked at."""

    @property
    def nodes_per_second(self) -> float:
        return self.nodes / self.seconds if self.seconds > 0 else 0.0


Report = Callable[[Progress], None]


def solve(
    game: Game | str,
    state: Any = None,
    *,
    table_megabytes: float = TABLE_MEGABYTES,
    table_file: str | Path | None = None,
    progress: Report | None = None,
    guess: float | None = None,
    threads: int = 1,
    compiled: bool | None = None,
    knowledge: Knowledge | str | None = None,
    time: float | None = None,
    history: Sequence[Any] = (),
) -> SearchResult:
    """The proved value of a position (by default the initial one), a best action and a whole line of best play.

    `progress` is told the bounds so far about twice a second and once at the end. Ctrl-C ends the proof, and so
    does a limit of `time`, in seconds: the result is then a bound and not proved. With `table_file` what was
    proved before is read from that file, where there is one, and written back at the end. `collision_odds` says how
    sure a proof is. A `guess` of the value is where the questions begin: a good one saves time. Without one a knowledge
    with a table of multi-ProbCut makes its own.
    Several `threads` work on every question together. `history` is the states of the game before this one, for rules
    of repetition: where it may decide and a proof to the end of the game cannot count it, it is refused.
    """
    game = as_game(game)
    known = as_knowledge(game, knowledge) if isinstance(game, Game) else None
    if known is not None and known.counts_down and not known.counts_in_keys and table_file is None:
        check_provable(game)
        return _by_depth(game, state, known, table_megabytes, threads, compiled, progress, time, history)
    if isinstance(game, Game) and Past(game, states_before(game, history)).drawn_keys():
        raise Unsuitable(
            f"a proof by alpha-beta does not count the game before a position, and repetition may decide in this one "
            f"of {game.name}: proof-number search counts it (`plywright solve {game.name} --algorithm dfpn`, or "
            f"prove_value in Python)"
        )
    settings: dict[str, Any] = {"table_megabytes": table_megabytes, "table_file": table_file, "threads": threads}
    solver = Solver(as_game(game), **settings, compiled=compiled, knowledge=knowledge)
    return solver.solve(state, progress=progress, guess=guess, time=time, history=history)


def _by_depth(
    game: Game,
    state: Any,
    knowledge: Knowledge,
    table_megabytes: float,
    threads: int,
    compiled: bool | None,
    progress: Report | None,
    time: float | None,
    history: Sequence[Any],
) -> SearchResult:
    """A game too long to be followed to its end, whose keys leave its move rule out: forced ends, depth by depth."""
    began = clock.monotonic()
    least, most = game.utility_range

    def tell(depth: int, nodes: int, lower: float = least, upper: float = most) -> None:
        if progress is not None:
            progress(Progress(nodes, clock.monotonic() - began, lower, upper, depth))

    found = forced_end(
        game,
        state,
        table_megabytes=table_megabytes,
        threads=threads,
        compiled=compiled,
        knowledge=knowledge,
        progress=tell,
        time=time,
        history=history,
    )
    bounds = (found.value, found.value) if found.proved else game.utility_range
    tell(found.depth, found.nodes, *bounds)
    return replace(found, algorithm="solve", seconds=clock.monotonic() - began)


def collision_odds(nodes: int, table_megabytes: float = TABLE_MEGABYTES) -> float:
    """An upper bound of the chance that two positions shared a key somewhere in a proof of so many nodes.

    Every node compares its 64 bits with at most every entry of the table, and random keys agree with a
    chance of 2^-64: nodes * entries / 2^64. Keys that no two positions share, such as Connect Four's,
    make it 0 whatever this says.
    """
    return min(1.0, nodes * (table_megabytes * 1e6 / ENTRY) / 2.0**64)


def check_provable(game: Game) -> None:
    """Refuse, in one sentence, a game that no proof by search can solve, and name what can."""
    if isinstance(game, Game):
        check_facts(game)
    if isinstance(game, Game) and not game.hidden and (game.has_chance or not game.opposed or not game.step):
        why = (
            "chance decides in it"
            if game.has_chance
            else "its utilities have no common step"
            if game.opposed
            else "it is not played by two opposed teams"
        )
        raise Unsuitable(
            f"{game.name} cannot be solved by a proof, since {why}: value iteration can "
            f"(`plywright solve {game.name}`, or solve_states in Python)"
        )
    check_suitable(game, "alphabeta")


class Solver:
    """Proves positions of one game, one after the other, with one table: each helps the next."""

    def __init__(
        self,
        game: Game,
        *,
        table_megabytes: float = TABLE_MEGABYTES,
        table_file: str | Path | None = None,
        threads: int = 1,
        compiled: bool | None = None,
        knowledge: Knowledge | str | None = None,
    ) -> None:
        check_threads(threads)
        check_provable(game)
        assert game.step
        if game.repetition_forbids:
            raise Unsuitable(
                f"{game.name} cannot be solved exactly: which repetitions are forbidden depends on the game so far"
            )
        self.game, self.compiled, self.knowledge = game, compiled, as_knowledge(game, knowledge)
        if self.knowledge.counts_down and not self.knowledge.counts_in_keys:  # here wins have no distances
            raise Unsuitable(
                f"a table of {game.name} does not know how many plies a win takes, and a counter may end the game "
                f"before: proof-number search counts it (`plywright solve {game.name} --algorithm dfpn`, or "
                f"prove_value in Python)"
            )
        self.path = None if table_file is None else Path(table_file)
        if self.path is not None:
            if not self.knowledge.lasting_keys:
                raise BadInput(
                    f"a table of {game.name} cannot be saved: its states are of a class whose equality is its own, and "
                    f"have other keys in another process; define key(), or solve without a file"
                )
            check_place(self.path)
        if self.path is not None and self.path.exists():
            self.table = load_table(self.path, self.knowledge)
        else:
            self.table = new_table(table_megabytes)
        # A table that is saved is filled as a whole; another begins small for every position.
        self.first_mask = len(self.table) // 4 - 1 if self.path is not None else first_mask(self.table)
        self.age = 0
        self.function: tuple[Any, bool] | None = None
        shared = self.table, stop_word(), np.zeros(BUSY, np.int64), np.zeros(2 * HISTORY, np.int64)
        covering = self.knowledge.has_patterns and self.path is None  # such entries are not saved
        patterns = new_patterns(table_megabytes) if covering else None
        self.crew = [workspace(self.knowledge, *shared, patterns=patterns) for _ in range(threads)]
        self.work = self.crew[0]
        for work in self.crew:
            info = work.info
            work.units[0] = 1 / game.step
            info[STEP], info[WHOLE], info[DISTANCE], info[MODE], info[TO_THE_END] = 1, whole(1 / game.step), 0, PROOF, 1
            info[WIN] = math.floor(max(abs(bound) for bound in game.utility_range) / game.step + 0.5)

    def solve(
        self,
        state: Any = None,
        *,
        progress: Report | None = None,
        guess: float | None = None,
        time: float | None = None,
        history: Sequence[Any] = (),
    ) -> SearchResult:
        """The proved value of a position, a best action and a whole line; see the function `solve`."""
        proof = Proof(self, state, progress, guess, time, history=history)
        proof.prove(with_line=True)
        if self.path is not None:
            save_table(self.path, self.knowledge, self.table)
        return proof.result()

    def value(self, state: Any = None, guess: float | None = None, time: float | None = None, apart: int = 1) -> float:
        """Only the proved value, for the player to move; Ctrl-C is passed on, and TimeoutError says that time is up.

        `apart` is for positions of which the caller knows that their value is the guess, or so many steps of utility
        above or below it, or twice as many, and so on: then nothing between is asked about.
        """
        proof = Proof(self, state, None, guess, time, apart)
        proof.prove(with_line=False)
        if proof.stopped:
            late = time is not None and clock.monotonic() >= proof.began + time
            raise TimeoutError(f"{self.game.name} was not proved in {time:g} s") if late else KeyboardInterrupt
        return proof.low * (self.game.step or 1) + 0.0


class Proof(Task):
    """One position being proved. All values here are whole steps, from the root mover's perspective."""

    algorithm = "solve"
    relies = FOR_PROOFS

    def __init__(
        self,
        solver: Solver,
        state: Any,
        progress: Report | None,
        guess: float | None = None,
        time: float | None = None,
        apart: int = 1,
        history: Sequence[Any] = (),
    ) -> None:
        game, work = solver.game, solver.work
        limit, known = Limit(time=time), solver.knowledge
        super().__init__(
            game, state, limit, all_actions=False, compiled=solver.compiled, knowledge=known, history=history
        )
        self.before = [*states_before(game, history), self.state]
        self.solver, self.work, self.progress = solver, work, progress
        solver.age = solver.age % (AGES - 1) + 1
        work.stop[0] = 0
        for each in solver.crew:
            info = each.info
            info[NODES], info[AGE], info[NODE_LIMIT], info[MASK] = 0, solver.age, NO_LIMIT, solver.first_mask
            each.killers[:] = -1
            each.history[:] = 0
            each.length[:] = NOT_REACHED
        step = game.step or 1
        self.low, self.high = (math.floor(bound / step + 0.5) for bound in game.utility_range)
        self.widest = self.low, self.high
        if guess is not None and (not is_real(guess) or not math.isfinite(guess)):
            raise BadInput(f"guess must be a finite number, not {guess!r}")
        self.looks_ahead = guess is None and apart == 1 and self.knowledge.has_probcut and solver.path is None
        self.guess, self.apart = math.floor((guess or 0) / step + 0.5), apart
        self.low += (self.guess - self.low) % apart
        self.high -= (self.high - self.guess) % apart
        self.line: tuple[int, ...] = ()
        self.reported = self.saved = self.began

    def prove(self, *, with_line: bool) -> None:
        """Prove the value, and find the line where it is wanted; `stopped` says that Ctrl-C or the limit came first."""
        function, native = self._compiled()

        def whole_proof(game: Game) -> None:
            self._prove_by_stages(function)
            if with_line and not self.stopped and not game.repeats:
                self._walk(function)

        if native:  # a short proof takes less time than starting a thread
            self._prove(function, DIRECT_NODES)
            if self.looks_ahead and not self.stopped and self.low < self.high:
                self._look_ahead(function)
        if len(self.solver.crew) > 1 and not self.stopped:
            try:
                self._prove_by_stages(self._together)
            except KeyboardInterrupt:  # between two questions
                self.stopped = True
        if not self.stopped and (with_line or self.low < self.high):
            run(Job(whole_proof, native), self.game, (), self.work, deadline=self.deadline, tick=self._tick)
        if self.game.repeats and with_line and not self.stopped and not self.work.info[FAULT]:
            self._first_move()
        self.nodes = self._nodes()
        if self.work.info[FAULT] == TOO_DEEP:
            raise TooLong(f"{self.game.name} cannot be solved by search: it has lines of more than {MAX_PLY - 2} moves")
        if self.work.info[FAULT]:
            raise self.fault(int(self.work.info[FAULT]), self.state, self.work.path)
        if self.progress is not None:
            self.progress(self._progress())

    def _compiled(self) -> tuple[Any, bool]:
        """The kernel to call, and whether it is native; found once for all positions of the solver."""
        if self.solver.function is None:
            with interpreted() if self.compiled is False else contextlib.nullcontext():
                self.solver.function = search_kernel.entry(self.game, *self._question(self.state, self.mover, 0))
            self.began = clock.monotonic()
        self.native = self.solver.function[1]
        self.deadline = None if self.limit.time is None else self.began + self.limit.time
        return self.solver.function

    def _question(self, state: Any, player: int, beta: int) -> tuple[Any, ...]:
        """The kernel's arguments for: is this state worth `beta` or more to the player?"""
        return self.knowledge, state, player, MAX_PLY - 1, 0, beta - 1, beta, self.work

    def _ask(self, function: Any, state: Any, player: int, beta: int) -> int:
        """A proved bound on the state's value for the player, on beta's side or below it; sets `stopped`."""
        info = self.work.info
        info[STOPPED] = 0
        value = int(function(self.game, *self._question(state, player, beta)))
        if info[STOPPED] and (info[FAULT] or self.work.stop[0] or info[NODE_LIMIT] == NO_LIMIT):
            self.stopped = True
        return value

    def _together(self, game: Game, *question: Any) -> int:
        """The answer of whichever thread of the crew is first."""
        crew, info = self.solver.crew, self.work.info
        for work in crew:
            for word in (STOPPED, NODE_LIMIT, MASK):
                work.info[word] = info[word]
            work.info[SHARE] = MAX_PLY - 1 - DEFERRING
        calls = [(*question[:-1], work) for work in crew]
        entry, deadline = self.solver.function, self.deadline
        value, first = run_crew(search_kernel, game, calls, crew, deadline=deadline, tick=self._tick, entry=entry)
        for word in (STOPPED, FAULT):
            info[word] = crew[first].info[word]
        info[SHARE] = NEVER
        self.work.path[:] = crew[first].path
        return int(value)

    def _prove_by_stages(self, function: Any) -> None:
        """The proof in a table that grows with it: what has been found is kept from one size to the next."""
        info, table = self.work.info, self.solver.table
        nodes = DIRECT_NODES
        if info[PATTERNS] != 0:  # the pattern table has its full size from the start
            self._prove(function, NO_LIMIT)
        while not self.stopped and self.low < self.high:
            info[MASK] = widened(table, int(info[MASK]), nodes, lambda: bool(self.work.stop[0]))
            largest = 4 * (int(info[MASK]) + 1) == len(table)
            nodes *= GROWTH
            self._prove(function, NO_LIMIT if largest else nodes)

    def _prove(self, function: Any, nodes: int) -> None:
        """Null windows at the last bound found (MTD(f), Plaat et al. 1996) until both meet or `nodes` are spent."""
        info = self.work.info
        info[NODE_LIMIT] = nodes
        guess = min(max(self.guess, self.low), self.high)
        while self.low < self.high:
            beta = guess + self.apart if guess == self.low else guess
            value = self._ask(function, self.state, self.mover, beta)
            if info[STOPPED]:
                break
            if value < beta:
                self.high = guess = max(value - (value - guess) % self.apart, self.low)
            else:
                self.low = guess = min(value + (guess - value) % self.apart, self.high)
            self._save_now_and_then()
        self.guess = guess
        info[NODE_LIMIT] = NO_LIMIT

    def _look_ahead(self, function: Any) -> None:
        """Guess the value, and have good moves in the table before the proof."""
        info, most = self.work.info, max(map(abs, self.widest))
        info[MASK] = widened(self.solver.table, int(info[MASK]), NODES_AHEAD, lambda: False)
        question = function, self.game, self.knowledge, self.state, self.mover
        self.guess = foreseen(*question, self.work, self.guess, most)
        info[NODE_LIMIT] = NO_LIMIT
        self.stopped = bool(info[FAULT] or self.work.stop[0])

    def _walk(self, function: Any) -> None:
        """A line on which every move keeps the value: mostly looked up in the table that the proof has filled."""
        info = self.work.info

        def ask(state: Any, player: int, value: int, nodes: int) -> int | None:
            info[NODE_LIMIT] = info[NODES] + nodes
            found = self._ask(function, state, player, value)
            info[NODE_LIMIT] = NO_LIMIT
            if self.stopped:
                raise Halted
            return None if info[STOPPED] else found

        with contextlib.suppress(Halted):
            for action in keeping_line(self.game, self.state, self.mover, self.low, ask):
                self.line += (action,)

    def _first_move(self) -> None:
        """A move that keeps the value, where it may not come back to this position: what follows is another question.

        The proof's own table knows what a position is worth by itself. That a move there leads back here, and the move
        to be played is another, it does not say; proof-number search counts the game before a position.
        """
        from ..proof.dfpn_search import prove  # which asks by the table and limits of this package

        past, least, open_ones = Past(self.game, self.before), self.low * (self.game.step or 1), list[int]()
        try:
            for action in self.actions():
                child = self.child(action)
                keeps: bool | None
                if past.is_over(child):
                    keeps = past.utility(child, self.mover) >= least - 1e-9
                else:
                    left = None if self.deadline is None else max(self.deadline - clock.monotonic(), 1e-3)
                    how: dict[str, Any] = {"history": self.before, "time": left, "compiled": self.compiled}
                    how |= {"knowledge": self.knowledge, "keep": False}
                    keeps = prove(self.game, child, player=self.mover, target=least, **how).verdict
                if keeps:
                    open_ones = [action]
                    break
                if keeps is None:
                    open_ones.append(action)
        except KeyboardInterrupt:
            open_ones = []
            note_interrupt()
        self.line = tuple(open_ones) if len(open_ones) == 1 else ()  # of several that are open none is known to keep it

    def _tick(self) -> None:
        if self.progress is not None and clock.monotonic() - self.reported >= REPORT_SECONDS:
            self.reported = clock.monotonic()
            self.progress(self._progress())

    def _progress(self) -> Progress:
        step = self.game.step or 1
        deepest = max(int(np.flatnonzero(work.length != NOT_REACHED)[-1:].sum()) for work in self.solver.crew)
        seconds = clock.monotonic() - self.began
        return Progress(self._nodes(), seconds, self.low * step + 0.0, self.high * step + 0.0, deepest)

    def _nodes(self) -> int:
        return sum(int(work.info[NODES]) for work in self.solver.crew)

    def _save_now_and_then(self) -> None:
        path = self.solver.path
        if path is not None and clock.monotonic() - self.saved > SAVE_SECONDS:
            save_table(path, self.knowledge, self.solver.table)
            self.saved = clock.monotonic()

    def result(self) -> SearchResult:
        """The proof as an answer; of an unfinished one the bound that is known."""
        step = self.game.step or 1
        proved = self.low == self.high
        if proved:
            found = self.report(self.low * step + 0.0, self.line, True, len(self.line), {})
            return replace(found, distance=None) if self.game.repeats else found  # one move is no way to the end
        bound = AT_LEAST if self.low > self.widest[0] else AT_MOST if self.high < self.widest[1] else HEURISTIC
        value = {AT_LEAST: self.low, AT_MOST: self.high, HEURISTIC: 0}[bound]
        return replace(self.report(value * step + 0.0, (self.actions()[0],), False, 0, {}), bound=bound)
