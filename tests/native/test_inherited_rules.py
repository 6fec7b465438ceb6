"""`super().rule(...)` and `Base.rule(self, ...)` in rules: compiled as interpreted, and in the fingerprint."""

from __future__ import annotations

import importlib.util
from collections.abc import Iterable
from pathlib import Path
from types import ModuleType
from typing import Any, NamedTuple

import pytest

from plywright import Game, Knowledge, load_game, perft, search
from plywright.games.chess.knowledge import ChessKnowledge, Material


class Pile(NamedTuple):
    left: int
    mover: int


class TakeTwo(Game):
    """One or two stones are taken; whoever takes the last one wins."""

    def initial(self) -> Pile:
        return Pile(12, 0)

    def to_move(self, state: Pile) -> int:
        return state.mover

    def actions(self, state: Pile) -> Iterable[int]:
        for taken in range(1, min(state.left, 2) + 1):
            yield taken

    def result(self, state: Pile, action: int) -> Pile:
        return Pile(state.left - action, 1 - state.mover)

    def is_terminal(self, state: Pile) -> bool:
        return state.left == 0

    def utility(self, state: Pile, player: int) -> float:
        return -1 if player == state.mover else 1


class TakeThree(TakeTwo):
    def actions(self, state: Pile) -> Iterable[int]:
        yield from super().actions(state)
        if state.left > 2:
            yield 3


class TakeFour(TakeThree):
    """Four, too; a fifth stone is lost on the way."""

    def actions(self, state: Pile) -> Iterable[int]:
        yield from super().actions(state)
        if state.left > 4:
            yield 4

    def result(self, state: Pile, action: int) -> Pile:
        after = TakeTwo.result(self, state, action)
        return after._replace(left=after.left - 1) if action == 4 else after


class Left(TakeTwo):
    def result(self, state: Pile, action: int) -> Pile:
        return super().result(state, action)


class Right(TakeTwo):
    def result(self, state: Pile, action: int) -> Pile:
        after = super().result(state, action)
        return after._replace(left=max(after.left - 1, 0))


class Both(Left, Right):
    """What comes after Left is Right here, and TakeTwo in Left alone."""


@pytest.mark.parametrize("kind", [TakeThree, TakeFour, Left, Right, Both])
def test_rules_call_those_of_their_bases(kind: type[Game], recwarn: pytest.WarningsRecorder) -> None:
    found = search(kind(), depth=12)
    plain = search(kind(), depth=12, compiled=False)
    assert found.compiled and (found.value, found.line) == (plain.value, plain.line) and not recwarn.list
    assert [perft(kind(), depth) for depth in range(1, 5)] == [
        lines(kind(), kind().start_state, d) for d in range(1, 5)
    ]


def lines(game: Any, state: Any, depth: int) -> int:
    if depth == 0 or game.is_terminal(state):
        return 1
    return sum(lines(game, game.result(state, action), depth - 1) for action in game.actions(state))


class Keen(Material):
    def evaluate(self, state: Any, player: int) -> float:
        bonus = 0.0001 * (state.clock % 3)
        return Material.evaluate(self, state, player) + (bonus if player == state.mover else -bonus)


class Bold(ChessKnowledge):
    def evaluate(self, state: Any, player: int) -> float:
        return 0.5 * super().evaluate(state, player)


class Bolder(Bold):
    def evaluate(self, state: Any, player: int) -> float:
        return 0.5 * super().evaluate(state, player)

    def priority(self, state: Any, action: int, depth: int) -> int:
        return super().priority(state, action, depth) + 1


@pytest.mark.parametrize("kind", [Keen, Bold, Bolder])
def test_hooks_call_those_of_their_bases(kind: type[ChessKnowledge]) -> None:
    chess = load_game("chess")
    found = search(chess, depth=1, knowledge=kind(chess))
    assert found.compiled and found.value == search(chess, depth=1, knowledge=kind(chess), compiled=False).value


def test_a_class_in_a_function_is_a_base_like_any_other() -> None:
    class Halved(Knowledge):
        def evaluate(self, state: Any, player: int) -> float:
            return 0.5 if player == self.game.to_move(state) else -0.5

    class Quartered(Halved):
        def evaluate(self, state: Any, player: int) -> float:
            return Halved.evaluate(self, state, player) / 2

    game = load_game("tic-tac-toe")
    found = search(game, depth=2, knowledge=Quartered(game))
    assert found.compiled and found.value == 0.25


SOURCE = """
from plywright import Knowledge

class Base(Knowledge):
    def evaluate(self, state, player):
        return {worth} if player == self.game.to_move(state) else -{worth}

class Mine(Base):
    def evaluate(self, state, player):
        return {call}
"""


@pytest.mark.parametrize("call", ["super().evaluate(state, player)", "Base.evaluate(self, state, player)"])
def test_the_base_s_rule_is_part_of_the_fingerprint(call: str, tmp_path: Path) -> None:
    """Or code of an earlier base would be taken from the cache."""
    game = load_game("tic-tac-toe")
    values = [search(game, depth=2, knowledge=module(tmp_path, call, w).Mine(game)).value for w in (0.25, 0.5)]
    assert values == [0.25, 0.5]


def module(folder: Path, call: str, worth: float) -> ModuleType:
    path = folder / f"base{str(worth)[2:]}.py"
    path.write_text(SOURCE.format(call=call, worth=worth))
    spec = importlib.util.spec_from_file_location(path.stem, path)
    assert spec is not None and spec.loader is not None
    made = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(made)
    return made
