"""Games of chance and of other sums: each against a slow twin, and compiled against interpreted."""

from __future__ import annotations

import functools
import math
from collections.abc import Callable
from fractions import Fraction
from itertools import product
from typing import Any

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from plywright import Game, load_game
from plywright.compiled import interpreted, kernel
from plywright.game import CHANCE
from plywright.rng import below, seeded

Choices = dict[str, tuple[Fraction | None, Any]]
"""What can come next by its text: a probability (None for an action) and the state after it; empty at the end."""


@functools.cache
def game_of(name: str) -> Game:
    return load_game(name)


# -- slow twins: (start, choices, payoffs), in another representation than the games have ------------------


def slow_pig(target: int, turns: int, players: int, points: bool) -> tuple[Any, Callable[..., Any], Callable[..., Any]]:
    def choices(state: Any) -> Choices:
        scores, pot, turn, rolling = state
        if max(scores) >= target or (turn == turns * players and turns):
            return {}
        player = turn % players
        if rolling:
            lost = {"1": (Fraction(1, 6), (scores, 0, turn + 1, False))}
            return lost | {str(n): (Fraction(1, 6), (scores, pot + n, turn, False)) for n in range(2, 7)}
        found: Choices = {}
        if scores[player] + pot < target:
            found["roll"] = None, (scores, pot, turn, True)
        if pot:
            banked = tuple(score + pot * (n == player) for n, score in enumerate(scores))
            found["hold"] = None, (banked, 0, turn + 1, False)
        return found

    def payoffs(state: Any) -> tuple[float, ...]:
        scores = state[0]
        if players == 1:
            return (scores[0],)
        lead = scores[0] - scores[1]
        lead = lead if points else (lead > 0) - (lead < 0)
        return lead, -lead

    return ((0,) * players, 0, 0, False), choices, payoffs


def slow_slide(row: tuple[int, ...]) -> tuple[int, ...]:
    tiles = [tile for tile in row if tile]
    merged: list[int] = []
    fresh = False  # whether the last tile was just merged
    for tile in tiles:
        if merged and merged[-1] == tile and not fresh:
            merged[-1], fresh = 2 * tile, True
        else:
            merged.append(tile)
            fresh = False
    return (*merged, *[0] * (4 - len(merged)))


def slow_2048() -> tuple[Any, Callable[..., Any], Callable[..., Any]]:
    def choices(state: Any) -> Choices:
        rows, tiles = state
        if tiles:
            empty = [(r, c) for r in range(4) for c in range(4) if not rows[r][c]]
            found: Choices = {}
            for (r, c), (tile, share) in product(empty, ((2, Fraction(9, 10)), (4, Fraction(1, 10)))):
                board = [list(row) for row in rows]
                board[r][c] = tile
                found[f"{'abcd'[c]}{4 - r}={tile}"] = share / len(empty), (tuple(map(tuple, board)), tiles - 1)
            return found
        columns = tuple(zip(*rows, strict=True))
        boards = {
            "left": tuple(map(slow_slide, rows)),
            "right": tuple(slow_slide(row[::-1])[::-1] for row in rows),
            "up": tuple(zip(*map(slow_slide, columns), strict=True)),
            "down": tuple(zip(*(slow_slide(column[::-1])[::-1] for column in columns), strict=True)),
        }
        return {move: (None, (board, 1)) for move, board in boards.items() if board != rows}

    def payoffs(state: Any) -> tuple[float, ...]:
        return (sum(tile * (int(math.log2(tile)) - 1) for row in state[0] for tile in row if tile),)

    return (((0,) * 4,) * 4, 2), choices, payoffs


COMPASS = {"north": (0, 1), "east": (1, 0), "south": (0, -1), "west": (-1, 0)}


def cells_of(layout: str) -> dict[tuple[int, int], str]:
    """The words of a map by (column, row), rows from the bottom; walls left out."""
    rows = [row.split() for row in layout.split("/")][::-1]
    return {(c, r): word for r, row in enumerate(rows) for c, word in enumerate(row) if word != "#"}


def slow_grid(layout: str, cost: str, slip: Fraction, limit: int) -> tuple[Any, Callable[..., Any], Callable[..., Any]]:
    cells = cells_of(layout)
    exits = {place: float(word) for place, word in cells.items() if word not in ".S"}

    def moved(place: tuple[int, int], name: str) -> tuple[int, int]:
        there = place[0] + COMPASS[name][0], place[1] + COMPASS[name][1]
        return there if there in cells else place

    def choices(state: Any) -> Choices:
        place, steps, chosen = state
        if place in exits or (steps == limit and not chosen):
            return {}
        if not chosen:
            return {name: (None, (place, steps, name)) for name in COMPASS}
        turns = {name: Fraction(0) for name in COMPASS}
        turns[chosen] = 1 - slip
        for name in ("east", "west") if chosen in ("north", "south") else ("north", "south"):
            turns[name] = slip / 2
        return {name: (p, (moved(place, name), steps + 1, "")) for name, p in turns.items() if p}

    start = next(place for place, word in cells.items() if word == "S")
    return (start, 0, ""), choices, lambda state: (exits.get(state[0], 0.0) - float(cost) * state[1],)


def slow_race(length: int) -> tuple[Any, Callable[..., Any], Callable[..., Any]]:
    def choices(state: Any) -> Choices:
        places, mover, pace = state
        if length in places:
            return {}
        if not pace:
            return {name: (None, (places, mover, name)) for name in ("walk", "run")}
        found: Choices = {}
        rolls = [(d, 0) for d in range(1, 7)] if pace == "walk" else list(product(range(1, 7), repeat=2))
        for one, other in rolls:
            steps = 0 if one == other else one + other
            text = str(steps) if steps else "stumble"
            before = found[text][0] if text in found else None
            found[text] = (before or 0) + Fraction(1, len(rolls)), (moved(places, mover, steps), (mover + 1) % 3, "")
        return found

    def moved(places: tuple[int, ...], mover: int, steps: int) -> tuple[int, ...]:
        there = min(places[mover] + steps, length)
        others = [place for player, place in enumerate(places) if player != mover]
        if steps == 0 or (there in others and there % 5 == 0):
            return places
        return tuple(there if n == mover else 0 if place == there else place for n, place in enumerate(places))

    def payoffs(state: Any) -> tuple[float, ...]:
        behind = sorted(place for place in state[0] if place < length)
        share = {length: 3.0, behind[1]: 1.0, behind[0]: 0.0} | ({behind[0]: 0.5} if behind[0] == behind[1] else {})
        return tuple(share[place] for place in state[0])

    return ((0, 0, 0), 0, ""), choices, payoffs


def slow_jewels(layout: str, moves: int) -> tuple[Any, Callable[..., Any], Callable[..., Any]]:
    cells = cells_of(layout)
    jewels = frozenset(place for place, word in cells.items() if word == "*")

    def choices(state: Any) -> Choices:
        places, left, made = state
        if not left or made == 2 * moves:
            return {}
        found: Choices = {}
        for name, (right, up) in {**COMPASS, "stay": (0, 0)}.items():
            column, row = places[made % 2]
            there = column + right, row + up
            if there in cells:
                after = (there, places[1]) if made % 2 == 0 else (places[0], there)
                found[name] = None, (after, left - {there}, made + 1)
        return found

    start = {word: place for place, word in cells.items() if word in "AB"}
    return (
        ((start["A"], start["B"]), jewels, 0),
        choices,
        lambda state: (10 * len(jewels - state[1]) - state[2],) * 2,
    )


MAZE = "S . # . +5 / . . # . # / # . . . . / . . # # -5"
GARDEN = "* . . . * / . # . # . / A . * . B / . # . # . / . . . . *"
TWINS: dict[str, tuple[Any, Callable[..., Any], Callable[..., Any]]] = {
    "pig": slow_pig(100, 0, 2, False),
    "pig:target=20,payoff=points,turns=4": slow_pig(20, 4, 2, True),
    "pig:target=30,players=1,turns=2,payoff=points": slow_pig(30, 2, 1, True),
    "2048": slow_2048(),
    "slippery-grid": slow_grid(". . . +1 / . # . -1 / S . . .", "0.04", Fraction(1, 5), 100),
    "slippery-grid:layout=maze,cost=1,slip=0.5,limit=12": slow_grid(MAZE, "1", Fraction(1, 2), 12),
    "slippery-grid:layout=corridor,cost=1": slow_grid("+10 . S .", "1", Fraction(1, 5), 100),
    "dice-race": slow_race(24),
    "dice-race:length=11": slow_race(11),
    "jewels": slow_jewels(GARDEN, 12),
}


@pytest.mark.parametrize("name", TWINS)
@settings(max_examples=12)
@given(seed=st.integers(0, 2**32))
def test_a_random_game_is_the_slow_twins(name: str, seed: int) -> None:
    game, rng = game_of(name), seeded(seed)
    state, (slow, choices, payoffs) = game.start_state, TWINS[name]
    for _ in range(400):
        expected = choices(slow)
        assert game.is_terminal(state) == (not expected)
        if not expected:
            assert tuple(game.utility(state, player) for player in range(game.players)) == pytest.approx(payoffs(slow))
            return
        texts = {game.format_action(state, choice): choice for choice in game.choices(state)}
        assert texts.keys() == expected.keys()
        if game.to_move(state) == CHANCE:
            found = {game.format_action(state, outcome): p for outcome, p in game.chance(state)}  # type: ignore[attr-defined]
            assert found == pytest.approx({text: float(p) for text, (p, _) in expected.items() if p is not None})
        text = sorted(texts)[below(rng, len(texts))]
        state, slow = game.coerce_state(game.result(state, texts[text])), expected[text][1]


# -- lines counted, outcomes of chance as plies ---------------------------------------------------------------


@kernel
def count_lines(game, state, depth, sums):  # type: ignore[no-untyped-def]
    """Lines of `depth` plies, a finished game at any depth; evaluations and probabilities go into `sums`."""
    if game.is_terminal(state):
        sums[0] += game.utility(state, 0)
        return 1
    sums[1] += game.evaluate(state, game.players - 1)
    if depth == 0:
        return 1
    lines = 0
    if game.to_move(state) == -1:
        for outcome, probability in game.chance(state):
            sums[2] += probability
            lines += count_lines(game, game.result(state, outcome), depth - 1, sums)
    else:
        for action in game.actions(state):
            lines += count_lines(game, game.result(state, action), depth - 1, sums)
    return lines


def slow_lines(choices: Callable[..., Any], state: Any, depth: int) -> int:
    following = choices(state) if depth else {}
    return sum(slow_lines(choices, after, depth - 1) for _, after in following.values()) or 1


COUNTS = [  # the lines that the slow twins count
    ("pig:target=20,payoff=points,turns=4", 9, 6121),
    ("2048", 3, 3584),
    ("slippery-grid:layout=corridor,cost=1", 6, 1629),
    ("dice-race:length=11", 7, 6991),
]


@pytest.mark.parametrize(("name", "depth", "lines"), COUNTS)
def test_lines_are_counted_alike_by_all(name: str, depth: int, lines: int) -> None:
    game, (start, choices, _) = game_of(name), TWINS[name]
    assert slow_lines(choices, start, depth) == lines
    native, plain = np.zeros(3), np.zeros(3)
    assert count_lines(game, game.start_state, depth, native) == lines
    with interpreted():
        assert count_lines(game, game.start_state, depth, plain) == lines
    assert list(native) == pytest.approx(list(plain))


@pytest.mark.parametrize(("state", "depth", "lines"), [("start", 2, 380), ("1:2 2:1 bar:1 | 1:2 3:1 white", 4, 835)])
def test_lines_of_backgammon_are_counted_alike(state: str, depth: int, lines: int) -> None:
    game = game_of("backgammon")  # its slow twin, which counts the same, is in test_backgammon
    start = game.start_state if state == "start" else game.parse_state(state)
    native, plain = np.zeros(3), np.zeros(3)
    assert count_lines(game, start, depth, native) == lines
    with interpreted():
        assert count_lines(game, start, depth, plain) == lines
    assert list(native) == pytest.approx(list(plain))
