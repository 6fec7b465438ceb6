"""What an author gives for learning alone, features(), stage() and cells(), asked as learning asks it."""

from __future__ import annotations

from ..errors import Unsuitable
from ..models.loading import make_model
from ..models.model import check_learnable
from ..models.own_cells import examine_cells
from .subject import Subject

STATES = 300
"""How many states are asked about, spread over the sample."""


def ask_for_learning(subject: Subject) -> list[str]:
    """Ask in states of the sample, and say which hooks there were; raises GameError where one is wrong."""
    game = subject.game
    own = game.knowledge
    try:
        check_learnable(game)
    except Unsuitable:
        return []
    if own is None:
        return []
    linear = make_model(game, "linear") if own.feature_names else None
    celled = own(game) if hasattr(own, "cells") else None
    count: int | None = None
    for seen in subject.visits(STATES, over=False):
        if linear is not None:
            linear.examine(subject.guard, seen.visit.state)
        if celled is not None:
            count = examine_cells(celled, count, subject.guard, seen.visit.state)
    stage = ["stage"] if getattr(linear, "tapered", False) else []
    return [*(["features", *stage] if linear else []), *(["cells"] if celled else [])]
