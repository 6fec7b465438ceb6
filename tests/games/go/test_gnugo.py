"""GNU Go as an oracle: legal moves, superko included, and stones, in random games move by move over GTP."""

from __future__ import annotations

import os
import random
import shutil
import subprocess
from typing import Any

import numpy as np
import pytest

from plywright import load_game
from plywright.bits import signed
from plywright.compiled import Workspace, kernel

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


@kernel
def list_moves(game: Any, state: Any, work: Any) -> int:
    """The actions of a state with the keys of what they lead to, by the compiled rules; how many there are."""
    count = 0
    for action in game.actions(state):
        work.actions[count] = action
        work.keys[count] = signed(game.repetition_key(game.result(state, action)))
        count += 1
    return count


def compared(oracle: Oracle, size: int, seed: int, plies: int) -> tuple[int, int]:
    """Play at random, as fully as possible; how many positions were compared, and how often the past forbade a move."""
    game, rng = load_game(f"go:size={size}"), random.Random(seed)
    work: Any = Workspace(actions=np.zeros(400, np.int64), keys=np.zeros(400, np.int64))
    oracle.ask(f"boardsize {size}", "clear_board")
    state, forbidden, positions, told = game.start_state, 0, 0, list[str]()
    past = {signed(game.repetition_key(state))}
    while positions < plies and not game.is_terminal(state):
        count = list_moves(game, state, work)
        moves = dict(zip(work.actions[:count].tolist(), work.keys[:count].tolist(), strict=True))
        legal = {action for action, key in moves.items() if key not in past}
        forbidden += len(moves) - len(legal)
        colour = ("black", "white")[state.mover]
        *_, theirs, black, white = oracle.ask(*told, f"all_legal {colour}", "list_stones black", "list_stones white")
        assert legal - {game.pass_action} == {game.point_of(name) for name in theirs.split()}, game.format_state(state)
        for sign, stones in (("X", black), ("O", white)):
            ours = {point for point in range(game.points) if game.sign(state, point) == sign}
            assert ours == {game.point_of(name) for name in stones.split()}, game.format_state(state)
        positions += 1
        points = sorted(legal - {game.pass_action})
        action = rng.choice(points) if points and rng.random() > 0.02 else game.pass_action
        told = [f"play {colour} {game.format_action(state, action)}"]
        past.add(moves[action])
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
    positions, forbidden = play_many({5: 15}, 150)
    assert positions > 400 and forbidden > 0


@pytest.mark.slow
def test_moves_and_captures_of_thousands_of_games() -> None:
    positions, forbidden = play_many({5: 1500, 6: 300, 7: 200, 9: 100, 13: 6, 19: 2}, 300)
    assert positions > 100_000 and forbidden > 100
