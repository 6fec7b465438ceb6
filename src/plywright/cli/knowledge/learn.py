"""`plywright learn`: train an evaluation and show its progress."""

from __future__ import annotations

import os
from collections.abc import Mapping
from pathlib import Path
from typing import Any

from ...engine.interrupts import interruptible
from ...games import load_game
from ...games.registry import is_path, split_path
from ...knowledge.choice import named_knowledge
from ...learning.earlier import words_aside
from ...learning.learn import MINUTES, Checkpoint, Learning, begin
from ...learning.options import check_length
from ...learning.trainer import Progress
from ...models.loading import beside
from ...models.model_file import SUFFIX, beaten
from ..cluster import opened
from ..console import busy, notes, out, print_json


def show_learn(
    name: str,
    *,
    minutes: float | None,
    games: int | None,
    workers: int | None,
    save: Path | None,
    json: bool,
    asked: Mapping[str, Any],
    cluster: str | None = None,
) -> None:
    check_length(minutes, games)
    path = save or default_path(name)
    with opened(cluster) as executor:
        training = _train(name, path, games, minutes, workers, json, {**asked, "executor": executor})
    if not json:
        out.print(f"saved: {path}, the curve: {path.with_suffix('.svg')}", markup=False)
        if training["algorithm"]:
            out.print(
                f"with it {training['algorithm']} plays better than the game's usual search, and is used", markup=False
            )
        if beaten(training):
            out.print(
                f"it lost its last match against the search without it: learn for longer, or try another --model or "
                f"--lambda; only --knowledge {path} uses it",
                markup=False,
            )
        elif is_path(name) and beside(split_path(name)[0]) == path:
            others = " or ".join(sorted(named_knowledge(load_game(name)), key="none".__ne__))
            out.print(f"searches of {name} find it by themselves; --knowledge {others} leaves it out", markup=False)
        else:
            out.print(f"use it with --knowledge {path}, or as a player: search:knowledge={path}", markup=False)


@interruptible()
def _train(
    name: str,
    path: Path,
    games: int | None,
    minutes: float | None,
    workers: int | None,
    json: bool,
    asked: Mapping[str, Any],
) -> dict[str, Any]:
    """Train, and tell how it goes; returns the record of the training."""
    executor = asked["executor"]
    usual = os.cpu_count() or 1 if executor is None else executor.count()
    with busy(f"looking at {name}"):
        learning = begin(name, workers=usual if workers is None else workers, save=path, **asked)
    if not json:
        out.print(describe(learning), markup=False)
    if learning.aside is not None:  # with --json standard output has a line of JSON for each checkpoint alone
        (notes if json else out).print(words_aside(path, learning.aside), markup=False)
    seconds = None if games is not None else 60 * (MINUTES if minutes is None else minutes)
    with busy(f"learning {learning.game.name}") as say:

        def hear(progress: Progress) -> None:
            say(line(progress))

        try:
            for checkpoint in learning.run(games=games, seconds=seconds, heard=hear):
                if json:
                    print_json(checkpoint.as_dict())
                else:
                    out.print(told(checkpoint), markup=False)
        except KeyboardInterrupt:
            notes.print(stopped(learning, path), markup=False)
            raise
    last = learning.checkpoints[-1]
    return learning.record(last.progress, last.strength)


def stopped(learning: Learning, path: Path) -> str:
    """What there is of a training that Ctrl-C has ended."""
    if not learning.saved:
        return "stopped before anything was saved"
    games = learning.model.training.get("games", 0)
    return f"stopped after {games:,} games; the weights are saved in {path}, and --from {path} goes on from them"


def default_path(name: str) -> Path:
    """`mygame.knowledge` beside `mygame.py`, or a name made of a shipped game's, in this folder."""
    if is_path(name):
        return beside(split_path(name)[0])
    letters = "".join(letter if letter.isalnum() else "-" for letter in name)
    return Path(letters.strip("-") + SUFFIX)


def describe(learning: Any) -> str:
    weights = sum(array.size for name, array in learning.model.arrays.items() if array.dtype.kind == "f")
    depth = learning.schedule.depth
    workers = "1 worker" if learning.workers == 1 else f"{learning.workers} workers"
    return (
        f"{learning.game.name}: a {learning.model.model} model with {weights:,} weights, {workers}, "
        f"self-play {depth} {'ply' if depth == 1 else 'plies'} deep, seed {learning.seed}"
    )


def line(progress: Progress) -> str:
    late = f", {progress.unfinished:.0%} of them broken off as too long" if progress.unfinished >= 0.01 else ""
    return (
        f"{progress.games:,} games{late}, {progress.games_per_second:,.0f}/s, loss {progress.loss:.4f}, "
        f"{progress.seconds:.0f} s"
    )


def told(checkpoint: Checkpoint) -> str:
    strength = "" if checkpoint.strength is None else f"; {checkpoint.strength}"
    return f"{checkpoint.number:3}  {line(checkpoint.progress)}{strength}"
