"""`plywright doctor --environment`, and the note of --debug: what games are compiled with here."""

from __future__ import annotations

import json

import pytest

from plywright.cli.app import run
from plywright.native import numba_internals


@pytest.fixture
def given_up(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(numba_internals, "_given_up", {})
    numba_internals.give_up(("linking",), AttributeError("no such library"))


def test_the_environment_is_told(capsys: pytest.CaptureFixture[str]) -> None:
    assert run(["doctor", "--environment"]) == 0
    told = capsys.readouterr().out
    assert "games become native code" in told and "all 9 short cuts through Numba are taken" in told
    assert run(["doctor", "--environment", "--json"]) == 0
    facts = json.loads(capsys.readouterr().out)
    assert facts["compiles"] and facts["short_cuts"] == dict.fromkeys(numba_internals.SHORT_CUTS)


def test_a_short_cut_that_is_not_taken_is_a_note(capsys: pytest.CaptureFixture[str], given_up: None) -> None:
    assert run(["doctor", "--environment"]) == 0, "games still become native code"
    told = capsys.readouterr().out
    assert "note: linking by Numba's ordinary way, with the same answers" in told
    assert "because failed with AttributeError: no such library" in told
    assert run(["games", "--debug"]) == 0
    assert "note: linking: each rule and helper becomes machine code" in capsys.readouterr().err
    assert run(["games"]) == 0
    assert "linking" not in capsys.readouterr().err


@pytest.mark.parametrize("arguments", [["doctor"], ["doctor", "tic-tac-toe", "--environment"]])
def test_a_game_or_the_environment(arguments: list[str], capsys: pytest.CaptureFixture[str]) -> None:
    assert run(arguments) == 2
    assert "doctor takes a game, as in `plywright doctor ./mygame.py`, or --environment" in capsys.readouterr().err
