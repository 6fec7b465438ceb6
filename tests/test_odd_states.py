"""States of every hashable kind: sound keys, right values and every command, though interpreted."""

from __future__ import annotations

import io
import json
import re
import warnings
from collections.abc import Iterator
from dataclasses import dataclass
from decimal import Decimal
from fractions import Fraction
from pathlib import Path
from typing import Any

import numpy as np
import pytest

import odd_states
from odd_states import BOARDS, Board, Cell, DigitsBoard, ListsBoard, Own, OwnBoard, Position, TextBoard, WideBoard
from plywright import BadInput, Game, InterpretedWarning, Knowledge, analyse, learn, perft, search, textbook
from plywright.bits import mix
from plywright.cli import main
from plywright.digest import digest, lasts
from plywright.doctor import examine
from plywright.engine.alphabeta.solve import solve
from plywright.knowledge import knowledge_of
from plywright.learning.regression import fit_to, gather, positions_of
from plywright.models.inside import look_inside
from plywright.models.loading import make_model, open_model
from plywright.programs.json_lines import as_json, read_view
from plywright.repetition import Past

FILE = Path(odd_states.__file__)
PARTS = [value for value in BOARDS if value in (DigitsBoard, ListsBoard, OwnBoard)]

pytestmark = pytest.mark.filterwarnings("ignore::plywright.InterpretedWarning")


def game_text(board: type[Board]) -> str:
    return board().format_state(board().start_state)


def after(game: Game, *actions: int) -> Any:
    state = game.start_state
    for action in actions:
        state = game.coerce_state(game.result(state, action))
    return state


@pytest.mark.parametrize("board", BOARDS, ids=lambda board: board.__name__)
def test_every_search_finds_the_value(board: type[Board]) -> None:
    game = board()
    state = after(game, 0, 4)
    for algorithm in ("pvs", "alphabeta", "minimax", "expectiminimax"):
        found = search(game, after(game, 0, 4, 8), depth=6, algorithm=algorithm)
        assert (found.value, found.proved, found.compiled) == (0, True, False), algorithm
    assert search(game, state, time=60).value == solve(game, state).value == 0  # interpreted, and it ends with a proof
    assert search(game, after(game, 0, 3, 1), algorithm="mcts", nodes=300).action == 2
    assert list(analyse(game, state, depth=3))[-1].depth == 3
    assert textbook.run("alphabeta", game, after(game, 0, 4, 8)).value == 0
    assert [perft(game, depth) for depth in (1, 2, 3)] == [9, 72, 504]


@pytest.mark.parametrize("board", BOARDS, ids=lambda board: board.__name__)
def test_keys_tell_states_apart(board: type[Board]) -> None:
    game = board()
    states, keys = {game.start_state}, set()
    level = [game.start_state]
    while level:
        keys |= {knowledge_of(game).key(state) for state in level}
        found = {game.result(s, a) for s in level if not game.is_terminal(s) for a in game.actions(s)}
        states |= found
        level = list(found)
    assert len(states) == len(keys) == 5478
    assert knowledge_of(game).key(after(game, 0, 4, 8)) == knowledge_of(game).key(after(game, 8, 4, 0))


@pytest.mark.parametrize("board", BOARDS, ids=lambda board: board.__name__)
def test_a_state_is_written_and_read_back(board: type[Board]) -> None:
    game = board()
    for state in (game.start_state, after(game, 4), after(game, 4, 0, 8)):
        text = game.format_state(state)
        assert text and "\n" not in text and game.picture(state).svg
        if board is OwnBoard:
            with pytest.raises(BadInput, match="define format_state and parse_state"):
                game.parse_state(text)
        else:
            assert game.parse_state(text) == state
    if board is not TextBoard and board is not DigitsBoard:
        with pytest.raises(BadInput, match="is not a state of"):
            game.parse_state("__import__('os')")


@pytest.mark.parametrize("board", PARTS, ids=lambda board: board.__name__)
def test_every_command_takes_them(
    board: type[Board], tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    name = f"{FILE}:{board.__name__}"
    monkeypatch.chdir(tmp_path)

    def answer(*arguments: str) -> Any:
        assert main([*arguments, "--json"]) == 0, capsys.readouterr().err
        return json.loads(capsys.readouterr().out)

    assert answer("best", name, "--moves", "0 4", "--time", "20")["value"] == 0  # proved long before
    assert answer("solve", name)["value"] == 0
    assert answer("perft", name, "2")["lines"] == 72
    played = ["match", "alphabeta:depth=1", "random", "--game", name, "--games", "4", "--openings", "random:2"]
    assert answer(*played, "--record", "m.db")
    assert main(["replay", "m.db", "1", "--game", name]) == 0
    assert game_text(board) in capsys.readouterr().out
    everybody = ["tournament", "alphabeta:depth=1", "random", "--game", name, "--double", "--mode", "depth:1"]
    assert answer(*everybody)
    asked = {"type": "go", "id": 7, "seat": 0, "state": game_text(board), "clock": {"mode": "depth:1"}}
    monkeypatch.setattr("sys.stdin", io.StringIO(json.dumps(asked) + "\n"))
    assert main(["engine", name, "--player", "alphabeta:depth=1"]) == 0
    said = capsys.readouterr().out
    assert ("define format_state" if board is OwnBoard else '"move"') in said, said
    typed = iter(["4", "moves", "quit"])
    monkeypatch.setattr("builtins.input", lambda prompt="": next(typed))
    assert main(["play", name, "--time", "0.1"]) == 0


@pytest.mark.parametrize("board", PARTS, ids=lambda board: board.__name__)
def test_the_doctor_finds_them_healthy(board: type[Board]) -> None:
    report = examine(f"{FILE}:{board.__name__}")
    assert report.healthy, report.text()
    assert report["keys"].status == "passed" and report["compilation"].status == "warning"


UNHASHABLE = {
    "[[0] * 3 for _ in range(3)]": "unhashable type: 'list'.*tuple\\(tuple\\(row\\) for row in rows\\)",
    "{'left': 3}": "unhashable type: 'dict'.*NamedTuple",
    "(0, {1, 2})": "unhashable type: 'set'.*frozenset",
    "np.zeros(3)": "unhashable type: 'numpy.ndarray'.*tuple\\(map\\(int, cells\\)\\)",
    "Loose(3)": "unhashable type: 'Loose'.*frozen=True",
}


@pytest.mark.parametrize("state", UNHASHABLE)
def test_states_that_cannot_be_hashed_are_refused_with_what_to_write(
    state: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.chdir(tmp_path)
    head = "from dataclasses import dataclass\nimport numpy as np\nfrom plywright import Game\n"
    loose = "@dataclass\nclass Loose:\n    left: int\n"
    rules = {"initial(self)": state, "to_move(self, state)": "0", "actions(self, state)": "[1, 2]"}
    rules |= {"result(self, state, action)": "state", "utility(self, state, player)": "0"}
    rules["is_terminal(self, state)"] = "False"
    body = "".join(f"    def {rule}:\n        return {answer}\n" for rule, answer in rules.items())
    Path("mine.py").write_text(f"{head}{loose}class Mine(Game):\n{body}")
    match = ["match", "search", "random", "--game", "./mine.py", "--games", "2"]
    for command in (["best", "./mine.py"], ["solve", "./mine.py"], ["positions", "./mine.py"], match):
        assert main(command) == 2
        told = capsys.readouterr().err
        assert re.search(rf"initial\(\) returns a state that cannot be hashed \({UNHASHABLE[state]}", told), told


def test_digests_follow_equality() -> None:
    @dataclass(frozen=True)
    class Other:
        cells: tuple[int, ...]
        moves: int = 0

    equal: list[tuple[Any, Any]] = [
        *[(1, 1.0), (1, True), (0.0, -0.0), (Fraction(1, 2), 0.5), (Decimal("0.5"), 0.5), (np.uint64(7), 7)],
        *[(Position((1,)), Position((1.0,))), (frozenset("abc"), frozenset("cba")), (Own((1,)), Own((1,)))],  # type: ignore[arg-type]
    ]
    for one, other in equal:
        assert one == other and digest(one) == digest(other), (one, other)
    different = [
        *[(), ((),), ((), ()), (1,), (1, 0), ((1,), 0), (1, (0,)), None, "", b"", "1", 1, -1, 0.5, (None,), "None"],
        *[2**64, 2**64 + 1, 2**128, float("inf"), Cell.FREE, Cell.CROSS, Position(()), Other(()), Own(()), frozenset()],
    ]
    assert len({digest(value) for value in different}) == len(different)
    assert lasts((Position((1,)), Cell.FREE, frozenset([None]))) and not lasts((Own(()),))
    with pytest.raises(TypeError, match="unhashable"):
        digest([1])


def test_digests_are_the_same_in_every_process(python: Any) -> None:
    code = "from plywright.digest import digest; print(digest(('a', frozenset('xyz'), None, 2**70, 0.5)))"
    found = {python(code, PYTHONHASHSEED=seed).stdout for seed in ("1", "2")}
    assert found == {f"{digest(('a', frozenset('xyz'), None, 2**70, 0.5))}\n"}


def test_zero_has_one_key_compiled_and_not() -> None:
    assert mix((0.0, 1)) == mix((-0.0, 1))
    with pytest.raises(TypeError, match="takes numbers"):
        mix("123")


def test_a_table_is_not_saved_under_keys_that_do_not_last(tmp_path: Path) -> None:
    with pytest.raises(BadInput, match="define key"):
        solve(OwnBoard(), table_file=tmp_path / "own.table")
    assert solve(TextBoard(), after(TextBoard(), 0, 4), table_file=tmp_path / "text.table").value == 0


def test_a_state_typed_by_hand_is_still_held_to_the_rules() -> None:
    from plywright.games import load_game

    game = load_game("tic-tac-toe")
    with pytest.raises(Exception, match="tuple of"):
        search(game, (1, 2, 3, 4, 5), depth=1)


class Circling(Game):
    """A text that turns: a place seen for the third time is a draw."""

    repetition = ("draw", 3)

    def initial(self) -> str:
        return "first"

    def to_move(self, state: str) -> int:
        return 0 if state == "first" else 1

    def actions(self, state: str) -> list[int]:
        return [0]

    def result(self, state: str, action: int) -> str:
        return "second" if state == "first" else "first"

    def is_terminal(self, state: str) -> bool:
        return False

    def utility(self, state: str, player: int) -> float:
        return 0


def test_texts_repeat() -> None:
    game = Circling()
    past = Past(game, ["first", "second", "first", "second"])
    assert past.is_drawn("first") and search(game, depth=5).value == 0


def test_why_a_game_is_interpreted_names_the_size() -> None:
    with warnings.catch_warnings(record=True) as told:
        warnings.simplefilter("always")
        search(type("Fresh", (WideBoard,), {})(), depth=1)
    assert [warning.category for warning in told] == [InterpretedWarning]
    assert "does not fit int64" in str(told[0].message)


class Whispered(TextBoard):
    """What players see is a text, too."""

    def observation(self, state: str, player: int) -> str:
        return state.replace("O", "?") if player == 0 else state


def test_programs_are_told_odd_states_as_json() -> None:
    for board in BOARDS:
        assert json.loads(json.dumps(as_json(after(board(), 4, 0)))), board
    assert as_json(frozenset([2, 1])) == "{1, 2}" and as_json((None, "a", 0.5)) == [None, "a", 0.5]
    game = Whispered()
    view = game.observation(after(game, 4, 0), 0)
    assert read_view(game, {"view": game.format_observation(view, 0)}, 0) == view == "?...X...."


class NineCells(Knowledge):
    """What `learn` asks for where it finds no cells, and features of one's own."""

    feature_names = ("centre", "corners")

    def cells(self, state: Any) -> Iterator[int]:
        mover = self.game.to_move(state) + 1
        for cell in self.game.cells(state):  # type: ignore[attr-defined]
            yield 0 if not cell else 1 if cell == mover else 2

    def features(self, state: Any, player: int) -> tuple[int, int]:
        mine = [cell == player + 1 for cell in self.game.cells(state)]  # type: ignore[attr-defined]
        return int(mine[4]), mine[0] + mine[2] + mine[6] + mine[8]


@pytest.mark.parametrize("board", BOARDS, ids=lambda board: board.__name__)
def test_every_kind_of_state_is_learned(board: type[Board], tmp_path: Path) -> None:
    game = type(f"Learned{board.__name__}", (board,), {"knowledge": NineCells})()
    for model, method in (("tuples", "td"), ("linear", "leaf"), ("linear", "regression")):
        path = tmp_path / f"{model}.knowledge"
        made = learn(game, model=model, method=method, games=4, depth=1, pairs=0, save=path)
        assert made.training["games"] == 4 and np.ptp(made.arrays["weights"]) > 0
        assert np.array_equal(open_model(path, game).arrays["weights"], made.arrays["weights"])
        assert look_inside(made, 3).largest


def test_regression_keeps_states_of_text_as_they_are() -> None:
    game = type("LearnedText", (TextBoard,), {"knowledge": NineCells})()
    model = make_model(game, "linear")
    found = gather(model, games=4)
    assert found.states[0, 0].strip(".XO") == ""
    own = positions_of(model, ["XO.......", "X........"], [1, 0])
    assert [fit.number for fit in fit_to(model, own, passes=2)] == [1, 2]
