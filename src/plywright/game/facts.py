"""Facts of a game: what its author declares, and what follows from that and from the rules that the class defines."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from types import MappingProxyType
from typing import TYPE_CHECKING

from ..errors import GameError
from ..identity import Identified

if TYPE_CHECKING:
    from ..knowledge import Knowledge

FACTS: tuple[str, ...] = (
    *("players", "own_teams", "team_of", "max_actions", "rules_end", "evaluates", "neutral_value"),
    *("lists_chance", "repeats", "repetition_draws", "repetition_forbids", "fixed_states", "fixed_views"),
    "counts_actions",
)
"""The attributes that kernels read as compile-time constants."""


class Facts(Identified):
    """What a game says about itself without a state at hand."""

    _protocol = True

    # -- declared by the author ---------------------------------------------------------------

    name: str = ""
    """The name on the command line; by default made from the class's: `TicTacToe` is `tic-tac-toe`."""
    players: int = 2
    """How many players there are; they are numbered from 0."""
    player_names: tuple[str, ...] = ()
    """What players are called, such as `("Black", "White")`; by default `player 1`, `player 2`."""
    teams: tuple[int, ...] | None = None
    """The team of each player; by default each player is its own."""
    zero_sum: bool | None = None
    """Whether the utilities of two teams cancel; None means yes for two teams, no for more."""
    utility_range: tuple[float, float] = (-1, 1)
    """The lowest and the highest utility that a game can end with; evaluations lie strictly between."""
    sum_bound: float | None = None
    """What the utilities (and evaluations) of all players together never exceed; None where no such bound is known.

    With the lower end L of `utility_range` it says what the others can have at most: where one of n players is
    sure of v, another gets at most sum_bound - v - (n - 2) * L. Max^n prunes by that."""
    step: float | None = 1
    """The smallest difference between two utilities; None if there is none."""
    evaluation_unit: tuple[float, str] | None = None
    """What people count in `evaluate`, and how much of a value one is: `(1 / 16, "open lines")`; only for display."""
    evaluation_digits: int = 0
    """Decimals of that count that mean something, as in +0.35 pawns; with none only whole counts are told in it."""
    forced_end: tuple[str, str] | None = None
    """What players call a forced win and a forced loss, which they count in moves of the winner: `("mate", "mated")`
    is told as "mate in 3"; None: as "wins in 5 plies"."""
    how_to_play: str = ""
    """The rules for people, in a few sentences and in paragraphs; by default the docstring of the class."""
    max_actions: int = 256
    """The most actions that a state can have, and the most outcomes of chance."""
    repetition: tuple[str, int] | None = None
    """What repeating a state does: `("draw", 3)` ends the game, drawn, when a state occurs for the third time;
    `("forbidden", 2)` forbids the action that would bring a state about for the second time (and a player to
    whom that leaves no action has drawn). A draw is worth 0 to everybody."""
    perfect_recall: bool = False
    """Whether observations tell a player everything it has seen and done; the doctor checks it, equilibria need it."""
    knowledge: type[Knowledge] | None = None
    """What a search of this game knows unless told otherwise; None: nothing but `evaluate`."""
    knowledges: Mapping[str, type[Knowledge]] = MappingProxyType({})
    """Knowledge by name, for `search(..., knowledge="hand")` and `--knowledge hand`."""
    own_player: str = ""
    """Who plays it best where that is no search: the text of a player that `search` and levels then mean, such as
    `bridge`; empty: the engine's search."""
    notations: tuple[str, ...] = ("text",)
    """The ways `format_game` writes a whole game down: a line of moves, and what `write_record` adds."""
    _learned: Callable[[], Knowledge | None] | None = None
    """Finds the knowledge that lies beside the game's file, for a game that was loaded from one."""

    # -- what follows: players and payoffs ----------------------------------------------------

    def player_name(self, player: int) -> str:
        """What a player is called: one of `player_names`, or `player 1`."""
        return self.player_names[player] if player < len(self.player_names) else f"player {player + 1}"

    @property
    def team_of(self) -> tuple[int, ...]:
        """The team of each player, `teams` or everyone for themselves."""
        return tuple(self.teams) if self.teams is not None else tuple(range(self.players))

    @property
    def own_teams(self) -> bool:
        """Whether every player plays for themselves."""
        return self.team_of == tuple(range(self.players))

    def team(self, player: int) -> int:
        """The team of one player."""
        if self.own_teams:
            return player
        return self.team_of[player]

    @property
    def opposed(self) -> bool:
        """Two teams whose utilities cancel: what minimax and alpha-beta need."""
        return len(set(self.team_of)) == 2 and self.zero_sum is not False

    @property
    def neutral_value(self) -> float:
        """What an unfinished state counts in a game without an evaluation: 0, or what is possible nearest to it."""
        low, high = self.utility_range
        return 0 if self.opposed or low <= 0 <= high else low if low > 0 else high

    @property
    def only_draws_between(self) -> bool:
        """Whether a game that nobody wins or loses pays nothing: there is no utility between a draw and a win."""
        low, high = self.utility_range
        return bool(self.opposed and low == -high and (self.step or 0) >= high)

    # -- what follows: which rules the class defines --------------------------------------------

    @property
    def has_chance(self) -> bool:
        """Whether dice or cards decide somewhere: the class defines `chance` or `sample`."""
        return self.overrides("chance") or self.overrides("sample")

    @property
    def lists_chance(self) -> bool:
        """Whether the outcomes of chance are listed with their probabilities, not only drawn."""
        return self.overrides("chance")

    @property
    def draws_chance(self) -> bool:
        """Whether the game draws outcomes of chance in a way of its own."""
        return self.overrides("sample")

    @property
    def hidden(self) -> bool:
        """Whether players do not see the whole state: the class defines `observation`."""
        return self.overrides("observation")

    @property
    def draws_deals(self) -> bool:
        """Whether the game can draw a state that looks like an observation: the class defines `deal`."""
        return self.overrides("deal")

    @property
    def lists_deals(self) -> bool:
        """Whether the game lists all states that look like an observation: the class defines `deals`."""
        return self.overrides("deals")

    @property
    def recalls(self) -> bool:
        """Whether the game tells the state behind an earlier view: the class defines `earlier`."""
        return self.overrides("earlier")

    @property
    def checks_states(self) -> bool:
        """Whether the game has a check of its own for states from outside."""
        return self.overrides("check_state")

    @property
    def has_symmetry(self) -> bool:
        """Whether the game says which states are the same up to symmetry."""
        return self.overrides("canonical")

    @property
    def rules_end(self) -> bool:
        """Whether the game has a rule of its own for its end."""
        return self.overrides("is_terminal")

    @property
    def counts_actions(self) -> bool:
        """Whether the game counts its actions in a way of its own."""
        return self.overrides("count_actions")

    @property
    def evaluates(self) -> bool:
        """Whether the rules come with an evaluation of their own."""
        return self.overrides("evaluate")

    # -- what follows: repetition -----------------------------------------------------------------

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
