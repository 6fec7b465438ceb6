"""`plywright engine`: our player as a program, for referees and boards of others."""

from __future__ import annotations

import contextlib
import os
import sys
import threading

from ...arena.lineup import make_player
from ...errors import BadInput
from ...games import load_game
from ...programs import gtp, json_lines, nboard, uci, xy
from ...smoke_test import smoke_test
from ..console import choose

PROTOCOLS = {
    "json": json_lines.serve,
    "xy": xy.serve,
    "uci": uci.serve,
    "gtp": gtp.serve,
    "nboard": nboard.serve,
}


def serve_engine(name: str, protocol: str, player_text: str) -> None:
    """Speak until the input ends; only the protocol's lines go to standard output."""
    serve = choose(protocol, PROTOCOLS, "protocol")
    for stream, way in ((sys.stdin, "input"), (sys.stdout, "output")):
        if stream is None:
            raise BadInput(f"standard {way} is closed: the protocol is spoken there")
    game = load_game(name)
    smoke_test(game)
    if player_text == "human":
        raise BadInput("a person cannot be the engine: standard input belongs to the protocol")
    player = make_player(player_text, game)
    with contextlib.suppress(AttributeError):  # whatever bytes come, a line is a line
        sys.stdin.reconfigure(errors="replace")  # type: ignore[union-attr]
    lock = threading.Lock()

    def write(line: str) -> None:
        with lock:  # answers come from a thread of their own
            sys.stdout.write(line + "\n")
            sys.stdout.flush()

    try:
        serve(game, player, iter(sys.stdin.readline, ""), write)
    except OSError as error:
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())  # what could not be written is not tried again
        raise OSError(error.errno, error.strerror, error.filename or "standard output") from None
    finally:
        player.close()
