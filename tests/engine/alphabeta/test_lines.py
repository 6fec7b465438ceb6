"""Several lines of one search: the best first, and the answer is the first of them."""

from __future__ import annotations

import pytest

from plywright import Limit, load_game, search

OTHELLO, QUEEN = "f5d6c3d3c4f4c5b3c2e6", "e4 e5 Qh5 Nc6 Bc4"


@pytest.mark.parametrize(
    ("name", "moves", "nodes"),
    [("othello", OTHELLO, 3000), ("chess", QUEEN, 20_000), ("chess", "d4 d5 c4", 20_000)],
)
def test_lines_are_ranked_whichever_was_searched_first(name: str, moves: str, nodes: int) -> None:
    """A selective search may value a later line higher than the first: in each of these it does."""
    game = load_game(name)
    state = game.play_moves(game.start_state, moves)
    found = search(game, state, limit=Limit(nodes=nodes), lines=5)
    values = [value for value, _, _ in found.variations]
    assert len(values) == 5 and values == sorted(values, reverse=True)
    assert (found.value, found.distance, found.line) == found.variations[0]
    assert found.action == found.line[0] and found.values == (found.value, -found.value)[:: 1 - 2 * game.to_move(state)]
    assert len({line[0] for _, _, line in found.variations}) == 5
