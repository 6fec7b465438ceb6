"""States and observations that were not reached by play: what is refused, in words, and what never is."""

from __future__ import annotations

import json
import re
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import Any, NamedTuple

import pytest

import plywright
from plywright import BadInput, Game, load_game, search
from plywright.dice import roll
from plywright.games import GAMES
from plywright.rng import below, seeded
from plywright.utility import Valued


class Count(NamedTuple):
    left: int
    mover: int
    weight: float


class Countdown(Game):
    """Take one or two; the default check has to do."""

    def initial(self) -> Count:
        return Count(5, 0, 0.5)

    def to_move(self, state: Count) -> int:
        return state.mover

    def actions(self, state: Count) -> Iterator[int]:
        for taken in range(1, min(state.left, 2) + 1):
            yield taken

    def result(self, state: Count, action: int) -> Count:
        return Count(state.left - action, 1 - state.mover, state.weight)

    def is_terminal(self, state: Count) -> bool:
        return state.left == 0

    def utility(self, state: Count, player: int) -> float:
        return -1 if player == state.mover else 1


@pytest.mark.parametrize(
    ("text", "words"),
    [
        ("3,0,0.5", ""),
        ("0,1,0.5", ""),
        ("3,7,0.5", "player to move would be 7"),
        ("-4,0,0.5", "nobody can move"),
        ("3,0,1e999", "not finite"),
        ("3,0,nan", "not finite"),
        ("1e999,0,0.5", "whole number"),
        ("nan,0,0.5", "whole number"),
        ("9" * 5000 + ",0,0.5", "too many digits"),
        ("9" * 200_000, "at most 100,000 characters"),
        ("3,0", "3 numbers"),
        ("3,0,x", "could not convert"),
    ],
)
def test_a_game_without_a_check_of_its_own_refuses_what_cannot_be_played(text: str, words: str) -> None:
    game = Countdown()
    if not words:
        assert game.format_state(game.read_state(text)) == text
        return
    with pytest.raises(BadInput, match=words) as caught:
        game.read_state(text)
    assert len(str(caught.value)) < 1000 or "9999" in text


def test_what_a_parser_raises_is_told_as_a_fault_of_the_text() -> None:
    class Odd(Countdown):
        def parse_state(self, text: str) -> Count:
            return Count(int(text), 0, 0.5)

    with pytest.raises(BadInput, match=r"'x' is not a state of odd .*parse_state raised ValueError"):
        Odd().read_state("x")


def test_a_game_seen_through_another_one_s_rules_asks_the_same_questions() -> None:
    game = Valued(load_game("nim"), lambda amount: amount)
    with pytest.raises(BadInput):
        game.checked((5, 7))
    assert not Valued(Countdown(), float).checks_states


def test_no_text_from_outside_goes_round_the_check() -> None:
    """Whoever reads a state calls read_state; parse_state is called by games, and by the doctor who examines it."""
    source = Path(plywright.__file__).parent
    allowed = {"game/notation.py", "wrapped.py", "utility/decision.py"}  # a way through a tree, looked up
    for path in source.rglob("*.py"):
        place = path.relative_to(source).as_posix()
        if place not in allowed and not place.startswith(("games/", "doctor/")):
            found = re.search(r"\.parse_(state|observation)\(", path.read_text())
            assert found is None, f"{place} reads a state without a check"


# -- shipped games ---------------------------------------------------------------------------------------------

SIZES = [
    *("mnk:m=8,n=8,k=5", "connect-four:columns=8,rows=7,score=speed", "othello:size=6,empties=none"),
    *("breakthrough:columns=2,rows=8", "pig:target=30,turns=4", "pig:target=20,players=1,payoff=points"),
    *("slippery-grid:layout=maze,limit=20", "dice-race:length=7", "kuhn:players=6"),
    *("liars-dice:players=3,dice=2,faces=4", "goofspiel:cards=5,players=3,order=descending"),
    *("tricks:suits=4,ranks=13,players=4,teams=2,trump=s", "tricks:full=yes", "battleship:size=10,ships=5-4-3-3-2"),
    *("kriegspiel:size=5,pieces=KN,limit=9", "stratego:size=6,pieces=FBSCMLGX", "stratego:setup=players"),
    *("pacman:layout=capsules", "random-tree:branching=4,depth=6,ordering=worst", "figure-6.2", "coins"),
]


@pytest.mark.parametrize("name", [*GAMES, *SIZES])
def test_whatever_play_reaches_or_a_game_deals_is_accepted(name: str) -> None:
    game, rng, seen = load_game(name), seeded(7), 0
    for _ in range(2):
        state = game.start_state
        for _ in range(300):
            assert game.check_state(state) == ""
            if game.is_terminal(state):
                break
            seen += 1
            if game.hidden and not game.at_chance(state) and seen % 8 == 0:
                mover = int(game.to_move(state))
                view = game.observation(state, mover)
                assert game.check_observation(view, mover) == ""
                assert game.check_state(game.coerce_state(game.deal(view, mover, rng))) == ""
            if game.at_chance(state) and not game.lists_chance:
                action = roll(game, state, rng)
            else:
                choices = game.choices(state)
                action = choices[below(rng, len(choices))]
            state = game.coerce_state(game.result(state, action))


def test_every_shipped_game_has_a_check_of_its_own() -> None:
    for name in [*GAMES, "figure-6.2"]:
        assert load_game(name).checks_states, name


@pytest.mark.parametrize(
    ("name", "state", "words"),
    [
        ("pacman", "1,1000,65565,17768107904860159,0,4611686018427387904,0,0,51,3,26,3,0", "not on a free cell"),
        ("pacman", (1, 1000, (65565,), (0, 0, 0, 0, 0), 0, 0, 0, 0, False), "not on a free cell"),
        ("pacman", (0, 36, (-1,), (0, 0, 0, 0, 0), 0, 0, 0, 0, False), "faces nowhere"),
        ("kuhn", (0x12, 1 << 40), "goes on after its end"),
        ("leduc", (1, 2, 0, 1, 1, 0, 0, 65, -1), "do not lead there"),
        ("goofspiel", (0, (0, 0), 4, 1), "still to bid"),
        ("phantom-tic-tac-toe", (1, 1, 1, 1, 0), "not those that the tries have made"),
        ("tricks", ((1, 1), (0,), 8, 0, 0, (0, 0), 0), "same card"),
        ("battleship", ((255, 255), (0, 0, 0, 0), (0, 0), 0), "outside the sea"),
        ("kriegspiel", ((0, 0), 0, (0, 0), 0, 0), "a king is missing"),
        ("stratego", ((0x8521, 0x8521), (63, 63), (0, 0), (0, 0), 8, 0, 0), "off the board"),
        ("mnk", (3, 3), "same cell"),
        ("connect-four", (1 << 3, 0), "hangs in the air"),
        ("othello", (0x0000001008000000, 0x0000000810000000, 8, 0), "its moves are not those"),
        ("2048", (1 << 20, 0, 0, 0, 0), "a row is a number below"),
        ("backgammon", (1 << 30, 0, 2, 0, 0, 0), "outside the 24 points"),
        ("random-tree", (9, 0, 0), "plies"),
        ("figure-6.2", -1, "nodes are"),
    ],
)
def test_the_impossible_is_refused_in_words(name: str, state: Any, words: str) -> None:
    game = load_game(name)
    with pytest.raises(BadInput, match=words):
        game.read_state(state) if isinstance(state, str) else game.checked(state)
    if not isinstance(state, str) and not game.hidden:
        with pytest.raises(BadInput, match=words):
            search(game, state, depth=1)  # nor does it reach native code by way of Python


HOSTILE = Path(__file__).with_name("hostile_states.py")
FUZZED = [name for name in [*GAMES, "figure-6.2"] if name != "mnk"]


def hostile(name: str, mutants: int, how: str) -> None:
    """Sends mutants in a child process: a signal, a hang or anything but a refusal is a fault."""
    command = [sys.executable, str(HOSTILE), name, "1", str(mutants), how]
    done = subprocess.run(command, capture_output=True, text=True, timeout=300)
    lines = done.stdout.splitlines()
    assert done.returncode == 0, f"{name} ended with {done.returncode} at {lines[-1:]}: {done.stderr[-800:]}"
    found = json.loads(lines[-1])
    assert found["accepted"] and not found["faults"], found


@pytest.mark.parametrize("how", ["native", "interpreted"])
def test_mutated_states_crash_nothing(how: str) -> None:
    hostile("pacman" if how == "native" else "kuhn", 120, how)


@pytest.mark.slow
@pytest.mark.parametrize("name", FUZZED)
def test_mutated_states_of_every_game_crash_nothing(name: str) -> None:
    hostile(name, 400, "native")


@pytest.mark.parametrize("path", ["./" + "a" * 5000 + ".py", "./a\0b.py"])
def test_a_path_that_no_file_can_have_is_refused_in_a_line(path: str) -> None:
    with pytest.raises(BadInput, match=r"no path of a file|there is no file") as caught:
        load_game(path)
    assert len(str(caught.value)) < 400
