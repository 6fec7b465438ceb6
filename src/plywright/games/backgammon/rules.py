"""Backgammon: complete rules, single games without the doubling cube.

A turn is a roll of the dice (a chance node of 21 outcomes) and then one action: the whole play of the
roll. Plays that lead to the same board are one action. The winner gets 1, for a gammon 2, for a
backgammon 3. The game opens as at the table: each player throws one die, ties are thrown again, and
the higher number begins with both.

Why no play is listed twice: a play is a set of single moves, and since no legal move takes away
another one, their order does not matter for the board. With two different dice, p by the larger and q
by the smaller, two sets lead to the same board in two cases only: one checker running the whole way
by either die first (if no blot is hit on the way), and two checkers borne off by exchanged dice. With
doubles, the numbers of checkers that left each point follow from the board, point by point from the
highest: each descending list of points is a board of its own.
"""

from __future__ import annotations

from collections.abc import Iterator
from types import MappingProxyType
from typing import Any, NamedTuple

from ...bits import highest_bit
from ...draw import Picture
from ...draw.points import points as draw_points
from ...errors import BadInput
from ...game import CHANCE, Game
from .checkers import (
    BAR,
    LANE,
    ON_BAR,
    PLACES,
    POINTS,
    added,
    carried,
    checkers,
    counted,
    every_step,
    moved,
    packed,
    seen_from_the_other_side,
    sets_of,
    sources,
)
from .inputs import BackgammonKnowledge, CentredKnowledge, PublishedInputs
from .knowledge import estimate
from .network import BackgammonNetwork
from .notation import (
    CHECKERS,
    Step,
    format_play,
    impossible_sides,
    position_id,
    read_play,
    read_position,
    read_roll,
    split_plays,
    ways_to_click,
)

FAR = 0x3F << 19 | ON_BAR  # the opponent's home board and the bar: where a backgammon is lost
SOURCE = 31  # five bits of an action name the point that a checker leaves
OPENING, NOT_ROLLED = -1, 0
SIDES = {"white": 0, "w": 0, "first": 0, "black": 1, "b": 1, "second": 1}
START = packed([0, 0, 0, 0, 0, 0, 5, 0, 3, 0, 0, 0, 0, 5, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 2, 0])


class Turn(NamedTuple):
    """A position from the perspective of `mover`: the checkers of both sides, each in its own numbering, and the dice.

    `roll` is 65 for a six and a five, larger die first; `NOT_ROLLED` and `OPENING` are chance nodes.
    """

    mine: int
    mine_more: int
    theirs: int
    theirs_more: int
    mover: int
    roll: int


class Backgammon(Game):
    """Bear off all fifteen checkers first; gammons and backgammons count double and triple."""

    how_to_play = (
        "White and Black race fifteen checkers each around the board in opposite directions and bear them off. A "
        "roll of two dice is played as two moves, a double as four, with one checker or several; a checker may "
        "land on any point that is not held by two or more of the enemy. A single checker that is hit goes to the "
        "bar and must enter again before anything else moves. As much of a roll as can be played must be.\n\n"
        "When all checkers of a side are in its last six points it may bear them off; whoever is first to do so "
        "wins. It counts double if the loser has borne off none (a gammon), and triple if one of them is still on "
        "the bar or in the winner's home (a backgammon)."
    )

    player_names = ("White", "Black")
    utility_range = (-3, 3)
    knowledge = BackgammonNetwork
    knowledges = MappingProxyType(
        {
            "hand": BackgammonKnowledge,
            "network": BackgammonNetwork,
            "published": PublishedInputs,
            "centred": CentredKnowledge,
        }
    )
    max_actions = 3060  # four equal steps shared out among fifteen checkers: C(18, 4)

    # -- rules -------------------------------------------------------------------------------------

    def initial(self) -> Turn:
        return Turn(*START, *START, 0, OPENING)

    def to_move(self, state: Turn) -> int:
        return state.mover if state.roll > 0 else CHANCE

    def chance(self, state: Turn) -> Iterator[tuple[int, float]]:
        """At the opening `65` and `56` are two outcomes: the first digit is White's die."""
        if state.roll == NOT_ROLLED:
            for high in range(1, 7):
                for low in range(1, high):
                    yield 10 * high + low, 1 / 18
                yield 11 * high, 1 / 36
        else:
            for white in range(1, 7):
                for black in range(1, 7):
                    if white != black:
                        yield 10 * white + black, 1 / 30

    def actions(self, state: Turn) -> Iterator[int]:
        """Two sources, the larger die's first, or up to four equal steps from the highest point down.

        Five bits each, 0 for a step that cannot be made; so 0 is the pass. One long generator:
        compiled code has no `yield from`.
        """
        if state.roll <= 0:
            return
        high, low = state.roll // 10, state.roll % 10
        occupied, stacked = sets_of(state.mine, state.mine_more)
        blocked, blots = seen_from_the_other_side(state.theirs, state.theirs_more)
        if high != low:
            by_high, by_low = sources(occupied, blocked, high), sources(occupied, blocked, low)
            running = 0  # points from which a checker can go the whole way, larger die first
            count = 0
            waiting = by_high
            while waiting != 0:  # the larger die first, from the highest point down
                first = highest_bit(waiting)
                waiting ^= 1 << first
                then = sources(moved(occupied, stacked, first, high), blocked, low)
                behind = first + low  # coming here and going on by `high`: its run, larger die first, is the same
                if running >> behind & 1 and not blots >> (behind - high) & 1:
                    then &= ~(1 << behind)
                if first > high:
                    running |= (then >> (first - high) & 1) << first
                else:  # both borne off: the larger die takes the higher point
                    then &= (2 << first) - 1 | -2 << low
                while then != 0:
                    second = highest_bit(then)
                    then ^= 1 << second
                    count += 1
                    yield first | second << 5
            waiting = by_low
            while waiting != 0:  # the smaller die first, where that makes another move possible
                second = highest_bit(waiting)
                waiting ^= 1 << second
                then = sources(moved(occupied, stacked, second, low), blocked, high) & ~by_high
                if second > low:
                    if running >> second & 1 and not (blots >> (second - high) | blots >> (second - low)) & 1:
                        then &= ~(1 << (second - low))
                else:
                    then &= -1 << second
                while then != 0:
                    first = highest_bit(then)
                    then ^= 1 << first
                    count += 1
                    yield first | second << 5
            if count == 0:  # one die only: the larger if it can be used
                if by_high != 0:
                    while by_high != 0:
                        first = highest_bit(by_high)
                        by_high ^= 1 << first
                        yield first
                elif by_low != 0:
                    while by_low != 0:
                        second = highest_bit(by_low)
                        by_low ^= 1 << second
                        yield second << 5
                else:
                    yield 0
        else:
            yielded = False
            points = state.mine, state.mine_more
            ones = sources(occupied, blocked, high)
            while ones != 0:
                first = highest_bit(ones)
                ones ^= 1 << first
                once = carried(points[0], points[1], first, high)
                twos = sources(sets_of(once[0], once[1])[0], blocked, high) & (2 << first) - 1
                while twos != 0:
                    second = highest_bit(twos)
                    twos ^= 1 << second
                    twice = carried(once[0], once[1], second, high)
                    occupied, stacked = sets_of(twice[0], twice[1])
                    threes = sources(occupied, blocked, high) & (2 << second) - 1
                    while threes != 0:
                        third = highest_bit(threes)
                        threes ^= 1 << third
                        fours = sources(moved(occupied, stacked, third, high), blocked, high) & (2 << third) - 1
                        while fours != 0:
                            fourth = highest_bit(fours)
                            fours ^= 1 << fourth
                            yielded = True
                            yield first | second << 5 | third << 10 | fourth << 15
            if not yielded:
                yield every_step(state.mine, state.mine_more, blocked, high)

    def result(self, state: Turn, action: int) -> Turn:
        if state.roll == OPENING:
            white, black = action // 10, action % 10
            if white > black:
                return state._replace(roll=action)
            return Turn(state.theirs, state.theirs_more, state.mine, state.mine_more, 1, 10 * black + white)
        if state.roll == NOT_ROLLED:
            return state._replace(roll=action)
        mine, more = state.mine, state.mine_more
        landed = 0  # where checkers land, as the opponent counts
        die = state.roll // 10
        while action != 0:
            source = action & SOURCE
            if source != 0:
                mine, more = carried(mine, more, source, die)
                landed |= ON_BAR << die >> source
            die = state.roll % 10
            action >>= 5
        theirs, theirs_more = state.theirs, state.theirs_more
        hit = landed & POINTS & theirs & ~(theirs >> LANE | theirs_more | theirs_more >> LANE)
        theirs ^= hit
        while hit != 0:
            theirs, theirs_more = added(theirs, theirs_more, ON_BAR)
            hit &= hit - 1
        return Turn(theirs, theirs_more, mine, more, 1 - state.mover, NOT_ROLLED)

    def is_terminal(self, state: Turn) -> bool:
        return state.theirs | state.theirs_more == 0 or state.mine | state.mine_more == 0

    def utility(self, state: Turn, player: int) -> float:
        won = state.mine | state.mine_more == 0
        loser, loser_more = (state.theirs, state.theirs_more) if won else (state.mine, state.mine_more)
        stake = 1
        if checkers(loser, loser_more) == CHECKERS:
            stake = 3 if sets_of(loser, loser_more)[0] & FAR != 0 else 2
        return stake if won == (player == state.mover) else -stake

    def evaluate(self, state: Turn, player: int) -> float:
        """The race, blots within reach, points held and checkers on the bar; see `backgammon_knowledge`."""
        if self.is_terminal(state):
            return self.utility(state, player)
        tempo = 2 if state.roll > 0 else 1 if state.roll == NOT_ROLLED else 0
        value = estimate(state.mine, state.mine_more, state.theirs, state.theirs_more, tempo)
        return value if player == state.mover else 0.0 - value

    # -- notation ----------------------------------------------------------------------------------

    def steps(self, state: Turn, action: int) -> list[Step]:
        """The single moves of a play."""
        blots = int(seen_from_the_other_side(state.theirs, state.theirs_more)[1])
        found, dice = [], divmod(int(state.roll), 10)
        for number in range(4):
            source, die = int(action) >> 5 * number & SOURCE, dice[min(number, 1)]
            if source:
                target = max(source - die, 0)
                found.append(Step(source, target, target > 0 and bool(blots >> target & 1)))
        return found

    def format_action(self, state: Any, action: int) -> str:
        return str(int(action)) if state.roll <= 0 else format_play(self.steps(state, action))

    def clicks(self, state: Any, action: int) -> list[list[list[str]]]:
        """Each checker's way, its ends or all its points, the checkers in any order."""
        return [] if state.roll <= 0 else ways_to_click(self.steps(state, action))

    def parse_action(self, state: Any, text: str) -> int:
        """A roll at a chance node, otherwise a play, also with its roll before it: `65: 24/13`."""
        if self.is_terminal(state):
            raise self.unknown_move(state, text)
        if state.roll <= 0:
            return read_roll(text, opening=state.roll == OPENING)
        roll, colon, play = text.rpartition(":")
        if colon and read_roll(roll, opening=False) != state.roll:
            raise BadInput(f"{text!r}: the dice show {int(state.roll)}")
        actions = self.choices(state)
        found = read_play(play, [self.steps(state, action) for action in actions])
        if found is None:
            raise self.unknown_move(state, text)
        return actions[found]

    def split_moves(self, text: str) -> list[str]:
        return split_plays(text)

    def format_state(self, state: Any) -> str:
        """Position ID, who is on roll, and the dice: `4HPwATDgc/ABMA white 65`; the start is `... opening`."""
        mine, theirs = counted(state.mine, state.mine_more), counted(state.theirs, state.theirs_more)
        identity = position_id(mine, theirs)
        if state.roll == OPENING:
            return f"{identity} opening"
        roll = f" {int(state.roll)}" if state.roll > 0 else ""
        return f"{identity} {self.player_names[int(state.mover)].lower()}{roll}"

    def parse_state(self, text: str) -> Any:
        """Player and dice may be left out: White is on roll and has not rolled."""
        words = text.split()
        roll, mover = NOT_ROLLED, 0
        if words and words[-1].lower() == "opening":
            words, roll = words[:-1], OPENING
        elif len(words) > 1 and words[-1][0].isdigit() and ":" not in words[-1] and len(words[-1]) < 4:
            words, roll = words[:-1], read_roll(words[-1], opening=False)
        if len(words) > 1 and words[-1].lower() in SIDES:
            words, mover = words[:-1], SIDES[words[-1].lower()]
        sides = read_position(" ".join(words))
        if sides is None:
            raise BadInput(
                f"{text!r} is not a position of backgammon: write a Position ID such as '4HPwATDgc/ABMA white 65', or "
                f"points as '6:5 8:3 13:5 24:2 | 6:5 8:3 13:5 24:2 white 65'"
            )
        return self.checked(Turn(*packed(sides[0]), *packed(sides[1]), mover, roll))

    def check_state(self, state: Any) -> str:
        words = state[:4]
        if any(word & ~(PLACES | PLACES << LANE) for word in words):
            return "there are checkers outside the 24 points and the bar"
        mine, theirs = counted(*words[:2]), counted(*words[2:])
        if why := impossible_sides(mine, theirs):
            return why
        if state.mover not in (0, 1) or (state.roll == OPENING and state.mover != 0):
            return f"the player to move would be {state.mover}: White is 0 (and opens), Black is 1"
        high, low = divmod(state.roll, 10)
        if state.roll not in (OPENING, NOT_ROLLED) and not 1 <= low <= high <= 6:
            return f"{state.roll} is no roll of two dice, the larger first"
        return "the game is over, so there is nothing to roll for" if state.roll > 0 and self.is_terminal(state) else ""

    # -- picture -----------------------------------------------------------------------------------

    def picture(self, state: Any, last: int | None = None) -> Picture:
        mine, theirs = counted(state.mine, state.mine_more), counted(state.theirs, state.theirs_more)
        white, black = (mine, theirs) if state.mover == 0 else (theirs, mine)
        left: set[int] = set()  # the points that the last play left, as White counts
        if last is not None and state.roll == NOT_ROLLED:
            left = {int(last) >> 5 * number & SOURCE for number in range(4)} - {0, BAR}
        return draw_points(
            [white[BAR], *white[1:BAR]],
            [black[BAR], *black[BAR - 1 : 0 : -1]],
            off=(CHECKERS - sum(white), CHECKERS - sum(black)),
            dice=divmod(int(state.roll), 10) if state.roll > 0 else (),
            roller=int(state.mover),
            touched={point if state.mover == 1 else BAR - point for point in left},
            caption=self._caption(state),
        )

    def _caption(self, state: Any) -> str:
        if self.is_terminal(state):
            won = self.utility(state, 0)
            what = ("", "", " a gammon", " a backgammon")[int(abs(won))]
            return f"{self.player_names[0 if won > 0 else 1]} has won{what}"
        if state.roll == OPENING:
            return "each player throws a die; the higher number begins"
        return f"{self.player_names[int(state.mover)]} to {'move' if state.roll > 0 else 'roll'}"
