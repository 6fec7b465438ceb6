"""Proof-number search of a position: a question about a position, its answer, and the proof.

found = prove("breakthrough:columns=5,rows=5")      # can the first player win?
found.verdict, found.nodes                          # True, False, or None where a limit came first
found.proof.check()                                 # the proof, held against the rules alone
"""

from __future__ import annotations

import contextlib
import time as clock
from collections.abc import Callable
from dataclasses import dataclass
from typing import Any, Unpack

import numpy as np

from ...compiled import Workspace, interpreted
from ...counters import FAULT, NODE_LIMIT, NODES, STOPPED, stop_word
from ...errors import BadInput, GameError
from ...game import Game
from ...games import as_game, as_knowledge
from ...knowledge import Knowledge
from ...smoke_test import smoke_test
from ..alphabeta.transposition import memory
from ..kernel_runner import run
from ..limits import Limit
from ..options import ProofOptions
from .dfpn import BUCKET, ENTRY, GAVE_UP, INFINITY, INFO, MASK, MAX_PLY, PEAK, dfpn
from .proof import Proof, check_provable
from .proof_walk import MissingEntry, strategy

MEGABYTES = 256.0
NO_LIMIT = int(np.iinfo(np.int64).max)


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
    False, and None where it was not asked for or the table has lost a part of it.
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
    compiled: bool | None = None,
    progress: Callable[[ProofProgress], None] | None = None,
) -> Answer:
    """Whether a player (the mover) gets at least `target` (a win) from a state (the start), by proof-number search.

    A question of which a draw would be an answer enough is asked the other way round: whether the other side gets
    more. With `keep` the answer has its proof.
    """
    game = as_game(game)
    known = as_knowledge(game, knowledge)
    check_provable(game)
    smoke_test(game, known)
    place = game.start_state if state is None else game.vouched(state)
    if game.is_terminal(place):
        raise BadInput(f"the game is over in this position of {game.name}: there is nothing to prove")
    Limit(time=time, nodes=nodes)  # raises BadInput for what is no limit
    if not megabytes > 0 or ((room := memory()) is not None and megabytes * 1e6 > 0.9 * room):
        raise BadInput(f"memory must be a number of megabytes above 0 that this machine has, not {megabytes!r}")
    asker = int(game.to_move(place)) if player is None else player
    if asker not in range(game.players):
        raise BadInput(f"there is no player {player!r} in {game.name}")
    wanted = float(game.utility_range[1] if target is None else target)
    search = ProofSearch(known, place, asker, wanted, time, nodes, megabytes, compiled, progress)
    return search.answer(keep)


def prove_value(
    game: Game | str, state: Any = None, **options: Unpack[ProofOptions]
) -> tuple[float | None, list[Answer]]:
    """What a position is worth to its mover, by one question after the other; None where one was not decided.

    The first is whether it is won, the next whether it is at least drawn; where there are more utilities, each question
    halves what is left. Limits of time and nodes are for all questions together.
    """
    game = as_game(game)
    check_provable(game)
    time, nodes = options.get("time"), options.get("nodes")
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
        answers.append(prove(game, state, target=target, **left))
        if answers[-1].verdict is None:
            return None, answers
        low, high = (target, high) if answers[-1].verdict else (low, target - step)
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
    ) -> None:
        self.knowledge, self.game, self.state = knowledge, knowledge.game, state
        self.player, self.target = player, target
        self.compiled, self.progress = compiled, progress
        self.time, self.began = time, clock.monotonic()
        self.turned = target <= self.game.neutral_value
        self.attacker = self._other() if self.turned else player
        self.goal = (self.game.step or 1) - target if self.turned else target
        self.work = workspace(self.game, megabytes)
        self.work.info[NODE_LIMIT] = nodes or NO_LIMIT

    def _other(self) -> int:
        teams = self.game.team_of
        return next(player for player in range(self.game.players) if teams[player] != teams[self.player])

    def answer(self, keep: bool) -> Answer:
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
        proof = None
        if keep and reached is not None:
            proof, note = self._proof(reached)
        verdict = reached if reached is None else reached != self.turned
        seconds = clock.monotonic() - self.began
        nodes, depth = int(info[NODES]), int(info[PEAK])
        return Answer(verdict, self.player, self.target, nodes, seconds, depth, native, proof, note)

    def _proof(self, reached: bool) -> tuple[Proof | None, str]:
        try:
            moves = strategy(self.knowledge, self.state, self.attacker, self.goal, reached, self.work)
            teams = self.game.team_of
            defender = next(each for each in range(self.game.players) if teams[each] != teams[self.attacker])
            owner, goal = (self.attacker, self.goal) if reached else (defender, (self.game.step or 1) - self.goal)
            proof = Proof(self.game, self.state, owner, goal, moves)
            proof.check()
            return proof, ""
        except (MissingEntry, BadInput):  # lost entries that were proved again may lead a walk in a circle
            return None, "the proof is larger than the table that held it: more --table keeps all of it"

    def _tell(self) -> None:
        if self.progress is not None:
            info = self.work.info
            self.progress(ProofProgress(int(info[NODES]), clock.monotonic() - self.began, int(info[PEAK])))


def workspace(game: Game, megabytes: float) -> Any:
    """What one proof-number search writes."""
    info = np.zeros(INFO, np.int64)
    buckets = 1 << max(int(megabytes * 1e6) // (8 * ENTRY * BUCKET), 1).bit_length() - 1
    info[MASK], info[NODE_LIMIT] = buckets - 1, NO_LIMIT
    rows = (MAX_PLY + 2) * game.max_actions
    names = ("actions", "child_keys", "proof", "disproof", "rests")
    return Workspace(
        info=info,
        stop=stop_word(),
        units=np.array([1 / (game.step or 1)]),
        table=np.zeros(buckets * ENTRY * BUCKET, np.int64),
        keys=np.zeros(MAX_PLY + 2, np.int64),
        paths=np.zeros(MAX_PLY + 2, np.int64),
        out=np.zeros(3, np.int64),
        **{name: np.zeros(rows, np.int64) for name in names},
    )


__all__ = ["Answer", "ProofProgress", "prove", "prove_value"]
