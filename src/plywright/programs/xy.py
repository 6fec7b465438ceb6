"""Othello's line format `x y`, both ends: a program reads its opponent's moves and writes its own.

The first line a program reads is `game black 4 0 0` or `game white 0 5 0`: its colour, then the plies,
the seconds per move and the seconds per game, 0 for what does not apply. Moves already played stand at its
end: `game black 4 0 0 moves 6 4 6 3`. A program that wants its colour on the command line instead is written with
the words {colour}, {depth}, {move} or {budget}, and then reads moves only. What follows a `#` is a remark, in both
directions; a line of remarks alone is no answer.
"""

from __future__ import annotations

import math
import re
import time
from collections.abc import Callable, Iterable
from dataclasses import replace
from typing import Any

from ..errors import BadInput, shown
from ..game import Game
from ..players import Clock, Mode, Offence, Player
from ..players.offence import ILLEGAL
from .answering import Brain
from .othello_text import from_xy, othello, to_xy
from .process import RAW_CAP
from .program_player import ProgramPlayer

COLOURS = ("black", "white")
STARTING = "2"
"""Seconds of a program's first answer that are not counted (option `start`): no greeting shows when it is up."""
PLACES = re.compile(r"\{(colour|color|depth|move|budget)\}")


class XyPlayer(ProgramPlayer):
    """A program that speaks `x y`; a new process for every game, since no line begins another one."""

    protocol = "xy"
    fresh = True

    def __init__(self, command: str, game: Game, name: str = "", options: Any = None) -> None:
        rest = dict(options or {})
        starting = rest.pop("start", STARTING)
        if not re.fullmatch(r"[0-9]{1,3}(\.[0-9]+)?", starting):
            raise BadInput(f"{name!r}: start={starting!r} should be the seconds that a program may take to start")
        self.starting = float(starting)
        super().__init__(command, game, name, rest)
        self.size = othello(game, self.protocol).size
        self.takes_openings = not any(PLACES.search(word) for word in self.words)
        self.told = 0
        self.answered = False

    def command(self) -> list[str]:
        values = self.settings()
        return [PLACES.sub(lambda found: values[found[1].replace("color", "colour")[:6]], word) for word in self.words]

    def settings(self) -> dict[str, str]:
        mode = self.mode or Mode("move", 1.0)
        amounts = {kind: f"{mode.amount:g}" if mode.kind == kind else "0" for kind in ("depth", "move", "budget")}
        return {"colour": COLOURS[self.seat], **amounts}

    def new_game(self, deadline: float) -> None:
        if self.current != self.game.start_state:
            raise self.unfit("xy has no line for a position; start from the beginning, with an opening's moves")
        self.told, self.answered = len(self.opening), False
        opening = self.opening_text()
        if not self.takes_openings:
            if opening:
                raise self.unfit("without the line that begins a game it cannot be told an opening")
            return
        begins = "game {colour} {depth} {move} {budget}".format(**self.settings())
        self.say(f"{begins} moves {opening}" if opening else begins, deadline)

    def opening_text(self) -> str:
        state, words = self.game.start_state, []
        for action in self.opening:
            words.append(to_xy(self.game.format_action(state, action), self.size))
            state = self.game.state_after(state, action)
        return " ".join(words)

    def ask(self, view: Any, clock: Clock) -> int:
        request = "\n".join(to_xy(text, self.size) for _, text in self.moves[self.told :])
        self.told = len(self.moves) + 1  # its own answer comes next, and need not be told
        line = self.turn(request, clock) if self.answered else self.first_turn(request, clock)
        text = from_xy(remarkless(line), self.size)
        legal = {self.game.format_action(view, action): action for action in self.asked.legal}
        if text in legal:
            return legal[text]
        wrote = f"{self.name} wrote {shown(line)}"
        if text is None:
            note = f"{wrote}, which is no move: a move is two numbers from 1 to {self.size}, or pass"
        else:
            note = f"{wrote}{self.letters(text)}, which is not legal"
            note += "; legal: " + ", ".join(to_xy(name, self.size) + self.letters(name) for name in legal)
        raise Offence(ILLEGAL, note, line[:RAW_CAP])

    def letters(self, text: str) -> str:
        """What books and our other commands call a square, after its numbers."""
        return "" if text == "pass" else f" ({text})"

    def first_turn(self, request: str, clock: Clock) -> str:
        """The first answer of a process, which may still be starting."""
        self.answered = True
        try:
            return self.turn(
                request, replace(clock, left=clock.left + self.starting, patience=clock.patience + self.starting)
            )
        finally:
            if self.elapsed is not None:
                self.elapsed = max(0.0, self.elapsed - self.starting)

    def turn(self, request: str, clock: Clock) -> str:
        """Its answer to the opponent's move; who begins is told nothing and answers all the same."""
        if request:
            return self.exchange(request, _any, clock)
        began = time.monotonic()
        try:
            return self.wait_fairly(_any, began, clock)
        finally:
            self.elapsed = time.monotonic() - began


def _any(line: str) -> str | None:
    return line if remarkless(line) else None


def remarkless(line: str) -> str:
    """A line without what follows its first `#`."""
    return line.partition("#")[0].strip()


def serve(game: Game, player: Player, lines: Iterable[str], write: Callable[[str], None]) -> None:
    """Be the program: read `game ...`, then the opponent's moves, and write ours, until the lines end."""
    size = othello(game, "xy").size
    brain, state, seat, mode, left = Brain(game, player), game.start_state, 0, Mode("move", 1.0), math.inf
    brain.prepare()
    for written in lines:
        line = remarkless(written)
        words = line.split()
        if not words:
            continue
        if words[0] == "game":
            seat, mode = read_settings(words)
            state, left = game.start_state, mode.amount if mode.timed else math.inf
            brain.begin(seat, 0)
            state = _play(game, state, re.findall(r"pass|\d+ \d+", " ".join(words[6:])), size)
        else:
            state = _play(game, state, [line], size)
        state, left = _answer(game, brain, state, seat, Clock(mode, left), size, write)


def read_settings(words: list[str]) -> tuple[int, Mode]:
    """Seat and mode of a line `game white 0 5 0`."""
    try:
        seat = COLOURS.index(words[1])
        depth, move, budget = (float(word) for word in words[2:5])
    except (IndexError, ValueError):
        raise BadInput(f"{' '.join(words)!r} should be: game black|white DEPTH MOVE-SECONDS GAME-SECONDS") from None
    for kind, amount in (("depth", depth), ("move", move), ("budget", budget)):
        if amount > 0 and math.isfinite(amount):
            return seat, Mode(kind, amount)
    return seat, Mode("move", 1.0)


def _answer(
    game: Game, brain: Brain, state: Any, seat: int, clock: Clock, size: int, write: Callable[[str], None]
) -> tuple[Any, float]:
    """Our move, if it is our turn; the state after it and the seconds left."""
    if game.is_terminal(state) or int(game.to_move(state)) != seat:
        return state, clock.left
    began = time.monotonic()
    action = brain.think(state, seat, clock)
    if action is None:
        raise BadInput("the player found no move")
    write(to_xy(game.format_action(state, action), size))
    used = time.monotonic() - began if clock.mode.kind == "budget" else 0.0
    return game.state_after(state, action), clock.left - used


def _play(game: Game, state: Any, lines: list[str], size: int) -> Any:
    for line in lines:
        text = from_xy(line, size)
        if text is None:
            raise BadInput(f"{line.strip()!r} is not a move: two numbers from 1 to {size}, or pass")
        state = game.state_after(state, game.parse_action(state, text))
    return state
