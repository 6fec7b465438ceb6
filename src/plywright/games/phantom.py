"""Phantom tic-tac-toe: nobody sees the other's marks; a try on a taken cell shows that it is taken, try again.

On any small board, `phantom-tic-tac-toe:m=3,n=3,k=3`. A player remembers the own tries in order with what came
of them, and that is what it sees: `b2 a1x c3`, where the x says that a1 was the other's already. The other hears
of a turn only that it is over.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any, NamedTuple

from ..bits import popcount
from ..draw import Picture
from ..draw.board import Piece, board, row_of
from ..errors import BadInput
from ..game import Game
from ..rng import below, seeded
from .notation import legal_action, square_cell, square_name, whole_number

TRY = 5  # bits a try: the cell, then whether it was taken; after a leading 1
TAKEN = 16
PLACE = 4  # bits per place in an order of cells


class Boards(NamedTuple):
    """The marks of X and O as sets of cells, and what each has tried."""

    crosses: int
    rings: int
    first: int
    second: int
    mover: int


class Notes(NamedTuple):
    """What one player knows: the own marks, the other's that were met, the own tries, whose turn it is, the end."""

    mine: int
    theirs: int
    tries: int
    mover: int
    over: bool


class PhantomTicTacToe(Game):
    """A row of k without seeing the other's marks."""

    how_to_play = (
        "Tic-tac-toe in which you do not see the other's marks. A try on a square that is taken tells you so, and "
        "you try again; otherwise your mark is placed and the other moves."
    )

    name = "phantom-tic-tac-toe"
    perfect_recall = True
    player_names = ("X", "O")

    def __init__(self, m: int = 3, n: int = 3, k: int = 3) -> None:
        self.m, self.n = whole_number("m", m, 2, 6), whole_number("n", n, 1, 6)
        self.k = whole_number("k", k, 2, max(self.m, self.n))
        self.cells = self.m * self.n
        if self.cells > 12:
            raise BadInput(f"phantom tic-tac-toe has at most 12 cells, and {self.m} x {self.n} is {self.cells}")
        self.max_actions = self.cells
        self.lines = tuple(_lines(self.m, self.n, self.k))

    # -- rules -------------------------------------------------------------------------------------

    def initial(self) -> Boards:
        return Boards(0, 0, 1, 1, 0)

    def to_move(self, state: Boards) -> int:
        return state.mover

    def actions(self, state: Boards) -> Iterator[int]:
        """Every cell not known to be taken."""
        known = state.crosses | self.met(state.first) if state.mover == 0 else state.rings | self.met(state.second)
        if not self.is_terminal(state):
            for cell in range(self.cells):
                if not known >> cell & 1:
                    yield cell

    def met(self, tries: int) -> int:
        """The cells that were taken when they were tried."""
        cells = 0
        while tries > 1:
            if tries & TAKEN:
                cells |= 1 << (tries & 15)
            tries >>= TRY
        return cells

    def result(self, state: Boards, action: int) -> Boards:
        crosses, rings, first, second = state.crosses, state.rings, state.first, state.second
        bit = 1 << action
        note = action | (TAKEN if (crosses | rings) & bit else 0)
        if state.mover == 0:
            first = first << TRY | note
            crosses |= 0 if note & TAKEN else bit
        else:
            second = second << TRY | note
            rings |= 0 if note & TAKEN else bit
        mover = state.mover if note & TAKEN else 1 - state.mover
        return Boards(crosses, rings, first, second, mover)

    def is_terminal(self, state: Boards) -> bool:
        return (
            popcount(state.crosses | state.rings) == self.cells
            or self.has_line(state.crosses)
            or self.has_line(state.rings)
        )

    def has_line(self, marks: int) -> bool:
        found = False
        for line in self.lines:
            found = found or marks & line == line
        return found

    def utility(self, state: Boards, player: int) -> float:
        value = 1 if self.has_line(state.crosses) else -1 if self.has_line(state.rings) else 0
        return value if player == 0 else -value

    # -- what a seat sees, and what it may be ------------------------------------------------------------

    def observation(self, state: Boards, player: int) -> Notes:
        over = self.is_terminal(state)
        if player == 0:
            return Notes(state.crosses, self.met(state.first), state.first, state.mover, over)
        return Notes(state.rings, self.met(state.second), state.second, state.mover, over)

    def deal(self, observation: Notes, player: int, rng: Any) -> Boards:
        """Where the other's marks are and what it tried, as if it tried cells in an order drawn at random.

        Given such an order, every sequence of marks that agrees with the notes is as likely as any other, and so
        is every way to insert the own cells into it; so both are drawn one after the other. A player who is just
        now trying is dealt as if it had not begun.
        """
        count = self.marks_of_other(observation, player)
        while True:
            order = 0
            for turn in range(count):  # the other's marks in order, by their places
                cell = below(rng, self.cells)
                while (observation.mine | marks_in(order, turn)) >> cell & 1:
                    cell = below(rng, self.cells)
                order |= cell << PLACE * turn
            if self.agrees(order, count, observation, player):
                break
        tries = order
        length = self.cells - popcount(observation.mine)  # the cells that come after all marks count as places too
        done = popcount(observation.mine)
        for number in range(done):  # own cells, the last first
            after = self.turns_before(done - 1 - number, count, player)
            place = after + below(rng, length - after + 1)
            if place < end_of(tries, order, count):
                tries = inserted(tries, place, self.own_cell(observation.tries, done - 1 - number))
            length += 1
        return self.told(observation, player, tries, order, count)

    def marks_of_other(self, observation: Notes, player: int) -> int:
        mine = popcount(observation.mine)
        if player == 0:
            return mine if observation.mover == 0 else mine - 1
        return mine + 1 if observation.mover == 1 else mine

    def turns_before(self, number: int, count: int, player: int) -> int:
        """How many marks the other had when the player made its mark of that number."""
        return min(number + player, count)

    def own_cell(self, tries: int, number: int) -> int:
        """The cell of the player's mark of that number, counted from the first."""
        cell, left = 0, 0
        rest = tries
        while rest > 1:
            left += 0 if rest & TAKEN else 1
            rest >>= TRY
        while tries > 1:
            if not tries & TAKEN:
                left -= 1
                if left == number:
                    cell = tries & 15
            tries >>= TRY
        return cell

    def agrees(self, order: int, count: int, observation: Notes, player: int) -> bool:
        """Whether the other's marks in that order make no line and were met exactly where the notes say."""
        if self.has_line(marks_in(order, count)):
            return False
        tries, number = observation.tries, popcount(observation.mine)
        while tries > 1:  # from the last try back: by then the player had `number` marks
            cell = tries & 15
            number -= 0 if tries & TAKEN else 1
            there = marks_in(order, self.turns_before(number, count, player)) >> cell & 1 == 1
            if there != (tries & TAKEN != 0):
                return False
            tries >>= TRY
        return True

    def told(self, observation: Notes, player: int, tries: int, order: int, count: int) -> Boards:
        """The state in which the other has made those tries, of which its marks are those in `order`."""
        marks, notes, turn, rest = marks_in(order, count), 1, 0, tries
        while turn < count:
            cell = rest & 15
            own = order >> PLACE * turn & 15 == cell
            notes = notes << TRY | cell | (0 if own else TAKEN)
            turn += 1 if own else 0
            rest >>= PLACE
        if player == 0:
            return Boards(observation.mine, marks, observation.tries, notes, observation.mover)
        return Boards(marks, observation.mine, notes, observation.tries, observation.mover)

    def deals(self, observation: Notes, player: int) -> Iterator[tuple[Boards, float]]:
        """Every state that agrees with the notes, with its share if the other tried cells in a random order."""
        count = self.marks_of_other(observation, player)
        orders = list(self.orders(observation, player, 0, 0))
        done = int(popcount(observation.mine))
        shares: dict[Boards, float] = {}
        for order in orders:
            ways = {order: 1.0 / len(orders)}
            for number in reversed(range(done)):
                after = self.turns_before(number, count, player)
                length = self.cells - done + (done - 1 - number)
                longer: dict[int, float] = {}
                for tries, share in ways.items():
                    end = end_of(tries, order, count)
                    for place in range(after, length + 1):
                        told = (
                            inserted(tries, place, self.own_cell(observation.tries, number)) if place < end else tries
                        )
                        longer[told] = longer.get(told, 0.0) + share / (length - after + 1)
                ways = longer
            for tries, share in ways.items():
                state = self.told(observation, player, tries, order, count)
                shares[state] = shares.get(state, 0.0) + share
        yield from shares.items()

    def orders(self, observation: Notes, player: int, order: int, turn: int) -> Iterator[int]:
        """Every order of the other's marks that begins with so many given ones and agrees with the notes."""
        count = self.marks_of_other(observation, player)
        if turn == count:
            if self.agrees(order, count, observation, player):
                yield order
            return
        for cell in range(self.cells):
            if not (observation.mine | marks_in(order, turn)) >> cell & 1:
                yield from self.orders(observation, player, order | cell << PLACE * turn, turn + 1)

    # -- notation and picture ----------------------------------------------------------------------------

    def format_action(self, state: Any, action: int) -> str:
        return square_name(int(action), self.m)

    def parse_action(self, state: Any, text: str) -> int:
        """The cell to try; in place of a state the mover's view will do."""
        if isinstance(state, Notes):
            state = self.deal(state, int(state.mover), seeded(1))
        return legal_action(self, state, square_cell(text, self.m, self.n), text)

    def check_state(self, state: Any) -> str:
        """What both have tried must lead there, told again from the start."""
        tries = [self.cells_tried(notes) for notes in (state.first, state.second)]
        if not all(found is not None for found in tries):
            return "what was tried is no list of cells"
        reached = self.initial()
        while waiting := tries[reached.mover]:
            cell = waiting.pop(0)
            if cell not in list(self.actions(reached)):
                return f"{square_name(cell, self.m)} cannot be tried when it was"
            reached = self.result(reached, cell)
        return "" if reached == state else "its marks are not those that the tries have made"

    def cells_tried(self, tries: int) -> list[int] | None:
        """The cells in their order; None where the number is no list of them."""
        cells = []
        while tries > 1:
            cells.append(tries & 15)
            tries >>= TRY
        return cells[::-1] if tries == 1 and all(cell < self.cells for cell in cells) else None

    def format_observation(self, observation: Any, player: int) -> str:
        """The own tries in order; an x after those that met a mark; a dash for none."""
        words, tries = [], int(observation.tries)
        while tries > 1:
            words.append(square_name(tries & 15, self.m) + ("x" if tries & TAKEN else ""))
            tries >>= TRY
        return " ".join(reversed(words)) or "-"

    def parse_observation(self, text: str, player: int) -> Notes:
        """What the player sees when it is to move; raises BadInput where no state looks like that."""
        mine = theirs = 0
        tries = 1
        for word in text.lower().replace("-", " ").split():
            cell = square_cell(word.removesuffix("x"), self.m, self.n)
            if cell is None or (mine | theirs) >> cell & 1:
                raise BadInput(
                    f"{text!r}: {word!r} is no cell, or is there twice; write the tries in order, such as 'b2 a1x c3'"
                )
            if word.endswith("x"):
                theirs |= 1 << cell
            else:
                mine |= 1 << cell
            tries = tries << TRY | cell | (TAKEN if word.endswith("x") else 0)
        seen = Notes(mine, theirs, tries, player, False)
        if self.has_line(mine) or next(self.orders(seen, player, 0, 0), None) is None:
            raise BadInput(f"{text!r}: {self.player_name(player)} of {self.name} cannot have seen that and be to move")
        return seen

    def picture(self, state: Any, last: int | None = None) -> Picture:
        caption = f"{'XO'[int(state.mover)]} to move"
        if self.is_terminal(state):
            caption = {1: "X has won", -1: "O has won", 0: "a draw"}[int(self.utility(state, 0))]
        return self.drawn(int(state.crosses), int(state.rings), caption, last)

    def picture_for(self, observation: Any, player: int) -> Picture:
        """The own marks and those of the other that were met."""
        marks = [int(observation.mine), int(observation.theirs)]
        caption = "the game is over" if observation.over else f"{'XO'[int(observation.mover)]} to move"
        return self.drawn(marks[player], marks[1 - player], caption, None)

    def drawn(self, crosses: int, rings: int, caption: str, last: int | None) -> Picture:
        signs = "".join("X" if crosses >> c & 1 else "O" if rings >> c & 1 else "." for c in range(self.cells))
        return board(
            signs,
            self.m,
            {"X": Piece("cross", "first-ink"), "O": Piece("ring", "second-ink")},
            look="paper",
            upward=True,
            last=() if last is None else (int(last),),
            won=row_of(signs, self.m, self.k),
            caption=caption,
        )


def marks_in(order: int, count: int) -> int:
    """The first so many cells of an order, as a set."""
    marks = 0
    for place in range(count):
        marks |= 1 << (order >> PLACE * place & 15)
    return marks


def end_of(tries: int, order: int, count: int) -> int:
    """The place in `tries` just after the last cell of the other's marks: what comes later is never tried."""
    place, turn = 0, 0
    while turn < count:
        if tries >> PLACE * place & 15 == order >> PLACE * turn & 15:
            turn += 1
        place += 1
    return place


def inserted(tries: int, place: int, cell: int) -> int:
    """The order with one more cell at that place."""
    low = tries & (1 << PLACE * place) - 1
    return low | cell << PLACE * place | tries >> PLACE * place << PLACE * (place + 1)


def _lines(m: int, n: int, k: int) -> Iterator[int]:
    """Every row of k cells, as a set."""
    for row in range(n):
        for column in range(m):
            for right, up in ((1, 0), (0, 1), (1, 1), (-1, 1)):
                if 0 <= column + (k - 1) * right < m and row + (k - 1) * up < n:
                    yield sum(1 << (row + i * up) * m + column + i * right for i in range(k))
