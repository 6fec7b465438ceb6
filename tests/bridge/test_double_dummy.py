"""The double-dummy solver against plain minimax, and against DDS where endplay is installed."""

from __future__ import annotations

import random
from functools import cache
from typing import Any

import pytest

from plywright.bridge import deal_text, double_dummy, lead_tricks, read_deal, tricks_from
from plywright.bridge.double_dummy import GAME, _solver, tricks_by_card
from plywright.engine.alphabeta import solve
from plywright.engine.alphabeta.pvs_counters import MASK
from plywright.engine.alphabeta.solve import Proof
from plywright.games.bridge.boards import card_text
from plywright.games.bridge.play import opening
from plywright.games.bridge.trick import SEATS, STRAINS, Trick

DECK = [16 * suit + rank for suit in range(4) for rank in range(13)]


def ending(rng: random.Random, size: int) -> Trick:
    """Random hands of one size, often of few suits or of high cards, so that ranks and ruffs matter."""
    least, suits = rng.choice([0, 0, 6, 9]), rng.choice([(0, 1, 2, 3), (0, 1, 2, 3), (0, 2, 3), (1, 3)])
    deck = [card for card in DECK if card & 15 >= least and card >> 4 in suits]
    cards = rng.sample(deck if len(deck) >= 4 * size else DECK, 4 * size)
    hands = [sum(1 << card for card in cards[size * seat : size * (seat + 1)]) for seat in range(4)]
    return opening(hands, rng.randrange(5), rng.randrange(4))


@cache
def minimax(state: Trick) -> int:
    """Tricks of North and South less those of the others, by the rules alone."""
    if GAME.is_terminal(state):
        return int(GAME.utility(state, 0))
    values = [minimax(GAME.result(state, card)) for card in GAME.actions(state)]
    return max(values) if GAME.to_move(state) & 1 == 0 else min(values)


def test_endings_are_worth_what_minimax_finds() -> None:
    rng = random.Random(26)
    for number in range(60):
        state = ending(rng, 3 if number % 4 else 4)
        lead = minimax(state)
        ours = lead if state.leader & 1 == 0 else -lead
        assert 2 * tricks_from(state) - state.left == ours, deal_text(state.hands)
        if number % 10 == 0:
            for card, tricks in tricks_by_card(state).items():
                after = minimax(GAME.result(state, card))
                assert 2 * tricks - state.left == (after if state.leader & 1 == 0 else -after)
        minimax.cache_clear()


def test_a_card_that_equals_one_that_matters_is_not_low() -> None:
    """A position whose value was wrong while entries were kept by the lengths of three hands alone."""
    state = opening(read_deal("N:9.J7.. 84.8.. Q...42 .T..AJ"), 4, 1)
    assert tricks_from(state) == 2


def test_only_results_that_can_be_are_asked_about_and_the_plain_table_stays_small(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    """Tricks more than the others' are odd or even with the number of tricks; entries are kept elsewhere."""
    asked: list[int] = []
    ask = Proof._ask

    def noted(self: Proof, function: Any, state: Any, player: int, beta: int) -> int:
        asked.append(beta)
        return ask(self, function, state, player, beta)

    monkeypatch.setattr(Proof, "_ask", noted)
    monkeypatch.setattr(solve, "DIRECT_NODES", 20)
    rng = random.Random(3)
    for number in range(12):
        state = ending(rng, 4 + number % 2)
        for guess in (0, state.left):
            asked.clear()
            tricks = tricks_from(state, guess)
            assert asked and all((beta - state.left) % 2 == 0 for beta in asked)
            assert tricks == tricks_from(state)
    solver = _solver()
    assert solver.work.info[MASK] == solver.first_mask


DEAL = "N:AQ6.AKJ5.J8.KJ74 KT932.82.AQT94.A 875.T93.763.Q532 J4.Q764.K52.T986"


def test_a_whole_deal() -> None:
    hands = read_deal(DEAL)
    found = {seat: 13 - tricks_from(opening(hands, 2, (seat + 1) & 3)) for seat in range(4)}
    assert found == {0: 7, 1: 5, 2: 6, 3: 6}  # hearts, as DDS has it
    leads = {card_text(card): tricks for card, tricks in lead_tricks(hands, 2, 0).items()}
    assert len(leads) == 13 and min(leads.values()) == 7


def random_deal(rng: random.Random) -> tuple[int, int, int, int]:
    cards = rng.sample(DECK, 52)
    hands = [sum(1 << card for card in cards[13 * seat : 13 * seat + 13]) for seat in range(4)]
    return hands[0], hands[1], hands[2], hands[3]


@pytest.mark.slow
def test_two_hundred_deals_as_dds_has_them() -> None:
    dds, types = pytest.importorskip("endplay.dds"), pytest.importorskip("endplay.types")
    rng = random.Random(200)
    for _ in range(200):
        hands = random_deal(rng)
        theirs = dds.calc_dd_table(types.Deal(deal_text(hands)))
        expected = {
            (strain, seat): theirs[types.Denom.find(STRAINS[strain]), types.Player.find(SEATS[seat])]
            for strain in range(5)
            for seat in range(4)
        }
        assert double_dummy(hands) == expected, deal_text(hands)


@pytest.mark.slow
def test_a_thousand_endings_as_dds_has_them() -> None:
    dds, types = pytest.importorskip("endplay.dds"), pytest.importorskip("endplay.types")
    rng = random.Random(1000)
    for number in range(1000):
        state = ending(rng, 4 + number % 6)
        deal = types.Deal(deal_text(state.hands))
        deal.first, deal.trump = types.Player.find(SEATS[state.leader]), types.Denom.find(STRAINS[state.trump])
        best = max(tricks for _, tricks in dds.solve_board(deal))
        assert tricks_from(state) == best, (deal_text(state.hands), STRAINS[state.trump], SEATS[state.leader])
