"""Chess: what its rules, its texts and its picture promise beyond the conformance of every game."""

from __future__ import annotations

import random
import re
import struct
import time
import tracemalloc
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from plywright import BadInput, load_game, perft, search
from plywright.bits import popcount
from plywright.compiled import Workspace, interpreted
from plywright.counters import stop_word
from plywright.engine.perft import count_lines
from plywright.games.chess.epd import read_epd, read_suite, write_epd
from plywright.games.chess.knowledge import ChessKnowledge
from plywright.games.chess.openings import NAMES
from plywright.games.chess.pgn import read_pgn
from plywright.games.chess.polyglot import Book, polyglot_key
from plywright.games.chess.position import position_key
from plywright.games.chess.rules import Chess
from plywright.games.chess.san import write_uci
from plywright.games.chess.start import back_rank
from plywright.games.chess.weights import fitted_weights, read_weights, write_weights
from plywright.repetition import Past

GAME = load_game("chess")
KIWIPETE = "r3k2r/p1ppqpb1/bn2pnp1/3PN3/1p2P3/2N2Q1p/PPPBBPPP/R3K2R w KQkq - 0 1"


def after(moves: str, start: str | None = None) -> Any:
    return GAME.play_moves(GAME.start_state if start is None else GAME.read_state(start), moves)


# -- rules ---------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("position", "utility"),
    [
        ("rnb1kbnr/pppp1ppp/8/4p3/6Pq/5P2/PPPPP2P/RNBQKBNR w KQkq - 1 3", -1),  # fool's mate
        ("7k/5Q2/6K1/8/8/8/8/8 b - - 0 1", 0),  # stalemate
        ("8/8/4k3/8/8/3NK3/8/8 w - - 0 1", 0),  # one knight
        ("8/2b5/4k3/8/5B2/4K3/8/8 w - - 0 1", 0),  # bishops on squares of one colour
        ("8/8/4k3/8/8/4K3/8/R7 w - - 100 90", 0),  # fifty moves
        ("7k/7Q/6K1/8/8/8/8/8 b - - 100 90", -1),  # mate goes before fifty moves
    ],
)
def test_ends(position: str, utility: int) -> None:
    state = GAME.read_state(position)
    assert GAME.is_terminal(state) and GAME.utility(state, GAME.to_move(state)) == utility
    assert GAME.count_actions(state) == 0 == len(list(GAME.actions(state)))


@pytest.mark.parametrize(
    "position",
    [
        "8/8/4k3/8/8/2NNK3/8/8 w - - 0 1",
        "8/2b5/4k3/8/4B3/4K3/8/8 w - - 0 1",
        "8/2n5/4k3/8/4B3/4K3/8/8 w - - 0 1",
        "8/8/4k3/8/8/4K3/8/R7 w - - 99 90",
    ],
)
def test_goes_on(position: str) -> None:
    assert not GAME.is_terminal(GAME.read_state(position))


def test_draws_are_claimed_automatic_or_none() -> None:
    shuffle = "Nf3 Nf6 Ng1 Ng8 " * 4
    occurrences = {"claimed": 3, "automatic": 5}
    for draws, times in occurrences.items():
        game = load_game(f"chess:draws={draws}")
        states = game.states_along(game.start_state, shuffle)
        past = Past(game)
        over = []
        for state in states:
            over.append(past.is_over(state))
            past.add(state)
        assert over.index(True) == 4 * (times - 1)
    rook = "8/8/4k3/8/8/4K3/8/R7 w - - {} 90"
    for draws, clock in (("claimed", 100), ("automatic", 150)):
        game = load_game(f"chess:draws={draws}")
        assert game.is_terminal(game.read_state(rook.format(clock)))
        assert not game.is_terminal(game.read_state(rook.format(clock - 1)))
    free = load_game("chess:draws=none")
    assert free.repetition is None and not free.is_terminal(free.read_state("8/8/4k3/8/8/4K3/8/8 w - - 300 200"))


def test_repetition_looks_at_rights_and_at_taking_in_passing() -> None:
    def keys(moves: str) -> list[int]:
        return [GAME.repetition_key(state) for state in GAME.states_along(GAME.start_state, moves)]

    king_walk = keys("e4 e5 Ke2 Ke7 Ke1 Ke8")
    assert king_walk[2] != king_walk[6]  # the rights to castle are gone
    passing = keys("e4 Nf6 e5 d5 Nc3 Nc6 Nb1 Nb8")
    assert passing[4] != passing[8]  # exd6 was possible the first time only
    no_taker = keys("a4 Nf6 Nc3 Ng8 Nb1")
    assert no_taker[1] == no_taker[5]
    assert position_key(after("Nf3 Nf6 Ng1 Ng8")) == position_key(GAME.start_state)


def test_a_pinned_pawn_does_not_take_in_passing() -> None:
    pinned = after("c5", "8/2p5/3p4/KP5r/1R3p1k/8/4P1P1/8 b - - 0 1")  # two pawns would leave the rank at once
    assert "bxc6" not in [GAME.format_action(pinned, action) for action in GAME.actions(pinned)]
    assert pinned.passant == 0
    free = after("c5", "8/2p5/3p4/KP6/1R3p1k/8/4P1P1/8 b - - 0 1")
    assert "bxc6" in [GAME.format_action(free, action) for action in GAME.actions(free)]


def test_chess960_starts_and_castles() -> None:
    assert back_rank(518) == "rnbqkbnr" and back_rank(0) == "bbqnnrkr" and back_rank(959) == "rkrnnqbb"
    assert len({back_rank(number) for number in range(960)}) == 960
    game = load_game("chess:start=959")
    state = game.read_state("7k/8/8/8/8/8/8/RK4R1 w KQ - 0 1")
    castling = {game.format_action(state, a): write_uci(state, a, chess960=True) for a in game.actions(state)}
    assert castling["O-O"] == "b1g1" and castling["O-O-O"] == "b1a1"
    after_short = game.play_moves(state, "O-O")
    assert game.format_state(after_short).startswith("7k/8/8/8/8/8/8/R4RK1 b")
    shielded = game.read_state("7k/p7/8/8/8/8/8/qRK5 w B - 0 1")  # the rook's leaving opens the first rank
    assert "O-O-O" not in [game.format_action(shielded, action) for action in game.actions(shielded)]


@pytest.mark.parametrize(
    ("position", "why"),
    [
        ("4k3/8/8/8/8/8/8/R3K2R w KKQ - 0 1", "'KKQ' names the same right to castle twice, the second time as 'K'"),
        ("4k3/8/8/8/8/8/8/R3K2R w HK - 0 1", "'HK' names the same right to castle twice, the second time as 'K'"),
        ("4k3/8/8/8/8/8/8/RRR1K3 w CBA - 0 1", "White may castle with two rooks on the same side"),
    ],
)
def test_rights_to_castle_are_refused_for_what_is_wrong_with_them(position: str, why: str) -> None:
    with pytest.raises(BadInput) as caught:
        load_game("chess").read_state(position)
    assert why in str(caught.value)


@pytest.mark.parametrize("name", ["chess", "checkers"])
def test_long_nonsense_is_shown_in_part(name: str) -> None:
    game = load_game(name)
    for read in (game.read_state, lambda text: game.parse_action(game.start_state, text)):
        for text in ("a" * 100_000, "1-" * 50_000, "B:W" + "9" * 100_000 + ":B1", "8/" * 50_000 + " w"):
            with pytest.raises(BadInput) as caught:
                read(text)
            assert len(str(caught.value)) < 1_000


def test_wrong_parameters_are_refused() -> None:
    for name in ("chess:start=960", "chess:start=x", "chess:draws=never"):
        with pytest.raises(BadInput):
            load_game(name)


def test_perft_counts_the_last_ply_without_listing_it() -> None:
    class Unlisted(Chess):
        def actions(self, state: Any) -> Any:
            raise AssertionError("listed")

        def is_terminal(self, state: Any) -> bool:
            return False

    game = Unlisted()
    work: Any = Workspace(info=np.zeros(6, np.int64), stop=stop_word())
    with interpreted():
        assert count_lines(game, game.start_state, 1, 0, work) == 20


# -- texts ---------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("text", "meant"),
    [
        *((text, "Nf3") for text in ("Nf3", "Ngf3", "N1f3", "Ng1f3", "Ng1-f3", "g1f3", "G1F3", "nf3", "♘f3", "Nf3!?")),
        *((text, "e4") for text in ("e4", "e2e4", "e2-e4", "E4", "Pe4", " e4 ", "e4!")),
    ],
)
def test_usual_spellings_of_first_moves(text: str, meant: str) -> None:
    assert GAME.format_action(GAME.start_state, GAME.parse_action(GAME.start_state, text)) == meant


@pytest.mark.parametrize(
    ("position", "text", "meant"),
    [
        (KIWIPETE, "0-0", "O-O"),
        (KIWIPETE, "o-o-o", "O-O-O"),
        (KIWIPETE, "e1g1", "O-O"),
        (KIWIPETE, "e1h1", "O-O"),
        (KIWIPETE, "e1c1", "O-O-O"),
        (KIWIPETE, "dxe6", "dxe6"),
        (KIWIPETE, "de6", "dxe6"),
        (KIWIPETE, "de", "dxe6"),
        (KIWIPETE, "d5:e6", "dxe6"),
        ("4k3/P7/8/8/8/8/8/4K3 w - - 0 1", "a8=Q", "a8=Q+"),
        ("4k3/P7/8/8/8/8/8/4K3 w - - 0 1", "a8Q", "a8=Q+"),
        ("4k3/P7/8/8/8/8/8/4K3 w - - 0 1", "a8(R)", "a8=R+"),
        ("4k3/P7/8/8/8/8/8/4K3 w - - 0 1", "a7a8n", "a8=N"),
        ("4k3/8/8/1pP5/8/8/8/4K3 w - b6 0 1", "cxb6 e.p.", "cxb6"),
        ("4k3/8/8/8/8/2p5/1P1B4/4K3 w - - 0 1", "Bxc3", "Bxc3"),
        ("4k3/8/8/8/8/2p5/1P1B4/4K3 w - - 0 1", "bxc3", "bxc3"),
        ("4k3/8/8/8/8/8/8/R3K3 w - - 0 1", "Rb2", None),
        ("4k3/8/8/8/8/8/8/R3K3 w - - 0 1", "hello", None),
    ],
)
def test_spellings(position: str, text: str, meant: str | None) -> None:
    state = GAME.read_state(position)
    if meant is None:
        with pytest.raises(BadInput):
            GAME.parse_action(state, text)
    else:
        assert GAME.format_action(state, GAME.parse_action(state, text)) == meant


@pytest.mark.parametrize("sign", ["+", " ", "!", "#", "=", "x", "e.p.", "\n"])
def test_a_move_has_an_end(sign: str) -> None:
    for text in ("e4" + sign * 100_000 + "x", "e4" + sign * 100_000):
        began = time.perf_counter()
        with pytest.raises(BadInput, match="a move is written with at most 40 characters") as caught:
            GAME.parse_action(GAME.start_state, text)
        assert time.perf_counter() - began < 0.2 and len(str(caught.value)) < 600


@pytest.mark.parametrize(
    ("position", "bare", "spelt"),
    [
        ("4k3/8/8/8/4p3/3P4/8/4K3 b - - 0 1", "d3 d3+ -d3 xd3 4d3 Pd3 Pxd3", "e4d3 e4xd3 exd3 ed3 ed e4-d3"),
        ("4k3/8/8/1pP5/8/8/8/4K3 w - b6 0 1", "b6 xb6 5b6 b6e.p.", "cxb6 cb6 cb c5b6 cxb6e.p. cxb6+ep"),
        ("1n5k/P7/8/8/8/8/8/K7 w - - 0 1", "b8=Q b8Q xb8=Q b8", "axb8=Q ab8Q a7b8q"),
    ],
)
def test_a_pawn_that_takes_says_from_which_file(position: str, bare: str, spelt: str) -> None:
    state = GAME.read_state(position)
    for text in bare.split():
        with pytest.raises(BadInput):
            GAME.parse_action(state, text)
    assert len({GAME.parse_action(state, text) for text in spelt.split()}) == 1


def test_several_meanings_are_named() -> None:
    state = GAME.read_state("4k3/8/8/8/8/2p5/1P1B4/4K3 w - - 0 1")
    with pytest.raises(BadInput, match="bxc3, Bxc3"):
        GAME.parse_action(state, "BXC3")
    with pytest.raises(BadInput, match="Rad1, Rhd1"):
        GAME.parse_action(GAME.read_state("4k3/8/8/8/8/8/4K3/R6R w - - 0 1"), "Rd1")


@pytest.mark.parametrize("text", ["axb8", "a7b8", "axb8+", "axb8="])
def test_a_promotion_without_a_piece_is_told_the_pieces(text: str) -> None:
    state = GAME.read_state("1n5k/P7/8/8/8/8/8/K7 w - - 0 1")
    with pytest.raises(BadInput, match=r"does not say what the pawn becomes: axb8=Q\+, axb8=R\+, axb8=B, axb8=N"):
        GAME.parse_action(state, text)


@pytest.mark.parametrize(
    ("position", "how"),
    [
        ("R6k/6pp/8/8/8/8/8/K7 b - - 0 1", "Checkmate: White has won"),
        ("4k3/8/8/8/8/8/8/4K3 w - - 0 1", "A draw: neither side can mate"),
        ("4k3/7R/8/8/8/8/8/4K3 w - - 100 90", "A draw: 50 moves"),
    ],
)
def test_a_finished_position_says_how_the_game_has_ended(position: str, how: str) -> None:
    with pytest.raises(BadInput, match=f"the game is over in this position of chess \\({how}.*\\): there is nothing"):
        search(GAME, GAME.read_state(position), depth=1)


@pytest.mark.parametrize(
    ("position", "why"),
    [
        ("rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBKR w - - 0 1", "White has 2 kings"),
        ("rnbq1bnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w - - 0 1", "Black has no king"),
        ("4k2P/8/8/8/8/8/8/4K3 w - - 0 1", "White has a pawn on the first or the last rank"),
        ("4k3/8/8/8/8/8/4r3/4K3 b - - 0 1", "White is in check, but Black is to move"),
        ("4k3/8/8/8/8/8/8/4K3 w KQkq - 0 1", "no rook for it"),
        ("4k3/8/8/8/8/8/8/K6R w K - 0 1", "the king stands in a corner"),
        ("r3k2r/8/8/8/8/8/4K3/R6R w KQkq - 0 1", "the king has left its first rank"),
        ("4k3/pppppppp/p7/8/8/8/8/4K3 w - - 0 1", "Black has 9 pawns"),
        ("4k3/8/8/8/8/8/PPPPPPPP/QQ2K3 w - - 0 1", "more promoted pieces"),
        ("4k3/8/8/8/8/8/8/4K3 w - e6 0 1", "none has just gone over it"),
        ("4k3/8/8/3p4/8/8/8/4K3 w - d5 0 1", "rank 6"),
        ("4k3/8/8/8/8/8/8/4K3 x - - 0 1", "w or b"),
        ("4k3/8/8/8/8/8/4K3 w - - 0 1", "8 rows"),
        ("4k3/8/8/8/8/8/9/4K3 w - - 0 1", "'9' means nothing"),
        ("4k4/8/8/8/8/8/8/4K3 w - - 0 1", "9 squares"),
        ("4k3/8/8/8/8/8/8/4K3 w - - -1 1", "counts"),
        ("4k3/8/8/8/8/8/8/4K3", "not a FEN"),
        ("4k3/8/8/8/8/8/8/4K2R w Z - 0 1", "no right to castle"),
        ("4kr2/8/8/1b6/3n4/8/8/5K1r w - - 0 1", "3 pieces give check"),
        ("4k3/8/3n1n2/8/4K3/8/8/8 w - - 0 1", "Nd6 and Nf6 give check at once, and no move can have led to that"),
        ("4k3/8/8/3p1p2/4K3/8/8/8 w - - 0 1", "Pd5 and Pf5 give check at once"),
        ("4k3/8/5n2/3p4/4K3/8/8/8 w - - 0 1", "Pd5 and Nf6 give check at once"),
        ("k3r3/8/8/8/4K2r/8/8/8 w - - 0 1", "Rh4 and Re8 give check at once"),
        ("k3r3/8/8/8/4K3/2n5/8/8 w - - 0 1", "Nc3 and Re8 give check at once"),
        ("3r1k2/8/8/8/3pP3/8/8/4K3 b - e3 99 1", "a pawn has just moved, but 99 moves without"),
    ],
)
def test_impossible_positions_are_refused_in_words(position: str, why: str) -> None:
    with pytest.raises(BadInput, match=why):
        GAME.read_state(position)


@pytest.mark.parametrize(
    "position",
    [
        "k7/8/5n2/8/4K2r/8/8/8 w - - 0 1",  # Ng4-f6+
        "k3r3/8/8/3p4/4K3/8/8/8 w - - 0 1",  # exd5+
        "k3r3/8/8/8/8/8/8/4Kr2 w - - 0 1",  # exf1=R+
        "k7/8/8/3K4/8/4p3/8/3r3b w - - 0 1",  # dxe3+ in passing
    ],
)
def test_checks_by_two_pieces_that_a_move_gives_are_read(position: str) -> None:
    GAME.read_state(position)


@pytest.mark.parametrize("games", [60, pytest.param(1_500, marks=pytest.mark.slow)])
def test_states_that_play_reaches_are_never_refused(games: int) -> None:
    """From positions with few pieces, where lines open and pawns become something."""
    free, rng, doubles = load_game("chess:draws=none"), random.Random(4), 0
    sparse = "r3k2r/1P1b4/2n2P2/8/8/2p2N2/1p2B3/R3K2R w KQkq - 0 1"
    for number in range(games):
        start = load_game(f"chess:start={rng.randrange(960)}").start_state
        state = free.read_state(sparse) if number % 2 else start
        for _ in range(25):
            legal = list(free.actions(state))
            if not legal:
                break
            children = [free.state_after(state, action) for action in legal]
            many = [child for child in children if popcount(child.checkers) > 1]
            doubles += len(many)
            state = rng.choice(children)
            for child in (*many, state):
                assert free.check_state(child) == "", free.format_state(child)
    assert doubles > games // 30


def test_all_starts_share_one_compilation(compilations: list[str]) -> None:
    """The start is data: what is legal does not depend on it."""
    usual, other = load_game("chess"), load_game("chess:start=0")
    assert usual.fingerprint == other.fingerprint != load_game("chess:draws=none").fingerprint
    perft(usual, 2)
    compilations.clear()
    assert perft(other, 2) == 400
    assert not compilations and usual.start_state != other.start_state


def test_fen_knows_chess960_rooks() -> None:
    text = "1rk1r3/8/8/8/8/8/8/RRK1R2R w BHb - 0 1"
    assert GAME.format_state(GAME.read_state(text)) == "1rk1r3/8/8/8/8/8/8/RRK1R2R w KBq - 0 1"
    assert GAME.read_state("r3k2r/8/8/8/8/8/8/R3K2R w HAha - 0 1") == GAME.read_state(
        "r3k2r/8/8/8/8/8/8/R3K2R w KQkq -"
    )


# -- PGN -----------------------------------------------------------------------------------------------

TWO_GAMES = """[Event "Club \\"A\\""]
[White "Ann"]
[Black "Bob"]
[Result "1-0"]

1. e4 {best by test (or so)} e5 2. Qh5?! $6 Ke7?? (2... Nc6 3. Bc4 (3. Nf3) g6) 3. Qxe5# 1-0 ; done

[Event "?"]
[SetUp "1"]
[FEN "4k3/P7/8/8/8/8/8/4K3 w - - 0 1"]

% a line for programs
1.a8=Q+ Ke7
*
"""


def test_pgn_is_read_with_comments_glyphs_and_variations_skipped() -> None:
    one, two = read_pgn(GAME, TWO_GAMES)
    assert one.headers["Event"] == 'Club "A"' and one.result == "1-0" and len(one.actions) == 5
    assert two.result == "*" and [len(two.actions), GAME.format_state(two.start)[:3]] == [2, "4k3"]
    assert GAME.parse_record(TWO_GAMES) == (one.start, one.actions)


def test_pgn_is_written_and_read_back() -> None:
    actions, state = [], GAME.start_state
    for move in ["e4", "e5", "Nf3", "Nc6", "Bb5", "a6", "Bxc6", "dxc6", "O-O", "Bg4"]:
        actions.append(GAME.parse_action(state, move))
        state = GAME.coerce_state(GAME.result(state, actions[-1]))
    text = GAME.format_game(
        GAME.start_state,
        actions,
        "pgn",
        names=("Ann", 'B"ob'),
        payoffs=(-1, 1),
        notes=[(0.0125, 1.5), (-1.0, 0.25)] * 5,
    )
    assert '[Black "B\\"ob"]' in text and text.rstrip().endswith("0-1")
    assert "e4 {+1.25 1.50s} 1... e5 {-M 0.25s}" in text  # in pawns, and a mate that was seen
    assert GAME.parse_record(text) == (GAME.start_state, actions)
    start = GAME.read_state("4k3/8/8/8/8/8/P7/4K3 b - - 3 9")
    text = GAME.format_game(start, [GAME.parse_action(start, "Kd7")], "pgn")
    assert "9... Kd7 *" in text and GAME.parse_record(text) == (start, [GAME.parse_action(start, "Kd7")])
    mated = GAME.states_along(GAME.start_state, "f3 e5 g4")
    fool = [GAME.parse_action(state, move) for state, move in zip(mated, ["f3", "e5", "g4", "Qh4#"], strict=True)]
    text = GAME.format_game(GAME.start_state, fool, "pgn")  # the rules know how it ended
    assert '[Result "0-1"]' in text and text.rstrip().endswith("Qh4# 0-1") and "Termination" not in text
    late = GAME.format_game(GAME.start_state, fool[:2], "pgn", payoffs=(-1, 1), ending="late")
    assert '[Termination "time forfeit"]' in late and GAME.parse_record(late) == (GAME.start_state, fool[:2])
    other = load_game("chess:start=3")
    assert '[Variant "Chess960"]' in other.format_game(other.start_state, [], "pgn")


def test_headers_that_name_chess_as_a_variant_are_read() -> None:
    for variant in ("Standard", "chess", "From Position", "Chess960", "Chess 960", "Fischerandom", "?"):
        (found,) = read_pgn(GAME, f'[Variant "{variant}"]\n\n1. e4 e5 *')
        assert len(found.actions) == 2


@pytest.mark.parametrize(
    ("text", "why"),
    [
        ('[Event "x"]\n\n1. e4 e6 2. Ke3 *', "move 2: 'Ke3' is not a legal move"),
        ('[Event "x"]\n\n1. e4 {never closed', "a comment that nobody closes on line 3"),
        ('[Event "x"]\n\n1. e4 (1. d4 *', "ends inside a variation"),
        ('[Event "x"]\n\n1. e4) *', "closes a variation"),
        ('[Event "x"]\n[FEN "8/8/8/8/8/8/8/8 w - - 0 1"]\n\n*', "no king"),
        ('[Event "x"]\n\n1. -- e5 *', "passes at move 1"),
        ('[Event "x"\n\n1. e4 *', "no header"),
        ('[Variant "Atomic"]\n\n1. e4 *', "game 1 of the PGN is of another variant, 'Atomic'"),
        ('[variant "King of the Hill"]\n\n1. e4 *', "of another variant, 'King of the Hill'"),
    ],
)
def test_broken_pgn_is_refused_in_words(text: str, why: str) -> None:
    with pytest.raises(BadInput, match=why):
        read_pgn(GAME, text)


# -- EPD and Polyglot ----------------------------------------------------------------------------------


def test_epd() -> None:
    line = '2rr3k/pp3pp1/1nnqbN1p/3pN3/2pP4/2P3Q1/PPB4P/R4RK1 w - - bm Qg6 Qa8; am Qh3; id "WAC.001 x"; c0 "a; b";'
    found = read_epd(GAME, line.replace(" Qa8", ""))
    assert [GAME.format_action(found.state, action) for action in found.best] == ["Qg6"]
    assert found.name == "WAC.001 x" and found.operations["c0"] == ["a; b"] and len(found.avoid) == 1
    assert read_epd(GAME, "4k3/8/8/8/8/8/8/4K2R w K - hmvc 7; fmvn 30;").state.clock == 7
    again = read_epd(GAME, write_epd(GAME, found.state, bm="Qg6", id='"x"'))
    assert again.state == found.state and again.best == found.best
    suite = read_suite(GAME, "# a suite\n\n4k3/8/8/8/8/8/8/4K2R w K - bm O-O;\n")
    assert [GAME.format_action(suite[0].state, action) for action in suite[0].best] == ["O-O"]
    for broken, why in ((line, "Qa8"), ("4k3/8 w", "not an EPD"), ("4k3/8/8/8/8/8/8/4K2R w K - 3x;", "no operation")):
        with pytest.raises(BadInput, match=why):
            read_suite(GAME, broken)


def test_an_epd_reads_each_move_once_and_commas_between_them() -> None:
    start = "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq -"
    began = time.perf_counter()
    many = read_epd(GAME, f"{start} bm {'e4 ' * 100_000}; {'c0 1; ' * 20_000}")
    assert time.perf_counter() - began < 1
    assert [GAME.format_action(many.state, action) for action in many.best] == ["e4"]
    commas = read_epd(GAME, f"{start} bm e4, d4,Nf3; am a4 , h4;")
    assert [GAME.format_action(commas.state, action) for action in commas.best] == ["e4", "d4", "Nf3"]
    assert len(commas.avoid) == 2
    with pytest.raises(BadInput, match="bm names 300 moves: no position of chess has more than 218"):
        read_epd(GAME, f"{start} bm {' '.join(f'a{number}' for number in range(300))};")


@pytest.mark.parametrize(
    ("operations", "why"),
    [
        ("bm Kd1; am Kd1;", "can never be solved: bm and am both name Kd1"),
        ("am Kd1 Kd2 Ke2 Kf1 Kf2;", "can never be solved: am names every legal move"),
    ],
)
def test_an_epd_that_nothing_solves_is_refused(operations: str, why: str) -> None:
    with pytest.raises(BadInput, match=why):
        read_epd(GAME, f"4k3/p7/8/8/8/8/8/4K3 w - - {operations}")
    assert read_epd(GAME, "4k3/p7/8/8/8/8/8/4K3 w - - bm Kd1 Kd2; am Kd1;").avoid


def test_polyglot_keys_are_those_of_the_format() -> None:
    for moves, key in (
        ("", 0x463B96181691FC9C),
        ("e4", 0x823C9B50FD114196),
        ("e4 d5", 0x0756B94461C50FB0),
        ("e4 d5 e5", 0x662FAFB965DB29D4),
        ("e4 d5 e5 f5", 0x22A48B5A8E47FF78),
        ("e4 d5 e5 f5 Ke2", 0x652A607CA3F242C1),
        ("e4 d5 e5 f5 Ke2 Kf7", 0x00FDD303C946BDD9),
        ("a4 b5 h4 b4 c4", 0x3C8123EA7B067637),
        ("a4 b5 h4 b4 c4 bxc3 Ra3", 0x5C3F9B829B279560),
    ):
        assert polyglot_key(after(moves)) == key, moves


@pytest.mark.parametrize(
    ("inner", "outer"),
    [
        ("6k1/8/8/8/8/8/8/R2RK3 w D - 0 1", "6k1/8/8/8/8/8/8/R2RK3 w Q - 0 1"),
        ("1rk1r2r/8/8/8/8/8/8/6K1 b e - 0 1", "1rk1r2r/8/8/8/8/8/8/6K1 b k - 0 1"),
    ],
)
def test_a_polyglot_key_does_not_tell_rooks_of_a_wing_apart(inner: str, outer: str) -> None:
    keys = [polyglot_key(GAME.read_state(text)) for text in (inner, outer)]
    assert keys[0] == keys[1]
    rights = inner.split()[2]
    assert keys[0] != polyglot_key(GAME.read_state(inner.replace(f" {rights} ", " - ")))


def test_a_large_polyglot_book_takes_little_more_memory_than_its_file() -> None:
    entry = struct.pack(">QHHI", polyglot_key(GAME.start_state), 12 << 6 | 28, 7, 0)
    data = b"\0" * 1_600_000 + entry
    tracemalloc.start()
    book = Book(GAME, data)
    assert tracemalloc.get_traced_memory()[1] < 2 * len(data)
    tracemalloc.stop()
    assert book.moves(GAME.start_state) == [(12 << 6 | 28, 7)]


def test_a_polyglot_book_is_read(tmp_path: Path) -> None:
    castle = GAME.read_state("r3k2r/8/8/8/8/8/8/R3K2R b KQkq - 0 1")
    entries = [
        (polyglot_key(GAME.start_state), 12 << 6 | 28, 7),
        (polyglot_key(GAME.start_state), 6 << 6 | 21, 9),
        (polyglot_key(GAME.start_state), 6 << 6 | 22, 99),  # no legal move
        (polyglot_key(castle), 60 << 6 | 63, 1),
    ]
    data = b"".join(struct.pack(">QHHI", *entry, 0) for entry in sorted(entries))
    path = tmp_path / "book.bin"
    path.write_bytes(data)
    book = Book.read(GAME, path)
    named = [(GAME.format_action(GAME.start_state, action), weight) for action, weight in book.moves(GAME.start_state)]
    assert named == [("Nf3", 9), ("e4", 7)]
    assert [GAME.format_action(castle, action) for action, _ in book.moves(castle)] == ["O-O"]
    assert book.moves(after("e4")) == []
    for broken in (data[:-3], b"", data[-16:] + data[:16]):
        with pytest.raises(BadInput, match="no Polyglot book"):
            Book(GAME, broken)
    with pytest.raises(BadInput, match=r"not of 'book.bin': write Book.read\(game, path\)"):
        Book(GAME, "book.bin")  # type: ignore[arg-type]
    with pytest.raises(BadInput, match="cannot be read"):
        Book.read(GAME, tmp_path / "none.bin")


# -- picture -------------------------------------------------------------------------------------------


def test_the_picture_shows_pieces_the_last_move_check_and_arrows() -> None:
    state = after("e4 e5 Qh5 Ke7")
    mate = GAME.parse_action(state, "Qxe5")
    picture = GAME.picture(GAME.result(state, mate), mate)
    assert "[Q]" in picture.text and "Checkmate: White has won" in picture.text
    assert "pw-alarm" in picture.svg and "pw-tint" in picture.svg and "pw-pointing" not in picture.svg
    assert "pw-pointing" in GAME.picture(state, arrows=[mate]).svg and "pw-alarm" not in GAME.picture(state).svg


def test_openings_are_named_by_moves_that_the_rules_allow() -> None:
    game = load_game("chess")
    for moves, name in NAMES.items():
        state, actions = game.start_state, []
        for at in range(0, len(moves), 4):
            text = moves[at : at + 4]
            castles = {"e1h1": "O-O", "e8h8": "O-O"}.get(text, text)
            actions.append(game.parse_action(state, castles))
            state = game.state_after(state, actions[-1])
        assert game.opening_name(game.start_state, actions) == name, moves
        assert game.opening_name(game.start_state, [*actions, *game.actions(state)][: len(actions) + 1])
    assert game.opening_name(game.start_state, []) == "" == load_game("chess:start=0").opening_name(None, [0])


def test_usual_spellings_of_older_pgn_are_read() -> None:
    chess = load_game("chess")
    passing = read_pgn(chess, "1. e4 a6 2. e5 d5 3. exd6 e.p. $ cxd6 *")[0]
    assert chess.format_game(passing.start, passing.actions) == "e4 a6 e5 d5 exd6 cxd6"
    promoted = read_pgn(chess, '[FEN "7k/P7/8/8/8/8/8/K7 w - - 0 1"]\n\n1. a8(Q)+ (1. Kb1) Kh7 *')[0]
    assert chess.format_game(promoted.start, promoted.actions).endswith("a8=Q+ Kh7")


def test_counters_of_games_without_draws_are_read_back() -> None:
    free = load_game("chess:draws=none")
    text = "r3k3/8/8/8/8/8/8/4K2R w - - 204000 102001"
    assert free.format_state(free.read_state(text)) == text
    assert free.count_actions(free.read_state(text)) > 0


def test_a_text_that_is_too_long_is_refused_for_its_length() -> None:
    with pytest.raises(BadInput, match="it should have at most 100,000 characters"):
        GAME.read_state("8/" * 500_000)


@pytest.mark.parametrize(
    ("text", "why"),
    [
        ("4k3/8/8/8/8/8/8/4K3 w - - 0 " + "9" * 5000, "counts the moves"),
        ("4k3/8/8/8/8/8/8/4K3 w - - \u0663 1", "without a capture"),
    ],
)
def test_numbers_of_a_fen_are_plain_and_small(text: str, why: str) -> None:
    with pytest.raises(BadInput, match=why) as caught:
        load_game("chess").read_state(text)
    assert len(str(caught.value)) < 400


@pytest.mark.parametrize("damage", ["cut", "renamed", "nan", "huge", "bytes", "long"])
def test_damaged_weights_are_named(tmp_path: Path, damage: str, monkeypatch: pytest.MonkeyPatch) -> None:
    path = tmp_path / "weights.csv"
    write_weights(path, fitted_weights())
    assert np.allclose(read_weights(path), fitted_weights(), rtol=1e-5)
    text = path.read_text()
    changed = {
        "cut": text[:900],
        "renamed": text.replace("material,0,", "material,90,"),
        "nan": text.replace("material,0,", "material,0,nan,0\n#"),
        "huge": re.sub(r"material,0,[^,]*,", "material,0,1e300,", text),
        "bytes": text[:50] + "\xff" + text[51:],
        "long": text + "a" * 200_000,
    }
    path.write_text(changed[damage], encoding="latin-1")
    with pytest.raises(BadInput, match=r"weights.csv are damaged: they are [0-9]+ lines such as material,0,") as caught:
        read_weights(path)
    assert "install" not in str(caught.value)
    monkeypatch.setattr("plywright.games.chess.weights.files", lambda package: tmp_path)
    with pytest.raises(BadInput, match="that come with Plywright are damaged: install Plywright again"):
        read_weights()


def test_weights_that_cannot_be_read_are_named(tmp_path: Path) -> None:
    for path, why in ((tmp_path, "is a directory"), (tmp_path / "none.csv", "no such file"), ("a\0b", "null")):
        with pytest.raises(BadInput, match=rf"(?is)the weights of chess .* cannot be read \(.*{why}"):
            read_weights(path)


def test_what_enlarges_a_lead_is_not_called_hard_to_win_with() -> None:
    chess = load_game("chess")
    knowledge = ChessKnowledge(chess)
    pawns, rooks = "8/8/p1P1K3/8/8/k7/8/8 b - - 0 1", "4k3/8/8/8/8/8/8/4KB1n w - - 0 1"
    named = [
        {term.name for term in knowledge.evaluation_terms(chess.read_state(text))}
        & {"a lead of pawns alone", "a lead that is hard to win with"}
        for text in (pawns, rooks)
    ]
    assert named == [{"a lead of pawns alone"}, {"a lead that is hard to win with"}]
