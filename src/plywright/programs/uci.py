"""UCI, both ends: `position`, `go`, `bestmove`. The framing is any game's; the moves are the game's own texts.

`uci_server.py` is our end when we are the program.
"""

from __future__ import annotations

import math
import re
from typing import Any

from ..errors import BadInput
from ..game import Game
from ..players import Clock, Offence
from ..players.offence import ILLEGAL, RESIGNED
from .figures import whole
from .process import RAW_CAP
from .program_player import ProgramPlayer
from .uci_limits import read_go
from .uci_position import read_position
from .uci_server import serve

__all__ = ["UciPlayer", "go_line", "read_go", "read_position", "serve"]

NO_MOVE = ("(none)", "0000")


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
        """Options as the user wrote them, and what the game needs; raises BadInput for one that it does not have."""
        by_lower = {name.lower(): name for name in offered}
        needs = self.game.uci_needs
        if missing := [name for name in needs if name.lower() not in by_lower]:
            raise self.unfit(f"that takes the option {missing[0]}, and it has: {', '.join(offered) or 'none'}")
        wanted = {**self.options, **needs}
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

    def text_of(self, game: Game, place: Any, action: int) -> str:
        return game.format_for_uci(place, action, self.options)

    def ask(self, view: Any, clock: Clock) -> int:
        game = self.game
        start = game.start_state if self.start is None else self.start
        usual = start == game.start_state and not game.uci_needs
        place = "startpos" if usual else f"fen {game.format_state(start)}"
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
                self.info["value"] = self.utility_of(score, found[1] == "mate")
        return line if words[:1] == ["bestmove"] else None

    def utility_of(self, score: int, mate: bool) -> float:
        """A score in hundredths of what the game's evaluation counts, or a forced end, as our own searches value it."""
        low, high = self.game.utility_range
        unit = self.game.evaluation_unit[0] if self.game.evaluation_unit else 1.0
        value = math.copysign(high, score) if mate else score / 100 * unit
        return float(min(max(value, low), high))


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
