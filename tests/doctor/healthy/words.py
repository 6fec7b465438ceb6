"""Two players spell a word between them; whoever completes one loses. The state is a text, so it stays Python."""

from plywright import Game

WORDS = ("cat", "car", "care", "cot", "dot", "dog")
LETTERS = "abcdefghijklmnopqrstuvwxyz"


class Ghost(Game):
    def initial(self):
        return ""

    def to_move(self, state):
        return len(state) % 2

    def actions(self, state):
        for number, letter in enumerate(LETTERS):
            if any(word.startswith(state + letter) for word in WORDS):
                yield number

    def result(self, state, action):
        return state + LETTERS[action]

    def is_terminal(self, state):
        return state in WORDS

    def utility(self, state, player):
        return 1 if player == self.to_move(state) else -1

    def format_action(self, state, action):
        return LETTERS[action]

    def format_state(self, state):
        return state or "-"

    def parse_state(self, text):
        return "" if text == "-" else text
