"""What players have found at a table, ply by ply: values, winning chances and their graph, shares of a strategy."""

from __future__ import annotations

import math
from functools import cached_property
from typing import TYPE_CHECKING

from ...arena.lineup import own_player
from ...draw.trend import trend
from ...outcome_text import count_text, points_text, with_minus
from ...players import Clock, Mode, Player
from ...rng import seeded
from .estimates import Estimate, estimate, for_first
from .found_chances import kept_chances
from .position import Position

if TYPE_CHECKING:
    from .table_view import TableView


class TableValues:
    """The notes of a table's players as one page may show them."""

    def __init__(self, view: TableView) -> None:
        self.view, self.table, self.game, self.replay = view, view.table, view.game, view.replay

    @cached_property
    def _kept(self) -> dict[int, float]:
        """What analyses and reviews have found at this table."""
        return {} if self.game.hidden else kept_chances(self.table.name, self.table.actions)

    @cached_property
    def _strategist(self) -> Player | None:
        """The game's own player once a game with it is over, if it draws its moves: it tells how often it does what.

        Where it has not played nothing of it need be compiled, and a page does not wait for that.
        """
        if not self.table.finished(self.replay) or not {"search", self.game.own_player} & {*self.table.seats}:
            return None
        player = own_player(self.game)
        return player if player is not None and player.draws else None

    def strategy(self, ply: int) -> str:
        """How often the strategy does what at a ply, as the mover saw it; empty while the game goes on."""
        player = self._strategist
        if player is None or self.replay.mover(ply) is None:
            return ""
        turn = Position.of(self.replay, ply).turn(Clock(Mode("nodes", 1)), seeded(1))
        player.info = {}
        player.choose(self.game, turn)
        return f"strategy: {player.reason}"

    def _noted(self, ply: int) -> Estimate | None:
        """What the player who moved at a ply had found, from its own side."""
        note, mover = self.table.notes[ply], self.replay.mover(ply)
        if mover is None or "value" not in note or math.isnan(note["value"]):
            return None
        return estimate(self.game, self.replay.states[ply], note["value"], bool(note.get("proved")))

    def words(self, ply: int) -> str:
        """The same in words; empty where nothing is known."""
        noted = self._noted(ply)
        return "" if noted is None else noted.words

    def chance_at(self, ply: int) -> float | None:
        """The first side's winning chance at a ply, as far as a search has found it there or the game is over."""
        if not self.game.opposed or (self.view.secret and not self.replay.is_over(ply)):
            return None
        if self.replay.is_over(ply):
            payoff = self.replay.payoffs(ply)[0]
            return 0.5 + 0.5 * ((payoff > 0) - (payoff < 0))
        if ply in self._kept:
            return self._kept[ply]
        mover = self.replay.mover(ply)
        noted = self._noted(ply) if ply < self.replay.last and mover is not None else None
        return None if noted is None or mover is None else for_first(self.game, mover, noted.chance)

    @property
    def share(self) -> str:
        """The first side's winning chance in hundredths, for the bar: at this moment or the last one known before."""
        known = (self.chance_at(ply) for ply in range(self.view.ply, -1, -1))
        chance = next((one for one in known if one is not None), 0.5)
        return f"{100 * chance:.1f}"

    @property
    def last_thought(self) -> list[tuple[str, str]]:
        """What the last search before this moment had found, where it may be seen."""
        for ply in range(self.view.ply - 1, -1, -1) if not self.view.secret else ():
            note, mover = self.table.notes[ply], self.replay.mover(ply)
            if "value" in note and mover is not None:
                return [
                    ("move", self.replay.text_of(ply)),
                    ("depth", str(note.get("depth", ""))),
                    ("value", f"{self.words(ply)} for {self.game.player_name(mover)}"),
                    ("nodes", count_text(note.get("nodes", 0))),
                    ("time", f"{note.get('seconds', 0):.3g} s"),
                ]
        return []

    @property
    def graph(self) -> str:
        """The values that were found on the way, each a link to its moment; empty where there are none to see."""
        if self.view.secret:
            return ""
        links = {ply: self.view.at(ply) for ply in range(self.replay.last + 1)}
        here, last = self.view.ply, max(self.replay.last, 10)
        if self.game.opposed:
            known = [(ply, self.chance_at(ply)) for ply in range(self.replay.last + 1)]
            points = [(ply, chance) for ply, chance in known if chance is not None]
            label = f"Winning chance of {self.game.player_name(0)}, ply by ply"
            return trend(points, last, here=here, links=links, label=label).svg if points else ""
        first = [ply for ply in range(self.replay.last) if self.replay.mover(ply) == 0]
        values = [(ply, self.table.notes[ply].get("value", math.nan)) for ply in first]
        points = [(ply, value) for ply, value in values if math.isfinite(value)]
        if not points:
            return ""
        low, high = min(value for _, value in points), max(value for _, value in points)
        ends = with_minus(points_text(self.game, low)), with_minus(points_text(self.game, high))
        label = f"Value for {self.game.player_name(0)}, ply by ply"
        return trend(points, last, low=low, high=high, ends=ends, here=here, links=links, label=label).svg
