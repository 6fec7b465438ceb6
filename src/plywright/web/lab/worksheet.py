"""What an address says of a worksheet, and where its exercises can be stepped through."""

from __future__ import annotations

from ...errors import BadInput
from ...games.trees.explicit_tree import FIGURES, ExplicitTree
from ...games.trees.generated_tree import KINDS, ORDERINGS
from ...textbook import ALGORITHMS
from ...textbook.worksheet import MOST_EXERCISES, Exercise, Sheet, suitable_sheet
from ..fields import Fields
from .setup import Setup

LONGEST = 6000
"""Characters of all the trees of a sheet."""


def read_sheet(given: Fields) -> Sheet:
    """A sheet of trees of the kind that suits the algorithm, unless another is asked for."""
    default = suitable_sheet(given.choice("algorithm", tuple(ALGORITHMS), Sheet.algorithm))
    return Sheet(
        default.algorithm,
        given.choice("kind", ("", *KINDS), "") or default.kind,
        given.whole("branching", default.branching, 2, 9),
        given.whole("levels", default.levels, 1, 5),
        given.choice("ordering", ORDERINGS),
        given.whole("seed", default.seed, 0, 10**6),
        given.whole("count", default.count, 1, MOST_EXERCISES),
    )


def own_trees(given: Fields) -> list[ExplicitTree]:
    """The teacher's own trees, one per line: typed, or figures by name; a line that cannot be read is named."""
    found = []
    for number, line in enumerate(given.text("trees", most=LONGEST).splitlines(), 1):
        text = line.strip()
        if not text:
            continue
        try:
            tree = ExplicitTree.figure(text) if text in FIGURES else ExplicitTree(text, name=f"tree {number}")
        except BadInput as error:
            raise BadInput(f"the tree in line {number} cannot be read: {error}") from None
        found.append(tree)
    return found


def address_of(sheet: Sheet, exercise: Exercise) -> str:
    """Where the lab steps through an exercise."""
    assert exercise.seed is not None
    setup = Setup(
        source="generated", branching=sheet.branching, levels=sheet.levels, seed=exercise.seed, ordering=sheet.ordering,
        kind=sheet.kind, algorithm=sheet.algorithm, depth=sheet.depth or 0,
    )  # fmt: skip
    return setup.address()
