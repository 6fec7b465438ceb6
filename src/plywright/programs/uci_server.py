"""Our end of UCI when we are the program: options, positions, searches that can be stopped, limited and pondered."""

from __future__ import annotations

import re
import threading
import time
from bisect import bisect_right
from collections.abc import Callable, Iterable
from itertools import accumulate
from typing import Any

from ..engine import Limit
from ..errors import BadInput, PlywrightError
from ..game import Game
from ..players import Clock, Mode, Player
from ..players.searching import SearchPlayer
from ..result import SearchResult, Variation
from ..rng import below
from .answering import Brain
from .figures import whole

DAY = 86400.0
"""Seconds of a search that ends by `stop`: as good as for ever, and every search takes a time."""
NUMBERS = ("wtime", "btime", "winc", "binc", "movestogo", "depth", "nodes", "movetime", "mate")
BEYOND_MATE = 8  # plies that a selective search may need beyond the mate it is asked for
FLAGS = ("infinite", "ponder", "searchmoves")
MOST_HASH, MOST_THREADS, MOST_LINES = 1 << 16, 256, 256
ELO_NODES = ((1000, 95), (1400, 200), (1700, 500), (2000, 20_000), (2200, 280_000))
"""Nodes a move that an Elo stands for; in between by the logarithm (docs/chess.md has the matches)."""
LEAST_ELO, MOST_ELO = ELO_NODES[0][0], ELO_NODES[-1][0]


def serve(game: Game, player: Player, lines: Iterable[str], write: Callable[[str], None]) -> None:
    """Be the program; unknown words are ignored, as UCI asks."""
    if game.hidden:
        raise BadInput(f"uci tells a program every move, and {game.name} hides some: use the protocol json")
    server = Server(game, player, write)
    for line in lines:
        word, _, rest = line.strip().partition(" ")
        if word == "quit":
            break
        act = server.words.get(word)
        if act is not None:
            act(rest)
    server.leave()


class Server:
    """One conversation: the position, the options, and the search that is going on."""

    def __init__(self, game: Game, player: Player, write: Callable[[str], None]) -> None:
        self.game, self.player, self.write = game, player, write
        self.brain = Brain(game, player)
        self.states = [game.start_state]
        self.options: dict[str, str] = {}
        self.own = player.own if isinstance(player, SearchPlayer) else None
        self.book: Any = None
        self.held = threading.Event()
        """Set when a finished search may answer: `infinite` and `ponder` keep it waiting."""
        self.timer: threading.Timer | None = None
        self.after_hit: Limit | None = None
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

    # -- options ---------------------------------------------------------------------------------------------

    def offered(self) -> dict[str, str]:
        """Options by name, with what UCI says of their types."""
        found = dict(self.game.uci_options)
        if self.game.overrides("read_uci_book"):
            found |= {"OwnBook": "check default false", "BookFile": "string default <empty>"}
        if isinstance(self.player, SearchPlayer):
            found |= {
                "Hash": f"spin default 64 min 1 max {MOST_HASH}",
                "Threads": f"spin default 1 min 1 max {MOST_THREADS}",
                "MultiPV": f"spin default 1 min 1 max {MOST_LINES}",
                "Ponder": "check default false",
                "UCI_LimitStrength": "check default false",
                "UCI_Elo": f"spin default {MOST_ELO} min {LEAST_ELO} max {MOST_ELO}",
            }
        return found

    def introduce(self, rest: str) -> None:
        self.write(f"id name Plywright {self.player.name} ({self.game.name})")
        self.write("id author the Plywright authors")
        for name, kind in self.offered().items():
            self.write(f"option name {name} type {kind}")
        self.write("uciok")

    def set_option(self, rest: str) -> None:
        """`name NAME value VALUE`; what cannot be is said in an info string and changes nothing."""
        found = re.fullmatch(r"\s*name\s+(.+?)(?:\s+value\s+(.*?))?\s*", rest)
        known = {name.lower(): name for name in self.offered()}
        name = known.get(found[1].lower()) if found else None
        if found is None or name is None:
            self.write(f"info string there is no option {(found[1] if found else rest)!r}")
            return
        value, kind = found[2] or "", self.offered()[name]
        if kind.startswith("spin"):
            low, high = (int(re.search(rf"{end} (-?\d+)", kind)[1]) for end in ("min", "max"))  # type: ignore[index]
            number = whole(value)
            if number is None or not low <= number <= high:
                self.write(f"info string {name} is a whole number from {low} to {high}, not {value!r}")
                return
        elif kind.startswith("check") and value.lower() not in ("true", "false"):
            self.write(f"info string {name} is true or false, not {value!r}")
            return
        self.finish_search()
        if name == "BookFile" and not self.open_book(value):
            return
        self.options[name] = value
        if name == "Threads" and isinstance(self.player, SearchPlayer):
            self.player.options["threads"] = int(value)
        if name == "Hash" and isinstance(self.player, SearchPlayer):
            self.player.options["table"] = float(value)

    def open_book(self, path: str) -> bool:
        """Take another book; one that cannot be read is said, and the one before it stays."""
        try:
            self.book = None if path in ("", "<empty>") else self.game.read_uci_book(path)
        except PlywrightError as error:
            self.write(f"info string {error}")
            return False
        return True

    def book_move(self, state: Any) -> int | None:
        """A move of the book, each as often as its weight says; None where it has none, or is not to be used."""
        if self.book is None or self.options.get("OwnBook", "false").lower() != "true":
            return None
        moves = [(action, weight) for action, weight in self.book.moves(state) if weight > 0]
        if not moves:
            return None
        ends = list(accumulate(weight for _, weight in moves))
        action: int = moves[bisect_right(ends, below(self.brain.rng, ends[-1]))][0]
        return action

    def number(self, name: str) -> int | None:
        return whole(self.options[name]) if name in self.options else None

    def elo_limit(self, limit: Limit) -> Limit:
        """The limits of a player of the strength that was asked for: so many nodes, and no more time than given."""
        if self.options.get("UCI_LimitStrength", "false").lower() != "true":
            return limit
        nodes = nodes_for_elo(self.number("UCI_Elo") or MOST_ELO)
        return Limit(limit.depth, limit.time, min(nodes, limit.nodes or nodes), limit.soft)

    # -- the other words ---------------------------------------------------------------------------------------

    def ready(self, rest: str) -> None:
        self.brain.prepare()
        self.write("readyok")

    def new_game(self, rest: str) -> None:
        self.finish_search()
        self.brain.begin(0, 0)

    def position(self, rest: str) -> None:
        self.finish_search()
        try:
            self.states = read_position(self.game, rest)
        except PlywrightError as error:
            self.write(f"info string {error}")

    def stop(self, rest: str) -> None:
        self.finish_search()

    def ponder_hit(self, rest: str) -> None:
        """The opponent has played what was expected: from now on the clock runs."""
        if self.after_hit is None or self.brain.thread is None:
            return
        limit, self.after_hit = self.after_hit, None
        self.held.set()
        seconds = limit.soft if limit.soft is not None else limit.time
        if limit.time is None or seconds is None:
            return
        self.timer = threading.Timer(max(seconds, 0.001), self.finish_search)
        self.timer.daemon = True
        self.timer.start()

    def finish_search(self) -> None:
        """End the search, if there is one, and have it answered."""
        if self.timer is not None:
            self.timer.cancel()
            self.timer = None
        self.after_hit = None
        self.held.set()
        self.brain.stop()

    leave = finish_search

    def go(self, rest: str) -> None:
        self.finish_search()
        game, state = self.game, self.states[-1]
        if game.is_terminal(state) or game.at_chance(state):
            self.write("bestmove (none)")
            return
        seat = int(game.to_move(state))
        asked = words_of_go(rest)
        if not asked.keys() & {*FLAGS, "mate"} and (action := self.book_move(state)) is not None:
            self.write(f"bestmove {game.format_for_uci(state, action, self.options)}")
            return
        clock = read_go(rest, seat)
        limit = self.elo_limit(clock.limit())
        waits = "infinite" in asked or "ponder" in asked or not any(name in asked for name in NUMBERS)
        self.held.clear() if waits else self.held.set()
        if "ponder" in asked:
            self.after_hit, limit = limit, Limit(time=DAY)
        if isinstance(self.player, SearchPlayer):
            self.prepare_player(state, asked)
        self.brain.report = self.teller(state, asked.get("mate"))
        self.brain.go(state, seat, Clock(clock.mode, clock.left, given=limit), self.answer, self.states[:-1])

    def prepare_player(self, state: Any, asked: dict[str, Any]) -> None:
        """The search's own options for this move: which actions, and how many lines."""
        assert isinstance(self.player, SearchPlayer)
        options = self.player.options
        options.pop("only", None)
        options.pop("lines", None)
        if self.player.algorithm == "pvs":
            options.setdefault("exact", False)  # a depth is what the search reaches, not what it must look through
        wanted = []
        for text in asked.get("searchmoves", []):
            try:
                wanted.append(self.game.parse_action(state, text))
            except PlywrightError:
                continue
        if wanted:
            options["only"] = tuple(wanted)
        if (lines := self.number("MultiPV") or 1) > 1:
            options["lines"] = lines

    def answer(self, action: int) -> None:
        self.held.wait()
        game, state = self.game, self.states[-1]
        text = f"bestmove {game.format_for_uci(state, action, self.options)}"
        line = self.last_line[1:2] if self.last_line[:1] == (action,) else ()
        if line:
            after = game.state_after(state, action)
            text += f" ponder {game.format_for_uci(after, line[0], self.options)}"
        self.write(text)

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
                self.player.stopping = True

        return info

    def score(self, value: float, distance: int | None) -> str:
        """`mate` in moves, negative where we are mated; else hundredths of what the game counts in."""
        if distance is not None:
            return f"mate {(distance + 1) // 2 if value > 0 else -(distance // 2)}"
        unit = self.game.evaluation_unit[0] if self.game.evaluation_unit else 1.0
        return f"cp {round(100 * value / unit)}"

    def texts(self, state: Any, line: tuple[int, ...]) -> str:
        texts = []
        for action in line:
            texts.append(self.game.format_for_uci(state, action, self.options))
            state = self.game.state_after(state, action)
        return " ".join(texts)


def nodes_for_elo(elo: int) -> int:
    """Nodes a move at a strength, geometric between the points of ELO_NODES."""
    above = next(
        (place for place, (point, _) in enumerate(ELO_NODES) if place > 0 and elo <= point), len(ELO_NODES) - 1
    )
    (low, few), (high, many) = ELO_NODES[above - 1], ELO_NODES[above]
    return round(float(few * (many / few) ** ((elo - low) / (high - low))))


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
        state = game.state_after(state, game.parse_action(state, word))
        states.append(state)
    return states


def words_of_go(text: str) -> dict[str, Any]:
    """What a `go` line says: numbers by name, flags, and the list of `searchmoves`; what cannot be read is left out."""
    found: dict[str, Any] = {}
    words = text.split()
    for index, word in enumerate(words):
        if word in ("infinite", "ponder"):
            found[word] = True
        elif word == "searchmoves":
            found[word] = []
            for move in words[index + 1 :]:
                if move in NUMBERS or move in FLAGS:
                    break
                found[word].append(move)
        elif word in NUMBERS and index + 1 < len(words) and (number := whole(words[index + 1])) is not None:
            found[word] = number
    return found


def read_go(text: str, seat: int) -> Clock:
    """The clock of a `go` line; without any limit that can be read it is infinite, until `stop`.

    Several limits hold together: the first that is reached ends the search.
    """
    asked = words_of_go(text)
    depth, nodes = (asked[kind] if asked.get(kind, 0) > 0 else None for kind in ("depth", "nodes"))
    if asked.get("mate", 0) > 0:
        depth = min(depth or 1 << 30, 2 * asked["mate"] + BEYOND_MATE)
    depth = None if depth is None else min(depth, 1 << 20)
    nodes = None if nodes is None else min(nodes, 1 << 60)
    mode, left = Mode("move", DAY), DAY
    side = "w" if seat == 0 else "b"
    given: Limit | None = None
    if asked.get("movetime", 0) > 0:
        left = asked["movetime"] / 1000
        mode = Mode("move", left)
        given = Limit(time=max(left - min(0.02, left / 4), 0.001))
    elif f"{side}time" in asked:
        left = max(asked[f"{side}time"] / 1000, 0.001)
        increment, to_go = max(asked.get(f"{side}inc", 0), 0) / 1000, asked.get("movestogo")
        mode = Mode("move", left) if to_go == 1 else Mode("budget", left, increment)
        given = Limit.for_clock(left, increment, to_go if to_go and to_go > 0 else None)
    elif depth is not None:
        return Clock(Mode("depth", depth), given=Limit(depth, None, nodes) if nodes else Limit(depth))
    elif nodes is not None:
        return Clock(Mode("nodes", nodes), given=Limit(nodes=nodes))
    if given is None:
        return Clock(mode, left)
    return Clock(mode, left, given=Limit(depth, given.time, nodes, given.soft))
