"""What play shows of a game's states: no part of the fingerprint, found under guard, the same in every process."""

from __future__ import annotations

import time
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest

from plywright import Game, load_game, rule_guard, search
from plywright.compiled import refusal
from plywright.engine.alphabeta.solve import solve
from plywright.engine.value_iteration.value_iteration import solve_states
from plywright.errors import GameError
from plywright.smoke_test import smoke_test

LATE = """
import sys, time
from plywright import Game
from plywright.knowledge import knowledge_of
from plywright.smoke_test import smoke_test

class Late(Game):
    def initial(self): return 0, ()
    def to_move(self, state): return state[0] % 2
    def actions(self, state): return [0]
    def result(self, state, action):
        time.sleep(float(sys.argv[1]))
        return state[0] + 1, (1,) * (state[0] > 140)
    def is_terminal(self, state): return state[0] >= 160
    def utility(self, state, player): return 0

game = Late()
print(game.fingerprint)
smoke_test(game)
print(game.fixed_states, knowledge_of(game).key((150, (1,))))
"""


class Endless(Game):
    def initial(self) -> int:
        return 0

    def to_move(self, state: int) -> int:
        return 0

    def actions(self, state: int) -> list[int]:
        return [0]

    def result(self, state: int, action: int) -> int:
        while True:
            time.sleep(0.01)

    def is_terminal(self, state: int) -> bool:
        return False

    def utility(self, state: int, player: int) -> float:
        return 0


def test_a_fingerprint_runs_no_rule_but_initial(monkeypatch: pytest.MonkeyPatch) -> None:
    game = Endless()
    assert len(game.fingerprint) == 16 and "_survey" not in vars(game)
    monkeypatch.setattr(rule_guard.Guard.__init__, "__defaults__", (0.3, None))
    began = time.monotonic()
    with pytest.raises(GameError, match=r"result\(\) in test_survey.py, line \d+, has not come back"):
        search(game, depth=1)
    assert time.monotonic() - began < 5


def test_slow_rules_are_found_the_same_in_two_processes(python: Callable[..., Any]) -> None:
    fast, slow = (python(LATE, pause) for pause in ("0", "0.008"))
    assert fast.returncode == slow.returncode == 0, fast.stderr + slow.stderr
    assert fast.stdout == slow.stdout and "False" in fast.stdout


def test_the_past_of_a_game_changes_no_fingerprint(tmp_path: Path) -> None:
    class Growing(Game):
        def initial(self) -> tuple[int, ...]:
            return ()

        def to_move(self, state: tuple[int, ...]) -> int:
            return len(state) % 2

        def actions(self, state: tuple[int, ...]) -> Iterator[int]:
            yield 0

        def result(self, state: tuple[int, ...], action: int) -> tuple[int, ...]:
            return (*state, action)

        def is_terminal(self, state: tuple[int, ...]) -> bool:
            return len(state) > 3

        def utility(self, state: tuple[int, ...], player: int) -> float:
            return 0

    fresh, played = Growing(), Growing()
    smoke_test(played)
    assert played.state_shape is None and played.fingerprint == fresh.fingerprint
    reason = refusal(played)
    assert reason is not None and "another size" in str(reason)


def test_equal_rules_with_other_data_share_their_code_whatever_their_first_state() -> None:
    class Down(Game):
        runtime = ("first", "grows")

        def __init__(self, first: int, grows: int) -> None:
            self.first, self.grows = first, grows

        def initial(self) -> int:
            return self.first

        def to_move(self, state: int) -> int:
            return state % 2

        def actions(self, state: int) -> Iterator[int]:
            yield 1

        def result(self, state: int, action: int) -> int:
            return state - 1 + (self.grows << 62)

        def is_terminal(self, state: int) -> bool:
            return state <= 0

        def utility(self, state: int, player: int) -> float:
            return 0

    one, other, wide = Down(3, 0), Down(5, 0), Down(5, 4)
    assert one.fingerprint == other.fingerprint == wide.fingerprint
    assert refusal(wide) is not None and refusal(one) is None


@pytest.mark.filterwarnings("ignore::plywright.InterpretedWarning")
@pytest.mark.parametrize(("nobody", "base"), [(False, 0), (0.0, 1 << 60)])
@pytest.mark.parametrize("ask", [search, solve, lambda game: solve_states(game).result])
def test_no_two_states_become_one_in_the_type_that_the_first_has(
    ask: Callable[..., Any], nobody: float, base: int
) -> None:
    class Winner(Game):
        """The first player names the winner, which no field that is True or False, or a float, can hold."""

        def initial(self) -> tuple[int, float]:
            return 0, nobody

        def to_move(self, state: tuple[int, float]) -> int:
            return state[0] % 2

        def actions(self, state: tuple[int, float]) -> list[int]:
            return [1, 2] if state[0] == 0 else [0]

        def result(self, state: tuple[int, float], action: int) -> tuple[int, float]:
            return (1, base + action) if state[0] == 0 else (2, state[1])

        def is_terminal(self, state: tuple[int, float]) -> bool:
            return state[0] == 2

        def utility(self, state: tuple[int, float], player: int) -> float:
            return (1 if state[1] == base + 2 else -1) * (1 - 2 * player)

    found = ask(Winner())
    assert (found.value, found.action, found.compiled) == (1, 2, False)


def test_a_fingerprint_depends_neither_on_a_file_s_name_nor_on_what_was_done_before(tmp_path: Path) -> None:
    rules = Path(__file__).with_name("odd_states.py").read_text()
    for name in ("one.py", "two.py"):
        (tmp_path / name).write_text(rules)
    first, second = (load_game(f"{tmp_path / name}:TextBoard") for name in ("one.py", "two.py"))
    before = first.fingerprint
    search(first, depth=2, compiled=False)
    assert second.fingerprint == before
