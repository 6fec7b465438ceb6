"""A thousand piped games, and a tournament that is killed again and again: nothing lost, nothing twice."""

from __future__ import annotations

import os
import random
import subprocess
import sys
import tempfile
import time
from pathlib import Path
from typing import Any

from measure import Row
from plywright.arena.match import TOURNAMENT, play_match
from plywright.arena.records.run_file import Records
from plywright.arena.runner import Progress
from plywright.arena.standings import standings
from plywright.games import load_game

PIPED = 1000
AT_A_TIME = 4
PLAYERS = 20
KILLS = 10

TOURNEY = """
import sys
from plywright.arena.match import play_match
if __name__ == "__main__":
    play_match(["random", "first"] * 10, "tic-tac-toe", games=2, mode="depth:1", kind="tournament", opening="random:2",
               record=sys.argv[1])
"""


def rows() -> list[Row]:
    with tempfile.TemporaryDirectory() as folder:
        bot = Path(folder) / "bot.py"
        subprocess.run(
            [sys.executable, "-m", "plywright", "new", str(bot), "--protocol", "json"], check=True, capture_output=True
        )
        piped = f"pipe:{sys.executable} {bot}?isolation=limits"
        return [thousand(piped, Path(folder)), killed(Path(folder))]


def thousand(player: str, folder: Path) -> Row:
    path = folder / "thousand"
    began = time.perf_counter()
    play_match([player, player], "tic-tac-toe", games=PIPED, mode="move:5s", jobs=AT_A_TIME, record=path)
    total = time.perf_counter() - began
    with Records.open(path) as records:
        outcomes = records.outcomes()
        counted = [outcome.game for outcome in outcomes if outcome.payoffs is not None]
        offences = sum(outcome.offender is not None for outcome in outcomes)
    right = sorted(counted) == list(range(1, PIPED + 1))
    lost, twice = PIPED - len(set(counted)), len(counted) - len(set(counted))
    words = f"{lost} lost, {twice} twice, {offences} judged against a program"
    detail = {"seconds": total, "lost": lost, "twice": twice, "offences": offences, "attempts": len(outcomes)}
    name = f"{PIPED:,} piped games, {AT_A_TIME} at a time"
    return Row(name, f"{total:.1f} s", words, None, "none lost or twice", right and not offences, detail)


def killed(folder: Path) -> Row:
    """A double round robin, killed ten times at random moments and resumed; the same result as undisturbed."""
    path, script = folder / "tourney", folder / "tourney.py"
    script.write_text(TOURNEY)
    rng, alive = random.Random(4), 0
    for _ in range(KILLS):
        before = traces(path)
        process = subprocess.Popen([sys.executable, str(script), str(path)], env=os.environ)
        while process.poll() is None and traces(path) == before:
            time.sleep(0.002)
        time.sleep(rng.random() * 0.3)
        alive += process.poll() is None
        process.kill()
        process.wait()
    subprocess.run([sys.executable, str(script), str(path)], check=True, env=os.environ)
    with Records.open(path) as records:
        outcomes = records.outcomes()
        found = standings(Progress(records.plan, outcomes), load_game("tic-tac-toe"))
        sessions = len(records.sessions())
    whole = play_match(
        *(["random", "first"] * (PLAYERS // 2), "tic-tac-toe"),
        games=2,
        mode="depth:1",
        kind=TOURNAMENT,
        opening="random:2",
        record=folder / "whole",
    )
    games = PLAYERS * (PLAYERS - 1)
    right = sorted(outcome.game for outcome in outcomes) == list(range(1, games + 1))
    right = right and found.crosstable == whole.crosstable
    detail: dict[str, Any] = {"games": len(outcomes), "kills_while_playing": alive, "sessions": sessions}
    words = f"{len(outcomes)} games in {sessions} sessions, {alive} of {KILLS} killed while playing"
    name = f"{PLAYERS} players, double round robin, killed {KILLS} times"
    return Row(name, "same cross table" if right else "wrong", words, None, "totals right", right, detail)


def traces(path: Path) -> list[int]:
    """What changes as soon as a run writes."""
    return [each.stat().st_mtime_ns for each in (path, Path(f"{path}-wal")) if each.exists()]


if __name__ == "__main__":
    for row in rows():
        print(f"{row.name}: {row.ours} ({row.theirs}); {row.target}: {'met' if row.met else 'NOT met'}")
