"""Othello as programs write it: `x y` squares, GGF games and their clocks."""

from __future__ import annotations

import math
import re
from typing import Any

from ..errors import BadInput
from ..game import Game
from ..games.notation import square_cell, square_name
from ..games.othello import ggf as othello_ggf
from ..games.othello.ggf import ggf_board, ggf_move
from ..games.othello.rules import Othello
from ..players import Clock, Mode


def othello(game: Game, protocol: str) -> Othello:
    """The game, if it is Othello; raises BadInput for any other."""
    if not isinstance(game, Othello):
        raise BadInput(f"the protocol {protocol} is Othello's, and {game.name} is another game; json carries any game")
    return game


def to_xy(text: str, size: int) -> str:
    """`f5` as `6 4`: x from the left, y from the bottom, while a1 is at the upper left."""
    cell = square_cell(text, size, size)
    return "pass" if cell is None else f"{cell % size + 1} {size - cell // size}"


def from_xy(line: str, size: int) -> str | None:
    """`6 4` as `f5`, `pass` as `pass`; None for any other text."""
    if line.strip().lower() == "pass":
        return "pass"
    found = re.fullmatch(r"\s*([1-9][0-9]?)[\s,]+([1-9][0-9]?)\s*", line)
    if found is None or not (1 <= int(found[1]) <= size and 1 <= int(found[2]) <= size):
        return None
    return square_name((size - int(found[2])) * size + int(found[1]) - 1, size)


# -- GGF ---------------------------------------------------------------------------------------------------


def write_ggf(game: Othello, start: Any, moves: list[tuple[int, str]], seat: int, clock: Clock) -> str:
    """A game so far, one line, with the clock of the one to move."""
    played = "".join(f"{'BW'[mover]}[{ggf_move(text)}]" for mover, text in moves)
    names = "PB[black]PW[white]RE[?]"
    times = f"TI[{_ggf_time(clock.mode)}]" + (f"T{'BW'[seat]}[{_minutes(clock.left)}]" if clock.mode.timed else "")
    return f"(;GM[Othello]PC[Plywright]{names}{times}TY[{game.size}]BO[{ggf_board(game, start)}]{played};)"


def read_ggf(game: Othello, text: str) -> tuple[Any, Clock | None]:
    """The state after the moves of the game in a line, and the mover's clock if the game has one."""
    before, opening, rest = text.partition(othello_ggf.OPENING)
    state, actions, fields = othello_ggf.read_ggf(game, opening + rest if opening else before)
    for action in actions:
        state = game.state_after(state, action)
    return state, _ggf_clock(fields, int(game.to_move(state)))


def _ggf_time(mode: Mode) -> str:
    """main/increment; no main time at all means so much for each move."""
    if mode.kind == "move":
        return f"0:00/{_minutes(mode.amount)}"
    return f"{_minutes(mode.amount)}/{_minutes(mode.increment)}" if mode.kind == "budget" else "0:00"


def _ggf_clock(fields: dict[str, str], seat: int) -> Clock | None:
    parts = [_from_minutes(part) for part in fields.get("TI", "").split("/")]
    main, increment = parts[0] if parts else 0.0, parts[1] if len(parts) > 1 else 0.0
    left = _from_minutes(fields.get("TB" if seat == 0 else "TW", "")) or main
    if main <= 0 and increment > 0:
        return Clock(Mode("move", increment), increment if left <= 0 else left)
    return Clock(Mode("budget", main, increment), left) if main > 0 else None


def _minutes(seconds: float) -> str:
    seconds = 0.0 if not math.isfinite(seconds) else max(seconds, 0.0)
    return f"{int(seconds // 60)}:{seconds % 60:06.3f}"


def _from_minutes(text: str) -> float:
    total = 0.0
    for part in text.strip().split(":"):
        try:
            total = total * 60 + float(part or 0)
        except ValueError:
            return 0.0
    return total if math.isfinite(total) else 0.0
