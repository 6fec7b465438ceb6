"""Deals, auctions, scores, par, and the notations of boards."""

from __future__ import annotations

import random

import pytest

from plywright.bridge import Board, contract_score, format_lin, format_pbn, imps, par, parse_lin, parse_pbn, read_deal
from plywright.errors import BadInput
from plywright.games.bridge.auction import call_text, contract_of, legal_calls, read_call, read_contract
from plywright.games.bridge.play import RULES, checked_plays, opening, replay
from plywright.games.bridge.scoring import score_for_ns

DEAL = "N:AQ6.AKJ5.J8.KJ74 KT932.82.AQT94.A 875.T93.763.Q532 J4.Q764.K52.T986"


def played(seed: int) -> Board:
    """A board with a random auction and random play."""
    rng = random.Random(seed)
    dealer, calls = rng.randrange(4), []  # type: tuple[int, list[int]]
    while legal := legal_calls(calls):
        calls.append(rng.choice([0, 0, *legal[:4]] if legal[0] == 0 else legal))
    hands, contract = read_deal(DEAL), contract_of(calls, dealer)
    plays: list[int] = []
    if contract.level:
        state = opening(hands, contract.strain, (contract.declarer + 1) & 3)
        for _ in range(rng.choice([52, 52, 0, 17])):
            plays.append(rng.choice(list(RULES.actions(state))))
            state = RULES.result(state, plays[-1])
    return Board(hands, dealer, rng.randrange(4), str(seed + 1), tuple(calls), tuple(plays), ("a", "b", "c", "d"))


@pytest.mark.parametrize("write", [(format_pbn, parse_pbn), (format_lin, parse_lin)], ids=["pbn", "lin"])
def test_boards_come_back_as_they_were_written(write: tuple) -> None:  # type: ignore[type-arg]
    boards = [played(seed) for seed in range(25)]
    assert any(board.plays for board in boards) and any(not board.plays for board in boards)
    assert write[1](write[0](boards)) == boards


def test_a_board_as_others_write_it() -> None:
    text = """% PBN 2.1
[Event "Club"]
[Board "7"]
[Dealer "S"]
[Vulnerable "All"]
[Deal "S:875.T93.763.Q532 J4.Q764.K52.T986 AQ6.AKJ5.J8.KJ74 KT932.82.AQT94.A"]
[Auction "S"]
Pass Pass 1NT =1= 2S
AP
[Note "1:15-17"]
[Play "S"]
H3 H4 HK H2
-
*
"""
    (board,) = parse_pbn(text)
    assert board.hands == read_deal(DEAL) and (board.dealer, board.vulnerable, board.name) == (2, 3, "7")
    assert [call_text(call) for call in board.calls] == ["Pass", "Pass", "1NT", "2S", "Pass", "Pass", "Pass"]
    assert contract_of(board.calls, board.dealer).text == "2SE" and len(board.plays) == 4
    line = "pn|s,w,n,e|md|1S578H39TD367C235Q,S4JH467QD25KC689T,S6AQH5AJKD8JC47JK|sv|b|"
    line += "mb|p|mb|p|mb|1N!|mb|2S|mb|p|mb|p|mb|p|"
    (other,) = parse_lin(line)
    assert other.hands == board.hands and other.calls == board.calls and other.players == ("n", "e", "s", "w")


@pytest.mark.parametrize(
    ("text", "words"),
    [
        (DEAL[:-1], "West has 12 cards, not 13"),
        (DEAL[:-1] + "A", "♣A is dealt twice: to East and to West"),
        (DEAL.replace("AQ6.", "AQ6A.", 1), "♠A twice"),
        (DEAL.replace("N:", "X:"), "begins with the seat"),
        (DEAL + " 2...", "these are 5"),
        (DEAL.replace("KJ74", "KJ71"), "'1' is no rank"),
        ("N:AQ6.AKJ5 a b c", "four suits with dots"),
        ("", "these are 0"),
    ],
)
def test_deals_that_cannot_be_are_refused_in_one_line(text: str, words: str) -> None:
    with pytest.raises(BadInput, match=words) as caught:
        read_deal(text, whole=True)
    assert "\n" not in str(caught.value)


HEAD = f'[Board "1"]\n[Dealer "N"]\n[Deal "{DEAL}"]\n'


@pytest.mark.parametrize(
    ("text", "words"),
    [
        (HEAD + '[Auction "N"]\n2C 2C\n', "call 2, East's 2C is insufficient: the last bid is 2C"),
        (HEAD + '[Auction "N"]\nX\n', "nothing has been bid yet"),
        (HEAD + '[Auction "N"]\n1C Pass X\n', "own bid"),
        (HEAD + '[Auction "N"]\n1C XX\n', "nobody has doubled"),
        (HEAD + '[Auction "N"]\n1C Pass Pass Pass 1D\n', "the auction is over"),
        (HEAD + '[Auction "N"]\n8C\n', "'8C' is no call"),
        (HEAD + '[Auction "N"]\n1NT AP\n[Play "E"]\nH2 HT H4 CK\n', "North revokes: a heart was led"),
        (HEAD + '[Auction "N"]\n1NT AP\n[Play "E"]\nSA\n', "East does not hold it"),
        (HEAD + '[Auction "N"]\n1NT AP\n[Play "S"]\nS5\n', "East leads to 1NN, not South"),
        ('[Deal "N:broken"', "no PBN tag"),
        ("", "this is no PBN"),
        (HEAD.replace("T986", "T98"), "board 1: West has 12 cards"),
    ],
)
def test_broken_pbn_is_refused_in_one_line(text: str, words: str) -> None:
    with pytest.raises(BadInput, match=words) as caught:
        parse_pbn(text)
    assert "\n" not in str(caught.value)


@pytest.mark.parametrize(
    ("text", "words"),
    [
        ("hello", "this is no LIN"),
        ("mb|1C|", "no hands are dealt"),
        ("md|5SA,SK,SQ|", "begins with the dealer"),
        ("md|1SA,SK|", "three or four hands"),
        ("md|1AKQ,SK,SQ|", "is no hand of LIN"),
        ("md|1SA,SK,SQ|", "has 1 cards, not 13"),
        ("md|1S578H39TD367C235Q,S4JH467QD25KC689T,S6AQH5AJKD8JC47JK|pc|SA|", "before the auction was over"),
    ],
)
def test_broken_lin_is_refused_in_one_line(text: str, words: str) -> None:
    with pytest.raises(BadInput, match=words) as caught:
        parse_lin(text)
    assert "\n" not in str(caught.value)


def test_a_revoke_is_named() -> None:
    contract = read_contract("1NTN")
    with pytest.raises(BadInput, match="card 2, ♣Q: South revokes: a heart was led, and South has one"):
        checked_plays(read_deal(DEAL), contract, [32, 10])
    assert replay(read_deal(DEAL), contract, [32, 33]).played == 2


def test_calls_and_contracts_are_read_as_people_write_them() -> None:
    assert [read_call(text) for text in ("p", "X", "dbl", "xx", "1c", "7NT", "3♠", "2n!")] == [
        0,
        1,
        1,
        2,
        3,
        37,
        16,
        12,
    ]
    assert read_contract("3 NT x by E").text == "3NXE" and read_contract("pass").words == "passed out"


@pytest.mark.parametrize(
    ("level", "strain", "doubled", "vulnerable", "tricks", "score"),
    [
        *((1, 0, 0, False, 7, 70), (2, 3, 0, False, 9, 140), (3, 4, 0, True, 9, 600), (3, 4, 0, False, 10, 430)),
        *((4, 2, 0, True, 10, 620), (5, 1, 0, False, 11, 400), (6, 4, 0, True, 12, 1440), (7, 4, 2, True, 13, 2980)),
        *((1, 4, 1, False, 7, 180), (2, 3, 1, True, 9, 870), (4, 3, 0, False, 8, -100), (4, 3, 1, False, 6, -800)),
        *((4, 3, 1, True, 7, -800), (3, 0, 2, False, 5, -1600), (7, 4, 2, True, 0, -7600), (1, 1, 2, False, 9, 630)),
    ],
)
def test_duplicate_scores(level: int, strain: int, doubled: int, vulnerable: bool, tricks: int, score: int) -> None:
    assert contract_score(level, strain, doubled, vulnerable, tricks) == score


def test_match_points() -> None:
    assert [imps(points) for points in (0, 10, 20, 40, 50, 420, 430, -620, 3990, 4000)] == [
        0,
        0,
        1,
        1,
        2,
        9,
        10,
        -12,
        23,
        24,
    ]


def test_par() -> None:
    table = {(4, 0): 6, (4, 1): 6, (4, 2): 3, (4, 3): 6, (3, 0): 4, (3, 1): 9, (3, 2): 3, (3, 3): 9, (2, 0): 7}
    table |= {(2, 1): 5, (2, 2): 6, (2, 3): 6, (1, 0): 3, (1, 1): 9, (1, 2): 3, (1, 3): 10}
    table |= {(0, 0): 8, (0, 1): 5, (0, 2): 7, (0, 3): 5}
    found = par(lambda strain, seat: table[strain, seat], 0, 0)
    assert found.score == -140 and [contract.text for contract in found.contracts] == ["3SE", "3SW"]
    assert par(lambda strain, seat: 6, 0, 0).contracts[0].words == "passed out"


def test_a_low_contract_that_would_not_last_is_not_par() -> None:
    """East and West lose 100 in four hearts doubled, above four clubs; two no trumps doubled cost as much too soon."""
    rows = [[10, 3, 10, 3], [5, 8, 5, 8], [4, 9, 4, 9], [8, 5, 8, 5], [6, 7, 6, 7]]
    found = par(lambda strain, seat: rows[strain][seat], 0, 0)
    assert found.score == 100 and [contract.text for contract in found.contracts] == ["4HXE", "4HXW"]  # as DDS


@pytest.mark.slow
def test_par_as_dds_has_it() -> None:
    dds, types = pytest.importorskip("endplay.dds"), pytest.importorskip("endplay.types")
    rng = random.Random(3)
    deck = [16 * suit + rank for suit in range(4) for rank in range(13)]
    from plywright.bridge import deal_text

    for number in range(60):
        cards = rng.sample(deck, 52)
        hands = [sum(1 << card for card in cards[13 * seat : 13 * seat + 13]) for seat in range(4)]
        table = dds.calc_dd_table(types.Deal(deal_text(hands)))
        vulnerable = number % 4
        theirs = dds.par(
            table,
            [types.Vul.none, types.Vul.ns, types.Vul.ew, types.Vul.both][vulnerable],
            types.Player.find("NESW"[number % 4]),
        )
        found = par(
            lambda strain, seat: table[types.Denom.find("CDHSN"[strain]), types.Player.find("NESW"[seat])],  # noqa: B023
            vulnerable,
            number % 4,
        )
        assert found.score == theirs.score, deal_text(hands)
        ours = {(contract.strain, contract.declarer % 2, contract.doubled) for contract in found.contracts}
        denominations = [types.Denom.find(strain) for strain in "CDHSN"]
        penalties = [getattr(types.Penalty, name) for name in ("passed", "doubled", "redoubled")]
        if found.score:
            assert ours == {
                (denominations.index(one.denom), int(one.declarer) % 2, penalties.index(one.penalty)) for one in theirs
            }, deal_text(hands)
            for contract in found.contracts:
                tricks = table[types.Denom.find("CDHSN"[contract.strain]), types.Player.find("NESW"[contract.declarer])]
                assert score_for_ns(contract, vulnerable, tricks) == found.score
