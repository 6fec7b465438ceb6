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
OFFENCES = (ILLEGAL, LATE, CRASHED, FLOODED)
MINUS = (*OFFENCES, "joined", "most")
"""Words of [minus]: for every game lost so, for joining late, and at most so much in all."""
GRADE = ("least", "most", "round")
LEAST_STEP = 0.001
"""Points are rounded to steps of at least this."""
MOST_POINTS = 1e9
SECTIONS = {"check": tuple(CHECK), "tournament": TOURNAMENT, "beats": None, "minus": MINUS, "grade": GRADE}


@dataclass(frozen=True)
class Earned:
    """Points for one word of a rule."""

    words: str
    points: float
    most: float | None = None
    """What could be had; None for what is taken off."""


@dataclass(frozen=True)
class Account:
    """The points of one student, and what they are made of."""

    points: float
    lines: tuple[Earned, ...]
    limits: str
    """What was done with the sum, in words."""


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

    def account(self, check: Check, found: Standings | None, player: int | None, late: bool) -> Account:
        """What one student has earned, and for what."""
        lines = self._checked(check)
        causes: Mapping[str, int] = {}
        if found is not None and player is not None:
            lines += self._played(found, player)
            causes = found.scores[player].causes
        return self._closed(lines, causes, late)

    def agent_account(self, check: Check, row: Mapping[str, Any], places: int) -> Account:
        """What an agent of Pac-Man has earned, from its check and its row of the grade book."""
        lines = self._checked(check)
        games = row["games"] or 0
        if games:
            lines += self._line("score", f"{row['won']} of {games} games won", row["won"] / games)
            place = row["place"]
            lines += self._line("place", f"place {place} of {places}", 1 - (place - 1) / max(places - 1, 1))
            lines += self._line("games", "no game lost by a fault", float(not row["faults"]))
            right, checked = row["moves_right"], row["moves_checked"]
            lines += self._line("moves", f"{right} of {checked} moves were best", right / max(checked, 1))
        return self._closed(
            lines, {cause: row[cause] or 0 for cause in OFFENCES if cause in row}, bool(row["joined_late"])
        )

    def _checked(self, check: Check) -> list[Earned]:
        lines = []
        for word, steps in CHECK.items():
            of_it = [step.passed for step in check.steps if step.name in steps]
            if word in self.check:
                passed = bool(of_it) and all(of_it)
                lines.append(Earned(f"check: {word}", self.check[word] * passed, self.check[word]))
        return lines

    def _line(self, word: str, words: str, share: float) -> list[Earned]:
        """A line for a word of [tournament], if the rule has it."""
        most = self.tournament.get(word)
        return [] if most is None else [Earned(f"{word}: {words}", most * share, most)]

    def _played(self, found: Standings, player: int) -> list[Earned]:
        score, plan = found.scores[player], found.progress.plan
        words = f"{score.points:g} of {score.games} points won"
        lines = self._line("score", words, score.points / max(score.games, 1))
        finished = score.games > 0 and all(cause not in MINUS for cause in score.causes if score.causes[cause])
        lines += self._line("games", "no game lost otherwise than by the rules", float(finished))
        places = places_of(found)
        if score.games:
            share = 1 - (places[player] - 1) / max(len(places) - 1, 1)
            lines += self._line("place", f"place {places[player]} of {len(places)}", share)
        for number, other in enumerate(plan.players):
            if other.name in self.beats and number != player and plan.seats == 2:
                wins, _, losses = found.crosstable[player][number]
                most = self.beats[other.name]
                lines.append(Earned(f"beats {other.name}: {wins} won, {losses} lost", most * (wins > losses), most))
        return lines

    def _closed(self, lines: list[Earned], causes: Mapping[str, int], late: bool) -> Account:
        """The account with what is taken off, within its limits, in the steps of the rule."""
        taken = [
            Earned(f"minus: {causes.get(cause, 0)} games lost {cause}", -self.minus[cause] * causes.get(cause, 0))
            for cause in OFFENCES
            if self.minus.get(cause) and causes.get(cause, 0)
        ]
        if late and self.minus.get("joined"):
            taken.append(Earned("minus: joined late", -self.minus["joined"]))
        lost = -sum(line.points for line in taken)
        most = self.minus.get("most", lost)
        if lost > most:
            taken.append(Earned(f"no more than {most:g} is taken off", lost - most))
        total = sum(line.points for line in (*lines, *taken))
        return Account(self._rounded(total), (*lines, *taken), self._limits())

    def _limits(self) -> str:
        """What is done with the sum, in words; empty where the rule says nothing."""
        words = [f"at least {self.grade.get('least', 0.0):g}"]
        words += [f"at most {self.grade['most']:g}"] if "most" in self.grade else []
        words += [f"in steps of {self.grade['round']:g}"] if self.grade.get("round") else []
        return ", ".join(words)

    def _rounded(self, total: float) -> float:
        """Points within their limits, in the steps of the rule."""
        total = min(max(total, self.grade.get("least", 0.0)), self.grade.get("most", total))
        step = self.grade.get("round", 0.0)
        return round(total / step) * step if step else total


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
