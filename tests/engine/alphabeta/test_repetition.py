"""Repetition: draws and forbidden states against a plain recursion over whole lines, and a graph solved backwards."""

from __future__ import annotations

import random
from typing import Any, NamedTuple

import pytest

from plywright import BadInput, Game, GameError, search
from plywright.engine.alphabeta.pvs_counters import TABLE_DEPTH
from plywright.engine.alphabeta.pvs_search import EngineSearch
from plywright.engine.alphabeta.pvs_workspace import NEVER
from plywright.engine.alphabeta.solve import solve
from plywright.engine.api import analyse
from plywright.engine.limits import Limit
from plywright.engine.task import states_before
from plywright.repetition import Past

NODES = 12


class Spot(NamedTuple):
    node: int
    turn: int


class Rounds(Game):
    """A stone is moved along the edges of a graph with cycles; some nodes end the game, worth -2 to 2 to the first."""

    utility_range = (-2, 2)
    max_actions = 3
    seed = 0

    def __init__(self) -> None:
        rng = random.Random(self.seed)
        edges, ends = [], []
        for node in range(NODES):
            ends.append(rng.choice((-2, -1, 0, 1, 2)) if node and rng.random() < 0.35 else 9)
            edges += [rng.randrange(NODES) for _ in range(3)]
        self.edges, self.ends = tuple(edges), tuple(ends)
        self.degree = rng.choice((2, 3))

    def initial(self) -> Spot:
        return Spot(0, 0)

    def to_move(self, state: Spot) -> int:
        return state.turn

    def actions(self, state: Spot) -> Any:
        for edge in range(self.degree):
            yield edge

    def result(self, state: Spot, action: int) -> Spot:
        return Spot(self.edges[3 * state.node + action], 1 - state.turn)

    def is_terminal(self, state: Spot) -> bool:
        return self.ends[state.node] != 9

    def utility(self, state: Spot, player: int) -> float:
        return self.ends[state.node] if player == 0 else -self.ends[state.node]

    def evaluate(self, state: Spot, player: int) -> float:
        mine = (state.node * 7 % 11 - 5) / 10
        return mine if player == 0 else -mine


def rounds(seed: int, repetition: tuple[str, int] | None) -> Game:
    return type("Rounds", (Rounds,), {"seed": seed, "repetition": repetition})()


def line_value(game: Any, state: Any, depth: int, line: list[Any], past: Past) -> float:
    """What the rule says, line by line: for the player to move in `state`, the last of `line`."""
    mover = game.to_move(state)
    if game.is_terminal(state):
        return game.utility(state, mover)
    times = game.repetition_draws
    if len(line) > 1 and times and (state in line[:-1] or past.occurrence(state) >= times):
        return 0
    if depth == 0:
        return game.evaluate(state, mover)
    values = []
    for action in game.actions(state):
        child = game.result(state, action)
        if game.repetition_forbids and past.occurrence(child) + line.count(child) >= game.repetition_forbids:
            continue
        values.append(-line_value(game, child, depth - 1, [*line, child], past))
    return max(values, default=0)


def backwards(game: Any) -> dict[Any, float]:
    """The value of every state for the first player where endless play is a draw: by attraction, best values first."""
    states = [Spot(node, turn) for node in range(NODES) for turn in range(2)]
    value = {s: float(game.utility(s, 0)) for s in states if game.is_terminal(s)}
    for worth in (2.0, -2.0, 1.0, -1.0):
        gainer = 0 if worth > 0 else 1
        changed = True
        while changed:
            changed = False
            for s in states:
                if s in value:
                    continue
                after = [value.get(game.result(s, a)) for a in game.actions(s)]
                good = [v is not None and v * worth >= worth * worth for v in after]
                if any(good) if s.turn == gainer else all(good):
                    value[s] = worth
                    changed = True
    return {s: value.get(s, 0.0) for s in states}


@pytest.mark.parametrize("kind", ["draw", "forbidden"])
@pytest.mark.parametrize("times", [2, 3])
def test_the_kernel_applies_the_rule_along_every_line(kind: str, times: int) -> None:
    """Without a table the search is that of the lines themselves, whatever the past of the game."""
    for seed in range(8):
        game = rounds(seed, (kind, times))
        rng = random.Random(seed)
        history = [Spot(rng.randrange(1, NODES), rng.randrange(2)) for _ in range(rng.randrange(8))]
        past = Past(game, history)
        if past.is_over(game.start_state):
            continue
        for depth in (1, 4, 6):
            task = EngineSearch(game, None, Limit(depth=depth), all_actions=False, compiled=False, history=history)
            task.work.info[TABLE_DEPTH] = NEVER
            wanted = line_value(game, game.start_state, depth, [game.start_state], past)
            assert task.to_depth(depth).value == pytest.approx(wanted, abs=1e-3), (seed, depth)


def test_proved_values_are_those_of_endless_play_drawn() -> None:
    proofs = 0
    for seed in range(16):
        game = rounds(seed, ("draw", 2 + seed % 2))
        truth = backwards(game)
        for options in ({}, {"exact": False}, {"table": 64 * 16 / 1e6}):
            found = search(game, depth=14, compiled=False, **options)
            if found.proved:
                proofs += 1
                assert found.value == truth[game.start_state], (seed, options)
        every = search(game, depth=12, all_actions=True, compiled=False)
        if every.proved and seed % 2:  # with two occurrences the way back to the start would already be a draw
            for action, value in every.actions.items():
                assert value == truth[game.result(game.start_state, action)], seed
    assert proofs > 30


def test_solve_proves_what_goes_round_for_ever() -> None:
    for seed in range(6):
        game = rounds(seed, ("draw", 3))
        assert solve(game, table_megabytes=0.1, compiled=False).value == backwards(game)[game.start_state]


def test_native_code_and_python_agree_node_for_node() -> None:
    game = rounds(3, ("draw", 2))
    native, plain = (search(game, depth=12, compiled=mode) for mode in (None, False))
    assert native.compiled and (native.value, native.nodes, native.line) == (plain.value, plain.nodes, plain.line)


# -- the past of a game ----------------------------------------------------------------------------------------


class Shuttle(Game):
    """Two kings on a row of four, each in its own half: a step to the right, one to the left, for ever."""

    repetition = ("draw", 3)

    def initial(self) -> tuple[int, int, int]:
        return 0, 2, 0

    def to_move(self, state: tuple[int, int, int]) -> int:
        return state[2]

    def actions(self, state: tuple[int, int, int]) -> Any:
        yield 0 if state[state[2]] % 2 else 2

    def result(self, state: tuple[int, int, int], action: int) -> tuple[int, int, int]:
        first, second, turn = state
        if turn == 0:
            return first + action - 1, second, 1
        return first, second + action - 1, 0

    def is_terminal(self, state: tuple[int, int, int]) -> bool:
        return state[0] > 3

    def utility(self, state: tuple[int, int, int], player: int) -> float:
        return 0


class NoWayBack(Shuttle):
    repetition = ("forbidden", 2)


def test_a_game_ends_at_the_third_occurrence() -> None:
    game = Shuttle()
    states = game.states_along(game.start_state, "2 2 0 0 2 2 0")
    past = Past(game, states[:-1])
    last = game.result(states[-1], 0)
    past.add(states[-1])
    assert last == game.start_state and past.occurrence(last) == 3
    assert past.is_drawn(last) and past.is_over(last) and past.utility(last, 0) == 0
    past.remove(states[-1])
    with pytest.raises(BadInput, match="drawn by repetition"):
        search(game, last, depth=3, history=states, compiled=False)
    assert not past.is_over(states[-1])


def test_a_forbidden_action_is_never_played() -> None:
    game = NoWayBack()
    states = game.states_along(game.start_state, "2 2 0")
    past = Past(game, states[:-1])
    assert list(game.actions(states[-1])) == [0] and past.actions(states[-1]) == []  # back to the start: forbidden
    assert past.is_drawn(states[-1])
    with pytest.raises(BadInput, match="drawn by repetition"):
        search(game, states[-1], depth=3, history=states[:-1], compiled=False)
    found = search(game, depth=8, compiled=False)
    assert found.proved and found.value == 0
    *_, last = analyse(game, nodes=500, compiled=False)
    assert last.action in list(game.actions(game.start_state))


def test_nonsense_facts_are_refused() -> None:
    for fact in ("draw", ("draw",), ("lose", 3), ("draw", 1), ("draw", 2.5)):
        with pytest.raises(GameError, match="repetition is"):
            search(type("Bad", (Shuttle,), {"repetition": fact})(), depth=1, compiled=False)
    with pytest.raises(BadInput, match="alphabeta takes no history: that is for algorithm 'pvs'"):
        search(Shuttle(), depth=1, algorithm="alphabeta", history=[])


def test_a_past_is_coerced_and_hashed_once_in_a_game(monkeypatch: pytest.MonkeyPatch) -> None:
    """Or each move would cost more the longer the game is; what is not sure to stay as it is, is read anew."""
    kind, asked = type(rounds(1, ("draw", 3))), list[Any]()
    monkeypatch.setattr(kind, "repetition_key", lambda game, state: asked.append(state) or 64 * state.node + state.turn)
    game = kind()
    history = [Spot(node, turn) for node in range(1, NODES) for turn in range(2)]
    search(game, depth=3, compiled=False, history=history)
    asked.clear()
    assert sum(Past(game, states_before(game, history)).counts.values()) == len(history) and asked == []
    spot = [3, 0]
    assert Past(game, [spot]).counts == {3 * 64: 1}
    spot[0] = 4
    assert Past(game, [spot]).counts == {4 * 64: 1}
