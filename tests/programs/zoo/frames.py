"""The honest frame of each protocol: greets, keeps the position, and hands every question to a behaviour as a Turn."""

import json
import os
import re
import sys


def write(data):
    """Bytes or a line, all of it and at once."""
    data = data if isinstance(data, bytes) else f"{data}\n".encode()
    while data:
        data = data[os.write(1, data) :]


class Turn:
    """One question: `honest()` answers it, `answer(move)` answers it so, `say(line)` writes whatever it likes."""

    def __init__(self, number, legal, answer, message=None):
        self.number, self.legal, self.answer, self.message = number, legal, answer, message

    def say(self, data):
        write(data)

    def honest(self):
        self.answer(self.legal[0])


# -- tic-tac-toe and Othello on four by four, as much as answering takes -------------------------------------

CELLS = [f"{column}{row}" for row in "123" for column in "abc"]


def free_cells(moves):
    return [cell for cell in CELLS if cell not in moves]


class SmallOthello:
    def __init__(self):
        self.board = {(1, 1): 1, (2, 2): 1, (1, 2): 0, (2, 1): 0}
        self.mover = 0

    def flips(self, square, mover):
        found = []
        for dx, dy in [(x, y) for x in (-1, 0, 1) for y in (-1, 0, 1) if x or y]:
            line, (x, y) = [], square
            while self.board.get((x + dx, y + dy)) == 1 - mover:
                x, y = x + dx, y + dy
                line.append((x, y))
            if line and self.board.get((x + dx, y + dy)) == mover:
                found += line
        return found if square not in self.board else []

    def legal(self):
        squares = [(x, y) for x in range(4) for y in range(4)]
        return [name(square) for square in squares if self.flips(square, self.mover)] or ["pass"]

    def play(self, text):
        if text not in ("pass", "pa"):
            square = ord(text[0]) - 97, int(text[1]) - 1
            for other in [*self.flips(square, self.mover), square]:
                self.board[other] = self.mover
        self.mover = 1 - self.mover


def name(square):
    return f"{chr(97 + square[0])}{square[1] + 1}"


def to_xy(text):
    return text if text == "pass" else f"{ord(text[0]) - 96} {5 - int(text[1])}"


def from_xy(line):
    words = line.split()
    return "pass" if words == ["pass"] else name((int(words[0]) - 1, 4 - int(words[1])))


# -- the protocols -------------------------------------------------------------------------------------------


def json_frame(behave):
    number = games = 0
    for line in sys.stdin:
        message = json.loads(line)
        if message["type"] == "hello":
            write(json.dumps({"type": "hello", "name": "zoo"}))
        elif message["type"] == "ping":
            write(json.dumps({"type": "pong", "id": message["id"]}))
        elif message["type"] == "new":
            games += 1
        elif message["type"] == "go":
            number += 1

            def answer(move, asked=message["id"]):
                write(json.dumps({"type": "move", "id": asked, "move": move}))

            turn = Turn(number, message["legal"], answer, message)
            turn.game = games
            behave(turn)


def uci_frame(behave):
    number, moves = 0, []
    for line in sys.stdin:
        words = line.split()
        if words == ["uci"]:
            write("id name zoo\nuciok")
        elif words == ["isready"]:
            write("readyok")
        elif words[:1] == ["position"]:
            moves = words[3:]
        elif words[:1] == ["go"]:
            number += 1
            behave(Turn(number, free_cells(moves), lambda move: write(f"bestmove {move}")))


def gtp_frame(behave):
    number, moves = 0, []
    for line in sys.stdin:
        asked, command, *words = line.split()
        if command == "genmove":
            number += 1

            def answer(move, asked=asked, moves=moves):
                moves.append(move)
                write(f"={asked} {move}\n")

            turn = Turn(number, free_cells(moves), answer)
            turn.asked = asked
            behave(turn)
            continue
        if command == "clear_board":
            moves.clear()
        elif command == "play":
            moves.append(words[1].lower())
        text = {"protocol_version": "2", "list_commands": "genmove\nplay\nquit"}.get(command, "")
        write(f"={asked} {text}\n")


def nboard_frame(behave):
    number, game = 0, SmallOthello()
    for line in sys.stdin:
        words = line.split()
        if words[:1] == ["ping"]:
            write(f"pong {words[1]}")
        elif words[:2] == ["set", "game"]:
            game = SmallOthello()
            for move in re.findall(r"[BW]\[(\w+)", line.partition("BO[")[2]):
                game.play(move.lower())
        elif words[:1] == ["go"]:
            number += 1
            behave(Turn(number, game.legal(), lambda move: write(f"=== {move.upper()}")))


def xy_frame(behave):
    game, number = SmallOthello(), 0
    for line in sys.stdin:
        words = line.split()
        if words[:1] != ["game"]:
            game.play(from_xy(line))
        elif words[1] == "white":
            continue
        number += 1

        def answer(move):
            game.play(move)
            write(to_xy(move))

        behave(Turn(number, game.legal(), answer))


FRAMES = {"json": json_frame, "uci": uci_frame, "gtp": gtp_frame, "nboard": nboard_frame, "xy": xy_frame}
