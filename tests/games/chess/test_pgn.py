"""PGN as other programs and people write it: what is read, what is refused, and what one bad game costs."""

from __future__ import annotations

import pytest

from plywright import BadInput, load_game
from plywright.games.chess.pgn import PgnGame, read_pgn, split_pgn

GAME = load_game("chess")


def only(text: str) -> PgnGame:
    (found,) = read_pgn(GAME, text)
    return found


def moves(found: PgnGame) -> str:
    return load_game("chess:draws=none").format_game(GAME.start_state, found.actions)


@pytest.mark.parametrize(
    ("position", "played"),
    [
        ("4k3/8/8/8/8/8/8/R3K3 w - - 98 80", "80. Ra2 Ke7 81. Ra3 Ke8"),
        ("4k3/8/8/8/8/8/7n/4K3 w - - 0 80", "80. Kf2 Ng4+ 81. Kf3 Ne5+"),
    ],
)
def test_moves_after_a_draw_that_nobody_claimed_are_read(position: str, played: str) -> None:
    found = only(f'[FEN "{position}"]\n[SetUp "1"]\n\n{played} *\n')
    assert GAME.parse_record(f'[FEN "{position}"]\n\n{played} *') == (found.start, found.actions)
    state = found.start
    for action, move in zip(found.actions, played.replace("80. ", "").replace("81. ", "").split(), strict=True):
        assert GAME.format_action(state, action) == move
        state = GAME.state_after(state, action)


def test_nobody_goes_on_after_mate() -> None:
    with pytest.raises(BadInput, match="move 3: 'a4' cannot be played: the game is over"):
        read_pgn(GAME, "1. f3 e5 2. g4 Qh4# 3. a4 *")


THREE = """[White "Ann"]
[Result "1-0"]

1. e4 e5 1-0

[White "Bob"]

{fault}

[White "Cid"]

1. d4 d5 0-1
"""


@pytest.mark.parametrize(
    ("fault", "read", "why"),
    [
        ("1. e4 e5 2. Ke3 Ke7 *", 2, "game 2 of the PGN, move 2: 'Ke3' is not a legal move"),
        ("1. e4 -- 2. d4 *", 1, "game 2 of the PGN passes at move 1: no player may"),
        ("1. e4 Z0 2. d4 *", 1, "game 2 of the PGN passes at move 1: no player may"),
        ("1. e4 (1. d4 *", 0, "game 2 of the PGN ends inside a variation"),
        ("1. e4 {a {b} c} e5 *", 0, "game 2 of the PGN: a comment is closed that is not open .* on line 8"),
        ('[FEN "8/8/8/8/8/8/8/8 w - - 0 1"]\n\n1. e4 *', 0, "no king"),
        ('[Variant "Atomic"]\n\n1. e4 *', 0, "game 2 of the PGN is of another variant, 'Atomic'"),
    ],
)
def test_a_bad_game_leaves_the_others_of_its_file(fault: str, read: int, why: str) -> None:
    text = THREE.replace("{fault}", fault)
    with pytest.raises(BadInput, match=why):
        read_pgn(GAME, text)
    one, bad, three = read_pgn(GAME, text, strict=False)
    assert (moves(one), one.error, moves(three), three.error) == ("e4 e5", "", "d4 d5", "")
    assert three.headers["White"] == "Cid" and bad.headers["White"] == "Bob" and len(bad.actions) == read
    with pytest.raises(BadInput, match=why):
        raise BadInput(bad.error)


def test_comments_do_not_nest_and_that_is_said() -> None:
    with pytest.raises(BadInput, match=r"a comment is closed that is not open \(comments do not nest.* on line 3"):
        read_pgn(GAME, '[White "Ann"]\n\n1. e4 {a {b} c} e5 *')


def test_a_header_with_a_quotation_mark_ends_with_its_line() -> None:
    assert only('[White "We"i"]\n[Black "x"y" z"]  \n\n1. e4 *').headers == {"White": 'We"i', "Black": 'x"y" z'}
    assert only('[White "We"i"] [Black "B"] 1. e4 *').headers == {"White": 'We"i', "Black": "B"}
    assert only('[White "W\\"i"]\n1. e4 *').headers == {"White": 'W"i'}


@pytest.mark.parametrize(
    "text",
    [
        "1. e4 += e5 = 2. Nf3 +- Nc6 -+ 3. Bb5 +/- a6 -/+ *",
        "1. e4+= e5= 2. Nf3+- Nc6-+ 3. Bb5± a6∓ *",
        "1. e4 ⩲ e5 ∞ 2. Nf3 N Nc6 D 3. Bb5 N a6 N *",
        "1. e4 =/+ e5 =+ 2. Nf3 ± Nc6 ∓ 3. Bb5 □ a6 *",
    ],
)
def test_signs_of_assessment_are_skipped(text: str) -> None:
    assert moves(only(text)) == "e4 e5 Nf3 Nc6 Bb5 a6"


def test_a_piece_apart_from_its_square_is_no_novelty() -> None:
    with pytest.raises(BadInput, match="move 1: 'N' is not a legal move"):
        read_pgn(GAME, "1. e4 N f6 *")


def test_headers_are_read_in_any_case() -> None:
    position = "4k3/P7/8/8/8/8/8/4K3 w - - 0 1"
    for name in ("FEN", "Fen", "fen"):
        found = only(f'[{name} "{position}"]\n[white "Ann"]\n[RESULT "1-0"]\n\n1. a8=Q+ Ke7')
        assert GAME.format_state(found.start) == position
        assert found.headers["White"] == "Ann" and found.result == "1-0"


@pytest.mark.parametrize("remark", ["e.p.", " e.p.", " ep", "ep", " e.p", "ep.", "+ e.p."])
def test_in_passing_may_be_said(remark: str) -> None:
    assert moves(only(f"1. e4 a6 2. e5 d5 3. exd6{remark} cxd6 *")) == "e4 a6 e5 d5 exd6 cxd6"


def test_games_without_moves_or_results_are_games() -> None:
    text = (
        '[Event "A"]\n[Result "1-0"]\n\n[Event "B"]\n[Result "0-1"]\n\n\n'
        '[Event "C"]\n[Result "1/2-1/2"]\n\n1. e4 e5\n\n[Event "D"]\n[Result "1-0"]\n\n1. d4 *\n'
    )
    found = read_pgn(GAME, text)
    assert [(game.headers["Event"], game.result, len(game.actions)) for game in found] == [
        ("A", "1-0", 0),
        ("B", "0-1", 0),
        ("C", "1/2-1/2", 2),
        ("D", "*", 1),
    ]
    assert len(split_pgn(text)) == 4
    assert [game.headers for game in read_pgn(GAME, '[Event "A"]\n\n[Site "B"]\n\n1. e4 *')] == [
        {"Event": "A", "Site": "B"}
    ]
