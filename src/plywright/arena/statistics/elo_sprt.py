"""What a match between two players shows: Elo with an interval, likelihood of superiority, and the SPRT.

Counts are of games, (losses, draws, wins), or of pairs of games from one opening with seats swapped,
(LL, LD, DD or WL, DW, WW). Pairs are better: two games of one opening are not independent, and the
spread between pairs shows it.

Everything rests on one curve, the profile likelihood of the mean score: how well the best
distribution with that mean explains the counts. Its peak is the estimate, the stretch around the
peak that 95 % of all matches would keep is the interval, and the difference between two of its
points is the SPRT's log-likelihood ratio (M. Van den Bergh's notes on the generalised SPRT).
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass
from statistics import NormalDist
from typing import Any

from ...errors import BadInput
from ...number import increasing_root
from .fitting import with_mean, with_ratio

NORMAL = NormalDist()
CONFIDENCE = 0.95
LITTLE = 1e-3
"""What a count of zero stands for, so that no outcome is held to be impossible."""
NORMALIZED_SCALE = 800 / math.log(10)
"""Normalized Elo per unit of (mean - 1/2) / deviation of one game."""
MODELS = ("logistic", "normalized")


def elo_of(score: float) -> float:
    """The Elo difference at which this mean score is expected; infinite at 0 and 1."""
    if score <= 0:
        return -math.inf
    return math.inf if score >= 1 else 400 * math.log10(score / (1 - score))


def score_of(elo: float) -> float:
    return 1 / (1 + 10 ** (-elo / 400))


@dataclass(frozen=True)
class Estimate:
    """A strength difference: what is likeliest, and the interval that 95 of 100 matches would have right."""

    elo: float
    low: float
    high: float
    los: float
    """The likelihood that the first player is the stronger one."""
    note: str = ""


def estimate(counts: Sequence[int]) -> Estimate:
    """The estimate from counts of games or of pairs; an end without a limit is infinite and the note says why."""
    total = sum(counts)
    if total == 0:
        return Estimate(0.0, -math.inf, math.inf, 0.5, "no games yet: nothing is known")
    mean = _mean(counts)
    allowed = NORMAL.inv_cdf((1 + CONFIDENCE) / 2) ** 2 / 2
    low = 0.0 if mean == 0 else _edge(counts, allowed, 0.0, mean)
    high = 1.0 if mean == 1 else _edge(counts, allowed, 1.0, mean)
    distance = math.sqrt(max(0.0, 2 * _loss(counts, 0.5))) if mean != 0.5 else 0.0
    note = ""
    if mean in (0, 1):
        side = "won" if mean else "lost"
        note = f"the first player {side} every game: there is no {'upper' if mean else 'lower'} limit"
    return Estimate(elo_of(mean), elo_of(low), elo_of(high), NORMAL.cdf(math.copysign(distance, mean - 0.5)), note=note)


# -- the sequential test ---------------------------------------------------------------------------


@dataclass(frozen=True)
class Sprt:
    """Wald's sequential test of "the difference is elo0" against "it is elo1", fixed before the first game."""

    elo0: float
    elo1: float
    alpha: float = 0.05
    beta: float = 0.05
    model: str = "logistic"

    def __post_init__(self) -> None:
        if not (math.isfinite(self.elo0) and math.isfinite(self.elo1) and self.elo0 < self.elo1):
            raise BadInput(f"an SPRT needs two Elo differences, the smaller first, not {self.elo0:g},{self.elo1:g}")
        if not (0 < self.alpha < 0.5 and 0 < self.beta < 0.5):
            raise BadInput("the error rates of an SPRT lie between 0 and 0.5")
        if self.model not in MODELS:
            raise BadInput(f"an SPRT's Elo is {' or '.join(MODELS)}, not {self.model!r}")

    @classmethod
    def parse(cls, text: str) -> Sprt:
        """From `0,10`, `0,10,normalized` or `0,10,0.05,0.1`."""
        words = [word.strip() for word in text.split(",")]
        model = words.pop() if words[-1] in MODELS else MODELS[0]
        try:
            numbers = [float(word) for word in words]
        except ValueError:
            numbers = []
        if len(numbers) not in (2, 4):
            raise BadInput(
                f"{text!r} is not an SPRT: write two Elo differences such as 0,10, and if you like the error rates, "
                "0,10,0.05,0.05, and the word normalized"
            )
        rates = numbers[2:] or [0.05, 0.05]
        return cls(numbers[0], numbers[1], rates[0], rates[1], model)

    def __str__(self) -> str:
        rates = "" if self.alpha == self.beta == 0.05 else f",{self.alpha:g},{self.beta:g}"
        return f"{self.elo0:g},{self.elo1:g}{rates}{'' if self.model == MODELS[0] else ',' + self.model}"

    @property
    def bounds(self) -> tuple[float, float]:
        """Where the test stops: at or below the first elo0 is accepted, at or above the second elo1."""
        return math.log(self.beta / (1 - self.alpha)), math.log((1 - self.beta) / self.alpha)

    def llr(self, counts: Sequence[int]) -> float:
        """The log-likelihood ratio of elo1 to elo0; 0 before the first game."""
        if sum(counts) == 0:
            return 0.0
        fit = with_mean if self.model == "logistic" else with_ratio
        first, second = (fit(_shares(counts), self._target(elo, counts)) for elo in (self.elo0, self.elo1))
        return _weight(counts) * sum(
            share * math.log(q / p) for share, p, q in zip(_shares(counts), first, second, strict=True)
        )

    def llr_approximately(self, counts: Sequence[int]) -> float:
        """The same by its usual approximation, in which the scores are normal."""
        if sum(counts) == 0:
            return 0.0
        shares, total = _shares(counts), _weight(counts)
        scores = _scores(counts)
        mean = sum(p * a for p, a in zip(shares, scores, strict=True))
        variance = sum(p * (a - mean) ** 2 for p, a in zip(shares, scores, strict=True))
        first, second = self._target(self.elo0, counts), self._target(self.elo1, counts)
        if self.model == "logistic":
            return total * (second - first) * (2 * mean - first - second) / (2 * variance)
        found = (mean - 0.5) / math.sqrt(variance)
        games = _games_per_unit(counts)  # the ratio of one game is the smaller one by the root of this
        t, t0, t1 = (x / math.sqrt(games) for x in (found, first, second))
        return total * games / 2 * math.log((1 + (t - t0) ** 2) / (1 + (t - t1) ** 2))

    def verdict(self, counts: Sequence[int]) -> str:
        """`accepted` (elo1), `rejected` (elo0 stands) or `open`."""
        low, high = self.bounds
        ratio = self.llr(counts)
        return "accepted" if ratio >= high else "rejected" if ratio <= low else "open"

    def _target(self, elo: float, counts: Sequence[int]) -> float:
        """What a hypothesis fixes: the mean score, or the ratio of (mean - 1/2) to the deviation of one count."""
        if self.model == "logistic":
            return score_of(elo)
        return elo / NORMALIZED_SCALE * math.sqrt(_games_per_unit(counts))


def estimate_after_stop(test: Sprt, counts: Sequence[int]) -> Estimate:
    """A median-unbiased estimate for a logistic test that stopped at a bound; otherwise the plain one, called biased.

    A test stops when luck and strength have carried it to a bound, so that the plain estimate is too
    far out. Here the log-likelihood ratio is a Brownian motion between the bounds (moved out to where
    it stopped), and the estimate is the strength at which stopping there, or there and sooner, has
    probability one half; the interval's ends are the strengths at which it has 2.5 and 97.5 %.
    """
    plain = estimate(counts)
    low, high = test.bounds
    ratio = test.llr(counts)
    if low < ratio < high:
        note = "biased: the test was still open, and a stop had been possible"
        return Estimate(plain.elo, plain.low, plain.high, plain.los, plain.note or note)
    if test.model != "logistic" or not math.isfinite(plain.elo):
        note = "biased: the match stopped at a bound of its test, which exaggerates the difference"
        return Estimate(plain.elo, plain.low, plain.high, plain.los, plain.note or note)
    scores, shares = _scores(counts), _shares(counts)
    mean = sum(p * a for p, a in zip(shares, scores, strict=True))
    variance = sum(p * (a - mean) ** 2 for p, a in zip(shares, scores, strict=True))
    first, second = score_of(test.elo0), score_of(test.elo1)
    information = _weight(counts) * (second - first) ** 2 / variance
    up = ratio >= high
    # Seen from the bound that was hit, the other one lies at -far. Where the motion stopped is told on the
    # motion's own scale, on which mean and information alone decide.
    reached = information * (mean - (first + second) / 2) / (second - first)
    near, far = (reached, -low) if up else (-reached, high)
    near = max(near, LITTLE)

    def strength(probability: float) -> float:
        drift = increasing_root(lambda mu: _hits(mu, near, far, information) - probability, -60.0, 60.0)
        return (first + second) / 2 + (drift if up else -drift) * (second - first)

    ends = sorted(elo_of(min(max(strength(p), 0.0), 1.0)) for p in (0.025, 0.975))
    return Estimate(
        elo_of(min(max(strength(0.5), 0.0), 1.0)), ends[0], ends[1], plain.los, "median-unbiased for the early stop"
    )


def _hits(drift: float, near: float, far: float, time: float) -> float:
    """The probability that a Brownian motion from 0 reaches `near` within `time` and before `-far`.

    The classical series of sines (Darling & Siegert 1953), written so that no exponential overflows.
    """
    width = near + far
    reached = _ever(drift, near, far)
    late = 0.0
    for n in range(1, 400):
        rate = drift * drift / 2 + (n * math.pi / width) ** 2 / 2
        exponent = drift * near - rate * time
        if exponent < -700:
            if n > 3:
                break
            continue
        late += (-1) ** (n + 1) * n * math.sin(n * math.pi * far / width) * math.exp(exponent) / rate
    return min(max(reached - math.pi / width**2 * late, 0.0), 1.0)


def _ever(drift: float, near: float, far: float) -> float:
    """The probability of reaching `near` before `-far`, given all the time in the world."""
    if abs(drift) < 1e-9:
        return far / (near + far)
    if drift > 0:
        return -math.expm1(-2 * drift * far) / -math.expm1(-2 * drift * (near + far))
    return math.exp(2 * drift * near) * -math.expm1(2 * drift * far) / -math.expm1(2 * drift * (near + far))


# -- distributions over scores ---------------------------------------------------------------------


def _scores(counts: Sequence[int]) -> list[float]:
    return [i / (len(counts) - 1) for i in range(len(counts))]


def _games_per_unit(counts: Sequence[int]) -> int:
    return (len(counts) - 1) // 2


def _weight(counts: Sequence[int]) -> float:
    return sum(count or LITTLE for count in counts)


def _shares(counts: Sequence[int]) -> list[float]:
    total = _weight(counts)
    return [(count or LITTLE) / total for count in counts]


def _mean(counts: Sequence[int]) -> float:
    return sum(count * a for count, a in zip(counts, _scores(counts), strict=True)) / sum(counts)


def _loss(counts: Sequence[int], mean: float) -> float:
    """How much less likely the counts are, in natural logarithms, when the mean score is this one."""
    shares = _shares(counts)
    fitted = with_mean(shares, mean)
    return _weight(counts) * sum(p * math.log(p / q) for p, q in zip(shares, fitted, strict=True))


def _edge(counts: Sequence[int], allowed: float, far: float, mean: float) -> float:
    """The mean between `mean` and the end `far` at which the loss reaches what is allowed."""
    inside, outside = mean, far
    for _ in range(40):
        middle = (inside + outside) / 2
        if _loss(counts, middle) <= allowed:
            inside = middle
        else:
            outside = middle
    return inside


def plain(number: float) -> Any:
    """A number for JSON, which has no infinity: the words `inf` and `-inf`, which float() reads back."""
    if math.isfinite(number):
        return round(number, 6)
    return "inf" if number > 0 else "-inf"
