"""Hooks that decide what the engine looks at (noise, null moves, last squares), and the faults that they cause."""

from __future__ import annotations

from typing import Any, NamedTuple

import pytest

from plywright import Game, GameError, Knowledge, Limit, load_game, search
from plywright.compiled import interpreted
from plywright.counters import NODES, STOPPED
from plywright.engine.alphabeta.pvs import BEYOND
from plywright.engine.alphabeta.pvs_search import EngineSearch
from plywright.games.mnk import MNK
from plywright.smoke_test import smoke_test


class Spot(NamedTuple):
    node: int
    ply: int


class Noise(Game):
    """A tree of 14 plies with two or three moves; what is noisy, quiet or valued follows from the node's number."""

    utility_range = (-8, 8)
    plies = 14
    seed = 1

    def initial(self) -> Spot:
        return Spot(self.seed, 0)

    def to_move(self, state: Spot) -> int:
        return (state.ply + (state.node & 4) // 4) % 2  # nobody alternates strictly

    def actions(self, state: Spot) -> Any:
        for action in range(2 + state.node % 2):
            yield action

    def result(self, state: Spot, action: int) -> Spot:
        return Spot((((state.node * 1103515 + action * 7919 + 12345) * 265443) >> 9) & 0xFFFF, state.ply + 1)

    def is_terminal(self, state: Spot) -> bool:
        return state.ply >= self.plies or state.node % 23 == 0

    def utility(self, state: Spot, player: int) -> float:
        worth = state.node // 8 % 17 - 8
        return worth if player == 0 else -worth

    def evaluate(self, state: Spot, player: int) -> float:
        worth = state.node // 64 % 15 - 7
        return worth if player == 0 else -worth


class Quiet(Knowledge):
    def is_quiet(self, state: Spot) -> bool:
        return state.node % 5 != 0


class Noisy(Knowledge):
    def noisy(self, state: Spot) -> Any:
        if state.node % 3 == 0:
            yield 1


class QuietAndNoisy(Quiet):
    noisy = Noisy.noisy


def value_with_noise(knowledge: Any, state: Any, depth: int) -> float:
    """For the player to move: the definition, without any pruning."""
    game = knowledge.game
    mover = game.to_move(state)
    if game.is_terminal(state):
        return float(game.utility(state, mover))
    values, actions = [], game.actions(state)
    if depth <= 0 and (depth <= -BEYOND or knowledge.is_quiet(state)):
        values, actions = [float(game.evaluate(state, mover))], knowledge.noisy(state)
    for action in actions:
        child = game.result(state, action)
        reply = value_with_noise(knowledge, child, depth - 1)
        same = game.is_terminal(child) or game.to_move(child) == mover
        if game.is_terminal(child):
            reply = float(game.utility(child, mover))
        values.append(reply if same else -reply)
    return max(values)


@pytest.mark.parametrize("kind", [QuietAndNoisy, Noisy, Quiet])
def test_noise_is_searched_beyond_the_depth_limit(kind: type[Knowledge]) -> None:
    differences = 0
    for seed in range(1, 12):
        game = type("Noise", (Noise,), {"seed": seed * 7919})()
        knowledge = kind(game)
        if game.is_terminal(game.start_state):
            continue
        for depth in (1, 2, 4):
            wanted = value_with_noise(knowledge, game.start_state, depth)
            assert search(game, depth=depth, compiled=False, knowledge=knowledge).value == wanted, (seed, depth)
            differences += wanted != search(game, depth=depth, algorithm="alphabeta", compiled=False).value
    assert differences > 3  # the noise did matter


def test_noise_is_the_same_as_native_code() -> None:
    game = Noise()
    known = QuietAndNoisy(game)
    native, plain = (search(game, depth=6, exact=False, compiled=mode, knowledge=known) for mode in (None, False))
    assert native.compiled and (native.value, native.nodes, native.line) == (plain.value, plain.nodes, plain.line)


# -- null moves -----------------------------------------------------------------------------------------------

passes: list[int] = []


class Take(NamedTuple):
    stones: int
    turn: int


class Passing(Knowledge):
    def null_move(self, state: Take) -> Take:
        passes.append(state.stones)
        return Take(state.stones, 1 - state.turn)


class NeverPassing(Knowledge):
    def null_move(self, state: Take) -> Take:
        return state


class Zugzwang(Game):
    """Take one or two stones; the last one loses: passing would often be best, so guesses by null moves are wrong."""

    utility_range = (-3, 3)
    knowledge: type[Knowledge] = Passing

    def initial(self) -> Take:
        return Take(17, 0)

    def to_move(self, state: Take) -> int:
        return state.turn

    def actions(self, state: Take) -> Any:
        for count in range(1, 3):
            if count <= state.stones:
                yield count

    def result(self, state: Take, action: int) -> Take:
        return Take(state.stones - action, 1 - state.turn)

    def is_terminal(self, state: Take) -> bool:
        return state.stones == 0

    def utility(self, state: Take, player: int) -> float:
        return 1 if player == state.turn else -1

    def evaluate(self, state: Take, player: int) -> float:
        worth = 0.5 if state.stones % 5 < 3 else -0.5
        return worth if player == state.turn else -worth


def test_null_moves_are_tried_only_where_guesses_are_allowed() -> None:
    game = Zugzwang()
    smoke_test(game)  # asks every hook, as long as no search does
    passes.clear()
    for options in ({"exact": True}, {}, {"all_actions": True}):
        search(game, Take(30, 0), depth=9, compiled=False, **options)
    assert not passes
    selective = search(game, Take(30, 0), depth=9, exact=False, compiled=False)
    assert passes and not selective.proved
    refused = search(game, Take(30, 0), depth=9, exact=False, compiled=False, knowledge=NeverPassing(game))
    assert refused.nodes != selective.nodes


def test_null_moves_never_change_a_proved_value() -> None:
    game, proofs = Zugzwang(), 0
    for stones in range(1, 19):
        truth = 1 if stones % 3 != 1 else -1
        for options in ({"depth": 24, "exact": False}, {"nodes": 4000}, {"depth": 24}):
            found = search(game, Take(stones, 0), compiled=False, **options)
            proofs += found.proved
            assert not found.proved or found.value == truth, (stones, options)
    assert proofs > 40


# -- faults that hooks cause -----------------------------------------------------------------------------------


class CrossedBounds(Passing):
    def bounds(self, state: Take) -> tuple[float, float]:
        return (1, -1) if state.stones == 24 else (-3, 3)


class Crossed(Zugzwang):
    knowledge = CrossedBounds


class CarelessCandidates(Passing):
    def candidates(self, state: Take) -> Any:
        for action in self.game.actions(state):
            if state.stones != 23:
                yield action


class Careless(Zugzwang):
    knowledge = CarelessCandidates


class CarelessAtTheEnd(Careless):
    is_terminal = Game.is_terminal


@pytest.mark.parametrize(
    ("game", "message"),
    [
        (Crossed(), r"crossed: bounds\(\) is 1 to -1: the least must not be above the most, after "),
        (Careless(), r"careless: candidates\(\) yields nothing, but actions\(\) does.*, after [12 ]+$"),
        (CarelessAtTheEnd(), r"candidates\(\) yields nothing, but actions\(\) does"),
    ],
)
def test_hooks_that_contradict_the_rules_are_named(game: Game, message: str) -> None:
    with pytest.raises(GameError, match=message):  # by the kernel: no smoke test from 17 stones comes that far
        search(game, Take(27, 0), depth=6, compiled=False)


class ThreeToo(Passing):
    def candidates(self, state: Take) -> Any:
        for action in self.game.actions(state):
            yield action
        if state.stones == 23:  # where no smoke test comes
            yield 3


class TakesThree(Zugzwang):
    knowledge = ThreeToo


def test_no_answer_has_a_move_that_only_a_hook_allows() -> None:
    with pytest.raises(
        GameError, match=r"takes-three: candidates\(\) yields 3, which is not among the actions, after "
    ):
        for stones in range(24, 30):
            search(TakesThree(), Take(stones, 0), depth=9, compiled=False)


# -- a game's own solver, and whole lines ------------------------------------------------------------------------


def test_the_last_squares_of_othello_keep_to_the_limit_of_nodes() -> None:
    game = load_game("othello")
    state = game.parse_state("O--OOOOX-OOOOOOXOOXXOOOXOOXOOOXXOOOOOOXXXXOOOOXXXXXXOXXXXXXXXXX- X")
    for nodes in (1, 2, 10, 50, 333, 1000):
        found = search(game, state, nodes=nodes, exact=True)
        assert found.nodes <= nodes and found.action in list(game.actions(state))


def test_a_depth_that_reaches_the_last_squares_of_othello_proves_the_game() -> None:
    game = load_game("othello:size=4")
    assert not search(game, depth=4).proved
    found = search(game, depth=6)  # after four moves eight squares are left
    assert found.proved and (found.value, found.depth) == (-10, 6)


def test_a_stop_reaches_the_last_squares_of_othello() -> None:
    game = load_game("othello")
    task = EngineSearch(game, None, Limit(depth=2), all_actions=False, compiled=False)
    task.work.stop[0] = 1
    late = game.parse_state("O--OOOOX-OOOOOOXOOXXOOOXOOXOOOXXOOOOOOXXXXOOOOXXXXXXOXXXXXXXXXX- X")
    assert task.knowledge.is_late(late)
    task.knowledge.finish(late, -64, 64, task.work)
    assert task.work.info[STOPPED] == 1 and task.work.info[NODES] == 0


@pytest.mark.parametrize(
    ("name", "moves"),
    [("othello:size=4", ""), ("connect-four:columns=4,rows=4", "1"), ("connect-four", "44444432222226")],
)
def test_a_proved_line_goes_to_the_end_and_keeps_the_value(name: str, moves: str) -> None:
    game = load_game(name)
    state = game.play_moves(game.start_state, moves)
    mover = int(game.to_move(state))
    for options in ({"depth": 60}, {"depth": 60, "all_actions": True}, {"time": 20.0}):
        found, place = search(game, state, **options), state
        assert found.proved
        for action in found.line:
            assert action in list(game.actions(place))
            place = game.coerce_state(game.result(place, action))
        assert game.is_terminal(place) and game.utility(place, mover) == found.value


class FarSlots(Knowledge):
    """A slot far outside on one board, which no sample of states shows."""

    def slot(self, state: Any, action: int) -> int:
        return 1_000_000 if state[0] == 0b100_000_010 and state[1] == 0b000_010_101 else 1

    def tactical(self, state: Any, action: int) -> bool:
        return False

    def margin(self, depth: int) -> float:
        return 10.0


class FarSlotsGame(MNK):
    knowledge = FarSlots


def test_a_slot_on_a_rare_board_stays_within_what_is_learned() -> None:
    """Interpreted, an array says so; compiled it was written beyond its end."""
    with interpreted():
        assert search(FarSlotsGame(3, 3, 3), nodes=20_000, exact=False).value == 0


@pytest.mark.parametrize("margin", [float("nan"), float("inf"), -1.0])
def test_a_margin_that_is_no_number_is_the_authors(margin: float) -> None:
    known = type("Wide", (FarSlots,), {"__module__": __name__, "margin": lambda self, depth: margin})
    game = type("WideGame", (MNK,), {"__module__": __name__, "knowledge": known})(3, 3, 3)
    with interpreted(), pytest.raises(GameError, match=r"margin\(\) is \["):
        search(game, nodes=2_000, exact=False)
