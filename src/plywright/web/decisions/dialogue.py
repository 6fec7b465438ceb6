"""The elicitation as a conversation that stands wholly in its address.

The questions follow from the answers, so a letter for each answer is enough to have the whole dialogue again:
p (the prize), l (the lottery), s (the same); a capital where an answer was insisted on against earlier
ones, and o where it was taken back in their favour.
"""

from __future__ import annotations

import math
from typing import Any, NamedTuple
from urllib.parse import urlencode

from ...draw import Picture
from ...draw.bars import Bar, bar_picture
from ...draw.curve import Series, curve_picture
from ...errors import BadInput
from ...number import written_number
from ...utility import Elicitation, Inconsistent, Lottery, attitude
from ..fields import Fields
from .figures import prize_text

CHOICES = {"p": "prize", "l": "lottery", "s": "same"}
OLD = "o"
PRECISIONS = ("1/8", "1/16", "1/32", "1/64")
MOST_PRIZES = 9
MOST_ANSWERS = 300


class Range(NamedTuple):
    """What is known of a prize's utility."""

    prize: str
    low: float
    high: float
    middle: float


class Dialogue:
    """The dialogue that an address means, as far as it has come."""

    def __init__(self, fields: Fields) -> None:
        self.given = {
            "worst": fields.text("worst", "0", most=40) or "0",
            "best": fields.text("best", "1000", most=40) or "1000",
            "prizes": fields.text("prizes", most=200),
            "precision": fields.choice("precision", PRECISIONS, "1/16"),
        }
        prizes = [_prize(word) for word in self.given["prizes"].split(",") if word.strip()]
        if len(prizes) > MOST_PRIZES:
            raise BadInput(f"{len(prizes)} prizes are too many to ask about: give at most {MOST_PRIZES}")
        self.elicitation = Elicitation(
            _prize(self.given["worst"]), _prize(self.given["best"]), prizes, precision=self.given["precision"]
        )
        self.answers = ""
        self.conflict: Inconsistent | None = None
        self.refused = ""
        """The letter of the answer that contradicts earlier ones, while it is open which of them hold."""
        for letter in fields.text("answers", most=MOST_ANSWERS):
            self._take(letter)
            if self.conflict is not None:
                break

    def _take(self, letter: str) -> None:
        elicitation = self.elicitation
        if letter.lower() not in (*CHOICES, OLD):
            raise BadInput(f"{letter!r} is no answer; p is the prize, l the lottery, s the same")
        if elicitation.question is None:
            raise BadInput("there are more answers in this address than questions")
        if letter == OLD:
            self._keep_old()
        else:
            try:
                elicitation.answer(CHOICES[letter.lower()], insist=letter.isupper())
            except Inconsistent as conflict:
                self.conflict, self.refused = conflict, letter
                return
        self.answers += letter

    def _keep_old(self) -> None:
        """Answer the present question as the earlier answers imply."""
        question = self.elicitation.question
        assert question is not None
        low, _ = self.elicitation.interval(question.prize)
        implied = "prize" if question.probability <= low else "lottery"
        self.elicitation.tell(question.prize, question.probability, implied, insist=True)

    # -- addresses ----------------------------------------------------------------------------------------

    def address(self, answers: str, path: str = "/decisions/elicit") -> str:
        return f"{path}?{urlencode({**self.given, **({'answers': answers} if answers else {})})}"

    def answering(self, letter: str) -> str:
        return self.address(self.answers + letter)

    @property
    def download(self) -> str:
        return self.address(self.answers, "/decisions/elicit.json")

    @property
    def use(self) -> str:
        """The room of lotteries with the curve that was found."""
        lottery = f"[0.5, {prize_text(self.elicitation.best)}; 0.5, {prize_text(self.elicitation.worst)}]"
        return "/decisions?" + urlencode({"lottery": lottery, "utility": str(self.elicitation.curve())})

    # -- what to show -------------------------------------------------------------------------------------

    @property
    def certain(self) -> str:
        question = self.elicitation.question
        return "" if question is None else prize_text(question.prize)

    @property
    def left(self) -> int:
        """About how many questions are still to come."""
        elicitation, halvings = self.elicitation, 0
        for prize in elicitation.prizes:
            low, high = elicitation.interval(prize)
            if high - low > elicitation.precision:
                halvings += 1 + math.ceil(math.log2(float((high - low) / elicitation.precision)))
        return halvings or (1 if elicitation.question is not None else 0)

    @property
    def ranges(self) -> list[Range]:
        elicitation = self.elicitation
        found = []
        for prize, middle in elicitation.utilities.items():
            low, high = elicitation.interval(prize) if prize in elicitation.prizes else (middle, middle)
            found.append(Range(prize_text(prize), float(low), float(high), float(middle)))
        return found

    @property
    def said(self) -> list[str]:
        return [self.elicitation.said(reply) for reply in self.elicitation.replies]

    @property
    def character(self) -> str:
        """Averse, neutral or prone to risk, as the even lottery of the best and the worst prize shows it."""
        elicitation = self.elicitation
        if not elicitation.ordered:
            return ""
        even = Lottery([("1/2", elicitation.best), ("1/2", elicitation.worst)])
        return attitude(even, elicitation.curve())

    def picture(self) -> Picture:
        """The curve as far as it is known: between the dashed lines it must lie."""
        elicitation, ranges = self.elicitation, self.ranges
        if not elicitation.ordered:
            bars = [Bar(one.prize, one.middle, 1.0, f"from {one.low:.3g} to {one.high:.3g}") for one in ranges]
            return bar_picture(bars, label="your utilities so far", x_label="prize", y_label="utility")
        amounts = [float(prize) for prize in elicitation.utilities]
        series = [
            Series("your utility", list(zip(amounts, (one.middle for one in ranges), strict=True))),
            Series("at least", list(zip(amounts, (one.low for one in ranges), strict=True)), False),
            Series("at most", list(zip(amounts, (one.high for one in ranges), strict=True)), False),
        ]
        return curve_picture(series, x_label="amount", y_label="utility", width=560, height=380)


def _prize(word: str) -> Any:
    found = written_number(word)
    if found is None and word.strip().lower().lstrip("+-$ ") in ("nan", "inf", "infinity"):
        raise BadInput(f"a prize must be a finite number or a name, not {word.strip()}")
    return word.strip() if found is None else found
