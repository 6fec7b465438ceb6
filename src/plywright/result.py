"""The one answer type of every search: the same names in Python, in `--json` and on the page."""

from __future__ import annotations

import math
from dataclasses import dataclass, field
from html import escape
from typing import TYPE_CHECKING, Any, NamedTuple

if TYPE_CHECKING:
    from .game import Game
    from .textbook.trace.trace import Trace

EXACT, AT_LEAST, AT_MOST, HEURISTIC = "exact", "at least", "at most", "heuristic"


class Variation(NamedTuple):
    """One of the best lines of a search."""

    value: float
    """For the player to move."""
    distance: int | None
    """Plies to the win or loss that it leads to."""
    line: tuple[int, ...]
    proved: bool
    """Whether nothing better than this line is left beside those before it."""


@dataclass(frozen=True)
class SearchResult:
    """What a search found in one position.

    `action` is the move to play, `value` what the position is worth to the player to move, `line` how the search
    expects the game to go on. `bound` and `proved` say what kind of number the value is.
    """

    action: int | None
    """The best action; None where chance is to move."""
    value: float
    """What the position is worth to the player to move (to player 0 where chance is)."""
    values: tuple[float, ...]
    """What the position is worth to each player."""
    bound: str
    """What the value is: "exact", "at least", "at most" or "heuristic"."""
    proved: bool
    """Whether no evaluation was used: the game below was searched to its end."""
    distance: int | None = None
    """Plies to the end of the game along the line, where that is known."""
    line: tuple[int, ...] = ()
    """The principal line: the best action, the best reply, and so on; it ends where chance decides."""
    depth: int = 0
    """Plies that were searched completely."""
    nodes: int = 0
    """States that were visited; of a Monte Carlo search, simulations."""
    seconds: float = 0.0
    """How long the search took."""
    algorithm: str = ""
    """The algorithm that searched."""
    compiled: bool = False
    """Whether the rules ran as native code; False: interpreted."""
    tied: tuple[int, ...] = ()
    """The best actions where several are equally good, in the order of the rules; of searches that value them all."""
    error: float | None = None
    """The standard error of the value where outcomes or deals were drawn at random."""
    effective_sample_size: float | None = None
    """Where deals were drawn by weight (a seat's `past` and `beliefs`): how many of equal weight would tell as much."""
    actions: dict[int, float] = field(default_factory=dict, hash=False)
    """The value of each root action, where that was asked for or comes of itself."""
    visits: dict[int, int] = field(default_factory=dict, hash=False)
    """How many simulations went through each root action, or in how many deals it was valued, beside `actions`."""
    ownership: tuple[float, ...] = field(default=(), compare=False)
    """Beside `actions`, of simulations in which the knowledge says whose places are: how sure each place is to be the
    first player's in the end (1), or the second's (-1)."""
    note: str = ""
    """What must be known about the value: that nothing was, where a game has no evaluation and no end was in reach."""
    assuming: tuple[str, ...] = ()
    """The hooks of a game of one's own that a proof rests on and that the doctor has not passed: see `condition`."""
    source: str = ""
    """What the value rests on beside the search: "table" where an endgame table has the position, "search and table"
    where the search met positions that it has."""
    chance: float | None = field(default=None, compare=False)
    """The winning chance of the player to move, from 0 to 1, where the value is an estimate by a knowledge that says
    how its values turn into chances (`Knowledge.scale`)."""
    averaged: bool = field(default=False, compare=False)
    """Whether the value is the mean of how simulated games ended, and no evaluation's."""
    variations: tuple[Variation, ...] = field(default=(), compare=False)
    """Where several lines were asked for: each with its value, the best first."""
    selective_depth: int = field(default=0, compare=False)
    """Plies of the longest line that was looked at; 0 where that is not counted."""
    hash_full: int = field(default=0, compare=False)
    """Thousandths of the table in use."""
    trace: Trace | None = field(default=None, compare=False, repr=False)
    """The textbook algorithms' record of every step; no part of the JSON form."""

    game: Game | None = field(default=None, compare=False, repr=False)
    """The game that was searched, for the form that notebooks show; no part of the JSON form."""
    state: Any = field(default=None, compare=False, repr=False)
    """The position that was searched, for the form that notebooks show; no part of the JSON form.

    Of a game with hidden information `state` is a deal that looks like what the player saw, not the true one."""

    def _repr_html_(self) -> str | None:
        """What a notebook shows: the moves in the game's words, the value, the line and the board."""
        if self.game is None:
            return None
        game, state = self.game, self.state
        sure = "proved" if self.proved else self.bound
        rows = [("best", "" if self.action is None else game.format_action(state, self.action))]
        rows += [("value", f"{self.value:g} ({sure})"), ("line", " ".join(self.line_text(game, state)))]
        if self.actions:
            ranked = sorted(self.actions.items(), key=lambda pair: -pair[1])
            rows.append(("moves", ", ".join(f"{game.format_action(state, a)} {v:g}" for a, v in ranked)))
        rows.append(("search", f"{self.algorithm}, depth {self.depth}, {self.nodes:,} nodes, {self.seconds:.2g} s"))
        cells = "".join(f"<tr><th>{name}</th><td>{escape(text)}</td></tr>" for name, text in rows if text)
        if game.hidden:
            seat = int(game.to_move(state))
            picture = game.picture_for(game.observation(state, seat), seat)
        else:
            picture = game.picture(state)
        return f"<div>{picture.svg}<table>{cells}</table></div>"

    @property
    def nodes_per_second(self) -> float:
        """The speed of the search."""
        return self.nodes / self.seconds if self.seconds > 0 else 0.0

    def condition(self, game: Game) -> str:
        """What a proof supposes, to be said right after that word; empty where it supposes nothing."""
        if not self.assuming:
            return ""
        names = [f"{hook}()" for hook in self.assuming]
        hooks = " and ".join(filter(None, [", ".join(names[:-1]), names[-1]]))
        keep = "keeps its promise" if len(names) == 1 else "keep their promises"
        return f", if {hooks} {keep} (plywright doctor {game.name})"

    def line_text(self, game: Game, state: Any) -> list[str]:
        """The principal line in the game's notation."""
        moves = []
        for action in self.line:
            moves.append(game.format_action(state, action))
            state = game.state_after(state, action)
        return moves

    def as_dict(self, game: Game, state: Any) -> dict[str, Any]:
        """A JSON-ready form: actions as the game writes them, infinities as text, values not known as null."""
        legal = () if game.at_chance(state) else game.actions(state)
        text = {action: game.format_action(state, action) for action in legal}
        return {
            "game": game.name,
            "action": text.get(self.action) if self.action is not None else None,
            "value": json_number(self.value),
            "values": [json_number(v) for v in self.values],
            "bound": self.bound,
            "proved": self.proved,
            "assuming": list(self.assuming),
            "distance": self.distance,
            "line": self.line_text(game, state),
            "depth": self.depth,
            "nodes": self.nodes,
            "seconds": round(self.seconds, 6),
            "nodes_per_second": round(self.nodes_per_second),
            "algorithm": self.algorithm,
            "compiled": self.compiled,
            "tied": [text[action] for action in self.tied],
            "error": self.error,
            "effective_sample_size": self.effective_sample_size,
            "note": self.note,
            "chance": self.chance,
            "source": self.source,
            "actions": {text[action]: json_number(value) for action, value in self.actions.items()},
            "visits": {text[action]: count for action, count in self.visits.items()},
        }


def nothing_known(depth: int, all_equal: bool) -> str:
    """The note of a search that met neither an evaluation nor an end, for all its moves or for the line it gives."""
    if all_equal:
        return f"no evaluation, no end within depth {depth}: all moves look equal"
    return f"no evaluation, no end of this line within depth {depth}: its value says nothing"


def unfinished_is_even(depth: int, even: float) -> str:
    """The note of a search without an evaluation that averages over lines: some may have ended, and some not."""
    return f"no evaluation: games that are not over within depth {depth} count as {even:g}"


def json_number(value: float) -> float | str | None:
    """A value in JSON: an infinity as text, and null where it is not known (NaN)."""
    if math.isnan(value):
        return None
    return float(value) if math.isfinite(value) else str(float(value))
