"""Each selective step of chess's search does something: without it another number of nodes is searched to a depth."""

from __future__ import annotations

import pytest

from plywright import Knowledge, load_game, search
from plywright.games.chess.knowledge import ChessKnowledge

GAME = load_game("chess")
MIDDLEGAMES = (
    "rnbqkb1r/1p2pppp/p2p1n2/8/3NP3/2N5/PPP2PPP/R1BQKB1R w KQkq - 0 6",
    "r2q1rk1/pp2ppbp/2np1np1/8/2BNP1b1/2N1BP2/PPPQ2PP/R3K2R w KQ - 1 10",
    "2rq1rk1/pb1nbppp/1p2pn2/2pp4/2PP4/1PN1PN2/PB2BPPP/2RQ1RK1 w - - 4 11",
    "r1b2rk1/1pq1bppp/p2ppn2/2n5/3NP3/1BN1B3/PPP1QPPP/2KR3R w - - 6 12",
    "r3k2r/p1ppqpb1/bn2pnp1/3PN3/1p2P3/2N2Q1p/PPPBBPPP/R3K2R w KQkq - 0 1",
)


def nodes(knowledge: Knowledge, depth: int) -> int:
    states = map(GAME.read_state, MIDDLEGAMES)
    return sum(search(GAME, state, depth=depth, exact=False, knowledge=knowledge).nodes for state in states)


@pytest.mark.slow
@pytest.mark.parametrize(
    ("hooks", "depth", "least", "most"),
    [
        (("extend",), 11, 0.5, 0.95),
        (("margin",), 11, 1.5, 20),
        (("tactical", "slot"), 11, 3, 50),
        (("slot",), 11, 1.05, 3),
        (("null_move",), 16, 1.02, 3),
    ],
)
def test_a_step_saves_nodes_or_spends_them(hooks: tuple[str, ...], depth: int, least: float, most: float) -> None:
    """Extensions spend nodes, all else saves some, null moves the deeper the more: bounds far around figures."""
    without = type("Without", (ChessKnowledge,), {hook: getattr(Knowledge, hook) for hook in hooks})
    assert least < nodes(without(GAME), depth) / nodes(ChessKnowledge(GAME), depth) < most
