"""Tables of Breakthrough: all positions with few pawns, or of the whole game on a small board."""

from __future__ import annotations

import itertools
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from plywright import BadInput, Unsuitable, load_game, search
from plywright.arena.lineup import make_player
from plywright.games import as_knowledge, know
from plywright.games.breakthrough.endings import BreakthroughEndings
from plywright.games.breakthrough.position import BLACK, ZERO
from plywright.rng import below, seeded
from plywright.tables import build_table, check_table, load_whole, solve_strongly, tally
from plywright.tables.whole import best_action


@pytest.mark.parametrize(
    ("size", "pawns", "positions"), [((3, 4), 12, 6_569), ((5, 5), 20, 806_957_736), ((8, 8), 3, None)]
)
def test_every_number_is_that_of_its_position(size: tuple[int, int], pawns: int, positions: int | None) -> None:
    game = load_game("breakthrough:columns={},rows={}".format(*size))
    numbering, slices = as_knowledge(game, "endings").for_tables(str(pawns))
    total = sum(count for _, count in slices)
    assert positions is None or total == positions
    for number in np.random.default_rng(1).integers(0, total, 300).tolist():
        state = game.coerce_state(numbering.unindex(number))
        assert game.check_state(state) == "" and not game.is_terminal(state) and numbering.index(state) == number
        text = game.format_state(state)
        for alike in (turned(text), mirrored(text), turned(mirrored(text))):
            assert numbering.index(game.parse_state(alike)) == number


def turned(text: str) -> str:
    """The same position with the colours exchanged, seen from the other side."""
    rows, mover = text.split()
    exchanged = rows.translate(str.maketrans("wb", "bw"))
    return "/".join(reversed(exchanged.split("/"))) + f" {'wb'[mover == 'w']}"


def mirrored(text: str) -> str:
    rows, mover = text.split()
    return "/".join(row[::-1] for row in rows.split("/")) + f" {mover}"


def test_every_position_has_a_number_or_is_won_at_sight() -> None:
    """All ways to put pawns on a small board: no number is left over, and no position without one is in doubt."""
    game = load_game("breakthrough:columns=2,rows=4")
    numbering, slices = as_knowledge(game, "endings").for_tables("8")
    numbers, at_sight = set(), 0
    for cells in itertools.product(range(3), repeat=8):
        white, black = (sum(1 << place for place, cell in enumerate(cells) if cell == side) for side in (1, 2))
        state = game.coerce_state((white, black, 0))
        if game.check_state(state) or game.is_terminal(state):
            continue
        if numbering.foregone(state):
            at_sight += 1
            assert any(game.is_terminal(game.result(state, action)) for action in game.actions(state))
        else:
            numbers.add(numbering.index(state))
    assert numbers == set(range(sum(size for _, size in slices))) and at_sight > 500


def test_the_whole_of_a_small_board_agrees_with_strong_solving_and_with_a_search(tmp_path: Path) -> None:
    game = load_game("breakthrough:columns=3,rows=4")
    table = build_table(game, "12", tmp_path)
    assert table.positions == 6_569 and check_table(table).positions == table.positions
    strong, plain = solve_strongly(game), load_game("breakthrough:columns=3,rows=4")
    known = know(game, table.knowledge)
    for seed in range(30):
        rng, state = seeded(seed), game.start_state
        while not game.is_terminal(state):
            one, other = table.look_up(state), strong.look_up(state)
            assert one is not None and other is not None and one[:2] == other[:2]
            if seed < 3:
                found = search(known, state, depth=1)
                assert found.proved and found.value == search(plain, state, depth=20, exact=True).value
            choices = list(game.actions(state))
            state = game.coerce_state(game.result(state, choices[below(rng, len(choices))]))


def test_a_table_of_the_whole_game_is_a_player_and_an_oracle(tmp_path: Path) -> None:
    game = load_game("breakthrough:columns=3,rows=4")
    table, strong = build_table(game, "12", tmp_path / "whole.table"), solve_strongly(game)
    assert table.path == tmp_path / "whole.table"
    whole = load_whole(game, table.path)
    counts = tally(table)
    assert counts.won + counts.lost == counts.positions == table.positions and counts.drawn == 0
    assert counts.longest == strong.counts.longest == 12
    state = game.start_state
    while not game.is_terminal(state):
        known, other = whole.look_up(state), strong.look_up(state)
        assert known is not None and other is not None and known[:2] == other[:2]
        state = game.state_after(state, best_action(whole, state))
    assert game.utility(state, 1) == 1  # who moves second wins, as the tables say of the start
    player = make_player(f"table:{table.path}", game)
    assert player.fingerprint == make_player(f"table:{table.path}", game).fingerprint


def test_a_table_of_some_positions_is_no_player(tmp_path: Path) -> None:
    game = load_game("breakthrough:columns=3,rows=4")
    table = build_table(game, "3", tmp_path)
    with pytest.raises(BadInput, match=r"only some positions .*pvs:knowledge="):
        load_whole(game, table.path)
    with pytest.raises(BadInput, match="No such file"):
        load_whole(game, tmp_path / "none.table")
    (tmp_path / "other").write_bytes(b"something else")
    with pytest.raises(BadInput, match="no table of a whole game"):
        load_whole(game, tmp_path / "other")


def test_what_is_said_at_sight_is_checked(tmp_path: Path) -> None:
    class Hasty(BreakthroughEndings):
        def foregone(self, state: Any) -> int:
            return 4 if state.mover == BLACK and state.black & self.game.first_row << self.game.ahead != ZERO else 0

        def for_tables(self, which: str) -> tuple[Any, list[tuple[str, int]]]:
            return Hasty(self.game, int(which)), BreakthroughEndings.for_tables(self, which)[1]

    game = load_game("breakthrough:columns=2,rows=4")
    table = build_table(game, "4", tmp_path, knowledge=Hasty(game))
    with pytest.raises(BadInput, match=r"or foregone\(\) is wrong about it"):
        check_table(table)


def test_what_is_no_table_of_breakthrough() -> None:
    for which in ("1", "33", "x"):
        with pytest.raises(BadInput, match="2 to 32 pawns"):
            BreakthroughEndings(load_game("breakthrough")).for_tables(which)
    with pytest.raises(Unsuitable, match="too wide or too high"):
        BreakthroughEndings(load_game("breakthrough:columns=16,rows=4")).for_tables("4")
    with pytest.raises(Unsuitable, match="too many slices"):
        BreakthroughEndings(load_game("breakthrough")).for_tables("32")
