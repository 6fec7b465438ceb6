"""Strangers' rules, called one by one: whatever goes wrong becomes a Fault that names the rule, the line and the moves.

The smoke test plays under this guard before rules become native code, and so does the doctor.
"""

from __future__ import annotations

import contextlib
import ctypes
import inspect
import itertools
import math
import threading
import time
from collections.abc import Callable, Iterator
from typing import Any, NamedTuple, TypeVar

from .errors import GameError, shown
from .game import CHANCE, Game
from .identity import Identified
from .knowledge import HOOKS, Knowledge, knowledge_of
from .number import ROUNDING, sums_to_one
from .rng import below

PLIES = 300
HANG = 5.0
"""Seconds after which one call of a rule is taken to loop for ever."""
ASKING = ("plywright.doctor.", "plywright.native.")
"""Modules that ask the rules: a line of theirs says nothing about a fault."""
SHOWN = 12
"""How many of the moves that lead to a fault its sentence repeats."""

# kinds of fault
RAISED, ENDLESS, MEMORY = "raised", "endless", "memory"
VALUE, SHAPE, TEXT, NO_ACTIONS = "value", "shape", "text", "no actions"

ASKED_OF_KNOWLEDGE = ("evaluate", *HOOKS)
"""What the guard asks of the knowledge; everything else is a rule."""

T = TypeVar("T")


class Visit(NamedTuple):
    """One state of a random game and what the rules say of it."""

    state: Any
    mover: int | None
    """A player or CHANCE; None where the game is over."""
    choices: list[int]
    """The actions, or the outcomes of chance; none where the game is over."""
    action: int | None
    """The choice that is played next."""
    values: tuple[float, ...] | None
    """By player: utilities where the game is over, evaluations elsewhere; None where there are none."""


def random_game(
    guard: Guard, rng: Any, plies: int = PLIES, settled: Callable[[Any], Any] | None = None
) -> Iterator[Visit]:
    """Play at random under the guard: equal generators give equal games. Ends where the game does.

    `settled` is what gives a state its type, by default the game's `coerce_state`.
    """
    guard.place([])
    state = guard.settled("initial", guard.call("initial"), settled)
    for _ in range(plies):
        if guard.terminal(state):
            yield Visit(state, None, [], None, guard.values("utility", state))
            return
        mover = guard.mover(state)
        choices = guard.choices(state, mover, rng)
        values = guard.values("evaluate", state) if guard.knowledge.evaluates else None
        action = choices[below(rng, len(choices))]
        yield Visit(state, mover, choices, action, values)
        text = guard.text(state, action)
        state = guard.settled("result", guard.call("result", state, action), settled)
        guard.moves.append(text)
        guard.place(guard.moves)


# -- faults --------------------------------------------------------------------------------------------


class Fault(GameError):
    """A rule broke the protocol: which rule, the kind of fault, and the moves that lead there."""

    def __init__(self, game: str, rule: str, what: str, where: str, kind: str, moves: list[str]) -> None:
        super().__init__(game, rule, what, where, kind, moves)  # all of them: it travels between processes
        self.game, self.rule, self.what, self.where, self.kind, self.moves = game, rule, what, where, kind, moves

    def __str__(self) -> str:
        return f"{self.game}: {self.story}"

    @property
    def story(self) -> str:
        """The sentence without the name of the game."""
        return f"{named(self.rule)} {self.what} {self.where}"


class Endless(BaseException):
    """Thrown into a rule that does not come back; not an Exception, so that the rule's handlers let it pass."""


class Guard:
    """Calls the rules one by one and turns whatever goes wrong into a Fault that names the culprit."""

    def __init__(self, game: Game, patience: float = HANG, knowledge: Knowledge | None = None) -> None:
        self.game, self.patience, self.knowledge = game, patience, knowledge_of(game, knowledge)
        self.moves: list[str] = []
        self.rule = ""  # the rule that is running
        self.since = time.monotonic()
        self.muted: set[str] = set()  # rules that play can do without and that have failed already
        classes = (*type(game).__mro__, *type(self.knowledge).__mro__)
        self.sources = {_source(cls) for cls in classes if issubclass(cls, Identified) and not vars(cls)["_protocol"]}

    def call(self, rule: str, *args: Any) -> Any:
        """The rule's answer; a generator is run to its end (or to one past max_actions)."""
        with self.calling(rule):
            owner = self.knowledge if rule in ASKED_OF_KNOWLEDGE else self.game
            answer = getattr(owner, rule)(*args)
            if rule in ("actions", "chance", "candidates", "noisy"):
                answer = list(itertools.islice(answer, self.game.max_actions + 1))
            return answer

    @contextlib.contextmanager
    def calling(self, rule: str) -> Iterator[None]:
        """Within this block the rule runs: it is timed, and what it raises becomes a Fault."""
        self.enter(rule)
        try:
            yield
        except Fault:
            raise
        except Endless as error:
            raise self.endless(rule, self.line_of(error)) from None
        except RecursionError as error:
            raise self.fault(rule, f"{self.line_of(error)}recurses for ever", ENDLESS) from None
        except MemoryError:
            raise self.fault(rule, "runs out of memory", MEMORY) from None
        except BaseException as error:
            if isinstance(error, KeyboardInterrupt) and threading.current_thread() is threading.main_thread():
                raise  # the person at the keyboard; in other threads only a rule can raise it
            what = f"{self.line_of(error)}raised {type(error).__name__}: {error}"
            raise self.fault(rule, what.rstrip(": "), RAISED) from error
        finally:
            self.leave()

    def enter(self, rule: str) -> None:
        self.rule, self.since = rule, time.monotonic()

    def leave(self) -> None:
        self.rule = ""

    def place(self, moves: list[str]) -> None:
        """These moves lead to the state that the next calls are about."""
        self.moves = moves

    def line_of(self, error: BaseException) -> str:
        """'in mygame.py, line 12, ' for the innermost line of the game's own file, or else of any but who asked."""
        found: tuple[str, int] | None = None
        own = False
        place = error.__traceback__
        while place is not None:
            file, module = place.tb_frame.f_code.co_filename, place.tb_frame.f_globals.get("__name__", "")
            if file in self.sources or (not own and file != __file__ and not str(module).startswith(ASKING)):
                found, own = (file, place.tb_lineno), own or file in self.sources
            place = place.tb_next
        return f"in {found[0].replace(chr(92), '/').rpartition('/')[2]}, line {found[1]}, " if found else ""

    def fault(self, rule: str, what: str, kind: str = VALUE) -> Fault:
        return Fault(self.game.name, rule, what, self.where(), kind, list(self.moves))

    def endless(self, rule: str, line: str = "") -> Fault:
        what = f"{line}has not come back for {self.patience:g} s: it seems to loop for ever"
        return self.fault(rule, what, ENDLESS)

    def where(self) -> str:
        """The moves that lead here, in the game's own notation."""
        if not self.moves:
            return "(at the start)"
        last = self.moves[-SHOWN:]
        try:
            text = self.game.join_moves(last)
        except Exception:  # a fault of its own, which must not hide the one being told
            text = " ".join(last)
        return f"(after {text})" if len(last) == len(self.moves) else f"(after {len(self.moves)} moves, at last {text})"

    # -- rules with what the protocol says of them -----------------------------------------------------

    def settled(self, rule: str, state: Any, by: Callable[[Any], Any] | None = None) -> Any:
        """The state in its canonical type, as compiled code and the command line would hold it."""
        with self.calling(rule):  # the first time, the game reads its state's type off initial()
            try:
                return (by or self.game.coerce_state)(state)
            except GameError as error:
                what = "cannot be kept" if rule == "initial" else "is unlike initial()'s"
                raise self.fault(rule, f"returns a state that {what}: {error}", SHAPE) from None

    def terminal(self, state: Any) -> bool:
        return bool(self.call("is_terminal", state))

    def mover(self, state: Any) -> int:
        mover = self.call("to_move", state)
        if not hasattr(mover, "__index__") or not (
            0 <= mover < self.game.players or (mover == CHANCE and self.game.has_chance)
        ):
            chance = " or CHANCE" if self.game.has_chance else ""
            raise self.fault("to_move", f"is {shown(mover)}; it must be 0 to {self.game.players - 1}{chance}")
        return int(mover)

    def choices(self, state: Any, mover: int, rng: Any) -> list[int]:
        """What may happen next in an unfinished state: actions of a player, outcomes of chance."""
        if mover == CHANCE:
            if self.game.lists_chance:
                return [outcome for outcome, _ in self.outcomes(state)]
            return [self.drawn(state, rng)]
        actions = self.actions(state)
        if not actions:
            raise self.fault("actions", "yields nothing, but is_terminal() says the game goes on", NO_ACTIONS)
        return actions

    def actions(self, state: Any) -> list[int]:
        actions = self.call("actions", state)
        if len(actions) > self.game.max_actions:
            raise self.fault(
                "actions",
                f"yields more than max_actions = {self.game.max_actions} actions: end its loop, or raise that fact",
            )
        for action in actions:
            if not _whole(action) or not 0 <= action < 1 << 63:
                raise self.fault(
                    "actions", f"yields {shown(action)}; an action must be a whole number from 0 to 2**63 - 1"
                )
        if len(set(actions)) < len(actions):
            twice = next(a for a in actions if actions.count(a) > 1)
            raise self.fault("actions", f"yields {shown(twice)} twice in one state: each action once is enough")
        return [int(action) for action in actions]

    def outcomes(self, state: Any) -> list[tuple[int, float]]:
        """The outcomes of a chance state, whose probabilities keep the protocol."""
        pairs = self.call("chance", state)
        if len(pairs) > self.game.max_actions:
            most = f"max_actions = {self.game.max_actions}"
            raise self.fault("chance", f"yields more than {most} outcomes: end its loop, or raise that fact")
        if wrong := odds_fault(pairs):
            raise self.fault("chance", wrong)
        return [(int(outcome), float(probability)) for outcome, probability in pairs]

    def drawn(self, state: Any, rng: Any) -> int:
        """An outcome that sample() draws."""
        outcome = self.call("sample", state, rng)
        if not _whole(outcome) or not 0 <= outcome < 1 << 63:
            raise self.fault("sample", f"is {shown(outcome)}; an outcome must be a whole number from 0 to 2**63 - 1")
        return int(outcome)

    def values(self, rule: str, state: Any) -> tuple[float, ...] | None:
        """utility() or evaluate() by player; None where the rule has been muted."""
        if rule in self.muted:
            return None
        return tuple(self.number(rule, state, player) for player in range(self.game.players))

    def number(self, rule: str, state: Any, player: int) -> float:
        value = self.call(rule, state, player)
        try:
            number = float(value)
        except (TypeError, ValueError):
            raise self.fault(rule, f"is {shown(value)}, not a number") from None
        except OverflowError:
            raise self.fault(rule, f"is {shown(value)}, too large for a floating-point number") from None
        if math.isnan(number):
            raise self.fault(rule, "is not a number (NaN): look for 0/0 or infinity minus infinity")
        return number

    def text(self, state: Any, action: int) -> str:
        """The action as the game writes it; its number where format_action() has been muted."""
        if "format_action" in self.muted:
            return str(action)
        text = self.call("format_action", state, action)
        if not isinstance(text, str) or not text.strip():
            raise self.fault("format_action", f"gives {shown(text)} for action {action}; it must be a text", TEXT)
        return text


def _short(number: Any) -> str:
    try:
        return f"{float(number):g}"
    except OverflowError:
        return shown(number)


def odds_fault(pairs: list[Any]) -> str:
    """What is wrong with the answer of chance(), as the end of a sentence; empty where nothing is."""
    if not pairs:
        return "yields no outcomes at a chance state; where nothing is left to happen, is_terminal() must be true"
    for pair in pairs:
        if not isinstance(pair, tuple) or len(pair) != 2 or not _whole(pair[0]) or not _real(pair[1]):
            return f"yields {shown(pair)}; it must be a pair (outcome, probability) of a whole number and a number"
        if not 0 <= pair[0] < 1 << 63:
            return f"yields the outcome {shown(pair[0])}; it must be a whole number from 0 to 2**63 - 1"
        if pair[1] != pair[1]:  # math.isnan raises for whole numbers that no float holds
            return f"gives outcome {pair[0]} a probability that is not a number (NaN): look for 0/0"
        if not 0 < pair[1] <= 1 + ROUNDING:
            return f"gives outcome {pair[0]} the probability {_short(pair[1])}; it must lie above 0 and not above 1"
    outcomes = [outcome for outcome, _ in pairs]
    if len(set(outcomes)) < len(outcomes):
        twice = next(outcome for outcome in outcomes if outcomes.count(outcome) > 1)
        return f"yields the outcome {twice} twice: add its probabilities up instead"
    total = math.fsum(float(probability) for _, probability in pairs)
    if not sums_to_one(total):
        return f"yields probabilities that do not sum to 1 but to {total:.12g}"
    return ""


def chance_fault(game: Game, state: Any) -> str:
    """What is wrong with chance in a state where compiled code met a fault, as the beginning of a sentence.

    The rule is asked again as Python; where that finds nothing, since the fault lies in a state that is not known
    any more, the sentence says what the protocol asks for.
    """
    if not game.lists_chance:
        return "sample() draws an outcome below 0"
    wrong = ""
    with contextlib.suppress(Exception):
        if game.at_chance(state):
            wrong = odds_fault(list(itertools.islice(game.chance(state), game.max_actions + 1)))
    return f"chance() {wrong or 'does not yield outcomes with probabilities above 0 that sum to 1'}"


def named(rule: str) -> str:
    """A rule as people write it: 'result()'; other doings, such as 'random play', as they are."""
    return f"{rule}()" if rule.isidentifier() else rule


def _whole(value: Any) -> bool:
    return hasattr(value, "__index__") and not isinstance(value, bool)


def _real(value: Any) -> bool:
    return hasattr(value, "__float__") and not isinstance(value, bool)


def _source(cls: type) -> str | None:
    try:
        return inspect.getsourcefile(cls)
    except (TypeError, OSError):  # a class typed at a prompt
        return None


# -- watching ------------------------------------------------------------------------------------------


def watched(guard: Guard, task: Callable[[], T]) -> T:
    """The task's answer, worked out in a thread while this one sees that every rule comes back."""
    rule = ""
    answers: list[T] = []
    failures: list[BaseException] = []

    def work() -> None:
        try:
            answers.append(task())
        except BaseException as error:  # handed to the caller below
            failures.append(error)

    thread = threading.Thread(target=work, daemon=True, name="plywright-rules")
    thread.start()
    try:
        while thread.is_alive():
            thread.join(0.02)
            rule = guard.rule
            if rule and thread.is_alive() and time.monotonic() - guard.since > guard.patience:
                _interrupt(thread)
                thread.join(1.0)
                if thread.is_alive():  # deep in code that is not Python: the daemon thread is left behind
                    raise guard.endless(rule)
    except KeyboardInterrupt:
        _interrupt(thread)
        raise
    if failures:
        raise guard.endless(rule) if isinstance(failures[0], Endless) else failures[0]
    return answers[0]


def _interrupt(thread: threading.Thread) -> None:
    if thread.ident is not None:
        ctypes.pythonapi.PyThreadState_SetAsyncExc(ctypes.c_ulong(thread.ident), ctypes.py_object(Endless))
