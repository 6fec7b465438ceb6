"""Boards as other programs write them: PBN in its import format, LIN of matches, hands that are not given, claims."""

from __future__ import annotations

import warnings
from dataclasses import replace

import pytest

from plywright.bridge import Board, format_lin, format_pbn, parse_lin, parse_pbn, read_deal
from plywright.errors import BadInput, SkippedNote
from plywright.games.bridge.auction import call_text, contract_of
from plywright.games.bridge.boards import card_text, deal_text
from plywright.games.bridge.play import board_tricks, contract_played

DEAL = "N:AQ6.AKJ5.J8.KJ74 KT932.82.AQT94.A 875.T93.763.Q532 J4.Q764.K52.T986"
HEAD = f'[Board "1"]\n[Dealer "N"]\n[Deal "{DEAL}"]\n'
AUCTION = '[Auction "N"]\n1NT 2S AP\n'
LIN = "md|3S578H39TD367C235Q,S4JH467QD25KC689T,S6AQH5AJKD8JC47JK,S239TKH28D49TQACA|"


def calls_of(board: Board) -> str:
    return " ".join(call_text(call) for call in board.calls)


def cards_of(board: Board) -> str:
    return " ".join(card_text(card) for card in board.plays)


def test_tags_share_lines_and_spread_over_them_and_comments_stand_anywhere() -> None:
    text = f"""% PBN 2.1
{{ before the game; with a [Deal "x"] in it

and an empty line }}
[Event "a \\"b\\" \\\\ c"] {{one}} [Board "5"] ; two [Board "6"]
[ Dealer
   "N" ]
[Vulnerable "Love"][Deal "{DEAL}"]
% [Board "7"]
[Auction "N"]
1NT! =1= {{ 15-17; not 14
 over two lines }} 2S$25=2= ; Pass Pass
Pass?? Pass
Pass
[Note "1:fifteen"]
[Note "2:five spades"]
[Play "S"]
H3 H4 HK H2
"""
    (board,) = parse_pbn(text)
    assert (board.name, board.dealer, calls_of(board)) == ("5", 0, "1NT 2S Pass Pass Pass")
    assert cards_of(board) == "H3 H4 HK H2"


def test_columns_may_begin_with_any_seat() -> None:
    """`-` is a seat whose turn has not come, not a pass; the first column need not be the dealer's or the leader's."""
    text = HEAD + '[Auction "W"]\n- 1NT 2S Pass\nPass Pass\n[Play "W"]\nH4 HK H2 H3\n+ HA - -\n'
    (board,) = parse_pbn(text)
    assert board.dealer == 0 and calls_of(board) == "1NT 2S Pass Pass Pass"
    assert cards_of(board) == "H3 H4 HK H2 HA"
    (board,) = parse_pbn(HEAD + AUCTION + '[Play "S"]\nH3 H4 HK H2\n+ - HA -\n')
    assert cards_of(board) == "H3 H4 HK H2 HA", "+ stands in a column of its own"


def test_an_empty_line_parts_games_and_a_tag_that_comes_again_is_ignored() -> None:
    first = f'[Vulnerable "NS"]\n[Deal "{DEAL}"]\n[Dealer "E"]\n[Vulnerable "EW"]\n[Board "1"]\n'
    second = f'[Vulnerable "All"]\n[Board "2"]\n[Deal "{DEAL}"]\n\n[Auction "N"]\nPass *\n'
    boards = parse_pbn(f'{first}\n \t\n{second}\n[Event ""]\n[Deal "?"]\n')
    assert [(board.name, board.dealer, board.vulnerable) for board in boards] == [("1", 1, 1), ("2", 0, 3)]
    assert calls_of(boards[1]) == "Pass"
    together = "".join(f'[Dealer "{seat}"]\n[Vulnerable "NS"]\n[Deal "{DEAL}"]\n' for seat in "NEES")
    assert [board.dealer for board in parse_pbn(together)] == [0, 1, 1, 2], "no empty lines at all"


def test_values_come_from_the_game_before_and_may_be_unknown() -> None:
    text = f'[North "##Ann"]\n[West "Bob"]\n[Board "1"]\n[Dealer "?"]\n[Vulnerable "?"]\n[Deal "{DEAL}"]\n\n'
    text += (
        f'[West "#"]\n[Board "#"]\n[Deal "{DEAL}"]\n\n[North "Cy"]\n[Board "?"]\n[Deal "{DEAL}"]\n\n[Deal "{DEAL}"]\n'
    )
    boards = parse_pbn(text)
    assert [(b.players[0], b.players[3], b.name) for b in boards] == [
        ("Ann", "Bob", "1"),
        ("Ann", "Bob", "1"),
        ("Cy", "", "3"),
        ("Ann", "", "4"),
    ]


def test_hands_that_are_not_given_stay_unknown_and_the_fourth_is_what_is_left() -> None:
    given = DEAL.split()
    (board,) = parse_pbn(f'[Deal "{given[0]} - {given[2]} -"]\n[Auction "N"]\n1NT 2S AP\n[Play "S"]\nH3 H4 HK H2\n')
    assert board.hands[1] == board.hands[3] == 0 and cards_of(board) == "H3 H4 HK H2"
    assert parse_pbn(format_pbn([board])) == [replace(board, name="1")]
    assert parse_lin(format_lin([board])) == [replace(board, name="1")]
    (whole,) = parse_pbn(f'[Deal "{given[0]} {given[1]} - {given[3]}"]\n')
    assert whole.hands == read_deal(DEAL)
    with pytest.raises(BadInput, match="♥3: West does not hold it"):  # South has it
        parse_pbn(f'[Deal "{given[0]} - {given[2]} -"]\n[Auction "N"]\n1NT 2S AP\n[Play "S"]\nHT H3\n')
    with pytest.raises(BadInput, match="the hand of East is not given"):
        read_deal(f"{given[0]} - {given[2]} -")


def test_endings_are_written_and_read_in_pbn() -> None:
    board = Board(read_deal("N:9.J7.. 84.8.. Q...42 .T..AJ"), name="1")
    assert parse_pbn(format_pbn([board])) == [board]
    assert parse_pbn('[Deal "N:9.J7.. 84.8.. Q...42 .T..AJ"]\n[Contract "NT"]\n[Play "E"]\nS8 *\n') == [board]
    with pytest.raises(BadInput, match="board 1 is an ending"):
        format_lin([board])


@pytest.mark.parametrize(
    ("result", "tricks"), [("9", 9), ("NS 4", 9), ("EW 9 NS 4", 9), ("^9", 9), ("", None), ("?", None)]
)
def test_claims_are_kept(result: str, tricks: int | None) -> None:
    (board,) = parse_pbn(HEAD + f'[Result "{result}"]\n' + AUCTION + '[Play "S"]\nH3 H4 HK H2\n*\n')
    assert board.claimed == tricks == board_tricks(board)
    assert parse_lin(format_lin([board])) == parse_pbn(format_pbn([board])) == [board]
    assert (f"mc|{tricks}|" in format_lin([board])) == (tricks is not None)


def test_a_result_of_tricks_so_far_is_no_claim() -> None:
    (board,) = parse_pbn(HEAD + '[Result "0"]\n' + AUCTION + '[Play "S"]\nH3 H4 HK H2\n- - + -\n')
    assert board.claimed is None and len(board.plays) == 4


def test_a_contract_without_an_auction_is_kept() -> None:
    text = HEAD + '[Declarer "E"]\n[Contract "2SX"]\n[Result "9"]\n[Play "S"]\nH3 H4 HK H2\n*\n'
    (board,) = parse_pbn(text)
    contract = contract_played(board)
    assert contract is not None and contract.words == "2♠ doubled by East" and board.claimed == 9
    assert cards_of(board) == "H3 H4 HK H2" and parse_pbn(format_pbn([board])) == [board]
    assert '[Score "NS -570"]' in format_pbn([board])
    with pytest.warns(SkippedNote, match="2♠ doubled by East is left out"):
        assert "pc|" not in format_lin([board])
    (passed,) = parse_pbn(HEAD + '[Contract "Pass"]\n[Declarer ""]\n[Result ""]\n')
    assert contract_played(passed) == contract_of((0, 0, 0, 0), 0) and parse_pbn(format_pbn([passed])) == [passed]


@pytest.mark.parametrize(
    ("text", "words"),
    [
        (HEAD + '[Auction "N"]\n1D ^I 1C\n', "an insufficient bid that was accepted, is not read"),
        (HEAD + AUCTION + '[Play "S"]\nH3 H4 ^R C4\n', "a revoke, is not read"),
        (HEAD + '[Contract "2S"]\n[Declarer "^E"]\n', "declarer and dummy exchanged, is not read"),
        (HEAD + '[Contract "9S"]\n[Declarer "E"]\n', "'9SE' is no contract"),
        (HEAD + '[Result "14"]\n' + AUCTION, "'14' is no result"),
        (HEAD + '[Auction "N"]\nPass - Pass\n', "'-' is no call"),
        (HEAD + "{ without an end\n", "line 4: a comment begins with { and does not end"),
        ('[Deal "N:- - - -"]\n[Dealer "Q"]\n', "a seat is N, E, S or W"),
        (LIN + "mb|p|mb|p|mb|p|mb|1C|mc|14|mb|p|mb|p|mb|p|", "mc is the declarer's tricks"),
        (LIN + "mb|1C1B|", "'1C1B' is no call"),
        (LIN + "sv|q|", "sv is o, n, e or b"),
    ],
)
def test_what_cannot_be_read_is_said_in_one_line(text: str, words: str) -> None:
    with pytest.raises(BadInput) as caught:
        (parse_lin if "md|" in text else parse_pbn)(text)
    assert words in str(caught.value) and "\n" not in str(caught.value)


def test_names_that_need_care_come_back() -> None:
    board = Board(read_deal(DEAL), name="1", players=('Smith, J. "Ace"', "b\\", "c|d", ""))
    assert parse_pbn(format_pbn([board])) == [board]
    (lin,) = parse_lin(format_lin([board]))
    assert lin.players == ('Smith J. "Ace"', "b\\", "c d", "") and lin.hands == board.hands


MATCH = f"""vg|Cup,Final,I,1,2,Reds,0,Blues,0|
rs|2SE=,2SE-1,,|
pn|s1,w1,n1,e1,s2,w2,n2,e2|pg||
qx|o1|st||{LIN}rh||ah|Board 1|sv|o|mb|1N!|an|15-17|mb|2S|mb|p|mb|p|mb|p|pg||
pc|H3|pc|H4|pc|HK|pc|H2|pg||mc|8|pg||
qx|c1|{LIN}sv|o|mb|1N2Sppp|pc|h3h4hkh2|mc|7|pg||
qx|o2|md|4,,,|ah|Board 2|sv|n|pg||
"""


def test_a_match_in_lin() -> None:
    """Labels and names that stand before a board's hands are its own; the closed room's are the last four."""
    boards = parse_lin(MATCH)
    assert [board.name for board in boards] == ["1", "c1", "2"]
    assert [board.players for board in boards[:2]] == [("n1", "e1", "s1", "w1"), ("n2", "e2", "s2", "w2")]
    assert [(calls_of(b), cards_of(b), b.claimed) for b in boards[:2]] == [
        ("1NT 2S Pass Pass Pass", "H3 H4 HK H2", claimed) for claimed in (8, 7)
    ]
    assert deal_text(boards[0].hands) == DEAL and boards[2].hands == (0, 0, 0, 0)
    assert (boards[2].dealer, boards[2].vulnerable, boards[2].calls) == (1, 1, ())


def test_boards_of_lin_one_after_the_other() -> None:
    lines = [f"pn|s{n},w,n,e|st||{LIN}ah|Board {n}|sv|n|mb|p|mb|p|mb|p|mb|p|pg||" for n in (1, 2)]
    assert [(b.name, b.players[2]) for b in parse_lin("".join(lines))] == [("1", "s1"), ("2", "s2")]
    bare = parse_lin(f"pn|s,w,n,e|{LIN}sv|n|ah|Board 7|{LIN}sv|e|ah|Board 8|")
    assert [(b.name, b.vulnerable, b.players[2]) for b in bare] == [("7", 1, "s"), ("8", 2, "s")]


def test_nothing_is_warned_of_without_reason() -> None:
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        format_lin(parse_lin(MATCH))
