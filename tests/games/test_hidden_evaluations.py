"""Evaluations of hidden games, placements that never dead-end, and deals too many to list."""

from __future__ import annotations

import math
from collections.abc import Iterator

import pytest

from plywright import BadInput, Knowledge, Unsuitable, load_game, search
from plywright.dice import roll
from plywright.game import Game
from plywright.games.battleship.fleets import placements, roomy
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


def test_placing_never_ends_without_room_for_the_rest() -> None:
    game = load_game("battleship:size=5,ships=1-1-1-1-1-5")
    state = game.play_moves(game.start_state, "a1-a1 b2-b2 c3-c3 d4-d4")
    legal = [game.format_action(state, action) for action in game.actions(state)]
    assert "e4-e4" in legal  # row 5 stays free
    assert "e5-e5" not in legal  # a cell in every row and column: the last ship could lie nowhere
    with pytest.raises(BadInput, match="e5-e5"):
        game.play_moves(state, "e5-e5")


@pytest.mark.parametrize("ships", ["5-5-5-5-5-5-5", "6-6-6-6-6-6", "4-4-4-4-4-10"])
def test_crowded_fleets_are_played(ships: str) -> None:
    game, rng = load_game(f"battleship:size=10,ships={ships}"), seeded(3)
    state = game.start_state
    for _ in range(2 * game.ships + 4):
        legal = list(game.actions(state))
        state = game.coerce_state(game.result(state, legal[below(rng, len(legal))]))
    assert game.placed(state.fleets[1]) == game.ships


@pytest.mark.parametrize(("size", "ships"), [(3, "1-2"), (4, "1-1-1-3"), (4, "2-2-2"), (3, "1-1-1"), (5, "1-1-1-1-5")])
def test_placements_are_those_that_leave_room(size: int, ships: str) -> None:
    """By trying every placement of the rest; where counting shows room, nothing is ever left out."""
    game, lengths, met = load_game(f"battleship:size={size},ships={ships}"), [int(n) for n in ships.split("-")], 0

    def fits(taken: int, rest: list[int]) -> bool:
        return not rest or any(fits(taken | m, rest[1:]) for m in placements(size, rest[0]) if not m & taken)

    rng = seeded(2)
    for _ in range(60):
        state, taken = game.initial(), 0
        for ship, length in enumerate(lengths):
            masks = placements(size, length)
            free = [place for place, mask in enumerate(masks) if not mask & taken]
            room = [place for place in free if fits(taken | masks[place], lengths[ship + 1 :])]
            assert list(game.actions(state)) == room
            assert room == free or not roomy(size, lengths)
            action = room[below(rng, len(room))]
            state, taken, met = game.result(state, action), taken | masks[action], met + 1
    assert met == 60 * len(lengths)


def test_full_size_fleets_are_drawn_evenly_and_soon() -> None:
    """Hits that many ships may explain: covers are far fewer than layouts, and every fleet comes as often."""
    game = load_game(FULL)
    view = game.parse_observation(
        "a1-e1 a2-d2 a3-c3 a4-c4 a5-b5 | b2+ c5+ h3+ e6 j10 a9 i1 | a10 b10 c10 d10 e10 f10 g10", 0
    )
    layouts = sum(1 for _ in game.hit_ships(view, False))
    covers = [alike for _, alike in game.hit_ships(view, True)]
    assert layouts > 1_000
    assert len(covers) < layouts / 10
    assert sum(covers) >= layouts  # overlaps where no shot fell are counted too, and rejected
    for seed in range(5):
        state = game.deal(view, 0, seeded(seed))
        assert game.observation(state, 0) == view
        assert game.check_state(state) == ""


def test_a_view_that_only_overlapping_ships_would_explain_is_refused() -> None:
    game = load_game("battleship:size=4,ships=2-2-2")
    shots = "c1 d1 c2 d2 a3 b3 c3 d3 a4 b4 c4 d4"  # four cells are left for three ships of two
    fire = "a4 b4 c4 d4 a1+ a2+ a3 c3 d3 b3 c1 d1"
    with pytest.raises(BadInput, match="no fleet"):
        game.parse_observation(f"a1-b1 a2-b2 c2-d2 | {shots} | {fire}", 0)


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
        knowledge = Knowledge

    game = Plain()
    every = search(game, depth=3, algorithm=algorithm, all_actions=True)
    assert every.note == "no evaluation, no end within depth 3: all moves look equal"
    assert "no end of this line within depth 3" in search(game, depth=3, algorithm=algorithm).note
    assert search(game, depth=9, algorithm=algorithm).note == ""
    assert search(load_game("tic-tac-toe"), depth=3, algorithm=algorithm, all_actions=True).note == ""


class Draws(Game):
    """Count down from 9 by 1 or by 8; every end is a draw."""

    players = 2
    max_actions = 2

    def initial(self) -> tuple[int, int]:
        return (9, 0)

    def to_move(self, state: tuple[int, int]) -> int:
        return state[1]

    def actions(self, state: tuple[int, int]) -> Iterator[int]:
        if state[0] > 0:
            yield 1
            yield 8  # to a drawn end soon

    def result(self, state: tuple[int, int], action: int) -> tuple[int, int]:
        return (max(state[0] - action, 0), 1 - state[1])

    def is_terminal(self, state: tuple[int, int]) -> bool:
        return state[0] == 0

    def utility(self, state: tuple[int, int], player: int) -> float:
        return 0


@pytest.mark.parametrize("algorithm", ["pvs", "alphabeta", "minimax", "expectiminimax"])
def test_an_exact_draw_is_not_taken_for_nothing_known(algorithm: str) -> None:
    """At depth 3 action 8 leads to a draw that was searched to its end; action 1 to an estimate, of the same value."""
    found = search(Draws(), algorithm=algorithm, depth=3, all_actions=True, compiled=False)
    assert not found.proved
    assert found.actions == {1: 0.0, 8: 0.0}
    assert found.note == ""
    assert search(Draws(), algorithm=algorithm, depth=9, all_actions=True, compiled=False).note == ""


def test_why_not_says_that_nothing_is_known() -> None:
    from types import SimpleNamespace

    from plywright.web.play.analysis import _why_hidden

    game = load_game("phantom-tic-tac-toe")
    view = game.observation(game.start_state, 0)
    found = search(game, view, seat=0, depth=2, deals=8)
    position = SimpleNamespace(game=game, known=game.start_state)
    assert found.action is not None
    assert "all moves look equal" in _why_hidden(position, found.action, found)  # type: ignore[arg-type]
