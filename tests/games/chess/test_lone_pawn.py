"""King and pawn against king by bits, held to the table that the builder of all tables makes; rook's pawns."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest

from plywright import load_game, search
from plywright.games.chess.endings import ChessEndings
from plywright.games.chess.lone_pawn import has_wrong_pawns, is_lone_pawn, lone_pawns, pawn_wins
from plywright.knowledge import knowledge_of
from plywright.tables.build import build_table

GAME = load_game("chess")


def test_as_many_positions_are_won_as_published() -> None:
    """62,480 with the side that has the pawn to move, 48,802 with the other one: of 196,608 numbers."""
    wins = np.unpackbits(lone_pawns())
    assert (wins[: len(wins) // 2].sum(), wins[len(wins) // 2 :].sum()) == (62_480, 48_802)


@pytest.mark.parametrize(
    ("fen", "won"),
    [
        ("8/8/8/4k3/8/4K3/4P3/8 w - - 0 1", False),
        ("8/8/8/4k3/8/4K3/4P3/8 b - - 0 1", True),
        ("4k3/8/4K3/4P3/8/8/8/8 w - - 0 1", True),
        ("4k3/8/4K3/4P3/8/8/8/8 b - - 0 1", True),
        ("8/7p/8/7k/8/8/8/5K2 w - - 7 61", False),
        ("8/8/8/8/5k2/6p1/6K1/8 w - - 34 126", False),
        ("8/8/8/8/4k3/4p3/8/4K3 w - - 0 1", False),
        ("8/8/8/8/8/3k4/3p4/3K4 w - - 0 1", False),
        ("8/P7/8/8/8/7k/8/K7 b - - 0 1", True),
    ],
)
def test_what_every_book_says(fen: str, won: bool) -> None:
    state = GAME.read_state(fen)
    assert is_lone_pawn(state) and pawn_wins(lone_pawns(), state) == won
    value = 100 * knowledge_of(GAME).evaluate(state, 0)
    assert abs(value) > 4 if won else value == 0


@pytest.mark.parametrize(
    ("fen", "wrong"),
    [
        ("7k/7P/8/4K3/8/3B4/8/8 w - - 0 1", True),  # h8 is dark, the bishop light
        ("7k/8/8/4K2P/8/4B3/8/8 w - - 0 1", False),
        ("k7/8/K7/P7/P7/8/8/2B5 w - - 0 1", True),
        ("1k6/8/K7/P7/P7/8/8/5B2 w - - 0 1", False),
        ("k7/8/K7/P7/8/8/7P/2B5 w - - 0 1", False),  # another file
        ("8/k7/8/K7/P7/8/8/2N5 w - - 0 1", False),  # a knight
        ("8/8/8/4k3/8/P7/8/K1B5 w - - 0 1", False),  # the king is not there
        ("4k3/8/3b4/7p/8/8/8/7K b - - 0 1", True),
    ],
)
def test_rook_s_pawns_do_not_queen_behind_the_wrong_bishop(fen: str, wrong: bool) -> None:
    state = GAME.read_state(fen)
    white, black = (state.mine, state.theirs) if state.mover == 0 else (state.theirs, state.mine)
    leader, other = (black, white) if " b " in fen else (white, black)
    assert has_wrong_pawns(state, leader, other) == wrong
    value = abs(100 * knowledge_of(GAME).evaluate(state, 0))
    assert value < 0.5 if wrong else value > 1.5


def test_a_pawn_that_cannot_win_is_not_traded_for() -> None:
    """Taking the knight leaves a rook's pawn and a king in the corner: worth nothing, and so the value says."""
    state = GAME.read_state("7k/8/8/8/7p/8/6n1/6K1 w - - 0 1")
    assert abs(search(GAME, state, depth=4).value) < 0.01


def test_the_bits_are_the_table_s(tmp_path: Path) -> None:
    """Whatever the builder of all tables finds for king and pawn against king, in 5,000 positions."""
    knowledge = ChessEndings(GAME)
    table = build_table(GAME, "KPK", tmp_path, knowledge=knowledge)
    numbering, slices = knowledge.for_tables("KPK")
    total, bits = sum(size for _, size in slices), lone_pawns()
    seen = 0
    for number in np.random.default_rng(3).integers(total - slices[-1][1], total, 20_000).tolist():
        if seen == 5000:
            break
        if numbering.is_hole(number):
            continue
        state = GAME.coerce_state(numbering.unindex(number))
        if GAME.is_terminal(state):
            continue
        known = table.look_up(state)
        assert known is not None and (known.value != 0) == pawn_wins(bits, state), GAME.format_state(state)
        seen += 1
    assert seen == 5000
