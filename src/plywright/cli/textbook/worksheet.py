"""`plywright worksheet`: exercises on paper, with their answers."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import replace
from pathlib import Path
from typing import Any

from ...errors import BadInput
from ...files import write_whole
from ...games.trees.explicit_tree import ExplicitTree
from ...textbook.worksheet import (
    Exercise,
    Sheet,
    exercises_on,
    make_worksheet,
    suitable_sheet,
    worksheet_page,
    worksheet_text,
)
from ..console import out, print_json
from .tree import read_tree


def show_worksheet(
    trees: Sequence[str],
    algorithm: str | None,
    depth: int | None,
    wanted: Mapping[str, Any],
    *,
    html: Path | None,
    json: bool,
) -> None:
    """Exercises on these trees or, where none is given, on seeded ones like `wanted`."""
    if trees:
        if given := [name for name, value in wanted.items() if value is not None]:
            raise BadInput(f"--{given[0]} is for trees drawn by lot: leave it out, or the trees")
        exercises, name = exercises_on([_own_tree(text) for text in trees], algorithm, depth), ""
    else:
        if depth is not None:
            raise BadInput("--depth is for trees of your own: those drawn by lot are searched to their leaves")
        told = {name: value for name, value in wanted.items() if value is not None}
        sheet = replace(suitable_sheet(algorithm or Sheet.algorithm), **told)
        exercises, name = make_worksheet(sheet), f"sheet {sheet.seed}"
    if html is not None:
        write_whole(html, worksheet_page(exercises, name).encode())
    if json:
        print_json({"exercises": [_as_dict(exercise) for exercise in exercises]})
    elif html is None:
        out.print(worksheet_text(exercises), markup=False)
    else:
        out.print(f"wrote {html}: {len(exercises)} exercise{'' if len(exercises) == 1 else 's'}, then the answers")


def _own_tree(text: str) -> ExplicitTree:
    game = read_tree(text)
    if not isinstance(game, ExplicitTree):
        raise BadInput(f"{game.name} is a game: a worksheet is made of trees that are written out, or figures")
    return game


def _as_dict(exercise: Exercise) -> dict[str, Any]:
    return {
        "number": exercise.number,
        "algorithm": exercise.title,
        "seed": exercise.seed,
        "tree": exercise.question.text,
        "questions": exercise.questions,
        "solved": exercise.answer.text,
        "answers": exercise.answers,
    }
