"""A class of sixty small programs: 3,540 games over pipes, and kill -9 of runner and workers at 100 random moments.

python benchmarks/class_load.py [PROGRAMS] [KILLS] [JOBS]

The first class is played through and timed. The second, of a third of the programs, is killed again and again while it
plays: the command itself, or one of the processes that play its games, by turns; the same command then goes on. Both
records are checked: no game lost, none twice, all by the rules.
"""

from __future__ import annotations

import os
import random
import shutil
import signal
import sqlite3
import subprocess
import sys
import tempfile
import time
from pathlib import Path

from measure import Row
from plywright.arena.records.check import check_record
from plywright.arena.records.run_file import Records
from plywright.games import load_game
from plywright.programs.supervisor import descendants

BOT = r"""
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
static char line[1 << 16], moves[64][8];
int main(void) {
    while (fgets(line, sizeof line, stdin)) {
        char *id = strstr(line, "\"id\": "), *at;
        int number = id ? atoi(id + 6) : 0, count = 0;
        if (strstr(line, "\"type\": \"hello\"")) printf("{\"type\": \"hello\"}\n");
        else if (strstr(line, "\"type\": \"ping\"")) printf("{\"type\": \"pong\", \"id\": %d}\n", number);
        else if ((at = strstr(line, "\"legal\": ["))) {
            for (at += 10; *at && *at != ']' && count < 64; at++)
                if (*at == '"') { sscanf(at + 1, "%7[^\"]", moves[count++]); at = strchr(at + 1, '"'); }
            printf("{\"type\": \"move\", \"id\": %d, \"move\": \"%s\"}\n", number, moves[(PLACE * 7 + number) % count]);
        }
        fflush(stdout);
    }
    return 0;
}
"""


def hand_in(folder: Path, count: int) -> None:
    for number in range(count):
        place = folder / f"student{number:02d}"
        place.mkdir(parents=True)
        (place / "bot.c").write_text(f"#define PLACE {number}\n{BOT}")


def command(folder: Path, jobs: int) -> list[str]:
    words = [sys.executable, "-m", "plywright", "class", "tic-tac-toe", str(folder / "submissions")]
    words += ["--mode", "move:5s", "--openings", "random:2"]
    return [*words, "--output", str(folder / "class"), "--jobs", str(jobs)]


def finished(folder: Path) -> int:
    """Games in the record so far."""
    path = folder / "class" / "games.plywright"
    try:
        with sqlite3.connect(f"file:{path}?mode=ro", uri=True, timeout=5) as connection:
            return int(connection.execute("SELECT COUNT(*) FROM games WHERE payoffs IS NOT NULL").fetchone()[0])
    except sqlite3.Error:
        return 0


def judged(folder: Path, programs: int) -> str:
    with Records.open(folder / "class" / "games.plywright") as records:
        numbers = [outcome.game for outcome in records.outcomes() if outcome.payoffs is not None]
        found = check_record(records, load_game("tic-tac-toe"))
    planned = programs * (programs - 1)
    assert found.sound, found.faults
    assert len(numbers) == len(set(numbers)) == planned, (len(numbers), len(set(numbers)), planned)
    return f"{planned:,} games, none lost, none twice, {found.plies:,} plies, {found.void} void attempts, record sound"


def rows() -> list[Row]:
    """For `make bench`: the whole load."""
    found = []
    with tempfile.TemporaryDirectory(prefix="plywright-load-", dir="/var/tmp") as folder:
        spent, words = play_through(Path(folder) / "whole", 60, 2)
        found.append(Row("a class of 60 programs, 2 jobs", f"{spent:.0f} s", words, None, "none lost or twice", True))
        spent, words = play_killed(Path(folder) / "killed", 20, 100, 2)
        what = "a class of 20 programs, kill -9 at 100 random moments"
        found.append(Row(what, f"{spent:.0f} s", words, None, "none lost or twice", True))
    return found


def play_through(folder: Path, programs: int, jobs: int) -> tuple[float, str]:
    hand_in(folder / "submissions", programs)
    began = time.monotonic()
    subprocess.run([*command(folder, jobs), "--check"], check=False, stdout=subprocess.DEVNULL)
    checked = time.monotonic() - began
    began = time.monotonic()
    subprocess.run(command(folder, jobs), check=True, stdout=subprocess.DEVNULL)
    whole = time.monotonic() - began
    words = judged(folder, programs)
    print(f"{programs} programs, {jobs} jobs: {words}")
    print(f"checks alone {checked:.0f} s; checks, games and reports {whole:.0f} s wall time")
    return whole, words


def play_killed(folder: Path, programs: int, kills: int, jobs: int) -> tuple[float, str]:
    hand_in(folder / "submissions", programs)
    dice = random.Random(1)
    done = 0
    began = time.monotonic()
    while True:
        runner = subprocess.Popen(command(folder, jobs), stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
        while runner.poll() is None and done < kills:
            time.sleep(0.2 + 2 * dice.random())
            if runner.poll() is not None or not finished(folder):
                continue
            workers = [process for process in descendants(runner.pid) if is_worker(process)]
            done += 1
            if done % 4 and workers:
                os.kill(dice.choice(workers), signal.SIGKILL)
            else:
                runner.kill()
                break
        if runner.wait() == 0:
            break
    spent, words = time.monotonic() - began, judged(folder, programs)
    print(f"{programs} programs, {done} times kill -9 in {spent:.0f} s: {words}")
    return spent, words


def is_worker(process: int) -> bool:
    try:
        return b"spawn_main" in Path(f"/proc/{process}/cmdline").read_bytes()
    except OSError:
        return False


def main() -> None:
    programs, kills, jobs = (int(word) for word in [*sys.argv[1:], *("60", "100", "2")[len(sys.argv) - 1 :]])
    folder = Path(tempfile.mkdtemp(prefix="plywright-load-", dir="/var/tmp"))
    try:
        play_through(folder / "whole", programs, jobs)
        if kills:
            play_killed(folder / "killed", max(programs // 3, 2), kills, jobs)
    finally:
        shutil.rmtree(folder, ignore_errors=True)


if __name__ == "__main__":
    main()
