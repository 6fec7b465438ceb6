"""The table's move is tried before the others are scored, where an order is the knowledge's own."""

from __future__ import annotations

from types import SimpleNamespace
from typing import Any

import numpy as np
import pytest

from plywright.engine.alphabeta.ordering import UNSCORED, list_actions
from plywright.engine.alphabeta.pvs_counters import MOST_ACTIONS

ACTIONS, PLY = (3, 5, 7), 1


def listed(hint: int, use_history: bool) -> tuple[list[int], list[int], list[int]]:
    """The actions in order, their scores, and those whose priority was asked for."""
    asked: list[int] = []

    def priority(state: Any, action: int, depth: int) -> int:
        asked.append(action)
        return action

    knowledge = SimpleNamespace(
        has_slot=False, has_priority=True, use_history=use_history, candidates=lambda state: ACTIONS, priority=priority
    )
    game = SimpleNamespace(repetition_forbids=0, max_actions=4, team=lambda mover: mover)
    info = np.zeros(64, np.int64)
    info[MOST_ACTIONS] = 4
    work = SimpleNamespace(
        info=info, actions=np.zeros(32, np.int64), scores=np.zeros(32, np.int64), killers=[-1] * 8, history=[0] * 9000
    )
    count = list_actions(game, knowledge, None, 0, 5, PLY, hint, work)
    base = 2 * PLY * game.max_actions
    return work.actions[base : base + count].tolist(), work.scores[base : base + count].tolist(), asked


@pytest.mark.parametrize("use_history", [False, True])
def test_others_wait_for_their_scores_behind_the_tables_move(use_history: bool) -> None:
    actions, scores, asked = listed(hint=5, use_history=use_history)
    assert sorted(actions) == [3, 5, 7]
    if use_history:  # the counters would change while the first is searched
        assert sorted(asked) == [3, 7] and scores[1] == 1 << 60
    else:
        assert asked == [] and actions[0] == 5 and scores[0] == UNSCORED


def test_without_a_move_from_the_table_all_are_scored() -> None:
    assert sorted(listed(hint=9, use_history=False)[2]) == [3, 5, 7]
