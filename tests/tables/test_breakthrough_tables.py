"""Tables of Breakthrough: all positions with few pawns, or of the whole game on a small board."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest

from plywright import BadInput, Unsuitable, load_game, search
from plywright.games import as_knowledge, know
from plywright.games.breakthrough.endings import BreakthroughEndings
from plywright.rng import below, seeded
from plywright.tables import build_table, check_table, solve_strongly


@pytest.mark.parametrize(
    ("size", "pawns", "positions"), [((3, 4), 12, 43_885), ((5, 5), 6, 3_302_245), ((8, 8), 3, None)]
)
def test_every_number_is_that_of_its_position(size: tuple[int, int], pawns: int, positions: int | None) -> None:
    game = load_game("breakthrough:columns={},rows={}".format(*size))
    numbering, slices = as_knowledge(game, "endings").for_tables(str(pawns))
    total = sum(count for _, count in slices)
    assert positions is None or total == positions
    for number in np.random.default_rng(1).integers(0, total, 300).tolist():
        state = game.coerce_state(numbering.unindex(number))
        assert game.check_state(state) == "" and not game.is_terminal(state) and numbering.index(state) == number
        seen = game.parse_state(turned(game.format_state(state)))
        assert numbering.index(seen) == number


def turned(text: str) -> str:
    """The same position with the colours exchanged, seen from the other side."""
    rows, mover = text.split()
    exchanged = rows.translate(str.maketrans("wb", "bw"))
    return "/".join(reversed(exchanged.split("/"))) + f" {'wb'[mover == 'w']}"


def test_the_whole_of_a_small_board_agrees_with_strong_solving_and_with_a_search(tmp_path: Path) -> None:
    game = load_game("breakthrough:columns=3,rows=4")
    table = build_table(game, "12", tmp_path)
    assert table.positions == 43_885 and check_table(table).positions == table.positions
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


def test_what_is_no_table_of_breakthrough() -> None:
    for which in ("1", "33", "x"):
        with pytest.raises(BadInput, match="2 to 32 pawns"):
            BreakthroughEndings(load_game("breakthrough")).for_tables(which)
    with pytest.raises(Unsuitable, match="too wide or too high"):
        BreakthroughEndings(load_game("breakthrough:columns=16,rows=4")).for_tables("4")
    with pytest.raises(Unsuitable, match="too many slices"):
        BreakthroughEndings(load_game("breakthrough")).for_tables("32")
