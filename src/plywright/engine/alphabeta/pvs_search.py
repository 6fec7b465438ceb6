"""The engine's search of one position: iterative deepening, transposition table, aspiration windows, threads."""

from __future__ import annotations

import contextlib
import time as clock
from collections.abc import Iterator, Sequence
from dataclasses import replace
from operator import itemgetter
from statistics import median_low
from typing import Any

import numpy as np
from numpy.typing import NDArray

from ...counters import FAULT, NODE_LIMIT, NODES, STOPPED, stop_word
from ...errors import BadInput, shown
from ...game import Game
from ...knowledge import Knowledge
from ...number import is_whole
from ...result import EXACT, SearchResult, Variation
from ...rng import below, seeded
from ...table_blocks import UNKNOWN
from ..examined_hooks import FOR_PROOFS
from ..kernel_runner import Job, run, run_crew
from ..limits import MARGIN, Limit
from ..task import Task
from .ordering import HISTORY
from .probcut import CONFIDENCES, check_confidence
from .proved_line import Halted, keeping_line
from .pvs import BUSY, pvs
from .pvs_counters import (
    AGE,
    DEEPEST_PLY,
    DISTANCE,
    ESTIMATES,
    EXACT_DEPTH,
    HORIZON,
    INFINITY,
    LEFT_OUT,
    MASK,
    MAX_PLY,
    MODE,
    NULL_PLY,
    PATH,
    PROOF,
    REPEATED,
    ROOT_AGAIN,
    ROOT_DEPTH,
    SELECTIVE,
    SHARE,
    STEP,
    TABLE_HITS,
    WIN_BONUS,
)
from .pvs_workspace import NEVER, NO_LIMIT, remind, workspace
from .repetition import NOWHERE
from .sureness import Sureness
from .table_line import SEARCH_AND_TABLE, TABLE, table_line, table_number
from .transposition import AGES, first_mask, forget_proofs, in_use, keep_for_next, new_table, widened

TABLE_MEGABYTES = 64.0
ASPIRATION_DEPTH = 4  # from here on a window around the last value is tried first
MOST_THREADS = 256
SHARED_DEPTH = 5  # below it starting threads costs more than they save
PROOF_SHARE = 4  # a proof of a game with repetition may take so many times the nodes of the search before it
LEAST_PROOF = 100_000  # or this many
LONGEST_WALK = 1_000_000  # nodes for the rest of a proved line
ROOM = 2  # entries for each node so far when the table grows
LINES = 8  # of random moves, to see how far away the end of the game is
DEFERRING = 6  # within so many plies of the root actions wait for one another


def _left_out(choices: Sequence[int], only: Sequence[int] | None) -> list[int]:
    """The actions that are not asked for; raises BadInput where none that can be played is."""
    if only is None:
        return []
    if not isinstance(only, (list, tuple, set, frozenset, range)) or not all(map(is_whole, only)):
        raise BadInput(f"only takes a list of actions, which are whole numbers, not {shown(only)}")
    if not any(action in choices for action in only):
        named = ", ".join(map(str, only)) or "none"
        raise BadInput(f"none of the actions that are asked for can be played here (only: {named})")
    return [action for action in choices if action not in only]


def check_lines(lines: Any) -> int:
    if not is_whole(lines) or lines < 1:
        raise BadInput(f"lines must be a whole number of at least 1, not {lines!r}")
    return lines


def check_threads(threads: Any) -> None:
    if not is_whole(threads) or not 1 <= threads <= MOST_THREADS:
        raise BadInput(f"threads must be a whole number from 1 to {MOST_THREADS}, not {threads!r}")


class EngineSearch(Task):
    """Principal-variation search of one position, from depth 1 upwards."""

    algorithm = "pvs"
    relies = FOR_PROOFS
    hands_on = True

    def __init__(
        self,
        game: Game,
        view: Any,
        limit: Limit,
        *,
        all_actions: bool,
        compiled: bool | None,
        exact: bool | None = None,
        table: float = TABLE_MEGABYTES,
        threads: int = 1,
        knowledge: Knowledge | None = None,
        history: Sequence[Any] = (),
        only: Sequence[int] | None = None,
        lines: int = 1,
        confidence: float = CONFIDENCES[0],
        after: Task | None = None,
    ) -> None:
        check_threads(threads)
        super().__init__(
            game, view, limit, all_actions=all_actions, compiled=compiled, knowledge=knowledge, history=history
        )
        self.exact = (limit.fixed_depth if exact is None else exact) or all_actions
        self.megabytes = table
        kept = after.hand_on(self) if isinstance(after, EngineSearch) else None
        words, mask, age = kept or (new_table(table), None, 1)
        shared = words, stop_word(), np.zeros(BUSY, np.int64), np.zeros(2 * HISTORY, np.int64)
        self.choices = self.actions()
        self.not_asked = _left_out(self.choices, only)
        self.ranks = check_lines(lines) > 1  # even where there is only one action
        if self.ranks and all_actions:
            raise BadInput("all_actions values every action, and lines follows the best ones: ask for one of both")
        self.lines = min(lines, len(self.choices) - len(self.not_asked))
        self.found: list[tuple[int, ...]] = []
        self.guesses: dict[int, int] = {}
        self.settled: SearchResult | None = None  # the answer, once only the lines beside it are searched on
        if all_actions:
            self.past.add(self.state)  # each action is searched from the state that it leads to
        self.crew = [workspace(self.knowledge, *shared, self.past.counts) for _ in range(threads)]
        for number, work in enumerate(self.crew):
            work.info[AGE] = age
            work.info[MASK] = first_mask(words) if mask is None else mask
            if kept and self.knowledge.has_slot and isinstance(after, EngineSearch) and number < len(after.crew):
                remind(work, after.crew[number])
        self.work = self.crew[0]
        self.whole_table = True  # no entries lie outside the part of the table in use
        self.walked = False  # some entries were written without distances
        self.value = 0
        self.searched = 0  # the depth that `value` comes from
        self.ahead: tuple[int, ...] = ()  # the line with which the current depth failed high, if it did
        sure, guesses = check_confidence(confidence), self.knowledge.has_probcut and not self.exact
        sure = sure if guesses else 1.0
        whole = self.lines == 1 and not self.not_asked  # who wins is asked of the whole position
        self.sureness = Sureness(self.crew, sure, limit.depth, whole, self._is_usual_end)

    def hand_on(self, successor: EngineSearch) -> tuple[NDArray[np.int64], int, int] | None:
        """The table with its mask and next age, for a later search that may rely on it; it can be taken once.

        An exact search gets none: its values are those of its depth, whatever was searched before. Where repetition
        decides, what was proved of the game so far need not hold after more of it, and stays as an estimate.
        """
        same = successor.knowledge is self.knowledge and successor.megabytes == self.megabytes
        if not same or successor.exact or self.walked or not self.whole_table:
            return None
        self.whole_table, self.ended = False, True
        table, mask = self.work.table, int(self.work.info[MASK])
        if self.game.repeats:
            forget_proofs(table, mask)
        return table, mask, int(self.work.info[AGE]) % (AGES - 1) + 1

    def close(self) -> None:
        if self.whole_table:
            self.whole_table = False
            keep_for_next(self.work.table, int(self.work.info[MASK]))

    def fixed(self, depth: int) -> SearchResult:
        """Deepen to this depth: every step makes the next one cheaper. The steps before a proof need not be exact."""
        late = self._plies_to_late(depth) if self.exact and not self.all_actions else None
        if late is None:
            return self.deepened(depth)
        self.exact = False
        found = self.deepened(late)
        self.exact = True
        if not found.proved and not self.stopped:
            whole_game = self.to_depth(MAX_PLY - 1)
            if not whole_game.proved and not self.stopped:
                return self.deepened(depth)  # more plies than a search can look ahead
            found = found if self.stopped else whole_game
        return replace(found, depth=depth) if found.proved else found

    def _plies_to_late(self, depth: int) -> int | None:
        """After how many plies the game's own `finish` takes over, if some lines show that it does within `depth`.

        The whole game is then hardly more work than that depth, and its value better than any estimate.
        """
        if not self.knowledge.has_is_late:
            return None
        longest = max(self._lengths(depth))
        return longest if longest < depth else None

    def _is_usual_end(self, depth: int) -> bool:
        """Whether half of some random games are over after so many plies, or are late."""
        return median_low(self._lengths(depth + 1)) <= depth

    def _lengths(self, most: int) -> Iterator[int]:
        """The plies of random games from here to their end, or to where it is late; longer ones are broken off."""
        game, rng = self.game, seeded(0)
        for _ in range(LINES):
            state, ply = self.state, 0
            while ply < most and not game.is_terminal(state):
                if self.knowledge.has_is_late and self.knowledge.is_late(state):
                    break
                actions = list(game.actions(state))
                state = game.state_after(state, actions[below(rng, len(actions))])
                ply += 1
            yield ply

    def start_clock(self) -> None:
        """Start the clock; the first depth may use up the margin of clocks, for without it nothing is known at all."""
        super().start_clock()
        if self.deadline is not None:
            self.deadline = max(self.deadline, self.began + MARGIN)

    def to_depth(self, depth: int) -> SearchResult:
        depth = min(depth, MAX_PLY - 1)
        if depth > 1 and self.limit.time is not None:
            self.deadline = self.began + self.limit.time
        if self.all_actions:
            return self._every_action(depth)
        if self.settled is not None:
            seconds = clock.monotonic() - self.began
            return self._ranked(replace(self.settled, depth=depth, nodes=self.nodes, seconds=seconds), depth)
        self._leave_out(self.not_asked)
        self.sureness.begin(depth)
        if self.sureness.asks_outcome:
            return self.sureness.outcome(lambda bar: self._is_above(bar, depth), self._line)
        self.ahead = ()
        value, proved = self._aspire(self.state, depth, self.value if self.searched else None)
        line = self._line()
        if not line and self.not_asked and not self.stopped:  # none of those asked for is a candidate of the knowledge
            value, line, proved = max(
                self._one_by_one(depth, self.not_asked), key=itemgetter(0), default=(value, line, False)
            )
        if self.stopped:
            return self.unfinished()
        self.value, self.searched = value, depth
        utility, distance = self.surface(value)
        if proved and not self.not_asked:
            line = self._whole_line(self.state, line, utility)
        proved = proved and not self.not_asked
        found = replace(
            self.report(utility, line, proved, depth, {}, distance),
            selective_depth=int(self.work.info[DEEPEST_PLY]),
            hash_full=in_use(self.work.table, int(self.work.info[MASK])),
        )
        found = self.sureness.told(found, depth, self.work.info)
        return self._ranked(found, depth) if self.ranks else found

    def is_settled(self, found: SearchResult) -> bool:
        return found.proved and all(line.proved for line in found.variations)

    def _ranked(self, found: SearchResult, depth: int) -> SearchResult:
        """The answer with as many lines as are asked for, the best first; once it is proved, it is not searched again.

        A selective search may value a later line higher than the first: then that one is the answer, unless the first
        is proved, which none can be better than.
        """
        self.settled = found if found.proved else None
        first = Variation(found.value, found.distance, found.line, found.proved)
        units = {first: self.value}
        for value, line, proved in self._other_lines(depth, found.line[0]):
            most = min(value, self.value) if found.proved else value
            units[Variation(*self.surface(most), line, proved)] = most
        ranked = [first, *sorted([*units][1:], key=units.__getitem__, reverse=True)]
        if not found.proved:
            ranked.sort(key=units.__getitem__, reverse=True)
        best = ranked[0]
        found = replace(found, variations=tuple(ranked))
        if best == first:
            return found
        self.value = units[best]
        team = self.game.team_of[self.mover]
        values = tuple(best.value if other == team else 0.0 - best.value for other in self.game.team_of)
        return replace(
            found, action=best.line[0], value=best.value, values=values, distance=best.distance, line=best.line
        )

    def _other_lines(self, depth: int, best: int) -> Iterator[tuple[int, tuple[int, ...], bool]]:
        """The next best actions: their values in units, their lines, if that is proved; each without those before."""
        taken = [*self.not_asked, best]
        for number in range(1, self.lines):
            self._leave_out(taken)
            value, proved = self._aspire(self.state, depth, self.guesses.get(number))
            line = self._line()
            if not line and not self.stopped:  # the game's knowledge names no more candidates
                others = sorted(self._one_by_one(depth, taken), key=itemgetter(0), reverse=True)
                yield from others[: self.lines - number]
            if self.stopped or not line:
                return
            self.guesses[number] = value
            taken.append(line[0])
            # Back at the root a better action than this line's could be played, where it is not drawn by then.
            again = self.game.repetition_draws > 2 and self.work.info[ROOT_AGAIN]
            yield value, line, proved and not again

    def _one_by_one(self, depth: int, taken: Sequence[int]) -> Iterator[tuple[int, tuple[int, ...], bool]]:
        """The same of every action but those that are taken, each searched by itself."""
        self._leave_out(())
        for action in self.choices:
            child = self.child(action)
            if action in taken or self.stopped:
                continue
            if not self.game.is_terminal(child) and self.past.is_drawn(child):
                yield 0, (action,), True
                continue
            value, proved = self._aspire(child, depth - 1, None)
            if self.surface(value)[1] is not None:  # a win or loss is a ply further away than from the child
                value -= 1 if value > 0 else -1
            if not self.stopped:
                # The root is no part of the line that was searched: going back to it was not seen as a repetition.
                yield value, (action, *self._line()), proved and not self.game.repeats

    def _leave_out(self, actions: Sequence[int]) -> None:
        """Leave these actions out at the root."""
        for work in self.crew:
            work.left_out[: len(actions)] = actions
            work.info[LEFT_OUT] = len(actions)

    def improved(self, last: SearchResult) -> SearchResult | None:
        """What an unfinished depth has shown already: a line that was searched to its end and beats the last.

        A run that did not begin with the best action so far has nothing to say of it: its first line may be worse.
        """
        to_beat = (self.ahead or last.line)[:1]
        line = self._line() if to_beat == (int(self.work.actions[0]),) else ()
        line = line or self.ahead
        if self.exact or self.all_actions or self.lines > 1 or not line or line[0] == last.action:
            return None
        return replace(last, action=line[0], line=line)

    def _every_action(self, depth: int) -> SearchResult:
        """A full window for every root action: exact values, never bounds shown as values."""
        values: dict[int, float] = {}
        inner: dict[int, int] = {}
        lines: dict[int, tuple[int, ...]] = {}
        all_proved, self.certain = True, False
        for action in self.choices:
            if action in self.not_asked:
                continue
            child = self.child(action)
            if not self.game.is_terminal(child) and self.past.is_drawn(child):
                inner[action], values[action], lines[action], self.certain = 0, 0.0, (action,), True
                continue
            value, proved = self._aspire(child, depth - 1, None)
            if self.stopped:
                return self.unfinished()
            inner[action], values[action] = value, self.surface(value)[0]
            lines[action] = (action, *self._line())
            all_proved, self.certain = all_proved and proved, self.certain or proved
        best = max(inner, key=lambda action: inner[action])
        distance = self.surface(inner[best])[1]
        plies = None if distance is None else distance + 1
        line = lines[best]
        if all_proved and not self.game.is_terminal(self.child(best)):
            line = (best, *self._whole_line(self.child(best), line[1:], values[best]))
        return self.report(values[best], line, all_proved and not self.not_asked, depth, values, plies)

    def _aspire(self, state: Any, depth: int, guess: int | None) -> tuple[int, bool]:
        """The value of a depth, by a window around the guess that is widened where it misses; and if it is proved."""
        low, high = -INFINITY, INFINITY
        width, growth = max(int(self.work.info[STEP]) // 2, 16), 4
        if self.knowledge.has_margin and not self.exact:
            width, growth = max(int(self.knowledge.margin(1) * self.knowledge.units) // 4, 16), 2
        if guess is not None and depth >= ASPIRATION_DEPTH:
            low, high = guess - width, guess + width
        while True:
            value, proved = self._once(state, depth, low, high)
            if self.stopped or (low < value < high):
                return value, proved
            self.ahead = self._line() if value >= high else ()
            width *= growth
            low = low if value > low else value - width
            high = high if value < high else value + width
            if width > INFINITY // 64:
                low, high = -INFINITY, INFINITY

    def _once(self, state: Any, depth: int, low: int, high: int) -> tuple[int, bool]:
        """One run of the kernel; where only selectivity stands between it and a proof, another without it."""
        value = self._run(state, depth, low, high, EXACT_DEPTH if self.exact else SELECTIVE)
        info = self.work.info
        if info[HORIZON] and not info[ESTIMATES] and not self.stopped and self.sureness.proves:
            # Where values depend on the line that led to them the table helps a proof little: it gets so much, no more.
            most = max(PROOF_SHARE * self.nodes, LEAST_PROOF) if self.game.repeats else None
            line = self._line()
            better = self._run(state, depth, low, high, PROOF, most)
            if self.work.info[STOPPED] and not self.stopped:
                self.work.line[: len(line)], self.work.length[0] = line, len(line)
                return value, False
            value = better
        return value, not self.work.info[HORIZON]

    def _is_above(self, bar: int, depth: int) -> bool | None:
        """Whether the position is proved to be worth more than so many units; None where that remains open.

        A limit may come first, or a line may be longer than the depth and end in an estimate.
        """
        value = self._run(self.state, depth, bar, bar + 1, PROOF)
        return None if self.stopped or self.work.info[HORIZON] else value > bar

    def _run(self, state: Any, depth: int, low: int, high: int, mode: int, most: int | None = None) -> int:
        """Run the kernel, by several threads where it pays; `work` is then the one that finished first.

        It gives up after `most` nodes, if given: info[STOPPED] then says so, and `stopped` does not.
        """
        calls = []
        crew = self.crew if depth >= SHARED_DEPTH else self.crew[:1]
        mask = int(self.work.info[MASK])
        if self.nodes > mask:  # the next depth takes several times as long as all depths before it
            mask = widened(self.work.table, mask, ROOM * self.nodes, self._out_of_time)
            self.whole_table = self.whole_table and not self._out_of_time()
        for work in crew:
            info = work.info
            info[MODE], info[HORIZON], info[ESTIMATES], info[STOPPED], info[ROOT_AGAIN] = mode, 0, 0, 0, 0
            info[SHARE] = max(depth - DEFERRING, 2) if len(crew) > 1 else NEVER
            info[NODE_LIMIT] = self.limit.nodes or NO_LIMIT
            if most is not None:
                info[NODE_LIMIT] = min(info[NODE_LIMIT], info[NODES] + most)
            info[MASK], info[PATH], info[NULL_PLY], info[ROOT_DEPTH] = mask, NOWHERE, -1, depth
            work.path[:] = -1
            calls.append((self.knowledge, state, self.mover, depth, 0, low, high, work))
        self.prepare(pvs, calls[0])
        value, winner = run_crew(
            pvs, self.game, calls, crew, deadline=self.deadline, entry=self.entry, halted=self.is_halted
        )
        self.work = crew[winner]
        self.nodes = sum(int(work.info[NODES]) for work in self.crew)
        info = self.work.info
        if info[FAULT]:
            raise self.fault(int(info[FAULT]), state, self.work.path)
        given_up = most is not None and not self.work.stop[0] and info[NODES] < (self.limit.nodes or NO_LIMIT)
        self.stopped = self.stopped or (bool(info[STOPPED]) and not given_up)
        return int(value)

    def _out_of_time(self) -> bool:
        return self.deadline is not None and clock.monotonic() >= self.deadline

    def _whole_line(self, state: Any, line: tuple[int, ...], value: float) -> tuple[int, ...]:
        """A proved line to the end of the game, where the proof has cut it short and time and nodes allow."""
        game, info = self.game, self.work.info
        for action in line:
            state = game.state_after(state, action)
        if self.knowledge.has_table and (rest := table_line(self.knowledge, state, MAX_PLY - len(line))):
            return (*line, *rest)
        if game.is_terminal(state) or game.repeats or self.entry is None:
            return line
        function, native = self.entry
        last = min(self.limit.nodes or NO_LIMIT, int(info[NODES]) + LONGEST_WALK)
        distance, info[DISTANCE], info[MODE], info[SHARE] = int(info[DISTANCE]), 0, PROOF, NEVER
        found, self.walked = list(line), True

        def ask(place: Any, player: int, wanted: int, nodes: int) -> int | None:
            info[HORIZON] = info[STOPPED] = 0
            info[NODE_LIMIT] = min(last, int(info[NODES]) + nodes)
            bound = int(function(game, self.knowledge, place, player, MAX_PLY - 1, 0, wanted - 1, wanted, self.work))
            if self.work.stop[0] or info[FAULT] or info[NODES] >= last or (info[HORIZON] and not info[STOPPED]):
                raise Halted
            return None if info[STOPPED] else bound

        def walk(_: Game) -> None:
            with contextlib.suppress(Halted):
                found.extend(keeping_line(game, state, self.mover, round(value * self.knowledge.units), ask))

        run(Job(walk, native), game, (), self.work, deadline=self.deadline, halted=self.is_halted)
        info[DISTANCE], info[HORIZON], info[FAULT] = distance, 0, 0
        self.nodes = sum(int(work.info[NODES]) for work in self.crew)
        return tuple(found)

    def surface(self, value: int) -> tuple[float, int | None]:
        """A value of the kernel as a utility, and for a win or loss its distance."""
        win = int(self.work.info[DISTANCE])
        if win and abs(value) > win:
            distance = WIN_BONUS - (abs(value) - win)
            return (win if value > 0 else -win) / self.knowledge.units, distance
        return value / self.knowledge.units + 0.0, None

    def report(self, *found: Any) -> SearchResult:
        """The answer, with the table as its source where that has it; a draw by the table has no end."""
        result = super().report(*found)
        if not self.knowledge.has_table or not sum(int(work.info[TABLE_HITS]) for work in self.crew):
            return result
        known = table_number(self.knowledge, self.state)
        if known == UNKNOWN:
            return replace(result, source=SEARCH_AND_TABLE, distance=None if result.value == 0 else result.distance)
        distance = abs(known) - 1
        fits = distance <= self.knowledge.plies_left(self.state) and not self.work.info[REPEATED]
        if known != 0 and not fits:
            return replace(result, source=TABLE)
        # The table has all successors, too: the search has found the best, whatever it relied on for the others.
        line = (*result.line[:1], *table_line(self.knowledge, self.child(result.line[0]), MAX_PLY))
        sure = replace(result, source=TABLE, proved=True, bound=EXACT, note="", line=line if known else result.line)
        return replace(sure, distance=distance if known else None)

    def _line(self) -> tuple[int, ...]:
        return tuple(int(action) for action in self.work.line[: self.work.length[0]])
