"""Hex: join your two sides of a rhombus. The first player joins top and bottom, the second left and right.

Cells are numbered row by row; each touches the ones beside it, those above and below, above to the right and below to
the left. There is never a draw.
"""

from collections import namedtuple

from plywright import Game
from plywright.bits import lowest_bit

Board = namedtuple("Board", "first second turn")


class Hex(Game):
    player_names = ("Vertical", "Horizontal")

    def __init__(self, size=7):
        if not 2 <= size <= 7:
            raise ValueError("a board of Hex has 2 to 7 rows")
        self.size = self.max_actions = size
        self.max_actions = size * size
        self.board = (1 << size * size) - 1
        self.top = (1 << size) - 1
        self.bottom = self.top << size * (size - 1)
        self.left = sum(1 << size * row for row in range(size))
        self.right = self.left << size - 1

    def initial(self):
        return Board(0, 0, 0)

    def to_move(self, state):
        return state.turn

    def actions(self, state):
        free = self.board & ~(state.first | state.second)
        while free:
            yield lowest_bit(free)
            free &= free - 1

    def result(self, state, action):
        if state.turn == 0:
            return Board(state.first | 1 << action, state.second, 1)
        return Board(state.first, state.second | 1 << action, 0)

    def is_terminal(self, state):  # only who has just moved can have won
        if state.turn == 1:
            return self.joined(state.first, self.top, self.bottom)
        return self.joined(state.second, self.left, self.right)

    def utility(self, state, player):
        return -1 if player == state.turn else 1

    def joined(self, stones, start, end):
        """Whether stones lead from one side to the other."""
        reached = stones & start
        while reached:
            if reached & end:
                return True
            east, west = reached & ~self.right, reached & ~self.left
            near = reached << self.size | reached >> self.size | east << 1 | west >> 1
            near |= west << self.size - 1 | east >> self.size - 1
            more = (reached | near) & stones
            if more == reached:
                return False
            reached = more
        return False
