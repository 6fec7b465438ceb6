"""What a user waits for: compilation, start from the cache, --help, import. Each in new processes."""

from __future__ import annotations

import os
import statistics
import subprocess
import sys
import tempfile
import time

from measure import Row

SEARCH = "import plywright as p; p.search(p.load_game('{game}'), depth=2, algorithm='alphabeta')"
GAMES = ["tic-tac-toe", "connect-four", "othello", "breakthrough", "dots-and-boxes"]


def spend(arguments: list[str], cache: str) -> float:
    began = time.perf_counter()
    environment = {**os.environ, "PLYWRIGHT_CACHE": cache}
    subprocess.run([sys.executable, *arguments], check=True, stdout=subprocess.DEVNULL, env=environment)
    return time.perf_counter() - began


def rows() -> list[Row]:
    cold: dict[str, float] = {}
    warm: dict[str, float] = {}
    with tempfile.TemporaryDirectory() as cache:
        bare = statistics.median(spend(["-c", "import numba"], cache) for _ in range(5))
        for game in GAMES:
            cold[game] = spend(["-c", SEARCH.format(game=game)], cache)
            warm[game] = statistics.median(spend(["-c", SEARCH.format(game=game)], cache) for _ in range(5))
        help_ = statistics.median(spend(["-m", "plywright", "--help"], cache) for _ in range(7))
        bare_import = statistics.median(spend(["-c", "import plywright"], cache) for _ in range(7))
    slowest, latest = max(cold, key=lambda g: cold[g]), max(warm, key=lambda g: warm[g])
    return [
        Row(
            f"first run ever: compile and search (slowest: {slowest})",
            f"{cold[slowest]:.2f} s",
            "-",
            None,
            "< 5 s",
            cold[slowest] < 5,
            cold,
        ),
        Row(
            f"every later run: import, load and search (slowest: {latest})",
            f"{warm[latest]:.2f} s",
            f"{bare:.2f} s for `import numba` alone",
            None,
            "< 0.6 s",
            warm[latest] < 0.6,
            warm,
        ),
        Row("plywright --help", f"{help_:.2f} s", "-", None, "< 0.3 s", help_ < 0.3),
        Row("import plywright", f"{bare_import:.3f} s", "-", None, "measured", None),
    ]
