"""Find problems that proof-number search solves and the engine's search does not in as many nodes.

    python benchmarks/proof_problems.py checkers --seconds 120 --seed 1
    python benchmarks/proof_problems.py breakthrough:columns=6,rows=6 --seconds 120

Positions come from random games. Each line is for tests/engine/proof/problems.txt: nodes, game, position.
"""

from __future__ import annotations

import argparse
import time

from plywright import load_game, search
from plywright.engine.proof.dfpn_search import prove
from plywright.rng import below, seeded

MOST_NODES = 60_000
LEAST_NODES = 800  # what takes fewer is no problem


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("game")
    parser.add_argument("--seconds", type=float, default=120)
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--plies", type=int, default=40, help="of a random game, at most")
    given = parser.parse_args()
    game, rng = load_game(given.game), seeded(given.seed)
    ends = time.monotonic() + given.seconds
    while time.monotonic() < ends:
        state = game.start_state
        for _ in range(given.plies // 2 + below(rng, given.plies // 2)):
            choices = list(game.actions(state))
            after = game.state_after(state, choices[below(rng, len(choices))])
            if game.is_terminal(after):
                break
            state = after
        found = prove(game, state, nodes=MOST_NODES, keep=False, megabytes=32)
        if found.verdict and found.nodes >= LEAST_NODES and search(game, state, nodes=found.nodes).value < 1:
            print(found.nodes, game.name, game.format_state(state), flush=True)


if __name__ == "__main__":
    main()
