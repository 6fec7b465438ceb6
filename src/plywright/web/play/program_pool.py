"""The programs that sit at tables, each alive from its first move to the end of the game.

    with programs.seated_program(table, position) as seated:  # the one that moved last, or one that begins now
        ...
        seated.stays_with((*position.actions, action))  # it is kept; without this it is sent away

A program is sent away when its game is over or left, when the game has gone on otherwise than it knows, when it
offends, when nobody has asked it for `IDLE` seconds, when `MOST` others were asked since, and when the server
stops. One that is missed later is started anew and told the game so far.
"""

from __future__ import annotations

import contextlib
import threading
from collections import OrderedDict
from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from ...game import Game
from ...players import Player
from .position import Position
from .seats import seated
from .table import Table

IDLE = 300.0
"""Seconds without a question after which its game counts as left."""
MOST = 8
"""Programs that wait for their next move at once."""
Place = tuple[str, int]


@dataclass(eq=False)
class SeatedProgram:
    """A player, and the actions of the game that it knows of; None while it has not been told that one begins."""

    player: Player
    game: Game
    seat: int
    knows: tuple[int, ...] | None = None
    stays: bool = False
    unwanted: bool = False
    timer: threading.Timer | None = None

    def stays_with(self, actions: tuple[int, ...]) -> None:
        """It has answered, and knows the game as far as its own move."""
        self.knows, self.stays = actions, True

    def leave(self, payoff: float | None = None) -> None:
        """Go, and hear the payoff first where the game has come to its end."""
        if self.timer is not None:
            self.timer.cancel()
        if payoff is not None and self.knows is not None:
            with contextlib.suppress(Exception):  # the result stands, however that is taken
                self.player.end(self.game, self.seat, payoff)
        self.player.close()


class ProgramPool:
    """The programs of one server, by table and seat; its methods may be called from any thread."""

    def __init__(self, programs: Sequence[str] = ()) -> None:
        self.programs = tuple(programs)
        self.waiting: OrderedDict[Place, SeatedProgram] = OrderedDict()
        self.thinking: list[tuple[Place, SeatedProgram]] = []
        self.lock = threading.Lock()
        self.closed = False

    @contextlib.contextmanager
    def seated_program(self, table: Table, position: Position) -> Iterator[SeatedProgram]:
        """The program that is to move at a table, for one move.

        Raises BadInput for a program that this start of the page was not given.
        """
        place = table.name, position.seat
        seated_program = self._back(place, position.actions)
        if seated_program is None:
            player = seated(table.seats[position.seat], position.game, table.pace, self.programs)
            seated_program = SeatedProgram(player, position.game, position.seat)
        seated_program.stays = False
        with self.lock:
            self.thinking.append((place, seated_program))
        try:
            yield seated_program
        finally:
            with self.lock:
                self.thinking.remove((place, seated_program))
            if seated_program.stays and table.name and not seated_program.unwanted:
                self._keep(place, seated_program)
            else:
                seated_program.leave()

    def __contains__(self, table: str) -> bool:
        with self.lock:
            return any(name == table for name, _ in [*self.waiting, *(place for place, _ in self.thinking)])

    def leave(self, table: str, payoffs: Sequence[float] = ()) -> None:
        """The game of a table is over, with these payoffs by seat, or left: its programs go, after their answers."""
        self._send_away(table, payoffs)

    def close(self) -> None:
        """The server stops: all programs are ended, one that still thinks after its answer."""
        self.closed = True
        self._send_away()

    def _back(self, place: Place, actions: tuple[int, ...]) -> SeatedProgram | None:
        """Who waited there, if the game has gone on from where it stood; otherwise it is sent away."""
        with self.lock:
            seated_program = self.waiting.pop(place, None)
        if seated_program is None:
            return None
        if seated_program.timer is not None:
            seated_program.timer.cancel()
        if seated_program.knows is not None and actions[: len(seated_program.knows)] == seated_program.knows:
            return seated_program
        seated_program.leave()
        return None

    def _keep(self, place: Place, seated_program: SeatedProgram) -> None:
        seated_program.timer = threading.Timer(IDLE, self._expire, (place, seated_program))
        seated_program.timer.daemon = True
        seated_program.timer.start()
        with self.lock:
            gone = [self.waiting.pop(place, None)]  # from another tab, which asked at the same time
            self.waiting[place] = seated_program
            while len(self.waiting) > (0 if self.closed else MOST):
                gone.append(self.waiting.popitem(last=False)[1])
        for other in filter(None, gone):
            other.leave()

    def _expire(self, place: Place, seated_program: SeatedProgram) -> None:
        with self.lock:
            if self.waiting.get(place) is not seated_program:
                return
            del self.waiting[place]
        seated_program.leave()

    def _send_away(self, table: str | None = None, payoffs: Sequence[float] = ()) -> None:
        """The programs of one table, or of all."""
        with self.lock:
            gone = [self.waiting.pop(place) for place in list(self.waiting) if table in (None, place[0])]
            for place, seated_program in self.thinking:
                seated_program.unwanted |= table in (None, place[0])
        for seated_program in gone:
            seated_program.leave(payoffs[seated_program.seat] if payoffs else None)
