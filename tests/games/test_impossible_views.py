"""Views that nobody can have, or that few deals agree with: refused or dealt at once, never looped over."""

from __future__ import annotations

import subprocess
import sys
import time
from typing import Any

import pytest

from plywright import load_game
from plywright.games.kriegspiel.reports import any_agrees
from plywright.rng import below, seeded

CROWDED = "d1 a2 b2 c2 d2 a3 b3 c3 d3 a4 b4 c4 d4"
"""Shots that leave a1 to c1: either ship has room there, both have not."""
OWN = "a1-e1 a2-d2 a3-c3 a4-c4 a5-b5 a6-b6 a7-b7"


@pytest.mark.parametrize(
    ("game", "view"),
    [
        ("battleship", f"a1-c1 a2-b2 | {CROWDED} | d1 c2 d2 a3 b3 c3 d3 a4 b4 c4 d4 a1+ b1+"),
        ("kriegspiel:size=6,pieces=KQRN", "Ka1 Qb2 Rc3 Nd4 | KQRN | 6 | took a1 | not b2b3 b2b4 b2b5"),
        ("kriegspiel:size=6,pieces=KQRN", "Ka1 Qa2 Rb1 Nb2 | KQRN | 6 | not a1a2"),
        ("kriegspiel:size=6,pieces=KQRN,limit=6", "Ka1 Qb2 Rc3 Nd4 | KQRN | 6"),
    ],
)
def test_an_impossible_view_is_refused_and_not_looked_for(game: str, view: str) -> None:
    command = [sys.executable, "-m", "plywright", "best", game, "--observation", view, "--seat", "1"]
    done = subprocess.run(command, capture_output=True, text=True, timeout=30)
    assert done.returncode == 2, done.stderr
    assert "agrees with those shots" in done.stderr or "cannot hear that" in done.stderr


def dealt(name: str, view: str, seat: int, deals: int) -> float:
    """Seconds for so many deals, each of which looks like the view."""
    game = load_game(name)
    seen = game.read_observation(view, seat)
    began = time.monotonic()
    for number in range(deals):
        state = game.deal(seen, seat, seeded(number + 1))
        assert game.observation(state, seat) == seen and game.check_state(state) == ""
    return time.monotonic() - began


def test_ships_that_hardly_fit_are_packed() -> None:
    """Twenty-five cells are left for seven ships of 21 cells: lying where each likes, they would overlap on and on."""
    cells = [f"{column}{row}" for row in range(1, 11) for column in "abcdefghij"]
    corner = {f"{column}{row}" for row in range(1, 6) for column in "abcde"}
    shots = [cell for cell in cells if cell not in corner]
    fire = [cell for cell in cells if cell[1:] == "10" or cell[0] > "e" or cell[1:] in ("8", "9")][: len(shots)]
    view = f"{OWN} | {' '.join(shots)} | {' '.join([*fire, 'c5', 'd5', 'e5', 'c6', 'd6', 'e6', 'c7', 'd7', 'e7'])}"
    short = len(shots) - len(view.split("|")[2].split())
    view += " " + " ".join(["e2", "d3", "e3", "d4", "e4", "a1+", "b1+", "c1+", "d1+"][:short])
    assert dealt("battleship:size=10,ships=5-4-3-3-2-2-2", view, 0, 2) < 60


@pytest.mark.slow
def test_scattered_hits_do_not_make_a_deal_list_every_layout() -> None:
    fire = "g1 g2 g3 g4 g5 g6 g7"
    view = f"{OWN} | a1+ c3+ e5+ g7+ i9+ b8+ h2+ | {fire}"
    assert dealt("battleship:size=10,ships=5-4-3-3-2-2-2", view, 0, 1) < 60


def test_suits_that_one_player_must_hold_are_dealt_first() -> None:
    view = "Kh9dTdJdQdKdAdQcKcAc As-2s-3s-2d Ah-2h-3d-4d Ks-4s-5s-5d"
    assert dealt("tricks:suits=4,ranks=13,players=4", view, 0, 50) < 1  # beginning again and again took four seconds


@pytest.mark.parametrize("name", ["kriegspiel", "kriegspiel:size=4,pieces=KRN"])
def test_the_umpire_of_many_positions_says_what_listing_them_finds(name: str) -> None:
    """Reports of play, and the same with a check that was not or a try refused that may have been legal."""
    game: Any = load_game(name)
    rng, answers = seeded(5), set()
    for _ in range(2):
        state = game.start_state
        for _ in range(12):
            if game.is_terminal(state):
                break
            mover = int(state.mover)
            seen = game.observation(state, mover)
            assert any_agrees(game, seen)
            choices = game.choices(state)
            piece, cell = divmod(choices[below(rng, len(choices))], game.cells)
            refused = tuple(r | 1 << cell if i == piece else r for i, r in enumerate(seen.refused))
            for other in (seen._replace(check=not seen.check), seen._replace(refused=refused)):
                expected = next(iter(game.deals(other, mover)), None) is not None
                assert any_agrees(game, other) == expected, other
                answers.add(expected)
            state = game.result(state, choices[below(rng, len(choices))])
    assert answers == {True, False}
