"""What people pass and get: names for games, lists for moves, results in notebooks and other processes, whose fault."""

from __future__ import annotations

import os
import pickle
import subprocess
import sys
import warnings
from collections.abc import Callable
from concurrent.futures import ProcessPoolExecutor
from multiprocessing import get_context
from pathlib import Path
from typing import Any

import pytest

import odd_states
from plywright import BadInput, GameError, InterpretedWarning, Uniform, analyse, load_game, perft, search, textbook
from plywright.cli import main
from plywright.engine.alphabeta.solve import solve
from plywright.engine.chance.opponent_models import Fixed, Minimax, Mixture, Softmax
from plywright.engine.montecarlo.mcts_search import MonteCarloTree
from plywright.equilibrium import GameTree, exploitability, find_equilibrium
from plywright.players.agents import uniform

PILE = """
from dataclasses import dataclass
from enum import Enum
from typing import NamedTuple
from plywright import Game

class Pile(NamedTuple):
    stones: int
    turn: int

class Colour(Enum):
    RED = 1

@dataclass(frozen=True)
class Note:
    text: str

class TakeAway(Game):
    def __init__(self, stones=7):
        self.stones = stones
        self._note = Note("kept")
    def initial(self): return Pile(self.stones, 0)
    def to_move(self, state): return state.turn
    def actions(self, state):
        for take in range(1, min(3, state.stones) + 1):
            yield take
    def result(self, state, action): return Pile(state.stones - action, 1 - state.turn)
    def is_terminal(self, state): return state.stones == 0
    def utility(self, state, player): return -1 if player == state.turn else 1
"""


@pytest.fixture
def pile(tmp_path: Path) -> Path:
    file = tmp_path / "pile.py"
    file.write_text(PILE)
    return file


def deep(game: Any, state: Any) -> Any:
    """Work of another process."""
    return search(game, state, depth=9, algorithm="alphabeta", compiled=False)


# -- other processes ---------------------------------------------------------------------------------------------


def test_games_of_files_their_states_and_results_go_to_spawned_processes(pile: Path) -> None:
    game = load_game(f"{pile}:TakeAway:stones=5")
    state = game.coerce_state(game.result(game.start_state, 2))
    with ProcessPoolExecutor(1, mp_context=get_context("spawn")) as pool:
        found = pool.submit(deep, game, state).result(60)
    assert (found.action, found.value) == (3, 1)
    assert found.state == state and type(found.state) is type(state)


def test_whatever_a_file_defines_is_pickled(pile: Path) -> None:
    game: Any = load_game(f"{pile}:TakeAway:stones=5")
    _ = game.fingerprint
    module = sys.modules[type(game).__module__]
    for value in (module.Pile(3, 1), module.Note("x"), module.Colour.RED):
        again = pickle.loads(pickle.dumps(value))
        assert again == value and type(again) is type(value)
    again = pickle.loads(pickle.dumps(game))
    assert (again.stones, again._note, again.name) == (5, module.Note("kept"), game.name)
    assert again.fingerprint == game.fingerprint


def test_a_file_that_has_changed_is_refused(pile: Path, python: Callable[..., Any]) -> None:
    data = pickle.dumps(load_game(str(pile)).start_state)
    pile.write_text(PILE.replace("min(3", "min(4"))
    told = python("import pickle, sys; pickle.loads(bytes.fromhex(sys.argv[1]))", data.hex())
    assert "GameError: pile.py is another one" in told.stderr


def test_shipped_games_are_pickled_after_use() -> None:
    for name in ("othello:size=4", "kuhn", "pacman", "figure-6.2"):
        game = load_game(name)
        _ = game.fingerprint
        assert pickle.loads(pickle.dumps(game)).fingerprint == game.fingerprint


def test_results_are_hashable() -> None:
    one, other = (search("tic-tac-toe", depth=2, algorithm="alphabeta", all_actions=True) for _ in range(2))
    assert (len({one, pickle.loads(pickle.dumps(one))}) == 1 and hash(one) != hash(other)) or one == other


# -- front doors -------------------------------------------------------------------------------------------------


def test_games_are_given_by_name() -> None:
    assert perft("connect-four", 3) == 343
    assert search("tic-tac-toe", depth=9).value == solve("tic-tac-toe").value == 0
    assert next(iter(analyse("nim", depth=1))).depth == 1
    assert textbook.run("minimax", "figure-6.2").value == 3
    assert find_equilibrium("kuhn", iterations=5).strategy.game.name == "kuhn"
    with pytest.raises(BadInput, match="did you mean connect-four"):
        perft("conect-four", 3)


def test_moves_are_a_text_or_a_list() -> None:
    for name, text in (("tic-tac-toe", "b2 a1 c3"), ("othello", "f5 d6 c3")):
        game = load_game(name)
        wanted = game.play_moves(game.start_state, text)
        assert game.play_moves(game.start_state, text.split()) == wanted
        numbers, state = [], game.start_state
        for move in text.split():
            numbers.append(game.parse_action(state, move))
            state = game.result(state, numbers[-1])
        assert game.play_moves(game.start_state, numbers) == wanted
        with pytest.raises(BadInput, match=r"move 2: .* is not a legal move"):
            game.play_moves(game.start_state, [numbers[0], numbers[0]])


def test_a_tree_of_simulations_takes_a_name() -> None:
    assert MonteCarloTree("tic-tac-toe", compiled=False).search(simulations=20).action is not None
    with pytest.raises(BadInput):
        MonteCarloTree("no-such-game")


def test_exploitability_of_strategies_and_policies() -> None:
    tree = GameTree.of("kuhn")
    wanted = exploitability(tree, tree.uniform)
    assert wanted == pytest.approx(11 / 24)
    assert exploitability("kuhn", Uniform()) == exploitability(tree, uniform) == pytest.approx(wanted)
    strategy = find_equilibrium("kuhn", iterations=50).strategy
    assert exploitability(tree, strategy) == exploitability(tree, strategy.chances) < wanted
    with pytest.raises(BadInput, match="is no strategy of kuhn"):
        exploitability(tree, 3)


def test_exploitability_refuses_policies_that_see_what_is_hidden() -> None:
    tree = GameTree.of("kuhn")
    for policy in (Minimax(2), Softmax(2), Mixture(0.5, Minimax(2), Uniform())):
        with pytest.raises(BadInput, match=r"sees the whole state, and plays differently in states of kuhn"):
            exploitability(tree, policy)
    first = Fixed(lambda state: {action: float(action == 0) for action in tree.game.actions(state)})
    assert exploitability(tree, first) > 0  # the same in all states that look alike: a strategy
    assert exploitability("random-tree:branching=2,depth=3", Minimax(4)) == 0  # nothing is hidden


# -- warnings and help -------------------------------------------------------------------------------------------


def test_a_game_that_is_interpreted_says_so_once_at_the_line_of_the_caller() -> None:
    class Fresh(odd_states.TextBoard):
        pass

    with warnings.catch_warnings(record=True) as told:
        warnings.simplefilter("always")
        search(Fresh(), depth=1)
        search(Fresh(), depth=1, algorithm="alphabeta")
        perft(Fresh(), 1)
    assert [warning.category for warning in told] == [InterpretedWarning]
    assert told[0].filename == __file__


@pytest.mark.parametrize("group", [(), ("utility",), ("pacman",)])
def test_a_bare_command_shows_its_help_in_lines(group: tuple[str, ...], capsys: pytest.CaptureFixture[str]) -> None:
    assert main(list(group)) == 2
    shown = capsys.readouterr().err
    assert shown.startswith("Usage: plywright") and len(shown.splitlines()) > 8


# -- notebooks and types -----------------------------------------------------------------------------------------


def test_a_notebook_shows_moves_value_line_and_board() -> None:
    game = load_game("tic-tac-toe")
    html = search(game, game.play_moves(game.start_state, "b2 a1"), depth=7, all_actions=True)._repr_html_()
    assert html is not None and "<svg" in html and "0 (proved)" in html
    for row in ("best", "line", "moves", "search"):
        assert f"<th>{row}</th>" in html
    kuhn = load_game("kuhn")
    seen = kuhn.observation(kuhn.play_moves(kuhn.start_state, kuhn.choices(kuhn.start_state)[:1]), 0)
    assert "<svg" in (search(kuhn, seen, seat=0, algorithm="weighted")._repr_html_() or "")


def test_rules_that_return_lists_pass_a_strict_type_check(tmp_path: Path) -> None:
    file = tmp_path / "typed.py"
    file.write_text(
        "from plywright import Game\n\n\n"
        "class Typed(Game):\n"
        "    def initial(self) -> int:\n        return 3\n\n"
        "    def to_move(self, state: int) -> int:\n        return state % 2\n\n"
        "    def actions(self, state: int) -> list[int]:\n        return [1]\n\n"
        "    def chance(self, state: int) -> list[tuple[int, float]]:\n        return [(0, 1.0)]\n\n"
        "    def result(self, state: int, action: int) -> int:\n        return state - action\n\n"
        "    def utility(self, state: int, player: int) -> float:\n        return 0\n"
    )
    command = [sys.executable, "-m", "mypy", "--strict", "--follow-imports=silent", str(file)]
    told = subprocess.run(command, capture_output=True, text=True, cwd=Path(__file__).parent.parent, check=False)
    assert "Success" in told.stdout, told.stdout


# -- whose fault it is -------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("rule", "body"),
    [
        ("initial", "def initial(self): return {}['board']"),
        ("to_move", "def to_move(self, state): return {}['mover']"),
        ("to_move", "def to_move(self, state): return 2"),
        ("is_terminal", "def is_terminal(self, state): return {}['end']"),
        ("actions", "def actions(self, state): return {}['moves']"),
    ],
)
def test_faults_of_the_rules_are_named_as_such_by_every_command(
    rule: str, body: str, pile: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(pile.parent)
    pile.write_text(PILE + "\n    " + body + "\n")
    monkeypatch.setattr("builtins.input", lambda prompt="": "quit")
    commands = [
        *(["best"], ["play"], ["solve"], ["perft", "2"], ["tree"], ["compare"]),
        ["match", "random", "random", "--games", "2", "--game"],
    ]
    for command, *more in commands:
        arguments = [command, *more, str(pile)] if command == "match" else [command, str(pile), *more]
        assert main(arguments) == 2, arguments
        told = capsys.readouterr().err
        assert "bug in Plywright" not in told and "Traceback" not in told, told
        assert rule in told, (arguments, told)


def test_a_fault_of_the_rules_is_a_game_error_in_python(pile: Path) -> None:
    pile.write_text(PILE + "\n    def to_move(self, state): return 2\n")
    game = load_game(str(pile))
    for ask in (search, perft, solve):
        with pytest.raises(GameError, match=r"to_move\(\) is 2"):
            ask(game, 2) if ask is perft else ask(game)  # type: ignore[operator, arg-type]


def test_an_edit_of_equal_length_in_the_same_second_is_seen(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(sys, "dont_write_bytecode", False)
    file = tmp_path / "mine.py"
    rules = "from plywright import Game\nclass Mine(Game):\n    players = {}\n    initial = to_move = actions = len\n"
    rules += "    result = utility = len\n"
    for players in (2, 3):
        file.write_text(rules.format(players))
        os.utime(file, (1e9, 1e9))
        assert load_game(str(file)).players == players
    assert not (tmp_path / "__pycache__").exists()
