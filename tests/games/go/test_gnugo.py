"""GNU Go as an oracle: legal moves, superko included, and stones, in random games move by move over GTP."""

from __future__ import annotations

import os
import random
import shutil
import subprocess

import pytest

from plywright import load_game
from plywright.repetition import Past

GNUGO = shutil.which("gnugo", path=f"{os.environ.get('PATH', '')}:/usr/games")
pytestmark = pytest.mark.skipif(GNUGO is None, reason="GNU Go is not installed")


class Oracle:
    def __init__(self) -> None:
        assert GNUGO is not None
        self.process = subprocess.Popen(
            [GNUGO, "--mode", "gtp", "--positional-superko", "--level", "0", "--cache-size", "1"],
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            text=True,
        )

    def ask(self, *commands: str) -> list[str]:
        """The answers to commands that are sent together."""
        assert self.process.stdin is not None and self.process.stdout is not None
        self.process.stdin.write("".join(f"{command}\n" for command in commands))
        self.process.stdin.flush()
        answers = []
        for command in commands:
            lines = []
            while (line := self.process.stdout.readline()).strip() or not lines:
                lines.append(line.rstrip("\n"))
            assert lines[0].startswith("="), (command, lines)
            answers.append("\n".join(lines)[1:].strip())
        return answers

    def close(self) -> None:
        assert self.process.stdin is not None and self.process.stdout is not None
        self.process.stdin.close()
        self.process.wait(10)
        self.process.stdout.close()


def compared(oracle: Oracle, size: int, seed: int, plies: int) -> tuple[int, int]:
    """Play at random, as fully as possible; how many positions were compared, and how often the past forbade a move."""
    game, rng = load_game(f"go:size={size}"), random.Random(seed)
    oracle.ask(f"boardsize {size}", "clear_board")
    state, past, forbidden, positions = game.start_state, Past(game), 0, 0
    while positions < plies and not game.is_terminal(state):
        legal = set(past.actions(state))
        forbidden += len(set(game.actions(state)) - legal)
        colour = ("black", "white")[state.mover]
        theirs, black, white = oracle.ask(f"all_legal {colour}", "list_stones black", "list_stones white")
        assert legal - {game.pass_action} == {game.point_of(name) for name in theirs.split()}, game.format_state(state)
        for sign, stones in (("X", black), ("O", white)):
            ours = {point for point in range(game.points) if game.sign(state, point) == sign}
            assert ours == {game.point_of(name) for name in stones.split()}, game.format_state(state)
        positions += 1
        moves = sorted(legal - {game.pass_action})
        action = rng.choice(moves) if moves and rng.random() > 0.02 else game.pass_action
        oracle.ask(f"play {colour} {game.format_action(state, action)}")
        past.add(state)
        state = game.state_after(state, action)
    return positions, forbidden


def play_many(games: dict[int, int], plies: int) -> tuple[int, int]:
    oracle = Oracle()
    try:
        found = [compared(oracle, size, seed, plies) for size, count in games.items() for seed in range(count)]
    finally:
        oracle.close()
    return sum(positions for positions, _ in found), sum(forbidden for _, forbidden in found)


def test_moves_and_captures_are_those_of_gnu_go() -> None:
    positions, forbidden = play_many({5: 12, 9: 1}, 150)
    assert positions > 400 and forbidden > 0


@pytest.mark.slow
def test_moves_and_captures_of_thousands_of_games() -> None:
    positions, forbidden = play_many({5: 1200, 6: 400, 7: 250, 9: 150, 13: 10, 19: 3}, 300)
    assert positions > 100_000 and forbidden > 100
