"""The engine on chess: mates with their distance, proofs that mind the fifty moves, exactness without selectivity."""

from __future__ import annotations

import numpy as np
import pytest

from plywright import analyse, load_game, search
from plywright.compiled import interpreted
from plywright.engine import Limit
from plywright.engine.alphabeta.pvs_counters import WIN
from plywright.engine.alphabeta.pvs_search import EngineSearch
from plywright.engine.alphabeta.solve import solve
from plywright.engine.alphabeta.transposition import value_of
from plywright.games.chess.exchange import exchange_wins
from plywright.games.chess.knowledge import ChessKnowledge, ending
from plywright.knowledge import knowledge_of

GAME = load_game("chess")
MATES = [  # position, plies to mate, first move
    ("6k1/5ppp/8/8/8/8/5PPP/R5K1 w - - 0 1", 1, "Ra8#"),
    ("r1bqkb1r/pppp1ppp/2n2n2/4p2Q/2B1P3/8/PPPP1PPP/RNB1K1NR w KQkq - 4 4", 1, "Qxf7#"),
    ("kbK5/pp6/1P6/8/8/8/8/R7 w - - 0 1", 3, "Ra6"),
    ("5rk1/1p1q2bp/p2pN1p1/2pP2Bn/2P3P1/1P6/P4QKP/5R2 w - - 1 1", 3, "Qxf8+"),
]


@pytest.mark.parametrize(("position", "plies", "move"), MATES)
def test_mates_are_found_with_their_distance_and_proved(position: str, plies: int, move: str) -> None:
    state = GAME.read_state(position)
    found = search(GAME, state, nodes=200_000)
    assert GAME.format_action(state, found.action) == move and found.value == 1
    proof = solve(GAME, state)
    assert proof.value == 1 and proof.proved and proof.distance == plies
    assert GAME.format_action(state, proof.action) == move and len(proof.line) == plies
    other = GAME.result(state, proof.action)
    if not GAME.is_terminal(other):
        lost = solve(GAME, other)
        assert lost.value == -1 and lost.proved and lost.distance == plies - 1


def test_a_mate_beyond_the_fifty_moves_is_none() -> None:
    """Mate in two with three plies needed: with two left it is a draw, with three it is mate, whatever came before."""
    rooks = "7k/8/8/8/8/8/R7/1R4K1 w - - {} 80"
    late, early = (GAME.read_state(rooks.format(clock)) for clock in (98, 97))
    assert search(GAME, early, depth=5).value == 1 and search(GAME, early, depth=5).distance == 3
    assert search(GAME, late, depth=5).value == 0
    assert solve(GAME, late).value == 0


def test_an_exact_search_uses_no_selectivity() -> None:
    """A depth alone is minimax's value with the noise beyond, compiled or interpreted, whatever the hooks say."""

    class Blunt(ChessKnowledge):
        def margin(self, depth: int) -> float:
            return 0.0

        def tactical(self, state: object, action: int) -> bool:
            return False

        def extend(self, state: object) -> bool:
            return True

    for position in ("r3k2r/p1ppqpb1/bn2pnp1/3PN3/1p2P3/2N2Q1p/PPPBBPPP/R3K2R w KQkq - 0 1", MATES[3][0]):
        state = GAME.read_state(position)
        usual = search(GAME, state, depth=2)
        with interpreted():
            blunt = search(GAME, state, depth=2, knowledge=Blunt(GAME))
        assert blunt.value == usual.value and blunt.action == usual.action


def test_no_estimate_is_kept_as_proved() -> None:
    """The table of a search calls nothing resolved but mates: the few that lines from the start run into."""
    task = EngineSearch(GAME, GAME.start_state, Limit(nodes=20_000), all_actions=False, compiled=None, exact=False)
    *_, last = task.deepening()
    entries = task.work.table[1::2]
    resolved = value_of(entries[entries & 128 != 0])
    assert last.depth >= 6 and np.count_nonzero(entries) > 1000
    assert np.all(np.abs(resolved) > task.work.info[WIN]) and len(resolved) < 20


@pytest.mark.parametrize(
    ("position", "move", "threshold", "wins"),
    [
        ("1k1r4/1pp4p/p7/4p3/8/P5P1/1PP4P/2K1R3 w - - 0 1", "Rxe5", 100, True),
        ("1k1r3q/1ppn3p/p4b2/4p3/8/P2N2P1/1PP1R1BP/2K1Q3 w - - 0 1", "Nxe5", 0, False),
        ("4k3/8/3p4/4p3/8/5N2/8/4K3 w - - 0 1", "Nxe5", 0, False),
        ("4k3/8/8/4p3/8/5N2/8/4K3 w - - 0 1", "Nxe5", 100, True),
        ("4k3/8/8/4p3/8/5N2/8/4K3 w - - 0 1", "Nxe5", 101, False),
        ("4r1k1/8/8/4p3/8/8/4R3/4R1K1 w - - 0 1", "Rxe5", 100, True),  # the second rook stands behind the first
    ],
)
def test_exchanges(position: str, move: str, threshold: int, wins: bool) -> None:
    state = GAME.read_state(position)
    assert exchange_wins(state, GAME.parse_action(state, move), threshold) is wins


def test_the_evaluation_is_the_same_for_both_colours_and_material_is_the_textbooks() -> None:
    features, material = knowledge_of(GAME), knowledge_of(GAME, "material")
    position = "r2qkb1r/pp1n1ppp/2p1pn2/8/2BP4/2N1PN2/PP3PPP/R1BQ1RK1 w kq - 2 9"
    mirrored = "r1bq1rk1/pp3ppp/2n1pn2/2bp4/8/2P1PN2/PP1N1PPP/R2QKB1R b KQ - 2 9"
    one, other = GAME.read_state(position), GAME.read_state(mirrored)
    assert features.evaluate(one, 0) == features.evaluate(other, 1) == -features.evaluate(one, 1)
    state = GAME.read_state("4k3/pp6/8/8/8/8/8/QRBNK3 w - - 0 1")
    assert material.evaluate(state, 0) == pytest.approx((9 + 5 + 3.25 + 3 - 2) / 100)


def test_the_fitted_weights_are_shipped_and_differ_from_the_rules_of_thumb() -> None:
    """Both are sane: a queen is worth more than a rook, a rook more than a minor piece, that more than a pawn."""
    fitted, hand = knowledge_of(GAME), knowledge_of(GAME, "hand")
    assert isinstance(fitted, ChessKnowledge) and isinstance(hand, ChessKnowledge)
    assert np.count_nonzero(fitted.weights != hand.weights) > 500
    for weights in (fitted.weights, hand.weights):
        material = weights[:10].reshape(5, 2)
        assert np.all(np.diff(material, axis=0)[[0, 2, 3]] > 0)


@pytest.mark.parametrize("name", ["", "hand"])
def test_who_loses_a_piece_stands_worse_by_about_what_it_is_worth(name: str) -> None:
    """Whichever piece of Black's is taken off the board; on average a pawn is worth more than half a pawn."""
    knowledge = knowledge_of(GAME, name) if name else knowledge_of(GAME)
    losses: dict[str, list[float]] = {}
    for place in (
        "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR",
        "r2q1rk1/1b2bppp/p1n1pn2/1p6/3P4/PBN2N2/1P2QPPP/R1BR2K1",
        "2rq1rk1/pb2bppp/1pn1pn2/3p4/3P1B2/2NBPN2/PP3PPP/2RQ1RK1",
        "6k1/1p3pp1/p1r1b2p/8/3N4/1P2P1P1/P4P1P/3R2K1",
    ):
        before = knowledge.evaluate(GAME.read_state(f"{place} w - - 0 1"), 0)
        for index, piece in enumerate(place):
            if piece in "pnbrq":
                without = GAME.read_state(f"{place[:index]}1{place[index + 1 :]} w - - 0 1")
                losses.setdefault(piece, []).append(100 * (knowledge.evaluate(without, 0) - before))
    assert min(map(min, losses.values())) > 0
    means = [float(np.mean(losses[piece])) for piece in "pnbrq"]
    assert 0.5 < means[0] < 1.5 and means[1] > 2.5 and means[2] > 2.5
    assert means[3] > max(means[1:3]) and means[4] > 1.5 * means[3]


def test_the_structure_of_pawns_is_kept_apart_and_changes_no_evaluation() -> None:
    """Whatever the pawns: packed and unpacked, the parts make the whole, which is what the features add up to."""
    knowledge = knowledge_of(GAME)
    assert isinstance(knowledge, ChessKnowledge) and knowledge.has_structure
    for position in (
        "8/P1k5/8/8/8/8/p1K5/8 w - - 0 1",
        "4k3/1p1p1p1p/8/8/8/8/1P1P1P1P/4K3 b - - 0 1",
        "r1bq1rk1/pp2bppp/2n1pn2/3p4/2PP4/2N2N2/PP2BPPP/R1BQ1RK1 w - - 0 9",
        "8/pp3p2/2p1k1p1/3pP2p/3P1P1P/2P1K1P1/PP6/8 b - - 0 30",
    ):
        state = GAME.read_state(position)
        whole = knowledge.evaluate(state, 0)
        assert whole == knowledge.evaluate_with(state, 0, knowledge.structure(state))
        terms = knowledge.evaluation_terms(state)
        assert sum(term.worth[0] - term.worth[1] for term in terms) == pytest.approx(100 * whole, abs=0.01)


def test_a_king_that_pieces_are_aimed_at_is_in_danger() -> None:
    """The more so without pawns before it; a queen alone far away is no danger."""
    knowledge = knowledge_of(GAME)
    dangers = [
        sum(
            term.worth[1]
            for term in knowledge.evaluation_terms(GAME.read_state(position))
            if term.name == "king danger"
        )
        for position in (
            "5rk1/5ppp/8/8/6nq/8/PPP5/4R1K1 w - - 0 1",
            "5rk1/5ppp/8/8/6nq/8/5PPP/4R1K1 w - - 0 1",
            "2q2rk1/5ppp/8/8/8/8/5PPP/4R1K1 w - - 0 1",
        )
    ]
    assert dangers[0] > dangers[1] + 0.1 > 0.3 and dangers[2] == 0


def test_a_lead_counts_as_far_as_it_can_be_won_with() -> None:
    """The more pawns the more; bishops of different colours halve it, and a rook alone against a knight is a draw."""
    shares = [
        ending(GAME.read_state(position), 1)
        for position in (
            "4k3/5ppp/8/3n4/8/8/8/3RK3 w - - 0 1",
            "4k3/5p2/3b4/8/8/3B4/5PP1/4K3 w - - 0 1",
            "4k3/5p2/8/3n4/8/8/5P2/3RK3 w - - 0 1",
            "4k3/5ppp/3n4/8/8/8/4PPPP/3RK3 w - - 0 1",
            "4k3/5p2/8/8/8/8/4PP2/4K3 w - - 0 1",
        )
    ]
    assert shares == sorted(shares) and shares[0] < 0.2 and shares[3] == 1.0


@pytest.mark.parametrize(
    ("one_wing", "both_wings", "two_ahead"),
    [
        ("5k2/5pp1/8/8/8/r7/5PPP/R5K1", "5k2/p4p2/8/8/8/r7/P4PP1/R5K1", "5k2/5p2/8/8/8/r7/5PPP/R5K1"),
        ("5k2/5pp1/3b4/8/8/3B4/5PPP/6K1", "5k2/p4p2/3b4/8/8/3B4/P4PP1/6K1", "5k2/5p2/3b4/8/8/3B4/5PPP/6K1"),
        ("5k2/5pp1/3n4/8/8/3B4/5PPP/6K1", "5k2/p4p2/3n4/8/8/3B4/P4PP1/6K1", "5k2/5p2/3n4/8/8/3B4/5PPP/6K1"),
        ("2q2k2/5pp1/8/8/8/8/5PPP/2Q3K1", "2q2k2/p4p2/8/8/8/8/P4PP1/2Q3K1", "2q2k2/5p2/8/8/8/8/5PPP/2Q3K1"),
    ],
)
def test_a_pawn_ahead_on_one_wing_counts_less(one_wing: str, both_wings: str, two_ahead: str) -> None:
    """Than on both, and than two pawns ahead; whichever wing it is, and whoever leads."""
    shares = [ending(GAME.read_state(f"{board} w - - 0 1"), 1) for board in (one_wing, both_wings, two_ahead)]
    assert shares[0] <= 0.8 * min(shares[1:])
    mirrored = "/".join(rank[::-1] for rank in one_wing.split("/"))
    turned = "/".join(rank.swapcase() for rank in reversed(one_wing.split("/")))
    assert ending(GAME.read_state(f"{mirrored} w - - 0 1"), 1) == shares[0]
    assert ending(GAME.read_state(f"{turned} w - - 0 1"), -1) == shares[0]


def test_a_lone_king_is_driven_to_the_edge() -> None:
    """By the value of positions with the same men: the nearer the edge, and the other king, the better."""
    knowledge = knowledge_of(GAME)
    places = ("8/8/8/3k4/8/8/R7/K7 w - - 0 1", "8/3k4/8/8/8/8/R7/K7 w - - 0 1", "3k4/8/3K4/8/8/8/R7/8 w - - 0 1")
    values = [knowledge.evaluate(GAME.read_state(place), 0) for place in places]
    assert values == sorted(values) and values[2] > values[0] + 0.005
    lone = GAME.read_state("3k4/8/3K4/8/8/8/R7/8 b - - 0 1")
    assert "lone king driven" in {term.name for term in knowledge.evaluation_terms(lone)}


def test_what_was_learned_of_moves_is_handed_on_at_half_its_weight() -> None:
    def task(after: EngineSearch | None) -> EngineSearch:
        limit = Limit(nodes=5000)
        return EngineSearch(GAME, GAME.start_state, limit, all_actions=False, compiled=None, exact=False, after=after)

    first = task(None)
    *_, last = first.deepening()
    learned = first.work.recent.copy()
    assert last.nodes > 0 and np.any(learned)
    assert np.array_equal(task(first).work.recent, learned >> 1)
    assert not np.any(task(None).work.recent)


def test_a_proof_that_is_given_up_leaves_the_line_of_the_search_before_it() -> None:
    state = GAME.read_state("6k1/8/8/6KP/8/8/8/8 w - - 15 97")  # drawn, and too long to prove
    for found in analyse(GAME, state, nodes=400_000):
        assert found.action in GAME.actions(state) and found.line[:1] == (found.action,)
