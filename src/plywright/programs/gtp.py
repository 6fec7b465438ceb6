"""GTP 2, both ends: numbered commands, replies that end with an empty line."""

from __future__ import annotations

import inspect
import math
import re
import time
from collections.abc import Callable, Iterable
from dataclasses import replace
from typing import Any

from ..errors import BadInput, PlywrightError, printable
from ..game import Game
from ..games.go import Go
from ..players import Clock, Mode, Offence, Player, Playing
from ..players.offence import ILLEGAL, RESIGNED
from .answering import Brain
from .figures import real
from .process import RAW_CAP
from .program_player import ProgramPlayer

COLOURS = ("black", "white")
CONTROL = re.compile(r"[\x00-\x08\x0b-\x1f\x7f]")
"""What an engine discards from a line, as the protocol says."""
LONGEST_REASON = 300
"""Characters of the reason behind a refusal."""


class GtpPlayer(ProgramPlayer):
    """A program that speaks GTP; seat 1 is black, seat 2 white."""

    protocol = "gtp"
    farewell = "quit"

    def __init__(self, command: str, game: Game, name: str = "", options: Any = None) -> None:
        super().__init__(command, game, name, options)
        if game.players != 2 or game.has_chance or game.hidden:
            raise self.unfit("gtp knows black and white, no dice and nothing hidden")
        self.number = 0
        self.known: set[str] = set()
        self.told = 0

    def greet(self, deadline: float) -> None:
        self.command_line("protocol_version", deadline)
        self.known = set(self.command_line("list_commands", deadline).split())
        if "list_games" in self.known:
            games = self.command_line("list_games", deadline).split("\n")
            title = next((title for title in games if title.strip().lower() == self.game.name.split(":")[0]), None)
            if title is None:
                raise self.unfit(f"it plays {', '.join(games)}")
            self.command_line(f"set_game {title.strip()}", deadline)

    def new_game(self, deadline: float) -> None:
        if self.start is not None and self.start != self.game.start_state:
            raise self.unfit("gtp has no line for a position; start from the beginning, with an opening's moves")
        size, komi = getattr(self.game, "size", None), getattr(self.game, "komi", None)
        if size is not None:
            self.command_line(f"boardsize {size}", deadline)
        self.command_line("clear_board", deadline)
        if komi is not None:
            self.command_line(f"komi {komi:g}", deadline)
        self.told = 0

    def ask(self, view: Any, clock: Clock) -> int:
        """Its move; the clock runs from the first command of the turn, or `play` would be free time to think."""
        began = time.monotonic()
        try:
            self.catch_up(began + clock.patience)
            self.tell_time(clock, began + clock.patience)
        finally:
            used = self.elapsed = time.monotonic() - began
        self.number += 1
        request = f"{self.number} genmove {COLOURS[self.seat]}"
        try:
            rest = replace(clock, left=max(clock.left - used, 0.0), patience=clock.patience - used)
            line = self.exchange(request, self.whole_reply(), rest)
        finally:
            self.elapsed = (self.elapsed or 0.0) + used
        text = line.strip().lower()
        if text == "resign":
            raise Offence(RESIGNED, f"{self.name} resigned", line[:RAW_CAP])
        self.told = len(self.moves) + 1  # genmove plays on its own board too
        return self.read_move(view, text, line)

    def catch_up(self, deadline: float) -> None:
        """Tell it the moves that it has not seen."""
        for mover, text in self.moves[self.told :]:
            try:
                self.command_line(f"play {COLOURS[mover]} {text}", deadline)
            except Offence as offence:
                if text != "pass" or not offence.raw.startswith("?"):
                    raise  # some programs take a forced pass for granted, and its text for an error

    def tell_time(self, clock: Clock, deadline: float) -> None:
        if not clock.mode.timed or "time_settings" not in self.known:
            return
        if clock.mode.kind == "move":
            self.command_line(f"time_settings 0 {max(1, math.floor(clock.left))} 1", deadline)
            return
        self.command_line(f"time_settings {max(1, math.floor(clock.mode.amount))} 0 0", deadline)
        if "time_left" in self.known:
            self.command_line(f"time_left {COLOURS[self.seat]} {max(0, math.floor(clock.left))} 0", deadline)

    def command_line(self, text: str, deadline: float) -> str:
        """The reply to a command; raises Offence for an error, which to one of ours is the program's fault."""
        self.number += 1
        self.say(f"{self.number} {text}", deadline)
        return self.wait_for(self.whole_reply(), deadline)

    def accept_first(self, line: str) -> str | None:
        """The text of a reply to the last command; None for empty lines and replies to earlier ones."""
        found = re.fullmatch(r"([=?])(\d*)\s*(.*)", line)
        if found is None:
            if not line.strip():
                return None
            raise Offence(ILLEGAL, f"{self.name} wrote a line that is no reply in gtp", line[:RAW_CAP])
        if found[2] and found[2] != str(self.number):
            return None
        if found[1] == "?":
            raise Offence(ILLEGAL, f"{self.name} answered with an error: {found[3]}", line[:RAW_CAP])
        return found[3]

    def whole_reply(self) -> Callable[[str], str | None]:
        """Takes lines until a reply to the last command is complete: up to its empty line."""
        lines: list[str] = []

        def accept(line: str) -> str | None:
            if not lines:
                first = self.accept_first(line)
                lines.extend([] if first is None else [first])
                return None
            if not line.strip():
                return "\n".join(lines)
            lines.append(line.strip())
            return None

        return accept


# -- the other end -----------------------------------------------------------------------------------------


class Server:
    """What a GTP program remembers between commands: a method `do_...` for each that it knows.

    Go's own commands are in `gtp_go.py`.
    """

    def __init__(self, game: Game, player: Player) -> None:
        self.game, self.player = game, player
        self.brain = Brain(game, player)
        self.playing = Playing(game)
        self.turns: list[int] = []  # plies of each command that moved: a pass may have been added
        self.clock: list[Clock | None] = [None, None]

    @property
    def commands(self) -> list[str]:
        return [name.removeprefix("do_") for name in dir(self) if name.startswith("do_")]

    def reply(self, command: str, words: list[str]) -> str:
        method = getattr(self, f"do_{command}", None)
        if method is None:
            raise BadInput("unknown command")
        try:
            inspect.signature(method).bind(*words)
        except TypeError:
            raise BadInput("syntax error") from None
        return str(method(*words))

    def begin(self, start: Any = None) -> None:
        """A new game."""
        self.playing, self.turns = Playing(self.game, start), []
        self.brain.begin(0, 0)

    def do_protocol_version(self) -> str:
        return "2"

    def do_name(self) -> str:
        return f"Plywright {self.player.name}"

    def do_version(self) -> str:
        from .. import __version__

        return __version__

    def do_known_command(self, command: str) -> str:
        return str(command in self.commands).lower()

    def do_list_commands(self) -> str:
        return "\n".join(self.commands)

    def do_list_games(self) -> str:
        return self.game.name.split(":")[0].title()

    def do_set_game(self, name: str) -> str:
        if name.lower() != self.game.name.split(":")[0]:
            raise BadInput("unknown game")
        return ""

    def do_boardsize(self, size: str) -> str:
        if size != str(getattr(self.game, "size", size)):
            raise BadInput("unacceptable size")
        self.begin()
        return ""

    def do_clear_board(self) -> str:
        self.begin()
        return ""

    def do_komi(self, komi: str) -> str:
        _number(komi)
        return ""

    def do_play(self, colour: str, *vertex: str) -> str:
        seat = seat_of(colour)
        if not vertex:
            raise BadInput("syntax error")
        before = self.playing.ply
        try:
            self.hand_over(seat)
            action = self.read_move(" ".join(vertex))
        except BadInput as error:
            self.playing.undo(self.playing.ply - before)
            raise BadInput(f"illegal move: {_one_line(error)}") from None
        self.playing.step(action)
        self.turns.append(self.playing.ply - before)
        return ""

    def read_move(self, text: str) -> int:
        """The legal action that a vertex means here; raises BadInput."""
        action = self.game.parse_action(self.playing.state, text)
        if action not in self.playing.legal():
            raise BadInput("it would repeat a position of the game")
        return action

    def hand_over(self, seat: int) -> None:
        """Have this seat to move, where the rules allow it; raises BadInput where they do not."""
        if self.playing.is_over():
            raise BadInput("the game is over")
        if self.playing.mover() != seat:
            raise BadInput(f"it is {COLOURS[self.playing.mover()]}'s turn")

    def do_genmove(self, colour: str) -> str:
        seat, before = seat_of(colour), self.playing.ply
        try:
            self.hand_over(seat)
        except BadInput:
            return "pass"
        action = self.thought(seat)
        if action is None:
            self.playing.undo(self.playing.ply - before)
            return "resign"
        text = self.game.format_action(self.playing.state, action)
        self.playing.step(action)
        self.turns.append(self.playing.ply - before)
        return text if text == "pass" else text.upper()

    def thought(self, seat: int) -> int | None:
        """The player's move here."""
        clock = self.clock[seat] or Clock(Mode("move", 1.0), 1.0)
        return self.brain.think(self.playing.state, seat, clock, self.playing.states[:-1])

    def do_undo(self) -> str:
        if not self.turns:
            raise BadInput("cannot undo")
        self.playing.undo(self.turns.pop())
        return ""

    def do_time_settings(self, main: str, period: str, stones: str) -> str:
        seconds, byo, count = _number(main), _number(period), int(_number(stones))
        if seconds > 0:
            clock: Clock | None = Clock(Mode("budget", seconds), seconds)
        else:  # a period for no stones at all means that there is no limit
            clock = Clock(Mode("move", byo / count), byo / count) if byo > 0 and count > 0 else None
        self.clock = [clock, clock]
        return ""

    def do_time_left(self, colour: str, seconds: str, stones: str) -> str:
        left, count = max(_number(seconds), 0.001), int(_number(stones))
        old = self.clock[seat_of(colour)]
        mode = old.mode if old is not None else Mode("budget", left)
        share = left / count if count > 0 else left
        self.clock[seat_of(colour)] = Clock(mode, share)
        return ""

    def do_showboard(self) -> str:
        return "\n" + self.game.picture(self.playing.state).text

    def do_final_score(self) -> str:
        if not self.playing.is_over():
            raise BadInput("cannot score")
        score = self.playing.utility(0)
        return "0" if score == 0 else f"{'B' if score > 0 else 'W'}+{abs(score):g}"

    def do_quit(self) -> str:
        return ""


def _one_line(error: BadInput) -> str:
    """What a controller shows of an error."""
    return printable(str(error))[:LONGEST_REASON]


def _number(text: str) -> float:
    value = real(text)
    if value is None:
        raise BadInput("syntax error")
    return value


def seat_of(colour: str) -> int:
    for seat, name in enumerate(COLOURS):
        if colour.lower() in (name, name[0]):
            return seat
    raise BadInput("invalid color")


def serve(game: Game, player: Player, lines: Iterable[str], write: Callable[[str], None]) -> None:
    """Be the program, until `quit` or the end of the lines."""
    from .gtp_go import GoServer  # which adds to what is here

    if game.players != 2 or game.has_chance or game.hidden:
        raise BadInput(f"gtp knows black and white, no dice and nothing hidden: {game.name} is another kind of game")
    server = GoServer(game, player) if isinstance(game, Go) else Server(game, player)
    server.brain.prepare()
    for line in lines:
        words = CONTROL.sub("", line).partition("#")[0].split()
        if not words:
            continue
        number = words.pop(0) if words[0].isascii() and words[0].isdecimal() else ""
        command = words.pop(0) if words else ""
        try:
            write(f"={number} {server.reply(command, words)}\n")
        except (PlywrightError, ValueError) as error:
            text = str(error) if isinstance(error, PlywrightError) else "syntax error"
            write(f"?{number} {text}\n")
            continue
        if command == "quit":
            return
