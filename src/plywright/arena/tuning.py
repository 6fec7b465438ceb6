"""Tuning the numbers of a player by matches against itself: SPSA (Spall 1992), then a test against the start.

In each iteration every parameter is moved a little up or down at random, the player with these numbers meets the one
with the opposite changes in pairs of games, and all parameters take a step towards whoever did better. Whatever the
number of parameters, an iteration costs one small match. Values are held between their limits, and the answer is the
mean of the last quarter of the way.
"""

from __future__ import annotations

import json
import math
import re
import tempfile
from collections.abc import Callable, Mapping, Sequence
from concurrent.futures import Executor
from dataclasses import asdict, dataclass, field
from pathlib import Path
from typing import Any

from ..errors import BadInput
from ..files import check_writable, write_whole
from ..games import load_game
from ..number import is_real
from ..rng import below, seeded
from .lineup import make_player
from .match import make_plan, play_match
from .schedules.schedule import MATCH
from .standings import Standings
from .worker import processes

GAIN, ALPHA = 0.1, 0.602
"""The first step, in parts of a parameter's range, and how fast steps shrink."""
CHANGE, GAMMA = 0.1, 0.101
"""How far parameters are moved for a match at first, in parts of the range, and how fast that shrinks."""
CALM = 10
"""Steps begin to shrink after so many parts of the iterations: one in ten."""
_WRITTEN = re.compile(r"\s*([A-Za-z_]\w*)\s*=\s*([^,]+),([^,]+),([^,]+)\s*")


@dataclass(frozen=True)
class Parameter:
    """A number of a player: its name between braces in the player's text, its start and its limits."""

    name: str
    start: float
    low: float
    high: float
    whole: bool = False
    """Whether only whole numbers make sense: so where start and limits are written without a point."""

    @classmethod
    def parse(cls, text: str) -> Parameter:
        """A parameter from `NAME=START,LOW,HIGH`."""
        found = _WRITTEN.fullmatch(text)
        try:
            start, low, high = map(float, found.groups()[1:] if found else ("", "", ""))
        except ValueError:
            start = low = high = math.nan
        if found is None or not all(map(math.isfinite, (start, low, high))):
            raise BadInput(f"write a parameter as NAME=START,LOW,HIGH, such as exploration=1.4,0.2,4, not {text!r}")
        if not low <= start <= high or low == high:
            raise BadInput(f"{found[1]}: the start {start:g} must lie between two limits, not {low:g} and {high:g}")
        whole = all(re.fullmatch(r"\s*[+-]?\d+\s*", part) for part in found.groups()[1:])
        return cls(found[1], start, low, high, whole)

    def value(self, place: float) -> float | int:
        """The value at a place between 0 and 1 of the range."""
        value = self.low + place * (self.high - self.low)
        return round(value) if self.whole else value

    def place(self, value: float) -> float:
        return (value - self.low) / (self.high - self.low)


@dataclass(frozen=True)
class Tuning:
    """What is tuned and how; two of them that are equal are the same run."""

    player: str
    """The player's text, with each parameter's name between braces."""
    game: str
    parameters: tuple[Parameter, ...]
    mode: str = "move:0.1s"
    iterations: int = 100
    pairs: int = 1
    """Pairs of games in an iteration."""
    seed: int = 1

    def text(self, places: Sequence[float]) -> str:
        """The player with the values at these places."""
        values = {p.name: f"{p.value(place):.6g}" for p, place in zip(self.parameters, places, strict=True)}
        return re.sub(r"\{(\w+)\}", lambda found: values[found[1]], self.player)

    def check(self) -> None:
        """Raise BadInput for what cannot be tuned."""
        named = re.findall(r"\{(\w+)\}", self.player)
        names = [parameter.name for parameter in self.parameters]
        if not names:
            raise BadInput("name what to tune: --parameters exploration=1.4,0.2,4, with {exploration} in the player")
        if len(set(names)) < len(names):
            raise BadInput(f"a parameter is named twice: {', '.join(names)}")
        if sorted(set(named)) != sorted(names):
            raise BadInput(
                f"the player {self.player!r} has {', '.join(f'{{{name}}}' for name in named) or 'no name in braces'}, "
                f"and the parameters are {', '.join(names)}: each belongs in both"
            )
        if not 1 <= self.iterations <= 1_000_000 or not 1 <= self.pairs <= 10_000:
            raise BadInput("iterations are from 1 to 1,000,000, and pairs of games in each from 1 to 10,000")
        if not 0 <= self.seed < 1 << 40:
            raise BadInput(f"a seed of a tuning is a whole number from 0 to 2^40 - 1, not {self.seed}")
        game = load_game(self.game)
        if game.players != 2:
            raise BadInput(f"tuning plays matches of two, and {game.name} is a game for {game.players}")
        for places in ([0.0] * len(names), [1.0] * len(names)):
            make_player(self.text(places), game).close()


@dataclass
class Course:
    """How far a tuning has come; what its file holds."""

    tuning: Tuning
    places: list[list[float]] = field(default_factory=list)
    """Where the parameters stood after each iteration, between 0 and 1 of their ranges."""
    scores: list[float] = field(default_factory=list)
    """What the changed player made in each match, from -1 to 1."""

    @property
    def present(self) -> list[float]:
        if self.places:
            return self.places[-1]
        return [parameter.place(parameter.start) for parameter in self.tuning.parameters]

    @property
    def mean(self) -> list[float]:
        """The mean over the last quarter of the way: single steps are mostly noise."""
        last = self.places[-max(1, len(self.places) // 4) :] or [self.present]
        return [math.fsum(column) / len(last) for column in zip(*last, strict=True)]

    def values(self) -> dict[str, float | int]:
        """The tuned values by name."""
        return {p.name: p.value(place) for p, place in zip(self.tuning.parameters, self.mean, strict=True)}

    @property
    def first(self) -> str:
        """The player that it began as."""
        return self.tuning.text([parameter.place(parameter.start) for parameter in self.tuning.parameters])

    @property
    def player(self) -> str:
        """The tuned player."""
        return self.tuning.text(self.mean)

    def save(self, path: Path) -> None:
        data = {"plywright": "tuning", **asdict(self)}
        write_whole(path, json.dumps(data, indent=1).encode())

    @classmethod
    def load(cls, path: Path, tuning: Tuning) -> Course:
        """The tuning to go on with; raises BadInput where the file holds another one, or none."""
        try:
            data = json.loads(path.read_text(encoding="utf-8"))
            held = data["tuning"]
            other = Tuning(**{**held, "parameters": tuple(Parameter(**each) for each in held["parameters"])})
            course = cls(other, data["places"], data["scores"])
            count = len(other.parameters)
            sound = len(course.places) == len(course.scores) and all(map(is_real, course.scores))
            sound &= all(
                len(row) == count and all(is_real(each) and 0 <= each <= 1 for each in row) for row in course.places
            )
        except (OSError, ValueError, KeyError, TypeError, AttributeError, RecursionError):
            sound = False
        if not sound:
            raise BadInput(f"{path} is no tuning of Plywright, or a damaged one: choose another file")
        asked: Mapping[str, Any] = asdict(tuning)
        for name, value in asdict(other).items():
            if name != "iterations" and value != asked[name]:
                raise BadInput(f"{path} holds another tuning, with {name} {value}: choose another file for this one")
        course.tuning = tuning
        return course


def tune(
    tuning: Tuning,
    save: Path,
    *,
    jobs: int = 1,
    executor: Executor | None = None,
    heard: Callable[[Course], Any] = lambda course: None,
) -> Course:
    """Tune to the end, or what is left of it in the file `save`, which is written after every iteration."""
    tuning.check()
    course = Course.load(save, tuning) if save.exists() else Course(tuning)
    try:
        check_writable(save)
    except OSError as error:
        raise BadInput(f"{save} cannot be written: {error.strerror}") from None
    own = processes(jobs) if executor is None else executor
    try:
        while len(course.places) < tuning.iterations:
            _step(course, jobs, own)
            course.save(save)
            heard(course)
    finally:
        if executor is None:
            own.shutdown(wait=True, cancel_futures=True)
    return course


def check_confirmation(tuning: Tuning, sprt: str, games: int) -> None:
    """Raise BadInput, before anything is tuned, for a match that could not confirm it."""
    tuning.check()
    ends = [tuning.text([place] * len(tuning.parameters)) for place in (0.0, 1.0)]
    make_plan(MATCH, ends, tuning.game, games=games, mode=tuning.mode, sprt=sprt, ready=False)


def confirm(
    course: Course, sprt: str, games: int, record: Path, *, jobs: int = 1, executor: Executor | None = None
) -> Standings:
    """The tuned player against the one it began as, until the test says which is better."""
    texts = [course.player, course.first]
    if course.player == course.first:
        raise BadInput("the tuned player is the one it began as: there is nothing to confirm")
    mode, game = course.tuning.mode, course.tuning.game
    return play_match(texts, game, games=games, mode=mode, sprt=sprt, record=record, jobs=jobs, executor=executor)


def _step(course: Course, jobs: int, executor: Executor) -> None:
    """One iteration: a match between two changes, and a step."""
    tuning, number = course.tuning, len(course.places)
    rng = seeded((tuning.seed << 20) + number)
    signs = [1 if below(rng, 2) else -1 for _ in tuning.parameters]
    change = CHANGE / (number + 1) ** GAMMA
    calm = max(1.0, tuning.iterations / CALM)
    gain = GAIN * ((calm + 1) / (calm + number + 1)) ** ALPHA
    up, down = (
        tuning.text([_inside(place + way * sign * change) for place, sign in zip(course.present, signs, strict=True)])
        for way in (1, -1)
    )
    score = 0.0
    if up != down:
        with tempfile.TemporaryDirectory() as folder:
            found = play_match(
                [up, down],
                tuning.game,
                games=2 * tuning.pairs,
                mode=tuning.mode,
                seed=tuning.seed * 1_000_003 + number,
                record=Path(folder) / "iteration.run",
                jobs=jobs,
                executor=executor,
            )
        first = found.scores[0]
        score = (first.wins - first.losses) / max(1, first.games)
    course.places.append(
        [_inside(place + gain * score * sign) for place, sign in zip(course.present, signs, strict=True)]
    )
    course.scores.append(score)


def _inside(place: float) -> float:
    return min(max(place, 0.0), 1.0)
