"""Chess against the `chess` package, where it is installed: moves, SAN, FEN, ends and keys on random positions."""

from __future__ import annotations

import random

import pytest

from plywright import BadInput, load_game
from plywright.games.chess.polyglot import polyglot_key
from plywright.games.chess.san import write_uci

chess = pytest.importorskip("chess")
polyglot = pytest.importorskip("chess.polyglot")


def compare(positions: int, seed: int) -> None:
    rng, count = random.Random(seed), 0
    while count < positions:
        number = rng.randrange(960) if rng.random() < 0.3 else 518
        game, board = load_game(f"chess:start={number}"), chess.Board(chess960=number != 518)
        board.set_chess960_pos(number)
        state = game.start_state
        while True:
            count += 1
            text = board.fen()
            assert game.format_state(state) == text
            assert game.parse_state(text) == state
            mated = board.is_checkmate()
            drawn = board.is_insufficient_material() or board.halfmove_clock >= 100 or board.is_stalemate()
            assert game.is_terminal(state) == (mated or drawn), text
            if mated or drawn:
                assert game.utility(state, game.to_move(state)) == (-1 if mated else 0), text
                break
            ours = {game.format_action(state, action): int(action) for action in game.actions(state)}
            theirs = {board.san(move): move for move in board.legal_moves}
            assert set(ours) == set(theirs), text
            assert game.count_actions(state) == len(ours), text
            if board.has_legal_en_passant() == board.has_pseudo_legal_en_passant():
                assert polyglot_key(state) == polyglot.zobrist_hash(board), text
            move = rng.choice(sorted(ours))
            assert write_uci(state, ours[move], board.chess960) == theirs[move].uci()
            assert game.parse_action(state, move) == game.parse_action(state, theirs[move].uci()) == ours[move]
            state = game.coerce_state(game.result(state, ours[move]))
            board.push(theirs[move])
            if rng.random() < 0.005:
                break


def test_keys_where_any_rook_may_castle() -> None:
    rng, kinds = random.Random(3), set()
    while len(kinds) < 300:
        number, colour = rng.randrange(960), rng.choice("wb")
        board = chess.Board.from_chess960_pos(number)
        rank = board.fen().split("/")[0]
        rights = "".join(letter for letter in "abcdefgh" if rng.random() < 0.5)
        row = "".join(rng.choice("rn") if sign not in "kr" else sign for sign in rank)
        if not set(rights) <= {"abcdefgh"[file] for file in range(8) if row[file] == "r"}:
            continue
        text = f"{row}/8/8/8/8/8/PPPPPPPP/{rank.upper()} {colour} {rights or '-'} - 0 1"
        try:
            state = load_game("chess").read_state(text)
        except BadInput:
            continue  # checks, and two rooks of one wing
        assert polyglot_key(state) == polyglot.zobrist_hash(chess.Board(text, chess960=True)), text
        kinds.add(text)


def test_a_thousand_positions() -> None:
    compare(1_000, 1)


@pytest.mark.slow
def test_twenty_thousand_positions() -> None:
    compare(20_000, 2)
