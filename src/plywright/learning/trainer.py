"""Training: self-play in all workers, which share one set of weights, in stretches between which files are written.

A worker is a thread: kernels let go of the interpreter, and the weights are the same memory for all. With one worker a
run is repeated exactly by its seed and its number of games; several workers write as they come, and are not.
"""

from __future__ import annotations

import contextlib
import math
import time as clock
from collections.abc import Iterator
from dataclasses import asdict, dataclass
from typing import Any

import numpy as np

from ..compiled import Workspace
from ..counters import FAULT, NODES, NOT_A_NUMBER
from ..engine.kernel_runner import blame, run_all
from ..errors import BadInput, GameError, PlywrightError, shown
from ..faults import complaint
from ..game import Game
from ..models.cells import sample_states
from ..models.model import LOSS, RATE, SQUARES, STEPS, TALLY, Model
from ..number import is_real, is_whole
from ..rng import scramble, seeded
from ..smoke_test import smoke_test
from ..state import leaves
from . import self_play as kernels
from .culprit import examine_at_random, raise_culprit
from .options import check_games, check_workers, plain
from .self_play import fit, self_play

METHODS = ("td", "leaf", "regression")
LOSSES = ("logistic", "squares")
WHOLE = ("depth", "opening", "passes")
"""What of a schedule is counted, not measured."""
MANY = 1 << 60
FEW_ACTIONS, SAMPLED = 8, 300
"""Actions of a position up to which, on average over so many, self-play looks further ahead."""
SHORTEST = 0.05
"""Seconds that are not worth another stretch."""


@dataclass(frozen=True)
class Schedule:
    """How games are played and learned from."""

    depth: int = 1
    """Plies that a player looks ahead."""
    opening: int = 8
    """A game begins with 0 to so many plies at random."""
    rate: float = 1.0
    """The step size, in shares of an error."""
    decay: float = 0.8
    """Lambda: how much of what comes later counts, beside the next value."""
    noise: float = 0.0
    """The temperature of choices, as a share of the largest utility; 0 is greedy."""
    random: float = 0.0
    """The share of moves that are made blindly."""
    method: str = "td"
    """How a game teaches: td, leaf (TD-leaf) or regression on the search's values and the outcome, mixed by lambda."""
    loss: str = "logistic"
    """What is made least: logistic, or squares (least squares)."""
    passes: int = 2
    """How often regression learns from each state."""

    def check(self) -> None:
        for name, known in (("method", METHODS), ("loss", LOSSES)):
            if getattr(self, name) not in known:
                raise BadInput(f"{name} is {', '.join(known[:-1])} or {known[-1]}, not {shown(getattr(self, name))}")
        for name, low, high in (
            *(("depth", 1, 8), ("opening", 0, 200), ("rate", 1e-6, 10), ("decay", 0, 1)),
            *(("noise", 0, 10), ("random", 0, 1), ("passes", 1, 100)),
        ):
            value = plain(getattr(self, name))
            said = "lambda (decay)" if name == "decay" else name
            if not is_real(value) or not low <= value <= high:
                raise BadInput(f"{said} is a number from {low:g} to {high:g}, not {shown(value)}")
            if name in WHOLE and not is_whole(value):
                raise BadInput(f"{said} is a whole number, not {shown(value)}")


def room_for(game: Game) -> tuple[int, type]:
    """How many places of an array a state takes, and of what kind: states that are not numbers in one shape lie there
    as they are, for interpreted self-play."""
    return (len(leaves(game.start_state)), np.int64) if game.fixed_states else (1, object)


def fitting_depth(game: Game) -> int:
    """Plies that self-play looks ahead where nobody says: three in games with few actions, and otherwise one.

    What three plies see, such as threats, the model need not learn by heart, and its own estimates there are better
    teachers. Where positions have many actions, as many games more as that costs teach more.
    """
    if game.has_chance or game.players != 2:
        return 1
    counts = [len(list(game.actions(state))) for state in sample_states(game, SAMPLED)]
    return 3 if sum(counts) <= FEW_ACTIONS * len(counts) else 1


@dataclass(frozen=True)
class Progress:
    """How far a training is."""

    games: int
    moves: int
    seconds: float
    games_per_second: float
    loss: float
    """The mean squared error of the values since the last report, in squares of the largest utility."""
    first_wins: float
    """The share of games that the first player won."""
    mean_utility: float
    """What a game brought the first player on average."""
    unfinished: float
    """The share of games that were broken off for their length."""

    def as_dict(self) -> dict[str, Any]:
        return {name: round(value, 6) if isinstance(value, float) else value for name, value in asdict(self).items()}


class Diverged(GameError):
    """Learning brought about a number that is none; the weights before it are kept."""


class Trainer:
    """Trains one model."""

    def __init__(self, model: Model, schedule: Schedule | None = None, *, workers: int = 1, seed: int = 1) -> None:
        check_workers(workers, 256)
        self.model, self.schedule, self.workers, self.seed = model, schedule or Schedule(), workers, seed
        self.schedule.check()
        self.game = model.game
        if model.several and self.schedule.method != "td":
            raise BadInput(f"a model with several outputs learns by td, not by {self.schedule.method}")
        if model.several and self.schedule.loss != LOSSES[0]:
            loss = self.schedule.loss
            raise BadInput(f"a model with several outputs makes the {LOSSES[0]} loss least, not {loss}: leave loss out")
        examine_at_random(model)
        smoke_test(self.game, model)
        self.seconds = 0.0
        shared = model.workspace()
        stop = np.zeros(1, np.int64)
        self.crew: list[Any] = [self.workspace(worker, stop, shared) for worker in range(workers)]

    def workspace(self, worker: int, stop: Any, shared: dict[str, Any], **more: Any) -> Workspace:
        """What one worker needs; `shared` is the model's, `more` the caller's own arrays."""
        game, schedule = self.game, self.schedule
        size, kind = room_for(game)
        info = np.zeros(kernels.INFO, np.int64)
        info[kernels.DEPTH], info[kernels.OPENING] = schedule.depth, schedule.opening
        info[kernels.LEAVES] = size
        info[kernels.LONGEST] = kernels.LONG if self.model.overrides("banked") else kernels.PLIES
        info[kernels.METHOD], info[kernels.PASSES] = METHODS.index(schedule.method), schedule.passes
        settings = np.zeros(kernels.SETTINGS)
        settings[kernels.LAMBDA], settings[kernels.RANDOM] = schedule.decay, schedule.random
        settings[kernels.NOISE] = schedule.noise * self.model.top
        tally = np.zeros(TALLY)
        tally[RATE], tally[LOSS] = schedule.rate, LOSSES.index(schedule.loss)
        kept = kernels.KEPT if schedule.method == "regression" else 0
        return Workspace(
            info=info,
            stop=stop,
            rng=seeded(scramble(self.seed * 1000 + worker)),
            settings=settings,
            moves=np.zeros(game.max_actions, kind),
            states=np.zeros(kernels.PLIES * size, kind),
            values=np.zeros(kernels.PLIES),
            broken=np.zeros(kernels.PLIES, np.int64),
            vectors=np.zeros(kernels.PLIES * kernels.WIDE),
            target=np.zeros(kernels.WIDE),
            line=np.full(kernels.LINE + 1, -1, np.int64),
            outcome=np.zeros(2),
            kept=np.zeros(kept * size, kind),
            aims=np.zeros(kept),
            order=np.zeros(kept, np.int64),
            tally=tally,
            **shared,
            **more,
        )

    def run(
        self, *, games: int | None = None, seconds: float | None = None, stretch: float = 1.0
    ) -> Iterator[Progress]:
        """Train until so many games, or so much time, is spent; a report about every `stretch` seconds."""
        check_games(games)
        start = self.game.start_state
        entry = self_play.entry(self.game, self.model, start, 0, self.crew[0])  # compiled before the clock starts
        left, end = MANY if games is None else games, math.inf if seconds is None else self.seconds + seconds
        while left > 0 and self.seconds < end - SHORTEST:
            before, began = self.counts(), clock.monotonic()
            deadline = began + min(stretch, end - self.seconds)
            shares = [left * (n + 1) // self.workers - left * n // self.workers for n in range(self.workers)]
            calls = [(self.model, start, share, work) for share, work in zip(shares, self.crew, strict=True)]
            with self.blaming():
                played = run_all(self_play, self.game, calls, self.crew, deadline=deadline, entry=entry)
            interrupted = int(self.crew[0].stop[0]) == 2
            self.check()
            left -= int(sum(played))
            self.seconds += clock.monotonic() - began
            over = interrupted or left <= 0 or self.seconds >= end - SHORTEST
            if over and self.schedule.method == "regression":  # what is kept and not yet learned from
                with self.blaming():
                    for work in self.crew:
                        fit(self.game, self.model, start, work)
                self.check()
            yield self._progress(before, self.counts(), clock.monotonic() - began)
            if interrupted:
                raise KeyboardInterrupt

    @contextlib.contextmanager
    def blaming(self) -> Iterator[None]:
        """Within this block, what is raised because of a hook of the author's becomes a sentence about that hook."""
        try:
            yield
        except Exception as error:
            if not isinstance(error, PlywrightError) or error.__cause__ is not None:  # raised below compiled code
                self.find_culprit()
            raise blame(self.game, error) from error

    def find_culprit(self) -> None:
        """Raise Fault where a hook of the author's gives what it must not, in a game that was being played."""
        lines = [work.line.tolist() for work in self.crew]
        raise_culprit(self.model, [line[: line.index(-1)] for line in lines], self.schedule.depth)

    def check(self) -> None:
        """Raise Diverged or GameError where a worker has met a fault."""
        for work in self.crew:
            fault = int(work.info[FAULT])
            if fault == NOT_A_NUMBER or not np.all(np.isfinite(work.tally)):
                self.find_culprit()
                raise Diverged(
                    f"{self.game.name}: learning brought a value that is no number (NaN): try a smaller --rate than "
                    f"{self.schedule.rate:g}"
                )
            if fault:
                raise GameError(f"{self.game.name}: {complaint(self.game, fault, None)}")

    def counts(self) -> list[float]:
        """Games, decisions, first player's wins, games that ended, squared errors, steps, utilities."""
        places = (kernels.GAMES, NODES, kernels.WINS, kernels.ENDED)
        found = [float(sum(work.info[place] for work in self.crew)) for place in places]
        found += [float(sum(work.tally[place] for work in self.crew)) for place in (SQUARES, STEPS)]
        return [*found, float(sum(work.outcome[1] for work in self.crew))]

    def _progress(self, before: list[float], after: list[float], seconds: float) -> Progress:
        games, _, wins, ended, squares, steps, utilities = (b - a for a, b in zip(before, after, strict=True))
        return Progress(
            games=int(after[0]),
            moves=int(after[1]),
            seconds=self.seconds,
            games_per_second=games / max(seconds, 1e-9),
            loss=squares / max(steps, 1.0),
            first_wins=wins / max(games, 1.0),
            mean_utility=utilities / max(games, 1.0),
            unfinished=max(games - ended, 0.0) / max(games, 1.0),
        )
