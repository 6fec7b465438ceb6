"""Numbers as the pages of this room write them, and limits on what may be typed in."""

from __future__ import annotations

import re
from collections.abc import Iterable
from fractions import Fraction
from typing import Any

from ...errors import BadInput
from ...number import number_text
from ...utility import Lottery
from ...utility.notation import parse_definitions, quoted

LARGEST = 400
"""Prizes of a lottery once all lotteries inside it are written out."""


def figure(value: Any) -> str:
    """A number in six figures with thousands apart; nothing for None."""
    if value is None:
        return ""
    found = float(value)
    if found != found or abs(found) == float("inf"):
        return "−∞" if found < 0 else "∞"
    if found == int(found) and abs(found) < 1e15:
        return f"{int(found):,}".replace("-", "−")
    text = f"{found:,.2f}" if 1e4 <= abs(found) < 1e15 else f"{found:,.6g}"
    return text.replace("-", "−")


def prize_text(prize: Any) -> str:
    """A prize as people write it, so that it can be read back."""
    return number_text(prize) if isinstance(prize, (int, float, Fraction)) else quoted(str(prize))


def has_amounts(lottery: Lottery) -> bool:
    return all(isinstance(prize, (int, float, Fraction)) for prize in lottery.prizes)


def definitions(lines: Iterable[str]) -> dict[str, Lottery]:
    """Names given to lotteries, one per line; refuses those that would be too large when written out."""
    texts = [line.strip() for line in lines if line.strip()]
    check_size(texts)
    return parse_definitions(texts)


def check_size(definitions: Iterable[str], texts: Iterable[str] = ()) -> None:
    """Refuse lotteries inside lotteries that come to too many prizes, before any of them is made."""
    sizes: dict[str, int] = {}

    def size(text: str) -> int:
        words = (word.strip() for word in re.split(r"[\[\],;<>~≻≺∼]", text))
        return sum(sizes.get(word, 1) for word in words if word)

    for text in definitions:
        name, _, meaning = (part.strip() for part in text.partition("="))
        sizes[name] = size(meaning)
        if sizes[name] > 2 * LARGEST:
            raise BadInput(f"{name[:40]} is too large: written out it has more than {LARGEST} prizes")
    for text in texts:
        if size(text) > 4 * LARGEST:
            raise BadInput(f"{text[:40]!r} is too large: written out it has more than {LARGEST} prizes")
