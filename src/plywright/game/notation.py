"""Words and pictures of a game: canonical text out, every usual spelling in, nothing impossible let in."""

from __future__ import annotations

import math
import operator
from collections.abc import Iterable, Mapping, Sequence
from types import MappingProxyType
from typing import TYPE_CHECKING, Any, NamedTuple

from ..errors import BadInput, GameError, ImpossibleState, PlywrightError, shown
from ..literal import read, written
from ..state import NoShape, leaves, rebuild, shape_of
from .rules import CHANCE, Rules
from .widths import named_widths

if TYPE_CHECKING:
    from pathlib import Path

    from ..draw import Picture

LONGEST_TEXT = 100_000
"""Characters of a state or an observation as text."""
LONGEST_NUMBER = 400
NO_VIEW = "no state looks like that to a player who is to move"


class Problem(NamedTuple):
    """A position of a test suite: which actions are best there, which are mistakes, and its name."""

    state: Any
    best: tuple[int, ...]
    avoid: tuple[int, ...]
    name: str


class Notation(Rules):
    """Texts of actions, states, observations and whole games, and pictures of states."""

    _protocol = True

    # -- actions ----------------------------------------------------------------------------------

    def format_action(self, state: Any, action: int) -> str:
        """The canonical text of an action, such as `e4`; by default its number."""
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

    uci_options: Mapping[str, str] = MappingProxyType({})
    """Options of UCI that change how this game is spoken of: {"UCI_Chess960": "check default false"}."""

    @property
    def uci_needs(self) -> Mapping[str, str]:
        """Options that a foreign program must have and be given, since it would play another game without them.

        Where there are any, `startpos` means another start to it: this game's is told as a state. By default none.
        """
        return {}

    def format_for_uci(self, state: Any, action: int, options: Mapping[str, str]) -> str:
        """An action as programs write it over UCI, with what was set of `uci_options`; by default its usual text."""
        return self.format_action(state, action)

    def read_uci_book(self, path: str) -> Any:
        """The opening book of a file, for the options OwnBook and BookFile: an object with `moves(state)`, which gives
        actions with their weights. None, the default: this game has no such books."""
        return None

    def clicks(self, state: Any, action: int) -> list[list[list[str]]]:
        """How a person points at an action in the picture: ways, each of parts, each of places in their order.

        The parts of a way may come in any order. Nothing, the default, means the places in the order in which
        the action's text names them, as one part.
        """
        return []

    def unknown_move(self, state: Any, text: str) -> BadInput:
        """The error for a text that is no legal move, with some that are."""
        if self.is_terminal(state):
            return BadInput(f"{shown(text)} cannot be played: the game is over")
        legal = [self.format_action(state, action) for action in self.choices(state)]
        some = ", ".join(legal[:24]) + (", ..." if len(legal) > 24 else "")
        if self.at_chance(state):
            return BadInput(f"{shown(text)} is not what chance can bring in {self.name} here; it brings: {some}")
        return BadInput(f"{shown(text)} is not a legal move in {self.name} here; legal: {some}")

    def move_meant(self, state: Any, move: str | int) -> int:
        """The action that is written, or given by its number."""
        if isinstance(move, str):
            return self.parse_action(state, move)
        action = operator.index(move)
        drawn = self.at_chance(state) and not self.lists_chance
        if action not in self.choices(state) and not (drawn and action >= 0):
            raise self.unknown_move(state, str(move))
        return action

    # -- lines of moves, whole games ----------------------------------------------------------------

    def split_moves(self, text: str) -> list[str]:
        """The moves in a line of text; games whose moves are written without spaces override it."""
        return text.replace(",", " ").split()

    def join_moves(self, moves: list[str]) -> str:
        """A line of moves as `split_moves` reads it back."""
        return " ".join(moves)

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
                state = self.state_after(state, self.move_meant(state, move))
            except BadInput as error:
                raise BadInput(f"move {number}: {error}") from None
            states.append(state)
        return states

    def format_game(
        self,
        start: Any,
        actions: Sequence[int],
        notation: str = "text",
        *,
        names: Sequence[str] = (),
        payoffs: Sequence[float] | None = None,
        notes: Sequence[tuple[float | None, float]] = (),
        ending: str = "",
    ) -> str:
        """A whole game as its players write it; `text` is the line of moves, other notations are a game's own.

        `names` and `payoffs` are by seat, `notes` by action: the value that its player saw, and the seconds. Where no
        payoffs are given, a game that the rules have ended has those of the rules. `ending` is a referee's word for one
        that ended otherwise, such as `late`.
        """
        if notation != "text" and notation in self.notations:
            if payoffs is None:
                payoffs = self._final_payoffs(start, actions)
            record = self.write_record(start, actions, notation, names, payoffs, notes)
            return self.end_record(record, notation, ending) if ending else record
        state, texts = start, []
        for action in actions:
            if self.to_move(state) != CHANCE:
                texts.append(self.format_action(state, action))
            state = self.state_after(state, action)
        moves = self.join_moves(texts)
        return moves if start == self.start_state else f"from {self.format_state(start)}: {moves}"

    def _final_payoffs(self, start: Any, actions: Sequence[int]) -> list[float] | None:
        """What the rules give for a game that they have ended; None where it is not over."""
        state = start
        for action in actions:
            state = self.state_after(state, action)
        return [float(self.utility(state, seat)) for seat in range(self.players)] if self.is_terminal(state) else None

    def write_record(
        self,
        start: Any,
        actions: Sequence[int],
        notation: str,
        names: Sequence[str],
        payoffs: Sequence[float] | None,
        notes: Sequence[tuple[float | None, float]],
    ) -> str:
        """A whole game in one of the game's `notations` other than `text`, as `format_game` is asked for it."""
        raise GameError(f"{self.name}: notations lists {notation!r}, and no write_record() writes it")

    def end_record(self, record: str, notation: str, ending: str) -> str:
        """A record of a game that the rules did not end, with the referee's word for why; by default without."""
        return record

    def opening_name(self, start: Any, actions: Sequence[int]) -> str:
        """The name of the opening that a game has come to; empty where the game has no names for them."""
        return ""

    def opening_book(self) -> Path | None:
        """The opening book that comes with the game (`plywright book build` makes one), if any."""
        return None

    def parse_record(self, text: str) -> tuple[Any, list[int]] | None:
        """The start and the actions of a whole game in a notation of the game's own, one of `notations` beside `text`.

        None where the text is in none of them: a line of moves is read by `states_along`. Raises BadInput for a
        game that is damaged.
        """
        return None

    def record_names(self, text: str) -> tuple[str, ...]:
        """Who played the game of such a text, by seat, as it says; empty where it does not. It is one that was read."""
        return ()

    def is_foreign(self, text: str) -> bool:
        """Whether a text that looks like such a notation has, as its first move shows, a game of another kind in it."""
        return False

    def record_rules(self, text: str) -> str:
        """By which rules such a text says that its game was played, as a text for `load_game`: `othello:size=6`.

        Empty where it says nothing, where these are the rules, and where the text is in no such notation.
        """
        return ""

    def looser_rules(self) -> tuple[str, ...]:
        """The same game by rules that let a record go on where these end it, as texts for `load_game`, strictest first.

        Players need not claim a draw, for example, and a game that they went on with is still a game.
        """
        return ()

    def split_records(self, text: str) -> list[str]:
        """The games of a text in such a notation, each for `parse_record`; where a line is a game, the text is one."""
        return [text]

    suites: Mapping[str, str] = MappingProxyType({})
    """Test suites that come with the game: their names, and their files beside the rules."""

    def parse_suite(self, text: str) -> list[Problem]:
        """The positions of a test suite in a notation of the game's own, such as EPD; raises BadInput if broken."""
        raise BadInput(f"{self.name} reads no test suites")

    # -- states, from texts, requests, records and programs, too ---------------------------------------------

    def format_state(self, state: Any) -> str:
        """The state as one line that `parse_state` reads back."""
        if not self.fixed_states:
            return written(state)
        return ",".join(str(float(x)) if isinstance(x, float) else str(int(x)) for x in leaves(state))

    def parse_state(self, text: str) -> Any:
        """The state that a line stands for; raises BadInput. Texts from outside go through `read_state`."""
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
            self.state_after(state, action)
            return ""
        return "nobody can move, but the game is not over"

    def checked(self, state: Any) -> Any:
        """A state from outside in its canonical type; raises BadInput that says why it cannot be."""
        try:
            state = self.coerce_state(state)
        except GameError as error:
            raise BadInput(f"{self.name}: {error}") from None
        if why := self.check_state(state):
            raise ImpossibleState.of(state, self.name, why)
        return state

    def vouched(self, state: Any) -> Any:
        """A state from a caller in Python, who may have come to it by play: only the game's own check is asked.

        What else is wrong is then a fault of the rules, and whoever calls them says so.
        """
        state = self.coerce_state(state)
        if self.checks_states and (why := self.check_state(state)):
            raise ImpossibleState.of(state, self.name, why)
        return state

    def read_state(self, text: str) -> Any:
        """The state that a text from outside stands for; raises BadInput where there is no such state."""
        try:
            return self.checked(self._read("parse_state", f"a state of {self.name}", text))
        except ImpossibleState as error:
            raise ImpossibleState.of(text, self.name, error.why) from None

    def _read(self, rule: str, what: str, text: str, *args: Any) -> Any:
        """What parse_state or parse_observation makes of a text; whatever it raises is about that text."""
        if not isinstance(text, str):
            raise BadInput(f"{shown(text)} is not {what}: it should be a line of text")
        if len(text) > LONGEST_TEXT:
            raise BadInput(f"{shown(text)} is not {what}: it should have at most {LONGEST_TEXT:,} characters")
        try:
            return getattr(self, rule)(text, *args)
        except PlywrightError:
            raise
        except Exception as error:
            raise BadInput(f"{shown(text)} is not {what} ({rule} raised {type(error).__name__}: {error})") from error

    def caption(self, state: Any) -> str:
        """A line for below the picture: who is to move, or how the game has ended. By default there is none."""
        return ""

    # -- what players see ------------------------------------------------------------------------------------

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
        if not self.overrides("parse_observation"):
            return ""
        try:
            back = self.parse_observation(self.format_observation(observation, player), player)
        except (BadInput, LookupError, ValueError, OverflowError) as error:
            return str(error) if isinstance(error, BadInput) else NO_VIEW
        return "" if back == observation else NO_VIEW

    def read_observation(self, text: str, player: int) -> Any:
        """What a text from outside says that a player sees; raises BadInput where nobody can see that."""
        return self._read("parse_observation", f"what {self.player_name(player)} of {self.name} sees", text, player)

    # -- pictures ----------------------------------------------------------------------------------------------

    def picture(self, state: Any, last: int | None = None) -> Picture:
        """What to show a person; `last` is the action that led here, to be marked.

        By default a board that can be seen in the state, a tuple of rows or one as long as `columns`, `width` or
        `size` of the game say, is drawn as a grid, and the rest is written beside it.
        """
        from ..draw import fields

        if hasattr(state, "_fields"):
            return fields(list(zip(state._fields, state, strict=True)), named_widths(self))
        return fields([("state", state)], named_widths(self), words=self.format_state(state))

    def picture_owned(self, state: Any, owners: Sequence[float]) -> Picture:
        """The same with whose each place will be, from 1, surely the first player's, to -1: see `ownership`."""
        return self.picture(state)

    def place_name(self, place: int) -> str:
        """What pictures call a place that can be somebody's (`Knowledge.owner`): its owner is marked there."""
        return str(place)

    def picture_for(self, observation: Any, player: int) -> Picture:
        """What to show a person in that seat: nothing that the seat may not know."""
        from ..draw import note

        return note(self.format_observation(observation, player))


def numbers_in(words: list[str]) -> list[Any]:
    """Numbers as a state's text has them: whole ones, floats where they are written so, True and False as 1 and 0."""
    if long := next((word for word in words if len(word) > LONGEST_NUMBER), None):
        raise ValueError(f"{shown(long)} has too many digits")
    truths = {"true": 1, "false": 0}
    return [
        truths[word.lower()] if word.lower() in truths else int(word) if word.lstrip("+-").isdecimal() else float(word)
        for word in words
    ]
