"""A stranger's rules are tried before they are compiled: each fault is named, and nothing is let through."""

from __future__ import annotations

import itertools
import sys
import threading
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from plywright import CHANCE, Game, rule_guard
from plywright.cli import main
from plywright.errors import BadInput, GameError
from plywright.knowledge import knowledge_of
from plywright.rng import seeded
from plywright.rule_guard import ENDLESS, Fault, Guard, random_game, watched
from plywright.smoke_test import smoke_test


class Count(Game):
    """Two players add 1 or 2 until the total is 9 or more."""

    def initial(self) -> Any:
        return 0

    def to_move(self, state: Any) -> int:
        return state % 2

    def actions(self, state: Any) -> Iterator[int]:
        yield 1
        yield 2

    def result(self, state: Any, action: int) -> Any:
        return state + action

    def is_terminal(self, state: Any) -> bool:
        return state >= 9

    def utility(self, state: Any, player: int) -> float:
        return 1 if player == 0 else -1


def fault_of(game: Game) -> Fault:
    with pytest.raises(GameError) as caught:
        smoke_test(game)
    assert isinstance(caught.value, Fault)
    return caught.value


def test_sound_rules_are_smoke_tested_once() -> None:
    game = Count()
    smoke_test(game)
    assert "_smoke_tested" in vars(knowledge_of(game))
    calls = []
    game.__dict__["initial"] = lambda: calls.append(1)  # would be called by a second smoke test
    smoke_test(game)
    assert not calls


def test_equal_generators_give_equal_games() -> None:
    first, second = (list(random_game(Guard(Count()), seeded(4))) for _ in range(2))
    assert first == second
    assert first[-1].mover is None and first[-1].values == (1.0, -1.0) and first[-1].choices == []
    assert all(after.state == before.state + before.action for before, after in itertools.pairwise(first))


def test_exception_is_told_with_rule_line_and_moves() -> None:
    class Broken(Count):
        def result(self, state: Any, action: int) -> Any:
            return state + {1: 1}[action]

    fault = fault_of(Broken())
    assert fault.rule == "result" and "raised KeyError: 2" in str(fault)
    assert "in test_smoke_test.py, line" in str(fault) and ("(after" in str(fault) or "(at the start)" in str(fault))


@pytest.mark.parametrize("error", [SystemExit, KeyboardInterrupt, GeneratorExit, GameError])
def test_no_exception_of_a_rule_escapes(error: type[BaseException]) -> None:
    class Broken(Count):
        def utility(self, state: Any, player: int) -> float:
            raise error("enough")

    assert f"utility() in test_smoke_test.py, line {sys._getframe().f_lineno - 2}, raised {error.__name__}" in str(
        fault_of(Broken())
    )


def test_initial_that_raises() -> None:
    class Broken(Count):
        def initial(self) -> Any:
            raise ValueError("no board")

    assert "initial() in test_smoke_test.py" in str(fault_of(Broken()))


def test_missing_rules_are_all_named() -> None:
    class Broken(Game):
        def initial(self) -> Any:
            return 0

    with pytest.raises(GameError, match="'to_move' and no method 'actions' and no method 'result' and no method 'util"):
        smoke_test(Broken())


def test_numbers_that_outgrow_native_integers_are_interpreted() -> None:
    class Wide(Count):
        def result(self, state: Any, action: int) -> Any:
            return (state + action) << 62

    game = Wide()
    smoke_test(game)
    assert game.state_shape is None and "does not fit int64" in game.shapeless


def test_loop_that_catches_everything_is_given_up() -> None:
    class Broken(Count):
        over = False

        def is_terminal(self, state: Any) -> bool:
            while state > 4 and not Broken.over:
                try:
                    sum(range(100))
                except BaseException:
                    continue
            return state >= 9

    guard = Guard(Broken(), patience=0.3)
    try:
        with pytest.raises(Fault, match=r"is_terminal\(\).* has not come back for 0.3 s") as caught:
            watched(guard, lambda: list(random_game(guard, seeded(1))))
        assert caught.value.kind == ENDLESS
    finally:
        type.__setattr__(Broken, "over", True)


def test_keyboard_interrupt_of_the_person_ends_the_rules_and_passes(monkeypatch: pytest.MonkeyPatch) -> None:
    ended = threading.Event()

    class Impatient(threading.Thread):
        def join(self, timeout: float | None = None) -> None:
            raise KeyboardInterrupt

    def play_on() -> None:
        try:
            while True:
                sum(range(100))
        finally:
            ended.set()

    monkeypatch.setattr(rule_guard.threading, "Thread", Impatient)
    with pytest.raises(KeyboardInterrupt):
        watched(Guard(Count()), play_on)
    assert ended.wait(10)


def test_chance_is_played_and_its_mistakes_are_named() -> None:
    class Dice(Count):
        def to_move(self, state: Any) -> int:
            return CHANCE if state % 3 == 0 else 1

        def chance(self, state: Any) -> Iterator[Any]:
            yield 1, 0.5
            yield 2, 0.5

    class Silent(Dice):
        def chance(self, state: Any) -> Iterator[Any]:
            return iter(())

    class Unpaired(Dice):
        def chance(self, state: Any) -> Iterator[Any]:
            yield 1

    visits = list(random_game(Guard(Dice()), seeded(1)))
    assert visits[0].mover == CHANCE and visits[0].choices == [1, 2]
    assert "chance() yields no outcomes" in str(fault_of(Silent()))
    assert "it must be a pair (outcome, probability)" in str(fault_of(Unpaired()))


@pytest.mark.parametrize("digits", [400, 5000])
@pytest.mark.parametrize("rule", ["to_move", "actions", "utility", "evaluate", "chance"])
def test_a_number_that_no_machine_holds_is_a_fault_of_its_rule(rule: str, digits: int) -> None:
    def number(self: Game, *arguments: Any) -> int:
        return int(10**digits)

    def numbers(self: Game, state: Any) -> Iterator[Any]:
        yield 10**digits if rule == "actions" else (1, 10**digits)

    rules: dict[str, Any] = {rule: numbers if rule in ("actions", "chance") else number}
    if rule == "chance":
        rules["to_move"] = lambda self, state: CHANCE
    fault = fault_of(type("Huge", (Count,), rules)())
    assert fault.rule == rule and len(str(fault)) < 600


def test_muted_rules_are_not_asked_again() -> None:
    class Broken(Count):
        def format_action(self, state: Any, action: int) -> str:
            return ""

    guard = Guard(Broken())
    with pytest.raises(Fault, match="format_action"):
        list(random_game(guard, seeded(1)))
    guard.muted |= {"format_action", "utility"}
    visits = list(random_game(guard, seeded(1)))
    assert visits[-1].values is None and guard.moves == [str(visit.action) for visit in visits[:-1]]


def test_long_line_is_told_by_its_last_moves() -> None:
    guard = Guard(Count())
    guard.place([str(number) for number in range(40)])
    assert guard.where() == "(after 40 moves, at last " + " ".join(map(str, range(28, 40))) + ")"


def test_shipped_games_are_not_smoke_tested(tmp_path: Path) -> None:
    class Shipped(Count):
        __module__ = "plywright.games.shipped"

        def initial(self) -> Any:
            raise ValueError

    smoke_test(Shipped())


@pytest.mark.parametrize("rule", ["is_terminal", "to_move", "actions", "result"])
def test_a_rule_that_answers_differently_when_asked_again_is_refused(rule: str) -> None:
    asked = itertools.count(1)

    class Fickle(Count):
        def is_terminal(self, state: Any) -> bool:
            return state >= 9 or (rule == "is_terminal" and state > 2 and next(asked) % 2 == 0)

        def to_move(self, state: Any) -> int:
            return next(asked) // 2 % 2 if rule == "to_move" else state % 2

        def actions(self, state: Any) -> Iterator[int]:
            yield from (1, 2) if rule != "actions" or next(asked) % 2 else (2, 1)

        def result(self, state: Any, action: int) -> Any:
            return state + (1 + next(asked) % 2 if rule == "result" else action)

    fault = fault_of(Fickle())
    assert fault.rule == rule and "answers differently when it is asked again" in str(fault)


def test_a_damaged_file_of_a_shipped_game_is_of_no_account_to_who_does_without_it(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.chdir(tmp_path)

    def damaged() -> None:
        raise BadInput("the network of chess is damaged")

    monkeypatch.setattr("plywright.games.chess.knowledge.trained_network", damaged)
    match = ["match", "--game", "chess", "--games", "2", "--mode", "depth:1", "--json"]
    assert main([*match, "pvs:knowledge=hand", "pvs:knowledge=material"]) == 0
    capsys.readouterr()
    assert main([*match, "pvs", "pvs:knowledge=hand"]) == 2
    assert "is damaged" in capsys.readouterr().err
