"""The doctor's instruments by themselves: samples, snapshots, careful tables, comparisons."""

from __future__ import annotations

import random
import re
from pathlib import Path
from types import SimpleNamespace
from typing import Any, NamedTuple

import numpy as np
import pytest

from plywright import Game
from plywright.doctor import machine
from plywright.doctor.hooks import hooks
from plywright.doctor.indices import NegativeIndex, careful
from plywright.doctor.outside import strange_states_compiled
from plywright.doctor.rules import actions, game_length, rules_answer
from plywright.doctor.subject import Subject, ratio_interval, spread
from plywright.doctor.surroundings import snapshot
from plywright.games import load_game
from plywright.result import SearchResult
from plywright.rule_guard import Guard

HEALTHY = Path(__file__).parent / "healthy"


def subject(name: str) -> Subject:
    return Subject(load_game(str(HEALTHY / name)), seed=1, seconds=5.0, patience=5.0)


def test_sample_has_different_states_with_the_moves_that_lead_there() -> None:
    sick = subject("corridor.py")
    assert rules_answer(sick).status == "passed"
    assert len({seen.visit.state for seen in sick.seen}) == len(sick.seen) == sick.facts.states
    for seen in sick.visits(30):
        state = sick.game.play_moves(sick.game.start_state, " ".join(seen.moves))
        assert state == seen.visit.state
    assert actions(sick).sentence.startswith("at most 2")
    assert game_length(sick).status == "passed"


def test_hooks_are_told_with_the_states_that_minimax_could_solve() -> None:
    """ "In 5 of 130 states" reads as if minimax said otherwise in 125 of them."""
    examined = Subject(load_game("connect-four"), seed=1, seconds=1.0, patience=5.0)
    assert rules_answer(examined).status == "passed"
    told = hooks(examined).sentence
    assert re.search(r" keep to the rules in \d+ states; they agree with minimax in the \d+ that it could solve$", told)


def test_spread_takes_first_and_last_and_no_number_twice() -> None:
    assert spread(3, 10) == [0, 1, 2]
    for count, most in [(1000, 7), (12, 11), (300, 299), (2, 2)]:
        chosen = spread(count, most)
        assert chosen[0] == 0 and chosen[-1] == count - 1
        assert chosen == sorted(set(chosen)) and len(chosen) == min(count, most)


def test_interval_of_a_ratio_covers_the_truth_about_95_times_in_100() -> None:
    rng, covered = random.Random(1), 0
    for _ in range(400):
        games = [(sum(rng.choices((1, 2, 6), k=k)), k) for k in (rng.randint(5, 15) for _ in range(60))]
        sums = [sum(a for a, _ in games), sum(d for _, d in games)]
        products = [sum(a * a for a, _ in games), sum(a * d for a, d in games), sum(d * d for _, d in games)]
        interval = ratio_interval(len(games), *sums, *products)
        assert interval is not None
        covered += interval[1] <= 3 <= interval[2]
    assert 365 <= covered <= 395
    assert ratio_interval(1, 5, 2, 25, 10, 4) is None


class Point(NamedTuple):
    x: Any
    y: Any


@pytest.mark.parametrize(
    ("before", "change"),
    [
        ([1, 2], lambda value: value.append(3)),
        ({"a": [1]}, lambda value: value["a"].append(2)),
        (np.zeros(3), lambda value: value.__setitem__(1, 4)),
        ({1, 2}, lambda value: value.discard(1)),
        (Point([0], 1), lambda value: value.x.append(2)),
        (type("Box", (), {})(), lambda value: setattr(value, "inside", 1)),
    ],
)
def test_snapshot_sees_every_change(before: Any, change: Any) -> None:
    first = snapshot(before)
    assert snapshot(before) == first
    change(before)
    assert snapshot(before) != first


def test_careful_tables_refuse_computed_negative_indices_only() -> None:
    table, line, nested = careful(np.arange(6).reshape(2, 3)), careful((4, 5, 6)), careful(Point([7, (8, 9)], 0))
    zero = 0
    assert table[-1][-1] == 5 and table[1, -1] == 5 and line[-1] == 6 and nested.x[-1][-2] == 8
    assert line[zero - 2 :] == (5, 6) and table[zero + 1, 2] == 5
    for read in (
        lambda: table[zero - 1],
        lambda: table[1][zero - 3],
        lambda: table[1, zero - 1],
        lambda: line[zero - 1],
        lambda: nested.x[zero - 1],
        lambda: nested.x[1][zero - 1],
    ):
        with pytest.raises(NegativeIndex, match=r"zero - \d\] with index -"):
            read()
    assert line == (4, 5, 6) and hash(line) == hash((4, 5, 6))


def test_search_that_disagrees_with_the_textbook_is_a_fault(monkeypatch: pytest.MonkeyPatch) -> None:
    sick = subject("words.py")
    sick.play()
    assert machine.agreement(sick).status == "passed"
    honest = machine.search

    def biased(game: Game, *arguments: Any, **options: Any) -> SearchResult:
        result = honest(game, *arguments, **options)
        return result if options.get("algorithm") == "minimax" else SearchResult(**{**vars(result), "value": 0.5})

    monkeypatch.setattr(machine, "search", biased)
    verdict = machine.agreement(sick)
    assert verdict.status == "failed"
    assert "alpha-beta as Python" in verdict.sentence and "worth 0.5" in verdict.sentence


def test_lines_of_who_asks_are_not_named_as_the_games() -> None:
    """A fault inside native code has no line in the game's file; the line that called it says nothing."""
    code = compile("def ask(): raise IndexError('out of range')", "native_rules.py", "exec")
    asking: dict[str, Any] = {"__name__": "plywright.doctor.native_rules"}
    exec(code, asking)
    with pytest.raises(IndexError) as caught:
        asking["ask"]()
    assert "native_rules" not in Guard(load_game("nim")).line_of(caught.value)


def test_states_that_rules_cannot_play_are_told_once() -> None:
    known: Any = SimpleNamespace(native=object(), failed=set(), warned={"strange states"})
    assert strange_states_compiled(known).status == "skipped"
