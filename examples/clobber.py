"""Clobber: a stone takes a stone of the other player right beside it, or above or below; who cannot, loses.

The board begins full, the colours as on a chessboard. An action is four times the cell a stone leaves, plus the
direction: right, left, up, down.
"""

from collections import namedtuple

from plywright import Game

Board = namedtuple("Board", "cells turn")  # in a cell 0 is nothing, 1 a stone of the first player, 2 of the second


class Clobber(Game):
    player_names = ("Blue", "Red")

    def __init__(self, rows=6, columns=5):
        self.rows, self.columns = rows, columns
        self.max_actions = 4 * rows * columns

    def initial(self):
        cells = [1 + (cell // self.columns + cell % self.columns) % 2 for cell in range(self.rows * self.columns)]
        return Board(tuple(cells), 0)

    def to_move(self, state):
        return state.turn

    def beside(self, cell, direction):
        """The next cell in a direction, or -1."""
        row, column = cell // self.columns, cell % self.columns
        if direction == 0:
            return cell + 1 if column + 1 < self.columns else -1
        if direction == 1:
            return cell - 1 if column > 0 else -1
        if direction == 2:
            return cell + self.columns if row + 1 < self.rows else -1
        return cell - self.columns if row > 0 else -1

    def actions(self, state):
        for cell in range(self.rows * self.columns):
            if state.cells[cell] == state.turn + 1:
                for direction in range(4):
                    target = self.beside(cell, direction)
                    if target >= 0 and state.cells[target] == 2 - state.turn:
                        yield 4 * cell + direction

    def result(self, state, action):
        cells = list(state.cells)
        cells[self.beside(action // 4, action % 4)] = state.turn + 1
        cells[action // 4] = 0
        return Board(tuple(cells), 1 - state.turn)

    def utility(self, state, player):
        return -1 if player == state.turn else 1
