"""What refereeing costs per move: players in process, and programs over pipes in bubblewrap."""

from __future__ import annotations

import shutil
import statistics
import subprocess
import tempfile
from pathlib import Path

from class_load import BOT
from measure import Row, seconds, short
from plywright.arena.referee import play_game
from plywright.cli.authoring.new import BOTS, template
from plywright.games import load_game
from plywright.players import Mode, Player
from plywright.players.simple import FirstPlayer
from plywright.programs.isolation import BUBBLEWRAP, bubblewrap_works
from plywright.programs.json_lines import JsonPlayer

ROUNDS, GAMES = 7, 40
MODE = Mode.parse("move:10s")


def per_move(game_name: str, players: list[Player]) -> float:
    """Median seconds a ply over several rounds, all of it: rules, questions, clocks, records."""
    game = load_game(game_name)

    def play() -> int:
        return sum(len(play_game(game, players, mode=MODE, seed=seed).plies) for seed in range(GAMES))

    play()
    found = []
    for _ in range(ROUNDS):
        spent, plies = seconds(play)
        found.append(spent / plies)
    return statistics.median(found)


def rows() -> list[Row]:
    inside = {name: per_move(name, [FirstPlayer(), FirstPlayer()]) for name in ("tic-tac-toe", "othello")}
    slowest = max(inside, key=lambda name: inside[name])
    level = BUBBLEWRAP if bubblewrap_works() else "limits"
    with tempfile.TemporaryDirectory(dir="/var/tmp") as folder:
        command = small_program(Path(folder))
        game = load_game("tic-tac-toe")
        options = {"isolation": level, "folder": folder}
        programs = [JsonPlayer(command, game, "bot", options) for _ in range(2)]
        piped = per_move("tic-tac-toe", list(programs))
        for program in programs:
            program.close()
    return [
        Row(
            f"referee, a move of players in process (slower: {slowest})",
            short(inside[slowest]),
            "-",
            None,
            "< 0.1 ms",
            inside[slowest] < 0.1e-3,
            inside,
        ),
        Row(
            f"referee, a move of a piped program ({level}), its own work included",
            short(piped),
            "-",
            None,
            "< 0.5 ms",
            piped < 0.5e-3,
        ),
    ]


def small_program(folder: Path) -> str:
    """The command of a program that takes next to no time: in C where there is a compiler, else in Python."""
    if shutil.which("cc"):
        (folder / "bot.c").write_text(f"#define PLACE 1\n{BOT}")
        subprocess.run(["cc", "-O2", "-o", "bot", "bot.c"], cwd=folder, check=True)
        return "./bot"
    (folder / "bot.py").write_text(template(BOTS["json"]), encoding="utf-8")
    return "python bot.py"


if __name__ == "__main__":
    for row in rows():
        print(row.name, row.ours, row.detail)
