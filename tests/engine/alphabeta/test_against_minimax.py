"""The engine is minimax: a hundred thousand random trees and positions, a sample of them in every run of the suite.

Every case is searched with other options (everything or selective, a table of 64 entries, every root
move, cut short at a random node), by the kernel itself without a thread of its own, which would cost
more than the search. Trees are drawn with ties, equal values, single moves and players who move again.
"""

from __future__ import annotations

import random
from collections.abc import Iterator
from typing import Any

import pytest

from plywright import Game, load_game, search
from plywright.engine.alphabeta import alphabeta_search as plain
from plywright.engine.alphabeta import pvs_search as deepening
from plywright.games.trees.explicit_tree import ExplicitTree
from plywright.games.trees.random_tree import RandomTree
from plywright.textbook import run as textbook

TINY = 64 * 16 / 1e6  # megabytes: 64 entries, so that positions push one another out
SMALL = 0.01
FOREST = 200  # trees that are one game, so that they share its making
POSITIONS = {  # game, and how many moves are played at random at least: what is left, minimax can finish
    "tic-tac-toe": 3,
    "connect-four:columns=4,rows=4": 8,
    "othello:size=4": 5,
    "dots-and-boxes:columns=2,rows=2": 6,
    "nim:heaps=2-3-4": 1,
}
WAYS: list[dict[str, Any]] = [
    {"table": SMALL},
    {"table": TINY},
    {"table": TINY, "exact": False},
    {"table": SMALL, "exact": False},
    {"table": TINY, "all_actions": True},
    {"table": SMALL, "nodes": 1},  # as many as the case draws
]


@pytest.fixture
def direct(monkeypatch: pytest.MonkeyPatch) -> None:
    """Kernels are called here and now."""

    def crew(kernel: Any, game: Game, calls: list[Any], crew: Any, **options: Any) -> tuple[Any, int]:
        return options["entry"][0](game, *calls[0]), 0

    def one(kernel: Any, game: Game, args: Any, work: Any, **options: Any) -> tuple[Any, bool]:
        function, native = options.get("entry") or kernel.entry(game, *args)
        return function(game, *args), native

    monkeypatch.setattr(deepening, "run_crew", crew)
    monkeypatch.setattr(deepening, "run", one)
    monkeypatch.setattr(plain, "run", one)


def grown(rng: random.Random, depth: int, values: int) -> Any:
    """A tree of at most so many plies; few values make many ties."""
    if depth == 0 or rng.random() < 0.15:
        return rng.randint(-values, values)
    moves = {f"m{i}": grown(rng, depth - 1, values) for i in range(rng.choice((1, 2, 2, 3, 3, 4)))}
    return {"player": rng.choice(("MAX", "MIN")), "moves": moves}


def trees(rng: random.Random, count: int) -> Iterator[tuple[Game, Any, float]]:
    """Game, state and the textbook's value for the player to move there."""
    for start in range(0, count, FOREST):
        drawn = {}
        while len(drawn) < min(FOREST, count - start):
            tree = grown(rng, rng.randint(1, 5), rng.choice((1, 2, 9)))
            if not isinstance(tree, int):
                drawn[f"t{len(drawn)}"] = tree
        game = ExplicitTree({"player": "MAX", "moves": drawn})
        for action in game.actions(game.start_state):
            state = game.coerce_state(game.result(game.start_state, action))
            yield game, state, textbook("minimax", game, state, trace=False).value


def uniform_trees(rng: random.Random, count: int) -> Iterator[tuple[Game, Any, float]]:
    for _ in range(count):
        game = RandomTree(rng.randint(1, 4), rng.randint(1, 4), rng.randrange(10**9), largest=rng.choice((1, 3, 10**6)))
        yield game, game.start_state, textbook("minimax", game, trace=False).value


def positions(rng: random.Random, count: int) -> Iterator[tuple[Game, Any, float]]:
    games = {name: load_game(name) for name in POSITIONS}
    while count > 0:
        name = rng.choice(list(games))
        game, least = games[name], POSITIONS[name]
        state = game.start_state
        for _ in range(rng.randint(least, least + 6)):
            if not game.is_terminal(state):
                state = game.coerce_state(game.result(state, rng.choice(list(game.actions(state)))))
        if not game.is_terminal(state):
            count -= 1
            yield game, state, search(game, state, depth=40, algorithm="minimax").value


def check(game: Game, state: Any, value: float, options: dict[str, Any], rng: random.Random) -> bool:
    """One case; whether the answer was a proof, as all are that nothing interrupts."""
    if "nodes" in options:
        options = {**options, "nodes": rng.randint(1, 400)}
        found = search(game, state, **options)
        assert found.nodes <= options["nodes"]
        if found.depth and not found.proved:  # the last finished depth stands, but for a move that the next one prefers
            whole = search(game, state, depth=found.depth, table=options["table"], exact=False)
            assert whole.value == found.value
            if whole.line != found.line:
                deeper = search(game, state, depth=found.depth + 1, all_actions=True).actions
                assert deeper[int(found.action)] > deeper[int(whole.action)]
    else:
        found = search(game, state, depth=60, **options)
        assert found.proved
    assert found.action in [int(action) for action in game.actions(state)]
    if found.proved:
        assert found.value == value
        mover, place = int(game.to_move(state)), state
        for action in found.line:
            assert action in [int(other) for other in game.actions(place)]
            place = game.coerce_state(game.result(place, action))
        if "nodes" not in options:
            assert game.is_terminal(place) and game.utility(place, mover) == value
        for action, worth in found.actions.items():
            assert (worth == value) == (action in found.tied) and worth <= value
    return bool(found.proved)


def run_cases(seed: int, counts: tuple[int, int, int]) -> int:
    """Check so many trees, uniform trees and positions; returns how many cases there were."""
    rng = random.Random(seed)
    cases = proofs = 0
    for source, count in zip((trees, uniform_trees, positions), counts, strict=True):
        for game, state, value in source(rng, count):
            proofs += check(game, state, value, WAYS[cases % len(WAYS)], rng)
            cases += 1
    assert proofs > 0.8 * cases
    return cases


@pytest.mark.usefixtures("direct")
def test_the_engine_is_minimax_on_a_sample() -> None:
    assert run_cases(1, (150, 40, 40)) == 230


@pytest.mark.slow
@pytest.mark.usefixtures("direct")
@pytest.mark.parametrize("seed", range(10))
def test_the_engine_is_minimax_on_a_hundred_thousand_cases(seed: int) -> None:
    """Ten parts of ten thousand, so that several processes can share them."""
    assert run_cases(100 + seed, (6500, 1500, 2000)) == 10_000
