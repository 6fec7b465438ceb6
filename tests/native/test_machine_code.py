"""Machine code from the cache: a second process has the answers and the errors of the first, without Numba."""

from __future__ import annotations

import hashlib
import json
import os
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest

from plywright.compiled import NO_GAME, kernel
from plywright.native import _kept, _made, codecache
from plywright.native.words import kind_of

GAMES = """
from typing import NamedTuple
import numpy as np
from plywright import Game

class Counted(NamedTuple):
    count: int
    turn: int

class Subtract(Game):
    "Take 1 to 3 from the count; who takes the last one wins."
    def initial(self): return Counted(14, 0)
    def to_move(self, state): return state.turn
    def actions(self, state):
        for number in range(1, min(3, state.count) + 1):
            yield number
    def result(self, state, action): return Counted(state.count - action, 1 - state.turn)
    def is_terminal(self, state): return state.count == 0
    def utility(self, state, player): return -1 if player == state.turn else 1

class Wide(NamedTuple):
    board: np.uint64
    weight: float
    cells: tuple
    turn: bool

class Mixture(Game):
    "Every kind of field, and a tuple in the tuple."
    utility_range, step = (-30, 30), None
    def initial(self): return Wide(np.uint64(1) << np.uint64(63), 0.25, (0, (-5, 0.5)), False)
    def to_move(self, state): return 1 if state.turn else 0
    def actions(self, state):
        if state.cells[0] < 3:
            yield 0
            yield 1
    def result(self, state, action):
        weight = state.weight * 3.0 + action
        return Wide(state.board >> np.uint64(1), weight, (state.cells[0] + 1, (action, -0.5)), not state.turn)
    def utility(self, state, player):
        value = state.weight + state.cells[1][1] if state.board == np.uint64(1) << np.uint64(60) else 0.0
        return value if player == 0 else -value

class Table(Game):
    "Numbers that travel as data: an array of two dimensions, an int and a float."
    runtime = ("values", "shift", "scale")
    utility_range, step = (-30, 30), None
    def __init__(self, values, shift=0, scale=1.0):
        self.values, self.shift, self.scale = np.array(values), shift, scale
    def initial(self): return 0
    def to_move(self, state): return 0
    def actions(self, state):
        if state == 0:
            for i in range(self.values.shape[0] * self.values.shape[1]):
                yield i
    def result(self, state, action): return action + 1
    def utility(self, state, player):
        width = self.values.shape[1]
        value = self.scale * self.values[(state - 1) // width, (state - 1) % width] + self.shift
        return value if player == 0 else -value

class Faulty(Subtract):
    table = np.arange(3)
    def result(self, state, action):
        if state.count <= 6:
            self.fail(state, action)
        return Counted(state.count - action, 1 - state.turn)

class Raising(Faulty):
    def fail(self, state, action): raise ValueError("no such thing")

class Telling(Faulty):
    def fail(self, state, action): raise LookupError("the count is", state.count)

class Outside(Faulty):
    def fail(self, state, action): return self.table[state.count]

class Dividing(Faulty):
    def fail(self, state, action): return 1 // (state.count // 7)
"""

ASK = """
import json, os, signal, sys, threading
from pathlib import Path
import numpy as np
from plywright import perft, search
from plywright.games.registry import import_file
from plywright.compiled import interpreted, kernel

@kernel
def split(game, state, action):
    return game.result(state, action), (state.turn, 1.5), state.turn == 0

@kernel
def sums(game, rows, work):
    for i in range(rows.shape[0]):
        for j in range(rows.shape[1]):
            rows[i, j] += 1

games = vars(import_file(Path("games.py")))
found = {}

def keep(name, result, *more):
    assert result.compiled, name
    found[name] = [result.value, result.line, result.nodes, *more]

native, plain = (search(games["Mixture"](), algorithm="minimax", depth=9, compiled=how) for how in (None, False))
keep("mixture", native)
assert found["mixture"] == [plain.value, plain.line, plain.nodes]
for name, values, shift, scale in (("first", [[1, 5], [2, 3]], 7, 0.5), ("second", [[4, 4, 9]], -1, 2.0)):
    keep(name, search(games["Table"](values, shift, scale), algorithm="minimax", depth=2))
game = games["Subtract"]()
found["perft"] = perft(game, 9)
with interpreted():
    assert perft(game, 9) == found["perft"]
keep("pvs", search(game, depth=14))
others = (
    "plywright.utility",
    "plywright.engine.chance.expectiminimax_search",
    "plywright.engine.montecarlo.mcts",
    "plywright.engine.hidden.determinization",
)
found["others"] = [name for name in others if name in sys.modules]
deep = games["Counted"](90, 0)
keep("nodes", search(game, deep, nodes=2000))
two = search(game, depth=14, threads=2)
assert two.compiled and two.value == found["pvs"][0] and two.line
keep("minimax", search(game, algorithm="minimax", depth=14))
late = search(game, deep, time=0.2, algorithm="minimax")  # neither ends by itself
threading.Timer(0.3, lambda: os.kill(os.getpid(), signal.SIGINT)).start()
stopped = search(game, deep, time=1e6, algorithm="minimax")
assert late.compiled and late.line and stopped.compiled and stopped.line
state = game.start_state
found["split"] = repr(split(game, state, 2))
rows = np.zeros((2, 3))
found["sums"] = [sums(game, rows, None), rows.tolist()]
found["numba"] = "numba" in sys.modules
found["errors"] = {}
for name in ("Raising", "Telling", "Outside", "Dividing"):
    faulty = games[name]()
    faulty.__dict__["_smoke_tested"] = True
    try:
        search(faulty, depth=14, algorithm="minimax")
    except Exception as error:
        cause = error.__cause__
        found["errors"][name] = [str(error), type(cause).__name__, repr(cause.args)]
print(json.dumps(found))
"""


def answers(folder: Path, code: str = ASK, **environment: str) -> Any:
    """What a new process answers, in a folder with the games and a cache."""
    (folder / "games.py").write_text(GAMES)
    done = subprocess.run(
        [sys.executable, "-c", code],
        cwd=folder,
        env={**os.environ, "PLYWRIGHT_CACHE": str(folder / "cache"), **environment},
        capture_output=True,
        text=True,
        timeout=300,
    )
    assert done.returncode == 0, done.stderr
    return json.loads(done.stdout)


@pytest.fixture(scope="module")
def twice(tmp_path_factory: pytest.TempPathFactory) -> tuple[Any, Any]:
    """The answers of a process that compiles everything, and of the next one, which compiles nothing."""
    folder = tmp_path_factory.mktemp("machine_code")
    return answers(folder), answers(folder)


def test_a_second_process_answers_the_same_without_numba(twice: tuple[Any, Any]) -> None:
    first, second = twice
    assert first.pop("numba") is True and second.pop("numba") is False
    assert first == second


def test_searches_that_were_not_chosen_are_not_imported(twice: tuple[Any, Any]) -> None:
    assert twice[1]["others"] == []


def test_the_answers_are_right(twice: tuple[Any, Any]) -> None:
    found = twice[1]
    assert found["mixture"][0] == 3 * (3 * (3 * 0.25 + 1) + 0) + 1 - 0.5
    assert (found["first"][0], found["second"][0]) == (0.5 * 5 + 7, 2 * 9 - 1)
    assert found["pvs"][0] == 1
    assert found["split"] == "(Counted(count=12, turn=1), (0, 1.5), True)"
    assert found["sums"] == [None, [[1.0, 1.0, 1.0], [1.0, 1.0, 1.0]]]


def test_errors_in_rules_are_the_same_exceptions(twice: tuple[Any, Any]) -> None:
    errors = twice[1]["errors"]
    assert errors == twice[0]["errors"]
    assert {name: error[1:] for name, error in errors.items()} == {
        "Raising": ["ValueError", "('no such thing',)"],
        "Telling": ["LookupError", "('the count is', 6)"],
        "Outside": ["IndexError", "('index is out of bounds',)"],
        "Dividing": ["ZeroDivisionError", "('integer division by zero',)"],
    }
    assert "games.py, line" in errors["Raising"][0] and "a compiled rule raised" in errors["Outside"][0]


@kernel
def halved(game, number):  # type: ignore[no-untyped-def]
    return number * 0.5


KINDS = tuple(kind_of(value) for value in (NO_GAME, 7))


def test_code_of_another_machine_version_or_setting_is_another_file(monkeypatch: pytest.MonkeyPatch) -> None:
    paths = {codecache.path_of(halved, KINDS)}
    for module, name, value in (
        (codecache, "machine", lambda: ("another", "machine", "")),
        (codecache, "_numba_version", lambda: "0"),
        (codecache.llvmlite, "__version__", "0"),
    ):
        with monkeypatch.context() as changed:
            changed.setattr(module, name, value)
            paths.add(codecache.path_of(halved, KINDS))
    with monkeypatch.context() as changed:
        changed.setenv("NUMBA_OPT", "1")
        paths.add(codecache.path_of(halved, KINDS))
    paths.add(codecache.path_of(halved, (KINDS[0], kind_of(0.5))))
    assert len(paths) == 6 and codecache.path_of(halved, KINDS) in paths


def test_code_that_cannot_be_linked_is_a_miss(fresh_cache: Path) -> None:
    """Whole files, whose content this process can do nothing with."""
    assert _made(halved, NO_GAME, (7,), KINDS)(NO_GAME, 7) == 3.5
    kept = _kept(halved, NO_GAME, KINDS)
    assert kept is not None and kept(NO_GAME, 7) == 3.5
    file = codecache.path_of(halved, KINDS)
    head, _, code = file.read_bytes()[32:].partition(b"\n")
    facts = json.loads(head)
    for data in (
        head + b"\n" + code[: len(code) // 2],
        head + b"\n",
        json.dumps({**facts, "symbols": ["nobody_has_this"]}).encode() + b"\n" + code,
        json.dumps({**facts, "name": "another"}).encode() + b"\n" + code,
        json.dumps({**facts, "result": [7, "int64"]}).encode() + b"\n" + code,
        json.dumps({**facts, "result": "text"}).encode() + b"\n" + code,
        json.dumps([facts]).encode() + b"\n" + code,
        b"no facts at all",
    ):
        file.write_bytes(hashlib.sha256(data).digest() + data)
        assert _kept(halved, NO_GAME, KINDS) is None, data[:200]
