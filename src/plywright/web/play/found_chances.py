"""The winning chances that analyses and reviews have found at a table, ply by ply: its bar and its graph read them."""

from __future__ import annotations

import zlib
from collections.abc import Mapping, Sequence
from typing import Any

from ..errors import Missing
from ..json_store import JsonStore

FOUND = JsonStore("chances")


def keep_chances(name: str, actions: Sequence[int], chances: Mapping[int, float]) -> None:
    """Keep the first side's winning chances at some plies of a game, each with a mark of the moves that lead there."""
    kept, fresh = _read(name), name not in FOUND
    for ply, chance in chances.items():
        kept[str(ply)] = [_mark(actions[:ply]), round(chance, 4)]
    FOUND[name] = kept
    if fresh:
        FOUND.tidy()


def kept_chances(name: str, actions: Sequence[int]) -> dict[int, float]:
    """What was found at each ply of a game, if its moves up to there are still those that were looked at."""
    found: dict[int, float] = {}
    for word, note in _read(name).items():
        match note:
            case [int(mark), (int() | float()) as chance] if word.isascii() and word.isdigit() and 0 <= chance <= 1:
                ply = int(word)
                if ply <= len(actions) and mark == _mark(actions[:ply]):
                    found[ply] = float(chance)
    return found


def forget_chances(name: str) -> None:
    del FOUND[name]


def _read(name: str) -> dict[str, Any]:
    try:
        content = FOUND[name]
    except Missing:
        return {}
    return content if isinstance(content, dict) else {}


def _mark(actions: Sequence[int]) -> int:
    return zlib.crc32(",".join(map(str, actions)).encode())
