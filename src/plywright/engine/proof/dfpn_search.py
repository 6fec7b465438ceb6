"""Proof-number search of a position: a question about a position, its answer, and the proof.

found = prove("breakthrough:columns=5,rows=5")      # can the first player win?
found.verdict, found.nodes                          # True, False, or None where a limit came first
found.proof.check()                                 # the proof, held against the rules alone
"""

from __future__ import annotations

import contextlib
import math
import time as clock
from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from typing import Any, Unpack

import numpy as np

from ...compiled import Workspace, interpreted
from ...counters import FAULT, NODE_LIMIT, NODES, STOPPED, stop_word
from ...errors import BadInput, GameError
from ...game import Game
from ...games import as_game, as_knowledge
from ...knowledge import Knowledge
from ...repetition import Past
from ...smoke_test import smoke_test
from ..alphabeta.repetition import past_table
from ..alphabeta.transposition import memory
from ..kernel_runner import run
from ..limits import Limit
from ..options import ProofOptions
from ..task import states_before
from .dfpn import BUCKET, ENTRY, GAVE_UP, INFINITY, INFO, MASK, MAX_PLY, PAST_MASK, PEAK, dfpn
from .proof import OutOfTime, Proof, Recurs, Refuted, check_provable
from .proof_walk import MOST_POSITIONS, MissingEntry, TooLarge, strategy
from .straight import straightened

MEGABYTES = 256.0
NO_LIMIT = int(np.iinfo(np.int64).max)
SOON = 10.0
"""Seconds in which a proof that is kept only if it comes soon is collected and checked, if that is longer than the
search took."""
LOST = "the moves of its proof were not all found again: more --table may keep them"
LATE = "there was no time to collect and check the moves of its proof: --proof FILE without --time takes it"
RECURS = "the moves found for its proof come to positions again, which repetition draws, and no others were found"
LARGE = f"its proof has more than {MOST_POSITIONS:,} positions, too many to be kept"


@dataclass(frozen=True)
class ProofProgress:
    """How far a proof is: nodes, seconds, and the longest line so far."""

    nodes: int
    seconds: float
    depth: int


@dataclass(frozen=True)
class Answer:
    """Whether `player` gets at least `target`: True, False, or None where a limit came first.

    `proof` is the moves of the side that has it: of `player` where the verdict is True, of the other side where it is
    False, and None where it was not asked for or, as the `note` then says, could not be kept. `plies` is how long its
    longest line is, None where one may go round.
    """

    verdict: bool | None
    player: int
    target: float
    nodes: int
    seconds: float
    depth: int
    compiled: bool
    proof: Proof | None = None
    note: str = ""
    plies: int | None = None

    @property
    def nodes_per_second(self) -> float:
        return self.nodes / self.seconds if self.seconds > 0 else 0.0


def prove(
    game: Game | str,
    state: Any = None,
    *,
    player: int | None = None,
    target: float | None = None,
    time: float | None = None,
    nodes: int | None = None,
    megabytes: float = MEGABYTES,
    keep: bool = True,
    knowledge: Knowledge | str | None = None,
    history: Sequence[Any] = (),
    compiled: bool | None = None,
    progress: Callable[[ProofProgress], None] | None = None,
) -> Answer:
    """Whether a player (the mover) gets at least `target` (a win) from a state (the start), by proof-number search.

    `history` is the states of the game before this one: where repetition draws, it may decide.

    A question of which a draw would be an answer enough is asked the other way round: whether the other side gets
    more. With `keep` the answer has its proof.
    """
    options = ProofOptions(
        time=time,
        nodes=nodes,
        megabytes=megabytes,
        knowledge=knowledge,
        history=history,
        compiled=compiled,
        progress=progress,
    )
    search = _question(as_game(game), state, player, target, options)
    answer = search.answer()
    return search.with_proof(answer) if keep else answer


def _question(game: Game, state: Any, player: int | None, target: float | None, options: ProofOptions) -> ProofSearch:
    """The search for an answer; raises BadInput for what cannot be asked."""
    known = as_knowledge(game, options.get("knowledge"))
    check_provable(game)
    smoke_test(game, known)
    place = game.start_state if state is None else game.vouched(state)
    if game.is_terminal(place):
        raise BadInput(f"the game is over in this position of {game.name}: there is nothing to prove")
    before = tuple(states_before(game, options.get("history", ())))
    if Past(game, before).is_drawn(place):
        raise BadInput(f"the game is over in this position of {game.name}: it is drawn by repetition")
    time, nodes, megabytes = options.get("time"), options.get("nodes"), options.get("megabytes", MEGABYTES)
    Limit(time=time, nodes=nodes)  # raises BadInput for what is no limit
    if not megabytes > 0 or ((room := memory()) is not None and megabytes * 1e6 > 0.9 * room):
        raise BadInput(f"memory must be a number of megabytes above 0 that this machine has, not {megabytes!r}")
    asker = int(game.to_move(place)) if player is None else player
    if asker not in range(game.players):
        raise BadInput(f"there is no player {player!r} in {game.name}")
    wanted = float(game.utility_range[1] if target is None else target)
    compiled, progress = options.get("compiled"), options.get("progress")
    return ProofSearch(known, place, asker, wanted, time, nodes, megabytes, compiled, progress, before)


def prove_value(
    game: Game | str, state: Any = None, **options: Unpack[ProofOptions]
) -> tuple[float | None, list[Answer]]:
    """What a position is worth to its mover, by one question after the other; None where one was not decided.

    The first is whether it is won, the next whether it is at least drawn; where there are more utilities, each question
    halves what is left. Limits of time and nodes are for all questions together, and a proof takes no more than half of
    the time that is left to later ones.
    """
    game = as_game(game)
    check_provable(game)
    time, nodes, keep = options.get("time"), options.get("nodes"), options.get("keep", True)
    Limit(time=time, nodes=nodes)  # raises BadInput for what is no limit
    low, high = (float(bound) for bound in game.utility_range)
    step, answers = float(game.step or 1), list[Answer]()
    while high - low > step / 2:
        steps = round((high - low) / step)
        target = high if steps <= 2 else low + step * ((steps + 1) // 2)
        left = options.copy()
        if time is not None:
            left["time"] = max(time - sum(answer.seconds for answer in answers), 1e-9)
        if nodes is not None:
            left["nodes"] = max(nodes - sum(answer.nodes for answer in answers), 1)
        search = _question(game, state, None, target, left)
        answer = search.answer()
        if answer.verdict is not None:
            low, high = (target, high) if answer.verdict else (low, target - step)
        is_last = answer.verdict is None or high - low <= step / 2
        if keep == "soon" and is_last:
            answer = search.with_proof(answer, seconds=max(answer.seconds, SOON))
        elif keep is True:
            answer = search.with_proof(answer, share=1.0 if is_last else 0.5)
        answers.append(answer)
        if answer.verdict is None:
            return None, answers
    return low, answers


class ProofSearch:
    """One question, asked so that a draw means no."""

    def __init__(
        self,
        knowledge: Knowledge,
        state: Any,
        player: int,
        target: float,
        time: float | None,
        nodes: int | None,
        megabytes: float,
        compiled: bool | None,
        progress: Callable[[ProofProgress], None] | None,
        history: tuple[Any, ...] = (),
    ) -> None:
        self.knowledge, self.game, self.state = knowledge, knowledge.game, state
        self.player, self.target = player, target
        self.compiled, self.progress = compiled, progress
        self.time, self.began = time, clock.monotonic()
        self.turned = target <= self.game.neutral_value
        self.attacker = self._other() if self.turned else player
        self.goal = (self.game.step or 1) - target if self.turned else target
        self.history, self.past = history, Past(self.game, history)
        self.work = workspace(self.game, megabytes, self.past)
        self.work.info[NODE_LIMIT] = nodes or NO_LIMIT

    def _other(self) -> int:
        teams = self.game.team_of
        return next(player for player in range(self.game.players) if teams[player] != teams[self.player])

    def answer(self) -> Answer:
        """The verdict of the search, without its proof."""
        info, units = self.work.info, float(self.work.units[0])
        arguments = (
            self.knowledge,
            self.state,
            self.attacker,
            round(self.goal * units),
            0,
            INFINITY,
            INFINITY,
            self.work,
        )
        with interpreted() if self.compiled is False else contextlib.nullcontext():
            entry = dfpn.entry(self.game, *arguments)
        self.began = clock.monotonic()  # compiled before the clock starts
        deadline = None if self.time is None else self.began + self.time
        _, native = run(dfpn, self.game, arguments, self.work, deadline=deadline, tick=self._tell, entry=entry)
        if info[FAULT]:
            raise GameError(
                f"{self.game.name}: actions() yields nothing in a state that is_terminal() calls unfinished"
            )
        if int(self.work.stop[0]) == 2:
            raise KeyboardInterrupt
        self._tell()
        reached: bool | None = None
        if not info[STOPPED]:
            first, other = int(self.work.out[0]), int(self.work.out[1])
            reached = True if first == 0 else False if other == 0 and not info[GAVE_UP] else None
        note = ""
        if reached is None:
            note = "the limit came first" if info[STOPPED] else f"lines of {MAX_PLY:,} plies were left"
        verdict = reached if reached is None else reached != self.turned
        seconds = clock.monotonic() - self.began
        nodes, depth = int(info[NODES]), int(info[PEAK])
        return Answer(verdict, self.player, self.target, nodes, seconds, depth, native, note=note)

    def with_proof(self, answer: Answer, *, share: float = 1.0, seconds: float = math.inf) -> Answer:
        """The answer of `answer()` with its proof, checked; or why that is not kept, which leaves the verdict as it is.

        Collecting it takes at most so many seconds, and this share of the time that is left. A proof that fails its
        check takes the verdict with it.
        """
        if answer.verdict is None:
            return answer
        left = math.inf if self.time is None else self.time - answer.seconds
        within = min(share * left, seconds)
        deadline = None if math.isinf(within) else clock.monotonic() + within
        try:
            proof, plies, note = self._proof(answer.verdict != self.turned, deadline)
        except Refuted as refuted:  # two positions under one number, or rules that are not always the same
            seconds = clock.monotonic() - self.began
            return replace(answer, verdict=None, seconds=seconds, note=f"nothing is decided: {refuted}")
        return replace(answer, seconds=clock.monotonic() - self.began, proof=proof, plies=plies, note=note)

    def _proof(self, reached: bool, deadline: float | None) -> tuple[Proof | None, int | None, str]:
        game, known, teams = self.game, self.knowledge, self.game.team_of
        defender = next(each for each in range(game.players) if teams[each] != teams[self.attacker])
        owner, goal = (self.attacker, self.goal) if reached else (defender, (game.step or 1) - self.goal)
        how: dict[str, Any] = {"past": self.past, "compiled": self.compiled, "deadline": deadline}
        try:
            moves = strategy(known, self.state, self.attacker, self.goal, reached, self.work, **how)
            proof = Proof(game, self.state, owner, goal, moves, self.history)
            try:
                plies = proof.measured(deadline)[1]
            except Recurs:
                proof = straightened(proof, known, deadline)
                plies = proof.measured(deadline)[1]
            return proof, plies, ""
        except Refuted:
            raise
        except Recurs:
            return None, None, RECURS
        except (MissingEntry, BadInput):  # lost entries that were proved again may lead a walk in a circle
            return None, None, LOST
        except OutOfTime:
            return None, None, LATE
        except TooLarge:
            return None, None, LARGE

    def _tell(self) -> None:
        if self.progress is not None:
            info = self.work.info
            self.progress(ProofProgress(int(info[NODES]), clock.monotonic() - self.began, int(info[PEAK])))


def workspace(game: Game, megabytes: float, past: Past) -> Any:
    """What one proof-number search writes, and the states that the game before it has had as often as may be."""
    info = np.zeros(INFO, np.int64)
    buckets = 1 << max(int(megabytes * 1e6) // (8 * ENTRY * BUCKET), 1).bit_length() - 1
    info[MASK], info[NODE_LIMIT] = buckets - 1, NO_LIMIT
    drawn = past_table(dict.fromkeys(past.drawn_keys(), 1))
    info[PAST_MASK] = len(drawn) // 2 - 1
    rows = (MAX_PLY + 2) * game.max_actions
    names = ("actions", "child_keys", "proof", "disproof", "rests")
    return Workspace(
        info=info,
        stop=stop_word(),
        units=np.array([1 / (game.step or 1)]),
        table=np.zeros(buckets * ENTRY * BUCKET, np.int64),
        keys=np.zeros(MAX_PLY + 2, np.int64),
        paths=np.zeros(MAX_PLY + 2, np.int64),
        past=drawn,
        out=np.zeros(3, np.int64),
        **{name: np.zeros(rows, np.int64) for name in names},
    )


__all__ = ["Answer", "ProofProgress", "prove", "prove_value"]
