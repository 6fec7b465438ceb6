"""`learn`: a model of a game, trained for so long, saved as it goes, and held against what was there before."""

from __future__ import annotations

import contextlib
import json
import time
from collections.abc import Callable, Iterator
from concurrent.futures import Executor
from dataclasses import asdict, dataclass, replace
from pathlib import Path
from typing import Any, TypedDict, Unpack

import numpy as np

from .. import __version__
from ..draw.curve import Series, curve_svg
from ..errors import BadInput, GameError, nearest, shown
from ..files import check_writable, held, write_whole
from ..game import Game
from ..games import as_game, load_game
from ..models.loading import TREES, keep_model, make_model, open_model
from ..models.model import Model
from ..models.model_file import SUFFIX
from ..smoke_test import smoke_test
from .cluster_trainer import ClusterTrainer
from .earlier import free_name, keep_aside, place_aside
from .ladder import checkpoints_of
from .options import check_game, check_kinds, check_length, check_numbers, check_workers, plain, read_path
from .strength import Strength, measure
from .trainer import SHORTEST, Diverged, Progress, Schedule, Trainer, fitting_depth

MINUTES = 2.0
"""How long a training takes that is not told."""
CHECKPOINTS = 10
"""In a training of a given length, and about."""
EVERY = 60.0
"""Seconds between the checkpoints of one that is given games."""
LONGEST = 600.0
"""Seconds between checkpoints at most: what a killed training may lose."""
PAIRS = 20
"""Pairs of games by which a checkpoint's strength is measured."""


class ScheduleOptions(TypedDict, total=False):
    """How games are played and learned from, with the defaults of `Schedule`."""

    depth: int | None
    """Plies that a player looks ahead; by default three in games with few actions, and otherwise one."""
    opening: int | None
    """A game begins with 0 to so many plies at random."""
    rate: float | None
    """The step size, in shares of an error."""
    decay: float | None
    """Lambda: how much of what comes later counts, beside the next value."""
    noise: float | None
    """The temperature of choices, as a share of the largest utility; 0 is greedy."""
    random: float | None
    """The share of moves that are made blindly."""
    method: str | None
    """How a game teaches: "td", "leaf" or "regression"."""
    loss: str | None
    """What is made least: "logistic" or "squares"."""
    passes: int | None
    """How often regression learns from each state."""


class LearnOptions(ScheduleOptions, total=False):
    """Options of `learn`."""

    model: str
    """The kind of model: "linear", "tuples", "packed" or "network"; by default what suits the game."""
    start: str | Path | None
    """A file to go on from."""
    workers: int | None
    """How many processes play."""
    seed: int
    """What the games depend on."""
    save: str | Path | None
    """The file that every checkpoint is written to."""
    keep: bool
    """Whether each checkpoint is kept in a file of its own as well."""
    pairs: int
    """Pairs of games by which strength is measured; 0 leaves the matches out."""
    mode: str
    """How those matches are timed."""
    options: dict[str, Any] | None
    """What the model takes."""
    executor: Executor | None
    """Where games are played, such as a cluster; by default in threads of this process."""


@dataclass(frozen=True)
class Checkpoint:
    """A model that was saved, how far training was, and how strong it was then (None: not measured)."""

    number: int
    progress: Progress
    strength: Strength | None
    path: Path | None

    def as_dict(self) -> dict[str, Any]:
        found = {"checkpoint": self.number, **self.progress.as_dict()}
        found |= {"strength": None if self.strength is None else self.strength.as_dict()}
        return found | {"file": None if self.path is None else str(self.path)}


@dataclass
class Learning:
    """A training as it goes: what was asked for, the model, and the checkpoints so far."""

    game: Game
    model: Model
    schedule: Schedule
    workers: int = 1
    seed: int = 1
    start: Model | None = None
    """What strength is measured against; None: what the engine plays by itself."""
    save: Path | None = None
    keep: bool = False
    """Whether every checkpoint stays, as an opponent of its own."""
    pairs: int = PAIRS
    mode: str = "move:0.01s"
    executor: Executor | None = None
    """Where games are played; None: in threads of this process."""
    text: str = ""
    """The game as it is written, which workers elsewhere make it from."""
    aside: Path | None = None
    """Where the first checkpoint keeps the files that are there already (`earlier.place_aside`); None: there are none,
    or this goes on from them."""
    seen: tuple[int, ...] | None = None
    """The mark of the file that was there when all this was worked out (see `_mark`); None: there was none."""

    def __post_init__(self) -> None:
        self.checkpoints: list[Checkpoint] = []
        self.earlier: list[str] = []  # lines of the curve before this training, where it goes on in the same file
        self.saved = False  # whether the file has been written to
        self.past = 0  # the number of the last checkpoint of that
        self.matches = 0.0  # processor time that they took: a busy machine leaves no checkpoint out
        self.by_trees: list[Strength] = []  # the model by trees against the model by the game's usual search
        self.trainer: Trainer
        if self.executor is None:
            self.trainer = Trainer(self.model, self.schedule, workers=self.workers, seed=self.seed)
        else:
            own: dict[str, Any] = {"workers": self.workers, "seed": self.seed, "executor": self.executor}
            self.trainer = ClusterTrainer(self.model, self.schedule, game=self.text, **own)

    def run(
        self, *, games: int | None, seconds: float | None, heard: Callable[[Progress], Any] = lambda progress: None
    ) -> Iterator[Checkpoint]:
        """Train; a checkpoint now and then, and one at the end. Nobody else trains into the same file meanwhile."""
        with _alone(self.save):
            self._hold_to_what_was_seen()
            yield from self._run(games, seconds, heard)

    def _hold_to_what_was_seen(self) -> None:
        """Refuse to write over what came into the file's place since this was made ready; nobody else writes now."""
        if self.save is None:
            return
        if _mark(self.save) != self.seen:
            raise BadInput(
                f"{self.save} has changed since this training was made ready, by another one perhaps: "
                "start it again, or --save to another file"
            )
        if self.aside is not None:
            self.aside = free_name(self.save)

    def _run(self, games: int | None, seconds: float | None, heard: Callable[[Progress], Any]) -> Iterator[Checkpoint]:
        every = EVERY if seconds is None else min(max(seconds / CHECKPOINTS, 1.0), LONGEST)
        due = every
        progress: Progress | None = None
        try:
            for progress in self.trainer.run(games=games, seconds=seconds):
                heard(progress)
                ending = (seconds is not None and progress.seconds >= seconds - SHORTEST) or progress.games == games
                if progress.seconds >= due and not ending:
                    due = progress.seconds + every
                    yield self.checkpoint(progress)
        except KeyboardInterrupt:
            if progress is not None:
                self._save(progress)
            raise
        except Diverged as error:
            raise self._diverged(error) from None
        if progress is None:
            raise BadInput("there was no time for a single game: give more --minutes or --games")
        yield self.checkpoint(progress, last=True)

    def checkpoint(self, progress: Progress, *, last: bool = False) -> Checkpoint:
        """Save, then measure, and save what was found.

        Matches take no longer than training: where they have, only the last checkpoint is measured once more.
        """
        path = self._save(progress)
        strength = None
        if self.game.players == 2 and self.pairs and (last or self.matches <= progress.seconds):
            strength = self._measured()
            path = self._save(progress, strength)
        found = Checkpoint(self._number(), progress, strength, path)
        self.checkpoints.append(found)
        if self.save is not None:
            lines = [*self.earlier, *(json.dumps(each.as_dict()) for each in self.checkpoints)]
            _write(self.save.with_suffix(".jsonl"), "".join(line + "\n" for line in lines))
            _write(self.save.with_suffix(".svg"), self.curve())
        return found

    def _number(self) -> int:
        """The number of the next checkpoint, behind those of a training that this one goes on from."""
        return self.past + len(self.checkpoints) + 1

    def _measured(self) -> Strength:
        """A match of the model as it is against the start, by the search that suits it."""
        try:
            if not self.by_trees:
                self._compile()
            began = time.process_time()
            self.model._algorithm = self._better_search()
            strength = measure(self.game, self.model.copy(), self.start, pairs=self.pairs, mode=self.mode)
        except GameError as error:
            kept = "" if self.save is None else f"; the weights are saved in {self.save}"
            raise GameError(f"the match that measures what was learned cannot be played: {error}{kept}") from error
        self.matches += time.process_time() - began
        return strength

    def _compile(self) -> None:
        """A pair of games by each search at a few nodes a move: what only the first match takes is not its time."""
        usual, trees = self.model.copy(), self.model.copy()
        usual._algorithm, trees._algorithm = "", TREES
        for new, old in ((trees, usual), (usual, self.start)):
            measure(self.game, new, old, pairs=1, mode="nodes:20")

    def _better_search(self) -> str:
        """The search that plays better with the model as it is: trees, or empty for the usual one of the game.

        Both play each other at every checkpoint; the later half of all those matches decides.
        """
        usual, trees = self.model.copy(), self.model.copy()
        usual._algorithm, trees._algorithm = "", TREES
        tried = measure(self.game, trees, usual, pairs=max(self.pairs // 2, 1), mode=self.mode)
        self.by_trees.append(tried)
        lately = self.by_trees[len(self.by_trees) // 2 :]
        return TREES if sum(match.wins - match.losses for match in lately) > 0 else ""

    def record(self, progress: Progress, strength: Strength | None = None) -> dict[str, Any]:
        """The training record of a file."""
        before = self.start.training.get("games", 0) if self.start is not None else 0
        schedule = asdict(self.schedule)
        asked = schedule.pop("loss")  # in the record `loss` is how large it was
        schedule["made_least"] = "squares" if self.model.least_squares else asked
        return {
            "plywright": __version__,
            "seed": self.seed,
            "workers": self.workers,
            "games_before": before,
            **schedule,
            **progress.as_dict(),
            "algorithm": self.model.algorithm,
            "strength": None if strength is None else strength.as_dict(),
        }

    def curve(self) -> str:
        """Strength by games, or where nothing is measured the error by games, as SVG."""
        measured = [each for each in self.checkpoints if each.strength is not None]
        if len(measured) > 1 and all(each.strength.as_dict()["elo"] is not None for each in measured if each.strength):
            points = [(float(each.progress.games), each.strength.elo.elo) for each in measured if each.strength]
            return curve_svg(
                [Series("learned", points)], title=self.game.name, x_label="games", y_label="Elo against the start"
            )
        points = [(float(each.progress.games), each.progress.loss) for each in self.checkpoints]
        points = points if len(points) > 1 else [(0.0, points[0][1]), *points]
        return curve_svg(
            [Series("loss", points)], title=self.game.name, x_label="games", y_label="mean squared error of the values"
        )

    def _save(self, progress: Progress, strength: Strength | None = None) -> Path | None:
        if self.save is None:
            return None
        record = self.record(progress, strength)
        self.model._training = record
        if self.aside is not None:
            keep_aside(self.save, self.aside)
            self.aside = None
        keep_model(self.model, self.save, record)
        self.seen, self.saved = _mark(self.save), True
        if not self.keep:
            return self.save
        kept = self.save.with_name(f"{self.save.stem}-{self._number():02d}{SUFFIX}")
        keep_model(self.model, kept, record)
        return kept

    def _diverged(self, error: Diverged) -> Diverged:
        """What is not finite is kept beside, to be looked at; the last good checkpoint stays."""
        if self.save is None:
            return error
        if self.checkpoints:
            good = f", the last good ones in {self.save}"
        else:
            good = f"; {self.save} is as it was" if self.save.exists() else ""
        culprit = self.save.with_name(f"{self.save.stem}-not-finite.npz")
        try:
            with culprit.open("wb") as file:
                np.savez(file, **self.model.arrays)  # type: ignore[arg-type]
        except OSError as problem:
            return Diverged(f"{error}; its weights cannot be kept ({problem.strerror}){good}")
        return Diverged(f"{error}; the weights that brought it are in {culprit}{good}")


def _mark(path: Path | None) -> tuple[int, ...] | None:
    """What tells a file from whatever is written in its place later; None where there is no file."""
    if path is None or not path.is_file():
        return None
    found = path.stat()
    return found.st_ino, found.st_mtime_ns, found.st_size


def _check_place(path: Path) -> None:
    """Refuse a file that cannot be written before there is anything to lose."""
    try:
        check_writable(path)
        strange = path.exists() and not path.is_file()
    except OSError as error:
        raise BadInput(f"{path} cannot be written: {error.strerror}") from None
    if strange:
        raise BadInput(f"{path} is no ordinary file: a training reads what it has saved, so --save to one")


@contextlib.contextmanager
def _alone(path: Path | None) -> Iterator[None]:
    """Hold the file that is trained into; raises BadInput where another training has it."""
    with contextlib.ExitStack() as stack:
        if path is not None:
            try:
                stack.enter_context(held(path))
            except BlockingIOError:
                raise BadInput(
                    f"another training writes to {path}: wait for it, stop it first, or --save to another file"
                ) from None
            except OSError as error:
                raise BadInput(f"{path} cannot be written: {error.strerror}") from None
        yield


def _curve_lines(path: Path) -> list[str]:
    """The lines of the curve beside a file, those of earlier trainings."""
    try:
        text = path.with_suffix(".jsonl").read_text(encoding="utf-8", errors="replace")
    except OSError:
        return []
    return [line for line in text.splitlines() if line.strip()]


def _write(path: Path, text: str) -> None:
    """Write a file beside the weights, whole or not at all; a full disk and the like are told in a sentence."""
    try:
        write_whole(path, text.encode())
    except OSError as error:
        raise BadInput(f"{path} cannot be written: {error.strerror or error}; the weights are saved") from None


def begin(
    game: Game | str,
    *,
    model: str = "",
    start: str | Path | None = None,
    workers: int | None = None,
    seed: int = 1,
    save: str | Path | None = None,
    keep: bool = False,
    pairs: int = PAIRS,
    mode: str = "move:0.01s",
    options: dict[str, Any] | None = None,
    executor: Executor | None = None,
    **schedule: Unpack[ScheduleOptions],
) -> Learning:
    """A training that is ready to run; raises BadInput for whatever can be seen to be wrong beforehand."""
    known = LearnOptions.__annotations__
    if unknown := next((name for name in schedule if name not in known), None):
        close = nearest(unknown, ("minutes", "games", "report", *known))
        raise BadInput(
            f"learn takes no {unknown}: " + (f"did you mean {close}?" if close else f"it takes {', '.join(known)}")
        )
    check_game(game)
    text = game if isinstance(game, str) else game.name
    check_kinds(model, mode, options, executor)
    if executor is not None and load_game(text).fingerprint != as_game(game).fingerprint:
        raise BadInput(f"workers elsewhere make the game from its text, and {text!r} is another game: give the text")
    game = as_game(game)
    path = read_path(save)
    if workers is not None:
        check_workers(workers)
    check_numbers(seed, pairs)
    workers, seed, pairs = plain(workers), plain(seed), plain(pairs)
    if path is not None:
        _check_place(path)
    seen = _mark(path)
    before = None if start is None else open_model(start, game)
    if before is not None and (model or options):
        raise BadInput("a training that goes on from a file has the file's model: leave out --model and its options")
    made = make_model(game, model, **(options or {})) if before is None else before.copy()
    chosen: dict[str, Any] = {name: plain(value) for name, value in schedule.items() if value is not None}
    settings = replace(Schedule(), **({"depth": fitting_depth(game)} | chosen))
    goes_on = path is not None and start is not None and path.is_file() and path.samefile(start)
    aside = place_aside(path) if path is not None and not goes_on else None
    if before is None and pairs and game.players == 2:
        smoke_test(game)  # what the model will be measured against
    ready = Learning(
        *(game, made, settings, workers or 1, seed, before, path, keep, pairs, mode, executor, text, aside, seen)
    )
    if path is not None and goes_on:
        ready.earlier = _curve_lines(path)
        ready.past = max([len(ready.earlier), *(number for number, _ in checkpoints_of(path))])
    return ready


def learn(
    game: Game | str,
    *,
    minutes: float | None = None,
    games: int | None = None,
    report: Callable[[Checkpoint], Any] = lambda checkpoint: None,
    **options: Unpack[LearnOptions],
) -> Model:
    """Train an evaluation of a game by playing it; returns the model, which is knowledge that any search takes.

    `model` is "linear", "tuples", "packed" or "network" (by default what suits), `start` a file to go on from, `save`
    a file that every checkpoint is written to (one that is there already is kept beside it, as FILE.before.knowledge),
    `keep` whether each gets one of its own. `workers`, `seed` and the
    schedule (`method`, `depth`, `opening`, `rate`, `decay`, `noise`, `random`) say how; `pairs=0` leaves out the
    matches by which strength is measured. `LearnOptions` has them all.
    """
    check_length(minutes, games)
    minutes, games = plain(minutes), plain(games)
    if not callable(report):
        raise BadInput(f"report is a function that is told every checkpoint, not {shown(report)}")
    learning = begin(game, **options)
    seconds = None if games is not None else 60 * (MINUTES if minutes is None else minutes)
    for checkpoint in learning.run(games=games, seconds=seconds):
        report(checkpoint)
    last = learning.checkpoints[-1]
    learning.model._training = learning.record(last.progress, last.strength)
    return learning.model


__all__ = ["Checkpoint", "Learning", "begin", "learn"]
