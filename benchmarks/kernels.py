"""Nodes per second of the generic compiled kernel against the same algorithm by hand in C."""

from __future__ import annotations

import shutil
import statistics
import subprocess
import tempfile
import time
from pathlib import Path

from measure import Row, rate, skipped
from plywright import load_game, perft, search

HERE = Path(__file__).parent
POSITIONS = {
    "othello": [("", 9), ("f5d6c3d3c4", 9), ("f5f6e6f4e3", 9)],
    "connect-four": [("", 12), ("4453", 12), ("44444", 12)],
}
KNOWLEDGE = {"othello": "hand"}  # the evaluation that the C program has
ROUNDS = 7
PERFT_DEPTH = 9


def numbers(game: str, state: object) -> list[str]:
    """The state as the C program takes it."""
    fields = (state.mine, state.theirs, state.mover) if game == "othello" else (state.mine, state.theirs)  # type: ignore[attr-defined]
    return [str(int(field)) for field in fields]


def against_c(name: str, folder: Path) -> Row:
    title, target = f"{name}, plain alpha-beta, against the same in C (gcc -O3 -march=native)", ">= 0.9 x"
    program = folder / name.replace("-", "_")
    source = HERE / "c" / f"{program.name}.c"
    subprocess.run(["gcc", "-O3", "-march=native", "-o", str(program), str(source), "-lm"], check=True)
    game = load_game(name)
    knowledge = KNOWLEDGE.get(name)
    search(game, depth=1, algorithm="alphabeta", knowledge=knowledge)
    ours, theirs, ratios = [], [], []
    for moves, depth in POSITIONS[name]:
        state = game.play_moves(game.start_state, moves)
        for _ in range(ROUNDS):
            mine = search(game, state, depth=depth, algorithm="alphabeta", knowledge=knowledge)
            command = [str(program), *numbers(name, state), str(depth)]
            value, nodes, seconds = subprocess.run(command, check=True, capture_output=True, text=True).stdout.split()
            if float(value) != mine.value or int(nodes) != mine.nodes:
                raise SystemExit(f"{name}: C found {value} in {nodes} nodes, Plywright {mine.value} in {mine.nodes}")
            ours.append(mine.nodes_per_second)
            theirs.append(int(nodes) / float(seconds))
            ratios.append(ours[-1] / theirs[-1])
    ratio = statistics.median(ratios)
    detail = {"ratios": sorted(ratios), "same_value_and_nodes": True}
    rates = rate(statistics.median(ours)), rate(statistics.median(theirs))
    return Row(title, *rates, ratio, target, ratio >= 0.9, detail)


def perft_against_c(folder: Path) -> Row:
    """Lines per second of the generic perft against the same in C; the program is there already."""
    game, ratios, ours, theirs = load_game("othello"), [], [], []
    perft(game, 2)
    state = game.start_state
    for _ in range(ROUNDS):
        began = time.perf_counter()
        lines = perft(game, PERFT_DEPTH)
        ours.append(lines / (time.perf_counter() - began))
        command = [str(folder / "othello"), *numbers("othello", state), str(PERFT_DEPTH), "perft"]
        found, _, seconds = subprocess.run(command, check=True, capture_output=True, text=True).stdout.split()
        if int(found) != lines:
            raise SystemExit(f"perft: C counted {found} lines, Plywright {lines}")
        theirs.append(lines / float(seconds))
        ratios.append(ours[-1] / theirs[-1])
    ratio = statistics.median(ratios)
    rates = (f"{statistics.median(rates) / 1e6:.0f} M lines/s" for rates in (ours, theirs))
    title = f"othello, perft {PERFT_DEPTH}, against the same in C"
    return Row(title, *rates, ratio, ">= 0.95 x", ratio >= 0.95, {"ratios": sorted(ratios)})


def rows() -> list[Row]:
    if shutil.which("gcc") is None:
        why = "gcc is not installed"
        return [skipped(f"{name}, plain alpha-beta, against the same in C", why, ">= 0.9 x") for name in POSITIONS]
    with tempfile.TemporaryDirectory() as folder:
        return [*(against_c(name, Path(folder)) for name in POSITIONS), perft_against_c(Path(folder))]
