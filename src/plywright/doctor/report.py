"""What the doctor found: one check per line, and the facts about the game that came to light."""

from __future__ import annotations

from dataclasses import asdict, dataclass, field
from typing import Any

PASSED, WARNING, FAILED, SKIPPED = "passed", "warning", "failed", "skipped"


@dataclass(frozen=True)
class Check:
    """One check: its name, what came of it, and a sentence that names culprit, place and remedy."""

    name: str
    status: str
    sentence: str
    moves: str = ""
    """The whole line of moves to the place, as `--moves` takes it; empty at the start and where there is none."""


@dataclass
class Facts:
    """What random play and a short search measured; None where nothing could be measured."""

    games: int = 0
    """Random games played as Python."""
    states: int = 0
    """Different states met in them."""
    games_compiled: int = 0
    """Random games played as native code."""
    branching: tuple[float, float, float] | None = None
    """Mean number of actions in random play, and the ends of its 95 % interval."""
    length: tuple[float, int, int] | None = None
    """Mean, least and greatest number of plies of a random game."""
    compiled: bool | None = None
    reason: str = ""
    """Why the game is not compiled: line and reason."""
    nodes_per_second: float | None = None
    """Compiled, as a search would run it."""
    nodes_per_second_interpreted: float | None = None
    measured_by: str = ""
    """What the two rates count: nodes of alpha-beta, or plies of random play."""


@dataclass
class Report:
    """The doctor's answer. `healthy` means that no check failed; warnings leave a game healthy."""

    game: str
    checks: list[Check] = field(default_factory=list)
    facts: Facts = field(default_factory=Facts)
    seed: int = 1
    seconds: float = 0.0
    """How long the examination took."""

    @property
    def healthy(self) -> bool:
        return not self.failed

    @property
    def failed(self) -> list[Check]:
        return [check for check in self.checks if check.status == FAILED]

    def __getitem__(self, name: str) -> Check:
        """The check of that name; KeyError where there is none."""
        for check in self.checks:
            if check.name == name:
                return check
        raise KeyError(name)

    def as_dict(self) -> dict[str, Any]:
        """A JSON-ready form with the same names."""
        facts = asdict(self.facts)
        if self.facts.branching:
            facts["branching"] = dict(zip(("mean", "low", "high"), self.facts.branching, strict=True))
        if self.facts.length:
            facts["length"] = dict(zip(("mean", "least", "greatest"), self.facts.length, strict=True))
        return {
            "game": self.game,
            "healthy": self.healthy,
            "checks": [asdict(check) for check in self.checks],
            "facts": facts,
            "seed": self.seed,
            "seconds": round(self.seconds, 3),
        }

    def verdict(self) -> str:
        """One line: healthy or not, and how many warnings."""
        warnings = sum(check.status == WARNING for check in self.checks)
        tail = f", {_count(warnings, 'warning')}" if warnings else ""
        return f"{self.game}: {'healthy' if self.healthy else _count(len(self.failed), 'fault')}{tail}"

    def fact_lines(self) -> list[tuple[str, str]]:
        """The facts as (label, text) for people."""
        facts, lines = self.facts, []
        if facts.games:
            more = f", and {facts.games_compiled:,} games as native code" if facts.games_compiled else ""
            lines.append(("random play", f"{facts.games:,} games with {facts.states:,} different states{more}"))
        if facts.branching:
            mean, low, high = facts.branching
            lines.append(("branching factor", f"{mean:.2f} in random play (95 % interval {low:.2f} to {high:.2f})"))
        if facts.length:
            average, least, greatest = facts.length
            lines.append(("game length", f"{average:.1f} plies on average, {least:,} to {greatest:,}"))
        if facts.compiled is not None:
            lines.append(("native code", "yes" if facts.compiled else f"no: {facts.reason}"))
        rates = []
        if facts.nodes_per_second is not None:
            rates.append(f"{facts.nodes_per_second:,.0f} compiled")
        if facts.nodes_per_second_interpreted is not None:
            rates.append(f"{facts.nodes_per_second_interpreted:,.0f} interpreted")
        if rates:
            lines.append(("nodes per second", f"{', '.join(rates)} ({facts.measured_by})"))
        return lines

    def text(self) -> str:
        """The whole report as plain text."""
        name_width = max((len(check.name) for check in self.checks), default=0)
        rows = [self.verdict()]
        for check in self.checks:
            status = check.status.upper() if check.status == FAILED else check.status
            rows.append(f"  {status:<8} {check.name:<{name_width}}  {check.sentence}")
        facts = self.fact_lines()
        if facts:
            label_width = max(len(label) for label, _ in facts)
            rows += ["facts", *(f"  {label:<{label_width}}  {text}" for label, text in facts)]
        return "\n".join(rows)


def _count(number: int, noun: str) -> str:
    return f"{number} {noun}{'' if number == 1 else 's'}"
