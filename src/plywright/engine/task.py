"""One position being searched: what every algorithm here shares. Limits, the clock, faults, the report.

    with make_task(game, state, Limit(time=1.0), None, {}) as task:
        found = task.run()                # or task.run(report), which is called with every finished answer

`run` is the only place that decides between one answer at a fixed depth and deeper and deeper ones; `stop`, from
another thread, has it return with what it has.
"""

from __future__ import annotations

import contextlib
import time as clock
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import replace
from typing import Any, Self

from ..compiled import Kernel, interpreted
from ..errors import BadInput, GameError, shown
from ..faults import fault_after
from ..game import Game, is_shipped
from ..knowledge import Knowledge, knowledge_of
from ..repetition import Past, state_and_key
from ..result import EXACT, HEURISTIC, SearchResult, nothing_known
from ..smoke_test import smoke_test
from .examined_hooks import unexamined
from .interrupts import note_interrupt, pass_on_interrupt
from .limits import MAX_DEPTH, Limit


class Task:
    """A search of one position, to be used as a context manager: `run` it, `stop` it from another thread.

    `to_depth` is the algorithm's own, `deepening` calls it within the limits.
    """

    algorithm = ""
    relies: tuple[str, ...] = ()
    """The hooks that a proof by this algorithm relies on."""
    streams = True
    """Whether intermediate answers are wanted, or only the last one."""
    halted = False
    """Whether somebody has asked it to stop."""
    told: Callable[[SearchResult], None] | None = None
    """Called with each intermediate answer."""
    latest: SearchResult | None = None
    """The last intermediate answer that was reported."""
    finished: SearchResult | None = None
    """The answer of the last depth that was finished."""
    ended = False
    """Whether it is closed: its workspace may already belong to another search."""
    hands_on = False
    """Whether the next search of the same game can take over what this one knows: see `after` of `make_task`."""

    def __init__(
        self,
        game: Game,
        view: Any,
        limit: Limit,
        *,
        all_actions: bool,
        compiled: bool | None,
        knowledge: Knowledge | None = None,
        history: Sequence[Any] = (),
    ) -> None:
        self.began = clock.monotonic()
        self.game, self.limit, self.compiled, self.all_actions = game, limit, compiled, all_actions
        self.knowledge = knowledge_of(game, knowledge)
        smoke_test(game, self.knowledge)
        self.state = game.start_state if view is None else game.vouched(view)
        if game.is_terminal(self.state):
            ending = f" ({how})" if (how := game.caption(self.state)) else ""
            raise BadInput(f"the game is over in this position of {game.name}{ending}: there is nothing to search")
        self.past = Past(game, states_before(game, history))
        if self.past.is_drawn(self.state):
            raise BadInput(f"the game is over in this position of {game.name}: it is drawn by repetition")
        self.mover = int(game.to_move(self.state))
        self.nodes = 0
        self.stopped = self.certain = False  # certain: some action has a value that rests on no estimate
        self.native: bool | None = None
        self.entry: tuple[Callable[..., Any], bool] | None = None
        self.deadline: float | None = None
        known = self.knowledge
        self.by_hooks = not is_shipped(known) and (
            known.has_candidates or known.has_noisy
        )  # such hooks may yield illegal actions

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *error: object) -> None:
        self.ended = True
        self.close()

    def run(self, report: Callable[[SearchResult], None] | None = None) -> SearchResult:
        """Search within the limits: the last finished answer, with all nodes and seconds that it took.

        `report` is called with each finished answer on the way, in the thread of the caller.
        """
        self._check_open()
        self.streams, self.told = report is not None, report
        if self.limit.fixed_depth:
            found = self.fixed(min(self.limit.depth or 1, MAX_DEPTH))
            self.tell(found)
        else:
            for found in self.deepening():
                self.tell(found)
                if self.halted:
                    break
        pass_on_interrupt()
        return self.placed(replace(found, nodes=self.nodes, seconds=clock.monotonic() - self.began))

    def stream(self) -> Iterator[SearchResult]:
        """The answers of `deepening` as an iterator, for a caller who wants to pull them one by one."""
        self._check_open()
        for found in self.deepening():
            yield self.placed(found)
            if self.halted:
                break
        pass_on_interrupt()

    def _check_open(self) -> None:
        if self.ended:
            raise BadInput(f"this search of {self.game.name} is over, and its memory serves others: make a new one")

    def tell(self, found: SearchResult) -> None:
        """Pass an intermediate answer to the callback, if there is one; an answer of depth 0 is only a legal move."""
        if self.told is not None and found.depth and found is not self.latest:
            self.latest = found
            self.told(self.placed(found))

    def placed(self, found: SearchResult) -> SearchResult:
        """The answer completed with its game, its position and, if it is an estimate, the winning chance."""
        game, chance = getattr(self, "original", self.game), None
        estimated = found.depth and not found.proved and (self.knowledge.evaluates or not found.note)
        if self.knowledge.scale and estimated and game.opposed:
            of_wins = found.averaged and tuple(game.utility_range) == (-1, 1)  # no value of the evaluation's scale
            chance = (1 + found.value) / 2 if of_wins else self.knowledge.chance(found.value, self.state)
        return replace(found, game=game, state=self.state, chance=chance)

    def to_depth(self, depth: int) -> SearchResult:
        """Search `depth` plies; sets `stopped` when a limit came first (the answer is then that of `unfinished`)."""
        raise NotImplementedError

    def fixed(self, depth: int) -> SearchResult:
        """One answer at exactly this depth."""
        return self.to_depth(depth)

    def deepened(self, depth: int) -> SearchResult:
        """Search each depth from 1 to this one; the answer of the last one that was finished, or of the first proof."""
        found = self.to_depth(1)
        for reach in range(2, depth + 1):
            if self.is_settled(found) or self.stopped:
                break
            self.tell(found)
            self.finished = found
            deeper = self.to_depth(reach)
            found = found if self.stopped else deeper
        return found

    def deepening(self) -> Iterator[SearchResult]:
        """One answer for each depth that is finished in time; the first one in any case."""
        last: SearchResult | None = None
        for depth in range(1, min(self.limit.depth or MAX_DEPTH, MAX_DEPTH) + 1):
            try:
                found = self.to_depth(depth)
            except KeyboardInterrupt:  # Ctrl-C between two runs of the kernel; during a run `kernel_runner` handles it
                if depth == 1:
                    raise
                note_interrupt()
                self.stopped = True
                return
            if self.stopped and depth > 1:
                if last is not None and (better := self.improved(last)) is not None:
                    yield better
                return
            self.finished = last = found
            yield found
            late = self.limit.soft is not None and clock.monotonic() - self.began > self.limit.soft
            if self.is_settled(found) or self.stopped or late:
                return

    def is_settled(self, found: SearchResult) -> bool:
        """Whether a deeper search would find nothing more."""
        return found.proved

    def improved(self, last: SearchResult) -> SearchResult | None:
        """A better answer than the last one, if the interrupted depth has already found one."""
        return None

    def close(self) -> None:
        """Called after the last answer: release what later searches can reuse, such as the workspace."""

    def stop(self) -> None:
        """End the search, from any thread: `run` returns its last finished answer at the kernel's next node.

        One call is enough: a kernel run that starts at this very moment, and clears its stop word, checks `halted` too.
        """
        self.halted = self.stopped = True
        for work in [*getattr(self, "crew", ())[:1], *([self.work] if hasattr(self, "work") else [])]:
            work.stop[0] = 1

    def prepare(self, kernel: Kernel, args: tuple[Any, ...]) -> None:
        """Compile before the clock starts; afterwards `native` says whether the kernel runs as native code."""
        if self.native is None:
            with interpreted() if self.compiled is False else contextlib.nullcontext():
                self.entry = kernel.entry(self.game, *args)
            self.native = self.entry[1]
            self.start_clock()

    def start_clock(self) -> None:
        """Start the clock: the time limit counts from now on."""
        self.began = clock.monotonic()
        self.deadline = None if self.limit.time is None else self.began + self.limit.time

    def is_halted(self) -> bool:
        return self.halted

    def actions(self) -> list[int]:
        return self.past.actions(self.state)

    def child(self, action: int) -> Any:
        return self.game.state_after(self.state, action)

    def unfinished(self) -> SearchResult:
        """Nothing of an unfinished depth is known to be right: the answer before it, or else a legal move.

        The legal move has its state's evaluation, which may take longer to work out in Python than there is time left.
        """
        return self.finished or self.legal_move()

    def legal_move(self) -> SearchResult:
        """An answer of depth 0: the first action, and the evaluation of the state before it."""
        estimate = float(self.knowledge.evaluate(self.state, self.mover))
        return self.report(estimate, (self.actions()[0],), False, 0, {})

    def fault(self, fault: int, state: Any, path: Iterable[int], here: str = "in this position") -> GameError:
        """The error for rules that broke the protocol somewhere below `state`; `path` is the moves that lead there."""
        return fault_after(self.game, fault, state, path, here=here, knowledge=self.knowledge)

    def _check_line(self, line: tuple[int, ...]) -> None:
        """Raise GameError where a hook has put an illegal move into the line."""
        game, state, moves = self.game, self.state, list[str]()
        for action in line:
            if action not in game.actions(state):
                hooks = [hook for hook in ("candidates", "noisy") if getattr(self.knowledge, f"has_{hook}")]
                where = f"after {game.join_moves(moves)}" if moves else "in this position"
                raise GameError(
                    f"{game.name}: {'() or '.join(hooks)}() yields {action}, which is not among the actions, {where}"
                )
            moves.append(game.format_action(state, action))
            state = game.state_after(state, action)

    def _check_repeatable(self, line: tuple[int, ...]) -> None:
        """Raise GameError where the rules answer differently when asked twice along the line: they allow no proof."""
        game, state, moves = self.game, self.state, list[str]()
        for action in line:
            pairs = [
                (list(game.actions(state)), game.state_after(state, action), game.to_move(state)) for _ in range(2)
            ]
            if pairs[0] != pairs[1]:
                rule = ("actions", "result", "to_move")[[a == b for a, b in zip(*pairs, strict=True)].index(False)]
                where = f"after {game.join_moves(moves)}" if moves else "in this position"
                raise GameError(
                    f"{game.name}: {rule}() answers differently when it is asked again, {where}: nothing can be proved "
                    "of such rules; what chance decides belongs in chance() or sample()"
                )
            moves.append(game.format_action(state, action))
            state = pairs[0][1]

    def report(
        self,
        value: float,
        line: tuple[int, ...],
        proved: bool,
        depth: int,
        values: dict[int, float],
        distance: int | None = None,
    ) -> SearchResult:
        """The answer as a SearchResult; `value` is from the perspective of the player to move."""
        if self.by_hooks:
            self._check_line(line)
        if proved and not is_shipped(self.game):
            self._check_repeatable(line)
        team = self.game.team_of[self.mover]
        return SearchResult(
            action=line[0] if line else None,
            value=value,
            values=tuple(value if other == team else 0.0 - value for other in self.game.team_of),
            bound=EXACT if proved else HEURISTIC,
            proved=proved,
            distance=distance if distance is not None else len(line) if proved else None,
            line=line,
            depth=depth,
            nodes=self.nodes,
            seconds=clock.monotonic() - self.began,
            algorithm=self.algorithm,
            compiled=bool(self.native),
            tied=tuple(a for a, v in values.items() if v == value),
            actions=values,
            note=self.ignorance(value, line, depth, values) if not proved else "",
            assuming=unexamined(self.knowledge, self.relies) if proved else (),
        )

    def ignorance(self, value: float, line: tuple[int, ...], depth: int, values: dict[int, float]) -> str:
        """The note that a game without an evaluation was searched and nothing found; empty if something may be known.

        If every action was valued: all values are equal and all of them rest on estimates. If there is one line: it is
        as deep as the search and ends in an estimated state. A shorter line, cut off by the table, proves nothing
        either way, since it may lead to a draw.
        """
        game = self.game
        if self.knowledge.evaluates or depth == 0 or value != game.neutral_value:
            return ""
        if values:
            equal = not self.certain and all(other == value for other in values.values())
            return nothing_known(depth, True) if equal else ""
        state = self.state
        for action in line:
            state = game.state_after(state, action)
        return nothing_known(depth, False) if len(line) >= depth and not game.is_terminal(state) else ""


def states_before(game: Game, history: Any) -> list[Any]:
    """The states that a caller gives as the past of the game; raises BadInput where one is not a state of it."""
    if not isinstance(history, (list, tuple)):
        raise BadInput(f"history takes a list of the states before this one, not {shown(history)}")
    try:
        if game.repeats:
            return [state_and_key(game, state)[0] for state in history]
        return [game.coerce_state(state) for state in history]
    except GameError as error:
        raise BadInput(f"history names what is no state of {game.name}: {error}") from None
