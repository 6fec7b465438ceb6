"""Checkers and the solvers: perft, building a table, proof-number search.

python benchmarks/checkers.py
"""

from __future__ import annotations

import tempfile
import time

from measure import Row
from plywright import load_game, perft
from plywright.engine.proof.dfpn_search import prove
from plywright.tables import build_table

PERFT = (10, 18_391_564)
PROBLEM = "bb.bb./b.b.bb/..bwb./.wwb.w/.w.ww./w.ww.w b"


def best_of(times: int, task: object) -> float:
    found = []
    for _ in range(times):
        began = time.perf_counter()
        task()  # type: ignore[operator]
        found.append(time.perf_counter() - began)
    return min(found)


def rows() -> list[Row]:
    return [counted(), table(), proof_numbers()]


def counted() -> Row:
    game = load_game("checkers")
    depth, lines = PERFT
    assert perft(game, depth, finished=False) == lines
    speed = lines / best_of(3, lambda: perft(game, depth, finished=False))
    name = f"checkers, perft to depth {depth}, counted"
    return Row(name, f"{speed / 1e6:.1f} M lines/s", "-", None, ">= 50 M/s", speed >= 50e6)


def table() -> Row:
    with tempfile.TemporaryDirectory() as folder:
        build_table("checkers", 2, f"{folder}/first")  # compiles
        began = time.perf_counter()
        found = build_table("checkers", 4, f"{folder}/whole")
        seconds = time.perf_counter() - began
        size = found.path.stat().st_size / found.positions
    positions = found.positions
    ours = f"{positions / seconds:,.0f} positions/s, {seconds:.1f} s, {size:.2f} bytes a position"
    return Row("checkers, table of all endings with up to 4 pieces", ours, "-", None, "< 60 s", seconds < 60)


def proof_numbers() -> Row:
    game = load_game("breakthrough:columns=6,rows=6")
    state = game.parse_state(PROBLEM)
    prove(game, state, keep=False)
    nodes = prove(game, state, keep=False).nodes
    speed = nodes / best_of(3, lambda: prove(game, state, keep=False))
    name = "breakthrough 6x6, a problem by proof-number search"
    return Row(name, f"{speed / 1e3:,.0f} k nodes/s, {nodes:,} nodes", "-", None, "measured", None)


if __name__ == "__main__":
    for row in rows():
        print(row.name, "|", row.ours, "|", row.target, row.met)
