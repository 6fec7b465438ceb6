"""Training on an executor, such as a cluster: parts of self-play from the same weights, which are then put together.

A round sends the weights to as many parts as there are workers; each part plays and learns by itself, and every weight
becomes the mean of what the parts made of it, of those that changed it. With a number of games the parts and their
seeds follow from it alone: the same on one machine and on many, and a part that is lost is played again as it was.
"""

from __future__ import annotations

import time as clock
from collections.abc import Iterator, Mapping
from concurrent.futures import Executor
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from ..arena.named_files import game_files, moved_text
from ..errors import BadInput
from ..games import load_game
from ..models.loading import model_of
from ..models.model import Model
from ..models.model_file import ModelFile
from ..rng import scramble
from .options import check_games
from .trainer import SHORTEST, Progress, Schedule, Trainer

ROUND = 500
"""Games of a part in a round, at most, where games are counted."""
STRETCH = 5.0
"""Seconds of a part in a round, at most, where time is."""


@dataclass(frozen=True)
class Part:
    """What one worker plays and learns: plain data."""

    game: str
    rules: str
    """The fingerprint of the rules."""
    file: ModelFile
    schedule: Schedule
    seed: int
    games: int | None
    seconds: float | None
    folder: str

    def paths(self) -> list[Path]:
        return game_files(self.game)

    def moved(self, places: Mapping[str, str]) -> Part:
        return replace(self, game=moved_text(self.game, places, self.folder))


def train_part(part: Part) -> tuple[dict[str, NDArray[Any]], list[float]]:
    """The weights after a part, and its counts."""
    game = load_game(part.game)
    if game.fingerprint != part.rules:
        raise BadInput(f"the rules of {part.game} are others here: the training stops")
    model = model_of(part.file, game).copy()  # in this process the file's arrays may be the sender's own
    trainer = Trainer(model, part.schedule, workers=1, seed=part.seed)
    for _ in trainer.run(games=part.games, seconds=part.seconds):
        pass
    return learned(model), trainer.counts()


def learned(model: Model) -> dict[str, NDArray[Any]]:
    """The arrays that learning changes."""
    return {name: array for name, array in model.arrays.items() if array.dtype.kind == "f"}


class ClusterTrainer(Trainer):
    """Trains one model in rounds of parts."""

    def __init__(
        self, model: Model, schedule: Schedule, *, workers: int, seed: int, game: str, executor: Executor
    ) -> None:
        super().__init__(model, schedule, workers=1, seed=seed)
        if not 1 <= workers <= 4096:
            raise BadInput(f"a round has 1 to 4096 parts, not {workers}")
        self.parts, self.text, self.executor, self.rounds = workers, game, executor, 0
        self.totals = np.zeros(len(super().counts()))

    def counts(self) -> list[float]:
        return [float(total) for total in self.totals]

    def run(
        self, *, games: int | None = None, seconds: float | None = None, stretch: float = STRETCH
    ) -> Iterator[Progress]:
        check_games(games)
        end = None if seconds is None else self.seconds + seconds
        left = games
        while (left is None or left > 0) and (end is None or self.seconds < end - SHORTEST):
            before, began = self.counts(), clock.monotonic()
            room = None if end is None else min(stretch, end - self.seconds)
            shares = self._shares(left)
            self._round(shares, room)
            left = None if left is None else left - sum(share or 0 for share in shares)
            self.seconds += clock.monotonic() - began
            yield self._progress(before, self.counts(), clock.monotonic() - began)

    def _shares(self, left: int | None) -> list[int | None]:
        """The games of each part; None where time counts."""
        if left is None:
            return [None] * self.parts
        now = min(left, self.parts * ROUND)
        return [now * (n + 1) // self.parts - now * n // self.parts for n in range(self.parts)]

    def _round(self, shares: list[int | None], seconds: float | None) -> None:
        """Play the parts and put their weights together."""
        file = self.model.as_file({})
        facts = self.text, self.game.fingerprint, file, self.schedule
        tasks = [
            Part(*facts, scramble((self.seed << 24) + self.rounds * 4096 + n) >> 20, share, seconds, str(Path.cwd()))
            for n, share in enumerate(shares)
            if share != 0
        ]
        self.rounds += 1
        futures = [self.executor.submit(train_part, task) for task in tasks]
        found = [future.result() for future in futures]
        own = learned(self.model)
        for name, array in own.items():
            array[...] = together(array, [weights[name] for weights, _ in found])
        for _, counts in found:
            self.totals += counts
        self.check()


def together(before: NDArray[Any], parts: list[NDArray[Any]]) -> NDArray[Any]:
    """The mean of what parts made of weights, each over those that changed it."""
    change = np.zeros(before.shape)
    count = np.zeros(before.shape)
    for part in parts:
        change += part - before
        count += part != before
    made: NDArray[Any] = (before + change / np.maximum(count, 1)).astype(before.dtype)
    return made
