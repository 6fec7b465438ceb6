"""Hidden information: CFR+ against OpenSpiel's C++, hands per second, deals per second of Monte Carlo minimax."""

from __future__ import annotations

from typing import Any

import numpy as np

from measure import Row, processor_seconds, seconds, skipped
from plywright import BadInput, load_game, search
from plywright.equilibrium import GameTree, RegretMinimizer
from plywright.games.equity import equities
from plywright.games.hand_tables import category_counts, hand_strengths, hand_tables
from plywright.games.poker_hands import evaluate_hands
from plywright.players.searching import first_view
from rivals import have

SOLVED = (  # game, OpenSpiel's name, target ratio, iterations to measure, theirs, exploitability after 100 and 1,000
    ("kuhn", "kuhn_poker", 30, 1_000_000, 20_000, 0.001194, 0.000087),
    ("leduc", "leduc_poker", 50, 8_000, 100, 0.013416, 0.000257),
)
HANDS = 4_000_000
HANDS_TARGET = 50e6
SEVENS_TARGET = 100e6
WALKS, THEIR_WALKS, WALKS_TARGET = 600_000, 12_000, 50
DEALT = (  # game, depth of each deal (None: to the end)
    ("kuhn", None),
    ("leduc", None),
    ("liars-dice", None),
    ("goofspiel", None),
    ("tricks", None),
    ("battleship", 2),
    ("stratego", 3),
)
"""Those of them that are registered are measured."""


def regret_against_open_spiel(
    name: str, theirs: str, target: int, ours_times: int, their_times: int, after_100: float, after_1000: float
) -> Row:
    title, wanted = f"{name}, CFR+ iterations/s, against OpenSpiel's C++", f">= {target} x"
    tree = GameTree.of(load_game(name))
    checked = RegretMinimizer(tree)
    checked.run(100)
    early = checked.result().exploitability
    checked.run(900)
    late = checked.result()
    right = abs(early - after_100) < 5e-7 and abs(late.exploitability / after_1000 - 1) < 0.1
    detail: dict[str, Any] = {"after_100": early, "after_1000": late.exploitability, "value": late.value}
    if not have("pyspiel"):
        return skipped(title, "open_spiel is not installed", wanted)
    import pyspiel

    solver = pyspiel.CFRPlusSolver(pyspiel.load_game(theirs))
    solver.evaluate_and_update_policy()
    minimizer = RegretMinimizer(tree)
    minimizer.run(100)
    ratios, ours_rate, their_rate = [], 0.0, 0.0
    for _ in range(3):
        spent, _nothing = seconds(lambda: minimizer.run(ours_times // 3))
        theirs_spent, _nothing = seconds(
            lambda: [solver.evaluate_and_update_policy() for _ in range(their_times // 3)] and None
        )
        ours_rate, their_rate = ours_times // 3 / spent, their_times // 3 / theirs_spent
        ratios.append(ours_rate / their_rate)
    ratio = sorted(ratios)[1]
    detail |= {"ratios": ratios, "exploitability_as_published": right}
    met = right and ratio >= target
    return Row(title, f"{ours_rate:,.0f}/s", f"{their_rate:,.0f}/s", ratio, wanted, met, detail)


def hands_a_second() -> Row:
    name, wanted = "five-card hands evaluated per second, in batches, one core", ">= 50 M/s"
    rng = np.random.default_rng(1)
    keys = rng.random((HANDS // 20, 52)).argpartition(5, axis=1)[:, :5]
    hands = np.ascontiguousarray(np.tile(keys, (20, 1)), np.uint8)
    evaluate_hands(hands[:10])
    spent = min(seconds(lambda: evaluate_hands(hands))[0] for _ in range(3))
    rate = len(hands) / spent
    return Row(name, f"{rate / 1e6:.1f} M/s", "-", rate / HANDS_TARGET, wanted, rate >= HANDS_TARGET)


def sevens_a_second() -> Row:
    name, wanted = "seven-card hands evaluated per second, in random order, one core", ">= 100 M/s"
    rng = np.random.default_rng(1)
    keys = rng.random((HANDS // 20, 52)).argpartition(7, axis=1)[:, :7]
    hands = np.ascontiguousarray(np.tile(keys, (20, 1))[rng.permutation(HANDS)], np.uint8)
    hand_strengths(hands[:10])
    spent = min(processor_seconds(lambda: hand_strengths(hands))[0] for _ in range(3))
    rate = len(hands) / spent
    detail = {"bytes_of_tables": hand_tables().bytes}
    return Row(name, f"{rate / 1e6:.1f} M/s", "-", rate / SEVENS_TARGET, wanted, rate >= SEVENS_TARGET, detail)


def all_sevens() -> Row:
    spent, counts = processor_seconds(category_counts)
    right = sum(counts) == 133_784_560
    name = "all 133,784,560 seven-card hands, counted by category, one core"
    return Row(name, f"{spent:.2f} s", "-", None, "< 10 s", right and spent < 10)


def equities_a_second() -> Row:
    """Two hands before the flop: 1,712,304 boards each time."""
    equities(["AsKs", "QdQh"])
    spent = min(processor_seconds(lambda: equities(["AsKs", "QdQh"]))[0] for _ in range(5))
    return Row("exact equities of two hands before the flop per second", f"{1 / spent:.1f}/s", "-", None, "-", None)


def external_sampling_against_open_spiel() -> Row:
    title, wanted = "leduc, external-sampling iterations/s, against OpenSpiel's C++", f">= {WALKS_TARGET} x"
    if not have("pyspiel"):
        return skipped(title, "open_spiel is not installed", wanted)
    import pyspiel

    solver = pyspiel.ExternalSamplingMCCFRSolver(pyspiel.load_game("leduc_poker"), seed=1)
    solver.run_iteration()
    minimizer = RegretMinimizer(GameTree.of(load_game("leduc")), algorithm="external")
    minimizer.run(1000)
    ratios, ours_rate, their_rate = [], 0.0, 0.0
    for _ in range(3):
        spent, _nothing = processor_seconds(lambda: minimizer.run(WALKS // 3))
        theirs_spent, _nothing = processor_seconds(
            lambda: [solver.run_iteration() for _ in range(THEIR_WALKS // 3)] and None
        )
        ours_rate, their_rate = WALKS // 3 / spent, THEIR_WALKS // 3 / theirs_spent
        ratios.append(ours_rate / their_rate)
    ratio = sorted(ratios)[1]
    detail = {"ratios": ratios}
    return Row(title, f"{ours_rate:,.0f}/s", f"{their_rate:,.0f}/s", ratio, wanted, ratio >= WALKS_TARGET, detail)


def deals_a_second(name: str, depth: int | None) -> Row | None:
    try:
        game = load_game(name)
    except BadInput:
        return None
    view, seat = first_view(game)
    limits = {} if depth is None else {"depth": depth}
    search(game, view, seat=seat, algorithm="deals", deals=2, **limits)
    # The best action may be clear soon: what was dealt by then is counted, again and again.
    dealt, spent, nodes = 0, 0.0, 0
    for seed in range(1, 6):
        found = search(game, view, seat=seat, algorithm="deals", deals=20_000, time=1.0, seed=seed, **limits)
        dealt, spent, nodes = dealt + max(found.visits.values()), spent + found.seconds, nodes + found.nodes
    how = f"{nodes / spent / 1e6:.2f} M nodes/s, depth {found.depth}"
    return Row(f"{name}, Monte Carlo minimax, deals/s", f"{dealt / spent:,.0f}/s", how, None, "-", None)


def rows() -> list[Row]:
    found = [regret_against_open_spiel(*case) for case in SOLVED]
    measured = [deals_a_second(name, depth) for name, depth in DEALT]
    found += [external_sampling_against_open_spiel(), hands_a_second(), sevens_a_second(), all_sevens()]
    return [*found, equities_a_second(), *(row for row in measured if row is not None)]


if __name__ == "__main__":
    for row in rows():
        print(row)
