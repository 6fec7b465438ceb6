"""Simulations per second of Monte Carlo tree search against OpenSpiel's MCTSBot, both with uniform playouts."""

from __future__ import annotations

import importlib.util
import statistics
from typing import Any

from measure import Row, seconds, skipped
from plywright import MonteCarloTree, load_game
from plywright.errors import BadInput
from plywright.games.knowledge_texts import know

EXPLORATION = 2.0
ROUNDS = 5
# our name, OpenSpiel's, simulations of ours and of theirs in a round, times faster that is wanted
GAMES = (
    ("connect-four", "connect_four", 400_000, 30_000, 8),
    ("othello", "othello", 100_000, 1_500, 60),
    ("backgammon", "backgammon", 10_000, 500, 20),
)


def against_open_spiel(ours: str, theirs: str, our_number: int, their_number: int, wanted: int) -> Row:
    """Rounds side by side, one thread each; the opening throw of a game with dice is the same for both."""
    title, target = (
        f"{ours}, simulations of UCT with uniform playouts, against OpenSpiel's C++ MCTSBot",
        f">= {wanted} x",
    )
    try:
        game = know(load_game(ours), "none")
    except BadInput:
        return skipped(title, f"there is no game {ours}", target)
    if importlib.util.find_spec("pyspiel") is None:
        return skipped(title, "open_spiel is not installed", target)
    import pyspiel

    start = game.start_state
    if game.has_chance:
        outcome = next(iter(game.chance(start)))[0]  # type: ignore[attr-defined]
        start = game.coerce_state(game.result(start, outcome))
    their_game = pyspiel.load_game(theirs)
    their_start = their_game.new_initial_state()
    while their_start.is_chance_node():
        their_start.apply_action(their_start.legal_actions()[0])
    MonteCarloTree(game, start, memory=1, exploration=EXPLORATION).search(simulations=10)  # compiled before the clock
    mine, other = [], []
    for number in range(ROUNDS):
        tree = MonteCarloTree(game, start, exploration=EXPLORATION, seed=number)
        spent, found = seconds(lambda tree=tree: tree.search(simulations=our_number))
        mine.append(found.nodes / spent)
        spent, _ = seconds(lambda number=number: their_search(their_game, their_start, their_number, number))
        other.append(their_number / spent)
    ratios = sorted(a / b for a, b in zip(mine, other, strict=True))
    ratio = statistics.median(ratios)
    detail = {"ratios": ratios, "ours": mine, "theirs": other, "simulations": our_number}
    return Row(title, per_second(mine), per_second(other), ratio, target, ratio >= wanted, detail)


def their_search(game: Any, state: Any, simulations: int, seed: int) -> Any:
    import pyspiel

    evaluator = pyspiel.RandomRolloutEvaluator(1, seed)
    # (game, evaluator, exploration, simulations, megabytes, solve, seed, verbose)
    return pyspiel.MCTSBot(game, evaluator, EXPLORATION, simulations, 1000, True, seed, False).mcts_search(state)


def per_second(rates: list[float]) -> str:
    return f"{statistics.median(rates) / 1e3:,.1f} k simulations/s"


def rows() -> list[Row]:
    return [against_open_spiel(*game) for game in GAMES]


if __name__ == "__main__":
    for game in GAMES:
        row = against_open_spiel(*game)
        print(f"{row.name}: {row.ours}, {row.theirs}, {row.ratio and round(row.ratio, 1)} ({row.target})", flush=True)
