"""Monte Carlo trees whose simulations end with the evaluation after so many plies, against trees that play to the end.

    python benchmarks/cutoffs.py othello breakthrough --openings 20 --simulations 600
    python benchmarks/cutoffs.py othello --cutoffs 0 --against 4

Equal numbers of simulations, random openings, both seats; a cut simulation takes less time, which is not counted. What
is clearly ahead is what the knowledge of a game that ships says (`cutoff`). With few simulations almost any evaluation
is ahead of random play to the end: give as many as a move really has.
"""

from __future__ import annotations

import argparse
import json
from typing import Any

from plywright import MonteCarloTree, load_game
from plywright.games import as_knowledge
from plywright.rng import below, seeded

TO_THE_END = 10**6
"""As a cutoff: none."""
OPENING_PLIES = 4
LONGEST = 300
"""Plies of a game; a longer one is drawn."""


def points(pair: tuple[MonteCarloTree, MonteCarloTree], opening: Any, simulations: int) -> float:
    """What the tree that moves first gets of one game: 1, 0.5 or 0."""
    game, state = pair[0].game, opening
    for _ in range(LONGEST):
        if game.is_terminal(state):
            break
        side = int(game.team(int(game.to_move(state))) != game.team(0))
        action = pair[side].search(state, simulations=simulations).action
        state = game.coerce_state(game.result(state, action))
    value = game.utility(state, 0) if game.is_terminal(state) else game.neutral_value
    return float(value > game.neutral_value) + 0.5 * float(value == game.neutral_value)


def opening(game: Any, number: int) -> Any:
    """A state some random plies into the game, or its start where such a game is over."""
    rng, state = seeded(number), game.start_state
    for _ in range(OPENING_PLIES):
        actions = [int(action) for action in game.actions(state)]
        state = game.coerce_state(game.result(state, actions[below(rng, len(actions))]))
        if game.is_terminal(state):
            return game.start_state
    return state


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("games", nargs="+")
    parser.add_argument("--knowledge", default=None)
    parser.add_argument("--openings", type=int, default=20)
    parser.add_argument("--simulations", type=int, default=600)
    parser.add_argument("--cutoffs", type=int, nargs="+", default=[4, 0])
    parser.add_argument("--against", type=int, default=TO_THE_END)
    asked = parser.parse_args()
    for name in asked.games:
        game = load_game(name)
        knowledge = as_knowledge(game, asked.knowledge)
        other = MonteCarloTree(game, knowledge=knowledge, memory=32, cutoff=asked.against)
        for cut in asked.cutoffs:
            tree = MonteCarloTree(game, knowledge=knowledge, memory=32, cutoff=cut)
            won = 0.0
            for number in range(asked.openings):
                start = opening(game, number)
                won += points((tree, other), start, asked.simulations)
                won += 1 - points((other, tree), start, asked.simulations)
            row = {"game": name, "knowledge": knowledge.name, "cutoff": cut, "against": asked.against}
            row |= {"simulations": asked.simulations, "games": 2 * asked.openings, "points": won}
            print(json.dumps(row), flush=True)


if __name__ == "__main__":
    main()
