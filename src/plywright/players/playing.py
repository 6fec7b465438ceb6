"""A game being played: the one owner of its state, its past, its dice, whose turn it is and what may be done.

    playing = Playing(game)
    while not playing.is_over():
        if playing.at_chance():
            playing.roll(rng)
        else:
            turn = playing.turn(clock, rng)
            playing.step(players[turn.seat].choose(game, turn))
    playing.payoffs()

The referee, the terminal, the page and Pac-Man step one; what they add is clocks, judgement, words and pictures.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from ..dice import roll
from ..engine.hidden.past import Moment, past_of
from ..game import CHANCE, Game
from ..repetition import Past
from .clock import Clock
from .turn import Turn


class Playing:
    """One game from a state on; `before` are the states of the same game that led to it, for rules of repetition."""

    def __init__(self, game: Game, start: Any = None, before: Sequence[Any] = ()) -> None:
        self.game = game
        self.states: list[Any] = [game.start_state if start is None else start]
        self.actions: list[int] = []
        self.before = tuple(before) if game.repeats else ()
        self.past = Past(game, self.before)

    @property
    def state(self) -> Any:
        return self.states[-1]

    @property
    def ply(self) -> int:
        """How many actions and outcomes there were since the start."""
        return len(self.actions)

    @property
    def history(self) -> tuple[Any, ...]:
        """The states before the present one, as `search` and players take them; none where they make no difference."""
        return (*self.before, *self.states[:-1]) if self.game.repeats and not self.game.hidden else ()

    # -- what may be done ------------------------------------------------------------------------------------------

    def is_over(self) -> bool:
        """Whether the game is over: by its rules or by repetition."""
        return self.past.is_over(self.state)

    def is_repeated(self) -> bool:
        """Whether it is repetition alone that ended the game."""
        return self.past.is_drawn(self.state) and not self.game.is_terminal(self.state)

    def at_chance(self) -> bool:
        return self.game.at_chance(self.state) and not self.is_over()

    def mover(self) -> int:
        """The seat that is to move, or CHANCE; of a game that is not over."""
        return int(self.game.to_move(self.state))

    def legal(self) -> list[int]:
        """The legal actions in the order of the rules, those that repeat too often left out."""
        return self.past.actions(self.state)

    def is_open(self, action: int) -> bool:
        """Whether the game may go on with this action, or with this outcome of chance."""
        if self.is_over():
            return False
        if self.mover() != CHANCE:
            return action in self.legal()
        return not self.game.lists_chance or any(outcome == action for outcome, _ in self.game.chance(self.state))

    def view(self, seat: int) -> Any:
        """What a seat sees of the present state."""
        return self.game.observation(self.state, seat)

    def turn(self, clock: Clock, rng: Any, legal: Sequence[int] | None = None) -> Turn:
        """What the player to move is given; `legal` where the caller has asked for the actions already."""
        seat = self.mover()
        legal = self.legal() if legal is None else legal
        past = self.past_of(seat) if self.game.hidden else None
        return Turn(self.view(seat), seat, tuple(legal), self.history, clock, rng, past)

    def past_of(self, seat: int) -> tuple[Moment, ...]:
        """What a seat saw and did so far; empty where nothing is hidden."""
        return past_of(self.game, self.states, self.actions, seat)

    # -- what is done ----------------------------------------------------------------------------------------------

    def step(self, action: int) -> Any:
        """Play an action, or have chance bring an outcome; the state that it leads to."""
        before = self.state
        after = self.game.state_after(before, action)
        self.past.add(before)
        self.states.append(after)
        self.actions.append(action)
        return after

    def roll(self, rng: Any) -> int:
        """Have chance decide: the outcome, which has been stepped."""
        outcome = roll(self.game, self.state, rng)
        self.step(outcome)
        return outcome

    def undo(self, plies: int = 1) -> None:
        """Take back so many actions and outcomes."""
        for _ in range(plies):
            self.states.pop()
            self.actions.pop()
            self.past.remove(self.state)

    def at(self, ply: int) -> Playing:
        """The same game as it stood at an earlier ply; itself at the present one."""
        if ply == self.ply:
            return self
        earlier = Playing(self.game, self.states[0], self.before)
        earlier.states, earlier.actions = self.states[: ply + 1], self.actions[:ply]
        for state in earlier.states[:-1]:
            earlier.past.add(state)
        return earlier

    # -- how it ended ----------------------------------------------------------------------------------------------

    def utility(self, seat: int) -> float:
        """What the game is worth to a seat, now that it is over: 0 where repetition ended it."""
        return self.past.utility(self.state, seat)

    def payoffs(self) -> list[float]:
        return [self.utility(seat) for seat in range(self.game.players)]
