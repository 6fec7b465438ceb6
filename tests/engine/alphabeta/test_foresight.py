"""Selective searches before a proof: they say where to begin, and nothing that they guess gets into it."""

from __future__ import annotations

from typing import Any

import pytest

from plywright import load_game
from plywright.engine.alphabeta import solve as solving
from plywright.engine.alphabeta.probcut import SURE
from plywright.engine.alphabeta.pvs_counters import HORIZON, MODE, PROOF, TO_THE_END
from plywright.engine.alphabeta.solve import Proof, Solver, solve
from plywright.games.othello.pattern_knowledge import PatternKnowledge
from plywright.probcut_table import probcut_table

GAME = load_game("othello")
STATE = GAME.parse_state("O--OOOOX-OOOOOOXOOXXOOOXOOXOOOXXOOOOOOXX---OOOOX----O--X-------- X")  # FFO #40
VALUE = 38


class Cocksure(PatternKnowledge):
    """Takes every shallow value for the deep one."""

    def __init__(self, game: Any) -> None:
        super().__init__(game)
        deep = range(3, 40)
        self.probcut = probcut_table(dict.fromkeys(deep, 1), [dict.fromkeys(deep, 1e-6)] * 16)


def test_the_questions_begin_near_the_value_and_save_nodes(monkeypatch: pytest.MonkeyPatch) -> None:
    found = []

    def heard(*question: Any) -> int:
        found.append(solving_foreseen(*question))
        return found[-1]

    solving_foreseen = solving.foreseen
    monkeypatch.setattr(solving, "foreseen", heard)
    foretold, from_zero = solve(GAME, STATE, table_megabytes=16), solve(GAME, STATE, table_megabytes=16, guess=0)
    assert len(found) == 1 and abs(found[0] - VALUE) <= 8  # who gives a guess is believed
    assert foretold.proved and from_zero.proved and foretold.value == from_zero.value == VALUE
    assert foretold.nodes < from_zero.nodes


def test_what_was_guessed_wrongly_is_not_believed() -> None:
    proof = Proof(Solver(GAME, table_megabytes=16, knowledge=Cocksure(GAME)), STATE, None)
    proof.prove(with_line=True)
    assert proof.result().proved and proof.result().value == VALUE
    work = proof.work
    assert (work.info[MODE], work.info[TO_THE_END], work.info[HORIZON]) == (PROOF, 1, 0) and work.units[1] == SURE


def test_two_threads_and_a_limit_of_time_go_with_it() -> None:
    assert solve(GAME, STATE, table_megabytes=16, threads=2).value == VALUE
    stopped = solve(GAME, STATE, table_megabytes=16, time=1e-6)
    assert not stopped.proved and stopped.action in list(GAME.actions(STATE))
