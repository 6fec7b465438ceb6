"""A player that searches, with limits of its own or those of the clock."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import Any

from .. import __version__
from ..books import Book, book_of, open_book
from ..dice import roll
from ..engine import ALGORITHMS, Limit, algorithm_for, history_option, make_task, suited
from ..engine.chance.opponent_models import parse_policy
from ..engine.task import Task
from ..equilibrium import Strategy
from ..errors import BadInput, Unsuitable
from ..game import Game
from ..games import as_knowledge
from ..knowledge import Knowledge
from ..result import SearchResult
from ..rng import draw64, seeded
from ..tables.table import SUFFIX, open_table
from .clock import Clock, Mode
from .player import Player
from .turn import Turn

NAMES = ("search", *ALGORITHMS)
LIMITS = ("depth", "time", "nodes", "simulations")
OPTIONS: dict[str, type] = {
    **dict.fromkeys(("depth", "nodes", "simulations", "threads", "outcomes", "seed", "cutoff", "longest", "ripe"), int),
    **dict.fromkeys(("deals", "inner_nodes", "width", "reply_width"), int),
    **dict.fromkeys(
        ("time", "table", "memory", "exploration", "spread", "confidence", "rave", "urgency", "margin"), float
    ),
    **dict.fromkeys(("exact", "prove"), bool),
    **dict.fromkeys(("pruning", "inner", "knowledge", "book", "beliefs"), str),
}
"""What can be written after a search's name, and how it is read; which search takes what is `options_of`."""
WITHOUT = "book=no"
"""The option by which a search plays without a book."""
SIMULATING = ("mcts", "ismcts")
"""Searches that know no depth."""
TRIAL = 20
"""Nodes of a first search that compiles everything, for searches without a depth limit."""


class SearchPlayer(Player):
    """`search` of the engine; `algorithm` "search" takes the strongest that fits the game.

    Limits given here (depth, time, nodes) hold in every mode, but never beyond the clock; without any
    the mode decides. Where time counts, the game's opening book is asked first, or the one of `book`
    (`book=no`: none). `report` is called with every finished depth where the search deepens, and `stop`,
    from another thread, makes it answer with the best so far.
    """

    fingerprint = f"plywright {__version__}"

    def __init__(self, algorithm: str = "search", name: str = "", **given: Any) -> None:
        if algorithm not in NAMES:
            raise BadInput(f"unknown algorithm {algorithm!r}; there are {', '.join(NAMES)}")
        known = options_of(algorithm)
        if unknown := [key for key in given if key not in known]:
            taker = next((other for other in ALGORITHMS if unknown[0] in options_of(other)), None)
            remedy = f"; that is for {taker}" if taker else ""
            raise BadInput(f"{algorithm} takes no {', '.join(unknown)}{remedy}; it takes {', '.join(known)}")
        self.asked, self.algorithm = algorithm, None if algorithm == "search" else algorithm
        written = ",".join(f"{key}={value}" for key, value in given.items())
        self.name = name or algorithm + (f":{written}" if written else "")
        limits = {key: given[key] for key in LIMITS if key in given}
        if "simulations" in limits:  # one counts as a node
            if "nodes" in limits:
                raise BadInput(f"{self.name}: give either nodes or simulations, not both: for mcts they are the same")
            limits["nodes"] = limits.pop("simulations")
            if algorithm != "ismcts":
                self.asked = self.algorithm = "mcts"
        self.own = Limit(**limits) if limits else None
        aside = (*LIMITS, "book", "beliefs")
        self.options: dict[str, Any] = {key: value for key, value in given.items() if key not in aside}
        self.beliefs_text: str | None = given.get("beliefs")
        self.model: Any = None
        self.book_text: str | None = given.get("book")
        self.book: Book | None = None
        self.known: Knowledge | None = None
        self.info = {}
        self.report: Callable[[SearchResult], None] | None = None
        self.task: Task | None = None  # the search under way
        self.before: Task | None = None  # the one of the last move of this game
        self.stopping = False

    def prepare(self, game: Game) -> None:
        """Fix the algorithm for this game, and have it compiled."""
        chosen = self.options.get("knowledge")
        if isinstance(chosen, str) and (chosen.endswith(SUFFIX) or Path(chosen).is_dir()):
            self.options = {**self.options, "knowledge": open_table(game, chosen).knowledge}
        if self.asked == "search":
            fits = game.step and game.opposed and not (game.has_chance or game.hidden)
            # A game without an evaluation is proved or simulated, as `search` decides for each position.
            knowledge = None if game.hidden else as_knowledge(game, self.options.get("knowledge"))
            self.algorithm = None
            if knowledge is not None and not self.counts_depth and (named := suited(knowledge, self.own_options)):
                self.algorithm = named
            elif knowledge is not None and knowledge.has_playout and not knowledge.evaluates:
                self.algorithm = "mcts"
            elif knowledge is not None and fits and (knowledge.evaluates or self.options):
                self.algorithm = "pvs"
        self.book = self.chosen_book(game)
        self.model = None if self.beliefs_text is None else read_beliefs(game, self.beliefs_text)
        self.known = None if game.hidden else as_knowledge(game, self.options.get("knowledge"))
        if self.mode is not None:
            self.check_mode(self.mode)
        if game.hidden:
            view, seat = first_view(game)
            with make_task(game, view, Limit(nodes=1), self.algorithm, {**self.options, "seat": seat}) as task:
                task.run()
        elif not game.is_terminal(game.start_state):
            trials = [Limit(depth=1)] if self.algorithm != "mcts" else []
            trials += [Limit(nodes=TRIAL)] if self.algorithm in ("mcts", None) else []
            for limit in trials:
                with make_task(game, game.start_state, limit, self.algorithm, self.options) as task:
                    task.run()

    @property
    def counts_depth(self) -> bool:
        """Whether its searches go to a depth, its own or that of the mode."""
        return (self.own is not None and self.own.depth is not None) or (
            self.mode is not None and self.mode.kind == "depth"
        )

    @property
    def own_options(self) -> list[str]:
        """The options of the search that it was given, knowledge apart."""
        return [name for name in self.options if name != "knowledge"]

    def check_mode(self, mode: Mode) -> None:
        """Raise Unsuitable where this search could not keep to such a mode."""
        if self.algorithm in SIMULATING and mode.kind == "depth" and self.own is None:
            raise Unsuitable(
                f"{self.name} has no depth to search to in mode {mode}: write {self.algorithm}:simulations=1000, or "
                "choose a mode of time or nodes"
            )

    def chosen_book(self, game: Game) -> Book | None:
        """The book to play from: the one that was named, or the game's own where the engine plays with all it knows."""
        if self.book_text == "no":
            return None
        if self.book_text is not None:
            try:
                return open_book(game, self.book_text)
            except BadInput as error:
                raise BadInput(f"{error}; {WITHOUT} does without") from None
        return book_of(game, WITHOUT) if self.asked == "search" and "knowledge" not in self.options else None

    def limit(self, clock: Clock, moves_left: int | None = None) -> Limit:
        """The limits of one move: this player's own, and the clock where there is one."""
        if self.own is None:
            return clock.limit(moves_left)
        if not clock.mode.timed:
            return self.own
        hard = clock.limit(moves_left).time
        time = hard if self.own.time is None else min(self.own.time, hard or self.own.time)
        return Limit(self.own.depth, time, self.own.nodes)

    def choose(self, game: Game, turn: Turn) -> int:
        if (known := self.from_book(game, turn)) is not None:
            return known
        algorithm = self.algorithm
        moves_left = None if self.known is None else self.known.moves_left(turn.view)
        limit = self.limit(turn.clock, moves_left)
        options = self.options | history_option(game, turn.history, algorithm)
        if game.hidden:
            algorithm = algorithm or algorithm_for(game, limit)
            options["seat"] = turn.seat
            if self.model is not None:
                others = [seat for seat in range(game.players) if seat != turn.seat]
                options |= {"beliefs": dict.fromkeys(others, self.model), "past": turn.past}
        if algorithm is not None and "seed" in ALGORITHMS[algorithm].options and "seed" not in options:
            options["seed"] = int(draw64(turn.rng)) >> 1  # repeatable: it follows from the game's seed
        found = self.searched(make_task(game, turn.view, limit, algorithm, options, after=self.before))
        if found.action is None:
            raise BadInput(f"{self.name} found nothing to do in {game.name}")
        self.info = account(found)
        action = int(found.action)
        if game.repetition_forbids and turn.legal and action not in turn.legal:
            return turn.legal[0]  # a search without history cannot see which moves repetition forbids
        return action

    def from_book(self, game: Game, turn: Turn) -> int | None:
        """What the book plays here, where time counts; a limit of depth or nodes is for what a search finds."""
        if self.book is None or not turn.clock.mode.timed or (self.own is not None and self.own.time is None):
            return None
        found = self.book.choose(turn.view, turn.rng)
        if found is None or (turn.legal and found.action not in turn.legal):
            return None
        self.info = {"value": found.value, "depth": 0, "nodes": 0, "proved": False, "book": True}
        return found.action

    def searched(self, task: Task) -> SearchResult:
        """Run the search of one move; it stays at hand for the next move of the same game, which takes its table."""
        self.task = task
        try:
            if self.stopping:  # stop() came before there was a task
                task.stop()
            return task.run(self.report)
        finally:
            self.task = None
            self.forget()
            if task.hands_on:
                self.before = task
            else:
                task.close()

    def begin(self, game: Game, seat: int, seed: int) -> None:
        self.forget()

    def close(self) -> None:
        self.forget()

    def forget(self) -> None:
        """Drop what the last search knew, so that one game does not depend on the one before."""
        if self.before is not None:
            self.before.close()
            self.before = None

    def stop(self) -> None:
        """Ask for an answer now, from another thread."""
        self.stopping = True
        task = self.task
        if task is not None:
            task.stop()


def options_of(algorithm: str) -> tuple[str, ...]:
    """What can be written after an algorithm's name; after `search`, what any of them takes."""
    if algorithm == "search":
        return tuple(OPTIONS)
    taken = (*ALGORITHMS[algorithm].options, *("depth", "time", "nodes", "simulations", "knowledge", "book"))
    without = "depth" if algorithm in SIMULATING else "simulations"
    return tuple(key for key in OPTIONS if key in taken and key != without)


def read_options(text: str, algorithm: str, written: str) -> dict[str, Any]:
    """The options of a text such as depth=4,threads=2; raises BadInput for one that the search does not take."""
    known, given = options_of(algorithm), {}
    for part in filter(None, (piece.strip() for piece in written.split(","))):
        key, equals, value = part.partition("=")
        if not equals or key not in OPTIONS:
            example = "mcts:simulations=1000" if algorithm == "mcts" else f"{algorithm}:depth=4"
            raise BadInput(f"{text!r}: {part!r} is not one of {', '.join(known)}, as in {example}")
        given[key] = _read(text, value, OPTIONS[key])
    return given


def _read(text: str, value: str, kind: type) -> Any:
    if kind is bool:
        if value not in ("yes", "no"):
            raise BadInput(f"{text!r}: {value!r} should be yes or no")
        return value == "yes"
    try:
        return kind(value)
    except ValueError:
        what = "a whole number" if kind is int else "a number"
        raise BadInput(f"{text!r}: {value!r} is not {what}") from None


def read_beliefs(game: Game, text: str) -> Any:
    """What the others are believed to play: a model such as `uniform` or `softmax:1`, or the file of a strategy."""
    if not game.hidden:
        raise BadInput(f"beliefs={text}: nothing is hidden in {game.name}, so there is nothing to believe")
    if Path(text).suffix:
        return Strategy.load(text, game)
    return parse_policy(text)


def first_view(game: Game) -> tuple[Any, int]:
    """What the first player to decide sees after some deal, and who it is."""
    state, rng = game.start_state, seeded(1)
    while game.at_chance(state):
        state = game.state_after(state, roll(game, state, rng))
    seat = int(game.to_move(state))
    return game.observation(state, seat), seat


def account(found: SearchResult) -> dict[str, Any]:
    """What a search found, for the records."""
    told = {"value": float(found.value), "depth": found.depth, "nodes": found.nodes, "proved": found.proved}
    return {**told, "averaged": True} if found.averaged else told
