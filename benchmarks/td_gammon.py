"""TD-Gammon's road: a network of 198 inputs that has played backgammon against itself, and how good it is by then.

    python benchmarks/td_gammon.py train --hidden 40 --folder nets    # td-published-40-10000.knowledge ...
    python benchmarks/td_gammon.py points nets/td-published-40-10000.knowledge --games 2000

    python benchmarks/td_gammon.py between new.knowledge old.knowledge --games 20000
    python benchmarks/td_gammon.py curve benchmarks/matches/td-gammon.json --svg docs/images/td-gammon.svg

Points a game are counted with gammons and backgammons, without the cube, one ply deep, against the evaluation by hand,
or against another net, each dice sequence from both sides.
"""

from __future__ import annotations

import argparse
import json
import math
import sys
import time
from pathlib import Path
from typing import Any

import numpy as np

from plywright import load_game
from plywright.arena.referee import play_game
from plywright.bits import float_scratch, scratch
from plywright.compiled import Workspace, kernel
from plywright.draw.curve import Series, curve_svg
from plywright.files import write_whole
from plywright.game import CHANCE
from plywright.games.backgammon.contact import MEANS, PER_SIDE, PIPS, SCALES
from plywright.games.backgammon.inputs import PUBLISHED, RACE
from plywright.knowledge import knowledge_of
from plywright.learning.trainer import Schedule, Trainer
from plywright.models.loading import keep_model, make_model, open_model
from plywright.models.model_file import read_model
from plywright.players import Mode
from plywright.players.searching import SearchPlayer
from plywright.rng import below, scramble, seeded

ON_ROLL = 196
"""The published input for who is on roll."""
STEPS = "10000@1,50000@1,200000@0.5,500000@0.25"
"""Games by which a net is kept, and the rate until then."""
WHOLE = 180
"""Parts in which chances of dice are whole: 1/36, 1/18 and, for the first roll, 1/30."""
CHUNK = 5_000
MEAN = "m"
"""A step that ends so, as 2000000@0.1m does, keeps the mean of the nets after each CHUNK games of it."""


def train(arguments: argparse.Namespace) -> None:
    """Play and learn, a net kept at every milestone; a run that was stopped goes on from the last one."""
    game = load_game("backgammon")
    folder, label = Path(arguments.folder), f"td-{arguments.inputs}-{arguments.hidden}"
    model = make_model(game, "network", on=arguments.inputs, hidden=arguments.hidden)
    spent, played = 0.0, 0
    if arguments.start:
        spent, played = widen(model, arguments.start)
    for number, step in enumerate(arguments.steps.split(",")):
        games, rate = int(step.partition("@")[0]), float(step.partition("@")[2].rstrip(MEAN))
        path = folder / f"{label}-{games}.knowledge"
        if path.exists():
            model = open_model(path, game).copy()
            spent, played = float(read_model(path).training["seconds"]), games
            continue
        schedule = Schedule(opening=0, rate=rate, decay=arguments.decay)
        trainer = Trainer(model, schedule, workers=arguments.workers, seed=arguments.seed + number)
        began = time.process_time()
        total = {name: np.zeros(array.shape) for name, array in model.workspace().items()}
        for part in range(played, games, CHUNK):
            for progress in trainer.run(games=min(CHUNK, games - part), stretch=600.0):
                print(label, part, progress, file=sys.stderr, flush=True)
            for name, array in model.workspace().items():
                total[name] += array
        if step.endswith(MEAN):
            for name, array in model.workspace().items():
                array[:] = total[name] / math.ceil((games - played) / CHUNK)
        spent, played = spent + time.process_time() - began, games
        record = {"games": played, "seconds": round(spent), "seed": arguments.seed, "rate": rate}
        keep_model(model, path, record)
        print(json.dumps({"file": str(path), **record}), flush=True)


def widen(model: Any, path: Path) -> tuple[float, int]:
    """Go on from a net with fewer inputs or hidden units, or with inputs that are not centred. Its seconds and games.

    Inputs and hidden units that are new begin without a say: those inputs' weights to the old units are zero, and so
    are the new units' to the outputs. Positions that have crashed begin as contact where there was no net for them.
    """
    file = read_model(path)
    phases = len(model.out_bias) // model.outputs
    units, parts = int(file.options["hidden"]), len(file.arrays["out_bias"]) // model.outputs
    rows, old = model.rows.reshape(phases, -1, model.hidden), file.arrays["rows"].reshape(parts, -1, units)
    bias, old_bias = model.bias.reshape(phases, -1), file.arrays["bias"].reshape(parts, -1)
    out, old_out = (
        array.reshape(-1, n, model.outputs) for array, n in ((model.out, model.hidden), (file.arrays["out"], units))
    )
    few = old.shape[1]
    for part in range(phases):
        like = part if part < parts else 0
        rows[part, :, :units] = 0
        rows[part, :few, :units] = old[like]
        bias[part, :units] = old_bias[like]
        if few < rows.shape[1]:
            bias[part, :units] += old[like, ON_ROLL]  # which was always 1
        elif model._on == "centred" != file.options.get("on"):
            seen = [PIPS, PER_SIDE + PIPS] if part == RACE else range(2 * PER_SIDE)
            for n in seen:
                bias[part, :units] += MEANS[n] * old[like, PUBLISHED + n]
            rows[part, PUBLISHED:, :units] /= SCALES[:, None]
        out[part] = 0
        out[part, :units] = old_out[like]
        last = slice(part * model.outputs, (part + 1) * model.outputs)
        model.out_bias[last] = file.arrays["out_bias"].reshape(parts, -1)[like]
    return float(file.training["seconds"]), int(file.training["games"])


def points(arguments: argparse.Namespace) -> None:
    game = load_game("backgammon")
    ours = SearchPlayer("search", "network", knowledge=open_model(arguments.file, game), depth=1)
    theirs = SearchPlayer("search", "by hand", knowledge=knowledge_of(game, "hand"), depth=1)
    found = []
    for number in range(arguments.games // 2):
        for seat in (0, 1):
            players = [ours, theirs] if seat == 0 else [theirs, ours]
            record = play_game(game, players, mode=Mode.parse("depth:1"), seed=arguments.seed * 1_000_000 + number)
            found.append((record.payoffs or (0.0, 0.0))[seat])
    pairs = [(a + b) / 2 for a, b in zip(found[::2], found[1::2], strict=True)]
    file = read_model(arguments.file)
    line = {"hidden": file.options["hidden"], "learned_from": file.training["games"], "games": len(found)}
    print(json.dumps(line | mean_and_error(pairs)))


@kernel
def best_play(game, knowledge, state):
    """The play after which the position is worth most to whoever moves, at first sight."""
    mover = game.to_move(state)
    near, inputs, sums = scratch(), float_scratch(), float_scratch()
    near[0] = 0
    best, chosen = -math.inf, 0
    for action in game.actions(state):
        after = game.result(state, action)
        if game.is_terminal(after):
            value = 1.0 * game.utility(after, mover)
        else:
            value = 1.0 * knowledge.evaluate_beside(after, mover, near, inputs, sums)
        if value > best:
            best, chosen = value, action
    return chosen


@kernel
def thrown(game, state, rng):
    """An outcome of the dice, as likely as it is."""
    left, found = below(rng, WHOLE), 0
    for outcome, chance in game.chance(state):
        found = outcome
        left -= round(chance * WHOLE)
        if left < 0:
            break
    return found


@kernel
def play_out(game, ours, theirs, start, seat, work):
    """One game; what `ours`, at this seat, gets."""
    state = start
    while not game.is_terminal(state):
        if game.to_move(state) == CHANCE:
            action = thrown(game, state, work.rng)
        elif game.to_move(state) == seat:
            action = best_play(game, ours, state)
        else:
            action = best_play(game, theirs, state)
        state = game.result(state, action)
    return 1.0 * game.utility(state, seat)


def between(arguments: argparse.Namespace) -> None:
    """Points a game of one net against another, at 0-ply, with the same dice from both sides."""
    game = load_game("backgammon")
    ours, theirs = (open_model(path, game) for path in (arguments.file, arguments.other))
    work: Any = Workspace(rng=seeded(0))
    pairs = []
    for number in range(arguments.games // 2):
        both = []
        for seat in (0, 1):
            work.rng[0] = scramble(arguments.seed * 1_000_000 + number)
            both.append(float(play_out(game, ours, theirs, game.start_state, seat, work)))
        pairs.append(sum(both) / 2)
    line = {"file": arguments.file.name, "other": arguments.other.name, "seed": arguments.seed, "games": 2 * len(pairs)}
    print(json.dumps(line | mean_and_error(pairs)))


def mean_and_error(pairs: list[float]) -> dict[str, float]:
    """Points a game, and the standard error by pairs."""
    mean = sum(pairs) / len(pairs)
    error = math.sqrt(sum((p - mean) ** 2 for p in pairs) / max(len(pairs) - 1, 1) / len(pairs))
    return {"points": round(mean, 4), "error": round(error, 4)}


def curve(arguments: argparse.Namespace) -> None:
    """Draw what `points` has printed, line by line."""
    rows = [json.loads(line) for line in arguments.file.read_text().splitlines()]
    series = []
    for hidden in sorted({row["hidden"] for row in rows}):
        some = sorted((row["learned_from"], row["points"]) for row in rows if row["hidden"] == hidden)
        series.append(Series(f"{hidden} hidden units", some))
    labels = {"x_label": "games of self-play", "y_label": "points a game against the evaluation by hand"}
    write_whole(arguments.svg, curve_svg(series, title="TD-Gammon's road", log_x=True, **labels).encode())


def main() -> None:
    parser = argparse.ArgumentParser()
    commands = parser.add_subparsers(required=True)
    training = commands.add_parser("train")
    training.add_argument("--hidden", type=int, default=40)
    training.add_argument("--workers", type=int, default=1)
    training.add_argument("--seed", type=int, default=1)
    training.add_argument("--inputs", default="published", choices=("published", "hand", "centred"))
    training.add_argument("--decay", type=float, default=0.0)
    training.add_argument("--start", type=Path, help="a net, also a smaller one or with other inputs, to go on from")
    training.add_argument("--folder", default=".")
    training.add_argument("--steps", default=STEPS, help="GAMES@RATE, GAMES@RATEm and so on")
    training.set_defaults(run=train)
    counting = commands.add_parser("points")
    counting.add_argument("file", type=Path)
    counting.add_argument("--games", type=int, default=2000)
    counting.add_argument("--seed", type=int, default=1)
    counting.set_defaults(run=points)
    matching = commands.add_parser("between", help="one net against another, at 0-ply")
    matching.add_argument("file", type=Path)
    matching.add_argument("other", type=Path)
    matching.add_argument("--games", type=int, default=20_000)
    matching.add_argument("--seed", type=int, default=1)
    matching.set_defaults(run=between)
    drawing = commands.add_parser("curve")
    drawing.add_argument("file", type=Path)
    drawing.add_argument("--svg", type=Path, required=True)
    drawing.set_defaults(run=curve)
    arguments = parser.parse_args()
    arguments.run(arguments)


if __name__ == "__main__":
    main()
