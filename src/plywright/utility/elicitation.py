"""Finding a person's utilities by questions: a prize against the standard lottery [p, best; 1-p, worst].

    talk = Elicitation(worst=0, best=1000, prizes=[250, 500])
    while talk.question is not None:
        talk.answer(ask(str(talk.question)))      # "prize", "lottery" or "same"
    talk.utilities                                # {0: 0, 250: ..., 500: ..., 1000: 1}

The p at which the person finds both equally good is the prize's utility on a scale from 0 to 1; each
answer halves the range it can lie in. A program, a dialogue or a page drives the object, and `to_json`
keeps it. An answer that contradicts an earlier one is refused with a sentence; `insist=True` takes it
and forgets the earlier ones.
"""

from __future__ import annotations

import json
from collections.abc import Iterable
from fractions import Fraction
from itertools import pairwise
from typing import Any, NamedTuple

from ..errors import BadInput
from ..number import Number, exactly, number, number_text, tidy
from .lottery import Lottery, Prize
from .piecewise import Piecewise
from .preferences import lottery_name

PRIZE, LOTTERY, SAME = "prize", "lottery", "same"
CHOICES = (PRIZE, LOTTERY, SAME)
MANY = 8
"""So many answers, all of them the same, are worth a remark."""
FORMAT, VERSION = "plywright-elicitation", 1


class Question(NamedTuple):
    """A prize for certain, or the standard lottery with this probability of the best prize?"""

    prize: Prize
    probability: Fraction
    lottery: Lottery
    again: bool = False  # asked to see whether earlier answers hold

    def __str__(self) -> str:
        return f"{lottery_name(Lottery.certain(self.prize))} for certain, or the lottery {self.lottery}?"


class Reply(NamedTuple):
    """What was answered to a question."""

    prize: Prize
    probability: Fraction
    choice: str


class Inconsistent(BadInput):
    """An answer that cannot be true together with earlier ones; `earlier` are those."""

    def __init__(self, message: str, earlier: list[Reply]) -> None:
        super().__init__(message, earlier)
        self.earlier = earlier

    def __str__(self) -> str:
        return str(self.args[0])


class Elicitation:
    """A conversation about some prizes between a worst and a best one."""

    def __init__(
        self, worst: Prize, best: Prize, prizes: Iterable[Prize], *, precision: Any = "1/32", checks: bool = True
    ) -> None:
        if isinstance(prizes, str) or not isinstance(prizes, Iterable):
            raise BadInput(f"the prizes to ask about are a list such as [250, 500], not {prizes!r}")
        self.worst, self.best = _clean(worst), _clean(best)
        self.prizes = tuple(dict.fromkeys(_clean(prize) for prize in prizes))
        self.precision = exactly(number(precision, "the precision"))
        self.checks = checks
        self.replies: list[Reply] = []
        if not 0 < self.precision < 1:
            raise BadInput(f"the precision must be between 0 and 1, not {precision}")
        if not self.prizes:
            raise BadInput("there is nothing to ask about: give prizes between the worst and the best")
        if self.worst == self.best or (self.ordered and self.worst > self.best):
            raise BadInput(f"the best prize must be better than the worst: {self.best} is not above {self.worst}")
        for prize in self.prizes:
            if prize in (self.worst, self.best) or (self.ordered and not self.worst < prize < self.best):
                raise BadInput(f"the prize {prize} must lie between the worst, {self.worst}, and the best, {self.best}")

    @property
    def ordered(self) -> bool:
        """Whether all prizes are amounts, of which more is better."""
        return all(isinstance(x, (int, float, Fraction)) for x in (self.worst, self.best, *self.prizes))

    # -- the conversation ---------------------------------------------------------------------------------

    @property
    def question(self) -> Question | None:
        """What to ask next; None when everything is known as precisely as was wanted."""
        for prize in self.prizes:
            low, high = self.interval(prize)
            if high - low > self.precision:
                return self._question(prize, (low + high) / 2)
        for prize in self.prizes if self.checks else ():
            probability = self._check(prize)
            if probability is not None:
                return self._question(prize, probability, again=True)
        return None

    def answer(self, choice: str, *, insist: bool = False) -> None:
        """Take the answer to the present question: prize, lottery or same."""
        question = self.question
        if question is None:
            raise BadInput("there is no question left to answer")
        self.tell(question.prize, question.probability, choice, insist=insist)

    def tell(self, prize: Prize, probability: Any, choice: str, *, insist: bool = False) -> None:
        """Take an answer about any prize and probability, asked for or not."""
        if choice not in CHOICES:
            raise BadInput(f"an answer is prize, lottery or same, not {choice!r}")
        if prize not in self.prizes:
            known = ", ".join(map(str, self.prizes))
            raise BadInput(f"the prize {prize} is unknown here; this is about {known}")
        chance = exactly(number(probability, "a probability"))
        if not 0 <= chance <= 1:
            raise BadInput(f"a probability must be from 0 to 1, not {number_text(tidy(chance))}")
        reply = Reply(prize, chance, choice)
        if not self._possible(reply):
            raise BadInput(f"{self.said(reply)} cannot be: {self._extremes()}")
        earlier = [other for other in self.replies if self._clash(other, reply)]
        if earlier and not insist:
            raise Inconsistent(
                f"{self.said(reply)} contradicts an earlier answer: {self.said(earlier[-1])}", list(earlier)
            )
        self.replies = [other for other in self.replies if other not in earlier] + [reply]

    def undo(self) -> None:
        """Take back the last answer."""
        if not self.replies:
            raise BadInput("there is no answer to take back")
        self.replies.pop()

    def said(self, reply: Reply) -> str:
        """An answer in words."""
        prize, lottery = lottery_name(Lottery.certain(reply.prize)), self._standard(reply.probability)
        if reply.choice == SAME:
            return f"{prize} is as good as {lottery}"
        return f"{prize} is better than {lottery}" if reply.choice == PRIZE else f"{lottery} is better than {prize}"

    # -- what is known ------------------------------------------------------------------------------------

    @property
    def finished(self) -> bool:
        return self.question is None

    def interval(self, prize: Prize) -> tuple[Fraction, Fraction]:
        """The range in which the answers leave a prize's utility.

        More is better, so with amounts a smaller prize sets a lower limit too, and a larger one an upper.
        """
        low, high = Fraction(0), Fraction(1)
        ordered = self.ordered
        for reply in self.replies:
            below, above = _bounds(reply)
            if reply.prize == prize or (ordered and reply.prize < prize):
                low = max(low, below)
            if reply.prize == prize or (ordered and reply.prize > prize):
                high = min(high, above)
        return low, high

    @property
    def utilities(self) -> dict[Prize, Number]:
        """The middle of every prize's range; the worst has 0 and the best 1."""
        found: dict[Prize, Number] = {self.worst: 0}
        for prize in sorted(self.prizes) if self.ordered else self.prizes:
            low, high = self.interval(prize)
            found[prize] = tidy((low + high) / 2)
        return found | {self.best: 1}

    def curve(self, smooth: bool = True) -> Piecewise:
        """A utility function of the amounts through what was found."""
        if not self.ordered:
            raise BadInput("a curve needs amounts as prizes, from a smaller worst to a larger best one")
        points = list(self.utilities.items())
        if not all(u < v for (_, u), (_, v) in pairwise(points)):
            points = [(self.worst, 0), *self._spread(), (self.best, 1)]
        return Piecewise(points, smooth)

    def _spread(self) -> list[tuple[Prize, Number]]:
        """A utility inside each prize's range, rising with the amounts where the middles of the ranges do not.

        Both ends of the ranges rise with the amounts, and none ends where an earlier one begins, so points
        that lie further along in each range than in the one before rise.
        """
        placed = list[tuple[Prize, Number]]()
        for place, prize in enumerate(sorted(self.prizes), 1):
            low, high = self.interval(prize)
            placed.append((prize, tidy(low + (high - low) * Fraction(place, len(self.prizes) + 1))))
        return placed

    @property
    def remarks(self) -> list[str]:
        """What is odd about answers that contradict nothing: prizes level with each other, one answer every time."""
        told, found = list[str](), self.utilities
        names = [(prize, found[prize]) for prize in sorted(self.prizes)] if self.ordered and self.finished else []
        for level in dict.fromkeys(value for _, value in names):
            alike = [lottery_name(Lottery.certain(prize)) for prize, value in names if value == level]
            if len(alike) > 1:
                listed = f"{', '.join(alike[:-1])} and {alike[-1]}"
                told.append(
                    f"{listed} come out level at {float(level):.3g}, though more should be better: "
                    f"ask more precisely than {self.precision}, or look at the answers again"
                )
        choices = {reply.choice for reply in self.replies}
        if len(self.replies) >= MANY and len(choices) == 1:
            always = {
                PRIZE: "the prize was preferred",
                LOTTERY: "the lottery was preferred",
                SAME: "both were the same",
            }
            told.append(f"{always[choices.pop()]} all {len(self.replies)} times: was every question read?")
        return told

    # -- contradictions -----------------------------------------------------------------------------------

    def _clash(self, one: Reply, other: Reply) -> bool:
        """Whether two answers exclude each other, for one prize or for a smaller and a larger amount."""
        if one.prize == other.prize:
            return _too_high(one, other) or _too_high(other, one)
        if not self.ordered:
            return False
        less, more = (one, other) if one.prize < other.prize else (other, one)
        return _too_high(less, more, even=True)

    def _possible(self, reply: Reply) -> bool:
        """Whether an answer leaves the prize between the worst and the best one, for amounts strictly."""
        if reply.choice == SAME:
            return not self.ordered or 0 < reply.probability < 1
        return reply.probability < 1 if reply.choice == PRIZE else reply.probability > 0

    def _extremes(self) -> str:
        worst, best = (lottery_name(Lottery.certain(prize)) for prize in (self.worst, self.best))
        return f"{worst} is the worst prize and {best} the best"

    def _check(self, prize: Prize) -> Fraction | None:
        """A probability, a little outside the range, whose answer is known if the person is consistent."""
        low, high = self.interval(prize)
        step = 2 * self.precision
        above, below = high + step, low - step
        probability = above if above < 1 else below if below > 0 else None
        edges = [r.probability for r in self.replies if r.prize == prize and r.choice != SAME]
        return None if probability in edges else probability

    def _question(self, prize: Prize, probability: Fraction, again: bool = False) -> Question:
        return Question(prize, probability, self._standard(probability), again)

    def _standard(self, probability: Fraction) -> Lottery:
        return Lottery([(tidy(probability), self.best), (tidy(1 - probability), self.worst)])

    # -- kept ---------------------------------------------------------------------------------------------

    def to_json(self) -> str:
        """Everything, so that `from_json` goes on where this stopped."""
        replies = [[_out(r.prize), str(r.probability), r.choice] for r in self.replies]
        return json.dumps(
            {
                "format": FORMAT,
                "version": VERSION,
                "worst": _out(self.worst),
                "best": _out(self.best),
                "prizes": [_out(prize) for prize in self.prizes],
                "precision": str(self.precision),
                "checks": self.checks,
                "replies": replies,
            },
            ensure_ascii=False,
            indent=1,
        )

    @classmethod
    def from_json(cls, text: str) -> Elicitation:
        """The conversation that `to_json` wrote; raises BadInput where the text is none."""
        try:
            source = json.loads(text)
            if not isinstance(source, dict) or source["format"] != FORMAT or source["version"] != VERSION:
                raise BadInput(f"this is no elicitation: its 'format' should be {FORMAT!r}, its 'version' {VERSION}")
            talk = cls(
                _in(source["worst"]),
                _in(source["best"]),
                [_in(prize) for prize in source["prizes"]],
                precision=source["precision"],
                checks=bool(source["checks"]),
            )
            for prize, probability, choice in source["replies"]:
                talk.tell(_in(prize), probability, choice)
        except (json.JSONDecodeError, KeyError, TypeError, ValueError, RecursionError) as error:
            raise BadInput(f"this is no elicitation: {type(error).__name__} ({error})") from None
        return talk


def _bounds(reply: Reply) -> tuple[Fraction, Fraction]:
    """What one answer says of the utility: preferring the prize means at least the probability."""
    if reply.choice == SAME:
        return reply.probability, reply.probability
    return (reply.probability, Fraction(1)) if reply.choice == PRIZE else (Fraction(0), reply.probability)


def _too_high(one: Reply, other: Reply, even: bool = False) -> bool:
    """Whether the first puts its prize above what the second allows (or, with `even`, level with it)."""
    if one.choice == LOTTERY or other.choice == PRIZE:
        return False  # the first sets no lower limit, or the second no upper one
    touching = even or SAME not in (one.choice, other.choice) or one.choice != other.choice
    return one.probability > other.probability or (touching and one.probability == other.probability)


def _clean(prize: Any) -> Prize:
    return Lottery.certain(prize).outcomes[0][1]


def _out(prize: Prize) -> Any:
    return {"number": str(exactly(prize))} if isinstance(prize, (int, float, Fraction)) else str(prize)


def _in(value: Any) -> Prize:
    return number(value["number"], "a prize") if isinstance(value, dict) else str(value)
