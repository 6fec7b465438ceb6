"""The result of a run, counted from its plan and its games: for the live table, `--json` and the report."""

from __future__ import annotations

from collections import Counter
from dataclasses import dataclass, field
from typing import Any

from ..collector import collector_paused
from ..game import Game
from ..players.offence import ADJUDICATED, CUT, NORMAL, REPETITION
from ..programs.isolation import unbounded
from .outcome import Outcome, half_points, pair_score
from .schedules.openings import START
from .schedules.progress import Progress
from .schedules.schedule import MATCH
from .statistics.bankroll import bankroll, instant_runoff, runoff_order
from .statistics.elo_sprt import Estimate, estimate, estimate_after_stop, plain
from .statistics.rating import Mean, Pool, bradley_terry, mean_interval
from .statistics.skill import skills


@dataclass
class Score:
    """One player's games."""

    wins: int = 0
    draws: int = 0
    losses: int = 0
    causes: Counter[str] = field(default_factory=Counter)
    """How its games ended for it: its own offences by cause, everything else as `normal`."""

    @property
    def games(self) -> int:
        """The games that count."""
        return self.wins + self.draws + self.losses

    @property
    def points(self) -> float:
        return self.wins + self.draws / 2


@dataclass
class Standings:
    """Everything that a run has shown so far."""

    progress: Progress
    scores: list[Score]
    crosstable: list[list[list[int]]]
    """[player][opponent] = wins, draws, losses; for two seats."""
    pairs: tuple[int, ...]
    """Of a match of two: rounds of two games by half points of the first player, 0 to 4."""
    estimate: Estimate | None
    """Of a match of two."""
    pool: Pool | None
    """Of a tournament of two seats."""
    means: list[Mean]
    """Mean payoffs, a round being one observation: what counts for three or more seats."""
    graded: bool
    """Whether payoffs of two-player games vary in size, so that mean payoffs add information to scores."""
    surplus: int
    """Games finished beyond the point where the test stopped; they do not count."""
    played: int
    """Games that were played up to there."""
    different: int
    """How many different ones are among them: the same players in the same seats with the same moves are one."""

    @property
    def games(self) -> int:
        """The games that count."""
        return sum(score.games for score in self.scores) // self.progress.plan.seats

    @property
    def outcomes(self) -> list[Outcome]:
        """The games that count, in their order."""
        return [outcome for _, outcomes in self.progress.counting() for outcome in outcomes]

    @property
    def isolation(self) -> str:
        """How programs were isolated in the games that count, in words."""
        texts = {outcome.isolation for outcome in self.progress.counted.values()}
        return "; ".join(sorted({part for text in texts for part in text.split("; ")})) or "none"

    @property
    def order(self) -> list[int]:
        """The players, best first, group by group; then those without a game, and those who may play none last."""
        plan = self.progress.plan

        placed = self.progress.plan.system.order(self.progress.stages)

        def key(player: int) -> tuple[bool, bool, int, float]:
            idle = not self.scores[player].games
            out = idle and player in self.progress.disqualified
            if placed is not None:
                return out, False, 0, placed.index(player)
            if self.pool is not None:
                return out, idle, 0 if idle else self._group(player), -self.pool.ratings[player].elo
            if plan.seats != 2:
                return out, idle, 0, -self.means[player].mean
            return out, idle, 0, -self.scores[player].points

        return sorted(range(len(plan.players)), key=key)

    @property
    def places(self) -> list[str]:
        """The places of `order`: 1, 2, ...; with more than one group A1, A2, B1; a dash without a game."""
        found: list[str] = []
        counts: Counter[int] = Counter()
        apart = self.groups > 1
        for player in self.order:
            if not self.scores[player].games and (self.progress.disqualified or apart):
                found.append("-")
                continue
            group = self._group(player) if apart else 0
            counts[group] += 1
            found.append(f"{_letters(group)}{counts[group]}" if apart else str(counts[group]))
        return found

    @property
    def groups(self) -> int:
        """How many groups of players have met among themselves but not one another."""
        return 1 if self.pool is None else max(1, sum(len(group) > 1 for group in self.pool.groups))

    def _group(self, player: int) -> int:
        assert self.pool is not None
        return next(i for i, group in enumerate(self.pool.groups) if player in group)


def _letters(number: int) -> str:
    """A, B, ..., Z, AA, AB, ..."""
    return (_letters(number // 26 - 1) if number >= 26 else "") + chr(ord("A") + number % 26)


@collector_paused()
def standings(progress: Progress, game: Game) -> Standings:
    """Count a run; `game` gives the limits of payoffs."""
    plan = progress.plan
    count = len(plan.players)
    scores = [Score() for _ in range(count)]
    crosstable = [[[0, 0, 0] for _ in range(count)] for _ in range(count)]
    pairs = [0, 0, 0, 0, 0]
    payoffs: list[list[float]] = [[] for _ in range(count)]
    last = len(progress.rounds) if progress.stopped is None else progress.stopped + 1
    played = [outcome for number, outcome in progress.counted.items() if progress.units[number].round < last]
    for outcomes, times in _alike(progress):
        for outcome in outcomes:
            _count(outcome, times, scores, crosstable)
        pair = pair_score(outcomes)
        if pair is not None:
            pairs[pair] += times
        for player in outcomes[0].seats:
            own = [outcome.payoffs[outcome.seats.index(player)] for outcome in outcomes if outcome.payoffs is not None]
            payoffs[player] += [sum(own) / len(own)] * times
    found, pool = None, None
    means = [mean_interval(values, *map(float, game.utility_range)) for values in payoffs]
    if plan.seats == 2 and plan.kind == MATCH:
        found = _estimate(progress, pairs, scores[0])
    elif plan.seats == 2:
        pool = bradley_terry(
            count,
            {
                (a, b): (crosstable[a][b][0] + crosstable[a][b][1] / 2, crosstable[a][b][2] + crosstable[a][b][1] / 2)
                for a in range(count)
                for b in range(a + 1, count)
            },
        )
    paid = {outcome.payoffs or () for outcome in progress.counted.values()}
    graded = any(payoff not in (-1, 0, 1) for each in paid for payoff in each)
    surplus, different = len(progress.counted) - len(played), len({outcome.identity for outcome in played})
    counts = surplus, len(played), different
    return Standings(progress, scores, crosstable, tuple(pairs), found, pool, means, graded, *counts)


def repetition_note(found: Standings) -> str:
    """What is to be said where games were played more than once, or nothing."""
    if found.different == found.played:
        return ""
    words = f"{found.different} of {found.played} games are different"
    if not found.progress.plan.once:
        return f"{words}; chance or hidden choices made them, so that each counts"
    remedy = "; --openings random:8 makes them differ" if found.progress.plan.source == START else ""
    return f"{words}, and only those count: a game played again tells nothing new{remedy}"


ENDED_BY = {REPETITION: "by repetition", CUT: "at the limit of moves", ADJUDICATED: "by adjudication"}
"""How a game ends otherwise than by its rules without anybody's fault, in words."""


def ending_notes(found: Standings) -> list[str]:
    """How many games ended otherwise than by their rules, and through nobody's fault."""
    seats = {cause: sum(score.causes[cause] for score in found.scores) for cause in ENDED_BY}
    return [f"games that ended {ENDED_BY[cause]}: {n // found.progress.plan.seats}" for cause, n in seats.items() if n]


def blame_notes(found: Standings, names: list[str]) -> list[str]:
    """What each player did wrong, and how often."""
    notes = []
    for name, score in zip(names, found.scores, strict=True):
        wrong = {cause: n for cause, n in sorted(score.causes.items()) if n and cause not in (NORMAL, *ENDED_BY)}
        if wrong:
            notes.append(f"{name}: {', '.join(f'{cause} {count}' for cause, count in wrong.items())}")
    return notes


def _alike(progress: Progress) -> list[tuple[list[Outcome], int]]:
    """The rounds that count and have a result: of those that ended alike one, with how many there are."""
    found: dict[Any, tuple[list[Outcome], int]] = {}
    for _, outcomes in progress.counting():
        kind = tuple([outcome.ending for outcome in outcomes])
        found[kind] = outcomes, found[kind][1] + 1 if kind in found else 1
    return [each for kind, each in found.items() if kind]


def _count(outcome: Outcome, times: int, scores: list[Score], crosstable: list[list[list[int]]]) -> None:
    guilty = dict(reversed(outcome.offences))  # the first offence of a seat is the one that counts
    if outcome.offender is not None:
        guilty.setdefault(outcome.offender, outcome.termination)
    for seat, player in enumerate(outcome.seats):
        score, half = scores[player], half_points(outcome, player)
        score.wins, score.draws, score.losses = (
            score.wins + times * (half == 2),
            score.draws + times * (half == 1),
            score.losses + times * (half == 0),
        )
        unfinished = outcome.termination if outcome.offender is None else NORMAL
        score.causes[guilty.get(seat, unfinished)] += times
        if len(outcome.seats) == 2:
            crosstable[player][outcome.seats[1 - seat]][2 - half] += times


def _estimate(progress: Progress, pairs: list[int], first: Score) -> Estimate:
    """From pairs where there are any; a game without its counterpart then waits for it."""
    if not sum(pairs):
        return estimate((first.losses, first.draws, first.wins))
    if progress.test is None:
        return estimate(pairs)
    return estimate_after_stop(progress.test, pairs)


# -- as data -----------------------------------------------------------------------------------------------


def as_data(found: Standings, *, record: str | None = None) -> dict[str, Any]:
    """The result under the names that `--json` promises."""
    progress, plan = found.progress, found.progress.plan
    data: dict[str, Any] = {
        "kind": plan.kind,
        "game": plan.game,
        "mode": plan.mode,
        "players": list(plan.names),
        "games": found.games,
        "played": found.played,
        "planned": len(progress.units),
        "openings": plan.source,
        "schedule": plan.schedule,
        "rule": plan.rule,
        **(_match_data(found) if plan.kind == MATCH else _tournament_data(found)),
        "terminations": {
            name: dict(sorted(score.causes.items())) for name, score in zip(plan.names, found.scores, strict=True)
        },
        "void": sum(progress.void.values()),
        "voids": {plan.names[player]: count for player, count in sorted(progress.voids.items())},
        "dropped": sum(progress.is_dropped(unit) for unit in progress.units.values()),
        "disqualified": {plan.names[player]: why for player, why in progress.disqualified.items()},
        "surplus": found.surplus,
        "distinct_games": found.different,
        "isolation": found.isolation,
        "not_bounded": unbounded(found.isolation),
        "seed": plan.seed,
        "record": record,
    }
    data["payoffs"] = {
        name: {"mean": plain(mean.mean), "interval": [plain(mean.low), plain(mean.high)], "rounds": mean.count}
        for name, mean in zip(plan.names, found.means, strict=True)
    }
    if plan.seats > 2:
        data |= _winnings_data(found)
        known = skills(found.outcomes, len(plan.players))
        data["skill"] = known and {
            name: {"skill": plain(each.skill), "interval": [plain(each.low), plain(each.high)]}
            for name, each in zip(plan.names, known, strict=True)
        }
    return data


def _winnings_data(found: Standings) -> dict[str, Any]:
    """Bankroll and instant runoff, for games of three or more."""
    names, outcomes = found.progress.plan.names, found.outcomes
    counts = instant_runoff(outcomes, len(names), found.progress.plan.seats)
    rounds = [
        {
            "games": count.games,
            "winnings": {names[player]: plain(won) for player, won in count.winnings.items()},
            "dropped": None if count.dropped is None else names[count.dropped],
        }
        for count in counts
    ]
    won = bankroll(outcomes, len(names))
    return {
        "bankroll": {name: plain(amount) for name, amount in zip(names, won, strict=True)},
        "runoff": {"order": [names[player] for player in runoff_order(counts)], "counts": rounds},
    }


def _match_data(found: Standings) -> dict[str, Any]:
    first = found.scores[0]
    data: dict[str, Any] = {"wins": first.wins, "draws": first.draws, "losses": first.losses}
    result = found.estimate
    data["pairs"] = list(found.pairs) if result is not None else None
    data["elo"] = None if result is None else plain(result.elo)
    data["elo_interval"] = None if result is None else [plain(result.low), plain(result.high)]
    data["los"] = None if result is None else plain(result.los)
    data["estimate"] = None if result is None else result.note or "from pairs of games" * bool(sum(found.pairs))
    return {**data, "sprt": sprt_data(found)}


def sprt_data(found: Standings) -> dict[str, Any] | None:
    test = found.progress.test
    if test is None:
        return None
    return {
        "elo0": test.elo0,
        "elo1": test.elo1,
        "alpha": test.alpha,
        "beta": test.beta,
        "model": test.model,
        "llr": plain(test.llr(found.progress.pairs)),
        "bounds": [plain(bound) for bound in test.bounds],
        "verdict": test.verdict(found.progress.pairs),
    }


def _tournament_data(found: Standings) -> dict[str, Any]:
    plan = found.progress.plan
    rows = []
    for place, player in zip(found.places, found.order, strict=True):
        score = found.scores[player]
        row: dict[str, Any] = {
            "name": plan.names[player],
            "games": score.games,
            "points": score.points,
            "wins": score.wins,
            "draws": score.draws,
            "losses": score.losses,
        }
        if found.pool is not None:
            rating, met = found.pool.ratings[player], bool(score.games)
            row["elo"] = plain(rating.elo) if met else None
            row["elo_interval"] = [plain(rating.low), plain(rating.high)]
            row["place"] = place
        rows.append(row)
    data: dict[str, Any] = {"standings": rows}
    if found.pool is not None:
        data["rating"] = "Bradley-Terry" + (f"; {found.pool.note}" if found.pool.note else "")
        data["crosstable"] = {
            plan.names[a]: {plan.names[b]: found.crosstable[a][b] for b in range(len(plan.players)) if a != b}
            for a in range(len(plan.players))
        }
    return data
