"""Equities, ranges, tables of hands, the chart for short stacks."""

from __future__ import annotations

import itertools

import numpy as np
import pytest

from plywright import BadInput
from plywright.games.equity import equities, parse_range
from plywright.games.hand_tables import hand_tables
from plywright.games.holdem import preflop
from plywright.games.holdem.strength import expected_strength
from plywright.games.holdem.suits import Boards
from plywright.games.poker_hands import evaluate_hands, frequencies, hand_value, parse_cards
from plywright.poker.push_fold import push_fold


def random_hands(count: int, seed: int) -> np.ndarray:
    rng = np.random.default_rng(seed)
    return rng.permuted(np.tile(np.arange(52, dtype=np.uint8), (count, 1)), axis=1)[:, :7]


def test_tables_of_seven_cards_are_small_and_agree_with_the_best_five_of_them() -> None:
    tables = hand_tables()
    assert tables.bytes <= 1 << 20
    assert len(tables.values) - 1 == 4824  # the values that seven cards can have
    hands = random_hands(300, 1)
    slow = [max(evaluate_hands(list(itertools.combinations(map(int, hand), 5)))) for hand in hands]
    assert list(evaluate_hands(hands)) == slow


@pytest.mark.slow
def test_a_million_hands_stand_in_the_order_of_an_independent_evaluator() -> None:
    phevaluator = pytest.importorskip("phevaluator")
    hands = random_hands(1_000_000, 2)
    ours = evaluate_hands(hands)
    theirs = np.array([phevaluator.evaluate_cards(*map(int, hand)) for hand in hands])  # lower is better
    order = np.lexsort((ours, -theirs))
    mine, other = ours[order], -theirs[order]
    assert (np.diff(mine) >= 0).all()
    assert ((np.diff(mine) == 0) == (np.diff(other) == 0)).all()


def test_all_hands_of_seven_cards_are_counted_in_a_moment() -> None:
    assert list(frequencies(7).values()) == [
        *(23_294_460, 58_627_800, 31_433_400, 6_461_620, 6_180_020, 4_047_644, 3_473_184, 224_848, 37_260, 4_324)
    ]


@pytest.mark.parametrize(
    ("text", "count"),
    [
        *(("AsKs", 1), ("QQ", 6), ("AKs", 4), ("AKo", 12), ("AK", 16), ("QQ+", 18), ("A9s+", 20), ("77-99", 18)),
        *(("A2s-A5s", 16), ("random", 1326), ("QQ+,AKo", 30), ("AsAh,AA", 6)),
    ],
)
def test_ranges_have_so_many_hands(text: str, count: int) -> None:
    assert len(parse_range(text)) == count


@pytest.mark.parametrize("text", ["", "AA,", "AAs", "XX", "AsAs", "A9s-K9s", "22-AKs", "AKx", "A" * 9000])
def test_what_is_no_range_is_refused(text: str) -> None:
    with pytest.raises(BadInput) as caught:
        parse_range(text)
    assert "\n" not in str(caught.value) and len(str(caught.value)) < 600


def test_equities_by_hand_and_by_sample() -> None:
    """A river decided, a turn counted one by one, and a sample near what was counted."""
    board = "Ts 9s 2d 3c"
    found = equities(["AsKs", "TcTd"], board)
    one, two, common = parse_cards("As Ks"), parse_cards("Tc Td"), parse_cards(board)
    wins = [
        hand_value([*one, *common, card]) > hand_value([*two, *common, card])
        for card in range(52)
        if card not in (*one, *two, *common)
    ]
    assert found.wins[0] == pytest.approx(sum(wins) / len(wins)) and (found.boards, found.error) == (44, 0.0)
    assert sum(found.equity) == pytest.approx(1.0)
    ranges = equities(["AsKs", "QQ+,AKo"], "Ts 9s 2d")
    sample = equities(["AsKs", "QQ+,AKo"], "Ts 9s 2d", samples=20_000)
    assert abs(sample.equity[0] - ranges.equity[0]) < 5 * sample.error and 0.001 < sample.error < 0.01
    three = equities(["AhAd", "AsAc", "2c7d"], "Kh Kd Kc 5s 5d")
    assert three.equity == (0.5, 0.5, 0.0) and three.ties[:2] == (1.0, 1.0)


@pytest.mark.parametrize(
    ("hands", "board", "words"),
    [
        (["AsKs"], "", "between 2 to 6"),
        (["AsKs", "AsQs"], "", "need the same card"),
        (["AsKs", "QQ"], "As 2d 3d", "As is on the board"),
        (["AsKs", "QQ"], "2d 3d", "a board has 3, 4 or 5 cards"),
        (["AsKs", "QQ"], "2d 2d 3d", "twice"),
    ],
)
def test_impossible_questions_are_refused(hands: list[str], board: str, words: str) -> None:
    with pytest.raises(BadInput, match=words):
        equities(hands, board)


def test_the_preflop_table_holds() -> None:
    """Against exact counts by the other way, and known ones."""
    table, kind = preflop.equity_table(), preflop.parse_kind
    assert table + table.T == pytest.approx(np.ones((169, 169)))
    for one, two in (("KK", "A2s"), ("72o", "AKs")):
        assert equities([one, two]).equity[0] == pytest.approx(table[kind(one), kind(two)], abs=1e-12)
    assert preflop.against_random()[kind("AA")] == pytest.approx(0.8520371, abs=1e-6)
    assert preflop.pairings().sum() == 1326 * 1225
    assert [preflop.kind_name(kind(name)) for name in ("AA", "AKs", "AKo", "72o")] == ["AA", "AKs", "AKo", "72o"]


def test_boards_up_to_suits() -> None:
    boards = Boards(3)
    assert (len(boards), int(boards.weights.sum())) == (1755, 22_100)


def test_expected_strength_is_the_mean_over_boards_and_hands() -> None:
    mean, deviation = expected_strength(parse_cards("As Ks"), parse_cards("Qs Js Ts 2d 3d"))
    assert (mean, deviation) == (1.0, 0.0)
    mean, deviation = expected_strength(parse_cards("As Ks"), parse_cards("Qs Js 2d"))
    assert mean == pytest.approx(0.7633009, abs=1e-6) and deviation == pytest.approx(0.2530135, abs=1e-6)
    with pytest.raises(BadInput, match="twice"):
        expected_strength(parse_cards("As Ks"), parse_cards("As Js 2d"))


def test_the_chart_for_short_stacks_is_an_equilibrium() -> None:
    found = push_fold(10)
    kind = preflop.parse_kind
    assert found.exploitability < 1e-5
    assert found.push[kind("AA")] > 0.999 and found.call[kind("AA")] > 0.999
    assert found.push[kind("72o")] < 0.01 and found.call[kind("72o")] < 0.01
    shares = preflop.pairings().sum(1) / preflop.pairings().sum()
    assert 0.55 < float((found.push * shares).sum()) < 0.62  # published charts push 58 % of hands here
    assert 0.35 < float((found.call * shares).sum()) < 0.40
    with pytest.raises(BadInput, match="stacks above 1"):
        push_fold(0.5)


@pytest.mark.parametrize("samples", [-1, 0, 1, 10**10, 10**30])
def test_samples_are_a_number_that_can_be_drawn(samples: int) -> None:
    with pytest.raises(BadInput, match="samples must be from 2 to 1,000,000,000"):
        equities(["AsKs", "QQ"], samples=samples)
