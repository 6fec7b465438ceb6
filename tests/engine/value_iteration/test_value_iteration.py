"""Values over all reachable states: against plain value iteration written anew, known values, cycles, many players."""

from __future__ import annotations

import json
from collections.abc import Iterator
from pathlib import Path
from typing import Any, NamedTuple

import pytest

from plywright import BadInput, Unsuitable, load_game
from plywright.bits import read_state, write_state
from plywright.cli.app import run as command
from plywright.compiled import interpreted
from plywright.engine.alphabeta.solve import solve
from plywright.engine.value_iteration.reachable import reachable
from plywright.engine.value_iteration.value_iteration import solve_states
from plywright.game import CHANCE, Game
from plywright.rng import scramble


def brute_force(game: Game, sweeps: int = 3000) -> dict[Any, float]:
    """Player 0's values by repeated substitution over a dictionary, from 0: no bounds, no parts, no order."""
    states, waiting = {game.start_state: 0.0}, [game.start_state]
    ways: dict[Any, list[tuple[float, Any]]] = {}
    while waiting:
        state = waiting.pop()
        if game.is_terminal(state):
            states[state] = game.utility(state, 0)
            continue
        at_chance = game.to_move(state) == CHANCE
        listed = list(game.chance(state)) if at_chance else [(a, 1.0) for a in game.actions(state)]
        ways[state] = [(p, game.coerce_state(game.result(state, a))) for a, p in listed]
        for _, child in ways[state]:
            if child not in states:
                states[child] = 0.0
                waiting.append(child)
    for _ in range(sweeps):
        change = 0.0
        for state, options in ways.items():
            mover = game.to_move(state)
            if mover == CHANCE:
                value = sum(p * states[child] for p, child in options)
            else:
                pick = max if game.team_of[mover] == game.team_of[0] else min
                value = pick(states[child] for _, child in options)
            change = max(change, abs(value - states[state]))
            states[state] = value
        if change < 1e-14:
            break
    return states


@pytest.mark.parametrize(
    "name",
    [
        "pig:target=8",
        "pig:target=9,payoff=points",
        "pig:target=15,players=1,turns=2,payoff=points",
        "slippery-grid:limit=8",
    ],
)
@pytest.mark.parametrize("compiled", [None, False])
def test_values_are_those_of_plain_value_iteration(name: str, compiled: bool | None) -> None:
    game = load_game(name)
    found = solve_states(game, compiled=compiled)
    assert found.result.value == pytest.approx(brute_force(game)[game.start_state], abs=1e-9)
    assert found.result.proved and found.upper - found.lower <= 1e-9
    assert found.lower - 1e-12 <= found.result.value <= found.upper + 1e-12
    assert found.result.compiled is (compiled is None)


class Random(Game):
    """A random graph of decisions of two players and dice, with cycles: from everywhere the end can come."""

    runtime = ("salt", "size")
    utility_range = (-10, 10)

    def __init__(self, salt: int, size: int = 40) -> None:
        self.salt, self.size = salt, size

    def initial(self) -> int:
        return 0

    def word(self, state: int, index: int) -> int:
        return int(scramble(self.salt * 1000003 + state * 64 + index) >> 40)

    def to_move(self, state: int) -> int:
        return self.word(state, 0) % 3 - 1

    def actions(self, state: int) -> Iterator[int]:
        if self.to_move(state) >= 0:
            yield from range(1, 4)

    def chance(self, state: int) -> Iterator[tuple[int, float]]:
        yield 1, 0.5
        yield 2, 0.25
        yield 9, 0.25

    def is_terminal(self, state: int) -> bool:
        return state >= self.size

    def result(self, state: int, action: int) -> int:
        target = self.word(state, action) % self.size
        if action == 9:
            return self.size + target
        if self.to_move(state) >= 0:  # a player's move leads to dice, or past them one further on
            while self.to_move(target) != CHANCE:
                target = (target + 1) % self.size
        return target

    def utility(self, state: int, player: int) -> float:
        value = self.word(state, 5) % 21 - 10
        return value if player == 0 else -value


@pytest.mark.parametrize("salt", range(8))
def test_random_games_with_dice_and_cycles(salt: int) -> None:
    game = Random(salt)
    found = solve_states(game, compiled=False)
    state = game.start_state
    sign = 1 if game.to_move(state) != 1 else -1
    assert sign * found.result.value == pytest.approx(brute_force(game)[state], abs=1e-9)
    assert found.result.proved


@pytest.mark.slow
def test_the_first_player_of_pig_wins_53_percent() -> None:
    """Neller and Presser (2004): 0.530592..., among more than two million states."""
    found = solve_states(load_game("pig"))
    assert (1 + found.result.value) / 2 == pytest.approx(0.5305925, abs=1e-6)
    assert found.states > 2_000_000 and found.decisive and found.result.error < 1e-9


def test_the_slippery_grid_is_worth_what_the_book_says() -> None:
    found = solve_states(load_game("slippery-grid"))
    assert found.result.value == pytest.approx(0.705, abs=5e-4)


class Carousel(Game):
    """Player 0 may go round for ever, or leave for a lottery that is worth `prize` on the average."""

    utility_range = (-1, 1)

    def __init__(self, prize: float, chance: bool = True) -> None:
        self.prize, self.dice = prize, chance

    def initial(self) -> tuple[int, int]:
        return 0, 0

    def to_move(self, state: tuple[int, int]) -> int:
        return CHANCE if state[0] == 2 else state[0]

    def actions(self, state: tuple[int, int]) -> Iterator[int]:
        yield 0
        if state[0] == 0:
            yield 1

    def chance(self, state: tuple[int, int]) -> Iterator[tuple[int, float]]:
        yield 1, (1 + self.prize) / 2
        yield 2, (1 - self.prize) / 2

    def result(self, state: tuple[int, int], action: int) -> tuple[int, int]:
        if state[0] == 2:
            return 3, 1 if action == 1 else -1
        if action == 1:
            return (2, 0) if self.dice else (3, round(self.prize))
        return 1 - state[0], 0

    def is_terminal(self, state: tuple[int, int]) -> bool:
        return state[0] == 3

    def utility(self, state: tuple[int, int], player: int) -> float:
        return state[1] if player == 0 else -state[1]


def test_where_a_game_can_go_on_for_ever_the_answer_is_an_honest_interval() -> None:
    found = solve_states(Carousel(0.5), compiled=False)
    assert not found.result.proved and found.endless
    assert (found.lower, found.upper) == (0.5, 1.0)


@pytest.mark.parametrize(("prize", "value"), [(1, 1), (-1, 0)])
def test_without_dice_an_endless_game_is_a_draw(prize: float, value: float) -> None:
    found = solve_states(Carousel(prize, chance=False), compiled=False)
    assert found.result.value == value and found.result.proved
    assert found.endless is (prize == -1)


@pytest.mark.parametrize("compiled", [None, False])
def test_three_players_get_an_equilibrium_that_nobody_wants_to_leave(compiled: bool | None) -> None:
    game = load_game("dice-race:length=5")
    found = solve_states(game, compiled=compiled)
    assert found.gain is not None and found.gain < 1e-9 and found.result.proved
    assert sum(found.result.values) == pytest.approx(4.0, abs=1e-9)  # 3 and 1 are shared out
    assert found.result.values[0] == max(found.result.values)


def test_too_many_states_are_refused_by_number() -> None:
    with pytest.raises(Unsuitable, match=r"more than [0-9,]+ reachable states.*plywright best 2048"):
        solve_states(load_game("2048"), megabytes=5)
    with pytest.raises(Unsuitable, match="reachable states"):
        solve_states(load_game("pig"), megabytes=5, compiled=False)


def test_what_cannot_be_solved_so_names_what_can() -> None:
    with pytest.raises(Unsuitable, match="plywright solve kuhn --equilibrium"):
        solve_states(load_game("kuhn"))
    with pytest.raises(Unsuitable, match="value iteration"):
        solve(load_game("pig"))
    with pytest.raises(BadInput, match="tolerance"):
        solve_states(load_game("pig:target=5"), tolerance=0)


class Fields(NamedTuple):
    number: int
    share: float
    flag: bool
    pair: tuple[int, int]


def test_states_of_all_kinds_of_fields_are_written_and_read_back() -> None:
    import numpy as np

    state = Fields(-5, 0.25, True, (7, -(1 << 62)))
    words = np.zeros(9, np.int64)
    write_state(words, 2, state)
    assert read_state(words, 2, Fields(0, 0.0, False, (0, 0))) == state


@pytest.mark.parametrize("name", ["dice-race:length=4", "tic-tac-toe", "pig:target=8", "othello:size=4"])
def test_compiled_and_interpreted_reach_the_same_states_in_the_same_order(name: str) -> None:
    game = load_game(name)
    start = game.play_moves(game.start_state, "a2 a1 b1 c1 d1 a3") if "othello" in name else None
    fast, slow = reachable(game, start), reachable(game, start, compiled=False)
    assert fast.compiled and not slow.compiled and fast.count == slow.count
    assert [fast.state_at(n) for n in range(fast.count)] == [slow.state_at(n) for n in range(slow.count)]
    for name in ("first", "mover", "target", "label", "payoff"):
        assert (getattr(fast, name) == getattr(slow, name)).all()


# -- the command ---------------------------------------------------------------------------------------------


def test_the_command_solves_dice_games(capsys: pytest.CaptureFixture[str]) -> None:
    assert command(["solve", "pig:target=20", "--json"]) == 0
    found = json.loads(capsys.readouterr().out)
    assert found["proved"] and found["algorithm"] == "value-iteration" and found["lower"] <= found["upper"]
    assert found["states"] == 17632 and found["actions"].keys() == {"roll"}
    assert command(["solve", "pig:target=20", "--moves", "roll 6"]) == 0
    out = capsys.readouterr().out
    assert "within" in out and "of the games" in out and "hold" in out
    assert command(["solve", "dice-race:length=5"]) == 0
    assert "an equilibrium" in capsys.readouterr().out
    assert command(["solve", "tic-tac-toe", "--algorithm", "value-iteration"]) == 0
    assert "value  +0" in capsys.readouterr().out


@pytest.mark.parametrize(
    ("arguments", "words"),
    [
        (["solve", "pig", "--algorithm", "proof"], "value iteration can"),
        (["solve", "pig", "--algorithm", "alphabeta"], "proof, value-iteration"),
        (["solve", "2048", "--table", "5"], "`plywright best 2048`"),
        (["solve", "pig:target=5", "--threads", "2"], "value iteration runs in one"),
        (["solve", "nim", "--tolerance", "0.1"], "a proof is exact"),
    ],
)
def test_what_the_command_refuses(arguments: list[str], words: str, capsys: pytest.CaptureFixture[str]) -> None:
    assert command(arguments) == 2
    assert words in capsys.readouterr().err


def test_a_pipe_is_told_how_far_it_is(capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("plywright.cli.console.QUIET_SECONDS", 0.0)
    assert command(["solve", "tic-tac-toe"]) == 0
    assert "solving tic-tac-toe: value in [0, 0]" in capsys.readouterr().err


LONG = '''
from typing import NamedTuple

from plywright import Game


class Place(NamedTuple):
    place: int
    turn: int


class Long(Game):
    """One or two steps in turn; who reaches 301 has won. One step at a time, that takes longer than a proof follows."""

    def initial(self):
        return Place(0, 0)

    def to_move(self, state):
        return state.turn

    def actions(self, state):
        yield 1
        yield 2

    def result(self, state, action):
        return Place(min(state.place + action, 301), 1 - state.turn)

    def is_terminal(self, state):
        return state.place >= 301

    def utility(self, state, player):
        return -1 if player == state.turn else 1
'''


def test_a_game_with_lines_too_long_for_a_proof_is_solved_over_its_states(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    file = tmp_path / "long.py"
    file.write_text(LONG)
    with interpreted():
        assert command(["solve", str(file)]) == 0
        told = capsys.readouterr()
        assert "lines of more than 254 moves: going over its states instead" in told.err
        assert "value  +1 for the player to move" in told.out and "1  +1" in told.out and "2  -1" in told.out
        assert command(["solve", str(file), "--moves", "1", "--json"]) == 0
        assert json.loads(capsys.readouterr().out)["value"] == -1
        # who asks for a proof, or to keep one, is not given something else
        for asked in (["--algorithm", "proof"], ["--save", str(tmp_path / "table")]):
            assert command(["solve", str(file), *asked]) == 2
            assert "lines of more than 254 moves; `plywright solve" in capsys.readouterr().err
        with pytest.raises(Unsuitable, match="more than 254 moves"):
            solve(load_game(str(file)))
