"""UCI, both ends: `position`, `go`, `bestmove`. The framing is any game's; the moves are the game's own texts."""

from __future__ import annotations

import math
import re
import time
from collections.abc import Callable, Iterable
from itertools import pairwise
from typing import Any

from ..errors import BadInput, PlywrightError
from ..game import Game
from ..players import Clock, Mode, Offence, Player
from ..players.offence import ILLEGAL, RESIGNED
from ..result import SearchResult
from .answering import Brain
from .figures import whole
from .process import RAW_CAP
from .program_player import ProgramPlayer

NO_MOVE = ("(none)", "0000")
DAY = 86400.0
"""Seconds of a search that ends by `stop`: as good as for ever, and every search takes a time."""


class UciPlayer(ProgramPlayer):
    """A program that speaks UCI; options after `?` are sent as `setoption`, and must be among its own."""

    protocol = "uci"
    takes_options = True
    farewell = "quit"

    def greet(self, deadline: float) -> None:
        offered: dict[str, str] = {}

        def accept(line: str) -> bool | None:
            found = re.match(r"option name (.+?) type (.*)", line.strip())
            if found:
                offered[found[1]] = found[2]
            return True if line.split()[:1] == ["uciok"] else None

        self.say("uci", deadline)
        self.wait_for(accept, deadline)
        self.set_options(offered)
        self.synchronise(deadline)

    def set_options(self, offered: dict[str, str]) -> None:
        """Options as the user wrote them; raises BadInput for one that the program does not have."""
        by_lower = {name.lower(): name for name in offered}
        wanted = dict(self.options)
        if "uci_elo" in {name.lower() for name in wanted} and "uci_limitstrength" in by_lower:
            wanted.setdefault(by_lower["uci_limitstrength"], "true")
        for written, value in wanted.items():
            name = by_lower.get(written.lower())
            if name is None:
                raise BadInput(f"{self.name!r} has no option {written!r}; it has: {', '.join(offered) or 'none'}")
            choices = re.findall(r"\bvar (.+?)(?= var |$)", offered[name])
            if choices and value not in choices:
                raise BadInput(f"{self.name!r}: {name} is one of {', '.join(choices)}, not {value!r}")
            self.say(f"setoption name {name} value {value}")

    def synchronise(self, deadline: float) -> None:
        self.say("isready", deadline)
        self.wait_for(lambda line: True if line.split()[:1] == ["readyok"] else None, deadline)

    def new_game(self, deadline: float) -> None:
        self.say("ucinewgame", deadline)
        self.synchronise(deadline)

    def ask(self, view: Any, clock: Clock) -> int:
        game = self.game
        own_start = self.start is None or self.start == game.start_state
        place = "startpos" if own_start else f"fen {game.format_state(self.start)}"
        moves = " ".join(text for _, text in self.moves)
        position = f"position {place}" + (f" moves {moves}" if moves else "")
        line = self.exchange(f"{position}\n{go_line(self.seat, clock)}", self.accept, clock, "stop")
        words = line.split()
        if len(words) < 2 or words[1] in NO_MOVE:
            raise Offence(ILLEGAL, f"{self.name} named no move", line[:RAW_CAP])
        if words[1] == "resign":
            raise Offence(RESIGNED, f"{self.name} resigned", line[:RAW_CAP])
        return self.read_move(view, words[1], line)

    def accept(self, line: str) -> str | None:
        words = line.split()
        if words[:1] == ["info"]:
            for key in ("depth", "nodes"):
                number = whole(words[words.index(key) + 1]) if key in words[:-1] else None
                if number is not None:
                    self.info[key] = number
            found = re.search(r"score (cp|mate) (\S+)", line)
            score = whole(found[2]) if found else None
            if found and score is not None:
                self.info["value"] = score / 100 if found[1] == "cp" else math.copysign(1000, score)
        return line if words[:1] == ["bestmove"] else None


def go_line(seat: int, clock: Clock) -> str:
    mode = clock.mode
    if mode.kind in ("depth", "nodes"):
        return f"go {mode.kind} {int(mode.amount)}"
    left = max(1, int(clock.left * 1000))
    if mode.kind == "move":
        return f"go movetime {left}"
    increment = int(mode.increment * 1000)
    side, other = ("w", "b") if seat == 0 else ("b", "w")
    return f"go {side}time {left} {other}time {left} {side}inc {increment} {other}inc {increment}"


# -- the other end -----------------------------------------------------------------------------------------


def serve(game: Game, player: Player, lines: Iterable[str], write: Callable[[str], None]) -> None:
    """Be the program; unknown words are ignored, as UCI asks."""
    if game.hidden:
        raise BadInput(f"uci tells a program every move, and {game.name} hides some: use the protocol json")
    brain, states = Brain(game, player), [game.start_state]
    for line in lines:
        word, _, rest = line.strip().partition(" ")
        if word == "uci":
            write(f"id name Plywright {player.name} ({game.name})")
            write("id author the Plywright authors")
            write("uciok")
        elif word == "isready":
            brain.prepare()
            write("readyok")
        elif word == "ucinewgame":
            brain.stop()
            brain.begin(0, 0)
        elif word == "position":
            brain.stop()
            try:
                states = read_position(game, rest)
            except PlywrightError as error:
                write(f"info string {error}")
        elif word == "go":
            _go(game, brain, states, rest, write)
        elif word == "stop":
            brain.stop()
        elif word == "quit":
            break
    brain.stop()


def _go(game: Game, brain: Brain, states: list[Any], rest: str, write: Callable[[str], None]) -> None:
    brain.stop()
    state = states[-1]
    if game.is_terminal(state) or game.at_chance(state):
        write("bestmove (none)")
        return
    began = time.monotonic()

    def info(found: SearchResult) -> None:
        used = int((time.monotonic() - began) * 1000)
        line = " ".join(found.line_text(game, state))
        score = f"score cp {round(found.value * 100)}"
        write(f"info depth {found.depth} {score} nodes {found.nodes} time {used} pv {line}")

    brain.report = info
    seat = int(game.to_move(state))
    clock = read_go(rest, seat)
    brain.go(state, seat, clock, lambda action: write(f"bestmove {game.format_action(state, action)}"), states[:-1])


def read_position(game: Game, text: str) -> list[Any]:
    """The states of `startpos|fen STATE [moves ...]`, the present one last; raises BadInput where there is none."""
    place, _, moves = text.partition("moves")
    kind, _, written = place.strip().partition(" ")
    if kind == "startpos":
        state = game.start_state
    elif kind == "fen":
        state = game.read_state(written)
    else:
        raise BadInput(f"position {text!r} should begin with startpos or fen")
    states = [state]
    for word in moves.split():
        state = game.coerce_state(game.result(state, game.parse_action(state, word)))
        states.append(state)
    return states


def read_go(text: str, seat: int) -> Clock:
    """The clock of a `go` line; without any limit that can be read it is infinite, until `stop`."""
    values: dict[str, float] = {}
    words = text.split()
    for word, value in pairwise(words):
        number = whole(value)
        if number is not None:
            values[word] = number
    for kind in ("depth", "nodes"):
        if values.get(kind, 0) > 0:
            return Clock(Mode(kind, values[kind]))
    if values.get("movetime", 0) > 0:
        seconds = values["movetime"] / 1000
        return Clock(Mode("move", seconds), seconds)
    side = "w" if seat == 0 else "b"
    if f"{side}time" in values:
        left = max(values[f"{side}time"] / 1000, 0.001)
        if values.get("movestogo") == 1:
            return Clock(Mode("move", left), left)
        return Clock(Mode("budget", left, values.get(f"{side}inc", 0) / 1000), left)
    return Clock(Mode("move", DAY), DAY)
