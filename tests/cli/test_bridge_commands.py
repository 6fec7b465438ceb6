"""`plywright bridge`."""

from __future__ import annotations

import json
from collections.abc import Callable
from pathlib import Path

import pytest

Plywright = Callable[..., tuple[int, str, str]]
DEAL = "N:AQ6.AKJ5.J8.KJ74 KT932.82.AQT94.A 875.T93.763.Q532 J4.Q764.K52.T986"


def test_an_ending_is_solved(plywright: Plywright) -> None:
    status, out, err = plywright("bridge", "solve", "N:9.J7.. 84.8.. Q...42 .T..AJ", "--contract", "1NTN", "--json")
    answer = json.loads(out)
    assert status == 0, err
    assert answer["tricks"]["N"]["N"] == 1 and answer["leads"] == {"S8": 1, "S4": 1, "H8": 3} and answer["proved"]
    status, out, err = plywright("bridge", "solve", "N:9.J7.. 84.8.. Q...42 .T..AJ")
    assert status == 0 and "20 results proved" in out and "par" not in out


def test_boards_are_converted(plywright: Plywright, tmp_path: Path) -> None:
    status, out, err = plywright("bridge", "convert", DEAL, "--to", "lin", "--output", "one.lin")
    assert status == 0 and "1 board in one.lin" in out, err
    status, out, err = plywright("bridge", "convert", "one.lin")
    assert status == 0 and f'[Deal "{DEAL}"]' in out, err


def test_scores(plywright: Plywright) -> None:
    assert "-200 for East's side" in plywright("bridge", "score", "3NTXE", "8", "--vulnerable", "EW")[1]
    assert json.loads(plywright("bridge", "score", "4SN", "10", "--json")[1])["score"] == 420


@pytest.mark.parametrize(
    ("arguments", "words"),
    [
        (("solve", DEAL[:-1]), "West has 12 cards"),
        (("solve", "missing.pbn"), "there is no file missing.pbn"),
        (("solve", DEAL, "--board", "2"), "--board 2: there is 1 in it"),
        (("solve", DEAL, "--contract", "8SN"), "is no contract"),
        (("solve", DEAL, "--contract", "pass"), "nobody leads"),
        (("solve", DEAL, "--vulnerable", "maybe"), "none, NS, EW or both"),
        (("solve", DEAL, "--dealer", "Q"), "N, E, S or W"),
        (("score", "4SN", "14"), "0 to 13 tricks"),
        (("convert", DEAL, "--to", "doc"), "pbn or lin"),
        (("convert", "N:A... K... Q... J...", "--to", "lin"), "board 1 is an ending, which LIN has no words for"),
        (("solve", "N:A... - Q... J..."), "the hand of East is not given, so that there is nothing to prove"),
        (("convert", "md|1SA|"), "three or four hands"),
    ],
)
def test_bad_input_is_one_line(plywright: Plywright, arguments: tuple[str, ...], words: str) -> None:
    status, _, err = plywright("bridge", *arguments)
    assert status == 2 and words in err and "Traceback" not in err and len(err.strip().splitlines()) == 1, err


def test_a_revoke_by_a_program_loses_the_board_and_is_named(plywright: Plywright, tmp_path: Path) -> None:
    (tmp_path / "revoker.py").write_text(
        "def policy(game, view, seat):\n    return (0 if view.last else 3) if view.caller < 4 else 0\n"
    )
    status, out, err = plywright("bridge", "match", "./revoker.py", "bridge-greedy", "--boards", "1")
    assert status == 0 and "not legal" in out and "-7600" in out and "+7600" in out and "-24 IMPs" in out, out + err
    status, out, err = plywright("bridge", "match", "random", "random", "--boards", "1", "--record", "none/x.pbn")
    assert status == 2 and "board" not in out and len(err.strip().splitlines()) == 1, err


def test_a_damaged_file_is_named(plywright: Plywright, tmp_path: Path) -> None:
    (tmp_path / "x.pbn").write_bytes(b"\x00\xff\xfe junk [Deal")
    status, _, err = plywright("bridge", "solve", "x.pbn")
    assert status == 2 and "x.pbn: " in err and len(err.strip().splitlines()) == 1, err
