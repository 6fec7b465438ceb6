"""Our end of UCI when we are the program: options, positions, searches that can be stopped, limited and pondered."""

from __future__ import annotations

import contextlib
import re
import sys
import threading
import time
from collections import deque
from collections.abc import Callable, Container, Iterable, Iterator
from functools import cached_property
from queue import Empty, SimpleQueue
from typing import Any

from ..engine import Limit
from ..errors import BadInput, PlywrightError, shown
from ..game import Game
from ..games import load_game
from ..players import Clock, Mode, Player, Turn
from ..players.searching import SearchPlayer
from ..repetition import Past
from ..result import SearchResult, Variation
from .answering import Brain
from .uci_limits import DAY, FLAGS, is_endless, read_go, senseless, words_of_go
from .uci_options import OVERHEAD, Options
from .uci_perft import divided
from .uci_position import parts_of, played_on, read_move, read_position

DRAWN_NODES = 2000
"""Nodes of a search, in Python, of a game that is drawn for good: to compile what may never be asked costs seconds."""
FIRST_DEPTH = 2.0
"""Seconds that `stop` gives a search to finish its first depth, so that the answer is a move that was searched."""
LAST_SECONDS = 10.0
"""Seconds that a search may still take when there is no more input: whoever asked for it may be gone."""
LONGEST_REMARK = 1000
MOST_STRANGE = 1000
"""Words after `searchmoves` that are no moves: nothing is read behind so many."""
END, ANSWERED, LOST = "\nend", "\nanswered", "\nlost"
"""Said to the server beside its lines, which have no line break in them: there are no more, a move was answered, or
nobody takes what is written."""
WAITING = ("ucinewgame", "setoption", "position", "go")
"""What is done after a search that has a limit, as the end of input is; all other words are heard at once."""


def serve(game: Game, player: Player, lines: Iterable[str], write: Callable[[str], None]) -> None:
    """Be the program; unknown words are ignored, as UCI asks."""
    if game.hidden:
        raise BadInput(f"uci tells a program every move, and {game.name} hides some: use the protocol json")
    server, inbox, later = Server(game, player, write), SimpleQueue[str](), deque[str]()
    server.tell = inbox.put

    def listen() -> None:
        try:
            for line in lines:
                asked = understood(line, server.words)
                inbox.put(asked)
                if asked.startswith("quit"):
                    return
        finally:
            inbox.put(END)

    threading.Thread(target=listen, name="plywright-listening", daemon=True).start()
    while server.lost is None:
        if later and not (server.limited and waits(later[0])):
            line = later.popleft()
        else:
            line = server.heard(inbox)
            if line == END:
                server.end_input()
            if line == "stop":  # it ends this search, and those that were asked for before it
                later = deque(stopped(later))
            elif waits(line) if server.limited else later:  # what came before it, and has waited, is done before it
                later.append(line)
                continue
        word, _, rest = line.partition(" ")
        if word == "quit" or line == END:
            break
        act = server.words.get(word)
        if act is not None:
            act(rest)
    server.leave()
    if server.lost is not None:
        raise server.lost


def stopped(lines: Iterable[str]) -> Iterator[str]:
    """Lines that wait, with every search in them followed by its end."""
    for line in lines:
        if line != "stop":
            yield line
        if line.partition(" ")[0] == "go":
            yield "stop"


def understood(line: str, words: Container[str]) -> str:
    """A line from its first word that is one of UCI's on, with one space behind that; nothing where there is none."""
    for found in re.finditer(r"\S+", line):
        if found[0] == "quit" or found[0] in words:
            return f"{found[0]} {line[found.end() :].strip()}".rstrip()
    return ""


def waits(line: str) -> bool:
    """Whether it is done only after a search that has a limit."""
    return line == END or line.partition(" ")[0] in WAITING


class Server:
    """One conversation: the position, the options, and the search that is going on."""

    def __init__(self, game: Game, player: Player, write: Callable[[str], None]) -> None:
        self.game, self.player, self.output = game, player, write
        self.brain = Brain(game, player)
        self.states = [game.start_state]
        self.rules = game
        """What is searched: looser rules where the game goes on since nobody has claimed its draw."""
        self.past: list[Any] = []
        """The states before the one that is searched, as far as they count."""
        self.counted = Past(game), 0
        """How often each of these states occurred, and how many of them have been counted."""
        self.options = Options(game, player, self.remark)
        self.own = player.own if isinstance(player, SearchPlayer) else None
        self.held = threading.Event()
        """Set when a finished search may answer: `infinite` and `ponder` keep it waiting."""
        self.limited = False
        """Whether a search is under way that ends by itself."""
        self.halted = False
        """Whether what is counted is to end."""
        self.begun = threading.Event()
        """Set when the search has finished its first depth."""
        self.tell: Callable[[str], None] = lambda word: None
        """Has the thread that does what is asked hear a word from another one."""
        self.lost: OSError | None = None
        """Why nothing can be written any more."""
        self.input_ended = False
        self.due: float | None = None
        """When, on the monotonic clock, the search is ended from outside."""
        self.brain.failed = self.fail
        self.refused = ""
        """Why the last position was none; empty where there is one to search."""
        self.place, self.moves = "startpos", list[str]()
        """Where the game of the last position began, empty where it was refused, and its moves."""
        self.owed = ""
        """An answer that waits for the end of an endless search, as no search is under way."""
        self.after_hit: Limit | None = None
        """The limits of a search that ponders, from the moment on that the opponent plays what was expected."""
        self.words: dict[str, Callable[[str], None]] = {
            "uci": self.introduce,
            "isready": self.ready,
            "ucinewgame": self.new_game,
            "setoption": self.set_option,
            "position": self.position,
            "go": self.go,
            "stop": self.stop,
            "ponderhit": self.ponder_hit,
        }

    # -- being heard, and hearing ------------------------------------------------------------------------------

    def write(self, text: str) -> None:
        """Write a line; once that is no longer possible the server is told, and nothing more is written."""
        if self.lost is not None:
            return
        try:
            self.output(text)
        except OSError as error:
            self.lost = error
            self.tell(LOST)

    def remark(self, text: str) -> None:
        """Say something to whoever reads along, in one line that is not too long."""
        line = " ".join(text.split())
        self.write(f"info string {line if len(line) <= LONGEST_REMARK else line[:LONGEST_REMARK] + '...'}")

    def heard(self, inbox: SimpleQueue[str]) -> str:
        """The next word; until it comes, a search whose time is up is ended."""
        while True:
            try:
                wait = None if self.due is None else max(self.due - time.monotonic(), 0)
                if wait != 0:
                    return inbox.get(timeout=wait)
            except Empty:
                pass
            self.finish_search()

    def end_input(self) -> None:
        """There are no more lines: what is searched with a limit may be finished, but not for ever."""
        self.input_ended = True
        if self.limited:
            self.allow(LAST_SECONDS)

    def allow(self, seconds: float) -> None:
        """Have the search end after so many seconds, if not before."""
        due = time.monotonic() + seconds
        self.due = due if self.due is None else min(self.due, due)

    # -- what is asked for -----------------------------------------------------------------------------------

    def introduce(self, rest: str) -> None:
        self.write(f"id name Plywright {self.player.name} ({self.game.name})")
        self.write("id author the Plywright authors")
        for name, kind in self.options.offered().items():
            self.write(f"option name {name} type {kind}")
        self.write("uciok")

    def set_option(self, rest: str) -> None:
        self.options.change(rest, self.finish_search)

    def ready(self, rest: str) -> None:
        self.prepare()
        self.write("readyok")

    def prepare(self) -> None:
        """Compile, also what plays on first where a draw is not claimed: later the clock would run."""
        if isinstance(self.player, SearchPlayer) and not self.brain.prepared:
            for rules in self.looser[:1]:
                self.player.prepare(rules)
        self.brain.prepare()

    def new_game(self, rest: str) -> None:
        self.finish_search()
        self.prepare()
        self.rules = self.brain.game = self.game
        self.brain.begin(0, 0)

    def position(self, rest: str) -> None:
        self.finish_search()
        place, moves = parts_of(rest)
        try:
            states = self.gone_on(place, moves)
            if not states:
                states, self.counted = read_position(self.game, rest), (Past(self.game), 0)
            self.states = states
            self.refused, self.place, self.moves = "", place, moves
        except PlywrightError as error:
            self.refused, self.place = str(error), ""
            self.remark(str(error))

    def gone_on(self, place: str, moves: list[str]) -> list[Any]:
        """The states of the game of the last position, if it has only gone on: its moves need not be read again."""
        known = len(self.moves)
        if not self.place or place != self.place or moves[:known] != self.moves:
            return []
        for rules in (self.game, *self.looser):
            with contextlib.suppress(PlywrightError):
                return played_on(rules, self.states, moves[known:])
        return []

    def stop(self, rest: str) -> None:
        self.finish_search()

    def ponder_hit(self, rest: str) -> None:
        """The opponent has played what was expected: from now on the clock runs."""
        if self.after_hit is None:
            return
        limit, self.after_hit = self.after_hit, None
        if self.owed or self.brain.thread is None:
            self.pay()
            return
        self.limited = not is_endless(limit)
        self.held.set()
        seconds = limit.soft if limit.soft is not None else limit.time
        if limit.time is not None and seconds is not None:
            self.allow(seconds)

    def finish_search(self) -> None:
        """End the search, if there is one, and have it answered; its first depth is finished before."""
        self.due, self.after_hit, self.halted = None, None, True
        if self.brain.thread is not None and isinstance(self.player, SearchPlayer):
            self.begun.wait(FIRST_DEPTH)
        self.held.set()
        self.brain.stop()
        self.pay()

    leave = finish_search

    def fail(self, text: str) -> None:
        """A search that has failed is answered all the same, by what it had found or else by a legal move."""
        print(text, file=sys.stderr, flush=True)
        self.remark(f"the search has failed: {text}")
        self.bring(self.last_line[0] if self.last_line else self.first_turn().legal[0])

    def go(self, rest: str) -> None:
        self.finish_search()
        asked = words_of_go(rest)
        if self.refused:
            self.remark(f"there is no position to search: the last one was refused ({self.refused})")
            self.give("bestmove 0000", asked)
            return
        state = self.states[-1]
        game = None if self.game.at_chance(state) else self.rules_for(state)
        if game is None:
            self.give("bestmove (none)", asked)
            return
        if asked.get("perft", 0) > 0:
            self.count(state, asked["perft"])
            return
        self.prepare()
        self.rules = self.brain.game = game
        self.brain.interpreting = game in self.looser[1:]
        if game is not self.game:
            self.remark("the game is drawn here, and nobody has claimed it: the search goes on without that")
        seat = int(game.to_move(state))
        if found := senseless(rest, seat):
            self.remark(f"go: {shown(' '.join(found))} means nothing here and is left out")
        self.past = self.states[:-1]
        if self.past_of(game).is_drawn(state):  # nobody has claimed the draw: as if nothing were repeated
            self.past = []
        if (
            not asked.keys() & {*FLAGS, "mate"}
            and (action := self.options.book_move(state, self.brain.rng)) is not None
        ):
            self.write(f"bestmove {game.format_for_uci(state, action, self.options.given)}")
            return
        self.search(state, seat, rest, asked)

    def give(self, text: str, asked: Container[str]) -> None:
        """Say what there is nothing to search for: at once, or when an endless search would be ended."""
        if "ponder" in asked:
            self.after_hit = Limit()
        if "ponder" in asked or "infinite" in asked:
            self.owed = text
        else:
            self.write(text)

    def pay(self) -> None:
        """Say what has waited for the end of an endless search."""
        if self.owed:
            self.write(self.owed)
            self.owed = ""

    def count(self, state: Any, depth: int) -> None:
        """Count the lines under each move, by rules that know of no draw, as the published tables do."""
        rules = (self.game, *self.looser)[-1]
        self.limited, self.halted = True, False
        self.begun.set()
        if self.input_ended:
            self.allow(LAST_SECONDS)

        def work() -> None:
            total = 0
            try:
                for action, lines in divided(rules, state, depth, lambda: self.halted):
                    self.write(f"{rules.format_for_uci(state, action, self.options.given)}: {lines}")
                    total += lines
                if self.halted:
                    self.remark("perft was stopped before all was counted")
                else:
                    self.write("")
                    self.write(f"Nodes searched: {total}")
            except PlywrightError as error:
                self.remark(str(error))
            finally:
                self.limited = False
                self.tell(ANSWERED)

        self.brain.run(work)

    def search(self, state: Any, seat: int, rest: str, asked: dict[str, Any]) -> None:
        """Begin the search that a `go` line asks for."""
        clock = read_go(rest, seat, (self.options.number("Move Overhead") or OVERHEAD) / 1000)
        limit = self.options.elo_limit(clock.limit())
        self.limited = not ("infinite" in asked or "ponder" in asked or is_endless(limit))
        if self.limited and self.input_ended:
            self.allow(LAST_SECONDS)
        self.held.set() if self.limited else self.held.clear()
        self.begun.clear()
        if self.brain.interpreting:
            limit = Limit(limit.depth, limit.time, min(limit.nodes or DRAWN_NODES, DRAWN_NODES), limit.soft)
        if "ponder" in asked:
            self.after_hit, limit = limit, Limit(limit.depth, DAY, limit.nodes)
        if isinstance(self.player, SearchPlayer):
            self.prepare_player(state, asked)
        self.brain.report = self.teller(state, asked.get("mate"))
        self.brain.go(state, seat, Clock(clock.mode, clock.left, given=limit), self.answer, self.past)

    def past_of(self, game: Game) -> Past:
        """How often each state came about before the last one; of a game that goes on only the new ones are counted."""
        past, known = self.counted
        if past.game is not game:
            past, known = Past(game), 0
        for state in self.states[known:-1]:
            past.add(state)
        self.counted = past, len(self.states) - 1
        return past

    @cached_property
    def looser(self) -> tuple[Game, ...]:
        """The rules by which the game goes on after a draw that nobody claims, strictest first."""
        return tuple(map(load_game, self.game.looser_rules()))

    def rules_for(self, state: Any) -> Game | None:
        """The strictest rules by which there is something to do here; None where the game is over by all of them."""
        return next((rules for rules in (self.game, *self.looser) if not rules.is_terminal(state)), None)

    def prepare_player(self, state: Any, asked: dict[str, Any]) -> None:
        """The search's own options for this move: which actions, and how many lines."""
        assert isinstance(self.player, SearchPlayer)
        options = self.player.options
        options.pop("only", None)
        options.pop("lines", None)
        if self.player.algorithm == "pvs":
            options.setdefault("exact", False)  # a depth is what the search reaches, not what it must look through
        wanted, strange = list[int](), list[str]()
        for text in dict.fromkeys(asked.get("searchmoves", [])):
            if len(strange) == MOST_STRANGE:
                break
            try:
                wanted.append(read_move(self.rules, state, text))
            except PlywrightError:
                strange.append(text)
        if strange:
            self.remark(f"go: {shown(' '.join(strange))} is no move here")
        if wanted:
            options["only"] = tuple(wanted)
        if (lines := self.options.number("MultiPV") or 1) > 1:
            options["lines"] = lines
        if (megabytes := self.options.number("Hash")) is not None:
            options["table"] = float(megabytes)

    def first_turn(self) -> Turn:
        """The turn that is asked for, with the time to finish a first depth."""
        state, limit = self.states[-1], Limit(1, FIRST_DEPTH)
        return self.brain.turn(
            state, int(self.rules.to_move(state)), Clock(Mode("depth", 1), given=limit), self.past, ()
        )

    def answer(self, action: int) -> None:
        """Give the search's answer; one whose limits ended before its first depth is searched so far after all."""
        told = self.player.info if isinstance(self.player, SearchPlayer) else {}
        if not told.get("depth", 1) and not told.get("book") and not self.player.stopping:
            with contextlib.suppress(PlywrightError):
                action = self.player.choose(self.rules, self.first_turn())
        self.bring(action)

    def bring(self, action: int) -> None:
        """Say the move, when the time has come, and go on with what waits for it."""
        self.begun.set()
        self.held.wait()
        game, state = self.rules, self.states[-1]
        text = f"bestmove {game.format_for_uci(state, action, self.options.given)}"
        line = self.last_line[1:2] if self.last_line[:1] == (action,) else ()
        if line:
            after = game.state_after(state, action)
            text += f" ponder {game.format_for_uci(after, line[0], self.options.given)}"
        self.limited = False  # before whoever hears the move can ask for more
        self.write(text)
        self.tell(ANSWERED)

    # -- what is told on the way ---------------------------------------------------------------------------------

    last_line: tuple[int, ...] = ()

    def teller(self, state: Any, mate: int | None) -> Callable[[SearchResult], None]:
        """What writes an `info` for every depth; a mate that is short enough ends the search."""
        began = time.monotonic()
        self.last_line = ()

        def info(found: SearchResult) -> None:
            self.last_line = found.line
            used = max(int((time.monotonic() - began) * 1000), 1)
            lines = found.variations or (Variation(found.value, found.distance, found.line, found.proved),)
            for number, (value, distance, line, _) in enumerate(lines, 1):
                many = f" multipv {number}" if len(lines) > 1 else ""
                deepest = f" seldepth {found.selective_depth}" if found.selective_depth else ""
                full = f" hashfull {found.hash_full}" if found.selective_depth else ""
                speed = found.nodes * 1000 // used
                self.write(
                    f"info depth {found.depth}{deepest}{many} score {self.score(value, distance)} nodes {found.nodes} "
                    f"nps {speed}{full} time {used} pv {self.texts(state, line)}"
                )
            close = found.distance is not None and found.value > 0 and found.distance < 2 * (mate or 0)
            if close and isinstance(self.player, SearchPlayer):
                self.player.stop()
            self.begun.set()

        return info

    def score(self, value: float, distance: int | None) -> str:
        """`mate` in moves, negative where we are mated; else, of a draw that is near too, hundredths of a unit."""
        if distance is not None and value != 0:
            return f"mate {(distance + 1) // 2 if value > 0 else -(distance // 2)}"
        unit = self.game.evaluation_unit[0] if self.game.evaluation_unit else 1.0
        return f"cp {round(100 * value / unit)}"

    def texts(self, state: Any, line: tuple[int, ...]) -> str:
        texts = []
        for action in line:
            texts.append(self.rules.format_for_uci(state, action, self.options.given))
            state = self.rules.state_after(state, action)
        return " ".join(texts)
