"""Breakthrough on a 5x5 board: the file that `plywright new` writes, grown into another game.

Pawns step straight or diagonally forward and take diagonally; the first to reach the far row wins.
A board is three numbers: white's pawns and black's pawns, one bit a square from a1 (lower left), and
whose turn it is. White moves up.
"""

from collections import namedtuple

from plywright import Game
from plywright.bits import lowest_bit, popcount

Board = namedtuple("Board", "white black turn")

A_FILE, E_FILE = 0b00001_00001_00001_00001_00001, 0b10000_10000_10000_10000_10000
FIRST_ROW, LAST_ROW = 0b11111, 0b11111 << 20


class Breakthrough(Game):
    player_names = ("white", "black")

    def initial(self):
        return Board(0b11111_11111, 0b11111_11111 << 15, 0)

    def to_move(self, state):
        return state.turn

    def actions(self, state):  # 3 * target + (0, 1, 2: the pawn came from the left, straight, from the right)
        own = state.black if state.turn else state.white
        free = ~(state.white | state.black)
        for way in range(3):
            movers = own & ~E_FILE if way == 0 else own & ~A_FILE if way == 2 else own
            targets = movers >> 4 + way if state.turn else movers << 6 - way
            targets &= free if way == 1 else ~own & (1 << 25) - 1
            while targets:
                yield 3 * lowest_bit(targets) + way
                targets &= targets - 1

    def result(self, state, action):
        target, way = action // 3, action % 3
        arrives = 1 << target
        if state.turn:
            return Board(state.white & ~arrives, state.black ^ arrives ^ (1 << target + 4 + way), 0)
        return Board(state.white ^ arrives ^ (1 << target - 6 + way), state.black & ~arrives, 1)

    def is_terminal(self, state):
        return state.white & LAST_ROW or state.black & FIRST_ROW or state.white == 0 or state.black == 0

    def utility(self, state, player):  # only the player who moved last can have won
        return -1 if player == state.turn else 1

    def evaluate(self, state, player):
        """Pawns ahead, as a share of the game."""
        ahead = (popcount(state.white) - popcount(state.black)) / 20
        return ahead if player == 0 else -ahead

    def format_action(self, state, action):
        target, way = action // 3, action % 3
        origin = target + 4 + way if state.turn else target - 6 + way
        return "".join("abcde"[square % 5] + str(square // 5 + 1) for square in (origin, target))
