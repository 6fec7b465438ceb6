"""Hearts: the rules of passing, leading and the moon."""

from __future__ import annotations

import pytest

from plywright import load_game
from plywright.arena.lineup import make_player
from plywright.arena.referee import play_game
from plywright.dice import roll
from plywright.errors import BadInput
from plywright.games.hearts import PASSES, Hand, Hearts
from plywright.games.hearts.knowledge import HeartsKnowledge
from plywright.knowledge import knowledge_of
from plywright.players import Mode, Player
from plywright.players.python_file import load_player
from plywright.rng import below, seeded


def dealt(game: Hearts, hands: list[str]) -> Hand:
    """The state in which everybody has been dealt those cards."""
    owner = {card: seat for seat, text in enumerate(hands) for card in game.read_cards(text.lower(), text)}
    state = game.start_state
    for card in range(game.cards):
        state = game.state_after(state, owner[card])
    return state  # type: ignore[no-any-return]


SUITS = "shdc"
RANKS = "23456789TJQKA"
ONE_SUIT_EACH = ["".join(rank + suit for rank in RANKS) for suit in SUITS]


def test_cards_are_passed_to_the_left_and_seen_by_giver_and_receiver_only() -> None:
    game = Hearts()
    state = dealt(game, ONE_SUIT_EACH)
    for seat, suit in enumerate(SUITS):
        assert game.to_move(state) == seat
        before = state
        for rank in ("J", "Q", "K"):
            state = game.play_moves(state, rank + suit)
        assert state.hands == before.hands or seat == 3  # all change hands at once
    assert game.hand_text(state.hands[0]) == "2s3s4s5s6s7s8s9sTsAsJcQcKc"
    assert game.format_observation(game.observation(state, 3), 3).split()[1:] == [">JcQcKc", "<JdQdKd"]
    seen = game.observation(state, 2)
    assert [bool(cards) for cards in seen.passed] == [False, True, True, False]
    for number in range(50):
        drawn = game.deal(seen, 2, seeded(number))
        assert drawn.hands[3] & drawn.passed[2] == drawn.passed[2] and not game.check_state(drawn)


def test_the_lowest_club_leads_and_hearts_wait_until_they_are_broken() -> None:
    game = Hearts(passing="none")
    hands = ["2s3s4s5s6s7s8s9sTsJsQsKs2h", "As2d3d4d5d6d7d8d9dTdJdQdKd"]
    hands += ["Ad2c4c5c6c7c8c9cTcJcQcKcAc", "3c3h4h5h6h7h8h9hThJhQhKhAh"]
    state = dealt(game, hands)
    assert game.to_move(state) == 2 and [game.format_action(state, a) for a in game.actions(state)] == ["2c"]
    state = game.play_moves(state, "2c 3c")
    texts = [game.format_action(state, action) for action in game.actions(state)]
    assert "Qs" not in texts and "2h" not in texts and "2s" in texts  # no points to the first trick
    state = game.play_moves(state, "2s 2d")
    assert game.to_move(state) == 3 and state.points == (0, 0, 0, 0)
    assert len(list(game.actions(state))) == 12  # nothing but hearts: they may be led
    after = game.play_moves(state, "3h")
    assert after.broken == 1 and after.voids >> 12 == 0b1101


def test_whoever_takes_all_points_shoots_the_moon() -> None:
    game = load_game("hearts:passing=none")
    moons = 0
    for seed in range(300):
        rng, state = seeded(seed), game.start_state
        while not game.is_terminal(state):
            choices = game.choices(state)
            state = game.result(state, choices[below(rng, len(choices))])
        payoffs = [game.utility(state, seat) for seat in range(4)]
        if max(state.points) == 26:
            moons += 1
            assert sorted(payoffs) == [-26, -26, -26, 0]
        else:
            assert sum(payoffs) == -26 and payoffs == [-count for count in state.points]
        assert sum(state.points) == 26
        if moons and seed > 20:
            break
    assert moons


def test_each_choice_of_three_cards_is_made_in_one_way() -> None:
    game = Hearts(ranks=7)
    state = dealt(game, ["".join(rank + suit for rank in RANKS[6:]) for suit in SUITS])
    ways = 0
    for one in game.actions(state):
        for two in game.actions(game.result(state, one)):
            ways += len(list(game.actions(game.result(game.result(state, one), two))))
    assert ways == 35 and PASSES == 3  # seven cards, three of them


@pytest.mark.parametrize(
    ("text", "words"),
    [("hearts:ranks=3", "ranks"), ("hearts:passing=up", "left, right, across or none")],
)
def test_parameters_that_cannot_be(text: str, words: str) -> None:
    with pytest.raises(BadInput, match=words):
        load_game(text)


def test_playouts_duck_and_look_into_no_other_hand() -> None:
    game = load_game("hearts")
    knowledge = knowledge_of(game)
    assert isinstance(knowledge, HeartsKnowledge)
    rng, ducked = seeded(4), 0
    for _ in range(6):
        state = game.start_state
        while not game.is_terminal(state):
            if game.at_chance(state):
                state = game.state_after(state, roll(game, state, rng))
                continue
            seat, cards = game.to_move(state), game.playable(state)
            card = knowledge.card_of(state, cards)
            assert cards >> card & 1
            other = game.deal(game.observation(state, seat), seat, rng)
            assert knowledge.card_of(other, game.playable(other)) == card, "what looks the same is played the same"
            ducked += card != max(game.choices(state))
            state = game.state_after(state, card)
        assert sum(state.points) == game.all_points
    assert ducked > 100
    final = knowledge.playout(dealt(game, ONE_SUIT_EACH), seeded(1))
    assert game.is_terminal(final) and not game.check_state(final)


def test_dangerous_cards_are_passed_and_thrown_away_first() -> None:
    game = load_game("hearts:passing=none")
    knowledge = knowledge_of(game)
    assert isinstance(knowledge, HeartsKnowledge)
    for cards, worst in (("qsahkd2c", "qs"), ("ks2sah3h", "ks"), ("5hkd3d4c", "kd"), ("thjd3dqc2c3c4c", "th")):
        hand = game.read_set(cards, cards)
        assert game.card_text(knowledge.most_dangerous(hand, hand)).lower() == worst, cards


@pytest.mark.slow
def test_the_search_takes_fewer_points_than_simple_rules() -> None:
    """One search against three greedy players, every deal from each seat; 1,000 simulations a card."""
    game, greedy = load_game("hearts"), load_player("examples/greedy_hearts.py")
    search = make_player("ismcts:simulations=1000", game)
    search.prepare(game)
    gains = []
    for deal in range(16):
        for seat in range(4):
            players: list[Player] = [greedy] * 4
            players[seat] = search
            payoffs = play_game(game, players, mode=Mode.parse("nodes:1000"), seed=deal + 1).payoffs
            assert payoffs is not None
            gains.append(payoffs[seat] - (sum(payoffs) - payoffs[seat]) / 3)
    means = [sum(gains[4 * deal : 4 * deal + 4]) / 4 for deal in range(16)]
    mean = sum(means) / 16
    spread = (sum((one - mean) ** 2 for one in means) / 15) ** 0.5
    assert mean - 1.96 * spread / 4 > 0
