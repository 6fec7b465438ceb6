"""A program as a player: what all protocols share. Start, greeting, history, timing, restart, the end."""

from __future__ import annotations

import contextlib
import hashlib
import re
import time
from collections.abc import Callable, Mapping
from pathlib import Path
from typing import Any, TypeVar

from ..engine.hidden.beliefs import stand_in
from ..errors import BadInput, PlywrightError, printable, shown
from ..game import Game
from ..players import Clock, Offence, Player, Turn
from ..players.offence import ILLEGAL, LATE, NO_GREETING
from ..players.player import read_action
from .home import home_command, home_fingerprint, own_home
from .isolation import AUTO, Limits, isolation
from .process import RAW_CAP, Process, resolve_command
from .resting import is_disturbing, is_own_doing

GREETING = 20.0
"""Seconds in which a program must greet; its start and its compiling are outside every clock."""
SENDING = 5.0
"""Seconds in which it must have read a request, where it is not yet on the clock."""
GRAIN = 0.005
"""Seconds too few to wait for again."""
LONGEST_NAME = 40
LEAVING = 0.5
"""Seconds in which it may leave by itself."""

Answer = TypeVar("Answer")


class ProgramPlayer(Player):
    """Base of the players over pipes; a protocol writes `greet`, `new_game` and `ask`.

    A program that offends is ended, and started anew for the next game; one that never greets stays
    out. Options that no protocol takes for itself: `folder`, `isolation`, `memory` (MB), `name`, `ponder`.
    """

    protocol = ""
    fresh = False
    """Whether every game needs a process of its own."""
    takes_options = False
    """Whether options that are not ours are the program's."""
    farewell = ""
    """The line that asks a program to leave."""

    def __init__(self, command: str, game: Game, name: str = "", options: Mapping[str, str] | None = None) -> None:
        rest = dict(options or {})
        level, memory, ponder = rest.pop("isolation", AUTO), rest.pop("memory", ""), rest.pop("ponder", "no")
        folder = rest.pop("folder", "")
        if ponder not in ("yes", "no"):
            raise BadInput(f"ponder={ponder!r} should be yes or no: whether it may think in its opponents' time")
        self.ponders = ponder == "yes"
        if memory and not (re.fullmatch("[0-9]{1,7}", memory) and 16 <= int(memory) <= 1 << 20):
            raise BadInput(f"memory={shown(memory)} should be a whole number of megabytes, at least 16")
        given = rest.pop("name", "")
        self.name = given or name or f"{self.protocol}:{command}"
        self.may_introduce = not given
        if rest and not self.takes_options:
            raise BadInput(
                f"{self.name!r}: there is no option {next(iter(rest))!r}; there are folder, isolation, memory, name, "
                "ponder"
            )
        self.options = rest
        self.home = own_home(folder) if folder else None
        """The folder it starts in, the only one of the user's that it is shown; else those its command names."""
        self.words = resolve_command(command) if self.home is None else home_command(command, self.home)
        self.level = isolation(level, Limits(memory=int(memory) << 20) if memory else None)
        self.isolation = str(self.level)
        self.fingerprint = fingerprint(self.words) if self.home is None else home_fingerprint(self.home, command)
        self.process: Process | None = None
        self.has_played = False
        """Whether this process has been told of a game."""
        self.refused: Offence | None = None
        self.info = {}
        self.seat, self.game = 0, game
        self.current: Any = None
        self.asked: Turn
        """The turn that it was last asked in."""
        self.place: Any = None
        """A state in which actions are called as they are now: the view itself need not tell whose turn it is."""
        self.moves: list[tuple[int, str]] = []
        """Who moved and how it is written, from the start; chance is -1."""
        self.log = ""
        """The end of what the last process wrote to standard error."""

    # -- what a protocol writes ----------------------------------------------------------------------------

    def greet(self, deadline: float) -> None:
        """Say hello and hear it back; raises Offence where that fails."""

    def new_game(self, deadline: float) -> None:
        """Tell the program that a game begins, and wait until it is ready."""

    def ask(self, view: Any, clock: Clock) -> int:
        """The program's action, read by `read_move`."""
        raise NotImplementedError

    # -- Player --------------------------------------------------------------------------------------------

    def prepare(self, game: Game) -> None:
        if not self.fresh:
            with contextlib.suppress(Offence):  # judged when the game begins
                self.forget(game)
                self.ensure()
                self.let_rest()

    def begin(self, game: Game, seat: int, seed: int) -> None:
        self.game, self.seat, self.seed = game, seat, seed
        self.moves, self.current = [], game.start_state if self.start is None else self.start
        self.forget(game)
        self.ensure()
        self.has_played = True
        try:
            self.pipe.rest.end()
            self.new_game(time.monotonic() + GREETING)
        except Offence:
            self.shut()  # what it still had to say would answer the wrong question
            raise
        self.let_rest()

    def observe(self, game: Game, view: Any, seat: int, mover: int, action: int | None) -> None:
        if action is not None:
            place = self.place if mover == seat and game.hidden else self.current
            self.moves.append((mover, self.text_of(game, place, action) if mover >= 0 else str(action)))
        self.current = view

    def text_of(self, game: Game, place: Any, action: int) -> str:
        """An action as this protocol writes it."""
        return game.format_action(place, action)

    def choose(self, game: Game, turn: Turn) -> int:
        view, clock = turn.view, turn.clock
        self.asked, self.current, self.place = turn, view, place_of(game, view, turn.seat)
        self.worked, self.threads, self.is_own_doing = 0.0, 0, False
        try:
            self.pipe.rest.end()
            try:
                return self.ask(view, clock)
            finally:
                if self.elapsed is None or self.elapsed > clock.left:
                    self.examine(clock, self.elapsed or clock.patience)
                self.let_rest()
        except Offence:
            self.shut()
            raise

    def close(self) -> None:
        self.shut(LEAVING)

    # -- the process ---------------------------------------------------------------------------------------

    def forget(self, game: Game) -> None:
        """End a process that has played, where another game may have the same dice or deals and it would know them."""
        if self.fresh or (self.has_played and (game.hidden or game.has_chance)):
            self.shut()

    def ensure(self) -> None:
        """Have a process that has greeted; raises the Offence of one that never did."""
        if self.refused is not None:
            raise self.refused
        if self.process is not None and self.process.alive:
            return
        self.shut()
        self.process = Process(self.command(), self.level, self.home)
        try:
            self.greet(time.monotonic() + GREETING)
        except Offence as offence:
            note = f"{self.name} does not speak {self.protocol}: {offence.note}"
            raise self.refuse(note, offence.raw) from None
        except PlywrightError as error:  # the user's to mend if it shows before the first game, else the program's
            self.mistake = BadInput(printable(str(error)))
            raise self.refuse(str(error)) from None
        except Exception as error:
            note = f"{self.name} does not speak {self.protocol}: {type(error).__name__}: {error}"
            raise self.refuse(note) from None
        except BaseException:
            self.shut()
            raise

    def let_rest(self) -> None:
        """It is not to move: it stands still until it is asked, unless it may ponder."""
        if self.ponders:
            self.pipe.rest.begin_count()
        else:
            self.pipe.rest.begin()

    def examine(self, clock: Clock, seconds: float) -> bool:
        """Measure how busy it was when it is late after the given seconds; returns whether it is to blame."""
        rest = self.pipe.rest
        self.worked, self.threads = rest.worked(), rest.wanting()
        self.is_own_doing = is_own_doing(self.worked, self.threads, seconds, clock.patience)
        return self.is_own_doing

    def disturbance(self, seconds: float) -> str:
        if not self.ponders or self.process is None:
            return ""
        worked, threads = self.process.rest.worked(), self.process.rest.wanting()
        if not is_disturbing(worked, threads, seconds):
            return ""
        return f"{self.name} kept {threads} threads busy for {worked:.3f} s in its opponent's time"

    def refuse(self, note: str, raw: str = "") -> Offence:
        """End a program that did not greet, for good."""
        self.refused = Offence(NO_GREETING, note, raw)
        self.shut()
        return self.refused

    def introduced(self, name: object) -> None:
        """The program says its name; that which the user gave it, or a run, comes first."""
        if self.may_introduce and isinstance(name, str) and (said := printable(name.strip())[:LONGEST_NAME].strip()):
            self.name = said
        self.may_introduce = False

    def command(self) -> list[str]:
        return self.words

    def shut(self, grace: float = 0.0) -> None:
        process, self.process = self.process, None
        self.has_played = False
        if process is None:
            return
        if grace and self.farewell and process.alive:
            process.rest.end()
            with contextlib.suppress(Offence, OSError):
                process.send(self.farewell, time.monotonic() + grace)
        with contextlib.suppress(OSError):
            process.last_words()
        self.log = process.log.decode("utf-8", "backslashreplace")
        process.end(grace)

    # -- talking -------------------------------------------------------------------------------------------

    @property
    def pipe(self) -> Process:
        assert self.process is not None
        return self.process

    def say(self, line: str, deadline: float | None = None) -> float:
        return self.pipe.send(line, time.monotonic() + SENDING if deadline is None else deadline)

    def wait_for(self, accept: Callable[[str], Answer | None], deadline: float) -> Answer:
        """The first line that `accept` makes something of."""
        while True:
            found = accept(self.pipe.read_line(deadline))
            if found is not None:
                return found

    def wait_fairly(self, accept: Callable[[str], Answer | None], sent: float, clock: Clock) -> Answer:
        """`wait_for` within the referee's patience, and as much longer as the machine stood still meanwhile.

        At most twice as long: a program may be what keeps the machine busy.
        """
        granted = 0.0
        while True:
            try:
                return self.wait_for(accept, sent + clock.patience + granted)
            except Offence as offence:
                lost = min(clock.lost(sent), clock.patience)
                own = offence.cause == LATE and self.examine(clock, time.monotonic() - sent)
                if offence.cause != LATE or lost <= granted + GRAIN or own:
                    raise
                granted = lost

    def exchange(self, request: str, accept: Callable[[str], Answer | None], clock: Clock, stop: str = "") -> Answer:
        """Send a request and take its answer; sets `elapsed`, from the first byte out to the last byte in.

        So who reads a request slowly reads it on the clock. Without an answer it is the time until we stopped
        waiting. Lines that were waiting before the request are no answer to it. Where there is a word for it,
        the program is told to stop when its time is up, and has the referee's margin to answer.
        """
        self.pipe.drain()
        sent, answer = time.monotonic(), None
        try:
            self.say(request, sent + clock.patience)
            if stop and clock.mode.timed and clock.left < clock.patience:
                try:
                    answer = self.wait_for(accept, sent + clock.left)
                    return answer
                except Offence as offence:
                    if offence.cause != LATE:
                        raise
                self.say(stop, sent + clock.patience)
            answer = self.wait_fairly(accept, sent, clock)
            return answer
        finally:
            self.elapsed = (time.monotonic() if answer is None else self.pipe.heard) - sent

    def read_move(self, view: Any, text: str, line: str) -> int:
        """The action a program wrote; raises Offence with the raw line where it is none."""
        try:
            return read_action(self.game, self.place, text, self.asked.legal)
        except BadInput as error:
            raise Offence(ILLEGAL, f"{self.name}: {error}", line[:RAW_CAP]) from None
        except Exception as error:  # of the game's own reading: what was written is the program's doing all the same
            note = f"{self.name}: {text[:100]!r} cannot be read as a move ({type(error).__name__})"
            raise Offence(ILLEGAL, note, line[:RAW_CAP]) from None

    def unfit(self, why: str) -> BadInput:
        return BadInput(f"{self.name!r} cannot play {self.game.name}: {why}")


def place_of(game: Game, view: Any, seat: int) -> Any:
    """A state that looks like the view, in which actions have their names; the view itself where none can be found."""
    if not game.hidden:
        return view
    try:
        return stand_in(game, view, seat)
    except PlywrightError:
        return view


def fingerprint(words: list[str]) -> str:
    """A hash of the files that a command names, the program itself first."""
    total = hashlib.sha256()
    for word in words:
        content = word.encode()
        with contextlib.suppress(OSError):  # no file, or one that may be run and not read
            content = Path(word).read_bytes()
        total.update(content)
    return total.hexdigest()[:16]
