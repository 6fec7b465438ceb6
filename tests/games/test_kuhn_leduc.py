"""Kuhn and Leduc poker: payoffs, betting, what a seat sees, the deals it leaves open."""

from __future__ import annotations

from collections import Counter

import pytest

from plywright import CHANCE, BadInput
from plywright.games.kuhn import BET, PASS, Hand, Kuhn
from plywright.games.leduc import CALL, FOLD, RAISE, Leduc
from plywright.rng import seeded


def played(game, *actions: int):
    state = game.start_state
    for action in actions:
        if game.to_move(state) == CHANCE:
            assert action in [outcome for outcome, _ in game.chance(state)]
        else:
            assert action in list(game.actions(state))
        state = game.result(state, action)
    return state


@pytest.mark.parametrize(
    ("actions", "payoff"),
    [
        ((3, 1, PASS, PASS), 1),
        ((1, 3, PASS, PASS), -1),
        ((1, 3, BET, PASS), 1),
        ((3, 1, PASS, BET, PASS), -1),
        ((3, 1, BET, BET), 2),
        ((1, 2, PASS, BET, BET), -2),
    ],
)
def test_kuhn_payoffs(actions: tuple[int, ...], payoff: int) -> None:
    game = Kuhn()
    end = played(game, *actions)
    assert game.is_terminal(end)
    assert (game.utility(end, 0), game.utility(end, 1)) == (payoff, -payoff)


def test_three_player_kuhn() -> None:
    game = Kuhn(3)
    end = played(game, 2, 4, 3, PASS, BET, PASS, BET)  # the second bets, the third folds, the first calls
    assert [game.utility(end, seat) for seat in range(3)] == [-2, 3, -1]
    end = played(game, 2, 4, 3, PASS, PASS, PASS)
    assert [game.utility(end, seat) for seat in range(3)] == [-1, 2, -1]


@pytest.mark.parametrize(
    ("actions", "payoff"),
    [
        ((1, 2, RAISE, FOLD), 1),
        ((1, 2, RAISE, RAISE, FOLD), -3),
        ((1, 2, CALL, CALL, 1, CALL, CALL), 1),  # a pair
        ((1, 2, CALL, CALL, 3, CALL, CALL), -1),  # the higher card
        ((2, 2, RAISE, CALL, 3, RAISE, RAISE, CALL), 0),
        ((3, 1, RAISE, RAISE, CALL, 2, RAISE, RAISE, CALL), 13),
    ],
)
def test_leduc_payoffs(actions: tuple[int, ...], payoff: int) -> None:
    game = Leduc()
    end = played(game, *actions)
    assert game.is_terminal(end)
    assert (game.utility(end, 0), game.utility(end, 1)) == (payoff, -payoff)


def test_leduc_betting_is_capped_and_cards_come_by_their_number() -> None:
    game = Leduc()
    assert list(game.actions(played(game, 1, 2, RAISE, RAISE))) == [FOLD, CALL]
    assert list(game.actions(played(game, 1, 2))) == [CALL, RAISE]
    assert dict(game.chance(played(game, 1))) == {1: 1 / 5, 2: 2 / 5, 3: 2 / 5}
    assert dict(game.chance(played(game, 1, 1, CALL, CALL))) == {2: 1 / 2, 3: 1 / 2}


def test_a_seat_sees_its_own_card_only() -> None:
    game = Leduc()
    one, other = (played(game, 1, card, CALL, RAISE) for card in (2, 3))
    assert game.observation(one, 0) == game.observation(other, 0)
    assert game.observation(one, 1) != game.observation(other, 1)
    kuhn = Kuhn()
    assert kuhn.observation(Hand(1 | 2 << 4, 1), 0) == kuhn.observation(Hand(1 | 3 << 4, 1), 0)


@pytest.mark.parametrize(
    ("game", "text", "player"), [(Kuhn(), "2 pb", 0), (Leduc(), "Q K crc/c", 1), (Kuhn(3), "4 -", 0)]
)
def test_observations_as_text(game, text: str, player: int) -> None:
    seen = game.parse_observation(text, player)
    assert game.format_observation(seen, player) == text


@pytest.mark.parametrize(
    ("game", "text", "player"),
    [(Kuhn(), "4 p", 1), (Kuhn(), "2 p", 0), (Leduc(), "A", 0), (Leduc(), "Q K c", 1), (Leduc(), "Q - f", 0)],
)
def test_impossible_observations_are_refused(game, text: str, player: int) -> None:
    with pytest.raises(BadInput):
        game.parse_observation(text, player)


@pytest.mark.parametrize(
    ("game", "text", "player"), [(Kuhn(), "2 p", 1), (Kuhn(3), "1 pb", 2), (Leduc(), "Q K cc/", 0)]
)
def test_deals_are_what_chance_would_have_dealt(game, text: str, player: int) -> None:
    """`deals` by counting all the ways to deal that give this view, and `deal` by sampling."""
    seen = game.parse_observation(text, player)
    listed = dict(game.deals(seen, player))
    assert sum(listed.values()) == pytest.approx(1)
    assert all(game.observation(state, player) == seen for state in listed)
    rng = seeded(5)
    count = Counter(game.deal(seen, player, rng) for _ in range(6_000))
    assert set(count) == set(listed)
    for state, probability in listed.items():
        assert count[state] / 6_000 == pytest.approx(probability, abs=0.035)


def test_a_deal_with_a_card_twice_is_refused() -> None:
    assert Kuhn().parse_state("33,1") == Kuhn().coerce_state((33, 1))
    with pytest.raises(BadInput, match="the card 1 is dealt twice"):
        Kuhn().parse_state("17,1")
    with pytest.raises(BadInput, match="the card 9 is not in the deck"):
        Kuhn().parse_state("9,1")
    with pytest.raises(BadInput, match="Q is dealt 3 times"):
        Leduc().parse_state("2,2,2,1,0,0,0,65,-1")


def test_pictures_tell_the_betting_in_words() -> None:
    game = Leduc()
    seen = game.parse_observation("Q K crc/c", 1)
    assert game.picture_for(seen, 1).text.splitlines()[-2:] == [
        "first round: check, raise, call",
        "second round: check",
    ]
    assert game.picture(game.initial()).text.splitlines()[-1] == "pot 1 + 1"
