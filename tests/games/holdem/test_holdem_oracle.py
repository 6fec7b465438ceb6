"""Hold'em against pokerkit, an independent implementation: the same choices, stacks and pots in random hands."""

from __future__ import annotations

from fractions import Fraction
from typing import Any

import pytest

from plywright.games.holdem.notation import card_list
from plywright.games.holdem.rules import CALL, FOLD, Holdem
from plywright.games.poker_hands import format_card
from plywright.players import Playing
from plywright.rng import below, seeded, uniform

pokerkit = pytest.importorskip("pokerkit")

KINDS: list[dict[str, Any]] = [
    {"players": 2, "betting": "no-limit", "blinds": "50-100", "stack": "2000"},
    {"players": 2, "betting": "limit", "blinds": "5-10", "stack": "0"},
    {"players": 3, "betting": "no-limit", "blinds": "1-2", "stack": "40-9-100"},
    {"players": 3, "betting": "limit", "blinds": "5-10", "stack": "70-0-25"},
    {"players": 4, "betting": "no-limit", "blinds": "1-2", "stack": "11-60-17-33"},
    {"players": 6, "betting": "limit", "blinds": "5-10", "stack": "100-25-43-0-31-77"},
    {"players": 6, "betting": "no-limit", "blinds": "5-10", "stack": "100-300-41-77-250-33"},
]


def table_of(game: Holdem) -> Any:
    """The same table at pokerkit's; fractions are shared exactly."""
    automate = pokerkit.Automation
    automations = (
        *(automate.ANTE_POSTING, automate.BET_COLLECTION, automate.BLIND_OR_STRADDLE_POSTING),
        *(
            automate.HOLE_CARDS_SHOWING_OR_MUCKING,
            automate.HAND_KILLING,
            automate.CHIPS_PUSHING,
            automate.CHIPS_PULLING,
        ),
        *(automate.RUNOUT_COUNT_SELECTION,),
    )
    stacks = [Fraction(stack) for stack in game.stacks]
    if game.limit:
        return pokerkit.FixedLimitTexasHoldem.create_state(
            automations, True, 0, (game.small, game.big), game.big, 2 * game.big, stacks, game.players
        )
    return pokerkit.NoLimitTexasHoldem.create_state(
        automations, True, 0, (game.small, game.big), game.big, stacks, game.players
    )


def drawn(game: Holdem, playing: Playing, rng: Any) -> int:
    """An act at random: folds are rare, and half of all no-limit raises are small or all-in."""
    legal = playing.legal()
    if legal[0] == FOLD and uniform(rng) < 0.15:
        return FOLD
    raises = [action for action in legal if action > CALL]
    if not raises or uniform(rng) < 0.5:
        return CALL
    kind = below(rng, 4)
    return raises[0] if kind == 0 else raises[-1] if kind == 1 else raises[below(rng, len(raises))]


def play_both(game: Holdem, seed: int) -> None:
    rng, playing, theirs = seeded(seed), Playing(game), table_of(game)
    theirs.divmod = lambda amount, shares: (Fraction(amount) / shares, 0)  # no odd chips
    board = 0
    while not playing.is_over():
        if playing.at_chance():
            playing.roll(rng)
            hands = playing.state.hands
            if playing.ply == 2 * game.players and not any(playing.state.board):
                for seat in range(game.players):
                    theirs.deal_hole("".join(format_card(card) for card in card_list(hands[seat])))
            cards = game.board_list(playing.state)
            if len(cards) in (3, 4, 5) and len(cards) > board:
                theirs.burn_card("??")
                theirs.deal_board("".join(format_card(card) for card in cards[board:]))
                board = len(cards)
            continue
        state, seat = playing.state, playing.mover()
        assert theirs.actor_index == seat
        legal = playing.legal()
        assert theirs.can_check_or_call()
        raises = [action for action in legal if action > CALL]
        capped = (
            game.limit and state.street == 0 and state.raises == 3
        )  # there the blinds are no bet, and four may follow
        short = bool(state.acted >> seat & 1) and 0 < state.bet - state.level[seat] < state.last
        assert (
            not (capped or short) or not raises
        )  # a round opened by less than a bet lets nobody raise who has checked
        assert capped or short or theirs.can_complete_bet_or_raise_to() == bool(raises), game.betting_text(state)
        matched = int(state.paid[seat]) - int(theirs.bets[seat])  # what was put in in earlier rounds
        if raises:
            low = theirs.min_completion_betting_or_raising_to_amount + matched
            high = theirs.max_completion_betting_or_raising_to_amount + matched
            if game.limit:
                assert low == min(state.bet + game.sizes[state.street], game.stacks[seat])
            else:
                assert (low, high) == (raises[0], raises[-1])
        action = drawn(game, playing, rng)
        if action == FOLD:
            theirs.fold()
        elif action == CALL:
            theirs.check_or_call()
        else:
            amount = low if game.limit else action
            theirs.complete_bet_or_raise_to(amount - matched)
        playing.step(action)
    assert not theirs.status
    won = [Fraction(after) - start for after, start in zip(theirs.stacks, theirs.starting_stacks, strict=True)]
    assert playing.payoffs() == pytest.approx([float(part) for part in won]), (game.name, seed)


@pytest.mark.parametrize("number", range(len(KINDS)))
def test_random_hands_go_and_pay_as_pokerkit_says(number: int) -> None:
    game = Holdem(**KINDS[number])
    for seed in range(6):
        play_both(game, 100 * number + seed)


@pytest.mark.slow
@pytest.mark.parametrize("number", range(len(KINDS)))
def test_ten_thousand_hands(number: int) -> None:
    game = Holdem(**KINDS[number])
    for seed in range(1429):
        play_both(game, 10_000 + 2_000 * number + seed)
