"""What is raised in a worker process is what its caller catches: every error of ours survives the way between them."""

from __future__ import annotations

import inspect
import pickle
from collections.abc import Iterator
from typing import Any

import pytest

from plywright import doctor, pacman, web  # noqa: F401 - their errors, too
from plywright.arena import runner  # noqa: F401
from plywright.compiled import Uncompilable
from plywright.doctor.outside import Unplayable
from plywright.errors import ImpossibleState
from plywright.players.offence import LATE, Offence
from plywright.rule_guard import RAISED, Fault
from plywright.utility.elicitation import Inconsistent

KNOWN: list[tuple[Any, tuple[Any, ...], str]] = [
    (Fault, ("nim", "result", "raised it", "(after 1)", RAISED, ["1"]), "nim: result() raised it (after 1)"),
    (Offence, (LATE, "slow\x1b did not answer", "raw"), "slow\\x1b did not answer"),
    (Unplayable, ("it loops", RAISED), "it loops"),
    (Inconsistent, ("that cannot be", []), "that cannot be"),
    (Uncompilable, ("a set of sets", "folder/mine.py", 12), "mine.py, line 12: a set of sets"),
]  # fmt: skip


def errors(base: type[BaseException] = BaseException) -> Iterator[type[BaseException]]:
    for cls in base.__subclasses__():
        if cls.__module__.startswith("plywright."):
            yield cls
        yield from errors(cls)


@pytest.mark.parametrize(("cls", "args", "sentence"), KNOWN, ids=lambda value: getattr(value, "__name__", ""))
def test_an_error_arrives_whole_in_another_process(cls: Any, args: tuple[Any, ...], sentence: str) -> None:
    error = cls(*args)
    found = pickle.loads(pickle.dumps(error))
    assert type(found) is cls and str(found) == str(error) == sentence and vars(found) == vars(error)


def test_no_error_keeps_less_than_it_was_made_of() -> None:
    """Python makes it anew from `args`: whoever wants another number of them cannot be read back."""
    seen = set()
    for cls in errors():
        if "__init__" in vars(cls):
            wanted = [part for part in inspect.signature(cls).parameters.values() if part.default is part.empty]
            error = cls(*["x"] * len(wanted))
            assert type(pickle.loads(pickle.dumps(error))) is cls
            seen.add(cls)
    assert {cls for cls, _, _ in KNOWN} <= seen


def test_a_reason_travels_with_its_error() -> None:
    error = ImpossibleState.of("XX", "nim", "it is odd")
    found = pickle.loads(pickle.dumps(error))
    assert str(found) == "'XX' cannot be a state of nim: it is odd" and found.why == "it is odd"
    assert str(type(error)(f"file: {error}")).startswith("file: 'XX'")  # as those who add a place to a message do
