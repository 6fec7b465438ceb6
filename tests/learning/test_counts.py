"""States that are separate numbers and no board: what the numbers are worth together is learned."""

from __future__ import annotations

from collections.abc import Iterator
from itertools import product

import pytest

from plywright import Game, learn, search
from plywright.models.inside import look_inside
from plywright.models.loading import make_model
from plywright.models.tuple_shapes import ENTRIES, GROUPS, counts_together

Heaps = tuple[int, int, int, int]


class PlainNim(Game):
    """Nim with heaps of 3, 4 and 5; the state is the heaps and who is to move."""

    players = 2

    def initial(self) -> Heaps:
        return (3, 4, 5, 0)

    def to_move(self, state: Heaps) -> int:
        return state[3]

    def actions(self, state: Heaps) -> Iterator[int]:
        for heap in range(3):
            for take in range(1, state[heap] + 1):
                yield 8 * heap + take

    def result(self, state: Heaps, action: int) -> Heaps:
        one, two, three, turn = state
        heap, take = action // 8, action % 8
        return (one - take * (heap == 0), two - take * (heap == 1), three - take * (heap == 2), 1 - turn)

    def is_terminal(self, state: Heaps) -> bool:
        return state[0] + state[1] + state[2] == 0

    def utility(self, state: Heaps, player: int) -> float:
        return -1.0 if player == state[3] else 1.0


def test_nim_of_three_numbers_is_learned_so_well_that_hardly_a_win_is_given_away() -> None:
    game = PlainNim()
    model = learn(game, games=20_000, workers=1, pairs=0, seed=1)
    won = [heaps for heaps in product(range(4), range(5), range(6)) if heaps[0] ^ heaps[1] ^ heaps[2]]
    given_away = 0
    for heaps in won:
        state = (*heaps, 0)
        one, two, three, _ = game.result(state, search(game, state, depth=1, knowledge=model).action)
        given_away += one ^ two ^ three != 0
    assert len(won) == 102 and given_away <= 3


def test_a_pattern_of_several_numbers_is_told_in_words() -> None:
    """One table of all three heaps, and all the weight on one entry of it."""
    model = make_model(PlainNim())
    model.weights[:] = 0
    *_, all_heaps = (n for n in range(model.number_tuples) if model.first_slot[n + 1] - model.first_slot[n] == 3)
    model.weights[model.number_table[all_heaps] + 2 + 4 * 1 + 20 * 3] = 0.5
    (largest,) = look_inside(model, 3).largest
    assert largest.words == "state[0] = 2, state[1] = 1, state[2] = 3"


@pytest.mark.parametrize("kinds", [[4, 5, 6], [64] * 4, [2] * 30, [64] * 200, [7]])
def test_tables_of_several_numbers_are_small_and_not_many(kinds: list[int]) -> None:
    groups = counts_together(kinds)
    assert groups[: len(kinds)] == [(n,) for n in range(len(kinds))]
    together = groups[len(kinds) :]
    assert len(set(groups)) == len(groups) and len(together) <= GROUPS
    for group in together:
        size = 1
        for n in group:
            size *= kinds[n]
        assert len(group) > 1 and size <= ENTRIES
    assert (len(together) > 0) == (len(kinds) > 1)
