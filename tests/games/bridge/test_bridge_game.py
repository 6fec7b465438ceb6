"""Bridge as a game: auction, dummy, scores; the natural system; players and duplicate matches."""

from __future__ import annotations

import json
import random
from typing import Any

import pytest

from plywright import load_game
from plywright.arena.duplicate import board_game, duplicate_match
from plywright.arena.lineup import make_player
from plywright.bridge.bidding import high_card_points, is_balanced, lengths_of, natural_call, shown_by
from plywright.bridge.double_dummy import tricks_by_card
from plywright.cli import main
from plywright.errors import BadInput, Unsuitable
from plywright.games.bridge.auction import call_text, contract_of, is_over, legal_calls, read_call
from plywright.games.bridge.boards import read_deal, read_hand
from plywright.games.bridge.notation import Bridge
from plywright.games.bridge.scoring import contract_score
from plywright.games.bridge.scoring import points as compiled_points
from plywright.games.bridge.trick import lane, lanes
from plywright.players import Playing
from plywright.players.bridge import BridgePlayer, fitting_deals, misfits, opening_lead, report
from plywright.players.clock import Clock, Mode
from plywright.players.searching import SearchPlayer
from plywright.rng import seeded

DEAL = "N:AQ6.AKJ5.J8.KJ74 KT932.82.AQT94.A 875.T93.763.Q532 J4.Q764.K52.T986"


def dealt(game: Bridge, text: str = DEAL) -> Any:
    hands, state = read_deal(text), game.start_state
    for card in range(52):
        owner = next(seat for seat in range(4) if hands[seat] >> 16 * (3 - card // 13) + card % 13 & 1)
        state = game.state_after(state, owner)
    assert [lanes(int(hand)) for hand in state.hands] == list(hands)
    return state


def test_auction_play_and_score() -> None:
    game = Bridge("E", "both")
    state = game.play_moves(dealt(game), "1S Pass 2S X XX Pass Pass Pass")
    assert game.contract(state).text == "2SXXE" and game.to_move(state) == 2
    assert [call_text(call) for call in game.calls_of(state)] == ["1S", "Pass", "2S", "X", "XX", "Pass", "Pass", "Pass"]
    assert not any(game.observation(state, 2).hands[seat] for seat in (0, 1, 3))
    state = game.play_moves(state, "T♥")
    assert game.to_move(state) == 1 and state.dummy == state.hands[3]  # the declarer plays dummy's cards
    assert game.observation(state, 0).dummy == state.hands[3]
    with pytest.raises(BadInput, match="♥ was led"):
        game.parse_action(state, "5d")
    rng = random.Random(5)
    while not game.is_terminal(state):
        assert not game.check_state(state)
        state = game.state_after(state, rng.choice(game.choices(state)))
    made = 13 - state.won
    assert game.utility(state, 1) == contract_score(2, 3, 2, True, made) == -game.utility(state, 0)


def test_insufficient_bids_are_named() -> None:
    game = Bridge()
    state = game.play_moves(dealt(game), "1NT")
    with pytest.raises(BadInput, match="call 2, East's 1S is insufficient: the last bid is 1NT"):
        game.parse_action(state, "1S")
    assert game.is_terminal(game.play_moves(dealt(game), "Pass Pass Pass Pass"))


def test_compiled_scores_are_those_of_the_table() -> None:
    for level in range(1, 8):
        for strain in range(5):
            for doubled in range(3):
                for vulnerable in (False, True):
                    for tricks in range(14):
                        expected = contract_score(level, strain, doubled, vulnerable, tricks)
                        assert compiled_points(level, strain, doubled, int(vulnerable), tricks) == expected


@pytest.mark.parametrize(
    ("hand", "calls", "wanted"),
    [
        ("AQ6.AKJ5.J8.KJ74", "", "1H"),
        ("KQ6.AJ5.KJ82.QJ4", "", "1NT"),
        ("KQJ975.85.J82.74", "", "2S"),
        ("875.T93.763.Q532", "", "Pass"),
        ("KQ65.A5.J982.Q74", "1S Pass", "4S"),
        ("K765.85.J982.Q74", "1S Pass", "2S"),
        ("AJ65.85.KJ92.Q74", "1NT Pass", "2NT"),
        ("KQJ75.85.AJ2.743", "1D", "1S"),
        ("KQ75.AJ85.8.K743", "1D", "X"),
        ("AKQ5.AK5.AJ2.743", "1NT Pass", "6NT"),
    ],
)
def test_the_natural_system(hand: str, calls: str, wanted: str) -> None:
    given = [read_call(word) for word in calls.split()]
    assert call_text(natural_call(read_hand(hand, hand), given)) == wanted


def test_auctions_of_the_system_end_and_promise_what_hands_have() -> None:
    rng = random.Random(1)
    deck = [16 * suit + rank for suit in range(4) for rank in range(13)]
    games = 0
    for _ in range(200):
        cards = rng.sample(deck, 52)
        hands = [sum(1 << card for card in cards[13 * seat : 13 * seat + 13]) for seat in range(4)]
        calls: list[int] = []
        while not is_over(calls):
            call = natural_call(hands[len(calls) % 4], calls)
            assert call in legal_calls(calls)
            calls.append(call)
        assert len(calls) < 30
        contract = contract_of(calls, 0)
        games += contract.level >= 3
        opener = next((number for number, call in enumerate(calls) if call >= 3), None)
        if opener is not None:
            shown, hand = shown_by(calls[: opener + 1], opener % 4), hands[opener % 4]
            assert shown.least <= high_card_points(hand) <= shown.most
            assert all(have >= said for have, said in zip(lengths_of(hand), shown.lengths, strict=True))
    assert 40 < games < 160
    assert is_balanced([3, 3, 3, 4]) and not is_balanced([1, 4, 4, 4]) and not is_balanced([2, 2, 4, 5])


def test_deals_fit_what_is_seen_and_the_auction() -> None:
    game = Bridge()
    state = game.play_moves(dealt(game), "1H Pass Pass X Pass Pass Pass")
    state = game.play_moves(state, "2h 3h")
    seat = game.to_move(state)
    view = game.observation(state, seat)
    drawn = fitting_deals(game, view, seat, 4, seeded(3))
    assert all(game.observation(deal, seat) == view for deal in drawn)
    some = sum(misfits(game, game.deal(view, seat, seeded(n)), game.calls_of(view), seat) for n in range(20)) / 20
    assert sum(misfits(game, deal, game.calls_of(view), seat) for deal in drawn) / 4 < some
    words = report(game, view, seat, [3, 4, 4, 5])["note"]
    assert "5,200,300 deals fit what is seen; 4 drawn, 4.00 tricks, standard error 0.41" in words


def test_the_last_tricks_are_played_about_as_well_as_all_deals_say() -> None:
    game = Bridge()
    compared = 0
    for seed in range(4):
        state, rng = game.play_moves(dealt(game), "1NT Pass Pass Pass"), random.Random(seed)
        while state.played < 40:
            state = game.state_after(state, rng.choice(game.choices(state)))
        seat, legal = game.to_move(state), game.choices(state)
        if len(legal) == 1:
            continue
        totals = dict.fromkeys(legal, 0.0)
        deals = [deal for deal, _ in game.deals(game.observation(state, seat), seat)]
        faults = [misfits(game, deal, game.calls_of(state), seat) for deal in deals]
        fitting = [deal for deal, wrong in zip(deals, faults, strict=True) if wrong == min(faults)]
        for deal in fitting:
            tricks = tricks_by_card(game.open_play(deal))
            for card in legal:
                totals[card] += tricks[lane(card)] / len(fitting)
        turn = Playing(game, state).turn(Clock(Mode.parse("nodes:1")), seeded(1))
        player = BridgePlayer(deals=30)
        assert totals[player.choose(game, turn)] >= max(totals.values()) - 0.35
        assert "deals fit what is seen; 30 drawn" in player.info["note"]
        compared += 1
    assert compared


def test_a_duplicate_match_has_the_same_deals_at_both_tables() -> None:
    found = duplicate_match("bridge-greedy", "bridge-greedy", boards=3, seed=4)
    assert found.total == 0 and all(row.scores[0] == row.scores[1] for row in found.boards)
    assert len({row.boards[0].hands for row in found.boards}) == 3
    better = duplicate_match("bridge-greedy", "random", boards=3, seed=4)
    assert better.mean > 5 and better.interval[0] < better.mean < better.interval[1]
    assert [board_game(number).vulnerable for number in (1, 2, 3, 4, 5, 6)] == [0, 1, 2, 3, 1, 2]


def test_players_of_bridge_are_named_and_play_nothing_else() -> None:
    game = Bridge()
    assert make_player("bridge:deals=3", game).name == "bridge:deals=3"
    for text in ("bridge:x=3", "bridge:deals=no", "bridge-greedy:deals=3", "bridge:deals=0"):
        with pytest.raises(BadInput):
            make_player(text, game)
    with pytest.raises(Unsuitable, match="plays bridge, not tic-tac-toe"):
        make_player("bridge", load_game("tic-tac-toe")).prepare(load_game("tic-tac-toe"))


def test_the_game_names_the_player_that_search_and_levels_mean() -> None:
    game = Bridge()
    assert isinstance(make_player("search", game), BridgePlayer)
    assert isinstance(make_player("search:nodes=10", game), SearchPlayer)
    assert isinstance(make_player("search", load_game("tic-tac-toe")), SearchPlayer)
    grades = [make_player(f"level:{number}", game) for number in range(1, 11)]
    assert all(isinstance(player, BridgePlayer) for player in grades)
    effort = [(-player.careless, player.thinks, player.deals) for player in grades]  # type: ignore[attr-defined]
    assert effort == sorted(effort) and len(set(effort)) == 10
    first = Playing(game, dealt(game)).turn(Clock(Mode.parse("nodes:1")), seeded(1))
    calls = {player.choose(game, first) for player in grades}
    assert calls == {natural_call(lanes(first.view.hands[0]), ())}, "the auction is never careless"


def test_the_best_call_is_the_player_s(capsys: pytest.CaptureFixture[str]) -> None:
    main(["best", "bridge", "--seat", "1", "--observation", "2s3sKsAs2h3hAh2d3dAd2c3cKc -", "--json"])
    told = json.loads(capsys.readouterr().out)
    assert (told["move"], told["by"], told["deals_that_fit"]) == ("1S", "bridge", 84_478_098_072_866_400)


def test_a_player_that_is_stopped_or_has_no_time_left_still_plays_a_card() -> None:
    game = Bridge()
    state = game.play_moves(dealt(game), "1NT Pass Pass Pass")
    state = game.state_after(state, game.choices(state)[0])
    with pytest.raises(TimeoutError):
        tricks_by_card(game.open_play(state), 0.0)
    stopped, late = BridgePlayer(), BridgePlayer()
    stopped.stop()
    for player, clock in ((stopped, Clock(Mode.parse("nodes:1"))), (late, Clock(Mode.parse("budget:1s"), 0.0))):
        turn = Playing(game, state).turn(clock, seeded(1))
        assert player.choose(game, turn) in turn.legal and not player.info


def test_deals_in_which_the_leader_would_have_led_otherwise_fit_less() -> None:
    game = Bridge()
    state = game.play_moves(dealt(game), "1NT Pass Pass Pass")
    leader, legal, calls = game.to_move(state), game.choices(state), game.calls_of(state)
    usual = opening_lead(game, game.observation(state, leader), leader, legal)
    other = next(card for card in legal if card != usual)
    declarer = (leader - 1) % 4
    faults = [misfits(game, game.state_after(state, card), calls, declarer) for card in (usual, other)]
    assert faults[1] == faults[0] + 1
