"""The curves of the lesson on learning (docs/td-learning.md): lambda, models, loss beside strength, learning by heart.

    python benchmarks/lesson.py run --out benchmarks/matches/lesson.json   # a minute of one core, in parts
    python benchmarks/lesson.py draw benchmarks/matches/lesson.json --folder docs/images

Strength is Elo against the evaluation by hand: 20 pairs of games from different openings of a fixed seed, both seats,
200 nodes a move, on Breakthrough of five by five. Training is one worker, seed 1, and so repeats exactly.
"""

from __future__ import annotations

import argparse
import json
import sys
from pathlib import Path
from typing import Any

from plywright import load_game
from plywright.draw.curve import Series, curve_svg
from plywright.files import write_whole
from plywright.learning.regression import fit_to, gather
from plywright.learning.strength import measure
from plywright.learning.trainer import Schedule, Trainer
from plywright.models.loading import make_model

GAME = "breakthrough:columns=5,rows=5"
MARKS = (250, 1000, 4000, 16000)
PAIRS, MODE = 20, "nodes:200"
PASSES = 60
ROADS = (("tuples", 0.0), ("tuples", 0.8), ("tuples", 1.0), ("linear", 0.8))
COLLECTIONS = (100, 3000)


def road(name: str, decay: float) -> list[dict[str, Any]]:
    """One training: games, loss and strength at every mark."""
    game = load_game(GAME)
    model = make_model(game, name)
    trainer = Trainer(model, Schedule(decay=decay), workers=1, seed=1)
    found, played = [], 0
    for mark in MARKS:
        *_, progress = trainer.run(games=mark - played, stretch=1e9)
        played = mark
        strength = measure(game, model.copy(), None, pairs=PAIRS, mode=MODE).as_dict()
        found.append({"model": name, "lambda": decay, "games": mark, "loss": progress.loss, "strength": strength})
        print(json.dumps(found[-1]), file=sys.stderr, flush=True)
    return found


def by_heart(games: int) -> list[dict[str, Any]]:
    """The error on positions that are learned from and on others, pass by pass."""
    model = make_model(load_game(GAME))
    positions = gather(model, games=games)
    fits = fit_to(model, positions, passes=PASSES)
    return [{"games": games, "pass": f.number, "learned": f.learned, "held_out": f.held_out} for f in fits]


def run(arguments: argparse.Namespace) -> None:
    """All of it; what is in the file already is not made again."""
    found: dict[str, Any] = {"game": GAME, "pairs": PAIRS, "mode": MODE, "roads": [], "fits": []}
    if arguments.out.exists():
        found = json.loads(arguments.out.read_text())
    for name, decay in ROADS:
        if not any((line["model"], line["lambda"]) == (name, decay) for line in found["roads"]):
            found["roads"] += road(name, decay)
            write_whole(arguments.out, json.dumps(found).encode())
    for games in COLLECTIONS:
        if not any(line["games"] == games for line in found["fits"]):
            found["fits"] += by_heart(games)
            write_whole(arguments.out, json.dumps(found).encode())


def draw(arguments: argparse.Namespace) -> None:
    found = json.loads(arguments.file.read_text())

    def line(name: str, decay: float, what: str) -> list[tuple[float, float]]:
        some = [each for each in found["roads"] if each["model"] == name and each["lambda"] == decay]
        return [(each["games"], each["strength"]["elo"] if what == "elo" else each["loss"]) for each in some]

    elo = {"x_label": "games of self-play", "y_label": "Elo against the evaluation by hand", "log_x": True}
    lambdas = [Series(f"lambda {decay:g}", line("tuples", decay, "elo")) for decay in (0.0, 0.8, 1.0)]
    models = [Series(name, line(name, 0.8, "elo")) for name in ("linear", "tuples")]
    losses = [Series(f"lambda {decay:g}", line("tuples", decay, "loss")) for decay in (0.0, 0.8, 1.0)]
    pictures = {
        "lesson-lambda": curve_svg(lambdas, title="How far ahead the target lies", **elo),
        "lesson-models": curve_svg(models, title="What the model can see", **elo),
        "lesson-loss": curve_svg(
            losses, title="The loss", x_label="games of self-play", y_label="mean squared TD error", log_x=True
        ),
    }
    for games in COLLECTIONS:
        some = [each for each in found["fits"] if each["games"] == games]
        series = [
            Series(words, [(each["pass"], each[key]) for each in some], marked=False)
            for words, key in (("learned from", "learned"), ("held out", "held_out"))
        ]
        labels = {"x_label": "passes over the positions", "y_label": "mean squared error"}
        pictures[f"lesson-heart-{games}"] = curve_svg(series, title=f"Positions of {games:,} games", **labels)
    for name, picture in pictures.items():
        write_whole(arguments.folder / f"{name}.svg", picture.encode())


def main() -> None:
    parser = argparse.ArgumentParser()
    commands = parser.add_subparsers(required=True)
    running = commands.add_parser("run")
    running.add_argument("--out", type=Path, required=True)
    running.set_defaults(run=run)
    drawing = commands.add_parser("draw")
    drawing.add_argument("file", type=Path)
    drawing.add_argument("--folder", type=Path, default=Path())
    drawing.set_defaults(run=draw)
    arguments = parser.parse_args()
    arguments.run(arguments)


if __name__ == "__main__":
    main()
