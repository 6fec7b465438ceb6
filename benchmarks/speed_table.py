"""The table of speed as text: the whole of it in docs/speed.md, six rows of it in the README."""

from __future__ import annotations

from pathlib import Path

from measure import Row
from plywright.files import write_whole

ROOT = Path(__file__).parent.parent
README, PAGE = ROOT / "README.md", ROOT / "docs" / "speed.md"
BEGIN, END = "<!-- speed table: begin -->", "<!-- speed table: end -->"
HEADLINES = (
    "othello, plain alpha-beta, against",
    "Connect Four, alpha-beta to depth 10,",
    "your own file",
    "connect-four, simulations of UCT",
    "leduc, CFR+ iterations",
    "every later run",
)
"""How the rows of the README begin."""


def markdown(rows: list[Row]) -> str:
    """The rows as a table."""
    lines = ["| task | Plywright | compared with | ratio | target |", "|---|---|---|---|---|"]
    for row in rows:
        ratio = "-" if row.ratio is None else f"{row.ratio:.2f}" if row.ratio < 10 else f"{row.ratio:,.0f}"
        verdict = "" if row.met is None else " met" if row.met else " **not met**"
        lines.append(f"| {row.name} | {row.ours} | {row.theirs} | {ratio} | {row.target}{verdict} |")
    return "\n".join(lines)


def headlines(rows: list[Row]) -> list[Row]:
    """The rows of the README, in the order of HEADLINES."""
    return [row for begin in HEADLINES for row in rows if row.name.startswith(begin)]


def replaced_table(text: str, rows: list[Row]) -> str:
    """A page with these rows between its two comments."""
    before, after = text.split(BEGIN)[0], text.split(END)[1]
    return f"{before}{BEGIN}\n{markdown(rows)}\n{END}{after}"


def write_tables(rows: list[Row]) -> None:
    """Put the rows into docs/speed.md, and the six of the README there."""
    for path, chosen in ((PAGE, rows), (README, headlines(rows))):
        write_whole(path, replaced_table(path.read_text(encoding="utf-8"), chosen).encode())
