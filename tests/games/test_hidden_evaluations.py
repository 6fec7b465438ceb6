"""Evaluations of hidden games, placements that never dead-end, and deals too many to list."""

from __future__ import annotations

import math

import pytest

from plywright import BadInput, Unsuitable, load_game, search
from plywright.dice import roll
from plywright.game import Game
from plywright.games.fleets import never_blocked
from plywright.rng import below, seeded

WHIST = "tricks:suits=4,ranks=13,players=4,teams=2,trump=s"
FULL = "battleship:size=10,ships=5-4-3-3-2"
EVALUATED = (
    "tricks",
    "tricks:suits=3,ranks=4,players=3,trump=h",
    "battleship",
    "stratego",
    "kriegspiel",
    "liars-dice:dice=2",
    "liars-dice:players=3",
    "goofspiel",
    "goofspiel:players=3",
    "goofspiel:payoff=points",
)


@pytest.mark.parametrize("name", EVALUATED)
def test_evaluations_lie_inside_the_utility_range_and_cancel_where_utilities_do(name: str) -> None:
    game, rng = load_game(name), seeded(1)
    low, high = game.utility_range
    different = set()
    for _ in range(6):
        state = game.start_state
        while not game.is_terminal(state):
            values = [game.evaluate(state, player) for player in range(game.players)]
            assert all(low < value < high for value in values)
            if game.zero_sum or game.opposed:
                sides = {game.team_of[player]: value for player, value in enumerate(values)}
                assert math.isclose(sum(sides.values()), 0, abs_tol=1e-9)
            if game.sum_bound is not None:
                assert sum(values) <= game.sum_bound + 1e-9
            different.add(values[0])
            actions = [] if game.at_chance(state) else list(game.actions(state))
            action = actions[below(rng, len(actions))] if actions else roll(game, state, rng)
            state = game.coerce_state(game.result(state, action))
    assert len(different) > 1


def two_hits() -> tuple[Game, object]:
    game = load_game(FULL)
    return game, game.parse_observation("a1-e1 a2-d2 a3-c3 a4-c4 a5-b5 | e5+ f5+ c8 | a10 b10 c10", 0)


@pytest.mark.slow
@pytest.mark.parametrize("options", [{"depth": 1, "deals": 200}, {"depth": 2, "deals": 100}, {"simulations": 1500}])
def test_after_two_hits_in_line_the_next_shot_is_beside_them(options: dict[str, int]) -> None:
    game, view = two_hits()
    found = search(game, view, seat=0, **options)
    assert found.action is not None
    assert game.format_action(view, found.action) in ("d5", "g5")


@pytest.mark.parametrize("algorithm", ["deals", "ismcts"])
def test_on_a_small_sea_the_next_shot_is_beside_two_hits(algorithm: str) -> None:
    game = load_game("battleship:size=6,ships=4-3-2")
    view = game.parse_observation("a1-d1 a2-c2 a3-b3 | c3+ d3+ f6 | a6 b6 c6", 0)
    options = {"depth": 2, "deals": 200} if algorithm == "deals" else {"simulations": 1500}
    found = search(game, view, seat=0, algorithm=algorithm, **options)
    assert found.action is not None
    assert game.format_action(view, found.action) in ("b3", "e3")


@pytest.mark.slow
def test_whist_at_depth_four_tells_cards_apart() -> None:
    game = load_game(WHIST)
    view = game.parse_observation("2s3s4s5h6h7h8h9dTdJdQcKcAc", 0)
    found = search(game, view, seat=0, depth=4, deals=40)
    assert len({round(value, 6) for value in found.actions.values()}) > 3
    assert not found.note


def test_sure_tricks_count() -> None:
    game = load_game("tricks:suits=2,ranks=4,players=2,hand=3")
    strong = game.initial()._replace(hands=(0b11100000, 0b00001110), dealt=8)  # three hearts from the top to lead
    assert game.evaluate(strong, 0) > 2.5
    assert game.evaluate(strong, 1) < -2.5


@pytest.mark.parametrize(("size", "ships"), [(5, "1-1-1-1-1-5"), (10, "4-4-4-4-4-10")])
def test_fleets_that_cannot_always_be_placed_are_refused(size: int, ships: str) -> None:
    with pytest.raises(BadInput, match="cannot always be placed"):
        load_game(f"battleship:size={size},ships={ships}")


@pytest.mark.parametrize(
    ("size", "ships"), [(3, [1, 1]), (3, [1, 2]), (4, [1, 1, 1, 3]), (4, [2, 2, 2]), (3, [1, 1, 1, 3])]
)
def test_whether_ships_can_be_blocked_agrees_with_every_placement(size: int, ships: list[int]) -> None:
    from plywright.games.fleets import placements

    def dead_end(taken: int, rest: list[int]) -> bool:
        free = [mask for mask in placements(size, rest[0]) if not mask & taken] if rest else []
        return bool(rest) and (not free or any(dead_end(taken | mask, rest[1:]) for mask in free))

    assert never_blocked(size, ships) is not dead_end(0, ships)


@pytest.mark.parametrize(
    ("name", "words"),
    [
        (WHIST, "84,478,098,072,866,400 .about 8.45 x 10.16. deals.*at most 13/sqrt.N., for 1,000 deals 0.41"),
        ("tricks:suits=3,ranks=13,players=3", "10,400,600 deals"),
        (FULL, "fleets.*too many to list"),
        ("stratego:size=6,pieces=FBSCMLGXXM", "too many to list"),
        ("kriegspiel:size=6,pieces=KQRB", "too many to list"),
    ],
)
def test_deals_too_many_to_list_are_refused_by_number(name: str, words: str) -> None:
    game, rng = load_game(name), seeded(1)
    state = game.start_state
    while game.at_chance(state):
        state = game.coerce_state(game.result(state, roll(game, state, rng)))
    while game.name.startswith("battleship") and game.to_move(state) == 0:
        state = game.coerce_state(game.result(state, next(iter(game.actions(state)))))
    while game.name.startswith("battleship") and game.placed(state.fleets[1]) < game.ships:
        state = game.coerce_state(game.result(state, next(iter(game.actions(state)))))
    seat = int(game.to_move(state))
    with pytest.raises(Unsuitable, match=words):
        search(game, game.observation(state, seat), seat=seat, algorithm="weighted")


def test_where_nothing_is_known_the_answer_says_so() -> None:
    game = load_game("phantom-tic-tac-toe")
    view = game.observation(game.start_state, 0)
    found = search(game, view, seat=0, depth=2, deals=8)
    assert found.note == "no evaluation, no end within depth 2: all moves look equal"
    assert found.as_dict(game, game.start_state)["note"] == found.note


@pytest.mark.parametrize("algorithm", ["pvs", "alphabeta", "minimax"])
def test_open_games_without_an_evaluation_say_so_too(algorithm: str) -> None:
    class Plain(type(load_game("tic-tac-toe"))):  # type: ignore[misc]
        evaluate = Game.evaluate

    game = Plain()
    every = search(game, depth=3, algorithm=algorithm, all_actions=True)
    assert every.note == "no evaluation, no end within depth 3: all moves look equal"
    assert "no end of this line within depth 3" in search(game, depth=3, algorithm=algorithm).note
    assert search(game, depth=9, algorithm=algorithm).note == ""
    assert search(load_game("tic-tac-toe"), depth=3, algorithm=algorithm, all_actions=True).note == ""
