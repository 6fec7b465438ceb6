"""`make background`: everything that Plywright claims about speed, measured here and now.

Writes benchmarks/results/*.json, the table in README.md and the plot of leaves. Rivals that are not
installed are skipped with a message.
"""

from __future__ import annotations

import json
import platform
import sys
from importlib.metadata import PackageNotFoundError, version
from pathlib import Path
from typing import Any

sys.path.insert(0, str(Path(__file__).parent))

from plywright.cli.background import POSITIONS, measure
from rich.console import Console
from rich.table import Table

import chance
import endgames
import engine
import hidden
import kernels
import leaves
import matches
import mcts
import pacman
import page
import referee
import rivals
import solving
import startup
import tiles
from measure import Row
from plywright.files import write_whole

HERE = Path(__file__).parent
ROOT = HERE.parent
RESULTS = HERE / "results"
BEGIN, END = "<!-- speed table: begin -->", "<!-- speed table: end -->"


def machine() -> dict[str, Any]:
    """What the figures were measured on; they are ratios, not promises."""
    found = {}
    for package in ("plywright", "numba", "numpy", "open-spiel", "easyAI"):
        try:
            found[package] = version(package)
        except PackageNotFoundError:
            found[package] = "not installed"
    return {"python": platform.python_version(), "processor": processor(), "packages": found}


def processor() -> str:
    try:
        lines = Path("/proc/cpuinfo").read_text().splitlines()
        return next(line.split(":", 1)[1].strip() for line in lines if line.startswith("model name"))
    except (OSError, StopIteration):
        return platform.processor() or platform.machine()


def markdown(rows: list[Row]) -> str:
    lines = ["| task | Plywright | compared with | ratio | target |", "|---|---|---|---|---|"]
    for row in rows:
        ratio = "-" if row.ratio is None else f"{row.ratio:.2f}" if row.ratio < 10 else f"{row.ratio:,.0f}"
        verdict = "" if row.met is None else " met" if row.met else " **not met**"
        lines.append(f"| {row.name} | {row.ours} | {row.theirs} | {ratio} | {row.target}{verdict} |")
    return "\n".join(lines)


def write_json(name: str, value: Any) -> None:
    write_whole(RESULTS / name, (json.dumps(value, indent=1) + "\n").encode())


def main() -> None:
    console = Console()
    RESULTS.mkdir(exist_ok=True)
    steps = {
        "kernels against C": kernels.rows,
        "rivals": rivals.rows,
        "your own file": lambda: [rivals.user_file_against_python_game(str(ROOT / "examples" / "breakthrough.py"))],
        "Monte Carlo tree search": mcts.rows,
        "start": startup.rows,
        "solving Connect Four": solving.rows,
        "Othello endgames": endgames.rows,
        "the engine": engine.rows,
        "matches": matches.rows,
        "referee": referee.rows,
        "chance": chance.rows,
        "2048": tiles.rows,
        "hidden information": hidden.rows,
        "Pac-Man": pacman.rows,
        "the page": page.rows,
    }
    rows: list[Row] = []
    for name, step in steps.items():
        with console.status(f"measuring {name}"):
            rows += step()
    with console.status("measuring games and leaves"):
        games = [measure(*place) for place in POSITIONS]
        table_of_leaves = leaves.table()
        leaves.plot()
    write_json("speed.json", {"machine": machine(), "rows": [row.as_dict() for row in rows]})
    write_json("games.json", {"machine": machine(), "rows": games, "signature": sum(game["nodes"] for game in games)})
    write_json("leaves.json", table_of_leaves)
    write_json("branching.json", {"machine": machine(), "rows": engine.branching()})
    write_json("star_pruning.json", {"machine": machine(), "rows": chance.pruning_table()})
    readme = (ROOT / "README.md").read_text(encoding="utf-8")
    before, after = readme.split(BEGIN)[0], readme.split(END)[1]
    write_whole(ROOT / "README.md", f"{before}{BEGIN}\n{markdown(rows)}\n{END}{after}".encode())
    table = Table("task", "Plywright", "compared with", "ratio", "target", box=None, header_style="bold")
    for row in rows:
        ratio = "-" if row.ratio is None else f"{row.ratio:,.2f}"
        met = {True: "[green]met[/green]", False: "[red]not met[/red]", None: ""}[row.met]
        table.add_row(row.name, row.ours, row.theirs, ratio, f"{row.target} {met}")
    console.print(table)
    console.print(f"wrote {RESULTS.relative_to(ROOT)}/*.json, README.md, {leaves.PLOT.relative_to(ROOT)}")


if __name__ == "__main__":
    main()
