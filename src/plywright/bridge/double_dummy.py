"""Double-dummy results of a deal: proofs by the engine's own solver, one after the other with one table.

What is proved of one strain and leader helps with the next: entries cover every deal in which the same cards matter.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from time import monotonic

from ..engine.alphabeta.solve import Solver
from ..games.bridge.boards import cards_in, checked_hands
from ..games.bridge.double_dummy import DoubleDummy
from ..games.bridge.play import opening
from ..games.bridge.trick import RANKS, SUIT, Trick

TABLE_MEGABYTES = 64.0
GAME = DoubleDummy()
_solvers: list[Solver] = []
POINTS = {RANKS.index(rank): points for rank, points in zip("AKQJ", (4, 3, 2, 1), strict=True)}

Tell = Callable[[int, int], None]


def tricks_from(state: Trick, guess: int | None = None, time: float | None = None) -> int:
    """The tricks that the side to move still makes from here on, the one on the table counted in.

    `guess` is where the questions begin; a good one saves time. Raises TimeoutError after `time` seconds.
    """
    solver = _solver()
    ahead = (state.won - state.lost) * (-1 if GAME.to_move(state) & 1 else 1)
    expected = estimate(state) if guess is None else guess
    value = solver.value(GAME.coerce_state(state), ahead + 2 * expected - state.left, time, apart=2)
    return (int(value) - ahead + state.left) // 2


def double_dummy(hands: Sequence[int], tell: Tell | None = None) -> dict[tuple[int, int], int]:
    """The declarer's tricks for every strain (0 clubs to 4 no trumps) and declarer (0 North to 3 West).

    `tell` is told after each of the twenty results how many there are. Raises BadInput for hands that cannot be.
    """
    hands = checked_hands(hands, whole=False)
    table: dict[tuple[int, int], int] = {}
    size = hands[0].bit_count()
    for strain in (4, 3, 2, 1, 0):
        guess = None
        for declarer in range(4):
            leader = (declarer + 1) & 3
            if declarer > 1:
                guess = size - table[strain, declarer - 2]  # as its partner
            made = size - tricks_from(opening(hands, strain, leader), guess)
            table[strain, declarer] = made
            guess = made  # the next declarer is of the other side, and this one's tricks are that one's defence
            if tell is not None:
                tell(len(table), 20)
    return table


def lead_tricks(hands: Sequence[int], strain: int, declarer: int) -> dict[int, int]:
    """The declarer's tricks after each opening lead, the card by number. Raises BadInput for hands that cannot be."""
    hands = checked_hands(hands, whole=False)
    state = opening(hands, strain, (declarer + 1) & 3)
    return {card: state.left - tricks for card, tricks in tricks_by_card(state).items()}


def tricks_by_card(state: Trick, time: float | None = None) -> dict[int, int]:
    """The tricks that the mover's side makes with each of its cards, the one on the table counted in.

    Raises TimeoutError where that takes longer than `time` seconds.
    """
    end = None if time is None else monotonic() + time
    mover = GAME.to_move(state)
    found: dict[int, int] = {}
    equal: dict[int, int] = {}
    cards = sorted(GAME.actions(state))
    table = state.hands[0] | state.hands[1] | state.hands[2] | state.hands[3] | state.table
    guess = None
    for place, card in enumerate(cards):
        below = cards[place - 1] if place else -1
        if below >= 0 and below >> 4 == card >> 4:
            between = table & (1 << card) - (2 << below) & SUIT << (card & 0x30)
            if not between:
                equal[card] = equal.get(below, below)
                continue
        after = GAME.result(state, card)
        if after.left == 0:
            rest = 0
        else:
            left = None if end is None else end - monotonic()
            if left is not None and left <= 0.0:
                raise TimeoutError(f"the cards could not all be weighed in {time:g} s")
            rest = tricks_from(after, guess, left)
            guess = rest
            if (GAME.to_move(after) ^ mover) & 1:
                rest = after.left - rest
        won = after.left < state.left and (after.leader ^ mover) & 1 == 0
        found[card] = rest + int(won)
    return {card: found[equal.get(card, card)] for card in cards}


def estimate(state: Trick) -> int:
    """About how many of the remaining tricks the mover's side makes, by high cards and trumps."""
    mover = GAME.to_move(state)
    ours, all_points, trumps = 0.0, 0.0, [0, 0]
    for seat, hand in enumerate(state.hands):
        own = (seat ^ mover) & 1 == 0
        for card in cards_in(hand):
            worth = POINTS.get(card & 15, 0)
            all_points += worth
            ours += worth if own else 0
        if state.trump < 4:
            trumps[not own] += (hand >> 16 * state.trump & SUIT).bit_count()
    share = ours / all_points if all_points else 0.5
    lean = (trumps[0] - trumps[1]) / (2 * state.left) if state.left else 0.0
    return min(max(round(state.left * (0.5 + 1.3 * (share - 0.5) + 0.3 * lean)), 0), state.left)


def _solver() -> Solver:
    """The solver that is free, made when it is first needed."""
    if not _solvers:
        _solvers.append(Solver(GAME, table_megabytes=TABLE_MEGABYTES))
    return _solvers[0]
