"""A race of three with dice: walk safely or run and risk a stumble; shelters protect, and block.

Walking moves by one die, running by two; equal dice are a stumble, and the runner stays. Landing on
another pawn sends it back to the start, unless it stands on a shelter (every fifth square): then the
mover is blocked and stays. The first to reach the end gets 3, the one of the others who is further 1,
the last 0; equal ones share.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import Any, NamedTuple

from ..draw import Picture
from ..draw.tracks import tracks
from ..errors import BadInput
from ..game import CHANCE, Game
from .notation import legal_action, whole_number

WALK, RUN = 0, 1
MOVES = ("walk", "run")
WORDS = {"walk": WALK, "w": WALK, "one": WALK, "run": RUN, "r": RUN, "two": RUN}
PLAYERS = ("red", "blue", "green")
CHOOSE = -1
SHELTER = 5
STUMBLE = 0


class Pawns(NamedTuple):
    """Where the three pawns are, whose turn it is, and how it is played: CHOOSE, WALK or RUN."""

    red: int
    blue: int
    green: int
    mover: int
    pace: int


class DiceRace(Game):
    """The first of three pawns to reach the end of the track wins; second place counts too."""

    how_to_play = (
        "Three pawns race along a track. On its turn a player walks, by one die, or runs, by two; equal dice are "
        "a stumble, and the runner stays. Landing on another pawn sends it back to the start, unless it stands on "
        "a shelter, every fifth square: then the mover is blocked. The first to reach the end gets 3 points, the "
        "further one of the others 1."
    )

    players = 3
    player_names = PLAYERS
    utility_range = (0, 3)
    step = 0.5
    sum_bound = 4
    max_actions = 10
    runtime = ("length",)

    def __init__(self, length: int = 24) -> None:
        self.length = whole_number("length", length, 2, 200)

    # -- rules -------------------------------------------------------------------------------------

    def initial(self) -> Pawns:
        return Pawns(0, 0, 0, 0, CHOOSE)

    def to_move(self, state: Pawns) -> int:
        return state.mover if state.pace == CHOOSE else CHANCE

    def chance(self, state: Pawns) -> Iterator[tuple[int, float]]:
        """The squares to move: 1 to 6 walking, 3 to 11 running, or STUMBLE for equal dice."""
        if state.pace == WALK:
            for face in range(1, 7):
                yield face, 1 / 6
        else:
            yield STUMBLE, 1 / 6
            for total in range(3, 12):
                ways = 6 - abs(total - 7)
                yield total, (ways - 1 + total % 2) / 36  # an even total leaves its double out

    def actions(self, state: Pawns) -> Iterator[int]:
        yield WALK
        yield RUN

    def result(self, state: Pawns, action: int) -> Pawns:
        if state.pace == CHOOSE:
            return Pawns(state.red, state.blue, state.green, state.mover, action)
        here = place_of(state, state.mover)
        there = min(here + action, self.length)
        after = (state.mover + 1) % 3
        if there == here:
            return Pawns(state.red, state.blue, state.green, after, CHOOSE)
        red, blue, green = state.red, state.blue, state.green
        if there < self.length:
            taken = there in (red, blue, green)
            if taken and there % SHELTER == 0:
                return Pawns(red, blue, green, after, CHOOSE)
            red = 0 if red == there else red
            blue = 0 if blue == there else blue
            green = 0 if green == there else green
        if state.mover == 0:
            return Pawns(there, blue, green, after, CHOOSE)
        if state.mover == 1:
            return Pawns(red, there, green, after, CHOOSE)
        return Pawns(red, blue, there, after, CHOOSE)

    def is_terminal(self, state: Pawns) -> bool:
        return max(state.red, state.blue, state.green) >= self.length

    def utility(self, state: Pawns, player: int) -> float:
        mine = place_of(state, player)
        if mine >= self.length:
            return 3
        other = rival_of(state, player, self.length)
        return 1 if mine > other else 0.5 if mine == other else 0

    def evaluate(self, state: Pawns, player: int) -> float:
        """An equal share of the four points, and more or less for being ahead of the others or behind."""
        if self.is_terminal(state):
            return self.utility(state, player)
        mean = (state.red + state.blue + state.green) / 3
        return 4 / 3 + 1.5 * (place_of(state, player) - mean) / self.length

    # -- notation ----------------------------------------------------------------------------------

    def format_action(self, state: Any, action: int) -> str:
        """`walk` or `run`; at a chance node the squares to move, or `stumble`."""
        if state.pace == CHOOSE:
            return MOVES[int(action)]
        return "stumble" if action == STUMBLE else str(int(action))

    def parse_action(self, state: Any, text: str) -> int:
        word = text.strip().lower()
        if state.pace == CHOOSE:
            return legal_action(self, state, WORDS.get(word), text)
        number = STUMBLE if word == "stumble" else int(word) if re.fullmatch("[0-9]{1,2}", word) else None
        return legal_action(self, state, number, text)

    def format_state(self, state: Any) -> str:
        """Where red, blue and green are, and who moves how: `3-0-7 blue` or `3-0-7 blue run`."""
        pace = "" if state.pace == CHOOSE else f" {MOVES[int(state.pace)]}"
        return f"{int(state.red)}-{int(state.blue)}-{int(state.green)} {PLAYERS[int(state.mover)]}{pace}"

    def parse_state(self, text: str) -> Any:
        found = re.fullmatch(
            rf"([0-9]{{1,3}})-([0-9]{{1,3}})-([0-9]{{1,3}})\s+({'|'.join(PLAYERS)})(\s+(walk|run))?",
            text.strip().lower(),
        )
        if found is None:
            raise BadInput(f"{text!r} is not a state of {self.name}: write places and who moves, such as '3-0-7 blue'")
        places = [int(found[n]) for n in (1, 2, 3)]
        pace = MOVES.index(found[6]) if found[6] else CHOOSE
        return self.checked(Pawns(places[0], places[1], places[2], PLAYERS.index(found[4]), pace))

    def check_state(self, state: Any) -> str:
        places = state[:3]
        standing = [place for place in places if place > 0]
        if min(places) < 0 or max(places) > self.length or len(set(standing)) < len(standing):
            return f"pawns stand on different squares up to {self.length}, or together at the start"
        if state.mover not in range(3) or state.pace not in (CHOOSE, WALK, RUN):
            return "the mover is 0 to 2, and the pace -1 (not chosen), 0 (walk) or 1 (run)"
        if state.pace != CHOOSE and max(places) == self.length:
            return "the race is over, so nobody walks or runs"
        return ""

    # -- picture -----------------------------------------------------------------------------------

    def picture(self, state: Any, last: int | None = None) -> Picture:
        runners = [(name, int(place_of(state, player)), 0) for player, name in enumerate(PLAYERS)]
        mover, over = int(state.mover), self.is_terminal(state)
        if over:
            paid = sorted(((self.utility(state, player), name) for player, name in enumerate(PLAYERS)), reverse=True)
            caption = "the end: " + ", ".join(f"{name} gets {points:g}" for points, name in paid)
        elif state.pace == CHOOSE:
            caption = f"{PLAYERS[mover]} to walk or run"
        else:
            caption = f"{PLAYERS[mover]} {MOVES[int(state.pace)]}s"
        shelters = range(SHELTER, self.length, SHELTER)
        return tracks(runners, self.length, posts=shelters, mover=None if over else mover, caption=caption)


def place_of(state: Pawns, player: int) -> int:
    return state.red if player == 0 else state.blue if player == 1 else state.green


def rival_of(state: Pawns, player: int, length: int) -> int:
    """Where the other pawn is that has not reached the end."""
    one, other = place_of(state, (player + 1) % 3), place_of(state, (player + 2) % 3)
    return other if one >= length else one
