"""From a winning strategy that comes to positions again to one that does not.

States differ in a counter that ends the game (fifty moves), and repetition leaves it out: the same position with
another count is another state with a move of its own, and the moves of both may lead round. Whoever wins need not go
round. At each of its turns let it play as in the state of the same position that is nearest to the end, of those with
no more room left on the counter: what wins there wins here. That distance, the least of all these states, falls with
every move, and it cannot be less at a later state of the same position, which has less room; so no position comes
twice.
"""

from __future__ import annotations

from typing import Any

from ...knowledge import Knowledge
from .proof import Proof, Recurs, in_time
from .proof_walk import MOST_POSITIONS, TooLarge


def straightened(proof: Proof, knowledge: Knowledge, deadline: float | None) -> Proof:
    """A proof of the same without repetition, made of its moves. It is not checked; raises Recurs where it has gaps."""
    game, nearest = proof.game, _Nearest(proof, knowledge, deadline)
    own = game.team_of[proof.player]
    moves, met, waiting = dict[Any, int](), {proof.state}, [proof.state]
    while waiting:
        in_time(deadline)
        if len(met) > MOST_POSITIONS:
            raise TooLarge
        here = waiting.pop()
        if game.team_of[int(game.to_move(here))] == own:
            moves[here] = nearest.action(here)
            ways = [moves[here]]
        else:
            ways = [int(action) for action in game.actions(here)]
        for action in ways:
            child = game.state_after(here, action)
            if child not in met and not proof.past.is_over(child):
                met.add(child)
                waiting.append(child)
    return Proof(game, proof.state, proof.player, proof.target, moves, proof.history)


class _Nearest:
    """The moves of a proof by position, with how much room each had on the counter and how far the end was."""

    def __init__(self, proof: Proof, knowledge: Knowledge, deadline: float | None) -> None:
        self.knowledge, self.past = knowledge, proof.past
        self.known = dict[int, list[tuple[int, int, int]]]()
        lines = proof.explored(deadline)
        for state, plies in zip(lines.states, lines.plies, strict=True):
            if (action := proof.moves.get(state)) is not None:
                self.known.setdefault(self.past.key(state), []).append((plies, self._room(state), action))

    def _room(self, state: Any) -> int:
        return int(self.knowledge.plies_left(state)) if self.knowledge.counts_down else 0

    def action(self, state: Any) -> int:
        room = self._room(state)
        fitting = [entry for entry in self.known.get(self.past.key(state), ()) if entry[1] <= room]
        if not fitting:
            raise Recurs(f"there is no move for {self.past.game.format_state(state)}")
        return min(fitting)[2]
