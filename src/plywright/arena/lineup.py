"""Players as people write them: `alphabeta:depth=4`, `random`, `./my_player.py:Player`, `pipe:python bot.py`."""

from __future__ import annotations

from ..errors import BadInput
from ..game import Game
from ..players import Player
from ..players.searching import ENGINE, LIMITS, NAMES, SearchPlayer
from ..players.simple import FirstPlayer, RandomPlayer

KINDS = "search, alphabeta, minimax or pvs (with depth=, time=, nodes=), random, first"


def make_player(text: str, game: Game) -> Player:
    """The player a text means; raises BadInput with what exists when it means none."""
    if not isinstance(text, str) or not text.strip():
        raise BadInput(f"give a player: {KINDS}")
    text = text.strip()
    kind, _, rest = text.partition(":")
    if kind in NAMES:
        return SearchPlayer(kind, text, **_numbers(text, rest))
    if text == "random":
        return RandomPlayer()
    if text == "first":
        return FirstPlayer()
    raise BadInput(f"there is no player {text!r}; write {KINDS}")


def _numbers(text: str, rest: str) -> dict[str, float]:
    given: dict[str, float] = {}
    for part in filter(None, (piece.strip() for piece in rest.split(","))):
        key, equals, value = part.partition("=")
        kind = {**LIMITS, **ENGINE}.get(key)
        if not equals or kind is None:
            raise BadInput(f"{text!r}: {part!r} is not one of {', '.join((*LIMITS, *ENGINE))}, as in alphabeta:depth=4")
        try:
            given[key] = kind(value)
        except ValueError:
            raise BadInput(f"{text!r}: {value!r} is not a number") from None
    return given
