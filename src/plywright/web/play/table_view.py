"""What one page shows of a table: a position as one seat may see it, and nothing else.

In a game with hidden information everything here is made from the seat's observation, its own moves
included; plies are then counted in that seat's own decisions, since how often the others were asked may
be a secret too. Only when the game is over can everything be shown.
"""

from __future__ import annotations

import re
from dataclasses import dataclass
from functools import cached_property
from typing import Any, NamedTuple

from ...draw import Picture
from ...draw.svg import COLOURS
from ...errors import BadInput
from ...game import Game
from ...games import as_knowledge
from ...outcome_text import verdict
from ...players.searching import NAMES
from ..doors import Door, doors
from ..fields import Fields
from .clicks import Choice, choices
from .game_replay import GameReplay
from .marks import with_last_move
from .position import Position
from .seats import is_human, seat_words
from .status_text import capital, game_title, outcome_words, payoff_text, time_text
from .table import Table
from .table_values import TableValues

WIDEST = 1100
"""Pixels that a picture is shrunk from to fit the page."""
OVER, CHANCE_TURN, PERSON, MACHINE = "over", "chance", "person", "machine"


class Line(NamedTuple):
    """One line of the list of moves: the number of the moment after it, who moved, what, its value, and the seat.

    There is no seat where chance moved, or where the list is one seat's own.
    """

    number: int
    who: str
    text: str
    value: str
    seat: int | None = None


class Dial(NamedTuple):
    """One seat beside the board: its name, who sits there, the clock, and whether it runs."""

    seat: int
    name: str
    who: str
    left: float | None
    shown: str
    runs: bool
    to_move: bool


@dataclass
class TableView:
    """A table at one moment, for one seat (None: everything may be seen)."""

    table: Table
    game: Game
    replay: GameReplay
    seat: int | None
    moments: list[int]
    """The plies that this page can show."""
    number: int
    """Which of them it shows."""
    opened: bool = False

    @classmethod
    def of(cls, table: Table, game: Game, asked: Fields) -> TableView:
        """The view of a table that an address asks for; raises BadInput for a moment or a seat that does not exist."""
        replay = table.replay(game)
        opened = asked.ticked("open") and table.finished(replay)
        seat = None
        if game.hidden and table.people and not opened:
            seat = table.people[0]
            if len(table.people) > 1:
                seat = asked.whole("seat", -1, -1, game.players - 1)
                if seat not in (-1, *table.people):
                    raise BadInput(f"seat {seat} is not a person's")
        moments = list(range(replay.last + 1))
        if seat is not None:
            moments = [ply for ply in moments if replay.mover(ply) == seat]
            moments += [replay.last] if moments[-1:] != [replay.last] else []
        number = asked.whole("ply", len(moments) - 1, 0, max(len(moments) - 1, 0))
        return cls(table, game, replay, seat, moments, number, opened)

    @classmethod
    def openly(cls, table: Table, game: Game) -> TableView:
        """The present moment with everything that is known of it, for the server's own eyes."""
        replay = table.replay(game)
        return cls(table, game, replay, None, list(range(replay.last + 1)), replay.last)

    @property
    def ply(self) -> int:
        return self.moments[self.number]

    @property
    def state(self) -> Any:
        return self.replay.states[self.ply]

    @property
    def present(self) -> bool:
        """Whether this is the last moment, where the game goes on."""
        return self.ply == self.replay.last

    @property
    def secret(self) -> bool:
        return self.seat is not None

    @property
    def hand_over(self) -> bool:
        """Whether it is still open who looks: several people share the page, and each sees something else."""
        return self.seat == -1

    @property
    def title(self) -> str:
        return game_title(self.game)

    # -- addresses -----------------------------------------------------------------------------------------

    @property
    def base(self) -> str:
        return f"/play/t/{self.table.name}"

    def at(self, number: int) -> str:
        """The address of a moment, as this seat sees it."""
        seat = f"&seat={self.seat}" if self.secret and len(self.table.people) > 1 else ""
        return f"{self.base}?ply={number}{seat}{'&open=1' if self.opened else ''}"

    @property
    def here(self) -> str:
        return self.at(self.number)

    @property
    def undo(self) -> str | None:
        """Where taking back leads: to the last moment before this one in which a person decides."""
        for number in range(self.number - 1, -1, -1):
            mover = self.replay.mover(self.moments[number])
            if mover is not None and is_human(self.table.seats[mover]):
                return self.at(number)
        return None

    @cached_property
    def values(self) -> TableValues:
        """What the players have found on the way."""
        return TableValues(self)

    # -- whose turn ----------------------------------------------------------------------------------------

    @cached_property
    def mover(self) -> int | None:
        return self.replay.mover(self.ply)

    @cached_property
    def over(self) -> bool:
        """Whether the game is over in what is shown."""
        return self.replay.is_over(self.ply) or (self.present and self.table.finished(self.replay))

    @property
    def turn(self) -> str:
        if self.over:
            return OVER
        if self.mover is None:
            return CHANCE_TURN
        return PERSON if is_human(self.table.seats[self.mover]) else MACHINE

    @property
    def may_move(self) -> bool:
        return self.turn == PERSON and (not self.secret or self.mover == self.seat)

    @property
    def runs(self) -> bool:
        """Whether the table goes on by itself: somebody thinks, or the dice are in the air."""
        return self.goes_on and not self.table.paused

    @property
    def goes_on(self) -> bool:
        """Whether it would but for a pause."""
        return self.present and not self.hand_over and self.turn in (MACHINE, CHANCE_TURN)

    @property
    def can_analyse(self) -> bool:
        """Whether the position can be searched for whoever looks, and no player is at it."""
        seen = not self.hand_over and (not self.secret or self.mover == self.seat)
        return seen and not self.over and self.mover is not None and not self.runs

    @property
    def searches(self) -> bool:
        """Whether it is a search that thinks, which can be told to answer now."""
        return self.mover is not None and self.table.seats[self.mover].partition(":")[0] in NAMES

    @property
    def next_person(self) -> int | None:
        """The seat to hand the page over to, where it is another one's turn."""
        waiting = self.present and self.turn == PERSON and self.secret and self.mover != self.seat
        return self.mover if waiting else None

    # -- what is seen --------------------------------------------------------------------------------------

    @cached_property
    def svg(self) -> str:
        """The picture, as the seat sees it; empty for a game that has none."""
        if self.hand_over:
            return ""
        if self.seat is not None:
            if not self.game.overrides("picture_for"):
                return ""
            mine = self.own_last
            after = self.since if self.since < self.ply else None
            text = "" if mine is None else str(self.table.notes[mine].get("text", ""))
            now, own, before = (self._seen(ply).svg for ply in (self.ply, mine, after))
            return with_last_move(now, own, text, before)
        if self.table.territory and self.has_territory and self.game.is_terminal(self.state):
            return self.game.picture_owned(self.state, self._owned()).svg
        last = self.replay.actions[self.ply - 1] if self.ply else None
        return self.game.picture(self.state, last).svg if self.game.overrides("picture") else ""

    @property
    def has_territory(self) -> bool:
        """Whether it can be told whose places will be."""
        return not self.secret and as_knowledge(self.game).has_owners

    def _owned(self) -> list[float]:
        """Whose each place is at the end: 1 the first player's, -1 the second's, 0 nobody's."""
        knowledge = as_knowledge(self.game)
        owners = (knowledge.owner(self.state, place) for place in range(knowledge.places))
        return [0.0 if owner < 0 else 1.0 - 2.0 * owner for owner in owners]

    def _seen(self, ply: int | None) -> Picture:
        """What the seat sees at a ply; nothing where there is none."""
        assert self.seat is not None
        if ply is None:
            return Picture("", "")
        return self.game.picture_for(self.game.observation(self.replay.states[ply], self.seat), self.seat)

    @property
    def own_last(self) -> int | None:
        """The ply of the seat's last move before this moment."""
        earlier = [ply for ply in self.moments if ply < self.ply and self.replay.mover(ply) == self.seat]
        return earlier[-1] if earlier else None

    @property
    def since(self) -> int:
        """The ply right after the seat's last move; before its first one, that in which the players began."""
        if self.own_last is not None:
            return self.own_last + 1
        return next((ply for ply in range(self.ply) if self.replay.mover(ply) is not None), self.ply)

    @property
    def last_words(self) -> str:
        """In a hidden game the seat's own last move, and the words that the seat's picture has gained since."""
        if not self.secret or self.hand_over:
            return ""
        text = "" if self.own_last is None else self.table.notes[self.own_last].get("text", "")
        words = [f"Your last move: {text}."] if text else []
        before, now = (self._seen(ply).text.rpartition("\n")[2] for ply in (self.since, self.ply))
        gained = now.removeprefix(before)
        if words and before and gained != now and gained[:1] in (" ", ",", ";"):
            words.append(f"Since then: {gained.strip(' ,;')}.")
        return " ".join(words)

    @property
    def width(self) -> int:
        return picture_width(self.svg)

    @property
    def height(self) -> int:
        return picture_height(self.svg)

    @property
    def wide(self) -> bool:
        """Whether the picture is better scrolled than made smaller."""
        return self.width > WIDEST

    @property
    def fields(self) -> list[tuple[str, str]]:
        """The parts of what is seen by name, for a game without a picture."""
        if self.svg or self.hand_over:
            return []
        seen = self.state if self.seat is None else self.game.observation(self.state, self.seat)
        if hasattr(seen, "_fields"):
            return [(name, str(part)) for name, part in zip(seen._fields, seen, strict=True)]
        return [("state", str(seen))]

    @property
    def position(self) -> Position:
        return Position.of(self.replay, self.ply)

    @cached_property
    def choices(self) -> list[Choice]:
        """What the person at the page may do here."""
        if not self.may_move:
            return []
        position = self.position
        return choices(self.game, position.known, position.legal, self.svg)

    @property
    def status(self) -> str:
        """One sentence about where the game stands."""
        if self.hand_over:
            return "Several people share this page, and each may see something else."
        if self.over:
            return self.ending
        if self.mover is None:
            return "Chance decides."
        name = capital(self.game.player_name(self.mover))
        if self.turn == MACHINE:
            return f"{name} ({seat_words(self.table.seats[self.mover])}) is to move."
        if self.secret and self.mover != self.seat:
            return f"{name} is to move."
        return f"{name} to move."

    @property
    def ending(self) -> str:
        """How the game ended, in words."""
        if not self.replay.is_over(self.ply):
            fallen = self.table.fallen(self.replay)
            reason, loser = self.table.ended, self.table.loser
            if fallen is not None:
                reason, loser = f"{capital(self.game.player_name(fallen))} has run out of time.", fallen
            others = [self.game.player_name(seat) for seat in range(self.game.players) if self._beaten(loser, seat)]
            won = f" {capital(' and '.join(others))} {'wins' if len(others) == 1 else 'win'}." if others else ""
            return f"{reason}{won}"
        payoffs = self.replay.payoffs(self.ply)
        drawn = not self.game.is_terminal(self.state)
        words = "A draw by repetition." if drawn else f"{capital(verdict(self.game, payoffs))}."
        told = drawn or len(set(self.game.team_of)) == 1 or (self.game.opposed and max(map(abs, payoffs)) <= 1)
        return words if told else f"{words} {capital(payoff_text(self.game, payoffs))}."

    def _beaten(self, loser: int | None, seat: int) -> bool:
        return loser is not None and self.game.players <= 2 and self.game.team_of[seat] != self.game.team_of[loser]

    @property
    def rolled(self) -> str:
        """What chance just brought, where everybody sees it."""
        if self.secret or not self.ply or not self.game.has_chance:
            return ""
        before = self.replay.states[self.ply - 1]
        if not self.game.at_chance(before):
            return ""
        return outcome_words(self.game, before, self.replay.actions[self.ply - 1])

    @property
    def opening(self) -> str:
        """The opening that the game has come to, where the game has names for them."""
        name = "" if self.secret else self.game.opening_name(self.replay.states[0], self.replay.actions[: self.ply])
        return f"Opening: {name}." if name else ""

    @property
    def lines(self) -> list[Line]:
        """The moves so far: all of them, or in a hidden game the seat's own."""
        if self.secret:
            mine = [(number, ply) for number, ply in enumerate(self.moments) if ply < self.replay.last]
            texts = {ply: str(self.table.notes[ply].get("text", "?")) for _, ply in mine}
            return [Line(number + 1, "you", texts[ply], self.values.strategy(ply)) for number, ply in mine]
        found = []
        for ply in range(self.replay.last):
            mover = self.replay.mover(ply)
            who = "chance" if mover is None else self.game.player_name(mover)
            worth = self.values.strategy(ply) or self.values.words(ply)
            found.append(Line(ply + 1, who, self.replay.text_of(ply), worth, mover))
        return found

    def colour(self, seat: int) -> str:
        """The colour of a side: the one that it is called by, or one of its own."""
        name = self.game.player_name(seat).split()[0].lower()
        own = name if name in COLOURS else ("first", "second")[self.game.team_of[seat] != self.game.team_of[0]]
        return f"var(--{own})"

    @property
    def dials(self) -> list[Dial]:
        found = []
        for seat in range(self.game.players):
            left = self.table.left(self.replay, seat, self.ply)
            if is_human(self.table.seats[seat]) and not self.table.hurries_people:
                left = None
            runs = (
                self.mover == seat and (self.runs or (self.present and self.table.since is not None)) and not self.over
            )
            if left is not None and runs:
                left -= self.table.thought()
            name = capital(self.game.player_name(seat))
            shown = "" if left is None else time_text(left)
            found.append(Dial(seat, name, seat_words(self.table.seats[seat]), left, shown, runs, self.mover == seat))
        return found

    @property
    def doors(self) -> list[Door]:
        """This position in the other rooms; none where something is hidden."""
        found = doors(self.game, self.table.game, self.table.start, self.moves_text, "play")
        return [] if self.secret else found

    # -- written down --------------------------------------------------------------------------------------

    @property
    def state_text(self) -> str:
        return "" if self.secret else self.game.format_state(self.state)

    @property
    def moves_text(self) -> str:
        return "" if self.secret else self.replay.moves_text(self.ply)


def picture_width(svg: str) -> int:
    """How wide a picture is by itself, so that a page can show it larger, but not a small one huge."""
    found = re.search(r' width="([0-9]+)', svg[:400])
    return int(found[1]) if found else 440


def picture_height(svg: str) -> int:
    found = re.search(r' height="([0-9]+)', svg[:400])
    return int(found[1]) if found else 330
