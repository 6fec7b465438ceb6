"""Allais' two questions: each choice is reasonable, and most people's two choices exclude each other."""

from __future__ import annotations

from typing import NamedTuple

from ...utility import AXIOMS, Preferences

LOTTERIES = {"A": "[0.8, 4000; 0.2, 0]", "B": "[1, 3000]", "C": "[0.2, 4000; 0.8, 0]", "D": "[0.25, 3000; 0.75, 0]"}
WORDS = {
    "A": "80 % chance of $4000, otherwise nothing",
    "B": "$3000 for certain",
    "C": "20 % chance of $4000, otherwise nothing",
    "D": "25 % chance of $3000, otherwise nothing",
}
QUESTIONS = {"one": ("A", "B"), "two": ("C", "D")}
SAME = "same"


class Finding(NamedTuple):
    """What the two answers together mean."""

    said: list[str]
    consistent: bool
    usual: bool
    axiom: str
    meaning: str
    explanation: str
    between: str


def finding(one: str, two: str) -> Finding:
    """The verdict on two answers: a lottery's letter, or `same`."""
    said = [_comparison(*QUESTIONS["one"], one), _comparison(*QUESTIONS["two"], two)]
    verdict = Preferences(said, LOTTERIES).check()
    return Finding(
        said,
        verdict.consistent,
        (one, two) == ("B", "C"),
        verdict.axiom,
        AXIOMS.get(verdict.axiom, ""),
        verdict.explanation,
        {"A": "less than", "B": "more than", SAME: "exactly"}[one],
    )


def _comparison(first: str, second: str, chosen: str) -> str:
    if chosen == SAME:
        return f"{first} ~ {second}"
    return f"{first} > {second}" if chosen == first else f"{second} > {first}"
