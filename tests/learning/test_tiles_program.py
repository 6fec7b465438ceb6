"""`benchmarks/cuda/tiles.cu`, built for the CPU, takes the steps that the trainer takes."""

from __future__ import annotations

import json
import os
import shutil
import subprocess
import sys
from pathlib import Path

import numpy as np
import pytest

from plywright import load_game
from plywright.learning.trainer import Trainer
from plywright.models.loading import make_model

BENCHMARKS = Path(__file__).parent.parent.parent / "benchmarks"
GAMES = 60


@pytest.mark.slow
@pytest.mark.skipif(shutil.which("g++") is None, reason="there is no C++ compiler")
def test_the_program_for_graphics_processors_learns_what_the_trainer_learns(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    program, folder = tmp_path / "tiles", tmp_path / "made"
    source = str(BENCHMARKS / "cuda" / "tiles.cu")
    subprocess.run(["g++", "-O2", "-x", "c++", "-o", str(program), source], check=True)
    asked = [str(program), str(folder), "4", "1000", "1:1G:1"]
    subprocess.run(asked, check=True, env={**os.environ, "GAMES": str(GAMES), "SEED": "3"}, stdout=subprocess.DEVNULL)
    monkeypatch.syspath_prepend(str(BENCHMARKS))
    from tiles_training import SCHEDULE

    trainer = Trainer(make_model(load_game("2048")), SCHEDULE, seed=3)
    *_, last = trainer.run(games=GAMES)
    told = json.loads((folder / "log.jsonl").read_text().splitlines()[-1])
    assert (told["games"], told["moves"]) == (GAMES, last.moves)
    weights = np.load(folder / "state" / "weights.npy")
    mine = np.asarray(trainer.crew[0].weights)
    assert np.count_nonzero(mine) > 10_000
    assert np.array_equal(weights != 0, mine != 0)
    assert np.abs(weights - mine).max() < 1e-3 < np.abs(mine).max()
    memory = np.load(folder / "state" / "memory.npy")
    assert np.allclose(memory, np.asarray(trainer.crew[0].memory), rtol=1e-5, atol=1e-2)


def test_parts_of_a_match_against_gnubg_become_one_record(tmp_path: Path) -> None:
    part = {"knowledge": "network", "plies": 0, "width": 8, "margin": 0.16, "seed": 1}
    for name, first in (("a", 2), ("b", 0), ("c", 1)):
        (tmp_path / name).write_text(json.dumps(part | {"first": first, "pairs": [first / 2, -1.0][: 1 + (first > 0)]}))

    def join(*names: str) -> subprocess.CompletedProcess[str]:
        words = [sys.executable, str(BENCHMARKS / "gnubg.py"), "join", "made.json", *names]
        return subprocess.run(words, capture_output=True, text=True, cwd=tmp_path)

    assert join("a", "b").returncode == 0
    made = json.loads((tmp_path / "made.json").read_text())
    assert (made["games"], made["points"]) == (6, 0.0)
    assert [each["first"] for each in made["parts"]] == [0, 2]
    refused = join("a", "c")  # the second pair of c is the first of a
    assert refused.returncode != 0 and "two of them" in refused.stderr
