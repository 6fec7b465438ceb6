"""Inputs, phases and known outputs of an author's: what a network has no place for is named, and never read or written.

The hooks go wrong on boards of tic-tac-toe with one stone, by the square that it is on; all others are in order.
"""

from __future__ import annotations

import contextlib
import math
from typing import Any

import numpy as np
import pytest

from plywright import GameError, Knowledge
from plywright.compiled import interpreted, kernel
from plywright.games.mnk import MNK
from plywright.learning.culprit import raise_culprit
from plywright.models.loading import make_model

MANY, FEWER, BEYOND, BELOW, FAR, NEGATIVE = range(6)
"""The squares."""


class Wrong(Knowledge):
    input_count = 9
    phases = 2

    def inputs(self, state: Any, places: Any, values: Any) -> int:
        stones = state[0] | state[1]
        places[0] = 3
        values[0] = 1.0
        if stones == 1 << BEYOND:
            places[0] = 100_000_000
        if stones == 1 << BELOW:
            places[0] = -100_000_000
        if stones == 1 << MANY:
            return 100_000_000
        return -1 if stones == 1 << FEWER else 1

    def phase(self, state: Any) -> int:
        stones = state[0] | state[1]
        if stones == 1 << FAR:
            return 100_000
        return -1 if stones == 1 << NEGATIVE else 1


class WrongGame(MNK):
    knowledge = Wrong


@kernel
def value_after(game: Any, knowledge: Any, state: Any, action: int) -> float:
    return 1.0 * knowledge.evaluate(game.result(state, action), 0)  # type: ignore[no-any-return]


@pytest.mark.parametrize("compiled", [True, False])
def test_compiled_code_does_not_follow_an_author_out_of_its_memory(compiled: bool) -> None:
    game: Any = WrongGame(3, 3, 3)
    model = make_model(game, "network", hidden=8)
    with contextlib.nullcontext() if compiled else interpreted():
        assert -1 < value_after(game, model, game.start_state, 8) < 1
        for square, words in (
            *((MANY, r"inputs\(\) returns more"), (FEWER, r"inputs\(\) returns more inputs .* or fewer")),
            *((BEYOND, r"inputs\(\) writes a place"), (BELOW, r"inputs\(\) writes a place")),
            *((FAR, r"phase\(\) is not from 0"), (NEGATIVE, r"phase\(\) is not from 0")),
        ):
            with pytest.raises(Exception, match=words):
                value_after(game, model, game.start_state, square)


@pytest.mark.parametrize(
    ("square", "words"),
    [
        (MANY, r"inputs\(\) returns 100000000; it returns how many inputs it has written, 0 to 512 \(after a1\)"),
        (FEWER, r"inputs\(\) returns -1; .* \(after b1\)"),
        (BEYOND, r"inputs\(\) returns 1, and places\[0\] is 100000000: a place is from 0 to 8, .* \(after c1\)"),
        (BELOW, r"inputs\(\) returns 1, and places\[0\] is -100000000: .* \(after a2\)"),
        (FAR, r"phase\(\) is 100000; it is a whole number from 0 to 1, since phases is 2 \(after b2\)"),
        (NEGATIVE, r"phase\(\) is -1; .* \(after c2\)"),
    ],
)
def test_the_hook_is_named_with_the_moves_that_lead_there(square: int, words: str) -> None:
    model = make_model(WrongGame(3, 3, 3), "network", hidden=8)
    with pytest.raises(GameError, match=words):
        raise_culprit(model, [[square]], 0)


def always(places: Any, values: Any, place: int, value: float) -> int:
    places[0], values[0] = place, value
    return 1


def known(found: Any, value: float) -> bool:
    found[0] = value
    return True


ONE = {"input_count": 9, "inputs": lambda self, state, places, values: always(places, values, 3, 1.0)}


@pytest.mark.parametrize(
    ("hooks", "words"),
    [
        ({"inputs": lambda *_: 600}, r"inputs\(\) returns 600; .* \(at the start\)"),
        ({"inputs": lambda *_: None}, r"inputs\(\) returns None; it returns how many"),
        ({"inputs": lambda *_: 2}, r"inputs\(\) returns 2, and places\[0\] is -1: a place is from 0 to 8"),
        ({"inputs": lambda self, state, p, v: always(p, v, 600, math.inf)}, r"places\[0\] is 600"),
        ({"inputs": lambda self, state, p, v: always(p, v, 3, math.nan)}, r"inputs\(\) gives nan to input 3"),
        ({"inputs": lambda self, state, p, v: always(p, v, 3, 1e300)}, r"inputs\(\) gives inf to input 3"),
        ({"inputs": lambda self, state, p, v: always(p, v, 3, 1e20)}, r"inputs\(\) gives 1e\+20 to input 3: it lies"),
        ({"inputs": lambda self, state, p, v: p[600]}, r"inputs\(\) in test_own_inputs.py, .* raised IndexError"),
        ({"phase": lambda *_: 1}, r"phase\(\) is 1; .* from 0 to 0, since phases, which nobody sets, is 1"),
        ({"phase": lambda *_: 0.5, "phases": 2}, r"phase\(\) is 0.5; it is a whole number"),
        ({"known": lambda self, state, found: True}, r"known\(\) leaves nan in found\[0\]; an output is from -1 to 1"),
        ({"known": lambda self, state, found: known(found, 7.0)}, r"known\(\) leaves 7 in found\[0\]"),
    ],
)
@pytest.mark.filterwarnings("error")
def test_hooks_are_looked_at_when_a_network_is_made(hooks: dict[str, Any], words: str) -> None:
    own = type("Given", (Knowledge,), {"__module__": __name__, **ONE, **hooks})
    game: Any = type("GivenGame", (MNK,), {"__module__": __name__, "knowledge": own})
    with pytest.raises(GameError, match=words):
        make_model(game(3, 3, 3), "network")


def test_where_the_outputs_are_known_nothing_else_is_asked() -> None:
    hooks: dict[str, Any] = {"known": lambda self, state, found: known(found, 0.5), "inputs": lambda *_: 600}
    own = type("Given", (Knowledge,), {"__module__": __name__, **ONE, **hooks})
    game: Any = type("GivenGame", (MNK,), {"__module__": __name__, "knowledge": own})
    made: Any = make_model(game(3, 3, 3), "network", hidden=8)
    assert np.isclose(made.evaluate(made.game.start_state, 0), 0.5, atol=1e-3)
