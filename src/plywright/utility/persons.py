"""Simulated persons who answer an elicitation's questions: by a utility function, steadily or not."""

from __future__ import annotations

from typing import Any

from ..errors import BadInput
from ..number import number
from ..rng import draw64, seeded
from .elicitation import LOTTERY, PRIZE, SAME, Elicitation, Inconsistent, Question
from .lottery import valued
from .risk import Utility


class Person:
    """Prefers what has the higher expected utility; `noise` is the chance of saying the opposite."""

    def __init__(self, utility: Utility, noise: float = 0.0, seed: int = 1, tolerance: float = 1e-9) -> None:
        self.utility, self.noise, self.tolerance = utility, number(noise, "the noise"), tolerance
        if not 0 <= self.noise <= 1:
            raise BadInput(f"the noise is the chance of a wrong answer, from 0 to 1, not {noise}")
        self.rng: Any = seeded(seed)

    def choose(self, question: Question) -> str:
        """prize, lottery or same."""
        gap = float(valued(self.utility, question.prize) - question.lottery.expected_utility(self.utility))
        span = [float(self.utility(prize)) for prize in question.lottery.prizes]
        if draw64(self.rng) / 2**64 < self.noise:
            return LOTTERY if gap > 0 else PRIZE
        if abs(gap) <= self.tolerance * (max(span) - min(span)):
            return SAME
        return PRIZE if gap > 0 else LOTTERY


def interview(talk: Elicitation, person: Person, most: int = 1000) -> list[str]:
    """Ask until everything is known; returns the contradictions met (the newer answer is kept)."""
    met = []
    for _ in range(most):
        question = talk.question
        if question is None:
            break
        choice = person.choose(question)
        try:
            talk.answer(choice)
        except Inconsistent as error:
            met.append(str(error))
            talk.answer(choice, insist=True)
    return met
