"""The Player protocol: whoever answers "what do you do here?" is a player."""

from __future__ import annotations

import functools
import inspect
from collections.abc import Callable, Sequence
from typing import Any

from ..errors import BadInput
from ..game import Game
from .clock import Mode
from .turn import Turn


class Player:
    """One seat's decisions. Only `choose` must be written; the rest is told, and may be ignored.

    The referee holds the state. A player is given a turn: its view of the state, what is legal, its clock.
    """

    name: str = "player"
    """What tables and records call it."""
    info: dict[str, Any]
    """What the last choice was based on (value, depth, nodes, line), for the records; may be left empty."""
    elapsed: float | None = None
    """Seconds of the last choice where the player can tell better than the referee: a program's, from the
    request's last byte to the answer's; None leaves the measuring to the referee."""
    worked: float = 0.0
    """Seconds of processor time of the last choice where that is not the referee's own process: of all processes of a
    program, set where it took longer than its clock."""
    threads: int = 0
    """How many threads of a program wanted to run when it was late."""
    is_own_doing: bool = False
    """Whether a program that is late overloaded the machine itself."""
    isolation: str = "in process"
    """How this player is isolated from others, in words; for the records."""
    start: Any = None
    """The state the game begins from, set by the referee before `begin`; None where not all of it may be seen.
    The moves of an opening follow through `observe`."""
    opening: tuple[int, ...] = ()
    """The actions already played when the players are first asked."""
    legal: tuple[int, ...] = ()
    """The legal actions of the turn, for a `choose` that takes the parts of one."""
    history: tuple[Any, ...] = ()
    """The states of the game before the present one where repetition matters, for such a `choose`."""
    past: tuple[Any, ...] | None = None
    """What the seat saw and did in this game where something is hidden, for such a `choose`."""
    mode: Mode | None = None
    """How the game is timed, set by the referee before `begin`."""
    fingerprint: str = ""
    """What was playing, beyond the name: a hash of the program's files, or the version of Plywright."""
    takes_openings: bool = True
    """Whether it can be told the moves of an opening, which no player chose."""
    draws: bool = False
    """Whether it draws its moves by probabilities, which it knows at once and tells in `info`."""
    stopping: bool = False
    """Whether somebody wants the answer of this turn now: see `stop`."""
    may_introduce: bool = True
    """Whether a program that greets may still say its name; not where the user or a run has given it one."""
    mistake: BadInput | None = None
    """A mistake of the user that shows only once the player has been made ready, such as an unknown option."""

    def prepare(self, game: Game) -> None:
        """Before any clock runs: compile, load, start. Raises what is the user's to mend (Unsuitable, BadInput)."""

    def begin(self, game: Game, seat: int, seed: int) -> None:
        """A new game starts, in this seat; the seed is this player's own, and says nothing about the dice."""

    def choose(self, game: Game, turn: Turn) -> int:
        """One of the legal actions of the turn, before its clock runs out.

        A class may also write it as `choose(self, game, view, seat, clock, rng)`; it then finds the rest of the turn
        in `self.legal`, `self.history` and `self.past`.
        """
        raise NotImplementedError

    def __init_subclass__(cls, **more: Any) -> None:
        super().__init_subclass__(**more)
        written = cls.__dict__.get("choose")
        if written is not None and takes_parts(written, bound=False):
            cls.choose = of_turn(written)  # type: ignore[method-assign]

    def observe(self, game: Game, view: Any, seat: int, mover: int, action: int | None) -> None:
        """Somebody moved, or the dice did (mover -1); `action` is None where this seat may not know it."""

    def end(self, game: Game, seat: int, payoff: float) -> None:
        """The game is over, with this payoff for the seat."""

    def close(self) -> None:
        """Called after the last game: release processes and files."""

    def stop(self) -> None:
        """Called from another thread to have the answer now; a player that cannot answer sooner may ignore it."""

    def graded(self, name: str, careless: float, nodes: int) -> Player | None:
        """This player as a level has it: how likely a move is careless, and about how many nodes the others are
        worth; None where it has no such strengths."""
        return None

    @property
    def reason(self) -> str:
        """What the last choice rests on, in words: how often it does what, or what it has counted; may be empty."""
        odds = self.info.get("probabilities")
        if isinstance(odds, dict):
            return ", ".join(f"{act} {100 * share:.0f} %" for act, share in odds.items())
        return str(self.info.get("note", ""))

    def disturbance(self, seconds: float) -> str:
        """How a program that may think in its opponents' time disturbed one of them, who took so many seconds."""
        return ""

    def legal_actions(self, game: Game, view: Any) -> list[int]:
        """The legal actions in the view that is being chosen in, for a `choose` that takes the parts of a turn."""
        return list(self.legal) or [int(action) for action in game.actions(view)]

    def describe(self) -> dict[str, str]:
        """The player as the records keep it."""
        return {"name": self.name, "fingerprint": self.fingerprint, "isolation": self.isolation}


def takes_parts(choose: Callable[..., Any], *, bound: bool) -> bool:
    """Whether a `choose` is written with the parts of a turn: (game, view, seat, clock, rng)."""
    try:
        parameters = list(inspect.signature(choose).parameters.values())
    except (TypeError, ValueError):
        return False
    if any(one.kind is one.VAR_POSITIONAL for one in parameters):
        return False
    return len([one for one in parameters if one.kind in (one.POSITIONAL_ONLY, one.POSITIONAL_OR_KEYWORD)]) >= (
        5 if bound else 6
    )


def of_turn(written: Callable[..., Any]) -> Callable[..., Any]:
    """A `choose` of the parts of a turn as one of the turn; it can be called either way."""

    @functools.wraps(written)
    def choose(self: Any, game: Game, turn: Any, *rest: Any) -> Any:
        if rest:
            return written(self, game, turn, *rest)
        self.legal, self.history, self.past = turn.legal, turn.history, turn.past
        return written(self, game, turn.view, turn.seat, turn.clock, turn.rng)

    return choose


def read_action(game: Game, view: Any, text: str, legal: Sequence[int]) -> int:
    """The legal action that a text means, canonical or in another spelling; raises BadInput where it is none."""
    wanted = text.strip().lower()
    for action in legal:
        if game.format_action(view, action).lower() == wanted:
            return action
    action = game.parse_action(view, text)
    if action not in legal:
        raise BadInput(f"{text!r} is not a legal move in {game.name} here")
    return action
