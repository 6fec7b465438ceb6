"""Whether some line of a proof repeats a position, against every line by itself."""

from __future__ import annotations

import random
from collections.abc import Iterator

import pytest

from plywright.engine.proof import recurrence
from plywright.engine.proof.recurrence import recurring


def graph(seed: int) -> tuple[list[int], list[list[int]]]:
    """Keys, some of them alike, and what follows each state, with lower numbers."""
    dice = random.Random(seed)
    count = dice.randint(2, 12)
    keys = [dice.randrange(max(2, count * 2 // 3)) for _ in range(count)]
    after = [dice.sample(range(place), dice.randint(0, min(place, 2))) for place in range(count)]
    return keys, after


def lines(place: int, after: list[list[int]]) -> Iterator[list[int]]:
    """All lines from a state on."""
    if not after[place]:
        yield [place]
    for child in after[place]:
        for rest in lines(child, after):
            yield [place, *rest]


@pytest.mark.parametrize("memory", [recurrence.MEMORY, 1])
def test_a_line_that_repeats_is_found_wherever_it_is(memory: int, monkeypatch: pytest.MonkeyPatch) -> None:
    """With next to no memory the positions are looked at one by one."""
    monkeypatch.setattr(recurrence, "MEMORY", memory)
    found = {True: 0, False: 0}
    for seed in range(600):
        keys, after = graph(seed)
        draws, counts = 2 + seed % 2, {key: seed % 2 for key in keys[: seed % 4] if keys.count(key) > 1}
        every = [line for place in range(len(keys)) for line in lines(place, after)]
        drawn = {
            line[0]
            for line in every
            if (times := sum(keys[place] == keys[line[0]] for place in line)) > 1
            and counts.get(keys[line[0]], 0) + times >= draws
        }
        place = recurring(keys, after, draws, counts, lambda: None)
        assert (place is not None) == bool(drawn), seed
        assert place is None or place in drawn
        found[bool(drawn)] += 1
    assert min(found.values()) > 100


def test_the_clock_is_looked_at() -> None:
    looks = []
    recurring([0, 0, *range(1, 5000)], [[], [0], *([] for _ in range(4999))], 2, {}, lambda: looks.append(1))
    assert looks
