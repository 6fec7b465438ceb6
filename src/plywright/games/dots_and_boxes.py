"""Dots and Boxes: draw an edge; whoever closes a box owns it and must move again.

The board is columns by rows of boxes. Dots are named as squares are in chess, a1 at the lower left,
and a move is the two dots it joins, `a1-b1`. A state is written from the top, a line of edges across
and a line of upright edges with the boxes between them in turn, then who moves: `-./|.../-. A`.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import Any, NamedTuple

from ..bits import lowest_bit, popcount
from ..draw import Picture
from ..draw.dots import dots
from ..errors import BadInput
from ..game import Game
from .notation import legal_action, split_glued, square_cell, square_name, whole_number


class Edges(NamedTuple):
    """The edges drawn and the boxes of each player, as bits, and who moves.

    Edges across count first, row by row from the bottom, then upright ones; boxes row by row.
    """

    drawn: int
    first: int
    second: int
    mover: int


class DotsAndBoxes(Game):
    """Utility is the difference in boxes."""

    how_to_play = (
        "Players take turns to draw a line between two neighbouring dots. Whoever draws the fourth side of a box "
        "owns it and must move again. When all lines are drawn, whoever owns more boxes wins; the result is the "
        "difference."
    )

    player_names = ("A", "B")

    def __init__(self, columns: int = 3, rows: int = 3) -> None:
        self.columns, self.rows = whole_number("columns", columns, 1, 20), whole_number("rows", rows, 1, 20)
        self.across = columns * (rows + 1)
        self.edges = self.max_actions = self.across + rows * (columns + 1)
        if self.edges > 63:
            raise BadInput(f"dots-and-boxes has at most 63 edges; {columns} by {rows} boxes have {self.edges}")
        self.boxes = columns * rows
        self.utility_range = (-self.boxes, self.boxes)
        # Where edges and boxes lie, for what learns from cells: dots have even rows and columns.
        across = [(2 * row, 2 * column + 1) for row in range(rows + 1) for column in range(columns)]
        upright = [(2 * row + 1, 2 * column) for row in range(rows) for column in range(columns + 1)]
        boxes = [(2 * row + 1, 2 * column + 1) for row in range(rows) for column in range(columns)]
        self.cell_places = tuple(across + upright), tuple(boxes)
        self.complete = (1 << self.edges) - 1
        # For each edge: the four edges and the bit of the box on one side and on the other. Where there
        # is no other box, its bit is 0 and so closing it changes nothing.
        sides = [_beside(self, edge) for edge in range(self.edges)]
        self.one_sides, self.one_box = tuple(s[0][0] for s in sides), tuple(s[0][1] for s in sides)
        self.other_sides, self.other_box = tuple(s[1][0] for s in sides), tuple(s[1][1] for s in sides)
        self.box_sides = tuple(_box_sides(self, box) for box in range(self.boxes))
        # Turning and mirroring: for each symmetry of the board the bit that each edge becomes.
        images = [image for turn in range(8) if (image := _image(self, turn)) is not None]
        self.symmetries, self.images = len(images), tuple(bit for image in images for bit in image)

    # -- rules -------------------------------------------------------------------------------------

    def initial(self) -> Edges:
        return Edges(0, 0, 0, 0)

    def to_move(self, state: Edges) -> int:
        return state.mover

    def actions(self, state: Edges) -> Iterator[int]:
        free = self.complete & ~state.drawn
        while free != 0:
            yield lowest_bit(free)
            free &= free - 1

    def result(self, state: Edges, action: int) -> Edges:
        drawn = state.drawn | 1 << action
        closed = 0
        if drawn & self.one_sides[action] == self.one_sides[action]:
            closed |= self.one_box[action]
        if drawn & self.other_sides[action] == self.other_sides[action]:
            closed |= self.other_box[action]
        if closed == 0:
            return Edges(drawn, state.first, state.second, 1 - state.mover)
        if state.mover == 0:
            return Edges(drawn, state.first | closed, state.second, 0)
        return Edges(drawn, state.first, state.second | closed, 1)

    def is_terminal(self, state: Edges) -> bool:
        return state.drawn == self.complete

    def utility(self, state: Edges, player: int) -> float:
        margin = popcount(state.first) - popcount(state.second)
        return margin if player == 0 else -margin

    def evaluate(self, state: Edges, player: int) -> float:
        """The difference in boxes so far."""
        return self.utility(state, player)

    def canonical(self, state: Edges) -> Edges:
        """The least of the edges that turning and mirroring make, with the first of its closed boxes A's: which boxes
        somebody has makes no difference to what is still to come."""
        least = state.drawn
        for symmetry in range(1, self.symmetries):
            turned, left = 0, state.drawn
            while left != 0:
                turned |= self.images[symmetry * self.edges + lowest_bit(left)]
                left &= left - 1
            least = min(least, turned)
        first, second, mine = 0, 0, popcount(state.first)
        for box in range(self.boxes):
            if least & self.box_sides[box] == self.box_sides[box]:
                if mine > 0:
                    first |= 1 << box
                else:
                    second |= 1 << box
                mine -= 1
        return Edges(least, first, second, state.mover)

    # -- notation ----------------------------------------------------------------------------------

    def format_action(self, state: Any, action: int) -> str:
        kind, row, column = self._edge(int(action))
        dot = row * (self.columns + 1) + column
        other = dot + 1 if kind == "across" else dot + self.columns + 1
        return f"{square_name(dot, self.columns + 1)}-{square_name(other, self.columns + 1)}"

    def parse_action(self, state: Any, text: str) -> int:
        """The dots in either order, also without the dash."""
        found = re.fullmatch(MOVE, text.strip().lower())
        action = None
        if found is not None:
            ends = [square_cell(found[part], self.columns + 1, self.rows + 1) for part in (1, 2)]
            names = {self.format_action(state, edge): edge for edge in range(self.edges)}
            if None not in ends:
                dots_in_order = sorted(end for end in ends if end is not None)
                action = names.get("-".join(square_name(dot, self.columns + 1) for dot in dots_in_order))
        return legal_action(self, state, action, text)

    def split_moves(self, text: str) -> list[str]:
        return split_glued(text, MOVE)

    def format_state(self, state: Any) -> str:
        across, down, boxes = self._signs(state)
        lines = [across[0]]
        for row in range(self.rows):
            upright = "".join(edge + box for edge, box in zip(down[row], boxes[row] + " ", strict=True)).rstrip()
            lines += [upright, across[row + 1]]
        return f"{'/'.join(reversed(lines))} {'AB'[int(state.mover)]}"

    def parse_state(self, text: str) -> Any:
        words = text.split()
        lines = words[0].split("/")[::-1] if words else []
        if len(words) != 2 or words[1].upper() not in ("A", "B") or len(lines) != 2 * self.rows + 1:
            raise BadInput(
                f"{text!r} is not a state of {self.name}: write {2 * self.rows + 1} lines of edges from the top, "
                f"such as {self.format_state(self.start_state)!r}, and who moves, A or B"
            )
        drawn = 0
        owned = {"A": 0, "B": 0}
        for number, line in enumerate(lines):
            row, upright = divmod(number, 2)
            wanted = 2 * self.columns + 1 if upright else self.columns
            if len(line) != wanted or not re.fullmatch(UPRIGHT if upright else ACROSS, line):
                signs = "| . and owners A B ." if upright else "- and ."
                raise BadInput(f"{self.name}: the line {line!r} should have {wanted} signs: {signs}")
            for place, sign in enumerate(line.upper()):
                edge = self.across + row * (self.columns + 1) + place // 2 if upright else row * self.columns + place
                if upright and place % 2:
                    if sign in owned:
                        owned[sign] |= 1 << row * self.columns + place // 2
                elif sign != ".":
                    drawn |= 1 << edge
        return self.checked(Edges(drawn, owned["A"], owned["B"], "AB".index(words[1].upper())))

    def check_state(self, state: Any) -> str:
        """Exactly the closed boxes have an owner."""
        if state.drawn & ~self.complete or (state.first | state.second) & ~((1 << self.boxes) - 1):
            return "there is an edge or a box outside the board"
        if state.first & state.second:
            return "a box has two owners"
        if state.mover not in (0, 1):
            return f"the player to move would be {state.mover}: A is 0, B is 1"
        for edge in range(self.across - self.columns):  # the bottom edge of each box, in the order of the boxes
            box, sides = 1 << edge, _box_sides(self, edge)
            closed, owned = state.drawn & sides == sides, bool((state.first | state.second) & box)
            if closed != owned:
                where = square_name(edge // self.columns * (self.columns + 1) + edge % self.columns, self.columns + 1)
                wrong = "is closed and needs an owner, A or B" if closed else "is not closed and cannot have an owner"
                return f"the box with {where} at its lower left {wrong}"
        return ""

    def _edge(self, action: int) -> tuple[str, int, int]:
        """('across' or 'down', row, column) of an edge, counted from the lower left."""
        if action < self.across:
            return "across", *divmod(action, self.columns)
        return "down", *divmod(action - self.across, self.columns + 1)

    def _signs(self, state: Any) -> tuple[list[str], list[str], list[str]]:
        """Edges across, upright edges and owners, each row by row from the bottom."""

        def rows(signs: str, width: int) -> list[str]:
            return [signs[start : start + width] for start in range(0, len(signs), width)]

        drawn = "".join("." if not state.drawn >> edge & 1 else "-|"[edge >= self.across] for edge in range(self.edges))
        owners = "".join(
            "A" if state.first >> box & 1 else "B" if state.second >> box & 1 else "." for box in range(self.boxes)
        )
        return (
            rows(drawn[: self.across], self.columns),
            rows(drawn[self.across :], self.columns + 1),
            rows(owners, self.columns),
        )

    # -- picture -----------------------------------------------------------------------------------

    def picture(self, state: Any, last: int | None = None) -> Picture:
        score = f"A {popcount(state.first)}, B {popcount(state.second)}"
        turn = "game over" if self.is_terminal(state) else f"{'AB'[int(state.mover)]} to move"
        edge = None if last is None else self._edge(int(last))
        return dots(*self._signs(state), last=edge, caption=f"{score}; {turn}")


MOVE = r"([a-z][0-9]+)-?([a-z][0-9]+)"
ACROSS = r"[-.]*"
UPRIGHT = r"(?:[|.][ABab.])*[|.]"


def _box_sides(game: DotsAndBoxes, box: int) -> int:
    """The four edges of a box, as bits."""
    row, column = divmod(box, game.columns)
    left = game.across + row * (game.columns + 1) + column
    return 1 << box | 1 << box + game.columns | 1 << left | 1 << left + 1


def _beside(game: DotsAndBoxes, edge: int) -> list[tuple[int, int]]:
    """(edges, bit) of the boxes on the two sides of an edge; bit 0 for none."""
    found = [(_box_sides(game, box), 1 << box) for box in range(game.boxes) if _box_sides(game, box) >> edge & 1]
    return [*found, (0, 0)][:2]


def _image(game: DotsAndBoxes, turn: int) -> list[int] | None:
    """The bits that the edges become by a symmetry, as bits of `turn`: columns, rows, both exchanged; None where the
    board has no such symmetry."""
    if turn & 4 and game.columns != game.rows:
        return None
    places = {place: edge for edge, place in enumerate(game.cell_places[0])}
    found = []
    for row, column in game.cell_places[0]:
        row, column = (column, row) if turn & 4 else (row, column)
        row = 2 * game.rows - row if turn & 2 else row
        column = 2 * game.columns - column if turn & 1 else column
        found.append(1 << places[row, column])
    return found
