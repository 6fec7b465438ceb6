"""Five- to seven-card hands: the number of each kind by full enumeration, order, parsing."""

from __future__ import annotations

import itertools
import random
from collections import Counter

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from plywright import BadInput
from plywright.games.poker_hands import (
    CATEGORIES,
    category_of,
    evaluate_hands,
    format_card,
    frequencies,
    hand_value,
    parse_cards,
)

FIVE = [1_302_540, 1_098_240, 123_552, 54_912, 10_200, 5_108, 3_744, 624, 36, 4]
SEVEN = [23_294_460, 58_627_800, 31_433_400, 6_461_620, 6_180_020, 4_047_644, 3_473_184, 224_848, 37_260, 4_324]


def test_all_hands_of_five_cards() -> None:
    assert frequencies(5) == dict(zip(CATEGORIES, FIVE, strict=True))
    assert sum(FIVE) == 2_598_960


@pytest.mark.slow
def test_all_hands_of_seven_cards() -> None:
    assert frequencies(7) == dict(zip(CATEGORIES, SEVEN, strict=True))
    assert sum(SEVEN) == 133_784_560


@pytest.mark.parametrize(
    ("better", "worse", "category"),
    [
        ("As Ks Qs Js Ts", "Ks Qs Js Ts 9s", "royal flush"),
        ("6h 5h 4h 3h 2h", "Ah 2h 3h 4h 5h", "straight flush"),
        ("Ah 2h 3h 4h 5h", "As Ad Ac Ah Kd", "straight flush"),
        ("9s 9d 9c 9h 3d", "9s 9d 9c 9h 2d", "four of a kind"),
        ("3s 3d 3c 2h 2d", "2s 2d 2c Ah Ad", "full house"),
        ("Ks 9s 5s 4s 2s", "Ks 9s 5s 3s 2s", "flush"),
        ("6s 5d 4c 3h 2d", "As 2d 3c 4h 5d", "straight"),
        ("7s 7d 7c 5h 4d", "7s 7d 7c 5h 3d", "three of a kind"),
        ("Ks Kd 3c 3h 4d", "Qs Qd Jc Jh Ad", "two pair"),
        ("8s 8d Ac 5h 4d", "8s 8d Kc Qh Jd", "one pair"),
        ("As Qd 9c 5h 4d", "As Qd 9c 5h 3d", "high card"),
    ],
)
def test_order(better: str, worse: str, category: str) -> None:
    high, low = (hand_value(parse_cards(text)) for text in (better, worse))
    assert high > low
    assert category_of(high) == category


def naive(cards: tuple[int, ...]) -> tuple:
    """The same order, slowly: categories by counting."""
    ranks = sorted((card // 4 for card in cards), reverse=True)
    groups = sorted(Counter(ranks).items(), key=lambda item: (-item[1], -item[0]))
    shape = [count for _, count in groups]
    flush = len({card % 4 for card in cards}) == 1
    straight = len(set(ranks)) == 5 and (ranks[0] - ranks[4] == 4 or ranks == [12, 3, 2, 1, 0])
    top = 3 if ranks == [12, 3, 2, 1, 0] else ranks[0]
    order = [rank for rank, _ in groups]
    if straight and flush:
        return (9 if top == 12 else 8, top)
    if shape[0] == 4:
        return (7, order)
    if shape == [3, 2]:
        return (6, order)
    if flush:
        return (5, ranks)
    if straight:
        return (4, top)
    if shape[0] == 3:
        return (3, order)
    return ({2: 2, 1: 1, 0: 0}[shape.count(2)], order)


@settings(max_examples=200, deadline=None)
@given(st.lists(st.integers(0, 51), min_size=10, max_size=10, unique=True))
def test_five_cards_against_a_slow_count(cards: list[int]) -> None:
    one, two = tuple(cards[:5]), tuple(cards[5:])
    values = evaluate_hands([one, two])
    slow = naive(one), naive(two)
    assert (values[0] > values[1]) == (slow[0] > slow[1])
    assert (values[0] == values[1]) == (slow[0] == slow[1])
    assert values[0] >> 26 == slow[0][0]


@settings(max_examples=100, deadline=None)
@given(st.lists(st.integers(0, 51), min_size=7, max_size=7, unique=True), st.integers(6, 7))
def test_more_cards_are_the_best_five_of_them(cards: list[int], count: int) -> None:
    held = cards[:count]
    assert hand_value(held) == max(evaluate_hands(list(itertools.combinations(held, 5))))


def test_many_at_once_are_one_by_one() -> None:
    rng = random.Random(1)
    hands = np.array([rng.sample(range(52), 5) for _ in range(200)])
    assert list(evaluate_hands(hands)) == [hand_value(list(hand)) for hand in hands]


@pytest.mark.parametrize("text", ["Ax", "1s", "As As", "s", "10x"])
def test_no_cards(text: str) -> None:
    with pytest.raises(BadInput):
        parse_cards(text)


def test_bad_hands() -> None:
    for hands in ([[1, 2, 3, 4]], [[0, 0, 1, 2, 3]], [[0, 1, 2, 3, 52]]):
        with pytest.raises(BadInput):
            evaluate_hands(hands)
    with pytest.raises(BadInput):
        frequencies(4)
    assert [format_card(card) for card in parse_cards("Td 2c")] == ["Td", "2c"]
