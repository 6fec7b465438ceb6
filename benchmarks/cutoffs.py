"""Which cutoff Monte Carlo trees choose by themselves (engine/montecarlo/cutoff_trial.py); whether more time agrees.

    python benchmarks/cutoffs.py othello@hand othello breakthrough connect-four checkers   # 4 ms a move, as by itself
    python benchmarks/cutoffs.py breakthrough --milliseconds 20 --pairs 10

Trees that evaluate their simulations after 0 or 4 plies against trees that play them to the end: pairs of games from
random openings, seats swapped, as many simulations a move as each makes in the same time of the processor. `ahead` is
in standard errors; a pair more is played until it is clear or there were so many pairs.
"""

from __future__ import annotations

import argparse
import json
import time

from plywright.engine.montecarlo import cutoff_trial
from plywright.engine.montecarlo.cutoff_trial import MILLISECONDS, MOST, CutoffTrial


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("games", nargs="+", help="a game, or GAME@KNOWLEDGE")
    parser.add_argument("--milliseconds", type=float, default=MILLISECONDS)
    parser.add_argument("--pairs", type=int, default=MOST)
    parser.add_argument("--seed", type=int, default=1)
    asked = parser.parse_args()
    cutoff_trial.MOST = asked.pairs
    for text in asked.games:
        name, _, knowledge = text.partition("@")
        began = time.process_time()
        trial = CutoffTrial(name, knowledge or None, milliseconds=asked.milliseconds, seed=asked.seed)
        row = {"game": name, "knowledge": trial.knowledge.name, "milliseconds": asked.milliseconds, "seed": asked.seed}
        row |= {"simulations": trial.simulations, "chosen": trial.run()}
        row |= {f"cutoff_{s.cutoff}": {"games": s.games, "ahead": round(s.ahead, 1)} for s in trial.scores}
        print(json.dumps({**row, "cpu": round(time.process_time() - began, 1)}), flush=True)


if __name__ == "__main__":
    main()
