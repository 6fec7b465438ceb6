"""Fit the table of multi-ProbCut for a game: how far deep searches differ from shallow ones, by stage.

`python benchmarks/probcut.py othello --out table.json` plays games with the game's own knowledge (some random plies,
then short searches, with a random move now and then), searches a share of their positions depth by depth without any
guessing, and takes the standard deviation of the difference between the values of a pair of depths. `Knowledge.stage`
says which stage a position is in. What was measured on few positions is smoothed (`fitted`). The same seed gives the
same table.
"""

from __future__ import annotations

import argparse
import json
import random
import time
from collections import defaultdict
from pathlib import Path

import numpy as np

from plywright import analyse, load_game, search
from plywright.knowledge import Knowledge, knowledge_of

NODES_A_MOVE, BLUNDER = 500, 12
FEWEST = 12
"""Positions, at the least, that a deviation is taken from."""
LEAST = 0.01
"""A deviation of nothing would be taken for certainty."""


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("game")
    parser.add_argument("--knowledge")
    parser.add_argument("--positions", type=int, default=400)
    parser.add_argument("--random-plies", type=int, default=8)
    parser.add_argument("--share", type=float, default=0.25, help="of a game's positions")
    parser.add_argument("--depth", type=int, default=14)
    parser.add_argument("--nodes", type=int, default=1_000_000, help="for one position")
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--out", type=Path)
    args = parser.parse_args()
    game = load_game(args.game)
    knowledge = knowledge_of(game, args.knowledge)
    differences = measured(game, knowledge, args)
    table = fitted(differences, args.depth)
    text = json.dumps(table, indent=1)
    print(text)
    if args.out is not None:
        args.out.write_text(text + "\n")


def shallower(depth: int) -> int:
    """The depth that is to tell of another: about half of it, as odd or even as that is."""
    return max(2 * (depth // 4) + depth % 2, 2 - depth % 2)


def measured(game, knowledge: Knowledge, args: argparse.Namespace) -> dict[int, dict[int, list[float]]]:
    """By stage and depth, how far the value of that depth was from that of the shallower one."""
    rng = random.Random(args.seed)
    found: dict[int, dict[int, list[float]]] = defaultdict(lambda: defaultdict(list))
    began = time.monotonic()
    done = 0
    while done < args.positions:
        for state in positions_of(game, knowledge, rng, args):
            options = {"exact": False, "confidence": 1.0, "knowledge": knowledge, "table": 16.0}
            values = {
                result.depth: result.value
                for result in analyse(game, state, depth=args.depth, nodes=args.nodes, **options)
            }
            row = found[int(knowledge.probcut_row(state))]
            for depth in range(3, args.depth + 1):
                if depth in values and shallower(depth) in values:
                    row[depth].append(values[depth] - values[shallower(depth)])
            done += 1
            if done % 50 == 0:
                print(f"{done} positions, {time.monotonic() - began:.0f} s", flush=True)
    return found


def positions_of(game, knowledge: Knowledge, rng: random.Random, args: argparse.Namespace):
    """Some positions of one game."""
    state, ply = game.start_state, 0
    while not game.is_terminal(state):
        actions = list(game.actions(state))
        if ply >= args.random_plies and len(actions) > 1 and rng.random() < args.share:
            yield state
        if ply < args.random_plies or rng.random() * BLUNDER < 1:
            action = rng.choice(actions)
        else:
            action = search(game, state, nodes=NODES_A_MOVE, confidence=1.0, knowledge=knowledge, table=1.0).action
        state = game.coerce_state(game.result(state, action))
        ply += 1


def fitted(differences: dict[int, dict[int, list[float]]], deepest: int) -> dict:
    """The table: pairs of depths, and for every stage the deviation of each depth.

    Deviations are products of one number for the stage and one that grows with the depth alike in all stages: least
    squares on their logarithms, each weighed by the positions that it was measured on.
    """
    rows = [
        (stage, depth, len(values), float(np.sqrt(np.mean(np.square(values)))))
        for stage, by_depth in differences.items()
        for depth, values in by_depth.items()
        if len(values) >= FEWEST
    ]
    known = sorted({stage for stage, *_ in rows})
    equations = np.zeros((len(rows), len(known) + 1))
    for number, (stage, depth, *_) in enumerate(rows):
        equations[number, known.index(stage)], equations[number, -1] = 1, depth
    weights = np.sqrt([count for *_, count, _ in rows])
    logs = np.log([max(sigma, LEAST) for *_, sigma in rows])
    found = np.linalg.lstsq(equations * weights[:, None], logs * weights, rcond=None)[0]
    depths = range(3, deepest + 1)
    stages: list[dict[int, float]] = [{} for _ in range(max(differences) + 1)]
    for number, stage in enumerate(known):
        stages[stage] = {depth: round(float(np.exp(found[number] + found[-1] * depth)), 3) for depth in depths}
    return {"pairs": {depth: shallower(depth) for depth in depths}, "sigmas": stages}


if __name__ == "__main__":
    main()
