"""From a table of proof numbers to the moves of a proof.

Where the attacker has proved its goal it takes, in each of its positions, a move to one that was proved before: numbers
in the table say when, so that the walk comes to an end. Where the goal is disproved the defender takes a move to a
position that is disproved, too, or that the walk has met already: going round is good enough for it.

An entry that the table has lost is searched for again in a small one, as long as that is less work than the question
itself was.
"""

from __future__ import annotations

from typing import Any

import numpy as np

from ...counters import NODE_LIMIT, NODES, STOPPED
from ...knowledge import Knowledge
from ...repetition import Past
from ..kernel_runner import run
from .dfpn import BUCKET, ENTRY, GAVE_UP, INFINITY, MASK, dfpn, filed_key
from .proof import in_time

AGAIN_NODES, AGAIN_MEGABYTES = 200_000, 32.0
"""Of the searches for lost entries: nodes of all of them together, besides as many as the question took."""
MOST_POSITIONS = 1_000_000
"""Positions of a proof that is collected: about a gigabyte of them."""


class MissingEntry(Exception):
    """The table has lost a part of the proof that is too large to be searched for again."""


class TooLarge(Exception):
    """The proof has more than MOST_POSITIONS."""


def strategy(
    knowledge: Knowledge,
    state: Any,
    attacker: int,
    goal: float,
    reached: bool,
    work: Any,
    *,
    past: Past,
    compiled: bool | None,
    deadline: float | None,
) -> dict[Any, int]:
    """The moves of the side that has the proof, by state. Raises MissingEntry, TooLarge or OutOfTime instead."""
    walk = _Walk(knowledge, attacker, goal, reached, work, past, compiled, deadline)
    walk.from_(state)
    return walk.moves


class _Walk:
    def __init__(
        self,
        knowledge: Knowledge,
        attacker: int,
        goal: float,
        reached: bool,
        work: Any,
        past: Past,
        compiled: bool | None,
        deadline: float | None,
    ) -> None:
        self.knowledge, self.game, self.attacker, self.goal = knowledge, knowledge.game, attacker, goal
        self.reached, self.work, self.compiled, self.deadline = reached, work, compiled, deadline
        self.past = past
        self.teams = self.game.team_of
        self.again_nodes = AGAIN_NODES + int(work.info[NODES])
        self.moves: dict[Any, int] = {}
        self.met: set[Any] = set()

    def from_(self, state: Any) -> None:
        game = self.game
        attacking = game.team_of[self.attacker]
        waiting = [state]
        self.met.add(state)
        while waiting:
            in_time(self.deadline)
            if len(self.met) > MOST_POSITIONS:
                raise TooLarge
            here = waiting.pop()
            own = (game.team_of[int(game.to_move(here))] == attacking) == self.reached
            children = {int(a): game.state_after(here, a) for a in game.actions(here)}
            if own:
                action = self._choice(here, children)
                self.moves[here] = action
                children = {action: children[action]}
            for child in children.values():
                if child not in self.met and not self.past.is_over(child):
                    self.met.add(child)
                    waiting.append(child)

    def _choice(self, here: Any, children: dict[int, Any]) -> int:
        """The move of the side that has the proof: to an end, to what was proved first, to what was met."""
        best, when = -1, 0
        for action, child in children.items():
            if self.past.is_over(child):
                if (self.past.utility(child, self.attacker) >= self.goal) == self.reached:
                    return action
                continue
            known = self._number(child)
            if known is not None and (best < 0 or known < when):
                best, when = action, known
        if best < 0 and not self.reached:
            best = next((action for action, child in children.items() if child in self.met), -1)
        if best < 0:
            best = next((action for action, child in children.items() if self._again(child)), -1)
        if best < 0:
            raise MissingEntry
        return best

    def _number(self, state: Any) -> int | None:
        """When a position was decided for the side that has the proof; None where the table does not know it so."""
        is_attacker = self.teams[int(self.game.to_move(state))] == self.teams[self.attacker]
        at = _find(self.work, filed_key(self.knowledge, state, is_attacker))
        if at < 0:
            return None
        table = self.work.table
        if self.reached:
            return int(table[at + 2]) - INFINITY if table[at + 1] == 0 else None
        return 0 if table[at + 2] == 0 else None

    def _again(self, state: Any) -> bool:
        """Whether a position is decided for that side after all, by a search of its own."""
        from .dfpn_search import workspace

        if self.past.is_over(state):
            return False
        work = workspace(self.game, AGAIN_MEGABYTES, self.past)
        work.info[NODE_LIMIT] = self.again_nodes
        target = round(self.goal * float(work.units[0]))
        arguments = (self.knowledge, state, self.attacker, target, 0, INFINITY, INFINITY, work)
        run(dfpn, self.game, arguments, work, deadline=self.deadline, compiled=self.compiled)
        if int(work.stop[0]) == 2:
            raise KeyboardInterrupt
        in_time(self.deadline)
        self.again_nodes -= int(work.info[NODES])
        if work.info[STOPPED] or work.info[GAVE_UP]:
            raise MissingEntry
        if (int(work.out[0]) == 0) != self.reached:
            return False
        self._merge(work)
        return True

    def _merge(self, work: Any) -> None:
        """Take over what the small search decided, where the table has nothing."""
        rows = work.table.reshape(-1, ENTRY)
        decided = rows[(rows[:, 3] != 0) & ((rows[:, 1] == 0) | (rows[:, 2] == 0))]
        for row in decided:
            if _find(self.work, int(row[0])) < 0:
                bucket = (int(row[0]) >> 20 & int(self.work.info[MASK])) * ENTRY * BUCKET
                free = self.work.table[bucket : bucket + ENTRY * BUCKET].reshape(-1, ENTRY)
                place = int(np.argmin(free[:, 3]))
                free[place] = row


def _find(work: Any, key: int) -> int:
    bucket = (key >> 20 & int(work.info[MASK])) * ENTRY * BUCKET
    for at in range(bucket, bucket + ENTRY * BUCKET, ENTRY):
        if int(work.table[at]) == key and work.table[at + 3]:
            return at
    return -1
