"""One owner of a game in progress: `Playing`, which referee, terminal, page and Pac-Man step; and the `Turn` of it."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any, NamedTuple

import pytest

from plywright import CHANCE, Game, GameError, load_game
from plywright.dice import draw, roll
from plywright.players import Clock, Mode, Player, Playing, Turn
from plywright.rng import draw64, seeded, uniform

FREE = Clock(Mode("depth", 1))


class Token(NamedTuple):
    at: int
    mover: int


class Ring(Game):
    """Two on a ring of four; a place seen for the third time is a draw."""

    repetition = ("draw", 3)

    def initial(self) -> Token:
        return Token(0, 0)

    def to_move(self, state: Token) -> int:
        return state.mover

    def actions(self, state: Token) -> Iterator[int]:
        yield 1
        yield 2

    def is_terminal(self, state: Token) -> bool:
        return False

    def result(self, state: Token, action: int) -> Token:
        return Token((state.at + action) % 4, 1 - state.mover)

    def utility(self, state: Token, player: int) -> float:
        return 0.0


def test_a_game_is_stepped_taken_back_and_looked_at_as_it_was() -> None:
    game = load_game("tic-tac-toe")
    playing = Playing(game)
    for action in (4, 0, 8):
        assert playing.is_open(action) and not playing.is_open(9)
        playing.step(action)
    assert (playing.ply, playing.mover(), 4 in playing.legal()) == (3, 1, False)
    earlier = playing.at(1)
    assert (earlier.actions, earlier.mover(), earlier.state) == ([4], 1, playing.states[1])
    assert playing.at(3) is playing
    playing.undo(2)
    assert playing.actions == [4] and playing.legal() == earlier.legal() and playing.history == ()
    for action in (0, 8, 1, 7, 2):
        playing.step(action)
    assert playing.is_over() and not playing.is_repeated() and playing.payoffs() == [-1.0, 1.0]


def test_repetition_is_counted_forth_and_back() -> None:
    game = Ring()
    playing = Playing(game, before=[Token(0, 0), Token(2, 1)])
    assert playing.history == (Token(0, 0), Token(2, 1))
    playing.step(2)
    assert not playing.is_over()
    playing.step(2)
    assert playing.is_over() and playing.is_repeated() and playing.payoffs() == [0.0, 0.0]
    assert not playing.at(0).is_over() and playing.at(2).is_over()
    playing.undo()
    assert not playing.is_over()
    turn = playing.turn(FREE, seeded(1))
    assert turn == Turn(Token(2, 1), 1, (1, 2), (Token(0, 0), Token(2, 1), Token(0, 0)), FREE, turn.rng)


def test_dice_fall_by_the_rules_and_a_view_hides_what_is_hidden() -> None:
    game = load_game("kuhn")
    playing = Playing(game)
    while playing.at_chance():
        assert playing.mover() == CHANCE
        outcome = playing.roll(seeded(3))
        assert playing.actions[-1] == outcome
    turn = playing.turn(FREE, seeded(1))
    assert turn.view == game.observation(playing.state, turn.seat) != playing.state
    assert turn.history == () and turn.legal == tuple(playing.legal())


@pytest.mark.parametrize("name", ["pig", "dice-race", "backgammon"])
def test_an_outcome_falls_where_matches_recorded_before_have_it(name: str) -> None:
    """The drawing of earlier versions, from their referee: a record's seed must bring the same dice for ever."""
    game = load_game(name)
    state = next(
        state
        for state in (game.start_state, game.result(game.start_state, next(iter(game.actions(game.start_state)), 0)))
        if game.at_chance(state)
    )

    def earlier(rng: Any) -> int:
        point = (draw64(rng) >> 11) / (1 << 53)
        outcome = None
        for outcome, probability in game.chance(state):  # noqa: B007
            point -= probability
            if point < 0:
                break
        assert outcome is not None
        return int(outcome)

    one, other = seeded(5), seeded(5)
    assert [roll(game, state, one) for _ in range(500)] == [earlier(other) for _ in range(500)]


def test_one_uniform_number_for_all_who_draw() -> None:
    one, other, third = seeded(9), seeded(9), seeded(9)
    for _ in range(100):
        number = uniform(one)
        assert 0 <= number < 1 and number == other.random()
        assert draw(third, [("low", 0.25), ("high", 0.75)]) == ("low" if number < 0.25 else "high")
    with pytest.raises(ValueError, match="nothing to draw"):
        draw(one, [])


def test_dice_without_outcomes_are_the_rules_fault() -> None:
    class NoDice(Ring):
        repetition = None

        def to_move(self, state: Token) -> int:
            return CHANCE

        def chance(self, state: Token) -> Iterator[tuple[int, float]]:
            yield from ()

    with pytest.raises(GameError, match="chance\\(\\) yields no outcomes"):
        Playing(NoDice()).roll(seeded(1))


def test_a_choose_of_parts_is_a_choose_of_a_turn() -> None:
    class Older(Player):
        def choose(self, game: Any, view: Any, seat: int, clock: Clock, rng: Any) -> int:  # type: ignore[override]
            return self.legal[seat] + len(self.history)

    turn = Turn("view", 1, (7, 8), ("a", "b"), FREE, None)
    older = Older()
    assert older.choose(load_game("nim"), turn) == 10
    assert older.choose(load_game("nim"), "view", 0, FREE, None) == 9  # type: ignore[call-arg]
