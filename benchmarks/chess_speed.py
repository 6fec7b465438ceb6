"""Chess: perft against Stockfish and python-chess, nodes a second, threads, starts, and what each selective step saves.

`python benchmarks/chess_speed.py` prints the rows (`... perft nodes threads start` only some); `... steps` writes the
table of time to depth 12 without each step into docs/chess.md, `... steps 17` prints another.
"""

from __future__ import annotations

import importlib.util
import shutil
import statistics
import subprocess
import sys
import tempfile
import time
from pathlib import Path
from typing import Any

from chess_strength import STEPS, write_tables
from measure import Row, rate, seconds, short, skipped
from plywright import load_game, perft, search
from plywright.games.chess.knowledge import ChessKnowledge
from startup import spend

START = "import plywright as p; p.search(p.load_game('chess'), nodes=1000)"
KIWIPETE = "r3k2r/p1ppqpb1/bn2pnp1/3PN3/1p2P3/2N2Q1p/PPPBBPPP/R3K2R w KQkq - 0 1"
COUNTS = (("the start, 6 plies", "startpos", 6, 119_060_324), ("Kiwipete, 5 plies", KIWIPETE, 5, 193_690_690))
MIDDLEGAMES = [  # the ends of the first lines of the openings that matches use, and what comes after quiet play
    "r1bqkb1r/1ppp1ppp/p1n2n2/4p3/B3P3/5N2/PPPP1PPP/RNBQK2R w KQkq - 2 5",
    "r1bqk2r/pppp1ppp/2n2n2/2b1p3/2B1P3/2P2N2/PP1P1PPP/RNBQK2R w KQkq - 1 5",
    "rnbqkb1r/1p2pppp/p2p1n2/8/3NP3/2N5/PPP2PPP/R1BQKB1R w KQkq - 0 6",
    "rnbqk2r/pp3ppp/4pn2/2pp4/1bPP4/2N1PN2/PP3PPP/R1BQKB1R w KQkq - 0 6",
    "rnbq1rk1/ppp1ppbp/3p1np1/8/2PPP3/2N2N2/PP3PPP/R1BQKB1R w KQ - 3 6",
    "r1bq1rk1/pp2bppp/2n1pn2/3p4/2PP4/2N2N2/PP2BPPP/R1BQ1RK1 w - - 0 9",
    "r2q1rk1/pp2ppbp/2np1np1/8/2BNP1b1/2N1BP2/PPPQ2PP/R3K2R w KQ - 1 10",
    "2rq1rk1/pb1nbppp/1p2pn2/2pp4/2PP4/1PN1PN2/PB2BPPP/2RQ1RK1 w - - 4 11",
    "r1b2rk1/1pq1bppp/p2ppn2/2n5/3NP3/1BN1B3/PPP1QPPP/2KR3R w - - 6 12",
    KIWIPETE,
]


def stockfish() -> str | None:
    return shutil.which("stockfish") or ("/usr/games/stockfish" if Path("/usr/games/stockfish").exists() else None)


def stockfish_perft(place: str, depth: int) -> tuple[float, int]:
    """Seconds from `go perft` to its answer, and the count."""
    with subprocess.Popen([stockfish() or ""], stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True) as program:
        assert program.stdin is not None and program.stdout is not None
        position = "startpos" if place == "startpos" else f"fen {place}"
        program.stdin.write(f"position {position}\nisready\n")
        program.stdin.flush()
        while program.stdout.readline().strip() != "readyok":
            continue
        began = time.perf_counter()
        program.stdin.write(f"go perft {depth}\n")
        program.stdin.flush()
        while not (line := program.stdout.readline()).startswith("Nodes searched"):
            continue
        taken = time.perf_counter() - began
        program.stdin.write("quit\n")
        program.stdin.flush()
        return taken, int(line.split(":")[1])


def perft_rows(rounds: int = 5) -> list[Row]:
    game, found = load_game("chess:draws=none"), []
    perft(game, 2, finished=False)  # compiled before the clock starts
    for name, place, depth, count in COUNTS:
        state = game.start_state if place == "startpos" else game.read_state(place)
        if stockfish() is None:
            found.append(skipped(f"chess perft of {name}, against Stockfish", "stockfish is not installed", ">= 0.9 x"))
            continue
        ratios, ours = [], []
        for _ in range(rounds):
            taken, lines = seconds(lambda state=state, depth=depth: perft(game, depth, state, finished=False))
            other, theirs = stockfish_perft(place, depth)
            assert lines == theirs == count
            ratios.append(other / taken)
            ours.append(taken)
        ratio = sorted(ratios)[rounds // 2]
        best = sorted(ours)[rounds // 2]
        text = f"{short(best)}, {count / best / 1e6:.0f} M/s"
        row = f"chess perft of {name}, the last ply counted, against Debian's Stockfish"
        found.append(Row(row, text, short(best * ratio), ratio, ">= 0.9 x", ratio >= 0.9, {"ratios": ratios}))
    return [*found, python_chess_row(game)]


def python_chess_row(game: Any) -> Row:
    name, target = "chess perft of Kiwipete, lines a second, against python-chess", ">= 400 x"
    if importlib.util.find_spec("chess") is None:
        return skipped(name, "chess is not installed", target)
    import chess

    def count(board: Any, depth: int) -> int:
        if depth == 1:
            return board.legal_moves.count()
        lines = 0
        for move in board.legal_moves:
            board.push(move)
            lines += count(board, depth - 1)
            board.pop()
        return lines

    board = chess.Board(KIWIPETE)
    state = game.read_state(KIWIPETE)
    theirs, lines = seconds(lambda: count(board, 3))
    ours, more = seconds(lambda: perft(game, 5, state, finished=False))
    mine, other = more / ours, lines / theirs
    ratio = mine / other
    return Row(name, f"{mine / 1e6:.0f} M/s", f"{other / 1e6:.2f} M/s", ratio, target, ratio >= 400, {})


def speed_rows(nodes: int = 1_000_000) -> list[Row]:
    game = load_game("chess")
    search(game, nodes=1000)
    total, spent = 0, 0.0
    for text in MIDDLEGAMES:
        state = game.read_state(text)
        taken, found = seconds(lambda state=state: search(game, state, nodes=nodes))
        total, spent = total + found.nodes, spent + taken
    name = "chess, nodes a second with the whole evaluation, ten middlegames, one thread"
    speed = total / spent
    return [Row(name, rate(speed), "-", None, ">= 1.5 M nodes/s", speed >= 1.5e6, {"nodes": total})]


def thread_rows(depth: int = 18, rounds: int = 3) -> list[Row]:
    """Time to a depth, half a second for each, together; one search at a time, alternating, each several times."""
    game = load_game("chess")
    one = two = 0.0
    for text in MIDDLEGAMES * rounds:
        state = game.read_state(text)
        search(game, state, depth=6, exact=False, threads=2)
        one += seconds(lambda state=state: search(game, state, depth=depth, exact=False))[0]
        two += seconds(lambda state=state: search(game, state, depth=depth, exact=False, threads=2))[0]
    name = f"chess, {len(MIDDLEGAMES)} middlegames to depth {depth}, two threads against one"
    return [Row(name, short(two), short(one), one / two, ">= 1.6 x", one / two >= 1.6, {})]


def start_rows() -> list[Row]:
    """A search with nothing in the cache, and with everything."""
    with tempfile.TemporaryDirectory() as cache:
        first = spend(["-c", START], cache)
        later = statistics.median(spend(["-c", START], cache) for _ in range(5))
    return [
        Row("chess, first run ever: compile and search", f"{first:.2f} s", "-", None, "<= 15 s", first <= 15),
        Row("chess, every later run", f"{later:.2f} s", "-", None, "<= 0.6 s", later <= 0.6),
    ]


class Everything(ChessKnowledge):
    """The whole knowledge; a class of this file as those without a step are, and so compiled as they are."""


def steps(depth: int = 12) -> str:
    """Nodes and seconds of processor time to a depth from ten middlegames, with and without each selective step."""
    lines = [f"| search to depth {depth} | nodes | seconds |", "|---|---|---|"]
    for name, cls in (("everything", Everything), *((f"without {name}", cls) for name, cls in STEPS.values())):
        knowledge = cls(load_game("chess"))
        search(knowledge.game, depth=2, exact=False, knowledge=knowledge)
        nodes, began = 0, time.process_time()
        for text in MIDDLEGAMES:
            state = knowledge.game.read_state(text)
            nodes += search(knowledge.game, state, depth=depth, exact=False, knowledge=knowledge).nodes
        lines.append(f"| {name} | {nodes:,} | {time.process_time() - began:.2f} |")
        print(lines[-1], flush=True)
    return "\n".join(lines)


PARTS = {"perft": perft_rows, "nodes": speed_rows, "threads": thread_rows, "start": start_rows}


def rows() -> list[Row]:
    return [row for part in PARTS.values() for row in part()]


if __name__ == "__main__":
    if sys.argv[1:] == ["steps"]:
        write_tables({"depth": steps()})
    elif sys.argv[1:2] == ["steps"]:
        steps(int(sys.argv[2]))
    else:
        for part in sys.argv[1:] or PARTS:
            for row in PARTS[part]():
                print(row)
