"""Kalah: sow seeds around the board; whoever has more of them in the store at the end wins.

`pits` are 14 numbers: six pits and the store of the first player, then those of the second. A move empties a pit and
sows one seed each into the next ones, leaving out the other's store. The last seed in one's own store gives another
turn; in an empty pit of one's own it takes the seeds opposite, too.
"""

from collections import namedtuple

from plywright import Game

Board = namedtuple("Board", "pits turn")


class Kalah(Game):
    player_names = ("South", "North")
    max_actions = 6

    def __init__(self, seeds=4):
        self.seeds = seeds

    def initial(self):
        side = (self.seeds,) * 6 + (0,)
        return Board(side + side, 0)

    def to_move(self, state):
        return state.turn

    def actions(self, state):
        for pit in range(6):
            if state.pits[7 * state.turn + pit] > 0:
                yield pit

    def result(self, state, action):
        pits = list(state.pits)
        store, other = 7 * state.turn + 6, 13 - 7 * state.turn
        place = 7 * state.turn + action
        hand = pits[place]
        pits[place] = 0
        while hand > 0:
            place = (place + 1) % 14
            if place != other:
                pits[place] += 1
                hand -= 1
        own = store - 6 <= place < store
        if own and pits[place] == 1 and pits[12 - place] > 0:
            pits[store] += 1 + pits[12 - place]
            pits[place] = 0
            pits[12 - place] = 0
        if sum(pits[0:6]) == 0 or sum(pits[7:13]) == 0:  # whoever still has seeds keeps them
            for side in range(2):
                for pit in range(6):
                    pits[7 * side + 6] += pits[7 * side + pit]
                    pits[7 * side + pit] = 0
        return Board(tuple(pits), state.turn if place == store else 1 - state.turn)

    def utility(self, state, player):
        lead = state.pits[6] - state.pits[13]
        if lead == 0:
            return 0
        return 1 if (lead > 0) == (player == 0) else -1
