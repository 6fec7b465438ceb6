"""Runs inside GNU Backgammon (gnubg -t -q -r -p gnubg_server.py): values of positions, asked for by JSON lines.

GNUBG_PIPES names two pipes, one to read requests from and one to answer in. A request is {"plies": 0, "boards": [[them,
us], ...]}, 25 numbers a side, points 1 to 24 and the bar, us on roll; the answer is [[equity, class], ...], the equity
without the cube and with gammons. With "dice", a roll for each board, it is the boards [them, us] after our best plays.
"""

import json
import os
from pathlib import Path

import gnubg  # type: ignore[import-not-found]

CUBE = dict(gnubg.cubeinfo(1, -1, 0, 0, (0, 0), 0, 0))
CUBE["jacoby"] = 0
CUBE["gammonprice"] = ((1.0, 1.0), (1.0, 1.0))


gnubg.command("set threads 1")  # handing a position to another thread takes longer than to judge it


def context(plies):
    return {"cubeful": 0, "plies": plies, "deterministic": 1, "prune": 1, "noise": 0.0}


def equity(board, plies):
    found = gnubg.evaluate(board, CUBE, context(plies))
    win, gammon, backgammon, lost_gammon, lost_backgammon = found[:5]
    return 2 * win - 1 + gammon + backgammon - lost_gammon - lost_backgammon


def played(board, plies, dice):
    """The board after gnubg's own choice, which it gives as from, to, from, to: 25 is the bar, 0 is off."""
    them, us = map(list, board)
    move = gnubg.findbestmove(board, CUBE, context(plies), tuple(dice))
    for start, end in zip(move[::2], move[1::2], strict=True):
        if start == 0:
            break
        us[start - 1] -= 1
        if end > 0:
            us[end - 1] += 1
            if them[24 - end] == 1:
                them[24 - end] = 0
                them[24] += 1
    return them, us


def serve():
    requests, answers = os.environ["GNUBG_PIPES"].split(",")
    with Path(requests).open() as asked, Path(answers).open("w") as told:
        for line in asked:
            request = json.loads(line)
            boards = [(tuple(them), tuple(us)) for them, us in request["boards"]]
            if "dice" in request:
                found = [
                    played(board, request["plies"], dice) for board, dice in zip(boards, request["dice"], strict=True)
                ]
            else:
                found = [[equity(board, request["plies"]), gnubg.classifypos(board)] for board in boards]
            told.write(json.dumps(found) + "\n")
            told.flush()


serve()
