"""Cells that an author gives, as the player to move sees them."""

from __future__ import annotations

from typing import Any

import pytest

from plywright import BadInput, GameError, learn, search
from plywright.games.mnk import MNK, MNKKnowledge
from plywright.models.cells import sample_states
from plywright.models.inside import look_inside
from plywright.models.loading import keep_model, make_model, open_model


class CellsKnowledge(MNKKnowledge):
    cell_places = tuple((n // 3, n % 3) for n in range(9))

    def cells(self, state: Any) -> Any:
        for cell in range(9):
            yield (state.mine >> cell & 1) + 2 * (state.theirs >> cell & 1)


class Squares(MNK):
    knowledge = CellsKnowledge


@pytest.mark.slow
def test_both_players_share_what_is_learned(tmp_path: Any) -> None:
    game = Squares(3, 3, 3)
    model: Any = learn(game, games=3_000, pairs=0, random=0.2)
    assert model.own_cells
    for state in sample_states(game, 40)[1::4]:
        assert model.evaluate(state, 0) == pytest.approx(-model.evaluate(state, 1))
    won, lost = game.parse_state("OO./.../XX."), game.parse_state("OO./.X./X.X")
    assert model.evaluate(won, 0) > 0.3 > -0.3 > model.evaluate(lost, 0)
    assert search(game, won, depth=1, knowledge=model).value == 1
    keep_model(model, tmp_path / "own.knowledge")
    assert open_model(tmp_path / "own.knowledge", game).evaluate(game.start_state, 0) == model.evaluate(
        game.start_state, 0
    )
    panels = look_inside(model).panels
    assert [panel.title for panel in panels] == [f"a cell holds {n}" for n in range(3)] and len(panels[1].values) == 9


class Growing(CellsKnowledge):
    def cells(self, state: Any) -> Any:
        yield from range(3 + (state.mine & 1))


class Wordy(CellsKnowledge):
    def cells(self, state: Any) -> Any:
        yield "x"


class Halves(CellsKnowledge):
    def cells(self, state: Any) -> Any:
        yield 1
        yield 0.5


class HalvesGame(MNK):
    knowledge = Halves


class Large(CellsKnowledge):
    def cells(self, state: Any) -> Any:
        yield 10**12


class LargeGame(MNK):
    knowledge = Large


class Misplaced(CellsKnowledge):
    cell_places = ((0, 0), (0, 1))


class Far(CellsKnowledge):
    cell_places = (*((0, n) for n in range(8)), (10**9, 0))


class Negative(CellsKnowledge):
    cell_places = tuple((0, n - 1) for n in range(9))


class Halved(CellsKnowledge):
    cell_places = tuple((0, n / 2) for n in range(9))


class FarGame(MNK):
    knowledge = Far


class NegativeGame(MNK):
    knowledge = Negative


class HalvedGame(MNK):
    knowledge = Halved


class FarBoard(MNK):
    cell_places = (Far.cell_places,)


class NoBoard(MNK):
    cell_places = 5


class GrowingGame(MNK):
    knowledge = Growing


class WordyGame(MNK):
    knowledge = Wordy


class MisplacedGame(MNK):
    knowledge = Misplaced


@pytest.mark.parametrize(
    ("cls", "words"),
    [
        (GrowingGame, "gives 3 cells at first and 4 later"),
        (WordyGame, "cells are whole numbers"),
        (HalvesGame, r"gives 0\.5 in \[1, 0\.5\]; cells are whole numbers"),
        (LargeGame, "gives 1000000000000; a cell lies within plus or minus 4096"),
        (MisplacedGame, r"cell_places has 2 places, and cells\(\) gives 9 cells"),
        (FarGame, r"cell_places has \(1000000000, 0\); rows and columns are numbers from 0 to 399"),
        (NegativeGame, r"cell_places has \(0, -1\); rows and columns are numbers from 0 to 399"),
        (HalvedGame, r"cell_places is row and column of each cell, not \(\(0, 0\.0\)"),
        (FarBoard, r"cell_places has \(1000000000, 0\); rows and columns are numbers from 0 to 399"),
        (NoBoard, "cell_places is row and column of each cell of each board, not 5"),
    ],
)
def test_cells_that_cannot_be_are_the_authors(cls: Any, words: str) -> None:
    with pytest.raises((GameError, BadInput), match=words):
        make_model(cls(3, 3, 3))
