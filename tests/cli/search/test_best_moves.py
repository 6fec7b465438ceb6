"""`plywright best --moves` with whole games in it."""

from __future__ import annotations

from collections.abc import Callable

Invoke = Callable[..., tuple[int, str, str]]
ONE = '[White "Ann"]\n\n1. e4 e5 2. Nf3 *\n'


def test_two_games_are_refused_as_two(plywright: Invoke) -> None:
    status, out, err = plywright("best", "chess", "--depth", "1", "--moves", f"{ONE}\n{ONE}")
    assert status == 2 and not out and "--moves has 2 games: give one of them" in err
    status, out, err = plywright("best", "chess", "--depth", "1", "--moves", ONE)
    assert status == 0 and "Black to move" in out, err


def test_a_game_goes_on_after_a_draw_that_nobody_claimed(plywright: Invoke) -> None:
    moves = '[FEN "4k3/p7/8/8/8/8/8/R3K3 w - - 98 80"]\n\n80. Ra2 Ke7 81. Ra3 a5 *'
    status, out, err = plywright("best", "chess", "--depth", "1", "--moves", moves)
    assert status == 0 and "White to move" in out, err
