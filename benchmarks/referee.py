"""What refereeing costs per move: players in process, and a program over pipes without a sandbox."""

from __future__ import annotations

import statistics
import tempfile
from pathlib import Path

from measure import Row, seconds, short
from plywright.arena.referee import play_game
from plywright.cli.new import BOTS
from plywright.cli.new import __file__ as templates
from plywright.games import load_game
from plywright.players import Mode, Player
from plywright.players.simple import FirstPlayer
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
    with tempfile.TemporaryDirectory() as folder:
        bot = Path(folder) / "bot.py"
        bot.write_bytes((Path(templates).parent / BOTS["json"]).read_bytes())
        game = load_game("tic-tac-toe")
        programs = [JsonPlayer(f"python {bot}", game, "bot", {"isolation": "limits"}) for _ in range(2)]
        piped = per_move("tic-tac-toe", list(programs))
        for program in programs:
            program.close()
    return [
        Row(
            f"referee, a move of players in process (slower: {slowest})",
            short(inside[slowest]),
            "-",
            None,
            "< 0.2 ms",
            inside[slowest] < 0.2e-3,
            inside,
        ),
        Row(
            "referee, a move of a piped program, without sandbox, its own work included",
            short(piped),
            "-",
            None,
            "< 1 ms",
            piped < 1e-3,
        ),
    ]


if __name__ == "__main__":
    for row in rows():
        print(row.name, row.ours, row.detail)
