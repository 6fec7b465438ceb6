"""Learned evaluations: how fast backgammon's network is beside gnubg's own, and tuples beside evaluations by hand.

python benchmarks/learned.py        # the rows alone, without the rest of `make bench`
"""

from __future__ import annotations

import re
import shutil
import subprocess
import tempfile
from pathlib import Path
from typing import Any

import numpy as np

from measure import Row, rate, seconds, side_by_side, skipped
from plywright import load_game, search
from plywright.bits import read_state, write_state
from plywright.compiled import Workspace, kernel
from plywright.knowledge import knowledge_of
from plywright.models.cells import sample_states
from plywright.models.loading import make_model
from plywright.state import leaves

TWICE, THIRD = 2.0, 1 / 3
STATES = 2000


@kernel
def value_all(game, knowledge, start, rounds, count, size, work):
    """The values of all states, so many times."""
    total = 0.0
    for _ in range(rounds):
        for n in range(count):
            state = read_state(work.states, n * size, start)
            total += knowledge.evaluate(state, 0)
    return total


def network_against_gnubg() -> Row:
    name, target = "backgammon's network, positions valued, against gnubg's own calibration", f">= {TWICE:g} x"
    program = shutil.which("gnubg") or "/usr/games/gnubg"
    if not Path(program).exists():
        return skipped(name, "gnubg is not installed", target)
    game = load_game("backgammon")
    network = knowledge_of(game, "network")
    states = [state for state in sample_states(game, STATES) if game.at_chance(state) and state.roll == 0]
    size = len(leaves(game.start_state))
    words = np.zeros(len(states) * size, np.int64)
    for n, state in enumerate(states):
        write_state(words, n * size, state)
    work = Workspace(states=words)
    arguments: Any = (network, game.start_state, 1, len(states), size, work)
    value_all(game, *arguments)
    ours, theirs = [], []
    for _ in range(3):
        spent, _ = seconds(lambda: value_all(game, network, game.start_state, 200, len(states), size, work))
        ours.append(200 * len(states) / spent)
        theirs.append(calibration(program))
    ours.sort()
    theirs.sort()
    ratio = ours[1] / theirs[1]
    shown = [f"{each[1] / 1e3:,.0f} k values/s" for each in (ours, theirs)]
    units: int = network.hidden  # type: ignore[attr-defined]
    return Row(name, shown[0], shown[1], ratio, target, ratio >= TWICE, {"hidden": units})


def calibration(program: str) -> float:
    """What gnubg says of itself, with one thread."""
    with tempfile.NamedTemporaryFile("w", suffix=".txt") as commands:
        commands.write("set threads 1\ncalibrate 3\n")
        commands.flush()
        told = subprocess.run(
            [program, "-t", "-q", "-r", "-c", commands.name],
            stdin=subprocess.DEVNULL,
            capture_output=True,
            text=True,
            check=False,
        )
    found = re.search(r"([\d.]+) static evaluations", told.stdout)
    assert found is not None, told.stdout
    return float(found[1])


def tuples_against_hand(name: str, hand: str | None) -> Row:
    """Nodes per second of alpha-beta with tuples, as `learn` makes them, and with the evaluation by hand."""
    game = load_game(name)
    model = make_model(game)
    model.weights[:] = np.random.default_rng(1).normal(0, 0.02, len(model.weights))  # type: ignore[attr-defined]
    own = knowledge_of(game, hand)
    state = sample_states(game, 200, seed=3)[12]
    nodes = 400_000

    def run(knowledge: Any) -> float:
        return search(game, state, nodes=nodes, knowledge=knowledge).nodes_per_second

    run(model), run(own)
    _, _, fast, slow, _ = side_by_side(lambda: run(model), lambda: run(own), rounds=3)
    ratio = fast / slow
    words = f"{name}: alpha-beta with tuples, nodes per second beside the evaluation by hand"
    used: int = model.used  # type: ignore[attr-defined]
    return Row(words, rate(fast), rate(slow), ratio, ">= 0.33 x", ratio >= THIRD, {"tuples": used})


def rows() -> list[Row]:
    found = [network_against_gnubg()]
    found += [tuples_against_hand("othello", "hand"), tuples_against_hand("breakthrough", None)]
    return found


if __name__ == "__main__":
    for row in rows():
        print(row.as_dict())
