"""States and observations that were not reached by play: what is refused, in words, and what never is."""

from __future__ import annotations

import re
from collections.abc import Iterator
from pathlib import Path
from typing import NamedTuple

import pytest

import plywright
from plywright import BadInput, Game, load_game
from plywright.utility import Valued


class Count(NamedTuple):
    left: int
    mover: int
    weight: float


class Countdown(Game):
    """Take one or two; the default check has to do."""

    def initial(self) -> Count:
        return Count(5, 0, 0.5)

    def to_move(self, state: Count) -> int:
        return state.mover

    def actions(self, state: Count) -> Iterator[int]:
        for taken in range(1, min(state.left, 2) + 1):
            yield taken

    def result(self, state: Count, action: int) -> Count:
        return Count(state.left - action, 1 - state.mover, state.weight)

    def is_terminal(self, state: Count) -> bool:
        return state.left == 0

    def utility(self, state: Count, player: int) -> float:
        return -1 if player == state.mover else 1


@pytest.mark.parametrize(
    ("text", "words"),
    [
        ("3,0,0.5", ""),
        ("0,1,0.5", ""),
        ("3,7,0.5", "player to move would be 7"),
        ("-4,0,0.5", "nobody can move"),
        ("3,0,1e999", "not finite"),
        ("3,0,nan", "not finite"),
        ("1e999,0,0.5", "whole number"),
        ("nan,0,0.5", "whole number"),
        ("9" * 5000 + ",0,0.5", "too many digits"),
        ("9" * 200_000, "line of text"),
        ("3,0", "3 numbers"),
        ("3,0,x", "could not convert"),
    ],
)
def test_a_game_without_a_check_of_its_own_refuses_what_cannot_be_played(text: str, words: str) -> None:
    game = Countdown()
    if not words:
        assert game.format_state(game.read_state(text)) == text
        return
    with pytest.raises(BadInput, match=words) as caught:
        game.read_state(text)
    assert len(str(caught.value)) < 1000 or "9999" in text


def test_what_a_parser_raises_is_told_as_a_fault_of_the_text() -> None:
    class Odd(Countdown):
        def parse_state(self, text: str) -> Count:
            return Count(int(text), 0, 0.5)

    with pytest.raises(BadInput, match=r"'x' is not a state of odd .*parse_state raised ValueError"):
        Odd().read_state("x")


def test_a_game_seen_through_another_one_s_rules_asks_the_same_questions() -> None:
    game = Valued(load_game("nim"), lambda amount: amount)
    with pytest.raises(BadInput):
        game.checked((5, 7))
    assert not Valued(Countdown(), float).checks_states


def test_no_text_from_outside_goes_round_the_check() -> None:
    """Whoever reads a state calls read_state; parse_state is called by games, and by the doctor who examines it."""
    source = Path(plywright.__file__).parent
    allowed = {"game.py", "wrapped.py", "utility/decision.py"}  # a way through a decision tree, which it looks up
    for path in source.rglob("*.py"):
        place = path.relative_to(source).as_posix()
        if place not in allowed and not place.startswith(("games/", "doctor/")):
            found = re.search(r"\.parse_(state|observation)\(", path.read_text())
            assert found is None, f"{place} reads a state without a check"
