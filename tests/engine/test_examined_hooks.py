"""A proof says what it rests on: hooks that nobody has examined, and rules that answer alike when asked again."""

from __future__ import annotations

import itertools
from collections.abc import Iterator
from pathlib import Path
from typing import Any, NamedTuple

import pytest

from plywright import Game, Knowledge, load_game, search
from plywright.cli.search.best import report
from plywright.engine.alphabeta.solve import solve
from plywright.engine.alphabeta.table_file import identity
from plywright.engine.examined_hooks import remember_passed
from plywright.errors import GameError
from plywright.knowledge import knowledge_of


class Race(NamedTuple):
    total: int
    turn: int


class Steps(Game):
    """To ten by steps of one to three; whoever gets there wins."""

    most = 3

    def initial(self) -> Race:
        return Race(0, 0)

    def to_move(self, state: Race) -> int:
        return state.turn

    def actions(self, state: Race) -> Iterator[int]:
        for step in range(1, self.most + 1):
            yield step

    def result(self, state: Race, action: int) -> Race:
        return Race(state.total + action, 1 - state.turn)

    def is_terminal(self, state: Race) -> bool:
        return state.total >= 10

    def utility(self, state: Race, player: int) -> float:
        return -1 if player == state.turn else 1


class WrongKnowledge(Knowledge):
    """The winning step is left out, and the bounds say nothing."""

    def candidates(self, state: Race) -> Iterator[int]:
        yield 1

    def bounds(self, state: Race) -> tuple[float, float]:
        return -1.0, 1.0


class Wrong(Steps):
    knowledge = WrongKnowledge


@pytest.fixture(autouse=True)
def own_cache(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    tmp_path.chmod(0o700)
    monkeypatch.setenv("PLYWRIGHT_CACHE", str(tmp_path))


def test_a_proof_names_the_hooks_that_nobody_has_examined() -> None:
    game = Wrong()
    found = search(game, depth=12, compiled=False)
    assert found.proved and found.assuming == ("candidates", "bounds")
    assert found.as_dict(game, game.start_state)["assuming"] == ["candidates", "bounds"]
    words = dict(report(game, game.start_state, found))["value"]
    assert "proved, if candidates() and bounds() keep their promises (plywright doctor wrong)" in words
    assert solve(game, compiled=False).assuming == ("candidates", "bounds")


@pytest.mark.parametrize(
    ("game", "options"),
    [
        (Steps(), {}),  # it has no hooks
        (Wrong(), {"algorithm": "alphabeta"}),  # which uses none
        (load_game("connect-four:columns=4,rows=4"), {}),  # ours, and examined here
    ],
)
def test_a_proof_that_rests_on_the_rules_alone_says_so_plainly(game: Any, options: dict[str, Any]) -> None:
    found = search(game, depth=20, compiled=False, **options)
    assert found.proved and found.assuming == () and found.condition(game) == ""


def test_what_the_doctor_has_passed_is_remembered_for_just_those_rules(tmp_path: Path) -> None:
    class Other(Wrong):
        most = 2

    remember_passed(identity(knowledge_of(Wrong())))
    assert search(Wrong(), depth=12, compiled=False).assuming == ()
    assert search(Other(), depth=12, compiled=False).assuming != ()
    kept, foreign = tmp_path / "examined" / f"{identity(knowledge_of(Wrong()))}.json", identity(knowledge_of(Other()))
    kept.rename(kept.with_name(f"{foreign}.json"))  # in the place of other rules it means nothing
    assert search(Other(), depth=12, compiled=False).assuming != ()
    assert search(Wrong(), depth=12, compiled=False).assuming != ()


def test_a_folder_that_others_can_write_to_is_not_believed(tmp_path: Path) -> None:
    remember_passed(identity(knowledge_of(Wrong())))
    tmp_path.chmod(0o777)
    assert search(Wrong(), depth=12, compiled=False).assuming != ()


def test_rules_that_answer_differently_are_refused() -> None:
    calls = itertools.count()

    class Fickle(Steps):
        def result(self, state: Race, action: int) -> Race:
            return Race(state.total + action + (next(calls) % 2 if state.total else 0), 1 - state.turn)

    with pytest.raises(GameError, match=r"result\(\) answers differently|same"):
        search(Fickle(), depth=12, compiled=False)


@pytest.mark.slow
def test_the_doctor_lifts_the_condition(tmp_path: Path) -> None:
    from plywright.doctor import examine

    path = Path(__file__).parents[1] / "doctor" / "healthy" / "take_range.py"
    hooked = tmp_path / "hooked.py"
    hooked.write_text(path.read_text() + HOOK)
    name = f"{hooked}:Hooked"
    assert search(load_game(name), depth=30).assuming == ("bounds",)
    assert examine(name, seconds=1).healthy
    assert search(load_game(name), depth=30).assuming == ()


HOOK = """

from plywright import Knowledge


class HookedKnowledge(Knowledge):
    def bounds(self, state):
        return self.game.utility_range[0] + 0.0, self.game.utility_range[1] + 0.0


class Hooked(TakeRange):
    knowledge = HookedKnowledge
"""
