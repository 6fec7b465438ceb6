"""A table: everything that is saved of a game in progress.

The game itself is its actions, chance included; clocks follow from the seconds noted beside them and
from when the present mover's clock was set going. Whoever moves at an earlier ply gets a table of his
own that begins with the same actions (`forked`), so that nothing is ever lost.
"""

from __future__ import annotations

import math
import time
from dataclasses import asdict, dataclass, field, fields
from typing import Any

from ...engine.limits import MARGIN
from ...errors import BadInput
from ...game import Game
from ...outcome_text import verdict
from ...players import Mode
from ..errors import Missing
from ..json_store import JsonStore
from .game_replay import GameReplay, replayed
from .seats import HUMAN, is_human
from .status_text import capital

IN_VIEW, AT_ONCE = "in view", "at once"
SAVED_TABLES = JsonStore("tables")


@dataclass
class Table:
    """One saved game; `name` is where it is kept, empty until it is."""

    game: str
    seats: list[str]
    mode: str
    seed: int
    start: str = ""
    held: bool = False
    """Whether people have to keep to the time of a move; to that of a game they always have."""
    dice: str = IN_VIEW
    actions: list[int] = field(default_factory=list)
    notes: list[dict[str, Any]] = field(default_factory=list)
    """By ply: the seconds it took, and the value (from the mover's perspective), depth and nodes of the search."""
    opening: int = 0
    """Plies that the game was begun with, before anybody's clock."""
    since: float | None = None
    """When the clock of the present mover began, by time.time(); None while none runs."""
    flipped: bool = False
    ended: str = ""
    """Why the game ended other than by its rules, as a sentence; empty where it did not."""
    loser: int | None = None
    """The seat that lost by it."""
    outcome: str = ""
    """How the game ended by its rules, as a sentence; empty while it goes on."""
    lines: int = 0
    """How many lines of the analysis are shown; 0: it is off."""
    territory: bool = False
    """Whether places are marked by whose they will be."""
    paused: bool = False
    """Whether players that are no people wait."""
    study_of: str = ""
    """The table whose game is looked into here; moves made at earlier moments then replace the later ones."""
    name: str = ""

    # -- kept ----------------------------------------------------------------------------------------------

    @classmethod
    def load(cls, name: str) -> Table:
        """The table of that name; raises Missing where there is none that can be read."""
        content = SAVED_TABLES[name]
        known = {one.name for one in fields(cls)} - {"name"}
        try:
            table = cls(**{key: value for key, value in content.items() if key in known}, name=name)
            table.check()
        except (AttributeError, TypeError, ValueError, BadInput):
            raise Missing(f"what is saved under {name!r} is no game of the page") from None
        return table

    def check(self) -> None:
        """Raise ValueError where the saved content cannot be a table, whoever has written it."""
        texts = (self.game, self.start, self.mode, self.dice, self.ended, self.outcome, self.study_of)
        whole = (*self.actions, self.seed, self.opening, self.lines)
        right = (
            all(isinstance(text, str) for text in (*texts, *self.seats))
            and all(type(number) is int and 0 <= number < 2**63 for number in whole)
            and all(type(flag) is bool for flag in (self.held, self.flipped, self.territory, self.paused))
            and (self.loser is None or (type(self.loser) is int and 0 <= self.loser < len(self.seats)))
            and (self.since is None or _is_number(self.since))
            and len(self.notes) == len(self.actions) >= self.opening
            and all(_is_note(note) for note in self.notes)
        )
        if not right:
            raise ValueError("not a table")
        Mode.parse(self.mode)

    def keep(self) -> Table:
        """Save it, under a new name where it has none."""
        content = {key: value for key, value in asdict(self).items() if key != "name"}
        if self.name:
            SAVED_TABLES[self.name] = content
        else:
            self.name = SAVED_TABLES.add(content)
        return self

    def forked(self, ply: int) -> Table:
        """A new table with the actions up to a ply; it is saved when something is done at it."""
        kept = {**asdict(self), "actions": self.actions[:ply], "notes": self.notes[:ply], "since": None}
        return Table(
            **kept | {"ended": "", "loser": None, "outcome": "", "name": "", "opening": min(self.opening, ply)}
        )

    def branched(self, ply: int) -> Table:
        """Where a move at an earlier ply is played: at a table of its own, but a study goes on in its place."""
        fresh = self.forked(ply)
        if self.study_of:
            fresh.name = self.name
        return fresh

    def studied(self, ply: int) -> Table:
        """A table to look into this game from a ply on: nobody moves by itself, and no clock runs."""
        if self.study_of:
            return self.branched(ply)
        fresh = self.forked(ply)
        fresh.seats, fresh.mode, fresh.held = [HUMAN] * len(self.seats), str(Mode("move", 1.0)), False
        fresh.study_of, fresh.paused = self.name, False
        return fresh

    # -- played --------------------------------------------------------------------------------------------

    def replay(self, game: Game) -> GameReplay:
        """The game so far; raises BadInput where its rules are no longer those it was played by."""
        if len(self.seats) != game.players:
            raise BadInput(f"{len(self.seats)} sit at this table, and {game.name} is for {game.players}")
        try:
            return replayed(game, self.name, self.start, self.actions)
        except BadInput as error:
            raise BadInput(f"this game cannot be replayed, its rules may have changed since: {error}") from None

    def add(self, game: Game, action: int, **note: Any) -> Table:
        """Play an action at the present ply, and what chance brings at once after it; saves the table."""
        replay = self.replay(game)
        replay.extend(action)
        self.actions.append(action)
        self.notes.append(note)
        return self.settle(game)

    def settle(self, game: Game) -> Table:
        """Let chance decide where it is not watched, and set the clock of the next player; saves the table."""
        self.replay(game)
        while (self.dice == AT_ONCE or game.hidden) and self.replay(game).at_chance(len(self.actions)):
            replay = self.replay(game)
            outcome = replay.draw(self.seed)
            replay.extend(outcome)
            self.actions.append(outcome)
            self.notes.append({})
        mover = self.replay(game).mover(len(self.actions))
        waits = game.hidden and len(self.people) > 1  # until the next person has taken the seat
        person = mover is not None and is_human(self.seats[mover])
        self.since = time.time() if person and not waits else None
        replay = self.replay(game)
        over = replay.is_over(replay.last)
        self.outcome = f"{capital(verdict(game, replay.payoffs(replay.last)))}." if over else ""
        return self.keep()

    @property
    def people(self) -> list[int]:
        return [seat for seat, text in enumerate(self.seats) if is_human(text)]

    # -- clocks --------------------------------------------------------------------------------------------

    @property
    def pace(self) -> Mode:
        return Mode.parse(self.mode)

    def left(self, replay: GameReplay, seat: int, ply: int) -> float | None:
        """Seconds that a seat has at a ply, its present move not counted; None where time is free."""
        mode = self.pace
        if mode.kind == "move":
            return mode.amount
        if mode.kind != "budget":
            return None
        left = mode.amount
        for number in range(self.opening, ply):
            if replay.mover(number) == seat and "seconds" in self.notes[number]:
                left += mode.increment - float(self.notes[number]["seconds"])
        return left

    def thought(self, now: float | None = None) -> float:
        """Seconds since the present mover's clock began."""
        return 0.0 if self.since is None else max((time.time() if now is None else now) - self.since, 0.0)

    @property
    def hurries_people(self) -> bool:
        """Whether a person who thinks for too long has lost."""
        return self.pace.kind == "budget" or (self.pace.kind == "move" and self.held)

    def fallen(self, replay: GameReplay) -> int | None:
        """The person whose flag has fallen: no other clock runs on unseen."""
        mover = replay.mover(replay.last)
        if mover is None or self.ended or not self.hurries_people or self.since is None:
            return None
        left = self.left(replay, mover, replay.last)
        return mover if left is not None and self.thought() > left + MARGIN else None

    def finished(self, replay: GameReplay) -> bool:
        return bool(self.ended) or replay.is_over(replay.last) or self.fallen(replay) is not None


def _is_note(note: Any) -> bool:
    """Whether it is what is noted beside a ply."""
    if not isinstance(note, dict) or not isinstance(note.get("text", ""), str):
        return False
    value = note.get("value", 0.0)
    numbers = all(name not in note or _is_number(note[name]) for name in ("seconds", "depth", "nodes"))
    return numbers and (_is_number(value) or (isinstance(value, float) and math.isinf(value)))


def _is_number(found: Any) -> bool:
    return isinstance(found, (int, float)) and not math.isnan(found) and abs(found) < 1e18
