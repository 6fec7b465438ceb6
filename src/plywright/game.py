"""The Game protocol: write the rules once, as pure methods over an immutable state.

    class TicTacToe(Game):
        def initial(self): ...                  # a NamedTuple of numbers (or an int, or a tuple)
        def to_move(self, state): ...           # 0 .. players-1, or CHANCE
        def actions(self, state): ...           # yields ints >= 0
        def result(self, state, action): ...    # a new state
        def is_terminal(self, state): ...       # may be left out: terminal means no actions
        def utility(self, state, player): ...   # at terminals, in that player's view

Everything else has a default. What kind of game it is (chance, hidden information, teams) follows
from what the class defines. `docs/adding-a-game.md` is the recipe, `plywright doctor` the examiner.
"""

from __future__ import annotations

import math
import operator
import re
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from functools import cached_property
from types import MappingProxyType
from typing import TYPE_CHECKING, Any

from .bits import mix
from .digest import digest
from .errors import BadInput, GameError, PlywrightError, shown
from .identity import WORKED_OUT, Identified, is_shipped
from .literal import read, written
from .state import NoShape, Outgrown, Shape, coerce, leaves, rebuild, shape_of
from .survey import Survey, survey

if TYPE_CHECKING:
    from .draw import Picture
    from .knowledge import Knowledge

CHANCE = -1
"""The mover of a state in which dice or cards decide."""

REQUIRED = ("initial", "to_move", "actions", "result", "utility")
RULES = (
    *(*REQUIRED, "is_terminal", "count_actions", "evaluate", "chance", "sample", "team"),
    *("observation", "deal", "canonical", "repetition_key"),
)
FACTS: tuple[str, ...] = (
    *("players", "own_teams", "team_of", "max_actions", "rules_end", "evaluates", "neutral_value"),
    *("lists_chance", "repeats", "repetition_draws", "repetition_forbids", "fixed_states", "fixed_views"),
    "counts_actions",
)
"""The attributes that kernels read as compile-time constants."""
_SURVEYED = ("fixed_states", "fixed_views", "shapeless", "_outgrown")
"""What only play shows: no part of a fingerprint, for which no rule but initial() is run."""

LONGEST_TEXT = 100_000
"""Characters of a state or an observation as text."""
LONGEST_NUMBER = 400
NO_VIEW = "no state looks like that to a player who is to move"


class Game(Identified):
    """Rules of one game. Subclass it; no registration and no `super().__init__()` is needed."""

    _protocol = True
    _surveyed = _SURVEYED

    players: int = 2
    teams: tuple[int, ...] | None = None
    """The team of each player; by default each player is its own."""
    zero_sum: bool | None = None
    """Whether the utilities of two teams cancel; None means yes for two teams, no for more."""
    utility_range: tuple[float, float] = (-1, 1)
    sum_bound: float | None = None
    """What the utilities (and evaluations) of all players together never exceed; None where no such bound is known.

    With the lower end L of `utility_range` it says what the others can have at most: where one of n players is
    sure of v, another gets at most sum_bound - v - (n - 2) * L. Max^n prunes by that."""
    step: float | None = 1
    """The smallest difference between two utilities; None if there is none."""
    evaluation_unit: tuple[float, str] | None = None
    """What people count in `evaluate`, and how much of a value one is: (1 / 16, "open lines"); only for display."""
    max_actions: int = 256
    repetition: tuple[str, int] | None = None
    """What repeating a state does: ("draw", 3) ends the game, drawn, when a state occurs for the third time;
    ("forbidden", 2) forbids the action that would bring a state about for the second time (and a player to
    whom that leaves no action has drawn). A draw is worth 0 to everybody."""
    knowledge: type[Knowledge] | None = None
    """What a search of this game knows unless told otherwise; None: nothing but `evaluate`."""
    knowledges: Mapping[str, type[Knowledge]] = MappingProxyType({})
    """Knowledge by name, for `search(..., knowledge="hand")` and `--knowledge hand`."""
    name: str = ""
    """The name on the command line; by default made from the class's."""
    player_names: tuple[str, ...] = ()
    _learned: Callable[[], Knowledge | None] | None = None
    """Finds the knowledge that lies beside the game's file, for a game that was loaded from one."""

    def __init_subclass__(cls) -> None:
        super().__init_subclass__()
        if not vars(cls).get("name"):
            type.__setattr__(cls, "name", re.sub(r"(?<=[a-z0-9])(?=[A-Z])", "-", cls.__name__).lower())
        for rule, alias in (("chance", "outcomes"), ("sample", "outcome")):
            if rule in vars(cls):
                type.__setattr__(cls, alias, vars(cls)[rule])

    # -- rules that have a default ------------------------------------------------------------

    if TYPE_CHECKING:  # the five every game writes

        def initial(self) -> Any: ...
        def to_move(self, state: Any) -> int: ...
        def actions(self, state: Any) -> Iterable[int]: ...
        def result(self, state: Any, action: int) -> Any: ...
        def utility(self, state: Any, player: int) -> float: ...

        # and of games with dice or cards one of these two
        def chance(self, state: Any) -> Iterable[tuple[int, float]]: ...
        def sample(self, state: Any, rng: Any) -> int: ...

        # and of games with hidden information one of these two, or both
        def deal(self, observation: Any, player: int, rng: Any) -> Any: ...
        def deals(self, observation: Any, player: int) -> Iterator[tuple[Any, float]]: ...

    def is_terminal(self, state: Any) -> bool:
        """Without a rule of its own a game is over when there is nothing to do."""
        for _ in self.actions(state):
            return False
        return True

    def count_actions(self, state: Any) -> int:
        """How many actions a state has, 0 where the game is over; perft asks a game that can tell without listing."""
        return len(self.choices(state))

    def evaluate(self, state: Any, player: int) -> float:
        """An estimate of the utility in the player's view, strictly inside `utility_range`."""
        return self.neutral_value

    # -- chance as kernels call it: the author's `chance` and `sample`, or else nothing ----------------------

    def outcomes(self, state: Any) -> Iterable[tuple[int, float]]:
        """What `chance` yields; nothing in a game without it, so that one kernel serves both."""
        for outcome in range(0):
            yield outcome, 1.0

    def outcome(self, state: Any, rng: Any) -> int:
        """What `sample` draws."""
        return 0

    def repetition_key(self, state: Any) -> int:
        """64 bits that two states share if they count as the same for `repetition`; by default all fields."""
        if self.fixed_states:
            return mix(state)
        return digest(state)

    def view_key(self, observation: Any) -> int:
        """64 bits that stand for what a player sees: two observations share them only if they are equal."""
        if self.fixed_views:
            return mix(observation)
        return digest(observation)

    def observation(self, state: Any, player: int) -> Any:
        """Everything the player knows; by default everything."""
        return state

    def canonical(self, state: Any) -> Any:
        """The one of all states that are the same up to symmetry which stands for them; by default the state itself."""
        return state

    perfect_recall: bool = False
    """Whether observations tell a player everything it has seen and done; the doctor checks it, equilibria need it."""

    def format_observation(self, observation: Any, player: int) -> str:
        """What a player sees, as one line that `parse_observation` reads back."""
        if not self.fixed_views:
            return written(observation)
        parts = observation if isinstance(observation, tuple) else (observation,)
        return ",".join(str(float(x)) if isinstance(x, float) else str(int(x)) for x in leaves(parts))

    def parse_observation(self, text: str, player: int) -> Any:
        """The observation that a line stands for; by default the numbers that `format_observation` writes."""
        sample = self.observation(self.start_state, player)
        if not self.fixed_views:
            try:
                return read(text, sample)
            except ValueError as error:
                remedy = "define format_observation and parse_observation to give it a text of its own"
                raise BadInput(f"{text!r} is not what a player of {self.name} sees: {error}; {remedy}") from None
        words, expected = text.replace(",", " ").split(), len(leaves(sample))
        if len(words) != expected:
            raise BadInput(
                f"{text!r} is not what a player of {self.name} sees: write {expected} numbers like "
                f"{self.format_observation(sample, player)!r}"
            )
        try:
            return rebuild(shape_of(sample), numbers_in(words))
        except (ValueError, GameError, NoShape) as error:
            raise BadInput(f"{text!r} is not what a player of {self.name} sees: {error}") from None

    def check_observation(self, observation: Any, player: int) -> str:
        """What makes it impossible that the player, who is to move, sees this; empty where nothing does.

        By default a game that reads views in a notation of its own knows which there are: one that it does not
        read back as it wrote it is none.
        """
        if type(self).parse_observation is Game.parse_observation:
            return ""
        try:
            back = self.parse_observation(self.format_observation(observation, player), player)
        except (BadInput, LookupError, ValueError, OverflowError) as error:
            return str(error) if isinstance(error, BadInput) else NO_VIEW
        return "" if back == observation else NO_VIEW

    def read_observation(self, text: str, player: int) -> Any:
        """What a text from outside says that a player sees; raises BadInput where nobody can see that."""
        return self._read("parse_observation", f"what {self.player_name(player)} of {self.name} sees", text, player)

    def picture_for(self, observation: Any, player: int) -> Picture:
        """What to show a person in that seat: nothing that the seat may not know."""
        from .draw import note

        return note(self.format_observation(observation, player))

    # -- notation: canonical text out, every usual spelling in --------------------------------

    def format_action(self, state: Any, action: int) -> str:
        return str(int(action))

    def parse_action(self, state: Any, text: str) -> int:
        """The action a person wrote, or the outcome at a chance state; by default one whose canonical text it is."""
        wanted = text.strip().lower()
        for action in self.choices(state):
            if self.format_action(state, action).lower() == wanted:
                return action
        if self.at_chance(state) and not self.lists_chance and wanted.isdecimal():
            return int(wanted)  # outcomes that are only drawn cannot be looked up
        raise self.unknown_move(state, text)

    def clicks(self, state: Any, action: int) -> list[list[list[str]]]:
        """How a person points at an action in the picture: ways, each of parts, each of places in their order.

        The parts of a way may come in any order. Nothing, the default, means the places in the order in which
        the action's text names them, as one part.
        """
        return []

    def split_moves(self, text: str) -> list[str]:
        """The moves in a line of text; games whose moves are written without spaces override it."""
        return text.replace(",", " ").split()

    def join_moves(self, moves: list[str]) -> str:
        return " ".join(moves)

    notations: tuple[str, ...] = ("text",)
    """The ways `format_game` writes a whole game down."""

    def format_game(
        self,
        start: Any,
        actions: Sequence[int],
        notation: str = "text",
        *,
        names: Sequence[str] = (),
        payoffs: Sequence[float] | None = None,
        notes: Sequence[tuple[float | None, float]] = (),
    ) -> str:
        """A whole game as its players write it; `text` is the line of moves, other notations are a game's own.

        `names` and `payoffs` are by seat, `notes` by action: the value that its player saw, and the seconds.
        """
        state, texts = start, []
        for action in actions:
            if self.to_move(state) != CHANCE:
                texts.append(self.format_action(state, action))
            state = self.coerce_state(self.result(state, action))
        moves = self.join_moves(texts)
        return moves if start == self.start_state else f"from {self.format_state(start)}: {moves}"

    def parse_record(self, text: str) -> tuple[Any, list[int]] | None:
        """The start and the actions of a whole game in a notation of the game's own, one of `notations` beside `text`.

        None where the text is in none of them: a line of moves is read by `states_along`. Raises BadInput for a
        game that is damaged.
        """
        return None

    def format_state(self, state: Any) -> str:
        """The state as one line that `parse_state` reads back."""
        if not self.fixed_states:
            return written(state)
        return ",".join(str(float(x)) if isinstance(x, float) else str(int(x)) for x in leaves(state))

    def parse_state(self, text: str) -> Any:
        shape = self.state_shape if self.fixed_states else None
        if shape is None:
            try:
                return read(text, self.start_state)
            except ValueError as error:
                remedy = "define format_state and parse_state to give states a text of their own"
                raise BadInput(f"{text!r} is not a state of {self.name}: {error}; {remedy}") from None
        words = text.replace(",", " ").split()
        expected = len(leaves(self.initial()))
        if len(words) != expected:
            raise BadInput(f"a state of {self.name} is {expected} numbers like {self.format_state(self.initial())!r}")
        try:
            return self.checked(rebuild(shape, numbers_in(words)))
        except (ValueError, GameError) as error:
            raise BadInput(f"{text!r} is not a state of {self.name}: {error}") from None

    # -- states from outside: texts, requests, records, programs ----------------------------------------------

    def check_state(self, state: Any) -> str:
        """What makes a state impossible, as a sentence without its full stop; empty where nothing does.

        Asked of every state that was not reached by play, before any other rule: what a game refuses here its
        rules need not expect. A state that play can reach is never refused. By default numbers are finite, the
        mover is a player or chance, and whoever is to move has something to do.
        """
        if not all(math.isfinite(leaf) for leaf in leaves(state) if isinstance(leaf, float)):
            return "it holds a number that is not finite"
        try:
            return self._unplayable(state)
        except Exception as error:  # rules are written for states that play can reach
            return f"the rules have no answer in it ({type(error).__name__}: {error})"

    def _unplayable(self, state: Any) -> str:
        """Why nobody could play on from a state, as far as one look shows."""
        if self.is_terminal(state):
            return ""
        mover = self.to_move(state)
        if mover == CHANCE and self.has_chance:
            return ""
        if mover not in range(self.players):
            return f"the player to move would be {mover}, and there are 0 to {self.players - 1}"
        for action in self.actions(state):
            self.coerce_state(self.result(state, action))
            return ""
        return "nobody can move, but the game is not over"

    def checked(self, state: Any) -> Any:
        """A state from outside in its canonical type; raises BadInput that says why it cannot be."""
        try:
            state = self.coerce_state(state)
        except GameError as error:
            raise BadInput(f"{self.name}: {error}") from None
        if why := self.check_state(state):
            raise self.impossible_state(state, why)
        return state

    def vouched(self, state: Any) -> Any:
        """A state from a caller in Python, who may have come to it by play: only the game's own check is asked.

        What else is wrong is then a fault of the rules, and whoever calls them says so.
        """
        state = self.coerce_state(state)
        if self.checks_states and (why := self.check_state(state)):
            raise self.impossible_state(state, why)
        return state

    def impossible_state(self, state: Any, why: str) -> BadInput:
        return BadInput(f"{shown(state)} cannot be a state of {self.name}: {why}")

    def read_state(self, text: str) -> Any:
        """The state that a text from outside stands for; raises BadInput where there is no such state."""
        return self.checked(self._read("parse_state", f"a state of {self.name}", text))

    def _read(self, rule: str, what: str, text: str, *args: Any) -> Any:
        """What parse_state or parse_observation makes of a text; whatever it raises is about that text."""
        if not isinstance(text, str) or len(text) > LONGEST_TEXT:
            raise BadInput(f"{shown(text)} is not {what}: it should be a line of text")
        try:
            return getattr(self, rule)(text, *args)
        except PlywrightError:
            raise
        except Exception as error:
            raise BadInput(f"{shown(text)} is not {what} ({rule} raised {type(error).__name__}: {error})") from error

    def picture(self, state: Any, last: int | None = None) -> Picture:
        """What to show a person; `last` is the action that led here, to be marked."""
        from .draw import note

        if not hasattr(state, "_fields"):
            return note(self.format_state(state))
        return note("  ".join(f"{name} {part}" for name, part in zip(state._fields, state, strict=True)))

    # -- what a game knows about itself -------------------------------------------------------

    def player_name(self, player: int) -> str:
        return self.player_names[player] if player < len(self.player_names) else f"player {player + 1}"

    @property
    def team_of(self) -> tuple[int, ...]:
        return tuple(self.teams) if self.teams is not None else tuple(range(self.players))

    @property
    def own_teams(self) -> bool:
        return self.team_of == tuple(range(self.players))

    @property
    def opposed(self) -> bool:
        """Two teams whose utilities cancel: what minimax and alpha-beta need."""
        return len(set(self.team_of)) == 2 and self.zero_sum is not False

    @property
    def has_chance(self) -> bool:
        return hasattr(type(self), "chance") or hasattr(type(self), "sample")

    @property
    def lists_chance(self) -> bool:
        """Whether the outcomes of chance are listed with their probabilities, not only drawn."""
        return hasattr(type(self), "chance")

    @property
    def hidden(self) -> bool:
        return type(self).observation is not Game.observation

    @property
    def checks_states(self) -> bool:
        """Whether the game has a check of its own for states from outside."""
        return type(self).check_state is not Game.check_state

    @property
    def has_symmetry(self) -> bool:
        """Whether the game says which states are the same up to symmetry."""
        return type(self).canonical is not Game.canonical

    @property
    def rules_end(self) -> bool:
        """Whether the game has a rule of its own for its end."""
        return type(self).is_terminal is not Game.is_terminal

    @property
    def repeats(self) -> bool:
        """Whether repetition matters."""
        return self.repetition is not None

    @property
    def repetition_draws(self) -> int:
        """The occurrence of a state that ends the game in a draw; 0 where there is none."""
        return self._repetition("draw")

    @property
    def repetition_forbids(self) -> int:
        """The occurrence of a state that may not come about; 0 where there is none."""
        return self._repetition("forbidden")

    def _repetition(self, kind: str) -> int:
        fact = self.repetition
        if fact is None:
            return 0
        known = isinstance(fact, tuple) and len(fact) == 2 and fact[0] in ("draw", "forbidden")
        if not known or not isinstance(fact[1], int) or fact[1] < 2:
            raise GameError(
                f'{type(self).__name__}: repetition is {fact!r}; it must be None or a pair such as ("draw", 3) '
                f'or ("forbidden", 2), with a number of at least 2'
            )
        return fact[1] if fact[0] == kind else 0

    @property
    def counts_actions(self) -> bool:
        """Whether the game counts its actions in a way of its own."""
        return type(self).count_actions is not Game.count_actions

    @property
    def evaluates(self) -> bool:
        return type(self).evaluate is not Game.evaluate

    @property
    def neutral_value(self) -> float:
        """What an unfinished state counts in a game without an evaluation: 0, or what is possible nearest to it."""
        low, high = self.utility_range
        return 0 if self.opposed or low <= 0 <= high else low if low > 0 else high

    def team(self, player: int) -> int:
        if self.own_teams:
            return player
        return self.team_of[player]

    # -- states and freezing ------------------------------------------------------------------

    @cached_property
    def _start(self) -> tuple[Any, Shape | None, str]:
        for rule in REQUIRED:
            if not callable(getattr(type(self), rule, None)):
                raise GameError(
                    f"{type(self).__name__} has no method {rule!r}; a game needs {', '.join(REQUIRED[:-1])} "
                    f"and {REQUIRED[-1]}"
                )
        state = self.initial()
        try:
            shape = shape_of(state)
        except NoShape as reason:
            return state, None, str(reason)
        return coerce(shape, state), shape, ""

    @property
    def state_shape(self) -> Shape | None:
        """The canonical type of a state, or None where compiled code has none for it, as far as is known yet."""
        return None if self._outgrown else self._start[1]

    @property
    def start_state(self) -> Any:
        """The initial state in its canonical type."""
        return self.initial() if self._outgrown else self._start[0]

    @property
    def shapeless(self) -> str:
        """Why compiled code has no type for the states; empty where it has."""
        return self._start[2] or self._survey.outgrown

    @property
    def fixed_states(self) -> bool:
        """Whether all states are numbers in one shape, as compiled code holds them."""
        return not self.shapeless

    @property
    def fixed_views(self) -> bool:
        """Whether all that players see is numbers in one shape."""
        return self._survey.fixed_views

    @cached_property
    def _survey(self) -> Survey:
        """Made once, when a state does not fit or before the rules are compiled; a smoke test makes it under guard."""
        shape = self._start[1]
        return Survey("", shape is not None, True) if is_shipped(self) else survey(self, shape)

    @property
    def _outgrown(self) -> str:
        """Why states have no shape though the first has one, if that has been found."""
        found: Survey | None = self.__dict__.get("_survey")
        return "" if found is None else found.outgrown

    def coerce_state(self, state: Any) -> Any:
        """A state in its canonical type, whoever typed or parsed it."""
        shape = self.state_shape
        if shape is None:
            return state
        try:
            return coerce(shape, state)
        except Outgrown:
            if "_survey" in self.__dict__ or not self._survey.outgrown:
                raise
            return state

    def _roots(self) -> tuple[str, ...]:
        return RULES

    def _facts(self) -> tuple[str, ...]:
        return FACTS

    def _base(self) -> str:
        return str(self._start[1])

    def __repr__(self) -> str:
        return f"<{type(self).__name__} {self.name}>"

    def _repr_svg_(self) -> str:
        return self.picture(self.start_state).svg

    # -- playing ------------------------------------------------------------------------------

    def unknown_move(self, state: Any, text: str) -> BadInput:
        """The error for a text that is no legal move, with some that are."""
        if self.is_terminal(state):
            return BadInput(f"{text!r} cannot be played: the game is over")
        legal = [self.format_action(state, action) for action in self.choices(state)]
        shown = ", ".join(legal[:24]) + (", ..." if len(legal) > 24 else "")
        if self.at_chance(state):
            return BadInput(f"{text!r} is not what chance can bring in {self.name} here; it brings: {shown}")
        return BadInput(f"{text!r} is not a legal move in {self.name} here; legal: {shown}")

    def at_chance(self, state: Any) -> bool:
        """Whether dice or cards decide in this unfinished state."""
        return self.has_chance and not self.is_terminal(state) and bool(self.to_move(state) == CHANCE)

    def choices(self, state: Any) -> list[int]:
        """What may happen next: a player's actions or the outcomes of chance; none where the game is over.

        Nor are there any where chance is only drawn from.
        """
        if self.is_terminal(state):
            return []
        if not self.at_chance(state):
            return [int(action) for action in self.actions(state)]
        return [int(outcome) for outcome, _ in self.chance(state)] if self.lists_chance else []

    def play_moves(self, state: Any, moves: str | Iterable[str | int]) -> Any:
        """The state after a line of moves, and of outcomes where chance decides, in the game's own notation.

        `moves` is a text, or a list of the texts of moves and of actions by number.
        """
        return self.states_along(state, moves)[-1]

    def states_along(self, state: Any, moves: str | Iterable[str | int]) -> list[Any]:
        """The states through which a line of moves leads, from `state` itself to the last."""
        states = [state]
        for number, move in enumerate(self.split_moves(moves) if isinstance(moves, str) else moves, 1):
            try:
                state = self.coerce_state(self.result(state, self.move_meant(state, move)))
            except BadInput as error:
                raise BadInput(f"move {number}: {error}") from None
            states.append(state)
        return states

    def move_meant(self, state: Any, move: str | int) -> int:
        """The action that is written, or given by its number."""
        if isinstance(move, str):
            return self.parse_action(state, move)
        action = operator.index(move)
        drawn = self.at_chance(state) and not self.lists_chance
        if action not in self.choices(state) and not (drawn and action >= 0):
            raise self.unknown_move(state, str(move))
        return action

    def __getstate__(self) -> dict[str, Any]:
        """What goes to another process: the game's own attributes, without what is worked out from them."""
        return {name: value for name, value in self.__dict__.items() if name not in WORKED_OUT}


def numbers_in(words: list[str]) -> list[Any]:
    """Numbers as a state's text has them: whole ones, floats where they are written so, True and False as 1 and 0."""
    if long := next((word for word in words if len(word) > LONGEST_NUMBER), None):
        raise ValueError(f"{shown(long)} has too many digits")
    truths = {"true": 1, "false": 0}
    return [
        truths[word.lower()] if word.lower() in truths else int(word) if word.lstrip("+-").isdecimal() else float(word)
        for word in words
    ]


__all__ = ["CHANCE", "FACTS", "REQUIRED", "RULES", "Game", "is_shipped"]
