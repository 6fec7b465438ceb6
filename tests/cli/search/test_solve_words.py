"""`plywright solve` says how soon its proof wins, in whole sentences."""

from __future__ import annotations

from collections.abc import Callable

import pytest

Invoke = Callable[..., tuple[int, str, str]]


@pytest.mark.parametrize(
    ("place", "told"),
    [
        ("6k1/5ppp/8/8/8/8/5PPP/3R2K1 w - - 0 1", "+1 for White? yes, mate in 1, proof of 1 move; 1 node in"),
        ("kbK5/pp6/1P6/8/8/8/8/R7 w - - 0 1", "+1 for White? yes, mate in 2 at the latest, proof of 8 moves; "),
        (
            "kbK5/pp6/RP6/8/8/8/8/8 b - - 0 1",
            "at least 0 for Black? no, mate in 1 for White at the latest, proof of 7 moves; ",
        ),
    ],
)
def test_a_mate_is_told_by_its_moves(plywright: Invoke, place: str, told: str) -> None:
    status, out, err = plywright("solve", "chess", "--state", place)
    assert status == 0 and told in out, out + err


def test_a_draw_that_is_held_ends_nowhere(plywright: Invoke) -> None:
    status, out, err = plywright("solve", "tic-tac-toe", "--algorithm", "dfpn")
    assert status == 0 and "value  0  (proved)" in out and "at the latest" not in out, out + err
