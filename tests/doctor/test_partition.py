"""The doctor finds a hook that names too little of what a value rests on (partition search)."""

from __future__ import annotations

from typing import Any

import pytest

from plywright.doctor.hooks import hooks
from plywright.doctor.rules import rules_answer
from plywright.doctor.subject import Subject, Verdict
from plywright.games.bridge.boards import read_deal
from plywright.games.bridge.double_dummy import DoubleDummy
from plywright.games.bridge.double_dummy_knowledge import DoubleDummyKnowledge
from plywright.games.bridge.play import opening
from plywright.games.bridge.trick import Trick

ONE = opening(read_deal("N:6.A..J87 K5.6..63 J87.K..9 QT.5..KT"), 0, 2)
OTHER = opening(read_deal("N:J.74.5.9 4.6.K2.8 Q7.3..32 T5..963."), 0, 0)


def examined(knowledge: type[DoubleDummyKnowledge], ending: Trick) -> Verdict:
    given = knowledge

    class Ending(DoubleDummy):
        knowledge = given

        def initial(self) -> Trick:
            return ending

    subject = Subject(Ending(), seed=1, seconds=20.0, patience=20.0)
    assert rules_answer(subject).status == "passed"
    return hooks(subject)


class Forgetful(DoubleDummyKnowledge):
    """Forgets the cards that a trick was won by."""

    def relied(self, state: Any, action: int, needed: int) -> int:
        return needed


class Groundless(DoubleDummyKnowledge):
    """Quick tricks rest on nothing."""

    def grounds(self, state: Any, value: int, lower: bool) -> int:
        return 0


class Patternless(DoubleDummyKnowledge):
    """No card matters in an entry."""

    def pattern_bits(self, state: Any, needed: int) -> int:
        return 0


class Shapeless(DoubleDummyKnowledge):
    """All states have one shape."""

    def shape(self, state: Any) -> int:
        return 1


class Overdrawn(DoubleDummyKnowledge):
    """Forgets that tricks have been made already."""

    def banked(self, state: Any) -> int:
        return 0


class Sparing(DoubleDummyKnowledge):
    """After one card that failed all others are spared."""

    def spares(self, state: Any, action: int, needed: int) -> int:
        return -1


def test_right_hooks_pass() -> None:
    found = examined(DoubleDummyKnowledge, ONE)
    assert found.status == "passed", found.sentence


slow = pytest.mark.slow


@pytest.mark.parametrize(
    ("wrong", "ending"),
    [
        *((one, ONE) for one in (Forgetful, Shapeless, Overdrawn, Sparing)),
        *(pytest.param(one, OTHER, marks=slow) for one in (Groundless, Patternless)),
    ],
)
def test_a_wrong_hook_is_found(wrong: type[DoubleDummyKnowledge], ending: Trick) -> None:
    found = examined(wrong, ending)
    assert found.status == "failed" and "minimax" in found.sentence, found.sentence
