"""The fields of a form or an address: every one is read with its limits, and a mistake is a sentence."""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence

from ..errors import BadInput

LONGEST_NUMBER = 40
"""Characters of a number; Python itself refuses whole numbers of some thousand digits."""


class Fields:
    """What was given, by name."""

    def __init__(self, given: Mapping[str, str]) -> None:
        self.given = given

    def text(self, name: str, default: str = "", most: int = 2000) -> str:
        text = self.given.get(name, default).strip()
        if len(text) > most:
            raise BadInput(f"{name} is too long: {len(text)} characters, where {most} are allowed")
        return text

    def choice(self, name: str, among: Sequence[str], default: str | None = None) -> str:
        text = self.text(name, among[0] if default is None else default) or (default or among[0])
        if text not in among:
            raise BadInput(f"{name} cannot be {text[:40]!r}; there are {', '.join(filter(None, among))}")
        return text

    def whole(self, name: str, default: int, least: int, most: int) -> int:
        text = self.text(name, most=LONGEST_NUMBER) or str(default)
        try:
            number = int(text)
        except ValueError:
            raise BadInput(f"{name} must be a whole number, not {text!r}") from None
        if not least <= number <= most:
            raise BadInput(f"{name} must be from {least} to {most}, not {text}")
        return number

    def number(self, name: str, default: float, least: float, most: float) -> float:
        text = self.text(name, most=LONGEST_NUMBER) or str(default)
        try:
            number = float(text)
        except ValueError:
            raise BadInput(f"{name} must be a number, not {text!r}") from None
        if not math.isfinite(number) or not least <= number <= most:
            raise BadInput(f"{name} must be from {least:g} to {most:g}, not {text}")
        return number

    def ticked(self, name: str) -> bool:
        return self.given.get(name, "") not in ("", "no", "0")

    def __contains__(self, name: str) -> bool:
        return name in self.given
