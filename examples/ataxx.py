"""Ataxx on 5x5: a stone grows a new one beside it or jumps two steps away, and takes over all neighbours there.

The game ends when somebody cannot move, or after twelve jumps in a row; more stones win. An action is 25 times the
cell a stone leaves plus the cell it goes to; growing is written from the cell itself.
"""

from collections import namedtuple

from plywright import Game
from plywright.bits import lowest_bit, popcount

Board = namedtuple("Board", "first second turn jumps")
FULL = (1 << 25) - 1
EAST = sum(1 << 5 * row + 4 for row in range(5))
WEST = EAST >> 4
JUMPS = 12


def around(stones):
    """The cells on or beside these, in all eight directions."""
    wide = stones | (stones & ~EAST) << 1 | (stones & ~WEST) >> 1
    return (wide | wide << 5 | wide >> 5) & FULL


class Ataxx(Game):
    player_names = ("White", "Black")
    max_actions = 625

    def initial(self):
        return Board(1 | 1 << 24, 1 << 4 | 1 << 20, 0, 0)

    def to_move(self, state):
        return state.turn

    def actions(self, state):
        own = state.second if state.turn else state.first
        free = FULL & ~(state.first | state.second)
        grown = around(own) & free
        while grown:
            cell = lowest_bit(grown)
            yield 26 * cell
            grown &= grown - 1
        while own:
            cell = lowest_bit(own)
            near = around(1 << cell)
            far = around(near) & ~near & free
            while far:
                yield 25 * cell + lowest_bit(far)
                far &= far - 1
            own &= own - 1

    def result(self, state, action):
        origin, target = action // 25, action % 25
        own, other = (state.second, state.first) if state.turn else (state.first, state.second)
        jumps = 0
        if origin != target:
            own ^= 1 << origin
            jumps = state.jumps + 1
        taken = around(1 << target) & other
        own, other = own | 1 << target | taken, other ^ taken
        if state.turn:
            return Board(other, own, 0, jumps)
        return Board(own, other, 1, jumps)

    def is_terminal(self, state):
        if state.jumps >= JUMPS or state.first == 0 or state.second == 0:
            return True
        own = state.second if state.turn else state.first
        return around(around(own)) & FULL & ~(state.first | state.second) == 0

    def utility(self, state, player):
        lead = popcount(state.first) - popcount(state.second)
        if lead == 0:
            return 0
        return 1 if (lead > 0) == (player == 0) else -1
