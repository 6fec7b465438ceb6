"""Facts, texts and refusals of Pig, 2048, the slippery grid, the race of three and the jewels."""

from __future__ import annotations

import functools
from typing import Any

import pytest

from plywright import BadInput, Game, load_game
from plywright.game import CHANCE


@functools.cache
def game_of(name: str) -> Game:
    return load_game(name)


def value(game: Game, state: Any, depth: int) -> tuple[float, ...]:
    """Utilities, or evaluations at the depth limit, by plain expectation and each mover's best choice."""
    if game.is_terminal(state) or depth == 0:
        rule = game.utility if game.is_terminal(state) else game.evaluate
        return tuple(rule(state, player) for player in range(game.players))
    mover = game.to_move(state)
    if mover == CHANCE:
        weighed = [(p, value(game, game.result(state, o), depth - 1)) for o, p in game.chance(state)]  # type: ignore[attr-defined]
        return tuple(sum(p * values[n] for p, values in weighed) for n in range(game.players))
    return max((value(game, game.result(state, a), depth - 1) for a in game.actions(state)), key=lambda v: v[mover])


# -- Pig ---------------------------------------------------------------------------------------------------


def test_a_single_turn_of_pig_is_held_at_twenty() -> None:
    game = game_of("pig:players=1,turns=1,payoff=points")

    @functools.cache
    def best(pot: int) -> float:  # in one turn to the target of 100
        return pot if pot >= 100 else max(float(pot), sum(best(pot + face) for face in range(2, 7)) / 6)

    for pot in (18, 19, 20, 21):
        rolled = sum(best(pot + face) for face in range(2, 7)) / 6
        state = game.parse_state(f"0-0 +{pot} turn 0 rolling")
        after = [game.result(state, face) for face in game.choices(state)]
        values = [game.utility(one, 0) if game.is_terminal(one) else best(one.pot) for one in after]
        assert sum(values) / 6 == pytest.approx(rolled)
        assert (rolled > pot) == (pot < 20) and (pot != 20 or rolled == pytest.approx(20))


def test_pig_ends_when_somebody_banks_the_target() -> None:
    game = game_of("pig:target=10")
    state = game.play_moves(game.start_state, "roll 6 roll 1 roll 5 roll 6")
    assert game.choices(state) == [1] and game.format_state(state) == "0-0 +11 turn 1"
    won = game.play_moves(state, "hold")
    assert game.is_terminal(won) and (game.utility(won, 0), game.utility(won, 1)) == (-1, 1)
    points = load_game("pig:target=10,payoff=points")
    assert points.utility(points.coerce_state(won), 1) == 11 and points.utility_range == (-15, 15)


@pytest.mark.parametrize(
    ("name", "message"),
    [
        ("pig:payoff=money", "payoff must be win or points"),
        ("pig:players=1", "nobody to beat"),
        ("pig:players=3", "players must be a whole number from 1 to 2"),
        ("pig:target=0", "target must be"),
        ("slippery-grid:layout=nowhere", "layout must be classic"),
        ("slippery-grid:layout=. . +1", "one start, S"),
        ("slippery-grid:layout=S . / . .", "needs an exit"),
        ("slippery-grid:layout=S . x", "'x' means nothing"),
        ("slippery-grid:layout=S . / +1", "equally long"),
        ("slippery-grid:slip=2", "slip must be a number from 0 to 0.9"),
        ("jewels:layout=A . B", "1 to 16 jewels"),
        ("jewels:layout=A . *", "one A and one B"),
        ("jewels:moves=0", "moves"),
        ("dice-race:length=1", "length must be"),
        ("2048:size=5", "no parameter 'size'"),
    ],
)
def test_parameters_are_refused_in_one_sentence(name: str, message: str) -> None:
    with pytest.raises(BadInput, match=message) as caught:
        load_game(name)
    assert "\n" not in str(caught.value)


@pytest.mark.parametrize(
    ("name", "text", "message"),
    [
        ("pig", "12-34 +95 turn 4", "the target is 100"),
        ("pig", "12/34", "is not a state"),
        ("2048", "3,0,0,0/0,0,0,0/0,0,0,0/0,0,0,0 move", "'3' is not a tile"),
        ("2048", "2,4,2,4/4,2,4,2/2,4,2,4/4,2,4,2 tile", "no room"),
        ("2048", "2,4/4,2", "is not a state of 2048"),
        ("slippery-grid", "b2 0", "write a free cell"),
        ("slippery-grid", "d3 0 north", "the walk is over"),
        ("dice-race", "3-3-7 red", "different squares"),
        ("dice-race", "24-3-7 red run", "the race is over"),
        ("jewels", "a3 e3 b5 0", "write where A and B stand"),
    ],
)
def test_states_are_refused_in_one_sentence(name: str, text: str, message: str) -> None:
    with pytest.raises(BadInput, match=message) as caught:
        game_of(name).parse_state(text)
    assert "\n" not in str(caught.value)


@pytest.mark.parametrize(
    ("name", "state", "text", "same"),
    [
        ("pig", "0-0 +5 turn 0", "h", "hold"),
        ("2048", "2,0,0,0/0,0,0,0/0,0,0,0/0,0,0,2 move", "R", "right"),
        ("2048", "2,0,0,0/0,0,0,0/0,0,0,0/0,0,0,0 tile", "c2 4", "c2=4"),
        ("slippery-grid", "a1", "up", "north"),
        ("dice-race", "0-0-0 red", "r", "run"),
        ("dice-race", "0-0-0 red run", "0", "stumble"),
        ("jewels", "a3 e3 c3 0", "wait", "stay"),
    ],
)
def test_moves_are_read_in_other_words(name: str, state: str, text: str, same: str) -> None:
    game = game_of(name)
    place = game.parse_state(state)
    assert game.format_action(place, game.parse_action(place, text)) == same


def test_an_impossible_outcome_is_refused_with_those_that_are_possible() -> None:
    game = game_of("pig")
    with pytest.raises(BadInput, match=r"'7' is not what chance can bring in pig here; it brings: 1, 2, 3, 4, 5, 6"):
        game.play_moves(game.start_state, "roll 7")


# -- 2048 --------------------------------------------------------------------------------------------------


def test_tiles_merge_once_in_a_move() -> None:
    game = game_of("2048")
    state = game.parse_state("2,2,4,8/2,2,2,2/4,4,0,8/0,0,0,2 move")
    left = game.play_moves(state, "left")
    assert game.format_state(left) == "4,4,8,0/4,4,0,0/8,8,0,0/2,0,0,0 tile"
    right = game.play_moves(state, "right")
    assert game.format_state(right) == "0,4,4,8/0,0,4,4/0,0,8,8/0,0,0,2 tile"
    down = game.play_moves(state, "down")
    assert game.format_state(down) == "0,0,0,8/0,0,0,2/4,4,4,8/4,4,2,2 tile"


def test_the_largest_tile_no_longer_merges() -> None:
    game = game_of("2048")
    state = game.parse_state("32768,32768,0,0/0,0,0,0/0,0,0,0/0,0,0,0 move")
    assert game.format_state(game.play_moves(state, "right")).startswith("0,0,32768,32768/")


def test_an_orderly_board_is_worth_more_than_a_muddle() -> None:
    game = game_of("2048")
    tidy = game.parse_state("256,64,16,4/0,0,0,0/0,0,0,0/0,0,0,0 move")
    muddle = game.parse_state("16,0,0,64/0,256,0,0/0,0,4,0/0,0,0,0 move")
    assert game.utility(tidy, 0) == game.utility(muddle, 0) and game.evaluate(tidy, 0) > game.evaluate(muddle, 0)
    dead = game.parse_state("2,4,2,4/4,2,4,2/2,4,2,4/4,2,4,1024 move")
    assert game.is_terminal(dead) and game.evaluate(dead, 0) < game.evaluate(muddle, 0)


# -- the slippery grid ----------------------------------------------------------------------------------------


def test_a_step_slips_sideways_with_a_tenth_each() -> None:
    game = game_of("slippery-grid")
    north = game.play_moves(game.start_state, "north")
    assert {game.format_action(north, o): p for o, p in game.chance(north)} == pytest.approx(  # type: ignore[attr-defined]
        {"north": 0.8, "east": 0.1, "west": 0.1}
    )
    assert game.format_state(game.play_moves(north, "west")) == "a1 1"  # a wall is in the way


def test_a_pellet_two_steps_to_the_west_is_worth_eight() -> None:
    game = load_game("slippery-grid:layout=corridor,cost=1,slip=0")
    assert value(game, game.start_state, 8) == (8,)
    slippery = game_of("slippery-grid:layout=corridor,cost=1")
    assert value(slippery, slippery.start_state, 8)[0] < 8  # sideways is against the wall, and costs


# -- the race of three --------------------------------------------------------------------------------------


def test_landing_sends_back_and_a_shelter_blocks() -> None:
    game = game_of("dice-race")
    assert game.format_state(game.play_moves(game.parse_state("1-4-9 red walk"), "3")) == "4-0-9 blue"
    assert game.format_state(game.play_moves(game.parse_state("2-5-9 red walk"), "3")) == "2-5-9 blue"
    assert game.format_state(game.play_moves(game.parse_state("2-5-9 blue run"), "stumble")) == "2-5-9 green"


def test_the_race_pays_for_the_second_place_too() -> None:
    game = game_of("dice-race")
    for places, payoffs in (("24-5-9", (3, 0, 1)), ("4-24-9", (0, 3, 1)), ("0-0-24", (0.5, 0.5, 3))):
        state = game.parse_state(f"{places} red")
        assert tuple(game.utility(state, player) for player in range(3)) == payoffs and sum(payoffs) == game.sum_bound


def test_whoever_needs_a_few_squares_walks_and_whoever_is_far_behind_runs() -> None:
    game = game_of("dice-race")
    for state, best in (("23-7-3 red", "walk"), ("1-12-15 red", "run")):
        place = game.parse_state(state)
        values = {game.format_action(place, a): value(game, game.result(place, a), 4)[0] for a in game.actions(place)}
        assert max(values, key=lambda text: values[text]) == best, values


# -- jewels --------------------------------------------------------------------------------------------------


def test_collectors_get_more_when_they_share_out_the_jewels() -> None:
    game = load_game("jewels:layout=corridor,moves=4")
    together = game.play_moves(game.start_state, "west east west east stay east")
    assert game.is_terminal(together) and [game.utility(together, player) for player in (0, 1)] == [14, 14]
    assert value(game, game.start_state, 8) == (14, 14)
    alone = game.play_moves(game.start_state, "west west west west stay stay stay stay")
    assert game.utility(alone, 0) == 10 - 8
    assert not game.opposed
