"""All-ins by equity: the same expectation, less luck."""

from __future__ import annotations

import itertools
import math

import pytest

from plywright import BadInput
from plywright.games.holdem.rules import CALL, Holdem
from plywright.games.poker_hands import parse_cards
from plywright.players import Playing
from plywright.poker.all_in import adjusted_payoffs, mean_of
from plywright.rng import below, seeded


def play(game: Holdem, seed: int, cards: str = "") -> Playing:
    """A hand at random that is often all-in; with the cards given in the order they come."""
    rng, playing = seeded(seed), Playing(game)
    order = parse_cards(cards) if cards else []
    while not playing.is_over():
        if playing.at_chance():
            wanted = game.cards_to_come(playing.state)
            if len(order) >= wanted:
                playing.step(game.outcome_of([order.pop(0) for _ in range(wanted)]))
            else:
                playing.roll(rng)
            continue
        legal = playing.legal()
        playing.step(legal[-1] if below(rng, 3) == 0 else CALL)
    return playing


def test_an_all_in_counts_by_equity_and_side_pots_by_those_in_them() -> None:
    game = Holdem(players=3, betting="no-limit", blinds="1-2", stack="20-100-60")
    playing = Playing(game)
    for card in parse_cards("As Ah Ks Kh Qs Qh"):
        playing.step(game.outcome_of([card]))
    playing.step(60)  # seat 2 all-in
    playing.step(CALL)  # seat 0 with 20
    playing.step(CALL)
    rng = seeded(1)
    while not playing.is_over():
        playing.roll(rng)
    fair = adjusted_payoffs(game, playing.states)
    assert sum(fair) == pytest.approx(0.0, abs=1e-9)
    main = (fair[0] + 20) / 60  # aces against kings and queens of the same suits
    assert 0.65 < main < 0.70
    assert -60 < fair[2] < 0 < fair[1] + 20


def test_hands_without_an_all_in_are_left_alone() -> None:
    game = Holdem()
    playing = play(game, 3)
    assert adjusted_payoffs(game, playing.states) == playing.payoffs()


def test_the_adjusted_mean_is_the_same_and_scatters_less() -> None:
    """Over 60 flops and turns all-in in a small game: one board stands for all, and the interval shrinks."""
    game = Holdem(betting="no-limit", blinds="1-2", stack="12")
    raw, fair = [], []
    for seed in range(60):
        playing = play(game, seed)
        raw.append(playing.payoffs()[0])
        fair.append(adjusted_payoffs(game, playing.states)[0])
    real, mean = mean_of(raw), mean_of(fair)
    assert mean.margin < 0.8 * real.margin
    apart = [one - two for one, two in zip(raw, fair, strict=True)]
    assert abs(sum(apart)) / len(apart) < 4 * mean_of(apart).margin / 1.96
    assert math.isfinite(mean.mean)


def test_a_smaller_deck_has_its_own_boards() -> None:
    """Jacks to aces: the mean over the 792 boards of those cards, not over those of a whole deck."""
    game = Holdem(betting="no-limit", blinds="1-2", stack="10", ranks=4)
    playing = Playing(game)
    for text in ("Ac", "Ad", "Kc", "Qc", "r10", "c"):
        playing.step(game.parse_action(playing.state, text))
    free = [card for card in range(36, 52) if not game.seen_cards(playing.state) >> card & 1]
    ends = [
        playing.state._replace(board=(1 << a | 1 << b | 1 << c, 1 << d, 1 << e))
        for a, b, c, d, e in itertools.combinations(free, 5)
    ]
    assert len(ends) == 792
    mean = sum(game.utility(end, 0) for end in ends) / len(ends)
    assert adjusted_payoffs(game, [playing.state]) == pytest.approx([mean, -mean])
    with pytest.raises(BadInput, match="boards of five cards, and here they have 3"):
        adjusted_payoffs(Holdem(rounds=2), [])
