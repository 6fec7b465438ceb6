"""Spades: bids, who may lead what, and the score, held to a few lines that know nothing of the game's own code."""

from __future__ import annotations

from functools import cache
from itertools import product
from typing import Any

import pytest

from plywright import CHANCE, load_game
from plywright.arena.lineup import make_player
from plywright.arena.referee import play_game
from plywright.dice import roll
from plywright.errors import BadInput
from plywright.games.spades import Bidding, Spades
from plywright.games.spades.knowledge import SpadesKnowledge, likely_tricks, nil_chance
from plywright.games.tricks import play_at
from plywright.knowledge import knowledge_of
from plywright.players import Mode, Player
from plywright.players.python_file import load_player
from plywright.rng import below, seeded

RANKS = "23456789TJQKA"


def dealt(game: Spades, hands: list[str]) -> Any:
    """The state in which everybody has been dealt those cards."""
    owner = {card: seat for seat, text in enumerate(hands) for card in game.read_cards(text, text)}
    state = game.start_state
    for card in range(game.cards):
        state = game.state_after(state, owner[card])
    return state


ONE_SUIT_EACH = ["".join(rank + suit for rank in RANKS) for suit in "shdc"]


# -- an independent account of the rules: cards are (suit, rank), spades are suit 0 ----------------------------


def points(bids: tuple[int, ...], taken: tuple[int, ...]) -> int:
    """What a side scores, by its players."""
    total, wanted, got = 0, 0, 0
    for bid, tricks in zip(bids, taken, strict=True):
        if bid == 0:
            total += 100 if not tricks else -100 + tricks
        else:
            wanted, got = wanted + bid, got + tricks
    return total - 10 * wanted if got < wanted else total + 10 * wanted + (got - wanted)


def may_play(hand: set[tuple[int, int]], trick: list[tuple[int, int]], spade_seen: bool) -> set[tuple[int, int]]:
    if trick:
        return {card for card in hand if card[0] == trick[0][0]} or hand
    return {card for card in hand if card[0] or spade_seen} or hand


def winner(trick: list[tuple[int, int]]) -> int:
    def height(card: tuple[int, int]) -> int:
        return card[1] + (100 if card[0] == 0 else 0 if card[0] == trick[0][0] else -100)

    return max(range(len(trick)), key=lambda turn: height(trick[turn]))


def test_the_scoring_table() -> None:
    game = Spades()
    start = game.start_state
    for bids in product((0, 1, 4, 13), repeat=2):
        for taken in product(range(6), repeat=2):
            rest = 13 - sum(taken)
            end = start._replace(
                bids=(bids[0] + 1, 4, bids[1] + 1, 4), tricks=(taken[0], rest, taken[1], 0), played=52, dealt=52
            )
            both = points(bids, taken), points((3, 3), (rest, 0))
            assert (game.score(end, 0), game.score(end, 1)) == both
            for seat in range(4):
                assert game.utility(end, seat) == (both[0] - both[1]) * (1 if seat % 2 == 0 else -1)


@pytest.mark.parametrize("name", ["spades", "spades:suits=3,ranks=4", "spades:ranks=5,players=2"])
def test_whole_hands_are_played_as_an_independent_referee_has_it(name: str) -> None:
    """Bids, legal cards, who takes each trick and the score; and views that tell no more than a seat may know."""
    game, early = load_game(name), 0
    low, high = game.utility_range
    for seed in range(4 if name == "spades" else 12):
        rng, state = seeded(seed), game.start_state
        while game.at_chance(state):
            state = game.state_after(state, roll(game, state, rng))
        hands = [{divmod(card, game.ranks) for card in range(game.cards) if hand >> card & 1} for hand in state.hands]
        bids = [below(rng, game.hand + 1) for _ in hands]
        for seat, bid in enumerate(bids):
            assert game.to_move(state) == seat and game.choices(state) == list(range(game.hand + 1))
            state = game.state_after(state, bid)
        taken, leader, spade_seen = [0] * game.players, 0, False
        for _ in range(game.hand):
            trick: list[tuple[int, int]] = []
            for turn in range(game.players):
                seat = (leader + turn) % game.players
                legal = may_play(hands[seat], trick, spade_seen)
                assert game.to_move(state) == seat and not game.is_terminal(state)
                assert [divmod(card, game.ranks) for card in game.choices(state)] == sorted(legal)
                view = game.observation(state, seat)
                assert not any(hand for other, hand in enumerate(view.hands) if other != seat)
                if state.played % 5 == 0:
                    assert game.parse_observation(game.format_observation(view, seat), seat) == view
                card = sorted(legal)[below(rng, len(legal))]
                early += not trick and card[0] == 0 and not spade_seen
                trick.append(card)
                hands[seat].remove(card)
                state = game.state_after(state, card[0] * game.ranks + card[1])
                spade_seen |= card[0] == 0
            leader = (leader + winner(trick)) % game.players
            taken[leader] += 1
        assert game.is_terminal(state) and list(state.tricks) == taken and not game.check_state(state)
        sums = [points(tuple(bids[side::2]), tuple(taken[side::2])) for side in (0, 1)]
        assert game.utility(state, 0) == sums[0] - sums[1] == -game.utility(state, 1)
        assert low <= sums[0] - sums[1] <= high
    assert early or name == "spades"  # somebody had nothing but spades to lead


def test_the_value_of_a_small_deal_is_that_of_plain_minimax_over_an_independent_account() -> None:
    """Two players, two suits of three: every deal, all hands seen, all bids and plays."""
    game = Spades(suits=2, ranks=3, players=2)

    @cache
    def best(hands: tuple[frozenset[tuple[int, int]], ...], bids: tuple[int, ...], trick: tuple[tuple[int, int], ...],
             taken: tuple[int, int], leader: int, spade_seen: bool) -> int:  # fmt: skip
        if len(bids) < 2:
            values = [best(hands, (*bids, bid), trick, taken, leader, spade_seen) for bid in range(3)]
            return max(values) if len(bids) == 0 else min(values)
        if sum(taken) == 2:
            return points(bids[:1], taken[:1]) - points(bids[1:], taken[1:])
        seat, values = (leader + len(trick)) % 2, []
        for card in may_play(set(hands[seat]), list(trick), spade_seen):
            left = tuple(hand - {card} for hand in hands)
            seen = spade_seen or card[0] == 0
            if not trick:
                values.append(best(left, bids, (card,), taken, leader, seen))
            else:
                first = (leader + winner([*trick, card])) % 2
                won = (taken[0] + (first == 0), taken[1] + (first == 1))
                values.append(best(left, bids, (), won, first, seen))
        return max(values) if seat == 0 else min(values)

    @cache
    def value(state: Any) -> float:
        if game.is_terminal(state):
            return game.utility(state, 0)
        values = [value(game.result(state, action)) for action in game.actions(state)]
        return max(values) if game.to_move(state) == 0 else min(values)

    deals = [game.initial()]
    while game.to_move(deals[0]) == CHANCE:
        deals = [game.result(state, outcome) for state in deals for outcome, _ in game.chance(state)]
    assert len(deals) == 90  # six cards: two, two, and two in the stock
    for state in deals:
        hands = tuple(frozenset(divmod(card, 3) for card in range(6) if hand >> card & 1) for hand in state.hands)
        assert value(state) == best(hands, (), (), (0, 0), 0, False)


def test_leading_a_spade_too_early_shows_that_there_is_nothing_else() -> None:
    game = Spades()
    state = game.play_moves(dealt(game, ONE_SUIT_EACH), "13 nil nil nil")
    assert len(game.choices(state)) == 13 and state.broken == 0
    state = game.play_moves(state, "2s")
    assert state.broken == 1 and state.voids == 0b1110
    for number in range(20):
        drawn = game.deal(game.observation(state, 1), 1, seeded(number))
        assert drawn.hands[0] < 1 << 13


def test_bids_are_clicked_and_shown() -> None:
    game = Spades()
    state = dealt(game, ONE_SUIT_EACH)
    seen = game.observation(game.play_moves(state, "3 0"), 2)
    assert game.format_observation(seen, 2).split()[1] == "3-nil"
    picture = game.picture_for(seen, 2)
    assert "bid: nil 1 2" in picture.text and "bids 3-nil, tricks 0-0-0-0, trump ♠" in picture.text
    assert 'data-place="nil"' in picture.svg and 'data-place="13"' in picture.svg
    assert "K♥" not in picture.text


@pytest.mark.parametrize(
    ("text", "words"),
    [
        ("spades:players=3", "4 players in two partnerships, or for 2"),
        ("spades:players=5", "players"),
        ("spades:suits=1", "suits"),
        ("spades:ranks=14", "ranks"),
        ("spades:suits=2,ranks=1", "not enough"),
    ],
)
def test_parameters_that_cannot_be(text: str, words: str) -> None:
    with pytest.raises(BadInput, match=words):
        load_game(text)


@pytest.mark.parametrize(
    ("text", "player", "words"),
    [
        ("Js 1-1", 0, "no deal"),  # one card where there are three
        ("JsQsKs 4", 1, "'4' is no bid"),
        ("JsQsKs 1-1-1", 0, "'1' is no bid"),
        ("JsQsKs -1-x", 0, "'x' is no bid"),
        ("JsQsKs 1", 0, "not to move"),
        ("JsQsQs 1", 1, "twice"),
        ("QhKh 1 Jh", 1, "all 2 players"),
        ("QhKs 1-1 Js-Qs", 0, "had to follow suit"),  # led a spade with a heart in hand
        ("JsQsZs -", 0, "'zs' is no card"),
        ("", 0, "no deal"),
    ],
)
def test_views_that_cannot_be(text: str, player: int, words: str) -> None:
    game = load_game("spades:suits=2,ranks=4,players=2")
    with pytest.raises(BadInput, match=words):
        game.parse_observation(text, player)


def test_states_from_outside_are_examined() -> None:
    game = Spades(suits=2, ranks=4, players=2)
    state = game.play_moves(dealt_by_chance(game), "1 2")
    assert not game.check_state(state)
    played = game.state_after(state, game.choices(state)[0])
    for forged in (
        state._replace(bids=(0, 3)),
        state._replace(bids=(2, 9)),
        state._replace(bids=(-1, 2)),
        played._replace(bids=(2, 0)),
        played._replace(broken=1 - played.broken),
        played._replace(tricks=(1, 0)),
        game.start_state._replace(bids=(1, 1)),
    ):
        assert game.check_state(forged), forged


def dealt_by_chance(game: Spades) -> Bidding:
    state, rng = game.start_state, seeded(2)
    while game.at_chance(state):
        state = game.state_after(state, roll(game, state, rng))
    return state  # type: ignore[no-any-return]


@pytest.mark.parametrize("name", ["spades", "spades:ranks=5,players=2"])
def test_playouts_bid_and_play_and_look_into_no_other_hand(name: str) -> None:
    game = load_game(name)
    knowledge = knowledge_of(game)
    assert isinstance(knowledge, SpadesKnowledge)
    rng, made, hands = seeded(4), 0, 8
    for _ in range(hands):
        state = game.start_state
        while not game.is_terminal(state):
            if game.at_chance(state):
                state = game.state_after(state, roll(game, state, rng))
                continue
            seat = game.to_move(state)
            other = game.deal(game.observation(state, seat), seat, rng)
            if game.is_bidding(state):
                action = knowledge.bid_of(state)
                assert knowledge.bid_of(other) == action
            else:
                played = sum(1 << play_at(state.plays, number) for number in range(state.played))
                assert knowledge.gone(state) == played
                action = knowledge.card_of(state, game.playable(state), played)
                assert knowledge.card_of(other, game.playable(other), played) == action
            assert action in game.choices(state), "what looks the same is played the same, and is legal"
            state = game.state_after(state, action)
        made += (game.score(state, 0) > 0) + (game.score(state, 1) > 0)
        final = knowledge.playout(dealt_by_chance(game), rng)
        assert game.is_terminal(final) and not game.check_state(final)
    assert made > hands or game.players == 2  # most of what is bid is made


def test_high_cards_long_spades_and_safe_nils() -> None:
    game = Spades()

    def worth(text: str) -> tuple[float, float]:
        hand = game.read_set(text, text)
        return likely_tricks(hand, 4, 13), nil_chance(hand, 4, 13)

    strong, no_nil = worth("AsKsQs5s4sAhKh3h2hAd4d3d2c")
    weak, nil = worth("3s2s7h5h3h2h9d6d4d2d8c5c3c")
    assert strong > 6 and weak < 1 and nil > 0.9 and no_nil == 0
    assert worth("As3s7h5h3h2h9d6d4d2d8c5c3c")[1] == 0  # the ace of spades takes a trick
    state = dealt_by_chance(game)._replace(
        hands=(game.read_set("3s2s7h5h3h2h9d6d4d2d8c5c3c", ""), 0, 0, 0), bids=(0, 0, 0, 0)
    )
    knowledge = knowledge_of(game)
    assert isinstance(knowledge, SpadesKnowledge) and knowledge.bid_of(state) == 0


def test_the_evaluation_prefers_contracts_that_can_be_made() -> None:
    game = Spades()
    base = dealt(game, ONE_SUIT_EACH)  # the first player takes all tricks
    low, high = game.utility_range
    values = {bid: game.evaluate(game.play_moves(base, f"{bid} 1 1 1"), 0) for bid in (1, 5, 9)}
    assert low < values[1] < values[5] < values[9] < high
    for bid, value in values.items():
        state = game.play_moves(base, f"{bid} 1 1 1")
        assert game.evaluate(state, 1) == -value and game.evaluate(state, 2) == value
    assert game.evaluate(game.play_moves(base, "nil 1 1 1"), 0) < values[1]  # cannot be made


@pytest.mark.slow
def test_the_search_scores_more_than_simple_rules() -> None:
    """Two searches against two greedy players, every deal from both sides of the table; 500 simulations a card."""
    game, greedy = load_game("spades"), load_player("examples/greedy_spades.py")
    search = make_player("ismcts:simulations=500", game)
    search.prepare(game)
    gains = []
    for deal in range(24):
        for side in (0, 1):
            players: list[Player] = [search if seat % 2 == side else greedy for seat in range(4)]
            payoffs = play_game(game, players, mode=Mode.parse("nodes:500"), seed=deal + 1).payoffs
            assert payoffs is not None
            gains.append(payoffs[side])
    means = [sum(gains[2 * deal : 2 * deal + 2]) / 2 for deal in range(24)]
    mean = sum(means) / 24
    spread = (sum((one - mean) ** 2 for one in means) / 23) ** 0.5
    assert mean - 1.96 * spread / 24**0.5 > 0
