"""Numba at arm's length: whatever differs inside it, games become native code and give the same answers."""

from __future__ import annotations

import ast
import importlib
import inspect
import subprocess
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

import plywright.native
from plywright import search
from plywright.native import numba_internals
from plywright.native.numba_internals import BRIDGE, SHORT_CUTS, Need, bridge_fault, fault, needs

Run = Callable[..., subprocess.CompletedProcess[str]]
EVERY = [(name, need) for name, short_cut in SHORT_CUTS.items() for need in needs(short_cut.needs)]


@pytest.fixture
def unchecked() -> Any:
    """Nothing is remembered of what was found before the test, or in it."""
    for found in (numba_internals._checked, bridge_fault):
        found.cache_clear()
    yield
    for found in (numba_internals._checked, bridge_fault):
        found.cache_clear()


def test_all_short_cuts_are_taken_with_the_installed_numba() -> None:
    """Where this fails after an upgrade: read what has changed in Numba, and add its digest if the short cut fits."""
    assert {name: fault(name) for name in SHORT_CUTS} == dict.fromkeys(SHORT_CUTS)
    assert bridge_fault() is None


def _holders(need: Need) -> tuple[list[Any], str]:
    """Where the attribute is kept that a need names: a module, or the classes that define it."""
    owner: Any = importlib.import_module(need.module)
    *path, name = need.path.split(".")
    for part in path:
        owner = getattr(owner, part)
    classes = owner.__mro__[:-1] if inspect.isclass(owner) else ()
    return [cls for cls in classes if name in vars(cls)] or [owner], name


def _stranger(another: Any) -> None:
    """No function of Numba's is called like this, or has this text."""


@pytest.mark.parametrize(("name", "need"), EVERY, ids=[f"{name}: {need.place}" for name, need in EVERY])
def test_every_difference_is_seen(name: str, need: Need, monkeypatch: pytest.MonkeyPatch, unchecked: None) -> None:
    owners, attribute = _holders(need)
    with monkeypatch.context() as changed:
        for owner in owners:
            changed.delattr(owner, attribute)
        assert (need.fault() or "").startswith(f"{need.place} is ")
        assert fault(name) is not None
    numba_internals._checked.cache_clear()
    if need.parameters is not None or need.text is not None or need.digests is not None:
        with monkeypatch.context() as changed:
            changed.setattr(owners[0], attribute, _stranger)
            assert (need.fault() or "").startswith(f"{need.place} is ")
            assert fault(name) is not None
    numba_internals._checked.cache_clear()
    assert fault(name) is None


PUBLIC = ("numba", "numba.extending", "numba.core")
"""Modules that Numba documents; of `numba.core` those below."""
DOCUMENTED = {"cgutils", "errors", "ir", "types", "typing"}


def test_whatever_is_imported_from_inside_numba_is_listed() -> None:
    stated = [need for _, need in EVERY] + needs(BRIDGE)
    listed = {f"{need.module}.{need.path.split('.')[0]}" for need in stated}
    missing = []
    for file in sorted(Path(plywright.native.__file__).parent.glob("*.py")):
        for node in ast.walk(ast.parse(file.read_text())):
            if not isinstance(node, ast.ImportFrom) or (node.module or "").split(".")[0] != "numba":
                continue
            for alias in node.names:
                public = node.module in PUBLIC and (node.module != "numba.core" or alias.name in DOCUMENTED)
                if f"{node.module}.{alias.name}" not in listed and (not public or alias.name.startswith("_")):
                    missing.append(f"{file.name}: {node.module}.{alias.name}")
    assert not missing


GAME = """
from typing import NamedTuple
from plywright import Game

class Pile(NamedTuple):
    stones: int
    turn: int
    worth: float

def halved(number):
    return 1.0 if number == 0 else halved(number - 1) * 0.5

class Take(Game):
    "Lists in generators, recursion, states whose fields change their type, an error of its own."
    def initial(self): return Pile(7, 0, 0.0)
    def to_move(self, state): return state.turn
    def counts(self, stones): return [count for count in range(1, 4) if count <= stones]
    def actions(self, state):
        for count in self.counts(state.stones):
            yield count
    def result(self, state, action):
        if state.stones < 0:
            raise ValueError("too few stones")
        after = state
        if action > 1:
            after = Pile(state.stones, state.turn, action)
        return Pile(after.stones - action, 1 - after.turn, after.worth + halved(action))
    def is_terminal(self, state): return state.stones <= 0
    def utility(self, state, player): return -1 if player == state.turn else 1
    def evaluate(self, state, player): return state.worth / 64 if player == state.turn else -state.worth / 64

class Failing(Take):
    def result(self, state, action):
        if state.stones == 5:
            raise ValueError("five stones")
        return Pile(state.stones - action, 1 - state.turn, 0.0)
"""

ASK = """
import warnings
warnings.simplefilter("error")
from plywright import GameError, search
from plywright.knowledge import knowledge_of
from plywright.native import numba_internals
game = Take()
found = search(game, depth=4, algorithm="alphabeta")
assert found.compiled
print(found.action, found.value, found.nodes)
try:
    game = Failing()
    knowledge_of(game).__dict__["_smoke_tested"] = True  # the smoke test would have found it
    print(search(game, depth=4, algorithm="alphabeta"))
except GameError as error:
    print("five stones" in str(error))
for name in numba_internals.SHORT_CUTS:
    if numba_internals.fault(name):
        print(name)
"""

WRAP = """
import {module} as module
def renamed(owner, before):
    def other(self, *arguments, **options):
        return before(self, *arguments, **options)
    owner.{name} = other
renamed(module.{owner}, module.{owner}.{name})
"""


def wrapped(module: str, owner: str, name: str) -> str:
    """Numba does what it did, by a function that is called differently."""
    return WRAP.format(module=module, owner=owner, name=name)


BREAKS = {
    "passes": wrapped("numba.core.compiler_machinery", "PassManager", "_runPass"),
    "folding": wrapped("numba.core.untyped_passes", "RewriteSemanticConstants", "run_pass"),
    "inference": wrapped("numba.core.typeinfer", "TypeInferer", "return_types_from_partial"),
    "lowering": wrapped("numba.core.lowering", "Lower", "storevar"),
    "linking": wrapped("numba.core.codegen", "JITCodeLibrary", "get_pointer_to_function"),
    "wrappers": "import numba\nfrom numba.core.options import DefaultOptions\ndel DefaultOptions.forceinline\n",
    "entry": wrapped("numba.core.codegen", "CodeLibrary", "create_ir_module"),
    "errors": "import numba.core.registry, numba.core.serialize as m\ndel m.runtime_build_excinfo_struct\n",
    "cache": wrapped("numba.core.codegen", "CPUCodeLibrary", "_get_compiled_object"),
}
UNSEEN = {
    "passes folding inference lowering linking": (
        "import numba.core.compiler, numba.core.ssa as m\nm.reconstruct_ssa = lambda func_ir: None\n"
    ),
    "passes folding inference lowering linking entry": (
        "import numba.core.registry, numba.core.runtime as m\nm.rtsys = None\n"
    ),
}
"""What no check can see: it is found out by trying."""
SLOW = set(BREAKS) - {"entry"}


@pytest.fixture(scope="module")
def expected() -> list[str]:
    """What plain Python finds."""
    scope: dict[str, Any] = {"__name__": "take"}
    exec(GAME, scope)
    found = search(scope["Take"](), depth=4, algorithm="alphabeta", compiled=False)
    return [f"{found.action} {found.value} {found.nodes}", "True"]


def asked(python: Run, cache: Path, change: str) -> list[str]:
    file = cache.parent / "take.py"
    file.write_text(GAME)
    done = python(f"{change}\nfrom take import *\n{ASK}", PLYWRIGHT_CACHE=str(cache))
    assert done.returncode == 0, done.stderr
    return done.stdout.splitlines()


@pytest.mark.parametrize("name", [pytest.param(n, marks=pytest.mark.slow if n in SLOW else ()) for n in BREAKS])
def test_a_broken_assumption_costs_time_and_nothing_else(
    name: str, python: Run, tmp_path: Path, expected: list[str]
) -> None:
    assert asked(python, tmp_path / "cache", BREAKS[name]) == [*expected, name]


@pytest.mark.parametrize(
    "names",  # the first stumbles over what test_an_unknown_numba_is_not_taken_at_its_word changes, too
    [pytest.param(names, marks=() if "entry" in names else pytest.mark.slow) for names in UNSEEN],
)
def test_what_cannot_be_checked_is_tried(names: str, python: Run, tmp_path: Path, expected: list[str]) -> None:
    assert asked(python, tmp_path / "cache", UNSEEN[names]) == [*expected, *names.split()]


UNTYPED = """
import numba.core.compiler, numba.core.ssa as m
from numba.core.errors import TypingError
from plywright.native import numba_internals
def reconstruct_ssa(func_ir):
    raise TypingError("no idea of its type")
m.reconstruct_ssa = reconstruct_ssa
numba_internals.NEWEST = (0, 62)
"""


def test_an_unknown_numba_is_not_taken_at_its_word(python: Run, tmp_path: Path, expected: list[str]) -> None:
    """It says that the rules cannot be compiled, and that is the fault of the short way."""
    found = asked(python, tmp_path / "cache", UNTYPED)
    assert found == [*expected, "passes", "folding", "inference", "lowering", "linking"]


@pytest.mark.slow
def test_all_assumptions_broken_at_once(python: Run, tmp_path: Path, expected: list[str]) -> None:
    assert asked(python, tmp_path / "cache", "".join(BREAKS.values())) == [*expected, *SHORT_CUTS]


def test_a_numba_that_cannot_be_extended_is_named(python: Run, tmp_path: Path) -> None:
    """Nothing is left to compile with: the game is interpreted, and told why."""
    change = "import numba.core.compiler, numba.core.imputils as m\ndel m.lower_constant\n"
    (tmp_path / "take.py").write_text(GAME)
    ask = "from plywright import search\nfrom take import *\n"
    ask += "print(search(Take(), depth=3, algorithm='alphabeta').compiled)\n"
    done = python(change + ask, PLYWRIGHT_CACHE=str(tmp_path / "cache"))
    assert done.stdout.strip() == "False"
    assert "does not know this version of Numba: numba.core.imputils.lower_constant is not there" in done.stderr
