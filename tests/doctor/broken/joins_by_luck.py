"""key() keeps a few bits of a board only: states that have nothing to do with one another share one."""

from plywright import Game, Knowledge

LINES = ((0, 1, 2), (3, 4, 5), (6, 7, 8), (0, 3, 6), (1, 4, 7), (2, 5, 8), (0, 4, 8), (2, 4, 6))


class BrokenKnowledge(Knowledge):
    def key(self, state):
        return sum((" .XO".index(cell)) * 3**place for place, cell in enumerate(state)) % 509


class Broken(Game):
    max_actions = 9
    knowledge = BrokenKnowledge

    def initial(self):
        return "." * 9

    def to_move(self, state):
        return (9 - state.count(".")) % 2

    def actions(self, state):
        for place in range(9):
            if state[place] == ".":
                yield place

    def result(self, state, action):
        return state[:action] + "XO"[self.to_move(state)] + state[action + 1 :]

    def is_terminal(self, state):
        return "." not in state or self.winner(state) != "."

    def utility(self, state, player):
        winner = self.winner(state)
        return 0 if winner == "." else 1 if winner == "XO"[player] else -1

    def winner(self, state):
        for a, b, c in LINES:
            if state[a] == state[b] == state[c] != ".":
                return state[a]
        return "."
