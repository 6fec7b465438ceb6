"""The table by itself: entries are found again, also after it has grown or was stopped while it grew."""

from plywright.engine.transposition import (
    EXACT,
    action_of,
    bucket_of,
    first_mask,
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
