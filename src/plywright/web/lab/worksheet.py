"""What an address says of a worksheet, and where its exercises can be stepped through."""

from __future__ import annotations

from ...games.trees.generated_tree import KINDS, ORDERINGS
from ...textbook import ALGORITHMS
from ...textbook.worksheet import MOST_EXERCISES, Exercise, Sheet
from ..fields import Fields
from .setup import Setup


def read_sheet(given: Fields) -> Sheet:
    default = Sheet()
    return Sheet(
        given.choice("algorithm", tuple(ALGORITHMS), default.algorithm),
        given.choice("kind", KINDS),
        given.whole("branching", default.branching, 2, 9),
        given.whole("levels", default.levels, 1, 5),
        given.choice("ordering", ORDERINGS),
        given.whole("seed", default.seed, 0, 10**6),
        given.whole("count", default.count, 1, MOST_EXERCISES),
    )


def address_of(sheet: Sheet, exercise: Exercise) -> str:
    """Where the lab steps through an exercise."""
    assert exercise.seed is not None
    setup = Setup(
        source="generated", branching=sheet.branching, levels=sheet.levels, seed=exercise.seed, ordering=sheet.ordering,
        kind=sheet.kind, algorithm=sheet.algorithm, depth=sheet.depth or 0,
    )  # fmt: skip
    return setup.address()
