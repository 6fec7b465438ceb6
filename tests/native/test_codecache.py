"""Compiled code on disk: never stale, never poisoned, never a stranger's."""

from __future__ import annotations

import os
import shutil
import subprocess
import sys
import textwrap
from collections.abc import Callable
from pathlib import Path

import pytest

Run = Callable[..., subprocess.CompletedProcess[str]]

GAME = """
from typing import NamedTuple
from plywright import Game
import helper

class Pile(NamedTuple):
    stones: int
    turn: int

class TakeAway(Game):
    def initial(self): return Pile(8, 0)
    def to_move(self, state): return state.turn
    def actions(self, state):
        for count in range(1, helper.most(state.stones) + 1):
            yield count
    def result(self, state, action): return Pile(state.stones - action, 1 - state.turn)
    def is_terminal(self, state): return state.stones == 0
    def utility(self, state, player): return -1 if player == state.turn else 1
"""

HELPER = """
LIMIT = {limit}
def most(stones):
    return LIMIT if LIMIT < stones else stones
"""

ASK = """
import contextlib, sys
from plywright import load_game, search, perft
from plywright.compiled import settings
seen = []
@contextlib.contextmanager
def announce(name):
    seen.append(name); yield
settings.announce = announce
for path in sys.argv[1:]:
    game = load_game(path)
    print(perft(game, 20), end=" ")
print("compiled" if seen else "cached", len(seen))
"""
"""The smallest kernel is enough, where nothing depends on which one it is."""
SEARCH = ASK.replace(
    "print(perft(game, 20)",
    'result = search(game, depth=20, algorithm="alphabeta"); assert result.compiled\n'
    "    print(int(result.value), perft(game, 20)",
)


@pytest.fixture
def game_folder(tmp_path: Path) -> Path:
    (tmp_path / "game.py").write_text(GAME)
    (tmp_path / "helper.py").write_text(HELPER.format(limit=3))
    return tmp_path


@pytest.fixture(scope="module")
def compiled_once(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A cache that holds the game's code, for copies."""
    folder = tmp_path_factory.mktemp("compiled")
    (folder / "game.py").write_text(GAME)
    (folder / "helper.py").write_text(HELPER.format(limit=3))
    done = subprocess.run(
        [sys.executable, "-c", ASK, "./game.py"],
        cwd=folder,
        env={**os.environ, "PLYWRIGHT_CACHE": str(folder / "cache")},
        capture_output=True,
        text=True,
    )
    assert done.stdout.strip() == "81 compiled 1", done.stderr
    return folder / "cache"


@pytest.fixture
def filled(game_folder: Path, compiled_once: Path) -> Path:
    """The cache of a folder whose game has been compiled before."""
    return Path(shutil.copytree(compiled_once, game_folder / "cache"))


def ask(python: Run, *paths: str, cache: Path, code: str = ASK) -> str:
    done = python(code, *paths, PLYWRIGHT_CACHE=str(cache))
    assert done.returncode == 0, done.stderr
    return done.stdout.strip()


def test_every_kernel_works_from_the_cache_in_a_second_process(python: Run, game_folder: Path) -> None:
    cache = game_folder / "cache"
    first, second = (ask(python, "./game.py", cache=cache, code=SEARCH) for _ in range(2))
    assert first.endswith("compiled 2") and second.endswith("cached 0")
    assert first.split()[:2] == second.split()[:2] == ["-1", "81"]


def test_an_edit_in_another_file_is_seen(python: Run, game_folder: Path, filled: Path) -> None:
    assert ask(python, "./game.py", cache=filled) == "81 cached 0"
    (game_folder / "helper.py").write_text(HELPER.format(limit=4))
    assert ask(python, "./game.py", cache=filled) == "108 compiled 1"
    (game_folder / "helper.py").write_text(HELPER.format(limit=3))
    assert ask(python, "./game.py", cache=filled) == "81 cached 0"


def test_a_comment_is_no_reason_to_compile_again(python: Run, game_folder: Path, filled: Path) -> None:
    (game_folder / "game.py").write_text(GAME.replace("class TakeAway", "# a comment\nclass TakeAway"))
    assert ask(python, "./game.py", cache=filled).endswith("cached 0")


def test_a_game_that_is_gone_does_not_poison_the_others(python: Run, game_folder: Path) -> None:
    cache = game_folder / "cache"
    (game_folder / "other.py").write_text(GAME.replace("Pile(8, 0)", "Pile(9, 0)"))
    ask(python, "./game.py", "./other.py", cache=cache)
    (game_folder / "other.py").unlink()
    assert ask(python, "./game.py", cache=cache).endswith("cached 0")


def test_the_same_file_under_another_name_uses_the_same_code(python: Run, game_folder: Path, filled: Path) -> None:
    (game_folder / "game.py").rename(game_folder / "renamed.py")
    assert ask(python, "./renamed.py", cache=filled) == "81 cached 0"


def test_a_damaged_file_is_a_miss(python: Run, game_folder: Path) -> None:
    paths = [f"./pile{stones}.py" for stones in (6, 7, 8)]  # one for each way to be damaged
    for stones, path in enumerate(paths, 6):
        (game_folder / path).write_text(GAME.replace("Pile(8, 0)", f"Pile({stones}, 0)"))
    cache = game_folder / "cache"
    assert ask(python, *paths, cache=cache) == "24 44 81 compiled 3"
    whole = [file.read_bytes() for file in sorted(cache.rglob("*.code"))]
    assert len(whole) == 3
    flipped = bytearray(whole[1])
    flipped[len(flipped) // 2] ^= 1
    damaged = [whole[0][: len(whole[0]) // 2], bytes(flipped), b""]
    for file, data in zip(sorted(cache.rglob("*.code")), damaged, strict=True):
        file.write_bytes(data)
    assert ask(python, *paths, cache=cache) == "24 44 81 compiled 3"
    assert ask(python, *paths, cache=cache).endswith("cached 0")


@pytest.mark.skipif(sys.platform == "win32", reason="ownership is POSIX")
def test_a_folder_that_others_can_write_to_is_not_used(python: Run, game_folder: Path, filled: Path) -> None:
    filled.chmod(0o777)
    assert ask(python, "./game.py", cache=filled).endswith("compiled 1")


def test_a_game_defined_in_main_is_cached_too(python: Run, game_folder: Path) -> None:
    cache = game_folder / "cache"
    code = GAME + textwrap.dedent(ASK).replace(
        "for path in sys.argv[1:]:\n    game = load_game(path)", "for game in [TakeAway()]:"
    )
    outputs = [python(code, PLYWRIGHT_CACHE=str(cache)).stdout.strip() for _ in range(2)]
    assert outputs == ["81 compiled 1", "81 cached 0"]


LOOP = """        for count in range(1, helper.most(state.stones) + 1):
            yield count
"""


ANSWERS = {
    "list": "        return [count for count in range(1, helper.most(state.stones) + 1)]\n",
    "set": (
        "        counts = set()\n"
        "        for count in range(1, helper.most(state.stones) + 1):\n"
        "            counts.add(count)\n"
        "        return counts\n"
    ),
    "range": "        return range(1, helper.most(state.stones) + 1)\n",
}


def test_lists_sets_and_ranges_come_from_the_cache_without_numba(python: Run, game_folder: Path) -> None:
    paths = [f"./{kind}_game.py" for kind in ANSWERS]
    for path, answer in zip(paths, ANSWERS.values(), strict=True):
        (game_folder / path).write_text(GAME.replace(LOOP, answer))
    cache = game_folder / "cache"
    assert ask(python, *paths, cache=cache) == "81 81 81 compiled 3"
    lean = ASK + "print('numba' in sys.modules)\n"
    assert ask(python, *paths, cache=cache, code=lean).split() == ["81", "81", "81", "cached", "0", "False"]


REFUSED = GAME.replace("return Pile(state.stones", "label = str(action); return Pile(int(label) * 0 + state.stones")
ASK_REFUSED = """
import sys, warnings
from plywright import load_game, search
with warnings.catch_warnings(record=True) as caught:
    warnings.simplefilter("always")
    result = search(load_game("./game.py"), depth=3, algorithm="alphabeta")
print(result.compiled, "numba" in sys.modules, str(caught[0].message))
"""


def test_rules_that_cannot_be_compiled_are_tried_once(python: Run, game_folder: Path) -> None:
    (game_folder / "game.py").write_text(REFUSED)
    cache = game_folder / "cache"
    first, second = (python(ASK_REFUSED, PLYWRIGHT_CACHE=str(cache)).stdout.strip() for _ in range(2))
    assert first.startswith("False True") and second.startswith("False False"), "Numba is imported to try, and then not"
    assert first.split()[2:] == second.split()[2:], "the same sentence"
    assert "game.py, line 16" in second
    (game_folder / "game.py").write_text("# a comment moves the line\n" + REFUSED)
    assert "game.py, line 17" in python(ASK_REFUSED, PLYWRIGHT_CACHE=str(cache)).stdout


UNSIGNED = (
    GAME.replace("from plywright import Game", "import numpy as np\nfrom plywright import Game")
    .replace("Pile(8, 0)", "Pile(8, np.uint64(0))")
    .replace("1 - state.turn", "np.uint64(1) - state.turn")
)


TRUTH = GAME.replace("Pile(8, 0)", "Pile(8, False)").replace("1 - state.turn", "not state.turn")


def test_a_mover_of_any_whole_type_works_from_the_cache(python: Run, game_folder: Path) -> None:
    """Otherwise the kernel is specialised twice, for int64 at the root and for the other type below."""
    (game_folder / "unsigned.py").write_text(UNSIGNED)
    (game_folder / "truth.py").write_text(TRUTH)
    cache = game_folder / "cache"
    assert ask(python, "./unsigned.py", "./truth.py", cache=cache, code=SEARCH) == "-1 81 -1 81 compiled 4"
    assert ask(python, "./unsigned.py", "./truth.py", cache=cache, code=SEARCH) == "-1 81 -1 81 cached 0"


def test_a_kernels_stamp_follows_what_it_calls() -> None:
    """An edit in a helper, a constant or another kernel that it reaches gives another stamp."""
    from plywright.compiled import kernel
    from plywright.fingerprint import kernel_stamp

    def stamp(addend: int, factor: int) -> str:
        scope: dict = {"kernel": kernel, "ADDEND": addend}
        text = f"def helper(x):\n    return x * {factor}\n"
        text += "@kernel\ndef inner(game, x):\n    return helper(x) + ADDEND\n"
        text += "@kernel\ndef outer(game, x):\n    return inner(game, x)\n"
        exec(text, scope)
        return kernel_stamp(scope["outer"].function)

    assert stamp(1, 2) == stamp(1, 2)
    assert len({stamp(1, 2), stamp(3, 2), stamp(1, 4)}) == 3


def test_files_that_were_exchanged_are_misses(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Whole files in each other's place: another game's, or another kernel's, would give its answers or crash."""
    from plywright import load_game
    from plywright.native import codecache
    from plywright.native.machine_code import Code
    from plywright.state import INT64, Shape

    monkeypatch.setenv("PLYWRIGHT_CACHE", str(tmp_path))
    tmp_path.chmod(0o700)
    game, code = load_game("mnk:m=4,n=4,k=3"), Code("entry", Shape(kind=INT64), (), (), b"machine code")
    own = tmp_path / "one" / "lines.count_lines-0123.code"
    places = [own, tmp_path / "two" / own.name, own.with_name("pvs.pvs-4567.code")]
    codecache.write(own, code, game)
    for place in places:
        place.parent.mkdir(exist_ok=True)
        place.write_bytes(own.read_bytes())
    assert [codecache.read(place, game) is not None for place in places] == [True, False, False]
