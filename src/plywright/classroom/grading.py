"""Points by a rule of the teacher's: a small TOML file, every word of which is known or refused."""

from __future__ import annotations

import tomllib
from collections.abc import Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from ..arena.standings import Standings
from ..errors import BadInput, nearest, shown
from ..number import is_real
from ..players.offence import CRASHED, FLOODED, ILLEGAL, LATE
from .check import BUILDS, FOUND, GREETS, LEGAL, TIME, Check

CHECK = {"builds": (FOUND, BUILDS), "greets": (GREETS,), "legal": (LEGAL,), "time": (TIME,)}
"""Words of [check]: points where these steps are passed, in every mode."""
TOURNAMENT = ("score", "place", "games", "moves")
"""Words of [tournament]: for the share of points won, for the place, for losing no game but by the rules, and to agents
of Pac-Man for the share of best moves."""
MINUS = (ILLEGAL, LATE, CRASHED, FLOODED, "joined", "most")
"""Words of [minus]: for every game lost so, for joining late, and at most so much in all."""
GRADE = ("least", "most", "round")
LEAST_STEP = 0.001
"""Points are rounded to steps of at least this."""
MOST_POINTS = 1e9
SECTIONS = {"check": tuple(CHECK), "tournament": TOURNAMENT, "beats": None, "minus": MINUS, "grade": GRADE}


@dataclass(frozen=True)
class GradeRule:
    """How points are given; what is left out gives none."""

    check: Mapping[str, float] = field(default_factory=dict)
    tournament: Mapping[str, float] = field(default_factory=dict)
    beats: Mapping[str, float] = field(default_factory=dict)
    """By reference player the points for more than half of the points against it."""
    minus: Mapping[str, float] = field(default_factory=dict)
    grade: Mapping[str, float] = field(default_factory=dict)

    @classmethod
    def read(cls, path: Path, references: tuple[str, ...] = ()) -> GradeRule:
        """The rule in a file; raises BadInput with the word that means nothing."""
        try:
            data = tomllib.loads(path.read_text(encoding="utf-8"))
        except FileNotFoundError:
            raise BadInput(f"there is no grade rule {str(path)!r}") from None
        except (OSError, UnicodeDecodeError) as error:
            raise BadInput(f"{path} cannot be read: {error}") from None
        except (ValueError, RecursionError) as error:  # numbers of thousands of digits, brackets by the thousand
            raise BadInput(f"{path} is no TOML: {error}") from None
        rule = cls(**{section: _section(path, section, part, references) for section, part in data.items()})
        step, least, most = (rule.grade.get(word) for word in ("round", "least", "most"))
        if step is not None and not step >= LEAST_STEP:
            raise BadInput(f"{path}: round in [grade] is a step of at least {LEAST_STEP} points, not {step:g}")
        if least is not None and most is not None and least > most:
            raise BadInput(f"{path}: least in [grade] is {least:g}, and most is {most:g}: no points lie between")
        return rule

    def points(self, check: Check | None, found: Standings | None, player: int | None, late: bool) -> float:
        """What one student has earned."""
        total = 0.0
        for word, steps in CHECK.items():
            of_it = [step.passed for step in check.steps if step.name in steps] if check is not None else []
            total += self.check.get(word, 0.0) * (bool(of_it) and all(of_it))
        if found is not None and player is not None:
            total += self._played(found, player)
        lost = sum(
            self.minus.get(cause, 0.0) * (0 if found is None or player is None else found.scores[player].causes[cause])
            for cause in (ILLEGAL, LATE, CRASHED, FLOODED)
        )
        lost += self.minus.get("joined", 0.0) * late
        return self._rounded(total - min(lost, self.minus.get("most", lost)))

    def agent_points(self, row: Mapping[str, Any], places: int) -> float:
        """What an agent of Pac-Man has earned, from its row of the grade book."""
        read, games = row["games"] is not None, row["games"] or 1
        total = self.check.get("builds", 0.0) * read + self.check.get("greets", 0.0) * read
        total += (self.check.get("legal", 0.0) + self.tournament.get("games", 0.0)) * (read and not row["faults"])
        total += self.tournament.get("score", 0.0) * (row["won"] or 0) / games
        if read:
            total += self.tournament.get("place", 0.0) * (1 - (row["place"] - 1) / max(places - 1, 1))
            total += self.tournament.get("moves", 0.0) * row["moves_right"] / max(row["moves_checked"], 1)
        lost = self.minus.get(CRASHED, 0.0) * (row["faults"] or 0)
        return self._rounded(total - min(lost, self.minus.get("most", lost)))

    def _rounded(self, total: float) -> float:
        """Points within their limits, in the steps of the rule."""
        total = min(max(total, self.grade.get("least", 0.0)), self.grade.get("most", total))
        step = self.grade.get("round", 0.0)
        return round(total / step) * step if step else total

    def _played(self, found: Standings, player: int) -> float:
        score, plan = found.scores[player], found.progress.plan
        total = self.tournament.get("score", 0.0) * score.points / max(score.games, 1)
        finished = score.games > 0 and all(cause not in MINUS for cause in score.causes if score.causes[cause])
        total += self.tournament.get("games", 0.0) * finished
        places = places_of(found)
        if score.games:
            total += self.tournament.get("place", 0.0) * (1 - (places[player] - 1) / max(len(places) - 1, 1))
        for number, other in enumerate(plan.players):
            if other.name in self.beats and number != player and plan.seats == 2:
                wins, _, losses = found.crosstable[player][number]
                total += self.beats[other.name] * (wins > losses)
        return total


def students(found: Standings) -> set[int]:
    """The players of a class that are programs of students, and still play."""
    plan = found.progress.plan
    return {n for n, player in enumerate(plan.players) if "?folder=" in player.text and n not in plan.replaced}


def places_of(found: Standings) -> dict[int, int]:
    """The places of students among themselves; those whom nothing tells apart share one."""
    ranked = [player for player in found.order if player in students(found)]
    by_results = found.progress.plan.system.places != ""
    places: dict[int, int] = {}
    for number, player in enumerate(ranked, 1):
        before = ranked[number - 2] if number > 1 else None
        even = before is not None and not by_results and _strength(found, before) == _strength(found, player)
        places[player] = places[before] if even and before is not None else number
    return places


def _strength(found: Standings, player: int) -> tuple[float, int]:
    value = found.pool.ratings[player].elo if found.pool is not None else found.means[player].mean
    return round(value, 3), found.scores[player].games


def _section(path: Path, section: str, part: Any, references: tuple[str, ...]) -> dict[str, float]:
    if section not in SECTIONS:
        raise BadInput(
            f"{path}: there is no section [{section}]{_hint(section, SECTIONS)}; there are {_list(SECTIONS)}"
        )
    if not isinstance(part, dict):
        raise BadInput(f"{path}: {section} is a section, [{section}], with points by word")
    known = SECTIONS[section] or references
    for word, value in part.items():
        if word not in known:
            names = _list(known) or "none in this class (--reference level:3)"
            raise BadInput(f"{path}: there is no word {word!r} in [{section}]{_hint(word, known)}; there are {names}")
        if not is_real(value) or not abs(value) <= MOST_POINTS:
            raise BadInput(f"{path}: {word} in [{section}] is a number of points, not {shown(value)}")
        if value < 0 and section != "grade":
            raise BadInput(f"{path}: {word} in [{section}] is a number of points from 0 on, not {value}")
    return {word: float(value) for word, value in part.items()}


def _hint(word: str, known: Any) -> str:
    return f" (did you mean {near}?)" if (near := nearest(word, known)) else ""


def _list(known: Any) -> str:
    return ", ".join(known)
