"""The table by itself: entries are found again, also after it has grown or was stopped while it grew."""

from types import SimpleNamespace

import numpy as np
import pytest

from plywright.engine.alphabeta.entries import keep
from plywright.engine.alphabeta.pvs_counters import AGE, HORIZON, INFO, MODE, PATH, SELECTIVE
from plywright.engine.alphabeta.repetition import NOWHERE
from plywright.engine.alphabeta.transposition import (
    EXACT,
    action_of,
    bucket_of,
    depth_of,
    empty_words,
    first_mask,
    keep_for_next,
    new_table,
    probe,
    store,
    value_of,
    widened,
)
from plywright.rng import scramble

KEYS = [int(scramble(number)) - (1 << 63) for number in range(3000)]


def filled(megabytes: float, mask: int):
    table = new_table(megabytes)
    for number, key in enumerate(KEYS):
        store(table, bucket_of(key, mask), key, number - 1500, number % 999, number % 9, 0, 1, EXACT)
    return table


def known(table, mask: int) -> dict[int, tuple[int, int]]:
    found = {}
    for key in KEYS:
        data = int(probe(table, bucket_of(key, mask), key))
        if data:
            found[key] = value_of(data), action_of(data)
    return found


def test_a_table_that_grows_keeps_every_entry() -> None:
    mask = 1023
    table = filled(1, mask)
    before = known(table, mask)
    assert len(before) > 1100
    wider = widened(table, mask, 10_000, lambda: False)
    assert wider == 16_383
    assert known(table, wider) == before


def test_a_table_grows_no_further_than_its_memory_and_never_shrinks() -> None:
    table = new_table(0.1)
    last = len(table) // 4 - 1
    assert widened(table, first_mask(table), 1 << 40, lambda: False) == last
    assert widened(table, last, 1, lambda: False) == last


def test_growing_stops_when_told_to_and_finds_nothing_wrong() -> None:
    mask = (1 << 15) - 1
    table = filled(8, mask)
    before = known(table, mask)
    asked = iter((False, False, True))
    assert widened(table, mask, 1 << 17, lambda: next(asked)) == mask
    after = known(table, mask)
    assert 0 < len(after) < len(before)
    assert after.items() <= before.items()


def test_a_table_that_nobody_needs_any_more_serves_the_next_search_and_is_empty() -> None:
    mask = 1023
    table = filled(1, mask)
    keep_for_next(table, mask)
    assert new_table(2) is not table  # of another size: it is dropped
    keep_for_next(table, mask)
    found = new_table(1)
    assert found is table
    assert not found.any()
    assert new_table(1) is not table


def test_buckets_lie_within_cache_lines() -> None:
    for megabytes in (0.001, 1, 8):
        assert new_table(megabytes).ctypes.data % 64 == 0


@pytest.mark.parametrize("tactical", [False, True])
def test_in_games_of_tactics_what_was_best_stays_and_a_deep_entry_outlasts_a_shallow_bound(tactical: bool) -> None:
    info = np.zeros(INFO, np.int64)
    info[MODE], info[AGE], info[HORIZON], info[PATH] = SELECTIVE, 1, 5, NOWHERE
    work = SimpleNamespace(info=info, table=empty_words(4))
    knowledge = SimpleNamespace(has_tactical=tactical, counts_down=False)
    game = SimpleNamespace(repeats=False, repetition_forbids=0, repetition_draws=0)

    def kept(best: int, action: int, depth: int) -> tuple[int, int]:
        """What the table says after a node with the window (20, 22), whose first action was 9, was worth `best`."""
        keep(game, knowledge, work, 0, 77, best, action, 9, 20, 22, depth, 0, 0)
        data = probe(work.table, 0, 77)
        return action_of(data), depth_of(data)

    assert kept(10, 3, 4) == (9 if tactical else 3, 4)  # nothing reached the window: 3 is only the least bad bound
    assert kept(30, 5, 9) == (5, 9)
    assert kept(30, 6, 5) == ((5, 9) if tactical else (6, 5))
    assert kept(30, 7, 6) == (7, 6)
    assert kept(21, 8, 1) == (8, 1)  # a value is more than a bound
