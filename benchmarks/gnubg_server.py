"""Runs inside GNU Backgammon (gnubg -t -q -r -p gnubg_server.py): values of positions, asked for by JSON lines.

GNUBG_PIPES names two pipes, one to read requests from and one to answer in. A request is {"plies": 0, "boards": [[them,
us], ...]}, 25 numbers a side, points 1 to 24 and the bar, us on roll; the answer is [[equity, class], ...], the equity
without the cube and with gammons.
"""

import json
import os
from pathlib import Path

import gnubg  # type: ignore[import-not-found]

CUBE = dict(gnubg.cubeinfo(1, -1, 0, 0, (0, 0), 0, 0))
CUBE["jacoby"] = 0
CUBE["gammonprice"] = ((1.0, 1.0), (1.0, 1.0))


def equity(board, plies):
    found = gnubg.evaluate(board, CUBE, {"cubeful": 0, "plies": plies, "deterministic": 1, "prune": 1, "noise": 0.0})
    win, gammon, backgammon, lost_gammon, lost_backgammon = found[:5]
    return 2 * win - 1 + gammon + backgammon - lost_gammon - lost_backgammon


def serve():
    requests, answers = os.environ["GNUBG_PIPES"].split(",")
    with Path(requests).open() as asked, Path(answers).open("w") as told:
        for line in asked:
            request = json.loads(line)
            boards = [(tuple(them), tuple(us)) for them, us in request["boards"]]
            found = [[equity(board, request["plies"]), gnubg.classifypos(board)] for board in boards]
            told.write(json.dumps(found) + "\n")
            told.flush()


serve()
