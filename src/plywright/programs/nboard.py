"""NBoard 2, both ends: Othello programs such as Edax and NTest speak it."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable
from typing import Any

from ..errors import BadInput, PlywrightError
from ..game import Game
from ..players import Clock, Mode, Offence, Player
from ..players.offence import ILLEGAL
from ..result import SearchResult
from .answering import Brain
from .figures import real, whole
from .othello_text import othello, read_ggf, write_ggf
from .process import RAW_CAP
from .program_player import ProgramPlayer

MOST_DEPTH = 60


class NboardPlayer(ProgramPlayer):
    """A program that speaks NBoard; the whole game goes with every question, so a restarted one can go on."""

    protocol = "nboard"
    farewell = "quit"

    def __init__(self, command: str, game: Game, name: str = "", options: Any = None) -> None:
        super().__init__(command, game, name, options)
        self.othello = othello(game, self.protocol)
        self.pings = 0

    def greet(self, deadline: float) -> None:
        self.say("nboard 2", deadline)
        self.synchronise(deadline)

    def synchronise(self, deadline: float) -> None:
        self.pings += 1
        self.say(f"ping {self.pings}", deadline)
        self.wait_for(lambda line: True if line.split() == ["pong", str(self.pings)] else None, deadline)

    def new_game(self, deadline: float) -> None:
        self.synchronise(deadline)

    def ask(self, view: Any, clock: Clock) -> int:
        start = self.game.start_state if self.start is None else self.start
        depth = int(clock.mode.amount) if clock.mode.kind == "depth" else MOST_DEPTH
        game = write_ggf(self.othello, start, self.moves, self.seat, clock)
        line = self.exchange(f"set depth {depth}\nset game {game}\ngo", self.accept, clock)
        text = line[3:].strip().split("/")[0].strip().lower()
        if not text:
            raise Offence(ILLEGAL, f"{self.name} named no move", line[:RAW_CAP])
        return self.read_move(view, "pass" if text in ("pa", "pass") else text, line)

    def accept(self, line: str) -> str | None:
        found = re.match(r"nodestats (\S+)", line)
        nodes = whole(found[1]) if found else None
        if nodes is not None:
            self.info["nodes"] = nodes
        if line.startswith("==="):
            parts = line[3:].split("/")
            value = real(parts[1].strip()) if len(parts) > 1 else None
            if value is not None:
                self.info["value"] = value
            return line
        return None


def serve(game: Game, player: Player, lines: Iterable[str], write: Callable[[str], None]) -> None:
    """Be the program, until `quit` or the end of the lines; unknown lines are ignored."""
    board = othello(game, "nboard")
    brain, state = Brain(game, player), game.start_state
    depth, clock = MOST_DEPTH, None
    for line in lines:
        words = line.split()
        try:
            if words[:1] == ["nboard"]:
                brain.prepare()
                write(f"set myname Plywright {player.name}")
            elif words[:1] == ["ping"]:
                brain.stop()
                write(f"pong {' '.join(words[1:])}")
            elif words[:2] == ["set", "depth"]:
                depth = min(max(1, int(words[2])), MOST_DEPTH)
            elif words[:2] == ["set", "game"]:
                brain.stop()
                state, clock = read_ggf(board, line)
            elif words[:1] == ["move"]:
                brain.stop()
                text = words[1].split("/")[0].lower()
                state = game.play_moves(state, "pass" if text in ("pa", "pass") else text)
            elif words[:1] in (["go"], ["hint"]):
                _go(game, brain, state, clock or Clock(Mode("depth", depth)), write, words[0])
            elif words[:1] == ["quit"]:
                break
        except (PlywrightError, ValueError, IndexError) as error:
            write(f"status {error}")
    brain.stop()


def _go(game: Game, brain: Brain, state: Any, clock: Clock, write: Callable[[str], None], word: str) -> None:
    """Answer `go` or `hint`; neither moves on the program's own board."""
    if game.is_terminal(state):
        raise BadInput("the game is over")
    values: list[SearchResult] = []
    brain.report = values.append

    def answer(action: int) -> None:
        text = game.format_action(state, action)
        shown = "PASS" if text == "pass" else text.upper()
        last = values[-1] if values else None
        value = f"{last.value:.2f}" if last else ""
        if last:
            write(f"nodestats {last.nodes} {last.seconds:.3f}")
        if word == "hint":
            depth = last.depth if last else 0
            write(f"search {shown} {value or '0.00'} 0 {depth}")
            write("status")
            return
        write(f"=== {shown}/{value}/{last.seconds if last else 0:.2f}")

    write(f"status thinking about {game.name}")
    brain.go(state, int(game.to_move(state)), clock, answer)
