"""Files of knowledge: what is written comes back, and nothing else is taken for it."""

from __future__ import annotations

import json
import resource
import warnings
import zipfile
from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest

from plywright import load_game, search
from plywright.books import open_book
from plywright.errors import BadInput, LearnedNote
from plywright.models.loading import make_model, open_model
from plywright.models.model_file import ModelFile, load_model, read_header, read_model, save_model
from plywright.models.rules_print import rules_print

WEIGHTS = np.linspace(-1, 1, 50, dtype=np.float32).reshape(5, 10)


@pytest.fixture
def path(tmp_path: Path) -> Path:
    found = tmp_path / "my.knowledge"
    game = load_game("breakthrough:columns=5,rows=5")
    file = ModelFile.of(game, "tuples", {"weights": WEIGHTS}, options={"stages": 2}, training={"games": 7})
    save_model(found, file)
    return found


def test_what_is_saved_comes_back(path: Path) -> None:
    found = load_model(path, load_game("breakthrough:rows=5,columns=5"))
    assert found.model == "tuples" and found.options == {"stages": 2} and found.training == {"games": 7}
    assert found.parameters == {"columns": 5, "rows": 5}
    assert found.arrays["weights"].dtype == np.float32 and np.array_equal(found.arrays["weights"], WEIGHTS)
    with np.load(path, allow_pickle=False) as plain:  # any reader of npz
        assert np.array_equal(plain["weights"], WEIGHTS)


def test_other_parameters_are_refused(path: Path) -> None:
    with pytest.raises(BadInput, match=r"was not learned for this .*rows=6: its .* has rows=5; learn it anew"):
        load_model(path, load_game("breakthrough:columns=5,rows=6"))


def test_another_game_is_refused(path: Path) -> None:
    with pytest.raises(BadInput, match="not learned for this tic-tac-toe"):
        load_model(path, load_game("tic-tac-toe"))


RULES = """
from plywright import Game

class Sticks(Game):
    def initial(self): return (9, 0)
    def to_move(self, state): return state[1]
    def actions(self, state):
        for n in (1, 2, {most}):
            if n <= state[0]: yield n
    def result(self, state, action): return (state[0] - action, 1 - state[1])
    def utility(self, state, player): return {sign} if player == state[1] else -({sign})
    {more}
"""


def sticks(folder: Path, most: int = 3, sign: int = -1, more: str = "") -> str:
    path = folder / f"sticks{most}{sign}{len(more)}.py"
    path.write_text(RULES.format(most=most, sign=sign, more=more))
    return rules_print(load_game(str(path)))


def test_the_print_is_of_the_rules_and_of_nothing_else(tmp_path: Path) -> None:
    plain = sticks(tmp_path)
    assert sticks(tmp_path, more="def evaluate(self, state, player): return 0.25") == plain
    assert sticks(tmp_path, more="# a comment") == plain
    assert sticks(tmp_path, most=4) != plain
    assert sticks(tmp_path, sign=1) != plain


def test_rules_that_changed_are_told_as_such(tmp_path: Path) -> None:
    rules = tmp_path / "sticks.py"
    rules.write_text(RULES.format(most=3, sign=-1, more=""))
    save_model(tmp_path / "s.knowledge", ModelFile.of(load_game(str(rules)), "linear", {"weights": WEIGHTS}))
    rules.write_text(RULES.format(most=4, sign=-1, more=""))
    with pytest.raises(BadInput, match="the rules have changed since"):
        load_model(tmp_path / "s.knowledge", load_game(str(rules)))


def test_a_copy_of_the_rules_is_refused_only_where_it_behaves_otherwise_and_told_so(tmp_path: Path) -> None:
    rules, copy = tmp_path / "sticks.py", tmp_path / "copy.py"
    rules.write_text(RULES.format(most=3, sign=-1, more=""))
    copy.write_text(RULES.format(most=3, sign=-1, more=""))
    save_model(tmp_path / "s.knowledge", ModelFile.of(load_game(str(rules)), "linear", {"weights": WEIGHTS}))
    assert np.array_equal(load_model(tmp_path / "s.knowledge", load_game(str(copy))).arrays["weights"], WEIGHTS)
    copy.write_text(RULES.format(most=4, sign=-1, more=""))
    with pytest.raises(BadInput, match=r"the rules are not those of .*sticks\.py, which taught it"):
        load_model(tmp_path / "s.knowledge", load_game(str(copy)))


def store(path: Path, **arrays: np.ndarray) -> None:
    with path.open("wb") as file:
        np.savez(file, **arrays)


def test_a_changed_byte_is_noticed(path: Path) -> None:
    with np.load(path) as stored:
        arrays = {name: stored[name].copy() for name in stored.files}
    arrays["weights"][2, 3] += 1
    store(path, **arrays)
    with pytest.raises(BadInput, match="is damaged: its checksum"):
        read_model(path)


def test_a_changed_header_is_noticed(path: Path) -> None:
    with np.load(path) as stored:
        arrays = {name: stored[name].copy() for name in stored.files}
    header = json.loads(arrays["header"].tobytes())
    header["rules"] = "0" * 32
    arrays["header"] = np.frombuffer(json.dumps(header).encode(), np.uint8)
    store(path, **arrays)
    with pytest.raises(BadInput, match="is damaged: its checksum"):
        read_model(path)


@pytest.mark.parametrize("cut", [0, 1, 100, -30])
def test_a_truncated_file_is_refused(path: Path, cut: int) -> None:
    path.write_bytes(path.read_bytes()[:cut])
    with pytest.raises(BadInput, match="damaged"):
        read_model(path)


def test_what_is_something_else_is_refused(tmp_path: Path) -> None:
    other = tmp_path / "x.knowledge"
    with pytest.raises(BadInput, match="cannot be read: No such file"):
        read_model(other)
    store(other, weights=WEIGHTS)
    with pytest.raises(BadInput, match="is no file of knowledge of Plywright"):
        read_model(other)
    store(other, header=np.array([{"a": 1}], object))
    with pytest.raises(BadInput, match="no file of knowledge, or a damaged one"):  # a pickle is never opened
        read_model(other)
    with zipfile.ZipFile(other, "w", zipfile.ZIP_DEFLATED) as packed:
        packed.writestr("bomb.npy", b"\0" * (1 << 20))
    with pytest.raises(BadInput):
        read_model(other)


def test_a_folder_that_cannot_be_written_to_is_told(tmp_path: Path) -> None:
    file = ModelFile.of(load_game("tic-tac-toe"), "linear", {"weights": WEIGHTS})
    with pytest.raises(BadInput, match=r"cannot be saved as .*: there is no folder"):
        save_model(tmp_path / "none" / "a.knowledge", file)


def test_nothing_is_unpacked_of_what_is_no_knowledge(tmp_path: Path) -> None:
    """A header of a gigabyte, packed into a megabyte; weights of a terabyte, claimed by a few bytes."""
    path = tmp_path / "bomb.knowledge"
    with zipfile.ZipFile(path, "w", zipfile.ZIP_DEFLATED) as packed, packed.open("header.npy", "w") as member:
        np.lib.format.write_array_header_1_0(member, {"descr": "|u1", "fortran_order": False, "shape": (40_000_000,)})
        for _ in range(40):
            member.write(bytes(1_000_000))
    before = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss
    with pytest.raises(BadInput, match="too large for a file of knowledge"):
        read_model(path)
    assert resource.getrusage(resource.RUSAGE_SELF).ru_maxrss - before < 20_000
    with zipfile.ZipFile(path, "w") as packed, packed.open("header.npy", "w") as member:
        np.lib.format.write_array_header_1_0(member, {"descr": "<f8", "fortran_order": False, "shape": (10**12,)})
    with pytest.raises(BadInput, match="no file of knowledge"):
        read_model(path)


@pytest.mark.parametrize(
    ("names", "why"),
    [
        (["header"], "it has 'header', which is no array"),  # which NumPy would unpack whole, and before header.npy
        (["header.npy", "header"], "it has 'header', which is no array"),
        (["header.npy", "weights.npy", "notes.txt"], "it has 'notes.txt', which is no array"),
        (["header.npy", "header.npy"], "it has two arrays of one name"),
    ],
)
def test_members_that_numpy_does_not_write_are_not_unpacked(names: list[str], why: str, tmp_path: Path) -> None:
    path = tmp_path / "bomb.knowledge"
    with zipfile.ZipFile(path, "w", zipfile.ZIP_DEFLATED) as packed:
        for name in names:
            with warnings.catch_warnings(action="ignore"):  # of a name that is there twice
                packed.writestr(name, bytes(1_000))
    for read in (read_header, read_model):
        with pytest.raises(BadInput, match=f"is no file of knowledge, or a damaged one: {why}"):
            read(path)


@pytest.mark.parametrize("weight", [3.3e38, -3.3e38, 1e21])
def test_weights_that_no_training_brings_are_the_files_fault(weight: float, tmp_path: Path) -> None:
    """They are numbers, but sums of them are none; the author's hooks would be blamed for that."""
    rules = tmp_path / "sticks.py"
    rules.write_text(RULES.format(most=3, sign=-1, more=""))
    path = rules.with_suffix(".knowledge")
    file = make_model(load_game(str(rules))).as_file()
    weights = np.full_like(file.arrays["weights"], weight)
    save_model(path, replace(file, arrays=file.arrays | {"weights": weights}))
    with pytest.raises(BadInput, match=rf"^{path} is damaged or handmade, .*weights beyond 1e\+20, in 'weights'"):
        open_model(path, load_game(str(rules)))
    with pytest.warns(LearnedNote, match=r"sticks\.knowledge is not used: .*weights beyond"):
        assert search(str(rules), depth=1).action is not None


def test_more_weights_than_the_model_has_are_not_unpacked(tmp_path: Path) -> None:
    """The header fits the game; the arrays, all zeros, are a thousand times as large as they are packed."""
    path, game = tmp_path / "bomb.knowledge", load_game("tic-tac-toe")
    arrays = {"weights": np.zeros(12_000_000, np.float32)}
    save_model(path, ModelFile.of(game, "tuples", arrays, options={"stages": 1, "base": False}, training={"games": 7}))
    with pytest.raises(BadInput, match="is too large: unpacked it has more than the"):
        open_model(path, game)
    with pytest.raises(BadInput, match="not learned for this"):
        open_model(path, load_game("mnk:m=4"))
    assert read_header(path).training == {"games": 7}
    save_model(path, ModelFile.of(game, "opening-book", {"keys": np.zeros(3_000_000, np.uint64)}))
    with pytest.raises(BadInput, match="is too large"):
        open_book(game, path)


def test_a_device_is_no_file(tmp_path: Path) -> None:
    path = tmp_path / "zero.knowledge"
    path.symlink_to("/dev/zero")  # which never ends
    with pytest.raises(BadInput, match="is no file"):
        read_model(path)


@pytest.mark.parametrize(
    "options",
    [
        *({"stages": "x"}, {"stages": None}, {"stages": 1e300}, {"game": 3}, {"arrays": {"weights": [1]}}),
        *({"zork": [1]}, {"on": [1]}),
    ],
)
def test_options_that_nobody_trains_with_are_the_files_fault(options: dict[str, object], tmp_path: Path) -> None:
    game, path = load_game("tic-tac-toe"), tmp_path / "x.knowledge"
    save_model(path, replace(make_model(game).as_file(), options=options))
    with pytest.raises(BadInput, match=rf"^{path} is damaged or handmade, or .*: learn it anew \(.*\)$"):
        open_model(path, game)
