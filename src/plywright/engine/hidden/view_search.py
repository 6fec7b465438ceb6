"""What every search of a view shares: the seat and what it sees, the deals to draw from, the answer by player."""

from __future__ import annotations

import math
import time as clock
from collections.abc import Callable, Mapping, Sequence
from dataclasses import replace
from typing import Any

from ...errors import GameError
from ...game import Game
from ...knowledge import Knowledge, knowledge_of
from ...result import SearchResult
from ...rng import scramble, seeded
from ...smoke_test import smoke_test
from ..limits import Limit
from ..task import Task
from .beliefs import View, check_model
from .open_cards import opened
from .past import checked_past
from .sampling import DealSampler


class ViewSearch(Task):
    """A search by what one seat sees. `game` has open cards, for deals are whole states; `original` hides them.

    `listed` has the states to draw from, with their probabilities, and `sampler` draws them by a model of the others;
    both are None where the game draws them itself.
    """

    lists_deals = False
    """Whether the search counts all deals instead of drawing some."""

    def __init__(
        self,
        game: Game,
        view: Any,
        limit: Limit,
        *,
        all_actions: bool,
        compiled: bool | None,
        seat: int | None,
        beliefs: Mapping[int, Any] | None,
        past: Sequence[Any] | None,
        seed: int,
        knowledge: Knowledge | None = None,
    ) -> None:
        self.knowledge = knowledge_of(game, knowledge)
        smoke_test(game, self.knowledge)
        self.began = clock.monotonic()
        self.view = View(game, view, seat)
        self.original, self.game = game, opened(game)
        self.seat = self.mover = self.view.seat
        self.limit, self.compiled, self.all_actions = limit, compiled, all_actions
        self.sampler: DealSampler | None = None
        self.listed = self._listed(beliefs, past)
        self.nodes, self.stopped = 0, False
        self.native: bool | None = None
        self.entry: tuple[Callable[..., Any], bool] | None = None
        self.deadline: float | None = None
        self.dealer = seeded(scramble(seed))

    def _listed(self, beliefs: Mapping[int, Any] | None, past: Sequence[Any] | None) -> list[tuple[Any, float]] | None:
        if beliefs is not None:
            check_model(self.original, self.seat, beliefs)
        if past is not None and (beliefs is not None or not self.original.perfect_recall):
            sampler = DealSampler(self.view, past, beliefs or {})
            if self.lists_deals:
                return sampler.weigh_all()
            self.sampler = sampler
            return None
        if past is not None:  # the view already tells all of it: a past would add nothing
            checked_past(self.original, past, self.seat)
        if beliefs is not None:
            return self.view.weighed(beliefs)
        return self.view.listed() if self.lists_deals or not self.original.draws_deals else None

    def is_late(self) -> bool:
        """Whether somebody has stopped the search, or its time is over."""
        return self.halted or (self.deadline is not None and clock.monotonic() >= self.deadline)

    def placed(self, found: SearchResult) -> SearchResult:
        """The answer with its game and a deal that looks like the view: never the true state."""
        return replace(found, game=self.original, state=self.view.state)

    def by_player(self, value: float) -> tuple[float, ...]:
        """The value for everybody; of other sides than the seat's it is known where there are two."""
        other = 0.0 - value if self.game.opposed else math.nan
        team = self.game.team_of[self.seat]
        return tuple(value if mate == team else other for mate in self.game.team_of)

    def other_actions(self) -> GameError:
        """Two deals of the view have different legal actions."""
        game, view = self.original, self.view
        text = game.format_observation(view.seen, view.seat)
        return GameError(
            f"{game.name}: states that look like {text!r} to {game.player_name(view.seat)} have different legal "
            "actions: observation() hides too much, or deal() makes up what cannot be"
        )
